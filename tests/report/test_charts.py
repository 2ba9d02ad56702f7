import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest
from matplotlib.axes import Axes
from matplotlib.collections import QuadMesh
from matplotlib.colors import to_hex
from matplotlib.container import ErrorbarContainer
from matplotlib.figure import Figure

from analyzer.errors import UsageError
from analyzer.report import charts
from analyzer.report.charts import keep_costs, line_round_heatmap, line_values
from analyzer.report.style import colour_of

LONG = [
    *(f"Line {number}" for number in range(1, 18)),
    "Four alike, served from the first throw",
    "Full $5 for $10$",
    "A|B_c^2",
]
POLICIES = [
    "optimal",
    "greedy",
    "par",
    "line:poker",
    "random",
    "line:large_straight",
    "my-long-policy-file-number-2.toml",
    "keep everything",
]


def tick_texts(ax: Axes) -> list[str]:
    return [label.get_text() for label in ax.get_yticklabels()]


def written(ax: Axes) -> list[str]:
    return [text.get_text() for text in ax.texts]


def markers(ax: Axes) -> dict[str, Any]:
    """Lines of a legend by the first line of their label."""
    return {
        str(line.get_label()).splitlines()[0]: line for line in ax.lines if not str(line.get_label()).startswith("_")
    }


def test_one_result_is_drawn_as_bars(make_result: Callable[..., Any]) -> None:
    ax = line_values(make_result())
    assert [bar.get_width() for bar in ax.patches] == [2.1, 19.2, 22.6, 16.9, 23.8]  # type: ignore[attr-defined]
    assert tick_texts(ax) == ["Aces", "Sixes", "Full house", "Poker", "Upper bonus"]
    assert ax.get_title(loc="left") == "Dice Poker: points per line"
    assert ax.get_xlabel() == "Expected points per game"
    assert {"2.10", "19.20", "22.60", "16.90", "23.80"} <= set(written(ax))
    assert {"zero rate", "11.0%", "0.5%", "9.6%", "66.0%", "32.0%"} <= set(written(ax))
    assert "optimal: 84.6 points in all; exact values" in written(ax)
    assert ax.get_xlim()[0] == 0
    assert ax.get_xlim()[1] > 23.8
    assert ax.get_ylim()[0] > ax.get_ylim()[1]
    assert ax.get_legend() is None


def test_sections_are_set_apart(make_result: Callable[..., Any]) -> None:
    assert line_values(make_result()).get_yticks().tolist() == [0, 1, 2.5, 3.5, 5]


def test_bars_of_a_simulation_have_its_intervals(make_result: Callable[..., Any]) -> None:
    result = make_result(games=100)
    ax = line_values(result)
    (container,) = [one for one in ax.containers if isinstance(one, ErrorbarContainer)]
    segments = container.lines[2][0].get_segments()
    assert [tuple(segment[:, 0]) for segment in segments] == [
        pytest.approx(ends) for ends in zip(result.lines()["lower"], result.lines()["upper"], strict=True)
    ]
    assert "optimal: 84.6 points in all; simulated, with intervals" in written(ax)
    assert ax.get_xlim()[1] > result.lines()["upper"].max()


def test_several_results_are_markers_with_a_legend(make_result: Callable[..., Any]) -> None:
    results = [make_result("optimal"), make_result("greedy", 0.5), make_result("random", 0.2, games=400)]
    ax = line_values(iter(results))
    drawn = markers(ax)
    assert list(drawn) == ["optimal", "greedy", "random"]
    for result in results:
        assert drawn[result.label].get_xdata().tolist() == result.lines()["mean"].tolist()
    assert len({line.get_color() for line in drawn.values()}) == 3
    assert len({line.get_marker() for line in drawn.values()}) == 3
    legend = ax.get_legend()
    assert legend is not None
    assert [text.get_text() for text in legend.get_texts()] == [
        "optimal\n84.6 in all",
        "greedy\n42.3 in all",
        "random\n16.9 in all",
    ]
    assert "Exact values, and simulations with intervals" in written(ax)
    heights = np.array([line.get_ydata() for line in drawn.values()])
    assert (np.abs(heights - ax.get_yticks()) < 0.5).all()
    assert (np.diff(heights, axis=0) > 0).all()


