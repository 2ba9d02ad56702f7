"""Tables of simulated matches add up what was logged; the bits are the same for any number of workers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import statsmodels.api as sm

import analyzer
from analyzer.analysis.president.policies import bind_all, with_slips
from analyzer.analysis.president.rounds import BLOCK, office_names, simulate_rounds
from analyzer.engine.blocks import Block
from analyzer.errors import PolicyError, UsageError
from analyzer.games.president.play import play_matches
from analyzer.games.president.round_log import CAME, FIRST_SEAT, JOKERS_HELD, RUNS_PLAYED, TWOS_HELD, WAS
from analyzer.games.president.rules import President

RULES = President(players=5, jokers=2, exchange=True, eight_stop=True, rounds=4)


def clustered_error(numbers: Any, chosen: Any) -> float:
    """Standard error of the mean of chosen numbers whose matches, along the first axis, are independent."""
    groups = np.nonzero(chosen)[0]
    fit = sm.OLS(numbers[chosen], np.ones(chosen.sum())).fit(cov_type="cluster", cov_kwds={"groups": groups})
    return float(fit.bse[0])


def test_tables_add_up_the_log() -> None:
    n, matches = RULES.players, 600
    result = simulate_rounds(RULES, "rules", games=matches, seed=4)
    rows = play_matches(bind_all(RULES, ["rules"])[1], 4, Block(0, 0, matches))
    came, was = rows.seats[..., CAME], rows.seats[..., WAS]
    points = n - came
    assert result.rounds == matches * 4
    kept = result.offices_kept()
    for office, row in enumerate(kept.itertuples(), start=1):
        chosen = was == office
        assert row.rounds == chosen.sum() == matches * 3
        assert row.kept == pytest.approx((came[chosen] == office).mean())
        assert row.points == pytest.approx(points[chosen].mean())
    seats = result.seats()
    leads = np.arange(n) == rows.rounds[:, 0, FIRST_SEAT, None]
    first = seats[(seats["rounds"] == "first") & (seats["after_leader"] == 0)].iloc[0]
    assert first["points"] == pytest.approx(points[:, 0][leads].mean())
    hands = result.hands()
    for feature, column in (("jokers", JOKERS_HELD), ("twos", TWOS_HELD)):
        for row in hands[hands["feature"] == feature].itertuples():
            chosen = rows.seats[..., column] == row.value
            assert row.share == pytest.approx(chosen.mean())
            assert row.points == pytest.approx(points[chosen].mean())
            assert row.place_1 == pytest.approx((came[chosen] == 1).mean())
    chosen = rows.seats[..., TWOS_HELD] == 2
    row = hands[(hands["feature"] == "twos") & (hands["value"] == 2)].iloc[0]
    assert row["standard_error"] == pytest.approx(clustered_error(points, chosen))
    assert kept.iloc[1]["standard_error"] == pytest.approx(clustered_error(points, was == 2))
    runs = result.counts().set_index("what").loc["runs", "standard_error"]
    each = rows.rounds[..., RUNS_PLAYED]
    assert runs == pytest.approx(clustered_error(each, np.ones_like(each, bool)))
    assert hands.groupby("feature")["share"].sum().tolist() == pytest.approx([1] * hands["feature"].nunique())
    counts = result.counts().set_index("what")
    assert counts.loc["runs", "mean"] == pytest.approx(rows.rounds[..., RUNS_PLAYED].mean())
    assert counts.loc["runs", "at_least_once"] == pytest.approx((rows.rounds[..., RUNS_PLAYED] > 0).mean())
    assert result.dealt()["after_dealer"].tolist() == [1, 2, 3, 4, 5]
    assert result.strength()["share"].sum() == pytest.approx(1)
    assert result.lengths()["count"].sum() == result.rounds


def test_same_bits_for_any_number_of_workers() -> None:
    runs = [simulate_rounds(RULES, "rules", games=2 * BLOCK + 7, seed=3, workers=workers) for workers in (1, 2, 7)]
    assert runs[0].tally == runs[1].tally == runs[2].tally
    assert runs[0].task_id == runs[2].task_id


def test_slips_are_chance_of_their_own() -> None:
    rules = President(rounds=1)
    _, table = bind_all(rules, ["rules"])
    block = Block(0, 0, 400)
    plain = play_matches(table, 1, block).seats[..., CAME]
    assert (play_matches(with_slips(table, 0.0), 1, block, replica=1).seats[..., CAME] == plain).all()
    slipping = with_slips(table, 0.1)
    once, again = (play_matches(slipping, 1, block, replica=replica).seats[..., CAME] for replica in (1, 2))
    assert (once != again).any(axis=(1, 2)).mean() > 0.1
    assert np.corrcoef(once.ravel(), again.ravel())[0, 1] > 0.3


def test_office_names() -> None:
    for players in range(3, 9):
        names = office_names(players)
        assert len(set(names)) == len(names) == players
        assert (names[0], names[-1]) == ("president", "scum")


def test_the_verb_and_what_it_refuses() -> None:
    game = analyzer.game("president")
    result = analyzer.simulate(game, policy="random", games=50, seed=1)
    assert result.matches == 50
    assert "50 matches of 5 rounds" in str(result)
    assert result.to_dict()["matches"] == 50
    assert set(result.printed()) >= {"What happens in a round"}
    assert (
        analyzer.simulate(analyzer.game("president", rounds=1), games=10)
        .main_table()
        .equals(analyzer.simulate(analyzer.game("president", rounds=1), games=10).seats())
    )
    with pytest.raises(UsageError, match="turns means nothing in President; leave it out"):
        analyzer.simulate(game, turns=5)
    for policy, message in (
        ("greedy", "policy 'greedy' is unknown"),
        ("random:x=1", "'random' takes no parameters"),
        ("rules:slips=2", "slips of rules is '2'; give a share from 0 to 1"),
        ("rules:luck=2", "parameter 'luck' of rules is unknown"),
        (5, "policy 5 is neither a name nor a function"),
    ):
        with pytest.raises(PolicyError, match=message):
            analyzer.simulate(game, policy=policy)
    with pytest.raises(UsageError, match="games = 0 cannot be"):
        analyzer.simulate(game, games=0)
