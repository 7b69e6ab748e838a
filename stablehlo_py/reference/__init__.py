"""Deprecated: the former name of `stablehlo_py.interpreter`. It goes with the next release."""
