"""A reduced program in the form of a bug report: a file that checks itself, and the text around it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from ...bindings import ir
from ...bindings.bytecode import copy_of
from ...bindings.elements import from_numpy
from ...bindings.types import TensorType, TypeReader, ValueType
from ...bindings.walk import body_of, functions, terminator_of
from ...errors import counted
from ...syntax import readable_text
from ...version import __version__
from ..allowed.measures import is_float
from .reduce import Reduction

_MOST_ELEMENTS = 256


def self_checking(
    program: ir.Module,
    arguments: Sequence[np.ndarray],
    expected: Sequence[np.ndarray],
    *,
    most: int | None = _MOST_ELEMENTS,
) -> str | None:
    """The program as MLIR text for `stablehlo-translate --interpret` that has no arguments and checks its results.

    Return None where there are more elements than `most`, which is what a reader wants in a text, or results that are
    not tensors.
    """
    if most is not None and sum(array.size for array in (*arguments, *expected)) > most:
        return None
    copy = copy_of(program)
    function = functions(copy.operation)["main"]
    block = body_of(function)
    types = TypeReader()
    parameters = [argument.type for argument in block.arguments]
    results = [value.type for value in terminator_of(block).operands]
    if not all(isinstance(types[type_], TensorType) for type_ in (*parameters, *results)):
        return None
    expected = [_typed(value, types[type_]) for value, type_ in zip(expected, results, strict=True)]
    text = readable_text(copy).replace("@main(", "@program(", 1).rstrip().removesuffix("}").rstrip()
    names = [f"%input{number}" for number in range(len(parameters))]
    given = zip(names, arguments, parameters, strict=True)
    lines = [f"  {name} = stablehlo.constant {from_numpy(value, type_)}" for name, value, type_ in given]
    given = f"%results:{len(results)}" if len(results) > 1 else "%results"
    signature = f"({', '.join(map(str, parameters))}) -> ({', '.join(map(str, results))})"
    lines.append(f"  {given} = func.call @program({', '.join(names)}) : {signature}")
    for number, (value, type_) in enumerate(zip(expected, results, strict=True)):
        name = f"%results#{number}" if len(results) > 1 else "%results"
        check = "expect_almost_eq_const" if is_float(value.dtype) else "expect_eq_const"
        lines.append(f"  check.{check} {name}, {from_numpy(value, type_)}")
    body = "\n".join([f"  {line}" for line in lines])
    return f"{text}\n  func.func @main() {{\n{body}\n    return\n  }}\n}}\n"


def _typed(value: np.ndarray, type_: ValueType) -> np.ndarray:
    """Return a result in the program's own type, where an engine computed it in another."""
    with np.errstate(all="ignore"):
        return value.astype(type_.dtype) if isinstance(type_, TensorType) else value


def issue_text(
    found: Reduction, command: str, versions: Mapping[str, Mapping[str, str]], shown: Sequence[tuple[str, str]]
) -> str:
    """The text of a bug report in Markdown, with the versions of each engine, and titles and texts to show."""
    before, tests = counted(found.ops_before, "op"), counted(found.tests, "test")
    parts = [
        f"## {found.signature} on a program of {counted(found.ops, 'op')}",
        f"Reduced from {before} in {tests} by stablehlo-py {__version__}.",
        *(f"Note: {note}." for note in found.notes),
        _block("mlir", readable_text(found.program)),
        "Arguments:",
        _block("", "\n".join(f"{number}: {argument.tolist()}" for number, argument in enumerate(found.arguments))),
    ]
    for title, text in shown:
        parts += [f"{title}:", _block("", text)]
    parts += ["To reproduce:", _block("sh", command), "Versions:"]
    pairs = {engine: [f"{key} {value}" for key, value in known.items()] for engine, known in versions.items()}
    parts.append("\n".join(f"- {engine}: {', '.join(known)}" for engine, known in pairs.items()))
    return "\n\n".join(parts) + "\n"


def _block(language: str, text: str) -> str:
    return f"```{language}\n{text.rstrip()}\n```"
