"""The table of results, for the terminal and for README.md."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.markup import escape
from rich.table import Table

from benchmarks.measure import three_digits

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from benchmarks.measure import Row

START, END = "<!-- benchmarks:start -->", "<!-- benchmarks:end -->"
HEADINGS = ("Job", "Analyzer", "Peer", "Ratio", "Bar")


def cells(row: Row) -> tuple[str, ...]:
    """Texts of a row."""
    ratio = f"{three_digits(row.ratio)}×" if row.ratio else ""
    return row.job, row.analyzer, row.peer, ratio, "; ".join(map(str, row.bars))


def rich_table(rows: Sequence[Row]) -> Table:
    """Table for the terminal; bars that are not met are red."""
    table = Table(title="Benchmarks")
    for heading in HEADINGS:
        table.add_column(heading, justify="right" if heading == "Ratio" else "left")
    for row in rows:
        *texts, _ = cells(row)
        bars = "\n".join(f"[{'green' if bar.met else 'red'}]{bar}[/]" for bar in row.bars)
        table.add_row(*map(escape, texts), bars)
    return table


def markdown(rows: Sequence[Row]) -> str:
    """Table for README.md."""
    lines = [HEADINGS, ("---", "---", "---", "---:", "---"), *map(cells, rows)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def write_readme(path: Path, content: str) -> None:
    """Put the content between the marks of a file."""
    text = path.read_text(encoding="utf-8")
    before, start, rest = text.partition(START)
    _, end, after = rest.partition(END)
    if not start or not end:
        raise SystemExit(f"{path} has no lines {START} and {END}; add them where the table goes")
    path.write_text(f"{before}{START}\n{content}\n{END}{after}", encoding="utf-8")
