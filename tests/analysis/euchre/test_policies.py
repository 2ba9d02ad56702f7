"""Policies of Euchre by name: what is bound, what is refused, and halves of two policies."""

from __future__ import annotations

import numpy as np
import pytest

from analyzer.analysis.euchre.policies import bind_all, bind_policy, table_of
from analyzer.engine.blocks import Block
from analyzer.errors import PolicyError, UsageError
from analyzer.games.euchre.own_policy import View
from analyzer.games.euchre.play import play_hands
from analyzer.games.euchre.players import ASK, RANDOM, RULES, STRENGTH
from analyzer.games.euchre.rules import Euchre

SMALL = "computed:deals=2000,iterations=1"


@pytest.mark.parametrize(
    ("text", "bound"),
    [
        ("random", ("random", RANDOM, RANDOM)),
        (" Rules ", ("rules", RULES, RULES)),
        ("strength", ("strength", STRENGTH, RULES)),
        ("strength:right=3.1,alone=5", ("strength:right=3.1,alone=5.0", STRENGTH, RULES)),
        ("pimc", ("pimc:worlds=32,doubt=0.1", ASK, ASK)),
        ("pimc:worlds=8", ("pimc:worlds=8,doubt=0.1", ASK, ASK)),
        ("strength/random", ("strength/random", STRENGTH, RANDOM)),
        ("rules/pimc:worlds=4", ("rules/pimc:worlds=4,doubt=0.1", RULES, ASK)),
    ],
)
def test_names(text: str, bound: tuple[str, int, int]) -> None:
    found = bind_policy(Euchre(), text)
    assert (found.text, found.bidding, found.playing) == bound
    assert (found.asked is None) == (ASK not in bound)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("optimal", "policy 'optimal' is unknown"),
        ("rule", "did you mean 'rules'"),
        ("random:x=1", "'random' takes no parameters"),
        ("strength:wright=1", "did you mean 'right'"),
        ("strength:right=a", "right"),
        ("pimc:worlds=0", "worlds"),
        ("pimc:speed=1", "speed"),
        ("computed:deals=x", "deals"),
        ("rules/none", "policy 'none' is unknown"),
        ("rules/pimc/rules", "has more than two halves; write BIDDING/PLAY"),
        ("nowhere.py:name", "cannot be read"),
    ],
)
def test_what_is_refused(text: str, complaint: str) -> None:
    with pytest.raises(PolicyError, match=complaint) as caught:
        bind_policy(Euchre(), text)
    assert "\n" not in str(caught.value)


def test_no_policy() -> None:
    with pytest.raises(PolicyError, match="3 is neither a name nor a function"):
        bind_policy(Euchre(), 3)  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="players are 3; give 2 policies, one for each side"):
        table_of(Euchre(), [bind_policy(Euchre(), "rules")] * 3)


def test_one_bids_and_the_other_plays() -> None:
    """Bids of a function, cards of the kernel: the same rows as with a function that plays as the kernel does."""
    stages: set[str] = set()

    def shy(view: View) -> str:
        stages.add(view.stage)
        return view.legal[-1]

    rules = Euchre()
    first = bind_policy(rules, shy)
    bound, _ = bind_all(rules, ["strength/rules", "strength"])
    assert [one.text for one in bound] == ["strength/rules", "strength"]
    rows = play_hands(table_of(rules, bound[:1]), 1, Block(0, 0, 200))
    assert np.array_equal(rows, play_hands(table_of(rules, bound[1:]), 1, Block(0, 0, 200)))
    assert first.asked is not None
    play_hands(table_of(rules, [first]), 1, Block(0, 0, 2))
    assert "play" in stages


def test_a_computed_chart_bids() -> None:
    bound, table = bind_all(Euchre(), [SMALL, "rules"])
    assert bound[0].chart is not None
    assert bound[1].chart is None
    assert table.players.charts.shape[0] == 2
    assert len(play_hands(table_of(Euchre(), bound[:1]), 3, Block(0, 0, 500))) == 500
