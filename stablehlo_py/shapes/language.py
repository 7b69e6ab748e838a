"""The words a library function is written with: its parameter types, its records, and the codes of element types.

A library function is a Python function in a subset that `compilation` turns into MLIR; the same function runs as
Python. The subset: `int`, `bool`, `list[int]`, `list[list[int]]`, `str` (as its characters), `T | None` for these,
tuples as results, the records below as parameters; assignment, `if`, `for` over `range(…)`, a list or `enumerate(…)`,
`while`, `return` anywhere, `assert condition, f"message {number}"`, `append`, indexing, slicing, `len`, `min`, `max`,
`sum`, `+`, `-`, `*`, `//`, `%`, comparisons, `and`, `or`, `not`, `in`, `is None`, conditional expressions,
comprehensions of lists with one `for`, module constants, and calls of other library functions (no recursion). An
index that is not written as a literal must not be negative."""

from __future__ import annotations

from ..bindings.dimension_numbers import (
    ConvDimensionNumbers,
    DotDimensionNumbers,
    GatherDimensionNumbers,
    RaggedDotDimensionNumbers,
    ScatterDimensionNumbers,
)

Shape = list[int]  # the dimension sizes of a tensor; a token and a scalar have none
DType = int  # the code of an element type, see `element_types`
Value = int  # the element of an integer tensor of rank 0 that is an operand
Values = list[int]  # the elements of an integer tensor of rank 1 that is an operand
PairValues = list[list[int]]  # the rows of an integer tensor of rank 2 that is an operand
Attribute = object  # an attribute that no library function needs; it must not be used

# An unknown dimension size, in declared result types and in the results of a library function. Operands never
# have it: their unknown dimension sizes are symbols.
DYNAMIC = -1


RECORDS = {
    record.__name__: record
    for record in (
        DotDimensionNumbers,
        RaggedDotDimensionNumbers,
        ConvDimensionNumbers,
        GatherDimensionNumbers,
        ScatterDimensionNumbers,
    )
}
