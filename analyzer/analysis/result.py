"""What exact and simulated results of a policy have in common: names, and how they show themselves."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import pandas as pd

    from analyzer.analysis.position import Position
    from analyzer.dice.policies import Policy
    from analyzer.dice.scorecard import ScorecardRules
    from analyzer.engine.provenance import Provenance

QUANTILES = (0.01, 0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95, 0.99)
"""Chances whose quantiles are given if no others are asked for."""


def numbered(players: Sequence[str]) -> list[str]:
    """Players by policy, told apart by number where two play the same.

    Examples
    --------
    >>> numbered(["rules", "random"]), numbered(["rules", "rules"])
    (['rules', 'random'], ['1: rules', '2: rules'])
    """
    repeated = len(set(players)) < len(players)
    return [f"{i}: {name}" if repeated else name for i, name in enumerate(players, start=1)]


class Shown:
    """Shows itself as one line in a terminal, and with its main table in a notebook."""

    @property
    def formats(self) -> Mapping[str, str]:
        """Format specifications of numbers by column, where they differ from `analyzer.report.tables.FORMATS`."""
        return {}

    def main_table(self) -> pd.DataFrame:
        """Table that a notebook shows."""
        raise NotImplementedError

    def __repr__(self) -> str:
        return str(self)

    def _repr_html_(self) -> str:
        from html import escape

        from analyzer.report.tables import to_html

        return f"<p>{escape(str(self))}</p>{to_html(self.main_table(), self.formats)}"


class Sampled(Shown):
    """What was simulated, and can be again."""

    provenance: Provenance

    @property
    def seed(self) -> int:
        """Seed of the random streams."""
        return self.provenance.seed

    @property
    def task_id(self) -> str:
        """Id of everything that decides the result but the number of games."""
        return self.provenance.task_id


class PolicyResult(Shown):
    """What a policy earns from a position."""

    rules: ScorecardRules
    position: Position
    bound: Policy

    @property
    def policy(self) -> str:
        """Name and parameters of the policy."""
        return self.bound.text

    @property
    def label(self) -> str:
        """What charts call it: the policy."""
        return self.policy

    @property
    def title(self) -> str:
        """The game."""
        return self.rules.title

    @property
    def heading(self) -> str:
        """Game, policy, and where it starts."""
        start = f" from {self.position.text}" if self.position.card else ""
        if self.position.extra_points:
            start += f" and {self.position.extra_points} extra points"
        return f"{self.title}, {self.policy}{start}"

    def lines(self) -> pd.DataFrame:
        """What every line earns."""
        raise NotImplementedError

    def main_table(self) -> pd.DataFrame:
        """See `Shown`."""
        return self.lines()


def line_records(frame: pd.DataFrame) -> list[dict[str, Any]]:
    """Rows of a table of lines as `records`, with the line under ``name``."""
    return records(frame.rename(columns={"line": "name"}))


def records(frame: pd.DataFrame) -> list[dict[str, Any]]:
    """Rows of a table as plain values; None for numbers that are missing or without bound."""
    return [
        {str(key): None if isinstance(value, float) and not np.isfinite(value) else value for key, value in row.items()}
        for row in frame.to_dict("records")
    ]
