"""Arms of a comparison: rules and a policy under a name, as people write them, in words or in a TOML file."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from os import PathLike, fspath
from pathlib import Path
from typing import TYPE_CHECKING, Any

from analyzer.analysis.arguments import check_rules
from analyzer.analysis.families import ALL_FAMILIES, default_policy
from analyzer.analysis.seating import split_players
from analyzer.errors import UsageError
from analyzer.fields import begun, shown, slug, unknown
from analyzer.games.card_rules import CardRules
from analyzer.games.registry import load_rules, make_rules, options_of
from analyzer.own_function import name_of

if TYPE_CHECKING:
    from analyzer.dice.scorecard import ScorecardRules

BASE = "base"
"""The arm without changes."""
MOST_ARMS = 20
MOST_NAME = 200
"""Characters of an arm's name at most: charts have to show it."""
_KEYS = ("policy", "players", "game", "rules", "name")
_FILE_KEYS = ("game", "rules", "options", "policy", "players", "arm")
_ARM_KEYS = ("name", "game", "rules", "options", "policy", "players")


@dataclass(frozen=True)
class Arm:
    """One side of a comparison.

    Parameters
    ----------
    rules : ScorecardRules or CardRules
        The game, from `analyzer.game` or `analyzer.load_rules`.
    policy : str, callable or sequence of str
        A policy, as for `analyzer.simulate`, by default that of the game. Several, one for each player: matches are
        compared, as `analyzer.match` plays them, seen by the first player.
    name : str
        What tables and charts call it; by default what sets it apart.

    Raises
    ------
    UsageError
        Something that is none of these.

    Examples
    --------
    >>> import analyzer
    >>> Arm(analyzer.game("yahtzee"), "greedy").label
    'Yahtzee, greedy'
    """

    rules: ScorecardRules | CardRules
    policy: str | Callable[..., Any] | Sequence[str] = ""
    name: str = ""

    def __post_init__(self) -> None:
        if not isinstance(self.rules, CardRules):
            check_rules(self.rules)
        if isinstance(self.policy, str) and not self.policy:
            object.__setattr__(self, "policy", default_policy(self.rules))
        policy: object = self.policy
        if isinstance(policy, Sequence) and not isinstance(policy, str):
            if not policy:
                raise UsageError(f"players {shown(policy)} of an arm are none; give policies, one for each")
            object.__setattr__(self, "policy", tuple(policy))
        elif not isinstance(policy, str) and not callable(policy):
            raise UsageError(f"policy {shown(self.policy)} is no policy; give a name, a function or a list of players")
        name: object = self.name
        if not isinstance(name, str) or not name.isprintable() or len(name) > MOST_NAME:
            raise UsageError(
                f"name {shown(self.name)} of an arm cannot be shown; give it a name= of at most {MOST_NAME} characters"
            )

    @property
    def players(self) -> tuple[str, ...]:
        """Policies of all players of a match; empty for games played alone."""
        return self.policy if isinstance(self.policy, tuple) else ()

    @property
    def policy_text(self) -> str:
        """The policy as people name it."""
        if isinstance(self.policy, str):
            return self.policy
        return name_of(self.policy) if callable(self.policy) else " against ".join(self.policy)

    @property
    def label(self) -> str:
        """Name of the arm, or its game and policy."""
        return self.name or f"{self.rules.title}, {self.policy_text}"


@dataclass(frozen=True)
class ArmDefaults:
    """What arms have that say nothing else: a game with options or a rules file, and a policy."""

    game: str = ""
    options: Mapping[str, object] | None = None
    rules_file: str | PathLike[str] = ""
    policy: str | tuple[str, ...] = ""

    def rules(self, options: Mapping[str, object]) -> ScorecardRules | CardRules:
        """Rules with some options more."""
        if self.rules_file:
            if options:
                name = next(iter(options))
                raise UsageError(
                    f"option '{name}' goes with a game's name, not with rules '{fspath(self.rules_file)}'; put it into"
                    " the file under [options]"
                )
            return load_rules(self.rules_file)
        if not self.game:
            raise UsageError("no game is given for an arm; name one, such as escalero, or give a rules file")
        known = [option.name for option in options_of(self.game)]
        typed = {begun(slug(name), known): value for name, value in (self.options or {}).items()}
        return make_rules(self.game, **(typed | {begun(slug(name), known): value for name, value in options.items()}))


