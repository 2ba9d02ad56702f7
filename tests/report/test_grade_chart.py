"""The chart of a graded game: bars that lead from turn to turn, with names and numbers, and without overlap."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
import pytest
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from analyzer.errors import UsageError
from analyzer.report.charts import luck_and_mistakes
from analyzer.report.grade_chart import LOST, LUCKY, UNLUCKY, GradedGame


@dataclass
class MadeGrading:
    table: pd.DataFrame
    title: str = "Dice Poker"
    label: str = "optimal"
    value_name: str = "expected_score"

    def turns(self) -> pd.DataFrame:
        return self.table.copy()


def made(
    luck: list[float], lost: list[float], start: float = 250.0, label: str = "Three of a kind", **others: Any
) -> MadeGrading:
    ends = start + np.cumsum(np.array(luck) - lost)
    numbers = range(1, len(luck) + 1)
    table = pd.DataFrame({"turn": numbers, "label": label, "points": 25, "luck": luck, "lost": lost, "value_end": ends})
    table["value_start"] = [start, *ends[:-1]]
    return MadeGrading(table, **others)


def bars(ax: Axes) -> np.ndarray:
    """Left and right end of every bar: luck of all turns, then mistakes."""
    return np.array([[bar.get_x(), bar.get_x() + bar.get_width()] for bar in ax.patches])  # type: ignore[attr-defined]


def test_every_bar_starts_where_the_last_one_ended() -> None:
    ax = luck_and_mistakes(made([12.0, -8.5, 3.0], [2.0, 0.0, 7.25]))
    assert bars(ax) == pytest.approx(
        np.array([[250, 262], [260, 251.5], [251.5, 254.5], [262, 260], [251.5, 251.5], [254.5, 247.25]])
    )
    colours = [bar.get_facecolor() for bar in ax.patches]
    assert len(set(colours)) == 3
    assert colours[0] == colours[2] != colours[1]
    legend = ax.get_legend()
    assert legend is not None
    assert [text.get_text() for text in legend.get_texts()] == ["Good luck", "Bad luck", "Mistakes"]
    assert len({LUCKY, UNLUCKY, LOST}) == 3


def test_names_numbers_and_the_sum() -> None:
    ax = luck_and_mistakes(made([12.0, -8.5, 3.0], [2.0, 0.01, 7.25]))
    assert [label.get_text() for label in ax.get_yticklabels()] == [f"{n}. Three of a kind (25)" for n in (1, 2, 3)]
    texts = [text.get_text().replace("\N{MINUS SIGN}", "-") for text in ax.texts]
    assert texts[:-1] == ["+12.0", "-2.0", "-8.5", "+3.0", "-7.2"], "0.01 is too small to be named"
    assert texts[-1].endswith("250.0 at the start + 6.5 luck - 9.3 mistakes = 247.2")
    assert ax.get_title(loc="left") == "Dice Poker: luck and mistakes of a game"
    assert ax.get_xlabel() == "Expected final score"


def test_chances() -> None:
    ax = luck_and_mistakes(made([0.0125, -0.02], [0.0, 0.03], start=0.05, value_name="chance", label="instant"))
    texts = [text.get_text().replace("\N{MINUS SIGN}", "-") for text in ax.texts]
    assert texts[:-1] == ["+1.2%", "-2.0%", "-3.0%"]
    assert texts[-1].endswith("5.00% at the start - 0.75% luck - 3.00% mistakes = 1.25%")
    assert ax.get_xlabel() == "Chance of an instant win"
    ax.figure.canvas.draw()
    assert ax.get_xticklabels()[0].get_text().endswith("%")


def test_what_is_no_graded_game() -> None:
    with pytest.raises(UsageError, match=r"'yahtzee' is no graded game; give what analyzer\.grade returns"):
        luck_and_mistakes("yahtzee")  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="no turn of Dice Poker is graded"):
        luck_and_mistakes(MadeGrading(made([1.0], [0.0]).table.iloc[:0]))


@pytest.mark.parametrize("turns", [1, 4, 15, 20])
@pytest.mark.parametrize("scale", [0.02, 9.0, 300.0])
def test_it_is_readable(assert_readable: Callable[..., None], turns: int, scale: float) -> None:
    random = np.random.default_rng(turns)
    luck, lost = random.normal(0, scale, turns), np.maximum(random.normal(0, scale, turns), 0)
    grading: GradedGame = made(luck.tolist(), lost.tolist(), label="Four alike, for $5, a line with a long name")
    assert_readable(luck_and_mistakes(grading))
    ax = Figure(figsize=(9, 2 + 0.5 * turns), layout="constrained").add_subplot()
    assert luck_and_mistakes(grading, ax) is ax


def test_a_game_in_which_nothing_moved(assert_readable: Callable[..., None]) -> None:
    assert_readable(luck_and_mistakes(made([0.0, 0.0], [0.0, 0.0])))
