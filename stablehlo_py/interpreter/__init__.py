"""The reference interpreter: evaluates StableHLO programs on numpy arrays, as the spec says."""
