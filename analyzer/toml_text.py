"""TOML: files read and parsed, keys checked, tables written; what is wrong is told in one line."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Collection, Iterable
from os import PathLike
from pathlib import Path
from typing import Any

from analyzer.errors import RulesError
from analyzer.fields import FieldError, nearest, shown


def read_text(path: str | PathLike[str]) -> str:
    """Return the text of a rules file in UTF-8.

    Raises
    ------
    RulesError
        If the file cannot be read.
    """
    try:
        return Path(path).read_text(encoding="utf-8-sig")
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise RulesError(f"rules file {str(path)!r} cannot be read ({reason}); give a readable file") from None
    except UnicodeDecodeError as error:
        raise RulesError(f"rules file {str(path)!r} is not UTF-8 at byte {error.start}; save it as UTF-8") from None
    except ValueError as error:
        raise RulesError(f"rules file {str(path)!r} is no path ({error}); give a readable file") from None


def parse(text: str) -> dict[str, Any]:
    """Return the keys and tables of a text.

    Raises
    ------
    RulesError
        If the text is not TOML; the message has the line.

    Examples
    --------
    >>> parse('base = "yahtzee"')
    {'base': 'yahtzee'}
    """
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        place = f"at line {text.count(chr(10)) + 1}, the end"
        message = str(error).replace("at end of document", place)
        raise RulesError(f"not a TOML file: {message}; correct that line") from None
    except (ValueError, RecursionError):
        # An integer of thousands of digits, or arrays nested hundreds deep.
        raise RulesError("not a rules file: a value is too large or too deeply nested") from None


def as_table(path: str, value: object) -> dict[str, Any]:
    """Return a value that must be a table; complaints call it by its dotted path.

    Raises
    ------
    FieldError
        If it is none.
    """
    if not isinstance(value, dict):
        raise FieldError(path, f"= {shown(value)} is not a table; write its keys below [{path}]")
    return value


def check_keys(path: str, keys: Iterable[str], known: Collection[str]) -> None:
    """Raise FieldError unless all keys are known; `path` stands before them in the complaint.

    Examples
    --------
    >>> check_keys("options.", ["deck"], ["deck", "target"])
    """
    for key in keys:
        if key not in known:
            close = nearest(key, known)
            hint = f"did you mean {close!r}? Allowed" if close else "choose from"
            raise FieldError(f"{path}{dotted(key)}", f"is an unknown key; {hint}: {', '.join(known)}")


def dotted(key: str) -> str:
    """Return a key as it is written in a dotted path.

    Examples
    --------
    >>> dotted("full_house"), dotted("full house")
    ('full_house', "'full house'")
    """
    bare = key.isascii() and key.replace("_", "a").replace("-", "a").isalnum()
    return key if bare and len(key) <= 60 else shown(key)


def entries(rows: Collection[tuple[str, object, str]]) -> str:
    """Return lines of ``key = value  # comment`` with the comments in one column.

    Examples
    --------
    >>> print(entries([("dice", 5, "how many"), ("lock_kept", True, "")]), end="")
    dice = 5          # how many
    lock_kept = true
    """
    written = [(f"{key} = {_value(value)}", comment) for key, value, comment in rows]
    column = max(len(entry) for entry, _ in written) + 2
    return "".join(f"{entry:<{column}}# {comment}\n" if comment else f"{entry}\n" for entry, comment in written)


def _value(value: object) -> str:
    """Return a value in TOML, whose texts, numbers, switches and lists are written as in JSON."""
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{key} = {_value(item)}" for key, item in value.items()) + " }"
    # Unlike JSON, TOML has no text with this control code as it is.
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
