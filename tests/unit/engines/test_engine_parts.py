"""The parts of an engine in this process: its options, its answers, and which programs it keeps."""

from __future__ import annotations

import os
import platform
import sys
import types
import warnings
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from stablehlo_py.artifacts.versions import current_version
from stablehlo_py.bindings.provider import provider
from stablehlo_py.bindings.types import TensorType, element_type
from stablehlo_py.engines import worker, xla
from stablehlo_py.engines.carriers import carried, carried_type, carrier_of, restored, shareable
from stablehlo_py.engines.framing import pack, unpack
from stablehlo_py.engines.process import child_environment, how_it_ended
from stablehlo_py.engines.reference import backend
from stablehlo_py.engines.retyping import float_types, retyped_array
from stablehlo_py.engines.xla import _release
from stablehlo_py.errors import InterpreterError, ResourceError, UnsupportedOpError, UsageError
from stablehlo_py.isolation import policy
from stablehlo_py.isolation.outcome import Outcome as IsolationOutcome

SUM = """func.func @main(%x: tensor<4xf32>, %z: tensor<complex<f32>>, %n: tensor<i32>) -> (tensor<f32>, tensor<i32>) {
  %i = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.reduce(%x init: %i) applies stablehlo.add across dimensions = [0]
    : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  return %0, %n : tensor<f32>, tensor<i32>
}"""
VALUES = np.array([1e8, 1, -1e8, 1], np.float32)
ARGUMENTS = [VALUES, np.complex64(1 + 2j), np.int32(7)]


def total(*options: str, values: np.ndarray = VALUES) -> Any:
    found, number = backend(*options).load(SUM.encode())([values, *ARGUMENTS[1:]])
    assert number == 7
    assert number.dtype == np.int32
    return found


def test_every_option_changes_the_result_in_its_way() -> None:
    assert total() == np.float32(1)
    assert total("definitions") == 1
    assert total("reverse") == 0
    assert total("f64").dtype == np.float64
    assert total("f64") == 2
    few = np.float32([1, 2, 3, 4])
    assert total("f16", values=few).dtype == np.float16
    assert total("bf16", values=few).dtype.name == "bfloat16"
    assert total("reverse", "f64") == 2
    assert backend("definitions").settings.fast is False
    assert backend("reverse").settings.fast is backend().settings.fast
    assert len(backend("reverse", "flush", "matmul=bf16").variations) == 3


@pytest.mark.parametrize("option", float_types())
def test_one_float_type_at_a_time(option: str) -> None:
    assert backend(option).element == option
    with pytest.raises(UsageError, match="one float type at a time, not"):
        backend(option, "f32")


@pytest.mark.parametrize("option", ["", "revers", "f31", "matmul", "matmul=f31", "accumulate=tf32", "flush=f32"])
def test_unknown_options_are_refused_with_the_known_ones(option: str) -> None:
    with pytest.raises(UsageError, match=f"unknown option '{option}'") as caught:
        backend(option)
    (note,) = caught.value.notes
    for known in ("definitions", "reverse", "flush", "matmul=tf32", "accumulate=bf16", "f8E3M4"):
        assert known in note


@pytest.mark.parametrize(
    ("array", "name", "dtype"),
    [
        (np.float32([1]), "f16", "float16"),
        (np.complex64([1]), "f64", "complex128"),
        (np.complex64([1]), "f16", "complex64"),
        (np.int32([1]), "f64", "int32"),
        (np.array([True]), "bf16", "bool"),
    ],
)
def test_only_floats_get_another_type(array: np.ndarray, name: str, dtype: str) -> None:
    assert retyped_array(array, name).dtype.name == dtype


@pytest.mark.parametrize(
    ("error", "status", "found"),
    [
        (ValueError("bad"), "error", ("error", "ValueError: bad")),
        (UnsupportedOpError("no", op="a"), "error", ("unsupported", None)),
        (MemoryError(), "error", ("memory", "MemoryError: ")),
        (ResourceError("much"), "rejected", ("memory", "much")),
        (InterpreterError("bad"), "rejected", ("rejected", "bad")),
        (ValueError("UNIMPLEMENTED: x"), "rejected", ("unsupported", "ValueError: UNIMPLEMENTED: x")),
        (ValueError("RESOURCE_EXHAUSTED: x"), "error", ("memory", "ValueError: RESOURCE_EXHAUSTED: x")),
    ],
)
def test_an_error_says_more_exactly_how_a_run_ended(error: Exception, status: str, found: tuple) -> None:
    answer = worker.failure(error, status)
    assert answer["status"] == found[0]
    assert found[1] is None or answer["message"] == found[1]
    assert answer["peak_bytes"] > 0


