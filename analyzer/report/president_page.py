"""What the page about President says, section by section."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pandas as pd

from analyzer.analysis.families import PRESIDENT_FAMILIES
from analyzer.report.findings import file_name
from analyzer.report.page import Page
from analyzer.report.president_charts import later_leader, mean_points, seat_name
from analyzer.report.president_hand_charts import LEAST_HANDS, feature_name, frequent, question_text
from analyzer.report.president_sentences import findings_of, give_or_take, stoppers_name
from analyzer.report.report_page import ReportPage
from analyzer.report.rules_part import show_rules
from analyzer.report.tables import heading

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from analyzer.games.options import Setting
    from analyzer.report.page import Part
    from analyzer.report.president_findings import PresidentFindings

__all__ = ["president_page"]


def president_page(
    found: PresidentFindings,
    *,
    tables: Mapping[str, Mapping[str, str]],
    pictures: Mapping[str, Mapping[str, str]],
    settings: Sequence[Setting] = (),
    notes: Sequence[str] = (),
    command: str = "",
) -> Page:
    """The page about President.

    Parameters
    ----------
    found : PresidentFindings
        What is shown.
    tables, pictures, settings, notes, command
        As for `analyzer.report.game_page.game_page`.

    Returns
    -------
    Page
    """
    return _PresidentPage(found, tables, pictures).filled(settings, notes, command)


class _PresidentPage(ReportPage):
    """The page while its sections are written."""

    def __init__(
        self,
        found: PresidentFindings,
        tables: Mapping[str, Mapping[str, str]],
        pictures: Mapping[str, Mapping[str, str]],
    ) -> None:
        self.found = found
        self.interval = f"{100 * found.first.confidence:g}% interval"
        self.mean = mean_points(found.rules)
        page = Page(found.rules.title, figures=self._figures(), summary=self._summary())
        super().__init__(page, found.charts, tables, pictures)

    def filled(self, settings: Sequence[Setting], notes: Sequence[str], command: str) -> Page:
        """The page with all its sections."""
        self._findings()
        self._policies()
        if self.found.matches:
            self._matches()
        if self.found.rules.rounds > 1:
            self._offices()
        self._seats()
        self._hands()
        self._options()
        self._rounds()
        self._rules(settings, notes)
        self._provenance(command)
        self.files()
        return self.page

    def _figures(self) -> list[tuple[str, str]]:
        first = self.found.first
        leader, counts = first.seats().iloc[0], first.counts().set_index("what")["mean"]
        figures = []
        if self.found.rules.rounds > 1:
            kept = first.offices_kept()["kept"]
            figures += [
                (f"{kept.iloc[0]:.1%}", f"of presidents keep the office, policy {first.policy}"),
                (f"{kept.iloc[-1]:.1%}", "of scums stay scum"),
            ]
        gain = leader["points"] - self.mean
        return [
            *figures,
            (f"{gain:+.3f}{give_or_take(leader, 3)}", f"points of the first leader, against the mean of {self.mean:g}"),
            (f"{counts['turns']:.1f}", "turns a round, passes included"),
            (f"{counts['closed']:.1f}", f"of {counts['piles']:.1f} piles a round closed by a play"),
        ]

    def _summary(self) -> str:
        first, rules = self.found.first, self.found.rules
        rounds = "one round" if rules.rounds == 1 else f"{rules.rounds} rounds"
        return (
            f"All figures are of {first.matches:,} simulated matches of {rounds} of each policy, in which everybody at"
            f" the table plays it, if nothing else is said. Intervals are at {100 * first.confidence:g}%, each by"
            " itself."
        )

    def _places(self) -> dict[str, str]:
        """Columns of places with the names of the offices."""
        return {f"place_{place}": heading(name) for place, name in enumerate(self.found.first.offices, start=1)}

    def _points_table(self, part: Part, frame: pd.DataFrame, caption: str, columns: Mapping[str, str]) -> None:
        """A table of mean points with intervals, and the shares of places."""
        shown = {**columns, "points": "Points", **self._places()}
        part.table(
            frame,
            caption,
            columns=shown,
            intervals={"points": ("lower", "upper"), "kept": ("kept_lower", "kept_upper")},
            formats={"points": "z.3f", "share": "z.1%"},
            notes={"points": f"of a round, {self.interval}", "kept": self.interval, "share": "of hands"},
        )

    def _findings(self) -> None:
        part = self.page.section(
            "What was found", f"Of the policy {self.found.first.policy}, made from the numbers below."
        )
        part.items(findings_of(self.found))

    def _policies(self) -> None:
        part = self.page.section("Policies", "Everybody at the table plays the same policy.")
        columns = {
            "policy": "Policy",
            "president_kept": "President stays",
            "scum_kept": "Scum stays",
            "leader_points": "First leader",
            "turns": "Turns",
            "plays": "Plays",
            "piles": "Piles",
            "run_piles": "Piles of runs",
            "closed": "Piles closed",
            "revolutions": "Order reversed",
        }
        frame, rules = self.found.tables["policies"], self.found.rules
        met = {"run_piles": rules.runs, "revolutions": rules.revolution}
        part.table(
            frame,
            "A round by policy, means",
            columns={name: text for name, text in columns.items() if name in frame and met.get(name, True)},
            intervals={
                "president_kept": ("president_kept_lower", "president_kept_upper"),
                "scum_kept": ("scum_kept_lower", "scum_kept_upper"),
                "leader_points": ("leader_lower", "leader_upper"),
            },
            formats=dict.fromkeys(("president_kept", "scum_kept"), "z.1%")
            | {"leader_points": "z.3f"}
            | dict.fromkeys(("turns", "plays", "piles", "run_piles", "closed", "revolutions"), "z.2f"),
            notes=dict.fromkeys(("president_kept", "scum_kept"), self.interval)
            | {"leader_points": f"points, {self.interval}"},
        )
        names = [one.policy for one in self.found.results]
        part.items(
            f"`{name}`: {PRESIDENT_FAMILIES.get(name.partition(':')[0], 'a policy of your own')}" for name in names
        )

    def _matches(self) -> None:
        first, rules = self.found.matches[0], self.found.rules
        seats = "half of the seats" if len(first.players) == 2 else "one seat"
        part = self.page.section(
            "Against other policies",
            f"`{self.found.first.policy}` has {seats}, the other policy the rest. The same cards are played once for"
            f" each way to move on by a seat. Even would be {self.mean * rules.rounds:g} points and"
            f" {1 / rules.players:.1%} of matches.",
        )
        part.table(
            self.found.tables["matches"],
            f"{first.matches:,} matches of {self.found.first.policy} against each other policy, for each of its seats",
            columns={
                "against": "Against",
                "points": "Points of a match",
                "win_rate": "Matches won",
                "president": "President",
                "scum": "Scum",
            },
            intervals={"points": ("lower", "upper"), "win_rate": ("win_lower", "win_upper")},
            formats={"points": "z.3f"} | dict.fromkeys(("win_rate", "president", "scum"), "z.1%"),
            notes={"points": self.interval, "win_rate": f"ties shared, {self.interval}"}
            | dict.fromkeys(("president", "scum"), "of rounds"),
        )
        self.chart(part, "place_shares")

    def _offices(self) -> None:
        part = self.page.section(
            "From one round to the next", "Where the holder of each office comes in the round after."
        )
        for inside, result in self.of_each(part, self.found.results, "Offices"):
            self.chart(inside, f"office_matrix_{file_name(result.policy)}")
            frame = result.offices_kept()
            columns = {"office": "Office before", "kept": "Same place"}
            self._points_table(inside, frame, f"What holders of offices come to: {result.policy}", columns)

    def _seats(self) -> None:
        later = "" if self.found.rules.rounds == 1 else " Later rounds are led by an office, not by a seat."
        part = self.page.section(
            "Who leads", f"What a seat earns by how far it is after the one who leads a round first.{later}"
        )
        self.chart(part, "seat_points")
        for inside, result in self.of_each(part, self.found.results, "Seats"):
            frame = result.seats()
            keys = zip(frame["rounds"], frame["after_leader"], strict=True)
            frame = frame.assign(seat=[seat_name(when, seat, later_leader(result)) for when, seat in keys])
            self._points_table(inside, frame, f"By seats after the leader: {result.policy}", {"seat": "Seat"})
            caption = f"First rounds by seats after the dealer, who is the last: {result.policy}"
            self._points_table(inside, result.dealt(), caption, {"after_dealer": "After the dealer"})

    def _hands(self) -> None:
        given = ", after cards were exchanged" if self.found.rules.exchange else ""
        part = self.page.section(
            "What hands come to",
            f"By what a hand holds when play begins{given}. The fewest plays are those in which the hand could be got"
            f" rid of if nobody else played; stoppers are {stoppers_name(self.found)}.",
        )
        for inside, result in self.of_each(part, self.found.results, "Hands"):
            name = file_name(result.policy)
            if not self.found.has_classes(result):
                inside.prose(f"No class of hands came up {LEAST_HANDS} times; more games tell more.")
                continue
            self.chart(inside, f"hand_strength_{name}")
            self.chart(inside, f"feature_points_{name}")
            frame = frequent(result, result.hands())
            self._points_table(
                inside.details(f"{len(frame)} values with {LEAST_HANDS} hands or more, as numbers: {result.policy}"),
                frame.assign(
                    hand=[feature_name(*key) for key in zip(frame["feature"], frame["value"].tolist(), strict=True)]
                ),
                f"Points by what a hand holds: {result.policy}",
                {"hand": "Hand", "share": "Share"},
            )

    def _options(self) -> None:
        worth, first = self.found.worth, self.found.first.policy
        part = self.page.section(
            "What each option is worth",
            f"Where a question arises, everybody plays on by {first} after one choice and after the other, with the"
            " same cards; counted are the points of who decides, in this round. Of each class a round counts once.",
        )
        if worth is None:
            part.prose(f"`{first}` is too slow to play on by, and is left out here.")
            return
        frame = self.found.options
        if frame.empty:
            part.prose("No question arose; more games tell more.")
            return
        self.chart(part, "option_worth")
        part.table(
            frame.assign(question=[question_text(row) for row in frame.to_dict("records")]),
            f"Points after the first and the second choice of each question: {first}",
            columns={
                "question": "Question",
                "detail": "Class",
                "difference": "First less second",
                "first_points": "First",
                "second_points": "Second",
                "times": "Times",
            },
            intervals={"difference": ("lower", "upper")},
            formats={"difference": "+z.3f"},
            notes={"difference": self.interval},
        )

    def _rounds(self) -> None:
        part = self.page.section("What happens in a round", "A turn is a play or a pass.")
        self.chart(part, "round_lengths")
        for inside, result in self.of_each(part, self.found.results, "What happens in a round"):
            frame, rules = result.counts(), self.found.rules
            unmet = ["run_piles", "runs"] if not rules.runs else []
            unmet += ["revolutions"] if not rules.revolution else []
            inside.table(
                frame[~frame["what"].isin(unmet)],
                f"Counts of a round: {result.policy}",
                columns={"label": "What", "mean": "Mean", "at_least_once": "At least once"},
                intervals={"mean": ("lower", "upper")},
                formats={"mean": "z.3f"},
                notes={"mean": f"with {self.interval}", "at_least_once": "of rounds"},
            )

    def _rules(self, settings: Sequence[Setting], notes: Sequence[str]) -> None:
        rules = self.found.rules
        part = self.page.section("Rules and options", "The rules in force; every figure above is of these.")
        points = pd.DataFrame(rules.score_table())
        part.table(points, "Points of a round by place", columns={"place": "Place", "points": "Points"})
        show_rules(part, rules, settings, notes)

    def _provenance(self, command: str) -> None:
        found, first = self.found, self.found.first
        tasks: dict[str, Any] = {f"matches of {one.policy}": one for one in found.results}
        tasks |= {f"{' against '.join(dict.fromkeys(one.players))}": one for one in found.matches}
        tasks |= {f"options of {found.worth.policy}": found.worth} if found.worth is not None else {}
        facts = {
            "Rules": f"`{found.rules.id}`",
            "Seed": str(first.seed),
            "Matches of each policy": f"{first.matches:,}",
            **{f"Task: {name}": f"`{one.task_id}`" for name, one in tasks.items()},
        }
        self.provenance(command, facts)
