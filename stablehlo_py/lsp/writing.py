"""Help while an op is written: a summary, a snippet with types, and the signature."""

from __future__ import annotations

import re
from collections.abc import Sequence

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


def snippet(name: str, values: Sequence[tuple[str, str]] = ()) -> str:
    """Return an op of the example in the dialect's facts as a snippet, its operands and types to be filled in.

    Of the `values` at hand, with their types, the first one is an operand. An op of one type takes more of that type.
    """
    known = contract(name.removeprefix("stablehlo.")) if name.startswith("stablehlo.") else None
    found = (
        None if known is None else re.search(rf"^.*?(\"?{re.escape(name)}\b.*?)\n  (?=\S)", known.example, re.M | re.S)
    )
    if found is None:
        return name
    parts = dict.fromkeys(_PLACEHOLDER.findall(found[1]))  # in their order
    operands, types = [one for one in parts if one[0] == "%"], [one for one in parts if one[0] != "%"]
    type_ = next((type_ for _, type_ in values if type_), "")
    fitting = [value for value, one in values if one == type_] if type_ and types else []
    at_hand = {types[0]: type_} if fitting else {}
    at_hand |= dict(zip(operands if len(types) == 1 else operands[:1], fitting, strict=False))
    numbers = {part: number for number, part in enumerate(parts, 1)}

    def placeholder(part: re.Match[str]) -> str:
        text = at_hand.get(part[0], part[0]).replace("$", "\\$").replace("}", "\\}")
        return f"${{{numbers[part[0]]}:{text}}}"

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
