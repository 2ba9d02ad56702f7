"""Matches of Euchre: the same cards once for each way to sit at the table, so that the deal decides less."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from analyzer.analysis.arguments import level, whole
from analyzer.analysis.euchre.policies import bind_all
from analyzer.analysis.result import Sampled, numbered, records
from analyzer.engine.blocks import Block, plan
from analyzer.engine.executors import run_blocks
from analyzer.engine.provenance import Provenance
from analyzer.engine.tallies import Tally
from analyzer.errors import UsageError
from analyzer.fields import shown
from analyzer.games.euchre.play import EUCHRED, GAMES_WON, POINTS_MADE, SUMS, TRUMPS_MADE, play_matches
from analyzer.stats.estimates import share_estimate

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from analyzer.games.euchre.play import MatchRows, Table
    from analyzer.games.euchre.rules import Euchre

MATCHES = 20_000
"""Matches played if no number is given."""
BLOCK = 1 << 11
"""Groups of mirrored matches in a block, where nobody is asked outside of kernels."""
ASKED_BLOCK = 1 << 3
SHARES = 12
"""What a match is worth to its winner, so that two or three who tie get whole numbers."""


@dataclass(frozen=True, eq=False, repr=False)
class EuchreMatches(Sampled):
    """Matches of Euchre. Made by `analyzer.match`.

    Attributes
    ----------
    rules : Euchre
    players : tuple of str
        Policies; each side of partners has one. Matches come in groups with the same cards, in which the policies sit
        at the table in every way: a *deal* stands for such a group.
    confidence : float
        Of intervals. They hold for deals, which are independent of one another.
    """

    rules: Euchre
    players: tuple[str, ...]
    tally: Tally = field(repr=False)
    provenance: Provenance = field(repr=False)
    confidence: float

    @property
    def matches(self) -> int:
        """Number of matches."""
        return int(self.tally["matches"])

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
            player, win_rate (of matches, ties shared) with standard_error, win_lower, win_upper; games_won (per match,
            slams counted double, where a match has several games or slams); points (per hand); made_trump (share of
            hands); euchred (share of those).
        """
        rows = []
        hands = int(self.tally["hands"])
        several = self.rules.games > 1 or self.rules.slam
        for player, name in enumerate(self.names):
            wins = share_estimate(self.tally["wins"][player], self.confidence)
            sums = self.tally["sums"][player]
            row: dict[str, Any] = {
                "player": name,
                "win_rate": wins.value,
                "standard_error": wins.standard_error,
                "win_lower": wins.lower,
                "win_upper": wins.upper,
            }
            if several:
                row["games_won"] = int(sums[GAMES_WON]) / self.matches
            made = int(sums[TRUMPS_MADE])
            row |= {"points": int(sums[POINTS_MADE]) / hands, "made_trump": made / hands}
            rows.append(row | {"euchred": int(sums[EUCHRED]) / made if made else np.nan})
        return pd.DataFrame(rows)

    def deals(self) -> pd.DataFrame:
        """How often each player won so many of the matches with the same cards: player, wins, probability, count."""
        rows = []
        for name, counts in zip(self.names, self.tally["wins"], strict=True):
            for shares in np.flatnonzero(counts):
                number = int(counts[shares])
                row = {"player": name, "wins": float(shares) / SHARES, "probability": number / int(counts.sum())}
                rows.append(row | {"count": number})
        return pd.DataFrame(rows)

    @property
    def hands_per_match(self) -> float:
        """Mean number of hands in a match."""
        return int(self.tally["hands"]) / self.matches

    def main_table(self) -> pd.DataFrame:
        """See `Shown`."""
        return self.payoffs()

    def tables(self) -> dict[str, pd.DataFrame]:
        """All tables by name, as they are saved."""
        return {"payoffs": self.payoffs(), "deals": self.deals()}

    def printed(self) -> dict[str, pd.DataFrame]:
        """The tables that the command prints, by title."""
        title = f"Per match, points per hand, intervals at {self.confidence:.11g}"
        return {title: self.payoffs().drop(columns="standard_error")}

    def to_dict(self) -> dict[str, Any]:
        """Plain values, fit for JSON; what ``analyzer match euchre --json`` prints."""
        return {
            "game": self.rules.name,
            "rules_id": self.rules.id,
            "players": list(self.players),
            "matches": self.matches,
            "seed": self.seed,
            "task_id": self.task_id,
            "confidence": self.confidence,
            "hands_per_match": self.hands_per_match,
            "payoffs": records(self.payoffs()),
            "deals": records(self.deals()),
            "provenance": self.provenance.to_dict(),
        }

    def __str__(self) -> str:
        sides = "sides swapped" if len(self.players) == 2 else "all seats tried"
        return (
            f"{self.title}: {self.matches:,} matches of {' against '.join(self.players)}, each deal played"
            f" {len(self.players)} times ({sides}), {self.hands_per_match:.1f} hands a match, seed {self.seed}"
        )


