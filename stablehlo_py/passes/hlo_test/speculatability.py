"""`hlo-test-speculatability`: whether an op may run where the program would not have run it, for tests.

An op that could meet undefined behaviour must not be hoisted out of a branch. With static shapes the verifier has
already excluded it. The remaining causes are promises such as `indices_are_sorted`, and dynamic dimensions that may
disagree at run time with each other, with a static dimension of the result, or with a shape operand that is not
constant.
Source: the `ConditionallySpeculatable` interface of the official dialects, which the bindings do not expose.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from enum import Enum
from itertools import chain
from typing import Any, ClassVar

from ...bindings import ir, stablehlo_extension
from ...bindings.attributes import int_of, ints_of, is_set
from ...dialect.facts import facts
from .base import Answer, QuestionPass, asked_about, is_constant, tensor_of


class Speculatability(Enum):
    """The answers of MLIR's interface; RECURSIVELY means: if every op of the regions is."""

    SPECULATABLE = "speculatable"
    RECURSIVELY_SPECULATABLE = "recursively speculatable"
    NOT_SPECULATABLE = "not speculatable"


Rule = Callable[[ir.Operation], bool]


def speculatability(op: ir.Operation) -> Speculatability | None:
    """Return the interface's answer for an op; None, which counts as not speculatable, without an answer."""
    known = facts(op.name)
    trait = next((trait for trait in _TRAITS if trait in known.traits), "")
    rule = _OPS.get(op.name.removeprefix("stablehlo.")) or _TRAITS.get(trait)
    if rule is None:
        return None
    if not rule(op):
        return Speculatability.NOT_SPECULATABLE
    recursive = trait.startswith("Recursively") or known.is_as_effectful_as_its_regions
    return Speculatability.RECURSIVELY_SPECULATABLE if recursive else Speculatability.SPECULATABLE


def _dynamic(value: ir.Value) -> list[bool]:
    tensor = tensor_of(value)
    return [tensor.is_dynamic_dim(dimension) for dimension in range(tensor.rank)]


def _may_disagree(operand_dynamic: Iterable[bool], result_dynamic: Iterable[bool]) -> bool:
    """A dimension is static in the result but only known at run time in the operand."""
    return any(is_dynamic and not free for is_dynamic, free in zip(operand_dynamic, result_dynamic, strict=False))


def _static_result_dimensions_are_static_in_operand(op: ir.Operation) -> bool:
    return not _may_disagree(_dynamic(op.operands[0]), _dynamic(op.results[0]))


def _operands_are_static(op: ir.Operation) -> bool:
    return not any(chain.from_iterable(map(_dynamic, op.operands)))


def _static_with_constant_shapes(shape_operands: int) -> Rule:
    """The last `shape_operands` operands are the result's shape: they must be constant."""

    def rule(op: ir.Operation) -> bool:
        return _operands_are_static(op) and all(map(is_constant, list(op.operands)[-shape_operands:]))

    return rule


def _dynamic_iota(op: ir.Operation) -> bool:
    return is_constant(op.operands[0]) or all(_dynamic(op.results[0]))


def _dynamic_broadcast_in_dim(op: ir.Operation) -> bool:
    operand, output_dimensions = op.operands
    if any(_dynamic(operand)):
        return False
    tensor = tensor_of(operand)
    fits_every_shape = all(tensor.get_dim_size(dimension) == 1 for dimension in range(tensor.rank))
    return (fits_every_shape and all(_dynamic(op.results[0]))) or is_constant(output_dimensions)


def _sized_by_processes(dimension_attributes: tuple[str, ...]) -> Rule:
    """The dimension size of these dimensions depends on how many processes there are, which only run time tells."""

    def rule(op: ir.Operation) -> bool:
        dimensions = {int_of(op.attributes[name]) for name in dimension_attributes}
        for operand, result in zip(op.operands, op.results, strict=True):
            result_dynamic = _dynamic(result)
            if not all(result_dynamic[dimension] for dimension in dimensions):
                return False
            if _may_disagree(_dynamic(operand), result_dynamic):
                return False
        return True

    return rule


def _dot_general(op: ir.Operation) -> bool:
    numbers = stablehlo_extension.DotDimensionNumbers(op.attributes["dot_dimension_numbers"])
    paired = (
        {*numbers.lhs_batching_dimensions, *numbers.lhs_contracting_dimensions},
        {*numbers.rhs_batching_dimensions, *numbers.rhs_contracting_dimensions},
    )
    free: list[bool] = []
    for operand, special in zip(op.operands, paired, strict=True):
        dynamic = _dynamic(operand)
        if any(dynamic[dimension] for dimension in special):
            return False
        free += [is_dynamic for dimension, is_dynamic in enumerate(dynamic) if dimension not in special]
    batching = len(numbers.lhs_batching_dimensions)
    return not _may_disagree(free, _dynamic(op.results[0])[batching:])


def _fft(op: ir.Operation) -> bool:
    operand = _dynamic(op.operands[0])
    if stablehlo_extension.FftTypeAttr(op.attributes["fft_type"]).value in ("RFFT", "IRFFT"):
        transformed = len(ints_of(op.attributes["fft_length"]))
        if any(operand[len(operand) - transformed :]):
            return False
    return not _may_disagree(operand, _dynamic(op.results[0]))


def _static_without(*promises: str) -> Rule:
    """No attribute promises what only run time can confirm, such as ones on the diagonal of `a`."""
    return lambda op: not any(is_set(op, promise) for promise in promises) and _operands_are_static(op)


