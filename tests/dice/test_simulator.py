"""Simulated games against plain replays of the same draws, and against exact evaluations."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from analyzer.analysis.arms import MOST_ARMS
from analyzer.analysis.match import MOST_PLAYERS
from analyzer.dice.clauses import ExtraFive, UpperBonus
from analyzer.dice.decisions import ANNOUNCED, LAST
from analyzer.dice.entries import final_score
from analyzer.dice.evaluation import Evaluation, evaluate
from analyzer.dice.lines import Line
from analyzer.dice.policies import Chase, Greedy, Optimal, Par, Policy, Random
from analyzer.dice.scorecard import MOST_DICE, MOST_THROWS, ScorecardRules
from analyzer.dice.simulator import GAME_BLOCK, NO_ENTRY, game_block, game_log, group_games, max_score, turn_block
from analyzer.dice.solver import solve
from analyzer.dice.states import StateSpace
from analyzer.dice.throws import DECISIONS, SEAT, SINGLE_DICE
from analyzer.engine.blocks import Block, plan
from analyzer.engine.executors import run_blocks
from analyzer.engine.streams import STREAM_VERSION, words
from analyzer.engine.tallies import Tally
from analyzer.games.cacho_alalay import CachoAlalay
from analyzer.games.dice_poker import DicePoker
from analyzer.games.yahtzee import Yahtzee
from tests.dice.reference import (
    SMALL_GAMES,
    Card,
    Draws,
    Family,
    Game,
    Player,
    TablePlayer,
    Uniform,
    UniformPlayer,
    chase,
    entry_numbers,
    face_lines,
    future_values,
    greedy,
    optimal,
    replay_game,
    replay_turn,
)

FALSE_ALARM = 1e-6
"""Of each statistical test as a whole, over all its comparisons."""

SEED = 2024


class FromTables:
    """Replays by a policy's own decision tables, where plain Python takes too long to work them out."""

    def __init__(self, game: Game, policy: Policy) -> None:
        self.game = game
        self.policy = policy
        self._tables = cache(self._of_column)

    def _of_column(self, column: int) -> Any:
        return self.policy.tables(np.array([column]))

    def player(self, card: Card) -> Player:
        column = self.game.column(self.policy.space, card)
        return TablePlayer(self.game, self.policy.space, self._tables(column))


Maker = Callable[[Game, StateSpace], tuple[Policy, Family]]

FAMILIES: dict[str, Maker] = {
    "optimal": lambda game, space: (Optimal(space, solve(space)), optimal(game)),
    "greedy": lambda game, space: (Greedy(space), greedy(game)),
    "line": lambda game, space: (
        Chase(space, game.rules.line_names[-1]),
        chase(game, game.rules.line_names[-1]),
    ),
    "random": lambda game, space: (Random(space), Uniform(game)),
}


def replayed(
    game: Game,
    space: StateSpace,
    player: Callable[[Card], Player],
    block: Block,
    card: Card,
    seed: int = SEED,
) -> Tally:
    """The tally of a block of games, game by game."""
    numbers = entry_numbers(space)
    scores = np.zeros(max_score(space) + 1, dtype=np.int64)
    entries = np.zeros((len(numbers), game.lines), dtype=np.int64)
    bonus = game.rules.upper_bonus
    before = final_score(game.rules, game.named(card))
    earned = 0
    for index in range(block.start, block.stop):
        end, extra, made = replay_game(game, space, player, seed, index, card)
        scores[final_score(game.rules, game.named(end), 0) + extra - before] += 1
        for turn, entry in enumerate(made):
            entries[numbers[entry], turn] += 1
        if bonus:
            earned += game.upper_points(card) < bonus.least <= game.upper_points(end)
    return Tally({"scores": scores, "entries": entries, "upper_bonus": earned})


@cache
def spaces(name: str) -> tuple[Game, StateSpace]:
    return Game(SMALL_GAMES[name]), StateSpace.of(SMALL_GAMES[name])


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("name", SMALL_GAMES)
def test_games_equal_plain_replays(name: str, family: str) -> None:
    """Decisions, dice and scorecard in plain Python; only the random words are shared."""
    game, space = spaces(name)
    policy, plain = FAMILIES[family](game, space)
    block = Block(3, 2**33 - 20, 2**33 + 60)
    assert game_block(policy, 0, SEED, block) == replayed(game, space, plain.player, block, game.blank)


