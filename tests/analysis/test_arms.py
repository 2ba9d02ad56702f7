"""Arms in words and in files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from analyzer.analysis.arms import Arm, ArmDefaults, load_arms, read_arm, read_arms
from analyzer.errors import AnalyzerError, UsageError
from analyzer.games.registry import make_rules

ESCALERO = ArmDefaults(game="escalero", policy="optimal")


@pytest.mark.parametrize(
    ("text", "options", "policy"),
    [
        ("base", {}, "optimal"),
        ("straight=25/30", {"straight": "25/30"}, "optimal"),
        ("straight=25", {"straight": "25/30"}, "optimal"),
        ("double_grande=true, straight = 25", {"straight": "25/30", "double_grande_row": True}, "optimal"),
        ("column_values=1,2,3", {"column_values": "1,2,3"}, "optimal"),
        ("column-values=1,2,3,straight=25", {"column_values": "1,2,3", "straight": "25/30"}, "optimal"),
        ("greedy", {}, "greedy"),
        ("policy=greedy,straight=25", {"straight": "25/30"}, "greedy"),
        ("straight=25,greedy", {"straight": "25/30"}, "greedy"),
        ("straight=25,par:grande=20,poker=3", {"straight": "25/30"}, "par:grande=20,poker=3"),
        ("straight=25,policy=par:grande=20,poker=3", {"straight": "25/30"}, "par:grande=20,poker=3"),
        ("line:straight", {}, "line:straight"),
        ("my.py:mine,straight=25", {"straight": "25/30"}, "my.py:mine"),
        ("players=columns,sum,straight=25", {"straight": "25/30"}, ("columns", "sum")),
        ("straight=25,players=mixed:win_value=5,sum", {"straight": "25/30"}, ("mixed:win_value=5", "sum")),
    ],
)
def test_arms_are_read(text: str, options: dict[str, Any], policy: Any) -> None:
    found = read_arm(text, ESCALERO)
    assert found.rules == make_rules("escalero", **options)
    assert found.policy == policy
    assert found.name == text


def test_a_number_of_players_is_an_option_of_games_that_have_it() -> None:
    found = read_arm("players=5,jokers=2", ArmDefaults(game="president"))
    assert (found.rules, found.policy) == (make_rules("president", players="5", jokers="2"), "rules")
    assert read_arm("game=euchre,players=3", ArmDefaults()).rules == make_rules("euchre", players="3")
    both = read_arm("players=lowest,rules", ArmDefaults(game="president", options={"players": "4"}))
    assert both.policy == ("lowest", "rules")
    assert read_arm("players=5", ESCALERO).policy == ("5",)  # which is none, and will be refused


def test_names_games_and_files(tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text('base = "yahtzee"\nthrows = 2\n')
    named = read_arm("name=two throws,throws=2", ArmDefaults(game="yahtzee", options={"lock-kept": "true"}))
    assert (named.name, named.rules.throws, named.rules.lock_kept) == ("two throws", 2, True)
    own = read_arm(f"rules={tmp_path / 'mine.toml'}", ArmDefaults(game="yahtzee"))
    assert own.rules.throws == 2
    other = read_arm("game=kniffel,greedy", ArmDefaults(game="yahtzee", options={"lock_kept": True}))
    assert (other.rules.name, other.policy) == ("kniffel", "greedy")
    changed = read_arm("lock_kept=false", ArmDefaults(game="yahtzee", options={"lock_kept": True}))
    assert not changed.rules.lock_kept


def test_a_single_arm_meets_the_base() -> None:
    assert [arm.name for arm in read_arms(["greedy"], ESCALERO)] == ["base", "greedy"]
    assert [arm.name for arm in read_arms(["base"], ESCALERO)] == ["base"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "arm '' says nothing; write base, an option name=value, or a policy"),
        ("straigt=25", "option of escalero 'straigt' is unknown; did you mean 'straight'?"),
        ("straight=99", "escalero: straight = '99' is not allowed"),
        ("gredy", "arm 'gredy' is neither 'base' nor a policy nor name=value; write one of these"),
        ("straight=25,straight=20", "arm 'straight=25,straight=20' gives straight twice; give it once"),
        ("greedy,policy=par", "gives policy twice"),
        ("players=sum,sum,greedy", None),
        ("policy=greedy,players=sum,sum", "gives a policy and players; give one of them"),
        ("game=yahtzee,rules=x.toml", "gives a game and a rules file; give one of them"),
        ("rules=none.toml,throws=2", "option 'throws' goes with a game's name"),
        ("rules=none.toml", "none.toml"),
        ("game=chess", "game 'chess' is unknown"),
    ],
)
def test_wrong_arms_end_with_one_line(text: str, message: str | None) -> None:
    if message is None:
        assert read_arm(text, ESCALERO).players == ("sum", "sum", "greedy")
        return
    with pytest.raises(AnalyzerError) as caught:
        read_arm(text, ESCALERO)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_without_a_game_there_is_no_arm() -> None:
    with pytest.raises(UsageError, match="no game is given for an arm"):
        read_arm("greedy", ArmDefaults())


def test_arms_from_a_file(tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text('base = "yahtzee"\nthrows = 2\n')
    path = tmp_path / "arms.toml"
    path.write_text(
        """
        game = "escalero"
        policy = "greedy"
        options = { straight = "25/30" }
        [[arm]]
        name = "all as above"
        [[arm]]
        policy = "optimal"
        options = { straight = "20/25", double_grande_row = true }
        [[arm]]
        name = "matches"
        players = ["columns", "sum"]
        [[arm]]
        rules = "mine.toml"
        [[arm]]
        game = "kniffel"
        """
    )
    first, second, third, fourth, fifth = load_arms(path)
    assert (first.name, first.policy, first.rules) == ("all as above", "greedy", make_rules("escalero", straight="25"))
    assert (second.name, second.policy) == ("arm 2", "optimal")
    assert second.rules == make_rules("escalero", double_grande_row=True)
    assert third.players == ("columns", "sum")
    assert (fourth.rules.throws, fourth.policy) == (2, "greedy")
    assert fifth.rules == make_rules("kniffel")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("game =", "is no TOML"),
        ("", "there are no arms; write a table [[arm]] for each"),
        ("arm = 3", "there are no arms"),
        ("gmae = 'escalero'\n[[arm]]", "key 'gmae' is unknown; did you mean 'game'?"),
        ("game = 'escalero'\n[[arm]]\noption = {}", "key of an arm 'option' is unknown; did you mean 'options'?"),
        ("game = 'escalero'\noptions = 3\n[[arm]]", "options = 3 are no table"),
        ("[[arm]]\nname = 'x'", "no game is given"),
        ("game = 'escalero'\n[[arm]]\npolicy = 3", "policy 3 is no policy"),
        ("game = 'escalero'\n[[arm]]\nplayers = 3", "players 3"),
        ("game = 'escalero'\n[[arm]]\nplayers = []", "players [] of an arm are none; give policies, one for each"),
        ("game = 'escalero'\n[[arm]]\npolicy = []", "players [] of an arm are none"),
        ("game = " + "[" * 5000 + "]" * 5000, "nests brackets too deeply; write plain tables [[arm]]"),
        ("game = 3\n[[arm]]", "game '3' is unknown"),
        ("game = 'escalero'\n[[arm]]\noptions = { straight = [1] }", "straight = [1] is not allowed"),
    ],
)
def test_wrong_files_end_with_one_line(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "arms.toml"
    path.write_text(text)
    with pytest.raises(AnalyzerError) as caught:
        load_arms(path)
    assert message in str(caught.value)


def test_a_byte_order_mark_is_no_text(tmp_path: Path) -> None:
    path = tmp_path / "arms.toml"
    path.write_text("game = 'yahtzee'\n[[arm]]\n[[arm]]\npolicy = 'greedy'", encoding="utf-8-sig")
    assert [arm.policy for arm in load_arms(path)] == ["optimal", "greedy"]


def test_no_file_no_arms(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="cannot be read"):
        load_arms(tmp_path / "none.toml")


def test_an_arm_checks_what_it_is_given() -> None:
    rules = make_rules("yahtzee")
    assert Arm(rules, ["sum", "columns"]).policy_text == "sum against columns"
    assert Arm(rules, lambda dice, throws_left, card: dice).label.startswith("Yahtzee, <lambda>")
    for bad in (3, None, {"a": 1}):
        with pytest.raises(UsageError, match="is no policy"):
            Arm(rules, bad)  # type: ignore[arg-type]
    assert Arm(rules, name="x" * 200).label == "x" * 200
    for unfit in ("x" * 201, "a\nb"):
        with pytest.raises(UsageError, match="give it a name= of at most 200 characters"):
            Arm(rules, name=unfit)
    with pytest.raises(UsageError, match="are no rules"):
        Arm("yahtzee")  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="cannot be shown"):
        Arm(rules, "greedy", "two\nlines")
