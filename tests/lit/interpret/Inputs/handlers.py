"""Handlers of custom calls for custom_call_handlers.mlir."""

from stablehlo_py import custom_call_handler


@custom_call_handler("my.swapped")
def swapped(call, first, second):
    """Return both operands, in opposite order."""
    return second, first
