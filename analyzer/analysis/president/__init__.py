"""The verbs of President: simulate, match, advise, compare, and what options are worth."""
