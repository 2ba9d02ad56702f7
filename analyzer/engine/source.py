"""Which state of this package's source is running: the stamp on everything that is kept on disk.

What old code computed or compiled must never answer for new code, and an edit in any file can change
anything. So the stamp is a digest of all source files, taken when the package is loaded.
"""

from __future__ import annotations

import functools
import hashlib
import os
from pathlib import Path

__all__ = ["LOADED", "ROOT", "package_digest", "source_unchanged"]

ROOT = Path(__file__).resolve().parents[1]
"""Folder of this package."""


@functools.cache
def _file_digest(path: str, _modified: int, _size: int) -> bytes:
    """Digest of one file; the time and the size are there to forget it after an edit."""
    return hashlib.sha256(Path(path).read_bytes()).digest()


def package_digest() -> str:
    """Digest of all source files of this package as they are on disk now.

    Returns
    -------
    str
        Forty hexadecimal digits that change with the name or the content of any ``*.py`` file; empty if there
        are no such files, as in a zip archive or a frozen program.

    Examples
    --------
    >>> len(package_digest())
    40
    """
    whole, found = hashlib.sha256(), False
    for folder, subfolders, names in os.walk(ROOT):
        subfolders[:] = sorted(name for name in subfolders if name != "__pycache__")
        for name in sorted(names):
            if name.endswith(".py"):
                path = Path(folder, name)
                status = path.stat()
                found = True
                whole.update(path.relative_to(ROOT).as_posix().encode() + b"\0")
                whole.update(_file_digest(str(path), status.st_mtime_ns, status.st_size))
    return whole.hexdigest()[:40] if found else ""


LOADED = package_digest()
"""Digest of the source that this process runs."""


def source_unchanged() -> bool:
    """Whether the files on disk are still those that this process runs.

    If not, a module imported late may already be a new one, and nothing that this process makes deserves
    either stamp.

    Returns
    -------
    bool
        False as well if the source cannot be read.
    """
    try:
        return LOADED != "" and package_digest() == LOADED
    except OSError:
        return False
