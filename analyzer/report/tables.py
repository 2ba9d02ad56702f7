"""DataFrames as tables: files that read back equal, Markdown, and tables for the terminal."""

from __future__ import annotations

import importlib.util
import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from html import escape
from io import BytesIO
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, SupportsFloat, TypeGuard

from analyzer.engine.store import write_atomically
from analyzer.errors import StorageError, UsageError

if TYPE_CHECKING:
    import pandas as pd
    from rich.table import Table

__all__ = [
    "FORMATS",
    "cell_texts",
    "default_formats",
    "heading",
    "numeric_columns",
    "rich_table",
    "show_value",
    "to_markdown",
    "write_table",
]

FORMATS: Mapping[str, str] = MappingProxyType(
    {
        **dict.fromkeys(("mean", "standard_deviation", "mean_round", "available_mean", "points", "score"), "z.2f"),
        **dict.fromkeys(
            ("expected_score", "expected_value", "simulated_mean", "loss", "standard_error", "lower", "upper"), "z.3f"
        ),
        **dict.fromkeys(("rate", "rate_lower", "rate_upper", "win_rate", "win_lower", "win_upper"), "z.2%"),
        **dict.fromkeys(("won_1", "won_2", "won_3", "sweep_rate"), "z.2%"),
        **dict.fromkeys(("payoff", "mean_points", "first_points", "second_points"), "z.3f"),
        **dict.fromkeys(("zero_rate", "zero_rate_lower", "zero_rate_upper"), "z.2%"),
        **dict.fromkeys(("served_rate", "plain_rate", "filled_rate", "open_rate"), "z.2%"),
        **dict.fromkeys(("difference", "exact_difference", "exact_mean", "base_mean", "arm_mean"), "z.4f"),
        **dict.fromkeys(("base_deviation", "arm_deviation", "exact_standard_deviation"), "z.3f"),
        **dict.fromkeys(("p_value", "adjusted_p_value", "equivalence_p_value"), ".2g"),
        **dict.fromkeys(("correlation", "variance_reduction"), ".3g"),
        **dict.fromkeys(("cost", "base_cost", "cost_per_game", "base_cost_per_game", "not_allowed"), "z.4f"),
        **dict.fromkeys(("share",), "z.2%"),
        **dict.fromkeys(("decisions", "differing"), "z.3f"),
        **dict.fromkeys(("probability", "at_least", "chance", "zero_rate_standard_error"), "z.3%"),
        **dict.fromkeys(("instant_win", "simulated_chance"), "z.3%"),
        **dict.fromkeys(("value", "value_start", "value_end", "value_before", "value_after"), "z.3f"),
        **dict.fromkeys(("value_chosen", "value_best", "lost"), "z.3f"),
        **dict.fromkeys(("euchred", "euchred_lower", "euchred_upper", "made", "march", "alone", "lone_march"), "z.1%"),
        **dict.fromkeys(("lone_defence", "called", "called_lower", "called_upper", "ordered", "made_trump"), "z.1%"),
        **dict.fromkeys(("called_when_asked", "changed"), "z.1%"),
        "points_of_pass": "z.3f",
        **dict.fromkeys(("win", "win_by_points", "other_side", "one", "two", "four", "three_or_four"), "z.1%"),
        **dict.fromkeys(("other_scores", "nobody", "dealing", "not_dealing"), "z.1%"),
        **dict.fromkeys(("games_won", "loss_error", "place"), "z.3f"),
        **dict.fromkeys(("kept", "kept_lower", "kept_upper", "at_least_once", "president", "scum"), "z.1%"),
        **{f"place_{place}": "z.1%" for place in range(1, 9)},
        "luck": "+z.3f",
        "quantile": ".4g",
    }
)
"""How people read the columns of results; another fraction is shown with six digits."""

NO_DICE = "none"
LEAST_P_VALUE = 1e-16
"""Smaller p-values are shown as smaller than this: rounding decides about their digits."""
_MARKS = re.compile(r"[\\`*\[\]<>|~&$]|(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])")
_PLAIN_NAME = re.compile(r"[^\W.][\w.+ -]*")


