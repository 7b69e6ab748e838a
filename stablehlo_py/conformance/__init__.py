"""The conformance kit: the programs that every StableHLO backend is measured with.

`families` makes cases, each with the results that the spec allows, from formulas that share no code with the reference
interpreter (`exact`). `measurement` runs them in an engine and scores them.
"""
