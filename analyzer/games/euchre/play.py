"""Hands and matches of Euchre by their numbers, with the policies of a table; policies outside of kernels are asked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from analyzer.cards.deck import DEAL, DEALT, DECKS, TURNED, cards_in, deal_many
from analyzer.engine.jit import kernel
from analyzer.errors import UsageError
from analyzer.games.euchre.hand import take
from analyzer.games.euchre.hand_log import ROW, log_classes, log_hand
from analyzer.games.euchre.hands import begin_deal, begin_match, deal_hand, play_on, score_hand
from analyzer.games.euchre.layout import (
    DEALER,
    DISCARD,
    HAND,
    HIDDEN,
    LEFT,
    MAKER,
    NAMING,
    OVER,
    POINTS,
    SEAT,
    SEEN,
    STAGE,
    WON,
)
from analyzer.games.euchre.lowering import PLAYERS, lower
from analyzer.games.euchre.moves import side_of
from analyzer.games.euchre.randomness import DIGITS, WORDS, draw_words, read_digits

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from analyzer.engine.blocks import Block
    from analyzer.games.euchre.players import Players
    from analyzer.games.euchre.rules import Euchre

HANDS_AT_ONCE = 256
"""Hands that are dealt together."""
MOST_HANDS = 10_000
"""Hands of a match; more means that nobody ever makes trump."""

# Rows of `MatchRows.sums`.
GAMES_WON = 0
"""Games won, slams counted double."""
POINTS_MADE = 1
TRUMPS_MADE = 2
"""Hands in which the party made trump."""
EUCHRED = 3
SUMS = 4


class Asked(Protocol):
    """A policy outside of kernels."""

    def choose(
        self, rules: Euchre, legal: int, hand: int, discard: int, seen: NDArray[np.int64], address: tuple[int, int, int]
    ) -> int:
        """One bit of the legal choices, by what the seat in turn knows (see `layout`); the address is the hand's."""


@dataclass(frozen=True, eq=False)
class Table:
    """Rules, and who plays.

    Attributes
    ----------
    rules : Euchre
    players : Players
        Policies by number, with those of all seats in hands by themselves; in matches the parties change policies.
    asked : sequence of Asked or None
        By policy: what answers for it outside of kernels.
    """

    rules: Euchre
    players: Players
    asked: Sequence[Asked | None]

    @property
    def parties(self) -> int:
        """Parties that score: two sides, or each of three players."""
        return 2 if self.rules.players == "4" else int(self.rules.players)

    @property
    def in_kernels(self) -> bool:
        """Whether nobody is asked outside of kernels."""
        return all(one is None for one in self.asked)

    @property
    def deck(self) -> NDArray[np.uint8]:
        """Numbers of the cards."""
        return cards_in(DECKS[int(self.rules.deck)])


@dataclass(frozen=True, eq=False)
class MatchRows:
    """Matches that were played, by their numbers.

    Attributes
    ----------
    sums : (matches, players, SUMS) int64 array
        By player, wherever he sat: see `GAMES_WON` and so on.
    hands, passed : (matches,) int64 arrays
        Hands, and those among them that all passed.
    """

    sums: NDArray[np.int64]
    hands: NDArray[np.int64]
    passed: NDArray[np.int64]


def play_hands(table: Table, seed: int, block: Block, *, classes: bool = False) -> NDArray[np.int64]:
    """Play hands, each by itself at no score; hand i is dealt by seat i modulo the number of players.

    Parameters
    ----------
    table : Table
    seed : int
    block : Block
        The numbers of the hands.
    classes : bool, optional
        Whether to class the hands that are dealt, which takes a fifth of the time of a random hand; -1 without.

    Returns
    -------
    (hands, ROW) int64 array
        See `hand_log`.
    """
    rows = np.empty((block.size, ROW), np.int64)
    rules = lower(table.rules)
    if table.in_kernels:
        _play_hands(rules, table.deck, table.players, np.uint64(seed), block.start, classes, rows)
        return rows
    state = _State()
    for i in range(block.size):
        index = block.start + i
        dealer = index % int(table.rules.players)
        _deal(rules, table.deck, np.uint64(seed), np.uint64(index), 0, dealer, *state.arrays, classes, rows[i])
        _finish(table, rules, table.players, (seed, index, 0), state)
        _log(rules, state.hidden, state.seen, rows[i])
    return rows


