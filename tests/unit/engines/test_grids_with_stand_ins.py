"""Grids of processes on devices that stand in for XLA's, limits of a worker, and programs that are changed first."""

from __future__ import annotations

from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

import ml_dtypes
import numpy as np
import pytest
from parsed import parsed

from stablehlo_py.bindings import ir
from stablehlo_py.bindings.bytecode import bytecode_of
from stablehlo_py.conformance.fuzz.changed import Changed, after_passes, through_artifact
from stablehlo_py.engines import Limits, worker, xla, xla_grids
from stablehlo_py.errors import ResourceError, StablehloError, UnsupportedOpError, UsageError
from stablehlo_py.interpreter.program import Program


class Executable:
    """A program that the interpreter runs in each process, given the shards of each argument."""

    def __init__(self, text: str, options: Any) -> None:
        self.program, self.grid = Program(parsed(text)), options.device_assignment.shape

    def execute_sharded(self, given: Sequence[Any]) -> Any:
        rows = list(zip(*[array.shards for array in given], strict=True))
        replicas, partitions = self.grid
        results = self.program.run_parallel(rows, num_replicas=replicas, num_partitions=partitions)
        columns = [[np.asarray(each) for each in column] for column in zip(*results, strict=True)]
        return SimpleNamespace(disassemble_into_single_device_arrays=lambda: columns)


class Client:
    made: list[Any] = []  # noqa: RUF012

    def local_devices(self) -> list[str]:
        return [f"device {number}" for number in range(8)]

    def compile_and_load(self, text: str, devices: Any, options: Any) -> Executable:
        self.made.append((devices, options))
        return Executable(text, options)


class Array:
    """What a device holds of an argument."""

    def __init__(self, described: Any, sharding: Any, shards: list[np.ndarray], **_: Any) -> None:
        assert [(shard.shape, shard.dtype) for shard in shards] == [(described.shape, described.dtype)] * len(shards)
        assert sharding == ("sharding", "replicated")
        self.shards = shards


class Capsule:
    def __init__(self, capsule: Any) -> None:
        self.capsule = capsule

    def __dlpack__(self, **_: Any) -> Any:
        return self.capsule

    def __dlpack_device__(self) -> tuple[int, int]:
        return 1, 0


