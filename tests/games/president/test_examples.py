"""Worked examples of President, and for every option an outcome that it changes."""

from __future__ import annotations

from typing import Any

import pytest

from analyzer.games.options import options_of_class
from analyzer.games.president.rules import President
from tests.games.president import test_between_rounds
from tests.games.president.positions import A, B, C, D, Game, after, answers, at, closes, play, runs
from tests.games.president.through_kernel import ThroughKernel
from tests.games.president_referee import JOKER, PASS, RANKS, SUITS, Play, Table, deck_of

WITH_JOKERS = {"jokers": 2}
REVOLUTION = {"revolution": True}
EIGHTS = {"eight_stop": True}
FIVE_TO_SEVEN = play("5h 6h 7h")


class Referee:
    """The referee plays."""

    table = Table


class Kernel:
    """The kernels play."""

    table = ThroughKernel


@pytest.fixture(params=[Referee(), Kernel()], ids=["referee", "kernel"])
def game(request: pytest.FixtureRequest) -> Any:
    """Who plays."""
    return request.param


# Runs.


def test_what_answers_a_run(game: Game) -> None:
    for cards in ("5s 6s 7s", "6c 7c 8c", "Kd Ad 2d"):
        assert play(cards) in answers(game, {}, cards, FIVE_TO_SEVEN)
    for cards in ("4d 5d 6d", "5s 6s 7s 8s", "7c 7d 7s", "9s Ts Jc", "2c 2d 2s", "Kc Kd Kh Ks", "2c"):
        found = answers(game, {}, cards, FIVE_TO_SEVEN)
        assert not [one for one in found if len(one.cards) == len(cards.split())]
    assert play("6s 7s 8s") in answers(game, {}, "5s 6s 7s 8s", FIVE_TO_SEVEN)  # three of the four
    assert answers(game, WITH_JOKERS, "* *", FIVE_TO_SEVEN) == set()


def test_what_a_run_is(game: Game) -> None:
    for cards in ("Ks As 2s", "Qh Kh Ah 2h", "3c 4c 5c"):
        assert play(cards) in answers(game, {}, cards, None)
    for cards in ("As 2s 3s", "2s 3s 4s", "9s Ts Jc", "7s 8s", "3s 5s 7s"):
        assert not runs(answers(game, {}, cards, None))


def test_how_many_runs_there_are(game: Game) -> None:
    lengths = [len(one.cards) for suit in SUITS for one in whole_suit(game, suit) if one.kind == "run"]
    assert lengths.count(3) == 44
    assert lengths.count(4) == 40
    assert lengths.count(13) == 4
    assert max(lengths) == 13


def whole_suit(game: Game, suit: str) -> set[Play]:
    return answers(game, {}, " ".join(rank + suit for rank in RANKS), None)


def test_the_highest_run(game: Game) -> None:
    highest = play("Kd Ad 2d")
    assert runs(answers(game, {}, "Qc Kc Ac Kh Ah 2h", highest)) == {"KA2h"}
    assert not closes(game, {}, None, highest)
    assert not closes(game, {}, highest, play("Kh Ah 2h"))


def test_runs_and_groups_do_not_mix(game: Game) -> None:
    assert not answers(game, {}, "6c 7c 8c", play("5c 5d 5h"))
    assert answers(game, {}, "6c 7c 8c 6d 6h", play("5c 5d 5h")) == {play("6c 6d 6h")}
    assert not answers(game, WITH_JOKERS, "2c 2d 2h 2s *", FIVE_TO_SEVEN)


def test_runs_in_the_reversed_order(game: Game) -> None:
    middle = play("7h 8h 9h")
    for cards, legal in (("7c 8c 9c", 1), ("6d 7d 8d", 1), ("3c 4c 5c", 1), ("8s 9s Ts", 0), ("Kd Ad 2d", 0)):
        assert answers(game, REVOLUTION, cards, middle, order=True) == ({play(cards)} if legal else set())
    assert runs(answers(game, REVOLUTION, "Kc Ac 2c 3c", None, order=True)) == {"KA2c"}


