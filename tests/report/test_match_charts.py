from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pandas as pd
import pytest

from analyzer.errors import UsageError
from analyzer.report.match_charts import settlements


def made(kind: str, payoffs: dict[str, list[float]]) -> Any:
    rows = [
        {"player": name, "payoff": payoff, "probability": 1 / len(values), "count": 10}
        for name, values in payoffs.items()
        for payoff in values
    ]
    means = {name: sum(values) / len(values) for name, values in payoffs.items()}
    table = pd.DataFrame({"player": list(means), "payoff": list(means.values())})
    table["lower"], table["upper"] = table["payoff"] - 0.1, table["payoff"] + 0.1
    table["win_rate"], table["win_lower"], table["win_upper"] = 0.5, 0.45, 0.55
    return SimpleNamespace(
        rules=SimpleNamespace(settlement=SimpleNamespace(kind=kind)),
        title="Escalero",
        names=list(means),
        matches=1000,
        confidence=0.95,
        payoffs=lambda: table,
        distribution=lambda: pd.DataFrame(rows),
    )


def test_few_payoffs_are_bars_side_by_side(assert_readable: Callable[..., None]) -> None:
    ax = settlements(made("columns", {"columns": [3, 9, -3], "sum": [-3, -9, 3]}))
    assert len(ax.patches) == 2 * 4
    heights = [round(patch.get_height(), 3) for patch in ax.patches]
    assert heights.count(0.333) == 6
    assert ax.get_title(loc="left") == "Escalero: what each player receives"
    assert_readable(ax)


def test_many_payoffs_are_chances_of_at_least(assert_readable: Callable[..., None]) -> None:
    ax = settlements(made("difference", {"optimal": list(range(-60, 61)), "par": list(range(60, -61, -1))}))
    assert not ax.patches
    assert ax.lines[0].get_ydata()[0] == pytest.approx(1)
    assert_readable(ax)


def test_win_rates_where_the_highest_total_wins(assert_readable: Callable[..., None]) -> None:
    ax = settlements(made("highest", {"race": [0, 1], "points": [1, 0]}))
    assert [patch.get_width() for patch in ax.patches] == [0.5, 0.5]
    assert "50.00%" in {text.get_text() for text in ax.texts}
    assert_readable(ax)


def test_what_is_no_match_is_refused() -> None:
    with pytest.raises(UsageError, match="is no result of matches"):
        settlements("optimal")
