import csv
import json
import math
from io import StringIO
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from pandas.testing import assert_frame_equal
from rich.console import Console

from analyzer.errors import StorageError, UsageError
from analyzer.report import tables
from analyzer.report.tables import default_formats, rich_table, show_value, to_markdown, write_table

LINES = pd.DataFrame(
    {
        "line": ["aces", "four_of_a_kind", "upper_bonus"],
        "label": ["Aces", 'Cuatro iguales, "póker"', "Bonus | left\nside"],
        "mean": [2.1078432, 1 / 3, 0.1 + 0.2],
        "zero_rate": [0.0, 1e-300, 1.0],
        "mean_round": [7.25, 11.5, math.nan],
        "count": [0, 2**62, 17],
        "best": [True, False, True],
    }
)
KEEPS = pd.DataFrame({"keep": [(5, 5, 5), (12,), ()], "loss": [0.0, 0.125, 19.5]})

texts = st.text(
    st.characters(codec="utf-8", exclude_categories=["C", "Z"]) | st.sampled_from(r" \|`*_<>[]&~$"),
    max_size=12,
)


def cells_as_github_shows_them(markdown: str) -> list[list[str]]:
    """Rows of a Markdown table, read by a parser of CommonMark with GitHub's tables."""
    rows: list[list[str]] = []
    for token in MarkdownIt("commonmark").enable(["table", "strikethrough"]).parse(markdown):
        if token.type == "tr_open":
            rows.append([])
        if token.type == "inline":
            assert token.children is not None
            assert all(child.type == "text" for child in token.children), token.children
            rows[-1].append("".join(child.content for child in token.children))
    return rows


def shown(table: Any, width: int = 100) -> str:
    console = Console(width=width, file=StringIO(), color_system=None)
    console.print(table)
    return console.file.getvalue()  # type: ignore[attr-defined, no-any-return]


def test_csv_reads_back_equal(tmp_path: Path) -> None:
    (path,) = write_table(LINES, tmp_path, "lines", ["csv"])
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert list(rows[0]) == list(LINES)
    for name in ("line", "label"):
        assert [row[name] for row in rows] == LINES[name].tolist()
    for name in ("mean", "zero_rate"):
        assert [float(row[name]) for row in rows] == LINES[name].tolist()
    assert [row["mean_round"] for row in rows] == ["7.25", "11.5", ""]
    assert [int(row["count"]) for row in rows] == LINES["count"].tolist()
    assert [row["best"] for row in rows] == ["True", "False", "True"]
    assert b"\r" not in path.read_bytes()


def test_csv_is_what_pandas_reads(tmp_path: Path) -> None:
    (path,) = write_table(LINES, tmp_path, "lines", ["csv"])
    assert_frame_equal(pd.read_csv(path), LINES, rtol=1e-15)


def test_json_reads_back_equal(tmp_path: Path) -> None:
    (path,) = write_table(LINES, tmp_path, "lines", ["json"])
    rows = json.loads(path.read_text(encoding="utf-8"))
    assert rows[2]["mean_round"] is None
    assert_frame_equal(pd.DataFrame(rows), LINES, check_exact=True)


def test_parquet_reads_back_equal(tmp_path: Path) -> None:
    (path,) = write_table(LINES, tmp_path, "lines", ["parquet"])
    assert_frame_equal(pd.read_parquet(path), LINES, check_exact=True)


@given(st.lists(st.floats(allow_infinity=False), min_size=1), st.lists(texts, min_size=1))
def test_any_number_and_any_text_reads_back_equal(numbers: list[float], labels: list[str]) -> None:
    size = min(len(numbers), len(labels))
    frame = pd.DataFrame({"label": labels[:size], "mean": numbers[:size]})
    rows = json.loads(tables._json(frame))
    assert_frame_equal(pd.DataFrame(rows).astype(frame.dtypes), frame, check_exact=True)
    read = list(csv.DictReader(StringIO(tables._csv(frame).decode(), newline="")))
    assert [row["label"] for row in read] == labels[:size]
    assert [row["mean"] for row in read] == ["" if math.isnan(one) else str(one) for one in numbers[:size]]


def test_dice_of_keeps_read_back(tmp_path: Path) -> None:
    text, js, parquet = write_table(KEEPS, tmp_path, "keeps", ["csv", "json", "parquet"])
    assert pd.read_csv(text)["keep"].tolist() == ["5 5 5", "12", "none"]
    for rows in (json.loads(js.read_text()), pd.read_parquet(parquet).to_dict("records")):
        assert [tuple(row["keep"]) for row in rows] == KEEPS["keep"].tolist()
        assert [row["loss"] for row in rows] == KEEPS["loss"].tolist()


def test_all_formats_are_written_into_a_new_folder_and_nothing_else(tmp_path: Path) -> None:
    folder = tmp_path / "new" / "report"
    paths = write_table(LINES, str(folder), "lines")
    assert [path.name for path in paths] == ["lines.csv", "lines.md", "lines.json", "lines.parquet"]
    assert sorted(folder.iterdir()) == sorted(paths)


def test_same_table_gives_same_bytes_and_replaces(tmp_path: Path) -> None:
    first = [path.read_bytes() for path in write_table(LINES, tmp_path, "lines")]
    write_table(KEEPS, tmp_path, "lines")
    again = [path.read_bytes() for path in write_table(LINES, tmp_path, "lines")]
    assert first == again


