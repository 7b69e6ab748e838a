"""Portable artifacts: time and memory to write and read weights, and the time to look at and explain a program.

Each measurement runs in a process of its own, so that its peak of memory is its own. The bindings' own calls are
measured beside ours. With --check the exit code is 1 where a limit is passed.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

_MEGABYTE = 1_000_000
_TENSORS = 10
_OPS = 10_000
_LIMITS = {"time": 1.3, "memory": 2.5, "info": 0.05, "explain": 3.0}


def _peak_memory() -> float:
    """The peak of this process's memory, in MB."""
    scale = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * scale / _MEGABYTE


def _module(megabytes: int) -> Any:
    """Return a module with `megabytes` of weights, in ten tensors."""
    from stablehlo_py.bindings import ir, make_context

    count = megabytes * _MEGABYTE // 4 // _TENSORS
    constant = f"stablehlo.constant dense<0.0> : tensor<{count}xf32>"
    lines = [f"  %{number} = {constant}" for number in range(_TENSORS)]
    text = "\n".join(
        [f"func.func @main() -> tensor<{count}xf32> {{", *lines, f"  return %0 : tensor<{count}xf32>", "}"]
    )
    module = ir.Module.parse(text, make_context())
    generator = np.random.default_rng(0)
    body = module.body.operations[0].regions[0].blocks[0]
    with module.context:
        for op in list(body.operations)[:_TENSORS]:
            op.attributes["value"] = ir.DenseElementsAttr.get(generator.random(count, dtype=np.float32))
    return module


def _timed(call: Callable[[], Any]) -> tuple[float, Any]:
    started = time.perf_counter()
    result = call()
    return time.perf_counter() - started, result


# In processes of their own --------------------------------------------------------------------------------------------


def write_ours(path: str, megabytes: int) -> dict[str, float]:
    """Our `serialize_to` to a file."""
    from stablehlo_py.artifacts.artifact import serialize_to

    module, base = _module(megabytes), _base()
    with open(path, "wb") as file:
        seconds, _ = _timed(lambda: serialize_to(module, file))
    return {"seconds": seconds, "memory": _peak_memory() - base}


def write_bytes(path: str, megabytes: int) -> dict[str, float]:
    """Our `serialize`, which returns the bytes."""
    from stablehlo_py.artifacts.artifact import serialize

    module, base = _module(megabytes), _base()
    seconds, data = _timed(lambda: serialize(module))
    Path(path).write_bytes(data)
    return {"seconds": seconds, "memory": _peak_memory() - base}


def write_bindings(path: str, megabytes: int) -> dict[str, float]:
    """The bindings' call, and the file."""
    from stablehlo_py.bindings import stablehlo_extension

    module, base = _module(megabytes), _base()
    version = stablehlo_extension.get_current_version()
    with module.context:
        seconds, data = _timed(lambda: stablehlo_extension.serialize_portable_artifact(module, version))
    Path(path).write_bytes(data)
    return {"seconds": seconds, "memory": _peak_memory() - base}


def read_ours(path: str, _megabytes: int) -> dict[str, float]:
    """Our `deserialize`, which reads in a child process first."""
    from stablehlo_py.artifacts.artifact import deserialize
    from stablehlo_py.bindings import make_context

    context, base = make_context(), _base()
    data = Path(path).read_bytes()
    seconds, _ = _timed(lambda: deserialize(data, context=context))
    return {"seconds": seconds, "memory": _peak_memory() - base}


def read_bindings(path: str, _megabytes: int) -> dict[str, float]:
    """The bindings' call."""
    from stablehlo_py.bindings import make_context, stablehlo_extension

    context, base = make_context(), _base()
    data = Path(path).read_bytes()
    seconds, _ = _timed(lambda: stablehlo_extension.deserialize_portable_artifact(context, data))
    return {"seconds": seconds, "memory": _peak_memory() - base}


