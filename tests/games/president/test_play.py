"""Whole matches through the kernels beside the referee, and what policies see of them."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from random import Random
from typing import Any

import numpy as np
import pytest

import analyzer
from analyzer.analysis.president.policies import bind_all
from analyzer.engine.blocks import Block
from analyzer.errors import PolicyError
from analyzer.games.president.deals import best_cards, deal_hands, finish_round
from analyzer.games.president.layout import (
    GAVE,
    GOT,
    HELD,
    HIDDEN,
    SEEN,
    TURN,
)
from analyzer.games.president.lowering import lower
from analyzer.games.president.notation import cards_text, parse_cards
from analyzer.games.president.own_policy import View, choices_in_words
from analyzer.games.president.play import play_matches
from analyzer.games.president.players import LOWEST, RULES, Players
from analyzer.games.president.round import begin_now, deal_now, deck_of, take
from analyzer.games.president.round_log import CAME, FEWEST, FIRST_SEAT, PLAYS_MADE, TURNS_MADE, WAS
from analyzer.games.president.rounds import answer
from analyzer.games.president.rules import President
from tests.games.president.random_rounds import random_rules
from tests.games.president.through_kernel import unpacked
from tests.games.president_referee import Play, Table, play_game
from tests.games.president_referee import best_cards as best_by_referee


class Odd(str):
    """A word that cannot be looked up."""

    __slots__ = ()

    def __hash__(self) -> int:
        raise RuntimeError("no hash")


def hands_of(rules: President, seed: int, index: int, step: int, dealer: int) -> list[list[str]]:
    """The hands of an addressed deal."""
    hidden, deck = np.zeros(HIDDEN, np.int64), deck_of(rules)
    address = np.uint64(seed), np.uint64(index), step
    deal_hands(rules.players, dealer, deck, *address, np.empty_like(deck), hidden)
    return [cards_text(int(cards)).split() for cards in hidden[: rules.players]]


class Chance:
    """Random choices, written down as they were made."""

    def __init__(self, seed: int) -> None:
        self.rng = Random(seed)
        self.made: list[str] = []
        self.views: list[View] = []

    def __call__(self, view: View) -> str:
        self.views.append(view)
        self.made.append(self.rng.choice(view.legal))
        return self.made[-1]


class Again:
    """The same choices for the referee; what is forced was not asked."""

    def __init__(self, chance: Chance, rules: President) -> None:
        self.made, self.views, self.rules = iter(chance.made), iter(chance.views), rules

    def play(self, table: Table) -> Play | None:
        legal = table.legal()
        if len(legal) == 1:
            return legal[0]
        view, made = next(self.views), next(self.made)
        assert sorted(view.hand) == sorted(table.hands[table.turn])
        assert len(view.legal) == len(legal)
        assert view.counts == tuple(
            len(table.hands[(table.turn + k) % self.rules.players]) for k in range(self.rules.players)
        )
        assert view.reversed_order == table.reversed
        return unpacked(words_of(view)[made])

    def give_back(self, hand: Sequence[str], count: int) -> Sequence[str]:
        view, made = next(self.views), next(self.made)
        assert view.stage == "exchange"
        assert sorted(view.hand) == sorted(hand)
        assert len(made.split()) == count
        return made.split()


def words_of(view: View) -> dict[str, int]:
    hand, seen = view._asked
    return choices_in_words(view.rules, hand, seen)


@pytest.mark.parametrize("number", range(6))
def test_matches_beside_the_referee(number: int) -> None:
    rng = Random(number)
    rules = random_rules(rng, rounds=3, exchange=number % 2 == 0, first_lead=("club3", "dealer_left")[number % 3 > 0])
    chance = Chance(number)
    _, table = bind_all(rules, [chance])
    rows = play_matches(table, 7, Block(0, number, number + 1))
    first = number % rules.players
    deals = [hands_of(rules, 7, number, step, (first + step) % rules.players) for step in range(3)]
    again = Again(chance, rules)
    points, tables = play_game(rules, deals, first, again.play, again.give_back)
    assert next(again.made, None) is None
    places = rows.seats[0, :, :, CAME]
    assert [one.places() for one in tables] == places.tolist()
    assert points == (rules.players - places).sum(axis=0).tolist()
    assert rows.seats[0, 1:, :, WAS].tolist() == places[:-1].tolist()
    assert (rows.rounds[0, :, PLAYS_MADE] <= rows.rounds[0, :, TURNS_MADE]).all()


def test_best_cards_beside_the_referee() -> None:
    rng = Random(5)
    for _ in range(300):
        hand = rng.sample([rank + suit for rank in "3456789TJQKA2" for suit in "cdhs"] + ["*", "*"], 12)
        count = rng.choice((1, 2))
        best = best_cards(parse_cards(" ".join(hand)), count)
        assert sorted(cards_text(int(best)).split()) == sorted(best_by_referee(hand, count))


def test_all_cards_are_dealt_evenly() -> None:
    rules = President(players=5, jokers=2)
    counts = np.zeros((5, 54), np.int64)
    for index in range(400):
        hands = hands_of(rules, 1, index, 0, dealer=4)
        assert [len(hand) for hand in hands] == [11, 11, 11, 11, 10]
        assert sorted(card for hand in hands for card in hand) == sorted(cards_text((1 << 54) - 1).split())
        for seat, hand in enumerate(hands):
            for card in hand:
                counts[seat, (parse_cards(card) & -parse_cards(card)).bit_length() - 1] += 1
    natural = counts[:4, :52] / 400
    assert abs(natural.mean() - 11 / 54) < 1e-3
    assert abs(natural - 11 / 54).max() < 5.5 * (11 / 54 * 43 / 54 / 400) ** 0.5


def test_who_leads_first() -> None:
    for lead in ("club3", "random", "dealer_left"):
        rules = President(first_lead=lead, rounds=2, next_lead="president")
        _, table = bind_all(rules, ["lowest"])
        rows = play_matches(table, 3, Block(0, 0, 200))
        seats = rows.rounds[:, 0, FIRST_SEAT]
        for index in range(200):
            hands = hands_of(rules, 3, index, 0, index % 4)
            if lead == "club3":
                assert "3c" in hands[seats[index]]
            if lead == "dealer_left":
                assert seats[index] == (index + 1) % 4
        if lead == "random":
            assert np.bincount(seats, minlength=4).min() > 25
        president = rows.seats[:, 0, :, CAME].argmin(axis=1)
        assert rows.rounds[:, 1, FIRST_SEAT].tolist() == president.tolist()


def test_policies_move_on_by_a_seat() -> None:
    rules = President(rounds=1)
    _, table = bind_all(rules, ["lowest", "random"])
    rows = play_matches(table, 3, Block(0, 0, 40), shifts=2, fewest=True)
    came = rows.seats[:, 0, :, CAME]
    first, second = came[::2], came[1::2]
    assert first[:, [0, 2]].mean() < first[:, [1, 3]].mean() - 0.8
    assert second[:, [1, 3]].mean() < second[:, [0, 2]].mean() - 0.8
    fewest = rows.seats[:, 0, :, FEWEST]
    assert (fewest[::2] == fewest[1::2]).all()  # the same hands
    assert len(set(fewest.ravel().tolist())) > 3
    assert not play_matches(table, 3, Block(0, 0, 4)).seats[..., FEWEST].any()


def test_what_the_own_function_may_answer() -> None:
    rules = analyzer.game("president")
    with pytest.raises(PolicyError, match=r"answered 'nonsense' at play, hand .*; return one of: "):
        analyzer.simulate(rules, policy=lambda view: "nonsense", games=1)
    for way, message in (
        (lambda view: sys.exit(0), "failed at play, hand .*: SystemExit: 0; correct the function"),
        (lambda view: view.choice_of("rollout"), "policy .* failed at play, hand .*: a view does not know what"),
        (lambda view: Odd("pass"), "failed at play, hand .*: RuntimeError: no hash; correct the function"),
    ):
        with pytest.raises(PolicyError, match=message):
            play_matches(bind_all(President(), [way])[1], 1, Block(0, 0, 1))
    with pytest.raises(PolicyError, match=r"failed at play, hand .*: KeyError: 1; correct the function"):
        analyzer.simulate(rules, policy=lambda view: {}[1], games=1)
    with pytest.raises(PolicyError, match="a view does not know what 'optimal' would choose"):
        analyzer.simulate(rules, policy=lambda view: view.choice_of("optimal"), games=1)


@pytest.mark.parametrize("policy", ["lowest", "rules"])
def test_a_view_chooses_as_the_policies_of_kernels(policy: str) -> None:
    rules = President(players=5, jokers=2, revolution=True, eight_stop=True, exchange=True, rounds=3)
    own = analyzer.simulate(rules, policy=lambda view: view.choice_of(policy), games=30, seed=2)
    assert own.tally == analyzer.simulate(rules, policy=policy, games=30, seed=2).tally


def test_no_policy_sees_hidden_cards() -> None:
    """The choice of a seat stays when the cards of the others are dealt anew among them."""
    rng = Random(3)
    changed = 0
    for number in range(120):
        rules = random_rules(rng, rounds=2, exchange=number % 2 == 0)
        hidden, seen = some_position(rules, number, rng)
        seat = int(seen[TURN])
        others = [k for k in range(rules.players) if k != seat and seen[HELD + k]]
        cards = [card for k in others for card in cards_text(int(hidden[k])).split()]
        rng.shuffle(cards)
        other = hidden.copy()
        for k in others:
            other[k] = parse_cards(" ".join(cards.pop() for _ in range(int(seen[HELD + k]))))
            other[GAVE + k] = other[GOT + k] = 0
        changed += (other != hidden).any()
        for kind in (LOWEST, RULES):
            players = Players(np.zeros(8, np.int64), np.array([kind]), np.zeros(1, np.int64))
            first, second = (after_one_choice(rules, players, cards, seen) for cards in (hidden, other))
            assert first == second
    assert changed > 80


def after_one_choice(rules: President, players: Players, hidden: Any, seen: Any) -> int:
    """What a policy chooses where it sees only what is passed on to it."""
    return int(answer(lower(rules), players, hidden[seen[TURN]], seen))


def some_position(rules: President, number: int, rng: Random) -> tuple[Any, Any]:
    """A point of the second round of a match in which all played `lowest`, or of its exchange."""
    hidden, seen = np.zeros(HIDDEN, np.int64), np.zeros(SEEN, np.int64)
    players = Players(np.zeros(8, np.int64), np.array([LOWEST]), np.zeros(1, np.int64))
    begin_now(0, seen)
    deck, address = deck_of(rules), (np.uint64(9), np.uint64(number))
    deal_now(lower(rules), deck, *address, hidden, seen)
    while seen[TURN] >= 0:
        take(lower(rules), answer(lower(rules), players, hidden[seen[TURN]], seen), hidden, seen)
    finish_round(lower(rules), seen)
    deal_now(lower(rules), deck, *address, hidden, seen)
    for _ in range(rng.choice((0, 1, rng.randrange(40)))):
        before = hidden.copy(), seen.copy()
        take(lower(rules), answer(lower(rules), players, hidden[seen[TURN]], seen), hidden, seen)
        if seen[TURN] < 0:
            return before
    return hidden, seen
