"""Who can take how many tricks when all hands are open: the compiled search behind `double_dummy`.

Hands are relabelled by trump (`relabel`). A seat without cards sits out: it plays no card, and nothing else is
different.

A search asks one question, whether the leader's side takes at least so many of the tricks that are left (a null
window). It tries one of several equivalent cards, those between which no card is in play, and remembers positions at
the start of a trick in a table that all questions about a deal share.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from analyzer.cards.bits import card_count
from analyzer.engine.jit import device, kernel
from analyzer.games.euchre.relabel import TRUMPS, led_field, legal_plays

U = np.uint64

NOTHING, ONE = U(0), U(1)

# A shift by so many bits, less the bits that come from the field above.
BELOW_1 = U(0x7FFF_7FFF_7FFF_7FFF)
BELOW_2 = U(0x3FFF_3FFF_3FFF_3FFF)
BELOW_4 = U(0x0FFF_0FFF_0FFF_0FFF)
BELOW_8 = U(0x00FF_00FF_00FF_00FF)

LOG_PLACES = 12
PLACES = 1 << LOG_PLACES
"""Of a table of positions: 64 KiB, so that it stays near the processor."""
SCATTER = U(0x9E37_79B9_7F4A_7C15)
"""Odd multiplier of Fibonacci hashing (Knuth, The Art of Computer Programming, volume 3, section 6.4)."""


@device(borrows=True)
def up_to_highest(cards):
    """All places of each field up to its highest card."""
    cards |= (cards >> ONE) & BELOW_1
    cards |= (cards >> U(2)) & BELOW_2
    cards |= (cards >> U(4)) & BELOW_4
    return cards | ((cards >> U(8)) & BELOW_8)


@device(borrows=True)
def higher(card):
    """All places above a card, of its field and of the fields above."""
    return ~(card << ONE) + ONE


@device(borrows=True)
def sure_tricks(a, c, theirs):
    """Tricks that a side with hands a and c wins by trumps above all of the opponents', whatever is led.

    Each wins the trick to which it is played unless the partner wins it. `theirs` is `up_to_highest` of the opponents.
    """
    return max(card_count(a & ~theirs & TRUMPS), card_count(c & ~theirs & TRUMPS))


@device(borrows=True)
def cashed_tricks(a, b, c, d):
    """Tricks that the side of leader a wins by leading what is highest, trumps first, if that exhausts their trumps.

    Where the partner has to trump such a trick he has nothing but trumps, and the opponents have none: all are won.
    """
    highest = a & ~up_to_highest(b | c | d)
    trumps = card_count(highest & TRUMPS)
    if card_count(b & TRUMPS) > trumps or card_count(d & TRUMPS) > trumps:
        return trumps
    return card_count(highest)


@device(borrows=True)
def plainly_takes(a, b, c, d, theirs, need, left):
    """Whether the leader's side takes `need` of the `left` tricks, as far as high cards tell: 1, 0, or -1."""
    if sure_tricks(a, c, theirs) >= need or cashed_tricks(a, b, c, d) >= need:
        return 1
    return 0 if left - sure_tricks(b, d, up_to_highest(a | c)) < need else -1


@device(borrows=True)
def follows(hand, lead, forced, best, partner_wins):
    """The cards that a hand may play after the lead, in two groups: which to try first, and the others.

    First come cards that beat `best`, the highest so far, or if that is the partner's, cards that do not.
    """
    legal = hand & forced
    if not legal:
        legal = legal_plays(hand, lead)
    beat = legal & (led_field(lead) | TRUMPS) & higher(best)
    if partner_wins:
        return legal & ~beat, beat
    return beat, legal & ~beat


@device(borrows=True)
def next_card(first, then, runs):
    """The lowest card of the first group, and the groups without it and its equivalents.

    In `runs` are the places of the hand and those of cards that are out of play, but no highest place of a field:
    adding a card carries over the rest of its run.
    """
    if not first:
        first, then = then, NOTHING
    card = first & (~first + ONE)
    return card, first & ~(runs & ~(runs + card)), then


@device(borrows=True)
def place_of(key):
    """Where a position is kept in a table."""
    return (key * SCATTER) >> U(64 - LOG_PLACES) << ONE


@device(borrows=True)
def known_bounds(table, at, key, stamp, left):
    """The fewest and the most tricks that the leader's side may take of those left, by what is kept of a position."""
    kept = table[at + ONE]
    if table[at] == key and kept >> U(16) == stamp:
        return np.int64(kept & U(255)), np.int64(kept >> U(8) & U(255))
    return np.int64(0), np.int64(left)


