"""Passes written in Python, and the catalogue of all passes."""
