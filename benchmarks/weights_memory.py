"""The peak memory of a program with large weights: `python benchmarks/weights_memory.py --megabytes 2048`.

Layers of `tanh(x @ weight + x)`, each in a function of its own, are run by `stablehlo-translate` with their
weights in a .safetensors file, in a folder of .npy files, as resources in a program of bytecode, or as constants in a
portable artifact. The memory of all its processes is looked at fifty times a second, shared pages counted once.
The exit code is 1 if it is above 1.3 times the weights and the values that are live at a time, on top of what the
tool takes for a program without any.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np

TOOL = "from stablehlo_py.cli import stablehlo_{} as tool; tool()"
FORMS = ("safetensors", "npy", "resources", "artifact")
_IN_PROGRAM = FORMS[2:]
LIMIT = 1.3
WIDTH = 2048  # a layer of f32 has 16 MB
ROWS = 256
_LAYER_BYTES = WIDTH * WIDTH * 4
# A layer's operand, its product and the sum, and the panel of one product.
_LIVE_BYTES = 3 * ROWS * WIDTH * 4 + _LAYER_BYTES
_ACTIVATION, _WEIGHT = f"tensor<{ROWS}x{WIDTH}xf32>", f"tensor<{WIDTH}x{WIDTH}xf32>"


def program(layers: int, *, as_resources: bool = False) -> str:
    """Return a program with weights as arguments or resources."""
    lines, weights = [], [] if as_resources else [f"%w{n}: {_WEIGHT}" for n in range(layers)]
    for n in range(layers):
        if as_resources:
            lines.append(f"  %w{n} = stablehlo.constant dense_resource<arg{n + 1}> : {_WEIGHT}")
        before = "x" if n == 0 else f"y{n - 1}"
        lines.append(f"  %y{n} = func.call @layer(%{before}, %w{n}) : ({_ACTIVATION}, {_WEIGHT}) -> {_ACTIVATION}")
    return f"""func.func private @layer(%x: {_ACTIVATION}, %w: {_WEIGHT}) -> {_ACTIVATION} {{
  %product = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : ({_ACTIVATION}, {_WEIGHT}) -> {_ACTIVATION}
  %sum = stablehlo.add %product, %x : {_ACTIVATION}
  %y = stablehlo.tanh %sum : {_ACTIVATION}
  return %y : {_ACTIVATION}
}}
func.func @main({", ".join([f"%x: {_ACTIVATION}", *weights])}) -> {_ACTIVATION} {{
{chr(10).join(lines)}
  return %y{layers - 1} : {_ACTIVATION}
}}
"""


def _weights(layers: int) -> Iterator[tuple[str, np.ndarray]]:
    random = np.random.default_rng(0)
    yield "arg0", random.standard_normal((ROWS, WIDTH), np.float32)
    for n in range(layers):
        yield f"arg{n + 1}", random.standard_normal((WIDTH, WIDTH), np.float32) / WIDTH


def write(form: str, folder: Path, layers: int) -> list[str]:
    """Write the program and its weights, one at a time; return the arguments of the tool."""
    path = folder / "program.mlir"
    path.write_text(program(layers, as_resources=form in _IN_PROGRAM), encoding="utf-8")
    if form == "npy":
        (folder / "weights").mkdir()
        for name, array in _weights(layers):
            np.save(folder / "weights" / f"{name}.npy", array)
        return [str(path), f"--inputs={folder / 'weights'}"]
    if form == "safetensors":
        write_safetensors(folder / "weights.safetensors", _weights(layers), layers)
        return [str(path), f"--inputs={folder / 'weights.safetensors'}"]
    with path.open("a", encoding="utf-8") as file:
        file.write("{-# dialect_resources: { builtin: {\n")
        for number, (name, array) in enumerate(_weights(layers)):
            if number == 0:
                np.save(folder / "x.npy", array)
                continue
            file.write(f'{name}: "0x04000000{array.tobytes().hex()}"{"," if number < layers else ""}\n')
        file.write("} } #-}\n")
    _to_bytecode(path, folder / "program.mlirbc")
    if form == "artifact":
        tool = [sys.executable, "-c", TOOL.format("translate"), "--serialize", "--target=current"]
        subprocess.run([*tool, str(folder / "program.mlirbc"), "-o", str(folder / "artifact.mlirbc")], check=True)
        (folder / "artifact.mlirbc").replace(folder / "program.mlirbc")
    return [str(folder / "program.mlirbc"), f"--input={folder / 'x.npy'}"]


def _to_bytecode(text: Path, path: Path) -> None:
    """Bytecode, as programs with so many weights come; in a process of its own, which the figure leaves out."""
    tool = [sys.executable, "-c", TOOL.format("opt"), "--emit-bytecode", str(text), "-o", str(path)]
    subprocess.run(tool, check=True)
    text.unlink()


def write_safetensors(path: Path, arrays: Iterator[tuple[str, np.ndarray]], layers: int) -> None:
    """Write the file one array at a time."""
    header, end = {}, 0
    shapes = {f"arg{n}": [WIDTH if n else ROWS, WIDTH] for n in range(layers + 1)}
    for name, shape in shapes.items():
        size = 4 * shape[0] * shape[1]
        header[name] = {"dtype": "F32", "shape": shape, "data_offsets": [end, end + size]}
        end += size
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    with path.open("wb") as file:
        file.write(len(text).to_bytes(8, "little") + text)
        for _, array in arrays:
            array.tofile(file)


def _tree(process: int) -> Iterator[int]:
    yield process
    for path in Path(f"/proc/{process}/task").glob("*/children"):
        for child in path.read_text().split():
            yield from _tree(int(child))


def _resident(process: int) -> int:
    """The bytes of a process and of those below it; pages that several share are counted in parts."""
    total = 0
    for each in _tree(process):
        lines = Path(f"/proc/{each}/smaps_rollup").read_text().splitlines()
        total += sum([int(line.split()[1]) << 10 for line in lines if line.startswith("Pss:")])
    return total


def peak(arguments: list[str], output: Path) -> tuple[int, float]:
    """The most memory that the tool and its processes take together, and how long it runs."""
    tool = [sys.executable, "-c", TOOL.format("translate"), "--interpret", f"--output={output}", *arguments]
    began, most = time.monotonic(), 0
    process = subprocess.Popen(tool)
    while process.poll() is None:
        try:
            most = max(most, _resident(process.pid))
        except (OSError, ValueError):  # a process has just ended
            continue
        finally:
            time.sleep(0.02)
    if process.returncode:
        sys.exit(process.returncode)
    return most, time.monotonic() - began


def measure(form: str, megabytes: int) -> dict[str, float]:
    """Run the program with weights in this form."""
    layers = max(1, (megabytes << 20) // _LAYER_BYTES)
    with tempfile.TemporaryDirectory(prefix="weights-") as name:
        folder = Path(name)
        small = folder / "small.mlir"
        small.write_text("func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> { return %x : tensor<4xf32> }\n")
        np.save(folder / "small.npy", np.ones(4, np.float32))
        base = peak([str(small), f"--input={folder / 'small.npy'}"], folder / "small-result.npy")[0]
        found, seconds = peak(write(form, folder, layers), folder / "result.npy")
        if not np.isfinite(np.load(folder / "result.npy")).all():
            sys.exit("error: the result is not finite")
    weights = layers * _LAYER_BYTES
    mega = 1 << 20
    return {
        "weights": weights / mega,
        "without weights": base / mega,
        "peak": found / mega,
        "ratio": (found - base - _LIVE_BYTES) / weights,
        "seconds": seconds,
    }


def main() -> int:
    """Print a line for each form; the exit code tells whether all are within the limit."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--megabytes", type=int, default=2048)
    parser.add_argument(
        "--forms", default=",".join(FORMS[:3]), help=f"of {FORMS}; MLIR copies constants while it reads an artifact"
    )
    arguments = parser.parse_args()
    worst = 0.0
    print("| weights in | MB | peak, MB | tool alone, MB | (peak - tool - live values) / weights | seconds |")
    print("|---|--:|--:|--:|--:|--:|")
    for form in arguments.forms.split(","):
        found = measure(form, arguments.megabytes)
        worst = max(worst, found["ratio"])
        print(f"| {form} | {found['weights']:,.0f} | {found['peak']:,.0f} | {found['without weights']:,.0f} | "
              f"{found['ratio']:.2f} | {found['seconds']:.1f} |", flush=True)  # fmt: skip
    return int(worst > LIMIT)


if __name__ == "__main__":
    sys.exit(main())
