"""Random rules and random positions of President."""

from __future__ import annotations

from random import Random
from typing import Any

from analyzer.fields import FieldError
from analyzer.games.options import options_of_class
from analyzer.games.president.rules import President
from tests.games.president_referee import ABOVE_TWO, RANKS, SUITS, Play, Table, all_plays, deck_of


def random_rules(rng: Random, **fixed: Any) -> President:
    """Rules with every option at random, of those that go together."""
    options: dict[str, Any] = {}
    for one in options_of_class(President):
        if one.kind == "choice":
            options[one.name] = rng.choice(one.choices)
        elif one.kind == "switch":
            options[one.name] = rng.random() < 0.5
        else:
            options[one.name] = rng.randint(one.low, min(one.high, 8))
    # Runs and jokers are what is difficult, so most rules have them.
    options |= {"runs": rng.random() < 0.8, "jokers": rng.choice((0, 1, 2, 2))} | fixed
    while True:
        try:
            return President(**options)
        except FieldError as error:
            del options[error.field]


def random_table(rules: President, rng: Random) -> Table:
    """A round somewhere in the middle: cards that are left, a pile or none, passes, either order."""
    cards = deck_of(rules)
    rng.shuffle(cards)
    if rng.random() < 0.5:
        cards.sort(key=lambda card: card != "*", reverse=True)  # the first hands have the jokers
    most = rng.choice((3, 6, 13))
    hands = [[cards.pop() for _ in range(rng.randint(1, min(most, len(cards) // 8 + 1)))] for _ in range(rules.players)]
    gone = rng.sample(range(rules.players), rng.choice((0, 0, rng.randint(0, rules.players - 2))))
    for seat in gone:
        hands[seat] = []
    turn = rng.choice([seat for seat in range(rules.players) if hands[seat]][:2])
    if rng.random() < 0.7:
        _add_suit(hands[turn], cards, rng)
    order = rules.revolution and rng.random() < 0.5
    pile = _pile(rules, hands[turn], cards, rng)
    if pile is None:
        return Table(rules, hands, turn, reversed=order)
    others = [seat for seat in range(rules.players) if seat != turn]
    last = rng.choice(others)
    passed = [seat for seat in others if hands[seat] and seat != last and rng.random() < 0.3]
    return Table(rules, hands, turn, pile, last, passed, order)


def _add_suit(hand: list[str], rest: list[str], rng: Random) -> None:
    """Add neighbours of a suit to a hand, as far as they are left, and often a joker, so that it has runs."""
    suit, low = rng.choice(SUITS), rng.randrange(len(RANKS) - 2)
    wanted = [rank + suit for rank in RANKS[low : low + rng.choice((3, 4, 5))]] + ["*"] * rng.choice((0, 1, 2))
    for card in wanted:
        if card in rest:
            rest.remove(card)
            hand.append(card)


def _pile(rules: President, hand: list[str], rest: list[str], rng: Random) -> Play | None:
    """A play of the cards that are gone, often one that the hand can answer; sometimes none."""
    if rng.random() < 0.2:
        return None
    kind = "run" if rules.runs and rng.random() < 0.7 else "group"
    own = [play for play in all_plays(rules, hand) if play.kind == kind]
    size = len(rng.choice(sorted(own, key=str)).cards) if own else rng.choice((1, 2, 3, 4))
    jokers = ["*"] * rest.count("*")
    found = []
    for low, rank in enumerate(RANKS):
        if kind == "group":
            alike = [card for card in rest if card[0] == rank][:size]
            found += [Play("group", low, low, tuple(sorted(alike)))] * (len(alike) == size)
            continue
        if size < 3 or low + size > len(RANKS):
            continue
        for suit in SUITS:
            natural = [rank + suit for rank in RANKS[low : low + size] if rank + suit in rest]
            if 0 < size - len(jokers) <= len(natural):
                cards = tuple(sorted(natural + jokers[: size - len(natural)]))
                found.append(Play("run", low, low + size - 1, cards, suit))
    if kind == "group" and 0 < size <= len(jokers):
        found.append(Play("group", ABOVE_TWO, ABOVE_TWO, tuple(jokers[:size])))
    return rng.choice(found) if found else None
