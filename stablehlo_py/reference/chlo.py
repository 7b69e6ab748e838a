"""CHLO programs are evaluated by way of StableHLO, into which the official pass expresses their ops."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..bindings import ir, passmanager
from ..bindings.guarded import run_in_child
from ..errors import InterpreterError

_PIPELINE = "builtin.module(func.func(chlo-legalize-to-stablehlo))"


def lower_chlo(module: ir.Operation) -> ir.Operation:
    """A copy of the module in which CHLO ops are expressed in StableHLO.

    Raises `InterpreterError` where the pass fails or crashes: it is tried in a child process first.
    """
    copy = module.clone()
    for scan in list(_operations(copy, "chlo.scan")):
        _turn_around(scan)
    manager = passmanager.PassManager.parse(_PIPELINE, context=copy.context)

    def try_on_a_copy() -> None:
        manager.run(copy.clone())

    outcome = run_in_child(try_on_a_copy)
    if outcome.crash:
        raise InterpreterError(f"a CHLO op cannot be expressed in StableHLO: the pass crashed: {outcome.crash}")
    try:
        manager.run(copy)
    except ir.MLIRError as error:
        raise InterpreterError(f"a CHLO op cannot be expressed in StableHLO: {error}") from error
    return copy


def _operations(op: ir.Operation, name: str) -> Iterator[ir.Operation]:
    """The ops called `name` within."""
    for region in op.regions:
        for block in region.blocks:
            for inner in block.operations:
                if inner.operation.name == name:
                    yield inner.operation
                yield from _operations(inner.operation, name)


def _turn_around(scan: ir.Operation) -> None:
    """Makes a reverse scan a forward one over reversed inputs: the pass of StableHLO 1.17 takes no notice of
    is_reverse."""
    attributes = scan.attributes
    if "is_reverse" not in attributes or not ir.BoolAttr(attributes["is_reverse"]).value:
        return
    inputs = ir.DenseI32ArrayAttr(attributes["operandSegmentSizes"])[0]
    outputs = ir.DenseI32ArrayAttr(attributes["resultSegmentSizes"])[0]
    dimension = ir.IntegerAttr(attributes["dimension"]).value
    with scan.context, scan.location:
        attributes["is_reverse"] = ir.BoolAttr.get(False)
        for index in range(inputs):
            reverse = _reverse(scan.operands[index], [dimension], ir.InsertionPoint(scan))
            scan.operands[index] = reverse.results[0]
        for index in range(outputs):
            result = scan.results[index]
            reverse = _reverse(result, [dimension], ir.InsertionPoint.after(scan))
            result.replace_all_uses_except(reverse.results[0], [reverse])


def _reverse(value: ir.Value, dimensions: Sequence[int], where: ir.InsertionPoint) -> ir.Operation:
    with where:
        return ir.Operation.create(
            "stablehlo.reverse",
            results=[value.type],
            operands=[value],
            attributes={"dimensions": ir.DenseI64ArrayAttr.get(dimensions)},
        )
