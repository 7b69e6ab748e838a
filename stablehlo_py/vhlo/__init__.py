"""Portable artifacts: versions of StableHLO, their bytecode, and what a program needs."""
