"""Simulated matches of President, in which all seats play one policy: who comes where, and why."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from analyzer.analysis.arguments import level, whole
from analyzer.analysis.president.policies import bind_all
from analyzer.analysis.result import Sampled, records
from analyzer.engine.blocks import Block, plan
from analyzer.engine.executors import run_blocks
from analyzer.engine.provenance import Provenance
from analyzer.engine.tallies import Tally
from analyzer.fields import counted
from analyzer.games.president.play import play_matches
from analyzer.games.president.round_log import (
    CAME,
    DEALT_BY,
    FEWEST,
    FIRST_SEAT,
    JOKERS_HELD,
    LONGEST_RUN,
    ORDER_TURNED,
    PILES_BEGUN,
    PILES_CLOSED,
    PLAYS_MADE,
    RUN_PILES_BEGUN,
    RUNS_HELD,
    RUNS_PLAYED,
    TURNS_MADE,
    TWOS_HELD,
    WAS,
)
from analyzer.stats.estimates import Estimate, cluster_sums, ratio_estimate, share_estimate

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from analyzer.games.president.play import MatchRows, Table
    from analyzer.games.president.rules import President

MATCHES = 100_000
"""Matches simulated if no number is given."""
BLOCK = 1 << 10
ASKED_BLOCK = 1 << 3
FEATURES = {
    "jokers": (JOKERS_HELD, 3),
    "twos": (TWOS_HELD, 5),
    "suits_with_run": (RUNS_HELD, 5),
    "longest_run": (LONGEST_RUN, 14),
    "fewest_plays": (FEWEST, 16),
}
"""What is told of a hand with which the play begins: its place in the row of a seat, and how many values it has."""
STOPPERS = 7
"""Values of jokers and twos together."""
COUNTS = {
    "turns": (TURNS_MADE, "Turns, passes included"),
    "plays": (PLAYS_MADE, "Plays"),
    "piles": (PILES_BEGUN, "Piles"),
    "run_piles": (RUN_PILES_BEGUN, "Piles of runs"),
    "runs": (RUNS_PLAYED, "Runs played"),
    "closed": (PILES_CLOSED, "Piles closed by a play"),
    "revolutions": (ORDER_TURNED, "Times the order turned"),
}
"""What is counted of a round: its place in the row, and its name for people."""
MOST_TURNS = 512


def office_names(players: int) -> list[str]:
    """Names of the places that players come to, from the first.

    Examples
    --------
    >>> office_names(4), office_names(3)
    (['president', 'vice president', 'vice scum', 'scum'], ['president', 'citizen', 'scum'])
    """
    if players == 3:
        return ["president", "citizen", "scum"]
    middle = [f"citizen {k}" for k in range(1, players - 3)] if players > 5 else ["citizen"] * (players - 4)
    return ["president", "vice president", *middle, "vice scum", "scum"]


@dataclass(frozen=True, eq=False, repr=False)
class RoundsResult(Sampled):
    """Matches of President under one policy. Made by `analyzer.simulate`.

    Attributes
    ----------
    rules : President
    policy : str
        Name and parameters.
    confidence : float
        Of intervals.
    """

    rules: President
    policy: str
    tally: Tally = field(repr=False)
    provenance: Provenance = field(repr=False)
    confidence: float

    exact = False

    @property
    def label(self) -> str:
        """What charts call it: the policy."""
        return self.policy

    @property
    def matches(self) -> int:
        """Number of matches."""
        return int(self.tally["matches"])

    @property
    def rounds(self) -> int:
        """Number of rounds in all of them."""
        return self.matches * self.rules.rounds

    @property
    def title(self) -> str:
        """The game."""
        return self.rules.title

    @property
    def offices(self) -> list[str]:
        """Names of the places, from the first."""
        return office_names(self.rules.players)

    def seats(self) -> pd.DataFrame:
        """Who comes where by how many seats he sits after the one who leads first.

        Returns
        -------
        pandas.DataFrame
            rounds (``first`` or ``later``: later ones are led by an office), after_leader (0 is the leader), points
            (mean of a round) with standard_error, lower, upper, then the share of each place.
        """
        rows = [
            {"rounds": when, "after_leader": seat} | self._places("after_leader", later, seat)
            for later, when in enumerate(("first", "later")[: self.rules.rounds])
            for seat in range(self.rules.players)
        ]
        return pd.DataFrame(rows)

    def dealt(self) -> pd.DataFrame:
        """The same by how many seats one sits after the dealer, of first rounds; the first ones get a card more."""
        rows = [
            {"after_dealer": seat or self.rules.players} | self._places("after_dealer", seat)
            for seat in range(self.rules.players)
        ]
        return pd.DataFrame(rows).sort_values("after_dealer", ignore_index=True)

    def offices_kept(self) -> pd.DataFrame:
        """From which place to which from one round to the next.

        Returns
        -------
        pandas.DataFrame
            office (place in the round before), rounds, points (mean) with standard_error, lower, upper, kept (share in
            which the same place is reached) with kept_lower, kept_upper, then the share of each place; no rows if a
            match has one round.
        """
        rows = []
        later = self.matches * (self.rules.rounds - 1)
        for office, name in enumerate(self.offices if later else []):
            kept = share_estimate(self.tally["kept"][office], self.confidence)
            row = {"office": name, "rounds": later} | self._places("offices", office + 1)
            rows.append(row | {"kept": kept.value, "kept_lower": kept.lower, "kept_upper": kept.upper})
        return pd.DataFrame(rows)

    def hands(self) -> pd.DataFrame:
        """What hands come to, by what they hold when the play begins.

        Returns
        -------
        pandas.DataFrame
            feature (see `FEATURES`), value, share (of hands), points (mean) with standard_error, lower, upper, then
            the share of each place.
        """
        rows = []
        total = int(self.tally["fewest_plays"].sum())
        for feature in FEATURES:
            for value, count in enumerate(self.tally[feature].sum(axis=1).tolist()):
                if count not in (0, total):
                    row = {"feature": feature, "value": value, "share": count / total}
                    rows.append(row | self._places(feature, value))
        return pd.DataFrame(rows)

    def strength(self) -> pd.DataFrame:
        """Mean points of a hand by the fewest plays that it needs and its stoppers.

        Returns
        -------
        pandas.DataFrame
            fewest_plays, stoppers (2s and jokers), share (of hands), points with standard_error, lower, upper, then the
            share of each place.
        """
        rows = []
        total = int(self.tally["strength"].sum())
        for fewest, stoppers in np.argwhere(self.tally["strength"].any(axis=2)).tolist():
            share = int(self.tally["strength"][fewest, stoppers].sum()) / total
            row = {"fewest_plays": fewest, "stoppers": stoppers, "share": share}
            rows.append(row | self._places("strength", fewest, stoppers))
        return pd.DataFrame(rows)

    def counts(self) -> pd.DataFrame:
        """What happens in a round.

        Returns
        -------
        pandas.DataFrame
            what (see `COUNTS`), label, mean (per round) with standard_error, lower, upper, at_least_once (share of
            rounds).
        """
        rows = []
        for number, (what, (_, label)) in enumerate(COUNTS.items()):
            found = ratio_estimate(self.tally["counts_sums"][number], self.confidence)
            numbers = {"mean": found.value, "standard_error": found.standard_error}
            numbers |= {"lower": found.lower, "upper": found.upper}
            once = 1 - int(self.tally["counts"][number, 0]) / self.rounds
            rows.append({"what": what, "label": label, **numbers, "at_least_once": once})
        return pd.DataFrame(rows)

    def lengths(self) -> pd.DataFrame:
        """How many turns rounds take, passes included: turns, probability, count."""
        counts = self.tally["counts"][0]
        turns = np.flatnonzero(counts)
        return pd.DataFrame({"turns": turns, "probability": counts[turns] / self.rounds, "count": counts[turns]})

    def main_table(self) -> pd.DataFrame:
        """See `Shown`."""
        return self.offices_kept() if self.rules.rounds > 1 else self.seats()

    def tables(self) -> dict[str, pd.DataFrame]:
        """All tables by name, as they are saved."""
        names = ["seats", "dealt", "offices_kept", "hands", "strength", "counts", "lengths"]
        if self.rules.rounds == 1:
            names.remove("offices_kept")
        return {name: getattr(self, name)() for name in names}

    def printed(self) -> dict[str, pd.DataFrame]:
        """The tables that the command prints, by title."""
        error = ["standard_error"]
        found = {"By seats after the first leader": self.seats().drop(columns=error)}
        if self.rules.rounds > 1:
            found["From one round to the next, by the place before"] = self.offices_kept().drop(columns=error)
        hands = self.hands().drop(columns=error)
        found["By what a hand holds when the play begins"] = hands.assign(
            feature=hands["feature"].str.replace("_", " ")
        )
        found["What happens in a round"] = self.counts().drop(columns=["what", *error])
        return found

    def to_dict(self) -> dict[str, Any]:
        """Plain values, fit for JSON; what ``analyzer simulate president --json`` prints."""
        return {
            "game": self.rules.name,
            "rules_id": self.rules.id,
            "policy": self.policy,
            "exact": False,
            "matches": self.matches,
            "rounds": self.rounds,
            "seed": self.seed,
            "task_id": self.task_id,
            "confidence": self.confidence,
            **{name: records(table) for name, table in self.tables().items()},
            "provenance": self.provenance.to_dict(),
        }

    def __str__(self) -> str:
        counts = self.counts().set_index("what")["mean"]
        matches = counted(self.matches, "match", "matches")
        told = f"{self.title}, {self.policy}: {matches} of {counted(self.rules.rounds, 'round')}"
        if self.rules.rounds > 1:
            kept = self.offices_kept().set_index("office")["kept"]
            told += f", president keeps the office {kept.iloc[0]:.1%}, scum {kept.iloc[-1]:.1%}"
        return f"{told}, {counts['turns']:.1f} turns a round, seed {self.seed}"

    def _places(self, kind: str, *key: int) -> dict[str, float]:
        """Points and the shares of places of a class of hands; intervals hold for matches, not for single hands."""
        counts, bounds = self.tally[kind][key], (0, self.rules.players - 1)
        found = ratio_estimate(self.tally[f"{kind}_sums"][key], self.confidence, bounds)
        total = int(counts.sum())
        shares = {f"place_{place + 1}": int(count) / total for place, count in enumerate(counts)}
        return numbers_of(found) | shares


def numbers_of(found: Estimate) -> dict[str, float]:
    """An estimate of points as the columns of a table."""
    return {
        "points": found.value,
        "standard_error": found.standard_error,
        "lower": found.lower,
        "upper": found.upper,
    }


def simulate_rounds(
    rules: President,
    policy: str | Callable[..., Any] = "rules",
    *,
    games: int | None = None,
    seed: int = 0,
    confidence: float = 0.95,
    workers: int | None = None,
    progress: bool = False,
    cache: bool = True,  # noqa: ARG001  every game is asked alike; nothing of this one is kept
) -> RoundsResult:
    """Simulate matches in which everybody plays the same policy; match i is first dealt by seat i modulo the players.

    Parameters
    ----------
    rules : President
    policy : str or callable
        See `analyzer.analysis.president.policies.bind_policy`.
    games : int, optional
        Matches; 100,000 by default.
    seed : int
        From 0 to 2**64 - 1. The same task gives the same result, bit for bit, with any number of workers.
    confidence, workers, progress, cache
        As for `analyzer.simulate`.

    Returns
    -------
    RoundsResult

    Raises
    ------
    UsageError, PolicyError
        Arguments that do not fit; one line says which.

    Examples
    --------
    >>> from analyzer.games.president.rules import President
    >>> result = simulate_rounds(President(), "random", games=100, seed=7)
    >>> result.rounds, result.offices_kept()["office"].tolist()
    (500, ['president', 'vice president', 'vice scum', 'scum'])
    """
    number = whole("games", MATCHES if games is None else games, 1, 10**12)
    seed, confidence = whole("seed", seed, 0, 2**64 - 1), level(confidence)
    (bound,), table = bind_all(rules, [policy])
    size = BLOCK if table.in_kernels else ASKED_BLOCK
    provenance = Provenance(rules_id=rules.id, policy=bound.text, job="matches", seed=seed, block_size=size)
    tally = run_blocks(
        plan(number, size),
        lambda block: rounds_block(table, seed, block),
        workers=workers,
        progress=progress,
        label=f"{rules.title}: matches",
    )
    return RoundsResult(rules, bound.text, tally, provenance, confidence)


def rounds_block(table: Table, seed: int, block: Block) -> Tally:
    """Play a block of matches and count what came of them.

    Returns
    -------
    Tally
        How often each place was reached, as arrays that end in an axis of places: ``after_leader`` by first or later
        round and seats after the leader; ``after_dealer`` of first rounds; ``offices`` by the place before, 0 in first
        rounds; the features of hands; ``strength`` by fewest plays and stoppers. Of each, with ``_sums`` added to its
        name, the `cluster_sums` of points over matches. ``kept`` has by office how many matches kept it so often;
        ``counts`` by kind how many rounds had so many, ``counts_sums`` their cluster sums.
    """
    return _count_rows(play_matches(table, seed, block, fewest=True), table.rules.players)


def _count_rows(rows: MatchRows, n: int) -> Tally:
    seats = rows.seats
    place, was = seats[..., CAME] - 1, seats[..., WAS]
    matches, rounds, _ = place.shape
    first_seat, dealer = rows.rounds[..., FIRST_SEAT, None], rows.rounds[..., DEALT_BY, None]
    later = np.broadcast_to((np.arange(rounds) > 0).astype(np.int64)[:, None], place.shape)
    stoppers = seats[..., JOKERS_HELD] + seats[..., TWOS_HELD]
    fewest = FEATURES["fewest_plays"][1]
    found: dict[str, Any] = {"matches": matches}
    found |= _by_class("after_leader", (2, n), (later, (np.arange(n) - first_seat) % n), place, n)
    found |= _by_class("after_dealer", (n,), (((np.arange(n) - dealer) % n)[:, :1],), place[:, :1], n)
    found |= _by_class("offices", (n + 1,), (was,), place, n)
    found |= _by_class("strength", (fewest, STOPPERS), (seats[..., FEWEST], stoppers), place, n)
    for feature, (column, values) in FEATURES.items():
        found |= _by_class(feature, (values,), (seats[..., column],), place, n)
    if rounds > 1:
        keeps = [(was[:, 1:] == office) & (place[:, 1:] == office - 1) for office in range(1, n + 1)]
        found["kept"] = np.stack([np.bincount(kept.sum(axis=(1, 2)), minlength=rounds) for kept in keeps])
    numbers = np.stack([rows.rounds[..., column] for column, _ in COUNTS.values()])
    found["counts"] = np.stack([np.bincount(row.ravel(), minlength=MOST_TURNS) for row in numbers])
    totals = numbers.sum(axis=2).T
    found["counts_sums"] = cluster_sums(np.full_like(totals, rounds), totals)
    return Tally(found)


def _by_class(
    name: str, shape: tuple[int, ...], keys: tuple[NDArray[np.int64], ...], place: NDArray[np.int64], n: int
) -> dict[str, NDArray[np.int64]]:
    """How often the hands of each class come to each place, and the cluster sums of their points over matches."""
    matches = len(place)
    match = np.arange(matches)[:, None, None]
    flat = np.ravel_multi_index(tuple(np.broadcast_to(key, place.shape) for key in (match, *keys)), (matches, *shape))
    cells = matches * int(np.prod(shape))
    places = np.bincount((flat * n + place).ravel(), minlength=cells * n).reshape(matches, *shape, n)
    sums = cluster_sums(places.sum(axis=-1), places @ np.arange(n - 1, -1, -1))
    return {name: places.sum(axis=0), f"{name}_sums": sums}
