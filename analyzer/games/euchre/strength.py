"""The policy `strength` of Euchre: a hand is worth a weighted sum, and is called if that is what its seat needs."""

from __future__ import annotations

from dataclasses import dataclass, fields
from math import isfinite

import numpy as np
from numpy.typing import NDArray

from analyzer.cards.bits import card_count
from analyzer.engine.jit import device
from analyzer.errors import PolicyError
from analyzer.fields import begun, shown, slug, unknown
from analyzer.games.euchre.calls import (
    lone_hand_pays,
    other_choice,
    place_after_dealer,
    say,
    without_least,
)
from analyzer.games.euchre.layout import (
    FIRST,
    LONELY,
    MAKER,
    NAME,
    NAME_ALONE,
    NO,
    ORDER,
    ORDER_ALONE,
    PASS,
    PROPOSED,
    SCORE,
    SEAT,
    SEATS,
    SECOND,
    STAGE,
    TURN_UP,
    YES,
)
from analyzer.games.euchre.lowering import ASSIST_ALONE, PLAYERS, TARGET
from analyzer.games.euchre.moves import side_of
from analyzer.games.euchre.relabel import field_of, relabel

I64 = np.int64
U64 = np.uint64


@dataclass(frozen=True, slots=True, kw_only=True)
class Strength:
    """The parameters of the policy `strength`. The unit is about what a small trump more is worth.

    The defaults come from a least-squares fit of the points that calling gained over passing, in simulated hands,
    and were then improved, one after the other, by mirrored deals against the policy `rules`. The effect of the score
    was not measured: `own_last` and `their_last` are 0.

    Parameters
    ----------
    trump
        For each trump of the hand.
    joker, right, left, ace, king, queen
        More for these trumps.
    off_ace, off_king
        For each ace, each king of another suit.
    void
        For each other suit without a card, of these no more than there are trumps after the first.
    up_partner, up_opponent
        The share of the turn-up's worth that is added if the partner deals, that is taken off if an opponent deals.
    next_suit
        In the second round, for the other suit of the turned-down colour if an opponent deals, and for a suit of the
        other colour if the own side deals.
    first_left, first_partner, first_right, first_dealer
        What a call needs in the first round: the dealer's left, his partner, his right, the dealer.
    second_left, second_partner, second_right, second_dealer
        The same in the second round.
    no_partner
        What a call needs more with two or three players.
    alone, partner_alone, defender_alone
        What playing alone needs: of who made trump, of his partner, of an opponent.
    own_last
        What a call needs more if one point wins the game for the own side.
    their_last
        What a call needs more if two points win the game for an opponent.

    Raises
    ------
    PolicyError
        If a value is not a finite number.

    Examples
    --------
    >>> Strength.parse("strength:right=3.1").right
    3.1
    """

    trump: float = 0.75
    joker: float = 1.4
    right: float = 1.2
    left: float = 0.3
    ace: float = 0.1
    king: float = 0.05
    queen: float = 0.1
    off_ace: float = 0.45
    off_king: float = 0.05
    void: float = 0.35
    up_partner: float = 0.05
    up_opponent: float = 0.4
    next_suit: float = 1.0
    first_left: float = 4.0
    first_partner: float = 2.65
    first_right: float = 3.45
    first_dealer: float = 2.85
    second_left: float = 2.75
    second_partner: float = 2.6
    second_right: float = 2.6
    second_dealer: float = 2.8
    no_partner: float = 0.8
    alone: float = 4.35
    partner_alone: float = 5.4
    defender_alone: float = 7.5
    own_last: float = 0.0
    their_last: float = 0.0

    def __post_init__(self) -> None:
        for one in fields(self):
            value = getattr(self, one.name)
            if isinstance(value, bool) or not isinstance(value, int | float) or not isfinite(value):
                raise PolicyError(f"strength: {one.name} = {shown(value)} is not a number; write one such as 1.5")

    @classmethod
    def parse(cls, text: str) -> Strength:
        """Return the parameters in a text such as ``strength:right=3.1,alone=5``; those left out have their default.

        Raises
        ------
        PolicyError
            If the text has another form, a parameter is unknown or set twice, or a value is not a number.

        Examples
        --------
        >>> Strength.parse("strength") == Strength()
        True
        """
        name, _, rest = text.partition(":")
        if slug(name) != "strength":
            raise PolicyError(f"policy {shown(text)} is not strength; write strength or strength:right=1.5,alone=5")
        known = tuple(one.name for one in fields(cls))
        values: dict[str, float] = {}
        for part in rest.split(",") if rest.strip() else ():
            typed, equals, number = part.partition("=")
            key = begun(slug(typed), known)
            if not equals:
                raise PolicyError(f"strength: {shown(part)} has no value; write a parameter as right=1.5")
            if key not in known:
                raise PolicyError(f"strength: {unknown('parameter', typed.strip(), known)}")
            if key in values:
                raise PolicyError(f"strength: {key} is set twice; set it once")
            try:
                values[key] = float(number)
            except ValueError:
                raise PolicyError(f"strength: {key} = {shown(number)} is not a number; write one such as 1.5") from None
        return cls(**values)

    def __str__(self) -> str:
        """The text that `parse` reads: the parameters that are not the default.

        Examples
        --------
        >>> str(Strength(alone=5))
        'strength:alone=5'
        """
        changed = [f"{one.name}={getattr(self, one.name)!r}" for one in fields(self) if self._differs(one.name)]
        return f"strength:{','.join(changed)}" if changed else "strength"

    def _differs(self, name: str) -> bool:
        return bool(getattr(self, name) != getattr(type(self)(), name))

    def lower(self) -> NDArray[np.float64]:
        """The parameters as kernels read them, in the order of the fields.

        Returns
        -------
        (PARAMETERS,) float64 array

        Examples
        --------
        >>> Strength().lower().size == PARAMETERS
        True
        """
        return np.array([getattr(self, one.name) for one in fields(self)], np.float64)


