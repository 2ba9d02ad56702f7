"""Charts of results and advice: each takes an ``ax``, or makes its own, and returns it.

Lines and decisions are drawn here, total scores in `score_charts`, served results in `served`, instant wins in
`win_charts`, graded games in `grade_chart`, comparisons in `compare_charts`, simulation against exact values in
`agreement`, Euchre in `euchre_charts`, President in `president_charts` and `president_hand_charts`; all of them are
offered here. A chart needs about 8 by 5 inches, and in a figure with several ``layout="constrained"``.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from typing import Any, Literal

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.ticker import PercentFormatter

from analyzer.errors import UsageError
from analyzer.report.agreement import simulation_against_exact
from analyzer.report.compare_charts import differences, interval_convergence, line_changes
from analyzer.report.contrast import readable_on
from analyzer.report.euchre_charts import call_map, call_rates, maker_outcomes, position_points, win_heatmap
from analyzer.report.grade_chart import luck_and_mistakes
from analyzer.report.match_charts import settlements
from analyzer.report.president_charts import office_matrix, place_shares, round_lengths, seat_points
from analyzer.report.president_hand_charts import feature_points, hand_strength, option_worth
from analyzer.report.protocols import VALUES, Advice, LineResult, RoundResult, all_of, check_games, method_of, names_of
from analyzer.report.score_charts import chance_of_at_least, score_distribution
from analyzer.report.served import served_values
from analyzer.report.style import (
    FAINT,
    GOOD,
    INK,
    NAME_WIDTH,
    SHADE,
    STRIPE,
    THREAD,
    axes_for,
    colour_of,
    dress,
    legend_beside,
    legend_height,
    marker_of,
    plain,
    save_chart,
    side_column,
)
from analyzer.report.win_charts import win_rounds, win_ways

__all__ = [
    "call_map",
    "call_rates",
    "chance_of_at_least",
    "differences",
    "feature_points",
    "hand_strength",
    "interval_convergence",
    "keep_costs",
    "line_changes",
    "line_round_heatmap",
    "line_values",
    "luck_and_mistakes",
    "maker_outcomes",
    "office_matrix",
    "option_worth",
    "place_shares",
    "position_points",
    "round_lengths",
    "save_chart",
    "score_distribution",
    "seat_points",
    "served_values",
    "settlements",
    "simulation_against_exact",
    "win_heatmap",
    "win_rounds",
    "win_ways",
]

SECTION_GAP = 0.5
BLUES = LinearSegmentedColormap.from_list("blues", ["#FFFFFF", "#9CC9E6", "#0072B2", "#003A5C"])


def line_values(
    results: LineResult | Iterable[LineResult],
    ax: Axes | None = None,
    value: Literal["mean", "zero_rate"] = "mean",
) -> Axes:
    """What each line of the scorecard earns: bars for one result, a marker for each of several.

    Parameters
    ----------
    results : result or iterable of results
        Their lines need not be the same; a line that a result does not have gets no marker.
    ax : matplotlib.axes.Axes, optional
        Where to draw; otherwise a new figure.
    value : {"mean", "zero_rate"}, optional
        Points per game, or the share of games that enter 0 points.

    Returns
    -------
    matplotlib.axes.Axes
        Lines from top to bottom in the order of the sheet, bonuses last. Simulations have intervals.

    Raises
    ------
    UsageError
        If there is no result.

    Examples
    --------
    >>> import pandas as pd
    >>> from types import SimpleNamespace as Result
    >>> sheet = {"line": "aces", "label": "Aces", "section": "upper", "mean": 2.1, "zero_rate": 0.1}
    >>> ax = line_values(Result(label="par", title="Coins", exact=True, lines=lambda: pd.DataFrame([sheet])))
    >>> [float(bar.get_width()) for bar in ax.patches]
    [2.1]
    """
    shown, points = all_of(results, "lines"), value == "mean"
    names, frames = names_of(shown), [result.lines().set_index("line") for result in shown]
    rows = _rows(frames)
    height = 1.5 + len(rows) * max(0.29, 0.14 + 0.05 * len(shown))
    ax = axes_for(ax, 8.6, max(height, legend_height(names)))

    reach = max(float(frame[_upper_end(frame, value)].max()) for frame in frames)
    least = min(float(frame[value].min()) for frame in frames)
    if len(shown) == 1:
        _draw_bars(ax, frames[0], rows, value)
        reach *= 1.1
    else:
        _draw_markers(ax, frames, names, rows, value)
        reach *= 1.04
    ax.set_xlim(min(0.0, 1.1 * least), reach if reach > 0 else 1)
    _name_rows(ax, rows)
    what = "points per line" if points else "games with 0 points in the line"
    title = f"{shown[0].title}: {what}" if len({result.title for result in shown}) == 1 else what.capitalize()
    dress(ax, title, _method(shown, names, points), across=True)
    ax.set_xlabel("Expected points per game" if points else "Share of games")
    if not points:
        ax.xaxis.set_major_formatter(PercentFormatter(xmax=1))
    if len(shown) > 1:
        legend_beside(ax)
    else:
        ax.grid(visible=False)
    return ax


def line_round_heatmap(result: RoundResult, ax: Axes | None = None, value: Literal["rate", "mean"] = "rate") -> Axes:
    """When each line is filled: a cell for each line and round.

    Parameters
    ----------
    result : result
        With `lines` and `line_rounds`.
    ax : matplotlib.axes.Axes, optional
        Where to draw; otherwise a new figure.
    value : {"rate", "mean"}, optional
        Share of games that fill the line in the round, or mean points when they do.

    Returns
    -------
    matplotlib.axes.Axes
        Lines from top to bottom, rounds from left to right, the mean round of each line at the right.

    Examples
    --------
    >>> import pandas as pd
    >>> from types import SimpleNamespace as Result
    >>> lines = pd.DataFrame({"line": ["aces"], "mean_round": [1.25]})
    >>> rounds = pd.DataFrame({"line": "aces", "label": "Aces", "round": [1, 2], "rate": [0.75, 0.25]})
    >>> result = Result(label="par", title="Coins", lines=lambda: lines, line_rounds=lambda: rounds)
    >>> [text.get_text() for text in line_round_heatmap(result).texts][-2:]
    ['75', '25']
    """
    check_games(result, "lines", "line_rounds")
    rounds = result.line_rounds()
    labels = rounds.drop_duplicates("line").set_index("line")["label"]
    table = rounds.pivot_table(index="line", columns="round", values=value, dropna=False).reindex(labels.index)
    cells = table.to_numpy(float)
    mean_rounds = result.lines().set_index("line")["mean_round"].reindex(labels.index)
    columns = [int(number) for number in table.columns]
    ax = axes_for(ax, max(6.4, 2.9 + 0.38 * len(columns)), 1.5 + 0.29 * len(labels))

    highest = np.nanmax(cells, initial=0.0)
    ax.pcolormesh(
        np.arange(len(columns) + 1) + 0.5,
        np.arange(len(labels) + 1) - 0.5,
        np.ma.masked_invalid(cells),
        cmap=BLUES,
        vmin=0,
        vmax=highest if highest > 0 else 1,
        edgecolors="white",
        linewidth=1,
        gid=f"{SHADE}-cells",
    )
    note = (
        "Per cent of games that fill the line in the round"
        if value == "rate"
        else ("Mean points of the line in games that fill it in the round")
    )
    what = "when each line is filled" if value == "rate" else "what each line earns in each round"
    dress(ax, f"{result.title}, {result.label}: {what}", note)
    side_column(ax, range(len(labels)), [_number(mean, 1) for mean in mean_rounds], "mean round")
    for (row, column), cell in np.ndenumerate(cells):
        text = _percent(cell) if value == "rate" else _number(cell, 0)
        colour = readable_on(BLUES(np.nan_to_num(cell) / (highest or 1)))
        place = f"{SHADE}-{row}-{column}"
        ax.text(column + 1, row, text, ha="center", va="center", fontsize=8, color=colour, gid=place)
    ax.grid(visible=False)
    ax.spines[:].set_visible(False)
    ax.set_xlim(0.5, len(columns) + 0.5)
    ax.set_ylim(len(labels) - 0.5, -0.5)
    ax.set_xticks(range(1, len(columns) + 1), [str(number) for number in columns])
    ax.set_yticks(range(len(labels)), [plain(label, NAME_WIDTH) for label in labels])
    ax.set_xlabel("Round")
    return ax


def keep_costs(advice: Advice, ax: Axes | None = None, limit: int | None = 12, title: str | None = None) -> Axes:
    """What each keep, or after the last throw each entry, loses against the best.

    Parameters
    ----------
    advice : advice
        With `options`, best first.
    ax : matplotlib.axes.Axes, optional
        Where to draw; otherwise a new figure.
    limit : int, optional
        How many to draw at most; None for all.
    title : str, optional
        What the decision is, such as the roll.

    Returns
    -------
    matplotlib.axes.Axes
        Best at the top; each bar is a loss in points, with the expected score (or value) at the right. With a target,
        or where only instant wins count, losses and values are chances.

    Raises
    ------
    UsageError
        If there is no option, or the limit is not positive.

    Examples
    --------
    >>> import pandas as pd
    >>> from types import SimpleNamespace as Position
    >>> keeps = {"keep": [(5, 5), ()], "expected_score": [20.5, 18.0], "loss": [0.0, 2.5]}
    >>> ax = keep_costs(Position(options=lambda: pd.DataFrame(keeps)))
    >>> [label.get_text() for label in ax.get_yticklabels()]
    ['5 5', 'no dice']
    """
    options = advice.options()
    if options.empty:
        raise UsageError("there is no option to draw; ask for advice while the game is on")
    if limit is not None and limit < 1:
        raise UsageError(f"limit {limit} is not positive; give how many options to draw, or None for all")
    shown, rest = (
        options.head(len(options) if limit is None else limit),
        len(options) - (limit or len(options)),
    )
    value = next(name for name in VALUES if name in options)
    chances = value == "chance"
    losses = shown["loss"].to_numpy(float)
    ax = axes_for(ax, 7.6, 1.5 + 0.3 * len(shown))

    places = np.arange(len(shown))
    ax.barh(places, losses, height=0.66, color=colour_of(0))
    for place, loss in zip(places, losses, strict=True):
        best = loss <= 1e-9
        ax.annotate(
            "best" if best else _loss_text(loss, chances),
            (loss, place),
            (5, 0),
            textcoords="offset points",
            va="center",
            fontsize=9,
            fontweight="bold" if best else "normal",
            color=GOOD if best else INK,
        )
    note = f"Bars: {'chance' if chances else 'points'} lost{'' if chances else ' on average'} against the best"
    note += ", if all later play is best"
    if rest > 0:
        least = _loss_text(float(options["loss"].iloc[len(shown)]), chances)
        note += f"\n{rest} more lose {least}{'' if chances else ' points'} or more"
    what = "keep" if "keep" in options else "entry"
    dress(ax, title or _costs_title(advice, what), note, across=True)
    ax.grid(visible=False)
    if chances:
        side_column(ax, places, [f"{chance:.2%}" for chance in shown["chance"]], "chance")
        ax.xaxis.set_major_formatter(PercentFormatter(xmax=1))
    else:
        side_column(ax, places, [_number(score, 2) for score in shown[value]], value.replace("_", " "))
    ax.set_yticks(places, [_option_label(row) for row in shown.to_dict(orient="records")])
    ax.set_ylim(len(shown) - 0.4, -0.6)
    ax.set_xlim(0, 1.12 * (losses.max() or 1.0))
    ax.set_xlabel("Chance lost" if chances else "Loss in points")
    return ax


def _costs_title(advice: Advice, what: str) -> str:
    game, dice = getattr(advice, "title", ""), getattr(advice, "label", "")
    costs = f"what each {what}{f' of {dice}' if dice else ''} costs"
    return f"{game}: {costs}" if game else costs.capitalize()


def _rows(frames: list[pd.DataFrame]) -> list[tuple[float, str, str]]:
    """Height, line and label of every line that any frame has, with a gap between sections."""
    sections: dict[str, dict[str, str]] = {}
    for frame in frames:
        for line, label, section in zip(frame.index, frame["label"], frame["section"], strict=True):
            sections.setdefault(str(section), {}).setdefault(str(line), str(label))
    rows, height = [], 0.0
    for section in sorted(sections, key=lambda name: name == "bonus"):
        for line, label in sections[section].items():
            rows.append((height, line, label))
            height += 1
        height += SECTION_GAP
    return rows


def _name_rows(ax: Axes, rows: list[tuple[float, str, str]]) -> None:
    heights = [height for height, _, _ in rows]
    ax.set_yticks(heights, [plain(label, NAME_WIDTH) for _, _, label in rows])
    ax.set_ylim(heights[-1] + 0.6, -0.6)
    for above, below in itertools.pairwise(heights):
        if below - above > 1:
            ax.axhline((above + below) / 2, color=FAINT, linewidth=0.8, zorder=0)


def _draw_bars(ax: Axes, frame: pd.DataFrame, rows: list[tuple[float, str, str]], value: str) -> None:
    points = value == "mean"
    heights, lines = [row[0] for row in rows], [row[1] for row in rows]
    part = frame.loc[lines]
    ax.barh(heights, part[value], height=0.68, color=colour_of(0))
    spans = _spans(part, value)
    if spans is not None:
        ax.errorbar(part[value], heights, xerr=spans, fmt="none", ecolor=INK, elinewidth=1.2)
    for height, mean, end in zip(heights, part[value], part[_upper_end(part, value)], strict=True):
        text = _number(mean, 2) if points else f"{mean:.1%}"
        ax.annotate(text, (end, height), (5, 0), textcoords="offset points", va="center", fontsize=9, color=INK)
    if points:
        side_column(ax, heights, ["" if np.isnan(rate) else f"{rate:.1%}" for rate in part["zero_rate"]], "zero rate")


def _draw_markers(
    ax: Axes, frames: list[pd.DataFrame], names: list[str], rows: list[tuple[float, str, str]], value: str
) -> None:
    together = pd.concat([frame[value] for frame in frames], axis=1)
    lowest, highest = together.min(axis=1), together.max(axis=1)
    for height, line, _ in rows:
        ax.axhspan(height - 0.42, height + 0.42, color=STRIPE, linewidth=0, zorder=0)
        ax.plot([lowest[line], highest[line]], [height] * 2, color=THREAD, linewidth=1)
    step = min(0.3, 0.74 / len(frames))
    for place, (frame, name) in enumerate(zip(frames, names, strict=True)):
        own = [(height, line) for height, line, _ in rows if line in frame.index]
        part = frame.loc[[line for _, line in own]]
        label = plain(name, NAME_WIDTH)
        if value == "mean":
            label += f"\n{_number(float(frame['mean'].sum()), 1)} in all"
        heights = [height + (place - (len(frames) - 1) / 2) * step for height, _ in own]
        spans = _spans(part, value)
        if spans is not None:
            ax.errorbar(part[value], heights, xerr=spans, fmt="none", ecolor=colour_of(place), elinewidth=1.2)
        ax.plot(
            part[value],
            heights,
            marker_of(place),
            color=colour_of(place),
            markersize=5.5,
            markeredgecolor="white",
            markeredgewidth=0.5,
            label=label,
            clip_on=False,
            zorder=3,
        )


def _upper_end(frame: pd.DataFrame, value: str) -> str:
    """Column of the interval's upper end, or of the value itself where it is exact."""
    end = "upper" if value == "mean" else f"{value}_upper"
    return end if end in frame and frame[end].notna().all() else value


