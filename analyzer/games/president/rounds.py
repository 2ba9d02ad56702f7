"""Rounds of President in kernels, played on by the policies of a table."""

from __future__ import annotations

from typing import Any

import numpy as np

from analyzer.engine.jit import device, kernel
from analyzer.games.president.deals import make_return
from analyzer.games.president.layout import OWES, PILE, REVERSED, TURN, TURNS
from analyzer.games.president.moves import make_play
from analyzer.games.president.players import ASK, RANDOM, choose_play, choose_return
from analyzer.games.president.plays import count_plays, play_at
from analyzer.games.president.randomness import WORDS, below

__all__ = ["answer", "exchange_on", "play_on"]

I64 = np.int64


@device(borrows=True)
def exchange_on(rules, players, hidden, seen, seed, index, step):
    """Give cards back until the play begins, or to a decision outside of the kernel; see `play_on`."""
    while seen[OWES]:
        kind = players.kinds[players.who[seen[TURN]]]
        if kind == ASK:
            return True
        cards = choose_return(rules, players, kind, hidden[seen[TURN]], seen, seed, index, step)
        make_return(rules, cards, hidden, seen)
    return False


@device(borrows=True)
def play_on(rules, players, hidden, seen, seed, index, step, drawn):
    """Play on to the end of the round, or to a decision outside of the kernel.

    Parameters
    ----------
    rules : (LOWERED,) int64 array
    players : Players
    hidden, seen : arrays
        See `layout`; all is exchanged. Changed.
    seed, index, step, drawn
        The address of the round, see `randomness.below`.

    Returns
    -------
    bool
        Whether the seat in turn is asked; else the round is over.
    """
    while seen[TURN] >= 0:
        kind = players.kinds[players.who[seen[TURN]]]
        hand = hidden[seen[TURN]]
        count = count_plays(rules, hand, seen[PILE], seen[REVERSED])
        play = I64(0)
        if count == 1:
            if not seen[PILE]:
                play = play_at(rules, hand, seen[PILE], seen[REVERSED], I64(0))
        elif kind == RANDOM:  # as `choose_play`, without passing on all there is
            number = below(count, seed, index, step, seen[TURNS], drawn)
            play = play_at(rules, hand, seen[PILE], seen[REVERSED], I64(number))
        elif kind == ASK:
            return True
        else:
            play = choose_play(rules, players, kind, count, hand, seen, seed, index, step, drawn)
        make_play(rules, play, hidden, seen)
    return False


@kernel
def answer(rules: Any, players: Any, hand: Any, seen: Any) -> Any:
    """What the seat in turn chooses by a policy without chance, for those who play on in Python."""
    kind = players.kinds[players.who[seen[TURN]]]
    zero = np.uint64(0)
    if seen[OWES]:
        return choose_return(rules, players, kind, hand, seen, zero, zero, I64(0))
    count = count_plays(rules, hand, seen[PILE], seen[REVERSED])
    if count == 1:
        return play_at(rules, hand, seen[PILE], seen[REVERSED], I64(0))
    return choose_play(rules, players, kind, count, hand, seen, zero, zero, I64(0), np.full(WORDS, -1, np.int64))
