"""The passes by their flags, and their descriptions for lists and help.

A pass written in Python is imported when it is asked for. `compiled.toml` lists those written in C++ that the bindings
carry; a test compares that table with the bindings.
"""

from __future__ import annotations

import dataclasses
import importlib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple, TypeVar

from ..bindings import ir, passmanager, provider
from ..bindings.capabilities import has
from ..bindings.context import is_registered_pass
from ..bindings.narrowing import is_tuple
from ..extensions import load_installed
from .base import Pass
from .pipeline_text import option_name, split_top_level

# flag -> "module:class", the module relative to this package
PYTHON_PASSES: dict[str, str] = {
    "check-communication": "check_communication:CheckCommunication",
    "chlo-expand-scan": "serialization:ChloExpandScan",
    "chlo-pre-serialization-pipeline": "serialization:ChloPreSerialization",
    "hlo-test-broadcast": "hlo_test.broadcast:HloTestBroadcast",
    "hlo-test-infer": "hlo_test.infer:HloTestInfer",
    "hlo-test-speculatability": "hlo_test.speculatability:HloTestSpeculatability",
    "interpreter-instrument-with-probe": "instrument_with_probe:InstrumentWithProbe",
    "reconcile-unrealized-casts": "serialization:ReconcileUnrealizedCasts",
    "sdy-resolve-single-device-sharding": "resolve_single_device:ResolveSingleDevice",
    "stablehlo-aggressive-folder": "optimization:AggressiveFolder",
    "stablehlo-aggressive-simplification": "optimization:AggressiveSimplification",
    "stablehlo-canonicalize-dynamic-calls": "canonicalize_dynamic_calls:CanonicalizeDynamicCalls",
    "stablehlo-check-profile": "check_profile:CheckProfile",
    "stablehlo-decompose": "decomposition.decompose:Decompose",
    "stablehlo-deserialize": "serialization:StablehloDeserialize",
    "stablehlo-fold-constants": "fold_constants:FoldConstants",
    "stablehlo-target-independent-optimization": "optimization:TargetIndependentOptimization",
    "stablehlo-drop-abstract-interp-calculations": "abstract_refinement:DropCalculations",
    "stablehlo-dtype-refinement-pipeline": "abstract_refinement:DtypeRefinementPipeline",
    "stablehlo-fold-shape-values": "abstract_refinement:FoldShapeValues",
    "stablehlo-insert-shape-guards": "abstract_refinement:InsertShapeGuards",
    "stablehlo-inline-calculations": "abstract_refinement:InlineCalculations",
    "stablehlo-reify-dtype-calculations": "abstract_refinement:ReifyDtypeCalculations",
    "stablehlo-reify-shape-calculations": "abstract_refinement:ReifyShapeCalculations",
    "stablehlo-shape-refinement-pipeline": "abstract_refinement:ShapeRefinementPipeline",
    "stablehlo-simplify-dtype-calculations": "abstract_refinement:SimplifyDtypeCalculations",
    "stablehlo-simplify-shape-calculations": "abstract_refinement:SimplifyShapeCalculations",
    "stablehlo-verify-spec": "verify_spec:VerifySpec",
}
if provider.name == "torch_mlir":
    PYTHON_PASSES["torch-dtype-refinement-pipeline"] = "torch_dtypes:TorchDtypeRefinement"
# pass written in C++ -> the pass that makes a program ready for it, which a pipeline runs right before it
PREPARATIONS = {
    "chlo-legalize-to-stablehlo": "chlo-expand-scan",
    "stablehlo-canonicalize-dynamism": "stablehlo-canonicalize-dynamic-calls",
}
# Passes of C++ that lack something in old bindings: flag -> the capability without which the Python pass runs instead.
_SUBSTITUTES = {"inline": ("inliner", "inlining:Inline")}

_USERS: dict[str, type[Pass]] = {}
_PassClass = TypeVar("_PassClass", bound="type[Pass]")


class CompiledPass(NamedTuple):
    """A pass written in C++.

    Attributes:
        summary: What it does.
        anchor: The kind of op on which the newest release runs it, `any` for all kinds.
        options: The meaning of each option.
        since: The oldest release of jaxlib that was seen to have it; tests compare with third_party/providers.toml.
    """

    summary: str
    anchor: str = "any"
    options: Mapping[str, str] = MappingProxyType({})
    since: str = "0.7.1"


@cache
def compiled_passes() -> dict[str, CompiledPass]:
    """Return the passes written in C++ by name; tools that run no pass never read the table."""
    return {name: CompiledPass(**entry) for name, entry in _read_table("compiled.toml").items()}


@cache
def passes_elsewhere() -> dict[str, str]:
    """Return upstream's passes that no release of jaxlib has, each with who has it."""
    groups = _read_table("elsewhere.toml").values()
    return {name: group["reason"] for group in groups for name in group["names"].split()}


