"""How charts look and how they are saved: the same input gives the same bytes, and no global state changes.

A chart that is given no ``ax`` makes its own figure. In a notebook that figure belongs to pyplot, so the cell
shows it; anywhere else it is a plain `matplotlib.figure.Figure`: it needs no display and nobody has to close
it. Whoever wants a window passes an ``ax`` of pyplot.
"""

from __future__ import annotations

import sys
import textwrap
from collections.abc import Iterable
from io import BytesIO
from pathlib import Path
from typing import Any, Literal

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from analyzer.engine.store import write_atomically
from analyzer.errors import StorageError, UsageError

__all__ = [
    "ACCENT",
    "BAND",
    "FAINT",
    "GOOD",
    "INK",
    "MUTED",
    "NAME_WIDTH",
    "SHADE",
    "STRIPE",
    "THREAD",
    "axes_for",
    "colour_of",
    "dress",
    "legend_beside",
    "legend_height",
    "marker_of",
    "plain",
    "render",
    "save_chart",
    "side_column",
    "stroke_of",
]

INK, MUTED, FAINT = "#222222", "#666666", "#DDDDDD"
BAND, STRIPE, THREAD = "#EAF3F9", "#F5F5F5", "#BBBBBB"
"""What lies behind data: where it is expected, the row that it is in, and what ties its markers together."""
GOOD, ACCENT = "#009E73", "#D55E00"
SHADE = "shade"
"""Start of the gid of artists that show numbers as shades: on a dark page all of them are turned over together."""
PALETTE = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000", "#8A8A8A")
"""Okabe and Ito's colours for every kind of colour vision, with grey for their yellow, too pale on white."""
MARKERS = ("o", "s", "D", "^", "v", "P", "X")
NAME_WIDTH = 26
"""Longest line of a name, in characters."""
STROKES: tuple[Any, ...] = ("-", (0, (5, 1.5)), (0, (1.5, 1.2)), (0, (6, 1.5, 1.5, 1.5)), (0, (9, 2)))

_SAVING: Any = {"svg.hashsalt": "analyzer", "path.simplify": True}
_METADATA: dict[str, dict[str, Any]] = {"png": {}, "svg": {"Date": None}}


def axes_for(ax: Axes | None, width: float, height: float) -> Axes:
    """The given axes, or those of a new figure.

    Parameters
    ----------
    ax : matplotlib.axes.Axes or None
        Where to draw.
    width, height : float
        Size of a new figure in inches.

    Returns
    -------
    matplotlib.axes.Axes

    Examples
    --------
    >>> axes_for(None, 4, 3).figure.get_size_inches().tolist()
    [4.0, 3.0]
    """
    if ax is not None:
        return ax
    settings: dict[str, Any] = {"figsize": (width, height), "layout": "constrained", "facecolor": "white"}
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    if shell is None:
        return Figure(**settings).add_subplot()
    from matplotlib import pyplot

    return pyplot.figure(**settings).add_subplot()


def dress(ax: Axes, title: str, note: str = "", *, across: bool = False) -> None:
    """Give axes their title, a smaller note under it, and the look that all charts share.

    Parameters
    ----------
    ax : matplotlib.axes.Axes
        Where the chart is.
    title, note : str
        What is shown, and what one must know to read it.
    across : bool, optional
        Whether values are read along the x axis (rows with names), not along y.

    Examples
    --------
    >>> ax = axes_for(None, 4, 3)
    >>> dress(ax, "Total score", "exact")
    >>> ax.get_title(loc="left")
    'Total score'
    """
    ax.set_facecolor("white")
    ax.figure.set_facecolor("white")
    ax.spines[:].set_visible(False)
    ax.spines["left" if across else "bottom"].set_visible(True)
    ax.spines[:].set_color(MUTED)
    ax.tick_params(labelsize=9, colors=MUTED, labelcolor=INK, length=0)
    ax.grid(visible=False)
    ax.grid(visible=True, axis="x" if across else "y", color=FAINT, linewidth=0.8, linestyle="-")
    ax.set_axisbelow(True)
    lines = note.count("\n") + 1 if note else 0
    ax.set_title(plain(title), loc="left", fontsize=12, fontweight="bold", color=INK, pad=8 + 13 * lines)
    if note:
        ax.annotate(
            plain(note),
            (0, 1),
            (0, 7),
            xycoords="axes fraction",
            textcoords="offset points",
            fontsize=9,
            color=MUTED,
            va="bottom",
            linespacing=1.15,
            annotation_clip=False,
        )
    for axis in (ax.xaxis, ax.yaxis):
        axis.label.set(fontsize=10, color=INK)


def legend_beside(ax: Axes, title: str | None = None) -> None:
    """Put the legend to the right of the axes, where it covers nothing.

    Parameters
    ----------
    ax : matplotlib.axes.Axes
        Its labelled artists are listed.
    title : str, optional
        What they are.

    Examples
    --------
    >>> ax = axes_for(None, 4, 3)
    >>> _ = ax.plot([1, 2], label="optimal")
    >>> legend_beside(ax)
    >>> [text.get_text() for text in ax.get_legend().get_texts()]
    ['optimal']
    """
    legend = ax.legend(
        loc="upper left",
        bbox_to_anchor=(1.01, 1.0),
        borderaxespad=0.0,
        frameon=False,
        fontsize=9,
        labelcolor=INK,
        labelspacing=0.9,
        title=title,
        title_fontsize=9,
        alignment="left",
    )
    legend.get_title().set_color(MUTED)


