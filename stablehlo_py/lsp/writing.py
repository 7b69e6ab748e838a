"""Help while an op is written: a summary, a snippet with types, and the signature."""

from __future__ import annotations

import re

from ..bindings.op_signatures import op_signature
from ..dialect.catalog import contract
from ..interpreter.registry import kernel_maker
from .document import Document

_PLACEHOLDER = re.compile(r"%[A-Za-z_]\w*|tensor<[^<>]*>")
_CALL = re.compile(r"([a-z_]+\.\w+)\"?\s*\(?((?:%[\w$.#-]*[,\s]*)*)$")


def summary(name: str) -> str:
    """Return a sentence about an op of StableHLO; empty if there is none."""
    maker = kernel_maker(name)
    if maker is None or not name.startswith("stablehlo."):
        return ""
    if maker.__name__ == "<lambda>":
        return f"Apply {name.removeprefix('stablehlo.')} to each element."
    return " ".join(str(maker.__doc__ or "").partition("Spec:")[0].split("\n\n")[0].split())


def snippet(name: str) -> str:
    """Return an op of the example in the dialect's facts as a snippet, its operands and types to be filled in."""
    known = contract(name.removeprefix("stablehlo.")) if name.startswith("stablehlo.") else None
    found = (
        None if known is None else re.search(rf"^.*?(\"?{re.escape(name)}\b.*?)\n  (?=\S)", known.example, re.M | re.S)
    )
    if found is None:
        return name
    numbers: dict[str, int] = {}

    def placeholder(part: re.Match[str]) -> str:
        number = numbers.setdefault(part[0], len(numbers) + 1)
        return f"${{{number}:{part[0]}}}"

    return _PLACEHOLDER.sub(placeholder, found[1].replace("\\", "\\\\").replace("$", "\\$").replace("}", "\\}"))


def signature(document: Document, offset: int) -> tuple[str, list[str], int] | None:
    """Return the signature of the op before an offset, its operands, and the number of the operand at the offset."""
    line = document.text[document.line_start(document.line_of(offset)) : offset]
    found = _CALL.search(line)
    known = None if found is None else op_signature(found[1])
    if found is None or known is None:
        return None
    operands = [f"{each.name}..." if each.variadic else each.name for each in known.operands]
    attributes = ", ".join(each.name + ("?" if each.optional else "") for each in known.attributes)
    results = ", ".join(each.name for each in known.results)
    label = f"{known.name}({', '.join(operands)})" + (f" {{{attributes}}}" if attributes else "") + f" -> {results}"
    return label, operands, min(found[2].count(","), max(len(operands) - 1, 0))
