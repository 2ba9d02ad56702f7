"""The rules of President told to people: the cards, what is played, what ends a pile, and what is won."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from analyzer.games.president.rules import President

RANKS = ("3", "4", "5", "6", "7", "8", "9", "10", "jack", "queen", "king", "ace", "2")
_FIRST_LEADERS = {
    "club3": "The holder of the 3 of clubs",
    "random": "A player drawn by lot",
    "dealer_left": "The player on the dealer's left",
}


def text_of(rules: President) -> str:
    """Return the cards and their order, what is played and what is won, line by line.

    Examples
    --------
    >>> from analyzer.games.president.rules import President
    >>> print(text_of(President(runs=False, rounds=1)))
    Cards of each suit from the lowest: 3, 4, 5, 6, 7, 8, 9, 10, jack, queen, king, ace, 2.
    All of them are dealt, so that some hands may have a card more.
    Played are groups: one to four cards of a rank.
    An answer has as many cards as the last play and is equal or higher; nobody has to answer.
    A pile ends when all others have passed, and who played last leads. Who has passed is out until then.
    A group of 2s closes the pile: who plays it leads again.
    The holder of the 3 of clubs leads first.
    By place 3, 2, 1, 0 points; there is one round.
    """
    jokers = ("", "; and a joker", "; and two jokers")[rules.jokers]
    return "\n".join(
        (
            f"Cards of each suit from the lowest: {', '.join(RANKS)}{jokers}.",
            "All of them are dealt, so that some hands may have a card more.",
            *_plays(rules),
            *_piles(rules),
            *_order(rules),
            *_rounds(rules),
        )
    )


def _plays(rules: President) -> list[str]:
    """What may be played, and what answers it."""
    equal = "equal or higher" if rules.beat == "equal_or_higher" else "higher"
    groups = "Played are groups: one to four cards of a rank"
    found = [f"{groups}.", f"An answer has as many cards as the last play and is {equal}; nobody has to answer."]
    if rules.runs:
        measured = f"its top card is {equal}" if rules.run_beat == "top" else "all of it is above the last run"
        found = [
            f"{groups}; and runs: three or more ranks in a row of one suit, at most up to the 2.",
            "An answer is of the same kind and has as many cards as the last play; nobody has to answer.",
            f"A group answers if it is {equal}, a run of any suit if {measured}.",
        ]
    if rules.jokers:
        twos = ", or 2s if who plays them says so" if rules.all_jokers == "may_be_2s" else ""
        any_card = "A joker is one more card of a group" + " or any card of a run" * rules.runs
        found.append(f"{any_card}; jokers alone are a group above the 2s{twos}.")
    return found


def _piles(rules: President) -> list[str]:
    """When a pile ends."""
    locked = "Who has passed is out until then." if rules.pass_locks else "Who has passed may still play later."
    closers = "A group of 2s closes the pile"
    if rules.eight_stop:
        closers = "A group of 2s or 8s closes the pile"
        if rules.runs:
            natural = " that is no joker" * (not rules.eight_by_joker)
            closers = f"A group of 2s or 8s and a run with an 8{natural} close the pile"
    return [
        f"A pile ends when all others have passed, and who played last leads. {locked}",
        f"{closers}: who plays it leads again.",
    ]


def _order(rules: President) -> list[str]:
    """What reverses the order, and what that means."""
    if not rules.revolution:
        return []
    by = "Four cards of a rank" + " or a run of four or more cards" * rules.run_revolution
    found = [f"{by} reverse the order of ranks, from that play until it is reversed again or the round ends."]
    if rules.runs:
        measured = "by its lowest card" if rules.run_beat == "top" else "by all of its cards"
        found.append(f"A run is then measured {measured}.")
    if rules.jokers:
        found.append("Jokers alone stay above all other groups.")
    if rules.closer_in_revolution == "threes":
        found.append("In the reversed order a group of 3s closes the pile, and one of 2s does not.")
    return found


def _rounds(rules: President) -> list[str]:
    """Who leads, what is exchanged, and what a round is worth."""
    points = ", ".join(str(rules.points(place)) for place in range(1, rules.players + 1))
    first = _FIRST_LEADERS[rules.first_lead]
    if rules.rounds == 1:
        return [f"{first} leads first.", f"By place {points} points; there is one round."]
    later = "the last" if rules.next_lead == "last" else "the first"
    found = [f"{first} leads first, in later rounds {later} of the round before."]
    if rules.exchange:
        two = rules.players > 3 or rules.exchange_of_three == "2"
        gifts = f"the last gives the first his {'two best cards' if two else 'best card'}"
        if rules.players > 3:
            gifts += ", the last but one gives the second his best card"
        found.append(f"From the second round on {gifts}; as many cards are given back, whichever.")
    return [*found, f"By place {points} points; most after {rules.rounds} rounds win."]