def test_jokers_in_runs(game: Game) -> None:
    assert play("5h * 7h") in answers(game, WITH_JOKERS, "5h 7h *", None)
    pile = FIVE_TO_SEVEN
    assert answers(game, WITH_JOKERS, "6c 7c *", pile) == {play("6c 7c *", "5"), play("6c 7c *", "6")}
    found = answers(game, WITH_JOKERS, "6c * *", pile)
    assert found == {play("6c * *", "5", "run"), play("6c * *", "6", "run")}
    assert runs(answers(game, WITH_JOKERS, "2c * *", None)) == {"KA2c"}
    assert runs(answers(game, WITH_JOKERS, "3c * *", None)) == {"345c"}


def test_all_answers_of_a_hand(game: Game) -> None:
    found = answers(game, WITH_JOKERS, "4h 5h 6h 7h 7c 8c 9c 9d *", play("5s 6s 7s"))
    assert runs(found) == {"567h", "678h", "678c", "789c", "89Tc"}
    natural = {one for one in found if JOKER not in one.cards}
    assert natural == {play("5h 6h 7h"), play("7c 8c 9c")}
    # The joker may also be any card of a run that the hand has.
    assert len(found) == 4 + 1 + 1 + 4 + 1


def test_jokers_alone_are_no_run_and_a_run_has_13_cards(game: Game) -> None:
    hand = " ".join([*(rank + "c" for rank in RANKS), "*"])
    found = answers(game, WITH_JOKERS, hand, None)
    assert max(len(one.cards) for one in found) == 13
    longest = [one for one in found if len(one.cards) == 13]
    assert len(longest) == 14  # without a joker, or with it instead of one of 13
    assert not runs(answers(game, WITH_JOKERS, "* *", None))


# Groups.


def test_groups(game: Game) -> None:
    assert len(answers(game, {}, "5c 5d 5h 5s", None)) == 15
    assert answers(game, {}, "4c 5c 6d 6h", play("5d")) == {play("5c"), play("6d"), play("6h")}
    assert answers(game, {}, "6c 6d 6h", play("5c 5d")) == {play("6c 6d"), play("6c 6h"), play("6d 6h")}


def test_groups_have_four_cards_at_most(game: Game) -> None:
    found = answers(game, WITH_JOKERS, "5c 5d 5h 5s * *", None)
    assert max(len(one.cards) for one in found) == 4
    assert play("5c 5d * *") in found
    assert play("5c 5d 5h *") in found


def test_a_joker_beside_a_card_has_its_rank(game: Game) -> None:
    assert answers(game, WITH_JOKERS, "5c *", play("4c 4d")) == {play("5c *")}
    assert answers(game, WITH_JOKERS, "5c *", play("6c 6d")) == set()
    assert answers(game, WITH_JOKERS | {"all_jokers": "may_be_2s"}, "5c *", play("6c 6d")) == set()


@pytest.mark.parametrize("order", [False, True])
def test_jokers_alone_are_above_all(game: Game, order: bool) -> None:
    options = WITH_JOKERS | REVOLUTION
    joker, jokers = play("*", "*"), play("* *", "*")
    for rank in RANKS:
        assert answers(game, options, "*", play(rank + "c"), order) == {joker}
        assert answers(game, options, rank + "c", joker, order) == set()
        assert jokers in answers(game, options, "* *", play(f"{rank}c {rank}d"), order)
        assert answers(game, options, f"{rank}c {rank}d", jokers, order) == set()
    assert answers(game, options, "*", joker, order) == {joker}  # equal
    assert answers(game, options, "3s", joker, order) == set()
    assert answers(game, options | {"beat": "higher"}, "*", joker, order) == set()
    assert answers(game, options | {"beat": "higher"}, "*", play("2c"), order) == {joker}
    assert not closes(game, options, None, joker, order)


