"""Says of dot products over which axes of the mesh their terms are spread.

Shardy's export in jaxlib 0.11.2 ends the process where the sharding of such a product does not name these axes as
unreduced; that of other releases does not ask for it.
"""

from __future__ import annotations

from ..bindings import ir
from ..bindings.attributes import DotDims
from ..bindings.meshes import Mesh
from ..bindings.shardings import sdy_shardings, with_unreduced
from ..bindings.walk import operations
from .attributes import SHARDING, sharding_of

_PER_VALUE = "#sdy.sharding_per_value<"


def mark_partial_sums(module: ir.Module, mesh: Mesh) -> None:
    """Give every product of operands that are cut along what is summed up a sharding with these axes as unreduced."""
    for op in operations(module.operation):
        cut = sharding_of(op.operands[0]) if op.name in ("stablehlo.dot", "stablehlo.dot_general") else ""
        if not cut:
            continue
        (sharding,) = sdy_shardings(cut, lambda _: mesh)
        summed = DotDims.of_op(op, len(sharding.dimensions)).lhs_contracting_dimensions
        axes = [axis for dimension in summed for axis in sharding.dimensions[dimension]]
        if axes:
            rank = ir.ShapedType(op.results[0].type).rank
            mesh_of_operand = cut[: cut.index("[{")].removeprefix(f"{_PER_VALUE}[").removeprefix("#sdy.sharding")
            whole = f"{_PER_VALUE}[{mesh_of_operand}[{', '.join(['{}'] * rank)}]>]>"
            text = str(op.attributes[SHARDING]) if SHARDING in op.attributes else whole
            op.attributes[SHARDING] = ir.Attribute.parse(with_unreduced(text, axes, mesh), op.context)
