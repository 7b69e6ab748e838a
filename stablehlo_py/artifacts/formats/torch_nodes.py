"""The nodes of programs of `torch.export`, and their values as torch computes them."""

from __future__ import annotations

import importlib
import operator
import re
from collections.abc import Sequence
from typing import Any

import numpy as np

from .original import Node

_FRAME = re.compile(r'File "([^"]+)", line (\d+)')


def described(node: Any) -> Node:
    """Return what a message says of a node."""
    frames = _FRAME.findall(node.meta.get("stack_trace") or "")
    return Node(f"{node.name} ({node.target})", ":".join([*frames[-1], "1"]) if frames else "")


def computed(program: Any) -> list[Any]:
    """Return the nodes of an `ExportedProgram` that compute a tensor, in order."""
    tensor = importlib.import_module("torch").Tensor
    return [node for node in program.graph.nodes
            if node.op == "call_function" and isinstance(node.meta.get("val"), tensor)]  # fmt: skip


def returned(program: Any) -> list[Any]:
    """Return the nodes that an `ExportedProgram` returns to its user, without the new values of its state."""
    values, node_type = next(iter(reversed(program.graph.nodes))).args[0], importlib.import_module("torch.fx").Node
    kinds = [spec.kind.name for spec in program.graph_signature.output_specs]
    return [value for value, kind in zip(values, kinds, strict=True)
            if kind == "USER_OUTPUT" and isinstance(value, node_type)]  # fmt: skip


def run(program: Any, nodes: Sequence[Any], arguments: Sequence[Any], seed: int) -> list[Any]:
    """Return the values of nodes of an `ExportedProgram`; its changes of state are lost."""
    torch, rest = importlib.import_module("torch"), iter(arguments)
    state, values = {**program.constants, **program.state_dict}, list[Any]()
    for spec in program.graph_signature.input_specs:
        if spec.target is not None:
            values.append(state[spec.target])
        else:
            values.append(spec.arg.value if hasattr(spec.arg, "value") else _tensor(next(rest), torch))
    torch.manual_seed(seed)
    with torch.no_grad():
        interpreter = torch.fx.Interpreter(program.graph_module, garbage_collect_values=False)
        interpreter.run(*[value.clone() if isinstance(value, torch.Tensor) else value for value in values])
    return [interpreter.env[node].resolve_conj().resolve_neg() for node in nodes]


def _tensor(value: Any, torch: Any) -> Any:
    if isinstance(value, torch.Tensor):
        return value
    array, dtype = np.ascontiguousarray(value), getattr(torch, value.dtype.name)
    flat = torch.frombuffer(bytearray(array.tobytes()), dtype=dtype) if array.size else torch.empty(0, dtype=dtype)
    return flat.reshape(value.shape)


def alone(node: Any) -> Any:
    """Return a module of one node, which takes its operands and returns its results."""
    fx = importlib.import_module("torch.fx")
    graph, copies = fx.Graph(), dict[Any, Any]()
    for operand in node.all_input_nodes:
        copies[operand] = graph.placeholder(operand.name)
        copies[operand].meta = operand.meta
    copies[node] = graph.node_copy(node, copies.__getitem__)
    parts = [graph.node_copy(user, copies.__getitem__) for user in node.users if user.target is operator.getitem]
    graph.output(tuple(parts) if parts else (copies[node],))
    return fx.GraphModule({}, graph)
