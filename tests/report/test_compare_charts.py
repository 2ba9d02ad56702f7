"""Charts and the page of a comparison, by what is on them."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from analyzer.analysis.arms import Arm
from analyzer.analysis.compare import compare
from analyzer.analysis.comparison import Comparison
from analyzer.errors import UsageError
from analyzer.games.registry import make_rules
from analyzer.report import charts
from analyzer.report.compare_charts import differences, interval_convergence, line_changes
from analyzer.report.folder import write_comparison
from analyzer.report.style import save_chart

BASE, STRAIGHT, DOUBLE = (
    make_rules("escalero", **options) for options in ({}, {"straight": "25"}, {"double_grande_row": True})
)


@cache
def comparison(kind: str = "") -> Comparison:
    arms = [Arm(BASE, "greedy", "base"), Arm(STRAIGHT, "greedy", "25 <b>&"), Arm(DOUBLE, "greedy", "double")]
    options: dict[str, Any] = {
        "": {"games": 9000},
        "precise": {"precision": 1.0, "margin": 4.0},
        "all": {"games": 9000, "against": "all", "exact": False, "common": False},
    }[kind]
    return compare(arms, seed=3, **options)


@cache
def best_play() -> Comparison:
    return compare([Arm(BASE, name="base"), Arm(STRAIGHT, name="straight")], games=5000)


def texts(ax: Any) -> list[str]:
    return [text.get_text() for text in ax.texts]


def test_a_forest_plot_has_every_interval() -> None:
    result = comparison()
    ax = differences(result)
    frame = result.differences()
    points, exact = (line for line in ax.lines if line.get_label() == "exact" or line.get_marker() == "o")
    assert points.get_xdata().tolist() == frame["difference"].tolist()
    assert exact.get_xdata().tolist() == frame["exact_difference"].tolist()
    (bars,) = (c.get_segments() for c in ax.collections if hasattr(c, "get_segments"))
    assert [(bar[0, 0], bar[1, 0]) for bar in bars] == list(zip(frame["lower"], frame["upper"], strict=True))
    assert [label.get_text() for label in ax.get_yticklabels()] == ["25 <b>&", "double"]
    assert any("intervals at 0.95 together" in text for text in texts(ax))
    assert not ax.patches


def test_a_margin_is_a_band_and_looks_are_told_of() -> None:
    ax = differences(comparison("precise"))
    (band,) = ax.patches
    assert (band.get_x(), band.get_width()) == (-4.0, 8.0)
    assert any("at all looks" in text for text in texts(ax))
    every = differences(comparison("all"))
    assert [label.get_text() for label in every.get_yticklabels()][2] == "double less 25 <b>&"
    assert any("random numbers of their own" in text for text in texts(every))
    assert every.get_legend() is None


def test_arms_that_play_alike_have_no_difference() -> None:
    alike = compare([Arm(BASE, "greedy", "base"), Arm(BASE, "greedy", "again"), Arm(STRAIGHT, "greedy")], games=9000)
    same, other = (text for text in texts(differences(alike)) if "(" in text)
    assert same == "0 (no difference)"
    assert other.startswith("+")
    labels = [text.get_text() for text in interval_convergence(alike).get_legend().get_texts()]
    assert labels[0] == "again less base\n0"


@pytest.mark.parametrize("kind", ["", "precise", "all"])
def test_no_text_of_the_forest_plot_leaves_it(kind: str) -> None:
    ax = differences(comparison(kind))
    figure = ax.figure
    figure.canvas.draw()
    inside = ax.get_window_extent()
    for text in ax.texts[1:]:
        box = text.get_window_extent()
        assert box.x1 <= inside.x1 + 1, text.get_text()


def test_lines_are_drawn_for_every_pair() -> None:
    result = comparison()
    ax = line_changes(result)
    frame = result.measures()
    frame = frame[frame["measure"].str.startswith("line:")]
    drawn = np.sort(np.concatenate([line.get_xdata() for line in ax.lines if line.get_marker() in ("o", "s")]))
    assert drawn.tolist() == np.sort(frame["difference"]).tolist()
    assert [label.get_text() for label in ax.get_yticklabels()][-1] == "Double grande"
    totals = [text.get_text().split("\n")[1] for text in ax.get_legend().get_texts()]
    assert totals[0].startswith(f"{result.differences()['difference'][0]:+.2f}")


def test_intervals_of_lines_hold_with_those_of_all_measures() -> None:
    """Also where there is one pair only."""
    assert any("intervals at 0.95 together" in text for text in texts(line_changes(best_play())))
    assert not any("together" in text for text in texts(differences(best_play())))


def test_bands_end_at_the_final_interval() -> None:
    result = comparison("precise")
    ax = interval_convergence(result)
    last = ax.collections[0].get_paths()[0].vertices
    final = result.differences().iloc[0]
    ends = last[last[:, 0] == result.games][:, 1]
    assert {round(float(final["lower"]), 9), round(float(final["upper"]), 9)} <= {round(float(y), 9) for y in ends}
    assert ax.get_xscale() == "log"
    assert any("holds at all looks together" in text for text in texts(ax))


def test_distributions_are_overlaid() -> None:
    ax = charts.score_distribution(comparison().scores())
    assert [text.get_text().split("\n")[0] for text in ax.get_legend().get_texts()] == ["base", "25 <b>&", "double"]


@pytest.mark.parametrize("chart", [differences, line_changes, interval_convergence])
def test_only_comparisons_are_drawn(chart: Any) -> None:
    with pytest.raises(UsageError, match="is no comparison; give what compare returns"):
        chart("optimal")


def test_the_same_chart_twice(tmp_path: Path) -> None:
    for chart in (differences, line_changes, interval_convergence):
        first, second = (save_chart(chart(comparison()), tmp_path / f"{name}.svg") for name in "ab")
        assert first.read_bytes() == second.read_bytes()


def test_a_folder_holds_the_page_tables_and_charts(tmp_path: Path) -> None:
    files = write_comparison(best_play(), tmp_path / "one", command="analyzer compare escalero --arm straight=25")
    names = {path.relative_to(tmp_path / "one").as_posix() for path in files}
    assert {"index.html", "tables/differences.csv", "tables/play_changes.md", "charts/line_changes.svg"} <= names
    page = files[0].read_text()
    for text in ("+3.497", "straight less base, exact", "How best play changes", "keep nothing", "Variance reduction"):
        assert text in page, text
    assert "analyzer compare escalero --arm straight=25" in page
    again = write_comparison(best_play(), tmp_path / "two", command="analyzer compare escalero --arm straight=25")
    for first, second in zip(files, again, strict=True):
        assert first.read_bytes() == second.read_bytes()
    frame = pd.read_csv(tmp_path / "one" / "tables" / "differences.csv")
    assert frame["difference"][0] == best_play().differences()["difference"][0]


def test_names_of_arms_are_text_on_the_page(tmp_path: Path) -> None:
    page = write_comparison(comparison("precise"), tmp_path)[0].read_text()
    assert "25 <b>&" not in page.replace("&amp;", "&amp").replace("25 <b>&amp", "")
    assert "25 &lt;b&gt;&amp;" in page
    assert (
        "The run stopped at the first look at which every interval of a difference has a half width of at most 1."
        in page
    )
    assert "P-value of equivalence" in page


def test_a_precision_that_is_missed_is_told(tmp_path: Path) -> None:
    arms = [Arm(BASE, "greedy", "base"), Arm(STRAIGHT, "greedy", "straight")]
    page = write_comparison(compare(arms, precision=0.1, games=5000), tmp_path)[0].read_text()
    assert "It was not reached within 5,000 games that every interval" in page
    assert "The run stopped" not in page


def test_everything_is_plain_json() -> None:
    content = json.dumps(best_play().to_dict(), default=lambda value: value.item(), allow_nan=False)
    assert json.loads(content)["play_changes"][0]["arm"] == "straight"


def test_a_run_of_two_close_looks_is_in_view_and_marked() -> None:
    ax, frame = interval_convergence(best_play()), best_play().convergence()
    last = frame[frame["games"] == 5000]
    low, high = ax.get_ylim()
    assert low < last["lower"].min()
    assert last["upper"].max() < high
    assert ax.get_xticks().tolist() == [4096, 5000]
