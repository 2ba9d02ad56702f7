"""Hands that are played on from a plan decision by decision: the plain form of `analyzer.games.euchre.plans`."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from analyzer.games.euchre.hand import Hand, legal_now, take
from analyzer.games.euchre.layout import DEALER, DISCARD, SEAT, STAGE
from analyzer.games.euchre.lowering import lower
from analyzer.games.euchre.players import Players, answer
from analyzer.games.euchre.randomness import DIGITS


def played_on(hand: Hand, players: Players, me: int, plan: Mapping[int, int]) -> int:
    """The points that follow, own less the other side's; `plan` has a choice by stage, for its first time."""
    lowered, left = lower(hand.rules), dict(plan)
    while not hand.over:
        seen = hand.seen
        legal, stage = int(legal_now(lowered, hand.hidden, seen)), int(seen[STAGE])
        planned = left.pop(stage, 0) if hand.seat == me else 0
        if legal & (legal - 1) == 0:
            chosen = legal
        elif planned & legal:
            chosen = planned & legal
        else:
            discard = hand.hidden[DISCARD] if hand.seat == seen[DEALER] else 0
            held, digits = hand.hidden[seen[SEAT]], np.zeros(DIGITS, np.int64)
            chosen = int(answer(lowered, players, legal, held, discard, seen, digits))
        take(lowered, chosen, hand.hidden, hand.seen)
    points = hand.points
    own = me % 2 if hand.rules.players == "4" else me
    return points[own] - max(points[k] for k in range(len(points)) if k != own)
