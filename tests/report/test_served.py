"""What served results bring: shares that add up, and a chart of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from analyzer.dice.lines import Line
from analyzer.dice.scorecard import ScorecardRules
from analyzer.errors import UsageError
from analyzer.games.escalero import Escalero
from analyzer.report.charts import served_values
from analyzer.report.served import served_table

SHARES = ["served_rate", "plain_rate", "zero_rate", "open_rate"]


def made(make_result: Callable[..., Any], rules: ScorecardRules, filled: float | None = None, **others: Any) -> Any:
    """A result of which a tenth of games fills each line served, and a quarter with nothing."""
    result = make_result(labels=[line.label for line in rules.lines], title=rules.title, **others)
    frame = result.lines_table[result.lines_table["section"] != "bonus"].copy()
    frame["line"] = rules.line_names
    frame["zero_rate"], frame["served_rate"] = 0.25, 0.1
    if filled is not None:
        frame["filled_rate"] = filled
    result.lines_table, result.rules = frame, rules
    return result


def bars(ax: Axes) -> np.ndarray:
    """Widths by part and line."""
    return np.array([[bar.get_width() for bar in container] for container in ax.containers])  # type: ignore[attr-defined]


def legend(ax: Axes) -> list[str]:
    found = ax.get_legend()
    assert found is not None
    return [text.get_text() for text in found.get_texts()]


def test_shares_of_lines_that_are_worth_more_if_served(make_result: Callable[..., Any]) -> None:
    table = served_table(made(make_result, Escalero().scorecard(), filled=0.9))
    assert table["line"].tolist() == ["straight", "full_house", "poker", "grande"]
    assert table["points"].tolist() == [20, 30, 40, 50]
    assert table["served_points"].tolist() == [25, 35, 45, 80]
    assert table[SHARES].to_numpy() == pytest.approx(np.tile([0.1, 0.55, 0.25, 0.1], (4, 1)))


def test_a_line_that_gains_nothing_or_is_filled_is_left_out(make_result: Callable[..., Any]) -> None:
    result = made(make_result, Escalero(double_grande_row=True).scorecard())
    assert served_table(result)["line"].tolist() == ["straight", "full_house", "poker", "double_grande"]
    result.lines_table = result.lines_table[result.lines_table["line"] != "poker"]
    assert served_table(result)["line"].tolist() == ["straight", "full_house", "double_grande"]


def test_parts_are_drawn_and_named_with_their_points(make_result: Callable[..., Any]) -> None:
    ax = served_values(made(make_result, Escalero(double_grande_row=True).scorecard()))
    assert bars(ax) == pytest.approx(np.repeat([[0.1], [0.65], [0.25]], 4, axis=1))
    assert legend(ax) == ["Served", "Plain", "0 points"]
    names = [label.get_text() for label in ax.get_yticklabels()]
    assert names[0] == "Straight\nserved 25: 10.0%\nplain 20: 65.0%\n0 points: 25.0%"
    assert names[-1] == "Double grande\nserved 100: 10.0%\n0 points: 25.0%"
    assert ax.get_title(loc="left") == "Escalero, optimal: what served results bring"
    assert ax.texts[0].get_text().endswith("exact values")
    assert ax.get_xlim() == (0, 1)


def test_games_that_are_won_before_are_a_part_of_their_own(make_result: Callable[..., Any]) -> None:
    ax = served_values(made(make_result, Escalero().scorecard(), filled=0.75, games=100))
    assert bars(ax)[-1] == pytest.approx([0.25] * 4)
    assert legend(ax)[-1] == "Never: the game\nwas won before"
    assert ax.texts[0].get_text().endswith("simulated")


def test_a_game_without_served_points(make_result: Callable[..., Any]) -> None:
    rules = ScorecardRules(name="plain", lines=(Line(name="chance", kind="chance"),))
    with pytest.raises(UsageError, match="Plain has no open line that is worth more if served"):
        served_values(made(make_result, rules))
    with pytest.raises(UsageError, match="is no result of games with rules and lines"):
        served_values(make_result())


@pytest.mark.parametrize("lines", [1, 3, 12])
@pytest.mark.parametrize("filled", [None, 0.9])
def test_served_values_are_readable(
    make_result: Callable[..., Any], assert_readable: Callable[..., None], lines: int, filled: float | None
) -> None:
    label = "Four alike, served from the first throw for $5"
    line = Line(name="poker", kind="of_a_kind", n=4, points=90_000, served_points=100_000, label=label)
    rules = ScorecardRules(name="many", lines=tuple(replace(line, name=f"poker_{number}") for number in range(lines)))
    result = made(make_result, rules, filled)
    assert_readable(served_values(result))
    ax = Figure(figsize=(8, 1.5 + lines), layout="constrained").add_subplot()
    assert served_values(result, ax) is ax
    assert isinstance(served_table(result), pd.DataFrame)
