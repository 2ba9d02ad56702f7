"""Monte Carlo answers: independent turns from one scorecard, and whole games."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from analyzer.analysis.arguments import level, whole
from analyzer.analysis.binding import bind_policy
from analyzer.analysis.card_games import card_verb, refuse
from analyzer.analysis.families import default_policy
from analyzer.analysis.frames import line_frame, round_frame, score_frame, win_frame, win_round_frame
from analyzer.analysis.position import Position
from analyzer.analysis.result import QUANTILES, PolicyResult, Sampled, line_records, records
from analyzer.dice.simulator import GAME_BLOCK, TURN_BLOCK, game_block, turn_block
from analyzer.engine.blocks import plan
from analyzer.engine.executors import run_blocks, worker_count
from analyzer.engine.provenance import Provenance
from analyzer.errors import UsageError
from analyzer.games.card_rules import CardRules
from analyzer.stats.estimates import Estimate, mean_estimate, proportion_estimate, quantiles

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from numpy.typing import NDArray

    from analyzer.dice.policies import Policy
    from analyzer.dice.scorecard import ScorecardRules
    from analyzer.dice.states import StateSpace
    from analyzer.engine.tallies import Tally


GAMES = 100_000
"""Games simulated if no number is given."""


@dataclass(frozen=True, eq=False, repr=False)
class SimulationResult(PolicyResult, Sampled):
    """What both kinds of simulation have in common: a score, its interval and its distribution."""

    rules: ScorecardRules
    position: Position
    tally: Tally = field(repr=False)
    provenance: Provenance = field(repr=False)
    confidence: float
    bound: Policy = field(repr=False)

    exact = False
    unit = "games"

    @property
    def estimate(self) -> Estimate:
        """Mean score with its interval."""
        frame = self.distribution()
        return mean_estimate(frame["score"].to_numpy(), frame["count"].to_numpy(), self.confidence)

    @property
    def mean(self) -> float:
        """Mean score."""
        return self.estimate.value

    @property
    def standard_error(self) -> float:
        """Standard error of the mean score."""
        return self.estimate.standard_error

    @property
    def interval(self) -> tuple[float, float]:
        """Confidence interval of the mean score."""
        found = self.estimate
        return found.lower, found.upper

    @property
    def standard_deviation(self) -> float:
        """Standard deviation of the score."""
        found = self.estimate
        return float(found.standard_error * float(found.n) ** 0.5)

    def quantiles(self, q: Iterable[float] = QUANTILES) -> pd.DataFrame:
        """Smallest scores that are not exceeded in at least the given shares: quantile, score."""
        shares = list(q)
        frame = self.distribution()
        scores = quantiles(frame["score"].to_numpy(), frame["count"].to_numpy(), shares)
        return pd.DataFrame({"quantile": shares, "score": scores})

    def distribution(self) -> pd.DataFrame:
        """Distribution of the score: score, probability, at_least, count."""
        raise NotImplementedError

    def to_dict(self) -> dict[str, Any]:
        """Plain values, fit for JSON; what ``analyzer simulate --json`` prints."""
        found = self.estimate
        return {
            "game": self.rules.name,
            "rules_id": self.rules.id,
            "policy": self.policy,
            "card": dict(self.position.card),
            "extra_points": self.position.extra_points,
            "exact": False,
            self.unit: int(found.n),
            "seed": self.seed,
            "task_id": self.task_id,
            "mean": found.value,
            "standard_error": _finite(found.standard_error),
            "interval": [_finite(found.lower), _finite(found.upper)],
            "confidence": self.confidence,
            "standard_deviation": _finite(self.standard_deviation),
            "quantiles": self.quantiles().to_dict("records"),
            "lines": line_records(self.lines()),
            "provenance": self.provenance.to_dict(),
        }

    def __str__(self) -> str:
        what = "score" if self.unit == "games" else "points of a turn"
        return f"{self.heading}: mean {what} {self.estimate}, seed {self.seed}"


class GamesResult(SimulationResult):
    """Simulated whole games. Made by `simulate`."""

    @property
    def games(self) -> int:
        """Number of games."""
        return int(self.tally["scores"].sum())

    def distribution(self) -> pd.DataFrame:
        """Distribution of the final score: score, probability, at_least, count."""
        return score_frame(self.tally["scores"], self.position.score, self.games)

    def lines(self) -> pd.DataFrame:
        """What every line and bonus contributes; see `analyzer.analysis.frames.line_frame`."""
        bonus = int(self.tally["upper_bonus"])
        space = self.bound.space
        return line_frame(space, self.position, self.tally["entries"], bonus, self.games, self.confidence)

    def line_rounds(self) -> pd.DataFrame:
        """When every line is filled; see `analyzer.analysis.frames.round_frame`."""
        return round_frame(self.bound.space, self.position, self.tally["entries"], self.games)

    def wins(self) -> pd.DataFrame:
        """How often games end in an instant win; see `analyzer.analysis.frames.win_frame`."""
        return win_frame(self.bound.space, self.position, self._wins, self.games, self.confidence)

    def win_rounds(self) -> pd.DataFrame:
        """When games end in an instant win; see `analyzer.analysis.frames.win_round_frame`."""
        return win_round_frame(self.bound.space, self.position, self._wins, self.games)

    @property
    def _wins(self) -> NDArray[np.int64]:
        """Games by instant win and turn."""
        return self.tally["wins"] if self.rules.instant_wins else np.zeros((0, 0), dtype=np.int64)

    def to_dict(self) -> dict[str, Any]:
        """See `SimulationResult`; in games with instant wins also ``wins``."""
        found = super().to_dict()
        return found | {"wins": records(self.wins())} if self.rules.instant_wins else found


class TurnsResult(SimulationResult):
    """Simulated turns from one scorecard. Made by `simulate` with ``turns=``."""

    unit = "turns"

    @property
    def turns(self) -> int:
        """Number of turns."""
        return int(self.tally["entries"].sum())

    def distribution(self) -> pd.DataFrame:
        """Distribution of the turn's points, extra-five bonus included: score, probability, at_least, count."""
        points = self.bound.space.tables.entry_points.astype(np.int64)
        counts = np.bincount(points, weights=self.tally["entries"]).astype(np.int64)
        return score_frame(counts, 0, self.turns)

    def lines(self) -> pd.DataFrame:
        """What a turn brings, line by line.

        Returns
        -------
        pandas.DataFrame
            One row for each open line: line, label, section; rate (share of turns entered there) with rate_lower,
            rate_upper; mean (of the points of such turns) with standard_error, lower, upper; zero_rate (share of zeros
            among them); available_mean (of what the final dice of all turns would score there).
        """
        space, rules = self.bound.space, self.rules
        entries, rolls = self.tally["entries"], self.tally["rolls"]
        points = space.tables.entry_points.astype(np.int64)
        available = _available(space)
        rows = []
        for name in self.position.open_lines:
            index = rules.line_index(name)
            mine = space.tables.entry_line == index
            chosen = int(entries[mine].sum())
            rate = proportion_estimate(chosen, self.turns, self.confidence)
            mean = mean_estimate(points[mine], entries[mine], self.confidence) if chosen else None
            zeros = int(entries[mine & (space.written == 0)].sum())
            rows.append(
                {
                    "line": name,
                    "label": rules.lines[index].label,
                    "section": rules.lines[index].section,
                    "rate": rate.value,
                    "rate_lower": rate.lower,
                    "rate_upper": rate.upper,
                    "mean": mean.value if mean else np.nan,
                    "standard_error": mean.standard_error if mean else np.nan,
                    "lower": mean.lower if mean else np.nan,
                    "upper": mean.upper if mean else np.nan,
                    "zero_rate": zeros / chosen if chosen else np.nan,
                    "available_mean": float(available[:, index] @ rolls / self.turns),
                }
            )
        return pd.DataFrame(rows)


