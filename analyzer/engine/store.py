"""Arrays on disk: what took long to compute is kept, and never trusted before it verifies.

A file is a magic line, the length and the checksum of a header, the header (JSON: key, kind, source, meta,
and for each array its name, dtype, shape and offset) and the arrays' bytes, each on a 64-byte boundary.
Loading maps the file into memory and checks everything against the header; nothing is ever unpickled or
executed.
"""

from __future__ import annotations

import contextlib
import functools
import json
import logging
import math
import mmap
import os
import re
import time
import uuid
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import platformdirs

from analyzer.engine.source import LOADED, source_unchanged

__all__ = ["cache_directory", "load_arrays", "save_arrays", "write_atomically"]

MAGIC = b"strategy-analyzer arrays 1\n"
ALIGNMENT = 64
PARTIAL = ".partial"
PARTIAL_LIFETIME = 24 * 3600
"""Seconds after which the unfinished file of a killed process may be removed."""

_log = logging.getLogger(__name__)
_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}")


def cache_directory() -> Path:
    """Folder of everything that can be computed anew.

    Returns
    -------
    pathlib.Path
        The environment variable ``ANALYZER_CACHE_DIR`` if it is set, else the platform's cache folder for
        this user. It may not exist yet.

    Examples
    --------
    >>> cache_directory().is_absolute()
    True
    """
    chosen = os.environ.get("ANALYZER_CACHE_DIR")
    if chosen:
        return Path(chosen).expanduser().absolute()
    return platformdirs.user_cache_path("strategy-analyzer", appauthor=False)


def write_atomically(path: Path, *parts: bytes | memoryview) -> None:
    """Write a file so that a reader sees the old content or the new, never half of it.

    Parameters
    ----------
    path : pathlib.Path
        The file, in a folder that exists.
    *parts : bytes or memoryview
        The content, one part after another.

    Raises
    ------
    OSError
        If the folder cannot be written or the disk is full; the old file, if any, is untouched.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder) / "greeting"
    ...     write_atomically(path, b"hello ", b"world")
    ...     path.read_bytes()
    b'hello world'
    """
    partial = path.with_name(f".{path.name[:64]}.{uuid.uuid4().hex}{PARTIAL}")
    try:
        with partial.open("xb") as file:
            for part in parts:
                file.write(part)
        partial.replace(path)
    except BaseException:
        with contextlib.suppress(OSError):
            partial.unlink()
        raise


def save_arrays(key: str, kind: str, arrays: Mapping[str, np.ndarray], meta: Mapping[str, Any]) -> bool:
    """Keep arrays under a key. Concurrent writers are safe: the last complete file stays.

    Parameters
    ----------
    key : str
        What identifies the content: a hash of everything it was computed from. Letters, digits and ``_.-``.
    kind : str
        What the content is, such as ``solution``; a folder of that name holds it.
    arrays : mapping of str to ndarray
        Booleans or numbers of any shape.
    meta : mapping of str
        Anything else, as far as JSON can hold it.

    Returns
    -------
    bool
        Whether the arrays are kept now. A folder that cannot be written or a full disk is logged as a
        warning, once, and is no error: the caller has the arrays already.

    Raises
    ------
    ValueError
        If the key or the kind is no plain file name.
    TypeError
        If an array holds anything but booleans or numbers, or the meta data is no JSON.

    Examples
    --------
    >>> if save_arrays("0123abcd", "example", {"values": np.arange(3)}, {"note": "small"}):
    ...     arrays, meta = load_arrays("0123abcd", "example")
    ...     assert arrays["values"].tolist() == [0, 1, 2]
    ...     assert meta == {"note": "small"}
    """
    path = _path(key, kind)
    entries: list[dict[str, Any]] = []
    parts: list[bytes | memoryview] = []
    end = 0
    for name, given in arrays.items():
        array = np.asarray(given, order="C")
        if not _storable(array.dtype):
            raise TypeError(f"array {name!r} has the type {array.dtype}; only booleans and numbers can be kept")
        gap = -end % ALIGNMENT
        entries.append({"name": name, "dtype": array.dtype.str, "shape": array.shape, "offset": end + gap})
        parts += [bytes(gap), _bytes_of(array)]
        end += gap + array.nbytes
    checksum = functools.reduce(lambda sofar, part: zlib.crc32(part, sofar), parts, 0)
    header = _stamp(key, kind) | {"meta": dict(meta), "arrays": entries, "size": end, "checksum": checksum}
    text = json.dumps(header).encode()
    if not source_unchanged():
        _log.info("%s is not written: the package's source was edited after it was loaded", path)
        return False
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        _remove_forgotten(path.parent)
        write_atomically(path, _preamble(text), *parts)
    except OSError as problem:
        _log.debug("%s cannot be written: %s", path, problem)
        _warn_once(str(cache_directory()), problem.strerror or type(problem).__name__)
        return False
    return True


