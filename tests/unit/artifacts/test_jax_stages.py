"""Programs of `jax.jit(f).trace(…)` and `.lower(…)`, loaded without an export."""

from __future__ import annotations

import dataclasses
import subprocess
import sys
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np
import pytest

import stablehlo_py
from stablehlo_py.artifacts.formats import jax_export, recognize, to_mlir
from stablehlo_py.artifacts.formats.jax_export import Export
from stablehlo_py.errors import ArgumentError, InputError, ProviderError
from stablehlo_py.isolation import policy
from stablehlo_py.syntax.source import Source

jax = pytest.importorskip("jax", reason="the package jax is not installed")
WEIGHTS = {"a": np.ones((2, 3), np.float32), "unused": np.float32(0)}
X = np.float32([1, 2, 3])


def product(w, x, *, flag, scale):
    return {"y": w["a"] @ x * scale, "flag": flag}


@pytest.mark.parametrize("stage", ["trace", "lower"])
def test_a_stage_is_called_as_its_function(stage):
    jitted = jax.jit(product, static_argnames="scale")
    program = stablehlo_py.load(getattr(jitted, stage)(WEIGHTS, X, flag=True, scale=2))
    result = program(WEIGHTS, X, flag=False)
    assert result["y"].tolist() == [12, 12]
    assert result["flag"].tolist() is False
    with pytest.raises(stablehlo_py.ArgumentError, match="named arguments: flag"):
        program(WEIGHTS, X)


def test_keys_tokens_and_single_results_pass():
    def draw(key):
        jax.debug.print("a message", ordered=True)
        return jax.random.bits(key, (3,))

    key = jax.random.key(3)
    expected = jax.random.bits(key, (3,))
    program = stablehlo_py.load(jax.jit(lambda key: jax.random.bits(key, (3,))).lower(key))
    np.testing.assert_array_equal(program(key), expected)
    with pytest.raises(stablehlo_py.StablehloError, match="callback"):
        stablehlo_py.load(jax.jit(draw).lower(key))(key)


def test_a_stage_for_several_platforms_runs_as_on_a_cpu():
    def on_platform(x):
        return jax.lax.platform_dependent(x, cpu=lambda x: x + 1, default=lambda x: x - 1)

    lowered = jax.jit(on_platform).trace(X).lower(lowering_platforms=("tpu", "cpu"))
    assert stablehlo_py.load(lowered)(X).tolist() == [2, 3, 4]


def test_other_functions_take_stages():
    lowered = jax.jit(lambda x: x + x).lower(X)
    assert "stablehlo.add" in str(stablehlo_py.parse(lowered))
    assert stablehlo_py.interpret(lowered, [X])[0].tolist() == [2, 4, 6]
    stablehlo_py.verify(lowered)
    diff = stablehlo_py.load(lowered).diff(jax.jit(lambda x: x + x).trace(X))
    assert repr(diff) == "<Diff: the same program>"


def test_a_jitted_function_asks_for_its_arguments():
    with pytest.raises(stablehlo_py.InputError, match="expected text, bytes or a path") as error:
        stablehlo_py.load(jax.jit(lambda x: x))
    assert "lower(…)" in error.value.notes[0]


def test_looking_for_a_stage_does_not_import_jax():
    code = "import sys, stablehlo_py as s; s.load('func.func @main() { return }'); print('jax' in sys.modules)"
    completed = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert completed.stdout == "False\n"


def test_an_export_with_a_calling_convention_older_than_jax_supports_is_read():
    export = pytest.importorskip("jax.export", reason="the export is made with jax")
    exported = export.export(jax.jit(lambda x: x * 2))(X)
    former = dataclasses.replace(
        exported, calling_convention_version=export.minimum_supported_calling_convention_version - 1
    )
    program = stablehlo_py.load(bytes(former.serialize()))
    assert program(X).tolist() == [2, 4, 6]


class Point(NamedTuple):
    """A type of node that is not Python's own."""

    x: Any
    y: Any


def function(x: Any, tree: Any, unused: Any, *, mask: Any) -> Any:
    return {"sum": x + tree["w"][0], "rest": [tree["w"][1] * mask, None]}


ARGUMENTS = (np.float32(1), {"w": (np.float32(2), np.float32(3)), "n": None}, np.float32(9))
KEYWORDS = {"mask": np.float32(5)}
LEAVES = [("args[0]", 1), ("args[1]['w'][0]", 2), ("args[1]['w'][1]", 3), ("args[2]", 9), ("kwargs['mask']", 5)]


def exported(called: Callable[..., Any] = function, **options: Any) -> Any:
    return jax.export.export(jax.jit(called), **options)(*ARGUMENTS, **KEYWORDS)


