"""Rounds of President played through the kernels, with cards and plays written as the referee writes them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from analyzer.games.president.layout import CARDS, LOW, PILE, PLACE, REVERSED, RUN, TURN
from analyzer.games.president.lowering import lower
from analyzer.games.president.notation import cards_text, parse_cards, parse_play, play_text
from analyzer.games.president.round import Round, list_plays, take
from analyzer.games.president.rules import President
from tests.games.president_referee import PASS, Play


def packed(play: Play | None) -> int:
    """The number of a play."""
    if play is None:
        return 0
    return parse_cards(" ".join(play.cards)) | play.low << LOW | (play.kind == "run") << RUN


def unpacked(play: int) -> Play | None:
    """The play of a number."""
    if play == 0:
        return None
    cards = tuple(sorted(cards_text(play & CARDS).split()))
    low, run = play >> LOW & 15, bool(play >> RUN & 1)
    suit = next(card[1] for card in cards if card != "*") if run else ""
    return Play("run" if run else "group", low, low + len(cards) - 1 if run else low, cards, suit)


class ThroughKernel:
    """A round with the members of the referee's `Table`."""

    def __init__(
        self,
        rules: President,
        hands: Sequence[Sequence[str]],
        turn: int,
        pile: Play | None = None,
        last: int | None = None,
        passed: Iterable[int] = (),
        reversed: bool = False,  # noqa: A002
    ) -> None:
        top = play_text(packed(pile)) if pile else ""
        assert not pile or parse_play(top) == packed(pile)
        self.round = Round.start(
            rules,
            [" ".join(hand) for hand in hands],
            turn,
            pile=top,
            last=last,
            passed=tuple(passed),
            reversed_order=reversed,
        )

    @property
    def turn(self) -> int:
        return self.round.turn

    @property
    def pile(self) -> Play | None:
        return unpacked(int(self.round.seen[PILE]))

    @property
    def reversed(self) -> bool:
        return bool(self.round.seen[REVERSED])

    @property
    def over(self) -> bool:
        return self.round.over

    def legal(self) -> list[Play | None]:
        """In the order of the kernel, a pass at the end."""
        seen = self.round.seen
        plays = list_plays(lower(self.round.rules), self.round.hidden[seen[TURN]], seen[PILE], seen[REVERSED])
        assert len(set(plays.tolist())) == len(plays)
        assert not (plays[1:] == 0).any()
        return sorted((unpacked(play) for play in plays.tolist()), key=lambda play: play is PASS)

    def do(self, play: Play | None) -> None:
        if play not in self.legal():
            raise ValueError(f"{play!r} is not among what is legal")
        take(lower(self.round.rules), packed(play), self.round.hidden, self.round.seen)

    def places(self) -> list[int]:
        return self.round.seen[PLACE : PLACE + self.round.rules.players].tolist()