def load_arrays(key: str, kind: str) -> tuple[dict[str, np.ndarray], dict[str, Any]] | None:
    """Arrays that were kept under a key, or None if there are none that verify.

    Parameters
    ----------
    key, kind : str
        As in `save_arrays`.

    Returns
    -------
    (arrays, meta) or None
        The arrays are contiguous and aligned, and may be written to: the file does not change. None stands
        for a file that is missing, truncated, damaged, or made for another key, kind or format, or by another
        state of this package's source.

    Raises
    ------
    ValueError
        If the key or the kind is no plain file name.

    Examples
    --------
    >>> load_arrays("never-saved", "example") is None
    True
    """
    path = _path(key, kind)
    if not source_unchanged():
        return None
    try:
        with path.open("rb") as file:
            content = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_COPY)
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as problem:
        _log.info("%s is not used: %s", path, problem)
        return None
    try:
        header, start = _verified_header(content)
        if any(header[name] != value for name, value in _stamp(key, kind).items()):
            raise ValueError("made for another key or by other code")
        data = np.frombuffer(content, np.uint8, offset=start)
        if data.size != header["size"]:
            raise ValueError("truncated or extended")
        if zlib.crc32(data.data) != header["checksum"]:
            raise ValueError("damaged")
        return {entry["name"]: _array(data, entry) for entry in header["arrays"]}, header["meta"]
    except (ValueError, KeyError, TypeError) as problem:
        _log.info("%s is not used: %s", path, problem)
        return None


def _path(key: str, kind: str) -> Path:
    for name in (key, kind):
        if not _NAME.fullmatch(name):
            raise ValueError(f"{name!r} is no plain file name; use letters, digits and _.-")
    return cache_directory() / kind / f"{key}.arrays"


def _stamp(key: str, kind: str) -> dict[str, str]:
    return {"key": key, "kind": kind, "source": LOADED}


def _storable(dtype: np.dtype[Any]) -> bool:
    return dtype.kind in "biuf" and dtype.names is None


def _bytes_of(array: np.ndarray) -> bytes | memoryview:
    return array.reshape(-1).view(np.uint8).data if array.size else b""


def _preamble(header: bytes) -> bytes:
    """Magic line, length and checksum of the header, the header, and spaces up to the next boundary."""
    fixed = len(MAGIC) + 12
    header += b" " * (-(fixed + len(header)) % ALIGNMENT)
    return MAGIC + len(header).to_bytes(8, "little") + zlib.crc32(header).to_bytes(4, "little") + header


def _verified_header(content: mmap.mmap) -> tuple[dict[str, Any], int]:
    """The header and the offset of the data behind it."""
    magic, fixed = len(MAGIC), len(MAGIC) + 12
    if content[:magic] != MAGIC:
        raise ValueError("of another format")
    end = fixed + int.from_bytes(content[magic : magic + 8], "little")
    text = content[fixed:end]
    if zlib.crc32(text) != int.from_bytes(content[magic + 8 : fixed], "little"):
        raise ValueError("damaged header")
    header: dict[str, Any] = json.loads(text)
    return header, end


def _array(data: np.ndarray, entry: dict[str, Any]) -> np.ndarray:
    dtype, shape, offset = np.dtype(entry["dtype"]), tuple(entry["shape"]), entry["offset"]
    if not _storable(dtype) or min(shape, default=0) < 0 or offset < 0 or offset % ALIGNMENT:
        raise ValueError(f"array of type {dtype}, shape {shape}, at {offset}")
    flat: np.ndarray = data[offset : offset + dtype.itemsize * math.prod(shape)].view(dtype)
    return flat.reshape(shape)


def _remove_forgotten(folder: Path) -> None:
    """Remove what processes that were killed while writing left behind."""
    for partial in folder.glob(f".*{PARTIAL}"):
        with contextlib.suppress(OSError):
            if time.time() - partial.stat().st_mtime > PARTIAL_LIFETIME:
                partial.unlink()


@functools.cache
def _warn_once(folder: str, reason: str) -> None:
    _log.warning(
        "results cannot be kept in %s (%s), so they are computed anew each time; "
        "set ANALYZER_CACHE_DIR to a folder that can be written",
        folder,
        reason,
    )
