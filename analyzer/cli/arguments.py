"""Arguments that several commands share, and how their text is read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter, Token

from analyzer.errors import PositionError, UsageError

if TYPE_CHECKING:
    from analyzer.dice.scorecard import ScorecardRules
    from analyzer.games.card_rules import CardRules
    from analyzer.games.options import Setting


@Parameter(name="*")
@dataclass(frozen=True)
class Game:
    """Which game, with which rules."""

    game: Annotated[str, Parameter(help="Name of the game; see 'analyzer games'. Not with --rules.")] = ""
    _: KW_ONLY
    rules: Annotated[Path | None, Parameter(help="Rules file (TOML) to play by; see 'analyzer rules GAME --toml'.")] = (
        None
    )
    set_: Annotated[
        tuple[str, ...],
        Parameter(name="--set", negative=(), help="Option of the rules, name=value; may be repeated."),
    ] = ()

    def load_scorecard(self) -> ScorecardRules:
        """Rules of the game, which must be one with a scorecard."""
        from analyzer.analysis.arguments import check_rules

        return check_rules(self.load())

    def load(self) -> ScorecardRules | CardRules:
        """Rules of the game."""
        from analyzer.games.registry import game_names, load_rules, make_rules

        options = self._options()
        if self.rules is None:
            if not self.game:
                raise UsageError(f"no game is given; name one of {', '.join(game_names())}, or give --rules FILE")
            return make_rules(self.game, **options)
        if self.game:
            raise UsageError(f"game '{self.game}' and --rules '{self.rules}' are both given; give one of them")
        if options:
            raise UsageError("--set goes with a game's name; put options into the rules file under [options]")
        return load_rules(self.rules)

    def settings(self) -> tuple[Setting, ...]:
        """Options of the game with their values in force; the rules file of a dice game has none."""
        from analyzer.games.card_rules import CardRules
        from analyzer.games.registry import settings_of

        found = self.load()
        if isinstance(found, CardRules):
            return found.settings
        return () if self.rules else settings_of(self.game, **self._options())

    def notes(self) -> tuple[str, ...]:
        """What the package says of a game that comes as a rules file."""
        from analyzer.games.registry import notes_of

        return () if self.rules else notes_of(self.game)

    def arguments(self) -> list[str]:
        """The arguments that name this game and its options."""
        named = [self.game] if self.rules is None else ["--rules", str(self.rules)]
        return [*named, *(part for text in self.set_ for part in ("--set", text))]

    def _options(self) -> dict[str, str]:
        options = dict(name_value(text, "--set") for text in self.set_)
        if len(options) < len(self.set_):
            raise UsageError(f"--set {' '.join(self.set_)} gives an option twice; give each once")
        return options


@Parameter(name="*")
@dataclass(frozen=True)
class Start:
    """Where the game stands."""

    card: Annotated[str, Parameter(help="Filled lines, such as 'sixes=18,poker=50'; all others are open.")] = ""
    extra_points: Annotated[int, Parameter(converter=whole, help="Extra-five points so far; they count.")] = 0

    def points(self) -> dict[str, int]:
        """Points by filled line."""
        card: dict[str, int] = {}
        for part in filter(None, (part.strip() for part in self.card.split(","))):
            name, value = name_value(part, "--card")
            if name in card:
                raise PositionError(f"line '{name}' is filled twice; give each line once")
            try:
                card[name] = int(value)
            except ValueError:
                raise PositionError(f"--card {part} is no score; give line=points, such as sixes=18") from None
        return card


@Parameter(name="*")
@dataclass(frozen=True)
class Run:
    """How it is computed and shown."""

    workers: Annotated[int | None, Parameter(converter=whole, help="Threads; by default one per processor.")] = None
    cache: Annotated[bool, Parameter(help="Keep and use solutions on disk.")] = True
    json: Annotated[bool, Parameter(negative=(), help="Print one JSON object and nothing else.")] = False


def settings(start: Start, run: Run) -> dict[str, Any]:
    """What every verb is told of where the game stands and how to run."""
    return {
        "card": start.points(),
        "extra_points": start.extra_points,
        "workers": run.workers,
        "progress": not run.json,
        "cache": run.cache,
    }


def name_value(text: str, option: str) -> tuple[str, str]:
    """Read ``name=value``."""
    name, equals, value = text.partition("=")
    if not equals or not name.strip() or not value.strip():
        raise UsageError(f"{option} '{text}' is not name=value; write it as {name.strip() or 'name'}=...")
    return name.strip(), value.strip()


def whole(_: Any, tokens: Sequence[Token]) -> int:
    """A whole number, never rounded from another one."""
    try:
        return int(tokens[0].value)
    except ValueError:
        raise UsageError(f"{tokens[0].keyword} '{tokens[0].value}' is no whole number; give one, such as 3") from None


def number(_: Any, tokens: Sequence[Token]) -> float:
    """Read a number; what is none ends with one line."""
    try:
        return float(tokens[0].value)
    except ValueError:
        raise UsageError(f"{tokens[0].keyword} '{tokens[0].value}' is no number; give one, such as 0.95") from None


def read_faces(text: str, option: str) -> list[int]:
    """Read dice such as ``5,5,3,2,1``."""
    try:
        return [int(part) for part in text.replace(",", " ").split()]
    except ValueError:
        raise PositionError(f"{option} '{text}' are not dice; write faces such as 5,5,3,2,1") from None
