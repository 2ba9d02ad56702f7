"""Deals of Euchre with all hands open, on one core, beside the double dummy solver for bridge (DDS) in endplay."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from analyzer.cards.deck import deals
from analyzer.games.euchre.double_dummy import solve_deals
from analyzer.games.euchre.relabel import relabel
from benchmarks.measure import Bar, Effort, Row, check, installed, race, rate

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray

NOTE = (
    "Double dummy: one core, 24 cards, four hands of five, hearts are trump, seat 1 leads, tricks of its side. The"
    " solver for bridge has the same deals with trumps in the order of Euchre, in boards made beforehand; it counts all"
    " tricks."
)
PEER = "DDS"
DEALS_PER_SECOND = 60_000.0
HEARTS = 2
LEADER = 1
BRIDGE_SUITS = (3, 0, 2, 1)
"""Of DDS (spades, hearts, diamonds, clubs: 0 to 3), by field of a relabelled hand."""


def relabelled(count: int) -> NDArray[np.uint64]:
    """Addressed deals, hearts are trump."""
    return np.array(
        [[relabel(hand, HEARTS) for hand in row] for row in deals(24, seed=1, count=count).hands], np.uint64
    )


def boards_of(hands: NDArray[np.uint64]) -> list[Any]:
    """The same deals for DDS: a suit per field, the lowest place of a field as the two."""
    from endplay import _dds as dds

    made = []
    for start in range(0, len(hands), dds.MAXNOOFBOARDS):
        boards = dds.boards()
        some = hands[start : start + dds.MAXNOOFBOARDS].tolist()
        boards.noOfBoards = len(some)
        for i, row in enumerate(some):
            boards.deals[i].trump, boards.deals[i].first = 1, LEADER
            boards.target[i], boards.solutions[i], boards.mode[i] = -1, 1, 1
            for seat, hand in enumerate(row):
                for field, suit in enumerate(BRIDGE_SUITS):
                    boards.deals[i].remainCards[seat][suit] = (hand >> 16 * field & 0xFFFF) << 2
        made.append(boards)
    return made


def solve_boards(boards: list[Any]) -> NDArray[np.int64]:
    """Tricks by DDS."""
    from endplay import _dds as dds

    tricks = []
    for some in boards:
        solved = dds.solvedBoards()
        dds.SolveAllBoardsBin(some, solved)
        tricks += [solved.solvedBoard[i].score[0] for i in range(some.noOfBoards)]
    return np.array(tricks)


def rows(effort: Effort) -> Iterator[Row]:
    """Solve deals by the thresholds that score for makers, then count tricks in a race with DDS."""
    hands, repeats = relabelled(effort.pick(50_000, 10_000)), effort.pick(5, 3)
    runs: dict[str, Callable[[], Any]] = {
        "thresholds": lambda: solve_deals(hands, LEADER, 1, thresholds=(3, 5), workers=1),
        "tricks": lambda: solve_deals(hands, LEADER, 1, workers=1),
    }
    n = effort.pick(4_000, 1_000)
    if installed("endplay"):
        from endplay import _dds as dds

        dds.SetMaxThreads(1)
        boards = boards_of(hands[:n])
        runs[PEER] = lambda: solve_boards(boards)
    for run in runs.values():
        run()
    timed = race(runs, repeats)
    tricks = timed["tricks"].result
    check("deals with three tricks or more", (tricks >= 3).sum(), (timed["thresholds"].result >= 3).sum(), 0)
    job = "Deals of Euchre, double dummy"
    here = len(hands) / timed["thresholds"].seconds
    bar = Bar(f"≥ {DEALS_PER_SECOND:,.0f}/s", here >= DEALS_PER_SECOND)
    yield Row(job=f"{job}, three tricks and five", analyzer=rate(here, "deals"), bars=(bar,))
    here = len(hands) / timed["tricks"].seconds
    bar = Bar(f"≥ {DEALS_PER_SECOND:,.0f}/s", here >= DEALS_PER_SECOND)
    if PEER not in timed:
        yield Row(job=f"{job}, all tricks", analyzer=rate(here, "deals"), peer="endplay is not installed", bars=(bar,))
        return
    check("deals on which DDS finds other tricks", (tricks[:n] != timed[PEER].result).sum(), 0, 0)
    there = n / timed[PEER].seconds
    yield Row(
        job=f"{job}, all tricks",
        analyzer=rate(here, "deals"),
        peer=f"{PEER}: {rate(there, 'deals')}",
        ratio=here / there,
        bars=(bar,),
    )
