"""Simulated turns of a table policy, all line tallies included, beside a plain NumPy simulator."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

import analyzer
from analyzer.analysis.binding import bind_policy
from benchmarks.measure import Bar, Effort, Row, check, race, rate
from benchmarks.numpy_simulator import NumpyTurns

if TYPE_CHECKING:
    from collections.abc import Iterator

    from analyzer import ScorecardRules
    from analyzer.analysis.simulate import TurnsResult

NOTE = (
    "Turns: from an empty scorecard, with the means and rates of every line. The plain NumPy simulator scores every"
    " turn; the other one counts final rolls and scores each of the 252 once."
)
POLICY = "greedy"
TURNS_PER_SECOND = 150e6
SPEEDUP = 150.0
SIGMAS = 6.0
"""Of 30 compared figures one is farther off than this in 17 million runs."""


def simulate(rules: ScorecardRules, turns: int) -> TurnsResult:
    """Simulate turns and make the table of all lines."""
    result: TurnsResult = analyzer.simulate(rules, policy=POLICY, turns=turns, seed=1)
    result.lines()
    return result


def check_agreement(result: TurnsResult, peer: NumpyTurns) -> None:
    """Stop unless rates and means of every line are those of the peer, within chance."""
    frame = result.lines()
    space = result.bound.space
    shares = result.tally["rolls"] / result.turns
    natural = space.written[space.tables.natural]
    deviation = np.sqrt(shares @ natural**2 - (shares @ natural) ** 2)
    error = np.sqrt(1 / peer.turns + 1 / result.turns)
    for i, line in enumerate(frame["line"]):
        p = frame["rate"][i]
        check(f"share of {line}", p, peer.chosen[i] / peer.turns, SIGMAS * error * np.sqrt(p * (1 - p)))
        here = frame["available_mean"][i]
        check(f"mean of {line}", here, peer.available[i] / peer.turns, SIGMAS * error * deviation[i])


def rows(effort: Effort) -> Iterator[Row]:
    """Race the analyzer, on all processors, with the plain simulator and with one that scores rolls, not turns."""
    rules = analyzer.game("dice-poker")
    bound = bind_policy(rules, POLICY)
    tables = bound.tables(np.zeros(1, dtype=np.int64))
    plain, counting = (NumpyTurns(bound.space.lattice, tables, bound.space.tables.entry_line, seed) for seed in (1, 2))
    sample = simulate(rules, 10_000_000)
    plain.play(1_000_000)
    check_agreement(sample, plain)
    counting.play_counting(1_000_000)
    check_agreement(sample, counting)

    turns, peer_turns = effort.pick(400_000_000, 100_000_000), effort.pick(1_000_000, 500_000)
    runs = {
        "analyzer": lambda: simulate(rules, turns),
        "plain": lambda: plain.play(peer_turns),
        "counting": lambda: counting.play_counting(peer_turns),
    }
    timed = race(runs, effort.pick(5, 3))
    here = turns / timed["analyzer"].seconds
    for name, what in (("plain", "plain"), ("counting", "rolls counted")):
        there = peer_turns / timed[name].seconds
        bars = (
            Bar("≥ 150 million/s", here >= TURNS_PER_SECOND),
            Bar(f"≥ {SPEEDUP:.0f}x", here / there >= SPEEDUP),
        )
        yield Row(
            job=f"Turns of Dice Poker, {POLICY} policy, tallies of all lines",
            analyzer=rate(here, "turns"),
            peer=f"NumPy, {what}: {rate(there, 'turns')}",
            ratio=here / there,
            bars=bars if name == "plain" else (),
        )
