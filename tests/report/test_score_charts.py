from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle, StepPatch

from analyzer.errors import UsageError
from analyzer.report.charts import chance_of_at_least, score_distribution
from analyzer.report.score_charts import _round_number

POLICIES = ["optimal", "greedy", "par", "line:poker", "random", "line:chance", "a-long-policy-file.toml", "x"]
COIN = pd.DataFrame({"score": [3, 13], "probability": [0.25, 0.75], "at_least": [1.0, 0.75]})
ALWAYS = pd.DataFrame({"score": [7], "probability": [1.0], "at_least": [1.0]})


def steps(ax: Axes) -> list[StepPatch]:
    """The outlines, which the legend names."""
    return [patch for patch in ax.patches if isinstance(patch, StepPatch) and not patch.get_fill()]


def bars(ax: Axes) -> list[tuple[float, float, float]]:
    """Middle, bottom and height of each bar."""
    return [
        (patch.get_x() + patch.get_width() / 2, patch.get_y(), patch.get_height())
        for patch in ax.patches
        if isinstance(patch, Rectangle)
    ]


def strips(ax: Axes) -> list[Any]:
    return [line for line in ax.lines if line.get_linewidth() == 3]


def legend(ax: Axes) -> list[str]:
    found = ax.get_legend()
    return [] if found is None else [text.get_text() for text in found.get_texts()]


def test_probabilities_are_collected_in_classes(make_result: Callable[..., Any]) -> None:
    result = make_result()
    ax = score_distribution(result)
    (outline,) = steps(ax)
    values, edges, _ = outline.get_data()
    assert set(np.diff(edges)) == {5.0}
    assert edges[0] % 5 == 4.5
    scores = result.distribution()
    for value, low, high in zip(values, edges, edges[1:], strict=False):
        inside = scores[(scores["score"] > low) & (scores["score"] < high)]
        assert value == pytest.approx(inside["probability"].sum())
    assert ax.get_ylabel() == "Probability per 5 points"
    assert ax.get_title(loc="left") == "Dice Poker: distribution of the total score"


def test_thin_tails_are_cut_off_and_told(make_result: Callable[..., Any]) -> None:
    ax = score_distribution(make_result())
    left, right = ax.get_xlim()
    assert 0 < left < 100
    assert 430 < right < 520
    note = ax.texts[0].get_text()
    assert note.startswith("optimal: mean 25")
    assert note.endswith("% of games lie beyond the axis")


def test_short_tails_are_not_cut_off(make_result: Callable[..., Any]) -> None:
    scores = pd.DataFrame({"score": range(101), "probability": [1e-9, *[(1 - 2e-9) / 99] * 99, 1e-9]})
    ax = score_distribution(make_result(scores=scores))
    assert ax.get_xlim() == (-0.5, 100.5)
    assert "beyond" not in ax.texts[0].get_text()


def test_mean_and_middle_are_shown(make_result: Callable[..., Any]) -> None:
    scores = pd.DataFrame({"score": range(101), "probability": 1 / 101})
    ax = score_distribution(make_result(scores=scores))
    (strip,) = strips(ax)
    assert strip.get_xdata().tolist() == [5, 95]
    (dot,) = [line for line in ax.lines if line.get_marker() == "o"]
    assert np.asarray(dot.get_xdata())[0] == pytest.approx(50)
    assert "optimal: mean 50.0, sd 29.2" in ax.texts[0].get_text()
    assert ax.get_ylim()[0] < strip.get_ydata()[0] < 0
    assert min(ax.get_yticks()) == 0


def test_a_small_sample_has_wide_classes(make_result: Callable[..., Any]) -> None:
    widths = []
    for games in (1_000, 20_000, 10**6):
        result = make_result(games=games)
        result.scores = result.scores[result.scores["count"] > 0]
        result.scores["probability"] = result.scores["count"] / result.scores["count"].sum()
        values, edges, _ = steps(score_distribution(result))[0].get_data()
        widths.append(edges[1] - edges[0])
        assert sum(values) > 0.99
    assert widths == [20, 10, 5]


def test_two_or_three_share_a_baseline_and_a_legend(make_result: Callable[..., Any]) -> None:
    ax = score_distribution([make_result("optimal"), make_result("greedy", 0.8), make_result("random", 0.4)])
    outlines = steps(ax)
    assert [outline.get_data()[2] for outline in outlines] == [0, 0, 0]
    assert len({tuple(outline.get_data()[1]) for outline in outlines}) == 1
    assert [name.splitlines()[0] for name in legend(ax)] == ["optimal", "greedy", "random"]
    heights = [strip.get_ydata()[0] for strip in strips(ax)]
    assert heights == sorted(heights, reverse=True)
    assert ax.get_ylim()[0] < heights[-1] < heights[0] < 0


def test_more_have_a_baseline_each(make_result: Callable[..., Any]) -> None:
    results = [make_result(name, 1 - 0.1 * place) for place, name in enumerate(POLICIES)]
    ax = score_distribution(results)
    bases = [float(outline.get_data()[2]) for outline in steps(ax)]
    assert bases == sorted(bases, reverse=True)
    assert bases[-1] == 0
    labels = dict(zip(ax.get_yticks(), [label.get_text() for label in ax.get_yticklabels()], strict=True))
    assert [labels[base].splitlines()[0] for base in bases] == POLICIES
    for outline, below in zip(steps(ax)[1:], bases, strict=False):
        assert max(outline.get_data()[0]) < below
    assert legend(ax) == []
    assert "probability per 5 points, on the same scale" in ax.texts[0].get_text()