def read_arm(text: str, defaults: ArmDefaults) -> Arm:
    """Read an arm such as ``straight=25/30``, ``greedy``, or ``straight=25/30,policy=par:chance=22``.

    Parameters
    ----------
    text : str
        Parts separated by commas: options of the rules ``name=value``; a policy, alone or after ``policy=``, whose own
        parameters come last; ``players=columns,sum`` for matches, where a number is the option of games that have it;
        ``game=``; ``rules=`` with a rules file; ``name=``.
        ``base`` alone changes nothing.
    defaults : ArmDefaults

    Raises
    ------
    UsageError, RulesError
        A part that is none of these, an unknown option or value.

    Examples
    --------
    >>> arm = read_arm("straight=25,policy=greedy", ArmDefaults(game="escalero"))
    >>> arm.rules.title, arm.policy, arm.name
    ('Escalero (straight = 25/30)', 'greedy', 'straight=25,policy=greedy')
    """
    found: dict[str, str] = {}
    options: dict[str, str] = {}
    name = text.strip()
    if not name:
        raise UsageError(f"arm {shown(text)} says nothing; write {BASE}, an option name=value, or a policy")
    for key, value in [] if name == BASE else _parts(text):
        if key in found or key in options:
            raise UsageError(f"arm '{text}' gives {key} twice; give it once")
        (found if key in _KEYS else options)[key] = value
    if _is_number_of_players(found, defaults):
        options["players"] = found.pop("players")
    return _arm(found | {"name": found.get("name", name)}, options, defaults)


def _is_number_of_players(found: Mapping[str, str], defaults: ArmDefaults) -> bool:
    """Whether players are told as a number, in a game that has it as an option; else they are policies."""
    game = found.get("game", defaults.game)
    return bool(
        found.get("players", "").isdecimal() and game and any(one.name == "players" for one in options_of(game))
    )


def _parts(text: str) -> list[tuple[str, str]]:
    """Names and values of an arm's text; what follows a comma and is no ``name=value`` belongs to the value before."""
    parts: list[tuple[str, str]] = []
    for piece in text.split(","):
        head, equals, rest = piece.partition("=")
        key = slug(head.partition(":")[0])
        before = parts[-1] if parts else ("", "")
        listed = before[0] == "players" and (not equals or ":" in head)
        parameter = before[0] == "policy" and ":" in before[1] and ".py:" not in before[1] and key not in _KEYS
        if listed or parameter:
            parts[-1] = (before[0], f"{before[1]},{piece.strip()}")
        elif (key in ALL_FAMILIES and not (equals and slug(head) in _KEYS)) or ".py:" in head:
            parts.append(("policy", piece.strip()))
        elif equals:
            parts.append((slug(head) if slug(head) in _KEYS else head.strip(), rest.strip()))
        elif before[0] not in ("", "policy"):
            parts[-1] = (before[0], f"{before[1]},{piece.strip()}")
        else:
            raise UsageError(f"arm '{text}' is neither '{BASE}' nor a policy nor name=value; write one of these")
    return parts


