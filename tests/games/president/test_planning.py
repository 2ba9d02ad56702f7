"""Hands split into the fewest plays, beside a plain search over all sets of their cards."""

from __future__ import annotations

from functools import cache
from itertools import combinations
from random import Random
from typing import Any

import pytest

from analyzer.engine.jit import kernel
from analyzer.games.president.control import group_beaters, groups_of, run_beaters
from analyzer.games.president.layout import ALIKE, CARDS, JOKER, LOW, NATURALS, RANKS, RUN, TWO
from analyzer.games.president.lowering import lower
from analyzer.games.president.notation import parse_cards, play_text
from analyzer.games.president.planning import fewest_plays
from analyzer.games.president.round import list_plays
from analyzer.games.president.rules import President


@kernel
def fewest_now(rules: Any, hand: Any) -> Any:
    return fewest_plays(rules, hand)


@kernel
def beaters_now(rules: Any, play: Any, unseen: Any, turned: Any, jokers: Any, size: Any) -> Any:
    low = play >> LOW & 15
    if play >> RUN & 1:
        return run_beaters(rules, unseen, turned, low, size)
    return group_beaters(rules, groups_of(unseen, ALIKE), jokers, turned, size, low)


def can_be_played(cards: tuple[int, ...], runs: bool) -> bool:
    """Whether cards can be played together; those from 52 on are jokers."""
    natural, jokers = [card for card in cards if card < JOKER], sum(card >= JOKER for card in cards)
    ranks, suits = {card >> 2 for card in natural}, {card & 3 for card in natural}
    if len(ranks) <= 1 and len(cards) <= ALIKE:
        return True
    if not runs or len(suits) != 1 or len(cards) < 3 or len(cards) > RANKS or len(ranks) != len(natural):
        return False
    return max(ranks) - min(ranks) + 1 - len(natural) <= jokers


def fewest_plainly(cards: list[int], runs: bool) -> int:
    """The fewest plays that make up all cards: the play of the first card that is left is any that can be made."""

    @cache
    def fewest(left: tuple[int, ...]) -> int:
        if not left:
            return 0
        first, others = left[0], left[1:]
        found = 99
        for more in range(len(others) + 1):
            for rest in combinations(others, more):
                if can_be_played((first, *rest), runs):
                    found = min(found, 1 + fewest(tuple(card for card in others if card not in rest)))
        return found

    return fewest(tuple(cards))


def bits(cards: list[int]) -> int:
    return sum(1 << card for card in cards)


def random_hand(random: Random, size: int, jokers: int, suits: int = 4) -> list[int]:
    """Some cards of few suits, so that there are runs, and jokers."""
    natural = random.sample([card for card in range(JOKER) if card & 3 < suits], size - jokers)
    return sorted(natural) + [JOKER, JOKER + 1][:jokers]


@pytest.mark.parametrize("runs", [True, False])
@pytest.mark.parametrize("jokers", [0, 1, 2])
def test_fewest_plays(runs: bool, jokers: int) -> None:
    random = Random(jokers)
    rules = lower(President(runs=runs, jokers=jokers))
    for number in range(200):
        cards = random_hand(random, random.randint(max(jokers, 1), 9), jokers, suits=1 + number % 4)
        assert fewest_now(rules, bits(cards)) == fewest_plainly(cards, runs), play_text(bits(cards))


@pytest.mark.parametrize(
    ("cards", "jokers", "fewest"),
    [
        ("3c 3d 3h 3s *", 1, 2),
        ("3c 3d 3h 3s * *", 2, 2),
        ("3c 3d 3h 3s 4c 4d 4h *", 1, 2),
        ("3h 4h 5h 6h 7h 8h 9h Th Jh Qh Kh Ah 2h *", 1, 2),
        ("3h 4h 5h 6h 7h 8h 9h Th Jh Qh Kh Ah *", 1, 1),
        ("5h 6h 7h 8h 8c", 0, 2),
        ("5h 6h 7h 5c 6c 7c", 0, 2),
        ("5h 6h 7h 5c 6c 7c 7d 9s", 0, 4),
        ("3h 4h 7h 8h * *", 2, 1),
        ("3h 5h 7h * *", 2, 1),
        ("Ah 2h *", 1, 1),
        ("* *", 2, 1),
    ],
)
def test_fewest_plays_of_some_hands(cards: str, jokers: int, fewest: int) -> None:
    assert fewest_now(lower(President(jokers=jokers)), parse_cards(cards)) == fewest


@pytest.mark.parametrize(
    "options",
    [{}, {"beat": "higher"}, {"run_beat": "disjoint"}, {"jokers": 2}, {"jokers": 2, "beat": "higher"}],
)
def test_what_beats_a_play(options: dict[str, Any]) -> None:
    """Some answer among all that others can make of their cards, if and only if there are beaters."""
    random = Random(5)
    rules = lower(President(**options))
    jokers = options.get("jokers", 0)
    for _ in range(150):
        turned = random.getrandbits(1)
        unseen = bits(random_hand(random, random.randint(2, 20), random.randint(0, jokers), suits=3))
        mine = bits(random_hand(random, random.randint(1, 9), 0, suits=2))
        for play in list_plays(rules, mine, 0, turned)[:30]:
            size = (int(play) & CARDS).bit_count()
            left = (unseen >> JOKER).bit_count()
            found = beaters_now(rules, play, unseen, turned, left, size)
            answers = [int(one) for one in list_plays(rules, unseen, play, turned) if one]
            assert (found > 0) == (len(answers) > 0)
            if not left:
                places = {(one >> LOW & 15, (one & NATURALS) if one >> RUN & 1 else 0) for one in answers}
                assert found == len(places)


def test_the_highest_run_is_beaten_by_none_below() -> None:
    rules = lower(President(beat="higher"))
    high = parse_cards("Kh Ah 2h") | (TWO - 2) << LOW | 1 << RUN
    assert beaters_now(rules, high, NATURALS, 0, 0, 3) == 0
    assert beaters_now(rules, high, NATURALS, 1, 0, 3) > 0
