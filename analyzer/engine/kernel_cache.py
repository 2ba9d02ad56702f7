"""Compiled kernels on disk, stamped with the source of the whole package.

numba's own cache looks only at the file that holds the kernel, so an edit in a function that the kernel calls
from another file would be answered with old code. Here the stamp is a digest of every source file of the
package: one edit anywhere, and all kernels are compiled anew.

Only code that the digest covers is kept. A kernel from outside the package, a closure, an argument that is
itself a function, or a named tuple whose class is defined elsewhere is compiled in memory each time.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import logging
import pickle
import shutil
import sys
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import llvmlite
import numba
import numpy as np
from numba.core import config, sigutils, types
from numba.core.caching import _Cache
from numba.core.compiler import CompileResult
from numba.core.serialize import dumps

from analyzer.engine.source import LOADED, ROOT, source_unchanged
from analyzer.engine.store import cache_directory, write_atomically

__all__ = ["KernelCache"]

PACKAGE = __name__.partition(".")[0]
GENERATIONS = 8
"""How many states of the source keep their compiled code."""

_log = logging.getLogger(__name__)

_PLAIN = (types.Number, types.Boolean, types.Array, types.NoneType, types.Literal, types.Omitted)


def _folders() -> Iterator[Path]:
    """Where compiled code of this source may lie, in order of preference."""
    yield cache_directory() / "kernels" / LOADED
    yield ROOT / "__pycache__" / "kernels" / LOADED


def _classes(kind: types.Type) -> Iterator[type | None]:
    """Every named-tuple class in an argument type, and None for a type whose code may come from elsewhere."""
    if isinstance(kind, types.BaseTuple):
        if isinstance(kind, types.BaseNamedTuple):
            yield kind.instance_class
        for item in kind:
            yield from _classes(item)
    elif not isinstance(kind, _PLAIN):
        yield None


def _of_package(class_: type | None) -> bool:
    return class_ is not None and class_.__module__.partition(".")[0] == PACKAGE


class KernelCache(_Cache):  # type: ignore[misc]
    """The compiled versions of one kernel on disk; numba calls it before and after it compiles.

    Parameters
    ----------
    function : callable
        The kernel's Python function.
    """

    def __init__(self, function: Callable[..., Any]) -> None:
        code = function.__code__
        self._name = f"{function.__module__}.{function.__qualname__}"
        self._code = hashlib.sha256(code.co_code).hexdigest()
        inside = ROOT in Path(code.co_filename).resolve().parents
        self._possible = inside and function.__closure__ is None
        self._enabled = True

    @property
    def cache_path(self) -> str:
        """The folder in which compiled code is looked for first."""
        return str(next(_folders()))

    def enable(self) -> None:
        """Use the disk (the normal state)."""
        self._enabled = True

    def disable(self) -> None:
        """Neither read nor write the disk."""
        self._enabled = False

    def flush(self) -> None:
        """Remove all compiled versions of this kernel."""
        for folder in _folders():
            for path in folder.glob(f"{self._name}-*.nbc"):
                path.unlink(missing_ok=True)

    def load_overload(self, sig: Any, target_context: Any) -> CompileResult | None:
        """Load the compiled version for one combination of argument types, or None.

        Parameters
        ----------
        sig : tuple of numba types or numba signature
            The argument types.
        target_context : numba target context
            Receives the code.

        Returns
        -------
        CompileResult or None
        """
        target_context.refresh()
        key = self._key(sig, target_context.codegen())
        if key is None:
            return None
        for folder in _folders():
            path = folder / self._file_name(key)
            try:
                content = path.read_bytes()
            except OSError:
                continue
            try:
                if int.from_bytes(content[:4], "little") != zlib.crc32(content[4:]):
                    raise ValueError("checksum")
                stored, parts = pickle.loads(content[4:])
                if stored == key:
                    return CompileResult._rebuild(target_context, *parts)
            except Exception as problem:  # noqa: BLE001 - unpickling can fail in any way
                _log.info("compiled code in %s is not usable (%s); compiling anew", path, problem)
        return None

    def save_overload(self, sig: Any, data: CompileResult) -> None:
        """Keep a freshly compiled version; a disk that cannot be written costs a warning, no more.

        Parameters
        ----------
        sig : tuple of numba types or numba signature
            The argument types.
        data : CompileResult
            What numba made of them.
        """
        key = self._key(sig, data.library.codegen)
        if key is None:
            return
        if data.lifted or data.library.has_dynamic_globals:
            _log.warning("%s uses large global arrays or pointers, so it is compiled at every start", self._name)
            return
        body = dumps((key, data._reduce()))
        for folder in _folders():
            try:
                if not folder.exists():
                    folder.mkdir(parents=True, exist_ok=True)
                    _forget_old_generations(folder.parent)
                write_atomically(folder / self._file_name(key), zlib.crc32(body).to_bytes(4, "little"), body)
            except OSError as problem:
                _log.debug("compiled code cannot be kept in %s: %s", folder, problem)
            else:
                return
        _warn_once()

    def _key(self, sig: Any, codegen: Any) -> tuple[object, ...] | None:
        """Everything that the compiled code depends on; None if that is more than can be known."""
        if not (self._possible and self._enabled):
            return None
        arguments, result = sigutils.normalize_signature(sig)
        classes = [class_ for kind in arguments for class_ in _classes(kind)]
        if not (all(map(_of_package, classes)) and source_unchanged()):
            return None
        versions = (sys.version_info[:3], numba.__version__, llvmlite.__version__, np.__version__)
        options = (config.OPT, config.BOUNDSCHECK, config.DEBUGINFO_DEFAULT)
        names = tuple(f"{class_.__module__}.{class_.__qualname__}" for class_ in classes if class_)
        machine = codegen.magic_tuple()
        return (LOADED, self._name, self._code, arguments, result, names, versions, options, machine)

    def _file_name(self, key: tuple[object, ...]) -> str:
        return f"{self._name}-{hashlib.sha256(repr(key).encode()).hexdigest()[:16]}.nbc"


def _forget_old_generations(folder: Path) -> None:
    """Keep the code of the newest few states of the source, so that days of editing do not fill the disk."""
    with contextlib.suppress(FileNotFoundError):  # another process tidies up at the same time
        generations = sorted(folder.iterdir(), key=lambda path: path.stat().st_mtime, reverse=True)
        for old in generations[GENERATIONS:]:
            shutil.rmtree(old, ignore_errors=True)


@functools.lru_cache(maxsize=1)
def _warn_once() -> None:
    _log.warning(
        "compiled kernels cannot be kept in %s, so every start compiles anew; set ANALYZER_CACHE_DIR to a "
        "folder that can be written",
        cache_directory(),
    )
