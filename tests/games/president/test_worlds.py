"""Worlds that a seat supposes: they agree with what it has seen, and every one is as likely."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import numpy as np
import pytest

from analyzer.games.president.layout import ACTIVE, CARDS, GAVE, GOT, HELD, JOKER, NATURALS, OFFICE, PLAYED, TURN
from analyzer.games.president.lowering import lower
from analyzer.games.president.notation import cards_text, parse_cards
from analyzer.games.president.round import Round, deck_of
from analyzer.games.president.rules import President
from analyzer.games.president.worlds import draw_world, kept_of, known_hands, partner_of, pool_of, worse_cards
from tests.games.president.random_rounds import random_rules
from tests.games.president.test_play import some_position
from tests.games.president_referee import best_cards


def world(rules: President, hidden: Any, seen: Any, number: int) -> Any:
    """The hands that the seat in turn supposes."""
    seat = int(seen[TURN])
    cards, found = np.empty(54, np.uint8), np.zeros_like(hidden)
    known = np.zeros_like(hidden)
    known_hands(lower(rules), seat, *(int(hidden[place + seat]) for place in (0, GAVE, GOT)), seen, known)
    pool = cards[: pool_of(lower(rules), seat, known, seen, cards)]
    address = np.uint64(1), np.uint64(0), 0, 4 * number
    draw_world(lower(rules), seat, known, seen, pool, np.empty_like(pool), *address, found)
    return found


def test_worlds_agree_with_what_was_seen() -> None:
    rng = Random(1)
    exchanged = 0
    for number in range(150):
        rules = random_rules(rng, rounds=2, exchange=number % 4 > 0)
        hidden, seen = some_position(rules, number, rng)
        seat, n = int(seen[TURN]), rules.players
        found = world(rules, hidden, seen, number)
        everything = Counter()
        for other in range(n):
            assert int(found[other]).bit_count() == seen[HELD + other]
            everything.update(cards_text(int(found[other])).split())
            everything.update(cards_text(int(seen[PLAYED + other])).split())
        deck = cards_text((1 << len(deck_of(rules))) - 1).split()
        assert everything == Counter(deck)
        assert found[seat] == hidden[seat]
        gave, got = int(hidden[GAVE + seat]), int(hidden[GOT + seat])
        partner = int(partner_of(lower(rules), seat, gave, got, seen))
        if partner < 0:
            continue
        exchanged += 1
        assert seen[OFFICE + seat] + seen[OFFICE + partner] == n + 1
        kept = int(kept_of(lower(rules), seat, gave, seen))
        assert not kept & NATURALS & ~found[partner]
        assert not kept & NATURALS & ~hidden[partner]
        if seen[OFFICE + seat] < seen[OFFICE + partner]:
            # What the partner holds beside what it was given back is worse than what it gave.
            rest = cards_text(int(found[partner]) & ~kept & NATURALS).split()
            given = cards_text(got).split()
            assert sorted(best_cards([*given, *rest], len(given))) == sorted(given)
    assert exchanged > 20


def test_every_world_is_as_likely() -> None:
    rules = President(players=3)
    hands = ["3c", "4c", "5c 6c", "7c 8c"]
    hidden, seen = np.zeros(24, np.int64), np.zeros(58, np.int64)
    hidden[0] = parse_cards(hands[0])
    rest = parse_cards("4c 5c 6c 7c")
    seen[HELD : HELD + 3] = 1, 2, 2
    seen[ACTIVE] = 7
    seen[PLAYED + 1] = NATURALS & ~rest & ~int(hidden[0])
    counts = Counter(int(world(rules, hidden, seen, number)[1]) for number in range(6000))
    assert len(counts) == 6
    # Six cells of 1,000: beyond 5.5 standard deviations of each with a chance below 1e-6.
    assert max(abs(count - 1000) for count in counts.values()) < 5.5 * (1000 * 5 / 6) ** 0.5


@pytest.mark.parametrize(("worst", "count"), [("3c", 0), ("3d", 1), ("3s", 2), ("3h", 3), ("4c", 4), ("2h", 51)])
def test_worse_cards(worst: str, count: int) -> None:
    found = int(worse_cards(parse_cards(f"{worst} *") & CARDS))
    assert found.bit_count() == count
    others = cards_text(found).split()
    assert best_cards([*others, worst], 1) == [worst]
    assert not found >> JOKER
    assert int(worse_cards(parse_cards("*"))) == CARDS  # the other joker is no better


def test_who_led_for_the_three_of_clubs_holds_it() -> None:
    rules = President(rounds=1)
    some = Round.deal(rules, seed=3, index=5)
    leader = some.turn
    some.choose(next(text for text in some.legal if "3c" not in text))
    other = some.turn
    found = [world(rules, some.hidden, some.seen, number)[leader] for number in range(40)]
    assert other != leader
    assert all(int(hand) & 1 for hand in found)


def test_cards_that_were_given_away_and_played_are_not_kept() -> None:
    rules = lower(President(exchange=True, jokers=2))
    seen = np.zeros(58, np.int64)
    seen[OFFICE : OFFICE + 4] = 4, 2, 3, 1
    seen[PLAYED + 3] = parse_cards("2h 5c")
    assert cards_text(int(kept_of(rules, 0, parse_cards("2h *"), seen))) == "*"
    seen[PLAYED + 3] = parse_cards("5c *")
    assert cards_text(int(kept_of(rules, 0, parse_cards("2h *"), seen))) == "2h"