def legend_height(names: Iterable[str]) -> float:
    """Height in inches of a figure whose legend has these names, wrapped, each with a line of numbers below.

    Examples
    --------
    >>> legend_height(["optimal", "random"]) < legend_height(["optimal", "greedy", "par", "random"])
    True
    """
    lines = [plain(name, NAME_WIDTH).count("\n") + 2 for name in names]
    return 1.2 + 0.145 * sum(lines) + 0.12 * len(lines)


def side_column(ax: Axes, heights: Iterable[float], texts: Iterable[str], caption: str) -> None:
    """Write one text for each row to the right of the axes, under a caption.

    Parameters
    ----------
    ax : matplotlib.axes.Axes
        Its rows are read along y.
    heights : iterable of float
        Where the rows are.
    texts : iterable of str
        What is written beside each.
    caption : str
        What the column shows.

    Examples
    --------
    >>> ax = axes_for(None, 4, 3)
    >>> side_column(ax, [0, 1], ["8.5", "7.0"], "mean round")
    >>> [text.get_text() for text in ax.texts]
    ['mean round', '8.5', '7.0']
    """
    shared: dict[str, Any] = {"fontsize": 8.5, "color": MUTED, "ha": "right", "annotation_clip": False}
    ax.annotate(caption, (1, 1), (52, 4), xycoords="axes fraction", textcoords="offset points", va="bottom", **shared)
    for height, text in zip(heights, texts, strict=True):
        ax.annotate(
            text,
            (1, height),
            (52, 0),
            xycoords=ax.get_yaxis_transform(),
            textcoords="offset points",
            va="center",
            **shared,
        )


def plain(text: str, width: int | None = None) -> str:
    r"""Text that matplotlib shows as it is, wrapped if it is long.

    Parameters
    ----------
    text : str
        Dollar signs in it start no formula.
    width : int, optional
        Longest line.

    Returns
    -------
    str

    Examples
    --------
    >>> plain("a bonus for four of a kind", width=16)
    'a bonus for four\nof a kind'
    """
    wrapped = text if width is None else "\n".join(textwrap.wrap(text, width)) or text
    return wrapped.replace("$", r"\$")


def colour_of(place: int) -> str:
    """Colour of the result at a place in the list.

    Examples
    --------
    >>> colour_of(0), colour_of(8)
    ('#0072B2', '#0072B2')
    """
    return PALETTE[place % len(PALETTE)]


def marker_of(place: int) -> str:
    """Marker of the result at a place in the list; with the colour it repeats only after 56 places.

    Examples
    --------
    >>> marker_of(0), marker_of(8)
    ('o', 's')
    """
    return MARKERS[place % len(MARKERS)]


def stroke_of(place: int) -> Any:
    """Line style of the result at a place in the list; with the colour it repeats only after 40 places.

    Examples
    --------
    >>> stroke_of(0)
    '-'
    """
    return STROKES[place % len(STROKES)]


def render(ax: Axes, kind: Literal["png", "svg"], *, text: Literal["path", "none"] = "path") -> bytes:
    """The figure of a chart as the content of a file.

    Parameters
    ----------
    ax : matplotlib.axes.Axes
        The chart.
    kind : {"png", "svg"}
        Format; PNG has 150 dots per inch.
    text : {"path", "none"}, optional
        Whether letters of an SVG are drawn as outlines, which look the same everywhere, or remain text.

    Returns
    -------
    bytes
        The same for the same chart: without a date, and with identifiers that do not change.

    Examples
    --------
    >>> render(axes_for(None, 4, 3), "svg").startswith(b"<?xml")
    True
    """
    figure = ax.figure.canvas.figure
    for one in figure.axes:
        # A layout starts from where the last one left the axes, so a second picture would differ a little.
        spec = one.get_subplotspec()
        if spec is not None and figure.get_layout_engine() is not None:
            one.set_subplotspec(spec)
    buffer = BytesIO()
    with mpl.rc_context({**_SAVING, "svg.fonttype": text}):
        figure.savefig(buffer, format=kind, dpi=150, bbox_inches="tight", pad_inches=0.15, metadata=_METADATA[kind])
    return buffer.getvalue()


def save_chart(ax: Axes, path: str | Path) -> Path:
    """Save the figure of a chart as PNG (150 dots per inch) or SVG.

    The same chart gives the same bytes: no date, and identifiers that do not change. A reader of a file that
    is being replaced sees the old picture or the new.

    Parameters
    ----------
    ax : matplotlib.axes.Axes
        The chart.
    path : str or path
        Its suffix, ``.png`` or ``.svg``, decides the format; folders are made if they do not exist.

    Returns
    -------
    pathlib.Path

    Raises
    ------
    UsageError
        If the suffix is another one.
    StorageError
        If the file cannot be written.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     save_chart(axes_for(None, 4, 3), f"{folder}/chart.svg").name
    'chart.svg'
    """
    path = Path(path)
    kind: Any = path.suffix.lower().removeprefix(".")
    if kind not in _METADATA:
        raise UsageError(f"chart {path.name!r} has no known format; end its name with .png or .svg")
    content = render(ax, kind)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(path, content)
    except OSError as problem:
        reason = problem.strerror or type(problem).__name__
        raise StorageError(f"chart cannot be written to {path}: {reason}") from problem
    return path
