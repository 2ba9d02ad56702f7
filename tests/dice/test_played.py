"""Records against the rules: what cannot have been played so, and what a plain referee allows in Cacho Alalay."""

from __future__ import annotations

from itertools import combinations_with_replacement
from random import Random
from typing import Any

import pytest

from analyzer.dice.entries import bonus_points, legal_entries
from analyzer.dice.played import PlayedTurn, check_record
from analyzer.dice.record import read_record
from analyzer.dice.scorecard import ScorecardRules
from analyzer.dice.states import StateSpace
from analyzer.errors import PositionError
from analyzer.games.cacho_alalay import CachoAlalay
from analyzer.games.escalero import Escalero
from analyzer.games.registry import make_rules
from analyzer.games.yahtzee import Yahtzee
from tests.dice.reference import SMALL_GAMES, keeps_of, sorted_dice
from tests.games import cacho_referee as referee
from tests.games.cacho_referee import CELLS, CachoOptions, Dice, Flips, Sheet

YAHTZEE = Yahtzee().scorecard()
CACHO = CachoAlalay().scorecard()
DECLARED = CachoAlalay(declare_after_throw1=True).scorecard()
FIVES = {"throws": [[5, 5, 3, 2, 1], [5, 5, 5, 2, 6]], "keeps": [[5, 5]], "line": "fives"}
SIXES = [6] * 5


def played(rules: ScorecardRules, *turns: dict[str, Any], score: int | None = None) -> list[PlayedTurn]:
    return check_record(StateSpace.of(rules), read_record({"turns": turns, "score": score}))


def test_what_a_turn_writes() -> None:
    fifty = {"throws": [SIXES], "line": "yahtzee"}
    joker = {"throws": [[6, 6, 6, 6, 2], SIXES], "keeps": [[6, 6, 6, 6]], "line": "sixes"}
    found = played(YAHTZEE, FIVES, fifty, joker, score=15 + 50 + 130)
    assert [(turn.written, turn.extra) for turn in found] == [(15, 0), (50, 0), (30, 100)]
    assert found[2].card == {"fives": 15, "yahtzee": 50}
    assert found[2].after == ({"fives": 15, "yahtzee": 50, "sixes": 30}, 100)
    assert [found[0].full(0), found[0].full(1)] == [True, False]
    assert played(YAHTZEE) == []


def test_served_dice_and_stand_ins() -> None:
    escalero = Escalero().scorecard()
    again = {"throws": [[1, 2, 3, 5, 6], [2, 2, 2, 2, 4]], "keeps": [[]], "line": "poker"}
    plain = {"throws": [[1, 2, 2, 2, 6], [2, 2, 2, 2, 4]], "keeps": [[2, 2, 2]], "line": "poker"}
    assert played(escalero, again)[0].written == 45
    assert played(escalero, plain)[0].written == 40
    struck = {"throws": [[1, 2, 3, 5, 6]], "line": "grande"}
    alike = {"throws": [SIXES], "line": "poker"}
    assert [turn.written for turn in played(escalero, struck, alike)] == [0, 45]


def test_instant_wins_end_the_game() -> None:
    dormida = {"throws": [[1, 2, 2, 2, 6], SIXES], "keeps": [[]]}
    found = played(CACHO, dormida)
    assert (found[0].win, found[0].written, found[0].after) == ("dormida", 0, ({}, 0))
    centre = [
        {"throws": [[1, 2, 3, 4, 5]], "line": "straight"},
        {"throws": [[2, 2, 2, 3, 3]], "line": "full_house"},
        {"throws": [[2, 2, 2, 2, 3]], "line": "poker"},
        {"throws": [[2, 2, 2, 2, 3], [2, 2, 2, 2, 5]], "keeps": [[2, 2, 2, 2]], "flipped": [5], "line": "grande_1"},
    ]
    assert [turn.win for turn in played(CACHO, *centre, score=155)] == ["", "", "", "panza_de_oro"]


