"""Passes that mirror upstream's test passes, and dialect facts that the bindings lack."""
