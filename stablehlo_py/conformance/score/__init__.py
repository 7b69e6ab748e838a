"""Measures backends with the conformance kit: runs, scores, reports."""
