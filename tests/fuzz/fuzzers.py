"""The fuzzers by name. What each accepts as an answer is a result or one of the documented errors."""

from __future__ import annotations

import io
import os
import random
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from contradicting_sizes import draw_contradiction, judge_contradiction
from damaged_artifacts import GOLDEN, mutated, read
from donated_programs import draw_donated, judge_donated
from fuzzing import Fuzzer, WrongError
from ops_against_numpy import draw_call as draw_ops
from ops_against_numpy import judge_call as judge_ops
from program_judge import draw_program, judge_program
from python_numbers import draw_numbers, judge_numbers
from sharded_programs import draw_sharded, judge_sharded

import stablehlo_py
from stablehlo_py.bindings import make_context
from stablehlo_py.interpreter.storage import load_array, load_arrays
from stablehlo_py.isolation.warm import WarmProcess
from stablehlo_py.testing.warm_lit import warm_tool

LIT = Path(__file__).resolve().parent.parent / "lit"
_WORDS = (
    b"-1",
    b"99999999999",
    b"9223372036854775807",
    b"?",
    b"tensor<",
    b"0x7FC00000",
    b"1e999",
    b"\xff",
    b"\0",
    b'"',
)
COMMANDS = ("opt", "translate", "compat", "stablehlo")


@cache
def _texts() -> list[bytes]:
    return [chunk for path in sorted(LIT.rglob("*.mlir")) for chunk in path.read_bytes().split(b"// -----")]


def _cut(data: bytes, generator: random.Random) -> bytes:
    start = generator.randrange(len(data) + 1)
    return data[start : start + generator.randint(1, 40)]


def draw_text(generator: random.Random) -> bytes:
    """A program of the lit suites with up to three changes: of bytes, or of a number or a word into another one."""
    data = generator.choice(_texts())
    for _ in range(generator.randint(0, 3)):
        if generator.random() < 0.3:
            at = generator.randrange(len(data) + 1)
            part = generator.choice((_cut(data, generator), generator.choice(_WORDS), generator.randbytes(1)))
            data = data[:at] + part + data[at + generator.choice((0, 1, len(part))) :]
        else:
            kind = generator.choice((rb"\d+", rb"\b[a-z_]\w*\b", rb"\w+(?=>)"))
            found = list(re.finditer(kind, data))
            if found:
                old, new = generator.choices(found, k=2)
                data = data[: old.start()] + new[0] + data[old.end() :]
    return data


def judge_text(case: bytes) -> str:
    """A text is read or refused; what is read can be written, and what is written can be read."""
    try:
        module = stablehlo_py.parse(case)
    except stablehlo_py.StablehloError as error:
        return "crash reported" if "reader fails" in str(error) else "refused"
    str(module)
    try:
        artifact = stablehlo_py.serialize(module)
    except stablehlo_py.StablehloError:
        return "read, not serialized"
    stablehlo_py.deserialize(artifact)
    return "read and serialized"


@cache
def _artifacts() -> list[bytes]:
    return [path.read_bytes() for path in sorted(GOLDEN.glob("*.bc"))]


