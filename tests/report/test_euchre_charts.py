"""Charts of Euchre, by what is on them."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import pytest
from matplotlib.patches import Rectangle

from analyzer.analysis.euchre.calls import CallValues, call_values
from analyzer.analysis.euchre.hands import HandsResult, simulate_hands
from analyzer.analysis.euchre.win_table import WinTable, win_table_of
from analyzer.errors import UsageError
from analyzer.games.euchre.rules import Euchre
from analyzer.report import charts
from analyzer.report.style import axes_for, save_chart

HANDS = 6000


@cache
def hands(policy: str = "rules", **options: Any) -> HandsResult:
    return simulate_hands(Euchre(**options), policy, games=HANDS, seed=5)


@cache
def calls(**options: Any) -> CallValues:
    return call_values(Euchre(**options), "rules", hands=HANDS, seed=5)


def wins() -> WinTable:
    return win_table_of(hands())


def cell_texts(ax: Any) -> dict[tuple[int, int], str]:
    """What stands in the cells, by row and column."""
    found = [text for text in ax.texts if str(text.get_gid()).startswith("shade-")]
    return {(round(text.get_position()[1]), round(text.get_position()[0])): text.get_text() for text in found}


@pytest.mark.parametrize("position", ["dealer", "dealer's left"])
def test_a_map_of_calls_has_a_cell_for_every_hand_class_with_enough_deals(position: str) -> None:
    ax = charts.call_map(calls(), position, least=60)
    frame = calls().best()
    mine = frame[(frame["position"] == position) & (frame["hands"] >= 60)]
    written = cell_texts(ax)
    assert len(written) == len(mine) > 20
    gains = sorted(float(text.strip("()").replace("\N{MINUS SIGN}", "-")) for text in written.values())
    assert gains == pytest.approx(sorted(mine["gain"]), abs=0.051)
    cells = ax.collections[0].get_array().compressed()
    assert sorted(cells) == pytest.approx(sorted(mine["gain"]))
    frames = [patch for patch in ax.patches if isinstance(patch, Rectangle)]
    assert len(frames) == (mine["best"] == "order alone").sum()


def test_brackets_stand_where_intervals_of_two_calls_allow_for_no_difference() -> None:
    ax = charts.call_map(calls(), "dealer", least=60)
    table = calls().table()
    names = ["trumps", "bowers", "off_aces", "voids"]
    doubtful = 0
    for _, part in table[(table["position"] == "dealer")].groupby(names):
        rows = part.set_index("call")
        if rows["hands"].max() < 60:
            continue
        best = rows.drop(index="pass").sort_values("points").iloc[-1]
        reach = np.hypot(*((one["upper"] - one["lower"]) / 2 for one in (rows.loc["pass"], best)))
        doubtful += abs(best["points"] - rows.loc["pass", "points"]) <= reach
    assert sum(text.startswith("(") for text in cell_texts(ax).values()) == doubtful > 0


def test_maps_of_all_positions_have_the_same_cells() -> None:
    names = [
        [label.get_text() for label in charts.call_map(calls(), one).get_yticklabels()] for one in calls().positions
    ]
    assert len({tuple(one) for one in names}) == 1
    assert names[0][:3] == ["0 trumps, 0 bowers", "1 trump, 0 bowers", "1 trump, 1 bower"]


def test_bars_of_outcomes_add_up_to_all_hands_with_so_many_trumps() -> None:
    ax = charts.maker_outcomes(hands())
    frame = hands().trumps()
    widths = np.array([[bar.get_width() for bar in group] for group in ax.containers])
    assert widths.sum(axis=0) == pytest.approx(np.ones(len(frame)))
    columns = ["euchred", "made", "march", "lone_march"]
    np.testing.assert_allclose(widths.T, frame[columns].to_numpy())
    labels = [text.get_text() for text in ax.get_legend().get_texts()]
    assert labels == ["euchred", "3 or 4 tricks", "march", "march alone"]


def test_three_players_make_no_march_alone() -> None:
    labels = [text.get_text() for text in charts.maker_outcomes(hands(players="3")).get_legend().get_texts()]
    assert labels == ["euchred", "3 or 4 tricks", "march"]


def test_dots_of_positions_stand_at_their_points_with_intervals() -> None:
    ax = charts.position_points([hands(), hands("random")])
    for result, group in zip((hands(), hands("random")), ax.containers, strict=True):
        frame = result.seats()
        assert group.lines[0].get_xdata().tolist() == pytest.approx(frame["points"].tolist())
        ends = np.array([[one[0, 0], one[1, 0]] for one in group.lines[2][0].get_segments()])
        assert ends == pytest.approx(frame[["lower", "upper"]].to_numpy())
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["rules", "random"]


@pytest.mark.parametrize("value", ["called", "euchred"])
def test_rates_are_told_for_both_rounds(value: Any) -> None:
    ax = charts.call_rates(hands(), value=value)
    frame = hands().calls() if value == "called" else hands().outcomes().iloc[:-1]
    (group,) = ax.containers
    drawn, known = np.asarray(group.lines[0].get_xdata(), float), frame[value].dropna().tolist()
    assert drawn[~np.isnan(drawn)].tolist() == pytest.approx(known)
    labels = [label.get_text() for label in ax.get_yticklabels()]
    assert labels[0] == "round 1, dealer's left"
    assert labels[-1].startswith("round 2, dealer")
    assert f"{frame[value].iloc[0]:.1%}" in {text.get_text() for text in ax.texts}


@pytest.mark.parametrize("deals", [True, False])
def test_chances_to_win_stand_at_their_scores(deals: bool) -> None:
    written = cell_texts(charts.win_heatmap(wins(), deals=deals))
    assert len(written) == 100
    for (own, other), text in written.items():
        assert text == f"{100 * wins().chance(own, other, deals=deals):.0f}"


def test_a_large_table_has_no_numbers() -> None:
    ax = charts.win_heatmap(win_table_of(hands(target=40)))
    assert cell_texts(ax) == {}
    assert ax.collections[0].get_array().shape == (40, 40)


CHARTS: dict[str, Callable[[], Any]] = {
    "map": lambda: charts.call_map(calls(), "dealer's partner"),
    "map of two": lambda: charts.call_map(calls(players="2"), "non-dealer"),
    "outcomes": lambda: charts.maker_outcomes(hands()),
    "points": lambda: charts.position_points(hands()),
    "points of two": lambda: charts.position_points([hands(), hands("random")]),
    "rates": lambda: charts.call_rates([hands(), hands("random")]),
    "euchres": lambda: charts.call_rates(hands(), value="euchred"),
    "wins": lambda: charts.win_heatmap(wins()),
}


@pytest.mark.parametrize("name", CHARTS)
def test_no_texts_overlap(name: str, assert_readable: Callable[[Any], None]) -> None:
    assert_readable(CHARTS[name]())


def test_the_same_chart_twice_and_on_given_axes(tmp_path: Any) -> None:
    for name in ("map", "wins"):
        first, second = (save_chart(CHARTS[name](), tmp_path / f"{name}{copy}.svg") for copy in "ab")
        assert first.read_bytes() == second.read_bytes()
    ax = axes_for(None, 8, 5)
    assert charts.position_points(hands(), ax) is ax


@pytest.mark.parametrize(
    ("draw", "message"),
    [
        (lambda: charts.call_map("rules", "dealer"), "'rules' has no best of Euchre; give what call_values returns"),
        (lambda: charts.call_map(calls(), "north"), "position 'north' is unknown; choose from: dealer's left"),
        (lambda: charts.call_map(calls(), "dealer", least=HANDS), "no hand class has 6000 deals; try the calls in"),
        (lambda: charts.position_points([]), "there is no result to draw; give at least one"),
        (lambda: charts.maker_outcomes("rules"), "'rules' has no trumps of Euchre; give what simulate returns"),
        (lambda: charts.win_heatmap("rules"), "'rules' has no chance of Euchre; give what win_table returns"),
    ],
)
def test_what_cannot_be_drawn_is_told(draw: Callable[[], Any], message: str) -> None:
    with pytest.raises(UsageError) as caught:
        draw()
    assert str(caught.value).startswith(message)
