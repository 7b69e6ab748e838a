"""One op as its kernel sees it while a region becomes a plan: types and attributes decoded, regions ready to run."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import numpy as np

from ..bindings import ir
from ..bindings.attributes import enum_of, int_of, ints_of, string_of, symbol_name, symbol_of
from ..bindings.diagnostics import file_location
from ..bindings.elements import to_numpy
from ..bindings.types import ElementType, TensorType, ValueType
from ..errors import InterpreterError

if TYPE_CHECKING:
    from .element_types.arithmetic import Arithmetic, Operation
    from .probe import ProbeDirectory
    from .settings import Settings
    from .values import Value


class Kernel(Protocol):
    """Computes an op: takes a `Body` for each region, then the operands' values."""

    def __call__(self, *arguments: Any, **options: Any) -> Value | Sequence[Value] | None:
        """Return the result, a sequence of several, or None."""
        ...


_REQUIRED: Any = object()


class RegionFacts(NamedTuple):
    """Facts about a region before it runs.

    `elementwise` says that every op in it works element by element on 0-d tensors, so that running it once on whole
    arrays gives what running it on each element would. `sole_op` names the only op before the terminator when that op
    takes exactly the region's arguments, in order, and its results are what the region returns; else it is empty.
    """

    argument_types: tuple[ValueType, ...]
    elementwise: bool
    sole_op: str


class Body(Protocol):
    """A region bound to the outside values it uses, as a kernel sees it."""

    def __call__(self, *arguments: Value) -> tuple[Value, ...]:
        """Run the region."""
        ...

    def on_arrays(self, *arguments: Value) -> tuple[Value, ...]:
        """The results for arrays in place of 0-d arguments, where `RegionFacts.elementwise` holds. A result that does
        not depend on the arguments is 0-d."""
        ...


class Operations(Protocol):
    """The operations that definitions are made of, which `reading.Reading` documents."""

    def constant(self, op: Op) -> np.ndarray: ...

    def arithmetic(self, element_type: ElementType) -> Arithmetic: ...

    def converter(self, source: ElementType, target: ElementType) -> Operation: ...

    def stable_order(self, comparator: Body, facts: RegionFacts, lanes: tuple[np.ndarray, ...]) -> np.ndarray: ...

    def matmul(self, lhs: np.ndarray, rhs: np.ndarray, dtype: np.dtype, in_order: bool) -> np.ndarray: ...

    def sum(self, elements: ElementType, operand: Any, dimensions: tuple[int, ...]) -> Any: ...

    def steps(self, op: Op) -> Any: ...


class ProgramContext(Protocol):
    """The program as its ops see it, which `planner.Planner` documents."""

    @property
    def settings(self) -> Settings: ...

    @property
    def reading(self) -> Operations: ...

    def callable(self, name: str) -> Callable[..., tuple[Value, ...]]: ...

    def plan(self, name: str) -> Any: ...

    def planned(self, name: str) -> Any: ...

    def body(self, name: str) -> tuple[Body, RegionFacts]: ...

    def parameter_count(self, name: str) -> int: ...

    def probes(self, op: Op) -> ProbeDirectory: ...

    def symbol(self, name: str) -> ir.Operation | None: ...


@dataclass(eq=False, repr=False, slots=True)
class Op:
    """The static parts of one op. Attribute readers raise `InterpreterError` where the attribute is absent and no
    default is given; a default stands for the spec's, or for None where the spec leaves the attribute optional."""

    operation: ir.Operation
    name: str
    operand_types: tuple[ValueType, ...]
    result_types: tuple[ValueType, ...]
    regions: tuple[RegionFacts, ...]
    program: ProgramContext

    @property
    def location(self) -> str:
        return file_location(self.operation.location)

    @property
    def function(self) -> ir.Operation | None:
        """The function that the op is in."""
        parent = self.operation.parent
        while parent is not None and parent.operation.name != "func.func":
            parent = parent.operation.parent
        return None if parent is None else parent.operation

    @property
    def function_name(self) -> str:
        """The name of the function that the op is in, or an empty text."""
        return "" if self.function is None else symbol_name(self.function)

    def error(self, message: str) -> InterpreterError:
        """Return an error about this op, to be raised."""
        return InterpreterError(message, op=self.name, location=self.location)

    def has(self, name: str) -> bool:
        """Whether the attribute is present."""
        return name in self.operation.attributes

    def attribute(self, name: str, default: Any = _REQUIRED) -> Any:
        """Return the attribute as the bindings have it."""
        attributes = self.operation.attributes
        if name in attributes:
            return attributes[name]
        if default is _REQUIRED:
            raise self.error(f"requires attribute '{name}'")
        return default

    def _read(self, name: str, default: Any, read: Callable[[Any], Any]) -> Any:
        return read(self.attribute(name)) if default is _REQUIRED or self.has(name) else default

    def ints(self, name: str, default: Any = _REQUIRED) -> tuple[int, ...]:
        """A list of integers, whatever its attribute kind: array<i64>, dense elements or an array of integers."""
        return self._read(name, default, ints_of)

    def int(self, name: str, default: Any = _REQUIRED) -> int:
        return self._read(name, default, int_of)

    def float(self, name: str, default: Any = _REQUIRED) -> float:
        return self._read(name, default, lambda attribute: float(ir.FloatAttr(attribute).value))

    def bool(self, name: str, default: Any = _REQUIRED) -> bool:
        return self._read(name, default, lambda attribute: bool(ir.BoolAttr(attribute).value))

    def string(self, name: str, default: Any = _REQUIRED) -> str:
        return self._read(name, default, string_of)

    def symbol(self, name: str, default: Any = _REQUIRED) -> str:
        return self._read(name, default, symbol_of)

    def enum(self, name: str, default: Any = _REQUIRED) -> str:
        """Return the name of an enumeration's value, such as `LT` of `#stablehlo<comparison_direction LT>`."""
        return self._read(name, default, enum_of)

    def elements(self, name: str, default: Any = _REQUIRED) -> np.ndarray:
        """Return a dense attribute as an array."""
        return self._read(name, default, to_numpy)

    def constant(self) -> np.ndarray:
        """Return the value of a constant op, of any element type."""
        return self.program.reading.constant(self)

    def arithmetic(self, operand: int = 0) -> Arithmetic:
        """Return the operations on the elements of an operand."""
        return self.arithmetic_of(self.tensor_operand(operand).element_type)

    def arithmetic_of(self, element_type: ElementType) -> Arithmetic:
        """Return the operations on elements of a type."""
        return self.program.reading.arithmetic(element_type)

    def converter(self, source: ElementType, target: ElementType) -> Operation:
        """Return the conversion of elements of one type to another."""
        return self.program.reading.converter(source, target)

    def tensor_operand(self, index: int) -> TensorType:
        """Return the type of an operand that the op requires to be a tensor."""
        return self._tensor(self.operand_types[index])

    def tensor_result(self, index: int = 0) -> TensorType:
        """Return the type of a result that the op requires to be a tensor."""
        return self._tensor(self.result_types[index])

    def _tensor(self, type_: ValueType) -> TensorType:
        if not isinstance(type_, TensorType):
            raise self.error(f"expects a tensor, not {type_}")
        return type_
