"""Exact solution of whole games, from the rules to the value, beside yatzy-solver (a compiled Rust extension)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import analyzer
from analyzer.dice.lattice import Lattice
from analyzer.dice.states import StateSpace
from benchmarks.measure import Bar, Effort, Row, check, installed, race, seconds
from benchmarks.memory import mebibytes, peak_of
from benchmarks.yatzy import NAME as YATZY
from benchmarks.yatzy import rules_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from analyzer import ScorecardRules

PEER = "yatzy-solver"
SPEEDUP = 8.0
EMPTY = "upper 0 | filled -"
PEER_TOTALS = 64
"""Upper totals from 0 to 63 and more."""
SAME_GAMES = (
    ("yahtzee", "american+forced-joker", "Yahtzee, 13 lines, forced joker", 2),
    (YATZY, "yatzy-scandinavian", "Scandinavian Yatzy, 15 lines", 1),
)
"""Game here, the same game there, what it is, and how many statuses of the five-alike line the peer tells apart."""


def solve_anew(rules: ScorecardRules) -> float:
    """Value of a game, from nothing but its rules and compiled kernels."""
    StateSpace.of.cache_clear()
    Lattice.of.cache_clear()
    return float(analyzer.solve(rules, cache=False).expected_score)


def rows(effort: Effort) -> Iterator[Row]:
    """Solve every game; the first solution, not timed, compiles."""
    for game, variant, title, statuses in SAME_GAMES[: effort.pick(2, 1)]:
        rules = rules_of(game)
        value = solve_anew(rules)
        runs: dict[str, Callable[[], Any]] = {"analyzer": lambda rules=rules: solve_anew(rules)}
        if installed("yatzy_solver"):
            import yatzy_solver

            def build(variant: str = variant) -> Any:
                return yatzy_solver.Solver.build(yatzy_solver.Variant(variant)).state_value(EMPTY)

            check(title, value, build(), 1e-9)
            runs[PEER] = build
        yield _row(title, game, variant, race(runs, effort.pick(3, 1)), StateSpace.of(rules).columns, statuses)
    rules = rules_of("dice-poker")
    solve_anew(rules)
    best = race({"analyzer": lambda: solve_anew(rules)}, effort.pick(5, 1))["analyzer"]
    job = f"Solve Dice Poker, 15 lines, joker ({StateSpace.of(rules).columns:,} states)"
    yield Row(job=job, analyzer=f"{seconds(best)}, {mebibytes(peak_of('solve', 'dice-poker'))}")


def _row(title: str, game: str, variant: str, best: dict[str, float], columns: int, statuses: int) -> Row:
    here = f"{seconds(best['analyzer'])}, {mebibytes(peak_of('solve', game))}"
    if PEER not in best:
        return Row(job=f"Solve {title} ({columns:,} states)", analyzer=here, peer=f"{PEER} is not installed")
    states = (1 << len(rules_of(game).lines)) * PEER_TOTALS * statuses
    ratio = best[PEER] / best["analyzer"]
    return Row(
        job=f"Solve {title} (same value; {columns:,} states against {states:,})",
        analyzer=here,
        peer=f"{PEER}: {seconds(best[PEER])}, {mebibytes(peak_of('peer', variant))}",
        ratio=ratio,
        bars=(Bar(f"≥ {SPEEDUP:.0f}×", ratio >= SPEEDUP),),
    )
