"""The games by name, classes and rules files: their options, their rules, and files that start from one of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from importlib import resources
from itertools import takewhile
from os import PathLike
from typing import Any

from analyzer.dice import rules_file
from analyzer.dice.scorecard import ScorecardRules
from analyzer.errors import RulesError
from analyzer.fields import MOST_TEXT, begun, shown, slug, unknown
from analyzer.games.cacho_alalay import CachoAlalay
from analyzer.games.dice_poker import DicePoker
from analyzer.games.escalero import Escalero
from analyzer.games.options import Option, Setting, options_of_class, word
from analyzer.games.yahtzee import Yahtzee

GAMES: Mapping[str, type[Any]] = {game.name: game for game in (DicePoker, Escalero, CachoAlalay, Yahtzee)}
"""The class of each game, by name: a frozen dataclass with a field per option and a method `scorecard`."""

_FILES = resources.files("analyzer.games") / "files"
_SUFFIX = ".toml"


def game_names() -> tuple[str, ...]:
    """Return the names of all games: those with a class and options, then those that are rules files."""
    return (*GAMES, *file_names())


@cache
def file_names() -> tuple[str, ...]:
    """Return the names of the games that this package has as rules files, in alphabetical order.

    They have no options. The files are not read for it.
    """
    found = (entry.name for entry in _FILES.iterdir())
    return tuple(sorted(name.removesuffix(_SUFFIX) for name in found if name.endswith(_SUFFIX)))


def _key(name: str) -> str:
    """Return the name of a game as it is listed."""
    key = slug(name)
    if key not in GAMES and key not in file_names():
        raise RulesError(unknown("game", name, game_names()))
    return key


@cache
def _file_text(key: str) -> str:
    return (_FILES / f"{key}{_SUFFIX}").read_text(encoding="utf-8")


@cache
def _file_rules(key: str) -> ScorecardRules:
    return rules_from_toml(_file_text(key), f"{key}{_SUFFIX}")


def notes_of(name: str) -> tuple[str, ...]:
    """Return the comment at the top of the rules file of a game, line by line; empty for a game with a class.

    Raises
    ------
    RulesError
        If there is no such game.

    Examples
    --------
    >>> notes_of("crag")[0]
    'Crag: three dice, two throws, thirteen lines.'
    """
    key = _key(name)
    if key in GAMES:
        return ()
    comment = takewhile(lambda line: line.startswith("#"), _file_text(key).splitlines())
    return tuple(line.removeprefix("#").strip() for line in comment)


def game_class(name: str) -> type[Any]:
    """Return the class of a game, whose fields are its options.

    Parameters
    ----------
    name
        In any case, with ``-`` or spaces for ``_``.

    Raises
    ------
    RulesError
        If there is no such game (the message names the nearest one), or it is a rules file.
    """
    key = _key(name)
    if key not in GAMES:
        raise RulesError(f"game {key!r} is a rules file and has no class; choose from: {', '.join(GAMES)}")
    return GAMES[key]


def options_of(name: str) -> tuple[Option, ...]:
    """Return the options of a game, in the order of its documentation; a game that is a rules file has none.

    Raises
    ------
    RulesError
        If there is no such game.

    Examples
    --------
    >>> [option.name for option in options_of("yahtzee")]
    ['joker', 'extra_five', 'upper_bonus', 'lock_kept', 'throws']
    """
    key = _key(name)
    return options_of_class(GAMES[key]) if key in GAMES else ()


def make_rules(name: str, /, **options: object) -> ScorecardRules:
    """Return the rules of a game.

    Parameters
    ----------
    name
        The name of the game.
    **options
        Options of the game, as Python values or as text (``lock_kept="yes"``); names with ``-`` or ``_``. The first
        words of a name or a value are enough where only one begins so (``straight="25"``). A game that is a rules
        file has none.

    Raises
    ------
    RulesError
        If the game or an option does not exist, or a value is not allowed; the message names the nearest.

    Examples
    --------
    >>> make_rules("dice-poker", upper_bonus="gte63").upper_bonus
    UpperBonus(points=35, threshold=63, strict=False)
    """
    key = _key(name)
    found = settings_of(name, **options)
    if key not in GAMES:
        return _file_rules(key)
    rules: ScorecardRules = GAMES[key](**{setting.option.name: setting.value for setting in found}).scorecard()
    changed = [f"{setting.option.name} = {word(setting.value)}" for setting in found if setting.changed]
    if not changed:
        return rules
    title = f"{rules.title} ({', '.join(changed)})"
    return replace(rules, title=title if len(title) <= MOST_TEXT else f"{rules.title} (options changed)")


def settings_of(name: str, /, **options: object) -> tuple[Setting, ...]:
    """Return every option of a game with its value in force, in the order of `options_of`.

    Parameters
    ----------
    name, **options
        As for `make_rules`.

    Raises
    ------
    RulesError
        As `make_rules`, but for values that do not go together.

    Examples
    --------
    >>> [(one.option.name, one.value) for one in settings_of("yahtzee", throws=2) if one.changed]
    [('throws', 2)]
    """
    key = _key(name)
    if key not in GAMES:
        if options:
            problem = f"option {shown(next(iter(options)))} cannot be set: {key} is a rules file and has no options"
            raise RulesError(f"{problem}; leave it out, or change a copy ('analyzer rules {key} --toml')")
        return ()
    known = {option.name: option for option in options_of_class(GAMES[key])}
    values: dict[str, str | bool | int] = {}
    for typed, value in options.items():
        option = begun(slug(typed), known)
        if option not in known:
            raise RulesError(unknown(f"option of {key}", typed, tuple(known)))
        if option in values:
            raise RulesError(f"option {option!r} of {key} is given twice; give it once")
        values[option] = known[option].parse(value, key)
    return tuple(Setting(one, values.get(one.name, one.default)) for one in known.values())


def load_rules(path: str | PathLike[str]) -> ScorecardRules:
    """Return the rules of a TOML file, which may start from a game (``base = "yahtzee"``).

    Raises
    ------
    RulesError
        If the file cannot be read or is no rules file; the message names the key, what was found and what is
        allowed.
    """
    return rules_file.load_rules(path, make_base=make_rules)


def rules_from_toml(text: str, source: str = "rules") -> ScorecardRules:
    r"""Return the rules in the text of a TOML file; `source` is what messages call it.

    Raises
    ------
    RulesError
        If the text is no rules file.

    Examples
    --------
    >>> rules_from_toml('base = "yahtzee"\nthrows = 2').throws
    2
    """
    return rules_file.rules_from_toml(text, source, make_base=make_rules)
