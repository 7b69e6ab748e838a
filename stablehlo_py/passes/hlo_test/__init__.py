"""Passes that mirror upstream's test passes, and what the dialects tell them that the bindings do not."""
