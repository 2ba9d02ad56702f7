"""The report of President, and the page of a comparison of it: what is in them; sentences follow the numbers."""

from __future__ import annotations

import re
from dataclasses import replace
from html import unescape
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from analyzer.analysis.arms import Arm
from analyzer.analysis.compare import compare
from analyzer.analysis.president.rounds import simulate_rounds
from analyzer.errors import PolicyError, UsageError
from analyzer.games.president.rules import President
from analyzer.report import charts
from analyzer.report.folder import write_comparison, write_report
from analyzer.report.president_findings import PresidentFindings, find_out
from analyzer.report.president_sentences import findings_of, option_sentence
from analyzer.report.tables import default_formats

OF_ROUNDS = ("seats", "dealt", "offices_kept", "hands", "strength", "counts", "lengths")
COMMAND = "analyzer report president --out 'a folder'"
OWN = "def first(view):\n    return view.legal[-1]\n"
POLICIES = ("lowest", "random")


def written(path: Path) -> Path:
    """A chart that takes no time."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.touch()
    return path


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Charts are drawn but not rendered as files, which takes longest."""
    monkeypatch.setattr(charts, "save_chart", lambda axes, path: written(path))


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[Path]]:
    """A report of two policies that several tests look at."""
    folder = tmp_path_factory.mktemp("report") / "president"
    rules = President()
    how: dict[str, Any] = {"policies": POLICIES, "games": 200, "seed": 3, "settings": rules.settings}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(charts, "save_chart", lambda axes, path: written(path))
        return folder, write_report(rules, folder, command=COMMAND, **how)


@pytest.fixture(scope="module")
def found() -> PresidentFindings:
    return find_out(President(), policies=POLICIES, games=200, seed=3)


def table(folder: Path, name: str) -> pd.DataFrame:
    return pd.read_csv(folder / "tables" / f"{name}.csv")


def text_of(page: Path) -> str:
    """What people read."""
    return " ".join(unescape(re.sub("<[^>]*>", " ", page.read_text())).split())


def test_every_table_and_chart_is_there_and_no_other(report: tuple[Path, list[Path]]) -> None:
    folder, files = report
    names = {"policies", "matches", "match_lowest_random", "match_places_lowest_random", "option_worth"}
    names |= {f"{kind}_{policy}" for kind in OF_ROUNDS for policy in POLICIES}
    assert {path.name for path in files if path.parent.name == "tables"} == {
        f"{name}.{kind}" for name in names for kind in default_formats()
    }
    drawn = {"seat_points", "round_lengths", "place_shares", "option_worth"}
    drawn |= {
        f"{kind}_{policy}" for kind in ("office_matrix", "hand_strength", "feature_points") for policy in POLICIES
    }
    assert {path.name for path in files if path.parent.name == "charts"} == {
        f"{name}.{kind}" for name in drawn for kind in ("png", "svg")
    }
    text = files[0].read_text()
    linked = [link for link in re.findall(r'href="([^"]+)"', text) if not link.startswith(("#", "data:"))]
    assert {folder / link for link in linked} == set(files[1:-1])
    titles = re.findall(r'<svg [^>]*aria-label="([^"]*)"', text)
    assert len(titles) == len(set(titles)) == len(drawn)


def test_the_page_tells_figures_rules_and_how_to_write_it_again(report: tuple[Path, list[Path]]) -> None:
    _, files = report
    text = files[0].read_text()
    result = simulate_rounds(President(), "lowest", games=200, seed=3)
    kept, leader = result.offices_kept()["kept"], result.seats().iloc[0]
    for share in (kept.iloc[0], kept.iloc[-1]):
        assert f"<dd>{share:.1%}</dd>" in text
    assert f"<dd>{leader['points'] - 1.5:+.3f} ± {(leader['upper'] - leader['lower']) / 2:.3f}</dd>" in text
    assert f"<code>{result.task_id}</code>" in text
    assert "analyzer report president --out &#39;a folder&#39;" in text
    assert re.search(r'<th scope="row">eight_stop</th><td[^>]*>false</td>', text.replace("<wbr>", ""))
    assert "<code>lowest</code>: the cheapest legal play" in text
    assert "200 matches of lowest against each other policy" in text
    offices = text.index("From one round to the next: lowest"), text.index("From one round to the next: random")
    assert offices[0] < text.index("Offices under random") < offices[1]


