"""The decorators that add a Python function to the library, and the cases beside it.

```python
@shape_function("stablehlo.transpose")
@cases(
    Invocation("2x3xf32", permutation=[1, 0], returns="3x2xf32"),
    ErrorInvocation("2x3xf32", permutation=[0, 0], match="permutation"),
)
def transpose(operand: Shape, permutation: list[int]) -> Shape: ...
```
A library function of several ops names them all, and those of their parameters that it uses. Its positional-only
parameters (those before `/`) are the first parameters of each op, whatever these are called there."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from copy import copy
from dataclasses import dataclass, field
from typing import Any, Self, TypeVar

from ..bindings.types import ElementType
from .errors import LibraryError
from .signatures import DTYPE, SHAPE

Function = TypeVar("Function", bound=Callable[..., Any])

_CASES = "type_function_cases"  # the attribute of a function that `cases` sets


@dataclass(frozen=True, init=False)
class Invocation:
    """One use of an op with the types that come out. Operands and results are types as MLIR writes them inside
    `tensor<…>`, or whole types such as `!stablehlo.token`; a list of them for a variadic group. Attributes are Python
    values or, where the library function does not look at them, MLIR text. `values` gives operands that determine
    shapes their elements; `regions` are MLIR text, where the op needs others than the ones it is tested with
    otherwise."""

    operands: tuple[str | list[str], ...]
    returns: tuple[str, ...]
    attributes: Mapping[str, Any]
    values: Mapping[str, Any]
    regions: tuple[str, ...]
    match: str = ""

    def __init__(
        self,
        *operands: str | list[str],
        returns: str | Sequence[str] = (),
        values: Mapping[str, Any] | None = None,
        regions: Sequence[str] = (),
        **attributes: Any,
    ) -> None:
        object.__setattr__(self, "operands", operands)
        object.__setattr__(self, "returns", (returns,) if isinstance(returns, str) else tuple(returns))
        object.__setattr__(self, "attributes", attributes)
        object.__setattr__(self, "values", {} if values is None else values)
        object.__setattr__(self, "regions", tuple(regions))

    def completed(self, attributes: Mapping[str, Any]) -> Self:
        """Return the same with these attributes, unless it has them."""
        result = copy(self)
        object.__setattr__(result, "attributes", {**attributes, **self.attributes})
        return result


@dataclass(frozen=True, init=False)
class ErrorInvocation(Invocation):
    """One use of an op that the library function has to reject, with a message that the regular expression `match`
    finds. `returns` is the declared type, where the op needs one. `accepted_officially` is the reason why the official
    inference accepts it, or empty."""

    accepted_officially: str = ""

    def __init__(self, *operands: str | list[str], match: str, accepted_officially: str = "", **rest: Any) -> None:
        super().__init__(*operands, **rest)
        object.__setattr__(self, "match", match)
        object.__setattr__(self, "accepted_officially", accepted_officially)


Needs = Callable[[ElementType], bool]


@dataclass(frozen=True)
class Registration:
    """A library function as its decorator found it. `kind` is shape, dtype or decomposition. `target` is the target of
    a custom call or the name of a composite, or empty. `needs` tells the element types of a decomposition."""

    kind: str
    op: str
    target: str
    function: Callable[..., Any]
    needs: Needs = lambda _: True

    @property
    def symbol(self) -> str:
        """The name of the compiled function."""
        return f"{self.op}.{self.kind}.{self.target}" if self.target else f"{self.op}.{self.kind}"

    @property
    def cases(self) -> tuple[Invocation, ...]:
        """The cases beside the function that are about this op."""
        lists: dict[tuple[str, ...], tuple[Invocation, ...]] = getattr(self.function, _CASES, {})
        own = [invocations for ops, invocations in lists.items() if self.op in ops]
        return sum(own, ()) if own else lists.get((), ())


Key = tuple[str, str, str]  # kind, op and target of a registration


@dataclass
class Collection:
    """The functions of one library, in the order of their definition. Registering twice is an error, except
    where `replaces` says that the last one wins; `count` is how often something was registered."""

    registrations: dict[Key, Registration] = field(default_factory=dict[Key, Registration])
    replaces: bool = False
    count: int = 0

    def add(self, registration: Registration) -> None:
        key = (registration.kind, registration.op, registration.target)
        self.count += 1
        if key in self.registrations and not self.replaces:
            subject = f"{registration.op} @{registration.target}" if registration.target else registration.op
            raise LibraryError(f"'{subject}' already has a {registration.kind} function in this library")
        self.registrations[key] = registration


BUILT_IN = Collection()
"""The library functions that come with the package."""
USERS = Collection(replaces=True)
"""Functions registered outside the package and outside any `collecting()`; they win over the package's."""
_collections: list[Collection] = []
_PACKAGE = f"{__name__.partition('.')[0]}."


@contextmanager
def collecting() -> Generator[Collection]:
    """Library functions that are defined inside go to the collection that this yields."""
    collection = Collection()
    _collections.append(collection)
    try:
        yield collection
    finally:
        _collections.remove(collection)


def _registrar(
    kind: str, ops: Sequence[str], target: str = "", needs: Needs = lambda _: True
) -> Callable[[Function], Function]:
    for op in ops:
        if target and op not in ("stablehlo.custom_call", "stablehlo.composite"):
            raise LibraryError(f"only custom_call and composite have targets, '{op}' does not")

    def register(function: Function) -> Function:
        for chosen in getattr(function, _CASES, {}):
            for op in chosen:
                if op not in ops:
                    raise LibraryError(f"{function.__name__} has cases of '{op}', whose {kind} function it is not")
        own = BUILT_IN if function.__module__.startswith(_PACKAGE) else USERS
        for op in ops:
            (_collections or [own])[-1].add(Registration(kind, op, target, function, needs))
        return function

    return register


def shape_function(*ops: str, target: str = "") -> Callable[[Function], Function]:
    """Make a function the one that calculates the shapes of the results of one or more ops."""
    return _registrar(SHAPE, ops, target)


def dtype_function(*ops: str, target: str = "") -> Callable[[Function], Function]:
    """Make a function the one that calculates the element types of the results of one or more ops."""
    return _registrar(DTYPE, ops, target)


def decomposition(op: str, *, needs: Needs = lambda element: element.has_zero) -> Callable[[Function], Function]:
    """Make a function the one that expresses an op by others; see `passes/decomposition`.

    Args:
        op: The op's full name.
        needs: Whether the function holds for an element type of the op's operands and results, none of which is
            quantized; by default for all that have a zero.
    """
    return _registrar("decomposition", (op,), needs=needs)


def cases(*invocations: Invocation, ops: Sequence[str] = (), **attributes: Any) -> Callable[[Function], Function]:
    """Put cases beside a shape function; they test the dtype functions of its ops too.

    Args:
        invocations: The cases.
        ops: The ops that these are cases of; by default those of the function's that no other list names.
        attributes: Attributes of every case that does not give another.
    """
    complete = tuple(invocation.completed(attributes) for invocation in invocations)

    def attach(function: Function) -> Function:
        function.__dict__[_CASES] = {tuple(ops): complete} | getattr(function, _CASES, {})
        return function

    return attach
