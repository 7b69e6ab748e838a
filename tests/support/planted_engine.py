"""An engine with planted errors: an op that carries the attribute `planted` gives wrong results, as its value says."""

from __future__ import annotations

import numpy as np

from stablehlo_py.bindings import ir
from stablehlo_py.bindings.build import create_value
from stablehlo_py.bindings.walk import operations, terminator_of
from stablehlo_py.engines.reading import read_module
from stablehlo_py.errors import UnsupportedOpError
from stablehlo_py.interpreter.program import Program


def _few_ulp(op: ir.Operation) -> ir.Value:
    """The result times 1 + 4 epsilon: four to eight units in the last place, where 3.5 are allowed."""
    type_ = op.results[0].type
    element = ir.RankedTensorType(type_).element_type
    epsilon = 2.0**-23 if str(element) == "f32" else 2.0**-52
    factor = ir.DenseElementsAttr.get_splat(type_, ir.FloatAttr.get(element, 1 + 4 * epsilon))
    constant = create_value("stablehlo.constant", (), type_, {"value": factor})
    return create_value("stablehlo.multiply", [op.results[0], constant], type_)


def _negated(op: ir.Operation) -> ir.Value:
    return create_value("stablehlo.negate", [op.results[0]], op.results[0].type)


def _reversed(op: ir.Operation) -> ir.Value:
    """The result back to front along its first dimension."""
    attributes = {"dimensions": ir.DenseI64ArrayAttr.get([0])}
    return create_value("stablehlo.reverse", [op.results[0]], op.results[0].type, attributes)


def _dropped(op: ir.Operation) -> ir.Value:
    """The operand, as if the op were not there."""
    return op.operands[0]


def _axis(op: ir.Operation) -> ir.Value:
    """The op along the other of two dimensions; a transposition does nothing."""
    name = next(name for name in AXES if name in op.attributes)
    axes = list(ir.DenseI64ArrayAttr(op.attributes[name]))
    op.attributes[name] = ir.DenseI64ArrayAttr.get([1 - axis for axis in axes] if len(axes) == 1 else [0, 1])
    return op.results[0]


def _region(op: ir.Operation) -> ir.Value:
    """The last region returns its own last arguments, where the op's region returns what it computed."""
    block = op.regions[len(op.regions) - 1].blocks[0]
    terminator = terminator_of(block)
    last = len(terminator.operands) - 1
    terminator.operands[last] = list(block.arguments)[last]
    return op.results[0]


AXES = ("dimensions", "broadcast_dimensions", "permutation")


def _upper(op: ir.Operation) -> ir.Value:
    """The result with one more in each element above the diagonal."""
    type_ = ir.RankedTensorType(op.results[0].type)
    ones = ir.DenseElementsAttr.get(np.triu(np.ones(type_.shape, np.float32), 1))
    constant = create_value("stablehlo.constant", (), type_, {"value": ones})
    return create_value("stablehlo.add", [op.results[0], constant], type_)


ERRORS = {
    "upper": _upper,
    "few_ulp": _few_ulp,
    "negated": _negated,
    "reversed": _reversed,
    "dropped": _dropped,
    "axis": _axis,
    "region": _region,
}


def plant(module: ir.Module) -> None:
    """Make every op that is marked give wrong results."""
    marked = [op for op in operations(module.operation) if "planted" in op.attributes]
    for op in marked:
        result = op.results[0]
        users = [(use.owner.operation, use.operand_number) for use in result.uses]
        with op.location, ir.InsertionPoint.after(op):
            wrong = ERRORS[ir.StringAttr(op.attributes["planted"]).value](op)
        for user, number in users:
            user.operands[number] = wrong


class Planted:
    """The interpreter with the planted errors, and without the ops in `lacks`."""

    def __init__(self, lacks: str = "") -> None:
        self.lacks = lacks

    def load(self, module: bytes):
        read = read_module(module)
        if self.lacks and any(op.name == self.lacks for op in operations(read.operation)):
            raise UnsupportedOpError("is not supported", op=self.lacks)
        plant(read)
        return Program(read).run


def backend() -> Planted:
    return Planted()


def lacking_cbrt() -> Planted:
    return Planted("stablehlo.cbrt")


class Slipping:
    """The interpreter with two errors: a sine in place of a cosine after a quotient and an exponential, and one more
    in programs with f16. Its random numbers are others, too, which is no error."""

    def load(self, module: bytes):
        read = read_module(module)
        text = str(read.operation)
        if all(f"stablehlo.{name}" in text for name in ("divide", "exponential", "cosine")):
            text = text.replace("stablehlo.cosine", "stablehlo.sine")
        read = ir.Module.parse(text.replace("UNIFORM", "NORMAL"), read.context)
        run = Program(read).run
        return lambda arguments: [result + np.asarray("f16" in text, result.dtype) for result in run(arguments)]


def slipping() -> Slipping:
    return Slipping()


class Failing:
    """An engine that runs no program."""

    def load(self, module: bytes):
        raise UnsupportedOpError("runs nothing")


def failing() -> Failing:
    return Failing()


class NanAndRounding:
    """The interpreter with two errors: square roots below 2 are NaN, and products are too large by a tenth."""

    def load(self, module: bytes):
        read = read_module(module)
        text = str(read.operation)
        run = Program(read).run

        def wrong(arguments):
            results = run(arguments)
            for number, result in enumerate(results):
                changed = result * np.float32(1.1) if "multiply" in text else result
                results[number] = np.where(changed < 2, np.float32(np.nan), changed) if "sqrt" in text else changed
            return results

        return wrong


def nan_and_rounding() -> NanAndRounding:
    return NanAndRounding()