@pytest.mark.parametrize("family", ["optimal", "greedy", "random"])
@pytest.mark.parametrize(
    ("name", "filled"),
    [
        ("forced", {"face_1": 2, "alike": 30}),
        ("forced", {"face_4": 8, "alike": 0, "chance": 5}),
        ("free", {"alike": 30, "run": 9}),
        ("forced_natural", {"alike": 0, "face_1": 1}),
    ],
)
def test_games_start_from_any_card(name: str, filled: dict[str, int], family: str) -> None:
    game, space = spaces(name)
    policy, plain = FAMILIES[family](game, space)
    card, block = game.card(filled), Block(0, 500, 580)
    found = game_block(policy, game.column(space, card), SEED, block)
    assert found == replayed(game, space, plain.player, block, card)


@pytest.mark.parametrize("lock_kept", [False, True])
@pytest.mark.parametrize("family", ["optimal", "greedy", "random"])
def test_dice_poker_equals_plain_replays(family: str, lock_kept: bool) -> None:
    rules = DicePoker(lock_kept=lock_kept).scorecard()
    game, space = Game(rules), StateSpace.of(rules)
    card = game.blank
    policy = policies_of(space, family) if family != "optimal" else None
    if policy is None:  # from a late card, whose values are found in a moment
        still_open = {"fives", "sixes", "full_house", "poker", "chance"}
        filled = dict(zip(rules.line_names, (3, 6, 9, 12, 0, 0, 20, 0, 15, 0, 0, 30, 0, 0, 0), strict=True))
        card = game.card({name: points for name, points in filled.items() if name not in still_open})
        policy = Optimal(space, future_values(space, game.column(space, card)))
    block = Block(0, 2**50, 2**50 + 12)
    player = FromTables(game, policy).player if family != "random" else Uniform(game).player
    found = game_block(policy, game.column(space, card), SEED, block)
    assert found == replayed(game, space, player, block, card)


def policies_of(space: StateSpace, family: str) -> Policy:
    if family == "optimal":
        return Optimal(space, solve(space))
    return {"greedy": Greedy(space), "par": Par(space, {}), "random": Random(space)}[family]


WIDE = {
    "eight dice": {"dice": 8},
    "eight dice locked": {"dice": 8, "lock_kept": True},
    "seven dice": {"dice": 7},
    "ten coins": {"dice": 10, "faces": 2, "throws": 6},
    "ten coins locked": {"dice": 10, "faces": 2, "throws": 6, "lock_kept": True},
    "three dozen": {"dice": 3, "faces": 12, "throws": 5},
    "nine dice": {"dice": 9, "faces": 4, "throws": 2},
}
TABULATED = {"seven dice", "ten coins", "ten coins locked", "three dozen", "nine dice"}


def wide(name: str) -> tuple[Game, StateSpace]:
    sizes: dict[str, Any] = {"faces": 6} | WIDE[name]
    rules = ScorecardRules(
        name="wide",
        lines=(
            *face_lines(1, sizes["faces"]),
            Line(name="alike", kind="all_alike", points=90),
            Line(name="chance", kind="chance"),
        ),
        upper_bonus=UpperBonus(points=9, threshold=2 * sizes["faces"]),
        extra_five=ExtraFive(line="alike", points=70),
        **sizes,
    )
    return Game(rules), StateSpace.of(rules)


@pytest.mark.parametrize("family", ["optimal", "random"])
@pytest.mark.parametrize("name", WIDE)
def test_other_sizes_of_dice_equal_plain_replays(name: str, family: str) -> None:
    """With eight dice a throw is no longer looked up in a table but drawn die by die."""
    game, space = wide(name)
    assert space.lattice.tabulated == (name in TABULATED)
    policy = policies_of(space, family)
    player = FromTables(game, policy).player if family != "random" else Uniform(game).player
    block = Block(0, 77, 102)
    assert game_block(policy, 0, SEED, block) == replayed(game, space, player, block, game.blank)


