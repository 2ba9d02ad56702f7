"""Options of a game: what a rule may be set to, read from the fields of the game's dataclass."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, fields
from typing import Any, Literal, get_args, get_type_hints

from analyzer.fields import MOST_TEXT, FieldError, begun, check_choice, check_integer, check_switch, shown, slug

_SWITCH_WORDS = {"true": True, "yes": True, "on": True, "false": False, "no": False, "off": False}


@dataclass(frozen=True, slots=True, kw_only=True)
class Option:
    """One option of a game.

    Attributes
    ----------
    name
        The name of the field.
    kind
        ``choice``: one of the `choices`. ``switch``: true or false. ``number``: a whole number in
        `low`..`high`.
    default
        The value if the option is not given.
    meaning
        What the option decides, in one sentence.
    choices
        The allowed words of a choice, the default first.
    low, high
        The range of a number.
    """

    name: str
    kind: Literal["choice", "switch", "number"]
    default: str | bool | int
    meaning: str
    choices: tuple[str, ...] = ()
    low: int = 0
    high: int = 0

    @property
    def allowed(self) -> str:
        """The allowed values, as text.

        Examples
        --------
        >>> Option(name="throws", kind="number", default=3, meaning="Throws.", low=1, high=10).allowed
        '1..10'
        """
        match self.kind:
            case "choice":
                return ", ".join(self.choices)
            case "switch":
                return "true, false"
            case "number":
                return f"{self.low}..{self.high}"

    def check(self, value: object, owner: str = "") -> None:
        """Raise RulesError unless the value is allowed."""
        match self.kind:
            case "choice":
                check_choice(self.name, value, self.choices, owner)
            case "switch":
                check_switch(self.name, value, owner)
            case "number":
                check_integer(self.name, value, self.low, self.high, owner)

    def parse(self, value: object, owner: str = "") -> str | bool | int:
        """Return what a person or a file gives, a text or the value itself, as a value of the option.

        Raises
        ------
        RulesError
            If the value is not allowed.

        Examples
        --------
        >>> Option(name="lock_kept", kind="switch", default=False, meaning="").parse("Yes")
        True
        """
        read: object = value
        if isinstance(value, str):
            word = value.strip().lower()
            if self.kind == "switch":
                read = _SWITCH_WORDS.get(word, value)
            elif self.kind == "number":
                read = int(word) if word.isdecimal() and len(word) < 10 else value
            else:
                choices = {slug(choice): choice for choice in self.choices}
                read = choices.get(begun(slug(word), choices), value)
        self.check(read, owner)
        if not isinstance(read, str | bool | int):
            raise FieldError(self.name, f"= {shown(value)} is not allowed; choose from {self.allowed}", owner)
        return read


@dataclass(frozen=True, slots=True)
class Setting:
    """An option of a game with its value in force.

    Examples
    --------
    >>> throws = Option(name="throws", kind="number", default=3, meaning="Throws.", low=1, high=10)
    >>> Setting(throws, 2).changed, Setting(throws, 3).changed
    (True, False)
    """

    option: Option
    value: str | bool | int

    @property
    def changed(self) -> bool:
        """Whether the value is not the default."""
        return self.value != self.option.default


def changed_title(title: str, settings: Iterable[Setting]) -> str:
    """Return the title of a game with the options that are not the default.

    Examples
    --------
    >>> throws = Option(name="throws", kind="number", default=3, meaning="Throws.", low=1, high=10)
    >>> changed_title("Yahtzee", [Setting(throws, 2)]), changed_title("Yahtzee", [Setting(throws, 3)])
    ('Yahtzee (throws = 2)', 'Yahtzee')
    """
    changed = [f"{setting.option.name} = {word(setting.value)}" for setting in settings if setting.changed]
    if not changed:
        return title
    full = f"{title} ({', '.join(changed)})"
    return full if len(full) <= MOST_TEXT else f"{title} (options changed)"


def word(value: str | bool | int) -> str:
    """An option's value as a person writes it.

    Examples
    --------
    >>> word(True), word(3)
    ('true', '3')
    """
    return str(value).lower() if isinstance(value, bool) else str(value)


def option(default: str | bool | int, meaning: str, *, low: int = 0, high: int = 0) -> Any:
    """Return a dataclass field that is an option of a game; its type says which values it may have."""
    return field(default=default, metadata={"meaning": meaning, "low": low, "high": high})


def options_of_class(game: type[Any]) -> tuple[Option, ...]:
    """Return the options of a game's dataclass, in the order of its fields.

    A field of a ``Literal`` type is a choice, one of ``bool`` a switch, one of ``int`` a number. Other fields than
    those that `option` made are left out.
    """
    types = get_type_hints(game)
    options = []
    for item in fields(game):
        if "meaning" not in item.metadata:
            continue
        default: Any = item.default
        kind: Literal["choice", "switch", "number"]
        kind = "switch" if types[item.name] is bool else "number" if types[item.name] is int else "choice"
        choices = get_args(types[item.name]) if kind == "choice" else ()
        options.append(Option(name=item.name, kind=kind, default=default, choices=choices, **item.metadata))
    return tuple(options)


def settings_in_force(game: object) -> tuple[Setting, ...]:
    """Return the options of a game with their values in force, in the order of its fields."""
    return tuple(Setting(one, getattr(game, one.name)) for one in options_of_class(type(game)))


def check_options(game: object, owner: str) -> None:
    """Raise RulesError unless every option of a game has an allowed value."""
    for item in options_of_class(type(game)):
        item.check(getattr(game, item.name), owner)