def _spans(frame: pd.DataFrame, value: str) -> Any:
    upper = _upper_end(frame, value)
    if upper == value:
        return None
    middle = frame[value].to_numpy(float)
    lower = frame[upper.replace("upper", "lower")].to_numpy(float)
    return np.maximum([middle - lower, frame[upper].to_numpy(float) - middle], 0)


def _method(shown: list[LineResult], names: list[str], points: bool) -> str:
    method = method_of(shown)
    if len(shown) > 1:
        return method.capitalize()
    total = f"{_number(float(shown[0].lines()['mean'].sum()), 1)} points in all; " if points else ""
    return f"{names[0]}: {total}{method}"


def _option_label(option: dict[Any, Any]) -> str:
    if "keep" in option:
        keep = " ".join(map(str, option["keep"])) or "no dice"
        return f"{keep}, {option['declare']}" if option.get("declare") else keep
    entry = f"{plain(str(option['label']), NAME_WIDTH)} ({option['points']:g})"
    return f"{' '.join(map(str, option['laid']))}: {entry}" if "laid" in option else entry


def _loss_text(loss: float, chances: bool = False) -> str:
    if chances:
        return f"{loss:.2%}" if loss >= 0.00005 else f"{100 * loss:.1g}%"
    return f"{loss:.2f}" if loss >= 0.005 else f"{loss:.1g}"


def _percent(rate: float) -> str:
    if not rate > 0:
        return ""
    return "<1" if rate < 0.005 else f"{100 * rate:.0f}"


def _number(number: float, digits: int) -> str:
    return "" if np.isnan(number) else f"{number:z,.{digits}f}"