PARAMETERS = len(fields(Strength))
_PLACE = {one.name: place for place, one in enumerate(fields(Strength))}
_TRUMP = _PLACE["trump"]
_JOKER = _PLACE["joker"]
_RIGHT = _PLACE["right"]
_LEFT = _PLACE["left"]
_ACE = _PLACE["ace"]
_KING = _PLACE["king"]
_QUEEN = _PLACE["queen"]
_OFF_ACE = _PLACE["off_ace"]
_OFF_KING = _PLACE["off_king"]
_VOID = _PLACE["void"]
_UP_PARTNER = _PLACE["up_partner"]
_UP_OPPONENT = _PLACE["up_opponent"]
_NEXT = _PLACE["next_suit"]
_NEEDS = np.array(
    [[_PLACE[f"{turn}_{seat}"] for seat in ("dealer", "left", "partner", "right")] for turn in ("first", "second")]
)
_NO_PARTNER = _PLACE["no_partner"]
_ALONE = _PLACE["alone"]
_PARTNER_ALONE = _PLACE["partner_alone"]
_DEFENDER_ALONE = _PLACE["defender_alone"]
_OWN_LAST = _PLACE["own_last"]
_THEIR_LAST = _PLACE["their_last"]


@device(borrows=True)
def strength_of(cards, parameters, who):
    """The weighted sum of a relabelled hand, by row `who` of the parameters."""
    trumps = cards >> 48
    count = card_count(U64(trumps))
    total = parameters[who, _TRUMP] * count
    total += parameters[who, _JOKER] * (trumps >> 10 & 1) + parameters[who, _RIGHT] * (trumps >> 9 & 1)
    total += parameters[who, _LEFT] * (trumps >> 8 & 1) + parameters[who, _ACE] * (trumps >> 7 & 1)
    total += parameters[who, _KING] * (trumps >> 6 & 1) + parameters[who, _QUEEN] * (trumps >> 5 & 1)
    aces, kings, voids = 0, 0, 0
    for field in range(3):
        suit = cards >> 16 * field & 0xFF
        aces += suit >> 7
        kings += suit >> 6 & 1
        voids += suit == 0
    total += parameters[who, _OFF_ACE] * aces + parameters[who, _OFF_KING] * kings
    return total + parameters[who, _VOID] * min(voids, max(count - 1, 0))


