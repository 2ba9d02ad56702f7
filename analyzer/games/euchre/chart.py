"""A bidding chart of Euchre: for every hand, turn-up and seat what pass, call and alone are worth, and what is best."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from analyzer.cards.deck import HAND, JOKER
from analyzer.cards.notation import RANKS, card_name, cards_text, parse_card, parse_cards
from analyzer.errors import PolicyError, PositionError, RulesError
from analyzer.fields import check_choice, check_integer, shown, slug, unknown
from analyzer.games.euchre.chart_estimates import (
    KINDS,
    SUITS_OF_ROWS,
    hand_features,
    slots_of_words,
    suit_place,
)
from analyzer.games.euchre.chart_index import chart_index, chart_row, chart_rows, suit_order
from analyzer.games.euchre.chart_policy import DISCARDS, card_at
from analyzer.games.euchre.chart_search import SECOND_PASS
from analyzer.games.euchre.hand import choice_text
from analyzer.games.euchre.layout import FIRST, NAME, NAME_ALONE, SECOND
from analyzer.games.euchre.lowering import JOKER_SUIT, lower
from analyzer.games.euchre.players import Players

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import pandas as pd
    from numpy.typing import NDArray

    from analyzer.games.euchre.rules import Euchre

NAME_OF_POLICY = "computed"
POSITIONS = ("left", "partner", "right", "dealer")
"""Seats from the dealer's left on."""
CONTEXT_NAMES = ("accepted", "ordered by partner", "ordered by an opponent")
_CLASSES = {"turn_up": len(KINDS), "trumps": HAND + 1, "bowers": 4, "off_aces": 4, "voids": 4}
"""What tells hands of the table apart, and how many values it has."""
MOST_DEALS = 10**10
MOST_ITERATIONS = 100


@dataclass(frozen=True, slots=True)
class ChartSettings:
    """How much is computed for a chart.

    Parameters
    ----------
    deals
        Random deals of an iteration.
    iterations
        Best responses, each to the chart before; fewer if the chart is stable earlier.

    Raises
    ------
    RulesError
        If a number is out of range.

    Examples
    --------
    >>> ChartSettings.parse("computed:deals=2000000,iterations=4")
    ChartSettings(deals=2000000, iterations=4)
    """

    deals: int = 12_000_000
    iterations: int = 5

    def __post_init__(self) -> None:
        check_integer("deals", self.deals, 1, MOST_DEALS, NAME_OF_POLICY)
        check_integer("iterations", self.iterations, 1, MOST_ITERATIONS, NAME_OF_POLICY)

    @classmethod
    def parse(cls, text: str) -> ChartSettings:
        """Read the text of the policy, ``computed`` or ``computed:deals=2000000,iterations=4``.

        Raises
        ------
        PolicyError
            If it is another policy, a parameter is unknown or stands there twice, or a value is no number in range.
        """
        name, colon, given = text.partition(":")
        if slug(name) != NAME_OF_POLICY:
            raise PolicyError(f"policy {shown(text)} is no chart; write {NAME_OF_POLICY}")
        known = tuple(one.name for one in fields(cls))
        values: dict[str, int] = {}
        for part in given.split(",") if colon else []:
            key, equals, value = part.partition("=")
            key = slug(key)
            if key not in known:
                raise PolicyError(f"{NAME_OF_POLICY}: {unknown('parameter', key, known)}")
            if key in values:
                raise PolicyError(f"{NAME_OF_POLICY}: {key} stands twice in {shown(text)}; set it once")
            number = value.strip().replace("_", "")
            if not equals or not (number.isascii() and number.isdigit() and len(number) < 20):
                raise PolicyError(f"{NAME_OF_POLICY}: {key} = {shown(value)} is no number; write {key}=1000000")
            values[key] = int(number)
        try:
            return cls(**values)
        except RulesError as error:
            raise PolicyError(str(error)) from None

    @property
    def text(self) -> str:
        """The text of the policy; parameters that have their default are left out.

        Examples
        --------
        >>> ChartSettings().text, ChartSettings(iterations=9).text
        ('computed', 'computed:iterations=9')
        """
        default = type(self)()
        changed = [
            f"{one.name}={getattr(self, one.name)}"
            for one in fields(self)
            if getattr(self, one.name) != getattr(default, one.name)
        ]
        return NAME_OF_POLICY + (":" + ",".join(changed) if changed else "")


