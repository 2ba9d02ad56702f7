"""The commands: each parses, calls the API, prints and saves. Slow libraries are imported when they are needed."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import App, Parameter

from analyzer.cli.arguments import Game, Run, Start, number, read_faces, settings, whole
from analyzer.cli.cards import Hand, show_result
from analyzer.cli.compare import compare
from analyzer.cli.grade import grade
from analyzer.cli.output import announced, check_out, print_json, print_table, save_tables
from analyzer.cli.rules import rules
from analyzer.errors import UsageError
from analyzer.games.card_rules import CardRules

if TYPE_CHECKING:
    import pandas as pd

    from analyzer.analysis.simulate import SimulationResult
    from analyzer.analysis.solve import Solution
    from analyzer.dice.scorecard import ScorecardRules


def _version() -> str:
    from analyzer.engine.provenance import versions_in_use

    return f"strategy-analyzer {versions_in_use()['analyzer']}"


app = App(
    name="analyzer",
    help="Strategy analyzer for dice and card games: what to play, what each line is worth, what a policy earns.",
    help_epilogue="Start with: analyzer advise dice-poker --dice 5,5,3,2,1 --throws-left 2",
    version=_version,
    version_flags=["--version"],
    help_format="plaintext",
    suppress_keyboard_interrupt=False,
)
app.command(compare)
app.command(grade)
app.command(rules)


@app.command
def games(*, json: Annotated[bool, Parameter(negative=(), help="Print one JSON object.")] = False) -> None:
    """List the games."""
    from analyzer.dice.scorecard import ScorecardRules
    from analyzer.games.registry import game_names, make_rules

    rows = []
    for name in game_names():
        found = make_rules(name)
        row = {"game": name.replace("_", "-"), "title": found.title, "played_with": found.played_with}
        dice = isinstance(found, ScorecardRules)
        rows.append(row | {"throws": found.throws if dice else None, "lines": len(found.lines) if dice else None})
    if json:
        print_json({"games": rows})
        return
    import pandas as pd

    print_table(pd.DataFrame(rows).astype({"throws": "Int64", "lines": "Int64"}))
    print("'analyzer rules GAME' tells a game's rules and options.")


@app.command
def policies(
    game: Game | None = None,
    *,
    json: Annotated[bool, Parameter(negative=(), help="Print one JSON object.")] = False,
) -> None:
    """List the policies, of a game or of all."""
    import pandas as pd

    from analyzer.analysis.families import CARD_FAMILIES, FAMILIES, families_of

    if game is None or game == Game():
        groups = {"dice games": FAMILIES, **CARD_FAMILIES}
    else:
        found = game.load()
        groups = {found.name: families_of(found)}
    rows = [
        {"game": name, "policy": policy, "meaning": text}
        for name, families in groups.items()
        for policy, text in families.items()
    ]
    if json:
        print_json({"policies": rows})
        return
    print_table(pd.DataFrame(rows), columns={"game": "Game", "policy": "Policy", "meaning": "What it does"})


@app.command
def solve(
    game: Game | None = None,
    *,
    policy: Annotated[
        str,
        Parameter(
            help="Policy to evaluate exactly, by default optimal; see 'analyzer policies'. For Euchre the chart to"
            " compute, such as computed:deals=2000000,iterations=4."
        ),
    ] = "",
    target: Annotated[
        int | None,
        Parameter(converter=whole, help="Maximise the chance that the final score is so much or more; takes minutes."),
    ] = None,
    start: Start | None = None,
    out: Annotated[str | None, Parameter(help="Folder to write tables to.")] = None,
    run: Run | None = None,
) -> None:
    """Solve a game exactly: the best expected score, or what a policy earns, with its distribution.

    For Euchre: compute the bidding chart by iterated best responses. It takes minutes, can be stopped and goes on where
    it was, and is kept for the policy 'computed'.
    """
    start, run = start or Start(), run or Run()
    found = (game or Game()).load()
    check_out(out)
    if isinstance(found, CardRules):
        _solve_bidding(found, policy, {"--target": target, "--card": start.card}, out, run)
        return
    policy = policy or "optimal"
    _check_target(target, policy)
    if target is not None and out is not None:
        raise UsageError(f"--out '{out}' has no tables to take with --target; leave one of them out")
    with announced():
        from analyzer.analysis.solve import Solution, solve, solve_for_target

        common = settings(start, run)
        solved = solve(found, policy=policy, **common) if target is None else solve_for_target(found, target, **common)
        content = solved.to_dict()
    tables = _tables(solved) if isinstance(solved, Solution) else {}
    save_tables(out, tables)
    if run.json:
        print_json(content)
        return
    print(f"{solved}\n" if tables else solved)
    _print_tables(tables)


def _solve_bidding(rules: CardRules, policy: str, given: dict[str, Any], out: str | None, run: Run) -> None:
    """Compute what the policies of a card game bid by."""
    with announced():
        from analyzer.analysis.card_games import card_verb, refuse

        refuse(rules, given)
        solve_it = card_verb(rules, "solve")
        chosen = {"policy": policy} if policy else {}
        result = solve_it(rules, **chosen, workers=run.workers, progress=not run.json, cache=run.cache)
    show_result(result, out, run)


def _check_target(target: int | None, policy: str) -> None:
    if target is not None and policy != "optimal":
        raise UsageError(f"--target goes with the policy optimal, not '{policy}'; leave --policy out")


def _tables(result: Solution | SimulationResult) -> dict[str, pd.DataFrame]:
    """The tables of a result, as they are saved; those of lines, wins and quantiles are printed too."""
    names = ["lines", "quantiles", "distribution"]
    names += ["line_rounds"] if result.unit == "games" else []
    names += ["wins", "win_rounds"] if result.unit == "games" and result.rules.instant_wins else []
    return {name: getattr(result, name)() for name in names}


def _print_tables(tables: dict[str, pd.DataFrame]) -> None:
    hidden = ["line", "win", "zero_rate_standard_error", "standard_error"]
    titles = {"lines": "What each line brings", "wins": "How games are won at once"}
    for name, title in (titles | {"quantiles": "Quantiles of the score"}).items():
        if name in tables:
            print_table(tables[name].drop(columns=hidden, errors="ignore"), title)


@app.command
def advise(
    game: Game | None = None,
    *,
    dice: Annotated[str, Parameter(help="All dice on the table, such as 5,5,3,2,1.")] = "",
    throws_left: Annotated[
        int, Parameter(converter=whole, help="Throws that may still be made; 0 ranks the entries.")
    ] = 0,
    start: Start | None = None,
    locked: Annotated[str, Parameter(help="Dice that may not be thrown again, if the rules lock them.")] = "",
    served: Annotated[
        bool, Parameter(negative=(), help="The last throw threw all dice, as the first throw of a turn always does.")
    ] = False,
    stop: Annotated[
        bool, Parameter(negative=(), help="Rank what may be done when the turn ends here, though throws are left.")
    ] = False,
    declared: Annotated[str, Parameter(help="The line announced after the first throw, in games where one is.")] = "",
    policy: Annotated[
        str,
        Parameter(
            help="What to play for: optimal (the default), or in games with instant wins points (the default there),"
            " mixed:win_value=50, instant, instant:dormida. In card games how all play on: rules (the default),"
            " strength, computed, lowest, as the game has them."
        ),
    ] = "",
    target: Annotated[
        int | None, Parameter(converter=whole, help="Rank by the chance that the final score reaches so many points.")
    ] = None,
    opening: Annotated[
        bool, Parameter(negative=(), help="Best keep of every first roll instead; needs no --dice.")
    ] = False,
    hand: Hand | None = None,
    show: Annotated[int, Parameter(converter=whole, help="Rows to print of each table; all of the opening.")] = 12,
    out: Annotated[str | None, Parameter(help="Folder to write tables to.")] = None,
    run: Run | None = None,
) -> None:
    """Rank every legal decision in a position: of dice games by exact value, of card games by simulation.

    In card games give your hand, and in Euchre the card turned up and your seat, in President the pile and how many
    cards the others hold; everybody plays on by the policy (rules by default).
    """
    start, run, hand = start or Start(), run or Run(), hand or Hand()
    found = (game or Game()).load()
    if isinstance(found, CardRules):
        given = {"--dice": dice, "--throws-left": throws_left, "--locked": locked, "--served": served, "--stop": stop}
        given |= {"--declared": declared, "--target": target, "--opening": opening, "--card": start.card}
        _advise_hand(found, hand, policy, given, show, out, run)
        return
    if hand.given():
        name = next(iter(hand.given())).replace("_", "-")
        raise UsageError(f"--{name} means nothing in {found.title}; leave it out")
    if not opening and not dice:
        raise UsageError("no dice are given; write --dice 5,5,3,2,1, or --opening for all first rolls")
    if opening and dice:
        raise UsageError(f"--dice {dice} and --opening are both given; leave one of them out")
    if opening and served:
        raise UsageError("--opening and --served are both given, but every first roll is served; leave --served out")
    if opening and target is not None:
        raise UsageError(f"--opening and --target {target} are both given; give one of them")
    if opening and declared:
        raise UsageError(f"--opening and --declared {declared} are both given; leave one of them out")
    if stop and (opening or target is not None):
        raise UsageError("--stop goes with --dice and without --target; leave one of them out")
    policy = policy or ("points" if found.instant_wins and target is None else "optimal")
    _check_target(target, policy)
    _check_show(show)
    check_out(out)
    faces, held = read_faces(dice, "--dice"), read_faces(locked, "--locked")
    turn: dict[str, Any] = {"throws_left": throws_left, "locked": held, "served": served, "declared": declared}
    common = settings(start, run)
    with announced():
        from analyzer.analysis.advise import check_turn
        from analyzer.analysis.result import records
        from analyzer.analysis.solve import Solution, solve, solve_for_target

        if not opening:
            check_turn(found, faces, throws_left, held, served=served, declared=declared)
        problem = solve(found, policy=policy, **common) if target is None else solve_for_target(found, target, **common)
        if isinstance(problem, Solution) and opening:
            table = problem.opening().table
        elif isinstance(problem, Solution):
            advice = problem.advise(faces, stop=stop, **turn)
        else:
            advice = problem.advise(faces, **turn)
    if opening:
        save_tables(out, {"opening": table})
        if run.json:
            print_json({"game": found.name, "rules_id": found.id, "opening": records(table)})
        else:
            print_table(table, f"{found.title}, {policy}: best keep of every first roll")
        return
    options, outcomes = advice.options(), advice.outcomes()
    save_tables(out, {"options": options, "outcomes": outcomes})
    if run.json:
        print_json(advice.to_dict())
        return
    print(f"{advice}\n")
    if policy != "optimal":
        print(f"Played for: {policy}.\n")
    shown = options.head(show).drop(columns="line", errors="ignore")
    print_table(shown, f"Best {len(shown)} of {len(options)} decisions")
    if advice.throws_left:
        rest = f", the likeliest {show} of {len(outcomes)} ways" if len(outcomes) > show else ""
        print_table(outcomes.head(show).drop(columns="line"), f"How the turn ends after the best keep{rest}")
    if len(options) > show or (advice.throws_left and len(outcomes) > show):
        print(f"More with --show {max(len(options), len(outcomes))}.")


def _check_show(show: int) -> None:
    if show < 1:
        raise UsageError(f"--show {show} shows nothing; give 1 or more")


def _advise_hand(
    rules: CardRules, hand: Hand, policy: str, given: dict[str, Any], show: int, out: str | None, run: Run
) -> None:
    """Rank what may be done in a hand of a card game."""
    _check_show(show)
    check_out(out)
    with announced():
        from analyzer.analysis.card_games import advise, refuse

        refuse(rules, given)
        position = hand.position(rules) | ({"policy": policy} if policy else {})
        result = advise(rules, **position, workers=run.workers, progress=not run.json, cache=run.cache)
        note = f"task {result.task_id}\n"
    show_result(result, out, run, note, show)


@app.command
def simulate(
    game: Game | None = None,
    *,
    policy: Annotated[
        str, Parameter(help="Policy to play; see 'analyzer policies'. By default optimal, in card games rules.")
    ] = "",
    games: Annotated[
        int | None,
        Parameter(
            converter=whole,
            help="Number of whole games, 100,000 by default; in Euchre of hands, a million; in President of matches,"
            " 100,000.",
        ),
    ] = None,
    turns: Annotated[int | None, Parameter(converter=whole, help="Number of single turns, instead of games.")] = None,
    worth: Annotated[
        bool,
        Parameter(
            negative=(),
            help="In President: what ways to use cards are worth. Where one comes up, the round is played on twice,"
            " after one choice and after another; 20,000 matches by default.",
        ),
    ] = False,
    seed: Annotated[
        int, Parameter(converter=whole, help="Same seed, same dice, whatever the policy and the workers.")
    ] = 0,
    start: Start | None = None,
    confidence: Annotated[float, Parameter(converter=number, help="Level of the intervals.")] = 0.95,
    out: Annotated[str | None, Parameter(help="Folder to write tables to.")] = None,
    run: Run | None = None,
) -> None:
    """Simulate games or turns, or hands or matches of a card game, under a policy."""
    start, run = start or Start(), run or Run()
    found = (game or Game()).load()
    check_out(out)
    if worth:
        given = {"--turns": turns, "--card": start.card, "--extra-points": start.extra_points}
        asked = {"policy": policy or "rules", "games": games, "seed": seed, "confidence": confidence}
        _simulate_worth(found, given, asked, out, run)
        return
    with announced():
        from analyzer.analysis.simulate import SimulationResult, simulate

        result = simulate(
            found,
            policy=policy,
            games=games,
            turns=turns,
            seed=seed,
            confidence=confidence,
            **settings(start, run),
        )
    if not isinstance(result, SimulationResult):
        show_result(result, out, run, f"task {result.task_id}\n")
        return
    tables = _tables(result)
    save_tables(out, tables)
    if run.json:
        print_json(result.to_dict())
        return
    print(f"{result}\ntask {result.task_id}\n")
    _print_tables(tables)


def _simulate_worth(
    rules: ScorecardRules | CardRules, given: dict[str, Any], asked: dict[str, Any], out: str | None, run: Run
) -> None:
    """Tell what ways to use cards are worth."""
    if rules.name != "president":
        raise UsageError(f"--worth is for President, not {rules.title}; leave it out")
    with announced():
        from analyzer.analysis.card_games import refuse
        from analyzer.analysis.president.worth import option_worth

        president: Any = rules
        refuse(president, given)
        result = option_worth(president, **asked, workers=run.workers, progress=not run.json)
    note = f"task {result.task_id}\nmean points of the round, intervals at {result.confidence:.11g}\n"
    show_result(result, out, run, note)


@app.command
def match(
    game: Game | None = None,
    *,
    players: Annotated[str, Parameter(help="The policy of each player, such as optimal,greedy; see below.")],
    games: Annotated[int, Parameter(converter=whole, help="Number of matches.")] = 20_000,
    seed: Annotated[int, Parameter(converter=whole, help="Same seed, same dice in every seat.")] = 0,
    pairs: Annotated[
        bool, Parameter(negative=(), help="Every player is a pair: both throw, one result is entered.")
    ] = False,
    confidence: Annotated[float, Parameter(converter=number, help="Level of the intervals.")] = 0.95,
    out: Annotated[str | None, Parameter(help="Folder to write tables to.")] = None,
    run: Run | None = None,
) -> None:
    """Play matches of several players, who change seats: who wins, by how much, and how.

    Players: in games of one column every policy of 'simulate', your own function (my.py:name) included. Where there are
    several columns greedy, par, sum (the expected total of all columns) and columns (the expected settlement).
    In games with served points or flips, without jokers and announced lines, also race (the chance to win against the
    others' sheets), where the highest total wins, and --pairs.
    In Euchre two policies, one for each side; every deal is played twice, with sides swapped. In President as many as
    there are players, or fewer that can be shared out; every deal is played once for each, and all move on by a seat.
    """
    run = run or Run()
    found = (game or Game()).load()
    check_out(out)
    with announced():
        from analyzer.analysis.match import MatchResult, match
        from analyzer.dice.scorecard import ScorecardRules

        result = match(
            found,
            players,
            games=games,
            seed=seed,
            pairs=pairs,
            confidence=confidence,
            workers=run.workers,
            progress=not run.json,
            cache=run.cache,
        )
    if not isinstance(result, MatchResult) or not isinstance(found, ScorecardRules):
        show_result(result, out, run, f"task {result.task_id}\n")
        return
    frames = {"payoffs": result.payoffs(), "seats": result.seats(), "distribution": result.distribution()}
    if found.instant_wins:
        frames["endings"] = result.endings()
    save_tables(out, frames)
    if run.json:
        print_json(result.to_dict())
        return
    print(f"{result}\ntask {result.task_id}\n")
    print_table(frames["payoffs"].drop(columns="standard_error"), f"Per match, intervals at {confidence:.11g}")
    print_table(frames["seats"][["player", "seat", "payoff", "lower", "upper", "win_rate"]], "By seat")
    if found.instant_wins:
        print_table(frames["endings"].drop(columns="win"), "Matches won at once")


@app.command
def report(
    game: Game | None = None,
    *,
    out: Annotated[str, Parameter(help="Folder to write to; it is made if it does not exist.")],
    policy: Annotated[
        tuple[str, ...],
        Parameter(
            negative=(),
            help="Policies to compare; may be repeated. Otherwise optimal, greedy, par, random, and in games with"
            " instant wins points and instant; in Euchre rules, in President rules, lowest, random.",
        ),
    ] = (),
    games: Annotated[
        int | None,
        Parameter(
            converter=whole,
            help="Games simulated beside the exact results, 100,000 by default; in Euchre hands, 400,000; in President"
            " matches, 20,000.",
        ),
    ] = None,
    seed: Annotated[int, Parameter(converter=whole, help="Seed of the simulation.")] = 0,
    run: Run | None = None,
) -> None:
    """Write a page about a game into a folder, with every table and chart as files beside it."""
    game, run = game or Game(), run or Run()
    found = game.load()
    chosen = [part for name in policy for part in ("--policy", name)]
    with announced():
        from analyzer.report.folder import default_games, write_report

        games = default_games(found) if games is None else games
        again = [*game.arguments(), *chosen, "--games", str(games), "--seed", str(seed), "--out", out]
        files = write_report(
            found,
            out,
            policies=policy or None,
            games=games,
            seed=seed,
            workers=run.workers,
            progress=not run.json,
            cache=run.cache,
            settings=game.settings(),
            notes=game.notes(),
            command=shlex.join(["analyzer", "report", *again]),
        )
    if run.json:
        print_json({"game": found.name, "rules_id": found.id, "files": [str(path) for path in files]})
    else:
        print(f"{len(files)} files written to {out}; start with {files[0]}")
