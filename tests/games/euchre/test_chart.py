"""Computing charts: the same bits however it is run, stopped and gone on; policies in words; tables."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from analyzer.analysis.euchre.hands import own_points
from analyzer.engine.blocks import Block
from analyzer.engine.store import cache_directory
from analyzer.errors import PolicyError, PositionError, RulesError
from analyzer.games.euchre import chart_run
from analyzer.games.euchre.chart import POSITIONS, Chart, ChartSettings, with_charts
from analyzer.games.euchre.chart_estimates import drawn_together, slots_of_words, words_of_slots
from analyzer.games.euchre.chart_run import compute_chart
from analyzer.games.euchre.play import Table, play_hands
from analyzer.games.euchre.players import CHART, RULES, Players
from analyzer.games.euchre.rules import Euchre

SETTINGS = ChartSettings(deals=6000, iterations=2)
ARRAYS = ("words", "calls", "call_errors", "discards", "discard_errors", "reached")


class StopAfter:
    """Progress that counts deals, and stops a run after so many."""

    def __init__(self, most: int = 10**9) -> None:
        self.most, self.done, self.steps = most, 0, 0

    def advance(self, n: int, /) -> None:
        """See `Progress`."""
        self.done += n
        self.steps += 1
        if self.done > self.most:
            raise KeyboardInterrupt

    def expect(self, total: int, /) -> None:
        """See `Progress`."""


def same(one: Chart, other: Chart) -> bool:
    """Whether two charts are the same to the last bit."""
    arrays = all(getattr(one, name).tobytes() == getattr(other, name).tobytes() for name in ARRAYS)
    return arrays and one.changes == other.changes


@pytest.fixture(scope="module")
def reference() -> Chart:
    """A chart that was computed in one go."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(chart_run, "BLOCK", 512)
        return compute_chart(Euchre(), SETTINGS, workers=1, cache=False)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty store, and runs that keep their tallies often."""
    monkeypatch.setenv("ANALYZER_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(chart_run, "CHECKPOINT", 2048)
    monkeypatch.setattr(chart_run, "BLOCK", 256)
    assert cache_directory() == tmp_path
    return tmp_path


def test_stops_damage_and_workers_change_nothing(folder: Path, reference: Chart) -> None:
    for most in (3000, 8500):  # in the first iteration, in the second
        with pytest.raises(KeyboardInterrupt):
            compute_chart(Euchre(), SETTINGS, workers=2, progress=StopAfter(most))
    assert len(list(folder.rglob("*.arrays"))) == 1
    last = StopAfter()
    chart = compute_chart(Euchre(target=5, games=2, laps=True), SETTINGS, workers=3, progress=last)
    assert same(chart, reference)
    assert last.done == SETTINGS.deals * SETTINGS.iterations
    assert last.steps < 20  # what was done before is told at once

    loaded = StopAfter()
    assert same(compute_chart(Euchre(), SETTINGS, progress=loaded), reference)
    assert loaded.steps == 0

    (path,) = folder.rglob("*.arrays")
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(content)
    anew = StopAfter()
    assert same(compute_chart(Euchre(), SETTINGS, progress=anew), reference)
    assert anew.done == SETTINGS.deals * SETTINGS.iterations


def test_what_a_seat_may_say(reference: Chart) -> None:
    strong = reference.row("Jh Jd Ah Kh Ac", "10h", "dealer")
    assert strong["choice"].tolist()[:3] == ["pass", "order", "order alone"]
    assert set(strong["choice"][3:]) <= {"pass", *(suit + alone for suit in "dcs" for alone in ("", " alone"))}
    assert not strong["chosen"][0]
    assert strong["chosen"][:3].sum() == 1
    weak = reference.row("9c 10c 9s 10s 9d", "Ah", "left")
    assert weak[weak["round"] == 1].set_index("choice")["gain"]["order"] < -0.3
    assert weak["choice"].tolist()[3:] == ["pass", "d", "s", "c", "d alone", "s alone", "c alone"]
    assert (weak.groupby("round")["chosen"].sum() == 1).all()
    thrown = reference.discard_row("Jh Jd Ah Kh 9c", "10h")
    assert (thrown.groupby("context")["chosen"].sum() == 1).all()
    assert set(thrown[thrown["chosen"]]["card"]) == {"9c"}


def test_tables(reference: Chart) -> None:
    table = reference.table()
    shares = table.groupby(["round", "seat"], observed=True)["hands"].sum()
    np.testing.assert_allclose(shares, 1)
    assert len(shares) == 2 * len(POSITIONS)
    assert table["called"].between(0, 1).all()
    assert (table["called_alone"] <= table["called"]).all()
    dealers = table.loc[(1, "dealer", "jack")]
    share = float((dealers["hands"] * (1 - dealers["called"])).sum() / dealers["hands"].sum())
    assert reference.share_passed("dealer", "J")[0] == pytest.approx(share)
    more = (
        table.loc[(1, "dealer")]
        .groupby("trumps")[["hands", "called"]]
        .apply(lambda part: (part["hands"] * part["called"]).sum() / part["hands"].sum())
    )
    assert more[0] < more[2] < more[4]


@pytest.mark.nightly
def test_a_chart_settles_and_beats_the_calls_of_rules() -> None:
    chart = compute_chart(Euchre(), ChartSettings(deals=1_500_000, iterations=4))
    assert chart.changes[-1] < chart.changes[0] / 2
    assert chart.changes[-1] < 0.04
    policies = np.array([CHART, RULES]), np.array([RULES, RULES])
    hands = 500_000

    def points_of_side_0(who: list[int]) -> np.ndarray:
        players = with_charts(Players(np.array(who), *policies), [chart, None])
        rows = play_hands(Table(Euchre(), players, [None, None]), 1, Block(0, 0, hands))
        dealer_is_side_0 = np.arange(hands) % 2 == 0
        return np.where(dealer_is_side_0, 1, -1) * own_points(rows, 3, 4)

    better = (points_of_side_0([0, 1, 0, 1]) - points_of_side_0([1, 0, 1, 0])) / 2
    assert better.mean() - 5 * better.std() / hands**0.5 > 0.03


def test_words_and_slots() -> None:
    rng = np.random.default_rng(1)
    for slots in (10, 12):
        chosen = np.stack([rng.integers(0, 3, (500, 4)), rng.integers(3, slots, (500, 4))], axis=2)
        words = words_of_slots(chosen, rng.integers(0, 6, (500, 3)), slots)
        np.testing.assert_array_equal(slots_of_words(words, slots), chosen)


def test_estimates_are_drawn_to_the_truth() -> None:
    rng = np.random.default_rng(2)
    rows, classes = 20_000, np.arange(20_000) % 4
    truth = classes - 1.5 + rng.normal(0, 0.5, rows)
    n = rng.integers(0, 12, rows)
    values = [truth + rng.normal(0, 2, rows) for _ in range(12)]
    seen = [n > k for k in range(12)]
    sums = sum(value * use for value, use in zip(values, seen, strict=True))
    squares = sum(value**2 * use for value, use in zip(values, seen, strict=True))
    found, error = drawn_together(np.stack([n, sums, squares], axis=1).astype(float), classes)
    miss = (found - truth) / error
    assert abs(miss.mean()) < 0.05  # 7 standard errors
    assert abs(miss.std() - 1) < 0.05
    raw = sums[n > 0] / n[n > 0]
    assert ((found - truth)[n > 0] ** 2).mean() < 0.4 * ((raw - truth[n > 0]) ** 2).mean()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("rules", "policy 'rules' is no chart; write computed"),
        ("computed:deal=5", "computed: parameter 'deal' is unknown; did you mean 'deals'? Known: deals, iterations"),
        ("computed:deals", "computed: deals = '' is no number; write deals=1000000"),
        ("computed:deals=-5", "computed: deals = '-5' is no number; write deals=1000000"),
        ("computed:deals=5,deals=6", "computed: deals stands twice in 'computed:deals=5,deals=6'; set it once"),
        (
            "computed:iterations=0",
            "computed: iterations = 0 is outside 1..100; choose a whole number in that range",
        ),
    ],
)
def test_complaints_about_the_policy(text: str, message: str) -> None:
    with pytest.raises(PolicyError) as caught:
        ChartSettings.parse(text)
    assert str(caught.value) == message


def test_complaints(reference: Chart) -> None:
    with pytest.raises(PolicyError, match="computed is for four players and 3 play; choose another policy"):
        compute_chart(Euchre(players="3"))
    with pytest.raises(PositionError, match="hand 'Jh Jd' does not go with 'Ah' turned up; give five other cards"):
        reference.row("Jh Jd", "Ah", "left")
    with pytest.raises(PositionError, match="not in the deck"):
        reference.row("Jh Jd 8h Kh Kc", "Ah", "left")
    with pytest.raises(RulesError, match="seat = 'south' is not allowed"):
        reference.row("Jh Jd Qh Kh Kc", "Ah", "south")


def test_text_of_the_policy() -> None:
    for text in ("computed", "computed:deals=1000", "computed:deals=1000,iterations=2"):
        assert ChartSettings.parse(text).text == text
    assert ChartSettings.parse(" Computed: deals = 1_000").deals == 1000
