"""The bidding chart of Euchre as a result: what each seat calls, and how far the computation has settled."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import pandas as pd

from analyzer.analysis.euchre.policies import check_euchre
from analyzer.analysis.result import Shown, records
from analyzer.cards.notation import RANKS
from analyzer.games.euchre.chart import NAME_OF_POLICY, POSITIONS, ChartSettings
from analyzer.games.euchre.chart_run import compute_chart

if TYPE_CHECKING:
    from analyzer.games.euchre.chart import Chart
    from analyzer.games.euchre.rules import Euchre


@dataclass(frozen=True, eq=False, repr=False)
class BiddingChart(Shown):
    """A computed chart, summarised. Made by `bidding_chart`.

    Attributes
    ----------
    chart : Chart
        Every hand: `Chart.row` tells what a seat may say with one, `Chart.discard_row` what the dealer discards.
    """

    chart: Chart = field(repr=False)

    @property
    def rules(self) -> Euchre:
        """The rules."""
        return self.chart.rules

    @property
    def policy(self) -> str:
        """The policy that bids by it."""
        return self.chart.settings.text

    def classes(self) -> pd.DataFrame:
        """The chart by classes of hands; see `analyzer.games.euchre.chart.Chart.table`."""
        return self.chart.table().reset_index().astype({"seat": str, "turn_up": str})

    def seats(self) -> pd.DataFrame:
        """How often each seat calls, of all its hands: round, seat, called, alone (share of the hands), pass, call."""
        frame = self.classes()
        values = ["called", "called_alone", "pass"]
        weighted = frame[values].mul(frame["hands"], axis=0)
        grouped = pd.concat([frame[["round", "seat", "hands"]], weighted], axis=1).groupby(["round", "seat"]).sum()
        shares = grouped[values].div(grouped["hands"], axis=0)
        order = [(number, seat) for number in (1, 2) for seat in POSITIONS]
        found = shares.loc[order].reset_index()
        return found.rename(columns={"called_alone": "alone", "pass": "points_of_pass"})

    def turn_ups(self) -> pd.DataFrame:
        """How often each seat calls in the first round, by the rank turned up.

        Returns
        -------
        pandas.DataFrame
            seat, turn_up, called (share of all hands), called_when_asked (of those with which it comes to decide, as
            all before have passed).
        """
        ranks = RANKS if self.chart.deck >= 32 else RANKS[2:]
        if self.chart.deck % 2 and self.rules.joker_turn_up != "dealer_blind":
            ranks += "*"
        rows = []
        for seat in POSITIONS:
            for rank in ranks:
                all_hands, asked = self.chart.share_passed(seat, rank)
                name = {"T": "10", "*": "joker"}.get(rank, rank)
                row = {"seat": seat, "turn_up": name, "called": 1 - all_hands, "called_when_asked": 1 - asked}
                rows.append(row)
        return pd.DataFrame(rows)

    def iterations(self) -> pd.DataFrame:
        """How many decisions each iteration changed: iteration, changed (share, by how often they are made)."""
        changes = self.chart.changes
        return pd.DataFrame({"iteration": range(1, len(changes) + 1), "changed": list(changes)})

    def main_table(self) -> pd.DataFrame:
        """See `Shown`."""
        return self.seats()

    def tables(self) -> dict[str, pd.DataFrame]:
        """All tables by name, as they are saved."""
        return {name: getattr(self, name)() for name in ("seats", "turn_ups", "classes", "iterations")}

    def printed(self) -> dict[str, pd.DataFrame]:
        """The tables that the command prints, by title."""
        return {
            "How often each seat calls, of all its hands": self.seats(),
            "By the card turned up, first round": self.turn_ups(),
            "Decisions that an iteration changed": self.iterations(),
        }

    def to_dict(self) -> dict[str, Any]:
        """Plain values, fit for JSON; what ``analyzer solve euchre --json`` prints."""
        tables = {name: records(table) for name, table in self.tables().items()}
        return {"game": self.rules.name, "rules_id": self.rules.id, "policy": self.policy, **tables}

    def __str__(self) -> str:
        passed, _ = self.chart.share_passed("dealer", "J")
        return (
            f"{self.rules.title}, {self.policy}: {len(self.chart.words):,} hands and turn-ups up to suit symmetry; with"
            f" a jack turned up the dealer passes {passed:.1%} of his hands"
        )


def bidding_chart(
    rules: Euchre,
    policy: str = NAME_OF_POLICY,
    *,
    workers: int | None = None,
    progress: bool = False,
    cache: bool = True,
) -> BiddingChart:
    """Compute the bidding chart, go on with one that was stopped, or load one that is finished.

    Parameters
    ----------
    rules : Euchre
        For four players.
    policy : str
        ``computed``, with ``deals`` of an iteration and ``iterations`` if they are not to be the default.
    workers, progress, cache
        As for `analyzer.simulate`.

    Returns
    -------
    BiddingChart

    Raises
    ------
    PolicyError
        Two or three players, or another policy.

    Examples
    --------
    >>> from analyzer.games.euchre.rules import Euchre
    >>> bidding_chart(Euchre(), "computed:deals=2000,iterations=1").seats()["seat"].tolist()[:4]
    ['left', 'partner', 'right', 'dealer']
    """
    check_euchre(rules, "bidding_chart")
    settings = ChartSettings.parse(policy)
    return BiddingChart(compute_chart(rules, settings, workers=workers, progress=progress, cache=cache))
