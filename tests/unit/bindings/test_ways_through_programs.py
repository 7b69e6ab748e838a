"""Ways through a program that visit parts of it, new ops with their places, and constants without resources."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from stablehlo_py import program
from stablehlo_py.bindings import elements, ir, make_context, provider
from stablehlo_py.bindings.build import create, create_value, detached_copy, refresh_type, tensor_type
from stablehlo_py.bindings.context import context_like, is_registered_pass, loaded_dialects
from stablehlo_py.bindings.resources import write_out_resources
from stablehlo_py.bindings.shardings import xla_shardings
from stablehlo_py.bindings.walk import (
    body_of,
    children,
    descend,
    functions,
    handed_on,
    insertion_point_after,
    is_result,
    is_used,
    operations,
    operations_of,
    outermost,
    terminator_of,
)
from stablehlo_py.debug.imports import ImportCheck
from stablehlo_py.errors import ResourceError, StablehloError, UsageError
from stablehlo_py.isolation import worker
from stablehlo_py.isolation.worker import Worker

NEST = """
"builtin.module"() ({
  "t.a"() ({
    "t.b"() ({ "t.c"() : () -> () }, { "t.d"() : () -> () "t.e"() : () -> () }) : () -> ()
    "t.f"() : () -> ()
  }) : () -> ()
  "t.g"() ({}) : () -> ()
}) : () -> ()
"""
CHAIN = """func.func @main(%a: tensor<i32>, %b: tensor<f32>) -> tensor<i32> {
  %0 = stablehlo.abs %a : tensor<i32>
  %1 = stablehlo.convert %b : (tensor<f32>) -> tensor<i32>
  %2 = stablehlo.add %1, %0 : tensor<i32>
  %3 = stablehlo.negate %2 : tensor<i32>
  return %2 : tensor<i32>
}"""


@pytest.fixture
def context() -> Iterator[ir.Context]:
    context = make_context(allow_unregistered_dialects=True)
    with context, ir.Location.unknown():
        yield context


def letters(found: list[ir.Operation]) -> str:
    return "".join(op.name.removeprefix("t.") for op in found)


@pytest.mark.usefixtures("context")
@pytest.mark.parametrize(
    ("closed", "visited"), [("", "abcdefg"), ("a", "ag"), ("b", "abfg"), ("cdefg", "abcdefg"), ("abg", "ag")]
)
def test_regions_are_entered_where_they_may_be(closed: str, visited: str) -> None:
    module, asked = ir.Module.parse(NEST).operation, list[ir.Operation]()

    def enters(op: ir.Operation) -> bool:
        asked.append(op)
        return op.name.removeprefix("t.") not in closed

    descend(module, enters)
    assert letters(asked) == visited


@pytest.mark.usefixtures("context")
def test_ops_of_a_region_and_the_op_around_all() -> None:
    module = ir.Module.parse(NEST).operation
    a, _ = children(module)
    b, f = children(a)
    assert [letters(operations_of(b, region)) for region in b.regions] == ["c", "de"]
    assert letters(operations_of(a, a.regions[0])) == "bf"
    assert [outermost(op) for op in (module, a, f, children(b)[0])] == [module] * 4
    alone = detached_copy(b)
    assert letters(operations(alone)) == "bcde"
    assert letters(operations(module)[1:]) == "abcdefg"


@pytest.mark.usefixtures("context")
def test_a_value_is_traced_back_through_operands_like_it() -> None:
    module = ir.Module.parse(CHAIN)
    main = functions(module.operation)["main"]
    absolute, converted, added, negated, _ = children(main)
    a, b = body_of(main).arguments

    def is_integer(value: ir.Value) -> bool:
        return "i32" in str(value.type)

    start = negated.results[0]
    whole = [start, added.results[0], converted.results[0]]
    assert handed_on(start, is_integer) == whole
    for most in range(1, 5):
        assert handed_on(start, is_integer, most) == whole[:most]
    assert handed_on(absolute.results[0], is_integer) == [absolute.results[0], a]
    assert handed_on(start, lambda _: True) == [*whole, b]
    assert handed_on(start, lambda _: False) == [start]
    assert [is_result(value) for value in (start, a)] == [True, False]
    assert [is_used(value) for value in (start, added.results[0], a)] == [False, True, True]


def test_values_that_go_round_are_traced_back_once() -> None:
    context = make_context(allow_unregistered_dialects=True)
    module = ir.Module.parse('%0 = "t.a"(%2) : (i32) -> i32 %1 = "t.b"(%0) : (i32) -> i32 '
                             '%2 = "t.c"(%1) : (i32) -> i32 %3 = "t.d"(%3) : (i32) -> i32', context)  # fmt: skip
    first, second, third, own = (op.results[0] for op in children(module.operation))
    for most in (None, 1, 2, 3, 4, 5):
        assert handed_on(first, lambda _: True, most) == [first, third, second][:most]
        assert handed_on(own, lambda _: True, most) == [own]


@pytest.mark.usefixtures("context")
@pytest.mark.parametrize("is_old", [False, True])
def test_a_new_op_stands_behind_another(is_old: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    module = ir.Module.parse('"t.a"() : () -> () "t.b"() : () -> () "t.c"() : () -> ()')
    ops = children(module.operation)
    with monkeypatch.context() as patched:
        if is_old:  # bindings that can name the op that follows alone
            old = SimpleNamespace(InsertionPoint=lambda place, real=ir.InsertionPoint: real(place))
            patched.setattr("stablehlo_py.bindings.walk.ir", old)
        for op in ops:
            create(f"{op.name}x", results=(), at=insertion_point_after(op))
    assert letters(children(module.operation)) == "aaxbbxccx"


@pytest.mark.usefixtures("context")
def test_a_new_op_has_its_location_its_attributes_and_its_place() -> None:
    module = ir.Module.parse('"t.a"() : () -> ()')
    i32 = ir.IntegerType.get_signless(32)
    place, here = ir.InsertionPoint.at_block_begin(module.body), ir.Location.name("here")
    value = create_value("t.v", [], i32, {"k": ir.UnitAttr.get()}, at=place, location=here)
    assert letters(children(module.operation)) == "va"
    assert "here" in str(value.owner.location)
    assert list(value.owner.attributes) == ["k"] or value.owner.attributes["k"] == ir.UnitAttr.get()
    with ir.InsertionPoint(module.body), ir.Location.name("around"):
        other = create_value("t.w", [value], i32)
    assert letters(children(module.operation)) == "vaw"
    assert "around" in str(other.owner.location)
    assert list(other.owner.operands) == [value]
    encoded = tensor_type([2, None], i32, encoding=ir.StringAttr.get("x"))
    assert str(encoded) == 'tensor<2x?xi32, "x">'
    assert str(tensor_type([None], i32, [None])) == "tensor<?xi32>"


@pytest.mark.usefixtures("context")
def test_a_function_gets_the_type_of_what_it_takes_and_returns() -> None:
    module = ir.Module.parse(CHAIN)
    main = functions(module.operation)["main"]
    end = terminator_of(body_of(main))
    end.operands[0] = body_of(main).arguments[1]
    refresh_type(main)
    assert str(main.attributes["function_type"]) == "(tensor<i32>, tensor<f32>) -> tensor<f32>"
    assert main.verify()


RESOURCES = """func.func @main() {
  %0 = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %1 = stablehlo.constant dense_resource<a> : tensor<2xi32>
  %2 = "t.other"() {value = dense_resource<a> : tensor<2xi32>} : () -> tensor<2xi32>
  return
}
{-# dialect_resources: { builtin: { a: "0x040000000300000004000000" } } #-}
"""


@pytest.mark.usefixtures("context")
def test_constants_get_the_values_of_their_resources() -> None:
    module = ir.Module.parse(RESOURCES)
    before = [str(op) for op in children(functions(module.operation)["main"])]
    assert write_out_resources(module.operation)
    after = [str(op) for op in children(functions(module.operation)["main"])]
    assert after == [before[0], before[1].replace("dense_resource<a>", "dense<[3, 4]>"), *before[2:]]
    assert not write_out_resources(module.operation)
    assert [str(op) for op in children(functions(module.operation)["main"])] == after
    assert module.operation.verify()


@pytest.mark.parametrize(
    ("values", "bits"),
    [([True], [255]), ([False], [0]), ([True, False], [1]), ([False, True], [2]), ([True] * 9, [255, 1])],
)
def test_booleans_as_bits(values: list[bool], bits: list[int]) -> None:
    found = elements._as_bits(np.array(values))
    assert (found.dtype, found.tolist()) == (np.dtype(np.uint8), bits)


@pytest.mark.parametrize("form", ["onnx", "torch-export", "jax-export", "mhlo", "hlo-text"])
@pytest.mark.parametrize("wanted", [None, True, False])
@pytest.mark.parametrize("choice", [None, "all", "small", "none"])
def test_which_imports_are_checked(
    form: str, wanted: bool | None, choice: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(program.CHECK_VARIABLE, raising=False)
    if choice is not None:
        monkeypatch.setenv(program.CHECK_VARIABLE, choice)
    chosen = (choice or "small") if wanted is None else "all" if wanted else "none"
    found = program.import_check(form, wanted)
    is_checked = chosen != "none" and (form in ("onnx", "torch-export") or (chosen == "all" and form == "jax-export"))
    assert (found is not None) == is_checked
    if found is not None:
        assert found == ImportCheck(everything=chosen == "all")
    monkeypatch.setenv(program.CHECK_VARIABLE, "some")
    if wanted is None:
        with pytest.raises(UsageError, match="STABLEHLO_PY_CHECK_IMPORT=some: expected one of all, small, none"):
            program.import_check(form)


@pytest.mark.parametrize("limit", [[], ["limit"]])
@pytest.mark.parametrize(
    ("error", "is_memory"), [(MemoryError(), True), (ImportError("no module"), False), (SystemError("x"), False)]
)
def test_a_provider_that_does_not_fit_into_memory_ends_the_search(
    limit: list[str], error: Exception, is_memory: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    import importlib

    providers: Any = importlib.import_module("stablehlo_py.bindings.provider")
    tried = list[str]()

    def module(self: Any, name: str) -> Any:
        tried.append(self.name)
        if len(tried) == 1:
            raise error
        return name

    monkeypatch.delenv(providers.VARIABLE, raising=False)
    monkeypatch.setattr(providers, "memory_notes", lambda: limit)
    monkeypatch.setattr(providers.Provider, "module", module)
    if limit and is_memory:
        with pytest.raises(ResourceError) as raised:
            providers._find()
        assert raised.value.notes == ("limit", "jaxlib: out of memory")
        assert tried == ["jaxlib"]
    else:
        assert providers._find().name == "mlir"
        assert tried == ["jaxlib", "mlir", "mlir"]
    assert provider.name in ("jaxlib", "mlir", "torch_mlir")


@pytest.mark.parametrize(
    ("seconds", "limit"),
    [(None, threading.TIMEOUT_MAX), (3.0, 3.0), (2 * threading.TIMEOUT_MAX, threading.TIMEOUT_MAX)],
)
def test_a_process_has_at_most_the_time_that_a_timer_can_have(
    seconds: float | None, limit: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = list[Any]()

    class Timer:
        """Notes what is done with it."""

        def __init__(self, seconds: float, function: Any) -> None:
            self.calls, self.daemon = [seconds, function], False
            made.append(self)

        def start(self) -> None:
            assert self.daemon
            self.calls.append("start")

        def cancel(self) -> None:
            self.calls.append("cancel")

        def join(self) -> None:
            self.calls.append("join")

    monkeypatch.setattr(worker, "threading", SimpleNamespace(Timer=Timer, TIMEOUT_MAX=threading.TIMEOUT_MAX))
    sent = list[Any]()
    monkeypatch.setattr(worker, "_send", lambda *given: sent.append(given))
    monkeypatch.setattr(worker, "pickle", SimpleNamespace(load=lambda stream: f"from {stream}"))
    asked = Worker(["x"], {})
    asked._process = SimpleNamespace(stdin="in", stdout="out", kill="kill")
    assert asked.ask("request", seconds).value == "from out"
    assert sent == [("in", "request")]
    (timer,) = made
    assert timer.calls == [limit, "kill", "start", "cancel", "join"]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("{devices=[2}", "expected ']' to end sharding devices shape"),
        ("x", "expected '{' to start sharding attribute"),
        ("{devices=[2,1]0,1,2}", "sharding device count 3 does not match the tile assignment size 2"),
    ],
)
def test_a_sharding_that_cannot_be_read_says_why(text: str, reason: str) -> None:
    pytest.importorskip("jaxlib.xla_client", reason="jaxlib reads XLA's shardings")
    with pytest.raises(StablehloError) as raised:
        xla_shardings(text)
    assert raised.value.message == f"cannot read the sharding {text}: {reason}"


@pytest.mark.parametrize(
    ("said", "reason"),
    [("one line", "one line"), ("first\nsecond\nthird", "third"), ("first\nx:1: error: why\nlast", "why")],
)
def test_the_reason_is_the_line_of_the_error_or_the_last(
    said: str, reason: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    xla_client = pytest.importorskip("jaxlib.xla_client", reason="jaxlib reads XLA's shardings")

    def from_string(_: str) -> None:
        raise RuntimeError(said)

    monkeypatch.setattr(xla_client, "HloSharding", SimpleNamespace(from_string=from_string))
    with pytest.raises(StablehloError) as raised:
        xla_shardings("text")
    assert raised.value.message == f"cannot read the sharding text: {reason}"


@pytest.mark.parametrize(
    ("text", "kind", "first"),
    [
        ("dense<[1.5, 2.0]> : tensor<2xf32>", ir.DenseFPElementsAttr, 1.5),
        ("dense<-0.5> : tensor<3xf64>", ir.DenseFPElementsAttr, -0.5),
        ("dense<[-3, 2]> : tensor<2xi8>", ir.DenseIntElementsAttr, -3),
        ("dense<[7, 2]> : tensor<2xindex>", ir.DenseIntElementsAttr, 7),
        ("dense<true> : tensor<2xi1>", ir.DenseIntElementsAttr, 1),
        ("dense<(1.0, 2.0)> : tensor<1xcomplex<f32>>", ir.DenseElementsAttr, None),
    ],
)
def test_dense_elements_are_of_the_class_for_their_type(text: str, kind: type, first: float | None) -> None:
    found = ir.Attribute.parse(text, make_context())
    assert type(found) is kind
    assert first is None or (found[0], isinstance(found[0], float)) == (first, isinstance(first, float))


def test_a_context_without_shardy_has_all_other_dialects() -> None:
    whole, plain = loaded_dialects(make_context()), loaded_dialects(make_context(with_sdy=False))
    assert plain == [name for name in whole if name not in ("sdy", "mpmd")]
    assert {"stablehlo", "chlo", "vhlo", "quant", "func"} <= set(plain)
    for allowed in (False, True):
        found = make_context(allow_unregistered_dialects=allowed)
        assert found.allow_unregistered_dialects == allowed
        assert context_like(found, allow_unregistered_dialects=allowed) is found
        other = context_like(found, allow_unregistered_dialects=not allowed)
        assert other is not found
        assert other.allow_unregistered_dialects != allowed
    without = make_context(with_sdy=False)
    assert context_like(without, allow_unregistered_dialects=False) is not without
    strange = ir.Context()
    assert context_like(strange, allow_unregistered_dialects=False) is not strange
    assert [is_registered_pass(name) for name in ("cse", "no-such-pass", "\udcff", "canonicalize")] == [
        *(True, False, False, True),
    ]
