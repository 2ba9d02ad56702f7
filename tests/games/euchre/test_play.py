"""Hands and matches by their numbers: what is logged, who is asked, and how neighbours swap seats."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from analyzer.cards.deck import deals
from analyzer.cards.notation import card_name, parse_cards
from analyzer.engine.blocks import Block
from analyzer.errors import AnalyzerError, PolicyError, UsageError
from analyzer.games.euchre.hand import Hand
from analyzer.games.euchre.hand_log import CLASSES, HAND_CLASS, class_counts, hand_class
from analyzer.games.euchre.own_policy import OwnPolicy, View
from analyzer.games.euchre.play import EUCHRED, GAMES_WON, POINTS_MADE, TRUMPS_MADE, Table, play_hands, play_matches
from analyzer.games.euchre.players import ASK, NO_PARAMETERS, RANDOM, RULES, STRENGTH, Players
from analyzer.games.euchre.rules import Euchre
from analyzer.games.euchre.strength import Strength
from tests.games.euchre_referee import Decision, deck_of, order_of, play_hand, suit_in_play

FORMS = [
    Euchre(),
    Euchre(deck="25", joker_turn_up="spades", alone_timing="with_call", stick_dealer=True),
    Euchre(deck="25", best_card=True, alone="caller_then_lone_defence", lone_defence="flat4"),
    Euchre(players="3", deck="32"),
    Euchre(players="2", name_turned_down=True),
]
STAGES = {"naming": "blind", "first round": "first", "second round": "second", "turn-up": "turn_up", "alone": "alone"}


def first(view: View) -> str:
    """The first legal answer, but a pass only in the first round, and every third card by its name."""
    if view.stage == "second round":
        return view.legal[-1]
    return view.legal[sum(map(ord, "".join(view.hand))) % len(view.legal)]


def table(rules: Euchre, *kinds: int) -> Table:
    """A table with a policy of each kind; who is asked answers `first`."""
    asked = [OwnPolicy(first, "first") if kind == ASK else None for kind in kinds]
    who = np.arange(4) % len(kinds)
    return Table(rules, Players(who, np.array(kinds), np.array(kinds)), asked)


def dealt(rules: Euchre, seed: int, index: int) -> tuple[list[tuple[str, ...]], str]:
    found = deals(int(rules.deck), seed=seed, first=index, count=1)
    hands = [[card_name(card) for card in range(33) if int(hand) >> card & 1] for hand in found.hands[0]]
    return [tuple(hand) for hand in hands[: int(rules.players)]], card_name(int(found.turn_up[0]))


def classes_of(hand: tuple[str, ...], suit: str) -> tuple[int, int, int, int]:
    """Trumps, bowers and joker, off-aces, voids: plainly."""
    trumps = [card for card in hand if suit_in_play(card, suit) == suit]
    high = order_of(suit, suit)[-3:]
    plain = [card for card in hand if card not in trumps]
    voids = 3 - len({card[1] for card in plain})
    return len(trumps), sum(card in high for card in trumps), sum(card[0] == "A" for card in plain), voids


@pytest.mark.parametrize("rules", FORMS, ids=lambda rules: rules.title)
def test_a_logged_hand_is_the_one_that_the_referee_plays(rules: Euchre) -> None:
    """By a policy that is asked, from the same deal; the log tells what happened."""
    rows = play_hands(table(rules, ASK), 5, Block(0, 0, 60), classes=True)
    players = int(rules.players)
    for index, row in enumerate(rows):
        deal, dealer = dealt(rules, 5, index), index % players
        hand = Hand.deal(rules, seed=5, index=index, dealer=dealer)

        def choose(decision: Decision, hand: Hand = hand) -> str:
            from analyzer.games.euchre.layout import DISCARD
            from analyzer.games.euchre.own_policy import view_of

            legal = 0
            for bit in hand.choices.values():
                legal |= bit
            held = 0 if hand.stage == "naming" else int(hand.hidden[hand.seat])
            discard = int(hand.hidden[DISCARD]) if hand.seat == hand.seen[2] else 0
            view = view_of(rules, legal, held, discard, hand.seen)
            assert set(view.hand) == set(decision.hand)
            assert set(view.legal) == set(decision.legal)
            answer = first(view) if len(view.legal) > 1 else view.legal[0]
            hand.choose(answer)
            return answer

        played = play_hand(rules, deal, dealer, choose)
        position = (played.maker - dealer - 1) % players if played.maker >= 0 else -1
        own = 0 if position < 0 else played.maker_tricks
        assert row[0] == position
        assert row[6] == own
        sides = played.points
        if position >= 0:
            mine = sides[played.maker % 2 if players == 4 else played.maker]
            assert row[7] == (mine or -max(sides))
            assert row[4] == any(seat % 2 == played.maker % 2 for seat in played.lone)
            assert row[5] == any(seat % 2 != played.maker % 2 for seat in played.lone)
        else:
            assert row[7] == 0
        up = deal[1]
        proposed = (rules.joker_turn_up[0] if rules.joker_turn_up != "dealer_blind" else "") if up == "*" else up[1]
        for place in range(players):
            code = int(row[HAND_CLASS + place])
            hands = deal[0][(dealer + 1 + place) % players]
            assert code == -1 if not proposed else class_counts(code) == classes_of(hands, proposed)


def test_hand_classes_are_told_apart() -> None:
    rng = np.random.default_rng(3)
    for rules in (Euchre(), Euchre(deck="25"), Euchre(deck="32")):
        deck = deck_of(rules)
        for _ in range(200):
            hand = tuple(str(card) for card in rng.permutation(deck)[:5])
            for suit in range(4):
                code = hand_class(parse_cards(" ".join(hand)), suit)
                assert 0 <= code < CLASSES
                assert class_counts(code) == classes_of(hand, "cdhs"[suit])


@pytest.mark.parametrize("rules", FORMS, ids=lambda rules: rules.title)
def test_hands_do_not_depend_on_blocks_nor_on_who_is_asked(rules: Euchre) -> None:
    whole = play_hands(table(rules, RANDOM), 7, Block(0, 0, 300))
    parts = [play_hands(table(rules, RANDOM), 7, Block(0, start, start + 75)) for start in range(0, 300, 75)]
    assert np.array_equal(whole, np.concatenate(parts))
    # One seat that is asked, whose turn never comes up for a real choice of its own kind, leaves the others' digits.
    mixed = play_hands(table(rules, RANDOM, ASK), 7, Block(0, 0, 40))
    assert np.array_equal(mixed, play_hands(table(rules, RANDOM, ASK), 7, Block(0, 0, 40)))


@pytest.mark.parametrize(
    "rules", [Euchre(), Euchre(players="3"), Euchre(players="2"), Euchre(games=2, laps=True, slam=True, target=5)]
)
@pytest.mark.parametrize("kinds", [(RANDOM, RULES, RULES), (ASK, RULES, RANDOM)], ids=["kernels", "asked"])
def test_neighbours_have_the_same_cards_and_other_seats(rules: Euchre, kinds: tuple[int, ...]) -> None:
    n = 2 if rules.players == "4" else int(rules.players)
    found = play_matches(table(rules, *kinds[:n]), 11, Block(0, 0, 6 * n))
    assert (found.sums[:, :, GAMES_WON].sum(axis=1) >= rules.games).all()
    assert (found.sums[:, :, EUCHRED] <= found.sums[:, :, TRUMPS_MADE]).all()
    assert (found.sums[:, :, TRUMPS_MADE].sum(axis=1) + found.passed == found.hands).all()
    assert (found.sums[:, :, POINTS_MADE].max(axis=1) >= rules.target).all()
    alike = play_matches(table(rules, *[RULES] * n), 11, Block(0, 0, 6 * n))
    for group in range(6):
        rows = [alike.sums[n * group + shift] for shift in range(n)]
        for shift in range(n):
            assert np.array_equal(np.roll(rows[0], shift, axis=0), rows[shift])
    later = play_matches(table(rules, *kinds[:n]), 11, Block(0, 2 * n + 1, 4 * n))
    assert np.array_equal(later.sums, found.sums[2 * n + 1 : 4 * n])


def test_a_match_adds_up_its_hands() -> None:
    """The first match of a group beside its hands, played one by one at their addresses."""
    rules = Euchre(target=7)
    found = play_matches(table(rules, ASK, RULES), 2, Block(0, 0, 1))
    assert found.sums[0, :, GAMES_WON].sum() == 1
    winner = int(np.argmax(found.sums[0, :, GAMES_WON]))
    assert found.sums[0, winner, POINTS_MADE] >= 7 > found.sums[0, 1 - winner, POINTS_MADE]


@pytest.mark.parametrize(
    ("function", "complaint"),
    [
        (lambda view: "fly", "answered 'fly' at first round, hand .*; return one of: pass, order"),
        (lambda view: 3, "answered 3 at first round"),
        (lambda view: view.nothing, "failed at first round, hand .*: AttributeError: .*; correct the function"),
    ],
)
def test_wrong_answers(function: Any, complaint: str) -> None:
    wrong = Table(
        Euchre(), Players(np.zeros(4, np.int64), np.array([ASK]), np.array([ASK])), [OwnPolicy(function, "mine")]
    )
    with pytest.raises(PolicyError, match=complaint) as caught:
        play_hands(wrong, 0, Block(0, 0, 1))
    assert isinstance(caught.value, AnalyzerError)
    assert "\n" not in str(caught.value)


def test_a_view_tells_what_is_seen() -> None:
    seen: list[View] = []

    def remember(view: View) -> str:
        seen.append(view)
        return first(view)

    one = Table(
        Euchre(), Players(np.zeros(4, np.int64), np.array([ASK]), np.array([ASK])), [OwnPolicy(remember, "mine")]
    )
    play_hands(one, 9, Block(0, 0, 50))
    plays = [view for view in seen if view.stage == "play"]
    assert plays
    assert {view.stage for view in seen} >= {"first round", "discard", "alone", "play", "turn-up"}
    for view in plays:
        assert len(view.hand) + len(view.played["me"]) == 5
        assert set(view.table) <= set(view.playing)
        assert "me" not in view.table
        assert not set(view.hand) & {card for cards in view.played.values() for card in cards}
        assert len(view.playing) == 4 - len(view.alone)
        assert view.leader in view.playing
        assert 0 <= view.made <= view.tricks < 5
        assert (view.discarded != "") == (view.dealer == "me" and view.taken is True)


@pytest.mark.parametrize("policy", ["rules", "strength", "strength:first_dealer=5,alone=9"])
@pytest.mark.parametrize("rules", FORMS, ids=lambda rules: rules.title)
def test_a_view_tells_what_a_policy_would_choose(rules: Euchre, policy: str) -> None:
    """Who always does as it says plays as that policy does."""
    kind = RULES if policy == "rules" else STRENGTH
    parameters = Strength.parse(policy).lower()[None, :] if kind == STRENGTH else NO_PARAMETERS
    own = OwnPolicy(lambda view: view.choice_of(policy), "own")
    who = np.zeros(4, np.int64)
    asked = Table(rules, Players(who, np.array([ASK]), np.array([ASK])), [own])
    played = Table(rules, Players(who, np.array([kind]), np.array([RULES]), parameters=parameters), [None])
    block = Block(0, 0, 40)
    assert np.array_equal(play_hands(asked, 8, block), play_hands(played, 8, block))


def test_a_view_knows_two_policies() -> None:
    own = OwnPolicy(lambda view: view.choice_of("pimc"), "own")
    one = Table(Euchre(), Players(np.zeros(4, np.int64), np.array([ASK]), np.array([ASK])), [own])
    with pytest.raises(PolicyError, match="does not know what 'pimc' would choose; ask for rules or strength"):
        play_hands(one, 0, Block(0, 0, 1))


def test_a_match_in_which_nobody_calls_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    def shy(view: View) -> str:
        return "pass" if "pass" in view.legal else view.legal[0]

    both = Table(
        Euchre(), Players(np.array([0, 1, 0, 1]), np.full(2, ASK), np.full(2, ASK)), [OwnPolicy(shy, "shy")] * 2
    )
    monkeypatch.setattr("analyzer.games.euchre.play.MOST_HANDS", 300)
    with pytest.raises(UsageError, match="a match took 300 hands; let somebody make trump"):
        play_matches(both, 0, Block(0, 0, 2))
    with pytest.raises(UsageError, match="a match of 2 parties has 1 policies"):
        play_matches(table(Euchre(), RULES), 0, Block(0, 0, 2))
