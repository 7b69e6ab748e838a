"""ONNX models, by torch-mlir's importer and its way through the torch dialect to StableHLO."""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np

from ...bindings.handover import value_in_child
from ...bindings.torch_dialect import torch_context, torch_module
from ...errors import InputError, ProviderError
from .original import Check, Node, Original
from .torch_lowering import BACKEND, lower

_PIPELINES = (
    "func.func(convert-torch-onnx-to-torch)",
    "torch-lower-to-backend-contract{backend-legal-ops= extra-library=}",
    BACKEND,
)


def is_model_object(source: Any) -> bool:
    """Whether this is an `onnx.ModelProto`, without importing onnx."""
    return type(source).__module__.startswith("onnx") and type(source).__name__ == "ModelProto"


def onnx_to_text(data: bytes, check: Check | None = None) -> tuple[bytes, str]:
    """Import a serialized ONNX model, as a program whose function is `main`.

    Returns:
        The StableHLO program as MLIR text, and what the check says.

    Raises:
        InputError: The model is damaged, a node cannot be expressed in StableHLO, with the node's name, or the check
            fails.
        ProviderError: The packages that read it are missing.
    """
    return value_in_child(partial(_convert, check), data, "torch-mlir")  # which may crash on it


def _convert(check: Check | None, data: bytes) -> tuple[bytes, str]:
    try:
        onnx, protobuf = (importlib.import_module(name) for name in ("onnx", "google.protobuf.message"))
    except ImportError as error:
        message = "ONNX is read by the packages onnx and torch-mlir: pip install 'stablehlo-py[onnx]'"
        raise ProviderError(message, notes=[str(error)]) from None
    try:
        model = onnx.load_model_from_string(data)
        inferred = onnx.shape_inference.infer_shapes(model, data_prop=True)
    except protobuf.DecodeError as error:
        raise InputError(f"cannot be read as ONNX: {error}") from None
    except (onnx.shape_inference.InferenceError, ValueError) as error:
        raise InputError(f"cannot be imported from ONNX: {error}") from None
    for number, node in enumerate(inferred.graph.node):
        node.name = node.name or f"{node.op_type}_{number}"  # what errors and locations call it
    imported = _lowered(inferred)
    return imported, check(imported, _original(model, inferred)) if check else ""


def _lowered(model: Any) -> bytes:
    importer = torch_module("extras.onnx_importer")
    model.graph.name = "main"
    try:
        info = importer.ModelInfo(model)
        module = info.create_module(context=torch_context())
        importer.NodeImporter.define_function(info.main_graph, module.operation).import_all()
    except (importer.OnnxImportError, ValueError, KeyError) as error:
        raise InputError(f"cannot be imported from ONNX: {str(error) or type(error).__name__}") from None
    return lower(module, *_PIPELINES)


def _original(model: Any, inferred: Any) -> Original:
    """The model as the reference evaluator of the onnx package runs it; `inferred` has the types of its values."""
    return Original("onnx.reference", partial(_run, model), partial(_expanded, inferred))


def _run(model: Any, arguments: Sequence[Any], seed: int) -> list[Any]:
    np.random.seed(seed)
    evaluator = importlib.import_module("onnx.reference").ReferenceEvaluator(model)
    constants = {tensor.name for tensor in model.graph.initializer}
    names = [value.name for value in model.graph.input if value.name not in constants]
    return list(evaluator.run(None, dict(zip(names, arguments, strict=True))))


def _expanded(inferred: Any) -> tuple[bytes, Original, list[Node]]:
    """Return the model that returns the value of each node whose type is known."""
    values = {value.name: value for value in (*inferred.graph.value_info, *inferred.graph.output)}
    named = [(name, node) for node in inferred.graph.node for name in node.output
             if name in values and values[name].type.HasField("tensor_type")]  # fmt: skip
    models = [type(inferred)(), type(inferred)()]
    for model in models:
        model.CopyFrom(inferred)
        del model.graph.output[:]
        model.graph.output.extend([values[name] for name, _ in named])
    nodes = [Node(f"{node.name} ({node.op_type})") for _, node in named]
    return _lowered(models[0]), _original(models[1], inferred), nodes
