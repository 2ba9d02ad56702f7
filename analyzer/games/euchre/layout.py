"""How a hand of Euchre is held while it is played: what everybody has seen, and what only some know.

Two arrays of int64. `seen` is public: what a player decides by is this, his own hand, and if he is the dealer his own
discard. `hidden` has what is dealt. Sets of cards are physical, a bit per card number, until trump is made, and
relabelled by trump from then on; the turn-up is a card number.

They are flat, and so are the rules (`lowering`), because a compiled function takes seven words for every array.
"""

from __future__ import annotations

SEATS = 4

# Places in `hidden`: the hand of each seat, then
LEFT = 4
"""The cards that nobody has, without the turn-up and the discard."""
DISCARD = 5
"""The dealer's discard, none if there is none."""
HIDDEN = 6

# Places in `seen`.
STAGE = 0
"""What is to be decided, see the stages below."""
SEAT = 1
"""Who decides."""
DEALER = 2
TURN_UP = 3
"""Number of the card."""
PROPOSED = 4
"""Its suit, or the suit that a joker stands for; -1 for the joker that lets the dealer name trump blind."""
ASKED = 5
"""How many were asked in this round of the bidding, or about playing alone."""
ROUND = 6
"""In which round trump was made: 1, 2, or 0 blind; -1 before."""
TRUMP = 7
"""The suit, -1 before it is made."""
MAKER = 8
"""Who made it, -1 before."""
TAKEN = 9
"""Whether the dealer took the turn-up: 1, or 0 if he left it or it was turned down, -1 before."""
LONE = 10
"""Set of the seats that play alone."""
ACTIVE = 11
"""Set of the seats that play."""
LEADER = 12
"""Who leads, or led, to the trick."""
BEST_SEAT = 13
"""Whose card wins the trick so far."""
IN_TRICK = 14
"""Cards on the table."""
TRICKS = 15
"""Tricks that are finished."""
MADE = 16
"""Those of them that the makers took."""
POINTS = 17
"""The makers' points; below 0 those of the defenders. 0 before the end, and if all passed."""
HAND = 18
"""Number of the hand in its match, from 0."""
SCORE = 19
"""and the next two: points of each party so far, before this hand. Parties are sides, or the seats of two or three."""
WON = 22
"""and the next two: games that each party has won, slams counted double."""
GAMES = 25
"""Games that are finished."""
LED = 26
"""The card that was led to the trick, none before."""
BEST = 27
"""The card that wins the trick so far."""
PLAYED = 28
"""and the next three: the cards that each seat has played."""
VOID = 32
"""and the next three: the relabelled suits that each seat has shown to be out of, all cards of them."""
DOWN = 36
"""and the next three: the card that each seat has played to the trick."""
SEEN = 40

# Stages. A choice is a set of one: a bit of `legal_choices`, which are cards where cards are chosen.
NAMING = 0
"""The dealer names trump blind: bit 1 + suit."""
FIRST = 1
"""First round of the bidding: `PASS`, `ORDER`, `ORDER_ALONE`."""
SECOND = 2
"""Second round: `PASS`, bit 1 + suit, bit 5 + suit to play alone."""
TURNING = 3
"""The dealer leaves the turn-up (`NO`) or takes it (`YES`)."""
DISCARDING = 4
"""The dealer discards one of his cards."""
LONELY = 5
"""Play alone: `NO` or `YES`."""
GIVING = 6
"""A lone player discards a card, for his partner's best."""
PLAYING = 7
"""A card to the trick."""
OVER = 8

PASS = 0
ORDER = 1
ORDER_ALONE = 2
NAME = 1
NAME_ALONE = 5
NO = 0
YES = 1