def draw_artifact(generator: random.Random) -> bytes:
    """An artifact of some version with one to four changes, or with bits flipped that leave its structure alone."""
    data = bytearray(generator.choice(_artifacts()))
    if generator.random() < 0.5:
        return mutated(bytes(data), generator)
    for _ in range(generator.randint(1, 2)):
        data[generator.randrange(len(data) // 4, len(data))] ^= 1 << generator.randrange(1, 8)
    return bytes(data)


@cache
def _context() -> Any:
    return make_context()


def judge_artifact(case: bytes) -> str:
    """An artifact is refused, or read as a module that can be printed, verified and walked."""
    return read(case, _context())


_VERBS = ("run", "compare", "trace", "bisect", "numerics", "partition", "simulate", "cost", "diff", "info", "explain")
_FIRST_WORDS = {
    "stablehlo": (*_VERBS, "minimum", "matrix", "upgrade", "downgrade", "roundtrip", "reduce", "needs"),
    "compat": ("info", "explain", "minimum", "matrix", "upgrade", "downgrade", "roundtrip", "diff"),
    "opt": ("--canonicalize", "--stablehlo-refine-shapes", "--pass-pipeline=builtin.module(cse)", "--cse"),
    "translate": ("--serialize", "--deserialize", "--interpret", "--interpret", "--target=0.9.0"),
}
_OPERANDS = ("{good}", "{bad}", "{artifact}", "{folder}", "/nonexistent/x", "/dev/null", "-", "", "--", "\udcff")
_OPTION_VALUES = (
    *_OPERANDS,
    "0",
    "1",
    "-1",
    "1.5",
    "99999999999999999999",
    "x",
    "((",
    "current",
    "a=b",
    "{folder}/new",
)
_TIMEOUT = 60.0
# Every so many commands are started anew; the others are forks of this process, which has loaded the tools.
_COLD_EVERY = 50


@cache
def _options(tool: str, verb: str) -> list[str]:
    """The options that the help of a tool, or of a verb, shows."""
    *_, shown = _run_command(tool, [verb, "--help"] if verb else ["--help"], cold=False)
    return sorted(set(re.findall(r"(?<![\w-])--[a-z][\w-]*", shown))) or ["--help"]


def draw_command(generator: random.Random) -> bytes:
    """A tool with flags and files, many of which make no sense together."""
    tool = generator.choice(COMMANDS)
    first = generator.choice(_FIRST_WORDS[tool])
    options = _options(tool, "" if first.startswith("-") else first)
    words = [tool, first] if generator.random() < 0.95 else [tool]
    for _ in range(generator.randint(0, 3)):
        option = generator.choice(options)
        with_value = generator.random() < 0.6
        words.append(f"{option}={generator.choice(_OPTION_VALUES)}" if with_value else option)
    words += generator.choices(_OPERANDS, [12, *[1] * (len(_OPERANDS) - 1)], k=generator.choice((0, 1, 1, 1, 1, 2)))
    return "\0".join(words).encode("utf-8", "surrogateescape")


@cache
def _files() -> dict[str, str]:
    folder = Path(tempfile.mkdtemp(prefix="fuzz"))
    (folder / "good.mlir").write_text(
        "func.func @main() -> tensor<i32> {\n  %0 = stablehlo.constant dense<1> : tensor<i32>\n"
        "  return %0 : tensor<i32>\n}\n",
        encoding="utf-8",
    )
    (folder / "bad.mlir").write_bytes(b"func.func @main( {\xff\n")
    (folder / "artifact.bc").write_bytes(_artifacts()[0])
    names = {"good": "good.mlir", "bad": "bad.mlir", "artifact": "artifact.bc"}
    return {"folder": str(folder)} | {key: str(folder / name) for key, name in names.items()}


def _cold(tool: str, arguments: list[str]) -> tuple[int, str, str]:
    code = f"from stablehlo_py.cli.{tool} import main; main()"
    ended = subprocess.run(
        [sys.executable, "-c", code, *arguments],
        input=b"",
        capture_output=True,
        timeout=_TIMEOUT,
        cwd=_files()["folder"],
    )
    return ended.returncode, ended.stderr.decode("utf-8", "replace"), ended.stdout.decode("utf-8", "replace")


def _run_command(tool: str, arguments: list[str], *, cold: bool) -> tuple[int, str, str]:
    """The exit code of a command, and what it writes to stderr and stdout."""
    if cold:
        return _cold(tool, arguments)
    with open(os.devnull, "rb") as nothing:
        pipes: dict[str, Any] = {"stdin": nothing, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
        child = WarmProcess(warm_tool(tool), [tool, *arguments], cwd=_files()["folder"], errors="replace", **pipes)
    timer = threading.Timer(_TIMEOUT, os.kill, (child.pid, signal.SIGKILL))
    timer.start()
    try:
        written, said = child.communicate()
    finally:
        timer.cancel()
    return child.wait(), said or "", written or ""


def judge_command(case: bytes) -> str:
    """A tool ends with 0, or with 1 or 2 and an error; never by a signal or with a traceback."""
    words = case.decode("utf-8", "surrogateescape").split("\0")
    tool, *arguments = [re.sub(r"\{(\w+)\}", lambda found: _files()[found[1]], word) for word in words]
    code, said, written = _run_command(tool, arguments, cold=zlib.crc32(case) % _COLD_EVERY == 0)
    if code not in (0, 1, 2) or "Traceback" in said or "internal error" in said:
        raise WrongError(f"exit code {code}: {said[-300:]}")
    if code and not said and not written:
        raise WrongError(f"exit code {code} without a word")
    return f"exit code {code}"


_VALUES: tuple[Any, ...] = (
    *(
        None,
        0,
        -1,
        1.5,
        2**100,
        float("nan"),
        True,
        "",
        "x",
        "a\ud800",
        b"",
        b"ML\xefR",
        bytearray(b"\0"),
        [],
        [1, [2]],
        {},
    ),
    *(
        [[1], [2, 3]],
        object(),
        np.array([1, 2], ">i4"),
        np.ma.masked_array([1.0], [True]),
        np.array(["a"]),
        np.float16(1),
    ),
    *(
        np.zeros((2, 0)),
        np.arange(8)[::2],
        memoryview(b"abc"),
        Path("/nonexistent"),
        Path("a\0b"),
        1 << 63,
        np.int8(-1),
    ),
)
_GOOD = "func.func @main(%a: tensor<2xi8>) -> tensor<2xi8> { return %a : tensor<2xi8> }"


def draw_call(generator: random.Random) -> bytes:
    """A function of the API, by its number, and the numbers of its arguments."""
    return bytes([generator.randrange(9), *(generator.randrange(len(_VALUES)) for _ in range(3))])


def judge_call(case: bytes) -> str:
    """A call returns, or raises a StablehloError."""
    which, *numbers = [*case, 0, 0, 0, 0][:4]
    first, second, third = (_VALUES[number % len(_VALUES)] for number in numbers)
    module = stablehlo_py.parse(_GOOD, trust_input=True)
    type_ = module.body.operations[0].regions[0].blocks[0].arguments[0].type
    calls = (
        lambda: stablehlo_py.parse(first),
        lambda: stablehlo_py.load(first),
        lambda: stablehlo_py.interpret(module, first),
        lambda: stablehlo_py.interpret(module, [first]),
        lambda: stablehlo_py.load(_GOOD)(first, second),
        lambda: stablehlo_py.from_numpy(first, type_),
        lambda: stablehlo_py.deserialize(first),
        lambda: stablehlo_py.run_passes(module, str(first)),
        lambda: stablehlo_py.interpret(module, [second, third]),
    )
    try:
        calls[which % len(calls)]()
    except stablehlo_py.StablehloError as error:
        return type(error).__name__
    return "returned"


def draw_array(generator: random.Random) -> bytes:
    """A file of arrays with one to four changes; its first byte says of which kind."""
    buffer, several = io.BytesIO(), generator.random() < 0.5
    array = np.arange(generator.randint(0, 9), dtype="<f4").astype(generator.choice(("<f4", ">i8", "?", "<c8", "S3")))
    if several:
        generator.choice((np.savez, np.savez_compressed))(buffer, a0=array, a1=array)
    else:
        np.save(buffer, array)
    return bytes([several]) + mutated(buffer.getvalue(), generator)


def judge_array(case: bytes) -> str:
    """A file of arrays is read, or refused by an InputError."""
    several = case[:1] == b"\1"
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "arrays.npz" if several else "array.npy")
        path.write_bytes(case[1:])
        try:
            (load_arrays if several else load_array)(str(path))
        except stablehlo_py.InputError:
            return "refused"
    return "read"


def draw_signal(generator: random.Random) -> bytes:
    """A signal, whether it goes to the group, and after how many milliseconds."""
    number = generator.choice((signal.SIGINT, signal.SIGTERM, signal.SIGHUP))
    return f"{number.value} {generator.randrange(2)} {generator.randrange(100, 1500)}".encode()


_LOOP = """func.func @main(%a: tensor<i32>) -> tensor<i32> {
  %0 = stablehlo.while(%x = %a) : tensor<i32>
    cond { %t = stablehlo.constant dense<true> : tensor<i1> stablehlo.return %t : tensor<i1> }
    do { stablehlo.return %x : tensor<i32> }
  return %0 : tensor<i32>
}
"""


@contextmanager
def _heeding_signals() -> Iterator[None]:
    """Start processes that heed the signals which `nohup` and shells let programs in the background ignore."""
    ignored = [n for n in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP) if signal.getsignal(n) is signal.SIG_IGN]
    for number in ignored:
        signal.signal(number, signal.SIG_DFL)
    try:
        yield
    finally:
        for number in ignored:
            signal.signal(number, signal.SIG_IGN)


def judge_signal(case: bytes) -> str:
    """A tool that would never end ends within some seconds, with 128 + n or by the signal, and leaves no process."""
    number, group, milliseconds = map(int, case.split())
    path = Path(_files()["folder"]) / "loop.mlir"
    path.write_text(_LOOP, encoding="utf-8")
    code = "from stablehlo_py.cli.translate import main; main()"
    command = [sys.executable, "-c", code, "--interpret", "--args=[dense<1> : tensor<i32>]", str(path)]
    with _heeding_signals():
        tool = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, start_new_session=True)
    try:
        time.sleep(milliseconds / 1000)
        (os.killpg if group else os.kill)(tool.pid, number)
        said = tool.communicate(timeout=10)[1].decode("utf-8", "replace")
    finally:
        if tool.poll() is None:
            os.killpg(tool.pid, signal.SIGKILL)
            tool.communicate()
    if tool.returncode not in (128 + number, -number):
        raise WrongError(f"exit code {tool.returncode}: {said[-300:]}")
    try:
        os.killpg(tool.pid, 0)
    except ProcessLookupError:
        return "ended by itself" if tool.returncode > 0 else "ended while starting"
    raise WrongError("a process was left")


