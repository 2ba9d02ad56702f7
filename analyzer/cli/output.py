"""What commands print and save."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, redirect_stdout
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes


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
            note = "compiling for first use; each kind of job does that once, in up to half a minute ..."
            print(note, file=sys.stderr, flush=True)

    with announce_compilation(tell), redirect_stdout(sys.stderr):
        yield


def print_json(content: Any) -> None:
    """Print one JSON value on standard output; numbers of numpy and tuples are plain there."""

    def plain(value: Any) -> Any:
        return value.item() if hasattr(value, "item") else list(value)

    print(json.dumps(content, indent=2, default=plain, allow_nan=False))


def print_table(
    frame: pd.DataFrame, title: str = "", columns: Any = None, formats: Mapping[str, str] | None = None
) -> None:
    """Print a table on standard output, with all its columns if that is no terminal."""
    from rich.console import Console

    from analyzer.report.tables import rich_table

    console = Console()
    if not console.is_terminal:
        console = Console(width=160)
    if title:
        console.print(title, style="bold", highlight=False, markup=False)
    console.print(rich_table(frame, None, columns, formats))
    console.print()


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
