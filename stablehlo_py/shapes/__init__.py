"""The abstract interpretation library: what every op does to shapes and element types, as Python functions.

Authors write with `language`, `element_types` and `registry`; `functions` has the built-in library functions, and
`library` finds all. Below it `compilation` turns such a function into MLIR, `evaluation` runs it on integers that are
partly unknown, and `refinement` applies it to programs. Imports go from `refinement` to `evaluation`, and from both to
these modules.
"""
