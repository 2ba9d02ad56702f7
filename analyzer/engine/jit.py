"""The one place where numba's compiler options are chosen.

`kernel` marks the functions that Python calls, `device` the functions that kernels call. A kernel releases
the GIL, so that threads run blocks side by side, and its compiled code is kept on disk by `KernelCache`.
Neither uses `parallel=True` (threads are the executor's work) nor `fastmath=True` (it breaks `isnan` and last
bits).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Set
from contextlib import contextmanager
from typing import Any, TypeVar, overload

import numba
from numba.core import event
from numba.core.dispatcher import Dispatcher

from analyzer.engine.kernel_cache import KernelCache

__all__ = ["announce_compilation", "device", "kernel"]

F = TypeVar("F", bound=Callable[..., Any])


@overload
def kernel(function: F) -> F: ...
@overload
def kernel(*, fastmath: Set[str] = ...) -> Callable[[F], F]: ...
def kernel(function: F | None = None, *, fastmath: Set[str] = frozenset()) -> F | Callable[[F], F]:
    """Compile an entry kernel: the GIL is released, division follows numpy, the code is kept on disk.

    The code on disk carries a digest of all source files of this package, so that an edit in any of them
    compiles the kernel anew. A kernel that is defined outside this package, is a closure, or is called with a
    function or with a named tuple from outside works all the same, but is never kept on disk.

    Parameters
    ----------
    function : callable
        A plain Python function of scalars, arrays and named tuples of these.
    fastmath : set of str, optional
        LLVM's fast-math flags, such as ``{"nnan", "ninf", "nsz", "contract"}`` where the data holds none of
        the values they rule out.

    Returns
    -------
    callable
        The compiled function, or a decorator if only options are given. ``.py_func`` is the original.

    Examples
    --------
    >>> @kernel
    ... def total(values):
    ...     result = 0
    ...     for value in values:
    ...         result += value
    ...     return result
    >>> total((1, 2, 3))
    6
    """

    def decorate(function: F) -> F:
        compiled: Any = numba.njit(nogil=True, error_model="numpy", fastmath=set(fastmath))(function)
        if isinstance(compiled, Dispatcher):  # NUMBA_DISABLE_JIT gives the function itself
            dispatcher: Any = compiled
            dispatcher._cache = KernelCache(function)
        result: F = compiled
        return result

    return decorate if function is None else decorate(function)


@overload
def device(function: F) -> F: ...
@overload
def device(*, inline: bool = ..., borrows: bool = ..., fastmath: Set[str] = ...) -> Callable[[F], F]: ...
def device(
    function: F | None = None, *, inline: bool = False, borrows: bool = False, fastmath: Set[str] = frozenset()
) -> F | Callable[[F], F]:
    """Compile a function that kernels call; it is part of their code on disk and has none of its own.

    Parameters
    ----------
    function : callable
        A plain Python function of scalars, arrays and named tuples of these.
    inline : bool, optional
        Paste the function into its caller before types are inferred. LLVM inlines small functions anyway, so
        this is for the few where a measurement shows a gain.
    borrows : bool, optional
        References to arrays are not counted. Only for functions that neither make nor return arrays; for those that
        are called for every card it halves the time.
    fastmath : set of str, optional
        LLVM's fast-math flags, as in `kernel`.

    Returns
    -------
    callable
        The compiled function, or a decorator if only options are given. Python can call it too, for tests.

    Examples
    --------
    >>> @device
    ... def twice(value):
    ...     return 2 * value
    >>> @kernel
    ... def four_times(value):
    ...     return twice(twice(value))
    >>> four_times(3)
    12
    """

    def decorate(function: F) -> F:
        how = "always" if inline else "never"
        options: dict[str, Any] = {"_nrt": False} if borrows else {}
        compiled: F = numba.njit(nogil=True, error_model="numpy", inline=how, fastmath=set(fastmath), **options)(
            function
        )
        return compiled

    return decorate if function is None else decorate(function)


class _Announcer(event.Listener):  # type: ignore[misc]
    def __init__(self, callback: Callable[[str], None]) -> None:
        self._callback = callback

    def on_start(self, started: event.Event) -> None:
        dispatcher = started.data["dispatcher"]
        if isinstance(getattr(dispatcher, "_cache", None), KernelCache):
            self._callback(dispatcher.py_func.__name__)

    def on_end(self, ended: event.Event) -> None:
        pass


@contextmanager
def announce_compilation(callback: Callable[[str], None]) -> Iterator[None]:
    """Call back before each kernel that is really compiled, so that the wait of a first use is explained.

    Parameters
    ----------
    callback : callable
        Receives the kernel's name. It is called in the thread that compiles, once per kernel and combination
        of argument types; not for code that is loaded from disk, nor for `device` functions.

    Examples
    --------
    >>> @kernel
    ... def square(value):
    ...     return value * value
    >>> with announce_compilation(print):
    ...     result = square(3)
    square
    >>> with announce_compilation(print):
    ...     result = square(4)
    """
    with event.install_listener("numba:compile", _Announcer(callback)):
        yield
