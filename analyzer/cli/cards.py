"""What commands print and save of card games."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from analyzer.cli.output import print_json, print_table, save_tables

if TYPE_CHECKING:
    import pandas as pd

    from analyzer.cli.arguments import Run


class CardResult(Protocol):
    """A result of a card game."""

    def tables(self) -> dict[str, pd.DataFrame]:
        """All tables by name, as they are saved."""

    def printed(self) -> dict[str, pd.DataFrame]:
        """The tables that are printed, by title."""

    def to_dict(self) -> dict[str, Any]:
        """Plain values, fit for JSON."""


def show_result(result: CardResult, out: str | None, run: Run, note: str = "") -> None:
    """Save the tables of a result if a folder is given, and print it."""
    save_tables(out, result.tables())
    if run.json:
        print_json(result.to_dict())
        return
    print(f"{result}\n{note}")
    for title, table in result.printed().items():
        print_table(table, title)
