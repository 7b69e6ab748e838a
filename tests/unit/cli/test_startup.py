"""Importing the package, and using it, changes nothing of the process; tools import what they need."""

from __future__ import annotations

import subprocess
import sys

# Uses the API beside a thread, and compares what a process has in one place before and after.
USE = '''
import ctypes, gc, logging, signal, sys, threading, types

libc = ctypes.CDLL(None)

class Allocated(ctypes.Structure):
    """What glibc tells of its arenas: the fourth number counts the blocks that it maps one by one."""
    _fields_ = [(f"field{number}", ctypes.c_size_t) for number in range(10)]

def are_mapped(size):
    """Whether malloc maps a block of this size by itself, as it does until a setting or a freed block says otherwise.
    The block is kept: to free it would be such a setting."""
    if not hasattr(libc, "mallinfo2"):
        return None
    libc.mallinfo2.restype, libc.malloc.restype, libc.malloc.argtypes = Allocated, ctypes.c_void_p, [ctypes.c_size_t]
    before = libc.mallinfo2().field3
    libc.malloc(size)
    return libc.mallinfo2().field3 - before

def state():
    return {
        "finders": list(map(repr, sys.meta_path)),
        "path hooks": list(map(repr, sys.path_hooks)),
        "signals": [signal.getsignal(number) for number in signal.valid_signals()],
        "gc": (gc.isenabled(), gc.get_threshold(), gc.get_freeze_count()),
        "logging": (logging.root.level, list(logging.root.handlers), logging.Logger.manager.disable),
        "recursion": sys.getrecursionlimit(),
        "threads": threading.active_count(),
        "malloc": are_mapped(16 << 20),
    }

stop = threading.Event()
thread = threading.Thread(target=stop.wait, daemon=True)
thread.start()
before = state()
import stablehlo_py
text = """func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.add %a, %a : tensor<2xf32>
  return %0 : tensor<2xf32>
}"""
module = stablehlo_py.parse(text)
stablehlo_py.verify(module)
stablehlo_py.run_passes(module, "canonicalize,stablehlo-aggressive-simplification")
module = stablehlo_py.deserialize(stablehlo_py.serialize(module))
print(*stablehlo_py.interpret(module, [[1, 2]]), *stablehlo_py.load(text)([1, 2]))
after = state()
for name in before:
    assert before[name] == after[name], (name, before[name], after[name])
odd = {name for name, found in sys.modules.items() if type(found) is not types.ModuleType or found.__spec__ is None}
# Parts of jaxlib's library have no file.
assert not [name for name in odd if name.startswith("stablehlo_py") or ".dialects." in name], odd
assert sorted(dir(stablehlo_py)) == sorted(stablehlo_py.__all__), set(dir(stablehlo_py)) ^ set(stablehlo_py.__all__)
stop.set()
'''


def test_use_changes_nothing_of_the_process():
    completed = subprocess.run([sys.executable, "-c", USE], capture_output=True, text=True, check=False, timeout=120)
    assert (completed.returncode, completed.stdout) == (0, "[2. 4.] 2.0 4.0\n"), completed.stderr


# Runs a tool in this process, and prints which of some modules were imported.
RUN = """
import sys
modules, tool = sys.argv[1], sys.argv[2]
sys.argv[1:] = sys.argv[3:]
import stablehlo_py.cli
try:
    getattr(stablehlo_py.cli, tool)()
except SystemExit as end:
    assert not end.code, end.code
print(*[name for name in modules.split(",") if name in sys.modules], file=sys.stderr)
"""


def test_tools_import_the_interpreter_when_they_run_it(tmp_path):
    program = tmp_path / "program.mlir"
    program.write_text(
        "func.func @main() -> tensor<i1> { %0 = stablehlo.constant dense<true> : tensor<i1> return %0 : tensor<i1> }"
    )

    def imported(tool: str, *arguments: str) -> str:
        modules = "stablehlo_py.interpreter.planner,stablehlo_py.cli.interpret,jax,stablehlo_py.shapes"
        command = [sys.executable, "-c", RUN, modules, tool, "--trust-input", *arguments, str(program)]
        completed = subprocess.run(command, capture_output=True, text=True, check=False)
        assert completed.returncode == 0, completed.stderr
        return completed.stderr.strip()

    assert imported("stablehlo_opt", "--canonicalize") == ""
    assert imported("stablehlo_translate", "--serialize", f"-o={tmp_path / 'program.mlirbc'}") == ""
    assert (
        imported("stablehlo_translate", "--interpret") == "stablehlo_py.interpreter.planner stablehlo_py.cli.interpret"
    )
