"""The rules of Euchre as data: its options, what goes together, and the points of a hand."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import ClassVar, Literal

from analyzer.fields import FieldError, check_integer
from analyzer.games.card_rules import CardRules
from analyzer.games.options import option, options_of_class

TRICKS = 5

POINTS: Mapping[tuple[bool, bool], tuple[int, ...]] = MappingProxyType(
    {
        (False, False): (-2, -2, -2, 1, 1, 2),
        (True, False): (-2, -2, -2, 1, 1, 4),
        (False, True): (-4, -2, -2, 1, 1, 2),
        (True, True): (-4, -2, -2, 1, 1, 4),
    }
)
"""Points by (maker alone, defender alone) and the makers' tricks, 0 to 5; those of the defenders are below 0."""
THREE_HANDED = (-2, -2, -2, 1, 1, 3)
"""The same where the maker plays against two others, each of whom gets the points of a euchre."""
MOST_SURPLUS = 3
"""Points above the target at most: a hand has up to four."""
WITH_JOKER = ("25", "33")
_PARTNERS_ONLY = (
    "alone",
    "alone_timing",
    "alone_lead",
    "lone_maker_euchre",
    "lone_defence",
    "assist_alone",
    "best_card",
)


@dataclass(frozen=True, kw_only=True)
class Euchre(CardRules):
    """The options of Euchre.

    Four players, partners opposite, or two or three without partners; five cards each; the next card is turned up and
    proposes trump. Whoever first orders it up, or in a second round names a suit, decides trump, and that side are the
    makers. The jack of trump (right bower) is the highest trump, the other jack of its colour (left bower), a trump for
    every purpose, the second.

    Parameters
    ----------
    players
        Four, partners opposite. Three: who makes trump plays against the two others as a side, gets 3 points for all
        five tricks, and if he is euchred each of them gets 2; everybody has a score of his own. Two, one on each side.
        With two or three nobody plays alone.
    deck
        24 cards, 9 to ace; 32, 7 to ace; 25 and 33, the same with a joker that is the highest trump.
    dealer_pickup
        Whether the dealer may leave the turn-up that another player ordered, or must take it. Who accepts it himself
        takes it and discards one of his own five cards.
    discard_turn_up
        Whether the dealer who takes an ordered turn-up may discard that very card.
    name_turned_down
        Whether the suit that all have turned down may be named in the second round.
    stick_dealer
        Whether the dealer must name a suit if all others have passed twice; else nobody scores and the next player
        deals.
    alone
        Who may play without his partner: anyone, one player of each side; or who made trump, and if he does, then one
        of his opponents.
    alone_timing
        When who made trump says whether he plays alone: before the first lead, after the dealer's discard; or with the
        call. All others say so before the first lead, asked once, from the dealer's left on. A dealer who named trump
        blind (`joker_turn_up`) says it before the lead in any case. A dealer whose partner called alone does not take
        the turn-up.
    alone_lead
        Who leads first if somebody is alone: the player on his left, and if two are alone the lone defender; or the
        first player who is in the hand from the dealer's left on.
    lone_maker_euchre
        What two defenders get for the euchre of a lone maker.
    lone_defence
        What a lone defender gets for a euchre: 4 for all five tricks and else 2, or 4 for any.
    joker_turn_up
        In a deck with a joker, if it is turned up: the dealer names trump before he looks at his hand, takes the joker
        and discards one of his five cards; or the joker counts as a heart or a spade in the bidding.
    call_needs_suit
        Whether who makes trump must hold a card of that suit; the left bower and the joker are of no use. The turn-up
        counts for the dealer in the first round. A dealer who must name a suit and holds none that he may name is free.
    assist_alone
        Whether the dealer's partner who orders the turn-up must play alone.
    best_card
        Whether a player who is alone discards a card and receives his partner's best: the highest trump, or if he has
        none the card of the highest rank, of several that of the first of these suits: the other suit of trump's
        colour, then of the other colour spades before clubs, hearts before diamonds.
    target
        The points that win a game. Two of three players may reach it at once, with the points of a euchre: the higher
        score wins, and if both have as many, each has won a game.
    games
        The games that are played one after the other and make a match.
    laps
        Whether the points above the target count in the next game.
    slam
        Whether a game counts double if the other side has no point.

    Raises
    ------
    RulesError
        If an option has a value that is not allowed; if `joker_turn_up` is set for a deck without a joker, or options
        of playing alone for two or three players; if three play with a joker; if there are `laps` in a single
        game, or with a target that the points above it could reach.

    Examples
    --------
    >>> rules = Euchre(stick_dealer=True)
    >>> rules.points(5, lone_maker=True), rules.points(2)
    (4, -2)
    """

    game_title: ClassVar[str] = "Euchre"
    scores_title: ClassVar[str] = "Points of a hand, below 0 those of the defenders"

    name: str = "euchre"

    players: Literal["4", "3", "2"] = option("4", "Four players with partners, or three or two without.")
    deck: Literal["24", "25", "32", "33"] = option(
        "24", "The cards: 9 to ace, or 7 to ace; 25 and 33 with a joker as the highest trump."
    )
    dealer_pickup: Literal["optional", "mandatory"] = option(
        "optional", "Whether the dealer must take a turn-up that another player ordered."
    )
    discard_turn_up: Literal["allowed", "forbidden"] = option(
        "allowed", "Whether the dealer may discard the turn-up that another player ordered."
    )
    name_turned_down: bool = option(False, "Whether the suit that was turned down may be named.")
    stick_dealer: bool = option(False, "Whether the dealer must name a suit if all others have passed twice.")
    alone: Literal["anyone", "caller_then_lone_defence"] = option("anyone", "Who may play alone.")
    alone_timing: Literal["before_lead", "with_call"] = option(
        "before_lead", "When who made trump says that he plays alone."
    )
    alone_lead: Literal["left_of_lone", "left_of_dealer"] = option(
        "left_of_lone", "Who leads first if somebody plays alone."
    )
    lone_maker_euchre: Literal["2", "3", "4"] = option("2", "What two defenders get for the euchre of a lone maker.")
    lone_defence: Literal["2/4", "flat4"] = option(
        "2/4", "What a lone defender gets for a euchre, and for all five tricks."
    )
    joker_turn_up: Literal["dealer_blind", "hearts", "spades"] = option(
        "dealer_blind", "With a joker, what is done if it is turned up."
    )
    call_needs_suit: bool = option(False, "Whether who makes trump must hold a card of that suit.")
    assist_alone: bool = option(False, "Whether the dealer's partner who orders the turn-up must play alone.")
    best_card: bool = option(False, "Whether who is alone changes a card for his partner's best.")
    target: int = option(10, "The points that win a game.", low=1, high=100)
    games: int = option(1, "The games that make a match.", low=1, high=100)
    laps: bool = option(False, "Whether the points above the target count in the next game.")
    slam: bool = option(False, "Whether a game counts double if the other side has no point.")

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.joker_turn_up != "dealer_blind" and self.deck not in WITH_JOKER:
            problem = f'= {self.joker_turn_up!r} needs the joker; set deck = "25" or leave it out'
            raise FieldError("joker_turn_up", problem, self.name)
        if self.laps and self.games == 1:
            problem = "= True needs a next game; set games = 2 or more, or leave it out"
            raise FieldError("laps", problem, self.name)
        if self.laps and self.target <= MOST_SURPLUS:
            problem = (
                f"= {self.target} could be reached by points above the last; with laps set {MOST_SURPLUS + 1} or more"
            )
            raise FieldError("target", problem, self.name)
        if self.players == "4":
            return
        if self.players == "3" and self.deck in WITH_JOKER:
            problem = f'= {self.deck!r} has a joker, with which three do not play; set deck = "24" or "32"'
            raise FieldError("deck", problem, self.name)
        for one in options_of_class(Euchre):
            if one.name in _PARTNERS_ONLY and getattr(self, one.name) != one.default:
                problem = f'= {getattr(self, one.name)!r} is for four players; leave it out, or set players = "4"'
                raise FieldError(one.name, problem, self.name)

    def points(self, maker_tricks: int, *, lone_maker: bool = False, lone_defender: bool = False) -> int:
        """Return the points of a hand: the makers', or less than 0 the defenders'.

        Parameters
        ----------
        maker_tricks
            Tricks of the makers, 0 to 5.
        lone_maker, lone_defender
            Whether one of the makers, of the defenders, played alone.

        Raises
        ------
        RulesError
            If the tricks are not from 0 to 5.

        Examples
        --------
        >>> Euchre(lone_defence="flat4").points(1, lone_defender=True)
        -4
        """
        check_integer("maker_tricks", maker_tricks, 0, TRICKS, self.name)
        if self.players == "3":
            return THREE_HANDED[maker_tricks]
        made = POINTS[lone_maker, lone_defender][maker_tricks]
        if made > 0:
            return made
        if lone_defender:
            return -4 if self.lone_defence == "flat4" else made
        return -int(self.lone_maker_euchre) if lone_maker else made

    @property
    def played_with(self) -> str:
        """What the game is played with.

        Examples
        --------
        >>> Euchre(deck="32").played_with
        '32 cards'
        """
        return f"{self.deck} cards"

    @property
    def text(self) -> str:
        """What the rules say beside the options, line by line: cards, trumps, and what is won."""
        from analyzer.games.euchre.summary import text_of

        return text_of(self)

    def score_table(self) -> list[dict[str, int]]:
        """Return the points of a hand by tricks and by who plays alone, a row for each number of tricks."""
        from analyzer.games.euchre.summary import points_table

        return points_table(self)