def write_table(frame: pd.DataFrame, folder: str | Path, name: str, formats: Sequence[str] | None = None) -> list[Path]:
    """Write a DataFrame to a folder, one file for each format.

    CSV, JSON (a list of one object for each row) and Parquet hold every digit and read back equal; Markdown
    is rounded for people. The dice of a keep are a list in JSON and Parquet and text such as ``5 5 3`` or
    ``none`` in CSV. Missing numbers are empty in CSV and null in JSON. The index is not written. A reader of
    a file that is being replaced sees the old content or the new.

    Parameters
    ----------
    frame : pandas.DataFrame
        The table.
    folder : str or path
        Made if it does not exist.
    name : str
        Name of the files, without folder and suffix.
    formats : sequence of str, optional
        Out of ``csv``, ``md``, ``json`` and ``parquet``; otherwise `default_formats`.

    Returns
    -------
    list of pathlib.Path
        The files, in the order of the formats.

    Raises
    ------
    UsageError
        If a format is unknown or needs a package that is not installed, or the name is no plain file name.
    StorageError
        If the folder cannot be written.

    Examples
    --------
    >>> import tempfile, pandas as pd
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     paths = write_table(pd.DataFrame({"score": [0, 50]}), folder, "scores", ["csv", "md"])
    ...     print([path.name for path in paths], paths[0].read_text().split())
    ['scores.csv', 'scores.md'] ['score', '0', '50']
    """
    chosen = default_formats() if formats is None else tuple(formats)
    for one in chosen:
        if one not in _WRITERS:
            raise UsageError(f"table format {one!r} is unknown; choose from {', '.join(_WRITERS)}")
        if one == "parquet" and not _has_parquet():
            raise UsageError("table format 'parquet' needs the package pyarrow; install it or leave it out")
    if not _PLAIN_NAME.fullmatch(name):
        raise UsageError(f"table name {name!r} is no plain file name; use letters, digits and _.+-")
    if not frame.columns.is_unique:
        raise ValueError(f"columns are not unique: {list(frame.columns)}")

    contents = {one: _WRITERS[one](frame) for one in chosen}
    paths = []
    try:
        Path(folder).mkdir(parents=True, exist_ok=True)
        for one, content in contents.items():
            path = Path(folder) / f"{name}.{one}"
            write_atomically(path, content)
            paths.append(path)
    except OSError as problem:
        reason = problem.strerror or type(problem).__name__
        raise StorageError(f"table {name!r} cannot be written to {folder}: {reason}") from problem
    return paths


def default_formats() -> tuple[str, ...]:
    """The formats of a table that can be written here: Parquet only where pyarrow is installed.

    Returns
    -------
    tuple of str

    Examples
    --------
    >>> default_formats()[:3]
    ('csv', 'md', 'json')
    """
    return tuple(one for one in _WRITERS if one != "parquet" or _has_parquet())


def to_markdown(frame: pd.DataFrame, formats: Mapping[str, str] | None = None) -> str:
    r"""A DataFrame as a table of GitHub's Markdown, with numbers to the right and every cell escaped.

    Parameters
    ----------
    frame : pandas.DataFrame
        The table; its index is left out.
    formats : mapping of str to str, optional
        Format specifications of numbers by column, over those of `FORMATS`.

    Returns
    -------
    str
        Ends with a line break.

    Examples
    --------
    >>> import pandas as pd
    >>> print(to_markdown(pd.DataFrame({"label": ["Aces", "a|b"], "mean": [2.107, 19.2]})), end="")
    | Label |  Mean |
    |:------|------:|
    | Aces  |  2.11 |
    | a\|b  | 19.20 |
    """
    cells = [[_escape(text) for text in row] for row in cell_texts(frame, formats)]
    titles = [_escape(heading(str(column))) for column in frame.columns]
    numeric = numeric_columns(frame)
    widths = [max(3, *map(len, column)) for column in zip(titles, *cells, strict=True)]

    def line(row: Sequence[str]) -> str:
        padded = [
            text.rjust(width) if right else text.ljust(width)
            for text, width, right in zip(row, widths, numeric, strict=True)
        ]
        return f"| {' | '.join(padded)} |"

    rule = [
        "-" * (width + 1) + ":" if right else ":" + "-" * (width + 1)
        for width, right in zip(widths, numeric, strict=True)
    ]
    return "\n".join([line(titles), f"|{'|'.join(rule)}|", *map(line, cells)]) + "\n"


