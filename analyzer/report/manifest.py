"""The list of files that a report wrote, by which the next one into the same folder knows what it may remove."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from pathlib import Path

from analyzer.engine.store import write_atomically

__all__ = ["MANIFEST", "remove_stale", "write_manifest"]

MANIFEST = "manifest.sha256"
"""Its lines are those of ``sha256sum``, so ``sha256sum --check manifest.sha256`` tells whether a report is whole."""
_LINE = re.compile(r"([0-9a-f]{64})  (?!/)(.+)")


def write_manifest(folder: Path, files: Iterable[Path]) -> Path:
    """List files of a folder with their digests.

    Parameters
    ----------
    folder : pathlib.Path
        Where the list is written.
    files : iterable of pathlib.Path
        Files below it.

    Returns
    -------
    pathlib.Path
        The list.
    """
    lines = [f"{_digest(file)}  {file.relative_to(folder).as_posix()}\n" for file in sorted(files)]
    write_atomically(folder / MANIFEST, "".join(lines).encode())
    return folder / MANIFEST


def remove_stale(folder: Path, files: Iterable[Path]) -> list[Path]:
    """Remove what an earlier report listed and this one did not write.

    A file goes only if it lies in the folder and is still, byte for byte, what was listed: nothing that anybody
    else put there or changed. Folders stay.

    Parameters
    ----------
    folder : pathlib.Path
        Folder of the report.
    files : iterable of pathlib.Path
        What was written now.

    Returns
    -------
    list of pathlib.Path
        What was removed.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as name:
    ...     folder = Path(name)
    ...     old, new, foreign = (folder / name for name in ("old", "new", "foreign"))
    ...     sizes = [file.write_text("a report") for file in (old, new, foreign)]
    ...     path = write_manifest(folder, [old, new])
    ...     [file.name for file in remove_stale(folder, [new])]
    ['old']
    """
    written, removed = {file.resolve() for file in files}, []
    try:
        listed = (folder / MANIFEST).read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError):
        return []
    for digest, name in (match.groups() for match in map(_LINE.fullmatch, listed) if match):
        file = folder / name
        inside = file.resolve() == folder.resolve() / name  # no way out by '..' or by a link
        if inside and file.resolve() not in written and file.is_file() and _digest(file) == digest:
            file.unlink()
            removed.append(file)
    return removed


def _digest(file: Path) -> str:
    with file.open("rb") as content:
        return hashlib.file_digest(content, "sha256").hexdigest()
