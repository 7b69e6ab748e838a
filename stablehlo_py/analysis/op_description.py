"""Ops as text: the operands, results and constraints of an op, with an example."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..dialect.catalog import Contract

SPECIFICATION = "https://github.com/openxla/stablehlo/blob/main/docs/spec.md"
_WIDTH = 100
_UNSPECIFIED = "any type that a value can have"
_ACCURACY = """Accuracy
  The interpreter rounds results correctly: at most half a last bit from the exact value, in each
  part of a complex number. That meets DEFAULT, HIGHEST, and every TOLERANCE that a float can meet.
"""


def too_new(op: str) -> str:
    """Return the sentence about an op of StableHLO that the installed bindings do not know."""
    from ..artifacts.versions import current_version, first_version_with
    from ..bindings.capabilities import lacking

    sentence = lacking(f"the op 'stablehlo.{op}'", f"StableHLO {first_version_with(op)}")
    return f"{sentence}, with StableHLO {current_version()}"


def describe(contract: Contract) -> str:
    """Return the page about an op."""
    from ..artifacts.versions import first_version_with
    from ..bindings import make_context
    from ..bindings.op_signatures import op_signature
    from ..dialect.values import operands, results

    context = make_context()
    signature = op_signature(f"stablehlo.{contract.op}")
    regions = signature.regions if signature is not None else ()
    attributes = (
        (attribute.name, attribute.type + ("" if attribute.default is None else f"; default: {attribute.default}"))
        for attribute in contract.attributes
    )
    sections = [
        f"stablehlo.{contract.op}, since StableHLO {first_version_with(contract.op)}\n",
        _section("Operands", ((value.name, value.types or _UNSPECIFIED) for value in operands(contract, context))),
        _section("Attributes", attributes),
        _section("Regions", ((region.name, "any number of them" if region.variadic else "") for region in regions)),
        _section("Results", ((value.name, value.types or _UNSPECIFIED) for value in results(contract, context))),
        _section("Traits", ((trait, "") for trait in contract.traits)),
        _section(
            "Constraints",
            (
                (constraint.number, constraint.label + (f" ({constraint.when})" if constraint.when else ""))
                for constraint in contract.constraints
            ),
        ),
        _ACCURACY if any(attribute.name == "result_accuracy" for attribute in contract.attributes) else "",
        "Example\n" + textwrap.indent(contract.example, "  "),
        f"The constraints are numbered as in {SPECIFICATION}#{contract.op}\n" if contract.constraints else "",
    ]
    return "\n".join(filter(None, sections))


def _section(title: str, entries: Iterable[tuple[str, str]]) -> str:
    """Return a title and an aligned list; nothing where the list is empty."""
    rows = list(entries)
    if not rows:
        return ""
    column = max(len(name) for name, _ in rows) + 4
    lines = [
        textwrap.fill(text, _WIDTH, initial_indent=f"  {name}".ljust(column), subsequent_indent=" " * column)
        if text
        else f"  {name}"
        for name, text in rows
    ]
    return "\n".join([title, *lines]) + "\n"
