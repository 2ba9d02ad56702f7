"""The policy `rollout`: what it compares, that it is deterministic, and that it sees no hidden cards."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from analyzer.errors import PolicyError
from analyzer.games.president.endgame import solve_endgame
from analyzer.games.president.layout import GAVE, GOT, OWES, TURN
from analyzer.games.president.lowering import lower
from analyzer.games.president.notation import parse_cards, parse_play
from analyzer.games.president.own_policy import choices_in_words
from analyzer.games.president.play import Own
from analyzer.games.president.rollouts import Rollout, candidates, club_players, known_endgame, play_worlds
from analyzer.games.president.round import Round
from analyzer.games.president.rules import President
from tests.games.president.random_rounds import random_rules
from tests.games.president.test_play import some_position

QUICK = Rollout(64)


def test_choices_are_legal_and_the_same_again() -> None:
    rng = Random(2)
    returns = 0
    for number in range(40):
        rules = random_rules(rng, rounds=2, exchange=number % 2 == 0)
        hidden, seen = some_position(rules, number, rng)
        seat = int(seen[TURN])
        own = Own(int(hidden[seat]), int(hidden[GAVE + seat]), int(hidden[GOT + seat]))
        legal = set(choices_in_words(rules, own.hand, seen).values())
        assert set(candidates(rules, own.hand, seen).tolist()) <= legal
        before = seen.copy()
        first = QUICK.choose(rules, own, seen, (1, number, 0))
        assert first in legal
        assert (seen == before).all()
        assert QUICK.choose(rules, own, seen, (1, number, 0)) == first
        returns += bool(seen[OWES])
    assert 5 < returns < 30


def test_worlds_are_the_same_whatever_else_is_asked_for() -> None:
    rules = President(players=4)
    hidden, seen = some_position(rules, 3, Random(1))
    hand = int(hidden[seen[TURN]])
    choices = candidates(rules, hand, seen)
    address = np.uint64(5), np.uint64(0), 0
    whole = np.empty((len(choices), 16), np.int8)
    play_worlds(lower(rules), club_players(), hand, 0, 0, seen, choices, *address, 0, whole)
    part = np.empty((1, 8), np.int8)
    play_worlds(lower(rules), club_players(), hand, 0, 0, seen, choices[-1:], *address, 8, part)
    assert (part[0] == whole[-1, 8:]).all()
    assert whole.min() >= 1
    assert whole.max() <= 4


def test_candidates_are_one_for_each_thing_that_is_declared() -> None:
    some = Round.start(President(players=3), ["3h 4h 5h 5c 5d 9s", "4c 4d", "8c 9c"], turn=0)
    found = candidates(some.rules, int(some.hidden[0]), some.seen).tolist()
    singles = [play for play in found if play in {parse_play(card) for card in ("5h", "5c", "5d")}]
    assert len(singles) == 1
    assert singles[0] != parse_play("5h")  # that card is in a run
    assert parse_play("3h 4h 5h") in found


def test_an_endgame_of_two_is_played_best() -> None:
    rng = Random(4)
    cases = 0
    deck = [rank + suit for rank in "3456789TJQKA2" for suit in "cdhs"]
    while cases < 15:
        cards = rng.sample(deck, 8)
        hands = [" ".join(cards[:4]), " ".join(cards[4:]), ""]
        some = Round.start(President(players=3), hands, turn=0)
        some.seen[32 + 2] = ((1 << 52) - 1) & ~parse_cards(" ".join(cards))
        own = Own(int(some.hidden[0]), 0, 0)
        ending = known_endgame(some.rules, own, some.seen)
        assert ending is not None
        assert ending.held(1).split() == some.held(1).split()
        found = solve_endgame(some)
        if len(set(found.wins.values())) < 2:
            continue
        cases += 1
        choice = QUICK.choose(some.rules, own, some.seen, (0, cases, 0))
        words = {number: text for text, number in some.choices.items()}
        assert found.wins[words[choice]]


def test_parameters() -> None:
    assert Rollout.parse("").text == "rollout:rollouts=400"
    assert Rollout.parse(" rollouts = 50 ") == Rollout(50)
    for text, message in (
        ("worlds=5", "parameter 'worlds' of rollout is unknown; write such as rollout:rollouts=400"),
        ("rollouts=many", "rollouts of rollout is 'many'; give a whole number, such as 400"),
        ("rollouts=0", "rollouts of rollout is 0; it must be a whole number in 1..10000"),
    ):
        with pytest.raises(PolicyError) as error:
            Rollout.parse(text)
        assert str(error.value).startswith(message)
