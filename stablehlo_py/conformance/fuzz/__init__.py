"""Random whole programs, valid by construction, run in several engines; different results are reduced and grouped."""
