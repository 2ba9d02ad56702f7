from math import ceil

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from scipy import stats

from analyzer.engine.jit import kernel
from analyzer.engine.streams import STREAM_VERSION, bounded, bounded_wide, is_biased, philox, replaced, words

FALSE_ALARM = 1e-6
U32 = 2**32

u32 = st.integers(0, 2**32 - 1)
u64 = st.integers(0, 2**64 - 1)
slots = st.integers(0, 2**24 - 1)

# Random123, tests/kat_vectors, "philox4x32 10": counter, key, result.
KNOWN_ANSWERS = [
    ("00000000 00000000 00000000 00000000", "00000000 00000000", "6627e8d5 e169c58d bc57ac4c 9b00dbd8"),
    ("ffffffff ffffffff ffffffff ffffffff", "ffffffff ffffffff", "408f276d 41c83b0e a20bc7c6 6d5451fd"),
    ("243f6a88 85a308d3 13198a2e 03707344", "a4093822 299f31d0", "d16cfe09 94fdcceb 5001e420 24126ea1"),
]


def hexadecimal(text: str) -> tuple[int, ...]:
    return tuple(int(word, 16) for word in text.split())


def reference_philox(counter: tuple[int, ...], key: tuple[int, ...]) -> tuple[int, ...]:
    """Philox4x32-10 in unlimited integers, after section 3.3 of the paper."""
    c0, c1, c2, c3 = counter
    k0, k1 = key
    for _ in range(10):
        high0, low0 = divmod(0xD2511F53 * c0, U32)
        high1, low1 = divmod(0xCD9E8D57 * c2, U32)
        c0, c1, c2, c3 = high1 ^ c1 ^ k0, low1, high0 ^ c3 ^ k1, low0
        k0, k1 = (k0 + 0x9E3779B9) % U32, (k1 + 0xBB67AE85) % U32
    return c0, c1, c2, c3


