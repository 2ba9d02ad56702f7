"""How a round of President is held while it is played: what everybody has seen, and what only some know.

Two arrays of int64. `seen` is public: what a player decides by is this, his own hand, and what he himself gave and got
in the exchange. `hidden` has the hands.

A card is a number, four times the rank (3 4 5 6 7 8 9 10 J Q K A 2: 0 to 12) plus the suit (clubs, diamonds, hearts,
spades: 0 to 3). A set of cards has a bit per card. Jokers cannot be told apart, so a set has as many of the bits 52 and
53 as it has jokers, the lower first.

A *play* is one number as well: its cards, the lowest rank that it is declared to have, and whether it is a run. The
rank 13 is that of jokers alone. To pass is the play 0.
"""

from __future__ import annotations

SEATS = 8
"""Most players."""
RANKS = 13
JOKER = 52
"""Bit of the first joker; that of the second is the next."""
NATURALS = (1 << JOKER) - 1
"""All cards but jokers."""
CARDS = (1 << 54) - 1
"""All cards; of a play its cards."""
LOW = 54
"""Shift of the lowest rank of a play, four bits."""
RUN = 58
"""Bit of a play that is a run."""
PASS = 0
THREE, EIGHT, TWO, JOKERS = 0, 5, 12, 13
"""Ranks that matter by themselves."""
ALIKE = 4
"""Cards of a group at most."""
SHORTEST = 3
"""Cards of a run at least."""

# Places in `hidden`: the hand of each seat, then
GAVE = 8
"""and the next seven: the cards that each seat gave away in the exchange before this round."""
GOT = 16
"""and the next seven: those that it was given."""
HIDDEN = 24

# Places in `seen`, first what is of one round.
TURN = 0
"""Who decides; -1 when the round is over."""
OWES = 1
"""How many cards the seat in turn is to give back in the exchange; 0 in the play."""
PILE = 2
"""The play on top of the pile, 0 if there is none."""
LAST = 3
"""Who made it; -1 if there is none."""
PASSED = 4
"""Set of the seats that have passed and may not play on this pile, or with `pass_locks` off since the last play."""
ACTIVE = 5
"""Set of the seats that have cards."""
REVERSED = 6
"""Whether the order is reversed by a revolution."""
OUT = 7
"""Seats that have gone out."""
TURNS = 8
"""Plays and passes so far."""
LEADER = 9
"""Who makes the first play."""
PILES = 10
"""Piles that were begun."""
RUN_PILES = 11
"""Those of them that were begun with a run."""
PLAYS = 12
"""Plays, passes not counted."""
RUNS = 13
"""Those of them that are runs."""
CLOSED = 14
"""Piles that were closed by a group or a run, not by all others passing."""
REVOLUTIONS = 15
PLACE = 16
"""and the next seven: the place of each seat, from 1; 0 while it plays."""
HELD = 24
"""and the next seven: how many cards each seat holds."""
PLAYED = 32
"""and the next seven: the cards that each seat has played."""
ROUND = 40
"""Number of the round in its match, from 0. From here on places belong to the match."""
DEALER = 41
OFFICE = 42
"""and the next seven: the place of each seat in the round before; 0 in the first."""
POINTS = 50
"""and the next seven: the points of each seat from the rounds before."""
SEEN = 58
