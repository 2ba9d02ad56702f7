"""The policy `pimc` of Euchre: its parameters, and how it is asked; `perfect_information` is how it decides."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np

from analyzer.errors import PolicyError
from analyzer.fields import shown, unknown
from analyzer.games.euchre.layout import SEATS
from analyzer.games.euchre.lowering import lower
from analyzer.games.euchre.perfect_information import MOST_WORLDS, Judged, judge_choices
from analyzer.games.euchre.players import RULES, Players

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from analyzer.games.euchre.rules import Euchre

LEAST_DOUBT = 0.001
_NUMBERS: Mapping[str, Callable[[str], int | float]] = MappingProxyType({"worlds": int, "doubt": float})


def club_players() -> Players:
    """The model of the players that `Pimc` has: all decide as the policy `rules`."""
    return Players(np.zeros(SEATS, np.int64), np.array([RULES]), np.array([RULES]))


@dataclass(frozen=True, slots=True)
class Pimc:
    """The policy: every choice by the mean of what follows in some worlds with open hands.

    Parameters
    ----------
    worlds
        How many different worlds are solved for a decision at most.
    doubt
        How likely a choice of another player before the play is that `rules` would not make, for one that it would
        make: 1 if nothing is concluded from what the others say.

    Raises
    ------
    PolicyError
        If a parameter is out of range.

    Examples
    --------
    >>> Pimc.parse("worlds=50")
    Pimc(worlds=50, doubt=0.1)
    """

    worlds: int = 32
    doubt: float = 0.1

    def __post_init__(self) -> None:
        worlds: object = self.worlds
        doubt: object = self.doubt
        if isinstance(worlds, bool) or not isinstance(worlds, int) or not 1 <= worlds <= MOST_WORLDS:
            problem = f"it must be a whole number in 1..{MOST_WORLDS}, such as pimc:worlds=32"
            raise PolicyError(f"worlds of pimc is {shown(worlds)}; {problem}")
        if isinstance(doubt, bool) or not isinstance(doubt, int | float) or not LEAST_DOUBT <= doubt <= 1:
            problem = f"it must be a number from {LEAST_DOUBT} to 1, such as pimc:doubt=0.1"
            raise PolicyError(f"doubt of pimc is {shown(doubt)}; {problem}")

    @classmethod
    def parse(cls, text: str) -> Pimc:
        """The policy of a text such as ``worlds=50,doubt=0.2``, what follows ``pimc:``; empty for the defaults.

        Raises
        ------
        PolicyError
            A part without ``=``, an unknown parameter or one given twice, or a value out of range.

        Examples
        --------
        >>> Pimc.parse("doubt=1, worlds=8")
        Pimc(worlds=8, doubt=1.0)
        """
        given: dict[str, Any] = {}
        for part in text.split(",") if text.strip() else ():
            name, equals, value = (piece.strip() for piece in part.partition("="))
            if not equals:
                raise PolicyError(f"part {shown(part.strip())} of pimc has no '='; write such as {cls().text}")
            if name not in _NUMBERS:
                raise PolicyError(unknown("parameter of pimc", name, tuple(_NUMBERS)))
            if name in given:
                raise PolicyError(f"parameter {name} of pimc is given twice; give it once")
            try:
                given[name] = _NUMBERS[name](value)
            except ValueError:
                raise PolicyError(f"{name} of pimc is {shown(value)}; give a number, such as {cls().text}") from None
        return cls(**given)

    @property
    def text(self) -> str:
        """Name and parameters, the same for equal policies.

        Examples
        --------
        >>> Pimc(doubt=0.5).text
        'pimc:worlds=32,doubt=0.5'
        """
        return f"pimc:worlds={self.worlds},doubt={float(self.doubt):g}"

    def judge(
        self, rules: Euchre, legal: int, hand: int, discard: int, seen: NDArray[np.int64], address: tuple[int, int, int]
    ) -> Judged:
        """What every choice of the seat in turn is worth with open hands.

        Parameters
        ----------
        rules : Euchre
        legal, hand, discard : int
            What it may choose, its cards (0 if it must not look), and its discard if it is the dealer, else 0.
        seen : (SEEN,) int64 array
            See `analyzer.games.euchre.layout`.
        address : tuple of three int
            Seed, number and step of the hand: the same at the same address.

        Examples
        --------
        >>> from analyzer.games.euchre.hand import Hand
        >>> from analyzer.games.euchre.rules import Euchre
        >>> hand = Hand.deal(Euchre(), seed=7, dealer=3)
        >>> judged = Pimc().judge(hand.rules, 0b11, int(hand.hidden[0]), 0, hand.seen, (1, 0, 0))
        >>> [hex(choice) for choice in judged.choices], judged.points.shape == (2, len(judged.weights))
        (['0x1', '0x2'], True)
        """
        seed, index, step = address
        found: Judged = judge_choices(
            lower(rules),
            club_players(),
            legal,
            hand,
            discard,
            seen,
            self.worlds,
            float(self.doubt),
            np.uint64(seed),
            np.uint64(index),
            step,
        )
        return found

    def choose(
        self, rules: Euchre, legal: int, hand: int, discard: int, seen: NDArray[np.int64], address: tuple[int, int, int]
    ) -> int:
        """The best choice, see `analyzer.games.euchre.play.Asked`; the arguments are those of `judge`."""
        return int(self.judge(rules, legal, hand, discard, seen, address).choice)
