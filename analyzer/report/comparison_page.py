"""What the page about a comparison says, section by section."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import pandas as pd

from analyzer.games.card_rules import CardRules
from analyzer.report import compare_charts, score_charts
from analyzer.report.findings import Chart
from analyzer.report.page import Page
from analyzer.report.report_page import ReportPage

if TYPE_CHECKING:
    from collections.abc import Mapping

    from analyzer.analysis.comparison import Comparison

__all__ = ["comparison_charts", "comparison_page"]

EXACT = "exact"
STAGE_COLUMNS = {
    "stage": "Decision",
    "decisions": "Decisions a game",
    "differing": "Differing",
    "share": "Share",
    "cost_per_game": "Cost a game under {arm}",
    "base_cost_per_game": "Cost a game under {base}",
    "not_allowed": "Not allowed under {arm}",
}
TOP_COLUMNS = {
    "stage": "Decision",
    "dice": "Dice",
    "thrown_together": "Thrown together",
    "base": "{base} plays",
    "other": "{arm} plays",
    "chance": "Times a game",
    "cost": "Cost of {base}'s under {arm}",
    "example": "Example: lines filled",
}


def comparison_charts(result: Comparison) -> dict[str, Chart]:
    """Every chart of a comparison, by the name of its file."""
    drawn = {"differences": Chart("Differences with their intervals", compare_charts.differences(result))}
    if result.measure.kind != "rate":  # shares of a match take two or three values
        label = result.measure.label.lower()
        what = "total score" if result.measure.name == "score" else label
        axes = score_charts.score_distribution(result.scores(), what=what, unit=result.unit)
        drawn["score_distributions"] = Chart(f"Distribution of the {label}", axes)
    if any(measure.name.startswith("line:") for measure in result.contests[0].measures):
        drawn["line_changes"] = Chart("Change of each line", compare_charts.line_changes(result))
    if len(result.looks) > 1:
        drawn["convergence"] = Chart(
            f"The interval as {result.unit} come in", compare_charts.interval_convergence(result)
        )
    return drawn


def comparison_page(
    result: Comparison,
    drawn: Mapping[str, Chart],
    *,
    tables: Mapping[str, Mapping[str, str]],
    pictures: Mapping[str, Mapping[str, str]],
    command: str = "",
) -> Page:
    """The page about a comparison.

    Parameters
    ----------
    result : Comparison
        What is shown.
    drawn : mapping of str to Chart
        Its charts, from `comparison_charts`.
    tables, pictures : mapping of str to mapping of str to str
        Addresses of the tables and charts as files, by name and format.
    command : str
        Command line that writes the page again.

    Returns
    -------
    Page
    """
    return _ComparisonPage(result, drawn, tables, pictures).filled(command)


class _ComparisonPage(ReportPage):
    """The page while its sections are written."""

    def __init__(
        self,
        result: Comparison,
        drawn: Mapping[str, Chart],
        tables: Mapping[str, Mapping[str, str]],
        pictures: Mapping[str, Mapping[str, str]],
    ) -> None:
        self.result = result
        together = " together" if len(result.pairs) > 1 else ""
        self.cards = isinstance(result.contests[0].rules, CardRules)
        self.interval = f"{100 * result.confidence:.11g}% interval{together}"
        page = Page(f"{result.title}: {self._versus()}", figures=self._figures(), summary=self._summary())
        super().__init__(page, drawn, tables, pictures)

    def filled(self, command: str) -> Page:
        """The page with all its sections."""
        self._differences()
        self._arms()
        self._measures()
        self._play()
        self._spread()
        self._looks()
        self._rules()
        self._provenance(command)
        self.files()
        return self.page

    def _versus(self) -> str:
        names = self.result.names
        return f"{names[0]} against {names[1]}" if len(names) == 2 else f"{len(names)} arms compared"

    def _figures(self) -> list[tuple[str, str]]:
        frame = self.result.differences()
        found = []
        for row in frame.head(4).to_dict("records"):
            known = pd.notna(row["exact_difference"])
            value = row["exact_difference"] if known else row["difference"]
            half, how = (row["upper"] - row["lower"]) / 2, "exact" if known else "simulated"
            digits = 3 if known or not 0 < half < 0.005 else 1 - math.floor(math.log10(half))
            told, reach = f"{value:+.{digits}f}", f" ± {half:.2g}"
            if self.result.measure.kind == "rate":
                told, reach = f"{value:+.2%}", f" ± {half:.2%}"
            found.append((told if known else told + reach, f"{row['arm']} less {row['against']}, {how}"))
        found.append((f"{self.result.games:,}", f"{self.result.unit} of each arm"))
        return found

    def _summary(self) -> str:
        result = self.result
        same = "cards, where they play with the same deck" if self.cards else "random numbers"
        luck = f"All arms meet the same {same}, so that their differences are those of the arms, not of luck."
        if not result.common:
            luck = f"Every arm has {'cards' if self.cards else 'random numbers'} of its own."
        if result.precision is None:
            return luck
        wanted = f"every interval of a difference has a half width of at most {result.precision:g}"
        stop = f" The run stopped at the first look at which {wanted}."
        if not result.reached:
            stop = f" It was not reached within {result.games:,} {result.unit} that {wanted}."
        return f"{luck}{stop} Intervals are those of a confidence sequence, which hold however often one looks."

    def _pair_columns(self) -> dict[str, str]:
        """Columns that tell pairs apart, where there are several."""
        return {"arm": "Arm", "against": "Against"} if len(self.result.pairs) > 1 else {}

    def _names(self, word: str) -> tuple[str, str]:
        """Headings of the two arms of a pair: their names, where there is only one pair."""
        first, second, *others = self.result.names
        return (word, word) if others else (first, second)

    def _formats(self, *names: str) -> dict[str, str]:
        """How columns of the main measure are told, where it is a share."""
        return dict.fromkeys(names, "z.2%") if self.result.measure.kind == "rate" else {}

    def _differences(self) -> None:
        part = self.page.section(
            "Differences",
            f"How much more each arm brings on average (the {compare_charts.compared(self.result)}). An interval that"
            " leaves out zero shows a real difference.",
        )
        self.chart(part, "differences")
        frame = self.result.differences()
        columns = {
            "arm": "Arm",
            "against": "Against",
            "difference": "Difference",
            "exact_difference": "Difference",
            "controlled_difference": "Difference, luck removed",
            "adjusted_p_value": "P-value, adjusted",
            "equivalence_p_value": "P-value of equivalence",
            "correlation": "Correlation",
            "variance_reduction": "Variance reduction",
        }
        notes = {
            "difference": self.interval,
            "exact_difference": EXACT,
            "variance_reduction": f"times, by equal {'cards' if self.cards else 'dice'}",
        }
        intervals = {"difference": ("lower", "upper")}
        if "controlled_difference" in frame:
            intervals["controlled_difference"] = ("controlled_lower", "controlled_upper")
            notes["controlled_difference"] = "by the arm that is solved exactly"
        if self.result.margin is not None:
            notes["equivalence_p_value"] = f"within {self.result.margin:g} either way"
        shown, formats = _known(frame, columns), self._formats("difference", "lower", "upper")
        part.table(frame, "Differences of means", columns=shown, intervals=intervals, notes=notes, formats=formats)

    def _arms(self) -> None:
        often = ", and how often which score comes up" if "score_distributions" in self.charts else ""
        part = self.page.section("The arms", f"What each arm brings{often}.")
        frame, means = self.result.means(), "z.3f" if self.cards else "z.2f"
        columns = {
            "arm": "Arm",
            "policy": "Policy",
            "mean": "Mean",
            "exact_mean": "Mean",
            "standard_deviation": "Deviation",
            "exact_standard_deviation": "Deviation",
        }
        part.table(
            frame,
            "Means and deviations",
            columns=_known(frame, columns),
            intervals={"mean": ("lower", "upper")},
            formats=self._formats("mean", "lower", "upper") or dict.fromkeys(("mean", "lower", "upper"), means),
            notes={
                "mean": "simulated, with interval",
                "exact_mean": EXACT,
                "standard_deviation": "simulated",
                "exact_standard_deviation": EXACT,
            },
        )
        if "score_distributions" in self.charts:
            self.chart(part, "score_distributions")

    def _measures(self) -> None:
        reading = "Line by line: what each arm brings" if "line_changes" in self.charts else "What each arm comes to"
        part = self.page.section(
            "What else changes",
            f"{reading}, and the difference with its interval. The intervals of this section hold all together.",
        )
        if "line_changes" in self.charts:
            self.chart(part, "line_changes")
        frame = self.result.measures()
        if self.cards:  # such as revolutions, where no arm has them
            frame = frame[(frame[["base_mean", "arm_mean"]] != 0).any(axis=1)]
        columns = {
            "label": "What",
            **self._pair_columns(),
            "base_mean": self._names("Base")[0],
            "arm_mean": self._names("Arm")[1],
            "difference": "Difference",
            "exact_difference": "Difference",
            "adjusted_p_value": "P-value, adjusted",
        }
        for kinds, caption, unit in (
            (("points", "rounds"), "Means" if self.cards else "Points and rounds", "z.3f"),
            (("rate",), "Rates" if self.cards else "Rates: wins, and lines filled with 0", "z.3%"),
        ):
            rows = frame[frame["kind"].isin(kinds)]
            if rows.empty:
                continue
            part.table(
                rows,
                caption,
                columns=_known(rows, columns),
                formats=dict.fromkeys(
                    ("base_mean", "arm_mean", "difference", "lower", "upper", "exact_difference"), unit
                ),
                intervals={"difference": ("lower", "upper")},
                notes={
                    "base_mean": "simulated",
                    "arm_mean": "simulated",
                    "difference": "simulated, with interval",
                    "exact_difference": EXACT,
                },
            )

    def _play(self) -> None:
        changes = self.result.play_changes
        if not changes:
            return
        part = self.page.section(
            "How best play changes",
            "Where the best keep or entry differs between two arms, weighted by how often the position comes up. All of"
            " it is exact.",
        )
        for (arm, base), change in changes.items():
            part.subheading(f"{arm} against {base}")
            part.prose(f"{change}.")
            part.table(
                change.stages(),
                "Decisions of a game, and how many of them differ, exact",
                columns=_play_columns(STAGE_COLUMNS, arm, base),
            )
            top = change.top()
            part.table(
                top,
                "The most costly differences, exact",
                columns={name: text for name, text in _play_columns(TOP_COLUMNS, arm, base).items() if name in top},
                formats={"chance": "z.4f"},
            )

    def _spread(self) -> None:
        single = _single(self.result.unit) if self.cards else "game"
        part = self.page.section(
            f"How much {self.result.unit if self.cards else 'scores'} vary",
            f"Standard deviations of a single {single}, and their difference.",
        )
        frame = self.result.spread()
        columns = {
            **self._pair_columns(),
            "base_deviation": self._names("Base")[0],
            "arm_deviation": self._names("Arm")[1],
            "difference": "Difference",
            "exact_difference": "Difference",
        }
        part.table(
            frame,
            "Standard deviations",
            columns=_known(frame, columns),
            intervals={"difference": ("lower", "upper")},
            notes={"difference": self.interval, "exact_difference": EXACT},
        )

    def _looks(self) -> None:
        if "convergence" not in self.charts:
            return
        part = self.page.section(
            "How the interval closed", f"The difference and its interval after so many {self.result.unit}."
        )
        self.chart(part, "convergence")

    def _rules(self) -> None:
        part = self.page.section("Rules and policies", "What each arm plays. Rules in full are under each arm.")
        for arm, contest in zip(self.result.arms, self.result.contests, strict=True):
            inside = part.details(f"{arm.label}: {contest.rules.title}, {contest.policy}")
            inside.items(filter(None, contest.rules.text.splitlines()))
            inside.code(contest.rules.to_toml().strip(), "Rules file")

    def _provenance(self, command: str) -> None:
        arms = zip(self.result.arms, self.result.contests, strict=True)
        facts = {
            "Task": f"`{self.result.task_id}`",
            "Seed": str(self.result.seed),
            f"{self.result.unit.capitalize()} of each arm": f"{self.result.games:,}",
            **{f"Rules of {arm.label}": f"`{contest.rules.id}`" for arm, contest in arms},
        }
        self.provenance(command, facts)


def _single(unit: str) -> str:
    """One of the units that were played: a game, hand, match or deal."""
    return unit.removesuffix("es" if unit.endswith("ches") else "s")


def _known(frame: pd.DataFrame, columns: Mapping[str, str]) -> dict[str, str]:
    """The columns that have a value, such as exact ones only where something is exact."""
    return {name: text for name, text in columns.items() if name in frame and frame[name].notna().any()}


def _play_columns(headings: Mapping[str, str], arm: str, base: str) -> dict[str, str]:
    """Columns of play changes with headings that name the arms."""
    return {name: text.format(arm=arm, base=base) for name, text in headings.items()}
