"""The rules of President with runs as data: its options, what goes together, and the points of a round."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import ClassVar, Literal

from analyzer.fields import FieldError, check_integer
from analyzer.games.card_rules import CardRules
from analyzer.games.options import option

RANKS = 13
SUITED = 52
"""Cards beside the jokers."""
MOST_ALIKE = 4
"""Cards of a group at most, jokers included."""
SHORTEST_RUN = 3

_NEEDS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "run_beat": ("runs",),
        "all_jokers": ("jokers",),
        "run_revolution": ("runs", "revolution"),
        "closer_in_revolution": ("revolution",),
        "eight_by_joker": ("runs", "jokers", "eight_stop"),
        "next_lead": ("rounds",),
        "exchange": ("rounds",),
        "exchange_of_three": ("exchange", "players"),
    }
)
"""Options that decide nothing unless others have the values of `_NEEDED`."""
_NEEDED: Mapping[str, str] = MappingProxyType(
    {
        "runs": "runs = true",
        "jokers": "jokers = 1 or 2",
        "revolution": "revolution = true",
        "eight_stop": "eight_stop = true",
        "rounds": "rounds = 2 or more",
        "exchange": "exchange = true",
        "players": "players = 3",
    }
)


@dataclass(frozen=True, kw_only=True)
class President(CardRules):
    """The options of President.

    Each for himself, clockwise. Ranks from the lowest: 3 to 10, jack, queen, king, ace, 2. All cards are dealt one by
    one from the dealer's left on, so that some hands may have a card more; the deal passes clockwise. Who leads a pile
    plays a group, one to four cards of a rank, or a run, three or more ranks in a row of one suit; he may not pass.
    The others pass or play as many cards of the same kind that are high enough; nobody has to play. A pile ends when
    all others who still have cards have passed since the last play: who made it leads the next one, or if he has no
    cards left, the next player clockwise who has. A group of 2s closes the pile: it ends at once. Who has played all
    his cards, whichever they are, is out, and the order of going out gives the places; the round ends when one player
    has cards left. Most points after all rounds win; equal points share the win.

    Parameters
    ----------
    players
        Three to eight.
    jokers
        None, one or two. A joker is any card of a run, at an end too, or one more card of a group; a group has four
        cards with its jokers at most. Who plays it says which cards it stands for, though another card of a run may be
        one that he holds or that has been played.
    runs
        Whether runs are played. From 3-4-5 to king-ace-2, without going around; a run may have up to 13 cards. It is
        answered by runs of any suit with as many cards. No run closes the pile by ending on a 2.
    beat
        Whether a play must equal the last one at least, or exceed it. An equal play skips nobody.
    run_beat
        What of a run must be high enough: its top card, or all of its cards, which then are above the whole run before,
        whatever `beat` says.
    all_jokers
        What jokers alone are: a group above the 2s, also when the order is reversed, which closes nothing; or that or a
        group of 2s, as who plays them says. Beside a card of a rank jokers always have that rank.
    revolution
        Whether a group of four, jokers included, reverses the order of ranks; it is reversed at once, for answers to
        that group already, until it is reversed again or the round ends. A run is then measured by its lowest card.
    run_revolution
        Whether a run of four or more cards reverses the order too.
    closer_in_revolution
        Which group closes the pile while the order is reversed: that of 2s still, or that of 3s and no longer that of
        2s. A group of four is judged by the order after it.
    eight_stop
        Whether a group of 8s and a run with an 8, at an end too, close the pile.
    eight_by_joker
        Whether a run closes the pile also if a joker is its 8. An 8 and a joker are a group of 8s in any case.
    pass_locks
        Whether who has passed is out until the pile ends; else he is asked again if others play on.
    first_lead
        Who leads in the first round, with any play: who holds the 3 of clubs, anybody with equal chances, or the player
        on the dealer's left.
    next_lead
        Who leads in later rounds: the last of the round before, or its first.
    exchange
        Whether from the second round on, after the deal, the last gives his two best cards to the first, and of four or
        more players the last but one his best card to the second. All gifts are made before as many cards are given
        back, any that the receiver likes. Best are jokers, then 2s, aces and so on; of equal ones hearts, spades,
        diamonds, clubs.
    exchange_of_three
        How many cards the last of three players gives.
    rounds
        How many rounds are played. Each begins with the order of ranks not reversed.

    Raises
    ------
    RulesError
        If an option has a value that is not allowed, or one that decides nothing without another option.

    Examples
    --------
    >>> President(players=5).points(2), President(jokers=1).played_with
    (3, '53 cards with 1 joker')
    """

    game_title: ClassVar[str] = "President"
    scores_title: ClassVar[str] = "Points of a round by place"

    name: str = "president"

    players: int = option(4, "The players.", low=3, high=8)
    jokers: int = option(0, "The jokers, any card of a group or a run.", low=0, high=2)
    runs: bool = option(True, "Whether three or more ranks in a row of one suit are played.")
    beat: Literal["equal_or_higher", "higher"] = option("equal_or_higher", "What a play must be to the last one.")
    run_beat: Literal["top", "disjoint"] = option(
        "top", "Which cards of a run must be high enough: the top one, or all above the whole last run."
    )
    all_jokers: Literal["highest", "may_be_2s"] = option(
        "highest", "With jokers, what they are if they are played alone."
    )
    revolution: bool = option(False, "Whether four of a rank reverse the order of ranks.")
    run_revolution: bool = option(False, "Whether a run of four or more cards reverses it too.")
    closer_in_revolution: Literal["twos", "threes"] = option(
        "twos", "Which group closes the pile while the order is reversed."
    )
    eight_stop: bool = option(False, "Whether 8s, in groups and in runs, close the pile.")
    eight_by_joker: bool = option(True, "Whether a joker that is the 8 of a run closes the pile.")
    pass_locks: bool = option(True, "Whether who has passed is out until the pile ends.")
    first_lead: Literal["club3", "random", "dealer_left"] = option("club3", "Who leads in the first round.")
    next_lead: Literal["last", "president"] = option("last", "Who leads in later rounds.")
    exchange: bool = option(False, "Whether the last give their best cards to the first after the deal.")
    exchange_of_three: Literal["2", "1"] = option("2", "How many cards the last of three players gives.")
    rounds: int = option(5, "The rounds that are played.", low=1, high=100)

    def __post_init__(self) -> None:
        super().__post_init__()
        met = {"rounds": self.rounds > 1, "players": self.players == 3}
        for one in self.settings:
            needs = _NEEDS.get(one.option.name, ()) if one.changed else ()
            missing = [_NEEDED[name] for name in needs if not met.get(name, bool(getattr(self, name)))]
            if missing:
                needed = " and ".join(missing)
                problem = f"= {one.value!r} decides nothing without {needed}; set that too, or leave it out"
                raise FieldError(one.option.name, problem, self.name)

    def points(self, place: int) -> int:
        """Return the points of a round: one for each player who is placed behind.

        Parameters
        ----------
        place
            1 for who is out first, up to the number of players.

        Raises
        ------
        RulesError
            If there is no such place.

        Examples
        --------
        >>> [President().points(place) for place in (1, 2, 3, 4)]
        [3, 2, 1, 0]
        """
        check_integer("place", place, 1, self.players, self.name)
        return self.players - place

    @property
    def played_with(self) -> str:
        """What the game is played with.

        Examples
        --------
        >>> President(jokers=2).played_with
        '54 cards with 2 jokers'
        """
        jokers = ("", " with 1 joker", " with 2 jokers")[self.jokers]
        return f"{SUITED + self.jokers} cards{jokers}"

    @property
    def text(self) -> str:
        """What the rules say beside the options, line by line: cards, what is played, piles and points."""
        from analyzer.games.president.summary import text_of

        return text_of(self)

    def score_table(self) -> list[dict[str, int]]:
        """Return the points of a round, a row for each place."""
        return [{"place": place, "points": self.points(place)} for place in range(1, self.players + 1)]
