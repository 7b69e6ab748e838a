"""Kill a worker in the middle of a corpus, with a module in it that aborts and one that hangs, and count the rows.

    python tests/fuzz/corpus_proof.py --modules=1000 --workers=2

Small programs are compared in the reference interpreter and the official one, on a Dask cluster of this machine. One
divides by zero, which ends the official interpreter's process; one has a loop without an end. Every module has to have
its row, and `--resume` nothing left to do. Needs Linux, where a process's children can be listed.

    python tests/fuzz/corpus_proof.py --tasks=2000

gives one worker tasks with nothing to do: the cost of a task.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from stablehlo_py.isolation.pool import open_pool

ABORTS = """func.func @main(%a: tensor<4xi32>) -> tensor<4xi32> {
  %zero = stablehlo.constant dense<0> : tensor<4xi32>
  %0 = stablehlo.divide %a, %zero : tensor<4xi32>
  return %0 : tensor<4xi32>
}
"""
HANGS = """func.func @main(%a: tensor<i32>) -> tensor<i32> {
  %true = stablehlo.constant dense<true> : tensor<i1>
  %0 = stablehlo.while(%x = %a) : tensor<i32>
    cond { stablehlo.return %true : tensor<i1> } do { stablehlo.return %x : tensor<i32> }
  return %0 : tensor<i32>
}
"""
_OPS = ("add", "subtract", "multiply", "maximum", "minimum")


def write_corpus(folder: Path, count: int) -> None:
    """Write `count` modules, no two the same: one that aborts, one that hangs, and chains of one to five ops."""
    (folder / "aborts.mlir").write_text(ABORTS, encoding="utf-8")
    (folder / "hangs.mlir").write_text(HANGS, encoding="utf-8")
    for number in range(count - 2):
        type_ = f"tensor<{1 + number // 25}xf32>"
        ops = [_OPS[(number + index) % len(_OPS)] for index in range(1 + number // 5 % 5)]
        lines = [f"  %{index + 1} = stablehlo.{op} %{index}, %{index} : {type_}" for index, op in enumerate(ops)]
        head, last = f"func.func @main(%0: {type_}) -> {type_} {{", f"  return %{len(ops)} : {type_}"
        text = "\n".join([head, *lines, last, "}", ""])
        (folder / f"{number:06}.mlir").write_text(text, encoding="utf-8")


def _children(process: int) -> list[int]:
    found: list[int] = []
    for path in Path(f"/proc/{process}/task").glob("*/children"):
        found += map(int, path.read_text().split())
    return found


def workers(process: int) -> list[int]:
    """The worker processes among the descendants of a process."""
    found, pending = [], [process]
    while pending:
        for child in _children(pending.pop()):
            pending.append(child)
            if b"spawn_main" in Path(f"/proc/{child}/cmdline").read_bytes():
                found.append(child)
    return found


def run(count: int, jobs: int, seconds: float) -> dict[str, object]:
    """Run the corpus and return what became of it."""
    with tempfile.TemporaryDirectory(prefix="corpus-") as name:
        folder, results = Path(name, "modules"), Path(name, "results.jsonl")
        folder.mkdir()
        write_corpus(folder, count)
        command = [sys.executable, "-m", "stablehlo_py", "corpus", str(folder), "-o", str(results)]
        command += ["--check=compare:reference,official", "--json", f"--timeout={seconds}", f"--jobs={jobs}"]
        began = time.monotonic()
        process = subprocess.Popen([*command, "--cluster=local"], stdout=subprocess.PIPE)
        while process.poll() is None and (not results.exists() or results.read_bytes().count(b"\n") < count // 4):
            time.sleep(0.05)
        killed = workers(process.pid)[0]
        os.kill(killed, signal.SIGKILL)
        rows_then = results.read_bytes().count(b"\n")
        output = json.loads(process.communicate()[0])
        took = time.monotonic() - began
        again = json.loads(subprocess.run([*command, "--cluster=local", "--resume"], stdout=subprocess.PIPE).stdout)
        rows = [json.loads(line) for line in results.read_text(encoding="utf-8").splitlines()]
    return {
        "modules": count,
        "rows": len(rows),
        "modules_with_a_row": len({row["module"] for row in rows}),
        "statuses": output["statuses"],
        "causes": [f"{cause['status']}: {cause['cause']}" for cause in output["causes"]],
        "rows_when_a_worker_was_killed": rows_then,
        "rows_of_resume": again["new"],
        "seconds": round(took, 1),
    }


@dataclass(frozen=True)
class Nothing:
    """Tasks with nothing to do."""

    @contextmanager
    def open(self) -> Iterator[Callable[[bytes], int]]:
        """Start nothing."""
        yield len

    def lost(self, _task: bytes, _why: str) -> int:
        """The result of a task that was lost."""
        return 0


def hand_out(count: int) -> float:
    """Seconds that a task of a kilobyte takes to be handed out to a worker of a cluster here and to come back."""
    with open_pool("local", 1) as pool:
        list(pool.results(Nothing(), [bytes(1024)], 256))
        began = time.monotonic()
        list(pool.results(Nothing(), [bytes(1024)] * count, 256))
        return (time.monotonic() - began) / count


def main() -> int:
    """Print the outcomes of the corpus; the exit code is 0 if every module was checked exactly once."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--modules", type=int, default=1000)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--timeout", type=float, default=10.0)
    parser.add_argument("--tasks", type=int, default=0)
    arguments = parser.parse_args()
    if arguments.tasks:
        print(f"{1e3 * hand_out(arguments.tasks):.2f} ms a task")
        return 0
    found = run(arguments.modules, arguments.workers, arguments.timeout)
    print(json.dumps(found, indent=2, ensure_ascii=False))
    wanted = {"ok": arguments.modules - 2, "crash": 1, "timeout": 1}
    complete = found["rows"] == found["modules_with_a_row"] == arguments.modules
    return 0 if complete and found["statuses"] == wanted and found["rows_of_resume"] == 0 else 1


if __name__ == "__main__":
    sys.exit(main())
