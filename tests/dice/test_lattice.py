"""The lattice of multisets against `itertools`: order, links, chances, parts and ordered outcomes."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, combinations_with_replacement, product
from math import comb
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from analyzer.dice.lattice import MAX_OUTCOMES, MAX_PAIRS, Lattice
from analyzer.errors import PositionError
from tests.dice.reference import Dice, tie_rank

SIZES = [(1, 2), (1, 6), (1, 12), (2, 2), (2, 3), (3, 4), (4, 5), (5, 6), (6, 3), (10, 2), (3, 12)]

sizes = st.sampled_from(SIZES)


def multisets(dice: int, faces: int) -> list[Dice]:
    """All multisets of up to `dice` dice in the order of the tie rule, the least preferred first."""
    found = [roll for n in range(dice + 1) for roll in combinations_with_replacement(range(1, faces + 1), n)]
    return sorted(found, key=tie_rank)


@st.composite
def lattices_and_dice(draw: st.DrawFn) -> tuple[Lattice, list[int]]:
    dice, faces = draw(sizes)
    return Lattice.of(dice, faces), draw(st.lists(st.integers(1, faces), max_size=dice))


@pytest.mark.parametrize(("dice", "faces"), SIZES)
def test_nodes_are_all_multisets_in_the_order_of_the_tie_rule(dice: int, faces: int) -> None:
    lattice = Lattice.of(dice, faces)
    expected = multisets(dice, faces)
    assert lattice.nodes == len(expected) == comb(dice + faces, faces)
    assert lattice.rolls == comb(dice + faces - 1, dice)
    assert [tuple(reversed(lattice.faces_of(node))) for node in range(lattice.nodes)] == expected
    assert [lattice.index(roll) for roll in expected] == list(range(lattice.nodes))
    assert lattice.offset.tolist() == [sum(len(roll) < n for roll in expected) for n in range(dice + 1)] + [
        lattice.nodes
    ]
    assert lattice.first_roll == lattice.offset[dice]


@pytest.mark.parametrize(("dice", "faces"), SIZES)
def test_counts_are_those_of_the_faces(dice: int, faces: int) -> None:
    lattice = Lattice.of(dice, faces)
    expected = [[roll.count(face) for face in range(1, faces + 1)] for roll in multisets(dice, faces)]
    assert lattice.counts.tolist() == expected
    assert lattice.roll_counts.tolist() == expected[lattice.first_roll :]


@pytest.mark.parametrize(("dice", "faces"), SIZES)
def test_links_add_and_take_away_one_die(dice: int, faces: int) -> None:
    lattice = Lattice.of(dice, faces)
    place = {roll: node for node, roll in enumerate(multisets(dice, faces))}
    assert lattice.append.shape == (lattice.first_roll, faces)
    for roll, node in place.items():
        if len(roll) < dice:
            more = [place[tuple(sorted((*roll, face)))] for face in range(1, faces + 1)]
            assert lattice.append[node].tolist() == more
        fewer = []
        for face in sorted(set(roll)):
            left = list(roll)
            left.remove(face)
            fewer.append(place[tuple(left)])
        assert lattice.removals[node] == len(fewer)
        assert lattice.remove[node, : len(fewer)].tolist() == fewer


@pytest.mark.parametrize(("dice", "faces"), SIZES)
def test_chances_count_ordered_rolls(dice: int, faces: int) -> None:
    lattice = Lattice.of(dice, faces)
    for n in range(dice + 1):
        count = Counter(tuple(sorted(roll)) for roll in product(range(1, faces + 1), repeat=n))
        for roll, number in count.items():
            assert lattice.probability[lattice.index(roll)] == pytest.approx(number / faces**n, rel=1e-14)
        assert sum(count.values()) == faces**n


@pytest.mark.parametrize(("dice", "faces"), [size for size in SIZES if size != (10, 2)] + [(8, 2)])
def test_parts_of_every_node_are_listed_once(dice: int, faces: int) -> None:
    lattice = Lattice.of(dice, faces)
    for node in range(lattice.nodes):
        roll = lattice.faces_of(node)
        expected = {part for n in range(len(roll) + 1) for part in combinations(roll, n)}
        start, stop = lattice.subset_offset[node : node + 2]
        listed = [lattice.faces_of(part) for part in lattice.subsets[start:stop].tolist()]
        assert len(listed) == len(expected)
        assert set(listed) == expected


@pytest.mark.parametrize(("dice", "faces"), SIZES)
def test_outcomes_are_the_ordered_throws_of_the_missing_dice(dice: int, faces: int) -> None:
    lattice = Lattice.of(dice, faces)
    assert lattice.tabulated
    end = 0
    for node in range(lattice.nodes):
        kept = lattice.faces_of(node)
        assert lattice.outcome_offset[node] == end
        throws = product(range(1, faces + 1), repeat=dice - len(kept))
        rolls = [lattice.index((*kept, *dice_thrown)) - lattice.first_roll for dice_thrown in throws]
        assert lattice.outcome_count[node] == len(rolls)
        assert lattice.outcomes[end : end + len(rolls)].tolist() == rolls
        end += len(rolls)
    assert len(lattice.outcomes) == end


@pytest.mark.parametrize(("dice", "faces"), SIZES)
def test_union_holds_the_dice_of_both(dice: int, faces: int) -> None:
    lattice = Lattice.of(dice, faces)
    for n in range(dice + 1):
        node = int(lattice.offset[n + 1]) - 1 - n % 2
        others = np.arange(lattice.offset[dice - n + 1])
        expected = [lattice.index(lattice.faces_of(node) + lattice.faces_of(int(other))) for other in others]
        assert lattice.union(node, others).tolist() == expected


@pytest.mark.parametrize(
    ("dice", "faces", "tabulated"),
    [(7, 6, True), (8, 6, False), (10, 2, True), (10, 4, True), (10, 5, False), (6, 12, False)],
)
def test_outcomes_are_tabulated_up_to_the_limit(dice: int, faces: int, tabulated: bool) -> None:
    ordered = sum(comb(n + faces - 1, n) * faces ** (dice - n) for n in range(dice + 1))
    assert (ordered <= MAX_OUTCOMES) == tabulated
    assert Lattice.of(dice, faces).tabulated == tabulated


def test_too_many_parts_are_refused() -> None:
    lattice = Lattice.of(10, 8)
    assert lattice.subset_offset[-1] == comb(10 + 2 * 8, 10) > MAX_PAIRS
    with pytest.raises(PositionError) as caught:
        _ = lattice.subsets
    assert "10 dice with 8 faces have 5,311,735 keeps of nodes" in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("dice", "message"),
    [
        ([0], "die 0 does not exist; faces go from 1 to 6"),
        ([1, 7], "die 7 does not exist; faces go from 1 to 6"),
        ([-1], "die -1 does not exist"),
        ([1] * 6, "6 dice are too many; the game has 5"),
    ],
)
def test_dice_that_cannot_be_are_refused(dice: list[int], message: str) -> None:
    with pytest.raises(PositionError) as caught:
        Lattice.of(5, 6).index(dice)
    assert message in str(caught.value)


def test_the_same_lattice_is_built_once() -> None:
    assert Lattice.of(3, 4) is Lattice.of(3, 4)


@given(lattices_and_dice(), st.randoms(use_true_random=False))
def test_the_order_of_the_dice_does_not_matter(given_dice: tuple[Lattice, list[int]], random: Random) -> None:
    lattice, dice = given_dice
    shuffled = random.sample(dice, len(dice))
    node = lattice.index(shuffled)
    assert node == lattice.index(dice)
    assert lattice.faces_of(node) == tuple(sorted(dice, reverse=True))


@given(lattices_and_dice())
def test_adding_die_by_die_gives_the_roll(given_dice: tuple[Lattice, list[int]]) -> None:
    lattice, dice = given_dice
    node = 0
    for die in dice:
        before, node = node, int(lattice.append[node, die - 1])
        assert before in lattice.remove[node, : lattice.removals[node]]
    assert node == lattice.index(dice)


@given(lattices_and_dice(), st.integers(0, 10))
def test_a_union_of_two_parts_is_the_whole(given_dice: tuple[Lattice, list[int]], cut: int) -> None:
    lattice, dice = given_dice
    first, second = lattice.index(dice[:cut]), lattice.index(dice[cut:])
    assert lattice.union(first, np.array([second])).tolist() == [lattice.index(dice)]
    assert lattice.union(second, np.array([first])).tolist() == [lattice.index(dice)]


@given(st.integers(1, 10), st.integers(2, 12), st.data())
def test_index_and_faces_are_inverse_in_every_size(dice: int, faces: int, data: st.DataObject) -> None:
    """Sizes up to a million nodes are built in a moment, but only small ones are worth the memory here."""
    if comb(dice + faces, faces) > 5_000:
        dice = min(dice, 4)
    lattice = Lattice.of(dice, faces)
    node = data.draw(st.integers(0, lattice.nodes - 1))
    assert lattice.index(lattice.faces_of(node)) == node
