"""Applies calculations to programs: refines types, writes calculations out, inserts guards, reports."""
