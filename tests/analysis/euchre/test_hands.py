"""Tables of simulated hands: they add up what was logged; the bits are the same for any number of workers."""

from __future__ import annotations

import numpy as np
import pytest

import analyzer
from analyzer.analysis.euchre.hands import own_points, simulate_hands
from analyzer.analysis.euchre.policies import bind_all
from analyzer.engine.blocks import Block
from analyzer.errors import PolicyError, UsageError
from analyzer.games.euchre.play import play_hands
from analyzer.games.euchre.rules import Euchre

HANDS = 40_000


@pytest.mark.parametrize("rules", [Euchre(), Euchre(deck="25"), Euchre(players="3"), Euchre(players="2")])
def test_tables_add_up_the_log(rules: Euchre) -> None:
    players, n = int(rules.players), 3000
    result = simulate_hands(rules, "random", games=n, seed=4)
    rows = play_hands(bind_all(rules, ["random"])[1], 4, Block(0, 0, n), classes=True)
    position, of, points, tricks = rows[:, 0], rows[:, 1], rows[:, 7], rows[:, 6]
    outcomes = result.outcomes()
    for row in outcomes.itertuples():
        if row.round == "all":
            chosen = position >= 0
        else:
            number = {"1": 1, "2": 2, "blind": 0}[row.round]
            chosen = (of == number) & (position == result.positions.index(row.position))
        assert row.hands == chosen.sum()
        assert row.points == pytest.approx(points[chosen].mean())
        assert row.euchred == pytest.approx((tricks[chosen] < 3).mean())
        assert row.march == pytest.approx((tricks[chosen] == 5).mean())
        assert row.alone == pytest.approx(rows[chosen, 4].mean())
    for place, row in enumerate(result.seats().itertuples()):
        assert row.points == pytest.approx(own_points(rows, place, players).mean())
    calls = result.calls()
    first = calls[calls["round"] == "1"].iloc[0]
    assert first["asked"] == n - (of == 0).sum()
    assert first["called"] == pytest.approx(((of == 1) & (position == 0)).sum() / first["asked"])
    classes = result.classes()
    dealer = classes[classes["position"] == "dealer"]
    assert dealer["hands"].sum() == (rows[:, 9 + players - 1] >= 0).sum()
    asked = dealer["asked"].sum()
    assert asked == ((of == 2) | (of == -1) | ((of == 1) & (position == players - 1))).sum()
    assert result.trumps()["hands"].sum() == (position >= 0).sum()
    assert result.turn_ups().groupby("position")["hands"].sum().tolist() == [n] * players
    assert result.distribution()["count"].sum() == n


def test_points_of_three_players() -> None:
    rows = np.zeros((2, 13), np.int64)
    rows[0, [0, 7]] = 1, 3
    rows[1, [0, 7]] = 1, -2
    assert [own_points(rows, place, 3).tolist() for place in range(3)] == [[-3, 2], [3, -2], [-3, 2]]


def test_same_bits_for_any_number_of_workers() -> None:
    runs = [simulate_hands(Euchre(), "rules", games=HANDS * 2, seed=3, workers=workers) for workers in (1, 2, 7)]
    assert runs[0].tally == runs[1].tally == runs[2].tally
    assert runs[0].task_id == runs[2].task_id
    more = simulate_hands(Euchre(), "rules", games=HANDS, seed=3)
    assert more.task_id == runs[0].task_id


def test_the_verb_and_what_it_refuses() -> None:
    game = analyzer.game("euchre")
    result = analyzer.simulate(game, policy="random", games=500, seed=1)
    assert result.hands == 500
    assert "500" in str(result)
    assert result.to_dict()["hands"] == 500
    assert result.policy == "random"
    assert analyzer.simulate(game, games=100).policy == "rules"
    with pytest.raises(UsageError, match="turns means nothing in Euchre; leave it out"):
        analyzer.simulate(game, turns=5)
    with pytest.raises(PolicyError, match="policy 'greedy' is unknown"):
        analyzer.simulate(game, policy="greedy")
    with pytest.raises(PolicyError, match="'random' takes no parameters"):
        analyzer.simulate(game, policy="random:x=1")
    with pytest.raises(UsageError, match="hands = 0 cannot be"):
        analyzer.simulate(game, games=0)


def test_an_own_function_plays() -> None:
    asked = []

    def shy(view: analyzer.games.euchre.own_policy.View) -> str:  # type: ignore[name-defined]
        asked.append(view.stage)
        return "pass" if "pass" in view.legal else view.legal[0]

    result = simulate_hands(Euchre(), shy, games=30, seed=1)
    assert int(result.tally["hands"][3].sum()) == 30
    assert result.policy.startswith("shy@")
    assert set(asked) == {"first round", "second round"}
    assert result.outcomes()["hands"].tolist() == [0]
    assert result.calls()["called"].sum() == 0
    assert result.trumps().empty
    assert "everybody passes in all 30 hands" in str(result)
    assert result.to_dict()["hands"] == 30
