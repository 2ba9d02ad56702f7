"""A point of a round of President that a person describes: his cards, the pile, and how many cards the others hold."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from analyzer.errors import PositionError
from analyzer.fields import shown
from analyzer.games.president.layout import (
    ACTIVE,
    CARDS,
    HELD,
    JOKER,
    LAST,
    NATURALS,
    OFFICE,
    OUT,
    OWES,
    PASSED,
    PILE,
    PLACE,
    PLAYED,
    REVERSED,
    ROUND,
    SEEN,
    TURN,
)
from analyzer.games.president.lowering import EXCHANGE, lower
from analyzer.games.president.notation import cards_text, parse_cards, parse_play, play_text
from analyzer.games.president.play import Own
from analyzer.games.president.round import check_cards

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from analyzer.games.president.rules import President


@dataclass(frozen=True, eq=False)
class PresidentPosition:
    """A position, seen by the player in turn, who is seat 0; the others follow clockwise.

    Attributes
    ----------
    rules : President
    own : Own
        What the player in turn knows.
    seen : (SEEN,) int64 array
        See `analyzer.games.president.layout`.
    """

    rules: President
    own: Own
    seen: NDArray[np.int64] = field(repr=False)

    @property
    def text(self) -> str:
        """The position in words."""
        hand = cards_text(self.own.hand)
        counts = "-".join(str(count) for count in self.seen[HELD + 1 : HELD + self.rules.players].tolist())
        if self.seen[OWES]:
            return f"{hand}, to give back {self.seen[OWES]}"
        on = f"on {play_text(int(self.seen[PILE]))}" if self.seen[PILE] else "to lead"
        return f"{hand}, {on}, the others hold {counts}{', order reversed' if self.seen[REVERSED] else ''}"


def read_position(
    rules: President,
    *,
    hand: str,
    counts: str = "",
    pile: str = "",
    last: int | None = None,
    passed: str = "",
    played: str = "",
    reversed_order: bool = False,
    offices: str = "",
    gave: str = "",
    got: str = "",
    give_back: bool = False,
) -> PresidentPosition:
    """Read a position.

    Parameters
    ----------
    rules : President
    hand
        Your cards, such as ``3H 4H 5H 9S *``.
    counts
        How many cards the others hold, clockwise from your left: ``6,4,9``; 0 for who has gone out. At the start of a
        round it can be left out.
    pile
        The play on top of the pile, such as ``7C 8C 9C``; empty if you lead.
    last
        Who made it, by how many seats he sits to your left; by default the nearest on your right who has cards and has
        not passed.
    passed
        Who may not play on this pile any more, in the same way: ``1,3``.
    played
        All cards that were played in this round; if they are not told, the others may hold any.
    reversed_order
        Whether a revolution is on.
    offices
        The places of the round before, from yours on clockwise: ``1,4,2,3``; needed for an exchange.
    gave, got
        What you gave away and were given in the exchange.
    give_back
        You are to give cards back: your hand has those that you were given.

    Raises
    ------
    PositionError
        If the position cannot be; one line says why.

    Examples
    --------
    >>> from analyzer.games.president.rules import President
    >>> read_position(President(), hand="3H 4H 5H 9S", counts="6,4,9", pile="7C 8C 9C").text
    '3h 4h 5h 9s, on 7c 8c 9c, the others hold 6-4-9'
    """
    n = rules.players
    own = parse_cards(hand)
    if not own:
        raise PositionError("hand has no cards; name yours, such as '3H 4H 5H 9S'")
    top = parse_play(pile) if pile.strip() else 0
    told = parse_cards(played)
    gone = _with_pile(told, top & CARDS)
    check_cards(rules, [own, gone])
    places = _offices(offices, n)
    gifts = Own(own, parse_cards(gave), parse_cards(got))
    seen = np.zeros(SEEN, np.int64)
    seen[TURN], seen[REVERSED] = 0, reversed_order
    seen[ROUND] = 1 if places else 0
    seen[OFFICE : OFFICE + n] = places or 0
    if give_back:
        if top or told or gave:
            raise PositionError("cards are given back before the play; leave the pile, played and gave out")
        seen[OWES] = _owed(rules, places)
    held = _counts(rules, counts, own, gone, int(seen[OWES]), bool(told or top))
    if told and sum(held[1:]) != _deck_size(rules) - own.bit_count() - gone.bit_count():
        left = _deck_size(rules) - own.bit_count() - gone.bit_count()
        problem = f"the others hold {sum(held[1:])} cards but {left} are neither yours nor played"
        raise PositionError(f"{problem}; name all cards that were played, or leave played out")
    seen[HELD : HELD + n] = held
    seen[PLAYED + 1] = gone
    if gifts.gave or gifts.got:
        partner = _check_gifts(rules, gifts, places, give_back)
        seen[PLAYED + 1], seen[PLAYED + partner] = 0, gone
    for seat in range(n):
        if held[seat]:
            seen[ACTIVE] |= 1 << seat
        else:
            seen[OUT] += 1
            seen[PLACE + seat] = seen[OUT]
    _set_pile(rules, top, last, _seats("passed", passed, n), held, seen)
    return PresidentPosition(rules, gifts, seen)


def _deck_size(rules: President) -> int:
    return JOKER + rules.jokers


def _with_pile(played: int, pile: int) -> int:
    """The cards that were played, with those of the pile if they are not among them."""
    if pile & NATURALS and not pile & NATURALS & ~played:
        return played
    jokers = (played >> JOKER).bit_count() + (pile >> JOKER).bit_count()
    return ((played | pile) & NATURALS) | ((1 << jokers) - 1) << JOKER


def _seats(name: str, text: str, n: int) -> list[int]:
    """Seats that a text such as ``1,3`` names."""
    found = []
    for word in text.replace(",", " ").split():
        if not word.isdecimal() or not 1 <= int(word) < n:
            raise PositionError(f"{name} {shown(word)} is no seat to your left; give numbers from 1 to {n - 1}")
        found.append(int(word))
    return found


def _counts(rules: President, text: str, own: int, gone: int, owes: int, begun: bool) -> list[int]:
    """How many cards everybody holds."""
    n, left = rules.players, _deck_size(rules) - own.bit_count() - gone.bit_count()
    words = text.replace(",", " ").replace("-", " ").split()
    if not words:
        least, more = divmod(_deck_size(rules), n)
        mine = own.bit_count() - owes
        if begun or mine not in {least, least + bool(more)}:
            example = ",".join(["5"] * (n - 1))
            raise PositionError(f"counts are missing; give how many cards the others hold, clockwise: {example}")
        extra = more - (mine > least)
        others = [least + (seat < extra) for seat in range(n - 1)]
        if owes:
            others[-1] -= owes
        return [own.bit_count(), *others]
    if len(words) != n - 1 or not all(word.isdecimal() for word in words):
        raise PositionError(f"counts {shown(text)} are not {n - 1} numbers; give one for each of the others, clockwise")
    found = [int(word) for word in words]
    if sum(found) > left:
        raise PositionError(f"counts {shown(text)} add up to {sum(found)}, but only {left} cards are not seen")
    if not any(found):
        raise PositionError(f"counts {shown(text)} say that all others have gone out; the round is over")
    return [own.bit_count(), *found]


def _offices(text: str, n: int) -> list[int]:
    """The places of the round before."""
    words = text.replace(",", " ").split()
    if words and sorted(words) != sorted(map(str, range(1, n + 1))):
        places = ",".join(map(str, range(1, n + 1)))
        raise PositionError(f"offices {shown(text)} are not the places of all; give yours first, such as {places}")
    return [int(word) for word in words]


def _owed(rules: President, places: list[int]) -> int:
    """How many cards the player in turn gives back."""
    if not rules.exchange:
        raise PositionError("nothing is given back without an exchange; set exchange = true")
    pairs = 1 if rules.players == 3 else 2
    if not places or places[0] > pairs:
        raise PositionError(f"who gives cards back came first{' or second' * (pairs == 2)}; say so by offices")
    return max(int(lower(rules)[EXCHANGE]) - places[0] + 1, 1)


def _check_gifts(rules: President, gifts: Own, places: list[int], give_back: bool) -> int:
    """The seat with which cards were exchanged."""
    if not rules.exchange or not places:
        raise PositionError("gave and got are of an exchange; set exchange = true and give the offices")
    n, mine = rules.players, places[0]
    pair = min(mine, n + 1 - mine)
    count = max(int(lower(rules)[EXCHANGE]) - pair + 1, 1)
    if pair > (1 if n == 3 else 2) or mine == n + 1 - mine:
        raise PositionError(f"who came to place {mine} of {n} exchanges nothing; leave gave and got out")
    for name, cards in (("gave", gifts.gave), ("got", gifts.got)):
        if cards.bit_count() != count and not (give_back and name == "gave"):
            raise PositionError(f"{name} has {cards.bit_count()} cards; place {mine} exchanges {count}")
    if gifts.gave & gifts.hand & NATURALS:
        raise PositionError(f"{cards_text(gifts.gave & gifts.hand & NATURALS)} was given away but is in the hand")
    return places.index(n + 1 - mine)


def _set_pile(
    rules: President, top: int, last: int | None, passed: list[int], held: list[int], seen: NDArray[np.int64]
) -> None:
    """Set what lies on the table, and who may play on it."""
    n = rules.players
    seen[LAST] = -1
    if not top:
        if passed or last is not None:
            raise PositionError("nobody has passed or played where you lead; leave passed and last out")
        return
    waiting = [seat for seat in range(1, n) if held[seat] and seat not in passed]
    if last is None:
        last = waiting[-1] if waiting else n - 1
    if not 1 <= last < n:
        raise PositionError(f"last {shown(last)} is no seat to your left; give a number from 1 to {n - 1}")
    seen[PILE], seen[LAST] = top, last
    seen[PASSED] = sum(1 << seat for seat in set(passed))
