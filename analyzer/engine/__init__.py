"""How anything is run: random streams, blocks, tallies, threads, compiled kernels and the cache on disk.

The engine knows no game. Every floor above it may import from here; it imports only `analyzer.errors`.
"""
