"""The verbs for Euchre: what hands are worth, which call is best, who wins matches, what a rule changes."""
