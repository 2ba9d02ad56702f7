"""The policy `rollout` of President: choices compared by playing on in worlds that agree with what the seat has seen.

In each world every choice is played on by `rules` in all seats, so that choices meet the same hands. A choice that is
behind the best by more than chance explains is left out, so that what is left is compared in more worlds; what `rules`
would do stays, and is done unless another choice is clearly ahead of it. See
Maron and Moore, "The racing algorithm", Artificial Intelligence Review 11, 1997.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from analyzer.engine.jit import kernel
from analyzer.errors import PolicyError
from analyzer.fields import shown
from analyzer.games.president.control import unseen_cards
from analyzer.games.president.deals import make_return
from analyzer.games.president.endgame import solve_endgame
from analyzer.games.president.layout import (
    ACTIVE,
    CARDS,
    HELD,
    HIDDEN,
    JOKER,
    OFFICE,
    OWES,
    PILE,
    PLACE,
    REVERSED,
    SEATS,
    SEEN,
    TURN,
    TURNS,
)
from analyzer.games.president.lowering import lower
from analyzer.games.president.moves import make_play, without
from analyzer.games.president.planning import fewest_plays
from analyzer.games.president.players import RULES, Players
from analyzer.games.president.plays import is_run, low_of, size_of
from analyzer.games.president.randomness import WORDS, WORLDS
from analyzer.games.president.round import Round, list_plays, returns_of
from analyzer.games.president.rounds import answer, exchange_on, play_on
from analyzer.games.president.worlds import DRAW, draw_world, known_hands, pool_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from analyzer.games.president.play import Own
    from analyzer.games.president.rules import President

__all__ = ["MOST_WORLDS", "Rollout", "known_endgame", "play_worlds"]

MOST_WORLDS = 1 << 10
"""Worlds for a decision at most, so that those of one decision have other addresses than those of the next."""
_STEPS = 1 << 7
"""The first step of the addresses at which worlds are played on; steps below are rounds."""
_BATCH = 8
"""Worlds between two looks at what is behind."""
_BEHIND = 1.7
"""Standard errors by which a choice is behind the best when it is left out."""
_AHEAD = 1.0
"""Standard errors by which a choice must be ahead of that of `rules` to be made instead."""
_POSITIONS = 200_000
"""Positions that are looked at in an endgame; nearly all need fewer."""
_MOST_CHOICES = 12
"""Choices that are compared."""


@kernel
def play_worlds(
    rules: Any,
    players: Any,
    hand: Any,
    gave: Any,
    got: Any,
    seen: Any,
    choices: Any,
    seed: Any,
    index: Any,
    step: Any,
    first: Any,
    places: Any,
) -> None:
    """Play on from every choice in some worlds.

    Parameters
    ----------
    rules : (LOWERED,) int64 array
    players : Players
        Who plays on, the seat in turn included.
    hand, gave, got : int
        What the seat in turn knows, see `analyzer.games.president.play.Own`.
    seen : (SEEN,) int64 array
    choices : (choices,) int64 array
        Plays, or in the exchange cards.
    seed, index, step : int
        The address of the round.
    first : int
        The number of the first world; world w is the same whatever else is asked for.
    places : (choices, worlds) int8 array
        Filled with the place to which the seat comes.
    """
    seat = seen[TURN]
    cards = np.empty(54, np.uint8)
    known, dealt, hidden = np.zeros(HIDDEN, np.int64), np.zeros(HIDDEN, np.int64), np.zeros(HIDDEN, np.int64)
    known_hands(rules, seat, hand, gave, got, seen, known)
    count = pool_of(rules, seat, known, seen, cards)
    pool, order = cards[:count], np.empty(count, np.uint8)
    after, drawn = np.zeros(SEEN, np.int64), np.zeros(WORDS, np.int64)
    for world in range(places.shape[1]):
        number = first + world
        slot = WORLDS + DRAW * number
        draw_world(rules, seat, known, seen, pool, order, seed, index, step, slot, dealt)
        for k in range(choices.size):
            for place in range(HIDDEN):
                hidden[place] = dealt[place]
            for place in range(SEEN):
                after[place] = seen[place]
            if after[OWES]:
                make_return(rules, choices[k], hidden, after)
                exchange_on(rules, players, hidden, after, seed, index, _STEPS + number)
            else:
                make_play(rules, choices[k], hidden, after)
            drawn[-1] = -1
            play_on(rules, players, hidden, after, seed, index, _STEPS + number, drawn)
            places[k, world] = after[PLACE + seat]


@kernel
def _fewest_after(rules: Any, hand: Any, choices: Any, fewest: Any) -> None:
    """The fewest plays that are needed after each choice."""
    for k in range(choices.size):
        fewest[k] = fewest_plays(rules, without(hand, choices[k] & CARDS))


@cache
def club_players() -> Players:
    """Players who all decide as the policy `rules`."""
    return Players(np.zeros(SEATS, np.int64), np.array([RULES], np.int64), np.zeros(1, np.int64))


def candidates(rules: President, hand: int, seen: NDArray[np.int64]) -> NDArray[np.int64]:
    """The choices that are worth comparing: the best cards for each thing that may be declared, and what `rules` does.

    Of plays of one kind, size, rank and number of jokers that one counts after which the rest needs the fewest plays.

    Returns
    -------
    (choices,) int64 array
        What `rules` chooses comes first.
    """
    lowered = lower(rules)
    own = int(answer(lowered, club_players(), hand, seen))
    owes = int(seen[OWES])
    if owes:
        every = np.array(returns_of(hand, owes), np.int64)
    else:
        every = list_plays(lowered, hand, seen[PILE], seen[REVERSED])
    fewest = np.empty(every.size, np.int64)
    _fewest_after(lowered, hand, every, fewest)
    best: dict[tuple[int, ...], tuple[int, int]] = {}
    for choice, needed in zip(every.tolist(), fewest.tolist(), strict=True):
        jokers = ((choice & CARDS) >> JOKER).bit_count()
        kind = _ranks(choice) if owes else (int(is_run(choice)), int(low_of(choice)), int(size_of(choice)), jokers)
        if kind not in best or needed < best[kind][0]:
            best[kind] = needed, choice
    ranked = sorted((needed, choice & CARDS, choice) for needed, choice in best.values() if choice != 0)
    found = [own, *[choice for *_, choice in ranked if choice != own][: _MOST_CHOICES - 1]]
    if not owes and seen[PILE] and own != 0:
        found.append(0)
    return np.array(found, np.int64)


def known_endgame(rules: President, own: Own, seen: NDArray[np.int64]) -> Round | None:
    """The round as it stands if two seats have cards and all cards of the other are known; else None."""
    if int(seen[ACTIVE]).bit_count() != 2 or seen[OWES]:
        return None
    seat = int(seen[TURN])
    other = (int(seen[ACTIVE]) & ~(1 << seat)).bit_length() - 1
    cards = int(unseen_cards(lower(rules), own.hand, seen))
    if cards.bit_count() != seen[HELD + other]:
        return None
    hidden = np.zeros(HIDDEN, np.int64)
    hidden[seat], hidden[other] = own.hand, cards
    return Round(rules, hidden, seen.copy())


def _ranks(cards: int) -> tuple[int, ...]:
    return tuple(card >> 2 for card in range(JOKER + 2) if cards >> card & 1)


@dataclass(frozen=True, slots=True)
class Rollout:
    """The policy.

    Parameters
    ----------
    rollouts
        Rounds that are played on for a decision, all choices together; at least eight for each choice.

    Raises
    ------
    PolicyError
        If it is out of range.

    Examples
    --------
    >>> Rollout.parse("rollouts=500")
    Rollout(rollouts=500)
    """

    rollouts: int = 400

    def __post_init__(self) -> None:
        rollouts: object = self.rollouts
        if isinstance(rollouts, bool) or not isinstance(rollouts, int) or not 1 <= rollouts <= 10_000:
            problem = "it must be a whole number in 1..10000, such as rollout:rollouts=400"
            raise PolicyError(f"rollouts of rollout is {shown(rollouts)}; {problem}")

    @classmethod
    def parse(cls, text: str) -> Rollout:
        """The policy of a text such as ``rollouts=500``, what follows ``rollout:``; empty for the default.

        Raises
        ------
        PolicyError
            Another parameter, or a value that is no number.
        """
        if not text.strip():
            return cls()
        name, _, value = (part.strip() for part in text.partition("="))
        if name != "rollouts":
            raise PolicyError(f"parameter {shown(name)} of rollout is unknown; write such as rollout:rollouts=400")
        if not value.isdecimal():
            raise PolicyError(f"rollouts of rollout is {shown(value)}; give a whole number, such as 400")
        return cls(int(value))

    @property
    def text(self) -> str:
        """Name and parameters, the same for equal policies."""
        return f"rollout:rollouts={self.rollouts}"

    def choose(self, rules: President, own: Own, seen: NDArray[np.int64], address: tuple[int, int, int]) -> int:
        """The choice with the best mean place, in the endgame of two the best; see `analyzer.games.president.play`."""
        ending = known_endgame(rules, own, seen)
        if ending is not None:
            found = solve_endgame(ending, budget=_POSITIONS)
            if found.best:
                return ending.choices[found.best]
        alive = candidates(rules, own.hand, seen)
        seed, index, step = address
        used = worlds = 0
        places = np.empty((alive.size, 0), np.int8)
        # The returns of the two pairs come before the first turn.
        decision = int(seen[OFFICE + seen[TURN]]) - 1 if seen[OWES] else int(seen[TURNS]) + 2
        offset = decision * MOST_WORLDS
        while alive.size > 1 and worlds < MOST_WORLDS and used < self.rollouts:
            more = np.empty((alive.size, _BATCH), np.int8)
            play_worlds(
                lower(rules),
                club_players(),
                own.hand,
                own.gave,
                own.got,
                seen,
                alive,
                np.uint64(seed),
                np.uint64(index),
                step,
                offset + worlds,
                more,
            )
            used, worlds = used + more.size, worlds + _BATCH
            places = np.hstack([places, more])
            left = _not_behind(places)
            left[0] = True  # what `rules` does is what others must prove better than
            alive, places = alive[left], places[left]
        return int(alive[_proven(places)] if worlds else alive[0])


def _proven(places: NDArray[np.int8]) -> int:
    """The best choice if it is clearly ahead of the first one in the same worlds, else the first."""
    best = int(np.argmin(places.sum(axis=1, dtype=np.int64)))
    ahead = places[0] - places[best].astype(np.float64)
    return best if ahead.mean() > _AHEAD * ahead.std(ddof=1) / np.sqrt(ahead.size) else 0


def _not_behind(places: NDArray[np.int8]) -> NDArray[np.bool_]:
    """Which choices are not clearly behind the best one in the same worlds."""
    best = int(np.argmin(places.sum(axis=1, dtype=np.int64)))
    behind = places - places[best].astype(np.float64)
    n = places.shape[1]
    error = behind.std(axis=1, ddof=1) / np.sqrt(n)
    kept: NDArray[np.bool_] = behind.mean(axis=1) <= _BEHIND * error
    kept[best] = True
    return kept
