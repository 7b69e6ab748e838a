"""The exported programs that the jax wheel carries, with inputs and results, for JAX's promise to run them for years.

They are read from the wheel that is installed. Factorizations are compared by what they factor, where signs and order
are free; every program that does not agree is named with its reason.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import stablehlo_py
from stablehlo_py.bindings.bytecode import bytecode_of
from stablehlo_py.interpreter.custom_calls import custom_call_handler, find_handler, registry

# The expected results are a TPU's, which takes the initial value several times where the spec takes it once, and it is
# no identity of the body. XLA for CPUs gives what the interpreter gives.
DISAGREE = {"tpu_stablehlo_dynamic_reduce_window.data_variadic_2023_06_17"}
LEAST = 125
"""How many have to agree."""


def _modules() -> Iterator[ModuleType]:
    spec = importlib.util.find_spec("jax")
    if spec is None or spec.submodule_search_locations is None:
        return
    (root,) = spec.submodule_search_locations
    for path in sorted(Path(root, "_src", "internal_test_util", "export_back_compat_test_data").glob("[!_]*.py")):
        module_spec = importlib.util.spec_from_file_location(f"back_compat_{path.stem}", path)
        assert module_spec is not None
        assert module_spec.loader is not None
        module = importlib.util.module_from_spec(module_spec)
        module_spec.loader.exec_module(module)
        module.__name__ = path.stem
        yield module


def _leaves(name: str, value: Any) -> Iterator[tuple[str, dict[str, Any]]]:
    if isinstance(value, dict) and "testdata_version" in value:
        yield name, value
    elif isinstance(value, dict):
        for key, part in value.items():
            yield from _leaves(f"{name}.{key}", part)


@cache
def programs() -> dict[str, dict[str, Any]]:
    """Every program of the wheel, by file and keys."""
    found = {}
    for module in _modules():
        for key, value in vars(module).items():
            if not key.startswith("_"):
                found.update(_leaves(f"{module.__name__}.{key}", value))
    return found


class Watched:
    """Runs a program and keeps the operands of its matrix calls."""

    def __init__(self, data: dict[str, Any]) -> None:
        self.matrices: list[np.ndarray] = []
        module = stablehlo_py.deserialize(data["mlir_module_serialized"])
        users = dict(registry.USERS)
        for target in data["custom_call_targets"]:
            handler = find_handler(target)
            if handler is not None:
                custom_call_handler(target)(self._watching(handler))
        try:
            self.results = stablehlo_py.interpret(module, [np.asarray(value) for value in data["inputs"]])
        finally:
            registry.USERS.clear()
            registry.USERS.update(users)

    def _watching(self, handler: Callable[..., Any]) -> Callable[..., Any]:
        def run(call: Any, *operands: Any) -> Any:
            self.matrices += [np.asarray(operand) for operand in operands[:1]]
            return handler(call, *operands)

        return run


def adjoint(a: np.ndarray) -> np.ndarray:
    return a.conj().swapaxes(-1, -2)


def hermitian(a: np.ndarray) -> np.ndarray:
    return np.tril(a) + adjoint(np.tril(a, -1))


def check_eigh(a: np.ndarray, v: np.ndarray, w: np.ndarray, close: Callable[..., None]) -> None:
    close(v * w[..., None, :] @ adjoint(v), hermitian(a))
    close(adjoint(v) @ v, np.broadcast_to(np.eye(v.shape[-1]), v.shape))


def check_eig(a: np.ndarray, w: np.ndarray, vl: np.ndarray, vr: np.ndarray, close: Callable[..., None]) -> None:
    close(a @ vr, vr * w[..., None, :])
    close(adjoint(vl) @ a, w[..., :, None] * adjoint(vl))


def check_svd(a: np.ndarray, *parts: np.ndarray, close: Callable[..., None]) -> None:
    s, u, vt = sorted(parts, key=lambda part: part.ndim)
    close(u[..., : s.shape[-1]] * s[..., None, :] @ vt[..., : s.shape[-1], :], a)


def check_schur(a: np.ndarray, t: np.ndarray, z: np.ndarray, close: Callable[..., None]) -> None:
    close(z @ t @ adjoint(z), a)


# What to check in place of the results, for programs whose results are not the only ones.
CHECKS = {"_eigh_": check_eigh, "tpu_Eigh": check_eigh, "_eig_": check_eig, "_svd_": check_svd, "_schur_": check_schur}


def agrees(name: str, data: dict[str, Any]) -> None:
    """Raise AssertionError, or what running raises, unless the program gives the wheel's results."""
    run = Watched(data)
    expected = [np.asarray(value) for value in data["expected_outputs"]]
    assert [(r.shape, r.dtype) for r in run.results] == [(e.shape, e.dtype) for e in expected]
    is_double = any(part.dtype in (np.float64, np.complex128) for part in expected)
    tolerance = 1e-8 if is_double else 2e-3

    def close(left: np.ndarray, right: np.ndarray) -> None:
        scale = max(1, np.abs(right).max(initial=0))
        np.testing.assert_allclose(left / scale, right / scale, rtol=tolerance, atol=tolerance)

    check = next((check for part, check in CHECKS.items() if part in name), None)
    if check is None:
        for result, value in zip(run.results, expected, strict=True):
            close(result, value)
        return
    check(run.matrices[0], *run.results, close=close)
    for result, value in zip(run.results, expected, strict=True):
        if result.ndim == expected[-1].ndim - 1 or result.ndim < 2:  # eigenvalues and singular values are what they are
            close(np.sort(result), np.sort(value))


@pytest.mark.parametrize("name", list(programs()))
def test_agrees(name):
    if name in DISAGREE:
        with pytest.raises(AssertionError):
            agrees(name, programs()[name])
    else:
        agrees(name, programs()[name])


def test_enough_agree():
    if not programs():
        pytest.skip("the programs are in the jax wheel, which is not installed (stablehlo-py[test])")
    assert len(programs()) - len(DISAGREE) >= LEAST


@pytest.mark.parametrize("name", [name for name in programs() if name in DISAGREE])
def test_what_disagrees_does_so_in_xla_for_cpus_too(name):
    from jaxlib import _jax
    from xla import compiled

    data = programs()[name]
    module = stablehlo_py.deserialize(data["mlir_module_serialized"])
    types = ",".join(f"tensor<3x4x{'f32' if array.dtype.kind == 'f' else 'i32'}>" for array in data["inputs"])
    stablehlo_py.run_passes(module, f"builtin.module(stablehlo-refine-arguments{{types={types}}})")
    static = stablehlo_py.deserialize(_jax.mlir.refine_polymorphic_shapes(bytecode_of(module)))
    ours = stablehlo_py.load(data["mlir_module_serialized"])(*data["inputs"])
    for result, other in zip(ours, compiled(str(static), data["inputs"]), strict=True):
        np.testing.assert_array_equal(result, other)
