"""Euchre: its rules as data, and hands relabelled by trump for play in kernels."""
