"""A copy of a program in Python, on which patterns work at a fraction of the time.

Asking the bindings for an operand, its owner or its type takes a microsecond or more each, and patterns ask for little
else. A mirror asks once (`program`), its parts answer what those of the bindings do (`parts`), and it keeps what
patterns change to itself until the round ends (`driver`): most ops that rewrites create are gone again by then.
"""
