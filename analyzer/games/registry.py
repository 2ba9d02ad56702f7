"""The games by name, classes and rules files: their options, their rules, and files that start from one of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from importlib import resources
from itertools import takewhile
from os import PathLike
from typing import Any, Protocol

from analyzer.dice import rules_file
from analyzer.dice.scorecard import ScorecardRules
from analyzer.errors import RulesError
from analyzer.fields import FieldError, begun, shown, slug, unknown
from analyzer.games.cacho_alalay import CachoAlalay
from analyzer.games.card_rules import CardRules
from analyzer.games.dice_poker import DicePoker
from analyzer.games.escalero import Escalero
from analyzer.games.euchre.rules import Euchre
from analyzer.games.options import Option, Setting, changed_title, options_of_class
from analyzer.games.president.rules import President
from analyzer.games.yahtzee import Yahtzee
from analyzer.toml_text import as_table, check_keys, parse, read_text

GAMES: Mapping[str, type[Any]] = {
    game.name: game for game in (DicePoker, Escalero, CachoAlalay, Yahtzee, Euchre, President)
}
"""The class of each game, by name: a frozen dataclass with a field per option. That of a dice game has a method
`scorecard`, that of a card game is a `CardRules`."""

_CARD_KEYS = ("base", "options", "name", "title")
_FILES = resources.files("analyzer.games") / "files"
_SUFFIX = ".toml"


class Rules(Protocol):
    """What the rules of every game have, be they `ScorecardRules` or `CardRules`."""

    @property
    def name(self) -> str:
        """The name for look-ups."""

    @property
    def title(self) -> str:
        """The name for people."""

    @property
    def id(self) -> str:
        """The stable id of all that matters to play."""

    @property
    def played_with(self) -> str:
        """What the game is played with, such as ``5 dice x 6 faces``."""

    @property
    def text(self) -> str:
        """What the rules say beside lines and options, a line of text for each thing."""

    def to_toml(self) -> str:
        """Return the text of a rules file."""


def game_names() -> tuple[str, ...]:
    """Return the names of all games: those with a class and options, then those that are rules files."""
    return (*GAMES, *file_names())


@cache
def scorecard_names() -> tuple[str, ...]:
    """Return the names of the dice games, whose rules are `ScorecardRules`, in the order of `game_names`."""
    return tuple(name for name in game_names() if isinstance(make_rules(name), ScorecardRules))


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
def _file_rules(key: str) -> ScorecardRules | CardRules:
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


def make_rules(name: str, /, **options: object) -> ScorecardRules | Any:
    """Return the rules of a game.

    Parameters
    ----------
    name
        The name of the game.
    **options
        Options of the game, as Python values or as text (``lock_kept="yes"``); names with ``-`` or ``_``. The first
        words of a name or a value are enough where only one begins so (``straight="25"``). A game that is a rules
        file has none.

    Returns
    -------
    ScorecardRules or CardRules
        Those of a dice game, or of a card game, such as `Euchre`. Which of them, type checkers cannot know from a name.

    Raises
    ------
    RulesError
        If the game or an option does not exist, or a value is not allowed; the message names the nearest.

    Examples
    --------
    >>> make_rules("dice-poker", upper_bonus="gte63").upper_bonus
    UpperBonus(points=35, threshold=63, strict=False)
    >>> make_rules("euchre", stick_dealer="yes").title
    'Euchre (stick_dealer = true)'
    """
    key = _key(name)
    found = settings_of(name, **options)
    if key not in GAMES:
        return _file_rules(key)
    game = GAMES[key](**{setting.option.name: setting.value for setting in found})
    if isinstance(game, CardRules):
        return game
    rules: ScorecardRules = game.scorecard()
    return replace(rules, title=changed_title(rules.title, found))


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


def load_rules(path: str | PathLike[str]) -> ScorecardRules | Any:
    """Return the rules of a TOML file, of a dice game or a card game, as `rules_from_toml` does.

    Raises
    ------
    RulesError
        If the file cannot be read or is no rules file; the message names the key, what was found and what is
        allowed.
    """
    return rules_from_toml(read_text(path), str(path))


def rules_from_toml(text: str, source: str = "rules") -> ScorecardRules | Any:
    r"""Return the rules in the text of a TOML file.

    The text names a game as its ``base``, sets options of it under ``[options]``, and may give another ``name`` and
    ``title``. For dice games it may change more, or be a complete definition: see `analyzer.dice.rules_file.rules_of`.

    Parameters
    ----------
    text
        TOML.
    source
        What messages call the text.

    Returns
    -------
    ScorecardRules or CardRules
        As from `make_rules`.

    Raises
    ------
    RulesError
        If the text is not TOML (the message has the line), a key is unknown (the nearest is named), missing, or has a
        value that is not allowed.

    Examples
    --------
    >>> rules_from_toml('base = "yahtzee"\nthrows = 2').throws
    2
    >>> rules_from_toml('base = "euchre"\ntitle = "Ours"\n[options]\ndeck = "32"').title
    'Ours'
    """
    try:
        document = parse(text)
        base = _base(document)
        if isinstance(base, CardRules):
            return _renamed(base, document)
        return rules_file.rules_of(document, base)
    except FieldError as error:
        raise RulesError(f"{source}: {error.field} {error.problem}") from None
    except RulesError as error:
        raise RulesError(f"{source}: {error}") from None


def _base(document: Mapping[str, Any]) -> ScorecardRules | CardRules | None:
    """Return the rules that a file starts from: its base with the options, or none."""
    if "base" not in document:
        return None
    name, options = document["base"], as_table("options", document.get("options", {}))
    if not isinstance(name, str):
        raise FieldError("base", f"= {shown(name)} is not the name of a game; write it in quotes")
    try:
        return make_rules(name, **options)
    except FieldError as error:
        raise FieldError(f"options.{error.field}", error.problem) from None


def _renamed(rules: CardRules, document: Mapping[str, Any]) -> CardRules:
    """Return the rules of a card game under the name and the title that a file gives."""
    for key in document:
        if key not in _CARD_KEYS and key in (*rules_file.RULES_KEYS, "change"):
            raise FieldError(key, f"is for dice games, and {rules.game_title} is none; leave it out")
    check_keys("", document, _CARD_KEYS)
    named = {"name": document.get("name", rules.name), "given_title": document.get("title", rules.given_title)}
    return replace(rules, **named)
