"""What the page about a game says, section by section."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pandas as pd

from analyzer.analysis.families import FAMILIES
from analyzer.report.findings import file_name
from analyzer.report.page import Page
from analyzer.report.report_page import ReportPage
from analyzer.report.rules_part import show_rules

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from analyzer.analysis.match import MatchResult
    from analyzer.games.options import Setting
    from analyzer.report.findings import Findings
    from analyzer.report.page import Part

__all__ = ["game_page"]

EXACT = "exact"
COLUMN_NOTE = "A sheet has several columns; exact results are of one column played alone, matches use all of them."
WINS_NOTE = (
    "A game that is won at once ends there and counts the points on its scorecard so far. Best play is here for points"
    " alone, and shuns a win that ends the game early; `instant` plays for the chance of a win instead."
)


def game_page(
    found: Findings,
    *,
    tables: Mapping[str, Mapping[str, str]],
    pictures: Mapping[str, Mapping[str, str]],
    settings: Sequence[Setting] = (),
    notes: Sequence[str] = (),
    command: str = "",
) -> Page:
    """The page about a game.

    Parameters
    ----------
    found : Findings
        What is shown.
    tables, pictures : mapping of str to mapping of str to str
        Addresses of the tables and charts as files, by name and format.
    settings, notes, command
        As for `analyzer.report.folder.write_report`.

    Returns
    -------
    Page
    """
    return _GamePage(found, tables, pictures).filled(settings, notes, command)


class _GamePage(ReportPage):
    """The page while its sections are written."""

    def __init__(
        self,
        found: Findings,
        tables: Mapping[str, Mapping[str, str]],
        pictures: Mapping[str, Mapping[str, str]],
    ) -> None:
        self.found = found
        self.simulated = f"simulated, {100 * found.results[0].confidence:g}% interval"
        page = Page(found.rules.title, figures=self._figures(), summary=self._summary())
        super().__init__(page, found.charts, tables, pictures)

    def filled(self, settings: Sequence[Setting], notes: Sequence[str], command: str) -> Page:
        """The page with all its sections."""
        self._policies()
        self._lines()
        self._rounds()
        self._turns()
        if "served" in self.tables:
            self._served()
        if "wins" in self.tables:
            self._wins()
        if "opening" in self.tables:
            self._first_rolls()
        if self.found.matches:
            self._matches()
        self._check()
        self._rules(settings, notes)
        self._provenance(command)
        self.files()
        return self.page

    def _figures(self) -> list[tuple[str, str]]:
        best = self.found.best
        low, high = best.quantiles([0.05, 0.95])["score"]
        median = best.quantiles([0.5])["score"].iloc[0]
        figures = [
            (f"{best.expected_score:,.2f}", "expected final score of best play, exact"),
            (f"{median:,}", "median"),
            (f"{low:,} to {high:,}", "middle 90% of games"),
            (f"{best.standard_deviation:,.2f}", "standard deviation"),
        ]
        if self.found.rules.instant_wins:
            chances = {one.policy: float(one.wins()["chance"].sum()) for one in self.found.solutions}
            policy = max(chances, key=lambda name: chances[name])
            figures.append((f"{chances[policy]:.3%}", f"highest chance of an instant win, by the policy {policy}"))
        return figures

    def _summary(self) -> str:
        first = self.found.results[0]
        return (
            f"Exact figures are computed, not sampled. As a check, {first.games:,} simulated games of each policy stand"
            f" beside them, with {100 * first.confidence:g}% intervals."
        )

    def _policies(self) -> None:
        part = self.page.section(
            "Policies", "Each row is one way to play. The higher the expected score, the better the policy."
        )
        frame = self.found.tables["policies"].drop(columns=["standard_error", "games"])
        part.table(
            frame,
            "Final scores by policy",
            intervals={"simulated_mean": ("lower", "upper")},
            formats=dict.fromkeys(("expected_score", "simulated_mean", "standard_deviation"), "z,.2f"),
            notes={**dict.fromkeys(frame.columns[1:-3], EXACT), "simulated_mean": self.simulated},
        )
        known = [(one.policy, FAMILIES.get(one.policy.partition(":")[0])) for one in self.found.solutions]
        part.items(f"`{policy}`: {meaning or 'a function of your own'}" for policy, meaning in known)
        if self.found.rules.instant_wins:
            part.prose(WINS_NOTE)
        if self.found.rules.settlement.columns > 1:
            part.prose(COLUMN_NOTE)
        self.chart(part, "score_distributions")
        self.chart(part, "chance_of_at_least")
        quantiles = {one.policy: one.quantiles().set_index("quantile")["score"] for one in self.found.solutions}
        frame = pd.DataFrame(quantiles).reset_index()
        frame["quantile"] = [f"{share:.0%}" for share in frame["quantile"]]
        part.table(
            frame,
            "Scores that a share of games does not exceed, exact",
            columns={"quantile": "Share of games", **{policy: policy for policy in quantiles}},
        )

    def _lines(self) -> None:
        part = self.page.section(
            "What each line brings",
            "Expected points that a line adds to the final score. Read along a row to see where policies differ.",
        )
        frame = self.found.tables["line_means"]
        policies = [one.policy for one in self.found.solutions]
        part.table(
            frame,
            "Points per game by line and policy, exact",
            columns={"label": "Line", "section": "Section", **{policy: policy for policy in policies}},
            formats=dict.fromkeys(policies, "z.2f"),
        )
        self.chart(part, "line_values")
        for policy in policies:
            self._lines_of(part.details(f"Lines under {policy}"), policy)

    def _lines_of(self, part: Part, policy: str) -> None:
        """Exact values of the lines under a policy, and what the simulation says of them."""
        name = file_name(policy)
        exact, simulated = (self.found.tables[f"{kind}_{name}"] for kind in ("lines", "simulated_lines"))
        frame = exact.drop(columns=["line"]).assign(
            simulated_mean=simulated["mean"],
            lower=simulated["lower"],
            upper=simulated["upper"],
            simulated_zero_rate=simulated["zero_rate"],
            zero_lower=simulated["zero_rate_lower"],
            zero_upper=simulated["zero_rate_upper"],
        )
        headings = {name: "" for name in frame.columns if name.startswith("simulated")}
        known = [str(name) for name in exact.columns if name not in ("line", "label", "section")]
        part.table(
            frame,
            f"Points and zeros by line under {policy}",
            columns={
                "label": "Line",
                "mean": "Mean",
                "simulated_mean": "Mean",
                "zero_rate": "Zero rate",
                "simulated_zero_rate": "Zero rate",
                **{name: name.replace("_", " ").capitalize() for name in known if name not in ("mean", "zero_rate")},
            },
            formats={"simulated_mean": "z.2f", "simulated_zero_rate": "z.2%"},
            intervals={"simulated_mean": ("lower", "upper"), "simulated_zero_rate": ("zero_lower", "zero_upper")},
            notes={**dict.fromkeys(known, EXACT), **dict.fromkeys(headings, self.simulated)},
        )

    def _rounds(self) -> None:
        part = self.page.section(
            "When lines are filled",
            "Of best play, exact. A row is a line, a column a round; the stronger the colour, the more.",
        )
        self.chart(part, "line_rounds")
        self.chart(part, "line_round_means")

    def _turns(self) -> None:
        part = self.page.section(
            "One turn for one line",
            "What a turn brings if it is played for one line alone: what the line is worth when nothing else counts.",
        )
        part.table(
            self.found.tables["turn_values"],
            "One turn played for one line, exact",
            columns={
                "label": "Line",
                "section": "Section",
                "mean": "Mean points",
                "standard_deviation": "Standard deviation",
                "zero_rate": "Chance of 0 points",
            },
        )

    def _served(self) -> None:
        part = self.page.section(
            "Served results",
            "Shares of games that fill a line served, plain or with 0 points, or are won before it is filled.",
        )
        self.chart(part, "served_values")
        part.table(
            self.found.tables["served"],
            "Served results by policy, exact",
            columns={
                "policy": "Policy",
                "label": "Line",
                "points": "Points plain",
                "served_points": "Points served",
                "served_rate": "Filled served",
                "plain_rate": "Filled plain",
                "zero_rate": "Filled with 0",
                "open_rate": "Never filled",
            },
        )

    def _wins(self) -> None:
        part = self.page.section(
            "Instant wins", "Shares of games that end at once, by the way they are won; the other games are played out."
        )
        part.items(win.text for win in self.found.rules.instant_wins)
        self.chart(part, "win_ways")
        part.table(
            self.found.tables["wins"],
            "Games won at once, by policy",
            columns={
                "policy": "Policy",
                "label": "Win",
                "chance": "Chance",
                "simulated_chance": "Chance",
                "mean_round": "Mean round",
            },
            intervals={"simulated_chance": ("lower", "upper")},
            notes={"chance": EXACT, "simulated_chance": self.simulated, "mean_round": EXACT},
        )
        for name in self.found.charts:
            if name.startswith("win_rounds_"):
                self.chart(part, name)

    def _first_rolls(self) -> None:
        part = self.page.section(
            "First rolls",
            "What each keep of the first roll loses against the best one. Shown are close calls that come up often, and"
            " rolls where a mistake costs most.",
        )
        for name in self.found.charts:
            if name.startswith("keeps_"):
                self.chart(part, name)
        opening = self.found.tables["opening"]
        part.details(f"Best keep of all {len(opening)} first rolls").table(
            opening, "Best keep of every first roll, exact", columns=[str(name) for name in opening.columns]
        )

    def _matches(self) -> None:
        part = self.page.section(
            "Matches",
            "Two players with a policy each, who change seats from match to match. The payoff is what a player receives"
            " in a match.",
        )
        if self.found.rules.settlement.text:
            part.prose(self.found.rules.settlement.text)
        for one in self.found.matches:
            self._match(part, one)

    def _match(self, part: Part, one: MatchResult) -> None:
        versus = " against ".join(one.players)
        name = f"match_{file_name(' '.join(one.players))}"
        part.subheading(versus)
        frame = self.found.tables[name]
        columns = {f"won_{number}": f"Column {number} won" for number in range(1, one.rules.settlement.columns + 1)}
        shares = {key: text for key, text in {**columns, "sweep_rate": "All columns won"}.items() if key in frame}
        intervals = {
            "payoff": ("lower", "upper"),
            "win_rate": ("win_lower", "win_upper"),
            "mean_points": ("points_lower", "points_upper"),
            **{column: (f"{column}_lower", f"{column}_upper") for column in shares},
        }
        part.table(
            frame,
            f"{one.matches:,} matches: {versus}",
            columns={
                "player": "Player",
                "payoff": "Payoff",
                "win_rate": "Win rate",
                "mean_points": "Mean points",
                **shares,
            },
            intervals=intervals,
            formats={"mean_points": "z,.2f"},
            notes=dict.fromkeys(intervals, self.simulated),
        )
        self.chart(part, name)

    def _check(self) -> None:
        part = self.page.section(
            "Simulation against exact values",
            "Both compute the same figures in different ways. If both are right, all differences lie in the band in at"
            " least 95% of simulations.",
        )
        for name in self.found.charts:
            if name.startswith("simulation_"):
                self.chart(part, name)

    def _rules(self, settings: Sequence[Setting], notes: Sequence[str]) -> None:
        rules = self.found.rules
        part = self.page.section("Rules and options", "The rules in force; every figure above is of these.")
        locked = "; kept dice stay kept" if rules.lock_kept else ""
        part.facts(
            {
                "Dice": f"{rules.dice} with {rules.faces} faces",
                "Throws a turn": f"{rules.throws}{locked}",
                "Lines": f"{len(rules.lines)}: {', '.join(line.label for line in rules.lines)}",
            }
        )
        show_rules(part, rules, settings, notes)

    def _provenance(self, command: str) -> None:
        results = self.found.results
        tasks = {f"Task of {one.policy}": f"`{one.task_id}`" for one in results}
        tasks |= {f"Task of {' against '.join(one.players)}": f"`{one.task_id}`" for one in self.found.matches}
        facts = {
            "Rules": f"`{self.found.rules.id}`",
            "Seed": str(results[0].seed),
            "Games per policy": f"{results[0].games:,}",
        }
        self.provenance(command, facts | tasks)