ERRORS: list[tuple[ScorecardRules, list[dict[str, Any]], str]] = [
    (YAHTZEE, [FIVES, {"throws": [], "line": "sixes"}], "turn 2: there is no throw; give the dice after each"),
    (YAHTZEE, [{"throws": [[5, 5]], "line": "fives"}], "turn 1, throw 1: dice '5 5' are 2; give 5, as Yahtzee throws"),
    (YAHTZEE, [{"throws": [[5, 5, 5, 5, 7]]}], "turn 1, throw 1: dice '5 5 5 5 7' show 7; choose faces in 1..6"),
    (YAHTZEE, [FIVES | {"throws": [SIXES] * 4}], "turn 1: 4 throws are too many; Yahtzee has 3 a turn"),
    (YAHTZEE, [FIVES | {"keeps": []}], "turn 1: 2 throws and 0 keeps do not fit; give what was kept"),
    (YAHTZEE, [FIVES | {"keeps": [[5], [5]]}], "turn 1: 2 throws and 2 keeps do not fit"),
    (
        YAHTZEE,
        [FIVES | {"keeps": [[5, 5, 5]]}],
        "turn 1, throw 1: kept dice 5 5 5 are not part of the roll 1 2 3 5 5; choose dice from it",
    ),
    (
        YAHTZEE,
        [FIVES | {"keeps": [[1, 5]]}],
        "turn 1, throw 2: dice 2 5 5 5 6 do not hold the kept dice 1 5; correct one of them",
    ),
    (YAHTZEE, [FIVES | {"keeps": [[1, 2, 3, 5, 5]]}], "turn 1, throw 1: who keeps all dice stops; leave out this keep"),
    (YAHTZEE, [{"throws": [SIXES]}], "turn 1: no line is filled; give it as line"),
    (YAHTZEE, [FIVES | {"line": "fivs"}], "turn 1: line 'fivs' is unknown; did you mean 'fives'?"),
    (YAHTZEE, [FIVES, FIVES], "turn 2: line 'fives' is filled already; choose an open one: aces, twos"),
    (
        YAHTZEE,
        [{"throws": [SIXES], "line": "yahtzee"}, {"throws": [SIXES], "line": "chance"}],
        "turn 2: the rules do not allow to enter 6 6 6 6 6 as 'chance'; choose from sixes",
    ),
    (YAHTZEE, [FIVES | {"flipped": [5]}], "turn 1: no dice are flipped in Yahtzee; leave flipped out"),
    (YAHTZEE, [FIVES | {"declared": "fives"}], "turn 1: no line is announced in Yahtzee; leave declared out"),
    (
        Yahtzee(lock_kept=True).scorecard(),
        [{"throws": [[1, 2, 3, 5, 5], [2, 3, 5, 5, 5], SIXES], "keeps": [[2, 5, 5], [5, 5, 5]], "line": "chance"}],
        "turn 1, throw 2: kept dice 5 5 5 leave out some of 2 5 5, which the rules lock; keep those too",
    ),
    (
        CACHO,
        [{"throws": [SIXES], "line": "sixes"}],
        r"turn 1, throw 1 wins the game at once \(Dormida\); leave line and flipped out",
    ),
    (
        CACHO,
        [{"throws": [SIXES, SIXES], "keeps": [[6]], "line": "sixes"}],
        "turn 1, throw 1 wins the game at once; leave out what comes after",
    ),
    (
        CACHO,
        [{"throws": [SIXES]}, {"throws": [[1, 2, 3, 4, 5]], "line": "straight"}],
        r"turn 2 comes after turn 1 has won the game \(Dormida\); leave it out",
    ),
    (
        CachoAlalay(stop_after_throw1="centre_only").scorecard(),
        [{"throws": [[1, 2, 2, 4, 6]], "line": "twos"}],
        "turn 1: the rules do not allow to stop with 1 2 2 4 6, as nothing scores; correct the throws",
    ),
    (
        CACHO,
        [{"throws": [[1, 2, 2, 4, 6], [1, 2, 2, 4, 4]], "keeps": [[2, 2]], "line": "twos"}],
        "turn 1: the dice 1 2 2 4 4 may not be entered as they lie, with none flipped; flip one of: 1; 2; 4; 1 2; 1 4",
    ),
    (
        CACHO,
        [{"throws": [[1, 2, 2, 4, 6], [1, 2, 2, 4, 4]], "keeps": [[2, 2]], "flipped": [6], "line": "twos"}],
        "turn 1: flipped dice 6 are not part of the roll 1 2 2 4 4; give the faces that they showed before",
    ),
    (
        CACHO,
        [{"throws": [[1, 2, 2, 4, 6], [1, 2, 2, 4, 4]], "keeps": [[2, 2]], "flipped": [1, 2, 4], "line": "twos"}],
        "turn 1: 3 flipped dice are too many after this throw; flip 2 at most",
    ),
    (
        CACHO,
        [{"throws": [[1, 2, 2, 4, 6]], "flipped": [1], "line": "twos"}],
        "turn 1: 1 flipped dice are too many after this throw; flip 0 at most",
    ),
    (
        CACHO,
        [{"throws": [[1, 2, 2, 4, 6], [1, 2, 2, 4, 4]], "keeps": [[2, 2]], "flipped": [4], "line": "poker"}],
        "turn 1: the rules do not allow to enter 1 2 2 3 4 as 'poker'; choose from ones, twos, threes, fours",
    ),
    (DECLARED, [FIVES | {"flipped": [2]}], "turn 1: no line is announced before throw 2; give it as declared"),
    (
        DECLARED,
        [{"throws": [[5, 5, 5, 2, 2]], "declared": "fives", "line": "fives"}],
        "turn 1: who stops after the first throw announces no line; leave declared out",
    ),
    (DECLARED, [FIVES | {"declared": "fivs"}], "turn 1: line 'fivs' is unknown; did you mean 'fives'"),
    (
        DECLARED,
        [FIVES | {"declared": "fives", "flipped": [2]}, FIVES | {"declared": "fives"}],
        "turn 2: announced line 'fives' is filled already; choose an open one: ones",
    ),
    (
        DECLARED,
        [FIVES | {"declared": "sixes", "flipped": [2]}],
        "turn 1: the rules do not allow to enter 5 5 5 5 6 as 'fives'; choose from sixes",
    ),
    (
        SMALL_GAMES["one_line"],
        [{"throws": [[1, 2, 3]], "line": "eleven"}, {"throws": [[1, 2, 3]], "line": "eleven"}],
        "turn 2 has no line to fill: One Line has 1; leave it out",
    ),
]


