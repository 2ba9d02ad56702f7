"""The command `rules`: what a game's rules are, as tables, as JSON, or as a file to edit."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from analyzer.cli.arguments import Game
from analyzer.cli.output import print_json, print_table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from analyzer.dice.lines import Line
    from analyzer.dice.scorecard import ScorecardRules
    from analyzer.games.card_rules import CardRules
    from analyzer.games.options import Setting


def rules(
    game: Game | None = None,
    *,
    toml: Annotated[bool, Parameter(negative=(), help="Print a rules file, to edit and use with --rules.")] = False,
    json: Annotated[bool, Parameter(negative=(), help="Print one JSON object.")] = False,
) -> None:
    """Show the rules of a game: its lines or cards, what they score, and its options."""
    game = game or Game()
    found, notes = game.load(), game.notes()
    if toml:
        print("".join(f"# {note}".rstrip() + "\n" for note in notes) + "\n" * bool(notes) + found.to_toml(), end="")
        return
    settings = game.settings()
    if json:
        print_json({"id": found.id, "rules": _content(found), "options": _options(settings), "notes": list(notes)})
        return
    import pandas as pd

    from analyzer.games.options import word
    from analyzer.games.registry import options_of

    _print_scores(found)
    if found.text:
        print(found.text)
    if notes:
        print("\n".join(notes))
    if settings:
        told = [row | {"value": word(row["value"]), "default": word(row["default"])} for row in _options(settings)]
        settable = not game.rules and options_of(game.game)
        print()
        print_table(
            pd.DataFrame(told).rename(columns={"name": "option"}),
            f"Options, {'set with --set name=value' if settable else 'as the rules file sets them'}",
        )


def _options(settings: Sequence[Setting]) -> list[dict[str, Any]]:
    """Options with their values in force."""
    return [
        {"name": o.name, "value": one.value, "default": o.default, "allowed": o.allowed, "meaning": o.meaning}
        for one, o in ((one, one.option) for one in settings)
    ]


def _content(found: ScorecardRules | CardRules) -> dict[str, Any]:
    """The rules as plain data."""
    from dataclasses import asdict

    from analyzer.dice.scorecard import ScorecardRules

    if isinstance(found, ScorecardRules):
        return asdict(found)
    named = {"name": found.name, "title": found.title, "played_with": found.played_with}
    options = {one.option.name: one.value for one in found.settings}
    return {**named, **options, "points": found.score_table()}


def _print_scores(found: ScorecardRules | CardRules) -> None:
    """Print what the game is played with, and what lines or hands score."""
    import pandas as pd

    from analyzer.dice.entries import possible_scores
    from analyzer.dice.scorecard import ScorecardRules

    if not isinstance(found, ScorecardRules):
        print(f"{found.title}: {found.played_with}\n")
        print_table(pd.DataFrame(found.score_table()), found.scores_title)
        return
    rows = [
        {
            "name": line.name,
            "label": line.label,
            "section": line.section,
            "scores": _scores(line),
            "most": possible_scores(found, line.name)[-1],
        }
        for line in found.lines
    ]
    throws = f"{found.throws} throws" if found.throws > 1 else "1 throw"
    locked = ", kept dice stay kept" if found.lock_kept else ""
    print(f"{found.title}: {found.dice} dice with {found.faces} faces, {throws}{locked}, {len(found.lines)} lines\n")
    print_table(pd.DataFrame(rows))


def _scores(line: Line) -> str:
    """What dice that fit a line score there."""
    if line.face is not None:
        return f"dice that show {line.face}"
    if line.value != "fixed":
        return line.value.replace("_", " ")
    if line.served_points in (None, line.points):
        return f"{line.points} points"
    return f"{f'{line.points}, ' if line.points else 'only '}served {line.served_points} points"