class Planted:
    """Loads a program `b"N"` as one that adds N, and says so; other programs are errors of several kinds."""

    release = "planted 1.2"

    def load(self, module: bytes) -> Any:
        if module == b"bad":
            raise UsageError("cannot be compiled")
        warnings.warn(f"noted {module.decode()}", UserWarning, stacklevel=1)
        warnings.warn("old", DeprecationWarning, stacklevel=1)
        if module == b"fails":
            return lambda _: 1 / 0
        return lambda arguments: [arguments[0] + int(module), np.float64(0.5)]


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> worker._Server:
    module = types.ModuleType("planted_here")
    module.backend = lambda *options: Planted()  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "planted_here", module)
    made = worker._Server()
    hello = made.answer({"backend": "planted_here:backend", "options": [], "memory_bytes": None})
    assert hello["status"] == "ready"
    assert [*hello["versions"]] == ["engine", "provider", "stablehlo", "python"]
    assert hello["versions"]["engine"] == "planted 1.2"
    return made


def asked(server: worker._Server, digest: str, module: bytes | None) -> dict[str, Any]:
    return server.answer({"digest": digest, "module": module, "arguments": [pack(np.int32([1, 2]))]})


@pytest.mark.filterwarnings("always")
def test_a_program_is_sent_once_and_known_until_others_take_its_place(server: worker._Server) -> None:
    assert asked(server, "d5", None) == {"status": "unknown program"}
    first = asked(server, "d5", b"5")
    assert (first["status"], first["notes"]) == ("ok", ["noted 5"])
    assert [unpack(result).tolist() for result in first["results"]] == [[6, 7], 0.5]
    again = asked(server, "d5", None)
    assert [unpack(result).tolist() for result in again["results"]] == [[6, 7], 0.5]
    assert again["notes"] == []
    for number in range(worker._PROGRAMS_KEPT):
        asked(server, f"other{number}", b"1")
        assert len(server.programs) <= worker._PROGRAMS_KEPT
    assert asked(server, "d5", None) == {"status": "unknown program"}
    assert asked(server, "other0", None)["status"] == "ok"
    asked(server, "new", b"1")
    assert asked(server, "other0", None)["status"] == "ok"  # it was used a moment ago
    assert asked(server, "other1", None) == {"status": "unknown program"}


@pytest.mark.filterwarnings("always")
@pytest.mark.parametrize(("more", "kept"), [(-1, 9), (0, 8), (1, 8)])
def test_few_large_programs_are_kept(more: int, kept: int, server: worker._Server) -> None:
    """Eight, once all together have a mebibyte."""
    sizes = [100_000] * 8 + [(1 << 20) + more - 800_000]
    for number, size in enumerate(sizes):
        assert asked(server, f"d{number}", b"1".rjust(size))["status"] == "ok"
    assert [*server.programs] == [*server.sizes] == [f"d{number}" for number in range(9 - kept, 9)]
    assert asked(server, "d8", None)["status"] == "ok"
    assert asked(server, "d0", None)["status"] == ("ok" if kept == 9 else "unknown program")


@pytest.mark.filterwarnings("always")
def test_errors_of_loading_and_of_running_differ(server: worker._Server) -> None:
    assert asked(server, "bad", b"bad")["status"] == "rejected"
    assert asked(server, "bad", None) == {"status": "unknown program"}
    fails = asked(server, "fails", b"fails")
    assert (fails["status"], fails["message"]) == ("error", "ZeroDivisionError: division by zero")
    assert asked(server, "fails", None)["status"] == "error"


