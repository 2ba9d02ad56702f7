"""Whole hands and matches in kernels, beside a plain replay of the same random digits and the referee's matches."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from random import Random

import numpy as np
import pytest
from numpy.typing import NDArray

from analyzer.cards.deck import DECKS, cards_in, deal
from analyzer.cards.notation import card_name, cards_text
from analyzer.engine.blocks import Block
from analyzer.games.euchre.hand import Hand, legal_now, take
from analyzer.games.euchre.hand_log import DEFENDER_ALONE, MAKER_ALONE, MAKERS_POINTS, MAKERS_TRICKS, POSITION_OF_MAKER
from analyzer.games.euchre.hands import score_hand
from analyzer.games.euchre.layout import (
    ASKED,
    DISCARDING,
    FIRST,
    GAMES,
    GIVING,
    HIDDEN,
    IN_TRICK,
    LONELY,
    MAKER,
    NAMING,
    OVER,
    PLAYING,
    POINTS,
    SCORE,
    SEAT,
    SECOND,
    SEEN,
    STAGE,
    TRICKS,
    TURNING,
    WON,
)
from analyzer.games.euchre.lowering import lower
from analyzer.games.euchre.play import (
    EUCHRED,
    GAMES_WON,
    POINTS_MADE,
    SUMS,
    TRUMPS_MADE,
    Table,
    play_hands,
    play_matches,
    play_until,
)
from analyzer.games.euchre.play import _deal as deal_here
from analyzer.games.euchre.players import ASK, RANDOM, Players
from analyzer.games.euchre.randomness import DIGITS, random_choice
from analyzer.games.euchre.rules import Euchre
from tests.engine.test_streams import reference_bounded, reference_words
from tests.games.euchre.test_rules import CHOICES, random_rules
from tests.games.euchre.through_kernel import play_out
from tests.games.euchre_referee import Deal, Decision, Match, Played, parties_of, play_hand

U32 = 2**32
PLAYS, SAYS, ALONE, BIDS = 0, 5, 6, 8
"""Words: of the tricks; of what the dealer and lone players do; of who plays alone; of the bidding."""


class Digits:
    """The random digits of a hand, by plain arithmetic: word by word, the leading digit first."""

    def __init__(self, seed: int, index: int, step: int) -> None:
        self.words: list[list[int]] = []
        for place in range(12):
            base, length = (60, 4) if place < BIDS else (2520, 2)
            address = (seed, index, step, 1 + place // 4)
            word = reference_words(*address)[place % 4]
            number = reference_bounded(word, base**length, address, place % 4)
            self.words.append([number // base**k % base for k in reversed(range(length))])

    def choose(self, hand: Hand) -> str:
        """One of the legal choices, by the digit that belongs to the decision."""
        stage, asked, legal = int(hand.seen[STAGE]), int(hand.seen[ASKED]), hand.legal
        base = 60
        if stage == PLAYING:
            digit = self.words[PLAYS + int(hand.seen[TRICKS])][int(hand.seen[IN_TRICK])]
        elif stage == LONELY:
            digit = self.words[ALONE][asked]
        elif stage in {NAMING, FIRST, SECOND}:
            base = 2520
            digit = self.words[BIDS + asked // 2 + 2 * (stage == SECOND)][asked % 2]
        elif stage == GIVING:
            digit = self.words[SAYS][2 + hand.seat % 2]
        else:
            digit = self.words[SAYS][0 if stage == TURNING else 1]
        return legal[digit * len(legal) // base]


def random_table(rules: Euchre) -> Table:
    """Random players, one for each party of a match."""
    kinds = np.full(parties_of(rules), RANDOM)
    return Table(rules, Players(np.zeros(4, np.int64), kinds, kinds), (None,) * len(kinds))


def dealt(rules: Euchre, seed: int, index: int, step: int, dealer: int) -> tuple[Hand, NDArray[np.uint64]]:
    """A hand of an address, and its words for digits."""
    hand = Hand(rules, np.zeros(HIDDEN, np.int64), np.zeros(SEEN, np.int64))
    digits, row = np.zeros(DIGITS, np.int64), np.zeros(20, np.int64)
    deck = cards_in(DECKS[int(rules.deck)])
    deal_here(
        lower(rules), deck, np.uint64(seed), np.uint64(index), step, dealer, hand.hidden, hand.seen, digits, True, row
    )
    return hand, digits


def some_rules(rng: Random) -> Euchre:
    return random_rules({name: rng.choice(choices) for name, choices in CHOICES.items()})


def test_random_hands_equal_their_plain_replay() -> None:
    rng, stages = Random(1), Counter[str]()
    for index in range(600):
        rules = some_rules(rng)
        dealer = rng.randrange(int(rules.players))
        here, digits = dealt(rules, 5, index, 3, dealer)
        there = here.copy()
        assert play_until(lower(rules), random_table(rules).players, here.hidden, here.seen, digits, OVER) == 0
        plain = Digits(5, index, 3)
        while not there.over:
            stages[there.stage] += 1
            there.choose(plain.choose(there))
        assert np.array_equal(here.seen, there.seen)
        assert np.array_equal(here.hidden, there.hidden)
    assert len(stages) == 8
    assert min(stages.values()) > 3


def test_asked_players_decide_what_is_legal() -> None:
    """Nothing is decided for them, also not among random players."""
    rng = Random(2)
    for index in range(60):
        rules = some_rules(rng)
        asked = rng.randrange(int(rules.players))
        who = np.array([int(seat == asked) for seat in range(4)])
        players = Players(who, np.array([RANDOM, ASK]), np.array([RANDOM, ASK]))
        here, digits = dealt(rules, 6, index, 0, 0)
        there, plain = here.copy(), Digits(6, index, 0)
        while True:
            legal = play_until(lower(rules), players, here.hidden, here.seen, digits, OVER)
            while not there.over and (there.seat != asked or len(there.legal) == 1):
                there.choose(plain.choose(there) if there.seat != asked else there.legal[0])
            assert np.array_equal(here.seen, there.seen)
            if not legal:
                break
            assert here.seen[SEAT] == asked
            assert legal == legal_now(lower(rules), there.hidden, there.seen)
            answer = rng.choice(there.legal)
            take(lower(rules), there.choices[answer], here.hidden, here.seen)
            there.choose(answer)
        assert here.over


def seen_at(stage: int, **places: int) -> NDArray[np.int64]:
    seen = np.zeros(SEEN, np.int64)
    seen[STAGE] = stage
    for name, value in places.items():
        seen[{"asked": ASKED, "tricks": TRICKS, "cards": IN_TRICK, "seat": SEAT}[name]] = value
    return seen


@pytest.mark.parametrize(
    ("seen", "place", "base", "counts"),
    [
        (seen_at(PLAYING, tricks=3, cards=2), 14, 60, (1, 2, 3, 4, 5)),
        (seen_at(TURNING, seat=3), 20, 60, (2,)),
        (seen_at(DISCARDING, seat=3), 21, 60, (5, 6)),
        (seen_at(GIVING, seat=0), 22, 60, (5,)),
        (seen_at(GIVING, seat=3), 23, 60, (5,)),
        (seen_at(LONELY, asked=2), 26, 60, (2,)),
        (seen_at(NAMING), 28, 2520, (4,)),
        (seen_at(FIRST, asked=1), 29, 2520, (2, 3)),
        (seen_at(SECOND, asked=2), 34, 2520, (3, 5, 7, 8, 9)),
    ],
)
def test_every_choice_has_equally_many_digits(
    seen: NDArray[np.int64], place: int, base: int, counts: tuple[int, ...]
) -> None:
    """All digits of the place that a decision has."""
    rng = Random(3)
    for count in counts:
        legal = sum(1 << bit for bit in rng.sample(range(60), count))
        chosen: Counter[int] = Counter()
        for digit in range(base):
            digits = np.full(DIGITS, rng.randrange(60))
            digits[place] = digit
            chosen[int(random_choice(legal, seen, digits))] += 1
        assert set(chosen.values()) == {base // count}
        assert sum(chosen) == legal


def test_points_are_counted_as_by_the_referee() -> None:
    """Random points of hands, without cards."""
    rng, ended = Random(4), Counter[bool]()
    for _ in range(200):
        rules = some_rules(rng)
        players, parties = int(rules.players), parties_of(rules)
        match = Match([0] * parties, [0] * parties)
        seen = np.zeros(SEEN, np.int64)
        goes_on = True
        while goes_on:
            maker, points = rng.randrange(-1, players), rng.choice([-4, -3, -2, 1, 2, 3, 4])
            hand = Played(hands=[[] for _ in range(players)], maker=maker, points=(0,) * parties)
            seen[MAKER], seen[POINTS] = maker, 0 if maker < 0 else points
            if maker >= 0:
                gains = (points if hand.on_makers_side(party) else -points for party in range(parties))
                hand.points = tuple(max(gain, 0) for gain in gains)
            goes_on = bool(score_hand(lower(rules), seen))
            assert match.count(rules, hand) is not goes_on
            assert seen[SCORE : SCORE + parties].tolist() == match.scores
            assert seen[WON : WON + parties].tolist() == match.won
            assert seen[GAMES] == len(match.winners)
        ended.update({rules.slam: 1})
    assert min(ended.values()) > 50


def replayed(rules: Euchre, seed: int, index: int, step: int, dealer: int) -> Played:
    """A hand of random players by the referee, with the answers of the plain replay."""
    deck = cards_in(DECKS[int(rules.deck)])
    *hands, turn_up, _ = deal(np.uint64(seed), np.uint64(index), step, deck, np.zeros_like(deck))
    cards: Deal = (
        tuple(tuple(cards_text(int(hand)).split()) for hand in hands[: int(rules.players)]),
        card_name(int(turn_up)),
    )
    here, _ = dealt(rules, seed, index, step, dealer)
    plain = Digits(seed, index, step)
    log = iter(play_out(here, cards, lambda decision: plain.choose(here)).log)

    def same(decision: Decision) -> str:
        return next(log)[1]

    return play_hand(rules, cards, dealer, same)


def test_hands_by_their_numbers() -> None:
    """Rows of the kernel for many hands, from what the referee makes of them."""
    rng = Random(5)
    for _ in range(12):
        rules = some_rules(rng)
        players = int(rules.players)
        rows = play_hands(random_table(rules), 7, Block(0, 50, 60), classes=True)
        for index, row in zip(range(50, 60), rows.tolist(), strict=True):
            hand = replayed(rules, 7, index, 0, index % players)
            lone = [hand.on_makers_side(seat) for seat in hand.lone]
            assert row[MAKER_ALONE] == (True in lone)
            assert row[DEFENDER_ALONE] == (False in lone)
            if not hand.trump:
                assert row[POSITION_OF_MAKER] == -1
                assert row[MAKERS_POINTS] == 0
                continue
            party = hand.maker % 2 if players == 4 else hand.maker
            others = sum(hand.points) - hand.points[party]
            assert row[POSITION_OF_MAKER] == (hand.maker - index - 1) % players
            assert row[MAKERS_TRICKS] == hand.maker_tricks
            assert row[MAKERS_POINTS] == hand.points[party] - others // (2 if players == 3 else 1)


def test_matches_by_their_numbers() -> None:
    """Games, points, calls and euchres of whole matches, as the referee counts them."""
    rng, hands = Random(6), 0
    for _ in range(12):
        rules = replace(some_rules(rng), target=rng.choice((4, 5)))
        players, parties = int(rules.players), parties_of(rules)
        first = rng.randrange(20)
        rows = play_matches(random_table(rules), 8, Block(0, first, first + 2))
        for row, number in enumerate((first, first + 1)):
            index, shift = divmod(number, parties)
            match, sums = Match([0] * parties, [0] * parties), np.zeros((parties, SUMS), np.int64)
            dealer, over = index % players, False
            while not over:
                hand = replayed(rules, 8, index, len(match.hands), dealer)
                match.hands.append(hand)
                over = match.count(rules, hand)
                dealer = (dealer + 1) % players
                for party in range(parties):
                    player = (party + shift) % parties
                    makes = bool(hand.trump) and hand.on_makers_side(party)
                    sums[player, POINTS_MADE] += hand.points[party]
                    sums[player, TRUMPS_MADE] += makes
                    sums[player, EUCHRED] += makes and hand.maker_tricks < 3
            for party in range(parties):
                sums[(party + shift) % parties, GAMES_WON] = match.won[party]
            assert np.array_equal(rows.sums[row], sums)
            assert rows.hands[row] == len(match.hands)
            assert rows.passed[row] == sum(not hand.trump for hand in match.hands)
            hands += len(match.hands)
    assert hands > 150