FUZZERS = {
    each.name: each
    for each in (
        Fuzzer("texts", "texts of the lit suites, changed", draw_text, judge_text, ".mlir"),
        Fuzzer("artifacts", "artifacts of all versions, changed", draw_artifact, judge_artifact, ".mlir.bc"),
        Fuzzer("programs", "valid programs, through passes and versions", draw_program, judge_program, ".mlir", False),
        Fuzzer("commands", "command lines", draw_command, judge_command, shrinks=False),
        Fuzzer("calls", "calls of the Python API", draw_call, judge_call, ".bin", False),
        Fuzzer("arrays", "files of arrays, changed", draw_array, judge_array, ".bin"),
        Fuzzer("shardings", "sharded programs, on all devices", draw_sharded, judge_sharded, ".mlir", False),
        Fuzzer("donations", "programs that update in place", draw_donated, judge_donated, ".mlir", False),
        Fuzzer("numbers", "numbers of Python, in every place", draw_numbers, judge_numbers, ".json", False),
        Fuzzer("ops", "calls of ops, against numpy", draw_ops, judge_ops, ".json", False),
        Fuzzer("sizes", "sizes that may contradict", draw_contradiction, judge_contradiction, ".mlir", False),
        Fuzzer("signals", "signals at random moments", draw_signal, judge_signal, shrinks=False),
    )
}