def play_matches(table: Table, seed: int, block: Block) -> MatchRows:
    """Play matches. Neighbours have the same cards: once for each way in which the players sit at the table.

    With n parties match i has the cards number i // n, first dealt by seat i // n modulo the number of players; player
    (p + i) modulo n is party p.

    Raises
    ------
    UsageError
        If there are not as many policies as parties, or a match does not end.
    """
    n, size = table.parties, block.size
    if len(table.asked) != n:
        raise UsageError(f"a match of {n} parties has {len(table.asked)} policies; give one for each")
    rows = MatchRows(np.zeros((size, n, SUMS), np.int64), np.zeros(size, np.int64), np.zeros(size, np.int64))
    rules = lower(table.rules)
    if table.in_kernels:
        players = table.players._replace(who=np.empty(4, np.int64))  # the kernel seats them, block by block
        _play_matches(rules, table.deck, players, np.uint64(seed), block.start, n, rows.sums, rows.hands, rows.passed)
        _check_ended(rows)
        return rows
    state, unused = _State(), np.empty(ROW, np.int64)
    for i in range(size):
        index, shift = divmod(block.start + i, n)
        players = table.players._replace(who=seats_of(int(table.rules.players), shift, n))
        begin_new_match(state.seen)
        dealer, more = index % int(table.rules.players), True
        while more and rows.hands[i] < MOST_HANDS:
            step = int(state.seen[HAND])
            _deal(rules, table.deck, np.uint64(seed), np.uint64(index), step, dealer, *state.arrays, False, unused)
            _finish(table, rules, players, (seed, index, step), state)
            more = _count_hand(rules, state.seen, shift, n, rows.sums[i], rows.hands[i : i + 1], rows.passed[i : i + 1])
            dealer = (dealer + 1) % int(table.rules.players)
    _check_ended(rows)
    return rows


def _check_ended(rows: MatchRows) -> None:
    if (rows.hands >= MOST_HANDS).any():
        raise UsageError(f"a match took {MOST_HANDS:,} hands; let somebody make trump (stick_dealer=true)")


def seats_of(players: int, shift: int, parties: int) -> NDArray[np.int64]:
    """The player at each seat of a match whose parties are shifted."""
    return np.array([(int(side_of(seat, players)) + shift) % parties for seat in range(4)], np.int64)


class _State:
    """Arrays of a hand that is played in Python."""

    def __init__(self) -> None:
        self.hidden = np.zeros(HIDDEN, np.int64)
        self.seen = np.zeros(SEEN, np.int64)
        self.digits = np.zeros(DIGITS, np.int64)

    @property
    def arrays(self) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
        return self.hidden, self.seen, self.digits


def _finish(
    table: Table, rules: NDArray[np.int64], players: Players, address: tuple[int, int, int], state: _State
) -> None:
    """Play a hand to its end; policies outside of kernels are asked."""
    hidden, seen = state.hidden, state.seen
    while legal := int(play_until(rules, players, hidden, seen, state.digits, OVER)):
        seat = int(seen[SEAT])
        asked = table.asked[int(players.who[seat])]
        assert asked is not None
        hand = 0 if seen[STAGE] == NAMING else int(hidden[seat])
        discard = int(hidden[DISCARD]) if seat == seen[DEALER] else 0
        choice = asked.choose(table.rules, legal, hand, discard, seen.copy(), address)
        take(rules, choice, hidden, seen)


@kernel
def begin_new_match(seen: Any) -> None:
    """Set scores and counts to the start of a match."""
    begin_match(seen)


@kernel
def _deal(
    rules: Any,
    deck: Any,
    seed: Any,
    index: Any,
    step: Any,
    dealer: Any,
    hidden: Any,
    seen: Any,
    digits: Any,
    classes: Any,
    row: Any,
) -> None:
    drawn = np.empty((WORDS, 1), np.uint32)
    draw_words(seed, index, step, drawn)
    deal_hand(rules, deck, drawn, 0, seed, index, step, dealer, np.empty_like(deck), hidden, seen, digits)
    log_classes(rules, hidden, seen, classes, row)


