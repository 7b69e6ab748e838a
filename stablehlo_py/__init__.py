"""StableHLO toolchain in Python over the official dialects."""
