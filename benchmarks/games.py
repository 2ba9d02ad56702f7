"""Whole games by the optimal policy, with the solution at hand, beside yatzy-solver and the NumPy simulator."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import analyzer
from analyzer.analysis.binding import bind_policy
from analyzer.dice.policies import Optimal
from benchmarks.measure import Bar, Effort, Row, check, installed, race, rate, seconds
from benchmarks.memory import mebibytes, peak_of
from benchmarks.numpy_simulator import NumpyGames
from benchmarks.solving import peer_solver

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from analyzer import ScorecardRules

NOTE = (
    "Games: solutions are at hand on both sides. The analyzer makes its decision tables while it plays; the NumPy"
    " simulator gets them from the analyzer and is not charged for them."
)
LIMITS = {1_000_000: 3.0, 10_000_000: 10.0}
"""Seconds allowed for so many games of Dice Poker."""
MEMORY_LIMIT = 2 << 30
SIGMAS = 6.0
PEER = "yatzy-solver"
PEER_VARIANT = "american+forced-joker"


def rows(effort: Effort) -> Iterator[Row]:
    """Play Dice Poker against the clock and against NumPy, then Yahtzee against yatzy-solver."""
    yield from _dice_poker(effort)
    yield _yahtzee(effort)


def check_mean(rules: ScorecardRules, mean: float, standard_error: float) -> None:
    """Stop unless a mean score is the exact one within chance."""
    check(f"mean score of {rules.title}", analyzer.solve(rules).expected_score, mean, SIGMAS * standard_error)


def _dice_poker(effort: Effort) -> Iterator[Row]:
    rules = analyzer.game("dice-poker")
    analyzer.simulate(rules, games=1_000)
    policy = bind_policy(rules, "optimal")
    assert isinstance(policy, Optimal)
    peer, peer_games = NumpyGames(policy, seed=1), effort.pick(100_000, 20_000)
    for games, limit in list(LIMITS.items())[: effort.pick(2, 1)]:
        best = peer_best = float("inf")
        for _ in range(effort.pick(3, 1)):
            timed = race({"analyzer": lambda games=games: analyzer.simulate(rules, games=games)}, 1)["analyzer"]
            check_mean(rules, timed.result.mean, timed.result.standard_error)
            best = min(best, timed.seconds)
            peer.play(peer_games)
            check_mean(rules, float(peer.scores.mean()), float(peer.scores.std()) / peer_games**0.5)
            peer_best = min(peer_best, peer.seconds)
        memory = peak_of("games", str(games))
        yield Row(
            job=f"{games // 1_000_000} million optimal games of Dice Poker",
            analyzer=f"{seconds(best)} ({rate(games / best, 'games')}), {mebibytes(memory)}",
            peer=f"NumPy: {rate(peer_games / peer_best, 'games')}",
            ratio=games / best * peer_best / peer_games,
            bars=(Bar(f"≤ {limit:.0f} s", best <= limit), Bar("< 2 GiB", memory < MEMORY_LIMIT)),
        )


def _yahtzee(effort: Effort) -> Row:
    rules = analyzer.game("yahtzee")
    games, peer_games = effort.pick(1_000_000, 200_000), effort.pick(50_000, 5_000)
    analyzer.simulate(rules, games=1_000)
    runs: dict[str, Callable[[], Any]] = {"analyzer": lambda: analyzer.simulate(rules, games=games)}
    if installed("yatzy_solver"):
        solver = peer_solver(PEER_VARIANT)
        runs[PEER] = lambda: solver.simulate(peer_games, seed=1)
    timed = race(runs, effort.pick(3, 1))
    check_mean(rules, timed["analyzer"].result.mean, timed["analyzer"].result.standard_error)
    here = games / timed["analyzer"].seconds
    job, figure = "Optimal games of Yahtzee", rate(here, "games")
    if PEER not in timed:
        return Row(job=job, analyzer=figure, peer=f"{PEER} is not installed")
    check_mean(rules, timed[PEER].result["mean"], timed[PEER].result["std_error"])
    there = peer_games / timed[PEER].seconds
    return Row(job=job, analyzer=figure, peer=f"{PEER}: {rate(there, 'games')}", ratio=here / there)
