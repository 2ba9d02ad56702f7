"""Charts of instant wins: how often each of them ends a game, and when."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest
from matplotlib.axes import Axes
from matplotlib.container import BarContainer, ErrorbarContainer
from matplotlib.figure import Figure

from analyzer.errors import UsageError
from analyzer.report.charts import win_rounds, win_ways

WINS = {"dormida": "Dormida", "panza_de_oro": "Panza de oro", "four": "Four of every number of $5 dice"}
CHANCES = np.array([0.0085, 0.0425, 0.0])
POLICIES = ["optimal", "greedy", "par", "line:poker", "random", "instant", "my-long-policy-file-number-2.toml", "x"]


def won(make_result: Callable[..., Any], factor: float = 1.0, games: int | None = None, **others: Any) -> Any:
    """A result with three ways to win, of which the last never happens."""
    result = make_result(games=games, **others)
    chances = CHANCES * factor
    wins = pd.DataFrame({"win": list(WINS), "label": list(WINS.values()), "chance": chances})
    if games is not None:
        wins = wins.assign(lower=chances * 0.9, upper=chances * 1.2 + 0.001)
    wins["mean_round"] = [6.0, 9.2, np.nan]
    shares = np.arange(1, 12) / 66
    rounds = pd.DataFrame(
        [
            {"win": win, "label": label, "round": number, "chance": chance * share}
            for (win, label), chance in zip(WINS.items(), chances, strict=True)
            for number, share in zip(range(1, 12), shares, strict=True)
        ]
    )
    result.wins, result.win_rounds = wins.copy, rounds.copy
    return result


def bars(ax: Axes) -> list[BarContainer]:
    return [container for container in ax.containers if isinstance(container, BarContainer)]


def written(ax: Axes) -> list[str]:
    return [text.get_text() for text in ax.texts]


def legend(ax: Axes) -> list[str]:
    found = ax.get_legend()
    return [] if found is None else [text.get_text() for text in found.get_texts()]


def test_ways_of_one_result(make_result: Callable[..., Any]) -> None:
    ax = win_ways(won(make_result, title="Cacho"))
    assert [bar.get_width() for bar in ax.patches] == CHANCES.tolist()  # type: ignore[attr-defined]
    assert [label.get_text() for label in ax.get_yticklabels()][:2] == ["Dormida", "Panza de oro"]
    assert written(ax) == ["0.850%", "4.250%", "0.000%", "optimal: 5.100% of games in all; exact values"]
    assert ax.get_title(loc="left") == "Cacho: how games are won at once"
    assert ax.get_legend() is None
    assert not [one for one in ax.containers if isinstance(one, ErrorbarContainer)]


def test_ways_of_exact_and_simulated_results(make_result: Callable[..., Any]) -> None:
    exact, simulated = won(make_result), won(make_result, 0.5, games=100)
    ax = win_ways([exact, simulated])
    assert legend(ax) == ["optimal (exact)\n5.100% in all", "optimal (simulated)\n2.550% in all"]
    assert [[bar.get_width() for bar in one] for one in bars(ax)] == [CHANCES.tolist(), (CHANCES / 2).tolist()]
    (errors,) = [one for one in ax.containers if isinstance(one, ErrorbarContainer)]
    frame = simulated.wins()
    assert [tuple(segment[:, 0]) for segment in errors.lines[2][0].get_segments()] == [
        pytest.approx(ends) for ends in zip(frame["lower"], frame["upper"], strict=True)
    ]
    assert "Share of games that end so; exact values, and simulations with intervals" in written(ax)
    heights = [[bar.get_y() for bar in one] for one in bars(ax)]
    assert heights[0] < heights[1]


def test_variants_may_have_different_wins(make_result: Callable[..., Any]) -> None:
    other = won(make_result, label="other")
    wins = other.wins().iloc[1:].assign(win=["panza_de_oro", "late"], label=["Panza de oro", "Late"])
    other.wins = lambda: wins
    ax = win_ways([won(make_result), other])
    assert [label.get_text() for label in ax.get_yticklabels()][-1] == "Late"
    places = [round(bar.get_y() + bar.get_height() / 2) for bar in bars(ax)[1]]
    assert places == [1, 3]


def test_small_chances_are_not_zero(make_result: Callable[..., Any]) -> None:
    assert written(win_ways(won(make_result, 1e-6)))[:3] == ["<0.001%", "<0.001%", "0.000%"]
    assert win_ways(won(make_result, 0.0)).get_xlim() == (0, 1)


def test_rounds_are_stacked(make_result: Callable[..., Any]) -> None:
    result = won(make_result, title="Cacho", label="instant")
    ax = win_rounds(result)
    heights = np.array([[bar.get_height() for bar in one] for one in bars(ax)])
    bottoms = np.array([[bar.get_y() for bar in one] for one in bars(ax)])
    assert heights == pytest.approx(result.win_rounds()["chance"].to_numpy().reshape(3, 11))
    assert bottoms[1] == pytest.approx(heights[0])
    assert bottoms[2] == pytest.approx(heights[:2].sum(axis=0))
    assert legend(ax)[0] == "Dormida\n0.850% in all,\nmean round 6.0"
    assert legend(ax)[2].endswith("0.000% in all")
    assert [int(tick) for tick in ax.get_xticks()] == list(range(1, 12))
    assert ax.get_title(loc="left") == "Cacho, instant: when games are won at once"
    assert written(ax) == ["Bar: share of all games that end in the round; 5.100% in all rounds; exact values"]
    assert win_rounds(won(make_result, 0.0)).get_ylim() == (0, 1)


def test_a_game_without_instant_wins(make_result: Callable[..., Any]) -> None:
    result = won(make_result)
    result.wins = lambda: pd.DataFrame(columns=["win", "label", "chance", "mean_round"])
    for chart in (win_ways, win_rounds):
        with pytest.raises(UsageError, match="Dice Poker has no instant wins; draw another chart"):
            chart(result)
        with pytest.raises(UsageError, match="is no result of games with wins"):
            chart(make_result())
    with pytest.raises(UsageError, match="no result to draw"):
        win_ways([])


@pytest.mark.parametrize("policies", [1, 2, 8])
def test_ways_are_readable(
    make_result: Callable[..., Any], assert_readable: Callable[..., None], policies: int
) -> None:
    results = [
        won(make_result, 1 - 0.1 * place, label=name, games=500 if place == 1 else None)
        for place, name in enumerate(POLICIES[:policies])
    ]
    assert_readable(win_ways(results))


@pytest.mark.parametrize("factor", [0.0, 1e-6, 1.0])
def test_rounds_are_readable(
    make_result: Callable[..., Any], assert_readable: Callable[..., None], factor: float
) -> None:
    assert_readable(win_rounds(won(make_result, factor)))


def test_charts_are_drawn_where_they_are_told(make_result: Callable[..., Any]) -> None:
    for chart in (win_ways, win_rounds):
        ax = Figure(layout="constrained").add_subplot()
        assert chart(won(make_result), ax) is ax
