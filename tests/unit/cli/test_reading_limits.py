"""Devices and pipes, whose end nobody knows, are read up to a limit; a limit that is too low to start is named."""

from __future__ import annotations

import io
import os
import re
import subprocess
import sys
import threading
from collections.abc import Callable, Generator
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest
from speeds import later

import stablehlo_py
from stablehlo_py.engines import Limits, open_engine
from stablehlo_py.errors import InputError, ResourceError
from stablehlo_py.interpreter.storage import load_array, load_arrays
from stablehlo_py.isolation.files import read_stream
from stablehlo_py.isolation.limits import MEMORY_VARIABLE
from stablehlo_py.isolation.outcome import Outcome

ZERO = Path("/dev/zero")
TEXT = "func.func @main(%x: tensor<3xf32>) -> tensor<3xf32> {\n  return %x : tensor<3xf32>\n}\n"
has_devices = pytest.mark.skipif(not ZERO.exists(), reason="this system has no /dev/zero")
has_fifos = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
limits_memory = pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="only Linux limits memory so")


def tool(name: str, *arguments: str, **options: object) -> subprocess.CompletedProcess[bytes]:
    code = f"from stablehlo_py.cli.{name} import main; main()"
    command = [sys.executable, "-c", code, *arguments]
    return subprocess.run(command, capture_output=True, check=False, timeout=120, **options)  # type: ignore[call-overload]


@pytest.fixture
def fed(tmp_path: Path) -> Generator[Callable[[bytes], str]]:
    """Give a function that makes a named pipe, into which a thread writes some bytes once."""
    writers: list[threading.Thread] = []

    def feed(data: bytes) -> str:
        path = tmp_path / f"pipe{len(writers)}"
        os.mkfifo(path)

        def write() -> None:
            with suppress(BrokenPipeError), open(path, "wb", buffering=0) as pipe:
                pipe.write(data)

        writers.append(threading.Thread(target=write, daemon=True))
        writers[-1].start()
        return str(path)

    yield feed
    for writer in writers:
        writer.join(30)


@has_devices
@pytest.mark.parametrize("device", ["/dev/zero", "/dev/urandom"])
def test_readers_of_the_api_stop(device: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(MEMORY_VARIABLE, str(40 << 20))
    for reader in (stablehlo_py.parse, stablehlo_py.load, stablehlo_py.deserialize, stablehlo_py.verify):
        with pytest.raises(InputError, match=rf"'{device}': it is a device or a pipe and gives more than {10 << 20}"):
            reader(Path(device))
    for read in (load_array, load_arrays):
        with pytest.raises(InputError, match=device):
            read(device)


@has_devices
def test_the_limit_of_a_device_without_settings() -> None:
    with open(ZERO, "rb") as file, pytest.raises(InputError, match=f"gives more than {64 << 20} bytes"):
        read_stream(file, "/dev/zero")


class _Endless(io.RawIOBase):
    """Gives bytes forever, as a pipe whose writer does not stop."""

    given = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: bytearray) -> int:  # type: ignore[override]
        self.given += len(buffer)
        return len(buffer)


def test_a_pipe_that_does_not_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(MEMORY_VARIABLE, str(8 << 20))
    endless = _Endless()
    with pytest.raises(InputError, match=f"'endless': it is a device or a pipe and gives more than {2 << 20} bytes"):
        read_stream(io.BufferedReader(endless), "endless")
    assert endless.given < 16 << 20


@has_devices
@pytest.mark.parametrize(
    "arguments",
    [("opt", "-"), later(("opt", "/dev/zero")), ("translate", "--serialize", "/dev/urandom"),
     later(("compat", "info", "/dev/zero")), later(("compat", "info", "-")), ("stablehlo", "run", "/dev/zero"),
     later(("stablehlo", "format", "--check", "/dev/zero")), later(("stablehlo", "cost", "-"))],
)  # fmt: skip
def test_tools_stop(arguments: tuple[str, ...]) -> None:
    with open(ZERO, "rb") as endless:
        found = tool(*arguments, stdin=endless, env={**os.environ, MEMORY_VARIABLE: str(400 << 20)})
    assert found.returncode in (1, 2), found.stderr
    assert f"it is a device or a pipe and gives more than {100 << 20} bytes" in found.stderr.decode()
    assert b"Traceback" not in found.stderr


