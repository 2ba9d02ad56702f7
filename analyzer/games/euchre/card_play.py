"""How a competent club player plays his cards in Euchre; all policies with rules for the play use it.

He knows which cards the opponents may still hold: none that he holds, has discarded or has seen played, none of a suit
that they did not follow, and the turn-up only if the dealer took it. A card is *high* if they hold none of its suit
that beats it. Sets of cards are relabelled by trump.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from analyzer.cards.bits import card_count
from analyzer.engine.jit import device
from analyzer.games.euchre.layout import (
    ACTIVE,
    BEST,
    BEST_SEAT,
    DEALER,
    DOWN,
    IN_TRICK,
    LED,
    LONE,
    MAKER,
    PLAYED,
    SEAT,
    SEATS,
    TAKEN,
    TRUMP,
    TURN_UP,
    VOID,
)
from analyzer.games.euchre.lowering import BEST_CARD, DECK, PLAYERS
from analyzer.games.euchre.relabel import led_field, relabel
from analyzer.games.euchre.search import up_to_highest

I64 = np.int64
U64 = np.uint64
TRUMPS = 0x7FFF << 48
"""All bits of trump but the highest, which no card has, so that sets are not negative."""
_SUITS = 0x00EF_00EF_00FF_00FF
_LOW = 0x0003_0003_0003_0003
_BOWERS_BUT_JOKER = 0b11 << 56
_JOKER = 1 << 58


@device(inline=True, borrows=True)
def deck_cards(size):
    """The relabelled set of all cards of a deck; it is the same for every trump."""
    cards = _SUITS | _BOWERS_BUT_JOKER
    if size < 32:
        cards &= ~_LOW
    return cards | _JOKER if size & 1 else cards


@device(borrows=True)
def suit_of(card):
    """All bits of the field of a card."""
    return I64(led_field(card)) & ~(-1 << 63)


@device(borrows=True)
def over(card):
    """All places above a card, of its field and of the fields above."""
    return -(card << 1)


@device(borrows=True)
def highest(cards):
    """The highest card of a set, none of none."""
    found: Any = 0
    while cards:
        found = cards & -cards
        cards ^= found
    return found


@device(borrows=True)
def high_cards(cards, theirs):
    """Those of a set that are above all of `theirs` in their fields."""
    return cards & ~I64(up_to_highest(U64(theirs)))


@device(borrows=True)
def least_useful(choices, hand, theirs):
    """The card of which a hand is the least worse off without.

    No trump if there is another card, then no high card, then no card that only one of theirs beats if another guards
    it; then, if there are trumps, the only card of a suit, and of equals the lowest.

    Parameters
    ----------
    choices, hand : int
        The cards to choose from, at least one; all cards of the hand.
    theirs : int
        The cards that the opponents may hold.
    """
    can_trump = hand & TRUMPS != 0
    high = high_cards(hand, theirs)
    found: Any = 0
    least = 1 << 30
    while choices:
        card = choices & -choices
        choices ^= card
        suit = suit_of(card)
        alone = hand & suit == card
        above = theirs & suit & over(card)
        worth = (card | card >> 16 | card >> 32 | card >> 48) & 0x7FFF
        if card & TRUMPS:
            worth += 1 << 20
        elif card & high:
            worth += 1 << 18
        elif not alone and above & (above - 1) == 0:
            worth += 1 << 16
        if can_trump and not alone:
            worth += 1 << 12
        if worth < least:
            found, least = card, worth
    return found


@device(borrows=True)
def rules_card(rules, legal, hand, discard, seen):
    """The card that a club player plays.

    Parameters
    ----------
    rules : (LOWERED,) int64 array
    legal, hand, discard : int
        What he may play, his cards, and his discard if he is the dealer.
    seen : (SEEN,) int64 array
        What everybody has seen, see `layout`.

    Returns
    -------
    int64
        A set of one card.
    """
    seat, dealer, active = seen[SEAT], seen[DEALER], seen[ACTIVE]
    makers = 1 << seen[MAKER] if rules[PLAYERS] < SEATS else 0b0101 << (seen[MAKER] & 1)
    own = makers if makers >> seat & 1 else 15 & ~makers
    unseen = deck_cards(rules[DECK]) & ~(hand | discard)
    for one in range(SEATS):
        unseen &= ~seen[U64(PLAYED + one)]
    turn_up = I64(relabel(1 << seen[TURN_UP], seen[TRUMP]))
    theirs, after, ruff = I64(0), I64(0), False
    for one in range(SEATS):
        if active & ~own & 1 << one:
            cards = unseen & ~seen[U64(VOID + one)]
            given = rules[BEST_CARD] and one == (dealer + 2) & 3 and seen[LONE] >> one & 1
            if (one != dealer and not given) or seen[TAKEN] == 0:
                cards &= ~turn_up
            theirs |= cards
            if seen[U64(DOWN + one)] == 0:
                after |= cards
                ruff |= seen[LED] != 0 and cards & suit_of(seen[LED]) == 0 and cards & TRUMPS != 0
    if seen[LED] == 0:
        partners = active & own & ~(1 << seat)
        return _lead(hand, theirs, seat == seen[MAKER], makers >> seat & 1 == 1, partners != 0)
    return _follow(legal, hand, theirs, after, ruff, own, seen)


@device(borrows=True)
def _lead(hand, theirs, is_maker, is_makers, has_partner):
    """The card that is led.

    The makers draw trumps: the maker himself if he has a high one or three, his partner with any. The defenders lead
    high cards of other suits, and no trump before it is all they have.
    """
    trumps = hand & TRUMPS
    high = high_cards(hand, theirs)
    plain = high & ~TRUMPS
    if theirs & TRUMPS == 0:
        if plain and (has_partner or trumps == 0):
            return plain & -plain
        if trumps:
            return highest(trumps)
    elif is_makers and trumps:
        if trumps & high or (is_maker and card_count(U64(trumps)) > 2):
            return highest(trumps)
        if not is_maker:
            return trumps & -trumps
    if plain:
        return _longest_of_theirs(plain, theirs)
    rest = hand & ~TRUMPS
    return least_useful(rest, hand, theirs) if rest else highest(trumps)


@device(borrows=True)
def _longest_of_theirs(choices, theirs):
    """The card of whose suit the opponents may hold the most."""
    found: Any = 0
    most = -1
    while choices:
        card = choices & -choices
        choices ^= card
        count = int(card_count(U64(theirs & suit_of(card))))
        if count > most:
            found, most = card, count
    return found


@device(borrows=True)
def _follow(legal, hand, theirs, after, ruff, own, seen):
    """The card that is played to a trick.

    `after` are the cards that opponents who are still to play to it may hold; `ruff`: whether one of them is known to
    be out of the suit and may have trumps.
    """
    best = seen[BEST]
    follows = legal & suit_of(seen[LED]) != 0
    beating = suit_of(best) & over(best)
    winners = legal & (beating if follows or best & TRUMPS else TRUMPS)
    sure = high_cards(winners, after)
    if own >> seen[BEST_SEAT] & 1:
        if winners == 0 or after & beating == 0:
            return least_useful(legal, hand, theirs)
    elif winners == 0:
        return least_useful(legal, hand, theirs)
    if after == 0 or not (follows or ruff):
        return winners & -winners
    if sure:
        return sure & -sure
    if not follows:
        return winners & -winners
    third = seen[IN_TRICK] > 1
    return highest(winners) if third else least_useful(legal, hand, theirs)
