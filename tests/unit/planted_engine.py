"""An engine with planted errors: an op that carries the attribute `planted` gives wrong results, as its value says."""

from __future__ import annotations

from stablehlo_py.bindings import ir
from stablehlo_py.bindings.build import create_value
from stablehlo_py.bindings.walk import operations
from stablehlo_py.engines.reading import read_module
from stablehlo_py.errors import UnsupportedOpError
from stablehlo_py.reference.interpreter import Program


def _few_ulp(result: ir.Value) -> ir.Value:
    """The result times 1 + 8 epsilon."""
    element = ir.RankedTensorType(result.type).element_type
    epsilon = 2.0**-23 if str(element) == "f32" else 2.0**-52
    factor = ir.DenseElementsAttr.get_splat(result.type, ir.FloatAttr.get(element, 1 + 8 * epsilon))
    constant = create_value("stablehlo.constant", (), result.type, {"value": factor})
    return create_value("stablehlo.multiply", [result, constant], result.type)


def _negated(result: ir.Value) -> ir.Value:
    return create_value("stablehlo.negate", [result], result.type)


def _reversed(result: ir.Value) -> ir.Value:
    """The result back to front along its first dimension."""
    attributes = {"dimensions": ir.DenseI64ArrayAttr.get([0])}
    return create_value("stablehlo.reverse", [result], result.type, attributes)


ERRORS = {"few_ulp": _few_ulp, "negated": _negated, "reversed": _reversed}


def plant(module: ir.Module) -> None:
    """Make every op that is marked give wrong results."""
    marked = [op for op in operations(module.operation) if "planted" in op.attributes]
    for op in marked:
        result = op.results[0]
        users = [(use.owner.operation, use.operand_number) for use in result.uses]
        with op.location, ir.InsertionPoint.after(op):
            wrong = ERRORS[ir.StringAttr(op.attributes["planted"]).value](result)
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
