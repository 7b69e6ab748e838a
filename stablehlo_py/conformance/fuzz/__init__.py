"""Random whole programs, valid by construction, run in several engines; what differs is reduced and grouped."""
