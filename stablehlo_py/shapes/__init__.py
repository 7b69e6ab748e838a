"""The abstract interpretation library: what every op does to shapes and element types, as Python functions.

What an author writes with stands here (`language`, `element_types`, `registry`), beside the
`functions` of the built-in ops and the `library` that finds them. Below it `compilation` turns such a function into
MLIR, `evaluation` runs it on integers that are partly unknown, and `refinement` applies it to programs. Imports go
from `refinement` to `evaluation` and from both to what stands here.
"""
