"""Cards: decks as bit masks, deals as addressed random draws, and how cards are written."""
