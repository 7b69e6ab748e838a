"""ONNX models, by torch-mlir's importer and its way through the torch dialect to StableHLO."""

from __future__ import annotations

import importlib
from typing import Any

from ..bindings.handover import bytes_in_child
from ..bindings.torch_dialect import torch_context, torch_module
from ..errors import InputError, ProviderError
from .torch_lowering import BACKEND, lower

_PIPELINES = (
    "func.func(convert-torch-onnx-to-torch)",
    "torch-lower-to-backend-contract{backend-legal-ops= extra-library=}",
    BACKEND,
)


def is_model_object(source: Any) -> bool:
    """Whether this is an `onnx.ModelProto`, without importing onnx."""
    return type(source).__module__.startswith("onnx") and type(source).__name__ == "ModelProto"


def onnx_to_text(data: bytes) -> bytes:
    """The StableHLO program, as MLIR text, of a serialized ONNX model; its function is `main`.

    Raises:
        InputError: The model is damaged, or a node cannot be expressed in StableHLO, with the node's name.
        ProviderError: The packages that read it are missing.
    """
    return bytes_in_child(_convert, data, "torch-mlir")  # which may crash on it


def _convert(data: bytes) -> bytes:
    try:
        onnx, protobuf = (importlib.import_module(name) for name in ("onnx", "google.protobuf.message"))
    except ImportError as error:
        message = "ONNX is read by the packages onnx and torch-mlir: pip install 'stablehlo-py[onnx]'"
        raise ProviderError(message, notes=[str(error)]) from None
    importer = torch_module("extras.onnx_importer")
    try:
        model = onnx.shape_inference.infer_shapes(onnx.load_model_from_string(data), data_prop=True)
        model.graph.name = "main"
        for number, node in enumerate(model.graph.node):
            node.name = node.name or f"{node.op_type}_{number}"  # what errors and locations call it
        info = importer.ModelInfo(model)
        module = info.create_module(context=torch_context())
        importer.NodeImporter.define_function(info.main_graph, module.operation).import_all()
    except protobuf.DecodeError as error:
        raise InputError(f"cannot be read as ONNX: {error}") from None
    except (importer.OnnxImportError, onnx.shape_inference.InferenceError, ValueError, KeyError) as error:
        raise InputError(f"cannot be imported from ONNX: {str(error) or type(error).__name__}") from None
    return lower(module, *_PIPELINES)