def test_without_pyarrow_parquet_is_left_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tables, "_has_parquet", lambda: False)
    assert default_formats() == ("csv", "md", "json")
    assert len(write_table(LINES, tmp_path, "lines")) == 3
    with pytest.raises(UsageError, match="pyarrow"):
        write_table(LINES, tmp_path, "lines", ["parquet"])


@pytest.mark.parametrize("name", ["", "../lines", "a/b", ".hidden", "a\\b", "a\nb", "/x"])
def test_name_stays_in_the_folder(tmp_path: Path, name: str) -> None:
    with pytest.raises(UsageError, match="plain file name"):
        write_table(LINES, tmp_path, name)


def test_bad_formats_columns_and_folders_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="'xls' is unknown; choose from csv, md, json, parquet"):
        write_table(LINES, tmp_path, "lines", ["csv", "xls"])
    with pytest.raises(ValueError, match="not unique"):
        write_table(pd.DataFrame([[1, 2]], columns=["a", "a"]), tmp_path, "lines")
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(StorageError, match="cannot be written"):
        write_table(LINES, tmp_path / "file", "lines")
    with pytest.raises(ValueError, match="not JSON"):
        write_table(pd.DataFrame({"mean": [math.inf]}), tmp_path, "lines", ["csv", "json"])
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


@given(st.lists(st.tuples(texts, texts), min_size=1, max_size=4))
def test_markdown_shows_any_text_as_it_is(pairs: list[tuple[str, str]]) -> None:
    frame = pd.DataFrame(pairs, columns=["line", "label"])
    rows = cells_as_github_shows_them(to_markdown(frame))
    assert rows == [["Line", "Label"], *([" ".join(text.split()) for text in pair] for pair in pairs)]


def test_markdown_of_results() -> None:
    assert to_markdown(LINES.drop(columns=["line", "best"]), {"mean": ".1f"}).splitlines() == [
        "| Label                   | Mean | Zero rate | Mean round |                     Count |",
        "|:------------------------|-----:|----------:|-----------:|--------------------------:|",
        "| Aces                    |  2.1 |     0.00% |       7.25 |                         0 |",
        '| Cuatro iguales, "póker" |  0.3 |     0.00% |      11.50 | 4,611,686,018,427,387,904 |',
        "| Bonus \\| left side      |  0.3 |   100.00% |          - |                        17 |",
    ]


def test_markdown_of_an_empty_table() -> None:
    rows = cells_as_github_shows_them(to_markdown(LINES.head(0)))
    assert rows == [["Line", "Label", "Mean", "Zero rate", "Mean round", "Count", "Best"]]


@pytest.mark.parametrize(
    ("value", "column", "text"),
    [
        (np.float64(0.5), "at_least", "50.000%"),
        (np.int64(1835), "score", "1,835"),
        (-0.0001, "loss", "0.000"),
        (1 / 3, "anything", "0.333333"),
        (math.nan, "mean", "-"),
        (pd.NA, "mean", "-"),
        (np.array([5, 5, 3]), "keep", "5 5 3"),
        ((), "keep", "none"),
        (np.True_, "best", "True"),
        ("1_000", "label", "1_000"),
        (0.1, "quantile", "0.1"),
    ],
)
def test_cells(value: Any, column: str, text: str) -> None:
    assert show_value(value, column) == text


def test_terminal_table_chooses_orders_and_names_columns() -> None:
    table = rich_table(KEEPS, "What each keep costs", ["loss", "keep"])
    assert [column.header.plain for column in table.columns] == ["Loss", "Keep"]  # type: ignore[union-attr]
    assert [column.justify for column in table.columns] == ["right", "left"]
    lines = [line.strip() for line in shown(table).splitlines()]
    assert " ".join(lines[:2]) == "What each keep costs"
    assert [line.split() for line in lines[4:]] == [
        ["0.000", "5", "5", "5"],
        ["0.125", "12"],
        ["19.500", "none"],
    ]
    named = rich_table(KEEPS, columns={"loss": "Costs"}, formats={"loss": ".1f"})
    assert shown(named).split() == ["Costs", "─" * 7, "0.0", "0.1", "19.5"]


def test_terminal_table_shows_markup_as_text() -> None:
    frame = pd.DataFrame({"label": ["[bold]Aces[/bold]", "[/]"]})
    text = shown(rich_table(frame, "[red]title"))
    assert all(part in text for part in ("[bold]Aces[/bold]", "[/]", "[red]title"))


def test_terminal_table_without_such_a_column() -> None:
    with pytest.raises(KeyError):
        rich_table(KEEPS, columns=["roll"])


def test_intervals_of_chances_are_chances() -> None:
    frame = pd.DataFrame({"chance": [0.0125], "lower": [0.01], "upper": [0.015]})
    assert to_markdown(frame).splitlines()[-1].split() == ["|", "1.250%", "|", "1.000%", "|", "1.500%", "|"]
    assert to_markdown(frame[["lower"]]).splitlines()[-1].split() == ["|", "0.010", "|"]
    for column, text in [("served_rate", "12.50%"), ("filled_rate", "12.50%"), ("expected_value", "0.125")]:
        assert show_value(0.125, column) == text
