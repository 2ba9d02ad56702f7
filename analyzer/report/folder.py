"""Everything about a game, or a comparison, in one folder: a page to read, and all its tables and charts as files."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from analyzer.errors import StorageError
from analyzer.games.card_rules import CardRules
from analyzer.report import charts, euchre_findings, findings, president_findings
from analyzer.report.comparison_page import comparison_charts, comparison_page
from analyzer.report.euchre_page import euchre_page
from analyzer.report.game_page import game_page
from analyzer.report.manifest import remove_stale, write_manifest
from analyzer.report.page import Page
from analyzer.report.president_page import president_page
from analyzer.report.tables import write_table
from analyzer.report.writable import check_writable

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pandas as pd

    from analyzer.analysis.comparison import Comparison
    from analyzer.dice.scorecard import ScorecardRules
    from analyzer.games.options import Setting
    from analyzer.report.findings import Chart

__all__ = ["PAGE", "default_games", "write_comparison", "write_report"]

PAGE = "index.html"


class _CardReport(NamedTuple):
    """What finds out about a card game, what shows it, and how much is simulated if no number is given."""

    find_out: Callable[..., Any]
    page: Callable[..., Page]
    games: int


_CARD_REPORTS: Mapping[str, _CardReport] = {
    "euchre": _CardReport(euchre_findings.find_out, euchre_page, euchre_findings.HANDS),
    "president": _CardReport(president_findings.find_out, president_page, president_findings.MATCHES),
}
"""Reports of card games, by the name of the game's class."""


def default_games(rules: ScorecardRules | CardRules) -> int:
    """Games, or of a card game hands or matches, that a report simulates of each policy if no number is given.

    Examples
    --------
    >>> import analyzer
    >>> [default_games(analyzer.game(name)) for name in ("dice-poker", "euchre", "president")]
    [100000, 400000, 20000]
    """
    return _CARD_REPORTS[type(rules).name].games if isinstance(rules, CardRules) else findings.GAMES


def write_report(
    rules: ScorecardRules | CardRules,
    out: str | Path,
    *,
    policies: Sequence[str] | None = None,
    games: int | None = None,
    seed: int = 0,
    workers: int | None = None,
    progress: bool = False,
    cache: bool = True,
    settings: Sequence[Setting] = (),
    notes: Sequence[str] = (),
    command: str = "",
) -> list[Path]:
    """Write a page about a game into a folder, and every table and chart as files beside it.

    Parameters
    ----------
    rules : ScorecardRules or CardRules
        The game, from `analyzer.game`.
    out : str or Path
        Folder; it is made if it does not exist. What an earlier report left there is removed if this one does not
        write it again and nobody has changed it; other files stay.
    policies : sequence of str, optional
        Policies that are evaluated exactly and simulated; `optimal` is always among them. Otherwise
        `analyzer.report.findings.POLICIES`, and in games with instant wins `WIN_POLICIES`. Of card games those that are
        simulated, by default `rules`, in President `analyzer.report.president_findings.POLICIES`; the first one is told
        of in detail.
    games : int, optional
        Games simulated for each policy, beside its exact evaluation, and matches of each pair of players; 100,000 by
        default. Of Euchre hands, 400,000 by default; of President matches, 20,000.
    seed : int
        Seed of the simulation.
    workers, progress, cache
        As for `solve`.
    settings : sequence of Setting, optional
        Options of the game with their values in force, from `analyzer.games.registry.settings_of`: rules do not
        remember them.
    notes : sequence of str, optional
        What else is to be said of the rules, such as `analyzer.games.registry.notes_of`.
    command : str
        Command line that writes the report again.

    Returns
    -------
    list of Path
        Files written; the first is the page to start with.

    Raises
    ------
    StorageError
        The folder cannot be written; said before anything is computed.
    """
    check_writable(out)
    find_out: Any = findings.find_out
    page_of: Any = game_page
    if isinstance(rules, CardRules):
        find_out, page_of, _ = _CARD_REPORTS[type(rules).name]
    games = default_games(rules) if games is None else games
    found = find_out(rules, policies=policies, games=games, seed=seed, workers=workers, progress=progress, cache=cache)
    return _write(
        Path(out),
        found.tables,
        found.charts,
        partial(page_of, found, settings=settings, notes=notes, command=command),
    )


def write_comparison(result: Comparison, out: str | Path, *, command: str = "") -> list[Path]:
    """Write a page about a comparison into a folder, and every table and chart as files beside it.

    Parameters
    ----------
    result : Comparison
        What `analyzer.compare` returned.
    out : str or Path
        As for `write_report`.
    command : str
        Command line that writes the page again.

    Returns
    -------
    list of Path
        Files written; the first is the page to start with.

    Raises
    ------
    StorageError
        The folder cannot be written.
    """
    check_writable(out)
    drawn = comparison_charts(result)
    return _write(Path(out), result.tables(), drawn, partial(comparison_page, result, drawn, command=command))


def _write(
    folder: Path,
    frames: Mapping[str, pd.DataFrame],
    drawn: Mapping[str, Chart],
    page_of: Callable[..., Page],
) -> list[Path]:
    """Write tables, charts and the page that shows them; what an earlier report left there goes."""
    tables = {name: write_table(frame, folder / "tables", name) for name, frame in frames.items()}
    pictures = {
        name: [charts.save_chart(chart.axes, folder / "charts" / f"{name}.{kind}") for kind in ("png", "svg")]
        for name, chart in drawn.items()
    }
    page = page_of(tables=_addresses(tables, folder), pictures=_addresses(pictures, folder)).write(folder / PAGE)
    files = [page, *(path for paths in (*tables.values(), *pictures.values()) for path in paths)]
    try:
        remove_stale(folder, files)
        return [*files, write_manifest(folder, files)]
    except OSError as problem:
        reason = problem.strerror or type(problem).__name__
        raise StorageError(f"folder '{folder}' cannot be tidied ({reason}); choose another with --out") from problem


def _addresses(files: dict[str, list[Path]], folder: Path) -> dict[str, dict[str, str]]:
    """Where files are from the page, by name and format."""
    return {
        name: {path.suffix[1:].upper(): path.relative_to(folder).as_posix() for path in paths}
        for name, paths in files.items()
    }
