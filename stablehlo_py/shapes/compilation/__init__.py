"""Turns the Python source of a library function into MLIR text; the writer of the text is exchangeable."""
