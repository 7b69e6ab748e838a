"""The few parts of torch that the importer's own decompositions call, by numpy: these are tested without torch, too."""

from __future__ import annotations

import math
from collections.abc import Callable
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np

NotDecomposed = type(NotImplemented)


class Tensor(np.ndarray):
    """An array with the methods of tensors that decompositions call."""

    def movedim(self, source: Any, target: Any) -> Tensor:
        return np.moveaxis(self, source, target).view(Tensor)

    def is_floating_point(self) -> bool:
        return self.dtype.kind == "f"

    def erf(self) -> Tensor:
        return np.vectorize(math.erf)(self).astype(self.dtype).view(Tensor)


def tensor(values: Any, dtype: Any = None) -> Tensor:
    return np.asarray(values, dtype).view(Tensor)


class Overload:
    """One form of an op; `called` are the arguments with which it was called."""

    def __init__(self, name: str, compute: Callable[..., Any]) -> None:
        self.name, self.compute, self.called = name, compute, list[tuple[Any, ...]]()

    def __call__(self, *arguments: Any) -> Any:
        self.called.append(arguments)
        return self.compute(*arguments)

    def __repr__(self) -> str:
        return self.name


class Packet:
    """An op with its forms, and those that torch's op of this name has."""

    def __init__(self, name: str, compute: Callable[..., Any], *forms: str) -> None:
        self._forms = {form: Overload(f"{name}.{form}", compute) for form in forms}

    def __getattr__(self, form: str) -> Overload:
        return self._forms[form]

    def overloads(self) -> list[str]:
        return [*self._forms]


def _index(x: Tensor, indices: list[Any]) -> Tensor:
    """Index as torch does, where a negative index is a mistake that torch-mlir's lowering makes."""
    assert not any((np.asarray(index) < 0).any() for index in indices if index is not None)
    return x[tuple(slice(None) if index is None else np.asarray(index) for index in indices)]


def _index_put(x: Tensor, indices: list[Any], values: Any, accumulate: bool = False) -> Tensor:
    changed = x.copy()
    place = tuple(slice(None) if index is None else np.asarray(index) for index in indices)
    if accumulate:
        np.add.at(changed, place, values)
    else:
        changed[place] = values
    return changed


def _fmod(x: Any, y: Any) -> Tensor:
    return np.fmod(x, y).view(Tensor)


_BINARY = ("Tensor", "Scalar", "Scalar_Tensor")


def module_of(name: str, **contents: Any) -> ModuleType:
    """Return a module of this name that has these contents."""
    made = ModuleType(name)
    made.__dict__.update(contents)
    return made


def torch_module() -> ModuleType:
    """Return a module that stands in for torch."""
    functions = {
        "bitwise_and": np.bitwise_and,
        "bitwise_or": np.bitwise_or,
        "bitwise_xor": np.bitwise_xor,
    }
    shifts = {"bitwise_left_shift": np.left_shift, "bitwise_right_shift": np.right_shift}
    aten = SimpleNamespace(
        **{name: Packet(name, compute, *_BINARY) for name, compute in functions.items()},
        **{name: Packet(name, compute, "Tensor", "Tensor_Scalar", "Scalar_Tensor") for name, compute in shifts.items()},
        **{name: Packet(name, shifts[long], "Tensor", "Scalar") for name, long in
           (("__lshift__", "bitwise_left_shift"), ("__rshift__", "bitwise_right_shift"))},
        **{name: Packet(name, compute, "Tensor", "Scalar") for name, compute in
           (("lt", np.less), ("le", np.less_equal), ("gt", np.greater), ("ge", np.greater_equal))},
        remainder=Packet("remainder", np.remainder, *_BINARY),
        fmod=Packet("fmod", _fmod, "Tensor", "Scalar"),
        index=Packet("index", _index, "Tensor"),
        _unsafe_index=Packet("_unsafe_index", _index, "Tensor"),
        index_put=Packet("index_put", _index_put, "default"),
        empty=Packet("empty", np.empty, "memory_format"),
        diagonal=Packet("diagonal", np.diagonal, "default"),
        erfc=Packet("erfc", np.vectorize(math.erfc), "default"),
    )  # fmt: skip
    torch = ModuleType("torch")
    torch.__dict__.update(
        ops=SimpleNamespace(aten=aten),
        bool=np.dtype(bool),
        uint8=np.dtype(np.uint8),
        where=lambda condition, x, y: np.where(condition, x, y).view(Tensor),
        full_like=lambda x, number, dtype: np.full(x.shape, number, dtype).view(Tensor),
        result_type=lambda x, number: x.dtype if x.dtype.kind == "f" else np.result_type(x.dtype, np.asarray(number)),
        broadcast_tensors=lambda *tensors: [each.view(Tensor) for each in np.broadcast_arrays(*tensors)],
        zeros=lambda size, dtype: np.zeros(size, dtype).view(Tensor),
        arange=lambda first, last: np.arange(first, last).view(Tensor),
    )
    return torch
