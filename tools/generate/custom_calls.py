"""Write docs/custom-calls.md: the custom call targets of the interpreter, and the checks of each.

`tools/run generate/custom_calls`. It needs the extra `test`: the checks are in jaxlib's kernels and in jax's wheel.
"""

from __future__ import annotations

import importlib
import inspect
import re
import sys
from collections.abc import Iterator
from pathlib import Path

from stablehlo_py.interpreter.custom_calls import Handler
from stablehlo_py.interpreter.custom_calls.lookup import KINDS, targets
from stablehlo_py.interpreter.ops.async_collectives import STARTS, start

ROOT = Path(__file__).resolve().parents[2]
OUTPUT = ROOT / "docs" / "custom-calls.md"
HEAD = """# Custom calls

<!-- written by tools/generate/custom_calls.py; do not edit -->

The targets that come with the interpreter. Linear algebra needs scipy: `pip install 'stablehlo-py[scipy]'`. `mhlo.`,
`stablehlo.` and `chlo.` in front of an op's name stand for the op. A target is checked by one or more of:

- *jaxlib*: the results of jaxlib's kernel in XLA for CPUs, for all types, batched, empty and singular
  (`tests/differential/test_lapack_calls.py`);
- *jax*: the programs with expected results in jax's wheel (`tests/differential/test_back_compat_programs.py`);
- *tests*: tests of its own (`tests/unit/interpreter/test_*_calls.py`, `tests/lit`).

A target in *italics* is checked as one of its row: the same function runs all of them.

| targets | result | checked by |
|---|---|---|
"""
KINDS_HEAD = """
These targets cannot run here and are refused with their kind.
[A handler of your own](how-to/custom-calls.md) makes one run.

| targets (a pattern) | kind |
|---|---|
"""


def _kernels() -> frozenset[str]:
    """The targets of jaxlib's kernels."""
    modules = [importlib.import_module(f"jaxlib.cpu.{name}") for name in ("_lapack", "_sparse")]
    return frozenset(name for module in modules for name in module.registrations())


def _of_jax() -> frozenset[str]:
    """The targets that programs of jax's wheel call."""
    sys.path.insert(0, str(ROOT / "tests" / "differential"))
    programs = importlib.import_module("test_back_compat_programs").programs()
    return frozenset(target for data in programs.values() for target in data["custom_call_targets"])


def _of_tests() -> frozenset[str]:
    """The targets that tests name."""
    paths = sorted((ROOT / "tests" / "unit").rglob("test_*_calls.py"))
    paths += sorted((ROOT / "tests" / "unit").rglob("test_older_shardings.py"))
    paths += sorted((ROOT / "tests" / "lit").rglob("*.mlir"))
    texts = [path.read_text(encoding="utf-8") for path in paths]
    words = {word for text in texts for word in re.findall(r"[\w.-]+", text)}
    ends = {end for text in texts for end in re.findall(r"\{platform\}(\w+)", text)}
    words |= {f"{start}{end}" for end in ends for start in ("cu", "hip")}
    return frozenset(words & (targets().keys() | STARTS.keys()))


def _summary(handler: Handler) -> str:
    """Return the first sentence about the handler's result."""
    text = " ".join((inspect.getdoc(handler) or "").partition("\n\n")[0].split())
    return re.split(r"(?<=[.)]) (?=[A-Z])", text)[0].replace("|", "\\|")


def _rows() -> Iterator[str]:
    rows: dict[Handler, list[str]] = {}
    for target, handler in sorted((targets() | dict.fromkeys(STARTS, start)).items()):
        rows.setdefault(handler, []).append(target)
    checks = {"jaxlib": _kernels(), "jax": _of_jax(), "tests": _of_tests()}
    checked = frozenset().union(*checks.values())
    for handler, names in rows.items():
        by = [check for check, known in checks.items() if known & set(names)]
        shown = ", ".join(f"`{name}`" if name in checked else f"*`{name}`*" for name in names)
        yield f"| {shown} | {_summary(handler)} | {', '.join(by)} |"


def text() -> str:
    """The page."""
    kinds = [f"| `{pattern.replace('|', chr(92) + '|')}` | {what} |" for pattern, what in KINDS]
    return HEAD + "\n".join(_rows()) + "\n" + KINDS_HEAD + "\n".join(kinds) + "\n"


if __name__ == "__main__":
    OUTPUT.write_text(text(), encoding="utf-8")
