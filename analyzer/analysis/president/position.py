"""A point of a round of President that a person describes: his cards, the pile, and how many cards the others hold."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from analyzer.errors import PositionError
from analyzer.fields import counted, shown
from analyzer.games.president.layout import (
    ACTIVE,
    CARDS,
    HELD,
    JOKER,
    LAST,
    LEADER,
    LOW,
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
    RUN,
    SEEN,
    TURN,
    TWO,
)
from analyzer.games.president.lowering import EXCHANGE, PAIRS, lower
from analyzer.games.president.notation import cards_text, parse_cards, parse_play, play_text
from analyzer.games.president.play import Own
from analyzer.games.president.round import best_kept, check_cards, closes_pile

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
        How many cards the others hold, clockwise from your left: ``6,4,9``; 0 for who has gone out. Before the first
        play it can be left out if all were dealt as many.
    pile
        The play on top of the pile, such as ``7C 8C 9C``; empty if you lead.
    last
        Who made it, by how many seats he sits to your left; by default the nearest on your right who has cards and has
        not passed. Who sits between him and you has passed.
    passed
        Who may not play on this pile any more, in the same way: ``1,3``.
    played
        All cards that were played in this round; if they are not told, the others may hold any.
    reversed_order
        Whether a revolution is on, the play on top counted.
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
    if reversed_order and not rules.revolution:
        raise PositionError("the order is never reversed in this game; set revolution = true, or leave reversed out")
    top = _pile(rules, pile, reversed_order) if pile.strip() else 0
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
        if top or told or gave or reversed_order:
            raise PositionError("cards are given back before the play; leave pile, played, gave and reversed out")
        seen[OWES] = _owed(rules, own, places)
        seen[LEADER] = places.index(1 if rules.next_lead == "president" else n)
    held = _counts(rules, counts, own, gone, places if give_back else [], bool(told or top))
    if told and sum(held[1:]) != _deck_size(rules) - own.bit_count() - gone.bit_count():
        left = _deck_size(rules) - own.bit_count() - gone.bit_count()
        problem = f"the others hold {sum(held[1:])} cards but {left} are neither yours nor played"
        raise PositionError(f"{problem}; name all cards that were played, or leave played out")
    seen[HELD : HELD + n] = held
    seen[PLAYED + 1] = gone
    if gifts.gave or gifts.got:
        partner = _check_gifts(rules, gifts, places, held, gone, give_back)
        if give_back or told or own.bit_count() >= _most_dealt(rules):  # else they may have been played
            _check_got(gifts, gone)
        seen[PLAYED + 1], seen[PLAYED + partner] = 0, gone
    for seat in range(n):
        if held[seat]:
            seen[ACTIVE] |= 1 << seat
        else:
            seen[OUT] += 1
            seen[PLACE + seat] = seen[OUT]
    _set_pile(top, last, _seats("passed", passed, n), held, _most_dealt(rules), seen)
    return PresidentPosition(rules, gifts, seen)


def _pile(rules: President, text: str, reversed_order: bool) -> int:
    """The play on top of a pile, which must be one that the game has and that leaves the pile open."""
    top = parse_play(text)
    shown_play = play_text(top)
    if not top:
        raise PositionError("pile 'pass' is no play; name the cards on top, or leave the pile out where you lead")
    if top >> RUN & 1 and not rules.runs:
        raise PositionError(f"pile {shown_play} is a run, and this game has none; set runs = true, or name a group")
    if top >> LOW & 15 == TWO and not top & NATURALS and rules.all_jokers != "may_be_2s":
        raise PositionError(f"pile {shown_play}: jokers are no 2s here; set all_jokers = may_be_2s, or leave it out")
    if closes_pile(rules, top, reversed_order):
        raise PositionError(
            f"pile {shown_play} closes at once, so that nobody plays on it; leave it out where you lead"
        )
    return top


def _deck_size(rules: President) -> int:
    return JOKER + rules.jokers


def _most_dealt(rules: President) -> int:
    """The most cards that anybody is dealt."""
    return -(-_deck_size(rules) // rules.players)


def _jokers(cards: int) -> int:
    return (cards >> JOKER).bit_count()


def _with_pile(played: int, pile: int) -> int:
    """The cards that were played, with those of the pile if they are not among them."""
    jokers, of_pile = _jokers(played), _jokers(pile)
    if pile & NATURALS & ~played:
        jokers += of_pile
    return ((played | pile) & NATURALS) | ((1 << max(jokers, of_pile)) - 1) << JOKER


def _seats(name: str, text: str, n: int) -> list[int]:
    """Seats that a text such as ``1,3`` names."""
    found = []
    for word in text.replace(",", " ").split():
        if not _is_number(word) or not 1 <= int(word) < n:
            raise PositionError(f"{name} {shown(word)} is no seat to your left; give numbers from 1 to {n - 1}")
        found.append(int(word))
    return found


def _counts(rules: President, text: str, own: int, gone: int, exchanging: list[int], begun: bool) -> list[int]:
    """How many cards everybody holds; `exchanging` are the places of the round before while cards are given back."""
    n, left = rules.players, _deck_size(rules) - own.bit_count() - gone.bit_count()
    # While cards are given back some hold up to two more than they were dealt.
    most = _most_dealt(rules) + (2 if exchanging else 0)
    if own.bit_count() > most:
        raise PositionError(f"hand has {own.bit_count()} cards, but nobody has more than {most}; leave some out")
    if not text.strip():
        return _dealt(rules, own, exchanging, begun)
    words = re.split(r"[\s,]+|(?<=\d)-(?=\d)", text.strip())
    if len(words) != n - 1 or not all(_is_number(word) for word in words):
        raise PositionError(f"counts {shown(text)} are not {n - 1} numbers; give one for each of the others, clockwise")
    found = [int(word) for word in words]
    if sum(found) > left:
        problem = f"counts {shown(text)} add up to {sum(found)}, but only {left} cards are not seen"
        raise PositionError(f"{problem}; give how many cards the others hold now")
    if max(found) > most:
        raise PositionError(f"counts {shown(text)} have a hand of {max(found)}, but nobody has more than {most}")
    if not any(found):
        raise PositionError(f"counts {shown(text)} say that all others have gone out; give the cards of who has not")
    return [own.bit_count(), *found]


def _dealt(rules: President, own: int, exchanging: list[int], begun: bool) -> list[int]:
    """How many cards everybody holds before the first play, if the deal or the exchange tells."""
    n = rules.players
    moved = [0] * n
    if exchanging:
        # Gifts are made, and of the returns those of the pairs before one's own.
        for place in range(exchanging[0], PAIRS + 1):
            count = _exchanged(rules, place)
            moved[exchanging.index(place)] += count
            moved[exchanging.index(n + 1 - place)] -= count
    least, more = divmod(_deck_size(rules), n)
    if begun or own.bit_count() - moved[0] not in {least, least + bool(more)} or more:
        example = ",".join(["5"] * (n - 1))
        raise PositionError(f"counts are missing; give how many cards the others hold, clockwise: {example}")
    return [least + change for change in moved]


def _is_number(word: str) -> bool:
    return word.isascii() and word.isdecimal() and len(word) < 4


def _exchanged(rules: President, place: int) -> int:
    """How many cards the player of a place exchanges with the one who came as far from the other end; 0 for none."""
    from_end = min(place, rules.players + 1 - place)
    return int(lower(rules)[EXCHANGE + from_end - 1]) if from_end <= PAIRS else 0


def _offices(text: str, n: int) -> list[int]:
    """The places of the round before."""
    words = text.replace(",", " ").split()
    if words and sorted(words) != sorted(map(str, range(1, n + 1))):
        places = ",".join(map(str, range(1, n + 1)))
        raise PositionError(f"offices {shown(text)} are not the places of all; give yours first, such as {places}")
    return [int(word) for word in words]


def _owed(rules: President, own: int, places: list[int]) -> int:
    """How many cards the player in turn gives back."""
    if not rules.exchange:
        raise PositionError("nothing is given back without an exchange; set exchange = true")
    owed = _exchanged(rules, places[0]) if places and places[0] <= PAIRS else 0
    if not owed:
        raise PositionError(f"who gives cards back came first{' or second' * (rules.players > 3)}; say so by offices")
    if own.bit_count() <= owed:
        raise PositionError(
            f"hand has {counted(own.bit_count(), 'card')}, of which {owed} are given back; name all of them"
        )
    return owed


def _check_gifts(rules: President, gifts: Own, places: list[int], held: list[int], gone: int, give_back: bool) -> int:
    """The seat with which cards were exchanged."""
    if not rules.exchange or not places:
        raise PositionError("gave and got are of an exchange; set exchange = true and give the offices")
    n, mine = rules.players, places[0]
    count = _exchanged(rules, mine)
    if not count:
        raise PositionError(f"who came to place {mine} of {n} exchanges nothing; leave gave and got out")
    for name, cards in (("gave", gifts.gave), ("got", gifts.got)):
        if cards.bit_count() != count and not (give_back and name == "gave"):
            problem = f"{name} has {counted(cards.bit_count(), 'card')}; place {mine} exchanges {count}"
            raise PositionError(f"{problem}, name these")
        if _jokers(cards) > rules.jokers:
            raise PositionError(f"{name} has more jokers than the deck; set jokers or leave them out")
    if gifts.gave & gifts.hand & NATURALS:
        both = cards_text(gifts.gave & gifts.hand & NATURALS)
        raise PositionError(f"{both} was given away but is in the hand; leave it out of one of them")
    kept_jokers = max(_jokers(gifts.gave) - _jokers(gone), 0)
    if _jokers(gifts.hand) + _jokers(gone) + kept_jokers > rules.jokers:
        raise PositionError("jokers of the hand, played and given away are more than the deck has; leave some out")
    better = best_kept(gifts.hand, gifts.got, gifts.gave) if 2 * mine > n + 1 else 0
    if better:
        kept_card = "a joker" if better >> JOKER else cards_text(better)
        given = f"{cards_text(gifts.gave)} was given away but the hand has kept {kept_card}"
        raise PositionError(f"{given}, which is better; who came to place {mine} gives his best cards")
    partner = places.index(n + 1 - mine)
    kept = (gifts.gave & NATURALS & ~gone).bit_count() + kept_jokers
    if kept > held[partner]:
        problem = f"{kept} of the cards that were given away are not played, but who got them holds {held[partner]}"
        raise PositionError(f"{problem}; name all cards that were played")
    return partner


def _check_got(gifts: Own, gone: int) -> None:
    """Raise PositionError if cards that were got are neither in the hand nor played."""
    jokers = max(_jokers(gifts.got) - _jokers(gifts.hand) - _jokers(gone), 0)
    missing = gifts.got & NATURALS & ~gifts.hand & ~gone | ((1 << jokers) - 1) << JOKER
    if missing:
        raise PositionError(
            f"{cards_text(missing)} was got but is neither in the hand nor played; name it in one of them"
        )


def _set_pile(
    top: int, last: int | None, passed: list[int], held: list[int], most: int, seen: NDArray[np.int64]
) -> None:
    """Set what lies on the table, and who may play on it; who sits between who played and who is in turn has passed."""
    n, size = len(held), (top & CARDS).bit_count()
    seen[LAST] = -1
    if not top:
        if passed or last is not None:
            raise PositionError("nobody has passed or played where you lead; leave passed and last out")
        return
    out = [seat for seat in passed if not held[seat]]
    if out:
        raise PositionError(f"seat {out[0]} has no cards, so that it does not pass; leave it out of passed")
    could = [seat for seat in range(1, n) if held[seat] + size <= most]
    if not could:
        raise PositionError(f"nobody can have made the play on top: all others hold the {most} cards that were dealt")
    if last is None:
        waiting = [seat for seat in could if held[seat] and seat not in passed]
        gone = [seat for seat in could if not held[seat]]
        if not waiting and len(gone) != 1:
            raise PositionError("all others who hold cards have passed; say by last who made the play on top")
        last = waiting[-1] if waiting else gone[0]
    if not 1 <= last < n:
        raise PositionError(f"last {shown(last)} is no seat to your left; give a number from 1 to {n - 1}")
    if last not in could:
        raise PositionError(f"seat {last} holds {held[last]} of {most} cards, so that it did not make the play on top")
    if last in passed:
        raise PositionError(f"seat {last} made the play on top, so that it has not passed; leave it out of passed")
    between = {seat for seat in range(last + 1, n) if held[seat]}
    seen[PILE], seen[LAST] = top, last
    seen[PASSED] = sum(1 << seat for seat in {*passed, *between})
