#!/usr/bin/env python3
"""Write the stubs of `stablehlo_py.ops` from the tables of ops.

    python tools/generate/op_stubs.py

A test compares them with the tables.
"""

from __future__ import annotations

import textwrap
from pathlib import Path

from stablehlo_py.bindings.types import element_type_names
from stablehlo_py.ops.dialect import description, plain_name
from stablehlo_py.ops.parameters import Parameter, functions, parameters_of

ROOM = Path(__file__).resolve().parents[2] / "stablehlo_py" / "ops"
HEAD = '''# Written by tools/generate/op_stubs.py.
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal

from ..bindings.types import ElementType as ElementType
from ..bindings.types import TensorType as TensorType
from ..bindings.types import element_type as element_type
from .builder import TypeLike
from .eager import TypedValue as TypedValue
from .eager import typed as typed
from .functions import Function as Function
from .functions import function as function
from .functions import module as module
from .values import Value as Value

Operand = Any
"""An array of any library, a number, a list of numbers, a `TypedValue`, or a `Value`."""
Operands = Operand | Sequence[Operand]
ResultType = TypeLike | Sequence[TypeLike] | Sequence[int | None]
"""A type, its text, one for each result; or of a tensor only the element type or the shape."""

'''


CHLO_HEAD = """# Written by tools/generate/op_stubs.py.
from collections.abc import Callable, Sequence
from typing import Any, Literal

from . import Operand, Operands, ResultType

"""
QUOTES = '"' * 3


ANNOTATIONS = {
    "int": "int",
    "float": "float",
    "bool": "bool",
    "flag": "bool",
    "str": "str",
    "name": "str",
    "ints": "Sequence[int]",
    "int_array": "Sequence[int]",
    "bool_array": "Sequence[bool]",
    "int_matrix": "Sequence[Sequence[int]]",
    "symbol": "str | Function | Callable[..., Any]",
    "dictionary": "Mapping[str, Any]",
    "array": "Sequence[Any]",
}


def annotation(parameter: Parameter) -> str:
    """Return the type of a parameter in a stub."""
    if parameter.role == "result":
        text = "ResultType"
    elif parameter.role == "region":
        text = "Sequence[Callable[..., Any]]" if parameter.is_variadic else "Callable[..., Any]"
    elif parameter.role == "operand":
        text = "Operands" if parameter.is_variadic else "Operand"
    elif "comparison_" in parameter.type or "|" in parameter.type.partition("<")[2]:
        choices = parameter.type[parameter.type.rindex(" ") + 1 : parameter.type.rindex(">")].split("|")
        text = "Literal[" + ", ".join([f'"{choice}"' for choice in choices]) + "]"
        text = f"Sequence[{text}]" if parameter.kind == "array" else text
    else:
        text = ANNOTATIONS.get(parameter.kind, "Any")
    return text if parameter.is_required else f"{text} | None"


def stub(name: str, op: str) -> str:
    """Return the stub of an op's function."""
    found = parameters_of(op)
    assert found is not None
    parameters = [f"{p.name}: {annotation(p)}{'' if p.is_required else ' = None'}" for p in found.parameters]
    signature = f"def {name}({', '.join(parameters)}) -> Any:"
    if len(signature) > 120:
        signature = f"def {name}(\n" + "".join(f"    {each},\n" for each in parameters) + ") -> Any:"
    text = description(found).replace("\\", "\\\\")
    body = text if "\n" not in text else f"{text}\n"
    lines = "\n".join(line for part in body.splitlines() for line in wrapped(part))
    ending = "" if "\n" not in text else "\n"
    return f"{signature}\n{textwrap.indent(f'{QUOTES}{lines}{ending}{QUOTES}', '    ')}\n"


def wrapped(line: str) -> list[str]:
    """Return a line in pieces that fit."""
    indent = len(line) - len(line.lstrip())
    return textwrap.wrap(line, 110, subsequent_indent=" " * (indent + 4)) or [""]


def stubs() -> dict[Path, str]:
    """Return the text of each stub file."""
    parts = {d: "\n".join(stub(name, op) for name, op in functions(d).items()) for d in ("stablehlo", "chlo")}
    types = "".join(f"{plain_name(name)}: ElementType\n" for name in element_type_names())
    return {
        ROOM / "__init__.pyi": f"{HEAD}from . import chlo as chlo\n\n{types}\n{parts['stablehlo']}",
        ROOM / "chlo.pyi": f"{CHLO_HEAD}{parts['chlo']}",
    }


if __name__ == "__main__":
    for path, text in stubs().items():
        path.write_text(text, encoding="utf-8")
