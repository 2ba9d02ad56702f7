"""The policies `rules` and `lowest`: what a player expects of them, and what must hold for any hand."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
import pytest

from analyzer.engine.jit import kernel
from analyzer.games.president.layout import (
    CARDS,
    HELD,
    HIDDEN,
    JOKER,
    LOW,
    NATURALS,
    OFFICE,
    OWES,
    PILE,
    PLAYED,
    REVERSED,
    ROUND,
    RUN,
    SEEN,
    TURNS,
    TWO,
)
from analyzer.games.president.lowering import lower
from analyzer.games.president.notation import cards_text, parse_cards, play_text
from analyzer.games.president.players import ASK, LOWEST, RULES, Players, choose_play, choose_return
from analyzer.games.president.plays import count_plays
from analyzer.games.president.randomness import WORDS
from analyzer.games.president.round import Round, begin_now, deal_now, deck_of, list_plays, returns_of
from analyzer.games.president.rounds import play_on
from analyzer.games.president.rules import President
from tests.games.president.test_rules import CHOICES, random_rules


@kernel
def choose_now(rules: Any, players: Any, kind: Any, hand: Any, seen: Any, drawn: Any) -> Any:
    if seen[OWES]:
        return choose_return(rules, players, kind, hand, seen, 1, 2, 0)
    count = count_plays(rules, hand, seen[PILE], seen[REVERSED])
    return choose_play(rules, players, kind, count, hand, seen, 1, 2, 0, drawn)


@kernel
def play_now(rules: Any, players: Any, hidden: Any, seen: Any, index: Any, drawn: Any) -> Any:
    return play_on(rules, players, hidden, seen, 1, index, 0, drawn)


def table(*kinds: int) -> Players:
    return Players(np.arange(8), np.array([*kinds, *[ASK] * (8 - len(kinds))]), np.zeros(8, np.int64))


def no_words() -> Any:
    return np.full(WORDS, -1, np.int64)


def choice(some: Round, kind: int = RULES) -> int:
    """What a policy chooses for the seat in turn."""
    hand = some.hidden[some.turn]
    return int(choose_now(lower(some.rules), table(*[kind] * 8), kind, hand, some.seen, no_words()))


def said(some: Round, kind: int = RULES) -> str:
    return play_text(choice(some, kind))


def at(hand: str, others: list[str], pile: str = "", last: int = 1, passed: tuple[int, ...] = (), **more: Any) -> Round:
    """A round in which seat 0 is in turn."""
    turned = more.pop("turned", False)
    rules = President(players=1 + len(others), **more)
    return Round.start(rules, [hand, *others], 0, pile=pile, last=last, passed=passed, reversed_order=turned)


def any_options(random: Random, **fixed: Any) -> President:
    return random_rules({name: random.choice(choices) for name, choices in CHOICES.items()} | fixed)


def random_round(rules: President, random: Random) -> Round:
    """The first round of a match, or a later one after places at random."""
    hidden, seen = np.zeros(HIDDEN, np.int64), np.zeros(SEEN, np.int64)
    begin_now(random.randrange(rules.players), seen)
    if rules.rounds > 1 and random.getrandbits(1):
        seen[OFFICE : OFFICE + rules.players] = random.sample(range(1, rules.players + 1), rules.players)
        seen[ROUND] = 1
    deal_now(lower(rules), deck_of(rules), np.uint64(random.getrandbits(60)), np.uint64(0), hidden, seen)
    return Round(rules, hidden, seen)


def legal(some: Round) -> list[int]:
    hand = int(some.hidden[some.turn])
    if some.owes:
        return returns_of(hand, some.owes)
    return [int(play) for play in list_plays(lower(some.rules), hand, some.seen[PILE], some.seen[REVERSED])]


@pytest.mark.parametrize("kind", [LOWEST, RULES])
def test_choices_are_legal_by_any_rules(kind: int) -> None:
    random = Random(kind)
    for _ in range(60):
        some = random_round(any_options(random), random)
        while not some.over:
            choices = legal(some)
            one = choice(some, kind) if len(choices) > 1 else choices[0]
            assert one in choices, (some.rules, some.held(some.turn), some.pile, play_text(one))
            if random.random() < 0.3:
                one = random.choice(choices)
            some.choose(cards_text(one) if some.owes else play_text(one))


@pytest.mark.parametrize("kind", [LOWEST, RULES])
def test_choices_are_legal_on_any_pile(kind: int) -> None:
    """Piles that play seldom comes to, jokers alone in a reversed order among them."""
    random, met = Random(10 + kind), 0
    for _ in range(1500):
        rules = any_options(random, jokers=random.choice((0, 1, 2, 2)), revolution=random.random() < 0.8)
        some = random_round(rules, random)
        if some.owes:
            continue
        # Somebody else's lead lies on the table, half of the time jokers alone where he has some.
        other = next(seat for seat in range(rules.players) if seat != some.turn)
        if rules.jokers:
            held, wanted = int(some.hidden[other]), (1 << random.randint(1, rules.jokers)) - 1
            for seat in range(rules.players):
                some.hidden[seat] &= NATURALS
            some.hidden[other] = held & NATURALS | wanted << JOKER
            some.hidden[some.turn] |= (1 << rules.jokers - wanted.bit_count()) - 1 << JOKER
        leads = [int(play) for play in list_plays(lower(rules), some.hidden[other], 0, 0)]
        alone = [play for play in leads if not play & NATURALS]
        pile = random.choice(alone if alone and random.getrandbits(1) else leads)
        some.seen[PILE], some.seen[REVERSED] = pile, rules.revolution and random.getrandbits(1)
        choices = legal(some)
        if len(choices) > 1:
            met += alone != [] and pile in alone
            one = choice(some, kind)
            assert one in choices, (rules, some.held(some.turn), play_text(pile), some.seen[REVERSED], play_text(one))
    assert met > 60


def test_choices_do_not_depend_on_hidden_hands() -> None:
    """One player's turn in the kernel of rounds, with the hands of all others dealt anew among them."""
    random, met, compared = Random(7), 0, 0
    for _ in range(150):
        rules = any_options(random)
        some = random_round(rules, random)
        for _ in range(random.randrange(40)):
            if not some.over:
                one = random.choice(legal(some)) if random.getrandbits(1) or some.owes else 0
                one = one if one in legal(some) else random.choice(legal(some))
                some.choose(cards_text(one) if some.owes else play_text(one))
        if some.over or some.owes:
            continue
        met += 1
        first, second = some.copy(), some.copy()
        others = [seat for seat in range(rules.players) if seat != some.turn]
        cards = [card for seat in others for card in range(JOKER) if some.hidden[seat] >> card & 1]
        cards += [JOKER] * sum((int(some.hidden[seat]) >> JOKER).bit_count() for seat in others)
        random.shuffle(cards)
        for seat in others:
            held = [cards.pop() for _ in range(int(some.hidden[seat]).bit_count())]
            jokers = held.count(JOKER)
            second.hidden[seat] = sum(1 << card for card in held if card != JOKER) | ((1 << jokers) - 1) << JOKER
        kinds = [RULES if seat == some.turn else ASK for seat in range(rules.players)]
        assert choice(first) == choice(second)
        for one in (first, second):
            play_now(lower(rules), table(*kinds), one.hidden, one.seen, 0, no_words())
        # Others who cannot but pass are not asked, which depends on their hands.
        if first.seen[TURNS] == second.seen[TURNS] == some.seen[TURNS] + 1:
            assert first.seen.tolist() == second.seen.tolist()
            compared += 1
    assert met > 80
    assert compared > 20


