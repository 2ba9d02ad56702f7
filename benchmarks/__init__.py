"""How fast the analyzer is, beside what else does the same job: ``python -m benchmarks.run``."""
