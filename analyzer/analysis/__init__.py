"""The verbs: solve, advise, simulate. Each answers a question about any scorecard game."""
