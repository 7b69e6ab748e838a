"""Programs of `torch.export`, by torch-mlir's importer of them and its way through the torch dialect to StableHLO."""

from __future__ import annotations

import importlib
import io
import operator
import re
import warnings
import zipfile
from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np

from ...bindings.handover import value_in_child
from ...bindings.torch_dialect import torch_module
from ...errors import InputError, ProviderError
from .original import Check, Node, Original
from .torch_decompositions import decompositions
from .torch_lowering import BACKEND, NOT_EXPRESSED, lower

_FRAME = re.compile(r'File "([^"]+)", line (\d+)')
_CONTRACT = "torchdynamo-export-to-torch-backend-pipeline{extra-library=}"
_REJECTIONS = (InputError, NotImplementedError, RuntimeError, ValueError, AssertionError, TypeError)


def is_exported_program(source: Any) -> bool:
    """Whether this is a `torch.export.ExportedProgram`, without importing torch."""
    return type(source).__module__ == "torch.export.exported_program" and type(source).__name__ == "ExportedProgram"


def saved(program: Any) -> bytes:
    """Return the file of an `ExportedProgram`. Raises `InputError` where torch cannot write it."""
    torch = importlib.import_module("torch")
    file = io.BytesIO()
    try:
        torch.export.save(program, file)
    except (NotImplementedError, RuntimeError, ValueError, TypeError) as error:
        raise InputError(
            f"torch.export cannot save the program, which it has to be for its import: {error}",
            notes=["a module that returns tuples, lists and dictionaries of tensors can be saved"],
        ) from None
    return file.getvalue()


def torch_export_to_text(data: bytes, check: Check | None = None) -> tuple[bytes, str]:
    """Import what `torch.export.save` wrote.

    Parameters are constants in the program. Its function, `main`, takes and returns the flat lists of tensors; new
    values of the module's state are not among them.

    Returns:
        The StableHLO program as MLIR text, and what the check says.

    Raises:
        InputError: The file is damaged, a node cannot be expressed in StableHLO, or the check fails.
        ProviderError: The packages that read it are missing.
    """
    return value_in_child(partial(_convert, check), data, "torch-mlir")  # which may crash on it


def _convert(check: Check | None, data: bytes) -> tuple[bytes, str]:
    try:
        torch = importlib.import_module("torch")
    except ImportError as error:
        message = "programs of torch.export are read by torch and torch-mlir: pip install 'stablehlo-py[pytorch]'"
        raise ProviderError(message, notes=[str(error)]) from None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # torch warns of its own code
        try:
            program = torch.export.load(io.BytesIO(data))
        except (RuntimeError, ValueError, KeyError, OSError, AssertionError, zipfile.BadZipFile) as error:
            raise InputError(f"cannot be read as a program of torch.export: {error}") from None
        decomposed = _decomposed(program)
        try:
            imported = _lowered(decomposed, _returned(decomposed))
        except InputError as error:
            refused = _first_refused(_decomposed(program))
            raise error if refused is None else refused from None
        given = program.example_inputs
        leaves = importlib.import_module("torch.utils._pytree").tree_leaves(given)
        examples = [] if given is None else [[leaf for leaf in leaves if isinstance(leaf, torch.Tensor)]]
        result = partial(_run, program, _returned(program))
        doubt = check(imported, Original("torch", result, partial(_expanded, program), examples)) if check else ""
    specs = decomposed.graph_signature.output_specs
    lost = ", ".join(spec.target for spec in specs if spec.kind.name.endswith("_MUTATION"))
    return imported, "; ".join(filter(None, (lost and f"it returns no new values of {lost}", doubt)))


def _expanded(exported: Any) -> tuple[bytes, Original, list[Node]]:
    """Return a program that returns all nodes of the decomposed one, and these."""
    kept, imported = _decomposed(exported), _decomposed(exported)
    nodes = _computed(kept)
    original = Original("torch", partial(_run, kept, nodes), partial(_expanded, exported))
    return _lowered(imported, _computed(imported)), original, list(map(_described, nodes))


def _first_refused(program: Any) -> InputError | None:
    """Return the error about the first node that cannot be lowered; None where each can by itself."""
    tried = set[Any]()
    for node in program.graph.nodes:
        key = node.target, *[str(operand.meta.get("val")) for operand in node.all_input_nodes]
        if node.op != "call_function" or node.target is operator.getitem or key in tried:
            continue
        tried.add(key)
        try:
            lower(torch_module("fx").stateless_fx_import(_alone(node)), _CONTRACT, BACKEND)
        except _REJECTIONS as error:
            found, reason = _described(node), str(error).rpartition(f"{NOT_EXPRESSED}: ")[2]
            return InputError(f"node '{found.name}' {NOT_EXPRESSED}", location=found.location, notes=[reason])
    return None


def _decomposed(program: Any) -> Any:
    try:
        return program.run_decompositions(decompositions())
    except _REJECTIONS as error:
        raise InputError(f"cannot be decomposed by torch.export: {error}") from None


def _lowered(program: Any, nodes: list[Any]) -> bytes:
    """Return the text of a program that returns these nodes; the importer takes it to pieces."""
    next(iter(reversed(program.graph.nodes))).args = (tuple(nodes),)
    program.state_dict.update(
        {name: value for name, value in program.constants.items() if name not in program.state_dict}
    )
    try:
        module = torch_module("fx").export_and_import(program, func_name="main", decomposition_table={})
    except _REJECTIONS as error:
        raise InputError(f"cannot be imported from torch.export: {error}") from None
    return lower(module, _CONTRACT, BACKEND)


# Nodes, and their values as torch computes them -----------------------------------------------------------------------


def _described(node: Any) -> Node:
    """Return what a message says of a node."""
    frames = _FRAME.findall(node.meta.get("stack_trace") or "")
    return Node(f"{node.name} ({node.target})", ":".join([*frames[-1], "1"]) if frames else "")


def _computed(program: Any) -> list[Any]:
    """Return the nodes of an `ExportedProgram` that compute a tensor, in order."""
    tensor = importlib.import_module("torch").Tensor
    return [node for node in program.graph.nodes
            if node.op == "call_function" and isinstance(node.meta.get("val"), tensor)]  # fmt: skip


def _returned(program: Any) -> list[Any]:
    """Return the nodes that an `ExportedProgram` returns to its user, without the new values of its state."""
    values, node_type = next(iter(reversed(program.graph.nodes))).args[0], importlib.import_module("torch.fx").Node
    kinds = [spec.kind.name for spec in program.graph_signature.output_specs]
    return [value for value, kind in zip(values, kinds, strict=True)
            if kind == "USER_OUTPUT" and isinstance(value, node_type)]  # fmt: skip


def _run(program: Any, nodes: Sequence[Any], arguments: Sequence[Any], seed: int) -> list[Any]:
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


def _alone(node: Any) -> Any:
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
