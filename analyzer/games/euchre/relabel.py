"""Hands relabelled by trump, so that following suit is a mask and the winner of a trick the largest integer.

A relabelled set of cards has four fields of 16 bits. Field 3, the highest, is trump, field 2 the other suit of its
colour, fields 1 and 0 the two suits of the other colour, the lower suit number in field 0. In a plain suit the bits of
a field are 7 8 9 10 J Q K A, and the jack of field 2 does not exist: it is the left bower. In trump they are 7 8 9 10,
none, Q K A, left bower, right bower, joker.

All functions work in kernels and in Python, where they take and give integers of 64 bits.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from analyzer.cards.bits import card_count
from analyzer.cards.deck import JOKER
from analyzer.engine.jit import device

__all__ = [
    "TRUMPS",
    "field_of",
    "led_field",
    "legal_plays",
    "physical",
    "physical_card",
    "relabel",
    "winning_card",
]

U64 = np.uint64

TRUMPS = 0xFFFF << 48
"""All bits of trump."""

_FIELD = 0xFFFF
_SUIT = 0xFF
_JACK = 4
_LEFT = 8
_RIGHT = 9
_BEST = 10
_PLAIN = _SUIT & ~(1 << _JACK)


@device(borrows=True)
def field_of(suit, trump):
    """The field of a suit, 0 to 3; its left bower is not there but in field 3.

    Examples
    --------
    >>> [field_of(suit, 2) for suit in range(4)]  # clubs, diamonds, hearts, spades; hearts are trump
    [0, 2, 3, 1]
    """
    if suit == trump:
        return 3
    if suit == 3 - trump:
        return 2
    return 1 if suit > 3 - suit else 0


@device(borrows=True)
def relabel(cards: Any, trump: Any) -> Any:
    """A set of cards, a bit per card number, relabelled.

    Parameters
    ----------
    cards : int
        Any set of cards of any deck.
    trump : int
        The suit, 0 to 3.

    Returns
    -------
    uint64

    Examples
    --------
    >>> from analyzer.cards.notation import parse_cards
    >>> hex(relabel(parse_cards("Jh Jd Ah Ad As 9c"), 2))
    '0x380008000800004'
    """
    deck, suit = U64(cards), U64(trump)
    sister = U64(3) - suit
    low = U64(1) if suit == U64(0) or suit == U64(3) else U64(0)
    own = (deck >> (U64(8) * suit)) & U64(_SUIT)
    next_to_it = (deck >> (U64(8) * sister)) & U64(_SUIT)
    trumps = own & U64(_PLAIN)
    trumps |= ((next_to_it >> U64(_JACK)) & U64(1)) << U64(_LEFT)
    trumps |= ((own >> U64(_JACK)) & U64(1)) << U64(_RIGHT)
    trumps |= ((deck >> U64(JOKER)) & U64(1)) << U64(_BEST)
    return (
        trumps << U64(48)
        | (next_to_it & U64(_PLAIN)) << U64(32)
        | ((deck >> (U64(8) * (U64(3) - low))) & U64(_SUIT)) << U64(16)
        | (deck >> (U64(8) * low)) & U64(_SUIT)
    )


@device(borrows=True)
def physical(relabelled: Any, trump: Any) -> Any:
    """The set of cards, a bit per card number, that `relabel` makes this of.

    Parameters
    ----------
    relabelled : int
        A relabelled set of cards.
    trump : int
        The suit, 0 to 3.

    Returns
    -------
    uint64

    Examples
    --------
    >>> from analyzer.cards.notation import cards_text
    >>> cards_text(physical(0x380008000800004, 2))
    'As Ah Jh Ad Jd 9c'
    """
    cards, suit = U64(relabelled), U64(trump)
    sister = U64(3) - suit
    low = U64(1) if suit == U64(0) or suit == U64(3) else U64(0)
    trumps = cards >> U64(48)
    own = trumps & U64(_PLAIN) | ((trumps >> U64(_RIGHT)) & U64(1)) << U64(_JACK)
    next_to_it = (cards >> U64(32)) & U64(_PLAIN) | ((trumps >> U64(_LEFT)) & U64(1)) << U64(_JACK)
    return (
        own << (U64(8) * suit)
        | next_to_it << (U64(8) * sister)
        | ((cards >> U64(16)) & U64(_SUIT)) << (U64(8) * (U64(3) - low))
        | (cards & U64(_SUIT)) << (U64(8) * low)
        | ((trumps >> U64(_BEST)) & U64(1)) << U64(JOKER)
    )


@device(borrows=True)
def physical_card(card: Any, trump: Any) -> Any:
    """The number, 0 to 32, of a relabelled card.

    Parameters
    ----------
    card : int
        A relabelled set of one card.
    trump : int
        The suit, 0 to 3.

    Examples
    --------
    >>> from analyzer.cards.notation import card_name
    >>> card_name(physical_card(1 << 56, 2))  # the left bower
    'Jd'
    """
    return card_count(physical(card, trump) - U64(1))


@device(borrows=True)
def led_field(led):
    """All bits of the field of the card that was led.

    Parameters
    ----------
    led : int
        A relabelled set of one card.

    Returns
    -------
    uint64

    Examples
    --------
    >>> hex(led_field(1 << 39))
    '0xffff00000000'
    """
    # The place of the card is the number of places below it; a branch for each field would depend on chance.
    return U64(_FIELD) << (U64(card_count(U64(led) - U64(1))) & U64(48))


@device(borrows=True)
def legal_plays(hand: Any, led: Any) -> Any:
    """The cards of a hand that may be played.

    Parameters
    ----------
    hand : int
        A relabelled set of cards.
    led : int
        The relabelled card that was led to the trick, 0 before the lead.

    Returns
    -------
    uint64
        Those of the led field if there are any, else the whole hand.

    Examples
    --------
    >>> from analyzer.cards.notation import cards_text, parse_cards
    >>> hand, led = relabel(parse_cards("Jd Ad"), 2), relabel(parse_cards("9h"), 2)
    >>> cards_text(physical(legal_plays(hand, led), 2))
    'Jd'
    """
    cards = U64(hand)
    following = cards & led_field(led) & (U64(0) - U64(U64(led) != U64(0)))
    return following if following != U64(0) else cards


@device(borrows=True)
def winning_card(played, led):
    """The card that wins a trick: the highest trump, else the highest card of the led suit.

    Parameters
    ----------
    played : int
        The relabelled set of the cards of the trick, two to four or, so far, fewer.
    led : int
        The one among them that was led.

    Returns
    -------
    uint64
        A set of one card.

    Examples
    --------
    >>> from analyzer.cards.notation import cards_text, parse_cards
    >>> played, led = relabel(parse_cards("9d Jd Ad 9h"), 2), relabel(parse_cards("9d"), 2)
    >>> cards_text(physical(winning_card(played, led), 2))
    'Jd'
    """
    rest = U64(played) & (U64(TRUMPS) | led_field(led))
    best = rest
    while rest != U64(0):
        best = rest
        rest &= rest - U64(1)
    return best