@has_devices
def test_a_corpus_and_an_overlay_stop(tmp_path: Path) -> None:
    program = tmp_path / "program.mlir"
    program.write_text(TEXT)
    for arguments in (
        ("corpus", "/dev/zero", "-o", str(tmp_path / "rows")),
        ("view", str(program), "-o", str(tmp_path / "page.html"), "--overlay=/dev/zero"),
    ):
        found = tool("stablehlo", *arguments)
        assert found.returncode == 2, found.stderr
        assert "'/dev/zero': it is a device or a pipe and gives more than" in found.stderr.decode()


@has_fifos
def test_programs_and_arrays_come_through_pipes(fed: Callable[[bytes], str]) -> None:
    module = stablehlo_py.parse(TEXT)
    artifact = stablehlo_py.serialize(module)
    assert str(stablehlo_py.parse(Path(fed(TEXT.encode())))) == str(module)
    assert str(stablehlo_py.deserialize(Path(fed(artifact)))) == str(module)
    assert b"StableHLO version:" in tool("compat", "info", fed(artifact)).stdout
    row = np.arange(3, dtype=np.float32)
    single, several = io.BytesIO(), io.BytesIO()
    np.save(single, row)
    np.savez(several, row, 2 * row)
    assert (load_array(fed(single.getvalue())) == row).all()
    assert [array.tolist() for array in load_arrays(fed(several.getvalue()))] == [[0, 1, 2], [0, 2, 4]]


@has_fifos
def test_a_pipe_that_nobody_writes_to_ends_where_a_time_is_set(tmp_path: Path) -> None:
    path = str(tmp_path / "silent")
    os.mkfifo(path)
    for name, *arguments in (("opt", path), ("stablehlo", "cost", path)):
        found = tool(name, *arguments, "--guard-timeout=0.2")
        assert f"reading {path} took too long" in found.stderr.decode()
        assert b"--guard-timeout=SECONDS sets the limit" in found.stderr


@limits_memory
def test_an_engine_that_cannot_start_names_its_limit() -> None:
    for name in ("reference", "xla"):
        with open_engine(name, Limits(memory_bytes=1_000_000)) as engine:
            outcome = engine.run(TEXT.encode(), [np.zeros(3, np.float32)])
        assert outcome.status == "memory"
        assert "does not start: the limit of 1000000 bytes of memory is too low to start" in outcome.message
        assert "--max-memory=BYTES" in outcome.message


@limits_memory
def test_a_tool_that_cannot_start_names_its_limit(tmp_path: Path) -> None:
    """Whatever fails first: Python, the loader of libraries, C code that aborts, or C code that ends the process."""
    program = tmp_path / "program.mlir"
    program.write_text(TEXT)
    too_low = "the limit of memory is too low to load the package with the StableHLO dialect"
    for size, message in (
        *((size, too_low) for size in (1, 1000, 100_000, 1_000_000, 3_000_000)),
        *((size, f"{too_low}|out of memory") for size in (6_000_000, 8_000_000, 10_000_000, 30_000_000)),
    ):
        found = tool("opt", str(program), f"--guard-memory={size}")
        assert found.returncode == 1, found.stderr
        assert re.match(f"stablehlo-opt: error: ({message})", found.stderr.decode()), size
        assert f"the limit is {size} bytes; --guard-memory=BYTES".encode() in found.stderr


def test_a_reader_without_memory_names_its_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(MEMORY_VARIABLE, "1000")
    with pytest.raises(ResourceError, match="out of memory") as raised:
        Outcome(error=MemoryError()).result()
    assert any("the limit is 1000 bytes; --guard-memory=BYTES" in note for note in raised.value.notes)


@pytest.mark.skipif(sys.platform != "linux", reason="files with holes of this size are Linux's")
def test_a_file_larger_than_memory(tmp_path: Path) -> None:
    path = tmp_path / "large.mlir"
    try:
        with path.open("wb") as file:
            file.truncate(1 << 42)
    except OSError:
        pytest.skip("this file system holds no files of 4 TiB")
    with pytest.raises(InputError, match="does not fit into memory"):
        stablehlo_py.parse(path)
