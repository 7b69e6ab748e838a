"""Everything that exists for speed alone. The interpreter gives the same results with this folder deleted.

`STABLEHLO_PY_FAST=0`, `interpret(..., fast=False)` and the engine `reference:definitions` leave it out. Each module
says at its head what it replaces, when it applies, and the benchmark rows that gain by it.
"""
