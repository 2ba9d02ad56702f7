"""Checks on the values of rules and options; a complaint is one line: value, constraint, remedy."""

from __future__ import annotations

import difflib
import re
from collections.abc import Collection, Iterable
from types import UnionType

from analyzer.errors import RulesError

_SLUG = re.compile(r"[a-z][a-z0-9_]*")
_LONGEST_NAME = 40
MOST_TEXT = 100
_LONGEST_SHOWN = 60


class FieldError(RulesError):
    """A value in rules or options breaks its constraint.

    Parameters
    ----------
    field
        The field at fault, dotted where it is nested (``lines[3].points``).
    problem
        What follows the field in the message: the value, the constraint and the remedy.
    owner
        What the field belongs to (``line 'pair'``); a rules file puts its own path there instead.

    Examples
    --------
    >>> str(FieldError("dice", "= 11 is outside 1..10; choose a whole number in that range", "rules"))
    'rules: dice = 11 is outside 1..10; choose a whole number in that range'
    """

    def __init__(self, field: str, problem: str, owner: str = "") -> None:
        super().__init__(f"{owner}: {field} {problem}" if owner else f"{field} {problem}")
        self.field = field
        self.problem = problem
        self.owner = owner

    def __reduce__(self) -> tuple[type[FieldError], tuple[str, str, str]]:
        return FieldError, (self.field, self.problem, self.owner)


def counted(number: int, name: str, several: str = "") -> str:
    """A number of things, of which there may be one.

    Examples
    --------
    >>> counted(1, "trump"), counted(0, "trump"), counted(2000, "match", "matches")
    ('1 trump', '0 trumps', '2,000 matches')
    """
    return f"{number:,} {name if number == 1 else several or name + 's'}"


def shown(value: object) -> str:
    r"""Return a value as one short printable line for a message.

    Examples
    --------
    >>> shown("two\nlines")
    "'two\\nlines'"
    """
    try:
        text = repr(value)
    except (ValueError, RecursionError):
        # Python refuses to print integers of thousands of digits and very deep nesting.
        text = f"<{type(value).__name__} too large to show>"
    return text if len(text) <= _LONGEST_SHOWN else text[: _LONGEST_SHOWN - 3] + "..."


def slug(name: object) -> str:
    """Return a name as typed by a person in the form used for look-ups; no other value becomes a name.

    Examples
    --------
    >>> slug(" Three-of a Kind")
    'three_of_a_kind'
    """
    return re.sub(r"[\s_\-]+", "_", name.strip()).lower() if isinstance(name, str) else shown(name)


def nearest(name: object, choices: Iterable[str]) -> str | None:
    """Return the choice that a misspelt name most likely means, or None.

    Examples
    --------
    >>> nearest("pokr", ["pair", "poker"])
    'poker'
    """
    if not isinstance(name, str):
        return None
    by_slug = {slug(choice): choice for choice in choices}
    wanted = slug(name[:_LONGEST_SHOWN])
    close = difflib.get_close_matches(wanted, by_slug, n=1, cutoff=0.5)
    if not close:
        close = [key for key in by_slug if len(wanted) > 1 and wanted in key][:1]
    return by_slug[close[0]] if close else None


def begun(word: str, names: Iterable[str]) -> str:
    """Return the only name that begins with the word, up to the end of one of its own words; else the word itself.

    Examples
    --------
    >>> begun("double_grande", ["double_grande_row", "columns", "column_tie"])
    'double_grande_row'
    >>> begun("column", ["double_grande_row", "column_values", "column_tie"])
    'column'
    """
    known = tuple(names)
    found = [name for name in known if name.startswith(word) and word and not name[len(word) :][:1].isalnum()]
    return found[0] if len(found) == 1 and word not in known else word


def unknown(what: str, name: object, choices: Collection[str]) -> str:
    """Return the complaint about a name that is not among the known ones.

    Examples
    --------
    >>> unknown("line", "pokr", ["pair", "poker"])
    "line 'pokr' is unknown; did you mean 'poker'? Known: pair, poker"
    """
    close = nearest(name, choices)
    hint = f"did you mean {close!r}? Known" if close else "choose from"
    return f"{what} {shown(name)} is unknown; {hint}: {', '.join(choices)}"


def check_integer(field: str, value: object, low: int, high: int, owner: str = "") -> None:
    """Raise FieldError unless the value is a whole number in ``low..high``."""
    if isinstance(value, bool) or not isinstance(value, int):
        raise FieldError(field, f"= {shown(value)} is not a whole number; choose one in {low}..{high}", owner)
    if not low <= value <= high:
        problem = f"= {shown(value)} is outside {low}..{high}; choose a whole number in that range"
        raise FieldError(field, problem, owner)


def check_choice(field: str, value: object, choices: Collection[str], owner: str = "") -> None:
    """Raise FieldError unless the value is one of the choices."""
    if isinstance(value, str) and value in choices:
        return
    close = nearest(value, choices)
    hint = f"did you mean {close!r}? Allowed" if close else "choose from"
    allowed = ", ".join(repr(choice) for choice in choices)
    raise FieldError(field, f"= {shown(value)} is not allowed; {hint}: {allowed}", owner)


def check_switch(field: str, value: object, owner: str = "") -> None:
    """Raise FieldError unless the value is true or false."""
    if not isinstance(value, bool):
        raise FieldError(field, f"= {shown(value)} is not a switch; write true or false", owner)


def check_kind(field: str, value: object, kind: type | UnionType, allowed: str, owner: str = "") -> None:
    """Raise FieldError, which says what is allowed, unless the value is an instance of the kind."""
    if not isinstance(value, kind):
        raise FieldError(field, f"= {shown(value)} is not {allowed}", owner)


def check_text(field: str, value: object, owner: str = "") -> None:
    """Raise FieldError unless the value is a short printable text on one line."""
    if not isinstance(value, str) or not value.strip() or not value.isprintable() or len(value) > MOST_TEXT:
        problem = f"= {shown(value)} is not a title; write 1..{MOST_TEXT} printable characters"
        raise FieldError(field, problem, owner)


def check_name(field: str, value: object, owner: str = "") -> None:
    """Raise FieldError unless the value is a name: lower-case letters, digits and ``_``, a letter first."""
    if not isinstance(value, str) or not _SLUG.fullmatch(value) or len(value) > _LONGEST_NAME:
        problem = f"= {shown(value)} is not a name; use 1..{_LONGEST_NAME} of a-z, 0-9 and _, a letter first"
        raise FieldError(field, problem, owner)
