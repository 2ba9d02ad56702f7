"""What the results of President say in sentences, each made from the numbers."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from analyzer.fields import counted
from analyzer.games.president.rules import SUITED
from analyzer.report.card_charts import MINUS
from analyzer.report.president_charts import mean_points
from analyzer.report.president_hand_charts import FEATURES, feature_name, frequent

if TYPE_CHECKING:
    import pandas as pd

    from analyzer.analysis.president.matches import PresidentMatches
    from analyzer.report.president_findings import PresidentFindings

__all__ = ["findings_of", "give_or_take", "option_sentence", "stoppers_name"]

NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven")


def findings_of(found: PresidentFindings) -> list[str]:
    """The findings about the first policy: offices, who leads, hands, options, rounds, and other policies."""
    sentences = _offices(found) if found.rules.rounds > 1 else []
    sentences += [_leader(found), *_dealt(found), *_hands(found)]
    if not found.options.empty:
        sentences += [option_sentence(part) for _, part in found.options.groupby("question", sort=False)]
    return [*sentences, _rounds(found), *(_match(found, one) for one in found.matches)]


def give_or_take(row: Any, digits: int = 2) -> str:
    """Half of the width of an interval, to follow its middle; nothing where one game tells no interval.

    Examples
    --------
    >>> give_or_take({"lower": 1.25, "upper": 1.75}), give_or_take({"lower": math.nan, "upper": math.nan})
    (' ± 0.25', '')
    """
    half = float(row["upper"] - row["lower"]) / 2
    return f" ± {half:.{digits}f}" if math.isfinite(half) else ""


def stoppers_name(found: PresidentFindings) -> str:
    """What stops an answer: 2s, and jokers where there are any."""
    return "2s and jokers" if found.rules.jokers else "2s"


def option_sentence(frame: pd.DataFrame) -> str:
    """Which of two ways to use cards is better in which class of a question.

    Examples
    --------
    >>> import pandas as pd
    >>> row = {"question": "two_now", "label": "Answer by 2s, or keep them", "first": "2s", "second": "others"}
    >>> print(option_sentence(pd.DataFrame([row | {"detail": "late", "difference": 0.1, "lower": 0.05, "upper": 0.2}])))
    Answer by 2s, or keep them? In points of the round, better 2s: late (+0.10).
    """
    rows = frame.to_dict("records")
    better, worse = (f"better {rows[0][name]}" for name in ("first", "second"))
    if rows[0]["question"] == "return":  # each class is a choice of its own
        better, worse = (f"{word} than {rows[0]['second']}" for word in ("better", "worse"))
    groups: dict[str, list[str]] = {}
    for row in rows:
        kind = better if row["lower"] > 0 else worse if row["upper"] < 0 else "no difference known"
        groups.setdefault(kind, []).append(f"{row['detail']} ({_signed(row['difference'])})")
    told = "; ".join(f"{kind}: {', '.join(details)}" for kind, details in groups.items())
    return f"{rows[0]['label']}? In points of the round, {told}."


def _offices(found: PresidentFindings) -> list[str]:
    frame, rules = found.first.offices_kept(), found.rules
    president, scum = frame.iloc[0], frame.iloc[-1]
    even = 1 / rules.players
    shares = [
        f"{what} in {row['kept']:.1%} of rounds, {_than(row['kept_lower'], row['kept_upper'], even)} {given}"
        for what, row, given in (
            ("The president keeps the office", president, f"the {even:.1%} that lots would give"),
            ("the scum stays scum", scum, "that"),
        )
    ]
    leads = [", who leads it," if rules.next_lead == name else "" for name in ("president", "last")]
    kept = f"{'; '.join(shares)}."
    earned = [f"{row['points']:.2f}{give_or_take(row)}" for row in (president, scum)]
    points = (
        f"In the next round who was president{leads[0]} earns {earned[0]} points, who was scum{leads[1]} {earned[1]};"
    )
    return [kept, f"{points} the mean of all is {mean_points(rules):g}."]


def _leader(found: PresidentFindings) -> str:
    leader, mean = found.first.seats().iloc[0], mean_points(found.rules)
    who = ", the holder of the 3 of clubs," if found.rules.first_lead == "club3" else ""
    return (
        f"Who leads the first round{who} earns {leader['points']:.3f}{give_or_take(leader, 3)} points of it,"
        f" {_than(leader['lower'], leader['upper'], mean)} the mean of {mean:g}, and is out first in"
        f" {leader['place_1']:.1%}."
    )


def _dealt(found: PresidentFindings) -> list[str]:
    """What a card more is worth, where the deal is uneven."""
    more = (SUITED + found.rules.jokers) % found.rules.players
    if not more:
        return []
    points = found.first.dealt()["points"]
    who = "The player after the dealer gets" if more == 1 else f"The first {NUMBERS[more]} players after the dealer get"
    text = f"{who} a card more, and {'earns' if more == 1 else 'earn'} {points[:more].mean():.2f} points of the first"
    return [f"{text} round; the others {points[more:].mean():.2f}."]


def _hands(found: PresidentFindings) -> list[str]:
    frame = frequent(found.first, found.first.hands())
    told = []
    for feature in FEATURES:
        part = frame[frame["feature"] == feature]
        if len(part) > 1:
            ends = (part.iloc[0], part.iloc[-1])
            told.append(" and ".join(f"{feature_name(feature, row['value'])} {row['points']:.2f}" for row in ends))
    sentences = [f"Mean points of a round by what a hand holds: {'; '.join(told)}."] if told else []
    classes = frequent(found.first, found.first.strength()).sort_values("points")
    if len(classes) > 1:
        worst, best = (
            f"{counted(row['fewest_plays'], 'play')} and {_stoppers(row['stoppers'])} {row['points']:.2f}"
            for row in (classes.to_dict("records")[place] for place in (0, -1))
        )
        sentences.append(
            f"By the fewest plays needed and the stoppers, {stoppers_name(found)}: best {best}, worst {worst}."
        )
    return sentences


def _rounds(found: PresidentFindings) -> str:
    counts = found.first.counts().set_index("what")
    mean = counts["mean"]
    text = f"A round takes {mean['turns']:.1f} turns, {mean['plays']:.1f} of them plays, in {mean['piles']:.1f} piles,"
    text += f" of which {mean['closed']:.1f} are closed by a play."
    if found.rules.runs:
        text += f" {mean['run_piles'] / mean['piles']:.1%} of piles are of runs."
    if found.rules.revolution:
        text += f" The order is reversed in {counts['at_least_once']['revolutions']:.1%} of rounds."
    return text


def _match(found: PresidentFindings, match: PresidentMatches) -> str:
    row, rules = match.payoffs().iloc[0], found.rules
    alone = len(match.players) > 2
    who = f"One seat of `{match.players[0]}`" if alone else f"`{match.players[0]}`"
    each = "" if alone else "for each of its seats "
    others = f"{len(match.players) - 1} of `{match.players[1]}`" if alone else f"`{match.players[1]}`"
    return (
        f"{who} against {others}, with the same cards: {each}{row['points']:.2f}{give_or_take(row)}"
        f" points a match, where {mean_points(rules) * rules.rounds:g} is even, and {row['win_rate']:.1%} of matches"
        f" won, where {1 / rules.players:.1%} is even."
    )


def _stoppers(number: int) -> str:
    return f"{NUMBERS[number]} stopper{'s' if number > 1 else ''}"


def _than(lower: float, upper: float, even: float) -> str:
    """How an interval stands to a number."""
    if lower > even:
        return "more than"
    return "less than" if upper < even else "not told from"


def _signed(number: float) -> str:
    return f"{number:+z.2f}".replace("-", MINUS)
