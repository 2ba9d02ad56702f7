"""Policies by game."""

from __future__ import annotations

import pytest

from analyzer.analysis.families import CARD_FAMILIES, EUCHRE_FAMILIES, FAMILIES, families_of
from analyzer.games.card_rules import CardRules
from analyzer.games.euchre.rules import Euchre
from analyzer.games.registry import GAMES, game_names, make_rules, scorecard_names


@pytest.mark.parametrize("game", game_names())
def test_every_game_has_its_families(game: str) -> None:
    assert (families_of(make_rules(game)) is FAMILIES) == (game in scorecard_names())


def test_every_card_game_is_listed() -> None:
    assert list(CARD_FAMILIES) == [name for name, kind in GAMES.items() if issubclass(kind, CardRules)]
    assert families_of(Euchre(name="railroad_euchre", deck="25")) is EUCHRE_FAMILIES


@pytest.mark.parametrize("families", [FAMILIES, *CARD_FAMILIES.values()])
def test_texts_are_one_line(families: dict[str, str]) -> None:
    assert list(families)[-1] == "FILE.py:NAME"
    assert all(text.isprintable() and not text.endswith(".") and len(text) <= 110 for text in families.values())