def reference_words(seed: int, index: int, step: int, slot: int) -> tuple[int, ...]:
    return reference_philox((index % U32, index // U32, step, slot), (seed % U32, seed // U32))


def multiply_shift(word: int, bound: int, bits: int) -> int | None:
    """Lemire's rule for words of any size; None if the word is rejected."""
    value, low = divmod(word * bound, 2**bits)
    return None if low < 2**bits % bound else value


def reference_bounded(word: int, bound: int, address: tuple[int, int, int, int], position: int) -> int:
    seed, index, step, slot = address
    value, attempt = multiply_shift(word, bound, 32), 0
    while value is None:
        spare = reference_words(seed, index, step, 2**31 + 2**24 * attempt + slot)
        value, attempt = multiply_shift(spare[position], bound, 32), attempt + 1
    return value


@pytest.mark.parametrize(("counter", "key", "answer"), KNOWN_ANSWERS)
def test_philox_known_answers(counter: str, key: str, answer: str) -> None:
    assert philox(*hexadecimal(counter), *hexadecimal(key)) == hexadecimal(answer)
    assert reference_philox(hexadecimal(counter), hexadecimal(key)) == hexadecimal(answer)


@given(u64, u64, u32, slots)
def test_words_equal_the_reference(seed: int, index: int, step: int, slot: int) -> None:
    typed = words(np.uint64(seed), np.uint64(index), np.uint32(step), np.uint32(slot))
    assert typed == reference_words(seed, index, step, slot)


def test_words_do_not_depend_on_the_integer_type() -> None:
    assert words(5, 6, 7, 8) == words(np.uint64(5), np.int32(6), np.uint8(7), np.int64(8))


@pytest.mark.parametrize("bits", [1, 4, 8])
def test_rule_gives_every_value_the_same_number_of_words(bits: int) -> None:
    for bound in range(1, 2**bits):
        values = [multiply_shift(word, bound, bits) for word in range(2**bits)]
        kept = [value for value in values if value is not None]
        assert np.array_equal(np.bincount(kept, minlength=bound), np.full(bound, 2**bits // bound))


@pytest.mark.parametrize("bound", [1, 2, 5, 6, 24, 52, 252, 1296, 7776, 2**16, 3 * 2**30, 2**31 + 1, 2**32 - 1])
def test_bounded_follows_the_rule_around_every_boundary(bound: int) -> None:
    """Only the first word of a value can be rejected, so the words around the boundaries decide."""
    address = (2**63 + 1, 10**15, 12, 34)
    typed = tuple(map(np.uint64, address))
    for value in {*range(min(bound, 300)), bound // 2, bound - 1}:
        first = ceil(value * U32 / bound) if bound < 2**20 else -(-value * U32 // bound)
        for word in {max(first - 1, 0), first, min(first + 1, U32 - 1)}:
            for position in range(4):
                answer = bounded(np.uint32(word), np.uint64(bound), *typed, position)
                assert answer == reference_bounded(word, bound, address, position)


@given(u32, st.integers(1, 2**32 - 1), u64, u64, u32, slots, st.integers(0, 3))
@example(0, 2**31 + 1, 0, 0, 0, 0, 0)
@example(0, 2**32 - 1, 2**64 - 1, 2**64 - 1, 2**32 - 1, 2**24 - 1, 3)
def test_bounded_equals_the_reference(
    word: int, bound: int, seed: int, index: int, step: int, slot: int, position: int
) -> None:
    typed = [np.uint32(word), np.uint64(bound), *map(np.uint64, (seed, index, step, slot)), position]
    assert bounded(*typed) == reference_bounded(word, bound, (seed, index, step, slot), position)


@given(u32, st.integers(1, 2**32 - 1), u64, u64, u32, slots, st.integers(0, 3))
@example(0, 2**31 + 1, 0, 0, 0, 0, 0)
@example(0, 60**4, 1, 2, 3, 4, 3)
@example(U32 - 1, 2520**2, 1, 2, 3, 4, 0)
def test_a_replaced_word_stands_for_the_bounded_number(
    word: int, bound: int, seed: int, index: int, step: int, slot: int, position: int
) -> None:
    typed = [np.uint64(word), np.uint64(bound), *map(np.uint64, (seed, index, step, slot)), position]
    stands = int(replaced(*typed))
    assert 0 <= stands < U32
    assert stands * bound // U32 == reference_bounded(word, bound, (seed, index, step, slot), position)


@given(u32, st.integers(1, 2**32 - 1))
@example(0, 1)
@example(U32 - 1, 1)
@example(0, 60**4)
def test_a_word_that_is_not_biased_is_never_rejected(word: int, bound: int) -> None:
    biased = bool(is_biased(np.uint32(word), np.uint64(bound)))
    assert biased == (word * bound % U32 < bound)
    assert biased or multiply_shift(word, bound, 32) is not None


def test_bias_does_not_depend_on_the_integer_type() -> None:
    for word in (0, 1, 331, 332, U32 - 1):
        assert is_biased(word, 60**4) == is_biased(np.uint64(word), np.int64(60**4))


@kernel
def remainders(count, bound, divisor, fair):
    """How often each remainder of a bounded number occurs, all four positions together."""
    found = np.zeros(divisor, np.int64)
    for index in range(count):
        drawn = words(7, index, 1, 2)
        for position in range(4):
            word = drawn[position]
            if fair:
                value = bounded(word, bound, 7, index, 1, 2, position)
            else:
                value = (np.uint64(word) * np.uint64(bound)) >> np.uint64(32)
            found[value % np.uint64(divisor)] += 1
    return found


@pytest.mark.parametrize(("bound", "divisor"), [(6, 6), (252, 252), (7776, 7776), (3 * 2**30, 3), (2**31 + 1, 2)])
def test_bounded_is_uniform(bound: int, divisor: int) -> None:
    found = remainders(250_000, bound, divisor, True)
    assert stats.chisquare(found).pvalue > FALSE_ALARM


def test_the_test_of_uniformity_sees_the_bias_without_rejection() -> None:
    assert stats.chisquare(remainders(250_000, 3 * 2**30, 3, False)).pvalue < FALSE_ALARM


@kernel
def pairs(count, which):
    """Joint counts of two dice whose addresses differ in one part only."""
    found = np.zeros((6, 6), np.int64)
    for index in range(count):
        a = words(3, index, 4, 5)
        if which == 0:
            first, second = a[0], a[1]
        elif which == 1:
            first, second = a[2], a[3]
        elif which == 2:
            first, second = a[0], words(4, index, 4, 5)[0]
        elif which == 3:
            first, second = a[0], words(3, index + 1, 4, 5)[0]
        elif which == 4:
            first, second = a[0], words(3, index, 5, 5)[0]
        else:
            first, second = a[0], words(3, index, 4, 6)[0]
        six = np.uint64(6)
        found[(np.uint64(first) * six) >> np.uint64(32), (np.uint64(second) * six) >> np.uint64(32)] += 1
    return found


@pytest.mark.parametrize("which", range(6))
def test_draws_at_different_addresses_are_independent(which: int) -> None:
    assert stats.chisquare(pairs(400_000, which).ravel()).pvalue > FALSE_ALARM


def test_golden_draws_of_this_stream_version() -> None:
    """If this fails, the streams have changed: raise STREAM_VERSION and record the new values."""
    assert STREAM_VERSION == 1
    assert words(1, 2, 3, 4) == (3331222140, 2648152920, 3126370195, 2950233073)
    dice = [
        1 + bounded(word, 6, 2024, 0, throw, 0, position)
        for throw in range(3)
        for position, word in enumerate(words(2024, 0, throw, 0))
    ]
    assert dice == [4, 2, 6, 1, 2, 4, 3, 2, 5, 3, 2, 4]
    assert [bounded(0, 2**31 + 1, 1, 2, 3, 4, position) for position in range(4)] == [
        1130344581,
        1827585627,
        1725613292,
        845404154,
    ]


def reference_wide(bound: int, address: tuple[int, int, int, int]) -> int:
    """The first pair of words below the largest multiple of the bound, as a remainder."""
    seed, index, step, slot = address
    where, attempt = slot, 0
    while True:
        a, b, c, d = reference_words(seed, index, step, where)
        for number in (a * U32 + b, c * U32 + d):
            if number < (2**64 - 1) // bound * bound:
                return number % bound
        where, attempt = 2**31 + 2**24 * attempt + slot, attempt + 1


@given(st.integers(1, 2**64 - 1), u64, u64, u32, slots)
@example(2**63 + 1, 1, 2, 3, 4)
@example(2**64 - 1, 1, 2, 3, 4)
@example(1, 1, 2, 3, 4)
def test_wide_numbers_equal_the_reference(bound: int, seed: int, index: int, step: int, slot: int) -> None:
    typed = map(np.uint64, (bound, seed, index, step, slot))
    assert bounded_wide(*typed) == reference_wide(bound, (seed, index, step, slot))


@kernel
def wide_remainders(count, bound, divisor):
    found = np.zeros(divisor, np.int64)
    for index in range(count):
        found[bounded_wide(bound, 7, index, 1, 2) * np.uint64(divisor) // np.uint64(bound)] += 1
    return found


@pytest.mark.parametrize(("bound", "divisor"), [(3, 3), (10**6, 100), (2**60, 16)])
def test_wide_numbers_are_uniform(bound: int, divisor: int) -> None:
    assert stats.chisquare(wide_remainders(400_000, bound, divisor)).pvalue > FALSE_ALARM


def test_wide_numbers_use_spare_words() -> None:
    """Of a bound just above 2**63 nearly half of all numbers are surplus, a quarter of all addresses."""
    bound = 2**63 + 1
    first = [reference_words(7, index, 1, 2) for index in range(200)]
    spared = [index for index, (a, _, c, _) in enumerate(first) if min(a, c) >= 2**31]
    assert len(spared) > 20
    for index in spared:
        assert bounded_wide(np.uint64(bound), 7, index, 1, 2) == reference_wide(bound, (7, index, 1, 2))
