"""What the page about Euchre says, section by section."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pandas as pd

from analyzer.analysis.euchre.calls import LEAST_HANDS
from analyzer.analysis.families import EUCHRE_FAMILIES
from analyzer.report.euchre_findings import HAND, score_name
from analyzer.report.euchre_sentences import findings_of, hand_name, score_sentence
from analyzer.report.findings import file_name
from analyzer.report.page import Page
from analyzer.report.report_page import ReportPage
from analyzer.report.rules_part import show_rules
from analyzer.report.tables import heading

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from analyzer.analysis.euchre.calls import CallValues
    from analyzer.games.options import Setting
    from analyzer.report.euchre_findings import EuchreFindings
    from analyzer.report.page import Part

__all__ = ["euchre_page"]

MOST_CHANGED = 12
"""Hand classes shown of each score; the file has all of them."""


def euchre_page(
    found: EuchreFindings,
    *,
    tables: Mapping[str, Mapping[str, str]],
    pictures: Mapping[str, Mapping[str, str]],
    settings: Sequence[Setting] = (),
    notes: Sequence[str] = (),
    command: str = "",
) -> Page:
    """The page about Euchre.

    Parameters
    ----------
    found : EuchreFindings
        What is shown.
    tables, pictures, settings, notes, command
        As for `analyzer.report.game_page.game_page`.

    Returns
    -------
    Page
    """
    return _EuchrePage(found, tables, pictures).filled(settings, notes, command)


class _EuchrePage(ReportPage):
    """The page while its sections are written."""

    def __init__(
        self,
        found: EuchreFindings,
        tables: Mapping[str, Mapping[str, str]],
        pictures: Mapping[str, Mapping[str, str]],
    ) -> None:
        self.found = found
        self.interval = f"{100 * found.first.confidence:g}% interval"
        page = Page(found.rules.title, figures=self._figures(), summary=self._summary())
        super().__init__(page, found.charts, tables, pictures)

    def filled(self, settings: Sequence[Setting], notes: Sequence[str], command: str) -> Page:
        """The page with all its sections."""
        self._findings()
        self._policies()
        self._positions()
        self._calling()
        self._outcomes()
        self._calls()
        if self.found.wins is not None:
            self._wins()
        if self.found.changes:
            self._scores()
        self._rules(settings, notes)
        self._provenance(command)
        self.files()
        return self.page

    def _figures(self) -> list[tuple[str, str]]:
        first, wins = self.found.first, self.found.wins
        told, dealer = first.outcomes().iloc[-1], first.estimate
        side = "the dealer's side" if self.found.rules.players == "4" else "the dealer"
        reach = (dealer.upper - dealer.lower) / 2
        figures = [(f"{dealer.value:+.3f} ± {reach:.3f}", f"net points a hand of {side}, policy {first.policy}")]
        if wins is not None:
            figures.append((f"{wins.chance(0, 0, deals=True):.1%}", "of games won by who deals first"))
        figures += [
            (f"{told['euchred']:.1%}", "of makers euchred"),
            (f"{told['march']:.1%}", "of makers take all five"),
        ]
        return figures

    def _summary(self) -> str:
        first = self.found.first
        return (
            f"All figures are of {first.hands:,} simulated hands of each policy, in which everybody at the table plays"
            f" it and nobody looks at the score. Intervals are at {100 * first.confidence:g}%, each by itself."
        )

    def _findings(self) -> None:
        part = self.page.section(
            "What was found", f"Of the policy {self.found.first.policy}, made from the numbers below."
        )
        part.items(findings_of(self.found))

    def _policies(self) -> None:
        part = self.page.section(
            "Policies", "Everybody at the table plays the same policy; makers are who makes trump."
        )
        part.table(
            self.found.tables["policies"],
            "Hands by policy",
            columns={
                "policy": "Policy",
                "dealer_points": "Dealer's net points",
                "points": "Makers' net points",
                "euchred": "Euchred",
                "made": "3 or 4 tricks",
                "march": "All five",
                "alone": "Alone",
                "lone_march": "All five when alone",
                "passed": "All pass",
            },
            intervals={
                "dealer_points": ("dealer_lower", "dealer_upper"),
                "points": ("points_lower", "points_upper"),
                "euchred": ("euchred_lower", "euchred_upper"),
            },
            formats=dict.fromkeys(("dealer_points", "points"), "+z.3f") | {"passed": "z.1%"},
            notes=dict.fromkeys(("dealer_points", "points", "euchred"), f"with {self.interval}"),
        )
        names = [one.policy for one in self.found.results]
        part.items(f"`{name}`: {EUCHRE_FAMILIES.get(name.partition(':')[0], 'a policy of your own')}" for name in names)
        for one in self.found.matches:
            versus = " against ".join(one.players)
            part.table(
                one.payoffs(),
                f"{one.matches:,} matches, the same cards with sides swapped: {versus}",
                columns={
                    "player": "Policy",
                    "win_rate": "Matches won",
                    "made_trump": "Made trump",
                    "euchred": "Euchred",
                },
                intervals={"win_rate": ("win_lower", "win_upper")},
                notes={"win_rate": f"with {self.interval}", "made_trump": "of hands", "euchred": "of these"},
            )

    def _positions(self) -> None:
        part = self.page.section(
            "What each position earns",
            "Points per hand, own less the other side's. Partners earn the same; what counts is who deals."
            if self.found.rules.players == "4"
            else "Points per hand, own less the others'.",
        )
        self.chart(part, "position_points")
        for inside, result in self.of_each(part, self.found.results, "Turn-ups"):
            frame = result.turn_ups()
            inside.table(
                frame[frame["position"] == "dealer"],
                f"What the dealer earns by the turn-up: {result.policy}",
                columns={"turn_up": "Turn-up", "points": "Net points", "ordered": "Made trump", "hands": "Hands"},
                intervals={"points": ("lower", "upper")},
                formats=dict.fromkeys(("points", "lower", "upper"), "+z.3f"),
                notes={"points": f"with {self.interval}", "ordered": "in round 1"},
            )

    def _calling(self) -> None:
        part = self.page.section(
            "Who makes trump",
            "By round of the bidding and position. A position is asked when all before it have passed.",
        )
        self.chart(part, "call_rates")
        self.chart(part, "euchre_rates")
        for inside, result in self.of_each(part, self.found.results, "Calls and how they end"):
            frame = result.calls()
            inside.table(
                frame,
                f"How often trump is made by who is asked: {result.policy}",
                columns={"round": "Round", **_headings(frame, "round", "called_lower", "called_upper")},
                intervals={"called": ("called_lower", "called_upper")},
                notes={"called": f"of hands asked, {self.interval}", "alone": "of its calls"},
            )
            frame = result.outcomes()
            ends = ("points_lower", "points_upper", "euchred_lower", "euchred_upper")
            inside.table(
                frame,
                f"How hands end, by who made trump: {result.policy}",
                columns={"round": "Round", **_headings(frame, "round", "hands", *ends)} | {"points": "Net points"},
                intervals={"points": ends[:2], "euchred": ends[2:]},
                formats={"points": "+z.3f"},
                notes={"points": self.interval, "euchred": self.interval, "lone_march": "of hands alone"},
            )

    def _outcomes(self) -> None:
        part = self.page.section(
            "How hands end", "What becomes of who makes trump, by the trumps in his hand when play begins."
        )
        for inside, result in self.of_each(part, self.found.results, "How hands end"):
            self.chart(inside, f"maker_outcomes_{file_name(result.policy)}")

    def _calls(self) -> None:
        part = self.page.section(
            "Order or pass",
            "In each deal every position passes, orders, and orders to play alone, after all before it have passed;"
            " then everybody plays on by the policy. Hands are the five cards dealt, without the turn-up, seen from the"
            " suit that is turned up; a joker counts as a bower.",
        )
        tried = {one.policy for one in self.found.calls}
        for slow in (one.policy for one in self.found.results if one.policy not in tried):
            part.prose(f"`{slow}` is too slow to try every call in every deal, and is left out here.")
        for place, values in enumerate(self.found.calls):
            inside = part if place == 0 else part.details(f"Order or pass under {values.policy}")
            if not self.found.has_maps(values):
                inside.prose(f"No hand class came up in {LEAST_HANDS} deals; more games tell more.")
                continue
            for position in values.positions:
                self.chart(inside, f"call_map_{file_name(values.policy)}_{file_name(position)}")
            self._best_calls(inside, values)

    def _best_calls(self, part: Part, values: CallValues) -> None:
        frame = self.found.best_calls(values)
        frame = frame[frame["hands"] >= LEAST_HANDS]
        part.details(f"Best call of {len(frame)} hand classes: {values.policy}").table(
            frame,
            f"Best call by position and hand class, and what {values.policy} does",
            columns={
                **_headings(frame[HAND]),
                "best": "Best call",
                "points": "Net points",
                "gain": "Gain",
                "called": "Orders",
                "share": "Share",
            },
            formats={"points": "+z.2f", "gain": "+z.2f", "called": "z.0%"},
            notes={"gain": "over a pass", "called": "of hands asked", "share": "of deals"},
        )

    def _wins(self) -> None:
        part = self.page.section(
            "The chance to win at each score",
            f"Of two sides that both play {self.found.first.policy}, before a hand is dealt: solved exactly from how"
            " often a hand brings how many points. That players call otherwise near the end is left aside.",
        )
        self.chart(part, "win_table_dealing")
        self.chart(part, "win_table_not_dealing")
        part.details("Both tables as numbers").table(
            self.found.tables["win_table"],
            "Chance to win by score",
            columns={"own": "Own points", "other": "Other side", "dealing": "Dealing", "not_dealing": "Not dealing"},
            formats=dict.fromkeys(("dealing", "not_dealing"), "z.1%"),
        )

    def _scores(self) -> None:
        part = self.page.section(
            "Calls that the score changes",
            "Hand classes whose best call by the chance to win is another one than by points. Shown are those whose"
            " gain is above 0 by its interval, the most frequent gains first; among hundreds of classes a few may still"
            " be chance.",
        )
        for score, frame in self.found.changes.items():
            part.subheading(f"At {score_name(score)}")
            if frame.empty:
                part.prose(score_sentence(self.found, score))
                continue
            shown = frame.head(MOST_CHANGED)
            part.table(
                shown.assign(hand=[hand_name(row) for row in shown.to_dict("records")]),
                f"At {score_name(score)}: {min(len(frame), MOST_CHANGED)} of {len(frame)} hand classes",
                columns={
                    "position": "Position",
                    "hand": "Hand",
                    "by_points": "By points",
                    "at_score": "At the score",
                    "win": "Chance to win",
                    "gain": "Gain",
                    "share": "Share",
                },
                intervals={"gain": ("lower", "upper")},
                formats=dict.fromkeys(("win", "gain", "lower", "upper"), "z.1%"),
                notes={"gain": self.interval, "share": "of deals"},
            )

    def _rules(self, settings: Sequence[Setting], notes: Sequence[str]) -> None:
        rules = self.found.rules
        part = self.page.section("Rules and options", "The rules in force; every figure above is of these.")
        points = pd.DataFrame(rules.score_table())
        part.table(points, "Points of a hand: the makers', below 0 the defenders'", columns=_headings(points))
        show_rules(part, rules, settings, notes)

    def _provenance(self, command: str) -> None:
        found, first = self.found, self.found.first
        tasks: dict[str, Any] = {f"Hands of {one.policy}": one for one in found.results}
        tasks |= {f"Calls of {one.policy}": one for one in found.calls}
        tasks |= {f"Matches of {' against '.join(one.players)}": one for one in found.matches}
        facts = {
            "Rules": f"`{found.rules.id}`",
            "Seed": str(first.seed),
            "Hands of each policy": f"{first.hands:,}",
            **{f"Task: {name.lower()}": f"`{one.task_id}`" for name, one in tasks.items()},
        }
        self.provenance(command, facts)


def _headings(frame: pd.DataFrame, *but: str) -> dict[str, str]:
    """Columns with their headings, without some."""
    return {str(name): heading(str(name)) for name in frame.columns if name not in but}