def test_the_numbers_are_those_of_the_verbs(report: tuple[Path, list[Path]], found: PresidentFindings) -> None:
    folder, _ = report
    summary = table(folder, "policies").set_index("policy")
    for policy in POLICIES:
        result = simulate_rounds(President(), policy, games=200, seed=3)
        counts = result.counts().set_index("what")["mean"]
        assert summary["turns"][policy] == pytest.approx(counts["turns"])
        assert summary["president_kept"][policy] == pytest.approx(result.offices_kept()["kept"].iloc[0])
        for kind, frame in result.tables().items():
            saved = table(folder, f"{kind}_{policy}")
            pd.testing.assert_frame_equal(saved, frame.astype(saved.dtypes), check_dtype=False)
    payoffs = found.matches[0].payoffs().iloc[0]
    assert table(folder, "matches")["points"].tolist() == pytest.approx([payoffs["points"]])


def test_the_same_report_has_the_same_bytes(report: tuple[Path, list[Path]], tmp_path: Path, quick: None) -> None:
    """Whatever the workers."""
    folder, files = report
    rules = President()
    how: dict[str, Any] = {"policies": POLICIES, "games": 200, "seed": 3, "settings": rules.settings}
    again = write_report(rules, tmp_path, workers=1, command=COMMAND, **how)
    assert [path.relative_to(tmp_path) for path in again] == [path.relative_to(folder) for path in files]
    for one, other in zip(files, again, strict=True):
        assert one.read_bytes() == other.read_bytes(), one.name


def test_sentences_are_made_from_the_numbers(found: PresidentFindings) -> None:
    sentences, first = findings_of(found), found.first
    kept = first.offices_kept().iloc[0]
    than = "more" if kept["kept_lower"] > 0.25 else "less" if kept["kept_upper"] < 0.25 else "not told"
    assert sentences[0].startswith(f"The president keeps the office in {kept['kept']:.1%} of rounds, {than} ")
    assert "who was scum, who leads it," in sentences[1]
    leader = first.seats().iloc[0]
    assert sentences[2].startswith(
        f"Who leads the first round, the holder of the 3 of clubs, earns {leader['points']:.3f} ± "
    )
    twos = first.hands().query("feature == 'twos'").set_index("value")["points"]
    assert f"no 2 {twos[0]:.2f} and" in sentences[3]
    payoffs = found.matches[0].payoffs().iloc[0]
    assert f"for each of its seats {payoffs['points']:.2f} ± " in sentences[-1]


def test_options_are_told_by_what_is_known_of_their_classes() -> None:
    rows = [("early", -0.2, -0.3, -0.1), ("midway", 0.0, -0.1, 0.1), ("late", 0.3, 0.2, 0.4)]
    frame = pd.DataFrame(rows, columns=["detail", "difference", "lower", "upper"])
    twos = frame.assign(question="two_now", label="Answer by 2s, or keep them", first="2s", second="others")
    assert option_sentence(twos) == (
        "Answer by 2s, or keep them? In points of the round, better others: early (\N{MINUS SIGN}0.20); no difference"
        " known: midway (+0.00); better 2s: late (+0.30)."
    )
    given = frame.assign(question="return", label="What is given", first="these two", second="the two lowest")
    told = option_sentence(given)
    assert "worse than the two lowest: early" in told
    assert "better than the two lowest: late" in told


