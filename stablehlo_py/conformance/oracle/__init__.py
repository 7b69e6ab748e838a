"""Expected values from formulas that share no code with the interpreter: Python's rational numbers, and mpmath."""