def test_an_equal_play_skips_nobody(game: Game) -> None:
    table = after(game, {}, ("5c 9c", "5d 9d", "5h 9h", "5s 9s"), play("5c"), play("5d"))
    assert table.turn == C
    table.do(play("5h"))
    assert table.turn == D
    # A suit that was answered with does not bind.
    assert play("5s") in table.legal()


# What closes a pile.


def test_twos_close(game: Game) -> None:
    nines = play("9c 9d")
    options = WITH_JOKERS
    assert closes(game, options, nines, play("2h 2s"))
    assert closes(game, options, nines, play("2h *", kind="group"))
    assert closes(game, options, None, play("2h"))
    assert not closes(game, options, nines, play("* *", "*"))
    assert not closes(game, options, nines, play("Ac Ad"))


def test_eights_close(game: Game) -> None:
    assert closes(game, EIGHTS, play("7c 7d"), play("8c 8d"))
    assert not closes(game, {}, play("7c 7d"), play("8c 8d"))
    assert closes(game, EIGHTS, FIVE_TO_SEVEN, play("6c 7c 8c"))
    assert not closes(game, EIGHTS, FIVE_TO_SEVEN, play("5s 6s 7s"))
    assert closes(game, EIGHTS, FIVE_TO_SEVEN, play("7c 8c 9c"))
    assert closes(game, EIGHTS, FIVE_TO_SEVEN, play("8c 9c Tc"))
    assert not closes(game, EIGHTS, FIVE_TO_SEVEN, play("9c Tc Jc"))
    assert closes(game, EIGHTS | REVOLUTION, play("9c"), play("8c"), order=True)
    assert closes(game, EIGHTS | WITH_JOKERS, play("7c 7d"), play("8c *", kind="group"))


def test_who_declares_a_joker_an_eight_closes(game: Game) -> None:
    options = EIGHTS | WITH_JOKERS
    assert not closes(game, options, FIVE_TO_SEVEN, play("6c 7c *", "5"))
    assert closes(game, options, FIVE_TO_SEVEN, play("6c 7c *", "6"))


def test_a_long_run_closes_by_its_eight_and_reverses_nothing(game: Game) -> None:
    run = play("5h 6h 7h 8h")
    table = after(game, REVOLUTION | EIGHTS, ("5h 6h 7h 8h 9c", "Td", "Jd"), run)
    assert (table.pile, table.turn, table.reversed) == (None, A, False)


# The reversed order.


@pytest.mark.parametrize("fives", ["5c 5d 5h 5s", "5c 5d 5h *", "5c 5d * *"])
def test_four_alike_reverse_the_order(game: Game, fives: str) -> None:
    hands = (f"{fives} 9c 9d", "4c 4d 4h 4s 6c 6d 6h 6s Tc", "Jc Kc")
    table = after(game, REVOLUTION | WITH_JOKERS, hands, play(fives, kind="group"))
    assert (table.reversed, table.turn) == (True, B)
    assert play("4c 4d 4h 4s") in table.legal()
    assert play("6c 6d 6h 6s") not in table.legal()
    table.do(play("4c 4d 4h 4s"))
    assert not table.reversed
    assert after(game, WITH_JOKERS, hands, play(fives, kind="group")).reversed is False


def test_the_order_stays_reversed_after_the_pile(game: Game) -> None:
    hands = ("5c 5d 5h 5s 9c 4c", "8d 3d 3s", "Td Ts")
    table = after(game, REVOLUTION, hands, play("5c 5d 5h 5s"), PASS, PASS)
    assert (table.pile, table.turn, table.reversed) == (None, A, True)
    table.do(play("9c"))
    assert set(table.legal()) == {play("8d"), play("3d"), play("3s"), PASS}
    table.do(play("8d"))
    assert table.legal() == [PASS]


