"""Programs in one context for all tests of a process, of which each would take milliseconds to make."""

from __future__ import annotations

from functools import cache

from stablehlo_py.bindings import ir, make_context

shared_context = cache(make_context)


def parsed(text: str | bytes) -> ir.Module:
    """The module of a text or of bytecode that needs no child process to be read in."""
    return ir.Module.parse(text, shared_context())
