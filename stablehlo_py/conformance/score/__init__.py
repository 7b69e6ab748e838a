"""Measures backends with the conformance kit, and the kit with mutants of the reference: runs, scores, reports."""
