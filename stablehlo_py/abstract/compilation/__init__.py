"""Turns the Python source of a calculation into MLIR text, for the upstream dialects or for torch."""
