"""A description of a token, as Markdown: the type of a value and the origin of its dynamic dimensions, or the
constraints of an op."""

from __future__ import annotations

from ..artifacts.versions import first_version_with
from ..bindings import ir
from ..bindings.walk import handed_on
from ..dialect.catalog import contract
from ..syntax.outline import Definition, Statement
from ..syntax.tokens import Token
from .document import Document, result_number
from .writing import summary

_LONGEST_VALUE = 300
_MOST_STEPS = 20
_SPECIFICATION = "https://github.com/openxla/stablehlo/blob/main/docs/spec.md"


def hover(document: Document, offset: int) -> tuple[str, Token] | None:
    """Return a description of the token at an offset, as Markdown, and the token; None without a description."""
    token = document.outline.token_at(offset)
    if token is None:
        return None
    definition = document.outline.definition(token)
    if definition is not None:
        return _of_definition(document, definition, token), token
    statement = document.outline.statement_at(offset)
    if statement is not None and token.start == statement.token.start:
        return _of_op(document, statement), token
    return None


def _code(text: str) -> str:
    return f"```mlir\n{text}\n```"


def _of_definition(document: Document, definition: Definition, token: Token) -> str:
    statement = definition.statement
    if definition.kind in ("alias", "symbol"):
        start = definition.token.start if statement is None else statement.start
        return _code(document.text[start:].split("\n", 1)[0].rstrip(" {"))
    if definition.kind == "block":
        return _code(token.text)
    type_ = document.type_of(definition, token)
    parts = [_code(f"{token.text} : {type_}" if type_ else token.text)]
    value = document.value(definition, token)
    constant = "" if definition.kind != "result" else constant_text(document.op(statement))
    if constant:
        parts.append(f"value `{constant}`")
    elif statement is not None:
        kind = "result" if definition.kind == "result" else "argument"
        number, line = result_number(definition, token), document.line_of(statement.start) + 1
        parts.append(f"{kind} {number} of `{statement.name}`, line {line}")
    if value is not None:
        parts += why_dynamic(document, value)
    return "\n\n".join(parts)


def constant_text(operation: ir.Operation | None) -> str:
    """Return the value of a constant as MLIR writes it, cut if it is long; empty for another op."""
    if operation is None or not operation.name.endswith(".constant") or "value" not in operation.attributes:
        return ""
    attribute = operation.attributes["value"]
    if isinstance(attribute, ir.DenseElementsAttr) and not attribute.is_splat and len(attribute) > _LONGEST_VALUE:
        return f"{len(attribute)} elements"
    text = str(attribute).rpartition(" : ")[0] or str(attribute)
    return text if len(text) <= _LONGEST_VALUE else f"{text[:_LONGEST_VALUE]}…"


def is_dynamic(type_: ir.Type) -> bool:
    """Whether a type is a tensor with a dynamic dimension."""
    return isinstance(type_, ir.ShapedType) and type_.has_rank and not type_.has_static_shape


def why_dynamic(document: Document, value: ir.Value) -> list[str]:
    """Return the way from a value of a dynamic shape back to where that shape comes from, a line each."""
    if not is_dynamic(value.type):
        return []
    *chain, last = handed_on(value, lambda operand: is_dynamic(operand.type), _MOST_STEPS + 1)
    lines = [
        f"{_named(document, each)} has dynamic sizes from an operand of `{each.owner.operation.name}`:"
        for each in chain
        if not isinstance(each.owner, ir.Block)
    ]
    if len(chain) == _MOST_STEPS:
        return [*lines, "…"]
    if isinstance(last.owner, ir.Block):
        return [*lines, f"{_named(document, last)} is an argument of the type `{last.type}`: the caller decides"]
    op = last.owner.operation.name
    return [*lines, f"{_named(document, last)} is computed by `{op}` from values that are known later"]


def _named(document: Document, value: ir.Value) -> str:
    definition = document.definition_of(value)
    if definition is None:
        return "a value"
    return f"`{definition.token.text}` (line {document.line_of(definition.token.start) + 1})"


def _of_op(document: Document, statement: Statement) -> str:
    dialect = "builtin" if statement.name == "module" else "func"  # of the ops that are written without theirs
    name = statement.name if "." in statement.name else f"{dialect}.{statement.name}"
    known = contract(name.removeprefix("stablehlo.")) if name.startswith("stablehlo.") else None
    operation = document.op(statement)
    parts = [_code(_signature(operation) if operation is not None else name)]
    if known is None:
        return parts[0]
    parts.append(summary(name))
    parts.append(f"since StableHLO {first_version_with(known.op)}, [specification]({_SPECIFICATION}#{known.op})")
    if known.attributes:
        parts.append("\n".join(f"- `{each.name}`: {each.type}" for each in known.attributes))
    if known.constraints:
        constraints = (f"{each.number} {each.label}" for each in known.constraints)
        parts.append("Constraints:\n" + "\n".join(f"- {each}" for each in constraints))
    return "\n\n".join(filter(None, parts))


def _signature(operation: ir.Operation) -> str:
    operands = ", ".join(str(operand.type) for operand in operation.operands)
    results = ", ".join(str(result.type) for result in operation.results)
    return f"{operation.name} : ({operands}) -> ({results})"
