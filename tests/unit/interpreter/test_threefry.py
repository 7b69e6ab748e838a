"""JAX's random bits are computed at once, and are those of the ops; other functions are left to their ops."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from parsed import parsed

from stablehlo_py.errors import ResourceError
from stablehlo_py.interpreter import registry
from stablehlo_py.interpreter.fast import control_flow, threefry
from stablehlo_py.interpreter.op import Kernel, Op
from stablehlo_py.interpreter.program import Program
from stablehlo_py.interpreter.settings import Settings

KEYS = [np.array(key, np.uint32) for key in ([0, 0], [1, 2**32 - 1], [0xDEADBEEF, 7])]


def draws(*shape: int) -> str:
    """A program that draws bits of this shape with JAX's function."""
    jax: Any = pytest.importorskip("jax")
    key = jax.ShapeDtypeStruct((2,), np.uint32)
    return jax.jit(lambda key: jax.random.bits(jax.random.wrap_key_data(key), shape)).lower(key).as_text()


def run(text: str, key: np.ndarray, **settings: Any) -> np.ndarray:
    [result] = Program(parsed(text), Settings(**settings)).run([key])
    return np.asarray(result)


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[Kernel | None]:
    """What calls got in place of their definitions."""
    kernels = list[Kernel | None]()

    def noted(op: Op) -> Kernel | None:
        kernels.append(threefry.threefry(op))
        return kernels[-1]

    monkeypatch.setattr(control_flow, "threefry", noted)
    return kernels


@pytest.mark.parametrize("shape", [(), (1,), (4,), (3, 5), (256,), (257,)])
def test_bits_are_those_of_the_ops(shape: tuple[int, ...], made: list[Kernel | None]) -> None:
    text = draws(*shape)
    for key in KEYS:
        found, expected = run(text, key), run(text, key, fast=False)
        assert found.dtype == np.uint32
        np.testing.assert_array_equal(found, expected)
    assert any(made) == (shape != (257,))


@pytest.mark.parametrize(
    ("old", "new"), [("[13, 15, 26, 6]", "[13, 15, 26, 7]"), ("466688986", "466688987"), ("xor", "or")]
)
def test_another_function_of_the_name_is_left_to_its_ops(old: str, new: str, made: list[Kernel | None]) -> None:
    text = draws(4)
    assert old in text
    text = text.replace(old, new)
    np.testing.assert_array_equal(run(text, KEYS[1]), run(text, KEYS[1], fast=False))
    assert not any(made)


def test_steps_are_counted(made: list[Kernel | None]) -> None:
    with pytest.raises(ResourceError):
        run(draws(4), KEYS[0], max_steps=100)
    assert not any(made)


def test_ops_of_users_are_run(made: list[Kernel | None], monkeypatch: pytest.MonkeyPatch) -> None:
    text = draws(4)
    monkeypatch.setattr(registry, "_USERS", dict(registry._USERS))
    registry.op_kernel("stablehlo.xor")(lambda op: lambda lhs, rhs: np.bitwise_or(lhs, rhs))
    np.testing.assert_array_equal(run(text, KEYS[1]), run(text, KEYS[1], fast=False))
    assert not any(made)
