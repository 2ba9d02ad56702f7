"""A DataFrame as the cells of a table on a page: what is read, what sorts it, and values with their intervals."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from analyzer.report.tables import cell_texts, heading, numeric_columns

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Cell", "Column", "columns_of"]

SYMMETRIC = 0.02
"""How much of an interval's half width its two halves may differ by and still be told as one."""


@dataclass(frozen=True, slots=True)
class Cell:
    """What stands in a cell, and the number that it is sorted by: in full, empty where there is none."""

    text: str
    key: str


@dataclass(frozen=True, slots=True)
class Column:
    """A column: what it is called, what one must know of it, whether it holds numbers, and its cells."""

    heading: str
    note: str
    numeric: bool
    cells: tuple[Cell, ...]


def columns_of(
    frame: pd.DataFrame,
    columns: Mapping[str, str] | Iterable[str] | None = None,
    formats: Mapping[str, str] | None = None,
    intervals: Mapping[str, tuple[str, str]] | None = None,
    notes: Mapping[str, str] | None = None,
) -> list[Column]:
    """The columns of a table.

    Parameters
    ----------
    frame : pandas.DataFrame
        The table; its index is left out.
    columns : iterable of str or mapping of str to str, optional
        Which columns, in this order; a mapping gives their headings too. Otherwise all but the ends of intervals.
    formats : mapping of str to str, optional
        Format specifications of numbers by column, over those of `analyzer.report.tables.FORMATS`.
    intervals : mapping of str to (str, str), optional
        Columns with the lower and the upper end of the interval of a column, which are then told with the value: as
        ``value ± half width`` where intervals are symmetric, else as ``value (lower to upper)``.
    notes : mapping of str to str, optional
        A few words under a heading, such as ``exact``.

    Returns
    -------
    list of Column

    Raises
    ------
    KeyError
        If the DataFrame has no such column.

    Examples
    --------
    >>> import pandas as pd
    >>> frame = pd.DataFrame({"mean": [2.0, 3.5], "lower": [1.5, 3.0], "upper": [2.5, 4.0]})
    >>> (column,) = columns_of(frame, intervals={"mean": ("lower", "upper")})
    >>> column.heading, [cell.text for cell in column.cells], [cell.key for cell in column.cells]
    ('Mean', ['2.00 ± 0.50', '3.50 ± 0.50'], ['2.0', '3.5'])
    """
    intervals, notes = intervals or {}, notes or {}
    ends = {end for pair in intervals.values() for end in pair}
    shown = [str(name) for name in frame.columns if name not in ends] if columns is None else list(columns)
    headings = columns if isinstance(columns, Mapping) else {}
    found = []
    texts = dict(zip(map(str, frame.columns), zip(*cell_texts(frame, formats), strict=True), strict=bool(len(frame))))
    numeric = dict(zip(map(str, frame.columns), numeric_columns(frame), strict=True))
    for name in shown:
        values, mine = frame[name].tolist(), texts.get(name, ())
        if name in intervals:
            lower, upper = intervals[name]
            mine = _with_intervals(frame, name, lower, upper, formats)
        keys = [_key(value) if numeric[name] else "" for value in values]
        cells = tuple(Cell(text, key) for text, key in zip(mine, keys, strict=True))
        found.append(Column(headings.get(name, heading(name)), notes.get(name, ""), numeric[name], cells))
    return found


def _with_intervals(
    frame: pd.DataFrame, name: str, lower: str, upper: str, formats: Mapping[str, str] | None
) -> tuple[str, ...]:
    """Values with their intervals, all told in one way."""
    reach = frame[[name, lower, upper]].astype(float)
    below, above = reach[name] - reach[lower], reach[upper] - reach[name]
    known = below.notna() & above.notna()
    even = bool(((above - below).abs() <= SYMMETRIC * (above + below) / 2 + 1e-12)[known].all())
    # Ends and half widths are told as the value is.
    told = reach.assign(**{lower: (below + above) / 2}) if even else reach
    columns = [cell_texts(told[[column]].set_axis([name], axis=1), formats) for column in (name, lower, upper)]
    rows = [(value, low, high) for (value,), (low,), (high,) in zip(*columns, strict=True)]
    texts = [
        f"{value} ± {low.removeprefix('+')}" if even else f"{value} ({low} to {high})" for value, low, high in rows
    ]
    missing = reach[name].isna()
    return tuple(
        "-" if none else text if sure else f"{row[0]} (interval unknown)"
        for text, sure, none, row in zip(texts, known, missing, rows, strict=True)
    )


def _key(value: Any) -> str:
    """A number in full, as scripts read it; empty for none."""
    from pandas import isna

    if isna(value):
        return ""
    return repr(value).replace("inf", "Infinity")
