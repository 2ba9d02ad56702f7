"""The chart as a result: its tables add up the chart's own, and what is refused."""

from __future__ import annotations

import pytest

import analyzer
from analyzer.errors import PolicyError

SMALL = "computed:deals=2000,iterations=1"


def test_tables() -> None:
    found = analyzer.bidding_chart(analyzer.game("euchre"), SMALL)
    seats, turn_ups, classes = found.seats(), found.turn_ups(), found.classes()
    assert seats["seat"].tolist() == ["left", "partner", "right", "dealer"] * 2
    assert ((seats["alone"] <= seats["called"]) & (seats["called"] <= 1)).all()
    assert classes["hands"].sum() == pytest.approx(8)
    first = seats[seats["round"] == 1].set_index("seat")["called"]
    for seat, share in turn_ups.groupby("seat")["called"].mean().items():
        assert share == pytest.approx(first[seat])
    assert found.iterations()["iteration"].tolist() == [1]
    assert "105,798 hands and turn-ups" in str(found)
    assert found.to_dict()["policy"] == SMALL
    assert set(found.tables()) == {"seats", "turn_ups", "classes", "iterations"}
    with pytest.raises(PolicyError, match="no chart; write computed"):
        analyzer.bidding_chart(analyzer.game("euchre"), "rules")
    with pytest.raises(PolicyError):
        analyzer.bidding_chart(analyzer.game("euchre", players="3"), SMALL)
