"""Charts of President, by what is on them."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from types import SimpleNamespace
from typing import Any

import numpy as np
import pandas as pd
import pytest

from analyzer.analysis.president.matches import PresidentMatches, match_president
from analyzer.analysis.president.rounds import RoundsResult, simulate_rounds
from analyzer.errors import UsageError
from analyzer.games.president.rules import President
from analyzer.report import charts
from analyzer.report.president_hand_charts import feature_name, frequent
from analyzer.report.style import axes_for, save_chart

MATCHES = 400
QUESTIONS = (
    ("Lead a run, or its lowest card", "the run", "its lowest card", ("run of 3", "run of 4")),
    ("What the president gives back", "these two", "the two lowest", ("the lowest pair",)),
)


@cache
def rounds(policy: str = "lowest", **options: Any) -> RoundsResult:
    return simulate_rounds(President(**options), policy, games=MATCHES, seed=5)


@cache
def matches(*players: str, **options: Any) -> PresidentMatches:
    return match_president(President(**options), players, games=60, seed=5)


def worth(questions: Any = QUESTIONS) -> Any:
    """What options are worth, made by hand."""
    rows = [
        {"label": label, "detail": detail, "times": 1000 + place, "first": first, "second": second}
        | {"difference": 0.25 - 0.25 * place, "lower": 0.2 - 0.25 * place, "upper": 0.3 - 0.25 * place}
        for label, first, second, details in questions
        for place, detail in enumerate(details)
    ]
    frame = pd.DataFrame(rows)
    return SimpleNamespace(title="President", policy="rules", matches=50, confidence=0.95, options=lambda: frame)


def cell_texts(ax: Any) -> dict[tuple[int, int], str]:
    """What stands in the cells, by row and column."""
    found = [text for text in ax.texts if str(text.get_gid()).startswith("shade-")]
    return {(round(text.get_position()[1]), round(text.get_position()[0])): text.get_text() for text in found}


def labels_of(ax: Any) -> list[str]:
    return [label.get_text() for label in ax.get_yticklabels()]


@pytest.mark.parametrize("players", [3, 4])
def test_shares_from_office_to_place_stand_in_the_cells(players: int) -> None:
    result = rounds(players=players)
    written, frame = cell_texts(charts.office_matrix(result)), result.offices_kept()
    assert len(written) == players**2
    for (row, column), text in written.items():
        assert text == f"{100 * frame[f'place_{column + 1}'][row]:.0f}%"
    assert labels_of(charts.office_matrix(result)) == result.offices


def test_dots_of_seats_stand_at_their_points_with_intervals() -> None:
    results = [rounds(), rounds("random")]
    ax: Any = charts.seat_points(results)
    for result, group in zip(results, ax.containers, strict=True):
        frame = result.seats()
        assert group.lines[0].get_xdata().tolist() == pytest.approx(frame["points"].tolist())
        ends = np.array([[one[0, 0], one[1, 0]] for one in group.lines[2][0].get_segments()])
        assert ends == pytest.approx(frame[["lower", "upper"]].to_numpy())
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["lowest", "random"]
    assert labels_of(ax)[:2] == ["first round, leader", "first round, 1 seat after"]
    assert labels_of(ax)[4] == "later rounds, leader (scum)"


def test_who_leads_later_rounds_is_named_by_the_rules() -> None:
    assert labels_of(charts.seat_points(rounds(next_lead="president")))[4] == "later rounds, leader (president)"
    assert len(labels_of(charts.seat_points(rounds(rounds=1)))) == 4


def test_cells_of_hands_with_too_few_are_empty() -> None:
    result = rounds()
    frame = result.strength()
    total = result.rounds * 4
    for least in (1, 100, 400):
        ax: Any = charts.hand_strength(result, least=least)
        enough = frame[(frame["share"] * total).round() >= least]
        assert sorted(cell_texts(ax).values()) == sorted(f"{points:.2f}" for points in enough["points"])
        assert ax.collections[0].get_array().count() == len(enough)
        assert f"Empty: under {least} hands" in ax.texts[-1 - len(labels_of(ax)) - 1].get_text()
    assert frequent(result, frame, 1).equals(frame)


def test_the_axis_of_stoppers_names_jokers_where_there_are_any() -> None:
    assert charts.hand_strength(rounds()).get_xlabel() == "2s in the hand"
    assert charts.hand_strength(rounds(jokers=2)).get_xlabel() == "2s and jokers in the hand"


@pytest.mark.parametrize("options", [{}, {"jokers": 2}, {"runs": False}])
def test_features_have_a_row_for_every_value_with_enough_hands(options: dict[str, Any]) -> None:
    result = rounds(**options)
    ax: Any = charts.feature_points(result)
    frame = result.hands()
    frame = frame[(frame["share"] * result.rounds * 4).round() >= 100]
    frame = frame[frame["feature"] != "suits_with_run"]
    assert labels_of(ax) == [feature_name(*key) for key in zip(frame["feature"], frame["value"], strict=True)]
    assert ax.containers[0].lines[0].get_xdata().tolist() == pytest.approx(frame["points"].tolist())
    assert ("no joker" in labels_of(ax)) == ("jokers" in options)
    assert ("no run" in labels_of(ax)) == ("runs" not in options)


@pytest.mark.parametrize(
    ("players", "options"),
    [(("lowest", "random"), {}), (("lowest", "random", "random"), {"players": 3}), (("random", "random"), {})],
)
def test_bars_of_places_put_seats_of_a_policy_together(players: tuple[str, ...], options: dict[str, Any]) -> None:
    found = matches(*players, **options)
    ax: Any = charts.place_shares(found)
    policies = list(dict.fromkeys(players))
    assert labels_of(ax) == policies
    widths = np.array([[bar.get_width() for bar in group] for group in ax.containers])
    assert widths.sum(axis=0) == pytest.approx(np.ones(len(policies)))
    frame = found.places().drop(columns="player")
    for bar, policy in enumerate(policies):
        mine = [name == policy for name in players]
        assert widths[:, bar] == pytest.approx(frame[mine].mean().to_numpy())


def test_bars_of_several_matches_name_who_plays_against_whom() -> None:
    ax: Any = charts.place_shares([matches("lowest", "random"), matches("random", "random")])
    assert labels_of(ax) == ["lowest against random", "random against lowest", "random"]


def test_lengths_are_bars_of_one_result_and_lines_of_several() -> None:
    frame = rounds().lengths()
    bars: Any = charts.round_lengths(rounds()).patches
    assert [bar.get_height() for bar in bars] == pytest.approx(frame["probability"].tolist())
    lines: Any = charts.round_lengths([rounds(), rounds("random")]).get_lines()
    assert lines[0].get_ydata().tolist() == pytest.approx(frame["probability"].tolist())
    assert lines[0].get_label() == f"lowest\nmean {rounds().counts()['mean'][0]:.1f}"


def test_options_stand_under_their_questions() -> None:
    ax: Any = charts.option_worth(worth())
    (group,) = ax.containers
    assert group.lines[0].get_xdata().tolist() == pytest.approx([0.25, 0.0, 0.25])
    heights = dict(zip(labels_of(ax), ax.get_yticks(), strict=True))
    assert sorted(heights, key=heights.__getitem__) == [
        "Lead a run, or its lowest card",
        "run of 3",
        "run of 4",
        "What the president gives back:\nthese two, or the two lowest",
        "the lowest pair",
    ]
    assert {"1,000", "1,001"} <= {text.get_text() for text in ax.texts}


EIGHT = {"players": 8, "jokers": 2, "revolution": True, "eight_stop": True}
CHARTS: dict[str, Callable[[], Any]] = {
    "offices": lambda: charts.office_matrix(rounds()),
    "offices of eight": lambda: charts.office_matrix(rounds(**EIGHT)),
    "seats": lambda: charts.seat_points(rounds()),
    "seats of eight": lambda: charts.seat_points([rounds(**EIGHT), rounds("random", **EIGHT)]),
    "strength": lambda: charts.hand_strength(rounds()),
    "features": lambda: charts.feature_points(rounds(jokers=2)),
    "places": lambda: charts.place_shares([matches("lowest", "random")]),
    "lengths": lambda: charts.round_lengths([rounds(), rounds("random")]),
    "worth": lambda: charts.option_worth(worth()),
}


@pytest.mark.parametrize("name", CHARTS)
def test_no_texts_overlap(name: str, assert_readable: Callable[[Any], None]) -> None:
    assert_readable(CHARTS[name]())


def test_the_same_chart_twice_and_on_given_axes(tmp_path: Any) -> None:
    first, second = (save_chart(CHARTS["offices"](), tmp_path / f"{copy}.svg") for copy in "ab")
    assert first.read_bytes() == second.read_bytes()
    ax = axes_for(None, 8, 5)
    assert charts.seat_points(rounds(), ax) is ax


@pytest.mark.parametrize(
    ("draw", "message"),
    [
        (lambda: charts.office_matrix("rules"), "'rules' has no offices_kept of President; give what simulate returns"),
        (lambda: charts.office_matrix(rounds(rounds=1)), "matches have one round, and nobody holds an office"),
        (lambda: charts.seat_points([]), "there is no result to draw; give at least one"),
        (lambda: charts.hand_strength(rounds(), least=10**6), "no class of hands has 1000000 of them"),
        (lambda: charts.feature_points(rounds(), least=10**6), "no class of hands has 1000000 of them"),
        (lambda: charts.place_shares(rounds()), "has no places of President; give what match returns"),
        (lambda: charts.place_shares([]), "there are no matches to draw; give what match returns"),
        (lambda: charts.option_worth(worth(())), "no question arose; play more games"),
    ],
)
def test_what_cannot_be_drawn_is_told(draw: Callable[[], Any], message: str) -> None:
    with pytest.raises(UsageError) as caught:
        draw()
    assert message in str(caught.value)
