"""What may be written on a scorecard, plainly read from the rules: legal entries, extra fives, scores."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

import numpy as np

from analyzer.dice.patterns import Counts, all_counts
from analyzer.dice.scorecard import ScorecardRules
from analyzer.errors import PositionError
from analyzer.fields import shown

_MOST_LISTED = 12


def legal_entries(
    rules: ScorecardRules, dice: Sequence[int], filled: Mapping[str, int], *, served: bool = False
) -> dict[str, int]:
    """Return every line that the dice may be entered in, with the points written there.

    Parameters
    ----------
    rules
        The rules of the game.
    dice
        The final dice of the turn: faces from 1, in any order.
    filled
        Points written so far, by line name.
    served
        Whether the dice are served: by default, whether the last throw threw all of them and none was flipped since.

    Returns
    -------
    dict
        Points by line name, in the order of the scorecard; empty if the scorecard is full. The extra-five
        bonus is not part of the points. A game that the dice win at once is not looked at.

    Raises
    ------
    PositionError
        If the dice are not a throw of this game, or a line holds points that it cannot hold.
    RulesError
        If a filled line does not exist.

    Examples
    --------
    >>> from analyzer.games.dice_poker import DicePoker
    >>> rules = DicePoker().scorecard()
    >>> legal_entries(rules, [4, 4, 4, 4, 4], {"poker": 50})
    {'fours': 20}
    """
    counts = rules.counts(dice)
    card = checked_card(rules, filled)
    open_lines = [line for line in rules.lines if line.name not in card]
    natural = {line.name: int(line.scores(counts, served=served)[0]) for line in open_lines}
    stand_in = rules.alike_as
    if stand_in and counts.max() == rules.dice and _stands_in(rules, card):
        for line in open_lines:
            if line.name in stand_in.lines:
                natural[line.name] = max(natural[line.name], line.made_points(served))
    if rules.strike != "free":
        natural = {name: points for name, points in natural.items() if points > 0} or natural
    five = rules.extra_five
    if five is None or not _is_joker(rules, counts, card):
        return natural
    face = int(counts.argmax()) + 1
    own = {line.name: natural[line.name] for line in open_lines if line.section == "upper" and line.face == face}
    fixed = five.joker_values == "fixed"
    jokers = {line.name: int(line.joker_scores(counts, fixed)[0]) for line in open_lines if line.section == "lower"}
    if five.joker == "free":
        return natural if own else natural | jokers
    # Other upper lines hold no die of the face, so what is natural there is the 0 that the rules ask for.
    return own or jokers or natural


def bonus_points(rules: ScorecardRules, dice: Sequence[int], filled: Mapping[str, int]) -> int:
    """Return the extra-five points that a turn earns beside its entry.

    Parameters
    ----------
    rules, dice
        The rules, and the final dice of the turn.
    filled
        Points by line name as written *before* this turn.

    Returns
    -------
    int
        The extra-five bonus, or 0.

    Raises
    ------
    PositionError, RulesError
        As `legal_entries` does.
    """
    counts = rules.counts(dice)
    card = checked_card(rules, filled)
    five = rules.extra_five
    return five.points if five and counts.max() == rules.dice and card.get(five.line, 0) > 0 else 0


def final_score(rules: ScorecardRules, filled: Mapping[str, int], extra_points: int = 0) -> int:
    """Return the score of a scorecard: its lines, the upper bonus if earned, and the extra-five points.

    Parameters
    ----------
    rules
        The rules of the game.
    filled
        Points written, by line name. Open lines count 0, so a scorecard in play gives its score so far.
    extra_points
        The extra-five points earned during the game.

    Raises
    ------
    PositionError
        If a line holds points that it cannot hold, or the extra points cannot have been earned.
    RulesError
        If a filled line does not exist.
    """
    card = checked_card(rules, filled)
    check_extra_points(rules, card, extra_points)
    bonus = rules.upper_bonus.earned(upper_total(rules, card)) if rules.upper_bonus else 0
    return sum(card.values()) + bonus + extra_points


def upper_total(rules: ScorecardRules, filled: Mapping[str, int]) -> int:
    """Return the points written in the upper section."""
    return sum(filled.get(line.name, 0) for line in rules.upper_lines)


@lru_cache(maxsize=512)
def possible_scores(rules: ScorecardRules, line: str) -> tuple[int, ...]:
    """Return every number of points that can be written in a line, jokers included, in ascending order.

    Raises
    ------
    RulesError
        If there is no such line.

    Examples
    --------
    >>> from analyzer.games.dice_poker import DicePoker
    >>> possible_scores(DicePoker().scorecard(), "fives")
    (0, 5, 10, 15, 20, 25)
    """
    entry = rules.line(line)
    counts = all_counts(rules.dice, rules.faces)
    scores = {score for served in (False, True) for score in entry.scores(counts, served=served).tolist()}
    five = rules.extra_five
    if five and five.joker != "none" and entry.section == "lower" and entry.name != five.line:
        alike = rules.dice * np.eye(rules.faces, dtype=np.int64)
        scores.update(entry.joker_scores(alike, five.joker_values == "fixed").tolist())
    return tuple(sorted(scores))


def checked_card(rules: ScorecardRules, filled: Mapping[str, int]) -> dict[str, int]:
    """Return a scorecard with the names of its lines as the rules spell them, in the order of the rules.

    Parameters
    ----------
    rules
        The rules of the game.
    filled
        Points by line name, names in any case and with ``-`` or spaces for ``_``.

    Raises
    ------
    PositionError
        If a line is filled twice or holds points that it cannot hold.
    RulesError
        If a line does not exist.
    """
    given: object = filled
    if not isinstance(given, Mapping):
        raise PositionError(f"card {shown(filled)} is no mapping of lines to points; give one, such as {{'sixes': 18}}")
    card: dict[str, int] = {}
    for name, points in filled.items():
        line = rules.line(name).name
        if line in card:
            raise PositionError(f"line {line!r} is filled twice; give each line once")
        possible = possible_scores(rules, line)
        value: object = points
        if isinstance(value, bool) or not isinstance(value, int | np.integer) or value not in possible:
            raise PositionError(f"{line} = {shown(points)} is not a score of that line; {_choose(points, possible)}")
        card[line] = int(points)
    return {name: card[name] for name in rules.line_names if name in card}


def check_extra_points(rules: ScorecardRules, filled: Mapping[str, int], extra_points: object) -> None:
    """Raise PositionError unless the extra-five points can have been earned by the filled lines.

    Every extra five fills a line after the line that counts for it, which must hold its points.
    """
    five = rules.extra_five
    if isinstance(extra_points, bool) or not isinstance(extra_points, int | np.integer) or extra_points < 0:
        raise PositionError(f"extra points {shown(extra_points)} are not a number of points; give 0 or more")
    if extra_points == 0:
        return
    if five is None or five.points == 0:
        raise PositionError(f"extra points {extra_points} cannot be earned in {rules.title}; leave them out")
    if filled.get(five.line, 0) == 0:
        raise PositionError(f"extra points {extra_points} need points in {five.line!r}; fill it or leave them out")
    most = five.points * (len(filled) - 1)
    if extra_points % five.points or extra_points > most:
        raise PositionError(
            f"extra points {extra_points} cannot be earned with {len(filled)} lines filled; "
            f"choose a multiple of {five.points} up to {most}"
        )


def _is_joker(rules: ScorecardRules, counts: Counts, card: Mapping[str, int]) -> bool:
    five = rules.extra_five
    if five is None or five.joker == "none" or counts.max() != rules.dice or five.line not in card:
        return False
    return card[five.line] > 0 or five.joker_when_zero


def _stands_in(rules: ScorecardRules, card: Mapping[str, int]) -> bool:
    """Whether dice all alike may make other lines."""
    clause = rules.alike_as
    if clause is None:
        return False
    held = card.get(clause.line)
    return clause.when == "always" or (held is not None and (held == 0 or clause.when == "filled"))


def won(rules: ScorecardRules, filled: Mapping[str, int]) -> str | None:
    """Return the name of the instant win that a scorecard holds, or None.

    Examples
    --------
    >>> from analyzer.games.cacho_alalay import CachoAlalay
    >>> rules = CachoAlalay().scorecard()
    >>> won(rules, {"straight": 25, "full_house": 35, "poker": 45, "grande_1": 50})
    'panza_de_oro'
    """
    for win in rules.instant_wins:
        held = all(filled.get(name, 0) >= least for name, least in win.needs)
        if (
            win.throw is None
            and held
            and sum(filled.get(name, 0) > 0 for name in win.any_of) >= min(win.count, len(win.any_of))
        ):
            return win.name
    return None


def _choose(points: object, possible: Sequence[int]) -> str:
    if len(possible) <= _MOST_LISTED:
        return f"choose from {', '.join(map(str, possible))}"
    if not isinstance(points, int):
        return f"choose a whole number in {possible[0]}..{possible[-1]}"
    near = sorted(sorted(possible, key=lambda score: abs(score - points))[:2])
    return f"the nearest are {near[0]} and {near[1]}"
