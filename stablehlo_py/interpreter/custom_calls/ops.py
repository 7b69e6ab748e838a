"""Targets named after an op, which compilers write for ops that their dialect lacks."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

from ...errors import StablehloError
from ...syntax import parse
from ..ops.bodies import Array, as_result
from ..ops.random import random_bits
from ..ops.window import Windows, reduce_windows
from ..settings import Settings, require_memory
from .call import CustomCall
from .registry import runs

if TYPE_CHECKING:
    from ..program import Program


def _ints(operand: Array) -> tuple[int, ...]:
    return tuple([int(value) for value in operand.reshape(-1)])


@runs("stablehlo.dynamic_reduce_window")
def dynamic_reduce_window(call: CustomCall, *operands: Any) -> Any:
    """reduce_window of the first operands, by the called computation, where the last five operands stand for its
    attributes window_dimensions, window_strides, base_dilations, window_dilations and padding."""
    *inputs_and_init_values, dimensions, strides, base_dilations, dilations, padding = operands
    (computation,) = call.called_computations
    body, facts = call.op.program.body(computation)
    windows = Windows(
        _ints(dimensions), _ints(strides), _ints(base_dilations), _ints(dilations), _ints(padding[:, 0]),
        _ints(padding[:, 1]),
    )  # fmt: skip
    return as_result(reduce_windows(windows, body, facts, inputs_and_init_values))


@runs("stablehlo.dynamic_rng_bit_generator")
def dynamic_rng_bit_generator(call: CustomCall, initial_state: Any, output_shape: Any) -> Any:
    """rng_bit_generator of bits in the shape that an operand gives."""
    shape = _ints(output_shape)
    require_memory(shape, call.op.tensor_result(1).dtype)
    return random_bits(call.op)(initial_state, shape)


@lru_cache(maxsize=1024)
def _is_op(name: str) -> bool:
    from ...bindings.context import make_context

    return make_context().is_registered_operation(name)


def op_of(target: str) -> str | None:
    """Return the op of StableHLO or CHLO that a target names, with `mhlo.`, `stablehlo.` or `chlo.` before the name."""
    dialect, _, name = target.partition(".")
    names = (f"stablehlo.{name}", f"chlo.{name}") if dialect in ("mhlo", "stablehlo", "chlo") else ()
    return next(filter(_is_op, names), None)


def run_op(name: str, call: CustomCall, *operands: Any) -> Any:
    """Return the results of the op called `name`, with the attributes in `mhlo.attributes`."""
    attributes = call.op.attribute("mhlo.attributes", None)
    operation = call.op.operation
    types = [[str(value.type) for value in values] for values in (operation.operands, operation.results)]
    text = "" if attributes is None else str(attributes)
    outer = call.op.program.settings
    settings = Settings(max_memory=outer.max_memory, deterministic=outer.deterministic, fast=outer.fast)
    try:
        program = _program(name, text, *map(tuple, types), settings)
        results = program.run(operands)
        return as_result(results)
    except StablehloError as error:
        raise call.op.error(f"stands for {name}, which fails: {error.message}") from error


@lru_cache(maxsize=256)
def _program(
    name: str, attributes: str, operand_types: tuple[str, ...], result_types: tuple[str, ...], settings: Settings
) -> Program:
    from ..program import Program

    arguments = [f"%{index}: {type_}" for index, type_ in enumerate(operand_types)]
    operands = ", ".join(f"%{index}" for index in range(len(operand_types)))
    results = ", ".join(f"%r#{index}" for index in range(len(result_types)))
    outputs = ", ".join(result_types)
    module = parse(
        f"func.func @main({', '.join(arguments)}) -> ({outputs}) {{\n"
        f'  %r:{len(result_types)} = "{name}"({operands}) {attributes} : ({", ".join(operand_types)}) -> ({outputs})\n'
        f"  return {results} : {outputs}\n}}",
        source_name=name,
    )
    return Program(module, settings)
