"""Plays as people write them."""

from __future__ import annotations

from random import Random

import pytest

from analyzer.errors import PositionError
from analyzer.games.president.lowering import lower
from analyzer.games.president.notation import cards_text, parse_cards, parse_play, play_text
from analyzer.games.president.round import list_plays
from analyzer.games.president.rules import President


def test_every_play_is_read_as_it_is_written() -> None:
    rng, rules = Random(1), lower(President(jokers=2, all_jokers="may_be_2s"))
    deck = [rank + suit for rank in "3456789TJQKA2" for suit in "cdhs"] + ["*", "*"]
    for _ in range(25):
        hand = parse_cards(" ".join(rng.sample(deck, 13)))
        plays = list_plays(rules, hand, 0, 0).tolist()
        texts = [play_text(play) for play in plays]
        assert len(set(texts)) == len(texts)
        assert [parse_play(text) for text in texts] == plays


def test_what_people_write() -> None:
    assert parse_play("10H, 9h 8h") == parse_play("8h 9h Th")
    assert parse_play("K♠ A♠ 2♠") == parse_play("ks as 2s")
    assert play_text(parse_play("joker 5h")) == "5h *"
    assert cards_text(parse_cards("* 2s 3c *")) == "3c 2s * *"
    assert parse_play("PASS") == 0


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "a play has no cards; name them, or write pass"),
        ("5h 6h", "'5h 6h' is no play; write cards of one rank, or three or more in a row of one suit"),
        ("5h 6c 7h", "'5h 6c 7h' is no play"),
        ("As 2s 3s", "'As 2s 3s' is no play"),
        ("6c * 7c", "'6c * 7c' is no play"),
        ("5c 5d 5h 5s *", "group '5c 5d 5h 5s *' has 5 cards; it may have 4 at most"),
        ("5c 5c", "card '5c' stands twice in '5c 5c'; name each card once"),
        ("* * *", "there are 3 jokers in '* * *'; a deck has two at most"),
        ("5c for 2s", "play '5c for 2s' has other cards than jokers; leave out 'for 2s'"),
        ("1c", "card '1c' is unknown; write a rank (3, 4, 5, 6, 7, 8, 9, 10, J, Q, K, A, 2), then c, d, h or s"),
    ],
)
def test_what_is_no_play(text: str, message: str) -> None:
    with pytest.raises(PositionError) as error:
        parse_play(text)
    assert str(error.value).startswith(message)