def cost_plainly(some: Round, play: int) -> tuple[int, int, int]:
    """Jokers, how far up, and cards of a play: what `lowest` goes by, the last the other way round."""
    cards, low, run = play & CARDS, play >> LOW & 15, play >> RUN & 1
    size = cards.bit_count()
    top = low + size - 1 if run else low
    strength = low if low > TWO else TWO - low if some.reversed_order else top
    return (cards >> JOKER).bit_count(), strength, -size


def test_lowest_plays_the_cheapest() -> None:
    random = Random(3)
    for _ in range(40):
        some = random_round(any_options(random), random)
        while not some.over:
            choices = legal(some)
            if len(choices) > 1 and not some.owes:
                plays = [play for play in choices if play]
                assert choice(some, LOWEST) == min(plays, key=lambda play: cost_plainly(some, play))
            one = random.choice(choices)
            some.choose(cards_text(one) if some.owes else play_text(one))


@pytest.mark.parametrize(
    ("hand", "others", "pile", "expected"),
    [
        ("9c 9d", ["Ac", "Ks Kc"], "5c 5d", "9c 9d"),
        ("3c 4c 5c", ["6c 7c 8c", "Ks Kc"], "", "3c 4c 5c"),
        ("2s", ["6c 7c 8c", "Ks Kc"], "As", "2s"),
    ],
)
def test_goes_out_when_it_can(hand: str, others: list[str], pile: str, expected: str) -> None:
    assert said(at(hand, others, pile)) == expected


LOW_CARDS = ["3d 4d 5d 6d", "3h 4h 6h 7h"]


