"""The registry of the functions that make kernels, by op."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, TypeVar

from ..extensions import load_installed
from . import ops
from .op import Kernel, Op

MakeKernel = Callable[[Op], Kernel]
_Function = TypeVar("_Function", bound=Callable[..., Any])

_KERNELS: dict[str, MakeKernel] = {}
_BY_TYPES: set[str] = set()
_USERS: dict[str, MakeKernel] = {}
_registrations = 0


def enters(table: dict[str, _Function], names: Sequence[str]) -> Callable[[_Function], _Function]:
    """Return a decorator that enters a function under these names, which have to be new, in a table."""

    def enter(function: _Function) -> _Function:
        for name in names:
            if name in table:
                raise ValueError(f"{name} is there already: {table[name].__qualname__}")
            table[name] = function
        return function

    return enter


def import_modules(package: str, folder: str) -> None:
    """Import all modules of a package that is in this folder."""
    for module in pkgutil.iter_modules([folder]):
        importlib.import_module(f"{package}.{module.name}")


def evaluates(*names: str, by_types: bool = False) -> Callable[[MakeKernel], MakeKernel]:
    """Register the decorated function as the maker of kernels of the ops called `names`.

    The kernel of an elementwise op takes arrays of any shape; 0-d operands broadcast. With `by_types` the kernel
    depends on the op's name and types alone, so that ops which have both in common share one.
    """

    if by_types:
        _BY_TYPES.update(names)
    return enters(_KERNELS, names)


def op_kernel(*names: str) -> Callable[[MakeKernel], MakeKernel]:
    """Make a function what evaluates the ops called `names`, in place of an earlier one or the package's own.

    The function takes the `Op` once and returns the kernel, which takes a callable for each of the op's regions and
    then an array for each operand, and returns the result, a tuple of several, or None.

    Args:
        names: Full names of ops, also of dialects that are not registered.
    """

    def register(make_kernel: MakeKernel) -> MakeKernel:
        _USERS.update(dict.fromkeys(names, make_kernel))
        registered()
        return make_kernel

    return register


def registered() -> None:
    """Note that users registered something, so that plans made before are made again."""
    global _registrations
    _registrations += 1


def registrations() -> int:
    """The number of times that users registered something that plans depend on."""
    return _registrations


def kernels() -> dict[str, MakeKernel]:
    """Return what makes the kernel of each op that has one, by the op's name; users' win over the package's."""
    load_installed()
    import_modules(ops.__name__, ops.__path__[0])
    return {**_KERNELS, **_USERS} if _USERS else _KERNELS


def kernel_maker(name: str) -> MakeKernel | None:
    """Return what makes the kernel of the ops called `name`, or None. Families are imported until one has them."""
    load_installed()
    for family in _families():
        if name in _USERS or name in _KERNELS:
            break
        importlib.import_module(family)
    if name in _USERS or name not in _KERNELS:
        return _USERS.get(name)
    importlib.import_module(_KERNELS[name].__module__)  # waits for another thread that imports it at this moment
    return _KERNELS[name]


def is_by_types(name: str) -> bool:
    """Whether the kernel of the ops called `name` depends on their types alone."""
    return name in _BY_TYPES and name not in _USERS


def is_users(name: str) -> bool:
    """Whether a user's function makes the kernel of the ops called `name`."""
    return name in _USERS


@cache
def _families() -> list[str]:
    """Return the modules of definitions; the modules of frequent ops come first."""
    names = [module.name for module in pkgutil.iter_modules(ops.__path__)]
    first = ("control_flow", "elementwise", "movement", "conversion", "observing")
    return [f"{ops.__name__}.{name}" for name in sorted(names, key=lambda name: name not in first)]