@pytest.mark.parametrize(
    ("options", "told", "untold"),
    [
        (
            {"players": 5, "rounds": 1, "runs": False, "first_lead": "random"},
            ("The first two players after the dealer get a card more", "One seat of lowest against 4 of random"),
            ("From one round to the next", "scum stays", "Piles of runs", "holder of the 3 of clubs, earns"),
        ),
        (
            {"players": 3, "jokers": 2, "revolution": True, "exchange": True, "next_lead": "president"},
            ("The order is reversed in", "stoppers, 2s and jokers", "who was president, who leads it,", "two jokers"),
            ("a card more, and",),
        ),
        ({"players": 6, "eight_stop": True, "rounds": 2}, ("citizen 1", "The first four players"), ("citizen 3",)),
    ],
)
def test_other_forms_of_the_game(
    options: dict[str, Any], told: tuple[str, ...], untold: tuple[str, ...], tmp_path: Path, quick: None
) -> None:
    files = write_report(President(**options), tmp_path, policies=POLICIES, games=200)
    text = text_of(files[0]).partition("Rules and options In")[0].partition("The rules in force")[0]
    for words in told:
        assert words in text, words
    for words in untold:
        assert words not in text, words
    assert "nan" not in text.split()


def test_few_games_of_a_policy_that_is_asked(tmp_path: Path, quick: None) -> None:
    (tmp_path / "mine.py").write_text(OWN)
    page, *others = write_report(President(), tmp_path / "all", policies=[f"{tmp_path}/mine.py:first"], games=1)
    text = text_of(page)
    assert "is too slow to play on by, and is left out here." in text
    assert "No class of hands came up 100 times; more games tell more." in text
    assert "Against other policies" not in text
    assert "nan" not in text.split()
    assert not any(path.stem.startswith(("option_worth", "place_shares", "hand_strength")) for path in others)


def test_options_that_never_arose_are_told(found: PresidentFindings) -> None:
    empty = replace(found)
    empty.__dict__["options"] = found.options.head(0)
    assert "option_worth" not in empty.charts
    assert not any("?" in sentence for sentence in findings_of(empty))


@pytest.mark.parametrize(
    ("policies", "error", "message"),
    [
        (["random", "random"], UsageError, "policies random, random name one policy twice; give each once"),
        (["rule"], PolicyError, "policy 'rule' is unknown"),
    ],
)
def test_nothing_is_left_of_a_report_that_cannot_be(policies: Any, error: Any, message: str, tmp_path: Path) -> None:
    with pytest.raises(error, match=message):
        write_report(President(), tmp_path / "all", policies=policies, games=10)
    assert list(tmp_path.iterdir()) == []


def test_a_comparison_of_matches_speaks_of_rounds_and_cards(tmp_path: Path, quick: None) -> None:
    arms = [Arm(President(), "lowest", "base"), Arm(President(exchange=True), "lowest", "exchange")]
    result = compare(arms, games=400)
    files = write_comparison(result, tmp_path)
    names, text = {path.stem for path in files}, text_of(files[0])
    assert not names & {"lines", "line_changes", "score_distributions"}
    (row,) = result.differences().to_dict("records")
    assert f"{row['difference']:+.2%} ± {(row['upper'] - row['lower']) / 2:.2%}" in text
    said = text.split("Provenance")[-2].split("Rules and policies")[-2]
    for words in (
        "dice",
        "Line by line",
        "lines filled",
        "scores vary",
        "which score",
        "president keeps",
        "Revolutions",
    ):
        assert words not in said, words
    for words in (
        "matches of each arm",
        "the share of presidents who keep the office",
        "by equal cards",
        "single match,",
    ):
        assert words in said, words


def test_a_comparison_of_single_rounds_is_of_the_first_leader(tmp_path: Path, quick: None) -> None:
    arms = [Arm(President(rounds=1), policy, policy) for policy in ("lowest", "random")]
    files = write_comparison(compare(arms, games=400), tmp_path)
    assert "score_distributions" in {path.stem for path in files}
    assert "the mean points of the first leader" in text_of(files[0])


def test_a_comparison_of_players_is_of_what_the_first_one_comes_to(tmp_path: Path, quick: None) -> None:
    arms = [Arm(President(), ("lowest", policy), policy) for policy in ("lowest", "random")]
    files = write_comparison(compare(arms, games=40), tmp_path)
    text = text_of(files[0])
    assert "the mean points of a match" in text
    assert "Rounds as president" in text
