"""Worlds as likely as what was said makes them: drawn evenly, and kept or not by their likelihood."""

from __future__ import annotations

from typing import Any

import numpy as np

from analyzer.engine.jit import kernel
from analyzer.engine.streams import words
from analyzer.games.euchre.layout import HIDDEN, SEEN
from analyzer.games.euchre.likelihood import likelihood
from analyzer.games.euchre.randomness import DIGITS
from analyzer.games.euchre.worlds import decision_number, draw_world, unseen, world_count

KEEP_SLOT = 8
"""Slot of the word that decides whether a world is kept; those below are of hands, those of worlds come later."""


@kernel
def likely_worlds(
    rules: Any,
    model: Any,
    doubt: Any,
    seat: Any,
    hand: Any,
    discard: Any,
    seen: Any,
    seed: Any,
    tries: Any,
    worlds: Any,
) -> Any:
    """Draw worlds by how likely they are after what was said.

    Parameters
    ----------
    rules, seat, hand, discard, seen
        As for `analyzer.games.euchre.worlds.unseen`.
    model : Players
        Who would say what; see `analyzer.games.euchre.likelihood.likelihood`.
    doubt : float
        How likely a choice is that is not the model's, for one of the model's: above 0, at most 1.
    seed : int
        World k of a seed is always the same.
    tries : int
        Worlds that are drawn at most.
    worlds : (worlds, HIDDEN) int64 array
        Filled from the first row on.

    Returns
    -------
    tuple of two int
        How many were kept, and drawn. Nothing was drawn if there is no such world.
    """
    view = unseen(rules, seat, hand, discard, seen)
    if world_count(view) == 0:
        return 0, 0
    hidden, public = np.zeros(HIDDEN, np.int64), np.zeros(SEEN, np.int64)
    digits = np.zeros(DIGITS, np.int64)
    decision, kept, drawn = decision_number(seen), 0, 0
    while kept < worlds.shape[0] and drawn < tries:
        index = np.uint64(drawn)
        draw_world(view, decision, 0, seed, index, 0, worlds[kept])
        chance = likelihood(rules, model, doubt, seat, worlds[kept], seen, hidden, public, digits)
        word = words(seed, index, 0, KEEP_SLOT)[0]
        kept += np.float64(word) < chance * 2.0**32
        drawn += 1
    return kept, drawn
