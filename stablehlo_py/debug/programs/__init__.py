"""Programs under examination: their arguments, and parts of them that run by themselves."""