def test_variants_may_have_different_lines(make_result: Callable[..., Any]) -> None:
    without = make_result("without bonus", title="Yahtzee")
    without.lines_table = without.lines_table[without.lines_table["section"] != "bonus"]
    other = make_result("other", title="Dice Poker", labels=["Aces", "Sixes", "Full house", "Chance"])
    ax = line_values([without, other])
    assert tick_texts(ax) == ["Aces", "Sixes", "Full house", "Poker", "Chance", "Upper bonus"]
    counts = {name: len(line.get_xdata()) for name, line in markers(ax).items()}
    assert counts == {"without bonus": 4, "other": 5}
    assert ax.get_title(loc="left") == "Points per line"


def test_results_that_share_a_label_are_told_apart(make_result: Callable[..., Any]) -> None:
    assert list(markers(line_values([make_result(), make_result(games=100)]))) == [
        "optimal (exact)",
        "optimal (simulated)",
    ]
    assert list(markers(line_values([make_result(), make_result(title="Yahtzee")]))) == [
        "Dice Poker, optimal",
        "Yahtzee, optimal",
    ]
    assert list(markers(line_values([make_result(), make_result(), make_result("par")]))) == [
        "1: optimal",
        "2: optimal",
        "3: par",
    ]


def test_zero_rates(make_result: Callable[..., Any]) -> None:
    one = line_values(make_result(games=100), value="zero_rate")
    assert [bar.get_width() for bar in one.patches] == [0.11, 0.005, 0.096, 0.66, 0.32]  # type: ignore[attr-defined]
    assert one.get_title(loc="left") == "Dice Poker: games with 0 points in the line"
    assert "zero rate" not in written(one)
    several = line_values([make_result("a"), make_result("b")], value="zero_rate")
    assert markers(several)["a"].get_xdata().tolist() == [0.11, 0.005, 0.096, 0.66, 0.32]


def test_values_that_are_all_zero_or_negative(make_result: Callable[..., Any]) -> None:
    assert line_values(make_result(factor=0.0)).get_xlim() == (0, 1)
    assert line_values([make_result("a", 0.0), make_result("b", 0.0)]).get_xlim() == (0, 1)
    assert line_values(make_result(factor=-1.0)).get_xlim()[0] < -23.8


def test_nothing_to_draw() -> None:
    with pytest.raises(UsageError, match="no result"):
        line_values([])


def test_heatmap_has_a_cell_for_each_line_and_round(make_result: Callable[..., Any]) -> None:
    result = make_result()
    ax = line_round_heatmap(result)
    (mesh,) = [one for one in ax.collections if isinstance(one, QuadMesh)]
    rates = result.line_rounds()["rate"].to_numpy().reshape(4, 4)
    assert np.asarray(mesh.get_array()).tolist() == rates.tolist()
    assert tick_texts(ax) == ["Aces", "Sixes", "Full house", "Poker"]
    assert [label.get_text() for label in ax.get_xticklabels()] == ["1", "2", "3", "4"]
    assert written(ax)[:6] == [
        "Per cent of games that fill the line in the round",
        "mean round",
        "9.5",
        "6.2",
        "6.5",
        "10.5",
    ]
    assert written(ax)[6:] == [f"{100 * rate:.0f}" for rate in rates.ravel()]
    assert ax.get_title(loc="left") == "Dice Poker, optimal: when each line is filled"


def test_heatmap_of_points_leaves_what_never_happens_empty(make_result: Callable[..., Any]) -> None:
    result = make_result()
    result.rounds.loc[result.rounds["round"] == 2, ["rate", "mean"]] = [0.0, math.nan]
    result.rounds.loc[result.rounds["line"] == "poker", ["rate", "mean"]] = [0.004, math.nan]
    rates, points = line_round_heatmap(result), line_round_heatmap(result, value="mean")
    assert written(rates)[6 + 1] == ""
    assert written(rates)[-1] == "<1"
    assert written(points)[6 + 1] == ""
    assert written(points)[-4:] == [""] * 4
    assert points.get_title(loc="left") == "Dice Poker, optimal: what each line earns in each round"