def rich_table(
    frame: pd.DataFrame,
    title: str | None = None,
    columns: Mapping[str, str] | Iterable[str] | None = None,
    formats: Mapping[str, str] | None = None,
) -> Table:
    """A DataFrame as a table for the terminal.

    Parameters
    ----------
    frame : pandas.DataFrame
        The table; its index is left out.
    title : str, optional
        What the table shows.
    columns : iterable of str or mapping of str to str, optional
        Which columns, in this order; a mapping gives their headings too.
    formats : mapping of str to str, optional
        Format specifications of numbers by column, over those of `FORMATS`.

    Returns
    -------
    rich.table.Table

    Raises
    ------
    KeyError
        If the DataFrame has no such column.

    Examples
    --------
    >>> import pandas as pd
    >>> from rich.console import Console
    >>> frame = pd.DataFrame({"keep": [(5, 5), ()], "loss": [0.0, 1.25]})
    >>> Console(width=40).print(rich_table(frame, columns={"loss": "Costs", "keep": "Keep"}))
    ... # doctest: +NORMALIZE_WHITESPACE
     Costs   Keep
    ──────────────
     0.000   5 5
     1.250   none
    """
    from rich import box
    from rich.table import Table
    from rich.text import Text

    headings = dict(columns) if isinstance(columns, Mapping) else {}
    shown = frame if columns is None else frame[list(columns)]
    table = Table(
        title=None if title is None else Text(title, style="bold"),
        box=box.SIMPLE_HEAD,
        show_edge=False,
        title_justify="left",
    )
    rows = cell_texts(shown, formats)
    for place, (column, right) in enumerate(zip(map(str, shown.columns), numeric_columns(shown), strict=True)):
        caption = headings.get(column, heading(column))
        # Where the terminal is too narrow, sentences are wrapped rather than words and numbers cut.
        single = all(" " not in row[place] for row in rows)
        table.add_column(Text(caption), justify="right" if right else "left", no_wrap=single)
    for row in rows:
        table.add_row(*map(Text, row))
    return table


def to_html(frame: pd.DataFrame, formats: Mapping[str, str] | None = None) -> str:
    """A DataFrame as an HTML table, for notebooks.

    Parameters
    ----------
    frame : pandas.DataFrame
        The table; its index is left out.
    formats : mapping of str to str, optional
        Format specifications of numbers by column, over those of `FORMATS`.

    Returns
    -------
    str

    Examples
    --------
    >>> import pandas as pd
    >>> print(to_html(pd.DataFrame({"line": ["A&B"]})))
    <table><thead><tr><th>Line</th></tr></thead><tbody><tr><td>A&amp;B</td></tr></tbody></table>
    """
    headings = "".join(f"<th>{escape(heading(str(column)))}</th>" for column in frame.columns)
    rows = ("".join(f"<td>{escape(text)}</td>" for text in row) for row in cell_texts(frame, formats))
    body = "".join(f"<tr>{row}</tr>" for row in rows)
    return f"<table><thead><tr>{headings}</tr></thead><tbody>{body}</tbody></table>"


def heading(column: str) -> str:
    """What a column is called in a table that people read.

    Parameters
    ----------
    column : str
        Name in the DataFrame.

    Returns
    -------
    str

    Examples
    --------
    >>> heading("zero_rate")
    'Zero rate'
    """
    text = column.replace("_", " ").strip()
    return text[:1].upper() + text[1:]


