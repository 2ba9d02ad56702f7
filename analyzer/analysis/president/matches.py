"""Matches of President: the same cards once for each way in which the policies move on by seats."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from analyzer.analysis.arguments import level, whole
from analyzer.analysis.president.policies import bind_all
from analyzer.analysis.result import Sampled, numbered, records
from analyzer.engine.blocks import Block, plan
from analyzer.engine.executors import run_blocks
from analyzer.engine.provenance import Provenance
from analyzer.engine.tallies import Tally
from analyzer.errors import UsageError
from analyzer.fields import counted
from analyzer.games.president.play import play_matches
from analyzer.games.president.round_log import CAME
from analyzer.stats.estimates import mean_estimate_from_sums, share_estimate

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from analyzer.games.president.play import Table
    from analyzer.games.president.rules import President

BLOCK = 1 << 8
"""Deals in a block, each a group of matches, where nobody is asked outside of kernels."""
ASKED_BLOCK = 1
SHARES = 840
"""What a match is worth to its winner, so that up to eight who tie get whole numbers."""


@dataclass(frozen=True, eq=False, repr=False)
class PresidentMatches(Sampled):
    """Matches of President. Made by `analyzer.match`.

    Attributes
    ----------
    rules : President
    players : tuple of str
        Policies; they sit in turn. Matches come in groups with the same cards, in which everybody moves on by a seat
        until each policy has sat everywhere: a *deal* stands for such a group.
    confidence : float
        Of intervals. They hold for deals, which are independent of one another.
    """

    rules: President
    players: tuple[str, ...]
    tally: Tally = field(repr=False)
    provenance: Provenance = field(repr=False)
    confidence: float

    @property
    def deals(self) -> int:
        """Number of groups of matches with the same cards."""
        return int(self.tally["deals"])

    @property
    def matches(self) -> int:
        """Number of matches."""
        return self.deals * len(self.players)

    @property
    def title(self) -> str:
        """The game."""
        return self.rules.title

    @property
    def names(self) -> list[str]:
        """Players, told apart by number where two play the same policy."""
        return numbered(self.players)

    def payoffs(self) -> pd.DataFrame:
        """What each player comes to.

        Returns
        -------
        pandas.DataFrame
            player, points (mean of a match, for each seat that plays so) with standard_error, lower, upper; win_rate
            (of matches, ties shared, for each seat) with win_lower, win_upper; president and scum (shares of rounds).
        """
        rows = []
        seats = self.rules.players // len(self.players)
        rounds = self.matches * self.rules.rounds * seats
        for player, name in enumerate(self.names):
            total, squares = int(self.tally["points"][player]), int(self.tally["products"][player, player])
            points = mean_estimate_from_sums(self.deals, total, squares, self.confidence).times(1 / self.rules.players)
            wins = share_estimate(self.tally["wins"][player], self.confidence).times(1 / seats)
            first, last = (int(self.tally["places"][player, place]) / rounds for place in (0, -1))
            rows.append(
                {
                    "player": name,
                    "points": points.value,
                    "standard_error": points.standard_error,
                    "lower": points.lower,
                    "upper": points.upper,
                    "win_rate": wins.value,
                    "win_lower": wins.lower,
                    "win_upper": wins.upper,
                    "president": first,
                    "scum": last,
                }
            )
        return pd.DataFrame(rows)

    def differences(self) -> pd.DataFrame:
        """By how many points a match one player is ahead of another, with the same cards.

        Returns
        -------
        pandas.DataFrame
            player, other, points (mean difference of a match, for each seat) with standard_error, lower, upper.
        """
        rows = []
        for i, j in combinations(range(len(self.players)), 2):
            sums, products = self.tally["points"], self.tally["products"]
            squares = int(products[i, i]) + int(products[j, j]) - 2 * int(products[i, j])
            total = int(sums[i]) - int(sums[j])
            found = mean_estimate_from_sums(self.deals, total, squares, self.confidence).times(1 / self.rules.players)
            rows.append(
                {
                    "player": self.names[i],
                    "other": self.names[j],
                    "points": found.value,
                    "standard_error": found.standard_error,
                    "lower": found.lower,
                    "upper": found.upper,
                }
            )
        return pd.DataFrame(rows)

    def places(self) -> pd.DataFrame:
        """How often each player comes to each place: player, then the share of each place in its rounds."""
        shares = self.tally["places"] / self.tally["places"].sum(axis=1, keepdims=True)
        rows = [
            {"player": name} | {f"place_{place + 1}": float(share) for place, share in enumerate(row)}
            for name, row in zip(self.names, shares, strict=True)
        ]
        return pd.DataFrame(rows)

    def main_table(self) -> pd.DataFrame:
        """See `Shown`."""
        return self.payoffs()

    def tables(self) -> dict[str, pd.DataFrame]:
        """All tables by name, as they are saved."""
        return {"payoffs": self.payoffs(), "differences": self.differences(), "places": self.places()}

    def printed(self) -> dict[str, pd.DataFrame]:
        """The tables that the command prints, by title."""
        error = ["standard_error"]
        about = f"a match, for each seat, intervals at {self.confidence:.11g}"
        return {
            f"Points of {about}": self.payoffs().drop(columns=error),
            f"Differences of points of {about}": self.differences().drop(columns=error),
            "Places": self.places(),
        }

    def to_dict(self) -> dict[str, Any]:
        """Plain values, fit for JSON; what ``analyzer match president --json`` prints."""
        return {
            "game": self.rules.name,
            "rules_id": self.rules.id,
            "players": list(self.players),
            "deals": self.deals,
            "matches": self.matches,
            "seed": self.seed,
            "task_id": self.task_id,
            "confidence": self.confidence,
            **{name: records(table) for name, table in self.tables().items()},
            "provenance": self.provenance.to_dict(),
        }

    def __str__(self) -> str:
        return (
            f"{self.title}: {self.matches:,} matches of {' against '.join(self.players)}, each deal played"
            f" {len(self.players)} times (all move on by a seat), {counted(self.rules.rounds, 'round')} each,"
            f" seed {self.seed}"
        )


def match_president(
    rules: President,
    players: Sequence[str | Callable[..., Any]],
    *,
    games: int = 20_000,
    seed: int = 0,
    confidence: float = 0.95,
    workers: int | None = None,
    progress: bool = False,
    cache: bool = True,  # noqa: ARG001  every game is asked alike; nothing of this one is kept
) -> PresidentMatches:
    """Play matches; every deal is played once for each of the policies, which move on by a seat.

    Parameters
    ----------
    rules : President
    players : sequence of str or callable
        Policies that sit in turn: as many as there are players, or fewer that can be shared out, such as two for four
        players. They move on together, so that each keeps its neighbours: of several it also matters who sits before
        whom.
    games : int
        Matches; rounded up to whole groups with the same cards.
    seed, confidence, workers, progress, cache
        As for `analyzer.match`.

    Returns
    -------
    PresidentMatches

    Raises
    ------
    UsageError, PolicyError
        Arguments that do not fit; one line says which.

    Examples
    --------
    >>> from analyzer.games.president.rules import President
    >>> result = match_president(President(), ["random", "random"], games=20, seed=7)
    >>> result.payoffs()["points"].tolist(), result.rules.rounds * 1.5
    ([7.5, 7.5], 7.5)
    """
    number, seed = whole("games", games, 1, 10**12), whole("seed", seed, 0, 2**64 - 1)
    confidence = level(confidence)
    names, table = bind_players(rules, players)
    size = BLOCK if table.in_kernels else ASKED_BLOCK
    provenance = Provenance(
        rules_id=rules.id, policy=" against ".join(names), job="matches that move on", seed=seed, block_size=size
    )
    tally = run_blocks(
        plan(-(-number // len(names)), size),
        lambda block: deals_block(table, seed, block),
        workers=workers,
        progress=progress,
        label=f"{rules.title}: deals",
    )
    return PresidentMatches(rules, names, tally, provenance, confidence)


def bind_players(rules: President, players: Sequence[str | Callable[..., Any]]) -> tuple[tuple[str, ...], Table]:
    """Names of some policies and their table; see `analyzer.analysis.president.policies.bind_all`.

    Raises
    ------
    UsageError
        If there is one, or they cannot be shared out.
    """
    if len(players) < 2:
        raise UsageError(f"players {', '.join(map(str, players)) or '(nobody)'} are too few; give two or more policies")
    bound, table = bind_all(rules, players)
    return tuple(one.text for one in bound), table


def points_of(table: Table, seed: int, block: Block) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Play the groups of matches with the same cards in a block of their numbers.

    Returns
    -------
    points, shares : (deals, policies) int64 arrays
        Points of all seats and matches of a policy together, and what it has of the matches in parts of `SHARES`.
    places : (deals, policies, players) int64 array
        How many rounds it came to each place.
    """
    k, n = len(table.asked), table.rules.players
    rows = play_matches(table, seed, Block(block.index, k * block.start, k * block.stop), k)
    came = rows.seats[..., CAME]
    by_seat = (n - came).sum(axis=1)
    best = by_seat == by_seat.max(axis=1, keepdims=True)
    won = best * (SHARES // best.sum(axis=1, keepdims=True))
    shift = np.arange(k * block.start, k * block.stop)[:, None] % k
    policy = (np.arange(n) + shift) % k
    points, shares = np.zeros((block.size, k), np.int64), np.zeros((block.size, k), np.int64)
    places = np.zeros((block.size, k, n), np.int64)
    deal = np.arange(k * block.size)[:, None] // k
    np.add.at(points, (deal, policy), by_seat)
    np.add.at(shares, (deal, policy), won)
    np.add.at(places, (deal[:, None], policy[:, None, :], came - 1), 1)
    return points, shares, places


def deals_block(table: Table, seed: int, block: Block) -> Tally:
    """Play a block of deals and add up what came of them.

    Returns
    -------
    Tally
        Sums over deals by policy: ``points``, their ``products`` with those of all policies, and ``places``; and how
        often a policy had so many of the ``wins`` of a deal, in parts of `SHARES`.
    """
    points, shares, places = points_of(table, seed, block)
    return Tally(
        {
            "deals": block.size,
            "points": points.sum(axis=0),
            "products": points.T @ points,
            "wins": np.stack([np.bincount(row, minlength=len(table.asked) * SHARES + 1) for row in shares.T]),
            "places": places.sum(axis=0),
        }
    )
