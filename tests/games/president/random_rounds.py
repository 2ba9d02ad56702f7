"""Random rules and random positions of President."""

from __future__ import annotations

from random import Random
from typing import Any

from analyzer.errors import RulesError
from analyzer.games.options import options_of_class
from analyzer.games.president.rules import President
from tests.games.president_referee import Play, Table, all_plays, deck_of


def random_rules(rng: Random, **fixed: Any) -> President:
    """Rules with every option at random, of those that go together."""
    while True:
        options: dict[str, Any] = {}
        for one in options_of_class(President):
            if one.kind == "choice":
                options[one.name] = rng.choice(one.choices)
            elif one.kind == "switch":
                options[one.name] = rng.random() < 0.5
            else:
                options[one.name] = rng.randint(one.low, min(one.high, 8))
        # Runs and jokers are what is difficult, so most rules have them.
        options["runs"] = rng.random() < 0.8
        options["jokers"] = rng.choice((0, 1, 2, 2))
        for name in list(options):
            try:
                return President(**options | fixed)
            except RulesError:
                options.pop(name)


def random_table(rules: President, rng: Random) -> Table:
    """A round somewhere in the middle: cards that are left, a pile or none, passes, either order."""
    cards = deck_of(rules)
    rng.shuffle(cards)
    most = rng.choice((3, 6, 13))
    hands = [[cards.pop() for _ in range(rng.randint(1, min(most, len(cards) // 8 + 1)))] for _ in range(rules.players)]
    gone = rng.sample(range(rules.players), rng.choice((0, 0, rng.randint(0, rules.players - 2))))
    for seat in gone:
        hands[seat] = []
    turn = rng.choice([seat for seat in range(rules.players) if hands[seat]])
    order = rules.revolution and rng.random() < 0.5
    pile = _pile(rules, hands[turn], cards, rng)
    if pile is None:
        return Table(rules, hands, turn, reversed=order)
    others = [seat for seat in range(rules.players) if seat != turn]
    last = rng.choice(others)
    passed = [seat for seat in others if hands[seat] and seat != last and rng.random() < 0.3]
    return Table(rules, hands, turn, pile, last, passed, order)


def _pile(rules: President, hand: list[str], rest: list[str], rng: Random) -> Play | None:
    """A play of the cards that are gone, often one like those of the hand; sometimes none."""
    kind = rng.random()
    if kind < 0.25:
        return None
    own = [play for play in all_plays(rules, hand) if play.kind == ("run" if kind < 0.7 else "group")]
    size = len(rng.choice(sorted(own, key=str)).cards) if own else rng.randint(1, 3)
    # A play that a small part of these cards makes is found soon.
    for _ in range(20):
        some = sorted(rng.sample(rest, min(len(rest), 16)))
        plays = [play for play in all_plays(rules, some) if len(play.cards) == size]
        plays = [play for play in plays if play.kind == ("run" if kind < 0.7 else "group")]
        if plays:
            return rng.choice(sorted(plays, key=str))
    return None
