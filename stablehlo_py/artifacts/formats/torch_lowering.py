"""Shared by the importers of torch-mlir: from the torch dialect to StableHLO, away from this process."""

from __future__ import annotations

import re
from typing import Any

from ...bindings.locations import Name, first_position, location_in_text
from ...bindings.torch_dialect import torch_module
from ...errors import InputError

BACKEND = "torch-backend-to-stablehlo-backend-pipeline"
NOT_EXPRESSED = "cannot be expressed in StableHLO"
_LONGEST_REASON = 300


# torch-mlir leaves constants of arith, which no artifact can hold; of tensors they are written as StableHLO's are.
_ARITH_CONSTANT = re.compile(r"^( *%\w+ = )arith\.constant (dense(?:_resource)?<[^\n]* : tensor<)", re.MULTILINE)


def lower(module: Any, *pipelines: str) -> bytes:
    """Return the text of a module in the torch dialect after these pipelines, with the locations of its nodes.

    Raises `InputError` with the reason, and the name of the node that it is about.
    """
    torch_ir = torch_module("ir")
    for pipeline in pipelines:
        manager = torch_module("passmanager").PassManager.parse(f"builtin.module({pipeline})", context=module.context)
        try:
            manager.run(module.operation)
        except torch_ir.MLIRError as error:
            raise _error(error.error_diagnostics) from None
    text: str = module.operation.get_asm(enable_debug_info=True)
    return _ARITH_CONSTANT.sub(r"\1stablehlo.constant \2", text).encode()


def _error(diagnostics: list[Any]) -> InputError:
    """The first error of a pipeline of torch-mlir, on one line, with the node's name or the place of its code."""
    if not diagnostics:
        return InputError(f"{NOT_EXPRESSED}: torch-mlir gives no reason")
    first = diagnostics[0]
    parsed = location_in_text(str(first.location))
    node = f"node '{parsed.name}' " if isinstance(parsed, Name) else ""
    reason = " ".join(first.message.split())[:_LONGEST_REASON]
    return InputError(f"{node}{NOT_EXPRESSED}: {reason}", location=first_position(parsed))
