"""How far a long run is, shown on standard error and only to a person."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol

__all__ = ["Progress", "progress_bar"]


class Progress(Protocol):
    """Something that is told how many games are done; it may be called from one thread only."""

    def advance(self, n: int, /) -> None:
        """Tell that `n` more games are done."""

    def expect(self, total: int, /) -> None:
        """Tell that there will be another number of games in all."""


class _Silent:
    def advance(self, n: int, /) -> None:
        pass

    def expect(self, total: int, /) -> None:
        pass


@contextmanager
def progress_bar(label: str, total: int, enabled: bool = True) -> Iterator[Progress]:
    """Show a progress bar on standard error while the block runs, and remove it afterwards.

    Parameters
    ----------
    label : str
        What is being done, in front of the bar.
    total : int
        Number of games at the end.
    enabled : bool, optional
        Without it, or if standard error is no terminal, nothing is shown.

    Yields
    ------
    Progress

    Examples
    --------
    >>> with progress_bar("simulating", 1000, enabled=False) as progress:
    ...     progress.advance(1000)
    """
    if not enabled or not sys.stderr.isatty():
        yield _Silent()
        return

    from rich.console import Console
    from rich.progress import BarColumn, TaskProgressColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as RichProgress

    columns = (
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        TaskProgressColumn(show_speed=True),
        TimeRemainingColumn(),
    )
    with RichProgress(*columns, console=Console(stderr=True), transient=True, redirect_stdout=False) as bar:
        task = bar.add_task(label, total=total)

        class _Bar:
            def advance(self, n: int, /) -> None:
                bar.advance(task, n)

            def expect(self, total: int, /) -> None:
                bar.update(task, total=total)

        yield _Bar()