@pytest.fixture
def devices(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    put = list[str]()

    def buffer(capsule: Any, device: str, _: Any) -> np.ndarray:
        put.append(device)
        return np.from_dlpack(Capsule(capsule))

    extension = SimpleNamespace(DeviceList=list, dlpack_managed_tensor_to_buffer=buffer, ArrayImpl=Array)
    library = SimpleNamespace(
        DeviceAssignment=SimpleNamespace(create=lambda numbers: numbers),
        GSPMDSharding=lambda _, how: ("sharding", how),
        HloSharding=SimpleNamespace(replicate=lambda: "replicated"),
    )
    monkeypatch.setattr(xla_grids, "compiler_client", lambda: (extension, library))
    monkeypatch.setattr(xla_grids, "_client", Client)
    Client.made = []
    return put


def program(replicas: int, partitions: int) -> ir.Module:
    """Each process adds its numbers to its first argument, and keeps the second."""
    count = replicas * partitions
    types = ["tensor<2xi32>", "tensor<bf16>"] * count
    given = ", ".join([f"%{n}: {type_}" for n, type_ in enumerate(types)])
    names, results = (", ".join([f"{stem}{n}" for n in range(2 * count)]) for stem in ("%", "%r#"))
    rows = ", ".join([f"[{', '.join(['@p'] * partitions)}]"] * replicas)
    return parsed(f"""func.func @p(%a: tensor<2xi32>, %b: tensor<bf16>) -> (tensor<2xi32>, tensor<bf16>) {{
          %i = stablehlo.replica_id : tensor<ui32>
          %j = stablehlo.partition_id : tensor<ui32>
          %t = stablehlo.constant dense<10> : tensor<ui32>
          %s = stablehlo.multiply %i, %t : tensor<ui32>
          %n = stablehlo.add %s, %j : tensor<ui32>
          %m = stablehlo.convert %n : (tensor<ui32>) -> tensor<i32>
          %c = stablehlo.broadcast_in_dim %m, dims = [] : (tensor<i32>) -> tensor<2xi32>
          %d = stablehlo.add %a, %c : tensor<2xi32>
          return %d, %b : tensor<2xi32>, tensor<bf16>
        }}
        func.func @main({given}) -> ({", ".join(types)}) {{
          %r:{2 * count} = "interpreter.run_parallel"({names}) {{programs = [{rows}]}}
            : ({", ".join(types)}) -> ({", ".join(types)})
          return {results} : {", ".join(types)}
        }}""")


@pytest.mark.parametrize(("replicas", "partitions"), [(1, 1), (2, 1), (1, 2), (2, 3), (8, 1)])
def test_each_process_gets_its_arguments_and_gives_its_results(
    replicas: int, partitions: int, devices: list[str]
) -> None:
    module, count = program(replicas, partitions), replicas * partitions
    found = xla_grids.grid_of(module.operation)
    assert found == xla_grids.GridFunction("p", replicas, partitions)
    options = SimpleNamespace(executable_build_options=SimpleNamespace())
    run = xla_grids.load(module.operation, found, options)
    ((given, made),) = Client.made
    assert given == [f"device {number}" for number in range(count)]
    for each in (made, made.executable_build_options):
        assert (each.num_replicas, each.num_partitions) == (replicas, partitions)
    assert made.executable_build_options.use_spmd_partitioning == (partitions > 1)
    assert made.device_assignment.tolist() == np.arange(count).reshape(replicas, partitions).tolist()
    for start in (0, 100):
        arguments: list[np.ndarray] = []
        for process in range(count):
            arguments += [np.int32([start, process]), np.asarray(process + 0.5, ml_dtypes.bfloat16)]
        results = run(arguments)
        assert [result.dtype.name for result in results] == ["int32", "bfloat16"] * count
        numbers = [10 * replica + partition for replica in range(replicas) for partition in range(partitions)]
        expected = [[[start + number, process + number], process + 0.5] for process, number in enumerate(numbers)]
        assert [result.tolist() for result in results] == [part for each in expected for part in each]
    assert devices == [f"device {number}" for number in range(count)] * 4


@pytest.mark.parametrize(
    ("taken", "size", "left"), [(100, 300, 200), (100, 100, 0), (101, 100, None), (0, 5, 5), (1 << 40, 1 << 30, None)]
)
def test_a_worker_is_limited_to_what_is_not_taken(
    taken: int, size: int, left: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    limits = list[int]()
    monkeypatch.setattr(worker, "taken_bytes", lambda: taken)
    monkeypatch.setattr(worker, "limit_memory", limits.append)
    if left is None:
        with pytest.raises(ResourceError) as raised:
            worker.limit_process(size)
        assert f"the limit of {size} bytes of memory is too low to start: {taken} are taken" in raised.value.message
        assert limits == []
        return
    worker.limit_process(size)
    assert limits == [left]


@pytest.mark.parametrize("error", [AttributeError, ValueError, OSError])
def test_a_system_that_cannot_limit_memory_goes_on(error: type[Exception], monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_: int) -> None:
        raise error

    monkeypatch.setattr(worker, "taken_bytes", lambda: 0)
    monkeypatch.setattr(worker, "limit_memory", refuse)
    worker.limit_process(5)


def test_engines_that_change_programs_are_named_after_the_change() -> None:
    limits, backend = Limits(3.0, 1 << 20), "stablehlo_py.conformance.fuzz.changed:Changed"
    first, second = after_passes("builtin.module(canonicalize,cse)", limits), through_artifact("1.0.0", limits)
    assert (first.name, first.backend, first.options, first.limits) == (
        "passes:builtin.module(canonicalize,cse)", backend, ("passes", "builtin.module(canonicalize,cse)"), limits,
    )  # fmt: skip
    assert (second.name, second.backend, second.options, second.limits) == (
        "through:1.0.0", backend, ("through", "1.0.0"), limits,
    )  # fmt: skip
    with pytest.raises(StablehloError):
        after_passes("no-such-pass", limits)
    with pytest.raises(StablehloError):
        through_artifact("0.0.7.7", limits)


TWICE = """func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.add %x, %x : tensor<2xf32>
  return %0 : tensor<2xf32>
}"""


@pytest.mark.parametrize("change", [("passes", "builtin.module(canonicalize)"), ("through", "1.0.0")])
def test_a_changed_program_computes_what_it_did(change: tuple[str, str]) -> None:
    module = parsed(TWICE)
    (result,) = Changed(*change).load(bytecode_of(module))([np.float32([1, 2])])
    assert np.asarray(result).tolist() == [2.0, 4.0]


def test_a_program_that_a_version_cannot_say_is_unsupported() -> None:
    text = TWICE.replace("tensor<2xf32>", "tensor<2xf8E8M0FNU>")
    module = parsed(text)
    with pytest.raises(UnsupportedOpError):
        Changed("through", "1.0.0").load(bytecode_of(module))


class Options:
    """Debug options of XLA, of each type that the bindings tell."""

    xla_flag, xla_count, xla_names = False, 3, "a"

    @property
    def xla_lacking(self) -> int:
        raise AttributeError


@pytest.mark.parametrize(
    ("key", "value", "found"),
    [
        ("xla_flag", "true", True), ("xla_flag", "TRUE", True), ("xla_flag", "1", True), ("xla_flag", "False", False),
        ("xla_flag", "0", False), ("xla_count", "12", 12), ("xla_count", "-1", -1), ("xla_names", "a+b", "a,b"),
        ("xla_names", "c", "c"),
    ],
)  # fmt: skip
def test_options_of_xla_are_set_in_their_types(key: str, value: str, found: object) -> None:
    options = Options()
    assert xla._set_option(options, key, value)
    assert (getattr(options, key), type(getattr(options, key))) == (found, type(found))


def test_options_that_the_bindings_lack_are_left_to_xla() -> None:
    options = Options()
    assert not xla._set_option(options, "xla_lacking", "1")
    assert not xla._set_option(options, "xla_other", "1")
    assert vars(options) == {}


@pytest.mark.parametrize(("key", "value"), [("xla_flag", "maybe"), ("xla_flag", "2"), ("xla_count", "many")])
def test_values_that_an_option_does_not_take_are_refused(key: str, value: str) -> None:
    with pytest.raises(UsageError, match=f"XLA option '{key}' does not take '{value}'"):
        xla._set_option(Options(), key, value)


@pytest.mark.parametrize(
    ("text", "lacks"),
    [
        ("stablehlo.infeed", True), ("stablehlo.outfeed", True), ("stablehlo.send", True), ("stablehlo.recv", True),
        ("stablehlo.after_all", False),
    ],
)  # fmt: skip
def test_programs_that_wait_for_a_host_are_refused(text: str, lacks: bool) -> None:
    channel = "{channel_handle = #stablehlo.channel_handle<handle = 1, type = %d>, is_host_transfer = true}"
    ops = {
        "stablehlo.infeed": '%0:2 = "stablehlo.infeed"(%t) : (!stablehlo.token) -> (tensor<f32>, !stablehlo.token)',
        "stablehlo.outfeed": '%0 = "stablehlo.outfeed"(%x, %t) : (tensor<f32>, !stablehlo.token) -> !stablehlo.token',
        "stablehlo.send": f'%0 = "stablehlo.send"(%x, %t) {channel % 2} : (tensor<f32>, !stablehlo.token) '
        "-> !stablehlo.token",
        "stablehlo.recv": f'%0:2 = "stablehlo.recv"(%t) {channel % 3} : (!stablehlo.token) '
        "-> (tensor<f32>, !stablehlo.token)",
        "stablehlo.after_all": '%0 = "stablehlo.after_all"(%t) : (!stablehlo.token) -> !stablehlo.token',
    }
    heads = "%x: tensor<f32>, %t: !stablehlo.token"
    module = parsed(f"func.func @main({heads}) {{\n{ops[text]}\nreturn }}")
    if not lacks:
        xla._refuse_host_transfers(module.operation)
        return
    with pytest.raises(UnsupportedOpError) as raised:
        xla._refuse_host_transfers(module.operation)
    assert (raised.value.op, raised.value.message) == (text, "waits for a host program that this engine lacks")
    assert raised.value.location.split(":")[1] == "2"
