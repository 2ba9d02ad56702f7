"""Charts of President: from office to office, what seats and hands earn, places by policy, and how long rounds are."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import LinearSegmentedColormap, to_hex
from matplotlib.ticker import PercentFormatter

from analyzer.analysis.president.rounds import office_names
from analyzer.errors import UsageError
from analyzer.fields import counted
from analyzer.report.card_charts import (
    check_result,
    dots,
    draw_cells,
    finish_cells,
    number_cell,
    results_of,
    stacked_bars,
)
from analyzer.report.protocols import names_of
from analyzer.report.style import (
    INK,
    MUTED,
    NAME_WIDTH,
    axes_for,
    colour_of,
    dress,
    legend_beside,
    legend_height,
    plain,
    side_column,
    stroke_of,
)

__all__ = [
    "GAME",
    "TITLE_WIDTH",
    "later_leader",
    "mean_points",
    "office_matrix",
    "place_shares",
    "round_lengths",
    "seat_name",
    "seat_points",
]

GAME = "President"
TITLE_WIDTH = 66
"""Longest line of a title, in characters: options in force may be many."""
LEAST_REACH = 0.1
"""Difference of a share from an even one at which the colours of `office_matrix` are strongest, at least."""
GROUP_GAP = 0.6
PLACES = LinearSegmentedColormap.from_list(
    "places", ["#00446B", "#0072B2", "#6DB3E0", "#C3CAD1", "#F0B07A", "#D55E00", "#8F3F00"]
)
"""From blue for who is out first over grey to brown for the last."""


def office_matrix(result: Any, ax: Axes | None = None) -> Axes:
    """From which office to which place players come from one round to the next.

    Parameters
    ----------
    result : RoundsResult
        Of matches of two or more rounds.
    ax : matplotlib.axes.Axes, optional
        Where to draw; otherwise a new figure.

    Returns
    -------
    matplotlib.axes.Axes
        A row of shares for each office, with the mean points of its holder at the right.

    Raises
    ------
    UsageError
        If the result is none of rounds, or a match has one round.
    """
    check_result(result, GAME, "offices_kept", "what simulate returns")
    frame = result.offices_kept()
    if frame.empty:
        raise UsageError("matches have one round, and nobody holds an office; give a result with rounds = 2 or more")
    n = len(result.offices)
    cells = frame[[f"place_{place + 1}" for place in range(n)]].to_numpy(float)
    reach = max(LEAST_REACH, float(np.abs(cells - 1 / n).max()))
    ax = axes_for(ax, 3.4 + 0.85 * n, 2.3 + 0.42 * n)
    draw_cells(ax, cells, 1 / n - reach, 1 / n + reach)
    for (row, column), share in np.ndenumerate(cells):
        number_cell(ax, row, column, f"{100 * share:.0f}%", 0.5 + (float(share) - 1 / n) / (2 * reach))
    rounds = result.matches * (result.rules.rounds - 1)
    note = f"{rounds:,} rounds after the first\nBlue: more than by lot, {1 / n:.1%}; orange: less"
    title = f"{result.title}, {result.policy}: from one round to the next"
    dress(ax, plain(title, round(TITLE_WIDTH * (3.4 + 0.85 * n) / 9)), note)
    side_column(ax, range(n), [f"{points:.2f}" for points in frame["points"]], "points")
    finish_cells(ax, cells)
    ax.set_yticks(range(n), frame["office"])
    ax.set_xticks(range(n), [name.replace(" ", "\n") for name in result.offices])
    ax.set_ylabel("In the round before")
    ax.set_xlabel("In the next round")
    return ax


def seat_points(results: Any, ax: Axes | None = None) -> Axes:
    """What seats earn in a round, by how many seats after the first leader they are, with intervals.

    Parameters
    ----------
    results : RoundsResult or iterable of them
        Of one game.
    ax : matplotlib.axes.Axes, optional
        Where to draw; otherwise a new figure.

    Returns
    -------
    matplotlib.axes.Axes
        First rounds, and later ones, which an office leads; a line at the mean of all seats.

    Raises
    ------
    UsageError
        If there is no result, or one is none of rounds.
    """
    found = results_of(results, GAME, "seats")
    frames = [result.seats() for result in found]
    rules = found[0].rules
    last = later_leader(found[0])
    rows = [
        (place + GROUP_GAP * (when == "later"), seat_name(when, seat, last))
        for place, (when, seat) in enumerate(zip(frames[0]["rounds"], frames[0]["after_leader"], strict=True))
    ]
    series = [(frame["points"], frame["lower"], frame["upper"]) for frame in frames]
    ax = dots(ax, names_of(found), rows, series, "{:.3f}".format)
    mean = mean_points(rules)
    ax.axvline(mean, color=INK, linewidth=0.9)
    note = f"{_matches(found)}; line: the mean of all, {mean:g}"
    dress(ax, _titled(found, "what seats earn by who leads"), note, across=True)
    ax.set_xlabel("Points of a round")
    return ax


def place_shares(matches: Any, ax: Axes | None = None) -> Axes:
    """How often each policy comes to each place, in matches against others.

    Parameters
    ----------
    matches : PresidentMatches or iterable of them
        Of one game. Where all seats play one policy, places are shared evenly; so results of `simulate` are none.
    ax : matplotlib.axes.Axes, optional
        Where to draw; otherwise a new figure.

    Returns
    -------
    matplotlib.axes.Axes
        A bar for each policy of every match, seats with the same policy together; at the right the mean points.

    Raises
    ------
    UsageError
        If there are no matches, or one is something else.
    """
    found = list(matches) if isinstance(matches, list | tuple) else [matches]
    if not found:
        raise UsageError("there are no matches to draw; give what match returns")
    for one in found:
        check_result(one, GAME, "places", "what match returns")
    n = found[0].rules.players
    names, rows = [], []
    for one in found:
        shares = one.places().drop(columns="player").to_numpy(float)
        policies = list(dict.fromkeys(one.players))
        for policy in policies:
            mine = [seat for seat, name in enumerate(one.players) if name == policy]
            others = [name for name in policies if name != policy]
            names.append(plain(" against ".join([policy, *others[:1]]) if len(found) > 1 else policy, NAME_WIDTH))
            rows.append(shares[mine].mean(axis=0))
    bars, offices = np.array(rows), office_names(n)
    ax = axes_for(ax, 8.6, 2.3 + 0.46 * len(bars))
    stacked_bars(ax, [(bars[:, place], offices[place], place_colour(place, n)) for place in range(n)])
    title = plain(f"{found[0].title}: places by policy", TITLE_WIDTH)
    dress(ax, title, f"{found[0].matches:,} matches{' of each pair' * (len(found) > 1)}; rounds by place", across=True)
    ax.grid(visible=False)
    points = bars @ np.arange(n - 1, -1, -1)
    side_column(ax, range(len(bars)), [f"{value:.2f}" for value in points], "points")
    ax.set_yticks(range(len(bars)), names)
    ax.set_xlabel("Share of the rounds")
    return ax


def round_lengths(results: Any, ax: Axes | None = None) -> Axes:
    """How many turns rounds take: bars for one result, lines for several.

    Parameters
    ----------
    results : RoundsResult or iterable of them
        Of one game or of several.
    ax : matplotlib.axes.Axes, optional
        Where to draw; otherwise a new figure.

    Returns
    -------
    matplotlib.axes.Axes

    Raises
    ------
    UsageError
        If there is no result, or one is none of rounds.
    """
    found = results_of(results, GAME, "lengths")
    names = names_of(found)
    ax = axes_for(ax, 8.6, max(4.2, legend_height(names) if len(found) > 1 else 0))
    for place, (result, name) in enumerate(zip(found, names, strict=True)):
        frame = result.lengths()
        turns, shares = frame["turns"].to_numpy(float), frame["probability"].to_numpy(float)
        if len(found) == 1:
            ax.bar(turns, shares, 0.86, color=colour_of(0))
            continue
        label = f"{plain(name, NAME_WIDTH)}\nmean {turns @ shares:.1f}"
        ax.plot(turns, shares, color=colour_of(place), linestyle=stroke_of(place), linewidth=1.8, label=label)
    mean = f", mean {frame['turns'] @ frame['probability']:.1f}" if len(found) == 1 else ""
    dress(
        ax,
        _titled(found, "how many turns a round takes"),
        f"{_matches(found)}{mean}; a turn is a play or a pass",
    )
    ax.set_ylim(bottom=0)
    ax.yaxis.set_major_formatter(PercentFormatter(xmax=1))
    ax.set_xlabel("Turns of a round")
    ax.set_ylabel("Share of the rounds")
    ax.spines["left"].set_color(MUTED)
    if len(found) > 1:
        legend_beside(ax)
    return ax


def mean_points(rules: Any) -> float:
    """Mean of the points of all places.

    Examples
    --------
    >>> from types import SimpleNamespace as Rules
    >>> mean_points(Rules(players=4))
    1.5
    """
    return float((rules.players - 1) / 2)


def place_colour(place: int, players: int) -> str:
    """Colour of a place, from 0 for who is out first.

    Examples
    --------
    >>> place_colour(0, 4), place_colour(3, 4)
    ('#00446b', '#8f3f00')
    """
    return to_hex(PLACES(place / (players - 1)))


def seat_name(when: str, seat: int, office: str) -> str:
    """A seat of first or later rounds by how far it is after the leader; later ones are led by an office.

    Examples
    --------
    >>> seat_name("first", 0, "scum"), seat_name("later", 0, "scum"), seat_name("later", 2, "scum")
    ('first round, leader', 'later rounds, leader (scum)', 'later rounds, 2 seats after')
    """
    told = f"leader{f' ({office})' if when == 'later' else ''}" if seat == 0 else f"{counted(seat, 'seat')} after"
    return f"{when} round{'s' * (when == 'later')}, {told}"


def later_leader(result: Any) -> str:
    """The office that leads later rounds of a result."""
    return str(result.offices[-1 if result.rules.next_lead == "last" else 0])


def _titled(found: list[Any], what: str) -> str:
    """What a chart shows, with the game if it is one."""
    one = len({result.title for result in found}) == 1
    return plain(f"{found[0].title}: {what}" if one else what[:1].upper() + what[1:], TITLE_WIDTH)


def _matches(found: list[Any]) -> str:
    """How many matches there are."""
    if len(found) == 1:
        return f"{found[0].matches:,} matches, {found[0].policy}"
    counts = sorted({result.matches for result in found})
    each = "policy" if len({result.title for result in found}) == 1 else "game"
    return f"{' to '.join(f'{count:,}' for count in (counts[0], counts[-1])[: len(counts)])} matches of each {each}"
