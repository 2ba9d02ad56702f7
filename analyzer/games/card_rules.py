"""What the rules of every card game have beside their options: a name, a title, an id and the text of a rules file."""

from __future__ import annotations

import hashlib
import json
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar

from analyzer.fields import check_name, check_text
from analyzer.games.options import Setting, changed_title, check_options, settings_in_force
from analyzer.toml_text import entries

_ID_VERSION = 1


@dataclass(frozen=True, kw_only=True)
class CardRules(ABC):
    """The rules of a card game, which are its options.

    A game is a subclass: a frozen dataclass with a field per option, `game_title`, `scores_title` and a default for
    `name`.

    Parameters
    ----------
    name
        The name for look-ups; that of the game, unless a rules file gives another.
    given_title
        The name for people if it is not to be that of the game with the options that are changed.

    Raises
    ------
    RulesError
        If an option has a value that is not allowed, or the name or the title is none.

    Examples
    --------
    >>> from analyzer.games.euchre.rules import Euchre
    >>> Euchre(target=5).title, Euchre(target=5, given_title="Short Euchre").title
    ('Euchre (target = 5)', 'Short Euchre')
    """

    game_title: ClassVar[str]
    scores_title: ClassVar[str]
    """What the table of `score_table` says."""

    name: str = ""
    given_title: str = ""

    def __post_init__(self) -> None:
        check_name("name", self.name, type(self).name)
        if self.given_title != "":
            check_text("title", self.given_title, self.name)
        check_options(self, self.name)

    @property
    def title(self) -> str:
        """The name for people."""
        return self.given_title or changed_title(self.game_title, self.settings)

    @property
    def settings(self) -> tuple[Setting, ...]:
        """The options with their values in force."""
        return settings_in_force(self)

    @property
    @abstractmethod
    def played_with(self) -> str:
        """What the game is played with, such as ``24 cards``."""

    @property
    @abstractmethod
    def text(self) -> str:
        """What the rules say beside the options, a line of text for each thing."""

    @abstractmethod
    def score_table(self) -> list[dict[str, int]]:
        """Return what a hand is worth, as rows of a table."""

    @property
    def id(self) -> str:
        """The stable id of the rules: 16 hexadecimal digits that depend on the options that are not the default.

        The name and the title do not matter.
        """
        changed = {one.option.name: one.value for one in self.settings if one.changed}
        text = json.dumps([_ID_VERSION, type(self).name, changed], sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(text.encode()).hexdigest()[:16]

    def to_toml(self) -> str:
        """Return the rules as the text of a rules file, with comments on what each option decides.

        Examples
        --------
        >>> from analyzer.games.euchre.rules import Euchre
        >>> Euchre().to_toml().splitlines()[2:5]
        ['base = "euchre"', '', '[options]']
        """
        named = [("base", type(self).name, "")]
        named += [("name", self.name, "a-z, 0-9 and _")] * (self.name != type(self).name)
        named += [("title", self.given_title, "the name as people read it")] * bool(self.given_title)
        options = [(one.option.name, one.value, f"{one.option.meaning} {one.option.allowed}") for one in self.settings]
        head = f"# Rules of {self.game_title}. All text after a # is a comment.\n\n"
        return f"{head}{entries(named)}\n[options]\n{entries(options)}"
