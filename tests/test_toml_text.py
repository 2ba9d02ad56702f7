"""TOML text: what is written is read back; keys and tables that are wrong are told of. Files: `tests/dice`."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analyzer.errors import RulesError
from analyzer.fields import FieldError
from analyzer.toml_text import as_table, check_keys, dotted, entries, parse

plain = st.booleans() | st.integers(-(2**63), 2**63 - 1) | st.text(st.characters(exclude_categories=["Cs"]), max_size=9)
names = st.from_regex(r"[a-z][a-z0-9_]{0,9}", fullmatch=True)


@given(st.dictionaries(names, plain | st.lists(plain, max_size=3) | st.dictionaries(names, plain), min_size=1))
def test_entries_are_read_back(content: dict[str, object]) -> None:
    assert parse(entries([(key, value, "a = comment") for key, value in content.items()])) == content


def test_comments_are_in_one_column() -> None:
    rows = entries([("a", 1, "first"), ("longer", "x", ""), ("b", True, "second")]).splitlines()
    assert rows == ["a = 1         # first", 'longer = "x"', "b = true      # second"]


@pytest.mark.parametrize(
    ("text", "message"), [("a = ", "(at line 1, the end); correct that line"), ("a = " + "[" * 5000, "too deeply")]
)
def test_text_that_is_no_toml(text: str, message: str) -> None:
    with pytest.raises(RulesError) as caught:
        parse(text)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_unknown_keys_are_named_with_their_path() -> None:
    check_keys("a.", [], ["points"])
    with pytest.raises(FieldError, match=r"a\.point is an unknown key; did you mean 'points'\? Allowed: points, line"):
        check_keys("a.", ["line", "point"], ["points", "line"])
    with pytest.raises(FieldError, match="'x y' is an unknown key; choose from: points"):
        check_keys("", ["x y"], ["points"])


def test_what_is_no_table() -> None:
    assert as_table("options", {"a": 1}) == {"a": 1}
    with pytest.raises(FieldError, match=r"options = \[\] is not a table; write its keys below \[options\]"):
        as_table("options", [])


def test_long_keys_are_cut() -> None:
    assert len(dotted("a" * 500)) == 60
