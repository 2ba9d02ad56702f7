"""Settlements, against the plain referee and by hand."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from analyzer.dice.clauses import Settlement
from analyzer.dice.settlement import scale_of, settle
from analyzer.errors import RulesError
from analyzer.games.registry import make_rules
from tests.games.escalero_referee import EscaleroOptions
from tests.games.escalero_referee import settle as plain_settle

NOBODY = -1


@pytest.mark.parametrize("tie", ["nobody", "split"])
@pytest.mark.parametrize("columns", ["3", "1"])
@pytest.mark.parametrize("parties", [2, 3, 4])
def test_settlements_equal_the_referee(tie: str, columns: str, parties: int) -> None:
    totals = np.random.default_rng(parties).integers(0, 6, (300, parties, int(columns)))
    rules = make_rules("escalero", column_tie=tie, columns=columns)
    options = EscaleroOptions(column_tie=tie, columns=int(columns))  # type: ignore[arg-type]
    found = settle(rules.settlement, totals, np.full(300, NOBODY))
    for own, paid in zip(totals.tolist(), found.payoff.tolist(), strict=True):
        assert [Fraction(part, scale_of(parties)) for part in paid] == plain_settle(options, own)
    assert (found.payoff.sum(axis=1) == 0).all()
    assert (found.share.sum(axis=1) == scale_of(parties)).all()


@pytest.mark.parametrize(
    ("totals", "expected"),
    [
        ([[100, 80, 90], [90, 95, 70]], [3, -3]),
        ([[100, 80, 90], [90, 75, 70]], [9, -9]),
        ([[100, 80, 90], [90, 75, 90]], [3, -3]),
        ([[50, 90, 50], [60, 80, 70], [40, 70, 60]], [-1, 8, -7]),
        ([[70, 90, 80], [60, 80, 70], [40, 70, 60]], [18, -9, -9]),
        ([[50, 90, 50], [60, 90, 70], [40, 70, 60]], [-5, 10, -5]),
    ],
)
def test_worked_examples(totals: list[list[int]], expected: list[int]) -> None:
    found = settle(make_rules("escalero").settlement, np.array([totals]), np.array([NOBODY]))
    assert (found.payoff[0] / scale_of(len(totals))).tolist() == expected


def test_other_values_change_what_is_paid() -> None:
    totals, nobody = np.array([[[9, 9, 9], [1, 1, 1]], [[9, 1, 9], [1, 9, 1]]]), np.array([NOBODY] * 2)
    rules = make_rules("escalero", column_values="1,2,3", sweep_total=8)
    assert (settle(rules.settlement, totals, nobody).payoff[:, 0] // 2).tolist() == [8, 2]
    assert (settle(make_rules("escalero").settlement, totals, nobody).payoff[:, 0] // 2).tolist() == [9, 3]


def test_the_highest_total_or_who_won_at_once_takes_the_win() -> None:
    totals = np.array([[[200], [190], [180]], [[200], [200], [10]], [[200], [190], [180]]])
    found = settle(Settlement(), totals, np.array([NOBODY, NOBODY, 2]))
    assert (found.share / scale_of(3)).tolist() == [[1, 0, 0], [0.5, 0.5, 0], [0, 0, 1]]
    assert (found.payoff == found.share).all()


def test_totals_are_of_all_columns_together_where_columns_are_worth_nothing_alone() -> None:
    totals, nobody = np.array([[[30, 10], [20, 40]], [[30, 10], [25, 15]]]), np.array([NOBODY] * 2)
    highest = settle(Settlement(columns=2), totals, nobody)
    assert (highest.share / scale_of(2)).tolist() == [[0, 1], [0.5, 0.5]]
    assert highest.won.tolist() == [[[True, False], [False, True]]] * 2
    lead = settle(Settlement(kind="difference", columns=2), totals, nobody)
    assert (lead.payoff // scale_of(2)).tolist() == [[-20, 20], [0, 0]]
    assert (lead.share / scale_of(2)).tolist() == [[0, 1], [0.5, 0.5]]


def test_a_settlement_that_cannot_be() -> None:
    with pytest.raises(RulesError, match=r"column_values = .* are 2; give 3, one for each column"):
        Settlement(kind="columns", columns=3, column_values=(1, 2))
    with pytest.raises(RulesError, match=r"column_values = .* are 1; give 0"):
        Settlement(kind="difference", column_values=(1,))
