"""Whether a folder can be written, asked before long work and without leaving anything behind."""

from __future__ import annotations

import tempfile
from pathlib import Path

from analyzer.errors import StorageError

__all__ = ["check_writable"]


def check_writable(folder: str | Path) -> None:
    """Raise StorageError if files cannot be written to a folder, which need not exist yet.

    Parameters
    ----------
    folder : str or path
        Where files are to be written later.

    Raises
    ------
    StorageError
        The folder has no name, or it or the nearest folder above it that exists is no folder or cannot be written.

    Examples
    --------
    >>> with tempfile.NamedTemporaryFile() as file:
    ...     check_writable(f"{file.name}/report")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    analyzer.errors.StorageError: folder '.../report' cannot be written (Not a directory); choose another with --out
    """
    if not str(folder).strip():
        raise StorageError(f"folder '{folder}' has no name; name one with --out")
    path = Path(folder).absolute()
    try:
        existing = next(one for one in (path, *path.parents) if one.exists())
        with tempfile.TemporaryFile(dir=existing):
            pass
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise StorageError(f"folder '{folder}' cannot be written ({reason}); choose another with --out") from error