@kernel
def play_until(rules: Any, players: Any, hidden: Any, seen: Any, digits: Any, until: Any) -> Any:
    """Play on to a stage, or to a decision that is asked outside of kernels; see `analyzer.games.euchre.hands`."""
    return play_on(rules, players, hidden, seen, digits, until)


@kernel
def _log(rules: Any, hidden: Any, seen: Any, row: Any) -> None:
    log_hand(rules, hidden, seen, row)


@kernel
def _count_hand(rules: Any, seen: Any, shift: Any, parties: Any, sums: Any, hands: Any, passed: Any) -> Any:
    """Count a hand of a match for its players; whether the match goes on."""
    maker, points = seen[MAKER], seen[POINTS]
    hands[0] += 1
    if maker < 0:
        passed[0] += 1
    for party in range(parties):
        player = (party + shift) % parties
        made = maker >= 0 and side_of(maker, rules[PLAYERS]) == party
        sums[player, POINTS_MADE] += max(points if made else -points, 0)
        sums[player, TRUMPS_MADE] += made
        sums[player, EUCHRED] += made and points < 0
        sums[player, GAMES_WON] -= seen[WON + party]
    more = score_hand(rules, seen)
    for party in range(parties):
        sums[(party + shift) % parties, GAMES_WON] += seen[WON + party]
    seen[HAND] += 1
    return more


@kernel
def _play_hands(rules: Any, deck: Any, players: Any, seed: Any, first: Any, classes: Any, rows: Any) -> None:
    hidden, seen, digits = np.zeros(HIDDEN, np.int64), np.zeros(SEEN, np.int64), np.zeros(DIGITS, np.int64)
    drawn, dealt = np.empty((WORDS, HANDS_AT_ONCE), np.uint32), np.empty((HANDS_AT_ONCE, DEALT), np.int64)
    words, places = np.empty(HANDS_AT_ONCE, np.uint64), np.empty((DEAL, HANDS_AT_ONCE), np.uint8)
    dealer = first % rules[PLAYERS]
    for i in range(rows.shape[0]):
        k = i % HANDS_AT_ONCE
        index = np.uint64(first + i)
        if k == 0:
            draw_words(seed, index, 0, drawn)
            deal_many(drawn, seed, index, 0, deck, words, places, dealt)
        for place in range(LEFT + 1):
            hidden[place] = dealt[k, place]
        begin_deal(rules, dealer, dealt[k, TURNED], hidden, seen)
        dealer = dealer + 1 if dealer + 1 < rules[PLAYERS] else 0
        read_digits(drawn, k, seed, index, 0, digits)
        row = rows[i]
        log_classes(rules, hidden, seen, classes, row)
        play_on(rules, players, hidden, seen, digits, np.int64(OVER))
        log_hand(rules, hidden, seen, row)


@kernel
def _play_matches(
    rules: Any, deck: Any, players: Any, seed: Any, first: Any, parties: Any, sums: Any, hands: Any, passed: Any
) -> None:
    hidden, seen, digits = np.zeros(HIDDEN, np.int64), np.zeros(SEEN, np.int64), np.zeros(DIGITS, np.int64)
    drawn, order = np.empty((WORDS, 1), np.uint32), np.empty_like(deck)
    for i in range(hands.size):
        index, shift = (first + i) // parties, (first + i) % parties
        for seat in range(4):
            players.who[seat] = (side_of(seat, rules[PLAYERS]) + shift) % parties
        begin_match(seen)
        dealer, more = index % rules[PLAYERS], True
        while more and hands[i] < MOST_HANDS:
            step = seen[HAND]
            draw_words(seed, np.uint64(index), step, drawn)
            deal_hand(rules, deck, drawn, 0, seed, np.uint64(index), step, dealer, order, hidden, seen, digits)
            play_on(rules, players, hidden, seen, digits, np.int64(OVER))
            more = _count_hand(rules, seen, shift, parties, sums[i], hands[i : i + 1], passed[i : i + 1])
            dealer = (dealer + 1) % rules[PLAYERS]
