"""Runs compiled library functions on integers that are partly unknown, and reads their arguments from ops."""
