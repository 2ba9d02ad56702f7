"""Hands and matches as the referee plays them, in its words, but with the kernels at work."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from analyzer.cards.notation import SUITS, cards_text, parse_card, parse_cards
from analyzer.games.euchre.hand import Hand
from analyzer.games.euchre.hands import next_dealer, score_hand
from analyzer.games.euchre.layout import DISCARD, GAMES, IN_TRICK, LED, LONE, MAKER, SCORE, SEAT, TRUMP, WON
from analyzer.games.euchre.lowering import lower
from analyzer.games.euchre.relabel import physical
from analyzer.games.euchre.rules import Euchre
from tests.games.euchre_referee import Choose, Deal, Decision, Match, Played, parties_of

STAGES = {
    "naming": "blind",
    "first round": "first",
    "second round": "second",
    "turn-up": "turn_up",
    "discard": "discard",
    "alone": "alone",
    "exchange": "exchange",
    "play": "play",
}
"""The stages in the words of the referee."""


def start(rules: Euchre, deal: Deal, dealer: int) -> Hand:
    """A hand of given cards."""
    hands, turn_up = deal
    return Hand.start(rules, [parse_cards(" ".join(cards)) for cards in hands], parse_card(turn_up), dealer)


def arranged(cards: int, before: Iterable[str]) -> list[str]:
    """The cards of a set in the order they had before, new ones at the end."""
    names = cards_text(cards).split()
    known = [card for card in before if card in names]
    return known + [card for card in names if card not in known]


def next_decision(hand: Hand, held: list[list[str]]) -> Decision:
    """What is asked now; the cards held are brought up to date."""
    for seat, before in enumerate(held):
        held[seat] = arranged(hand.held(seat), before)
    cards = held[hand.seat] if hand.stage != "naming" else []
    legal = hand.legal
    if hand.stage in {"discard", "exchange", "play"}:
        legal = tuple(card for card in cards if card in legal)
        assert len(legal) == len(hand.legal)
    if hand.stage == "turn-up":
        legal = legal[::-1]
    return Decision(hand.seat, STAGES[hand.stage], tuple(cards), legal)


def play_out(hand: Hand, deal: Deal, choose: Choose) -> Played:
    """Play a hand that has started to its end."""
    held = [list(cards) for cards in deal[0]]
    played = Played(hands=[list(cards) for cards in held])
    trick: list[str] = []
    leader = -1
    while not hand.over:
        decision = next_decision(hand, held)
        if not played.tricks and not trick:
            played.hands = [list(cards) for cards in held]
        answer = choose(decision)
        if answer not in decision.legal:
            raise ValueError(f"{answer!r} is not among {decision.legal}")
        played.log.append((decision, answer))
        hand.choose(answer)
        if decision.stage == "play":
            leader = leader if trick else decision.seat
            trick.append(answer)
            if hand.seen[IN_TRICK] == 0:
                played.tricks.append((leader, trick, int(hand.seen[SEAT])))
                trick = []
    trump, discard = int(hand.seen[TRUMP]), int(hand.hidden[DISCARD])
    played.trump = SUITS[trump] if trump >= 0 else ""
    played.maker = int(hand.seen[MAKER])
    played.lone = {seat for seat in range(4) if hand.seen[LONE] >> seat & 1}
    played.discard = cards_text(int(physical(discard, trump))) if discard else ""
    played.points = hand.points
    return played


def play_hand(rules: Euchre, deal: Deal, dealer: int, choose: Choose) -> Played:
    """Play one hand; its trump is empty if all passed."""
    return play_out(start(rules, deal, dealer), deal, choose)


def play_match(
    rules: Euchre, deals: Iterable[Deal], dealer: int, choose: Choose, scores: Sequence[int] = (0, 0)
) -> Match:
    """Play hands until a match is over, or the deals are."""
    parties = parties_of(rules)
    match = Match(list(scores), [0] * parties)
    counts = start(rules, next(iter(deals)), dealer).seen
    counts[SCORE : SCORE + parties] = scores
    for deal in deals:
        hand = start(rules, deal, dealer)
        hand.seen[SCORE:LED] = counts[SCORE:LED]
        match.dealers.append(dealer)
        match.hands.append(play_out(hand, deal, choose))
        goes_on = score_hand(lower(rules), hand.seen)
        won = hand.seen[WON : WON + parties].tolist()
        if hand.seen[GAMES] > counts[GAMES]:
            match.winners.append([party for party in range(parties) if won[party] > match.won[party]])
        match.won, match.scores = won, hand.seen[SCORE : SCORE + parties].tolist()
        counts, dealer = hand.seen, int(next_dealer(lower(rules), hand.seen))
        if not goes_on:
            break
    return match
