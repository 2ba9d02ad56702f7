"""What commands print and save."""

from __future__ import annotations

import json
import sys
import textwrap
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, redirect_stdout
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

MARGIN = 3
"""Characters between two columns of a table."""


@contextmanager
def announced() -> Iterator[None]:
    """While the API runs: say on standard error when kernels are compiled, and send what a user's policy prints there.

    So standard output holds what the command itself prints, outside of this block.
    """
    from analyzer.engine.jit import announce_compilation

    told = False

    def tell(_: str) -> None:
        nonlocal told
        if not told:
            told = True
            note = "compiling for first use; each kind of job does that once, in up to a minute ..."
            print(note, file=sys.stderr, flush=True)

    with announce_compilation(tell), redirect_stdout(sys.stderr):
        yield


def print_json(content: Any) -> None:
    """Print one JSON value on standard output; numbers of numpy and tuples are plain there."""

    def plain(value: Any) -> Any:
        return value.item() if hasattr(value, "item") else list(value)

    print(json.dumps(content, indent=2, default=plain, allow_nan=False))


def print_table(
    frame: pd.DataFrame,
    title: str = "",
    columns: Mapping[str, str] | Iterable[str] | None = None,
    formats: Mapping[str, str] | None = None,
) -> None:
    """Print a table on standard output, in parts if the terminal is too narrow for it."""
    from rich.console import Console

    from analyzer.report.tables import heading, rich_table

    console = Console()
    if not console.is_terminal:
        console = Console(width=160)
    if title:
        console.print(title, style="bold", highlight=False, markup=False)
    shown = frame if columns is None else frame[list(columns)]
    headings = {str(name): heading(str(name)) for name in shown.columns}
    if isinstance(columns, Mapping):
        headings |= columns
    for part in _fitting(shown, headings, formats, console.width):
        console.print(rich_table(shown, None, part, formats))
        console.print()


def _fitting(
    frame: pd.DataFrame, headings: Mapping[str, str], formats: Mapping[str, str] | None, width: int
) -> list[dict[str, str]]:
    """Columns with their headings, in one table, or in several one below the other where the terminal is too narrow.

    Each of these repeats the columns of text that come first, so that one sees which row is which, and breaks headings.
    """
    from analyzer.report.tables import cell_texts, numeric_columns

    names, numeric = list(headings), numeric_columns(frame)
    cells = list(zip(*cell_texts(frame, formats), strict=True)) or [()] * len(names)
    full = {name: max(map(len, [headings[name], *texts])) for name, texts in zip(names, cells, strict=True)}
    if sum(full.values()) + MARGIN * len(names) <= width:
        return [dict(headings)]
    need, broken = {}, {}
    for name, number, texts in zip(names, numeric, cells, strict=True):
        words = [word for text in texts for word in ([text] if number else text.split())]
        longest = max(map(len, [*headings[name].split(), *words]), default=1)
        need[name] = MARGIN + longest
        broken[name] = "\n".join(textwrap.wrap(headings[name], longest))
    keys = names[: max(numeric.index(True) if True in numeric else 1, 1)]
    while len(keys) > 1 and sum(need[name] for name in keys) > width / 2:
        keys.pop()
    parts = [list(keys)]
    for name in names[len(keys) :]:
        if len(parts[-1]) > len(keys) and sum(need[one] for one in [*parts[-1], name]) > width:
            parts.append(list(keys))
        parts[-1].append(name)
    return [{name: broken[name] for name in part} for part in parts]


def check_out(out: str | None) -> None:
    """Complain about a folder that cannot be written before anything is computed."""
    from analyzer.report.writable import check_writable

    if out is not None:
        check_writable(out)


def save_tables(out: str | None, frames: dict[str, pd.DataFrame]) -> None:
    """Write tables into the folder that ``--out`` names, if it does."""
    from analyzer.report.tables import write_table

    if out is not None:
        for name, frame in frames.items():
            write_table(frame, out, name)
        print(f"tables written to {out}", file=sys.stderr)


def save_chart_as(out: str, name: str, chart: Axes) -> None:
    """Write a chart into the folder that ``--out`` names."""
    from analyzer.report.style import save_chart

    print(f"chart written to {save_chart(chart, f'{out}/{name}.png')}", file=sys.stderr)
