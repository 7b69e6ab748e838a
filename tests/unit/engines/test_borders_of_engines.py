"""What goes into an engine and comes out of it: grids, sizes, carriers, modules in three forms, and probes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
import pytest
from parsed import parsed
from swapped_engine import Swapped

from stablehlo_py.artifacts.artifact import serialize
from stablehlo_py.bindings import ir, make_context
from stablehlo_py.bindings.bytecode import bytecode_of
from stablehlo_py.bindings.types import TensorType, decode_type, element_type
from stablehlo_py.bindings.walk import body_of, functions, operations
from stablehlo_py.debug.allowed.spread import Local
from stablehlo_py.engines import Limits, Outcome, distant, require_running
from stablehlo_py.engines.carriers import main_on_carriers, signature, tensors
from stablehlo_py.engines.framing import unpack
from stablehlo_py.engines.official import backend as official
from stablehlo_py.engines.probing import returned_types
from stablehlo_py.engines.reading import read_module
from stablehlo_py.engines.xla_bounds import enter, leave, make_static
from stablehlo_py.engines.xla_grids import GridFunction, grid_of
from stablehlo_py.errors import InputError, StablehloError, UnsupportedOpError, UsageError
from stablehlo_py.interpreter.program import Program

F = np.float32


def grid(rows: str, processes: int, extra: str = "", results: str = "", given: str = "") -> ir.Module:
    names = [f"%{number}" for number in range(processes)]
    types = ", ".join(["tensor<f32>"] * processes)
    parameters = ", ".join(f"{name}: tensor<f32>" for name in names)
    returned = results or ", ".join(f"%r#{number}" for number in range(processes))
    text = f"""
      func.func @p(%x: tensor<f32>) -> tensor<f32> {{ return %x : tensor<f32> }}
      func.func @q(%x: tensor<f32>) -> tensor<f32> {{ return %x : tensor<f32> }}
      func.func @main({parameters}) -> ({types}) {{
        %r:{processes} = "interpreter.run_parallel"({given or ", ".join(names)}) {{programs = {rows}{extra}}}
          : ({types}) -> ({types})
        return {returned} : {types} }}"""
    return parsed(text)


@pytest.mark.parametrize(
    ("rows", "processes", "found"),
    [
        ("[[@p]]", 1, GridFunction("p", 1, 1)),
        ("[[@p, @p, @p]]", 3, GridFunction("p", 1, 3)),
        ("[[@q], [@q]]", 2, GridFunction("q", 2, 1)),
        ("[[@q, @q, @q, @q], [@q, @q, @q, @q]]", 8, GridFunction("q", 2, 4)),
    ],
)
def test_a_grid_has_replicas_and_partitions_of_one_function(rows: str, processes: int, found: GridFunction) -> None:
    module = grid(rows, processes)
    assert grid_of(module.operation) == found


def test_other_programs_are_no_grids() -> None:
    text = "func.func @main(%x: tensor<f32>) -> tensor<f32> { return %x : tensor<f32> }"
    module = parsed(text)
    assert grid_of(module.operation) is None


@pytest.mark.parametrize(
    ("module", "said"),
    [
        (lambda: grid("[[@p], [@q]]", 2), "XLA's devices run one program, without an infeed"),
        (lambda: grid("[[@p], [@p]]", 2, ", infeed = [@q]"), "XLA's devices run one program, without an infeed"),
        (lambda: grid("[[@p], [@p]]", 2, results="%r#1, %r#0"), "XLA's devices run one program, without an infeed"),
        (lambda: grid("[[@p], [@p]]", 2, given="%1, %0"), "XLA's devices run one program, without an infeed"),
        (lambda: grid(f"[[{', '.join(['@p'] * 9)}]]", 9), "a grid of 9 processes; XLA is started with 8 devices"),
    ],
)
def test_grids_that_devices_do_not_run_are_refused(module, said: str) -> None:
    made = module()
    with pytest.raises(UnsupportedOpError) as caught:
        grid_of(made.operation)
    assert said in caught.value.message


def decoded(*texts: str) -> list:
    context = make_context()
    return [decode_type(ir.Type.parse(text, context)) for text in texts]


def test_results_are_cut_to_the_sizes_behind_them() -> None:
    bounded = "tensor<?x3x?xf32, #stablehlo.bounds<4, ?, 5>>"
    types = decoded("tensor<2xf32>", bounded, "tensor<?xf32, #stablehlo.bounds<3>>", "tensor<f32>")
    arrays = [np.arange(np.prod(shape), dtype=F).reshape(shape) for shape in ((2,), (4, 3, 5), (3,), ())]
    found = leave([*arrays, np.int32(1), np.int32(2), np.int32(0)], types)
    assert [one.shape for one in found] == [(2,), (1, 3, 2), (0,), ()]
    assert found[1].tolist() == arrays[1][:1, :, :2].tolist()


def test_arrays_of_types_that_devices_lack_are_converted_on_both_sides() -> None:
    inputs = [TensorType((2,), element_type(name)) for name in ("f32", "bf16", "i4")]
    outputs = [TensorType((), element_type(name)) for name in ("f8E5M2", "i1")]
    lines = main_on_carriers("f", inputs, outputs).splitlines()
    assert lines[0] == (
        "func.func @main(%a0: tensor<2xf32>, %a1: tensor<2xui16>, %a2: tensor<2xi8>) -> (tensor<ui8>, tensor<i1>) {"
    )
    assert [line.strip() for line in lines[1:]] == [
        "%b0 = stablehlo.convert %a0 : (tensor<2xf32>) -> tensor<2xf32>",
        "%b1 = stablehlo.bitcast_convert %a1 : (tensor<2xui16>) -> tensor<2xbf16>",
        "%b2 = stablehlo.convert %a2 : (tensor<2xi8>) -> tensor<2xi4>",
        "%r:2 = func.call @f(%b0, %b1, %b2) : (tensor<2xf32>, tensor<2xbf16>, tensor<2xi4>) -> "
        "(tensor<f8E5M2>, tensor<i1>)",
        "%c0 = stablehlo.bitcast_convert %r#0 : (tensor<f8E5M2>) -> tensor<ui8>",
        "%c1 = stablehlo.convert %r#1 : (tensor<i1>) -> tensor<i1>",
        "return %c0, %c1 : tensor<ui8>, tensor<i1>",
        "}",
    ]


def test_devices_take_tensors_alone() -> None:
    text = "func.func @main(%x: tensor<f32>, %t: !stablehlo.token) -> tensor<f32> { return %x : tensor<f32> }"
    module = parsed(text)
    given, made = signature(functions(module.operation)["main"])
    assert tensors(made) == made == [given[0]]
    with pytest.raises(UnsupportedOpError, match="devices take and give tensors"):
        tensors(given)


TEXT = """func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.negate %x : tensor<2xf32>
  return %0 : tensor<2xf32> }"""


def test_modules_are_read_as_text_as_bytecode_and_as_artifacts() -> None:
    module = parsed(TEXT)
    for form in (TEXT.encode(), bytecode_of(module), serialize(module, "1.0.0")):
        assert Program(read_module(form)).run([F([1, -2])])[0].tolist() == [-1, 2]
    for wrong in (b"func.func @main() -> tensor<f32> { return }", b"ML\xefRnonsense"):
        with pytest.raises(StablehloError):
            read_module(wrong)


def test_the_official_interpreter_has_no_options_and_runs_programs() -> None:
    with pytest.raises(UsageError, match="engine official: unknown option 'fast'") as caught:
        official("fast", "f64")
    assert list(caught.value.notes) == ["it has none"]
    (found,) = official().load(TEXT.encode())([F([1, -2])])
    assert (found.tolist(), found.dtype, found.flags.writeable) == ([-1, 2], F, True)


def test_the_types_that_an_engine_returns_are_found_out_in_one_run() -> None:
    single, double, brain = np.dtype(F), np.dtype(np.float64), np.dtype(ml_dtypes.bfloat16)
    for element, found in (("", {single: single, double: double}), ("bf16", {single: brain, double: brain})):
        engine = Swapped(element=element)
        assert returned_types(engine, [single, double]) == found
        assert engine.asked == 1
    assert returned_types(Swapped(), []) == {}
    nothing = Swapped(bad="", outcome=Outcome("crash"))
    nothing.run = lambda *_: Outcome("crash")  # type: ignore[method-assign]
    assert returned_types(nothing, [single]) == {}


def test_an_engine_that_runs_nothing_is_told_from_one_that_lacks_an_op() -> None:
    require_running(Local())
    require_running(Swapped(bad="sine"))
    nothing = Swapped(name="nothing")
    nothing.run = lambda *_: Outcome("rejected", message="no licence")  # type: ignore[method-assign]
    with pytest.raises(StablehloError, match="the engine nothing does not run: rejected: no licence") as caught:
        require_running(nothing)
    assert "returns its argument" in caught.value.notes[0]


def test_what_was_not_measured_is_zero():
    found = Outcome("ok")
    assert (found.results, found.message, found.load_seconds, found.run_seconds, found.peak_bytes) == ((), "", 0, 0, 0)
    assert (found.ok, str(found)) == (True, "ok")
    assert (Outcome("error", message="why").ok, str(Outcome("error", message="why"))) == (False, "error: why")


@pytest.mark.parametrize("kind", [bytes, bytearray])
def test_unpacked_arrays_may_be_changed_and_share_what_may_be(kind: type) -> None:
    data = kind(np.arange(3, dtype=np.float32).tobytes())
    found = unpack(("float32", (3, 1), data))
    found[0] = 7
    assert found.tolist() == [[7], [1], [2]]
    assert (np.frombuffer(data, np.float32)[0] == 7) == (kind is bytearray)


def test_limits_and_the_folder_reach_the_workers_of_a_pool(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    asked: list[Any] = []

    class Recorded:
        name, backend, options, python = "mine", "a:b", ("x",), "python3"
        limits: Limits | None = None

        def __enter__(self) -> Recorded:
            return self

        def __exit__(self, *_: object) -> None:
            asked.append("closed")

        def run(self, module: bytes, arguments: tuple[np.ndarray, ...]) -> Outcome:
            asked.append((module, [array.tolist() for array in arguments], self.limits))
            return Outcome("ok", arguments)

    class Here:
        """A pool whose work is done at once."""

        def submit(self, work: Any, task: Any) -> Any:
            with work.open() as perform:
                found = perform(task)
            asked.append(work.lost(task, "gone"))
            return lambda: found

    def open_engine(*given: Any) -> Recorded:
        asked.append(given)
        return Recorded()

    monkeypatch.setattr(distant, "open_engine", open_engine)
    pool: Any = Here()
    engine = distant.distant_engine("mine:x", pool, Limits(3.0, 1 << 20), tmp_path)
    assert (engine.name, engine.backend, engine.options, engine.limits) == ("mine", "a:b", ("x",), Limits(3.0, 1 << 20))
    assert asked == [("mine:x", Limits(3.0, 1 << 20))]
    del asked[:]
    first, second = engine.runs(b"program", [[np.float32(1)], [np.float32(2)]])
    assert [float(outcome.results[0]) for outcome in (first, second)] == [1, 2]
    opened, lost = ("mine", Limits(memory_bytes=1 << 20), tmp_path), Outcome("crash", message="gone")
    assert asked == [
        part for number in (1.0, 2.0) for part in (opened, (b"program", [number], Limits(3.0, 1 << 20)), "closed", lost)
    ]
    assert float(engine.run(b"program", [np.float32(5)]).results[0]) == 5


def test_an_engine_in_workers_keeps_no_outcomes_by_default(tmp_path: Path) -> None:
    pool: Any = object()
    assert distant.DistantEngine("mine", "a:b", pool=pool).folder is None
    assert distant.distant_engine("reference", pool, Limits()).folder is None
    assert distant.distant_engine("reference", pool, Limits(), tmp_path).folder == tmp_path


BOUNDED = "tensor<?x3xf32, #stablehlo.bounds<4, ?>>"


@pytest.mark.parametrize("rows", [0, 1, 4])
def test_an_array_is_padded_to_its_bounds_and_its_size_is_told(rows: int) -> None:
    with make_context():
        types = [decode_type(ir.Type.parse(text)) for text in ("tensor<2xi32>", BOUNDED, "tensor<f32>")]
    array = np.arange(rows * 3, dtype=np.float32).reshape(rows, 3) + 1
    entered = enter([np.int32([5, 6]), array, np.float32(7)], types)
    assert [value.shape for value in entered] == [(2,), (4, 3), (), ()]
    assert entered[1].tolist() == [*array.tolist(), *[[0.0] * 3] * (4 - rows)]
    assert (entered[3].dtype, int(entered[3])) == (np.int32, rows)


@pytest.mark.parametrize(
    "array", [np.zeros((5, 3), F), np.zeros((2, 4), F), np.zeros((2, 3), np.float64), np.zeros(3, F)]
)
def test_an_array_beyond_its_bounds_or_of_another_type_is_refused(array: np.ndarray) -> None:
    with make_context():
        types = [decode_type(ir.Type.parse(text)) for text in ("tensor<2xi32>", BOUNDED)]
    with pytest.raises(InputError) as raised:
        enter([np.int32([5, 6]), array], types)
    assert raised.value.message.startswith(
        f"argument 1 is an array of shape {list(array.shape)}, expected one of tensor"
    )


def test_the_official_interpreter_reads_numbers_that_stand_behind_the_program() -> None:
    text = """func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
      %c = stablehlo.constant dense_resource<numbers> : tensor<2xf32>
      %0 = stablehlo.add %x, %c : tensor<2xf32>
      return %0 : tensor<2xf32>
    }
    {-# dialect_resources: {builtin: {numbers: "0x040000000000803F00000040"}} #-}"""
    assert [np.asarray(each).tolist() for each in official().load(text.encode())([np.float32([10, 20])])] == [[11, 22]]


@pytest.mark.parametrize(
    "text", ["tensor<2xf32, 7 : i32>", "tensor<?x2xf32>", "tensor<f32>", "!stablehlo.token", BOUNDED]
)
def test_arguments_without_bounds_stay_as_they_are(text: str) -> None:
    context = make_context()
    module = ir.Module.parse(
        f"func.func @main(%x: tensor<i32>, %y: {text}) -> {text} {{ return %y : {text} }}", context
    )
    main = functions(module.operation)["main"]
    make_static(main)
    (arguments, results) = signature(main)
    assert main.operation.verify()
    ops = [op.name for op in operations(main) if op is not main]
    if text != BOUNDED:
        assert [str(value.type) for value in body_of(main).arguments] == ["tensor<i32>", text]
        assert ops == ["func.return"]
        return
    assert [str(each) for each in (*arguments, *results)] == [
        *("tensor<i32>", "tensor<4x3xf32>", "tensor<i32>"),
        *("tensor<4x3xf32>", "tensor<i32>"),
    ]
