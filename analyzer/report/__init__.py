"""What people look at: tables, and charts that take an ``ax`` and return it.

The floor computes no game: it shows what results and advice hold as DataFrames. Charts load matplotlib, so
they are imported where they are drawn.
"""
