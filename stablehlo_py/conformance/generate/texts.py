"""The text of programs of one op: types, attributes, regions, and `main` around them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np


def tensor(shape: Sequence[int], element: str) -> str:
    """Return the text of a tensor type."""
    return f"tensor<{''.join(f'{size}x' for size in shape)}{element}>"


def ints(values: Sequence[int] | np.ndarray) -> str:
    """Return the text of an `array<i64>` attribute."""
    return f"array<i64: {', '.join(map(str, values))}>" if len(values) else "array<i64>"


def body(kind: str, element: str) -> str:
    """Return the text of a region that combines an old and a new element.

    `kind` is the name of an op, `update` for the new element, `several` for an elementwise function of several ops, or
    `branches` for a function with a region inside.
    """
    t = f"tensor<{element}>"
    if kind == "update":
        return f"{{^bb0(%x: {t}, %y: {t}): stablehlo.return %y : {t}}}"
    lines = {
        "several": f"%z = stablehlo.add %x, %y : {t}\n %r = stablehlo.maximum %z, %y : {t}",
        "branches": f"%p = stablehlo.compare LT, %x, %y : ({t}, {t}) -> tensor<i1>\n"
        f' %r = "stablehlo.if"(%p) ({{stablehlo.return %x : {t}}}, {{stablehlo.return %y : {t}}})'
        f" : (tensor<i1>) -> {t}",
    }
    line = lines.get(kind, f"%r = stablehlo.{kind} %x, %y : {t}")
    return f"{{^bb0(%x: {t}, %y: {t}):\n {line}\n stablehlo.return %r : {t}}}"


def typed_program(types: Sequence[str], results: Sequence[str], op: str) -> str:
    """Return a module whose main gives its arguments %0, %1, … of these types to an op, written up to its types."""
    parameters = ", ".join(f"%{index}: {type_}" for index, type_ in enumerate(types))
    outputs = ", ".join(results)
    names = "%r" if len(results) == 1 else ", ".join(f"%r#{index}" for index in range(len(results)))
    count = "" if len(results) == 1 else f":{len(results)}"
    return (
        f"func.func @main({parameters}) -> ({outputs}) {{\n"
        f"  %r{count} = {op} : ({', '.join(types)}) -> ({outputs})\n"
        f"  return {names} : {outputs}\n}}\n"
    )
