from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analyzer.engine.blocks import Block, growing_plan, plan
from analyzer.errors import UsageError


@given(st.integers(1, 10_000), st.integers(1, 3_000))
def test_blocks_cover_every_game_once_in_order(total: int, size: int) -> None:
    blocks = plan(total, size)
    assert [game for block in blocks for game in range(block.start, block.stop)] == list(range(total))
    assert [block.index for block in blocks] == list(range(len(blocks)))
    assert all(block.size == size for block in blocks[:-1])
    assert 1 <= blocks[-1].size <= size


@given(st.integers(1, 5_000), st.integers(1, 5_000), st.integers(1, 500))
def test_a_longer_run_keeps_the_full_blocks_of_a_shorter_one(total: int, more: int, size: int) -> None:
    short, long = plan(total, size), plan(total + more, size)
    full = total // size
    assert short[:full] == long[:full]


@pytest.mark.parametrize(("total", "size"), [(0, 10), (-1, 10), (10, 0), (10, -5)])
def test_nonsense_is_refused(total: int, size: int) -> None:
    with pytest.raises(UsageError, match="must be at least 1"):
        plan(total, size)


def test_blocks_are_values() -> None:
    assert Block(0, 0, 5) == Block(0, 0, 5)
    assert len({Block(0, 0, 5), Block(0, 0, 5)}) == 1


def test_growing_blocks_do_not_depend_on_the_total() -> None:
    long = list(growing_plan(100_000, first=64, largest=4096))
    assert long[0] == Block(0, 0, 64)
    assert [block.index for block in long] == list(range(len(long)))
    assert all(before.stop == after.start for before, after in pairwise(long))
    assert all(block.size % 64 == 0 and 64 <= block.size <= max(64, block.start // 4) for block in long[:-1])
    assert max(block.size for block in long) == 4096
    for total in (1, 64, 65, 5000):
        short = list(growing_plan(total, first=64, largest=4096))
        assert short[-1].stop == total
        assert short[:-1] == long[: len(short) - 1]


@pytest.mark.parametrize("numbers", [(0, 10, 10), (10, 0, 10), (10, 10, 0)])
def test_growing_blocks_need_positive_numbers(numbers: tuple[int, int, int]) -> None:
    with pytest.raises(UsageError, match="must be at least 1"):
        list(growing_plan(*numbers))
