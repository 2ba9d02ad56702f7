"""The command `grade`: a played game in, its mistakes and its luck out."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from analyzer.cli.arguments import Game, Run, name_value, whole
from analyzer.cli.output import announced, check_out, print_json, print_table, save_chart_as, save_tables
from analyzer.errors import UsageError

if TYPE_CHECKING:
    from analyzer.analysis.grading import Grading
    from analyzer.dice.scorecard import ScorecardRules


def grade(
    game: Game | None = None,
    record: Annotated[str, Parameter(help="JSON file of the played game; see --example and --schema.")] = "",
    *,
    policy: Annotated[
        str,
        Parameter(
            help="What the game was played for: optimal (the default), or in games with instant wins points (the"
            " default there), mixed:win_value=50, instant, instant:dormida."
        ),
    ] = "",
    show: Annotated[int, Parameter(converter=whole, help="Decisions to print; the costliest come first.")] = 10,
    example: Annotated[
        bool, Parameter(negative=(), help="Print the record of a game played by the policy greedy instead.")
    ] = False,
    seed: Annotated[int, Parameter(converter=whole, help="Which game --example plays: its random seed.")] = 0,
    schema: Annotated[bool, Parameter(negative=(), help="Print the JSON Schema of records instead.")] = False,
    out: Annotated[str | None, Parameter(help="Folder to write tables and a chart to.")] = None,
    run: Run | None = None,
) -> None:
    """Grade a played game: what each decision lost, how lucky each throw was, and how they sum up to the score.

    With --rules the record is the only name: analyzer grade --rules mine.toml record.json
    """
    game, run = game or Game(), run or Run()
    if schema:
        from analyzer.dice.record import record_schema

        print_json(record_schema())
        return
    if game.rules and game.game and not record:
        game, record = replace(game, game=""), game.game
    found = game.load_scorecard()
    if example:
        if record:
            raise UsageError(f"record '{record}' and --example are both given; leave one of them out")
        _print_example(game, found, seed, run)
        return
    if not record:
        raise UsageError("no record is given; name its JSON file, or see what one looks like with --example")
    if show < 1:
        raise UsageError(f"--show {show} shows nothing; give 1 or more")
    check_out(out)
    with announced():
        from analyzer.analysis.grade import grade as grade_record

        grading = grade_record(
            found, record, policy=policy or None, workers=run.workers, progress=not run.json, cache=run.cache
        )
    if out is not None:
        from analyzer.report.grade_chart import luck_and_mistakes

        names = ("summary", "decisions", "throws", "turns")
        save_tables(out, {name: getattr(grading, name)() for name in names})
        save_chart_as(out, "luck_and_mistakes", luck_and_mistakes(grading))
    if run.json:
        print_json(grading.to_dict())
        return
    _print(grading, show)


def _print_example(game: Game, found: ScorecardRules, seed: int, run: Run) -> None:
    with announced():
        from analyzer.analysis.replay import record_game

        played = record_game(found, seed=seed, workers=run.workers, progress=not run.json, cache=run.cache)
    if game.set_:
        played = replace(played, options=dict(name_value(text, "--set") for text in game.set_))
    print(played.to_json(), end="")


def _print(grading: Grading, show: int) -> None:
    print(f"{grading}\n")
    formats = grading.formats
    print_table(grading.summary(), "The sum of the game", formats=formats)
    costliest, every = grading.costliest(show), len(grading.costliest(len(grading.decisions())))
    if costliest.empty:
        print("No decision lost anything.\n")
    else:
        columns = ["turn", "throw", "dice", "chosen", "best", "lost"]
        some = f"The costliest {show} of {every} decisions" if every > show else "Decisions"
        title = f"{some} that were not the best"
        print_table(costliest, title, columns, formats)
    print_table(grading.turns(), "By turn", ["turn", "label", "points", "luck", "lost", "value_end"], formats)
    if every > show:
        print(f"More with --show {every}.")