@pytest.mark.parametrize("family", ["greedy", "random"])
@pytest.mark.parametrize("lock_kept", [False, True])
@pytest.mark.parametrize("dice", [5, 8])
def test_turns_equal_plain_replays(dice: int, lock_kept: bool, family: str) -> None:
    rules = ScorecardRules(
        name="turns",
        lines=(
            *face_lines(2, 6),
            Line(name="alike", kind="all_alike", points=50),
            Line(name="pair", kind="of_a_kind", n=2),
        ),
        dice=dice,
        lock_kept=lock_kept,
        extra_five=ExtraFive(line="alike"),
    )
    game, space = Game(rules), StateSpace.of(rules)
    card = game.card({"alike": 50, "face_2": 4})
    policy = policies_of(space, family)
    column = game.column(space, card)
    block = Block(2, 1000, 1150)
    found = turn_block(space, policy.tables(np.array([column])), SEED, block)
    player = FromTables(game, policy).player(card) if family == "greedy" else UniformPlayer(game, card)
    numbers = entry_numbers(space)
    rolls, entries = np.zeros(space.lattice.rolls, np.int64), np.zeros(len(numbers), np.int64)
    for index in range(block.start, block.stop):
        final, entry = replay_turn(player, Draws(space, SEED, index, 0))
        rolls[space.lattice.index(final) - space.lattice.first_roll] += 1
        entries[numbers[entry]] += 1
    assert found == Tally({"rolls": rolls, "entries": entries})


@pytest.mark.parametrize("index", [8_613, 38_285, 47_109, 92_679])
def test_games_with_a_rejected_word_equal_plain_replays(index: int) -> None:
    """Games found by search: with seven dice the first word of their first turn is drawn anew."""
    game, space = wide("seven dice")
    word, bound = int(words(np.uint64(SEED), np.uint64(index), 0, 0)[0]), 6**7
    assert word * bound % 2**32 < 2**32 % bound
    policy = policies_of(space, "greedy")
    block = Block(0, index - 3, index + 3)
    expected = replayed(game, space, FromTables(game, policy).player, block, game.blank)
    assert game_block(policy, 0, SEED, block) == expected


def total_of(policy: Policy, games: int, size: int, workers: int) -> Tally:
    return run_blocks(plan(games, size), lambda block: game_block(policy, 0, SEED, block), workers=workers)


@pytest.mark.parametrize("family", ["optimal", "greedy", "random"])
@pytest.mark.parametrize("name", ["forced", "free"])
def test_tallies_do_not_depend_on_blocks_or_workers(name: str, family: str) -> None:
    """The chunks in which a kernel plays 1,024 games at a time are cut across as well."""
    _, space = spaces(name)
    policy = policies_of(space, family)
    whole = total_of(policy, 5000, 5000, 1)
    for size, workers in ((5000, 3), (1024, 2), (999, 1), (7, 4)):
        assert total_of(policy, 5000, size, workers) == whole


def test_turns_do_not_depend_on_blocks_or_workers() -> None:
    _, space = spaces("forced")
    for policy in (Greedy(space), Random(space)):
        tables = policy.tables(np.zeros(1, dtype=np.int64))
        whole, *cut = (
            run_blocks(plan(4000, size), lambda b, t=tables: turn_block(space, t, SEED, b), workers=workers)
            for size, workers in ((4000, 1), (1025, 3), (13, 2))
        )
        assert cut == [whole, whole]


@given(st.integers(1, 400), st.integers(1, 120), st.integers(0, 2**64 - 1), st.integers(0, 2**63))
@settings(max_examples=25)
def test_any_cut_gives_the_same_tally(games: int, size: int, seed: int, first: int) -> None:
    _, space = spaces("forced_when_zero")
    policy = Greedy(space)
    whole = game_block(policy, 0, seed, Block(0, first, first + games))
    parts = [
        game_block(policy, 0, seed, Block(block.index, first + block.start, first + block.stop))
        for block in plan(games, size)
    ]
    assert sum(parts[1:], parts[0]) == whole
    assert whole["scores"].sum() == games
    assert (whole["entries"].sum(axis=0) == games).all()


