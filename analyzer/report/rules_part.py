"""The rules of a game on a page: in sentences, as options in force, and as a rules file."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pandas as pd

from analyzer.games.options import word

if TYPE_CHECKING:
    from collections.abc import Sequence

    from analyzer.dice.scorecard import ScorecardRules
    from analyzer.games.card_rules import CardRules
    from analyzer.games.options import Setting
    from analyzer.report.page import Part

__all__ = ["show_rules"]


def show_rules(
    part: Part, rules: ScorecardRules | CardRules, settings: Sequence[Setting], notes: Sequence[str]
) -> None:
    """Add the rules to a part of a page.

    Parameters
    ----------
    part : Part
    rules : ScorecardRules or CardRules
    settings, notes
        As for `analyzer.report.folder.write_report`.
    """
    part.items([line for line in (*rules.text.splitlines(), *notes) if line])
    if settings:
        frame = pd.DataFrame(
            {
                "option": [one.option.name for one in settings],
                "value": [word(one.value) for one in settings],
                "default": [word(one.option.default) for one in settings],
                "changed": ["changed" if one.changed else "default" for one in settings],
                "meaning": [one.option.meaning for one in settings],
            }
        )
        part.table(frame, "Options in force", columns={name: name.capitalize() for name in frame.columns})
    part.details("Rules file (TOML)").code(rules.to_toml().strip(), "Rules file")
