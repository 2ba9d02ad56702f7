"""Records of games: their form, their schema, and what is wrong with those that have another form."""

from __future__ import annotations

import json
from dataclasses import fields
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from analyzer.dice.record import GameRecord, TurnRecord, read_record, record_schema
from analyzer.errors import AnalyzerError, PositionError, StorageError

TURN = {"throws": [[5, 5, 3, 2, 1], [5, 5, 5, 2, 6]], "keeps": [[5, 5]], "line": "fives"}
VALIDATOR = Draft202012Validator(record_schema())


def test_the_schema_is_one_and_has_the_keys_of_records() -> None:
    schema = record_schema()
    Draft202012Validator.check_schema(schema)
    assert schema["properties"].keys() == {field.name for field in fields(GameRecord)}
    assert schema["$defs"]["turn"]["properties"].keys() == {field.name for field in fields(TurnRecord)}


def test_a_record_is_read_with_its_dice_in_order() -> None:
    record = read_record({"game": "Dice Poker", "options": {"throws": 2}, "turns": [TURN], "score": 15})
    assert record.turns == (TurnRecord(((1, 2, 3, 5, 5), (2, 5, 5, 5, 6)), ((5, 5),), "fives"),)
    assert (record.game, record.options, record.score) == ("Dice Poker", {"throws": 2}, 15)
    assert read_record(record) is record
    named = read_record({"turns": [TURN | {"line": " Three-of a Kind ", "declared": "Poker", "flipped": [6, 2]}]})
    assert named.turns[0].line == "three_of_a_kind"
    assert (named.turns[0].declared, named.turns[0].flipped) == ("poker", (2, 6))
    arrays = read_record({"turns": [{"throws": np.array([[2, 1]]), "keeps": (), "line": "pair"}], "score": np.int64(3)})
    assert arrays == GameRecord((TurnRecord(((1, 2),), (), "pair"),), score=3)
    assert type(arrays.turns[0].throws[0][0]) is type(arrays.score) is int


dice = st.lists(st.integers(1, 12), min_size=1, max_size=10)
turns = st.builds(
    TurnRecord,
    st.lists(dice.map(lambda faces: tuple(sorted(faces))), min_size=1, max_size=10).map(tuple),
    st.lists(dice.map(lambda faces: tuple(sorted(faces))), max_size=9).map(tuple),
    st.sampled_from(["", "fives", "chance"]),
    dice.map(lambda faces: tuple(sorted(faces))),
    st.sampled_from(["", "poker"]),
)
games = st.builds(
    GameRecord,
    st.lists(turns, max_size=20).map(tuple),
    st.sampled_from(["", "yahtzee"]),
    st.none() | st.dictionaries(st.text(), st.booleans() | st.integers() | st.text()),
    st.none() | st.integers(0, 2000),
)


@given(games)
def test_records_go_round_through_json_and_fit_the_schema(record: GameRecord) -> None:
    VALIDATOR.validate(json.loads(record.to_json()))
    assert json.loads(record.to_json()) == record.to_dict()
    assert read_record(record.to_dict()) == record


def test_a_file_is_read(tmp_path: Path) -> None:
    path = tmp_path / "record.json"
    path.write_text(json.dumps({"turns": [TURN]}), encoding="utf-8-sig")
    assert read_record(path) == read_record(str(path)) == read_record({"turns": [TURN]})


WRONG_FORM: list[tuple[Any, str]] = [
    ([], r"the record is \[\], no object; give one with the keys game, options, turns, score"),
    ({}, "the record has no turns; give them"),
    ({"turn": [TURN]}, "the record: key 'turn' is unknown; did you mean 'turns'?"),
    ({"turns": TURN}, "turns {'throws': .* are no list"),
    ({"turns": "fives"}, "turns 'fives' of the record are no list"),
    ({"turns": [], "score": 1.5}, "score 1.5 of the record is no whole number"),
    ({"turns": [], "score": True}, "score True of the record is no whole number"),
    ({"turns": [], "options": ["throws"]}, r"options \['throws'\] of the record are no object"),
    ({"turns": [], "game": 1}, "game of the record is 1, no text"),
    ({"turns": [TURN, 7]}, "turn 2 is 7, no object; give one with the keys throws, keeps, line, flipped, declared"),
    ({"turns": [TURN, {"line": "fives"}]}, "turn 2 has no throws; give them"),
    ({"turns": [TURN | {"trows": []}]}, "turn 1: key 'trows' is unknown; did you mean 'throws'?"),
    ({"turns": [TURN | {"line": 5}]}, "line of turn 1 is 5, no text"),
    ({"turns": [TURN | {"declared": None}]}, "declared line of turn 1 is None, no text"),
    ({"turns": [TURN | {"throws": 5}]}, "throws of turn 1 are 5, no list"),
    ({"turns": [TURN | {"throws": [5, 5]}]}, "throws of turn 1, number 1, are 5, no faces"),
    ({"turns": [TURN | {"throws": ["55321"]}]}, "throws of turn 1, number 1, are '55321', no faces"),
    ({"turns": [TURN | {"throws": [[5, 5.0]]}]}, r"throws of turn 1, number 1, are \[5, 5.0\], no faces"),
    ({"turns": [TURN | {"keeps": [[5], [True]]}]}, r"keeps of turn 1, number 2, are \[True\], no faces"),
    ({"turns": [TURN | {"flipped": 5}]}, "flipped dice of turn 1 are 5, no faces"),
]


@pytest.mark.parametrize(("content", "message"), WRONG_FORM)
def test_another_form_is_refused(content: Any, message: str) -> None:
    with pytest.raises(PositionError, match=f"^{message}"):
        read_record(content)


@pytest.mark.parametrize("content", [content for content, _ in WRONG_FORM if "5.0" not in repr(content)])
def test_the_schema_refuses_it_too(content: Any) -> None:
    """JSON Schema counts 5.0 as an integer."""
    assert not VALIDATOR.is_valid(json.loads(json.dumps(content)))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (b'{"turns": [', r"is not JSON: Expecting value at line 1, column 12; correct that line"),
        (b"", "is not JSON: Expecting value at line 1, column 1"),
        (b'{"turns": "\xff"}', "is not UTF-8 at byte 11; save it as UTF-8"),
        (b'{"turns": [' + b"9" * 5000 + b"]}", "cannot be read .*give a record as --example prints it"),
        (b"[" * 100_000, "cannot be read .*give a record as --example prints it"),
    ],
)
def test_what_is_no_json(tmp_path: Path, text: bytes, message: str) -> None:
    path = tmp_path / "record.json"
    path.write_bytes(text)
    with pytest.raises(StorageError, match=message) as caught:
        read_record(path)
    assert "record.json" in str(caught.value)


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    for path in (tmp_path / "none.json", tmp_path, "nul\0"):
        with pytest.raises(StorageError, match="cannot be read"):
            read_record(path)


def test_a_key_that_is_there_twice(tmp_path: Path) -> None:
    path = tmp_path / "record.json"
    path.write_text('{"turns": [{"throws": [[1]], "line": "ones", "line": "twos"}]}')
    with pytest.raises(AnalyzerError, match="key 'line' is there twice"):
        read_record(path)