@pytest.mark.parametrize("family", ["optimal", "random"])
def test_the_log_holds_every_game_by_its_number(family: str) -> None:
    game, space = spaces("forced")
    policy, plain = FAMILIES[family](game, space)
    block = Block(2, 2**33 - 20, 2**33 + 30)
    numbers = entry_numbers(space)
    for workers in (1, 3):
        log = game_log(policy, 0, SEED, block, workers=workers)
        for place, index in enumerate(range(block.start, block.stop)):
            end, extra, made = replay_game(game, space, plain.player, SEED, index, game.blank)
            assert [int(entry) for entry in log.entries[:, place]] == [numbers[entry] for entry in made]
            assert log.score[place] == final_score(game.rules, game.named(end), 0) + extra
        assert (log.ended == -1).all()


def test_the_log_stops_where_games_are_won() -> None:
    space = StateSpace.of(CachoAlalay().scorecard())
    block = Block(0, 0, 20_000)
    policy = Greedy(space)
    tally, log = game_block(policy, 0, SEED, block), game_log(policy, 0, SEED, block)
    turns = (log.entries != NO_ENTRY).sum(axis=0)
    assert ((log.entries == NO_ENTRY).argmax(axis=0)[turns < len(log.entries)] == turns[turns < len(log.entries)]).all()
    assert (turns[log.ended < 0] == len(log.entries)).all()
    for win, by_turn in enumerate(tally["wins"]):
        assert np.array_equal(np.bincount(turns[log.ended == win] - 1, minlength=len(by_turn)), by_turn)
    assert np.array_equal(np.bincount(log.score, minlength=len(tally["scores"])), tally["scores"])
    for turn, made in enumerate(log.entries):
        counted = np.bincount(made[made != NO_ENTRY], minlength=len(space.written))
        assert np.array_equal(counted, tally["entries"][:, turn])


@pytest.mark.parametrize("family", ["optimal", "random"])
@pytest.mark.parametrize("name", ["forced", "free"])
def test_seats_throw_other_dice(name: str, family: str) -> None:
    """Seat s of a game draws 64 slots further for each seat, in plain replays as well; seats may change by game."""
    game, space = spaces(name)
    policy, plain = FAMILIES[family](game, space)
    block = Block(0, 2**32 - 10, 2**32 + 20)
    seats = np.arange(block.size) * 3 % 8
    log = game_log(policy, 0, SEED, block, seat=seats)
    for place, (index, seat) in enumerate(zip(range(block.start, block.stop), seats.tolist(), strict=True)):
        end, extra, _ = replay_game(game, space, plain.player, SEED, index, game.blank, seat)
        assert log.score[place] == final_score(game.rules, game.named(end), 0) + extra
    for seat in range(8):
        alone = game_log(policy, 0, SEED, block, seat=seat)
        assert np.array_equal(alone.entries[:, seats == seat], log.entries[:, seats == seat])


