"""Run the node tests of the onnx package in the interpreter: `python tests/external/onnx_node_tests.py [--match TEXT]`.

Prints how many agree with the expected outputs, and for the others how many there are of each cause. Where results
differ, XLA runs what torch-mlir made of the model: if it gives what the interpreter gives, the cause is torch-mlir's
program, or random numbers in it. Needs the extra `onnx`. The exit code is 1 where the interpreter alone differs.
"""

from __future__ import annotations

import argparse
import importlib
import os
import re
import sys
import warnings
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

import stablehlo_py
from stablehlo_py.bindings.bytecode import bytecode_of
from stablehlo_py.engines.catalog import open_engine
from stablehlo_py.engines.process import Engine
from stablehlo_py.isolation.limits import TIMEOUT_VARIABLE

AGREES, DIFFERS = "agrees", "differs"
OF_TORCH_MLIR = "torch-mlir's program says something else, in XLA too"
OF_CHANCE = "draws random numbers"
REFUSED_AS_DIFFERENT = "torch-mlir's program says something else, and is refused"
_RANDOM = ("stablehlo.rng", "stablehlo.rng_bit_generator")
# Names of ops in what torch-mlir says, which tell the cause apart from others of its kind.
_OP = re.compile(r"onnx\.\w+|torch\.[\w.]*\w|stablehlo\.\w+")
# The importer's inputs that no tensor program has.
_NO_TENSORS = ("sequence", "optional", "Sequence", "Optional")


@dataclass(frozen=True)
class Verdict:
    """How one test went: it agrees, it differs, or a cause why it cannot run."""

    name: str
    outcome: str
    detail: str = ""


def node_tests(match: str = "") -> list[Any]:
    """The test cases of the onnx package whose name contains `match`, one for each model."""
    from onnx.backend.test.loader import load_model_tests

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # computing the expected outputs divides by zero on purpose
        cases = load_model_tests(kind="node")
    return sorted((case for case in cases if match in case.name), key=lambda case: case.name)


def judge(case: Any) -> Verdict:
    """Import a test's model, run it on the inputs, and compare with the outputs."""
    try:
        program = stablehlo_py.load(case.model, timeout=20, max_memory=1 << 31)
    except stablehlo_py.StablehloError as error:
        return Verdict(case.name, _cause(error.message), error.message)
    for given, expected in case.data_sets:
        inputs, outputs = list(map(_as_array, given)), list(map(_as_array, expected))
        if not all(isinstance(value, (np.ndarray, np.generic)) for value in (*inputs, *outputs)):
            return Verdict(case.name, "takes or returns what is no tensor")
        try:
            results = program(*inputs)
        except stablehlo_py.ArgumentError as error:
            return Verdict(case.name, "the imported program has other parameters", error.message)
        except stablehlo_py.StablehloError as error:
            return Verdict(case.name, f"the interpreter: '{error.op}' op", error.message)
        results = results if isinstance(results, tuple) else (results,)
        for result, output in zip(results, outputs, strict=True):
            if not _is_close(result, output, case):
                return Verdict(case.name, _blame(case, program, inputs, results), f"{result} for {output}")
    return Verdict(case.name, AGREES)


def _as_array(value: Any) -> Any:
    """The array in a tensor's proto, which the tests of some types hold."""
    from onnx import TensorProto, numpy_helper

    return numpy_helper.to_array(value) if isinstance(value, TensorProto) else value


def _blame(case: Any, program: Any, inputs: Sequence[np.ndarray], results: Sequence[np.ndarray]) -> str:
    """Why the interpreter's results are not those expected, by what XLA gives for the same program."""
    text = str(program.module)
    if any(op in text for op in _RANDOM):
        return OF_CHANCE
    outcome = _xla().run(bytecode_of(program.module), list(inputs))
    same = outcome.ok and all(
        _is_close(ours, theirs, case) for ours, theirs in zip(results, outcome.results, strict=True)
    )
    return OF_TORCH_MLIR if same else DIFFERS


@cache
def _xla() -> Engine:
    return open_engine("xla")