def test_a_backend_that_cannot_be_had_is_said() -> None:
    def hello(name: str, *options: str) -> str:
        return worker._Server().answer({"backend": name, "options": options, "memory_bytes": None})["status"]

    assert hello("stablehlo_py.engines.reference:backend", "f31") == "misused"
    assert hello("stablehlo_py.engines.reference:nothing") == "rejected"
    assert hello("no_such_module:backend") == "rejected"


def test_the_child_of_an_engine_is_needed_even_where_its_parent_was_not(monkeypatch: pytest.MonkeyPatch) -> None:
    """Programs that crash their readers are read in another process, and the answer says so."""
    served: list[tuple[object, bool]] = []
    monkeypatch.setattr(policy, "_expendable", True)
    monkeypatch.setattr(worker, "serve", lambda answer: served.append((answer.__func__, policy.is_expendable())))
    worker.main()
    assert served == [(worker._Server.answer, False)]
    assert policy.is_expendable()


def test_an_engine_says_its_release_beside_that_of_the_bindings(monkeypatch: pytest.MonkeyPatch) -> None:
    limited: list[int] = []
    monkeypatch.setattr(worker, "limit_process", limited.append)
    given: list[tuple[str, ...]] = []

    def hello(release: str | None, size: int | None) -> dict[str, Any]:
        def made(*options: str) -> types.SimpleNamespace:
            given.append(options)
            return types.SimpleNamespace(**({} if release is None else {"release": release}))

        monkeypatch.setitem(sys.modules, "planted_backend", types.SimpleNamespace(made=made))
        return worker._Server().answer({"backend": "planted_backend:made", "options": ("a", "b"), "memory_bytes": size})

    own = {"provider": f"{provider.distribution} {provider.version()}", "python": platform.python_version()}
    assert hello("engine 1.2", 77)["versions"].items() >= {"engine": "engine 1.2", **own}.items()
    for release in (None, ""):
        said = hello(release, None)
        assert (said["status"], sorted(said["versions"])) == ("ready", ["provider", "python", "stablehlo"])
    assert limited == [77]
    assert given == [("a", "b")] * 3


@pytest.mark.parametrize("dtype", ["bool", "int4", "bfloat16", "complex64", "float8_e5m2", "float64"])
@pytest.mark.parametrize("shape", [(), (0, 2), (2, 3)])
def test_arrays_come_through_frames_with_their_bits(dtype: str, shape: tuple[int, ...]) -> None:
    import ml_dtypes

    array = np.zeros(shape).astype(getattr(ml_dtypes, dtype, None) or dtype)
    if dtype in ("bfloat16", "float64", "float8_e5m2"):
        array = -array
    found = unpack(pack(array))
    assert (found.dtype, found.shape, found.tobytes()) == (array.dtype, shape, array.tobytes())


@pytest.mark.parametrize(
    ("name", "carrier", "way"),
    [
        ("f32", None, ""),
        ("i8", None, ""),
        ("i1", None, ""),
        ("complex<f32>", None, ""),
        ("bf16", "ui16", "bitcast_convert"),
        ("f8E5M2", "ui8", "bitcast_convert"),
        ("f8E4M3FN", "ui8", "bitcast_convert"),
        ("i4", "i8", "convert"),
        ("ui2", "ui8", "convert"),
        ("f4E2M1FN", "f32", "convert"),
    ],
)
def test_types_that_cannot_be_handed_over_have_a_carrier(name: str, carrier: str | None, way: str) -> None:
    type_ = TensorType((2, 3), element_type(name))
    found = carrier_of(type_)
    assert (None if found is None else found.element, "" if found is None else found.op) == (carrier, way)
    assert carried_type(type_, found) == f"tensor<2x3x{carrier or name}>"
    array = np.array([[0, 1, 1], [1, 0, 0]]).astype(type_.dtype)
    there = carried(array, found)
    assert there.dtype == (array.dtype if found is None else np.dtype(found.dtype))
    back = restored(there, type_, found)
    assert (back.dtype, back.tobytes()) == (array.dtype, array.tobytes())


@pytest.mark.parametrize("shape", [(), (1,), (3,), (5, 7)])
def test_memory_that_a_device_shares_is_aligned_and_its_own(shape: tuple[int, ...]) -> None:
    array = np.full(shape, 2, np.float32)
    array.setflags(write=False)
    found = shareable(array)
    assert found.ctypes.data % 64 == 0
    assert found.flags.writeable
    assert not np.shares_memory(found, array)
    assert (found.shape, found.tobytes()) == (array.shape, array.tobytes())


