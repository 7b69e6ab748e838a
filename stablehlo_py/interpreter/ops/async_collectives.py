"""JAX's asynchronous collectives: calls of `all-gather-start` and its kind stand for the ops in `STARTS`.

The attributes of the op are JSON in `async_collective_config`, one of the call's frontend attributes.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from ...bindings import ir
from ...bindings.attributes import string_of
from ...bindings.build import create
from ...bindings.diagnostics import file_location
from ...bindings.meshes import PADDING
from ...errors import InterpreterError
from ..custom_calls import CustomCall
from ..op import Kernel, Op
from .collectives import all_gather, all_reduce, all_to_all, collective_permute, reduce_scatter

STARTS: dict[str, tuple[str, Callable[[Op], Kernel]]] = {
    "all-gather-start": ("stablehlo.all_gather", all_gather),
    "all-reduce-start": ("stablehlo.all_reduce", all_reduce),
    "reduce-scatter-start": ("stablehlo.reduce_scatter", reduce_scatter),
    "all-to-all-start": ("stablehlo.all_to_all", all_to_all),
    "collective-permute-start": ("stablehlo.collective_permute", collective_permute),
}
"""The op that each call stands for, and its definition."""
_INTEGERS = {"all_gather_dimension": "all_gather_dim"} | {
    name: name for name in ("scatter_dimension", "split_dimension", "concat_dimension", "split_count")
}


def start(op: Op) -> Kernel:
    """The result of the collective that the call starts, complete when the call returns."""
    collective = collective_of(op.operation)
    bodies = [op.program.body(name) for name in CustomCall(op).called_computations]
    facts = tuple([facts for _, facts in bodies])
    definition = STARTS[op.string("call_target_name")][1]
    kernel = definition(Op(collective, collective.name, op.operand_types, op.result_types, facts, op.program))
    return lambda *operands: kernel(*[body for body, _ in bodies], *operands)


def collective_of(call: ir.Operation) -> ir.Operation:
    """Return the collective that a call starts: its name and attributes, without operands, results and regions.

    Raises:
        InterpreterError: The call has no configuration that can be read.
    """
    target = string_of(call.attributes["call_target_name"])
    with call.context, call.location:
        try:
            config = ir.DictAttr(call.attributes["mhlo.frontend_attributes"])["async_collective_config"]
            attributes = _attributes(json.loads(string_of(config)))
        except (KeyError, TypeError, ValueError, AttributeError, ir.MLIRError) as error:
            message = f"calls '{target}' with an async_collective_config that cannot be read"
            raise InterpreterError(message, op=call.name, location=file_location(call.location)) from error
        return create(STARTS[target][0], results=[], attributes=attributes)


def _attributes(config: dict[str, Any]) -> dict[str, ir.Attribute]:
    found = {name: f"{int(config[key])} : i64" for key, name in _INTEGERS.items() if key in config}
    for key, name in (("replica_groups", "replica_groups"), ("permutation", "source_target_pairs")):
        if key in config:
            width = max(map(len, config[key]), default=0)
            rows = [[*map(int, row), *[PADDING] * (width - len(row))] for row in config[key]]
            found[name] = f"dense<{rows if width else ''}> : tensor<{len(rows)}x{width}xi64>"
    if config.get("channel_id", 0) > 0:
        found["channel_handle"] = f"#stablehlo.channel_handle<handle = {int(config['channel_id'])}, type = 1>"
    if config.get("use_global_device_ids"):
        found["use_global_device_ids"] = "unit"
    return {name: ir.Attribute.parse(text) for name, text in found.items()}