def info(path: str, _megabytes: int) -> dict[str, float]:
    """A look at the header through a memory map."""
    import mmap

    from stablehlo_py.artifacts.header import read_header

    base = _base()
    with open(path, "rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as contents:
        seconds, _ = _timed(lambda: read_header(contents))
    return {"seconds": seconds, "memory": _peak_memory() - base}


def explain(_path: str, _megabytes: int) -> dict[str, float]:
    """All blockers of a program of 10,000 ops, half of them blocked, the others all different."""
    from stablehlo_py.artifacts.explanation import explain as explain_program
    from stablehlo_py.artifacts.versions import Version
    from stablehlo_py.bindings import ir, make_context

    lines = [f"func.func @main(%x: tensor<4xf32>, %y: tensor<{_OPS}xf32>) {{"]
    for number in range(_OPS // 2):
        lines.append(f"  %a{number} = stablehlo.tan %x : tensor<4xf32>")
        lines.append(
            f"  %b{number} = stablehlo.slice %y [0:{number + 1}] : (tensor<{_OPS}xf32>) -> tensor<{number + 1}xf32>"
        )
    module, base = ir.Module.parse("\n".join([*lines, "  return", "}"]), make_context()), _base()
    seconds, found = _timed(lambda: explain_program(module, Version(1, 0)))
    if [len(need.places) for need in found.blockers] != [_OPS // 2]:
        raise SystemExit("error: not every blocker was found")
    return {"seconds": seconds, "memory": _peak_memory() - base}


_base_memory = 0.0


def _base() -> float:
    """The memory that Python, numpy and the bindings take: it is not the program's."""
    return _base_memory


MEASUREMENTS = (write_bindings, write_bytes, write_ours, read_bindings, read_ours, info, explain)


def _measure_here(name: str, path: str, megabytes: int) -> dict[str, float]:
    from stablehlo_py.bindings import make_context

    global _base_memory
    make_context()
    _base_memory = _peak_memory()
    measurement = next(function for function in MEASUREMENTS if function.__name__ == name)
    return measurement(path, megabytes)


# Their parent ---------------------------------------------------------------------------------------------------------


def _best(name: str, path: Path, megabytes: int, rounds: int) -> dict[str, float]:
    """The fastest of some runs, with the least memory of them."""
    results = []
    for _ in range(rounds):
        command = [sys.executable, __file__, "--measure", name, "--path", str(path), "--megabytes", str(megabytes)]
        finished = subprocess.run(command, check=True, capture_output=True, text=True)
        results.append(json.loads(finished.stdout))
    return {key: min(result[key] for result in results) for key in results[0]}


def run(megabytes: int, rounds: int) -> list[str]:
    """Prints the measurements. Returns the limits that were passed."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "weights.mlir.bc"
        results = {function.__name__: _best(function.__name__, path, megabytes, rounds) for function in MEASUREMENTS}
    for function in MEASUREMENTS:
        result = results[function.__name__]
        print(f"{function.__name__:15} {result['seconds']:8.3f} s  {result['memory']:8.0f} MB  {function.__doc__}")
    passed = []
    for ours, theirs in (
        ("write_ours", "write_bindings"),
        ("write_bytes", "write_bindings"),
        ("read_ours", "read_bindings"),
    ):
        ratio = results[ours]["seconds"] / results[theirs]["seconds"]
        memory = results[ours]["memory"] / megabytes
        print(f"{ours}: {ratio:.2f} of the bindings' time, {memory:.2f} times the weights in memory")
        passed += [f"{ours}: time"] if ratio > _LIMITS["time"] else []
        passed += [f"{ours}: memory"] if memory > _LIMITS["memory"] else []
    return passed + [name for name in ("info", "explain") if results[name]["seconds"] > _LIMITS[name]]


def main() -> int:
    """The exit code: 1 with --check where a limit was passed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--megabytes", type=int, default=500)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--measure", help=argparse.SUPPRESS)
    parser.add_argument("--path", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.measure:
        print(json.dumps(_measure_here(arguments.measure, arguments.path, arguments.megabytes)))
        return 0
    passed = run(arguments.megabytes, arguments.rounds)
    for limit in passed:
        print(f"passed its limit: {limit}", file=sys.stderr)
    return 1 if passed and arguments.check else 0


if __name__ == "__main__":
    sys.exit(main())
