"""Applies library functions to programs: refines types, writes library functions out, inserts guards, reports."""