@pytest.mark.parametrize(
    ("client", "expected"),
    [
        (types.SimpleNamespace(platform_version="cpu", stablehlo_current_version=[1, 16, 1]), "cpu, StableHLO 1.16.1"),
        (types.SimpleNamespace(platform_version="mine 3"), "mine 3"),
    ],
)
def test_a_plugin_says_which_version_it_reads(client: Any, expected: str) -> None:
    assert _release(client) == expected


def test_versions_are_those_of_the_bindings_the_dialect_and_python() -> None:
    assert worker._versions() == {
        "provider": f"{provider.distribution} {version(provider.distribution)}",
        "stablehlo": str(current_version()),
        "python": platform.python_version(),
    }


def test_the_end_of_what_a_child_printed_is_said_and_no_more_than_two_thousand_characters() -> None:
    def said(printed: bytes, cause: str = "crash", notes: tuple[str, ...] = ()) -> tuple[str, str]:
        return how_it_ended(IsolationOutcome(cause=cause, code=3, printed=printed, notes=notes), 1.5)  # pyright: ignore

    assert said(b"") == ("crash", "ended with exit code 3")
    assert said(b"first" + b"x" * 2000) == ("crash", f"ended with exit code 3: {'x' * 2000}")
    assert said(b"y" + b"x" * 1998 + b"z\n") == ("crash", f"ended with exit code 3: y{'x' * 1998}z")
    assert said(b"printed", notes=("one", "two")) == ("crash", "ended with exit code 3: one\ntwo")
    assert said(b"bad_alloc") == ("memory", "ended with exit code 3: bad_alloc")
    for reason in ("MemoryError", "std::bad_alloc", "LLVM ERROR: out of memory"):
        assert said(f"first\n{reason}: last\n".encode()) == ("memory", f"ended with exit code 3: first\n{reason}: last")
    assert said(b"", "memory") == ("memory", "ended with exit code 3")
    assert said(b"printed", "timeout") == ("timeout", "did not end within 1.5 s")
    if os.name == "posix":
        killed = how_it_ended(IsolationOutcome(cause="crash", code=-11, printed=b"x"), 1.5)
        assert killed == ("crash", "ended with SIGSEGV (Segmentation fault): x")


@pytest.mark.parametrize("path", ["", "/a", os.pathsep.join(["/a", "/b"])])
def test_a_child_finds_this_package_before_others_and_has_the_variables_of_its_parent(
    path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONPATH", path)
    monkeypatch.setenv("MINE", "1")
    own = str(Path(worker.__file__).parents[2])
    assert child_environment()["PYTHONPATH"] == (os.pathsep.join([own, path]) if path else own)
    assert child_environment() | {"PYTHONPATH": path} == dict(os.environ)


@pytest.mark.parametrize("plugin", ["", "p.so"])
def test_a_plugin_is_loaded_by_its_path_and_a_client_made_of_it(plugin: str, monkeypatch: pytest.MonkeyPatch) -> None:
    called = list[tuple[Any, ...]]()
    device = object()

    class Recorder:
        platform_version, stablehlo_current_version = "a platform", (1, 2, 3)

        def __getattr__(self, name: str) -> Any:
            def call(*given: Any) -> Recorder:
                if name != "CompileOptions":
                    called.append((name, *given))
                return self

            self.env_option_overrides = list[Any]()
            return call

        def local_devices(self) -> list[object]:
            return [device, object()]

    monkeypatch.setattr(xla, "compiler_client", lambda: (Recorder(), Recorder()))
    found = xla.Xla(plugin, {})
    assert (found.has_plugin, found.device is device) == (bool(plugin), True)
    assert found.release == ("a platform, StableHLO 1.2.3" if plugin else "")
    if not plugin:
        assert called == [("make_cpu_client",)]
        return
    assert called == [
        ("load_pjrt_plugin", "plugin", "p.so", None),
        ("initialize_pjrt_plugin", "plugin"),
        ("make_c_api_client", "plugin", {}, None),
    ]
