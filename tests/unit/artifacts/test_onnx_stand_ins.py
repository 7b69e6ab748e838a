"""The importer of ONNX models with small objects in place of the packages that it calls: what is asked of them."""

from __future__ import annotations

import sys
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from numpy_torch import module_of

from stablehlo_py.artifacts.formats import onnx
from stablehlo_py.errors import InputError
from stablehlo_py.isolation import policy


class Repeated(list[Any]):
    """A repeated field of a protobuf."""


class Model:
    """A model of ONNX: `x` and a constant are added, and the sum is negated, into a sequence."""

    def __init__(self) -> None:
        self.graph = SimpleNamespace(name="", node=[], output=Repeated(), input=[], initializer=[], value_info=[])

    def CopyFrom(self, other: Model) -> None:  # noqa: N802 (protobuf's name)
        self.graph = SimpleNamespace(**{key: type(value)(value) for key, value in vars(other.graph).items()})


def value(name: str, kind: str = "tensor_type") -> SimpleNamespace:
    return SimpleNamespace(name=name, type=SimpleNamespace(HasField=lambda field: field == kind))


def onnx_model() -> Model:
    model = Model()
    model.graph.node = [
        SimpleNamespace(name="", op_type="Add", output=["sum", "unknown"]),
        SimpleNamespace(name="mine", op_type="Neg", output=["y"]),
        SimpleNamespace(name="", op_type="Pack", output=["packed"]),
    ]
    model.graph.input = [value("x"), value("bias"), value("w")]
    model.graph.initializer = [SimpleNamespace(name="bias")]
    model.graph.value_info = [value("packed", "sequence_type")]
    model.graph.output = Repeated([value("y")])
    return model


class DecodeError(Exception):
    """An error of protobuf."""


class InferenceError(Exception):
    """An error of shape inference."""


class OnnxImportError(Exception):
    """An error of torch-mlir's importer."""


@pytest.fixture(name="onnx_package")
def _onnx_package(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """Replies of the packages: what a name is, or an error that it raises."""
    seen: dict[str, Any] = {"runs": [], "lowered": []}

    def reply(name: str, otherwise: Any) -> Any:
        if isinstance(seen.get(name), Exception):
            raise seen[name]
        return otherwise

    class Evaluator:
        def __init__(self, model: Any) -> None:
            self.model = model

        def run(self, names: Any, arguments: dict[str, Any]) -> list[Any]:
            seen["runs"].append((names, arguments, [each.name for each in self.model.graph.value_info]))
            return [arguments, np.random.rand()]

    class Info:
        def __init__(self, model: Any) -> None:
            self.main_graph = model.graph

        def create_module(self, context: Any) -> Any:
            return reply("create", SimpleNamespace(operation=context))

    def define(graph: Any, operation: Any) -> Any:
        assert (graph.name, operation) == ("main", "context")
        names = [each.name for each in graph.output]
        return SimpleNamespace(import_all=lambda: seen["lowered"].append(names))

    def inferred(model: Model) -> Model:
        """A copy that knows the type of the sum, too."""
        found = Model()
        found.CopyFrom(model)
        found.graph.value_info.append(value("sum"))
        return found

    inference = SimpleNamespace(
        infer_shapes=lambda model, data_prop=False: reply("infer", inferred(model)) if data_prop else None,
        InferenceError=InferenceError,
    )
    importer = SimpleNamespace(
        ModelInfo=Info, NodeImporter=SimpleNamespace(define_function=define), OnnxImportError=OnnxImportError
    )
    package = module_of(
        "onnx",
        load_model_from_string=lambda data: reply("load", onnx_model() if data == b"model" else None),
        shape_inference=inference,
    )
    modules = {
        "onnx": package,
        "onnx.reference": module_of("onnx.reference", ReferenceEvaluator=Evaluator),
        "google": module_of("google"),
        "google.protobuf": module_of("google.protobuf"),
        "google.protobuf.message": module_of("google.protobuf.message", DecodeError=DecodeError),
    }
    for name, module in modules.items():
        monkeypatch.setitem(sys.modules, name, module)
    monkeypatch.setattr(policy, "_expendable", True)
    monkeypatch.setattr(onnx, "torch_module", {"extras.onnx_importer": importer}.__getitem__)
    monkeypatch.setattr(onnx, "torch_context", lambda: "context")
    monkeypatch.setattr(onnx, "lower", lambda module, *pipelines: f"{module.operation} {len(pipelines)}".encode())
    return seen


def test_models_are_imported_as_main(onnx_package: dict[str, Any]) -> None:
    assert onnx.onnx_to_text(b"model") == (b"context 3", "")
    assert onnx_package["lowered"] == [["y"]]


def test_models_are_checked_against_the_reference_of_their_package(onnx_package: dict[str, Any]) -> None:
    seen: list[Any] = []

    def check(imported: bytes, original: Any) -> str:
        seen.append((imported, original))
        return "the check's doubt"

    assert onnx.onnx_to_text(b"model", check) == (b"context 3", "the check's doubt")
    ((imported, original),) = seen
    assert (imported, original.framework) == (b"context 3", "onnx.reference")
    first, second, other = original.run([1, 2], 7), original.run([1, 2], 7), original.run([1, 2], 8)
    assert first[0] == {"x": 1, "w": 2}  # the bias is the model's own
    assert first == second != other
    assert onnx_package["runs"][0] == (None, {"x": 1, "w": 2}, ["packed"])  # the model as it came
    text, inner, nodes = original.expanded()
    assert text == b"context 3"
    assert [node.name for node in nodes] == ["Add_0 (Add)", "mine (Neg)"]
    assert onnx_package["lowered"][-1] == ["sum", "y"]
    assert inner.framework == "onnx.reference"
    assert inner.run([1, 2], 7) == first


@pytest.mark.parametrize(
    ("step", "error", "said"),
    [
        ("load", DecodeError("no"), "cannot be read as ONNX: no"),
        ("infer", InferenceError("no"), "cannot be imported from ONNX: no"),
        ("infer", ValueError("no"), "cannot be imported from ONNX: no"),
        ("create", OnnxImportError("no"), "cannot be imported from ONNX: no"),
        ("create", OnnxImportError(), "cannot be imported from ONNX: OnnxImportError"),
        ("create", ValueError("no"), "cannot be imported from ONNX: no"),
        ("create", KeyError("no"), "cannot be imported from ONNX: 'no'"),
    ],
)
def test_models_that_are_refused_say_why(step: str, error: Exception, said: str, onnx_package: dict[str, Any]) -> None:
    onnx_package[step] = error
    with pytest.raises(InputError) as raised:
        onnx.onnx_to_text(b"model")
    assert raised.value.message == said