@device(borrows=True)
def strength_choice(rules, parameters, who, legal, hand, discard, seen):
    """What the policy says before the play.

    Parameters
    ----------
    rules : (LOWERED,) int64 array
    parameters, who : (policies, PARAMETERS) float64 array, int
        From `Strength.lower`, and the row.
    legal, hand, discard, seen
        As of `calls.rules_choice`.

    Returns
    -------
    int64
        A set of one choice.
    """
    stage = seen[STAGE]
    if stage == FIRST:
        return _first_round(rules, parameters, who, legal, hand, seen)
    if stage == SECOND:
        return _second_round(rules, parameters, who, legal, hand, seen)
    if stage == LONELY:
        return 1 << YES if _plays_alone(rules, parameters, who, hand, seen) else 1 << NO
    return other_choice(rules, legal, hand, discard, seen)


@device(borrows=True)
def _need(rules, parameters, who, turn, seen):
    """What a call needs: in round 0, the first, or 1."""
    seat, players = seen[SEAT], rules[PLAYERS]
    place = place_after_dealer(rules, seen)
    need = parameters[who, _NEEDS[turn, 3 if players < SEATS and place == 2 else place]]
    if players < SEATS:
        need += parameters[who, _NO_PARTNER]
    if rules[TARGET] - seen[SCORE + side_of(seat, players)] == 1:
        need += parameters[who, _OWN_LAST]
    for party in range(2 if players == SEATS else players):
        if party != side_of(seat, players) and rules[TARGET] - seen[SCORE + party] <= 2:
            return need + parameters[who, _THEIR_LAST]
    return need


@device(borrows=True)
def _first_round(rules, parameters, who, legal, hand, seen):
    seat, suit = seen[SEAT], seen[PROPOSED]
    place = place_after_dealer(rules, seen)
    cards, turn_up = I64(relabel(hand, suit)), I64(relabel(1 << seen[TURN_UP], suit))
    if place == 0:
        cards = without_least(cards | turn_up, cards, rules)
    worth = strength_of(cards, parameters, who)
    alone = worth >= parameters[who, _ALONE] and lone_hand_pays(rules, seen, seat)
    if place:
        # An empty hand with the turn-up: what the suits without a card are worth is not counted for a single trump.
        up = strength_of(turn_up, parameters, who)
        if place == 2 and rules[PLAYERS] == SEATS:
            if rules[ASSIST_ALONE]:
                return say(legal, alone, alone, ORDER, ORDER_ALONE)
            worth += parameters[who, _UP_PARTNER] * up
        else:
            worth -= parameters[who, _UP_OPPONENT] * up
    return say(legal, worth >= _need(rules, parameters, who, 0, seen), alone, ORDER, ORDER_ALONE)


@device(borrows=True)
def _second_round(rules, parameters, who, legal, hand, seen):
    opponent_deals = rules[PLAYERS] < SEATS or place_after_dealer(rules, seen) & 1 == 1
    best, most, alone = 0, -np.inf, False
    for suit in range(4):
        if (legal >> NAME | legal >> NAME_ALONE) >> suit & 1:
            cards = I64(relabel(hand, suit))
            bare = strength_of(cards, parameters, who)
            is_next = field_of(suit, seen[PROPOSED]) == 2
            worth = bare + (parameters[who, _NEXT] if is_next == opponent_deals else 0.0)
            if worth > most:
                best, most = suit, worth
                alone = bare >= parameters[who, _ALONE] and lone_hand_pays(rules, seen, seen[SEAT])
    stuck = legal >> PASS & 1 == 0
    calls = stuck or most >= _need(rules, parameters, who, 1, seen)
    return say(legal, calls, alone, NAME + best, NAME_ALONE + best)


@device(borrows=True)
def _plays_alone(rules, parameters, who, hand, seen):
    seat, maker = seen[SEAT], seen[MAKER]
    worth = strength_of(hand, parameters, who)
    if (seat ^ maker) & 1:
        return worth >= parameters[who, _DEFENDER_ALONE]
    return lone_hand_pays(rules, seen, seat) and worth >= parameters[who, _ALONE if seat == maker else _PARTNER_ALONE]
