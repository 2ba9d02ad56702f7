"""The user's own policy of Euchre: a plain Python function, asked for every decision, that sees what its seat sees."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from analyzer.cards.notation import SUITS, card_name, cards_text
from analyzer.errors import PolicyError
from analyzer.fields import shown
from analyzer.games.euchre.hand import STAGES, choice_text, choices_in_words
from analyzer.games.euchre.layout import (
    ACTIVE,
    DEALER,
    DOWN,
    LEADER,
    LONE,
    MADE,
    MAKER,
    PLAYED,
    ROUND,
    SCORE,
    SEAT,
    STAGE,
    TAKEN,
    TRICKS,
    TRUMP,
    TURN_UP,
)
from analyzer.games.euchre.lowering import lower
from analyzer.games.euchre.moves import side_of
from analyzer.games.euchre.players import NO_PARAMETERS, RULES, STRENGTH, Players, answer
from analyzer.games.euchre.randomness import DIGITS
from analyzer.games.euchre.relabel import physical
from analyzer.games.euchre.strength import Strength
from analyzer.own_function import answer_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from analyzer.games.euchre.rules import Euchre

NAMES = {4: ("me", "left", "partner", "right"), 3: ("me", "left", "right"), 2: ("me", "other")}
"""What the seats are called, clockwise from the one that decides, by the number of players."""


@dataclass(frozen=True)
class View:
    """What a seat sees when it decides. Seats are ``me``, ``left``, ``partner`` and ``right``; or ``me`` and ``other``.

    Attributes
    ----------
    rules : Euchre
    stage : str
        ``naming``, ``first round``, ``second round``, ``turn-up``, ``discard``, ``alone``, ``exchange`` or ``play``.
    hand : tuple of str
        Own cards, such as ``Jh``; none when trump is named blind.
    legal : tuple of str
        The answers to choose from.
    upcard : str
        The card that was turned up.
    dealer : str
        The seat that deals.
    trump : str
        ``c``, ``d``, ``h`` or ``s``; empty before it is made.
    maker : str
        The seat that made trump, empty before.
    round : int
        In which round trump was made; 0 if the dealer named it blind, -1 before.
    taken : bool or None
        Whether the dealer took the turn-up, None before.
    alone : tuple of str
        The seats that play alone.
    playing : tuple of str
        The seats that play.
    leader : str
        The seat that leads or led to the trick, empty before the play.
    table : dict of str to str
        The cards on the table by seat, in the order in which they were played.
    played : dict of str to tuple of str
        All cards that each seat has played.
    tricks : int
        Finished tricks.
    made : int
        Those of them that the makers took.
    score, other_scores : int, tuple of int
        Points of the own party, and of the others, before this hand.
    discarded : str
        What one discarded as the dealer, else empty.

    Examples
    --------
    >>> def modest(view):
    ...     '''As `rules`, but never alone.'''
    ...     if view.stage == "alone" and "together" in view.legal:
    ...         return "together"
    ...     return view.choice_of("rules")
    """

    rules: Euchre
    stage: str
    hand: tuple[str, ...]
    legal: tuple[str, ...]
    upcard: str
    dealer: str
    trump: str
    maker: str
    round: int
    taken: bool | None
    alone: tuple[str, ...]
    playing: tuple[str, ...]
    leader: str
    table: dict[str, str]
    played: dict[str, tuple[str, ...]]
    tricks: int
    made: int
    score: int
    other_scores: tuple[int, ...]
    discarded: str
    _asked: tuple[int, int, int, NDArray[np.int64]] = field(repr=False, compare=False)

    def choice_of(self, policy: str = "rules") -> str:
        """What a policy that comes with the game would choose here.

        Parameters
        ----------
        policy : str
            ``rules``, or ``strength`` with or without parameters, which both play cards alike.

        Returns
        -------
        str
            One of `legal`.

        Raises
        ------
        PolicyError
            Another policy, or wrong parameters.
        """
        legal, hand, discard, seen = self._asked
        choice = int(answer(lower(self.rules), _everybody(policy), legal, hand, discard, seen, _NO_DIGITS))
        return choice_text(choice, int(seen[STAGE]), int(seen[TRUMP]))


_NO_DIGITS = np.zeros(DIGITS, np.int64)


@cache
def _everybody(policy: str) -> Players:
    """All seats play a policy that comes with the game."""
    bidding, parameters = RULES, NO_PARAMETERS
    if policy != "rules":
        if policy.partition(":")[0] != "strength":
            raise PolicyError(f"a view does not know what {shown(policy)} would choose; ask for rules or strength")
        bidding, parameters = STRENGTH, Strength.parse(policy).lower()[None, :]
    return Players(np.zeros(4, np.int64), np.array([bidding]), np.array([RULES]), parameters=parameters)


def view_of(rules: Euchre, legal: int, hand: int, discard: int, seen: NDArray[np.int64]) -> View:
    """What the seat in turn sees; the arguments are those of `analyzer.games.euchre.play.Asked`."""
    players, trump, me = int(rules.players), int(seen[TRUMP]), int(seen[SEAT])
    names = {(me + place) % players: name for place, name in enumerate(NAMES[players])}

    def texts(cards: int) -> tuple[str, ...]:
        whole = cards if trump < 0 else int(physical(cards, trump))
        return tuple(cards_text(whole).split())

    def seats(of: int) -> tuple[str, ...]:
        return tuple(name for seat, name in names.items() if of >> seat & 1)

    led = int(seen[LEADER])
    clockwise = [(led + place) % players for place in range(players)]
    scores = {party: int(seen[SCORE + party]) for party in range(2 if players == 4 else players)}
    own = int(side_of(me, players))
    return View(
        rules=rules,
        stage=STAGES[int(seen[STAGE])],
        hand=texts(hand),
        legal=tuple(choices_in_words(legal, seen)),
        upcard=card_name(int(seen[TURN_UP])),
        dealer=names[int(seen[DEALER])],
        trump="" if trump < 0 else SUITS[trump],
        maker="" if seen[MAKER] < 0 else names[int(seen[MAKER])],
        round=int(seen[ROUND]),
        taken=None if seen[TAKEN] < 0 else bool(seen[TAKEN]),
        alone=seats(int(seen[LONE])),
        playing=seats(int(seen[ACTIVE])),
        leader=names[led] if STAGES[int(seen[STAGE])] == "play" else "",
        table={names[s]: texts(int(seen[DOWN + s]))[0] for s in clockwise if seen[DOWN + s]},
        played={name: texts(int(seen[PLAYED + seat])) for seat, name in names.items()},
        tricks=int(seen[TRICKS]),
        made=int(seen[MADE]),
        score=scores.pop(own),
        other_scores=tuple(scores.values()),
        discarded=texts(discard)[0] if discard else "",
        _asked=(legal, hand, discard, seen),
    )


@dataclass(frozen=True, eq=False)
class OwnPolicy:
    """A policy that a Python function decides.

    Attributes
    ----------
    function : callable
        ``function(view)`` with a `View`; it returns one of ``view.legal``, and the same whenever it is asked the same.
    name : str
        What results call it.
    """

    function: Callable[[View], Any]
    name: str

    def choose(
        self, rules: Euchre, legal: int, hand: int, discard: int, seen: NDArray[np.int64], address: tuple[int, int, int]
    ) -> int:
        """See `analyzer.games.euchre.play.Asked`.

        Raises
        ------
        PolicyError
            An illegal answer, or an exception in the function.
        """
        view = view_of(rules, legal, hand, discard, seen)
        where = f"{view.stage}, hand {' '.join(view.hand)}, turned up {view.upcard}"
        return answer_of(self.function, self.name, view, choices_in_words(legal, seen), where)
