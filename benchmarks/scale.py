"""The table of docs/scale.md: programs on 2, 4, 8 and 64 devices, against the global program and XLA.

`python benchmarks/scale.py [NAME …] [--devices 2,4,8,64]` prints it; exit code 1 where a result differs.
"""

from __future__ import annotations

import argparse
import math
import re
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

import stablehlo_py
from stablehlo_py.debug.compare import compare_results
from stablehlo_py.debug.programs.subject import examine
from stablehlo_py.spmd import Partition, partition, simulate
from stablehlo_py.spmd.collectives import bytes_sent
from stablehlo_py.spmd.simulation import global_results

NAMES = (
    "data_parallel",
    "tensor_parallel",
    "data_and_tensor_parallel",
    "fully_sharded",
    "pipeline",
    "sequence_parallel",
    "ring_attention",
    "expert_parallel",
    "transformer_step",
    "sharded_weights_step",
    "uneven",
)
DEVICES = (2, 4, 8, 64)
_HLO = re.compile(
    r"= (?P<types>\(.*?\)|\S+) (?P<op>all-reduce|all-gather|reduce-scatter|all-to-all|collective-permute)\("
    r"(?P<rest>.*)"
)
_TYPE = re.compile(r"(?P<name>[a-z]+\d+|pred)\[(?P<shape>[\d,]*)\]")
_GROUPS = re.compile(r"replica_groups=(?:\{\{(?P<first>[\d,]*)\}|mesh\[(?P<mesh>[^\]]*)\] \{(?P<axes>[^}]*)\}|"
                     r"\[(?P<iota>[\d,]+)\])")  # fmt: skip


def make_programs(folder: Path, devices: Sequence[int]) -> None:
    """Let JAX write the programs, in a child with as many devices."""
    tool = Path(__file__).with_name("parallel_programs.py")
    subprocess.run([sys.executable, str(tool), str(folder), *map(str, devices)], check=True)


def load(path: Path) -> list[np.ndarray]:
    """The arrays of an archive, in order."""
    with np.load(path) as archive:
        return [archive[f"arr_{number}"] for number in range(len(archive.files))]


@dataclass(frozen=True)
class Outcome:
    """The outcome of one program on a number of devices; `wrong` names what differs."""

    name: str
    devices: int
    found: Partition
    wrong: tuple[str, ...]
    xla_collectives: Counter[str] | None
    xla_bytes: int | None
    seconds: float


def hlo_collectives(text: str) -> tuple[Counter[str], int]:
    """The collectives of XLA's program of one device, operands counted one by one, and the bytes that it sends."""
    found: Counter[str] = Counter()
    total = 0
    for line in text.splitlines():
        match = _HLO.search(line)
        if match is None:
            continue
        op = match["op"].replace("-", "_")
        sizes = [_bytes(type_) for type_ in _TYPE.finditer(match["types"])]
        if op == "all_to_all":  # a piece for each member
            sizes = [sum(sizes)]
        count = 1 if op == "collective_permute" else _group_size(match["rest"])
        scale = {"all_gather": 1 / count, "reduce_scatter": count}.get(op, 1)
        found[op] += len(sizes)
        total += sum(bytes_sent(f"stablehlo.{op}", round(size * scale), count) for size in sizes)
    return found, total


def _bytes(type_: re.Match[str]) -> int:
    bits = 8 if type_["name"] == "pred" else int(re.sub(r"\D", "", type_["name"]))
    return math.prod([int(size) for size in type_["shape"].split(",") if size]) * bits // 8


def _group_size(rest: str) -> int:
    match = _GROUPS.search(rest)
    if match is None:
        raise ValueError(f"no replica groups in {rest}")
    if match["first"] is not None:
        return len(match["first"].split(","))
    if match["mesh"] is not None:
        sizes = dict(re.findall(r"'(\w+)'=(\d+)", match["mesh"]))
        return math.prod(int(sizes[axis]) for axis in re.findall(r"'(\w+)'", match["axes"]))
    return int(match["iota"].split(",")[-1])


def examine_program(folder: Path, name: str, devices: int) -> Outcome:
    """Partition and simulate one program, and compare."""
    stem = f"{name}.{devices}"
    module = stablehlo_py.parse((folder / f"{stem}.mlir").read_bytes())
    arguments = load(folder / f"{stem}.npz")
    started = time.perf_counter()
    found = partition(module)
    results = simulate(found, arguments).results
    seconds = time.perf_counter() - started
    subject = examine(module)
    expected = {"the global program": global_results(module, arguments)}
    from_xla = folder / f"{stem}.results.npz"
    collectives = sent = None
    if from_xla.exists():
        expected["XLA"] = load(from_xla)
        collectives, sent = hlo_collectives((folder / f"{stem}.hlo").read_text())
    wrong = [
        f"result {entry.result} differs from that of {other}"
        for other, values in expected.items()
        for entry in compare_results(subject, 0, "simulation", results, values, {}, arguments)
        if entry.verdict != "same"
    ]
    return Outcome(name, devices, found, tuple(wrong), collectives, sent, seconds)


def own_collectives(found: Partition) -> Counter[str]:
    """The collectives of our program of one device by name, operands counted one by one."""
    return Counter(one.op.removeprefix("stablehlo.") for one in found.collectives)


def bytes_once(found: Partition) -> int:
    """Return the bytes that a device sends, every collective counted once as XLA's text has it."""
    return sum(one.bytes_sent for one in found.collectives)


def _listed(collectives: Counter[str] | None) -> str:
    if collectives is None:
        return ""
    return ", ".join(f"{count} {name}" for name, count in sorted(collectives.items())) if collectives else "none"


def main() -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", default=NAMES)
    parser.add_argument("--devices", default=",".join(map(str, DEVICES)))
    options = parser.parse_args()
    devices = [int(number) for number in options.devices.split(",")]
    failed = False
    print("| program | devices | collectives | bytes sent by a device | XLA's collectives | XLA's bytes | seconds |")
    print("|---|--:|---|--:|---|--:|--:|")
    with tempfile.TemporaryDirectory() as folder:
        make_programs(Path(folder), devices)
        for name in options.names:
            for count in devices:
                outcome = examine_program(Path(folder), name, count)
                ours, sent = _listed(own_collectives(outcome.found)), bytes_once(outcome.found)
                theirs = "" if outcome.xla_bytes is None else f"{outcome.xla_bytes:,}"
                print(
                    f"| {name} | {count} | {ours} | {sent:,} | {_listed(outcome.xla_collectives)} | {theirs} "
                    f"| {outcome.seconds:.2f} |",
                    flush=True,
                )
                for problem in outcome.wrong:
                    failed = True
                    print(f"{name} on {count} devices: {problem}", file=sys.stderr)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