def test_four_twos_reverse_the_order_and_close(game: Game) -> None:
    twos, threes = play("2c 2d 2h 2s"), play("3c 3d 3h 3s")
    for order in (False, True):
        table = after(game, REVOLUTION, ("2c 2d 2h 2s 9c", "Td", "Jd"), twos, reversed=order)
        assert (table.pile, table.turn, table.reversed) == (None, A, not order)
        assert not closes(game, REVOLUTION, None, threes, order)


# The course of a pile.


def test_the_leader_may_not_pass(game: Game) -> None:
    table = at(game, {}, "3c 9c", "4c", "5c")
    assert PASS not in table.legal()
    with pytest.raises(ValueError, match="None is not among"):
        table.do(PASS)
    table.do(play("3c"))
    assert PASS in table.legal()  # though the four could be played


def test_who_played_last_leads_when_all_others_have_passed(game: Game) -> None:
    table = after(game, {}, ("3c 9c", "4c 9d", "5c 9h", "6c 9s"), play("3c"), PASS, play("5c"), PASS)
    assert (table.turn, table.pile) == (A, play("5c"))
    table.do(PASS)
    assert (table.turn, table.pile) == (C, None)


def test_a_pile_may_be_under_way(game: Game) -> None:
    hands = ("6c 9c", "6d 9d", "6h 9h", "6s 9s")
    for passed, turn in (((), B), ((B,), D), ((B, D), C)):
        table = after(game, {}, hands, PASS, pile=play("5c"), last=C, passed=passed)
        assert (table.turn, table.pile) == (turn, None if turn == C else play("5c"))


def test_who_went_out_last_leaves_the_lead_to_the_next(game: Game) -> None:
    hands = ("3c 9c", "4c 9d", "5c", "6c 9s")
    table = after(game, {}, hands, play("3c"), PASS, play("5c"), PASS)
    assert (table.turn, table.pile) == (A, play("5c"))  # A may still play on it
    table.do(PASS)
    assert (table.turn, table.pile) == (D, None)
    # And if the next one is out too, the one after him.
    table = after(game, {}, ("3c 9c", "4c 9d", "5c", "6c"), play("3c"), PASS, play("5c"), play("6c"), PASS)
    assert (table.turn, table.pile) == (A, None)


def test_others_play_on_what_the_last_card_was(game: Game) -> None:
    table = after(game, {}, ("3c", "4c 9d", "2c 9h"), play("3c"), play("4c"), PASS)
    assert (table.turn, table.pile, table.places()[A]) == (B, None, 1)


def test_a_pile_ends_at_once_when_nobody_is_left_to_answer(game: Game) -> None:
    """D answers what A went out with, after B and C have passed."""
    table = after(game, {}, ("3c", "4c 9d", "5c 9h", "6c 9s"), play("3c"), PASS, PASS, play("6c"))
    assert (table.turn, table.pile) == (D, None)
    table = after(game, {}, ("3c", "4c 9d", "5c 9h", "6c"), play("3c"), PASS, PASS, play("6c"))
    assert (table.turn, table.pile) == (B, None)


def test_who_closes_with_the_last_card_leaves_the_lead(game: Game) -> None:
    for last, options in (("2c", {}), ("8c", EIGHTS), ("6c 7c 8c", EIGHTS)):
        table = after(game, options, (last, "4d 9d", "5d 9h"), play(last))
        assert (table.turn, table.pile, table.places()) == (B, None, [1, 0, 0])
    table = after(game, {}, ("3c 9c", "2c", "5d 9h"), play("3c"), play("2c"))
    assert (table.turn, table.pile) == (C, None)


def test_places_are_those_of_going_out(game: Game) -> None:
    hands = ("3c 9c", "4c", "5c 5d", "6c")
    table = after(game, {}, hands, play("3c"), play("4c"), play("5c"))
    assert not table.over
    table.do(play("6c"))
    assert table.places() == [0, 1, 0, 2]
    table.do(play("9c"))
    assert table.over
    assert table.places() == [3, 1, 4, 2]