def test_heatmap_of_nothing_but_zeros(make_result: Callable[..., Any], assert_readable: Callable[..., None]) -> None:
    result = make_result()
    result.rounds["rate"] = 0.0
    ax = line_round_heatmap(result)
    assert written(ax)[6:] == [""] * 16
    assert_readable(ax)


def test_numbers_contrast_with_their_cells(make_result: Callable[..., Any]) -> None:
    """At least 3.9 : 1 everywhere: on the worst blue, two fixed inks reach no more than 4.0."""

    def luminance(colour: Any) -> float:
        channels = np.array([int(to_hex(colour)[place : place + 2], 16) / 255 for place in (1, 3, 5)])
        linear = np.where(channels <= 0.04045, channels / 12.92, ((channels + 0.055) / 1.055) ** 2.4)
        return float(linear @ [0.2126, 0.7152, 0.0722])

    result = make_result(labels=[f"Line {number}" for number in range(20)])
    ax = line_round_heatmap(result)
    (mesh,) = [one for one in ax.collections if isinstance(one, QuadMesh)]
    cells = mesh.to_rgba(np.asarray(mesh.get_array()).ravel())
    for text, cell in zip(ax.texts[22:], cells, strict=True):
        light, dark = sorted([luminance(text.get_color()), luminance(cell)], reverse=True)
        assert (light + 0.05) / (dark + 0.05) > 3.9


def test_keeps_are_bars_of_losses(make_keeps: Callable[..., Any]) -> None:
    ax = keep_costs(make_keeps(), title="5 5 3 2 1 after the first throw")
    assert [bar.get_width() for bar in ax.patches] == (0.75 * np.arange(12)).tolist()  # type: ignore[attr-defined]
    assert tick_texts(ax)[:2] == ["1 2 3 5 5", "1 2 3 5"]
    assert ax.get_title(loc="left") == "5 5 3 2 1 after the first throw"
    assert {"best", "0.75", "8.25", "250.00", "241.75"} <= set(written(ax))
    assert any("12 more lose 9.00 points or more" in text for text in written(ax))
    assert ax.get_ylim()[0] > ax.get_ylim()[1]


def test_all_keeps_and_the_empty_one(make_keeps: Callable[..., Any]) -> None:
    ax = keep_costs(make_keeps(), limit=None)
    assert len(ax.patches) == 24
    assert tick_texts(ax)[-1] == "no dice"
    assert not any("more lose" in text for text in written(ax))
    assert ax.get_title(loc="left") == "What each keep costs"
    assert len(keep_costs(make_keeps(), limit=100).patches) == 24


def test_entries_and_ties(make_keeps: Callable[..., Any]) -> None:
    advice = make_keeps()
    advice.table = pd.DataFrame(
        {
            "line": ["pair", "chance", "aces"],
            "label": ["Pair", "Chance", "Aces $"],
            "points": [16, 16, 0],
            "expected_score": [200.0, 200.0, 199.996],
            "loss": [0.0, 0.0, 0.004],
        }
    )
    ax = keep_costs(advice)
    assert tick_texts(ax) == ["Pair (16)", "Chance (16)", r"Aces \$ (0)"]
    assert ax.get_title(loc="left") == "What each entry costs"
    assert written(ax).count("best") == 2
    assert "0.004" in written(ax)


def test_advice_that_cannot_be_drawn(make_keeps: Callable[..., Any]) -> None:
    with pytest.raises(UsageError, match="no option"):
        keep_costs(make_keeps(limit=0))
    with pytest.raises(UsageError, match="limit 0"):
        keep_costs(make_keeps(), limit=0)


