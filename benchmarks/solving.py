"""Exact solution of whole games, from the rules to the value, beside yatzy-solver (a compiled Rust extension)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import analyzer
from analyzer.dice.lattice import Lattice
from analyzer.dice.states import StateSpace
from benchmarks.measure import Bar, Effort, Row, Timed, check, installed, race, seconds
from benchmarks.memory import mebibytes, peak_of
from benchmarks.yatzy import NAME as YATZY
from benchmarks.yatzy import rules_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from analyzer import ScorecardRules

NOTE = (
    "Solving: from the rules on, with all tables. Both sides find the same value of the same game. yatzy-solver"
    " computes every set of filled lines with every upper total up to 63; the analyzer computes those that can be"
    " reached, and totals with the same future once."
)
PEER = "yatzy-solver"
SPEEDUP = 8.0
EMPTY = "upper 0 | filled -"
PEER_TOTALS = 64
"""Upper totals from 0 to 62, and all from 63 on as one."""
SAME_GAMES = (
    ("yahtzee", "american+forced-joker", "Yahtzee, 13 lines, forced joker", 2),
    (YATZY, "yatzy-scandinavian", "Scandinavian Yatzy, 15 lines", 1),
)
"""Game here, the same game there, what it is, and how many statuses of the five-alike line the peer keeps apart."""

_solvers: dict[str, Any] = {}


def solve_anew(rules: ScorecardRules) -> float:
    """Value of a game, from nothing but its rules and compiled kernels."""
    StateSpace.of.cache_clear()
    Lattice.of.cache_clear()
    return float(analyzer.solve(rules, cache=False).expected_score)


def build_peer(variant: str) -> float:
    """Value of a game by yatzy-solver; the solver is kept for `peer_solver`."""
    import yatzy_solver

    _solvers[variant] = yatzy_solver.Solver.build(yatzy_solver.Variant(variant))
    return float(_solvers[variant].state_value(EMPTY))


def peer_solver(variant: str) -> Any:
    """A solved game of yatzy-solver."""
    if variant not in _solvers:
        build_peer(variant)
    return _solvers[variant]


def rows(effort: Effort) -> Iterator[Row]:
    """Solve every game; the first solution, not timed, compiles."""
    for game, variant, title, statuses in SAME_GAMES[: effort.pick(2, 1)]:
        rules = rules_of(game)
        solve_anew(rules)
        runs: dict[str, Callable[[], float]] = {"analyzer": lambda rules=rules: solve_anew(rules)}
        if installed("yatzy_solver"):
            runs[PEER] = lambda variant=variant: build_peer(variant)
        timed = race(runs, effort.pick(3, 1))
        here = _figure(timed["analyzer"], effort, "solve", game)
        states = StateSpace.of(rules).columns
        if PEER not in timed:
            yield Row(job=f"Solve {title} ({states:,} states)", analyzer=here, peer=f"{PEER} is not installed")
            continue
        check(title, timed["analyzer"].result, timed[PEER].result, 1e-9)
        ratio = timed[PEER].seconds / timed["analyzer"].seconds
        yield Row(
            job=f"Solve {title} ({states:,} states, peer {(PEER_TOTALS * statuses) << len(rules.lines):,})",
            analyzer=here,
            peer=f"{PEER}: {_figure(timed[PEER], effort, 'peer', variant)}",
            ratio=ratio,
            bars=(Bar(f"≥ {SPEEDUP:.0f}x", ratio >= SPEEDUP),),
        )
    rules = rules_of("dice-poker")
    solve_anew(rules)
    timed = race({"analyzer": lambda: solve_anew(rules)}, effort.pick(5, 1))
    job = f"Solve Dice Poker, 15 lines, forced joker ({StateSpace.of(rules).columns:,} states)"
    yield Row(job=job, analyzer=_figure(timed["analyzer"], effort, "solve", "dice-poker"))


def _figure(timed: Timed, effort: Effort, job: str, argument: str) -> str:
    """Time, and in the full run memory."""
    memory = "" if effort.quick else f", {mebibytes(peak_of(job, argument))}"
    return f"{seconds(timed.seconds)}{memory}"