def test_no_draw_is_of_two_seats() -> None:
    """Ten throws in groups of four, dice one by one, decisions: all slots of all seats."""
    single = {SINGLE_DICE + 4 * throw + group for throw in range(MOST_THROWS) for group in range(-(-MOST_DICE // 4))}
    decided = {DECISIONS + s for s in (*range(MOST_THROWS), ANNOUNCED, LAST - 1, LAST)}
    slots = {*range(-(-MOST_THROWS // 4)), *single, *decided}
    shifted = [slot + seat * SEAT for seat in range(max(MOST_PLAYERS, MOST_ARMS)) for slot in slots]
    assert len(set(shifted)) == len(shifted)
    assert max(shifted) < 2**24


def test_seats_are_independent() -> None:
    _, space = spaces("forced")
    block = Block(0, 0, 4000)
    here, there = (game_log(Greedy(space), 0, SEED, block, seat=seat).score for seat in (0, 1))
    assert abs(np.corrcoef(here, there)[0, 1]) < 5 / 4000**0.5


def test_another_seed_gives_other_games() -> None:
    _, space = spaces("forced")
    block = Block(0, 0, 2000)
    first, second = (game_block(Greedy(space), 0, seed, block) for seed in (1, 2**32 + 1))
    assert first != second


@given(st.lists(st.integers(0, 30), min_size=1, max_size=60))
def test_games_are_grouped_by_column(column: list[int]) -> None:
    game = np.arange(len(column), dtype=np.uint32)
    score = (7 * np.arange(len(column))).astype(np.int32)
    now, order, moved, columns, starts = group_games(np.array(column, dtype=np.int32), game, score, 31)
    assert columns.tolist() == sorted(set(column))
    assert now.tolist() == [column[game] for game in order]
    assert moved.tolist() == [7 * game for game in order.tolist()]
    for i, here in enumerate(columns.tolist()):
        group = order[starts[i] : starts[i + 1]].tolist()
        assert group == [game for game, c in enumerate(column) if c == here]
    assert starts[-1] == len(column)


@pytest.mark.parametrize("name", SMALL_GAMES)
def test_no_game_scores_more_than_the_most(name: str) -> None:
    _, space = spaces(name)
    scores = evaluate(Optimal(space, solve(space))).scores
    assert np.flatnonzero(scores).max() <= max_score(space)


def test_golden_games_of_this_stream_version() -> None:
    """If this fails, games of a seed have changed: raise STREAM_VERSION and record the new values."""
    assert STREAM_VERSION == 1
    space = StateSpace.of(Yahtzee().scorecard())
    policies = (Greedy(space), Par(space, {}), Random(space))
    tallies = [game_block(policy, 0, SEED, Block(0, 0, 1000)) for policy in policies]
    points = np.arange(max_score(space) + 1)
    assert [int(tally["scores"] @ points) for tally in tallies] == [216972, 237545, 47101]
    assert [int(tally["upper_bonus"]) for tally in tallies] == [27, 146, 0]


def pooled_pvalue(found: np.ndarray[Any, Any], chance: np.ndarray[Any, Any], total: int) -> float:
    """Chi-square test of counts; cells that are expected less than 20 times are pooled."""
    expected = chance / chance.sum() * total
    assert found[chance == 0].sum() == 0
    often = expected >= 20
    cells, wanted = list(found[often]), list(expected[often])
    rest = expected[~often].sum()
    if rest >= 5:
        cells.append(found[~often].sum())
        wanted.append(rest)
    elif rest > 0:
        cells[-1] += found[~often].sum()
        wanted[-1] += rest
    return float(stats.chisquare(cells, wanted).pvalue) if len(cells) > 1 else 1.0


def moments(values: np.ndarray[Any, Any], chance: np.ndarray[Any, Any]) -> tuple[float, float, float]:
    """Mean, variance and fourth central moment."""
    weight = chance / chance.sum()
    mean = float(weight @ values)
    return mean, float(weight @ (values - mean) ** 2), float(weight @ (values - mean) ** 4)


def deviations(space: StateSpace, exact: Evaluation, tally: Tally, games: int) -> dict[str, float]:
    """How many standard errors each simulated figure is off; the standard errors are exact."""
    found: dict[str, float] = {}
    points = np.arange(len(tally["scores"]))
    chance = np.zeros(len(points))
    size = min(len(chance), len(exact.scores))
    chance[:size] = exact.scores[:size]
    mean, variance, fourth = moments(points, chance)
    sample = tally["scores"] @ points / games
    found["mean"] = (sample - mean) / np.sqrt(variance / games)
    spread = tally["scores"] @ (points - mean) ** 2 / games
    found["variance"] = (spread - variance) / np.sqrt((fourth - variance**2) / games)
    rates, counts = exact.entries.sum(axis=1), tally["entries"].sum(axis=1)
    for line, name in enumerate(space.rules.line_names):
        here = space.tables.entry_line == line
        written, share, count = space.written[here], rates[here], counts[here]
        mean, variance, _ = moments(written, share)
        zero = share[written == 0].sum()
        if variance > 1e-9 and (1 - zero) * games >= 50:
            found[f"mean of {name}"] = (count @ written / games - mean) / np.sqrt(variance / games)
        if min(zero, 1 - zero) * games >= 50:
            rate = count[written == 0].sum() / games
            found[f"zero rate of {name}"] = (rate - zero) / np.sqrt(zero * (1 - zero) / games)
    p = exact.upper_bonus
    if p * games >= 50:
        found["upper bonus"] = (tally["upper_bonus"] / games - p) / np.sqrt(p * (1 - p) / games)
    return {name: float(value) for name, value in found.items()}


def check_agreement(space: StateSpace, exact: Evaluation, tally: Tally, games: int) -> None:
    """Figures, distribution and entries of every turn agree; false alarms below 1e-6 over all comparisons.

    Rare events are no normal variables: lines that hold points, or 0, in fewer than 50 games are left to the
    chi-square tests, which pool them.
    """
    off = deviations(space, exact, tally, games)
    pvalues = {name: 2 * stats.norm.sf(abs(value)) for name, value in off.items()}
    chance = np.zeros(len(tally["scores"]))
    size = min(len(chance), len(exact.scores))
    chance[:size] = exact.scores[:size]
    assert exact.scores[size:].sum() == 0
    pvalues["distribution"] = pooled_pvalue(tally["scores"], chance, games)
    for turn in range(len(space.rules.lines)):
        pvalues[f"entries of turn {turn + 1}"] = pooled_pvalue(tally["entries"][:, turn], exact.entries[:, turn], games)
    alarms = {name: p for name, p in pvalues.items() if p * len(pvalues) < FALSE_ALARM}
    assert not alarms, {name: off.get(name, alarms[name]) for name in alarms}


RULES = {"yahtzee": Yahtzee().scorecard(), "dice_poker": DicePoker().scorecard()}


@pytest.fixture(scope="module")
def exact() -> Callable[[str, str], tuple[StateSpace, Policy, Evaluation]]:
    """Exact evaluation of a policy in a game, each worked out once."""

    @cache
    def of(name: str, family: str) -> tuple[StateSpace, Policy, Evaluation]:
        space = StateSpace.of(RULES[name])
        policy = policies_of(space, family)
        return space, policy, evaluate(policy)

    return of


@pytest.mark.parametrize(
    ("name", "family"),
    [
        ("yahtzee", "optimal"),
        ("yahtzee", "greedy"),
        ("yahtzee", "par"),
        ("yahtzee", "random"),
        pytest.param("dice_poker", "optimal", marks=pytest.mark.nightly),
        ("dice_poker", "greedy"),
        pytest.param("dice_poker", "par", marks=pytest.mark.nightly),
        pytest.param("dice_poker", "random", marks=pytest.mark.nightly),
    ],
)
def test_simulations_agree_with_exact_evaluations(name: str, family: str, exact: Any) -> None:
    space, policy, evaluated = exact(name, family)
    check_agreement(space, evaluated, game_block(policy, 0, SEED, Block(0, 0, 200_000)), 200_000)


@pytest.mark.nightly
@pytest.mark.parametrize("family", ["optimal", "greedy", "par", "random"])
@pytest.mark.parametrize("name", RULES)
def test_long_simulations_agree_with_exact_evaluations(name: str, family: str, exact: Any) -> None:
    """Four million games, other ones than in the short test."""
    space, policy, evaluated = exact(name, family)
    games = 4_000_000
    tally = run_blocks(plan(games, GAME_BLOCK), lambda block: game_block(policy, 0, SEED + 1, block))
    check_agreement(space, evaluated, tally, games)


def test_the_comparison_sees_a_policy_that_is_a_little_worse() -> None:
    """The exact figures of one policy are refused for games of another."""
    _, space = spaces("forced")
    games = 100_000
    better, worse = Optimal(space, solve(space)), Greedy(space)
    tally = game_block(better, 0, SEED, Block(0, 0, games))
    check_agreement(space, evaluate(better), tally, games)
    with pytest.raises(AssertionError):
        check_agreement(space, evaluate(worse), tally, games)