@pytest.mark.parametrize("labels", [["Coin"], None, LONG], ids=["1 line", "4 lines", "20 lines"])
@pytest.mark.parametrize("policies", [1, 2, 8])
@pytest.mark.parametrize("value", ["mean", "zero_rate"])
def test_lines_are_readable(
    make_result: Callable[..., Any],
    assert_readable: Callable[..., None],
    labels: list[str] | None,
    policies: int,
    value: Any,
) -> None:
    results = [
        make_result(name, 1 - 0.1 * place, labels=labels, games=500 if place == 1 else None)
        for place, name in enumerate(POLICIES[:policies])
    ]
    assert_readable(line_values(results, value=value))


@pytest.mark.parametrize("labels", [["Coin"], None, LONG], ids=["1 line", "4 lines", "20 lines"])
@pytest.mark.parametrize("value", ["rate", "mean"])
def test_heatmaps_are_readable(
    make_result: Callable[..., Any],
    assert_readable: Callable[..., None],
    labels: list[str] | None,
    value: Any,
) -> None:
    assert_readable(line_round_heatmap(make_result(labels=labels), value=value))


@pytest.mark.parametrize("roll", [(3,), (5, 5, 3, 2, 1), (12, 11, 10, 9, 8, 7, 6)])
@pytest.mark.parametrize("limit", [1, 12, None])
def test_keeps_are_readable(
    make_keeps: Callable[..., Any],
    assert_readable: Callable[..., None],
    roll: tuple[int, ...],
    limit: int | None,
) -> None:
    assert_readable(keep_costs(make_keeps(roll), limit=limit))


def test_charts_are_drawn_where_they_are_told(make_result: Callable[..., Any], make_keeps: Callable[..., Any]) -> None:
    charts: list[Callable[[Axes], Axes]] = [
        lambda ax: line_values(make_result(), ax),
        lambda ax: line_values([make_result("a"), make_result("b")], ax=ax),
        lambda ax: line_round_heatmap(make_result(), ax),
        lambda ax: keep_costs(make_keeps(), ax),
    ]
    for draw in charts:
        ax = Figure().add_subplot()
        assert draw(ax) is ax


def test_colours_of_results_differ() -> None:
    assert len({colour_of(place) for place in range(8)}) == 8


def test_what_is_no_result_of_games_is_refused(make_result: Callable[..., Any]) -> None:
    turns = make_result()
    turns.unit = "turns"
    for chart in (charts.line_values, charts.line_round_heatmap, charts.score_distribution, charts.chance_of_at_least):
        with pytest.raises(UsageError, match="are turns, not games"):
            chart(turns)
        with pytest.raises(UsageError, match="is no result of games"):
            chart("optimal")
    with pytest.raises(UsageError, match="are not the same game and policy"):
        charts.simulation_against_exact(make_result(label="greedy"), make_result(label="optimal"))


def test_losses_of_chances(make_keeps: Callable[..., Any]) -> None:
    advice = make_keeps()
    advice.table = advice.table.rename(columns={"expected_score": "chance"})
    advice.table["chance"], advice.table["loss"] = 0.5, np.linspace(0, 0.25, len(advice.table))
    ax = charts.keep_costs(advice)
    assert ax.get_xlabel() == "Chance lost"
    assert "50.00%" in {text.get_text() for text in ax.texts}


def test_entries_after_flips_and_other_values(make_keeps: Callable[..., Any]) -> None:
    advice = make_keeps()
    advice.table = pd.DataFrame(
        {
            "laid": [(2, 5, 5, 5, 5), (2, 2, 5, 5, 5)],
            "served": [False, False],
            "line": ["poker", "full_house"],
            "label": ["Poker", "Full house"],
            "points": [40, 30],
            "expected_value": [230.5, 200.0],
            "loss": [0.0, 30.5],
        }
    )
    ax = keep_costs(advice)
    assert tick_texts(ax) == ["2 5 5 5 5: Poker (40)", "2 2 5 5 5: Full house (30)"]
    assert {"expected value", "230.50", "best", "30.50"} <= set(written(ax))


def test_a_keep_that_is_the_only_one(make_keeps: Callable[..., Any], assert_readable: Callable[..., None]) -> None:
    ax = keep_costs(make_keeps((5, 5, 5), limit=1))
    assert written(ax)[:1] == ["best"]
    assert_readable(ax)
