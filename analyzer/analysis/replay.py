"""One game of a simulation, written down as people write down theirs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from analyzer.analysis.arguments import check_rules, whole
from analyzer.analysis.binding import bind_policy
from analyzer.dice.replay import record_game as record_of
from analyzer.engine.executors import worker_count

if TYPE_CHECKING:
    from collections.abc import Callable

    from analyzer.dice.record import GameRecord
    from analyzer.dice.scorecard import ScorecardRules

_MOST = 2**64 - 1


def record_game(
    rules: ScorecardRules,
    *,
    policy: str | Callable[..., Any] = "greedy",
    seed: int = 0,
    index: int = 0,
    workers: int | None = None,
    progress: bool = False,
    cache: bool = True,
) -> GameRecord:
    """Write down one game that `simulate` plays, every throw and every decision of it.

    Parameters
    ----------
    rules : ScorecardRules
    policy : str or callable
        As for `simulate`.
    seed : int
        Seed of the simulation.
    index : int
        Number of the game, from 0.
    workers, progress, cache
        For the solution that a policy may need, as for `simulate`.

    Returns
    -------
    GameRecord
        What `grade` takes; `GameRecord.to_json` is its text.

    Examples
    --------
    >>> import analyzer
    >>> game = analyzer.game("yahtzee")
    >>> analyzer.record_game(game, seed=3).score == analyzer.simulate(game, policy="greedy", games=1, seed=3).mean
    True
    """
    check_rules(rules)
    worker_count(workers)
    seed, index = whole("seed", seed, 0, _MOST), whole("index", index, 0, _MOST)
    return record_of(bind_policy(rules, policy, workers=workers, progress=progress, cache=cache), seed, index)
