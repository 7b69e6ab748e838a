"""Passes written in Python by their flags. A pass is imported when it is asked for."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, TypeVar

from ..bindings.capabilities import has
from ..bindings.context import is_registered_pass
from ..extensions import load_installed
from .compiled import compiled_passes

if TYPE_CHECKING:
    from .base import Pass

# flag -> "module:class", the module relative to this package
PYTHON_PASSES: dict[str, str] = {
    "check-communication": "check_communication:CheckCommunication",
    "chlo-expand-scan": "chlo_expand_scan:ChloExpandScan",
    "chlo-pre-serialization-pipeline": "vhlo_pipelines:ChloPreSerialization",
    "hlo-test-broadcast": "hlo_test.broadcast:HloTestBroadcast",
    "hlo-test-infer": "hlo_test.infer:HloTestInfer",
    "hlo-test-speculatability": "hlo_test.speculate:HloTestSpeculatability",
    "interpreter-instrument-with-probe": "instrument_with_probe:InstrumentWithProbe",
    "reconcile-unrealized-casts": "vhlo_reconcile_casts:ReconcileUnrealizedCasts",
    "sdy-resolve-single-device-sharding": "resolve_single_device:ResolveSingleDevice",
    "stablehlo-aggressive-folder": "optimization:AggressiveFolder",
    "stablehlo-aggressive-simplification": "optimization:AggressiveSimplification",
    "stablehlo-canonicalize-dynamic-calls": "canonicalize_dynamic_calls:CanonicalizeDynamicCalls",
    "stablehlo-decompose": "decomposition.decompose:Decompose",
    "stablehlo-deserialize": "vhlo_pipelines:StablehloDeserialize",
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
}
# pass written in C++ -> the pass that makes a program ready for it, which a pipeline runs right before it
PREPARATIONS = {
    "chlo-legalize-to-stablehlo": "chlo-expand-scan",
    "stablehlo-canonicalize-dynamism": "stablehlo-canonicalize-dynamic-calls",
}


# Passes of C++ that lack something in old bindings: flag -> the capability without which the Python pass runs instead.
_SUBSTITUTES = {"inline": ("inliner", "inline:Inline")}


_USERS: dict[str, type[Pass]] = {}
_PassClass = TypeVar("_PassClass", bound="type[Pass]")


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
        from dataclasses import dataclass

        dataclass(frozen=True)(pass_class)
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