def _arm(found: Mapping[str, Any], options: Mapping[str, object], defaults: ArmDefaults) -> Arm:
    """An arm from what it says itself, and the defaults for the rest."""
    if "game" in found and "rules" in found:
        raise UsageError(f"arm '{found['name']}' gives a game and a rules file; give one of them")
    if "game" in found:
        same = slug(str(found["game"])) == slug(defaults.game)
        defaults = ArmDefaults(str(found["game"]), defaults.options if same else None, policy=defaults.policy)
    if "rules" in found:
        defaults = ArmDefaults(rules_file=found["rules"], policy=defaults.policy)
    policy: Any = found.get("policy", defaults.policy)
    if "players" in found:
        if "policy" in found:
            raise UsageError(f"arm '{found['name']}' gives a policy and players; give one of them")
        policy = found["players"]
        if isinstance(policy, str):
            policy = tuple(split_players(policy))
        elif not isinstance(policy, list):
            raise UsageError(
                f"players {shown(policy)} of arm '{found['name']}' are no list; give policies, one for each"
            )
    return Arm(defaults.rules(options), policy, str(found["name"]))


def read_arms(texts: Sequence[str], defaults: ArmDefaults) -> list[Arm]:
    """Read several arms; a single one is compared with the base.

    Raises
    ------
    UsageError, RulesError
        As `read_arm`.

    Examples
    --------
    >>> [arm.name for arm in read_arms(["straight=25"], ArmDefaults(game="escalero"))]
    ['base', 'straight=25']
    """
    several = [BASE, *texts] if len(texts) == 1 and texts[0].strip() != BASE else texts
    return [read_arm(text, defaults) for text in several]


def load_arms(path: str | PathLike[str]) -> list[Arm]:
    """Read the arms of a TOML file.

    At the top of the file stand ``game`` (or ``rules``, a rules file), ``options``, and ``policy`` (or ``players``) of
    all arms that say nothing else; then a table ``[[arm]]`` for each arm, with ``name`` and any of these keys. Paths
    are relative to the file.

    Raises
    ------
    UsageError
        The file cannot be read, is no TOML, or has unknown keys.
    RulesError
        Unknown options or values.
    """
    place = Path(path)
    try:
        content = tomllib.loads(place.read_text(encoding="utf-8-sig"))
    except OSError as problem:
        raise UsageError(f"arms file '{place}' cannot be read ({problem.strerror}); give an existing file") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as problem:
        raise UsageError(f"arms file '{place}' is no TOML: {problem}; correct it") from None
    except RecursionError:
        raise UsageError(f"arms file '{place}' nests brackets too deeply; write plain tables [[arm]]") from None
    _check_keys(content, _FILE_KEYS, f"{place}: key")
    arms = content.get("arm", [])
    if not isinstance(arms, list) or not all(isinstance(arm, dict) for arm in arms) or not arms:
        raise UsageError(f"{place}: there are no arms; write a table [[arm]] for each")
    for arm in arms:
        _check_keys(arm, _ARM_KEYS, f"{place}: key of an arm")
    top = {key: value for key, value in content.items() if key not in ("arm", "options")}
    found = []
    for number, arm in enumerate(arms, start=1):
        own = {key: value for key, value in arm.items() if key != "options"}
        merged = _without_rivals(top, own) | own
        shared = {} if "rules" in own or own.get("game", top.get("game")) != top.get("game") else content
        options = {**_options(shared, place), **_options(arm, place)}
        if "rules" in merged:
            merged["rules"] = place.parent / str(merged["rules"])
        found.append(_arm({"name": f"arm {number}", **merged}, options, ArmDefaults()))
    return found


def _without_rivals(top: Mapping[str, Any], own: Mapping[str, Any]) -> dict[str, Any]:
    """What holds for all arms, but for what an arm says itself in other words."""
    rivals = {"game": "rules", "rules": "game", "policy": "players", "players": "policy"}
    return {key: value for key, value in top.items() if rivals.get(key) not in own}


def _options(table: Mapping[str, Any], place: Path) -> dict[str, object]:
    options = table.get("options", {})
    if not isinstance(options, dict):
        raise UsageError(f"{place}: options = {shown(options)} are no table; write options = {{ name = value }}")
    return options


def _check_keys(table: Mapping[str, Any], known: Sequence[str], what: str) -> None:
    for key in table:
        if key not in known:
            raise UsageError(unknown(what, key, known))
