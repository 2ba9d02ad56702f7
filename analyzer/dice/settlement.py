"""What the parties of a match pay each other, from the totals of their columns."""

from __future__ import annotations

from math import lcm
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from analyzer.dice.clauses import Settlement


class Settled(NamedTuple):
    """Settlement of some matches, in whole numbers."""

    payoff: NDArray[np.int64]
    """(matches, parties) what each party receives, stakes left out, times `scale_of`."""
    won: NDArray[np.bool_]
    """(matches, parties, columns) columns that a party won alone."""
    share: NDArray[np.int64]
    """(matches, parties) each party's share of the win, times `scale_of`: 0, all, or a part of a tie."""


def scale_of(parties: int) -> int:
    """What payoffs are multiplied with, so that ties of any number of parties share in whole numbers."""
    return lcm(*range(1, parties + 1))


def settle(settlement: Settlement, totals: NDArray[np.int64], winner: NDArray[np.integer]) -> Settled:
    """Settle matches.

    Parameters
    ----------
    settlement : Settlement
    totals : int64 array (matches, parties, columns)
    winner : integer array (matches,)
        Party that won at once, or -1.

    Returns
    -------
    Settled
        Payoffs add up to zero, except for the kind ``highest``, where they are shares of the win.

    Examples
    --------
    >>> from analyzer.games.escalero import Escalero
    >>> rules = Escalero().scorecard().settlement
    >>> totals = np.array([[[100, 80, 90], [90, 95, 70]], [[100, 80, 90], [90, 75, 70]]])
    >>> (settle(rules, totals, np.array([-1, -1])).payoff // scale_of(2)).tolist()
    [[3, -3], [9, -9]]
    """
    parties = totals.shape[1]
    scale = scale_of(parties)
    lead = totals == totals.max(axis=1, keepdims=True)
    won = lead & (lead.sum(axis=1, keepdims=True) == 1)
    if settlement.kind != "columns":  # all columns together count as one
        totals = totals.sum(axis=2, keepdims=True)
        lead = totals == totals.max(axis=1, keepdims=True)
    number = lead.sum(axis=1, keepdims=True)
    if settlement.kind == "highest":
        best = lead[:, :, 0] * scale // number[:, :, 0]
        best[winner >= 0] = 0
        best[winner >= 0, winner[winner >= 0]] = scale
        return Settled(best, won, best)
    if settlement.kind == "difference":
        value = totals.max(axis=1, keepdims=True) - totals
    else:
        value = np.broadcast_to(np.array(settlement.column_values), totals.shape)
    paid = np.where(lead, 0, value) * scale
    taken = np.where(lead, paid.sum(axis=1, keepdims=True) // number, 0)
    by_column = taken - paid
    if settlement.tie == "nobody":
        by_column = np.where(number == 1, by_column, 0)
    payoff = by_column.sum(axis=2)
    if settlement.kind == "columns":
        swept = won.all(axis=2)
        any_swept = swept.any(axis=1)
        sweep = np.where(swept, (parties - 1) * settlement.sweep_total, -settlement.sweep_total) * scale
        payoff = np.where(any_swept[:, None], sweep, payoff)
    score = totals[:, :, 0] if settlement.kind == "difference" else payoff
    top = score == score.max(axis=1, keepdims=True)
    share = top * scale // top.sum(axis=1, keepdims=True)
    return Settled(payoff, won, share)
