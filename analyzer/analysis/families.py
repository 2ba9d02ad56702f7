"""The built-in policies, for people."""

FAMILIES = {
    "optimal": "maximises the expected final score (exact)",
    "greedy": "maximises the points of the turn; rerolls are optimal for that",
    "par": "maximises the points of the turn above the par of the line; pars can be set: par:chance=22,sixes=18",
    "line": "spends the next turn on one line, whatever it brings, then plays greedily: line:large_straight",
    "points": "maximises the expected full scorecard, as if nobody could win at once (games with instant wins)",
    "mixed": "maximises the expected score and the points given more for an instant win: mixed:win_value=50",
    "instant": "maximises the chance of an instant win, of any kind or of one: instant:dormida",
    "random": "every legal keep and every legal entry equally likely",
    "FILE.py:NAME": "your own function(dice, throws_left, card): what to keep, or which line to fill",
}
"""Built-in policies and what they do."""
