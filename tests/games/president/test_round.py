"""Legal plays and rounds through the kernels, beside the referee who tries subsets of the hand."""

from __future__ import annotations

from random import Random

import pytest

from analyzer.errors import PositionError
from analyzer.games.president.round import Round
from analyzer.games.president.rules import President
from tests.games.president.random_rounds import random_rules, random_table
from tests.games.president.through_kernel import ThroughKernel
from tests.games.president_referee import Table, deal


def through_kernel(table: Table) -> ThroughKernel:
    """The same position for the kernels."""
    return ThroughKernel(
        table.rules, table.hands, table.turn, table.pile, table.last, sorted(table.passed), table.reversed
    )


def check_positions(count: int, seed: int) -> None:
    """Compare the legal plays of random positions, and what one of them leads to."""
    rng = Random(seed)
    some_on_a_run = some_with_jokers = 0
    for _ in range(count):
        table = random_table(random_rules(rng), rng)
        other = through_kernel(table)
        legal = table.legal()
        assert set(other.legal()) == set(legal), (table.rules, vars(table))
        assert len(other.legal()) == len(legal)
        some_on_a_run += table.pile is not None and table.pile.kind == "run" and len(legal) > 1
        some_with_jokers += any("*" in play.cards for play in legal if play)
        play = rng.choice(legal)
        table.do(play)
        other.do(play)
        assert same(table, other), (table.rules, vars(table), play)
    assert some_on_a_run > count // 20
    assert some_with_jokers > count // 10


def same(table: Table, other: ThroughKernel) -> bool:
    """Whether two rounds are at the same point."""
    if table.over or other.over:
        return table.over and other.over and table.places() == other.places()
    return (table.turn, table.pile, table.reversed, table.places()) == (
        other.turn,
        other.pile,
        other.reversed,
        other.places(),
    )


def check_rounds(count: int, seed: int) -> None:
    """Play whole rounds at random on both sides, move by move."""
    rng = Random(seed)
    for _ in range(count):
        rules = random_rules(rng)
        hands = deal(rules, rng.randrange(rules.players), rng)
        table = Table(rules, hands, rng.randrange(rules.players))
        other = ThroughKernel(rules, hands, table.turn)
        while not table.over:
            legal = table.legal()
            assert set(other.legal()) == set(legal)
            play = rng.choice(legal)
            table.do(play)
            other.do(play)
            assert same(table, other), (rules, vars(table), play)
        assert other.over
        assert sorted(other.places()) == list(range(1, rules.players + 1))


def test_legal_plays_beside_the_referee() -> None:
    check_positions(500, seed=1)


@pytest.mark.nightly
def test_legal_plays_of_many_positions_beside_the_referee() -> None:
    check_positions(50_000, seed=2)


def test_rounds_beside_the_referee() -> None:
    check_rounds(10, seed=3)


@pytest.mark.nightly
def test_many_rounds_beside_the_referee() -> None:
    check_rounds(2_000, seed=4)


def test_a_round_in_words() -> None:
    some = Round.start(President(players=3, jokers=1, eight_stop=True), ["6c 7c * 3d", "5h 9s", "4s"], turn=0)
    assert "6c 7c *" in some.legal
    assert "* 6c 7c" in some.legal
    some.choose("* 6c 7c")
    assert (some.turn, some.pile, some.legal) == (1, "* 6c 7c", ("pass",))
    with pytest.raises(PositionError, match=r"play of seat 1 '9s' is unknown"):
        some.choose("9s")


@pytest.mark.parametrize(
    ("hands", "given", "message"),
    [
        (["3c", "4c"], {}, "there are 2 hands; 3 play, give one for each"),
        (["3c", "3c", "4d"], {}, "3c lies in two places; every card is there once, name it once"),
        (["3c *", "4c", "4d"], {}, "the deck has 0 jokers, not 1; set jokers or leave them out"),
        (["3c", "4c", "4d"], {"turn": 3}, "turn 3 is no seat with cards; choose one from 0 to 2"),
        (["3c", "4c", "4d"], {"pile": "5d"}, "who made the play 5d is None; give last, a seat"),
        (["3c", "", ""], {}, "fewer than two seats have cards; the round is over"),
        (["3c", "4c", "4x"], {}, "card '4x' is unknown"),
        (["3c", "4c", "4d"], {"pile": "5d 6d"}, "'5d 6d' is no play"),
    ],
)
def test_positions_that_cannot_be(hands: list[str], given: dict[str, object], message: str) -> None:
    with pytest.raises(PositionError) as error:
        Round.start(President(players=3), hands, **{"turn": 0, **given})  # type: ignore[arg-type]
    assert str(error.value).startswith(message)
