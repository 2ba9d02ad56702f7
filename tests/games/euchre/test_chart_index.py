"""Every hand and turn-up has a row, the same up to the symmetry of the suits, and no other has it."""

from __future__ import annotations

from itertools import combinations
from math import comb
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from analyzer.cards.deck import DECKS, JOKER, cards_in
from analyzer.engine.jit import kernel
from analyzer.games.euchre.chart_index import chart_index, chart_row, chart_rows, suit_order


@kernel
def rows_of(index: Any, hands: Any, turn_up: Any, proposed: Any, found: Any) -> None:
    """The rows of hands."""
    for place in range(hands.size):
        found[place] = chart_row(index, hands[place], turn_up, suit_order(hands[place], proposed))


def found_rows(deck: int, hands: np.ndarray, turn_up: int, proposed: int) -> np.ndarray:
    """The rows of hands of a deck."""
    found = np.empty(len(hands), np.int64)
    rows_of(chart_index(deck), hands, turn_up, proposed, found)
    return found


def plain_forms(hands: np.ndarray, proposed: int) -> np.ndarray:
    """What the row depends on, said plainly: two hands with the same form are the same to a player."""
    ranks = [hands >> 8 * suit & 0xFF for suit in range(4)]
    one, other = (ranks[suit] for suit in range(4) if suit not in {proposed, 3 - proposed})
    least, most = np.minimum(one, other), np.maximum(one, other)
    return ranks[proposed] | ranks[3 - proposed] << 8 | least << 16 | most << 24


@pytest.mark.parametrize("proposed", range(4))
def test_all_pairs_of_24_cards(proposed: int) -> None:
    tally = np.zeros(len(chart_rows(24).hands), np.int64)
    for turn_up in range(8 * proposed + 2, 8 * proposed + 8):
        rest = [card for card in cards_in(DECKS[24]).tolist() if card != turn_up]
        hands = np.array([sum(1 << card for card in cards) for cards in combinations(rest, 5)], np.int64)
        found = found_rows(24, hands, turn_up, proposed)
        tally += np.bincount(found, minlength=len(tally))
        forms = np.unique(plain_forms(hands, proposed), return_inverse=True)[1]
        assert len(np.unique(found)) == len(np.unique(forms)) == len(np.unique(found * len(hands) + forms))
    np.testing.assert_array_equal(4 * tally, chart_rows(24).counts)


@pytest.mark.parametrize(("deck", "rows"), [(24, 105_798), (25, 156_786), (32, 707_896), (33, 948_024)])
@pytest.mark.parametrize("suit", [2, 3])
def test_examples_are_those_of_their_rows(deck: int, rows: int, suit: int) -> None:
    found = chart_rows(deck, suit)
    assert len(found.hands) == rows
    assert int(found.counts.sum()) == deck * comb(deck - 1, 5)
    assert (np.bitwise_count(found.hands) == 5).all()
    assert not (found.hands >> found.turn_ups & 1).any()
    assert not (found.hands & ~DECKS[deck]).any()
    for turn_up in np.unique(found.turn_ups).tolist():
        at = np.flatnonzero(found.turn_ups == turn_up)
        np.testing.assert_array_equal(found_rows(deck, found.hands[at], turn_up, suit), at)


@given(data=st.data(), deck=st.sampled_from(sorted(DECKS)))
def test_suits_that_are_alike_do_not_matter(data: st.DataObject, deck: int) -> None:
    cards = cards_in(DECKS[deck]).tolist()
    turn_up, *held = data.draw(st.lists(st.sampled_from(cards), min_size=6, max_size=6, unique=True))
    proposed = turn_up >> 3 if turn_up != JOKER else 2
    to = data.draw(st.integers(0, 3))
    others = data.draw(st.permutations([suit for suit in range(4) if suit not in {to, 3 - to}]))
    before = [suit for suit in range(4) if suit not in {proposed, 3 - proposed}]
    renamed = {proposed: to, 3 - proposed: 3 - to, before[0]: others[0], before[1]: others[1]}

    def moved(card: int) -> int:
        return card if card == JOKER else 8 * renamed[card >> 3] + card % 8

    one, other = (np.array([sum(1 << card for card in hand)]) for hand in (held, map(moved, held)))
    assert found_rows(deck, one, turn_up, proposed) == found_rows(deck, other, moved(turn_up), to)
