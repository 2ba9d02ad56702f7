"""Tallies of played-out calls beside plain Python; charts say what is legal under all options."""

from __future__ import annotations

from collections import Counter, defaultdict
from random import Random
from typing import Any

import numpy as np
import pytest

from analyzer.cards.deck import DECKS, JOKER, cards_in
from analyzer.cards.notation import SUITS
from analyzer.engine.jit import kernel
from analyzer.games.euchre.chart_estimates import improved, six_cards
from analyzer.games.euchre.chart_index import chart_index, chart_rows
from analyzer.games.euchre.chart_policy import DISCARDS, SECOND_ROUND, chart_choice
from analyzer.games.euchre.chart_run import _begin as begin_here
from analyzer.games.euchre.chart_search import search_deals
from analyzer.games.euchre.hand import Hand, legal_now, take
from analyzer.games.euchre.layout import DEALER, DISCARD, MAKER, PROPOSED, ROUND, SEAT, SEATS, TRUMP, TURN_UP
from analyzer.games.euchre.lowering import lower
from analyzer.games.euchre.players import CHART, RULES, Players, answer
from analyzer.games.euchre.relabel import physical_card
from analyzer.games.euchre.rules import Euchre
from tests.games.euchre.test_rules import CHOICES, random_rules

SEED = 5
RULESETS = (
    Euchre(),
    Euchre(alone_timing="with_call", stick_dealer=True, name_turned_down=True),
    Euchre(deck="25", joker_turn_up="spades", assist_alone=True, best_card=True, discard_turn_up="forbidden"),
    Euchre(call_needs_suit=True, alone="caller_then_lone_defence", dealer_pickup="mandatory"),
)


def chosen(rules: Any, players: Any, legal: Any, hidden: Any, seen: Any) -> Any:
    """The choice of the seat in turn."""
    seat = seen[SEAT]
    discard = hidden[DISCARD] if seat == seen[DEALER] else 0
    return answer(rules, players, legal, hidden[seat], discard, seen, np.zeros(12, np.uint64))


@kernel
def charted(players: Any, legal: Any, hidden: Any, seen: Any) -> Any:
    """The choice that the chart has for the seat in turn, 0 if it has none; it sees what the seat sees."""
    seat = seen[SEAT]
    discard = hidden[DISCARD] if seat == seen[DEALER] else 0
    return chart_choice(players.chart_index, players.charts, players.who[seat], legal, hidden[seat], discard, seen)


def begun(rules: Euchre) -> tuple[np.ndarray, np.ndarray]:
    """The chart of `rules`, and what is legal."""
    legal, words = begin_here(rules)
    return words, legal


def players_by(rules: Euchre, words: np.ndarray) -> Players:
    """Four seats that bid by a chart."""
    policy = np.zeros(SEATS, np.int64), np.array([CHART]), np.array([RULES])
    return Players(*policy, chart_index(int(rules.deck)), words[None, :])