def _is_close(result: np.ndarray, output: np.ndarray, case: Any) -> bool:
    if result.shape != output.shape:
        return False
    if output.dtype.kind in "biu" or result.dtype.kind in "biu":
        return bool(np.array_equal(result, output))
    left, right = (np.asarray(array, np.complex128 if output.dtype.kind == "c" else np.float64)
                   for array in (result, output))  # fmt: skip
    return bool(np.allclose(left, right, rtol=case.rtol, atol=case.atol, equal_nan=True))


def _cause(message: str) -> str:
    if "cannot be imported" in message:
        if any(word in message for word in _NO_TENSORS):
            return "takes or returns what is no tensor"
        return f"the importer: {message.partition(': ')[2][:60]}"
    if message.startswith("the import is not the program"):
        return REFUSED_AS_DIFFERENT
    if "torch-mlir crashes" in message:
        return f"torch-mlir crashes: {message.rpartition(': ')[2]}"
    reason = message.partition("cannot be expressed in StableHLO: ")[2]
    found = _OP.findall(reason)
    onnx_ops = [op for op in found if op.startswith("onnx.")]
    if found:
        return f"torch-mlir does not lower {(onnx_ops or found)[0]}"
    return f"torch-mlir: {re.split(r'[(;]', reason)[0].strip()[:70]}"


def summary(verdicts: Sequence[Verdict]) -> Iterator[str]:
    """A line for the whole, then one for each cause, the most frequent first."""
    counts = Counter(verdict.outcome for verdict in verdicts)
    differ = sum(counts[outcome] for outcome in (DIFFERS, OF_TORCH_MLIR, OF_CHANCE))
    refused = len(verdicts) - counts[AGREES] - differ
    yield f"{len(verdicts)} tests: {counts[AGREES]} agree, {differ} differ, {refused} cannot run"
    for outcome, count in counts.most_common():
        if outcome != AGREES:
            yield f"{count:6}  {outcome}"


def page(verdicts: Sequence[Verdict]) -> str:
    """The page about these verdicts."""
    from importlib.metadata import version

    counts = Counter(verdict.outcome for verdict in verdicts)
    examples: dict[str, str] = {}
    for verdict in verdicts:
        examples.setdefault(verdict.outcome, verdict.name)
    total = next(summary(verdicts)).replace(" tests:", " node tests:")
    rows = [
        f"| {outcome.replace('|', ' ')} | {count} | `{examples[outcome]}` |"
        for outcome, count in counts.most_common()
        if outcome != AGREES
    ]
    return "\n".join(
        [
            "# The node tests of ONNX",
            "",
            "<!-- written by `python tests/external/onnx_node_tests.py --page docs/onnx.md`; do not edit -->",
            "",
            f"Of onnx {version('onnx')}, read by torch-mlir {version('torch-mlir')}, run by the interpreter: {total}.",
            "",
            "| why a test does not agree | tests | the first |",
            "|---|---|---|",
            *rows,
            "",
        ]
    )


def main() -> int:
    """The script."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--match", default="", help="only tests whose name contains this")
    parser.add_argument("--part", default="1/1", help="only this part of the tests, such as 2/4")
    parser.add_argument("--verbose", action="store_true", help="print each test that does not agree")
    parser.add_argument("--page", type=Path, help="write the counts to this file, too")
    arguments = parser.parse_args()
    number, parts = map(int, arguments.part.split("/"))
    os.environ.setdefault(TIMEOUT_VARIABLE, "60")  # of an import
    importlib.import_module("torch_mlir.extras.onnx_importer")  # children of this process need not import it again

    verdicts: list[Verdict] = []
    for case in node_tests(arguments.match)[number - 1 :: parts]:
        verdicts.append(judge(case))
        if arguments.verbose and verdicts[-1].outcome != AGREES:
            print(f"{verdicts[-1].name}: {verdicts[-1].outcome}: {verdicts[-1].detail}", flush=True)
    print("\n".join(summary(verdicts)))
    if arguments.page is not None:
        arguments.page.write_text(page(verdicts), encoding="utf-8")
    return 1 if any(verdict.outcome == DIFFERS for verdict in verdicts) else 0


if __name__ == "__main__":
    sys.exit(main())
