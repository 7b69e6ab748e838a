"""A snapshot of a program in Python; patterns work on it in a fraction of the time.

Asking the bindings for an operand, its owner or its type takes a microsecond or more each, and patterns ask for little
else. A snapshot asks once (`program`). Its ops, values and blocks (`parts`) are what patterns are written against. It
keeps the changes of patterns to itself until they are done: most ops that rewrites create are erased again by then. Ops
that no pattern touched stay the ops that they were.
"""
