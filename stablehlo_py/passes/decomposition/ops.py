"""The ops that `@decomposition` functions write.

```python
@decomposition("stablehlo.logistic")
def logistic(hlo: Ops, operand: Tensor, result_accuracy: Attribute) -> Tensor:
    one = hlo.constant_like(1.0, operand)
    return hlo.divide(one, hlo.add(one, hlo.exponential(hlo.negate(operand))))
```
A decomposition takes the operands and attributes of its op in ODS order, `list[Tensor]` for a variadic group, and
returns its result, or a tuple of several. It is ordinary Python that runs when an op is replaced.
`NotDecomposableError` leaves the op as it is.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ...bindings import ir
from ...bindings.elements import dtype_of
from ..rewriter import Rewriter
from ..snapshot.parts import Op, Value

Tensor = Value


class NotDecomposableError(Exception):
    """This instance of an op cannot be expressed by others, often because a dimension size is unknown."""


class Ops:
    """Creates ops in front of the one that is decomposed: `hlo.add(x, y)` is `stablehlo.add`, `hlo.chlo.broadcast_add`
    CHLO's; attributes are keyword arguments: numbers,
    lists of numbers, MLIR text or attributes. Result types are inferred, or `result` gives
    them."""

    def __init__(self, op: Op, rewriter: Rewriter, dialect: str = "stablehlo", created: list[Op] | None = None) -> None:
        self._op = op
        self._rewriter = rewriter
        self._dialect = dialect
        self._created: list[Op] = [] if created is None else created

    @property
    def chlo(self) -> Ops:
        """The same, with CHLO's ops."""
        return Ops(self._op, self._rewriter, "chlo", self._created)

    def discard(self) -> None:
        """Erase what was created."""
        while self._created:
            op = self._created.pop()
            self._rewriter.forget(op)
            op.erase()

    def __getattr__(self, name: str) -> Callable[..., Any]:
        def create(*operands: Tensor, result: ir.Type | None = None, **attributes: Any) -> Tensor:
            return self.create(f"{self._dialect}.{name.rstrip('_')}", operands, result, attributes)

        return create

    def create(
        self,
        name: str,
        operands: Sequence[Tensor],
        result: ir.Type | None = None,
        attributes: dict[str, Any] | None = None,
        regions: int = 0,
    ) -> Any:
        """Return the result of a new op, or its results if it has several; the op itself if it has regions."""
        parsed = {
            key: ir.Attribute.parse(value) if isinstance(value, str) else value
            for key, value in ({} if attributes is None else attributes).items()
        }
        op = self._rewriter.create(name, operands, parsed, before=self._op, result=result, regions=regions)
        self._created.append(op)
        if regions:
            return op
        return op.results[0] if len(op.results) == 1 else tuple(op.results)

    def constant_like(self, value: float, like: Tensor) -> Tensor:
        """Return a number in the shape and element type of a tensor."""
        type_ = ir.RankedTensorType(like.type)
        element = type_.element_type
        if not type_.has_static_shape:
            _number(value, element)
            attribute = ir.FloatAttr.get(element, value)
            return self.create("chlo.constant_like", [like], type_, {"value": attribute})
        return self._constant(np.full(list(type_.shape), _number(value, element)), type_)

    def scalar(self, value: float, like: Tensor) -> Tensor:
        """Return a number as a tensor of rank 0, in the element type of a tensor."""
        element = ir.RankedTensorType(like.type).element_type
        return self._constant(_number(value, element), ir.RankedTensorType.get([], element))

    def _constant(self, array: np.ndarray, type_: ir.RankedTensorType) -> Tensor:
        value = self._rewriter.constant(array, type_, before=self._op)
        if isinstance(value.owner, Op):
            self._created.append(value.owner)
        return value

    def sum(self, operand: Tensor, dimensions: Sequence[int]) -> Tensor:
        """Return the sums along some dimensions."""
        type_ = ir.RankedTensorType(operand.type)
        kept = [size for i, size in enumerate(type_.shape) if i not in dimensions]
        result = ir.RankedTensorType.get(kept, type_.element_type)
        zero = self.scalar(0.0, operand)
        op = self.create("stablehlo.reduce", [operand, zero], result, {"dimensions": dimensions}, regions=1)
        body = self._rewriter.add_block(op.regions[0], [zero, zero])
        total = self._rewriter.create("add", body.arguments, before=self._op, result=zero.type)
        returned = self._rewriter.create("return", total.results, before=self._op, result=[])
        for inner in (total, returned):
            inner.move_to_end(body)
        return op.results[0]

    def along(self, name: str, left: Tensor, right: Tensor, dimension: int) -> Tensor:
        """`stablehlo.<name>` of a tensor and a vector that lies along one of its dimensions."""
        attributes = {"broadcast_dimensions": [dimension]}
        type_ = self.tensor_type(list(ir.RankedTensorType(left.type).shape), right)
        if type_.has_static_shape:
            spread = self.create("stablehlo.broadcast_in_dim", [right], type_, attributes)
        else:
            operands = [right, self._shape_of(left)]
            spread = self.create("stablehlo.dynamic_broadcast_in_dim", operands, type_, attributes)
        return self.create(f"stablehlo.{name}", [left, spread], left.type)

    def _shape_of(self, value: Tensor) -> Tensor:
        """Return the dimension sizes of a tensor, as a tensor."""
        rank = ir.RankedTensorType(value.type).rank
        one = ir.RankedTensorType.get([1], ir.IntegerType.get_signless(32))
        sizes = [self.get_dimension_size(value, dimension=i) for i in range(rank)]
        lists = [self.create("stablehlo.reshape", [size], one) for size in sizes]
        return self.create("stablehlo.concatenate", lists, None, {"dimension": 0})

    def shape(self, value: Tensor) -> list[int]:
        """Return the dimension sizes of a tensor. Raises `NotDecomposableError` for an unknown one."""
        if value.tensor.static_shape is None:
            raise NotDecomposableError
        return list(value.tensor.static_shape)

    def tensor_type(self, shape: Sequence[int], like: Tensor) -> ir.RankedTensorType:
        """Return a tensor type with the element type of a tensor."""
        return ir.RankedTensorType.get(list(shape), ir.RankedTensorType(like.type).element_type)

    def result_type(self) -> ir.Type:
        """Return the declared type of the decomposed op's first result."""
        return self._op.results[0].type


def _number(value: float, element: ir.Type) -> np.ndarray:
    """`value` in an element type. Raises `NotDecomposableError` where the type has nothing near it."""
    number = np.asarray(value).astype(dtype_of(element))
    exact = complex(number)
    if not np.isfinite(exact) or bool(exact) != bool(value):
        raise NotDecomposableError
    return number
