"""What the results of Euchre say in sentences, each made from the numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from analyzer.analysis.euchre.calls import LEAST_HANDS
from analyzer.report.euchre_findings import score_name

if TYPE_CHECKING:
    import pandas as pd

    from analyzer.analysis.euchre.win_table import WinTable
    from analyzer.report.euchre_findings import EuchreFindings

__all__ = ["findings_of", "hand_name", "score_sentence"]

MOST_OFTEN = 0.5
"""Share of calls from which a policy makes trump with a hand class as a rule."""


def findings_of(found: EuchreFindings) -> list[str]:
    """The findings about the first policy: the deal, makers, who calls, when to go alone, what the score changes."""
    sentences = [_deal(found), _makers(found), _callers(found), _turn_ups(found)]
    if found.first_calls is not None:
        best = found.best_calls(found.first_calls)
        best = best[best["hands"] >= LEAST_HANDS]
        if not best.empty:
            sentences += [_orders(found, best), *_alone(found, best), *_against_policy(found, best)]
    sentences += [score_sentence(found, score) for score in found.changes]
    return sentences


def hand_name(row: dict[Any, Any]) -> str:
    """A hand class in words.

    Examples
    --------
    >>> hand_name({"trumps": 2, "bowers": 1, "off_aces": 1, "voids": 0})
    '2 trumps with 1 bower, 1 off-ace, no void'
    """
    bowers = f" with {_count(row['bowers'], 'bower')}" if row["bowers"] else ""
    others = f"{_count(row['off_aces'], 'off-ace')}, {_count(row['voids'], 'void')}"
    return f"{_count(row['trumps'], 'trump')}{bowers}, {others}"


def score_sentence(found: EuchreFindings, score: tuple[int, int]) -> str:
    """Which calls a score changes, by kind and position."""
    frame, (own, other) = found.changes[score], score
    if frame.empty:
        return (
            f"At {score_name(score)} (own points first) no hand class is known to be called otherwise than by points."
        )
    donating = own > other and other + 4 >= found.rules.target
    kinds: dict[str, list[dict[Any, Any]]] = {}
    for row in frame.to_dict("records"):
        kinds.setdefault(_kind(row, donating, found.rules.players), []).append(row)
    told = [f"{kind} ({_by_position(found, rows)})" for kind, rows in kinds.items()]
    return f"At {score_name(score)} (own points first) it is better to {'; to '.join(told)}."


def _kind(row: dict[Any, Any], donating: bool, players: str) -> str:
    by_points, at_score = row["by_points"], row["at_score"]
    if by_points == "order alone":
        return "play with the partner instead of alone" if at_score == "order" else "pass instead of going alone"
    if at_score == "pass":
        return "pass hands that are ordered by points"
    if by_points == "order":
        return "go alone instead of playing with the partner"
    defends = row["position"] in ("dealer's left", "dealer's right") or (players == "2" and row["position"] != "dealer")
    if at_score == "order alone":
        return "go alone with hands that are passed by points"
    if donating and defends:
        return "order hands that are passed by points, which may cost 2 points but keeps the dealer from more: donating"
    return "order hands that are passed by points"


def _by_position(found: EuchreFindings, rows: list[dict[Any, Any]]) -> str:
    shares: dict[str, float] = {}
    for row in rows:
        shares[row["position"]] = shares.get(row["position"], 0.0) + row["share"]
    told = [f"{position} {shares[position]:.1%}" for position in found.first.positions if position in shares]
    return f"{', '.join(told)} of deals; such as {hand_name(rows[0])}"


def _deal(found: EuchreFindings) -> str:
    estimate, wins = found.first.estimate, found.wins
    who = "The dealer's side" if found.rules.players == "4" else "The dealer"
    reach = (estimate.upper - estimate.lower) / 2
    text = f"{who} scores {abs(estimate.value):.3f} ± {reach:.3f} points a hand"
    text += (
        f" {'more' if estimate.value >= 0 else 'less'} than the {'others' if found.rules.players == '3' else 'other'}"
    )
    return f"{text}{_chances(wins)}." if wins is not None else f"{text}."


def _chances(wins: WinTable) -> str:
    last = wins.rules.target - 1
    late = f", and {wins.chance(last, last, deals=True):.1%} at {last}-{last}" if last else ""
    return f", which is a chance of {wins.chance(0, 0, deals=True):.1%} to win a game from 0-0{late}"


def _makers(found: EuchreFindings) -> str:
    told = found.first.outcomes().iloc[-1]
    text = f"Who makes trump scores {_signed(told['points'])} points a hand, less what the defenders score: euchred in"
    text += f" {told['euchred']:.1%} of hands, 3 or 4 tricks in {told['made']:.1%}, all five in {told['march']:.1%}."
    if told["alone"] > 0:
        text += f" Makers play alone in {told['alone']:.1%}, and then take all five in {told['lone_march']:.1%}."
    return f"{text} All pass in {1 - told['share']:.1%} of deals."


def _callers(found: EuchreFindings) -> str:
    frame = found.first.calls()
    parts = []
    for number, group in frame.groupby("round"):
        rates = [f"{row['position']} {row['called']:.1%}" for row in group.dropna(subset="called").to_dict("records")]
        parts.append(f"in round {number} {', '.join(rates)}")
    return f"Asked, a position makes trump {'; '.join(parts)}."


def _turn_ups(found: EuchreFindings) -> str:
    frame = found.first.turn_ups()
    frame = frame[frame["position"] == "dealer"].sort_values("points")
    worst, best = frame.iloc[0], frame.iloc[-1]
    told = [
        f"{_card(one['turn_up'])} ({_signed(one['points'])} points a hand"
        + (f", ordered in {one['ordered']:.0%})" if one["ordered"] > 0 else ")")
        for one in (best, worst)
    ]
    return f"The best turn-up for the dealer is {told[0]}, the worst {told[1]}."


def _orders(found: EuchreFindings, best: pd.DataFrame) -> str:
    ordered = best[best["best"] != "pass"].groupby("position")["share"].sum()
    told = [f"{position} {ordered.get(position, 0.0):.0%}" for position in found.first.positions]
    return (
        f"Played on by {found.first.policy}, ordering brings more points than a pass in these deals: {', '.join(told)}."
    )


def _alone(found: EuchreFindings, best: pd.DataFrame) -> list[str]:
    alone = best[best["best"] == "order alone"]
    if alone.empty:
        return []
    shares = alone.groupby("position")["share"].sum()
    told = [f"{position} {shares[position]:.1%}" for position in found.first.positions if position in shares]
    often = alone.sort_values("share").iloc[-1]
    text = f"Going alone is best in these deals: {', '.join(told)}; most often for the {often['position']} with"
    return [f"{text} {hand_name(often.to_dict())}."]


def _against_policy(found: EuchreFindings, best: pd.DataFrame) -> list[str]:
    """Where the policy as a rule does not do what is best for the class."""
    known = best.dropna(subset="called")
    wrong = known[(known["called"] >= MOST_OFTEN) != (known["best"] != "pass")]
    if wrong.empty:
        return [f"{found.first.policy} orders, as a rule, just the hand classes in which that brings more points."]
    most = wrong.iloc[int((wrong["gain"].abs() * wrong["share"]).argmax())]
    does = "passes" if most["best"] != "pass" else "orders"
    text = (
        f"As a rule `{found.first.policy}` calls otherwise than is best by points in {len(wrong)} of {len(known)} hand"
    )
    text += f" classes; most costly: the {most['position']} {does} with {hand_name(most.to_dict())}, which loses"
    return [f"{text} {abs(most['gain']):.2f} points in {most['share']:.1%} of deals."]


def _card(rank: str) -> str:
    names = {"J": "a jack", "Q": "a queen", "K": "a king", "A": "an ace", "joker": "the joker", "8": "an 8"}
    return names.get(rank, f"a {rank}")


def _count(number: int, name: str) -> str:
    return f"{number or 'no'} {name}" if number in (0, 1) else f"{number} {name}s"


def _signed(number: float) -> str:
    return f"{number:+.2f}".replace("-", "\N{MINUS SIGN}")
