"""Ops expressed by other ops: what decompositions are written with, the built-in ones, and the pass."""