@device(borrows=True)
def takes(a, b, c, d, seat, need, left, forced, table, stamp):
    """Whether the leader's side takes at least `need` of the `left` tricks.

    Parameters
    ----------
    a, b, c, d : uint64
        The hands, clockwise from the leader's; zero for seats that sit out.
    seat : int
        The leader's.
    need, left : int
        Tricks.
    forced : uint64
        Cards that are on the table already. They are counted in the hands.
    table, stamp : uint64 array, uint64
        From `empty_table`, and a number of this deal, from 1.

    Returns
    -------
    bool
    """
    if need <= 0:
        return True
    if need > left:
        return False
    if left == 1:
        counts = led_field(a) | TRUMPS
        return max(a, c & counts) > max(b & counts, d & counts)

    in_play = a | b | c | d
    theirs = up_to_highest(b | d)
    key = in_play | U(seat & 1) << U(15) | U(seat >> 1) << U(31)
    at = place_of(key)
    low, high = known_bounds(table, at, key, stamp, left)
    if not forced:
        plainly = plainly_takes(a, b, c, d, theirs, need, left)
        if plainly >= 0:
            return plainly == 1
        if need <= low or need > high:
            return need <= low

    gaps = ~in_play
    runs_a, runs_b = (a | gaps) & BELOW_1, (b | gaps) & BELOW_1
    runs_c, runs_d = (c | gaps) & BELOW_1, (d | gaps) & BELOW_1
    lead = a & forced
    if not lead:
        lead = a
    a1 = lead & ~theirs & TRUMPS
    a2 = lead ^ a1
    won = False
    while (a1 | a2) and not won:
        x, a1, a2 = next_card(a1, a2, runs_a)
        counts = led_field(x) | TRUMPS
        b1, b2 = follows(b, x, forced, x, False)
        won = True
        while won:
            y, b1, b2 = next_card(b1, b2, runs_b)
            best_y = max(x, y & counts)
            c1, c2 = follows(c, x, forced, best_y, best_y == x)
            won = False
            while not won:
                z, c1, c2 = next_card(c1, c2, runs_c)
                best_z = max(best_y, z & counts)
                d1, d2 = follows(d, x, forced, best_z, best_z == y)
                won = True
                while won:
                    w, d1, d2 = next_card(d1, d2, runs_d)
                    best = max(best_z, w & counts)
                    e, f, g, h = a ^ x, b ^ y, c ^ z, d ^ w
                    if best == x:
                        won = takes(e, f, g, h, seat, need - 1, left - 1, NOTHING, table, stamp)
                    elif best == y:
                        won = not takes(f, g, h, e, (seat + 1) & 3, left - need, left - 1, NOTHING, table, stamp)
                    elif best == z:
                        won = takes(g, h, e, f, (seat + 2) & 3, need - 1, left - 1, NOTHING, table, stamp)
                    else:
                        won = not takes(h, e, f, g, (seat + 3) & 3, left - need, left - 1, NOTHING, table, stamp)
                    if not d1 | d2:
                        break
                if not c1 | c2:
                    break
            if not b1 | b2:
                break

    if not forced:
        # Positions deeper down may have taken the place; what was known of this one is known still.
        if won:
            low = need
        else:
            high = need - 1
        table[at], table[at + ONE] = key, stamp << U(16) | U(high) << U(8) | U(low)
    return won


@device
def empty_table():
    """A table of positions for `takes`: a key, and with it bounds and the stamp of its deal."""
    return np.zeros(2 * PLACES, np.uint64)


@device(borrows=True)
def reached(hands, leader, forced, side, thresholds, table, stamp):
    """The largest of some ascending numbers of tricks that a side takes from here on, 0 if it takes fewer than all.

    Parameters
    ----------
    hands : (4,) uint64 array
        By seat, with what each has on the table.
    leader : int
        The seat that leads, or led, to the trick.
    forced : uint64
        The cards on the table.
    side : int
        0 for seats 0 and 2, 1 for seats 1 and 3.
    thresholds : (n,) int64 array
        Numbers of tricks from 1, ascending.
    table, stamp : uint64 array, uint64
        As for `takes`.

    Returns
    -------
    int
    """
    a, b, c, d = hands[leader], hands[(leader + 1) & 3], hands[(leader + 2) & 3], hands[(leader + 3) & 3]
    left = card_count(a)
    low, high = 0, thresholds.size
    while low < high:
        middle = (low + high - 1) // 2 if high - low == 2 else (low + high) // 2
        need = thresholds[middle]
        if leader & 1 == side:
            enough = takes(a, b, c, d, leader, need, left, forced, table, stamp)
        else:
            enough = not takes(a, b, c, d, leader, left + 1 - need, left, forced, table, stamp)
        if enough:
            low = middle + 1
        else:
            high = middle
    return thresholds[low - 1] if low else 0


@kernel
def search_positions(hands: Any, leaders: Any, forced: Any, sides: Any, thresholds: Any, tricks: Any) -> None:
    """Fill `tricks` with what `reached` gives for each position; neighbours of one deal share what was found out."""
    table = empty_table()
    stamp = NOTHING
    for i in range(tricks.size):
        same = i > 0
        for seat in range(4):
            same = same and hands[i, seat] == hands[i - 1, seat]
        if not same:
            stamp += ONE
        tricks[i] = reached(hands[i], leaders[i], forced[i], sides[i], thresholds, table, stamp)
