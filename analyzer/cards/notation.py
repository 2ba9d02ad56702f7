"""How cards are written: ``Jh``, ``10s`` or ``Ts``, ``A♣``, and ``*`` for the joker, in either case."""

from __future__ import annotations

from analyzer.cards.deck import DECKS, JOKER, cards_in
from analyzer.errors import PositionError
from analyzer.fields import shown

__all__ = ["RANKS", "SUITS", "card_name", "cards_text", "parse_card", "parse_cards", "parse_suit", "rank_and_suit"]

SUITS = "cdhs"
RANKS = "789TJQKA"

_SUIT_SIGNS = {sign: suit for signs in (SUITS, "♣♦♥♠", "♧♢♡♤") for suit, sign in enumerate(signs)}
_SUIT_NAMES = {name: suit for suit, name in enumerate(("clubs", "diamonds", "hearts", "spades"))}


def parse_suit(text: str) -> int:
    """Number of a suit, 0 to 3, from its name, its first letter or its sign.

    Raises
    ------
    PositionError
        If the text names no suit.

    Examples
    --------
    >>> parse_suit("Hearts"), parse_suit("s")
    (2, 3)
    """
    word = text.strip().lower()
    suit = _SUIT_SIGNS.get(word, _SUIT_NAMES.get(word))
    if suit is None:
        raise PositionError(f"suit {shown(text)} is unknown; write c, d, h or s, or the name")
    return suit


def rank_and_suit(text: str, ranks: str) -> tuple[int, int] | None:
    """Rank and suit of the card that a text names, as places in some ranks and in `SUITS`; none for a joker.

    Parameters
    ----------
    text
        As for `parse_card`.
    ranks
        A letter each, ``T`` for 10.

    Raises
    ------
    PositionError
        If the text names no card of these ranks.

    Examples
    --------
    >>> rank_and_suit("10h", "3456789TJQKA2"), rank_and_suit("*", RANKS)
    ((7, 2), None)
    """
    word = text.strip().lower().removesuffix("\ufe0f")  # some keyboards add a mark that makes the suit a picture
    rank = ranks.lower().find("t" if word[:-1] == "10" else word[:-1] if len(word) == 2 else " ")
    if word in {"*", "joker"}:
        return None
    if rank < 0 or word[-1] not in _SUIT_SIGNS:
        told = ", ".join("10" if rank == "T" else rank for rank in ranks)
        raise PositionError(f"card {shown(text)} is unknown; write a rank ({told}), then c, d, h or s; * is the joker")
    return rank, _SUIT_SIGNS[word[-1]]


def parse_card(text: str, deck: int = 0) -> int:
    """Number of the card that a text names.

    Parameters
    ----------
    text
        Rank and suit: ``Jh``, ``10s`` or ``Ts``, ``A♣``; ``*`` or ``joker``. Upper or lower case.
    deck
        24, 25, 32 or 33 if the card must belong to that deck.

    Raises
    ------
    PositionError
        If the text names no card, or none of the deck.

    Examples
    --------
    >>> parse_card("Jh"), parse_card("joker")
    (20, 32)
    """
    named = rank_and_suit(text, RANKS)
    card = JOKER if named is None else 8 * named[1] + named[0]
    if deck and not DECKS[deck] >> card & 1:
        raise PositionError(f"card {shown(text)} is not in the deck of {deck} cards; choose another card or deck")
    return card


def parse_cards(text: str, deck: int = 0) -> int:
    """Set of the cards that a text names, with spaces or commas between them.

    Parameters
    ----------
    text
        Cards as for `parse_card`; none for the empty set.
    deck
        24, 25, 32 or 33 if all cards must belong to that deck.

    Returns
    -------
    int
        A bit per card.

    Raises
    ------
    PositionError
        If a card is unknown, is not in the deck, or stands there twice.

    Examples
    --------
    >>> cards_text(parse_cards("JH, 10h 9s"))
    '9s Jh Th'
    """
    cards = 0
    for word in text.replace(",", " ").split():
        bit = 1 << parse_card(word, deck)
        if cards & bit:
            raise PositionError(f"card {shown(word)} stands twice in {shown(text)}; name each card once")
        cards |= bit
    return cards


def card_name(card: int) -> str:
    """How a card is written.

    Examples
    --------
    >>> card_name(20), card_name(JOKER)
    ('Jh', '*')
    """
    return "*" if card == JOKER else RANKS[card % 8] + SUITS[card // 8]


def cards_text(cards: int) -> str:
    """How a set of cards is written: the joker, then spades, hearts, diamonds, clubs, each from the highest down.

    Examples
    --------
    >>> cards_text(1 << 20 | 1 << 23 | 1 << JOKER)
    '* Ah Jh'
    """
    return " ".join(card_name(int(card)) for card in cards_in(cards)[::-1])
