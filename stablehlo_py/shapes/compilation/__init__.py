"""Turns the Python source of a calculation into MLIR text; what writes the text is exchangeable."""