@pytest.mark.parametrize(
    ("hand", "pile", "expected"),
    [
        # Nobody beats the jack any more, so the four is the only loser.
        ("Jc 4c", "", "Jc"),
        # Twos close the pile: they come first, then the three.
        ("2c 2d 3c", "", "2c 2d"),
        ("2c 3c", "7d", "2c"),
        # Nobody can make a pair above these.
        ("9c 9s Js 3c", "", "9c 9s"),
        ("9c Ts Js Qc 3c", "5c", "9c"),
    ],
)
def test_runs_out_by_plays_that_cannot_be_beaten(hand: str, pile: str, expected: str) -> None:
    some = at(hand, LOW_CARDS, pile)
    held = parse_cards(" ".join([hand, pile, *LOW_CARDS]))
    some.seen[PLAYED + 1] = NATURALS & ~held  # all other cards are gone
    assert said(some) == expected


FULL = ["3d 4d 5h 6s 7h 8c 9c Tc Js Qh Kh Ah 2h", "3h 4h 5c 6h 7d 8s 9d Td Jh Qd Ks As 2s"]


@pytest.mark.parametrize(
    ("hand", "pile", "expected"),
    [
        # A three goes on nothing but a three, so that the pair is no better than its cards.
        ("3s 3c 4s 4c 5s 6c 6d 9h 9s Jc Kc 2c 2d", "3d", "3c"),
        # The run of 3 4 5 stays whole.
        ("3s 4s 5s 6c 7c 8h 9h Ts Jc Qs Kc 2c 2d", "3d", "6c"),
        # The pair of nines stays whole, and the twos stay.
        ("3s 3c 4s 4c 5s 6c 6d 9h 9s Jc Kc 2c 2d", "7h", "Jc"),
        ("3s 3c 4s 4c 5s 6c 6d 9h 9s Jc Kc 2c 2d", "8c", "Jc"),
        ("3s 3c 4s 4c 5s 6c 6d 9h 9s Jc Kc 2c 2d", "Kh", "Kc"),
        # Kings in a pair and a two stay in the hand, and so does a pair of twos.
        ("3s 3c 4s 4c 5s 5c 6c 6d 9h 9s Kc Ks 2c", "Td", "pass"),
        ("3s 3c 4s 4c 5s 5c 6c 6d 9h 9s Kc Ks 2c", "Ad", "pass"),
        ("3s 3c 4s 5c 6c 7d 9h 9s Tc Ks 2c 2d", "Qd Qh", "pass"),
    ],
)
def test_keeps_what_is_worth_more_later(hand: str, pile: str, expected: str) -> None:
    others = [" ".join(card for card in one.split() if card not in f"{pile} {hand}".split()) for one in FULL]
    assert said(at(hand, others, pile)) == expected


def test_leads_what_a_player_with_one_card_cannot_answer() -> None:
    assert said(at("4c 4d 8s Js", ["Ah", "Ks"])) == "4c 4d"
    assert said(at("4c 4d Js", ["Ah", "Ks", "Qs"])) == "4c 4d"


def test_four_of_a_kind_turns_the_order_if_that_is_better() -> None:
    """With low cards beside it; not with high ones."""
    others = ["4d 8c 9c Td Jd Qc Qh Ad", "5d 8d 9d Tc Jh Qd Kh As"]
    low = at("3c 3d 4c 4h 5h 6c 6d 6h 6s", others, revolution=True)
    high = at("6c 6d 6h 6s Kc Kd Ac Ah 2c 2d", others, revolution=True)
    assert said(low) == "6c 6d 6h 6s"
    assert said(high) != "6c 6d 6h 6s"


@pytest.mark.parametrize(
    ("hand", "owes", "expected"),
    [
        ("3c 4d 5h 5s 8c 8d Th Tc Qs Qd Kc Ah 2s", 2, "3c 4d"),
        # Neither the run nor the pair is broken.
        ("3h 4h 5h 6c 6d 7s 9c 9d Th Tc Kc Ah 2s", 1, "7s"),
    ],
)
def test_returns_low_cards_that_are_of_no_use(hand: str, owes: int, expected: str) -> None:
    some = at(hand, ["3d", "3s", "2c"], exchange=True)
    some.seen[HELD : HELD + 4] = 13
    some.seen[OWES], some.seen[ROUND], some.seen[OFFICE : OFFICE + 4] = owes, 1, (3 - owes, 2, 4, 3)
    assert cards_text(choice(some)) == expected


def test_rules_beat_lowest() -> None:
    """One seat of `rules` among `lowest`, in each seat of every deal; without a gain it would have 1.5 points."""
    rules = President()
    points, deals = 0, 400
    for index in range(deals):
        for seat in range(4):
            some = Round.deal(rules, seed=11, index=index)
            kinds = [RULES if one == seat else LOWEST for one in range(4)]
            assert not play_now(lower(rules), table(*kinds), some.hidden, some.seen, index, no_words())
            points += 4 - some.places[seat]
    assert points / (4 * deals) > 1.8
