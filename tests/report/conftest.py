"""Results made by hand: small enough to know every number that a chart must show."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd
import pytest
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.text import Text

SHEET = (
    ("Aces", "upper", 2.1, 1.2, 0.11, 9.5),
    ("Sixes", "upper", 19.2, 4.9, 0.005, 6.25),
    ("Full house", "lower", 22.6, 7.4, 0.096, 6.5),
    ("Poker", "lower", 16.9, 23.6, 0.66, 10.5),
    ("Upper bonus", "bonus", 23.8, 16.3, 0.32, np.nan),
)


@dataclass
class MadeResult:
    """A result whose tables are given."""

    lines_table: pd.DataFrame
    scores: pd.DataFrame
    rounds: pd.DataFrame = field(default_factory=pd.DataFrame)
    label: str = "optimal"
    title: str = "Dice Poker"
    exact: bool = True

    def lines(self) -> pd.DataFrame:
        return self.lines_table.copy()

    def distribution(self) -> pd.DataFrame:
        return self.scores.copy()

    def line_rounds(self) -> pd.DataFrame:
        return self.rounds.copy()


@dataclass
class MadeAdvice:
    """Advice whose options are given."""

    table: pd.DataFrame

    def options(self) -> pd.DataFrame:
        return self.table.copy()


def line_table(labels: Iterable[str] | None = None, factor: float = 1.0) -> pd.DataFrame:
    """The sheet above, or one with other labels, with means multiplied."""
    rows = [
        SHEET[place % 4] if label is None else (label, *SHEET[place % 4][1:])
        for place, label in enumerate(labels or [None] * 4)
    ]
    frame = pd.DataFrame(
        [*rows, SHEET[4]],
        columns=["label", "section", "mean", "standard_deviation", "zero_rate", "mean_round"],
    )
    frame.insert(0, "line", frame["label"].str.lower().str.replace(" ", "_"))
    frame["mean"] *= factor
    return frame.sort_values("section", key=lambda names: names.map(["upper", "lower", "bonus"].index), kind="stable")


def score_table(scores: Iterable[int], weights: Iterable[float], games: int | None = None) -> pd.DataFrame:
    chances = np.asarray(list(weights), float)
    chances /= chances.sum()
    frame = pd.DataFrame({"score": list(scores), "probability": chances})
    frame["at_least"] = np.minimum(1.0, frame["probability"][::-1].cumsum()[::-1])
    if games is not None:
        frame["count"] = np.rint(chances * games).astype(int)
    return frame


def long_scores(mean: float = 250.0, deviation: float = 60.0, games: int | None = None) -> pd.DataFrame:
    """A hump with a thin tail up to 1,800, as games with many extra fives have."""
    scores = np.arange(0, 1801)
    hump = np.exp(-0.5 * ((scores - mean) / deviation) ** 2)
    return score_table(scores, hump + 1e-9 * hump.sum() * (scores > mean), games)


def round_table(labels: Iterable[str]) -> pd.DataFrame:
    names = list(labels)
    rounds = np.arange(1, len(names) + 1)
    rows = []
    for place, name in enumerate(names):
        rate = 1.0 / (1 + np.abs(rounds - 1 - place))
        rows += [
            {
                "line": name.lower().replace(" ", "_"),
                "label": name,
                "round": number,
                "rate": share,
                "mean": 10.0 * share,
            }
            for number, share in zip(rounds, rate / rate.sum(), strict=True)
        ]
    return pd.DataFrame(rows)


@pytest.fixture
def make_result() -> Callable[..., MadeResult]:
    """Make a result: `factor` scales the means, `games` makes it a simulation, the rest are its fields."""

    def make(
        label: str = "optimal",
        factor: float = 1.0,
        games: int | None = None,
        labels: Iterable[str] | None = None,
        scores: pd.DataFrame | None = None,
        **others: Any,
    ) -> MadeResult:
        lines = line_table(labels, factor)
        if games is not None:
            error = lines["standard_deviation"] / np.sqrt(games)
            lines = lines.assign(
                standard_error=error,
                lower=lines["mean"] - 2 * error,
                upper=lines["mean"] + 2 * error,
                zero_rate_lower=lines["zero_rate"] * 0.9,
                zero_rate_upper=np.minimum(1, lines["zero_rate"] * 1.2),
            )
        if scores is None:
            scores = long_scores(250 * factor, 60, games)
        on_sheet = lines["label"][lines["section"] != "bonus"]
        rounds = round_table(on_sheet)
        return MadeResult(lines, scores, rounds, label, exact=games is None, **others)

    return make


@pytest.fixture
def make_keeps() -> Callable[..., MadeAdvice]:
    """Make advice on all keeps of a roll, each one losing a little more than the one before."""

    def make(roll: tuple[int, ...] = (5, 5, 3, 2, 1), limit: int | None = None) -> MadeAdvice:
        keeps = {tuple(sorted(keep)) for n in range(len(roll) + 1) for keep in combinations(roll, n)}
        chosen = sorted(keeps, key=lambda keep: (-len(keep), keep))[:limit]
        losses = 0.75 * np.arange(len(chosen))
        return MadeAdvice(pd.DataFrame({"keep": chosen, "expected_score": 250 - losses, "loss": losses}))

    return make


def texts_in_view(ax: Axes) -> list[Text]:
    """Every text of a chart that is drawn."""
    found = [ax.title, ax._left_title, ax.xaxis.label, ax.yaxis.label, *ax.texts]  # type: ignore[attr-defined]
    legend = ax.get_legend()
    if legend is not None:
        found += legend.get_texts()
    for axis, limits in ((ax.xaxis, sorted(ax.get_xlim())), (ax.yaxis, sorted(ax.get_ylim()))):
        found += [
            tick.label1
            for tick in axis.get_major_ticks()
            if limits[0] <= tick.get_loc() <= limits[1] and tick.label1.get_visible()
        ]
    return [text for text in found if text.get_text().strip()]


@pytest.fixture
def assert_readable() -> Callable[[Axes], None]:
    """Check that no two texts of a chart overlap, and that the legend covers no data."""

    def check(ax: Axes) -> None:
        canvas = FigureCanvasAgg(ax.figure)  # type: ignore[arg-type]
        canvas.draw()  # type: ignore[no-untyped-call]
        renderer = canvas.get_renderer()  # type: ignore[no-untyped-call]
        boxes = [(text.get_text(), text.get_window_extent(renderer).padded(-1.5)) for text in texts_in_view(ax)]
        assert boxes
        legend = ax.get_legend()
        assert legend is None or not legend.get_window_extent(renderer).overlaps(ax.bbox)
        for (first, one), (second, other) in combinations(boxes, 2):
            assert not one.overlaps(other), f"{first!r} and {second!r} overlap"

    return check
