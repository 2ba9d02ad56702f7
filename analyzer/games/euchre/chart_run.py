"""Computing a bidding chart of Euchre: best responses, iterated over many deals, and kept on disk on the way."""

from __future__ import annotations

import hashlib
import json
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from analyzer.cards.deck import DECKS, cards_in
from analyzer.cards.notation import SUITS
from analyzer.engine.blocks import Block, plan
from analyzer.engine.executors import run_blocks
from analyzer.engine.progress import Progress, progress_bar
from analyzer.engine.store import load_arrays, save_arrays
from analyzer.engine.streams import STREAM_VERSION
from analyzer.engine.tallies import Tally
from analyzer.errors import PolicyError
from analyzer.games.euchre.chart import NAME_OF_POLICY, Chart, ChartSettings
from analyzer.games.euchre.chart_estimates import estimate_calls, estimate_discards, improved, slots_of_words
from analyzer.games.euchre.chart_index import chart_index, chart_rows
from analyzer.games.euchre.chart_policy import CONTEXTS, SIX
from analyzer.games.euchre.chart_search import SECOND_PASS, begin_chart, search_deals
from analyzer.games.euchre.layout import SEATS
from analyzer.games.euchre.lowering import lower
from analyzer.games.euchre.players import CHART, RULES, Players

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from numpy.typing import NDArray

    from analyzer.games.euchre.rules import Euchre

KIND = "euchre-chart"
"""Folder of the store."""
SEED = 0x6A09E667F3BCC908
"""Of the deals, so that no user's simulation plays the deals by which the chart was made; iterations are steps."""
BLOCK = 1 << 13
"""Deals that a thread plays out at a time."""
CHECKPOINT = 1 << 20
"""Deals after which tallies are stored."""
STABLE = 0.002
"""Share of changed decisions below which the chart is taken for stable."""
FORGETTING = 0.5
"""What tallies count for in the next iteration: they tell of an older chart, but without them noise would lead."""
_ID_VERSION = 1


@dataclass(eq=False)
class _Run:
    """How far a chart has come: the arrays are stored under these names."""

    words: NDArray[np.int64]
    options: NDArray[np.int64]
    calls: NDArray[np.int32]
    discards: NDArray[np.int32]
    kept_calls: NDArray[np.float32]
    kept_discards: NDArray[np.float32]
    iteration: int = 0
    done: int = 0
    """Deals of this iteration."""
    changes: list[float] = field(default_factory=list)


_ARRAYS = ("words", "options", "calls", "discards", "kept_calls", "kept_discards")
_ESTIMATES = ("words", "calls", "call_errors", "discards", "discard_errors", "reached")
_MEASURES = ("iteration", "done", "changes")


def compute_chart(
    rules: Euchre,
    settings: ChartSettings | None = None,
    *,
    workers: int | None = None,
    progress: Progress | bool = False,
    cache: bool = True,
) -> Chart:
    """Compute a chart, or go on where a run was stopped, or load it if it is finished.

    The first chart is that of the policy `rules`. In each iteration all seats bid by the chart; every option of every
    seat that comes to decide is played out (`chart_search`); estimates are made of the tallies and of half of those of
    the iteration before, and so on (`chart_estimates`); and the best choices by them are the next chart, except where
    they are not significantly better than what `rules` would do.

    Parameters
    ----------
    rules : Euchre
        For four players. The chart does not depend on how many points or games make a match.
    settings : ChartSettings, optional
    workers : int, optional
        Number of threads; by default one per processor. The result does not depend on it, nor on stops.
    progress : Progress or bool, optional
        True shows a bar on a terminal; an object is told of the deals that are done.
    cache : bool, optional
        Without it nothing is loaded and nothing kept.

    Raises
    ------
    PolicyError
        If two or three play.
    KeyboardInterrupt
        On Ctrl-C. What was stored before, at most some minutes ago, is gone on from the next time.

    Notes
    -----
    Memory for 24 cards is about 100 MB per thread and 300 MB besides, for 33 cards nine times that.

    Examples
    --------
    >>> from analyzer.games.euchre.rules import Euchre
    >>> chart = compute_chart(Euchre(), ChartSettings(deals=2000, iterations=1))
    >>> len(chart.words), chart.calls.shape
    (105798, (105798, 4, 10))
    """
    if rules.players != "4":
        raise PolicyError(f"{NAME_OF_POLICY} is for four players and {rules.players} play; choose another policy")
    rules = replace(rules, target=10, games=1, laps=False, slam=False)
    settings = settings or ChartSettings()
    key = _key(rules, settings)
    stored = load_arrays(key, KIND) if cache else None
    if stored is not None and stored[1].get("finished"):
        return Chart(rules, settings, changes=tuple(stored[1]["changes"]), **stored[0])
    legal, by_rules = _begin(rules)
    if stored is None:
        run = _fresh(rules, legal, by_rules)
    else:
        found: dict[str, Any] = stored[0] | stored[1]
        run = _Run(**{name: found[name] for name in (*_ARRAYS, *_MEASURES)})
    total = settings.deals * settings.iterations
    display: AbstractContextManager[Progress]
    if isinstance(progress, bool):
        display = progress_bar(f"computing a chart, {rules.deck} cards", total, enabled=progress)
    else:
        display = nullcontext(progress)
    with display as shown:
        shown.advance(run.iteration * settings.deals + run.done)
        while True:
            while run.done < settings.deals:
                _search(rules, settings, run, workers, shown)
                if cache:
                    meta = {name: getattr(run, name) for name in _MEASURES}
                    save_arrays(key, KIND, {name: getattr(run, name) for name in _ARRAYS}, meta)
            chart = _respond(rules, settings, run, legal, by_rules)
            if run.iteration == settings.iterations or run.changes[-1] < STABLE:
                break
    if cache:
        kept = {name: getattr(chart, name) for name in _ESTIMATES}
        save_arrays(key, KIND, kept, {"finished": True, "changes": run.changes})
    return chart


