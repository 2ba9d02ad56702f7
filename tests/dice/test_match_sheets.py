"""Matches of sheets that are played alone, against a plain referee with the same dice, and against the other table."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from analyzer.analysis.binding import bind_policy
from analyzer.analysis.seating import seat_players
from analyzer.dice.clauses import ExtraFive, InstantWin, Settlement
from analyzer.dice.entries import final_score, won
from analyzer.dice.match import MatchOutcomes, Table, match_block, play_matches, seat_of
from analyzer.dice.match_sheets import SeparateSheets
from analyzer.dice.policies import Greedy, Optimal, Random
from analyzer.dice.scorecard import ScorecardRules
from analyzer.dice.settlement import scale_of
from analyzer.dice.solver import solve
from analyzer.dice.states import StateSpace
from analyzer.engine.blocks import Block
from analyzer.games.registry import make_rules
from tests.dice.reference import (
    ALIKE,
    CHANCE,
    PAIR,
    SMALL_GAMES,
    Family,
    Game,
    Uniform,
    face_lines,
    greedy,
    optimal,
    replay_game,
    small,
)

SEED = 2024
QUICK = small(
    "quick",
    (*face_lines(1, 4), PAIR, ALIKE, CHANCE),
    dice=3,
    faces=4,
    extra_five=ExtraFive(line="alike", points=20, joker="free"),
    instant_wins=(
        InstantWin(name="rich", needs=(("pair", 8), ("chance", 11))),
        InstantWin(name="fours", needs=(("face_4", 12),)),
    ),
)
"""A joker, and two ways to win at once that come up in many matches."""


def replayed(
    rules: ScorecardRules, families: list[Family], block: Block
) -> tuple[list[list[int]], list[tuple[int, str]], list[int]]:
    """Points by match and player, who won at once and how, and the rounds: turn by turn on cards of points."""
    game, space, players = Game(rules), StateSpace.of(rules), len(families)
    points, winners, rounds = [], [], []
    for index in range(block.start, block.stop):
        sitting = [(seat + index) % players for seat in range(players)]
        games = [
            replay_game(game, space, families[player].player, SEED, index, game.blank, seat)
            for seat, player in enumerate(sitting)
        ]
        cards, extra = [game.blank] * players, [0] * players
        winner, played = (-1, ""), 0
        for turn in range(game.lines):
            played = turn + 1
            for seat, player in enumerate(sitting):
                entry = games[seat][2][turn]
                cards[player], extra[player] = game.fill(cards[player], entry), extra[player] + entry[2]
                win = won(rules, game.named(cards[player]))
                if win:
                    winner = (player, win)
                    break
            if winner[0] >= 0:
                break
        points.append([final_score(rules, game.named(c), 0) + e for c, e in zip(cards, extra, strict=True)])
        winners.append(winner)
        rounds.append(played)
    return points, winners, rounds


def settled(rules: ScorecardRules, totals: list[int], winner: int) -> tuple[list[float], list[float]]:
    """Payoff and share of the win of every player of one match."""
    best = max(totals)
    lead = [total == best for total in totals]
    share = [1 / sum(lead) if first else 0.0 for first in lead]
    if rules.settlement.kind == "highest":
        if winner >= 0:
            share = [float(player == winner) for player in range(len(totals))]
        return share, share
    behind = [best - total for total in totals]
    paid = [sum(behind) / sum(lead) - mine if first else -mine for first, mine in zip(lead, behind, strict=True)]
    if rules.settlement.tie == "nobody" and sum(lead) > 1:
        paid = [0.0] * len(totals)
    return paid, share


def check(rules: ScorecardRules, found: MatchOutcomes, families: list[Family], block: Block) -> None:
    points, winners, rounds = replayed(rules, families, block)
    scale = scale_of(len(families))
    names = [win.name for win in rules.instant_wins]
    assert found.rounds.tolist() == rounds
    for place, (totals, (winner, win)) in enumerate(zip(points, winners, strict=True)):
        assert found.points[:, place].tolist() == totals
        wins = [names.index(win) if player == winner else -1 for player in range(len(families))]
        assert found.win[:, place].tolist() == wins
        payoff, share = settled(rules, totals, winner)
        assert found.payoff[:, place].tolist() == [round(scale * paid) for paid in payoff]
        assert found.share[:, place].tolist() == [round(scale * part) for part in share]
        alone = [total == max(totals) and totals.count(total) == 1 for total in totals]
        assert found.won[:, place, 0].tolist() == found.swept[:, place].tolist() == alone


@pytest.mark.parametrize(
    "settlement",
    [Settlement(), Settlement(kind="difference"), Settlement(kind="difference", tie="split")],
    ids=["highest", "difference", "split"],
)
@pytest.mark.parametrize("name", ["forced", "free"])
def test_matches_equal_those_of_a_plain_referee(name: str, settlement: Settlement) -> None:
    """With jokers, extra fives and an upper bonus, kept dice locked in one of the games; dice shared, nothing else."""
    rules = replace(SMALL_GAMES[name], settlement=settlement)
    space, game = StateSpace.of(rules), Game(rules)
    table = SeparateSheets(space, [Optimal(space, solve(space)), Greedy(space), Random(space)])
    block = Block(1, 2**32 - 20, 2**32 + 40)
    check(rules, play_matches(table, SEED, block), [optimal(game), greedy(game), Uniform(game)], block)


def test_who_wins_at_once_ends_the_match() -> None:
    """The first to do so, round by round and seat by seat; later turns of the others do not count."""
    space, game = StateSpace.of(QUICK), Game(QUICK)
    table, block = SeparateSheets(space, [Greedy(space), Random(space), Greedy(space)]), Block(0, 100, 400)
    found = play_matches(table, SEED, block)
    check(QUICK, found, [greedy(game), Uniform(game), greedy(game)], block)
    won_at_once = (found.win >= 0).any(axis=0)
    assert 60 < won_at_once.sum() < 240
    assert set(found.win[found.win >= 0].tolist()) == {0, 1}
    losers = found.share[:, won_at_once].sum(axis=0) - found.share[:, won_at_once].max(axis=0)
    assert (losers == 0).all()
    assert len(set(found.rounds[won_at_once].tolist())) > 2


@pytest.mark.parametrize(
    ("game", "options", "players"),
    [
        ("escalero", {"columns": "1"}, ["optimal", "greedy"]),
        ("cacho_alalay", {}, ["points", "greedy", "instant"]),
        ("generala", {}, ["points", "greedy"]),
    ],
)
def test_both_tables_play_the_same_matches(game: str, options: dict[str, Any], players: list[str]) -> None:
    """One works out a turn for every sheet, the other by decision tables; a seat has the same dice at both."""
    rules = make_rules(game, **options)
    _, table = seat_players(rules, players, cache=False)
    assert isinstance(table, Table)
    alone = SeparateSheets(table.space, [bind_policy(rules, name, cache=False) for name in players])
    block = Block(0, 100, 3100)
    here, there = play_matches(table, SEED, block), play_matches(alone, SEED, block)
    for name in MatchOutcomes._fields:
        assert np.array_equal(getattr(here, name), getattr(there, name)), name


def test_a_block_is_a_part_of_the_whole_and_its_tally_adds_up() -> None:
    space = StateSpace.of(QUICK)
    table = SeparateSheets(space, [Greedy(space), Random(space)])
    whole = play_matches(table, SEED, Block(0, 0, 900))
    parts = [play_matches(table, SEED, Block(i, low, low + 300)) for i, low in enumerate((0, 300, 600))]
    for name in MatchOutcomes._fields:
        axis = 0 if name == "rounds" else 1
        joined = np.concatenate([getattr(part, name) for part in parts], axis=axis)
        assert np.array_equal(joined, getattr(whole, name)), name
    tally = match_block(table, SEED, Block(0, 0, 900))
    most = tally["payoff"].shape[2] // 2
    values = np.arange(-most, most + 1)
    for player in range(2):
        seats = seat_of(player, 2, Block(0, 0, 900))
        for seat in range(2):
            mine = seats == seat
            assert mine.sum() == 450
            assert tally["payoff"][player, seat] @ values == whole.payoff[player, mine].sum()
            assert tally["points"][player, seat, 0] == whole.points[player, mine].sum()
            assert tally["won"][player, seat, 0] == whole.won[player, mine, 0].sum()
        at_once = whole.win[player] >= 0
        counted = np.zeros_like(tally["endings"][player])
        for win, turn in zip(whole.win[player, at_once], whole.rounds[at_once], strict=True):
            counted[win, turn - 1] += 1
        assert np.array_equal(counted, tally["endings"][player])


@pytest.mark.parametrize(
    ("game", "options", "players", "pairs"),
    [
        ("escalero", {}, ["par", "greedy"], False),
        ("escalero", {"columns": "1"}, ["par", "greedy"], True),
        ("cacho_alalay", {}, ["greedy", "par"], False),
    ],
)
def test_outcomes_of_a_table_add_up_to_its_tally(
    game: str, options: dict[str, Any], players: list[str], pairs: bool
) -> None:
    _, table = seat_players(make_rules(game, **options), players, pairs=pairs)
    block = Block(0, 3, 303)
    found, tally = play_matches(table, SEED, block), match_block(table, SEED, block)
    most = tally["payoff"].shape[2] // 2
    values = np.arange(-most, most + 1)
    assert found.payoff.sum(axis=1).tolist() == (tally["payoff"].sum(axis=1) @ values).tolist()
    assert found.swept.sum(axis=1).tolist() == tally["swept"].sum(axis=1).tolist()
    assert found.won.sum(axis=1).tolist() == tally["won"].sum(axis=1).tolist()
    for seat in range(2):
        assert found.points[0, seat_of(0, 2, block) == seat].sum() == tally["points"][0, seat, 0]
    assert found.won.shape == (2, 300, table.space.rules.settlement.columns)
