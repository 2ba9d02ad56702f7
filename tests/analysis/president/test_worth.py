"""What ways to use cards are worth: sums beside a plain replay, and what must hold."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import analyzer
from analyzer.analysis.president.worth import ASKED, option_worth
from analyzer.errors import UsageError
from analyzer.games.president.layout import HELD, HIDDEN, PILE, PLACE, SEEN, TURN
from analyzer.games.president.lowering import lower
from analyzer.games.president.notation import parse_cards, play_text
from analyzer.games.president.players import LOWEST, Players
from analyzer.games.president.round import begin_now, deal_now, deck_of, list_plays, take
from analyzer.games.president.rounds import answer
from analyzer.games.president.rules import President
from analyzer.games.president.worth import _four_alike, _longest_run, _returned

PLAYERS = Players(np.zeros(8, np.int64), np.array([LOWEST]), np.zeros(1, np.int64))


def finish(rules: Any, hidden: Any, seen: Any) -> Any:
    """Play a round to its end by `lowest`."""
    hidden, seen = hidden.copy(), seen.copy()
    while seen[TURN] >= 0:
        take(rules, answer(rules, PLAYERS, hidden[seen[TURN]], seen), hidden, seen)
    return seen


def points_after(rules: Any, choice: int, hidden: Any, seen: Any) -> int:
    """The points of the seat in turn after a choice."""
    other, after, seat = hidden.copy(), seen.copy(), seen[TURN]
    take(rules, choice, other, after)
    return 4 - int(finish(rules, other, after)[PLACE + seat])


def test_twos_beside_a_plain_replay() -> None:
    """The question whether 2s are played now, asked again by hand."""
    game, matches = President(rounds=1), 40
    rules, expected = lower(game), {0: [], 1: [], 2: []}
    for match in range(matches):
        hidden, seen = np.zeros(HIDDEN, np.int64), np.zeros(SEEN, np.int64)
        begin_now(match % 4, seen)
        deal_now(rules, deck_of(game), np.uint64(9), np.uint64(match), hidden, seen)
        asked = set()
        while seen[TURN] >= 0:
            hand = hidden[seen[TURN]]
            own = int(answer(rules, PLAYERS, hand, seen))
            held = int(seen[HELD + seen[TURN]])
            kind = 0 if held >= 9 else 1 if held >= 5 else 2
            if seen[PILE] and not int(seen[PILE]) >> 58 & 1 and kind not in asked:
                plays = list_plays(rules, hand, seen[PILE], 0).tolist()
                twos = [play for play in plays if play and "2" in play_text(play).split()[0]]
                if twos:
                    asked.add(kind)
                    other = 0 if "2" in play_text(own).split()[0] else own
                    if other != twos[0]:
                        both = [points_after(rules, choice, hidden, seen) for choice in (twos[0], other)]
                        expected[kind].append(both)
            take(rules, own, hidden, seen)
    table = option_worth(game, "lowest", games=matches, seed=9).options()
    table = table[table["question"] == "two_now"].set_index("detail")
    for kind, detail in enumerate(ASKED[2].details):
        # A match of one round has one position of a class at most, so that these are independent.
        both = np.array(expected[kind])
        assert table.loc[detail, "times"] == len(both)
        assert table.loc[detail, "first_points"] == pytest.approx(both[:, 0].mean())
        differences = both[:, 0] - both[:, 1]
        assert table.loc[detail, "difference"] == pytest.approx(differences.mean())
        assert table.loc[detail, "standard_error"] == pytest.approx(differences.std(ddof=1) / len(both) ** 0.5)


def test_what_is_looked_for() -> None:
    hand = parse_cards("3h 4h 5h 6h 9c Tc Jc 7d 7s 7c 7h 2s")
    assert play_text(int(_longest_run(hand))) == "3h 4h 5h 6h 7h"
    assert play_text(int(_four_alike(hand))) == "7c 7d 7h 7s"
    assert int(_four_alike(parse_cards("3c 4c"))) == int(_longest_run(parse_cards("3c 4c"))) == 0
    rules = lower(President())
    assert int(_returned(rules, hand, 1)) == parse_cards("7c 7d")
    assert int(_returned(rules, hand, 2)) == parse_cards("7c 7d")
    fewest = int(_returned(rules, parse_cards("3c 3d 5h 9s Kh Ks"), 0))
    assert fewest == parse_cards("5h 9s")


def test_same_bits_for_any_number_of_workers() -> None:
    rules = President(exchange=True, revolution=True, eight_stop=True)
    tallies = [option_worth(rules, games=600, seed=3, workers=workers).tally for workers in (1, 2, 7)]
    assert tallies[0] == tallies[1] == tallies[2]


def test_all_questions_arise_and_what_is_refused() -> None:
    rules = President(exchange=True, revolution=True, eight_stop=True)
    result = option_worth(rules, games=400, seed=1)
    table = result.options()
    assert table["question"].unique().tolist() == [one.key for one in ASKED]
    assert ((table["first_points"] - table["second_points"]) - table["difference"]).abs().max() < 1e-9
    run = table[(table["question"] == "run_or_single")].iloc[0]
    assert run["lower"] > 0  # a run led whole is better than broken
    assert "positions of 400 matches" in str(result)
    assert result.to_dict()["matches"] == 400
    with pytest.raises(UsageError, match="is none to play on by"):
        option_worth(rules, "rollout", games=10)
    with pytest.raises(UsageError, match="option_worth is for President, not Euchre"):
        option_worth(analyzer.game("euchre"))