def random_chart(rules: Euchre, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """A chart of random legal choices, as improved by random estimates, and what is legal."""
    words, legal = begun(rules)
    rng = np.random.default_rng(seed)
    calls = rng.normal(-0.4, 1, (len(words), SEATS, 12 if rules.name_turned_down else 10)).astype(np.float32)
    discards = rng.normal(0, 1, (len(words), 3, 6)).astype(np.float32)
    rows = chart_rows(int(rules.deck))
    up = six_cards(int(rules.deck)) == rows.turn_ups[:, None]
    discards[:, 0][up] = np.nan
    if rules.discard_turn_up == "forbidden":
        discards[:, 1:][np.broadcast_to(up[:, None], discards[:, 1:].shape)] = np.nan
    sure = np.zeros_like(calls), np.where(np.isnan(discards), np.inf, 0).astype(np.float32)
    return improved(words, legal, (calls, sure[0]), (discards, sure[1]))[0], legal


class PlainChart:
    """A chart read plainly: rows by forms of hands, suits by names."""

    def __init__(self, rules: Euchre, words: np.ndarray) -> None:
        self.rules, self.words = rules, words
        rows = chart_rows(int(rules.deck))
        self.rows = {self.form(int(h), int(t), 2): row for row, (h, t) in enumerate(zip(*rows[:2], strict=True))}

    @staticmethod
    def order(hand: int, proposed: int) -> list[int]:
        """The turn-up's suit, its sister, the others by their cards; of equal ones the higher suit first."""
        others = [suit for suit in (3, 2, 1, 0) if suit not in {proposed, 3 - proposed}]
        others.sort(key=lambda suit: -(hand >> 8 * suit & 0xFF))
        return [proposed, 3 - proposed, *others]

    def form(self, hand: int, turn_up: int, proposed: int) -> tuple[int, ...]:
        """What the row depends on."""
        held = [hand >> 8 * suit & 0xFF for suit in self.order(hand, proposed)]
        return (turn_up if turn_up == JOKER else turn_up % 8, *held, hand >> JOKER)

    def bids(self, hand: int, turn_up: int, proposed: int, position: int) -> tuple[int, str, str]:
        """Row and what is said in both rounds, ' alone' where it is meant to be played alone."""
        row = self.rows[self.form(hand, turn_up, proposed)]
        word, order = int(self.words[row]), self.order(hand, proposed)
        second = word >> 8 + 4 * position & 15
        names = ["pass", *(SUITS[suit] for suit in order), *(SUITS[suit] + " alone" for suit in order)]
        return row, ("pass", "order", "order alone")[word >> 2 * position & 3], names[second]

    def six(self, hand: int, turn_up: int, proposed: int) -> list[int]:
        """The cards of the dealer in the order by which the chart counts discards."""
        cards = hand | 1 << turn_up
        order = [8 * suit + rank for suit in self.order(hand, proposed) for rank in range(8)]
        return [card for card in [*order, JOKER] if cards >> card & 1]


class PlainSearch:
    """Options of a deal, played out in Python with the choices of the kernel's policies."""

    def __init__(self, rules: Euchre, words: np.ndarray) -> None:
        self.rules, self.players, self.chart = rules, players_by(rules, words), PlainChart(rules, words)
        self.calls: defaultdict[tuple[int, int, str], Counter[str]] = defaultdict(Counter)
        self.discards: defaultdict[tuple[int, int, int], Counter[str]] = defaultdict(Counter)

    def value(self, hand: Hand, said: str, discard: int | None = None) -> int | None:
        """Points of side 0 less those of side 1 after a bid; None if a discard is given that is not made."""
        hand = hand.copy()
        word, _, alone = said.partition(" ")
        hand.choose(said if said in hand.legal else word)
        made = False
        while not hand.over:
            legal = int(legal_now(lower(self.rules), hand.hidden, hand.seen))
            if hand.stage == "alone" and hand.seat == int(hand.seen[MAKER]):
                choice = "alone" if alone and "alone" in hand.legal else hand.legal[0]
                hand.choose(choice)
            elif hand.stage == "turn-up" and discard is not None:
                hand.choose("take")
            elif hand.stage == "discard" and discard is not None:
                cards = {int(physical_card(bit, int(hand.seen[TRUMP]))): bit for bit in hand.choices.values()}
                if discard not in cards:
                    return None
                take(lower(self.rules), cards[discard], hand.hidden, hand.seen)
                made = True
            elif legal & (legal - 1):
                choice = int(chosen(lower(self.rules), self.players, legal, hand.hidden, hand.seen))
                take(lower(self.rules), choice, hand.hidden, hand.seen)
            else:
                take(lower(self.rules), legal, hand.hidden, hand.seen)
        own, other = hand.points
        return None if discard is not None and not made else own - other

    def search(self, index: int) -> None:
        """Add what a deal tells."""
        hand = Hand.deal(self.rules, seed=SEED, index=index, dealer=3)
        if hand.stage == "naming":
            return
        turn_up, proposed = int(hand.seen[TURN_UP]), int(hand.seen[PROPOSED])
        held = [hand.held(seat) for seat in range(4)]
        bids = [self.chart.bids(held[seat], turn_up, proposed, seat) for seat in range(4)]
        said = [bid[1] for bid in bids] + [bid[2] for bid in bids]
        points = []
        for _ in range(8):
            points.append(hand.copy())
            if "pass" in hand.legal:
                hand.choose("pass")
        for point, at in enumerate(points):
            seat = point % 4
            before = [one for one in range(point) if one % 4 != seat and said[one] != "pass"]
            if before:
                continue
            then = next((one for one in range(point + 1, 8) if said[one] != "pass"), None)
            passed = self.value(points[then], said[then]) if then is not None and "pass" in at.legal else 0
            assert passed is not None
            sign = 1 if seat % 2 == 0 else -1
            row = bids[seat][0]
            if "pass" in at.legal:
                self.add(self.calls[row, seat, "pass" + "12"[point // 4]], sign * passed)
            for word in {text.partition(" ")[0] for text in at.legal} - {"pass"}:
                for option in (word, word + " alone"):
                    must = self.rules.assist_alone and point == 1
                    with_call = self.rules.alone_timing == "with_call"
                    if (must and option == word) or (with_call and option not in at.legal):
                        continue
                    found = self.value(at, option)
                    assert found is not None
                    self.add(self.calls[row, seat, self.place(option, held[seat], proposed)], sign * (found - passed))
        callers = [seat for seat in range(4) if said[seat] != "pass"]
        if callers and callers[0] < 3:
            if index % 2:
                self.throw(index, points[callers[0]], said[callers[0]], 1 if callers[0] == 1 else 2, bids[3][0])
        elif callers or index % 4 == 0:
            self.throw(index, points[3], said[3] if callers else "order", 0, bids[3][0])

    def place(self, option: str, hand: int, proposed: int) -> str:
        """An option with its suit by its place."""
        word, space, alone = option.partition(" ")
        return (
            option
            if word == "order"
            else str(PlainChart.order(hand, proposed).index(SUITS.index(word))) + space + alone
        )

    def throw(self, index: int, at: Hand, said: str, context: int, row: int) -> None:
        """Add what the discards of a deal tell."""
        turn_up, proposed = int(at.seen[TURN_UP]), int(at.seen[PROPOSED])
        cards = self.chart.six(Hand.deal(self.rules, seed=SEED, index=index, dealer=3).held(3), turn_up, proposed)
        values = [self.value(at, said, card) for card in cards]
        known = [value for value in values if value is not None]
        for place, value in enumerate(values):
            if value is not None:
                self.add(self.discards[row, context, place], -(len(known) * value - sum(known)))

    @staticmethod
    def add(tally: Counter[str], value: int) -> None:
        """Count a value."""
        tally["n"] += 1
        tally["sum"] += value
        tally["squares"] += value * value


def slot_names(rules: Euchre) -> list[str]:
    """The options of slots as `PlainSearch` calls them."""
    suits = [str(place) for place in range(0 if rules.name_turned_down else 1, 4)]
    return ["pass1", "order", "order alone", "pass2", *suits, *(suit + " alone" for suit in suits)]


@pytest.mark.nightly
@pytest.mark.parametrize("rules", RULESETS)
def test_tallies_are_those_of_plain_python(rules: Euchre) -> None:
    for seed, deals in ((None, 15), (3, 25)):
        words, legal = begun(rules) if seed is None else random_chart(rules, seed)
        plain = PlainSearch(rules, words)
        for index in range(deals):
            plain.search(index)
        names = slot_names(rules)
        calls = np.zeros((len(words), SEATS, len(names), 3), np.int32)
        discards = np.zeros((len(words), 3, 6, 3), np.int32)
        deck = cards_in(DECKS[int(rules.deck)])
        search_deals(lower(rules), players_by(rules, words), deck, np.uint64(SEED), 0, 0, deals, legal, calls, discards)
        expected, thrown = np.zeros_like(calls), np.zeros_like(discards)
        for (row, seat, name), tally in plain.calls.items():
            expected[row, seat, names.index(name)] = tally["n"], tally["sum"], tally["squares"]
        for (row, context, place), tally in plain.discards.items():
            thrown[row, context, place] = tally["n"], tally["sum"], tally["squares"]
        np.testing.assert_array_equal(np.argwhere(calls[..., 0]), np.argwhere(expected[..., 0]))
        np.testing.assert_array_equal(calls[calls[..., 0] > 0], expected[calls[..., 0] > 0])
        np.testing.assert_array_equal(discards[discards[..., 0] > 0], thrown[thrown[..., 0] > 0])
        assert calls[..., 0].sum() > 2 * deals
        assert discards[..., 0].sum() > deals / 2


@pytest.mark.nightly
def test_a_joker_is_charted_alike_as_a_heart_and_as_a_spade() -> None:
    """Where suits are as good the first is named, so that the second round may differ."""
    (hearts, legal), (spades, there) = (begun(Euchre(deck="25", joker_turn_up=suit)) for suit in ("hearts", "spades"))
    np.testing.assert_array_equal(there, legal)
    named = (1 << DISCARDS) - (1 << SECOND_ROUND)
    np.testing.assert_array_equal(spades & ~named, hearts & ~named)


@pytest.mark.nightly
def test_charts_say_what_is_legal() -> None:
    rng = Random(11)
    asked: Counter[str] = Counter()
    for number in range(8):
        values = {name: rng.choice(choices) for name, choices in CHOICES.items()}
        rules = random_rules(values | {"players": "4", "deck": ("24", "25")[number % 2]})
        words, _ = random_chart(rules, number)
        players = players_by(rules, words)
        for index in range(60):
            hand = Hand.deal(rules, seed=number, index=index, dealer=index % 4)
            while hand.stage not in {"play", "over"}:
                legal = int(legal_now(lower(rules), hand.hidden, hand.seen))
                choice = legal
                if legal & (legal - 1):
                    choice = int(charted(players, legal, hand.hidden, hand.seen))
                    maker = hand.seat == int(hand.seen[MAKER]) and int(hand.seen[ROUND]) > 0
                    has = hand.stage in {"first round", "second round"} or (hand.stage == "alone" and maker)
                    has |= hand.stage == "discard" and int(hand.seen[ROUND]) == 1
                    assert (choice != 0) == has
                    asked[hand.stage] += has
                    if not has:
                        choice = legal & -legal
                    assert choice & legal
                    assert choice.bit_count() == 1
                take(lower(rules), choice, hand.hidden, hand.seen)
    assert min(asked[stage] for stage in ("first round", "second round", "alone", "discard")) > 20
