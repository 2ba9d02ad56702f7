"""What numbers mean: estimates with their standard errors and intervals.

The floor knows no game and compiles nothing; it imports only `analyzer.errors`.
"""
