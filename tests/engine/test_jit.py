import threading
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numba.core.errors import TypingError

from analyzer.engine.jit import announce_compilation, device, kernel


def make_ratio(decorate: Callable[[Any], Any]) -> Any:
    def ratio(a, b):
        return a / b

    return decorate(ratio)


def test_kernels_release_the_gil_and_divide_like_numpy() -> None:
    ratio = make_ratio(kernel)
    assert ratio.targetoptions["nogil"]
    assert not ratio.targetoptions.get("parallel", False)
    assert ratio(1.0, 0.0) == np.inf
    with pytest.raises(ZeroDivisionError):
        ratio.py_func(1.0, 0.0)


def test_devices_divide_like_numpy_too() -> None:
    for decorate in (device, device(inline=True), device(inline=False)):
        assert make_ratio(decorate)(-1.0, 0.0) == -np.inf


def test_options_reach_numba() -> None:
    flags = {"nnan", "ninf", "nsz", "contract"}
    assert set(make_ratio(kernel(fastmath=flags)).targetoptions["fastmath"]) == flags
    assert set(make_ratio(device(fastmath=flags)).targetoptions["fastmath"]) == flags
    assert not make_ratio(kernel).targetoptions["fastmath"]
    assert make_ratio(device(inline=True)).targetoptions["inline"] == "always"


def test_functions_that_borrow_arrays_cannot_make_any() -> None:
    def add_to(values, amount):
        for place in range(values.size):
            values[place] += amount
        return values.size

    borrowing = device(borrows=True)(add_to)

    @kernel
    def add_twice(values):
        return borrowing(values, 1) + borrowing(values, 2)

    @device(borrows=True)
    def make(count):
        return np.zeros(count)

    values = np.arange(3)
    assert add_twice(values) == 6
    assert values.tolist() == [3, 4, 5]
    with pytest.raises(TypingError, match="zeros"):
        make(3)


def test_nan_survives() -> None:
    @kernel
    def is_nan(value):
        return np.isnan(value)

    assert is_nan(np.nan)
    assert not is_nan(1.0)


def test_compilation_is_announced_once_per_kernel_and_types() -> None:
    @device
    def half(value):
        return value / 2

    @kernel
    def quarter(value):
        return half(half(value))

    names: list[str] = []
    with announce_compilation(names.append):
        assert quarter(8.0) == 2.0
        assert quarter(4.0) == 1.0
        assert names == ["quarter"]
        assert quarter(8) == 2.0
        assert half(2.0) == 1.0
    assert names == ["quarter", "quarter"]
    quarter(np.float32(8))
    assert names == ["quarter", "quarter"]


def test_threads_that_meet_at_the_first_call_compile_once() -> None:
    ratio = make_ratio(kernel)
    names: list[str] = []
    with announce_compilation(names.append):
        threads = [threading.Thread(target=ratio, args=(1.0, 2.0)) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert names == ["ratio"]


def test_the_listener_is_removed_after_an_error() -> None:
    names: list[str] = []
    with pytest.raises(KeyError), announce_compilation(names.append):
        raise KeyError
    make_ratio(kernel)(1.0, 1.0)
    assert names == []
