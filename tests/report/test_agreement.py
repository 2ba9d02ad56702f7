import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle
from scipy.stats import norm

from analyzer.errors import UsageError
from analyzer.report.charts import simulation_against_exact
from analyzer.report.style import ACCENT

GAMES = 10_000


def pair(make_result: Callable[..., Any]) -> tuple[Any, Any]:
    """A simulation that hit every expectation, and the exact result."""
    exact = make_result()
    simulated = make_result(games=GAMES)
    simulated.scores = exact.scores.assign(count=0)
    simulated.scores.loc[250, "count"] = GAMES
    return simulated, exact


def points(ax: Axes, marker: str) -> np.ndarray:
    """All markers of a kind as rows of x, y."""
    lines = [line for line in ax.lines if line.get_marker() == marker]
    return np.concatenate([np.column_stack([line.get_xdata(), line.get_ydata()]) for line in lines])


def test_differences_are_in_exact_standard_errors(make_result: Callable[..., Any]) -> None:
    simulated, exact = pair(make_result)
    simulated.lines_table["mean"] += 2 * exact.lines_table["standard_deviation"] / math.sqrt(GAMES)
    rates = exact.lines_table["zero_rate"]
    simulated.lines_table["zero_rate"] -= np.sqrt(rates * (1 - rates) / GAMES)
    ax = simulation_against_exact(simulated, exact)
    assert points(ax, "o")[:5, 0] == pytest.approx([2] * 5)
    assert points(ax, "s")[:, 0] == pytest.approx([-1] * 5)
    assert [label.get_text() for label in ax.get_yticklabels()] == [*exact.lines_table["label"], "Total"]
    assert ax.get_title(loc="left") == "Dice Poker, optimal: simulation against exact values"
    assert "10,000 games" in ax.texts[0].get_text()


def test_total_is_compared_too(make_result: Callable[..., Any]) -> None:
    simulated, exact = pair(make_result)
    scores = exact.scores
    mean = float((scores["score"] * scores["probability"]).sum())
    deviation = math.sqrt(((scores["score"] - mean) ** 2 * scores["probability"]).sum())
    total = points(simulation_against_exact(simulated, exact), "o")[-1, 0]
    assert total == pytest.approx((250 - mean) / (deviation / math.sqrt(GAMES)))


def test_band_holds_all_differences_together(make_result: Callable[..., Any]) -> None:
    """11 differences: 5 lines twice, and the total."""
    ax = simulation_against_exact(*pair(make_result))
    (band,) = [patch for patch in ax.patches if isinstance(patch, Rectangle)]
    chance = 1 - 2 * norm.sf(band.get_x() + band.get_width())
    assert chance**11 == pytest.approx(0.95)
    assert "all 11 differences" in ax.texts[0].get_text()


def test_what_is_far_off_is_pointed_at(make_result: Callable[..., Any]) -> None:
    simulated, exact = pair(make_result)
    exact.lines_table.loc[exact.lines_table["line"] == "sixes", "zero_rate"] = 0.0
    errors = exact.lines_table["standard_deviation"].to_numpy() / math.sqrt(GAMES)
    simulated.lines_table["mean"] += np.array([4, 0, -50, 0, 0]) * errors
    ax = simulation_against_exact(simulated, exact)
    coloured = [line for line in ax.lines if line.get_color() == ACCENT and len(line.get_xdata())]  # type: ignore[arg-type]
    assert sorted(str(line.get_marker()) for line in coloured) == ["<", ">", "o"]
    assert {"-50", "impossible"} <= {text.get_text().replace("\N{MINUS SIGN}", "-") for text in ax.texts}
    assert all(abs(float(x)) < ax.get_xlim()[1] for line in coloured for x in np.asarray(line.get_xdata()))


def test_what_cannot_vary_and_agrees_is_not_counted(make_result: Callable[..., Any]) -> None:
    simulated, exact = pair(make_result)
    for result in (simulated, exact):
        result.lines_table["zero_rate"] = 0.0
    ax = simulation_against_exact(simulated, exact)
    assert "all 6 differences" in ax.texts[0].get_text()
    assert not [line for line in ax.lines if str(line.get_marker()) in "<>"]


def test_results_that_do_not_fit_are_refused(make_result: Callable[..., Any]) -> None:
    simulated, exact = pair(make_result)
    with pytest.raises(UsageError, match="counts no games"):
        simulation_against_exact(exact, simulated)
    simulated.scores["count"] = 0
    with pytest.raises(UsageError, match="counts no games"):
        simulation_against_exact(simulated, exact)
    with pytest.raises(UsageError, match="different lines"):
        simulation_against_exact(simulated, make_result(labels=["Coin"]))


@pytest.mark.parametrize("labels", [["Coin"], None, [f"Line number {number}" for number in range(20)]])
@pytest.mark.parametrize("off", [0.0, 0.5, 100.0])
def test_agreement_is_readable(
    make_result: Callable[..., Any],
    assert_readable: Callable[..., None],
    labels: list[str] | None,
    off: float,
) -> None:
    simulated = make_result(games=GAMES, labels=labels)
    simulated.lines_table["mean"] += off
    ax = Figure(figsize=(8, 8), layout="constrained").add_subplot()
    assert simulation_against_exact(simulated, make_result(labels=labels), ax) is ax
    assert_readable(ax)
