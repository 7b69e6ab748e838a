"""Turns the Python source of a library function into MLIR text; what writes the text is exchangeable."""
