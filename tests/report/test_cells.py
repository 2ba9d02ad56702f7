"""Cells of tables: what is read, what they are sorted by, and how intervals are told."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from analyzer.report.cells import Cell, Column, columns_of

FRAME = pd.DataFrame(
    {
        "label": ["Aces", "Sixes", None],
        "keep": [(5, 5), (), None],
        "mean": [2.104, 19.2, np.nan],
        "zero_rate": [0.11, 0.005, np.nan],
        "games": [1000, 20000, 3],
    }
)


def texts(column: Column) -> list[str]:
    return [cell.text for cell in column.cells]


def test_cells_are_formatted_and_keep_all_digits() -> None:
    label, keep, mean, zero, games = columns_of(FRAME)
    assert [column.heading for column in (label, keep, mean, zero, games)] == [
        "Label",
        "Keep",
        "Mean",
        "Zero rate",
        "Games",
    ]
    assert mean.cells == (Cell("2.10", "2.104"), Cell("19.20", "19.2"), Cell("-", ""))
    assert games.cells == (Cell("1,000", "1000"), Cell("20,000", "20000"), Cell("3", "3"))
    assert texts(zero) == ["11.00%", "0.50%", "-"]
    assert texts(label) == ["Aces", "Sixes", "-"]
    assert texts(keep) == ["5 5", "none", "-"]
    assert [column.numeric for column in (label, keep, mean, zero, games)] == [False, False, True, True, True]
    assert all(cell.key == "" for column in (label, keep) for cell in column.cells)


def test_keys_are_numbers_that_scripts_read() -> None:
    (column,) = columns_of(pd.DataFrame({"x": [np.inf, -np.inf, 1e-300, 0.1 + 0.2, -0.0]}))
    assert [cell.key for cell in column.cells] == ["Infinity", "-Infinity", "1e-300", "0.30000000000000004", "-0.0"]
    (column,) = columns_of(pd.DataFrame({"x": pd.array([1, None], dtype="Int64")}))
    assert column.cells == (Cell("1", "1"), Cell("-", ""))


def test_columns_are_chosen_ordered_and_called() -> None:
    games, label = columns_of(FRAME, {"games": "Number", "label": ""}, notes={"games": "exact"})
    assert (games.heading, games.note, label.heading, label.note) == ("Number", "exact", "", "")
    assert [column.heading for column in columns_of(FRAME, ["mean", "label"])] == ["Mean", "Label"]
    assert texts(columns_of(FRAME, ["mean"], formats={"mean": ".1f"})[0]) == ["2.1", "19.2", "-"]
    with pytest.raises(KeyError, match="nothing"):
        columns_of(FRAME, ["nothing"])


def with_interval(lower: list[float], upper: list[float], values: tuple[float, ...] = (0.5, 0.25)) -> list[str]:
    frame = pd.DataFrame({"zero_rate": values, "low": lower, "high": upper})
    (column,) = columns_of(frame, intervals={"zero_rate": ("low", "high")})
    assert [cell.key for cell in column.cells] == ["" if np.isnan(value) else repr(value) for value in values]
    return texts(column)


def test_intervals_as_half_widths_only_where_all_are_symmetric() -> None:
    assert with_interval([0.4, 0.2], [0.6, 0.3]) == ["50.00% ± 10.00%", "25.00% ± 5.00%"]
    assert with_interval([0.4, 0.2], [0.6, 0.35]) == ["50.00% (40.00% to 60.00%)", "25.00% (20.00% to 35.00%)"]
    assert with_interval([0.5, 0.25], [0.5, 0.25]) == ["50.00% ± 0.00%", "25.00% ± 0.00%"]


def test_intervals_that_are_not_known() -> None:
    nan = float("nan")
    assert with_interval([0.4, nan], [0.6, nan]) == ["50.00% ± 10.00%", "25.00% (interval unknown)"]
    assert with_interval([0.4, nan], [0.6, nan], (0.5, nan)) == ["50.00% ± 10.00%", "-"]
    assert with_interval([nan, nan], [nan, nan]) == ["50.00% (interval unknown)", "25.00% (interval unknown)"]


def test_ends_of_intervals_are_told_in_the_format_of_the_value() -> None:
    frame = pd.DataFrame({"payoff": [1.0], "lower": [0.9], "upper": [1.4]})
    (column,) = columns_of(frame, formats={"payoff": "+.1f"}, intervals={"payoff": ("lower", "upper")})
    assert texts(column) == ["+1.0 (+0.9 to +1.4)"]


def test_a_table_without_rows_has_its_columns() -> None:
    columns = columns_of(FRAME.iloc[:0], intervals={"mean": ("zero_rate", "games")})
    assert [(column.heading, column.cells) for column in columns] == [("Label", ()), ("Keep", ()), ("Mean", ())]


def test_a_half_width_has_no_sign() -> None:
    frame = pd.DataFrame({"payoff": [-2.0], "lower": [-2.5], "upper": [-1.5]})
    (column,) = columns_of(frame, formats={"payoff": "+.1f"}, intervals={"payoff": ("lower", "upper")})
    assert texts(column) == ["-2.0 ± 0.5"]