def test_going_out_with_a_joker(game: Game) -> None:
    table = after(game, WITH_JOKERS, ("*", "4c", "5c 5d"), play("*", "*"))
    assert (table.turn, table.places()) == (B, [1, 0, 0])
    assert table.legal() == [PASS]


# One test for every option of play: the same hand, another outcome.


def test_players(game: Game) -> None:
    for players in range(3, 9):
        hands = [f"{rank}c {rank}d" for rank in RANKS[:players]]
        table = after(game, {}, hands, play("3c"), *[PASS] * (players - 2))
        assert (table.turn, table.pile) == (players - 1, play("3c"))
        table.do(PASS)
        assert (table.turn, table.pile) == (A, None)


def test_jokers(game: Game) -> None:
    assert [deck_of(President(jokers=jokers)).count(JOKER) for jokers in (0, 1, 2)] == [0, 1, 2]
    assert play("4c *", kind="group") in answers(game, {"jokers": 1}, "4c *", None)
    assert play("* *", "*") in answers(game, {"jokers": 2}, "* *", None)


def test_runs(game: Game) -> None:
    hand = "3c 4c 5c 5d"
    assert runs(answers(game, {}, hand, None)) == {"345c"}
    assert len(answers(game, {}, hand, None)) == 6
    assert runs(answers(game, {"runs": False}, hand, None)) == set()
    assert len(answers(game, {"runs": False}, hand, None)) == 5


def test_beat(game: Game) -> None:
    higher = {"beat": "higher"}
    assert answers(game, {}, "5c 6c", play("5d")) == {play("5c"), play("6c")}
    assert answers(game, higher, "5c 6c", play("5d")) == {play("6c")}
    assert answers(game, higher | REVOLUTION, "4c 5c", play("5d"), order=True) == {play("4c")}
    assert runs(answers(game, {}, "5c 6c 7c 8c", FIVE_TO_SEVEN)) == {"567c", "678c"}
    assert runs(answers(game, higher, "5c 6c 7c 8c", FIVE_TO_SEVEN)) == {"678c"}
    assert runs(answers(game, higher | REVOLUTION, "4c 5c 6c 7c", FIVE_TO_SEVEN, order=True)) == {"456c"}


def test_run_beat(game: Game) -> None:
    hand = "5c 6c 7c 8c 9c Tc Jc"
    assert runs(answers(game, {}, hand, FIVE_TO_SEVEN)) == {"567c", "678c", "789c", "89Tc", "9TJc"}
    for beat in ("equal_or_higher", "higher"):
        disjoint = {"run_beat": "disjoint", "beat": beat}
        assert runs(answers(game, disjoint, hand, FIVE_TO_SEVEN)) == {"89Tc", "9TJc"}
        found = answers(game, disjoint | REVOLUTION, "3c 4c 5c 6c 7c", play("6h 7h 8h"), order=True)
        assert runs(found) == {"345c"}
    # Groups know no such thing.
    assert answers(game, {"run_beat": "disjoint"}, "5c", play("5d")) == {play("5c")}


def test_all_jokers(game: Game) -> None:
    either = WITH_JOKERS | {"all_jokers": "may_be_2s"}
    for cards in ("*", "* *"):
        above, twos = play(cards, "*"), play(cards, "2")
        assert {one for one in answers(game, WITH_JOKERS, cards, None) if one.cards == above.cards} == {above}
        assert {one for one in answers(game, either, cards, None) if one.cards == above.cards} == {above, twos}
        assert closes(game, either, None, twos)
        assert not closes(game, either, None, above)
    assert answers(game, either, "*", play("*", "*")) == {play("*", "*")}
    assert answers(game, either | REVOLUTION, "*", play("5c"), order=True) == {play("*", "*")}


