"""The user's own policy of President: a plain Python function of what its seat sees, asked for every decision."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from analyzer.errors import PolicyError
from analyzer.fields import shown
from analyzer.games.president.layout import (
    HELD,
    LAST,
    OFFICE,
    OWES,
    PASSED,
    PILE,
    PLACE,
    PLAYED,
    POINTS,
    REVERSED,
    ROUND,
    SEATS,
    TURN,
)
from analyzer.games.president.lowering import lower
from analyzer.games.president.notation import cards_text, play_text
from analyzer.games.president.players import LOWEST, RULES, Players
from analyzer.games.president.round import list_plays, returns_of
from analyzer.games.president.rounds import answer
from analyzer.own_function import answer_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from analyzer.games.president.play import Own
    from analyzer.games.president.rules import President


@dataclass(frozen=True)
class View:
    """What a seat sees when it decides. Players are numbered clockwise from the one that decides, who is 0.

    Attributes
    ----------
    rules : President
    stage : str
        ``play``, or ``exchange`` where cards are given back.
    hand : tuple of str
        Own cards, such as ``5h``; ``*`` is a joker.
    legal : tuple of str
        The answers to choose from: plays such as ``5h 5s`` or ``5h * 7h`` and ``pass``, or in the exchange cards.
    pile : str
        The play on top of the pile, empty for a lead.
    last : int or None
        Who made it.
    reversed_order : bool
        Whether the order is reversed by a revolution.
    counts : tuple of int
        How many cards everybody holds.
    passed : tuple of int
        The players who have passed on this pile and may not play on it, or with ``pass_locks=False`` since the last
        play.
    played : tuple of tuple of str
        The cards that everybody has played.
    places : tuple of int
        The place of those who have gone out, 0 for the others.
    offices : tuple of int
        The place of everybody in the round before, 0 in the first round.
    points : tuple of int
        Points of everybody from the rounds before.
    round : int
        Number of the round, from 0.
    gave, got : tuple of str
        What one gave away in the exchange before this round, and what one was given.

    Examples
    --------
    >>> def patient(view):
    ...     '''As `rules`, but keeps 2s as long as everybody has more than five cards.'''
    ...     choice = view.choice_of("rules")
    ...     keeps = view.pile and min(view.counts) > 5 and "2" in choice
    ...     return "pass" if keeps else choice
    """

    rules: President
    stage: str
    hand: tuple[str, ...]
    legal: tuple[str, ...]
    pile: str
    last: int | None
    reversed_order: bool
    counts: tuple[int, ...]
    passed: tuple[int, ...]
    played: tuple[tuple[str, ...], ...]
    places: tuple[int, ...]
    offices: tuple[int, ...]
    points: tuple[int, ...]
    round: int
    gave: tuple[str, ...]
    got: tuple[str, ...]
    _asked: tuple[int, NDArray[np.int64]] = field(repr=False, compare=False)

    def choice_of(self, policy: str = "rules") -> str:
        """What a policy that comes with the game would choose here.

        Parameters
        ----------
        policy : str
            ``rules`` or ``lowest``.

        Returns
        -------
        str
            One of `legal`.

        Raises
        ------
        PolicyError
            Another policy.
        """
        if policy not in {"rules", "lowest"}:
            raise PolicyError(f"a view does not know what {shown(policy)} would choose; ask for rules or lowest")
        hand, seen = self._asked
        choice = int(answer(lower(self.rules), _everybody(policy), hand, seen))
        return cards_text(choice) if seen[OWES] else play_text(choice)


@cache
def _everybody(policy: str) -> Players:
    """All seats play a policy that comes with the game."""
    kind = {"rules": RULES, "lowest": LOWEST}[policy]
    return Players(np.zeros(SEATS, np.int64), np.array([kind], np.int64), np.zeros(1, np.int64))


def choices_in_words(rules: President, hand: int, seen: NDArray[np.int64]) -> dict[str, int]:
    """What the seat in turn may choose: the number of each choice by its words."""
    if seen[OWES]:
        return {cards_text(cards): cards for cards in returns_of(hand, int(seen[OWES]))}
    plays = list_plays(lower(rules), hand, seen[PILE], seen[REVERSED])
    return {play_text(play): play for play in plays.tolist()}


def view_of(rules: President, own: Own, seen: NDArray[np.int64]) -> View:
    """What the seat in turn sees; the arguments are those of `analyzer.games.president.play.Asked`."""
    n, me = rules.players, int(seen[TURN])
    clockwise = [(me + place) % n for place in range(n)]

    def of(first: int) -> tuple[int, ...]:
        return tuple(int(seen[first + seat]) for seat in clockwise)

    return View(
        rules=rules,
        stage="exchange" if seen[OWES] else "play",
        hand=tuple(cards_text(own.hand).split()),
        legal=tuple(choices_in_words(rules, own.hand, seen)),
        pile=play_text(int(seen[PILE])) if seen[PILE] else "",
        last=(int(seen[LAST]) - me) % n if seen[PILE] else None,
        reversed_order=bool(seen[REVERSED]),
        counts=of(HELD),
        passed=tuple(place for place, seat in enumerate(clockwise) if seen[PASSED] >> seat & 1),
        played=tuple(tuple(cards_text(cards).split()) for cards in of(PLAYED)),
        places=of(PLACE),
        offices=of(OFFICE),
        points=of(POINTS),
        round=int(seen[ROUND]),
        gave=tuple(cards_text(own.gave).split()),
        got=tuple(cards_text(own.got).split()),
        _asked=(own.hand, seen),
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
        self,
        rules: President,
        own: Own,
        seen: NDArray[np.int64],
        address: tuple[int, int, int],  # noqa: ARG002  a function has no chance of its own
    ) -> int:
        """See `analyzer.games.president.play.Asked`.

        Raises
        ------
        PolicyError
            An illegal answer, or an exception in the function.
        """
        view = view_of(rules, own, seen)
        on = f" on {view.pile}" if view.pile else ""
        where = f"{view.stage}, hand {' '.join(view.hand)}{on}"
        return answer_of(self.function, self.name, view, choices_in_words(rules, own.hand, seen), where)
