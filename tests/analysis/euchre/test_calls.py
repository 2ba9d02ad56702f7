"""What calls are worth: each beside a hand that is played decision by decision, and which ones a score changes."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from analyzer.analysis.euchre.calls import CALL_NAMES, call_values
from analyzer.analysis.euchre.hands import POSITIONS
from analyzer.analysis.euchre.policies import bind_all
from analyzer.analysis.euchre.win_table import WinTable, solve_games
from analyzer.errors import UsageError
from analyzer.games.euchre.hand import Hand
from analyzer.games.euchre.hand_log import class_counts, hand_class
from analyzer.games.euchre.layout import FIRST, LONELY, NO, ORDER, ORDER_ALONE, PASS, PROPOSED, YES
from analyzer.games.euchre.rules import Euchre
from tests.games.euchre.stepwise import played_on


def plan_of(call: str, rules: Euchre) -> dict[int, int]:
    """What is said now, and of playing alone."""
    if call == "pass":
        return {FIRST: 1 << PASS}
    alone = call == "order alone"
    with_call = alone and rules.alone_timing == "with_call"
    return {FIRST: 1 << (ORDER_ALONE if with_call else ORDER), LONELY: 1 << (YES if alone else NO)}


@pytest.mark.parametrize(
    "rules",
    [Euchre(), Euchre(alone_timing="with_call", deck="25", joker_turn_up="hearts"), Euchre(call_needs_suit=True)],
    ids=lambda rules: rules.title,
)
def test_counts_beside_hands_that_are_played_one_by_one(rules: Euchre) -> None:
    n, seed = 40, 3
    found = call_values(rules, hands=n, seed=seed)
    players = bind_all(rules, ["rules"])[1].players
    expected: Counter[tuple[int, int, int, int]] = Counter()
    for index in range(n):
        start = Hand.deal(rules, seed=seed, index=index, dealer=index % 4)
        code = {seat: int(hand_class(start.hidden[seat], start.seen[PROPOSED])) for seat in range(4)}
        for position in range(4):
            seat = start.seat
            for number, call in enumerate(CALL_NAMES):
                if call in start.legal or (call == "order alone" and "order" in start.legal):
                    points = played_on(start.copy(), players, seat, plan_of(call, rules))
                    expected[position, code[seat], number, points + 4] += 1
            start.choose("pass")
    counted = found.tally["outcomes"]
    assert {tuple(int(k) for k in key): int(counted[tuple(key)]) for key in np.argwhere(counted)} == expected


def test_frames() -> None:
    found = call_values(Euchre(), hands=4000, seed=1)
    table, best = found.table(), found.best()
    assert set(table["call"]) == set(CALL_NAMES)
    assert best["share"].groupby(best["position"]).sum().to_numpy() == pytest.approx([1.0] * 4)
    assert set(best["position"]) == set(POSITIONS[4])
    strong = best[(best["trumps"] >= 3) & (best["bowers"] == 2) & (best["position"] == "dealer")]
    assert (strong["best"] != "pass").all()
    shares = table[["other_side", "one", "two", "three_or_four"]].sum(axis=1)
    assert (shares <= 1 + 1e-9).all()
    assert "4,000 hands" in str(found)
    assert len(found.to_dict()["calls"]) == len(table)


def test_a_score_changes_calls() -> None:
    """With one point to go and the other side far back nobody needs to be alone; far behind, one must try."""
    found = call_values(Euchre(), hands=60_000, seed=2)
    outcomes = np.array([0.01, 0, 0.1, 0.2, 0.02, 0.4, 0.2, 0, 0.07])
    wins = WinTable(Euchre(), "rules", outcomes, solve_games(outcomes, 10))
    ahead, behind = found.changed_by_score(wins, 9, 5), found.changed_by_score(wins, 6, 9)
    assert "order alone" not in set(ahead["at_score"])
    assert "order alone" in set(ahead["by_points"])
    assert "order alone" in set(behind["at_score"])
    assert (ahead["lower"] > 0).all()
    assert (ahead["win"] - ahead["win_by_points"]).to_numpy() == pytest.approx(ahead["gain"].to_numpy())
    with pytest.raises(UsageError, match="score 10-3 is over"):
        found.changed_by_score(wins, 10, 3)


def test_same_bits_and_what_is_refused() -> None:
    runs = [call_values(Euchre(), hands=20_000, seed=3, workers=workers).tally for workers in (1, 2, 7)]
    assert runs[0] == runs[1] == runs[2]
    with pytest.raises(UsageError, match="too slow to try every call"):
        call_values(Euchre(), lambda view: view.legal[0], hands=10)


def test_class_counts_are_named() -> None:
    assert class_counts(hand_class(0, 0)) == (0, 0, 0, 3)
