"""`stablehlo-canonicalize-dynamic-calls`: the ops that custom calls stand for, once their shape operands are constant.

JAX exports such calls where an attribute of the op depends on a dimension of unknown size. The results equal those of
XLA's `refine_polymorphic_shapes`.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import ClassVar

import numpy as np

from ..bindings import ir
from ..bindings.attributes import string_of, symbol_of
from ..bindings.build import DYNAMIC_SIZE, create, detached_copy
from ..bindings.elements import from_numpy
from ..bindings.walk import blocks, functions, operations, outermost, terminator_of
from ..interpreter.ops.window import count_windows
from .base import Pass
from .matching import all_known, constant_array, constant_int, constant_ints, i64, with_shape
from .report import current_report
from .rewriting import Pattern, RewriteOptions, Rewriter, apply_patterns
from .simplification.dynamism import known_type, replace_refined
from .snapshot.parts import Op, Value, body_of

Functions = Mapping[str, ir.Operation]
"""The functions of a module by name."""
_SHAPE_OPERANDS = "indices_of_shape_operands"


def _reduce_window(op: Op, rewriter: Rewriter, known: Functions) -> bool:
    operands, count = op.operands, len(op.results)
    computation = _computation(op, known)
    if computation is None or len(operands) != 2 * count + 5:
        return False
    shape = operands[0].tensor.shape
    sizes, padding = all_known(map(constant_ints, operands[2 * count : -1])), constant_array(operands[-1])
    if sizes is None or any(len(size) != len(shape) or min(size, default=1) < 1 for size in sizes):
        return False
    if padding is None or padding.shape != (len(shape), 2):
        return False
    names = ("window_dimensions", "window_strides", "base_dilations", "window_dilations")
    attributes = {**dict(zip(names, sizes, strict=True)), "padding": from_numpy(padding.astype(np.int64))}
    windows = list(itertools.starmap(_count_windows, zip(shape, *sizes, padding.tolist(), strict=True)))
    types = [_refined(result, windows) for result in op.results]
    new = rewriter.create("reduce_window", operands[: 2 * count], attributes, before=op, result=types, regions=1)
    _copy_body(computation, new, rewriter)
    return replace_refined(op, new, rewriter)


def _count_windows(size: int, window: int, stride: int, base_dilation: int, dilation: int, padding: list[int]) -> int:
    """Return the number of windows in a dimension, or DYNAMIC_SIZE."""
    if size == DYNAMIC_SIZE:
        return size
    dilated = (size - 1) * base_dilation + 1 if size else 0
    return count_windows(dilated + sum(padding), window, stride, dilation)


def _refined(result: Value, shape: Sequence[int]) -> ir.Type:
    """Return the type of a result with the known sizes in `shape`; a type with bounds, or of another rank, as it is."""
    if not result.tensor.has_no_encoding or len(result.tensor.shape) != len(shape):
        return result.type
    pairs = zip(result.tensor.shape, shape, strict=True)
    return with_shape(result.type, [size if declared == DYNAMIC_SIZE else declared for declared, size in pairs])


def _computation(op: Op, known: Functions) -> ir.Operation | None:
    """Return the only function that a call names."""
    called = op.attributes.get("called_computations", None)
    if not isinstance(called, ir.ArrayAttr) or len(called) != 1:
        return None
    function = known.get(symbol_of(called[0]))
    return function if function is not None and len(blocks(function)) == 1 else None


def _copy_body(function: ir.Operation, op: Op, rewriter: Rewriter) -> None:
    """Put a copy of the function's body into the op's region."""
    copy = detached_copy(function)
    returning = terminator_of(copy.regions[0].blocks[0])
    at = ir.InsertionPoint(returning)
    create("stablehlo.return", list(returning.operands), (), at=at, location=returning.location)
    returning.erase()
    body_of(rewriter.snapshot.read(copy)).append_to(op.regions[0])


def _rng_bit_generator(op: Op, rewriter: Rewriter, known: Functions) -> bool:
    if len(op.operands) != 2 or len(op.results) != 2 or "rng_algorithm" not in op.attributes:
        return False
    bits = known_type(op.operands[1], op.results[1])
    if bits is None:
        return False
    attributes, types = {"rng_algorithm": op.attributes["rng_algorithm"]}, [op.results[0].type, bits]
    new = rewriter.create("rng_bit_generator", [op.operands[0]], attributes, before=op, result=types)
    return replace_refined(op, new, rewriter)


def _top_k(op: Op, rewriter: Rewriter, known: Functions) -> bool:
    if len(op.operands) != 2 or len(op.results) != 2:
        return False
    operand, k = op.operands[0], constant_int(op.operands[1])
    size = operand.tensor.shape[-1] if operand.tensor.shape else 0
    if k is None or not 0 <= k <= size:
        return False
    types = [_refined(result, [*operand.tensor.shape[:-1], k]) for result in op.results]
    new = rewriter.create("chlo.top_k", [operand], {"k": k}, before=op, result=types)
    return replace_refined(op, new, rewriter)


def _approx_top_k(op: Op, rewriter: Rewriter, known: Functions) -> bool:
    """`ApproxTopK`, which has k among its options."""
    count, operands = len(op.results), op.operands
    k = constant_int(operands[2 * count]) if len(operands) > 2 * count else None
    config = op.attributes.get("mhlo.backend_config", None)
    if k is None or not isinstance(config, ir.DictAttr):
        return False
    shapes = operands[2 * count + 1 :]
    types = [known_type(shape, result) for shape, result in zip(shapes, op.results, strict=False)]
    if not shapes:
        types = [result.type if result.tensor.static_shape is not None else None for result in op.results]
    static = all_known(types)
    if static is None or len(static) < count:
        return False
    options = {entry.name: entry.attr for entry in config} | {"top_k": i64(k)}
    op.attributes["mhlo.backend_config"] = ir.DictAttr.get(options)
    attributes = dict(op.attributes) | {"call_target_name": ir.StringAttr.get("ApproxTopK")}
    attributes.pop(_SHAPE_OPERANDS, None)
    new = rewriter.create("custom_call", operands[: 2 * count], attributes, before=op, result=static)
    return replace_refined(op, new, rewriter)


_REWRITES: dict[str, Callable[[Op, Rewriter, Functions], bool]] = {
    "stablehlo.dynamic_approx_top_k": _approx_top_k,
    "stablehlo.dynamic_reduce_window": _reduce_window,
    "stablehlo.dynamic_rng_bit_generator": _rng_bit_generator,
    "stablehlo.dynamic_top_k": _top_k,
}


@dataclass(frozen=True)
class CanonicalizeDynamicCalls(Pass):
    """Replace the calls that JAX exports for ops whose attributes depend on an unknown size."""

    name: ClassVar[str] = "stablehlo-canonicalize-dynamic-calls"
    summary: ClassVar[str] = "Turn calls of stablehlo.dynamic_… whose shape operands are constant into their ops"
    anchor: ClassVar[str] = "any"

    def run(self, op: ir.Operation) -> None:
        calls = [each.attributes["call_target_name"] for each in operations(op) if each.name == "stablehlo.custom_call"]
        if _REWRITES.keys().isdisjoint(map(string_of, calls)):
            return
        module = outermost(op)
        pattern = Pattern(
            "canonicalize_dynamic_call", ("stablehlo.custom_call",), partial(_canonicalize, functions(module))
        )
        apply_patterns(op, [pattern], RewriteOptions(), current_report(self.name), tidies=False)


def _canonicalize(known: Functions, call: Op, rewriter: Rewriter) -> bool:
    rewrite = _REWRITES.get(string_of(call.attributes["call_target_name"]))
    is_on_tensors = all(tensor.ranked is not None for tensor in call.tensors)
    return rewrite is not None and is_on_tensors and rewrite(call, rewriter, known)
