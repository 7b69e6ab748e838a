"""The cases, op by op: each family draws inputs and computes what the specification makes of them."""
