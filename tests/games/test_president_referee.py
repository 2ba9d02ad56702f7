"""The referee of President: random games keep what must hold in every one."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import pytest

from analyzer.games.president.rules import President
from tests.games.president.test_rules import CHOICES, random_rules
from tests.games.president_referee import (
    JOKER,
    Play,
    Table,
    all_plays,
    beats,
    deal,
    deck_of,
    exchange_pairs,
    give,
    give_back,
    play_game,
    readings,
)


def some_rules(rng: Random, **given: Any) -> President:
    return random_rules({name: rng.choice(choices) for name, choices in CHOICES.items()} | given)


@pytest.mark.parametrize("number", range(24))
def test_random_games(number: int) -> None:
    rng = Random(number)
    rules = some_rules(rng, players=3 + number % 6, rounds=1 + (number % 5 > 0))
    deals = [deal(rules, 0, rng) for _ in range(rules.rounds)]
    for hands in deals:
        assert Counter(card for hand in hands for card in hand) == Counter(deck_of(rules))
        sizes = [len(hands[seat]) for seat in (*range(1, rules.players), 0)]
        assert sizes == sorted(sizes, reverse=True)
        assert sizes[0] - sizes[-1] <= 1

    def choose(table: Table) -> Play | None:
        legal = table.legal()
        assert table.hands[table.turn]
        assert (None in legal) == (table.pile is not None)
        assert len(set(legal)) == len(legal)
        # A leader has something to play.
        assert table.pile is not None or legal
        return rng.choice(legal)

    scores, tables = play_game(rules, deals, 0, choose, rng.sample, drawn_leader=1)
    assert sum(scores) == rules.rounds * sum(range(rules.players))
    for table in tables:
        assert sorted(table.places()) == list(range(1, rules.players + 1))
        assert sum(bool(hand) for hand in table.hands) == 1


@pytest.mark.parametrize("number", range(30))
def test_plays_are_those_of_their_definition(number: int) -> None:
    """Every play is what it says, and answers are in order: of two plays of a kind one beats the other."""
    rng = Random(number)
    rules = some_rules(rng, beat="equal_or_higher", run_beat="top")
    hand = rng.sample(deck_of(rules), 10)
    for play in all_plays(rules, hand):
        natural = [card for card in play.cards if card != JOKER]
        assert play in readings(rules, play.cards)
        assert Counter(play.cards) <= Counter(hand)
        if play.kind == "run":
            places = range(play.low, play.top + 1)
            assert len(places) == len(play.cards) >= 3
            assert {"3456789TJQKA2"[place] + play.suit for place in places} >= set(natural)
        else:
            assert len(play.cards) <= 4
            assert play.low == play.top
            assert len({card[0] for card in natural}) <= 1
    plays = sorted(all_plays(rules, hand), key=repr)
    for old in plays:
        for new in rng.sample(plays, min(20, len(plays))):
            if new.kind == old.kind and len(new.cards) == len(old.cards):
                for order in (False, True):
                    assert beats(rules, new, old, order) or beats(rules, old, new, order)


def test_gifts_and_returns_keep_all_cards() -> None:
    for players in CHOICES["players"]:
        rules, rng = President(players=players, exchange=True, jokers=2), Random(players)
        places = rng.sample(range(1, players + 1), players)
        hands = deal(rules, 0, rng)
        given = give(rules, hands, places)
        returned = {places.index(to): given[places.index(to)][:count] for to, _, count in exchange_pairs(rules)}
        after = give_back(rules, given, places, returned)
        assert [len(hand) for hand in after] == [len(hand) for hand in hands]
        assert Counter(card for hand in after for card in hand) == Counter(deck_of(rules))
        middle = [seat for seat in range(players) if 2 < places[seat] < players - 1]
        assert all(after[seat] == hands[seat] for seat in middle)


def test_readings() -> None:
    rules = President(jokers=2, all_jokers="may_be_2s")
    assert readings(rules, ["6c", "*", "*"]) == [
        Play("group", 3, 3, ("*", "*", "6c")),
        *(Play("run", low, low + 2, ("*", "*", "6c"), "c") for low in (1, 2, 3)),
    ]
    assert readings(rules, ["*", "*"]) == [Play("group", rank, rank, ("*", "*")) for rank in (13, 12)]
    for none in (["5c", "5d", "5h", "5s", "*"], ["5c", "6d"], ["5c", "6c"], ["5c", "6c", "7d"], ["Ac", "2c", "3c"], []):
        assert readings(rules, none) == []
