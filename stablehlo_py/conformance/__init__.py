"""The conformance kit: what every StableHLO backend is measured with.

`families` makes cases, each with the results that the spec allows, from formulas that share no code with the reference
interpreter (`exact`). `run` runs them in an engine and scores them.
"""
