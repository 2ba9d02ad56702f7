"""What ways to use cards are worth in President: runs whole or broken, 8s and 2s now or later, what is given back."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from analyzer.analysis.arguments import level, whole
from analyzer.analysis.president.policies import bind_all, check_president
from analyzer.analysis.result import Sampled, records
from analyzer.engine.blocks import Block, plan
from analyzer.engine.executors import run_blocks
from analyzer.engine.provenance import Provenance
from analyzer.engine.tallies import Tally
from analyzer.errors import UsageError
from analyzer.fields import counted
from analyzer.games.president.lowering import lower
from analyzer.games.president.round import deck_of
from analyzer.games.president.worth import CLASSES, FIRST, FOUND, QUESTIONS, SECOND, TIMES, weigh_choices
from analyzer.stats.estimates import cluster_sums, ratio_estimate

if TYPE_CHECKING:
    from collections.abc import Callable

    from analyzer.games.president.play import Table
    from analyzer.games.president.rules import President

MATCHES = 20_000
"""Matches played if no number is given."""
BLOCK = 1 << 8


@dataclass(frozen=True)
class Question:
    """Two ways to use cards.

    Attributes
    ----------
    key, label : str
        Name in tables, and for people.
    first, second : str
        The two choices.
    details : tuple of str
        Its classes.
    """

    key: str
    label: str
    first: str
    second: str
    details: tuple[str, ...]


_BY_CARDS = ("9 or more cards", "5 to 8 cards", "1 to 4 cards")
ASKED = (
    Question(
        "run_or_single",
        "Lead a run, or its lowest card",
        "the run",
        "its lowest card",
        ("run of 3", "run of 4", "run of 5 or more"),
    ),
    Question("eight_now", "Answer by 8s, or keep them", "8s", "another play of the policy, or a pass", _BY_CARDS),
    Question("two_now", "Answer by 2s, or keep them", "2s", "another play of the policy, or a pass", _BY_CARDS),
    Question(
        "revolution",
        "Lead four of a rank, or not",
        "four of a rank",
        "another lead of the policy, or the lowest card",
        _BY_CARDS,
    ),
    Question(
        "return",
        "What the president gives back",
        "these two",
        "the two lowest",
        ("what leaves the fewest plays", "the lowest pair", "the lowest outside of runs"),
    ),
)


@dataclass(frozen=True, eq=False, repr=False)
class OptionWorth(Sampled):
    """What ways to use cards are worth. Made by `option_worth`.

    Attributes
    ----------
    rules : President
    policy : str
        By which everybody plays before and after.
    matches : int
    confidence : float
        Of intervals.
    """

    rules: President
    policy: str
    matches: int
    tally: Tally = field(repr=False)
    provenance: Provenance = field(repr=False)
    confidence: float

    @property
    def title(self) -> str:
        """The game."""
        return self.rules.title

    def options(self) -> pd.DataFrame:
        """What every choice is worth.

        Returns
        -------
        pandas.DataFrame
            question, label, detail (the class), times (positions: the first of a round in each class), first, second
            (the two choices), first_points, second_points (mean points of who decides, in this round), difference
            (first less second) with standard_error, lower, upper; intervals hold for matches, as positions of one may
            depend on one another. Questions that never arise are left out.
        """
        rows = []
        most = self.rules.players - 1
        for number, question in enumerate(ASKED):
            for kind, detail in enumerate(question.details):
                times, first, second = self.tally["points"][number, kind].tolist()
                if not times:
                    continue
                found = ratio_estimate(self.tally["differences"][number, kind], self.confidence, (-most, most))
                rows.append(
                    {
                        "question": question.key,
                        "label": question.label,
                        "detail": detail,
                        "times": times,
                        "first": question.first,
                        "second": question.second,
                        "first_points": first / times,
                        "second_points": second / times,
                        "difference": found.value,
                        "standard_error": found.standard_error,
                        "lower": found.lower,
                        "upper": found.upper,
                    }
                )
        return pd.DataFrame(rows, columns=_COLUMNS)

    def main_table(self) -> pd.DataFrame:
        """See `Shown`."""
        return self.options()

    def tables(self) -> dict[str, pd.DataFrame]:
        """All tables by name, as they are saved."""
        return {"option_worth": self.options()}

    def printed(self) -> dict[str, pd.DataFrame]:
        """The tables that the command prints, by title: one for each question."""
        found = {}
        columns = ["detail", "times", "first_points", "second_points", "difference", "lower", "upper"]
        for (label, first, second), rows in self.options().groupby(["label", "first", "second"], sort=False):
            found[f"{label}: {first} less {second}"] = rows[columns]
        return found

    def to_dict(self) -> dict[str, Any]:
        """Plain values, fit for JSON; what ``analyzer simulate president --worth --json`` prints."""
        return {
            "game": self.rules.name,
            "rules_id": self.rules.id,
            "policy": self.policy,
            "matches": self.matches,
            "seed": self.seed,
            "task_id": self.task_id,
            "confidence": self.confidence,
            "options": records(self.options()),
            "provenance": self.provenance.to_dict(),
        }

    def __str__(self) -> str:
        positions = int(self.tally["points"][..., TIMES].sum())
        return (
            f"{self.title}, {self.policy}: {counted(positions, 'position')} of"
            f" {counted(self.matches, 'match', 'matches')}, each played on after two choices, seed {self.seed}"
        )


_COLUMNS = [
    *("question", "label", "detail", "times", "first", "second", "first_points", "second_points"),
    *("difference", "standard_error", "lower", "upper"),
]


def option_worth(
    rules: President,
    policy: str | Callable[..., Any] = "rules",
    *,
    games: int | None = None,
    seed: int = 0,
    confidence: float = 0.95,
    workers: int | None = None,
    progress: bool = False,
) -> OptionWorth:
    """Play matches, and at certain points play on from there after one choice and after another.

    Parameters
    ----------
    rules : President
    policy : str
        By which everybody plays, before and after: `rules`, with or without slips, `lowest` or `random`.
    games : int, optional
        Matches; 20,000 by default.
    seed : int
        From 0 to 2**64 - 1. The same task gives the same result, bit for bit, with any number of workers.
    confidence, workers, progress
        As for `analyzer.simulate`.

    Returns
    -------
    OptionWorth

    Raises
    ------
    UsageError, PolicyError
        Arguments that do not fit; one line says which.

    Examples
    --------
    >>> from analyzer.games.president.rules import President
    >>> worth = option_worth(President(), "lowest", games=50, seed=7)
    >>> worth.options()["question"].unique().tolist()
    ['run_or_single', 'two_now']
    """
    check_president(rules, "option_worth")
    number, seed = whole("games", MATCHES if games is None else games, 1, 10**12), whole("seed", seed, 0, 2**64 - 1)
    confidence = level(confidence)
    (bound,), table = bind_all(rules, [policy])
    if bound.asked is not None:
        raise UsageError(f"policy '{bound.text}' is none to play on by; choose rules, lowest or random")
    provenance = Provenance(rules_id=rules.id, policy=bound.text, job="worth of options", seed=seed, block_size=BLOCK)
    tally = run_blocks(
        plan(number, BLOCK),
        lambda block: _worth_block(table, seed, block),
        workers=workers,
        progress=progress,
        label=f"{rules.title}: choices tried",
    )
    return OptionWorth(rules, bound.text, number, tally, provenance, confidence)


def _worth_block(table: Table, seed: int, block: Block) -> Tally:
    """Answer the questions of a block of matches.

    Returns
    -------
    Tally
        By question and class ``points``: positions, and points after both choices; and the `cluster_sums` over matches
        of ``differences``.
    """
    found = np.zeros((block.size, QUESTIONS, CLASSES, FOUND), np.int64)
    rules = table.rules
    weigh_choices(lower(rules), deck_of(rules), table.players, np.uint64(seed), block.start, found)
    differences = cluster_sums(found[..., TIMES], found[..., FIRST] - found[..., SECOND])
    return Tally({"points": found.sum(axis=0), "differences": differences})