def test_few_scores_are_bars_in_their_places(make_result: Callable[..., Any]) -> None:
    ax = score_distribution(make_result(scores=COIN))
    assert bars(ax) == [(3, 0, 0.25), (13, 0, 0.75)]
    assert ax.get_xticks().tolist() == [3, 13]
    assert ax.get_ylabel() == "Probability"
    both = score_distribution([make_result("coin", scores=COIN), make_result("always", scores=ALWAYS)])
    assert [middle for middle, _, _ in bars(both)] == [3, 13, 7]
    assert [name.splitlines()[0] for name in legend(both)] == ["coin", "always"]


def test_one_possible_score(make_result: Callable[..., Any]) -> None:
    ax = score_distribution(make_result(scores=ALWAYS))
    assert bars(ax) == [(7, 0, 1)]
    assert ax.get_xlim() == (6, 8)
    curve = chance_of_at_least(make_result(scores=ALWAYS))
    left, right = curve.get_xlim()
    assert [tick for tick in curve.get_xticks() if left < tick < right] == [7]


def test_rows_without_probability_do_not_count(make_result: Callable[..., Any]) -> None:
    padded = pd.DataFrame({"score": [13, 0, 3, 1835], "probability": [0.75, 0, 0.25, 0], "at_least": [0.75, 1, 1, 0]})
    assert bars(score_distribution(make_result(scores=padded))) == [(3, 0, 0.25), (13, 0, 0.75)]
    curve = chance_of_at_least(make_result(scores=padded)).lines[0]
    assert np.asarray(curve.get_ydata()).tolist() == [1, 1, 0.75, 0]


def test_chances_fall_from_one_to_zero_past_each_score(make_result: Callable[..., Any]) -> None:
    ax = chance_of_at_least(make_result(scores=COIN))
    curve, dot = ax.lines
    assert np.asarray(curve.get_xdata())[1:-1].tolist() == [3, 13]
    assert np.asarray(curve.get_ydata()).tolist() == [1, 1, 0.75, 0]
    assert curve.get_drawstyle() == "steps-pre"
    assert [np.asarray(dot.get_xdata())[0], np.asarray(dot.get_ydata())[0]] == [13, 0.75]
    left, right = ax.get_xlim()
    assert np.asarray(curve.get_xdata())[0] < left < 3
    assert 13 < right < np.asarray(curve.get_xdata())[-1]
    assert "median 13" in ax.texts[0].get_text()


def test_chances_of_several_results(make_result: Callable[..., Any]) -> None:
    results = [make_result(name, 1 - 0.1 * place) for place, name in enumerate(POLICIES)]
    ax = chance_of_at_least(results)
    curves = [line for line in ax.lines if line.get_drawstyle() == "steps-pre"]
    for curve, result in zip(curves, results, strict=True):
        assert np.asarray(curve.get_ydata())[1:-1].tolist() == result.distribution()["at_least"].tolist()
    assert len({(curve.get_color(), str(curve.get_linestyle())) for curve in curves}) == 8
    assert [name.splitlines()[0] for name in legend(ax)] == POLICIES
    assert legend(ax)[0] == "optimal\nmedian 250"
    assert ax.get_xlim()[1] < 520


@pytest.mark.parametrize("draw", [score_distribution, chance_of_at_least])
def test_nothing_to_draw(draw: Callable[..., Axes], make_result: Callable[..., Any]) -> None:
    with pytest.raises(UsageError, match="no result"):
        draw([])
    with pytest.raises(UsageError, match="'optimal' has no score"):
        draw(make_result(scores=COIN.head(0)))


@pytest.mark.parametrize("draw", [score_distribution, chance_of_at_least])
@pytest.mark.parametrize("policies", [1, 2, 3, 4, 8])
@pytest.mark.parametrize("scores", [None, COIN, ALWAYS], ids=["many scores", "two scores", "one score"])
def test_scores_are_readable(
    draw: Callable[..., Axes],
    make_result: Callable[..., Any],
    assert_readable: Callable[..., None],
    policies: int,
    scores: pd.DataFrame | None,
) -> None:
    assert_readable(
        draw([make_result(name, 1 - 0.1 * place, scores=scores) for place, name in enumerate(POLICIES[:policies])])
    )


def test_charts_are_drawn_where_they_are_told(make_result: Callable[..., Any]) -> None:
    for draw in (score_distribution, chance_of_at_least):
        ax = Figure().add_subplot()
        assert draw(make_result(), ax) is ax


@pytest.mark.parametrize(
    ("least", "width"), [(1, 1), (2, 2), (3, 5), (6, 10), (11, 20), (21, 25), (26, 50), (51, 100), (201, 250)]
)
def test_widths_are_round_numbers(least: int, width: int) -> None:
    assert _round_number(least) == width


def test_scores_that_sums_of_chances_cannot_see_are_in_view(make_result: Callable[..., Any]) -> None:
    """A chance below the rounding of 1 is still that of the highest score."""
    scores = pd.DataFrame({"score": range(101), "probability": [*[1 / 100] * 100, 1e-19]})
    ax = score_distribution(make_result(scores=scores))
    assert ax.get_xlim() == (-0.5, 100.5)
    assert "beyond" not in ax.texts[0].get_text()