def _available(space: StateSpace) -> NDArray[np.int64]:
    """Points that every way to end a turn would score in every line, (ends, lines): the best of its options."""
    by_row = space.written[space.tables.natural]
    if not space.endings.options:
        return np.asarray(by_row)
    best = [by_row[[option.row for option in options]].max(axis=0) for options in space.endings.options]
    return np.array(best)


def _finite(value: float) -> float | None:
    """None for what one game alone does not tell."""
    return value if math.isfinite(value) else None


def simulate(
    rules: ScorecardRules | CardRules,
    *,
    policy: str | Callable[..., Any] = "",
    games: int | None = None,
    turns: int | None = None,
    seed: int = 0,
    card: Mapping[str, int] | None = None,
    extra_points: int = 0,
    confidence: float = 0.95,
    workers: int | None = None,
    progress: bool = False,
    cache: bool = True,
) -> Any:
    """Simulate whole games, or single turns from one scorecard, or hands or matches of a card game, under a policy.

    Parameters
    ----------
    rules : ScorecardRules or CardRules
        The game, from `analyzer.game`.
    policy : str or callable
        A built-in policy with its parameters, ``path.py:function``, or a function (see `analyzer.dice.own_policy`);
        by default `optimal`, in card games `rules`.
    games : int, optional
        Number of games, in Euchre of hands, in President of matches; 100,000, of hands a million, if neither is given.
    turns : int, optional
        Number of turns, instead of games.
    seed : int
        From 0 to 2**64 - 1. The same task gives the same result, bit for bit, with any number of workers; policies and
        variants with the same seed meet the same dice.
    card : mapping of str to int, optional
        Points by filled line where games or turns start.
    extra_points : int
        Extra-five points earned so far.
    confidence : float
        Level of intervals.
    workers : int, optional
        Threads; by default one per processor.
    progress : bool
        Show a bar on a terminal.
    cache : bool
        Keep the solution that `optimal` needs on disk.

    Returns
    -------
    GamesResult or TurnsResult
        In card games their own results, such as `analyzer.analysis.euchre.hands.HandsResult`.

    Raises
    ------
    UsageError, PositionError, PolicyError, RulesError
        Arguments that do not fit the game; one line says which.

    Examples
    --------
    >>> import analyzer
    >>> result = analyzer.simulate(analyzer.game("yahtzee"), policy="greedy", games=10_000, seed=7)
    >>> result.games, result.seed
    (10000, 7)
    """
    if isinstance(rules, CardRules):
        refuse(rules, {"turns": turns, "card": card, "extra points": extra_points})
        run = {"confidence": confidence, "workers": workers, "progress": progress, "cache": cache}
        return card_verb(rules, "simulate")(rules, policy or default_policy(rules), games=games, seed=seed, **run)
    if games is not None and turns is not None:
        raise UsageError(f"games = {games} and turns = {turns} are both given; give one of them")
    wanted = turns if turns is not None else GAMES if games is None else games
    number = whole("games" if turns is None else "turns", wanted, 1, 10**12)
    seed = whole("seed", seed, 0, 2**64 - 1)
    confidence = level(confidence)
    position = Position(rules, {} if card is None else card, extra_points)
    worker_count(workers)  # also where an answer on disk needs none
    bound = bind_policy(rules, policy or default_policy(rules), workers=workers, progress=progress, cache=cache)
    column = position.column(bound.space)
    unit, size = ("turns", TURN_BLOCK) if turns is not None else ("games", GAME_BLOCK)
    label = f"{bound.text}: {unit}"
    job = f"{unit} from {position.text}" if position.card else unit
    if position.extra_points:
        job += f" and {position.extra_points} extra points"
    provenance = Provenance(rules_id=rules.id, policy=bound.text, job=job, seed=seed, block_size=size)
    if turns is not None:
        tables = bound.tables(np.array([column]))
        tally = run_blocks(
            plan(number, size),
            lambda block: turn_block(bound.space, tables, seed, block),
            workers=workers,
            progress=progress,
            label=label,
        )
        return TurnsResult(rules, position, tally, provenance, confidence, bound)
    tally = run_blocks(
        plan(number, size),
        lambda block: game_block(bound, column, seed, block, workers=workers),
        workers=1,
        progress=progress,
        label=label,
    )
    return GamesResult(rules, position, tally, provenance, confidence, bound)
