"""Ops expressed by other ops: the language of decompositions, the built-in ones, and the pass."""
