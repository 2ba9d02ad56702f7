"""Matches of several players, each with a policy of its own: who wins, by how much, and how."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from analyzer.analysis.arguments import check_rules, level, whole
from analyzer.analysis.card_games import card_verb, refuse
from analyzer.analysis.result import Sampled, numbered, records
from analyzer.analysis.seating import MATCH_FAMILIES, MOST_PLAYERS, can_match, seat_players, split_players
from analyzer.dice.match import match_block, most_paid
from analyzer.dice.match_sheets import SeparateSheets
from analyzer.dice.settlement import scale_of
from analyzer.engine.blocks import plan
from analyzer.engine.executors import run_blocks
from analyzer.engine.provenance import Provenance
from analyzer.games.card_rules import CardRules
from analyzer.stats.estimates import mean_estimate, share_estimate

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from analyzer.dice.scorecard import ScorecardRules
    from analyzer.engine.tallies import Tally

__all__ = ["MATCHES", "MATCH_FAMILIES", "MOST_PLAYERS", "MatchResult", "can_match", "match"]

MATCHES = 20_000
"""Matches played if no number is given."""


@dataclass(frozen=True, eq=False, repr=False)
class MatchResult(Sampled):
    """Matches of several players. Made by `match`.

    Attributes
    ----------
    rules : ScorecardRules
    players : tuple of str
        Policies; in match i the player in seat s is ``(s + i) % len(players)``.
    pairs : bool
        Whether every player is a pair of partners.
    """

    rules: ScorecardRules
    players: tuple[str, ...]
    pairs: bool
    tally: Tally = field(repr=False)
    provenance: Provenance = field(repr=False)
    confidence: float

    @property
    def matches(self) -> int:
        """Number of matches."""
        return int(self.tally["payoff"][0].sum())

    @property
    def title(self) -> str:
        """The game."""
        return self.rules.title

    @property
    def names(self) -> list[str]:
        """Players, told apart by number where two play the same policy."""
        return numbered(self.players)

    @property
    def _scaled(self) -> NDArray[np.int64]:
        """Payoffs times `scale_of`, in the order of the tally."""
        most = (self.tally["payoff"].shape[2] - 1) // 2
        return np.arange(-most, most + 1)

    def payoffs(self) -> pd.DataFrame:
        """What every player receives in a match.

        Returns
        -------
        pandas.DataFrame
            One row for each player: player, payoff (mean of the settlement, at the stake; for games that the highest
            total wins the share of the win) with standard_error, lower, upper; win_rate (ties shared) with win_lower,
            win_upper; mean_points (all columns together); with several columns also won_1, won_2, ... (rates at which
            the player wins a column alone) and sweep_rate.
        """
        return pd.DataFrame([self._row(player, slice(None)) for player in range(len(self.players))])

    def seats(self) -> pd.DataFrame:
        """As `payoffs`, for every player in every seat; seat 1 throws first."""
        count = range(len(self.players))
        return pd.DataFrame([{"seat": seat + 1, **self._row(player, seat)} for player in count for seat in count])

    def distribution(self) -> pd.DataFrame:
        """How often every player receives what: player, payoff, probability, count."""
        rows = []
        for name, counts in zip(self.names, self.tally["payoff"].sum(axis=1), strict=True):
            for place in np.flatnonzero(counts):
                share = float(counts[place]) / self.matches
                payoff = float(self._scaled[place]) * self.rules.settlement.stake / scale_of(len(self.players))
                row = {"player": name, "payoff": payoff, "probability": share}
                rows.append(row | {"count": int(counts[place])})
        return pd.DataFrame(rows)

    def endings(self) -> pd.DataFrame:
        """How matches end.

        Returns
        -------
        pandas.DataFrame
            One row for each player and way to win at once: player, win, label, rate (share of all matches that the
            player wins so), mean_round. Other matches go to the full sheet.
        """
        rows = []
        rounds = np.arange(self.tally["endings"].shape[2]) + 1
        for name, by_win in zip(self.names, self.tally["endings"], strict=True):
            for win, counts in zip(self.rules.instant_wins, by_win, strict=True):
                total = int(counts.sum())
                mean_round = float(counts @ rounds) / total if total else np.nan
                row = {"player": name, "win": win.name, "label": win.title, "rate": total / self.matches}
                rows.append(row | {"mean_round": mean_round})
        return pd.DataFrame(rows, columns=["player", "win", "label", "rate", "mean_round"])

    def main_table(self) -> pd.DataFrame:
        """See `Shown`."""
        return self.payoffs()

    def _row(self, player: int, seat: int | slice) -> dict[str, Any]:
        def over_seats(name: str) -> NDArray[np.int64]:
            part = self.tally[name][player, seat]
            return part.sum(axis=0) if isinstance(seat, slice) else part

        counts, shares = over_seats("payoff"), over_seats("share")
        games = int(counts.sum())
        row: dict[str, Any] = {"player": self.names[player]}
        if games == 0:
            return row
        unit = self.rules.settlement.stake / scale_of(len(self.players))
        paid = mean_estimate(self._scaled, counts, self.confidence)
        wins = share_estimate(shares, self.confidence)
        row |= {
            "payoff": paid.value * unit,
            "standard_error": paid.standard_error * unit,
            "lower": paid.lower * unit,
            "upper": paid.upper * unit,
            "win_rate": wins.value,
            "win_lower": wins.lower,
            "win_upper": wins.upper,
            "mean_points": int(over_seats("points")[0]) / games,
        }
        if self.rules.settlement.columns > 1:
            won = over_seats("won")
            row |= {f"won_{k + 1}": int(won[k]) / games for k in range(len(won))}
            row["sweep_rate"] = int(over_seats("swept")) / games
        return row

    def to_dict(self) -> dict[str, Any]:
        """Plain values, fit for JSON; what ``analyzer match --json`` prints."""
        return {
            "game": self.rules.name,
            "rules_id": self.rules.id,
            "players": list(self.players),
            "pairs": self.pairs,
            "matches": self.matches,
            "seed": self.seed,
            "task_id": self.task_id,
            "confidence": self.confidence,
            "payoffs": records(self.payoffs()),
            "seats": records(self.seats()),
            "endings": records(self.endings()),
            "provenance": self.provenance.to_dict(),
        }

    def __str__(self) -> str:
        what = f"{self.title}: {self.matches:,} matches of {' against '.join(self.names)}"
        return what + (" (pairs)" if self.pairs else "") + f", seed {self.seed}"


def match(
    rules: ScorecardRules | CardRules,
    players: Sequence[str | Callable[..., Any]],
    *,
    games: int = MATCHES,
    seed: int = 0,
    pairs: bool = False,
    confidence: float = 0.95,
    workers: int | None = None,
    progress: bool = False,
    cache: bool = True,
) -> Any:
    """Play matches of several players, who change seats from match to match.

    Parameters
    ----------
    rules : ScorecardRules or CardRules
        The game, with its settlement.
    players : sequence of str or callable
        The policy of each, see `MATCH_FAMILIES`; 2 to 8. Names may also be one text, separated by commas. In Euchre
        one for each side, in President as many as there are players or fewer that can be shared out.
    games : int
        Number of matches.
    seed : int
        From 0 to 2**64 - 1. The same task gives the same result, bit for bit, with any number of workers; a seat meets
        the same dice whoever sits there.
    pairs : bool
        Every player is a pair of partners: both throw, and one of their results is entered.
    confidence : float
        Level of intervals.
    workers : int, optional
        Threads; by default one per processor.
    progress : bool
        Show a bar on a terminal.
    cache : bool
        Keep the solutions and value functions that policies need on disk.

    Returns
    -------
    MatchResult
        In card games their own results, such as `analyzer.analysis.euchre.matches.EuchreMatches`.

    Raises
    ------
    UsageError, PolicyError
        Arguments that do not fit the game; one line says which.

    Examples
    --------
    >>> import analyzer
    >>> result = analyzer.match(analyzer.game("cacho-alalay"), ["points", "greedy"], games=1000, seed=7)
    >>> result.matches, list(result.payoffs()["player"])
    (1000, ['points', 'greedy'])
    """
    if isinstance(rules, CardRules):
        refuse(rules, {"pairs": pairs})
        seats = split_players(players) if isinstance(players, str) else players
        run = {"confidence": confidence, "workers": workers, "progress": progress, "cache": cache}
        return card_verb(rules, "match")(rules, seats, games=games, seed=seed, **run)
    check_rules(rules)
    number, seed = whole("games", games, 1, 10**12), whole("seed", seed, 0, 2**64 - 1)
    confidence = level(confidence)
    names, table = seat_players(rules, players, pairs=pairs, workers=workers, progress=progress, cache=cache)
    job = f"matches{' of pairs' if pairs else ''}"
    provenance = Provenance(
        rules_id=rules.id, policy=" against ".join(names), job=job, seed=seed, block_size=table.block_size
    )
    tally = run_blocks(
        plan(number, table.block_size),
        lambda block: match_block(table, seed, block),
        workers=1 if isinstance(table, SeparateSheets) else workers,
        progress=progress,
        label=f"{rules.title}: matches",
    )
    assert tally["payoff"].shape[2] == 2 * most_paid(table) + 1
    return MatchResult(rules, tuple(names), pairs, tally, provenance, confidence)