def _convolution(op: ir.Operation) -> bool:
    numbers = stablehlo_extension.ConvDimensionNumbers(op.attributes["dimension_numbers"])
    lhs, rhs, result = _dynamic(op.operands[0]), _dynamic(op.operands[1]), _dynamic(op.results[0])
    batch_groups, feature_groups = [int_of(op.attributes[f"{name}_group_count"]) > 1 for name in ("batch", "feature")]
    if lhs[numbers.input_feature_dimension] or rhs[numbers.kernel_input_feature_dimension]:
        return False  # C14
    if lhs[numbers.input_batch_dimension] and (batch_groups or not result[numbers.output_batch_dimension]):
        return False  # C10, C25
    output_features_are_fixed = batch_groups or feature_groups or not result[numbers.output_feature_dimension]
    if rhs[numbers.kernel_output_feature_dimension] and output_features_are_fixed:
        return False  # C15, C16, C25
    spatial = zip(
        numbers.input_spatial_dimensions,
        numbers.kernel_spatial_dimensions,
        numbers.output_spatial_dimensions,
        strict=True,
    )
    return all(result[output] or not (lhs[input_] or rhs[kernel]) for input_, kernel, output in spatial)  # C25


def _concatenate(op: ir.Operation) -> bool:
    dimension = int_of(op.attributes["dimension"])
    free = [False] * tensor_of(op.results[0]).rank
    free[dimension] = _dynamic(op.results[0])[dimension]
    return not any(_may_disagree(_dynamic(operand), free) for operand in op.operands)


def _set_dimension_size(op: ir.Operation) -> bool:
    operand, size = op.operands
    dimension = int_of(op.attributes["dimension"])
    result = _dynamic(op.results[0])
    if not is_constant(size) and not result[dimension]:
        return False
    others = [position for position in range(len(result)) if position != dimension]
    operand_dynamic = _dynamic(operand)
    return not _may_disagree((operand_dynamic[p] for p in others), (result[p] for p in others))


def _transpose(op: ir.Operation) -> bool:
    operand = _dynamic(op.operands[0])
    permuted = (operand[source] for source in ints_of(op.attributes["permutation"]))
    return not _may_disagree(permuted, _dynamic(op.results[0]))


# The rules of traits.
_TRAITS: dict[str, Rule] = {
    "AlwaysSpeculatable": lambda _: True,
    "SpeculatableIfAllInputsStatic": _operands_are_static,
    "SpeculatableIfAllInputsStaticAndShapeConstant": _static_with_constant_shapes(1),
    "SpeculatableIfStaticDimInOutputIsStaticInInput": _static_result_dimensions_are_static_in_operand,
    "RecursivelySpeculatable": lambda _: True,
    "RecursivelySpeculatableIfAllInputsStatic": _operands_are_static,
    "RecursivelySpeculatableIfStaticDimInOutputIsStaticInInput": _static_result_dimensions_are_static_in_operand,
}
# Ops whose definitions have rules of their own.
_OPS: dict[str, Rule] = {
    "all_gather": _sized_by_processes(("all_gather_dim",)),
    "all_to_all": _sized_by_processes(("split_dimension", "concat_dimension")),
    "bitcast_convert": _static_result_dimensions_are_static_in_operand,  # other dimensions follow from the bit widths
    "broadcast_in_dim": _operands_are_static,
    "concatenate": _concatenate,
    "convolution": _convolution,
    "dot_general": _dot_general,
    "dynamic_broadcast_in_dim": _dynamic_broadcast_in_dim,
    "dynamic_iota": _dynamic_iota,
    "dynamic_pad": _static_with_constant_shapes(3),
    "fft": _fft,
    "gather": _static_without("indices_are_sorted"),
    "real_dynamic_slice": _static_with_constant_shapes(3),
    "reduce_scatter": _sized_by_processes(("scatter_dimension",)),
    "reshape": _operands_are_static,
    "scatter": _static_without("unique_indices", "indices_are_sorted"),
    "set_dimension_size": _set_dimension_size,
    "transpose": _transpose,
    "triangular_solve": _static_without("unit_diagonal"),
}

_EXPECTATIONS = {
    "hlo_test_speculatability.is_speculatable": Speculatability.SPECULATABLE,
    "hlo_test_speculatability.is_recursively_speculatable": Speculatability.RECURSIVELY_SPECULATABLE,
    "hlo_test_speculatability.is_not_speculatable": Speculatability.NOT_SPECULATABLE,
}


def _confirm(op: Any, rewriter: Any) -> bool:
    """Erase the question and the op it is about when the answer is the one expected; true means no match."""
    asked = asked_about(op)
    uses = [] if asked is None else [use for result in asked.results for use in result.uses]
    if asked is None or len(uses) != 1 or speculatability(asked) is not _EXPECTATIONS[op.name]:
        return True
    rewriter.erase_op(op)
    rewriter.erase_op(asked)
    return False


@dataclass(frozen=True)
class HloTestSpeculatability(QuestionPass):
    """Remove `hlo_test_speculatability.is_…` and its op, if the question is the op's only use and the answer is yes."""

    name: ClassVar[str] = "hlo-test-speculatability"
    summary: ClassVar[str] = "Erases each hlo_test_speculatability op whose operand is as speculatable as it says"
    answers: ClassVar[Mapping[str, Answer]] = dict.fromkeys(_EXPECTATIONS, _confirm)
    once: ClassVar[bool] = True
