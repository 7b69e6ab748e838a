"""The conformance kit: the programs that every StableHLO backend is measured with.

`cases` makes programs, each with the results that the spec allows. `oracle` computes these from formulas that share no
code with the interpreter. `generate` draws random values, shapes and texts, `fuzz` whole programs. `score` runs the
cases in an engine and counts.
"""
