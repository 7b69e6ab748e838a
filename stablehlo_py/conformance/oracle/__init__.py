"""Expected values from formulas that share no code with the interpreter: rational and decimal arithmetic of Python."""