@pytest.mark.parametrize(("rules", "turns", "message"), ERRORS)
def test_impossible_records(rules: ScorecardRules, turns: list[dict[str, Any]], message: str) -> None:
    with pytest.raises(PositionError, match=f"^{message}") as caught:
        played(rules, *turns)
    assert "\n" not in str(caught.value)


def test_a_score_that_the_turns_do_not_make() -> None:
    with pytest.raises(PositionError, match=r"^score 16 is not what the turns make, 15; correct it or a turn"):
        played(YAHTZEE, FIVES, score=16)


@pytest.mark.parametrize("name", SMALL_GAMES)
def test_every_legal_turn_is_accepted_and_no_other_entry(name: str) -> None:
    """Random keeps; entries as `analyzer.dice.entries` reads them from the rules."""
    rules = SMALL_GAMES[name]
    random = Random(1)
    for _ in range(4):
        card: dict[str, int] = {}
        turns: list[dict[str, Any]] = []
        extra = 0
        while len(card) < len(rules.lines):
            throws: list[Dice] = []
            keeps: list[Dice] = []
            held: Dice = ()
            for _ in range(rules.throws):
                added = tuple(random.randint(1, rules.faces) for _ in range(rules.dice - len(held)))
                throws.append(sorted_dice(held, added))
                keep = random.choice(keeps_of(throws[-1], held if rules.lock_kept else ()))
                if len(keep) == rules.dice or len(throws) == rules.throws:
                    break
                keeps.append(keep)
                held = keep
            legal = legal_entries(rules, throws[-1], card)
            for line in rules.line_names:
                turn = {"throws": throws, "keeps": keeps, "line": line}
                if line in legal:
                    assert played(rules, *turns, turn)[-1].written == legal[line]
                else:
                    with pytest.raises(PositionError):
                        played(rules, *turns, turn)
            line = random.choice(list(legal))
            turns.append({"throws": throws, "keeps": keeps, "line": line})
            extra += bonus_points(rules, throws[-1], card)
            card[line] = legal[line]
        assert played(rules, *turns)[-1].after == (card, extra)


class Writer:
    """Plays Cacho Alalay at random and writes down what it does."""

    def __init__(self, options: CachoOptions, random: Random) -> None:
        self.options = options
        self.random = random
        self.turns: list[dict[str, Any]] = []

    def keep(self, dice: Dice, throw_number: int, full_throw: bool, sheet: Sheet) -> Dice:
        if throw_number == 1:
            self.turns.append({"throws": [], "keeps": []})
        if referee.can_stop(self.options, dice, throw_number, full_throw, sheet) and self.random.random() < 0.2:
            kept = dice
        else:
            kept = tuple(die for die in dice if self.random.random() < 0.5)
            kept = kept if len(kept) < len(dice) else ()
        self.turns[-1]["throws"].append(list(dice))
        if len(kept) < len(dice):
            self.turns[-1]["keeps"].append(list(kept))
        return kept

    def announce(self, dice: Dice, kept: Dice, sheet: Sheet) -> str:
        self.turns[-1]["declared"] = self.random.choice([cell for cell in CELLS if cell not in sheet])
        return str(self.turns[-1]["declared"])

    def flip(self, dice: Dice, throw_number: int, full_throw: bool, sheet: Sheet, legal: list[Flips]) -> Flips:
        if len(self.turns[-1]["throws"]) < throw_number:
            self.turns[-1]["throws"].append(list(dice))
        flips = self.random.choice(legal)
        self.turns[-1]["flipped"] = [dice[place] for place in flips]
        return flips

    def enter(self, dice: Dice, de_mano: bool, sheet: Sheet, legal: dict[str, int]) -> str:
        self.turns[-1]["line"] = self.random.choice(list(legal))
        return str(self.turns[-1]["line"])