def test_exports_objects_and_stages_tell_the_same() -> None:
    jitted = jax.jit(function)
    whole = exported()
    found = {
        "bytes": jax_export.read_export(bytes(whole.serialize())),
        "object": jax_export.from_exported(whole),
        "traced": jax_export.from_stage(jitted.trace(*ARGUMENTS, **KEYWORDS)),
        "lowered": jax_export.from_stage(jitted.lower(*ARGUMENTS, **KEYWORDS)),
    }
    for how, each in found.items():
        assert each.kept == (0, 1, 2, 4), how
        assert each.devices == 1, how
        assert each.name == ("function" if how in ("bytes", "object") else "jit_function"), how
        assert each.platforms[:1] in (("cpu",), ()), how
        assert each.platform_index == 0
        assert each.program.startswith(b"ML\xefR"), how
        assert [(name, int(value)) for name, value in each.flatten(ARGUMENTS, KEYWORDS)] == LEAVES, how
        assert each.unflatten([1, 2]) == {"rest": [1, None], "sum": 2}, how
    assert jax_export.is_exported_object(whole)
    assert not jax_export.is_exported_object(found["bytes"])
    assert [jax_export.is_stage(each) for each in (jitted.trace(*ARGUMENTS, **KEYWORDS), jitted, whole)] == [
        True,
        False,
        False,
    ]


def test_the_cpu_is_found_among_several_platforms() -> None:
    whole = exported(platforms=("tpu", "cuda", "cpu"))
    for each in (jax_export.read_export(bytes(whole.serialize())), jax_export.from_exported(whole)):
        assert each.platforms == ("tpu", "cuda", "cpu")
        assert each.platform_index == 2
    assert Export("f", b"", lambda *_: [], lambda _: None, (), ("tpu", "cuda")).platform_index == 0
    assert Export("f", b"", lambda *_: [], lambda _: None, ()).devices == 1


def of_points(point: Any) -> Any:
    return Point(point.y, point.x)


def test_nodes_of_other_types_are_taken_apart_by_jax_alone() -> None:
    point = Point(np.float32(1), np.float32(2))
    stage = jax.jit(of_points).lower(point)
    found = jax_export.from_stage(stage)
    assert [(name, int(value)) for name, value in found.flatten((point,), {})] == [("", 1), ("", 2)]
    assert found.unflatten([1, 2]) == Point(1, 2)
    with pytest.raises(ArgumentError, match=r"the arguments are nested as .*, and the program takes .*Point"):
        found.flatten(((1, 2),), {})
    keys = jax.jit(lambda x: x[1]).lower({1: np.float32(1)})  # keys that no path names
    assert [name for name, _ in jax_export.from_stage(keys).flatten(({1: np.float32(1)},), {})] == [""]


def test_exports_of_other_types_are_refused_with_a_remedy() -> None:
    jax.export.register_namedtuple_serialization(Point, serialized_name="tests.Point")
    data = bytes(jax.export.export(jax.jit(of_points))(Point(np.float32(1), np.float32(2))).serialize())
    with pytest.raises(InputError, match=r"the export nests values in 'tests\.Point', a type of the program") as raised:
        jax_export.read_export(data)
    assert raised.value.notes == ("pass the jax.export.Exported that jax.export.deserialize makes of it",)
    assert recognize(Source("f", data)) == "jax-export"


def test_exports_are_compared_with_jax(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(policy, "_expendable", True)
    seen: list[Any] = []

    def check(program: bytes, original: Any) -> str:
        kept = [np.float32(value) for value in (1, 2, 3, 5)]
        seen.append((program, original.framework, [float(each) for each in original.run(kept, 0)]))
        with pytest.raises(InputError, match="the program of an export is what jax wrote"):
            original.expanded()
        return "the check's doubt"

    whole = exported()
    for each in (whole, bytes(whole.serialize())):
        assert jax_export.check_export(each, check) == "the check's doubt"
    assert [(framework, results) for _, framework, results in seen] == [("jax", [15.0, 3.0])] * 2
    assert all(b"stablehlo.add" in program for program, *_ in seen)
    data = bytes(whole.serialize())
    assert to_mlir(data, "jax-export", check=check) == (jax_export.read_export(data).program, "the check's doubt")
    assert to_mlir(data, "jax-export")[1] == ""
    unsaved = SimpleNamespace(serialize=lambda: (_ for _ in ()).throw(ValueError("no")))
    with pytest.raises(InputError, match="the import cannot be checked: no"):
        jax_export.check_export(unsaved, check)
    monkeypatch.setitem(sys.modules, "jax.export", None)
    with pytest.raises(ProviderError, match="exports are compared by jax: pip install jax") as raised:
        jax_export.check_export(data, check)
    assert raised.value.notes


def test_damaged_exports_say_what_is_missing() -> None:
    data = bytes(exported().serialize())
    assert recognize(Source("f", data)) == "jax-export"
    assert not jax_export.is_export(data[:20])
    assert not jax_export.is_export(b"")
    assert not jax_export.is_export(data.replace(b"ML\xefR", b"XXXX"))
    with pytest.raises(InputError):
        jax_export.read_export(data[:20])


def test_arguments_that_are_kept_are_in_order() -> None:
    """Of the numbers 1 and 8, a set gives 8 first."""
    given = [np.float32(number) for number in range(12)]
    stage = jax.jit(lambda *x: x[8] - x[1]).trace(*given)
    found = jax_export.from_stage(stage)
    assert found.kept == (1, 8)
    assert float(stablehlo_py.load(stage)(*given)) == 7