def show_value(value: Any, column: str = "", formats: Mapping[str, str] | None = None) -> str:
    """One cell as people read it.

    Parameters
    ----------
    value : object
        A number, text, dice as a sequence of faces, or nothing.
    column : str, optional
        Its column, which decides the format of a fraction.
    formats : mapping of str to str, optional
        Format specifications of numbers by column, over those of `FORMATS`.

    Returns
    -------
    str
        Whole numbers with separators of thousands, fractions as the column says, ``-`` for what is missing.

    Examples
    --------
    >>> show_value(0.04603, "probability"), show_value((5, 5, 3)), show_value(None)
    ('4.603%', '5 5 3', '-')
    """
    value = _native(value)
    if _is_dice(value):
        return " ".join(map(str, value)) or NO_DICE
    if _is_missing(value):
        return "-"
    if isinstance(value, bool | str):
        return str(value)
    if column.endswith("p_value") and value < LEAST_P_VALUE:
        return f"<{LEAST_P_VALUE:g}"
    given = (formats or {}).get(column)
    if hasattr(value, "__index__"):
        return format(int(value), given or ",d")
    if isinstance(value, SupportsFloat):
        return format(float(value), given or FORMATS.get(column, ".6g"))
    return str(value)


def cell_texts(frame: pd.DataFrame, formats: Mapping[str, str] | None) -> list[list[str]]:
    """Every cell as people read it, row by row."""
    if "chance" in frame:  # losses and intervals are then of chances too
        formats = {**dict.fromkeys(("loss", "lower", "upper"), FORMATS["chance"]), **(formats or {})}
    columns = [[show_value(value, str(name), formats) for value in frame[name].tolist()] for name in frame.columns]
    return [list(row) for row in zip(*columns, strict=True)]


def numeric_columns(frame: pd.DataFrame) -> list[bool]:
    """Whether each column holds numbers."""
    return [dtype.kind in "iuf" for dtype in frame.dtypes]


def _escape(text: str) -> str:
    """Text that Markdown shows as it is, on one line."""
    return _MARKS.sub(r"\\\g<0>", " ".join(text.split()))


def _is_dice(value: Any) -> TypeGuard[Sequence[int]]:
    return isinstance(value, tuple | list)


def _is_missing(value: Any) -> bool:
    from pandas import isna

    return bool(isna(value))


def _has_parquet() -> bool:
    return importlib.util.find_spec("pyarrow") is not None


def _native(value: Any) -> Any:
    """Python's own number or list in place of NumPy's."""
    return value.tolist() if hasattr(value, "tolist") else value


def _plain(value: Any) -> Any:
    """A value as JSON can hold it."""
    value = _native(value)
    if _is_dice(value):
        return [_plain(one) for one in value]
    return None if _is_missing(value) else value


def _csv(frame: pd.DataFrame) -> bytes:
    mixed = [name for name, dtype in frame.dtypes.items() if dtype.kind == "O"]
    flat = frame.copy()
    for name in mixed:
        flat[name] = [show_value(value) if _is_dice(value) else value for value in frame[name]]
    return flat.to_csv(index=False, lineterminator="\n").encode()


def _json(frame: pd.DataFrame) -> bytes:
    """A list with one row on each line, so that a difference between two files is easy to see."""
    records = [{str(name): _plain(value) for name, value in row.items()} for row in frame.to_dict(orient="records")]
    rows = [json.dumps(record, ensure_ascii=False, allow_nan=False) for record in records]
    return ("[\n" + ",\n".join(rows) + "\n]\n").encode()


def _markdown(frame: pd.DataFrame) -> bytes:
    return to_markdown(frame).encode()


def _parquet(frame: pd.DataFrame) -> bytes:
    buffer = BytesIO()
    frame.to_parquet(buffer, engine="pyarrow", index=False)
    return buffer.getvalue()


_WRITERS: Mapping[str, Callable[[pd.DataFrame], bytes]] = MappingProxyType(
    {"csv": _csv, "md": _markdown, "json": _json, "parquet": _parquet}
)