def with_charts(players: Players, charts: Sequence[Chart | None]) -> Players:
    """Players with the charts by which they bid.

    Parameters
    ----------
    players : Players
    charts : sequence of Chart or None
        By policy, all for the same deck; none for a policy whose way of bidding is not `CHART`.

    Examples
    --------
    >>> from analyzer.games.euchre.chart_run import compute_chart
    >>> from analyzer.games.euchre.players import CHART, RULES
    >>> from analyzer.games.euchre.rules import Euchre
    >>> chart = compute_chart(Euchre(), ChartSettings(deals=2000, iterations=1))
    >>> players = Players(np.array([0, 1, 0, 1]), np.array([CHART, RULES]), np.array([RULES, RULES]))
    >>> with_charts(players, [chart, None]).charts.shape
    (2, 105798)
    """
    found = [chart for chart in charts if chart is not None]
    if not found:
        return players
    words = np.zeros((len(charts), len(found[0].words)), np.int64)
    for policy, chart in enumerate(charts):
        if chart is not None:
            words[policy] = chart.words
    return players._replace(chart_index=chart_index(found[0].deck), charts=words)


@dataclass(frozen=True, eq=False)
class Chart:
    """A computed chart; made by `analyzer.games.euchre.chart_run.compute_chart`.

    Points are those of the own side less those of the other side, from the deal on, if all seats that come before have
    passed. What a call is worth is told relative to a pass, and a discard relative to the mean of all discards. How
    estimates and their standard errors are made: `chart_estimates`.

    Attributes
    ----------
    rules : Euchre
    settings : ChartSettings
    words : (rows,) int64 array
        The chart as kernels take it, see `chart_policy`.
    calls, call_errors : (rows, 4, slots) float32 arrays
        Estimates by row, position and slot, see `chart_search`, and their standard errors.
    discards, discard_errors : (rows, 3, 6) float32 arrays
        The same by row, context and place of the card.
    reached : (rows, 4, 2) float32 array
        In how many deals, older ones counted in part, the seat came to decide, by round.
    changes : tuple of float
        For each iteration the share of decisions that it changed, weighted by how often they are made.
    """

    rules: Euchre
    settings: ChartSettings
    words: NDArray[np.int64] = field(repr=False)
    calls: NDArray[np.float32] = field(repr=False)
    call_errors: NDArray[np.float32] = field(repr=False)
    discards: NDArray[np.float32] = field(repr=False)
    discard_errors: NDArray[np.float32] = field(repr=False)
    reached: NDArray[np.float32] = field(repr=False)
    changes: tuple[float, ...] = ()

    @property
    def deck(self) -> int:
        """Number of cards."""
        return int(self.rules.deck)

    @cached_property
    def _chosen(self) -> NDArray[np.int64]:
        """(rows, 4, 2) slots that are chosen."""
        return slots_of_words(self.words, self.calls.shape[2])

    def row(self, hand: str, turn_up: str, seat: str) -> pd.DataFrame:
        """What a seat may say with a hand, in both rounds.

        Parameters
        ----------
        hand, turn_up : str
            Cards such as ``"Jh Ah Kh 9s 9c"`` and ``"10h"``.
        seat : str
            ``left`` of the dealer, ``partner`` of the dealer, ``right`` or ``dealer``.

        Returns
        -------
        pandas.DataFrame
            For each round and choice: ``points``; ``gain`` over a pass and its standard ``error`` (for a pass the
            error of the points); and whether it is ``chosen``. Others of which nothing is known are left out.

        Raises
        ------
        PositionError, RulesError
            If the cards or the seat cannot be, or the turn-up lets the dealer name trump blind.
        """
        import pandas as pd

        check_choice("seat", seat, POSITIONS)
        row, order, _ = self._find(hand, turn_up)
        at = POSITIONS.index(seat)
        found = []
        for slot in range(self.calls.shape[2]):
            passed = slot in {0, SECOND_PASS}
            gain, error = float(self.calls[row, at, slot]), float(self.call_errors[row, at, slot])
            chosen = bool((self._chosen[row, at] == slot).any())
            if not (np.isfinite(error) or chosen):
                continue
            before = float(self.calls[row, at, 0 if slot < SECOND_PASS else SECOND_PASS])
            found.append(
                {
                    "round": 1 if slot < SECOND_PASS else 2,
                    "choice": self._words_for(slot, order),
                    "points": gain if passed else gain + np.nan_to_num(before),
                    "gain": 0.0 if passed else gain,
                    "error": error,
                    "chosen": chosen,
                }
            )
        return pd.DataFrame(found)

    def discard_row(self, hand: str, turn_up: str) -> pd.DataFrame:
        """What the dealer may discard when he takes the turn-up.

        Parameters
        ----------
        hand, turn_up : str
            His cards, and the turn-up.

        Returns
        -------
        pandas.DataFrame
            For each ``context`` and ``card``: the ``gain`` over the mean of all discards, its standard ``error``, and
            whether it is ``chosen``. Others of which nothing is known are left out.

        Raises
        ------
        PositionError
            As for `row`.
        """
        import pandas as pd

        row, order, (cards, up) = self._find(hand, turn_up)
        found = []
        for context, name in enumerate(CONTEXT_NAMES):
            chosen = int(self.words[row]) >> DISCARDS + 3 * context & 7
            for place in range(HAND + 1):
                gain, error = float(self.discards[row, context, place]), float(self.discard_errors[row, context, place])
                if np.isfinite(error) or place == chosen:
                    card = cards_text(int(card_at(cards | 1 << up, place, order)))
                    found.append(
                        {"context": name, "card": card, "gain": gain, "error": error, "chosen": place == chosen}
                    )
        return pd.DataFrame(found)

    def table(self) -> pd.DataFrame:
        """The chart by classes of hands.

        Returns
        -------
        pandas.DataFrame
            Indexed by ``round``, ``seat``, ``turn_up`` (other, ace, jack, joker), ``trumps``, ``bowers`` (the joker is
            one), ``off_aces`` and ``voids`` of the hand without the turn-up. ``hands``: the share of the class among
            the hands of the seat. ``pass``, ``call``, ``alone``: expected points, all hands of the class equally
            likely. ``called``, ``called_alone``: the share with which the chart calls, and calls alone. In the second
            round trump is the suit that is best to name.
        """
        import pandas as pd

        rows = chart_rows(self.deck)
        features = [hand_features(rows.hands, rows.turn_ups, suit) for suit in SUITS_OF_ROWS]
        shape = tuple(_CLASSES.values())
        keys = np.stack([np.ravel_multi_index([one[name] for name in _CLASSES], shape) for one in features])
        frames = []
        for bidding_round, (first, stop) in enumerate(((0, SECOND_PASS), (SECOND_PASS, self.calls.shape[2]))):
            suits = (stop - first - 1) // 2
            places = np.array([suit_place(slot, self.calls.shape[2]) for slot in range(first + 1, first + 1 + suits)])
            for at, seat in enumerate(POSITIONS):
                passed = np.nan_to_num(self.calls[:, at, first])
                gains = self.calls[:, at, first + 1 : stop].reshape(-1, 2, suits)
                best = np.nan_to_num(gains[:, 0], nan=-np.inf).argmax(axis=1)
                together, alone = np.take_along_axis(gains, best[:, None, None], 2)[:, :, 0].T
                chosen = self._chosen[:, at, bidding_round]
                means = _class_means(
                    keys[places[best], np.arange(len(best))],
                    rows.counts,
                    {
                        "pass": passed,
                        "call": passed + together,
                        "alone": passed + alone,
                        "called": chosen != first,
                        "called_alone": chosen >= stop - suits,
                    },
                )
                frames.append(means.assign(round=bidding_round + 1, seat=seat))
        every = pd.concat(frames)
        for name, column in zip(_CLASSES, np.unravel_index(every.index.to_numpy(), shape), strict=True):
            every[name] = column
        every["turn_up"] = pd.Categorical([KINDS[kind] for kind in every["turn_up"]], KINDS, ordered=True)
        every["seat"] = pd.Categorical(every["seat"], POSITIONS, ordered=True)
        return every.set_index(["round", "seat", *_CLASSES])

    def share_passed(self, seat: str, rank: str) -> tuple[float, float]:
        """How often a seat passes in the first round with a turn-up of a rank.

        Parameters
        ----------
        seat : str
            As for `row`.
        rank : str
            One of ``9TJQKA`` (and ``78``), or ``*`` for the joker.

        Returns
        -------
        tuple of two float
            The share of all its hands; and of those with which it comes to decide, as all before have passed.

        Raises
        ------
        RulesError
            If there is no such seat or rank.
        """
        check_choice("seat", seat, POSITIONS)
        check_choice("rank", rank, [*RANKS[8 - (6 if self.deck < 32 else 8) :], *("*" if self.deck % 2 else "")])
        rows = chart_rows(self.deck)
        at = POSITIONS.index(seat)
        with_rank = rows.turn_ups == JOKER if rank == "*" else (rows.turn_ups & 7) == RANKS.index(rank)
        with_rank &= (rows.turn_ups == JOKER) == (rank == "*")
        passes = self._chosen[with_rank, at, 0] == 0
        weights, reached = rows.counts[with_rank], self.reached[with_rank, at, 0].astype(np.float64)
        return float((passes * weights).sum() / weights.sum()), float((passes * reached).sum() / reached.sum())

    def _find(self, hand: str, turn_up: str) -> tuple[int, int, tuple[int, int]]:
        """The row of a hand, its order of suits, and the cards."""
        cards, up = parse_cards(hand, self.deck), parse_card(turn_up, self.deck)
        if cards.bit_count() != HAND or cards >> up & 1:
            raise PositionError(
                f"hand {shown(hand)} does not go with {shown(turn_up)} turned up; give five other cards"
            )
        proposed = int(lower(self.rules)[JOKER_SUIT]) if up == JOKER else up >> 3
        if proposed < 0:
            raise PositionError(
                f"turn-up {card_name(up)} lets the dealer name trump blind; the chart has no such hands"
            )
        order = int(suit_order(cards, proposed))
        return int(chart_row(chart_index(self.deck), cards, up, order)), order, (cards, up)

    def _words_for(self, slot: int, order: int) -> str:
        """A slot in words."""
        if slot < SECOND_PASS:
            return choice_text(1 << slot, FIRST, -1)
        if slot == SECOND_PASS:
            return "pass"
        slots = self.calls.shape[2]
        suit = order >> 2 * suit_place(slot, slots) & 3
        alone = slot > SECOND_PASS + (slots - SECOND_PASS - 1) // 2
        return choice_text(1 << (NAME_ALONE if alone else NAME) + suit, SECOND, -1)


def _class_means(
    keys: NDArray[np.int64], counts: NDArray[np.int64], values: Mapping[str, NDArray[Any]]
) -> pd.DataFrame:
    """Means of some values by class, and the share of each class; values that are not known are left out."""
    import pandas as pd

    shares = np.bincount(keys, counts / counts.sum())
    found: dict[str, NDArray[Any]] = {"hands": shares}
    for name, value in values.items():
        known = np.isfinite(value)
        total = np.bincount(keys, np.where(known, value * counts, 0))
        with np.errstate(invalid="ignore"):
            found[name] = total / np.bincount(keys, known * counts)
    return pd.DataFrame(found)[shares > 0]
