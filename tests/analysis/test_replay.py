"""One game of a simulation as a record: what is checked, and that it is graded."""

from __future__ import annotations

from typing import Any

import pytest

import analyzer
from analyzer.analysis.replay import record_game
from analyzer.errors import PolicyError, UsageError
from tests.dice.reference import SMALL_GAMES

RULES = SMALL_GAMES["forced"]


def test_the_game_depends_on_policy_seed_and_index() -> None:
    games = [
        record_game(RULES, **given)
        for given in ({}, {"seed": 1}, {"index": 1}, {"policy": "random"}, {"policy": "optimal", "cache": False})
    ]
    assert record_game(RULES) == games[0] == analyzer.record_game(RULES)
    assert len({game.to_json() for game in games[:4]}) == 4
    assert games[0].game == RULES.name
    assert analyzer.grade(RULES, games[4], cache=False).mistakes == pytest.approx(0, abs=1e-9)


@pytest.mark.parametrize(
    ("given", "kind", "message"),
    [
        ({"seed": -1}, UsageError, "seed = -1 cannot be"),
        ({"index": 2**64}, UsageError, "index = 18446744073709551616 cannot be"),
        ({"workers": 0}, UsageError, "workers is 0"),
        ({"policy": "greed"}, PolicyError, "did you mean 'greedy'"),
    ],
)
def test_arguments(given: dict[str, Any], kind: type[Exception], message: str) -> None:
    with pytest.raises(kind, match=message):
        record_game(RULES, **given)
