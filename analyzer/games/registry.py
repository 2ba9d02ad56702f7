"""The games by name: their options, their rules, and rules files that start from one of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from os import PathLike
from typing import Any

from analyzer.dice import rules_file
from analyzer.dice.scorecard import ScorecardRules
from analyzer.errors import RulesError
from analyzer.fields import MOST_TEXT, slug, unknown
from analyzer.games.cacho_alalay import CachoAlalay
from analyzer.games.dice_poker import DicePoker
from analyzer.games.escalero import Escalero
from analyzer.games.options import Option, options_of_class
from analyzer.games.yahtzee import Yahtzee

GAMES: Mapping[str, type[Any]] = {game.name: game for game in (DicePoker, Escalero, CachoAlalay, Yahtzee)}
"""The class of each game, by name: a frozen dataclass with a field per option and a method `scorecard`."""


def game_names() -> tuple[str, ...]:
    """Return the names of all games."""
    return tuple(GAMES)


def game_class(name: str) -> type[Any]:
    """Return the class of a game, whose fields are its options.

    Parameters
    ----------
    name
        In any case, with ``-`` or spaces for ``_``.

    Raises
    ------
    RulesError
        If there is no such game; the message names the nearest one.
    """
    key = slug(name)
    if key not in GAMES:
        raise RulesError(unknown("game", name, game_names()))
    return GAMES[key]


def options_of(name: str) -> tuple[Option, ...]:
    """Return the options of a game, in the order of its documentation.

    Raises
    ------
    RulesError
        If there is no such game.

    Examples
    --------
    >>> [option.name for option in options_of("yahtzee")]
    ['joker', 'extra_five', 'upper_bonus', 'lock_kept', 'throws']
    """
    return options_of_class(game_class(name))


def make_rules(name: str, /, **options: object) -> ScorecardRules:
    """Return the rules of a game.

    Parameters
    ----------
    name
        The name of the game.
    **options
        Options of the game, as Python values or as text (``lock_kept="yes"``); names with ``-`` or ``_``.

    Raises
    ------
    RulesError
        If the game or an option does not exist, or a value is not allowed; the message names the nearest.

    Examples
    --------
    >>> make_rules("dice-poker", upper_bonus="gte63").upper_bonus
    UpperBonus(points=35, threshold=63, strict=False)
    """
    game = game_class(name)
    known = {option.name: option for option in options_of_class(game)}
    values: dict[str, object] = {}
    for typed, value in options.items():
        key = slug(typed)
        if key not in known:
            raise RulesError(unknown(f"option of {game.name}", typed, tuple(known)))
        if key in values:
            raise RulesError(f"option {key!r} of {game.name} is given twice; give it once")
        values[key] = known[key].parse(value, game.name)
    rules: ScorecardRules = game(**values).scorecard()
    given = [(key, values[key]) for key, option in known.items() if values.get(key, option.default) != option.default]
    changed = [f"{key} = {_word(value)}" for key, value in given]
    if not changed:
        return rules
    title = f"{rules.title} ({', '.join(changed)})"
    return replace(rules, title=title if len(title) <= MOST_TEXT else f"{rules.title} (options changed)")


def _word(value: object) -> str:
    """An option's value as a person writes it."""
    return str(value).lower() if isinstance(value, bool) else str(value)


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
