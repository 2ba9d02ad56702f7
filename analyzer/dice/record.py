"""A played game as it is written down: dice, keeps and entries of every turn, read from JSON and checked for its form.

Whether the rules allow what is written is told by `analyzer.dice.played`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from importlib import resources
from os import PathLike
from pathlib import Path
from typing import Any, TypeGuard

import numpy as np

from analyzer.errors import PositionError, StorageError
from analyzer.fields import shown, slug, unknown

Dice = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class TurnRecord:
    """One turn.

    Attributes
    ----------
    throws : tuple of tuples of int
        All dice on the table after each throw, ascending. Fewer throws than the rules allow: the player stopped.
    keeps : tuple of tuples of int
        What was kept before each further throw, ascending: one less than the throws.
    line : str
        Line that the dice were entered in; empty if the last throw won the game at once.
    flipped : tuple of int
        Dice turned over to their opposite faces after the last throw, by the faces that they showed before.
    declared : str
        Line announced after the first throw, empty where none is.
    """

    throws: tuple[Dice, ...]
    keeps: tuple[Dice, ...] = ()
    line: str = ""
    flipped: Dice = ()
    declared: str = ""


@dataclass(frozen=True, slots=True)
class GameRecord:
    """A game, from an empty scorecard on.

    Attributes
    ----------
    turns : tuple of TurnRecord
        Fewer than the lines of the scorecard if the game was won at once, or still goes on.
    game : str
        Name of the game, empty if the record does not say.
    options : mapping of str to object, or None
        Options of its rules; None if the record does not say.
    score : int or None
        The score that was written down, of the game so far; None if the record does not say.
    """

    turns: tuple[TurnRecord, ...]
    game: str = ""
    options: Mapping[str, object] | None = None
    score: int | None = None

    def to_dict(self) -> dict[str, Any]:
        """Plain values, fit for JSON, without what the record does not say."""
        turns = [{f.name: getattr(turn, f.name) for f in fields(turn) if getattr(turn, f.name)} for turn in self.turns]
        found: dict[str, Any] = {"game": self.game} if self.game else {}
        found |= {} if self.options is None else {"options": dict(self.options)}
        found["turns"] = json.loads(json.dumps(turns))  # lists for tuples
        return found if self.score is None else found | {"score": self.score}

    def to_json(self) -> str:
        """The record as JSON with a turn on each line; `read_record` reads it."""
        content = self.to_dict()
        turns = ",\n".join(f"    {json.dumps(turn)}" for turn in content.pop("turns"))
        parts = [f"  {json.dumps(key)}: {json.dumps(value)}" for key, value in content.items() if key != "score"]
        parts.append(f'  "turns": [\n{turns}\n  ]')
        parts += [] if self.score is None else [f'  "score": {self.score}']
        return "{\n" + ",\n".join(parts) + "\n}\n"


_GAME_KEYS = ("game", "options", "turns", "score")
_TURN_KEYS = tuple(f.name for f in fields(TurnRecord))


def record_schema() -> dict[str, Any]:
    """The JSON Schema (draft 2020-12) of records.

    Examples
    --------
    >>> sorted(record_schema()["properties"])
    ['game', 'options', 'score', 'turns']
    """
    text = (resources.files("analyzer.dice") / "record.schema.json").read_text(encoding="utf-8")
    found: dict[str, Any] = json.loads(text)
    return found


def read_record(source: GameRecord | Mapping[str, Any] | str | PathLike[str]) -> GameRecord:
    """Read the record of a game.

    Parameters
    ----------
    source : GameRecord, mapping, str or path
        The content of a record, or the JSON file (UTF-8) that holds it.

    Returns
    -------
    GameRecord
        Dice in ascending order, names of lines as they are looked up.

    Raises
    ------
    StorageError
        A file that cannot be read or holds no JSON.
    PositionError
        A key that records do not have, or a value of another kind than it should be.

    Examples
    --------
    >>> read_record({"turns": [{"throws": [[5, 3], [5, 5]], "keeps": [[5]], "line": "Pair"}]}).turns[0].throws
    ((3, 5), (5, 5))
    """
    if isinstance(source, GameRecord):
        return source
    content: object = _content(source) if isinstance(source, str | PathLike) else source
    _check_keys("the record", content, _GAME_KEYS, "turns")
    assert isinstance(content, Mapping)
    game, options, score = content.get("game", ""), content.get("options"), content.get("score")
    if options is not None and not (isinstance(options, Mapping) and all(isinstance(key, str) for key in options)):
        raise PositionError(f"options {shown(options)} of the record are no object; give {{'name': value}}")
    if score is not None and not _is_whole(score):
        raise PositionError(f"score {shown(score)} of the record is no whole number; give one, or leave it out")
    turns = content["turns"]
    if not _is_list(turns):
        raise PositionError(f"turns {shown(turns)} of the record are no list; give one turn for each line filled")
    return GameRecord(
        tuple(_turn(f"turn {number}", turn) for number, turn in enumerate(turns, start=1)),
        _text("game of the record", game),
        options,
        None if score is None else int(score),
    )


def _content(path: str | PathLike[str]) -> object:
    """What a JSON file holds."""
    name = f"record {str(path)!r}"
    try:
        return json.loads(Path(path).read_text(encoding="utf-8-sig"), object_pairs_hook=_no_key_twice)
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise StorageError(f"{name} cannot be read ({reason}); give a readable file") from None
    except UnicodeDecodeError as error:
        raise StorageError(f"{name} is not UTF-8 at byte {error.start}; save it as UTF-8") from None
    except json.JSONDecodeError as error:
        raise StorageError(
            f"{name} is not JSON: {error.msg} at line {error.lineno}, column {error.colno}; correct that line"
        ) from None
    except (ValueError, RecursionError) as error:
        # No path at all, an integer of thousands of digits, or lists nested thousands deep.
        raise StorageError(
            f"{name} cannot be read ({shown(str(error))}); give a record as --example prints it"
        ) from None


def _no_key_twice(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """An object of JSON, which could have a key several times."""
    found = dict(pairs)
    if len(found) < len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise PositionError(f"key {shown(twice)} is there twice in one object of the record; leave one out")
    return found


def _turn(where: str, content: object) -> TurnRecord:
    _check_keys(where, content, _TURN_KEYS, "throws")
    assert isinstance(content, Mapping)
    return TurnRecord(
        _rolls(f"throws of {where}", content["throws"]),
        _rolls(f"keeps of {where}", content.get("keeps", ())),
        slug(_text(f"line of {where}", content.get("line", ""))),
        _faces(f"flipped dice of {where}", content.get("flipped", ())),
        slug(_text(f"declared line of {where}", content.get("declared", ""))),
    )


def _check_keys(where: str, content: object, known: Sequence[str], needed: str) -> None:
    if not isinstance(content, Mapping):
        raise PositionError(f"{where} is {shown(content)}, no object; give one with the keys {', '.join(known)}")
    for key in content:
        if key not in known:
            raise PositionError(f"{where}: {unknown('key', key, known)}")
    if needed not in content:
        raise PositionError(f"{where} has no {needed}; give them")


def _text(where: str, value: object) -> str:
    if not isinstance(value, str):
        raise PositionError(f"{where} is {shown(value)}, no text; give a name in quotes, or leave it out")
    return value


def _rolls(where: str, value: object) -> tuple[Dice, ...]:
    if not _is_list(value):
        raise PositionError(f"{where} are {shown(value)}, no list; give a list of dice such as [[5, 5, 3, 2, 1]]")
    return tuple(_faces(f"{where}, number {number},", faces) for number, faces in enumerate(value, start=1))


def _faces(where: str, value: object) -> Dice:
    if not _is_list(value) or not all(_is_whole(face) for face in value):
        raise PositionError(f"{where} are {shown(value)}, no faces; give a list of whole numbers such as [5, 5]")
    return tuple(sorted(int(face) for face in value))


def _is_list(value: object) -> TypeGuard[Sequence[Any]]:
    return isinstance(value, Sequence | np.ndarray) and not isinstance(value, str | bytes)


def _is_whole(value: object) -> TypeGuard[int]:
    return isinstance(value, int | np.integer) and not isinstance(value, bool)