VARIANTS: list[dict[str, Any]] = [
    {},
    {"throws": 3, "flips_from_throw": 3},
    {"first_flip": "optional", "flip_after_throw1": "one", "second_flip": "must_improve"},
    {"flip_waiver": "cell_open", "natural_waives_flip": True, "strike_ban": "any_reachable"},
    {"stop_after_throw1": "centre_only", "strike_ban": "off", "max_flips": 1, "flips_from_throw": 1},
    {"throws": 3, "declare_after_throw1": True, "grandes_needed": 2, "dormida": "first_throw_only"},
]

LATER = {1, 3, 4}
"""Variants whose turns are compared with the referee's in long runs only; their games always are."""


@pytest.mark.parametrize("options", VARIANTS)
def test_games_that_a_referee_allows_are_accepted(options: dict[str, Any]) -> None:
    rules, plain = make_rules("cacho-alalay", **options), CachoOptions(**options)
    for seed in range(40):
        random = Random(seed)
        player = Writer(plain, random)
        game = referee.play_solitaire(plain, player, random)
        if game["ended"] == "dormida":  # the throw that wins is not shown to the player
            continue
        found = played(rules, *player.turns, score=sum(game["sheet"].values()))
        assert found[-1].after[0] == game["sheet"]
        assert found[-1].win == ("" if game["ended"] == "full" else game["ended"])


@pytest.mark.parametrize(
    "options",
    [pytest.param(options, marks=pytest.mark.nightly if n in LATER else []) for n, options in enumerate(VARIANTS)],
)
def test_the_end_of_a_turn_is_accepted_only_if_a_referee_allows_it(options: dict[str, Any]) -> None:
    """Flips are told apart by the dice that they leave."""
    rules, plain = make_rules("cacho-alalay", **options), CachoOptions(**options)
    compared = 0
    for seed in range(12):
        random = Random(seed)
        player = Writer(plain, random)
        referee.play_solitaire(plain, player, random, ignore_wins=True)
        before = player.turns[: random.randrange(9)]
        if any(len(set(turn["throws"][-1])) == 1 for turn in before):  # the game would have been won
            continue
        sheet = played(rules, *before)[-1].after[0] if before else {}
        number, full = random.choice([1, plain.throws]), random.random() < 0.5
        kept = () if full or number == 1 else (1,)
        dice = sorted_dice(kept, tuple(random.choice((1, 1, 2, 3, 5, 6)) for _ in range(5 - len(kept))))
        if len(set(dice)) == 1:
            continue
        turn: dict[str, Any] = {"throws": [[1, 1, 2, 2, 6]] * (number - 1) + [dice], "keeps": [kept] * (number - 1)}
        if plain.declare_after_throw1 and number > 1:
            turn["declared"] = random.choice([cell for cell in CELLS if cell not in sheet])
        allowed = ways_to_end(plain, dice, number, not kept, sheet, turn.get("declared"))
        accepted = set()
        for n in range(3):
            for flipped in combinations_with_replacement(sorted(set(dice)), n):
                for cell in CELLS:
                    try:
                        end = played(rules, *before, turn | {"flipped": flipped, "line": cell})[-1]
                    except PositionError:
                        continue
                    accepted.add((end.laid, cell, end.written))
        assert accepted == allowed
        compared += 1
    assert compared > 5


def ways_to_end(
    options: CachoOptions, dice: Dice, number: int, full: bool, sheet: Sheet, declared: str | None
) -> set[tuple[Dice, str, int]]:
    """Dice as they lie, cell and points of every legal end of a turn."""
    seen = referee.announced_sheet(sheet, declared) if declared else sheet
    legal = referee.legal_flips(options, dice, number, full, seen)
    reachable = any(referee.entries_after(options, dice, number, full, seen, flips) for flips in legal)
    found = set()
    for flips in legal:
        laid = referee.flipped(dice, flips)
        entries = referee.legal_entries(options, laid, full and not flips, seen, reachable, number)
        found |= {(laid, cell, points) for cell, points in entries.items()}
    return found