def match_euchre(
    rules: Euchre,
    players: Sequence[str | Callable[..., Any]],
    *,
    games: int = MATCHES,
    seed: int = 0,
    confidence: float = 0.95,
    workers: int | None = None,
    progress: bool = False,
    cache: bool = True,
) -> EuchreMatches:
    """Play matches; every deal is played once for each way in which the policies can sit at the table.

    Parameters
    ----------
    rules : Euchre
    players : sequence of str or callable
        Two policies, one for each side; or three for three players.
    games : int
        Matches; rounded up to whole groups with the same cards.
    seed, confidence, workers, progress, cache
        As for `analyzer.match`.

    Returns
    -------
    EuchreMatches

    Raises
    ------
    UsageError, PolicyError
        Arguments that do not fit; one line says which.

    Examples
    --------
    >>> from analyzer.games.euchre.rules import Euchre
    >>> result = match_euchre(Euchre(), ["random", "random"], games=100, seed=7)
    >>> result.payoffs()["win_rate"].tolist()
    [0.5, 0.5]
    """
    number, seed = whole("games", games, 1, 10**12), whole("seed", seed, 0, 2**64 - 1)
    confidence = level(confidence)
    bound, table = bind_players(rules, players, workers=workers, progress=progress, cache=cache)
    size = BLOCK if table.in_kernels else ASKED_BLOCK
    names = tuple(one.text for one in bound)
    provenance = Provenance(
        rules_id=rules.id, policy=" against ".join(names), job="mirrored matches", seed=seed, block_size=size
    )
    tally = run_blocks(
        plan(-(-number // table.parties), size),
        lambda block: _block(table, seed, block),
        workers=workers,
        progress=progress,
        label=f"{rules.title}: deals",
    )
    return EuchreMatches(rules, names, tally, provenance, confidence)


def bind_players(rules: Euchre, players: Sequence[str | Callable[..., Any]], **solving: Any) -> tuple[list[Any], Table]:
    """Bind a policy for each party; see `analyzer.analysis.euchre.policies.bind_all`.

    Raises
    ------
    UsageError
        If there are not as many as there are parties.
    """
    parties = 2 if rules.players == "4" else int(rules.players)
    if len(players) != parties:
        sides = "one for each side" if rules.players == "4" else "one for each player"
        raise UsageError(f"players {shown(list(players))} are {len(players)}; give {parties} policies, {sides}")
    return bind_all(rules, players, **solving)


def play_groups(table: Table, seed: int, block: Block) -> MatchRows:
    """Play the groups of matches with the same cards in a block of their numbers."""
    n = table.parties
    return play_matches(table, seed, Block(block.index, n * block.start, n * block.stop))


def win_shares(rows: MatchRows) -> NDArray[np.int64]:
    """What each player has of each match, in parts of `SHARES`: (matches, players)."""
    won = rows.sums[:, :, GAMES_WON]
    best = won == won.max(axis=1, keepdims=True)
    shares: NDArray[np.int64] = best * (SHARES // best.sum(axis=1, keepdims=True))
    return shares


def _block(table: Table, seed: int, block: Block) -> Tally:
    rows = play_groups(table, seed, block)
    n = table.parties
    by_group = win_shares(rows).reshape(-1, n, n).sum(axis=1)
    wins = np.stack([np.bincount(by_group[:, player], minlength=n * SHARES + 1) for player in range(n)])
    sums = rows.sums.sum(axis=0)
    assert sums.shape == (n, SUMS)
    return Tally({"wins": wins, "sums": sums, "hands": int(rows.hands.sum()), "matches": len(rows.hands)})
