"""How cards and plays of President are written: ``5h 6h *`` is the run 5 6 7 with a joker for the seven."""

from __future__ import annotations

from analyzer.cards.notation import SUITS, rank_and_suit
from analyzer.errors import PositionError
from analyzer.fields import shown
from analyzer.games.president.layout import ALIKE, CARDS, JOKER, JOKERS, LOW, NATURALS, RUN, SHORTEST, TWO

__all__ = ["RANKS", "cards_text", "parse_cards", "parse_play", "play_text", "rank_name"]

RANKS = "3456789TJQKA2"
_AS_TWOS = " for 2s"
_AS_RUN = " as a run"


def rank_name(rank: int) -> str:
    """A rank as people write it.

    Examples
    --------
    >>> rank_name(7), rank_name(13)
    ('10', 'joker')
    """
    return "joker" if rank == JOKERS else RANKS[rank].replace("T", "10")


def parse_cards(text: str) -> int:
    """Set of the cards that a text names, with spaces or commas between them.

    Parameters
    ----------
    text
        Cards such as ``3h``, ``10s`` or ``Ts``, ``2♣``; ``*`` or ``joker``, which may stand there twice.

    Raises
    ------
    PositionError
        If a card is unknown or stands there twice, or there are more than two jokers.

    Examples
    --------
    >>> cards_text(parse_cards("2C 4H * 4d"))
    '4d 4h 2c *'
    """
    cards, jokers = 0, 0
    for word in text.replace(",", " ").split():
        named = rank_and_suit(word, RANKS)
        if named is None:
            jokers += 1
            continue
        bit = 1 << 4 * named[0] + named[1]
        if cards & bit:
            raise PositionError(f"card {shown(word)} stands twice in {shown(text)}; name each card once")
        cards |= bit
    if jokers > 2:
        raise PositionError(f"there are {jokers} jokers in {shown(text)}; a deck has two at most")
    return cards | ((1 << jokers) - 1) << JOKER


def _card(card: int) -> str:
    return "*" if card >= JOKER else RANKS[card >> 2] + SUITS[card & 3]


def cards_text(cards: int) -> str:
    """How a set of cards is written, from the lowest to the highest.

    Examples
    --------
    >>> cards_text(0b11 << JOKER | 0b1)
    '3c * *'
    """
    return " ".join(_card(card) for card in range(JOKER + 2) if cards >> card & 1)


def play_text(play: int) -> str:
    """How a play is written: its cards, those of a run by the ranks that they stand for.

    Examples
    --------
    >>> play_text(parse_play("5h * 7h")), play_text(0)
    ('5h * 7h', 'pass')
    """
    cards, low = play & CARDS, play >> LOW & 15
    if cards == 0:
        return "pass"
    if not play >> RUN & 1:
        return cards_text(cards) + _AS_TWOS * (low == TWO and not cards & NATURALS)
    places = []
    for rank in range(low, low + cards.bit_count()):
        alike = cards >> 4 * rank & 15 if rank <= TWO else 0
        places.append(_card(4 * rank + alike.bit_length() - 1) if alike else "*")
    return " ".join(places) + _AS_RUN * ((cards & NATURALS).bit_count() == 1)


def parse_play(text: str) -> int:
    """The play that a text names.

    Parameters
    ----------
    text
        ``pass``; cards of one rank; or the cards of a run, from the lowest on where it has jokers. Jokers alone are the
        highest group, or with ``for 2s`` behind them twos. A card with two jokers is a group, unless it says ``as a
        run``.

    Raises
    ------
    PositionError
        If the cards are neither a group nor a run.

    Examples
    --------
    >>> play_text(parse_play("9h 7h 8h")), play_text(parse_play("* * for 2s")), play_text(parse_play("* 5h * as a run"))
    ('7h 8h 9h', '* * for 2s', '* 5h * as a run')
    """
    whole = " ".join(text.lower().replace(",", " ").split())
    if whole == "pass":
        return 0
    words = whole.removesuffix(_AS_TWOS).removesuffix(_AS_RUN).split()
    cards = parse_cards(" ".join(words))
    if not cards:
        raise PositionError("a play has no cards; name them, or write pass")
    named = [rank_and_suit(word, RANKS) for word in words]
    ranks = {one[0] for one in named if one is not None}
    if whole.endswith(_AS_TWOS) and ranks:
        raise PositionError(f"play {shown(text)} has other cards than jokers; leave out '{_AS_TWOS.strip()}'")
    if len(ranks) <= 1 and not whole.endswith(_AS_RUN):
        if len(words) > ALIKE:
            raise PositionError(f"group {shown(text)} has {len(words)} cards; it may have {ALIKE} at most")
        return cards | (ranks.pop() if ranks else TWO if whole.endswith(_AS_TWOS) else JOKERS) << LOW
    if None not in named:
        named.sort(key=lambda one: one or (0, 0))
    low = _lowest_of_run(named)
    if low is None:
        problem = "write cards of one rank, or three or more in a row of one suit from the lowest on"
        raise PositionError(f"{shown(text)} is no play; {problem}")
    return cards | low << LOW | 1 << RUN


def _lowest_of_run(named: list[tuple[int, int] | None]) -> int | None:
    """The lowest rank of a run whose cards are in order; none if they make no run. Jokers, here none, stand for any."""
    known = [(place, one) for place, one in enumerate(named) if one is not None]
    lowest = {one[0] - place for place, one in known}
    if len(named) < SHORTEST or len({one[1] for _, one in known}) != 1 or len(lowest) != 1:
        return None
    low = lowest.pop()
    return low if low >= 0 and low + len(named) - 1 <= TWO else None
