"""The library of functions for torch ops in torch-mlir's form, and programs that are refined with it.

```python
@shape_function("torch.my.double")
def double(operand: Shape) -> Shape:
    return [2 * operand[0]] + operand[1:]
```
`torch_library_text` compiles them to an extra library of `torch-shape-refinement-pipeline`; `refine_torch` runs that
pipeline, and `torch_to_stablehlo` goes on to StableHLO, where an op without a lowering becomes a custom call of its
name. Programs are text: torch-mlir is a compiler of its own (see `bindings.torch_dialect`).
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path
from types import FunctionType
from typing import Any

from ...bindings.torch_dialect import parse_torch, run_torch_passes, torch_context, torch_module
from ..compilation.compiler import Compiler
from ..compilation.definitions import own_annotations, typed_parameters
from ..errors import LibraryError
from ..library import load_file
from ..registry import Collection
from ..signatures import DTYPE, SHAPE
from ..types import LibraryType
from .emitter import TorchEmitter

_PREFIX = "torch."
_OWN_TYPES = {"DType": LibraryType("dtype"), "float": LibraryType("float")}
_SHAPES = "torch-shape-refinement-pipeline{extra-library=%s}"
_DTYPES = (
    "torch-reify-dtype-calculations{extra-library=%s},inline,func.func(torch-simplify-dtype-calculations,cse,"
    "torch-simplify-dtype-calculations,torch-drop-abstract-interp-calculations)"
)

# The steps of torch-backend-to-stablehlo-backend-pipeline up to its check that no call is left; CHLO ops stay.
_LOWERING = (
    "builtin.module(func.func(convert-torch-to-stablehlo,convert-torch-to-arith,canonicalize,cse),torch-func-backend-type-conversion-for-stablehlo,func.func(canonicalize,"
    "torch-finalizing-backend-type-conversion-for-stablehlo,canonicalize))"
)


def _parameters(function: FunctionType) -> list[tuple[str, LibraryType]]:
    """Return names and types of a library function's parameters: in the torch dialect a dtype parameter is a rank and a
    type, and there are floats."""
    annotations = own_annotations(function)
    plain = {name: "int" if text in _OWN_TYPES else text for name, text in annotations.items()}
    return [(name, _OWN_TYPES.get(annotations[name], type_)) for name, type_ in typed_parameters(function, plain)]


def torch_library_text(collections: Iterable[Collection]) -> str:
    """The library functions of torch ops (`torch.<name>`) as a module in torch-mlir's form. Raises `LibraryError` for
    code outside the subset, and without any library function."""
    functions: dict[str, FunctionType] = {}
    for collection in collections:
        for entry in collection.registrations.values():
            if entry.op.startswith(_PREFIX) and isinstance(entry.function, FunctionType):
                kind = {SHAPE: "shape", DTYPE: "dtype"}[entry.kind]
                functions[f"__torch_mlir_{kind}_fn.{entry.op.removeprefix(_PREFIX)}"] = entry.function
    if not functions:
        raise LibraryError("the libraries have no function for an op of the torch dialect")
    compiler = Compiler(TorchEmitter)
    for symbol, function in functions.items():
        compiler.compile(function, symbol, _parameters(function))
    return "\n".join(["module {", *(compiled.text for compiled in compiler.compiled.values()), "}"])


def _refined(text: str, paths: Sequence[str | Path]) -> Any:
    library = torch_library_text([load_file(Path(path)) for path in paths])
    module = parse_torch(text, torch_context())
    parse_torch(library, module.context)  # a mistake in it is an error of its own, not one of the pipeline
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "library.mlir"
        file.write_text(library, encoding="utf-8")
        for pipeline in (_SHAPES, _DTYPES):
            run_torch_passes(
                module, f"builtin.module({pipeline % file},torch-refine-public-return,func.func(canonicalize))"
            )
    return module


def refine_torch(text: str, paths: Sequence[str | Path]) -> str:
    """A program of torch ops with the shapes and element types that the library functions in Python files give, next to
    torch-mlir's own. Raises `ProviderError` without torch-mlir, `ParseError`, `PassError` and `LibraryError`."""
    return str(_refined(text, paths))


def torch_to_stablehlo(text: str, paths: Sequence[str | Path]) -> str:
    """As `refine_torch`, lowered to StableHLO. A `torch.operator "my.op"` becomes `stablehlo.custom_call @my.op`."""
    module = _refined(text, paths)
    ir = torch_module("ir")
    with module.context, ir.Location.unknown():
        names = _operators_to_calls(ir, module)
        run_torch_passes(module, _LOWERING)
        _calls_to_custom_calls(ir, module, names)
        run_torch_passes(module, "builtin.module(canonicalize)")
    return str(module)


def _ops(ir: Any, module: Any, name: str) -> list[Any]:
    found: list[Any] = []

    def collect(op: Any) -> Any:
        if op.name == name:
            found.append(op)
        return ir.WalkResult.ADVANCE

    module.operation.walk(collect)
    return found


def _operators_to_calls(ir: Any, module: Any) -> dict[str, str]:
    """Put calls of functions without a body in the place of custom ops: these survive the lowering, which converts
    their types. Returns the names of the ops by function."""
    names: dict[str, str] = {}
    for number, op in enumerate(_ops(ir, module, "torch.operator")):
        if any("unk" in str(result.type) or "[" not in str(result.type) for result in op.results):
            name = ir.StringAttr(op.attributes["name"]).value
            raise LibraryError(f"the shape or element type of '{name}' is unknown; the library has no function for it")
        symbol = f"torch_operator_{number}"
        names[symbol] = ir.StringAttr(op.attributes["name"]).value
        inputs, results = ([value.type for value in values] for values in (op.operands, op.results))
        function_type = ir.TypeAttr.get(ir.FunctionType.get(inputs, results))
        attributes = {
            "sym_name": ir.StringAttr.get(symbol),
            "function_type": function_type,
            "sym_visibility": ir.StringAttr.get("private"),
        }
        ir.Operation.create("func.func", regions=1, attributes=attributes, ip=ir.InsertionPoint(module.body))
        callee = {"callee": ir.FlatSymbolRefAttr.get(symbol)}
        point = ir.InsertionPoint(op)
        call = ir.Operation.create(
            "func.call", results=results, operands=list(op.operands), attributes=callee, ip=point
        )
        for old, new in zip(op.results, call.results, strict=True):
            old.replace_all_uses_with(new)
        op.erase()
    return names


def _calls_to_custom_calls(ir: Any, module: Any, names: dict[str, str]) -> None:
    for call in _ops(ir, module, "func.call"):
        target = names.get(ir.FlatSymbolRefAttr(call.attributes["callee"]).value)
        if target is not None:
            custom = ir.Operation.create(
                "stablehlo.custom_call",
                results=[result.type for result in call.results],
                operands=list(call.operands),
                attributes={"call_target_name": ir.StringAttr.get(target)},
                ip=ir.InsertionPoint(call),
            )
            for old, new in zip(call.results, custom.results, strict=True):
                old.replace_all_uses_with(new)
            call.erase()
    for view in list(module.body.operations):
        if ir.StringAttr(view.operation.attributes["sym_name"]).value in names:
            view.operation.erase()
