"""Whole games by the optimal policy, with the solution at hand, beside yatzy-solver and the NumPy simulator."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import analyzer
from analyzer.analysis.binding import bind_policy
from analyzer.dice.policies import Optimal
from benchmarks.measure import Bar, Effort, Row, check, installed, race, rate, seconds
from benchmarks.memory import mebibytes, peak_of
from benchmarks.numpy_simulator import NumpyGames

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from analyzer import ScorecardRules

LIMITS = {1_000_000: 3.0, 10_000_000: 10.0}
"""Seconds allowed for so many games of Dice Poker."""
MEMORY_LIMIT = 2 << 30
SIGMAS = 6.0
PEER = "yatzy-solver"


def check_mean(rules: ScorecardRules, mean: float, games: int) -> None:
    """Stop unless a mean score is the exact one within chance."""
    exact = analyzer.solve(rules)
    tolerance = SIGMAS * exact.standard_deviation / games**0.5
    check(f"mean score of {rules.title}", exact.expected_score, mean, tolerance)


def rows(effort: Effort) -> Iterator[Row]:
    """Play Dice Poker against the clock and against NumPy, then Yahtzee against yatzy-solver."""
    yield from _dice_poker(effort)
    yield from _yahtzee(effort)


def _dice_poker(effort: Effort) -> Iterator[Row]:
    rules = analyzer.game("dice-poker")
    check_mean(rules, analyzer.simulate(rules, games=100_000).mean, 100_000)
    policy = bind_policy(rules, "optimal")
    assert isinstance(policy, Optimal)
    peer, peer_games, fewest = NumpyGames(policy, 1), effort.pick(100_000, 20_000), float("inf")
    for games, limit in list(LIMITS.items())[: effort.pick(2, 1)]:
        best = float("inf")
        for _ in range(effort.pick(3, 1)):
            best = min(best, race({"": lambda games=games: analyzer.simulate(rules, games=games)}, 1)[""])
            peer.play(peer_games)
            fewest = min(fewest, peer.seconds)
        check_mean(rules, float(peer.scores.mean()), peer_games)
        memory = peak_of("games", str(games))
        yield Row(
            job=f"{games // 1_000_000} million optimal games of Dice Poker, solution at hand",
            analyzer=f"{seconds(best)} ({rate(games / best, 'games')}), {mebibytes(memory)}",
            peer=f"NumPy, decision tables at hand: {rate(peer_games / fewest, 'games')}",
            ratio=games / best * fewest / peer_games,
            bars=(Bar(f"≤ {limit:.0f} s", best <= limit), Bar("< 2 GiB", memory < MEMORY_LIMIT)),
        )


def _yahtzee(effort: Effort) -> Iterator[Row]:
    rules = analyzer.game("yahtzee")
    games = effort.pick(1_000_000, 200_000)
    peer_games = effort.pick(200_000, 20_000)
    check_mean(rules, analyzer.simulate(rules, games=100_000).mean, 100_000)
    runs: dict[str, Callable[[], Any]] = {"analyzer": lambda: analyzer.simulate(rules, games=games)}
    if installed("yatzy_solver"):
        import yatzy_solver

        solver = yatzy_solver.Solver.build(yatzy_solver.Variant("american+forced-joker"))
        check_mean(rules, solver.simulate(peer_games, seed=1)["mean"], peer_games)
        runs[PEER] = lambda: solver.simulate(peer_games, seed=1)
    best = race(runs, effort.pick(3, 1))
    here = games / best["analyzer"]
    there = peer_games / best[PEER] if PEER in best else None
    yield Row(
        job="Optimal games of Yahtzee, solution at hand",
        analyzer=rate(here, "games"),
        peer=f"{PEER}: {rate(there, 'games')}" if there else f"{PEER} is not installed",
        ratio=here / there if there else None,
    )