def _read_table(name: str) -> dict[str, Any]:
    import tomllib

    return tomllib.loads(Path(__file__).with_name(name).read_text(encoding="utf-8"))


def register_pass(pass_class: _PassClass) -> _PassClass:
    """Make a subclass of `Pass` a pass by its `name`: as a flag, in pipelines and in lists. A later one of the same
    name replaces it.

    Raises:
        ValueError: The package has a pass of this name, or the class has no name or summary.
    """
    for attribute in ("name", "summary"):
        if not getattr(pass_class, attribute, ""):
            raise ValueError(f"the pass {pass_class.__name__} has no {attribute}")
    if _is_own(pass_class.name):
        raise ValueError(f"the package has a pass '{pass_class.name}' already")
    if "__dataclass_fields__" not in pass_class.__dict__:
        dataclasses.dataclass(frozen=True)(pass_class)
    _USERS[pass_class.name] = pass_class
    return pass_class


def _is_own(name: str) -> bool:
    """Whether the package or the bindings have the pass, or other releases of the bindings, whose table comes last."""
    return name in PYTHON_PASSES or is_registered_pass(name) or name in compiled_passes()


def _users_pass(name: str) -> type[Pass] | None:
    load_installed()
    return _USERS.get(name)


def is_pass(name: str) -> bool:
    """Return whether `name` is a pass in Python or C++; a provider can have more passes than the table."""
    return _is_own(name) or _users_pass(name) is not None


def pass_names() -> list[str]:
    """Return every pass that can be asked for, in alphabetical order."""
    load_installed()
    return sorted([*PYTHON_PASSES, *compiled_passes(), *_USERS])


def find_pass(name: str) -> type[Pass] | None:
    """Return the class of the Python pass called `name` (without dashes in front), or None."""
    target = PYTHON_PASSES.get(name)
    if target is None:
        capability, target = _SUBSTITUTES.get(name, ("", ""))
        if not capability or has(capability):
            return None if is_registered_pass(name) else _users_pass(name)
    module, _, class_name = target.partition(":")
    return getattr(importlib.import_module(f".{module}", __package__), class_name)


class PassOption(NamedTuple):
    """An option of a pass: its default is text as written in a pipeline, or empty."""

    name: str
    default: str
    summary: str


class Description(NamedTuple):
    """A pass: its flag, its summary, the kind of op that it runs on, and its options."""

    name: str
    summary: str
    anchor: str
    options: tuple[PassOption, ...]


def available_passes() -> list[str]:
    """Return every pass that can run here in alphabetical order, as providers can lack compiled passes."""
    return [name for name in pass_names() if name not in compiled_passes() or is_registered_pass(name)]


def describe_pass(name: str, context: ir.Context) -> Description:
    """Return the description of the pass called `name`, one of `available_passes`."""
    python_pass = find_pass(name)
    if python_pass is None:
        compiled = compiled_passes()[name]
        anchor, text = _manager(name, compiled.anchor, context)
        defaults = _defaults(text, name) if compiled.options else {}
        options = tuple(PassOption(key, defaults.get(key, ""), what) for key, what in sorted(compiled.options.items()))
        return Description(name, compiled.summary, anchor, options)
    options = tuple(
        PassOption(option_name(field.name), _text(field.default), str(field.metadata.get("summary", "")))
        for field in dataclasses.fields(python_pass)
    )
    return Description(name, python_pass.summary, python_pass.anchor, options)


def _text(value: object) -> str:
    """Return a default of an option in Python as text."""
    if is_tuple(value):
        return ",".join(map(str, value))
    return str(value).lower() if isinstance(value, bool) else "" if value is None else str(value)


def _manager(name: str, anchor: str, context: ir.Context) -> tuple[str, str]:
    """Return the anchor of a compiled pass, and the text that its manager prints.

    Some releases run a pass on functions and some on modules; `anchor` is tried first.
    """
    first = "builtin.module" if anchor == "any" else anchor
    try:
        return anchor, _printed(name, first, context)
    except ValueError:
        second = "func.func" if first == "builtin.module" else "builtin.module"
        return second, _printed(name, second, context)


def _printed(name: str, anchor: str, context: ir.Context) -> str:
    manager = passmanager.PassManager(anchor, context=context)
    manager.add(name)
    return str(manager)


def _defaults(text: str, name: str) -> dict[str, str]:
    """Return the options that the bindings print for a pass, with their values; empty lists are not printed.

    A pipeline prints the options of its last pass as its own.
    """
    text = text[text.index("(") + 1 : -1].removeprefix(name)
    if not text.startswith("{"):
        return {}
    parts = (part.partition("=") for part in split_top_level(text[1:-1], " "))
    return {key: value for key, equals, value in parts if equals}