def _key(rules: Euchre, settings: ChartSettings) -> str:
    parts = [_ID_VERSION, STREAM_VERSION, rules.id, settings.deals, settings.iterations, SEED]
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:32]


def _begin(rules: Euchre) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Legal slots of each row and position, and the chart of the policy `rules`: (rows, 4) and (rows,) arrays."""
    suit = SUITS.index("s" if rules.joker_turn_up == "spades" else "h")  # a joker counts as the suit of all turn-ups
    rows = chart_rows(int(rules.deck), suit)
    legal, words = np.zeros((len(rows.hands), SEATS), np.int64), np.zeros(len(rows.hands), np.int64)
    players = _players(rules, words)
    begin_chart(lower(rules), players, rows.hands, rows.turn_ups, suit, words, legal)
    return legal, words


def _fresh(rules: Euchre, legal: NDArray[np.int64], by_rules: NDArray[np.int64]) -> _Run:
    rows = len(by_rules)
    calls = rows, SEATS, SECOND_PASS + 1 + 2 * (3 + rules.name_turned_down), 3
    discards = rows, CONTEXTS, SIX, 3
    return _Run(
        words=by_rules,
        options=legal,
        calls=np.zeros(calls, np.int32),
        discards=np.zeros(discards, np.int32),
        kept_calls=np.zeros(calls, np.float32),
        kept_discards=np.zeros(discards, np.float32),
    )


def _players(rules: Euchre, words: NDArray[np.int64]) -> Players:
    """Four seats that bid by a chart and play by `rules`."""
    one = np.zeros(SEATS, np.int64), np.array([CHART]), np.array([RULES])
    return Players(*one, chart_index=chart_index(int(rules.deck)), charts=words[None, :])


def _search(rules: Euchre, settings: ChartSettings, run: _Run, workers: int | None, progress: Progress) -> None:
    """Play out the deals up to the next checkpoint; each thread has tallies of its own, added up at the end."""
    lowered, players, deck = lower(rules), _players(rules, run.words), cards_in(DECKS[int(rules.deck)])
    idle: list[tuple[NDArray[np.int32], NDArray[np.int32]]] = [(run.calls, run.discards)]

    def search(block: Block) -> Tally:
        try:
            calls, discards = idle.pop()
        except IndexError:
            calls, discards = np.zeros_like(run.calls), np.zeros_like(run.discards)
        start = run.done + block.start
        search_deals(
            lowered, players, deck, np.uint64(SEED), run.iteration, start, block.size, run.options, calls, discards
        )
        idle.append((calls, discards))
        return Tally({"deals": block.size})

    count = min(CHECKPOINT, settings.deals - run.done)
    run_blocks(plan(count, BLOCK), search, workers=workers, progress=progress)
    (run.calls, run.discards), *others = idle
    for calls, discards in others:
        run.calls += calls
        run.discards += discards
    run.done += count


def _respond(
    rules: Euchre, settings: ChartSettings, run: _Run, legal: NDArray[np.int64], by_rules: NDArray[np.int64]
) -> Chart:
    """Make the next chart of what was played out, and start the next iteration."""
    deck = int(rules.deck)
    run.kept_calls = np.float32(FORGETTING) * run.kept_calls + run.calls
    run.kept_discards = np.float32(FORGETTING) * run.kept_discards + run.discards
    calls = estimate_calls(deck, run.kept_calls)
    discards = estimate_discards(deck, run.kept_discards, rules.discard_turn_up == "allowed")
    words, run.options = improved(by_rules, legal, calls, discards)
    slots = calls[0].shape[2]
    reached = np.stack(
        [run.kept_calls[:, :, of, 0].max(axis=2) for of in (slice(SECOND_PASS), slice(SECOND_PASS, slots))], axis=2
    )
    changed = slots_of_words(words, slots) != slots_of_words(run.words, slots)
    run.changes.append(float((changed * reached).sum(dtype=np.float64) / reached.sum(dtype=np.float64)))
    run.words = words
    run.calls, run.discards = np.zeros_like(run.calls), np.zeros_like(run.discards)
    run.iteration, run.done = run.iteration + 1, 0
    return Chart(rules, settings, words, *calls, *discards, reached, tuple(run.changes))
