"""Times one program in one engine, in a process of its own: `python engines.py official|ours|planning|xla`.

Takes a pickled (program, arguments, seconds) on standard input and prints the seconds of the fastest run.
"""

from __future__ import annotations

import pickle
import re
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np

Run = Callable[[], object]


def official(program: str, arguments: list[np.ndarray]) -> Run:
    """The official interpreter, in C++."""
    from stablehlo_py.bindings import ir, make_context, stablehlo_extension
    from stablehlo_py.bindings.elements import from_numpy

    context = make_context()
    module = ir.Module.parse(program, context)
    main = module.body.operations[0].regions[0].blocks[0]
    attributes = [from_numpy(value, parameter.type) for value, parameter in zip(arguments, main.arguments, strict=True)]
    return lambda: stablehlo_extension.eval_module(module, attributes)


def ours(program: str, arguments: list[np.ndarray]) -> Run:
    """This package, with the program planned and its plan compiled before."""
    from stablehlo_py.bindings import ir, make_context
    from stablehlo_py.interpreter.program import Program
    from stablehlo_py.interpreter.reading import numbers

    numbers(True).prepare_process()  # as the command-line tools do
    planned = Program(ir.Module.parse(program, make_context()))
    for _ in range(2):  # the first run checks every result, the second one compiles
        planned.run(arguments)
    return lambda: planned.run(arguments)


def ours_without_gmpy2(program: str, arguments: list[np.ndarray]) -> Run:
    """This package as it is without the extra `mpfr`."""
    sys.modules["gmpy2"] = None  # type: ignore[assignment]
    return ours(program, arguments)


def planning(program: str, arguments: list[np.ndarray]) -> Run:
    """This package's planning of the program, without a run."""
    from stablehlo_py.bindings import ir, make_context
    from stablehlo_py.interpreter.planner import Planner
    from stablehlo_py.interpreter.settings import Settings

    module = ir.Module.parse(program, make_context())
    return lambda: Planner(module.operation, Settings()).plan("main")


def xla(program: str, arguments: list[np.ndarray]) -> Run:
    """XLA's compiler for CPUs, with the program compiled before."""
    return xla_compiler(program, arguments)()


def xla_compiler(program: str, arguments: list[np.ndarray]) -> Callable[[], Run]:
    """Return a function that compiles the program with XLA for a CPU, to run on these arguments."""
    from jaxlib import _jax

    client: Any = _jax.get_tfrt_cpu_client()
    devices = _jax.DeviceList(tuple(client.local_devices()))

    def compile_(text: str) -> Any:
        return client.compile_and_load(text, devices, _jax.CompileOptions())

    def buffer(array: np.ndarray, type_: str) -> Any:
        """The array on the device; types that DLPack lacks come as integers that XLA reinterprets."""
        bits = array if array.dtype in map(np.dtype, "ilfd") else array.view(f"u{array.itemsize}")
        plain = _jax.dlpack_managed_tensor_to_buffer(bits.__dlpack__(), client.local_devices()[0], None)
        if bits is array:
            return plain
        raw = type_.rpartition("x")[0] + f"xui{8 * array.itemsize}>"
        text = f"func.func @main(%a: {raw}) -> {type_} {{\n  %r = stablehlo.bitcast_convert %a : ({raw}) -> {type_}\n"
        return compile_(text + f"  return %r : {type_}\n}}\n").execute([plain])[0]

    head = program[program.index("@main(") :]
    types = re.findall(r"%\w+: (tensor<[^>]*>)", head[: head.index("->")])
    buffers = [buffer(array, type_) for array, type_ in zip(arguments, types, strict=True)]

    def compile_program() -> Run:
        executable = compile_(program)
        return lambda: [result.block_until_ready() for result in executable.execute(buffers)]

    return compile_program


def fastest(run: Run, seconds: float) -> float:
    """The seconds of the fastest run of as many as fit into `seconds`, at least two and at most a thousand."""
    best = float("inf")
    end = time.perf_counter() + seconds
    for count in range(1000):
        start = time.perf_counter()
        run()
        now = time.perf_counter()
        best = min(best, now - start)
        if now > end and count:
            break
    return best


if __name__ == "__main__":
    engines = {"official": official, "ours": ours, "planning": planning, "xla": xla}
    engine = {**engines, "ours without gmpy2": ours_without_gmpy2}[sys.argv[1]]
    text, values, budget = pickle.load(sys.stdin.buffer)
    print(fastest(engine(text, values), budget))
