"""One turn played best for one line, exactly, beside icepool: a whole game is out of its reach, a turn is not."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import combinations
from typing import TYPE_CHECKING, Any

from analyzer import Line, ScorecardRules
from benchmarks.measure import Effort, Row, check, installed, race, seconds
from benchmarks.solving import solve_anew

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

NOTE = "One turn: icepool throws the dice, every keep of every roll is tried, and no keep twice."
FIVE_ALIKE = Fraction(347897, 7558272)
"""Chance of five alike in three throws, as published."""
STRAIGHTS = ((1, 2, 3, 4, 5), (2, 3, 4, 5, 6))

JOBS = (
    (
        Line(name="yahtzee", kind="all_alike", points=1),
        lambda roll: Fraction(len(set(roll)) == 1),
        "chance of five alike",
    ),
    (
        Line(name="large_straight", kind="straight", length=5, points=1),
        lambda roll: Fraction(roll in STRAIGHTS),
        "chance of a large straight",
    ),
)
"""The line of a game of one turn, what its final dice are worth, and what that is."""


def best_turn(worth: Any) -> Fraction:
    """Best expected worth of the final dice after three throws: icepool throws, every keep of every roll is tried."""
    from icepool import d6

    throws = [d6.pool(size).expand() for size in range(6)]
    value = worth
    for _ in range(2):

        @cache
        def of_keep(kept: tuple[int, ...], value: Any = value) -> Fraction:
            missing = throws[5 - len(kept)]
            return missing.map(lambda thrown: value(tuple(sorted(kept + thrown))), star=False).mean()

        @cache
        def of_roll(roll: tuple[int, ...], stop: Any = value, of_keep: Any = of_keep) -> Fraction:
            keeps = {kept for size in range(5) for kept in combinations(roll, size)}
            return max(stop(roll), *map(of_keep, keeps))

        value = of_roll
    return throws[5].map(value, star=False).mean()


def rows(effort: Effort) -> Iterator[Row]:
    """Both answers are from the rules on: nothing is prepared."""
    for line, worth, what in JOBS:
        rules = ScorecardRules(name="one_turn", title="One turn", lines=(line,))
        solve_anew(rules)
        runs: dict[str, Callable[[], Any]] = {"analyzer": lambda rules=rules: solve_anew(rules)}
        if installed("icepool"):
            runs["icepool"] = lambda worth=worth: best_turn(worth)
        timed = race(runs, effort.pick(10, 3))
        here, peer = timed["analyzer"], timed.get("icepool")
        if line.kind == "all_alike":
            check(what, here.result, float(FIVE_ALIKE), 1e-14)
        if peer:
            check(what, here.result, float(peer.result), 1e-14)
        yield Row(
            job=f"One turn played best: {what}",
            analyzer=seconds(here.seconds),
            peer=f"icepool: {seconds(peer.seconds)}" if peer else "icepool is not installed",
            ratio=peer.seconds / here.seconds if peer else None,
        )