def test_revolution(game: Game) -> None:
    for options, reverses in (({}, False), (REVOLUTION, True)):
        assert after(game, options, ("5c 5d 5h 5s 9c", "Td", "Jd"), play("5c 5d 5h 5s")).reversed is reverses
        assert after(game, options, ("5c 5d 5h 9c", "Td", "Jd"), play("5c 5d 5h")).reversed is False


def test_run_revolution(game: Game) -> None:
    options = REVOLUTION | WITH_JOKERS | {"run_revolution": True}
    for cards in ("5h 6h 7h", "5h 6h 7h 8h", "5h 6h 7h 8h 9h", "5h 6h 7h *"):
        hands = (f"{cards} 9c", "Td", "Jd")
        run = play(cards, "5", "run")
        assert after(game, REVOLUTION | WITH_JOKERS, hands, run).reversed is False
        assert after(game, options, hands, run).reversed is (len(run.cards) >= 4)
    table = after(game, options | EIGHTS, ("5h 6h 7h 8h 9c", "Td", "Jd"), play("5h 6h 7h 8h"))
    assert (table.pile, table.turn, table.reversed) == (None, A, True)
    hands = ("5h 6h 7h 8h 9c", "4c 5c 6c 7c 6d 7d 8d 9d 9s", "Jd")
    table = after(game, options, hands, play("5h 6h 7h 8h"))
    assert runs(one for one in table.legal() if one) == {"4567c"}  # at once


def test_closer_in_revolution(game: Game) -> None:
    threes = REVOLUTION | {"closer_in_revolution": "threes"}
    for options, order, two, three in (
        (REVOLUTION, False, True, False),
        (REVOLUTION, True, True, False),
        (threes, False, True, False),
        (threes, True, False, True),
    ):
        assert closes(game, options, None, play("2c"), order) is two
        assert closes(game, options, None, play("3c 3d"), order) is three
    for order in (False, True):
        # Judged by the order after the play.
        assert closes(game, threes, None, play("2c 2d 2h 2s"), order) is order
        assert closes(game, threes, None, play("3c 3d 3h 3s"), order) is not order
    assert closes(game, threes | WITH_JOKERS, None, play("3c *", kind="group"), order=True)


def test_eight_stop(game: Game) -> None:
    for options, stops in (({}, False), (EIGHTS, True)):
        assert closes(game, options, play("7c"), play("8c")) is stops
        assert closes(game, options, FIVE_TO_SEVEN, play("6c 7c 8c")) is stops
        assert not closes(game, options, play("7c"), play("9c"))


def test_eight_by_joker(game: Game) -> None:
    options = EIGHTS | WITH_JOKERS
    by_nature = options | {"eight_by_joker": False}
    for cards, low, stops in (("7c * 9c", "7", False), ("6c 7c *", "6", False), ("* 7c 8c", "6", True)):
        run = play(cards, low)
        assert closes(game, options, FIVE_TO_SEVEN, run)
        assert closes(game, by_nature, FIVE_TO_SEVEN, run) is stops
    assert closes(game, by_nature, play("7c"), play("8c"))
    assert closes(game, by_nature, play("7c 7d"), play("8c *", kind="group"))


def test_pass_locks(game: Game) -> None:
    hands = ("3c 9c", "4c 9d", "5c 9h", "6c 9s")
    plays = (play("3c"), PASS, play("5c"), play("6c"), play("9c"))
    table = after(game, {}, hands, *plays)
    assert (table.turn, table.pile) == (C, play("9c"))
    table = after(game, {"pass_locks": False}, hands, *plays)
    assert (table.turn, table.pile) == (B, play("9c"))
    table.do(PASS)
    table.do(play("9h"))
    assert table.turn == D
    for _ in range(2):  # D, who has been asked, and B again
        table.do(PASS)
    assert (table.turn, table.pile) == (D, None)


def test_every_option_has_its_test() -> None:
    tests = {**globals(), **vars(test_between_rounds)}
    assert [one.name for one in options_of_class(President) if f"test_{one.name}" not in tests] == []
