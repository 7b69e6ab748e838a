"""A page for each op of StableHLO: operands, attributes, constraints, an example with its result, the definition."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
import re
import textwrap
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

from stablehlo_py.analysis.op_description import SPECIFICATION
from stablehlo_py.artifacts.versions import first_version_with
from stablehlo_py.bindings import make_context
from stablehlo_py.bindings.op_signatures import is_known, op_signature
from stablehlo_py.dialect.catalog import Contract, contract, contract_names
from stablehlo_py.dialect.values import operands, results
from stablehlo_py.interpreter import element_types, ops, registry

SUITE = Path(__file__).parents[1] / "tests" / "lit" / "interpret"
_SPLIT = re.compile(r"^// -----.*$", re.M)
_MARKUP = re.compile(r"([|<*_])")


def op_pages() -> dict[str, str]:
    """Return the pages by file: one for each op, and the list of them."""
    known = [found for name in sorted(contract_names()) if (found := contract(name)) and is_known(f"stablehlo.{name}")]
    pages = {f"ops/{one.op}.md": op_page(one) for one in known}
    rows = [(f"[{one.op}](ops/{one.op}.md)", _summary(one.op), first_version_with(one.op)) for one in known]
    tree = "\n".join(f"ops/{one.op}" for one in known)
    pages["ops.md"] = (
        "# Ops\n\nEvery op of StableHLO; `stablehlo-opt --explain-op=NAME` prints the same in a shell.\n\n"
        f"{table(('op', 'result', 'since'), rows)}\n```{{toctree}}\n:hidden:\n\n{tree}\n```\n"
    )
    return pages


def op_page(known: Contract) -> str:
    """Return the page about an op."""
    context = make_context()
    signature = op_signature(f"stablehlo.{known.op}")
    regions = signature.regions if signature is not None else ()
    values = [("operand", operands(known, context)), ("result", results(known, context))]
    rows = [
        *((f"`{one.name}`", "operand", _plain(one.types or "any value")) for one in values[0][1]),
        *((f"`{one.name}`", "attribute", _attribute(one)) for one in known.attributes),
        *((f"`{one.name}`", "regions" if one.variadic else "region", "") for one in regions),
        *((f"`{one.name}`", "result", _plain(one.types or "any value")) for one in values[1][1]),
    ]
    constraints = [
        (one.number, _plain(one.label + (f" ({one.when})" if one.when else ""))) for one in known.constraints
    ]
    parts = [
        f"# {known.op}\n\n{_summary(known.op)}\n",
        f"Since StableHLO {first_version_with(known.op)}. [Specification]({SPECIFICATION}#{known.op}).\n",
        table(("name", "kind", "type"), rows),
        f"## Constraints\n\n{table(('number', 'requirement'), constraints)}" if constraints else "",
        f"Traits: {', '.join(f'`{trait}`' for trait in known.traits)}.\n" if known.traits else "",
        f"## Example\n\n{_fence('mlir', _example(known))}",
        *_definition(known.op),
    ]
    return "\n".join(filter(None, parts))


def table(head: tuple[str, ...], rows: Iterable[tuple[object, ...]]) -> str:
    """Return a table of Markdown; nothing without rows."""
    lines = [f"| {' | '.join(map(str, row))} |" for row in rows]
    return "\n".join([f"| {' | '.join(head)} |", "|---" * len(head) + "|", *lines, ""]) if lines else ""


def _attribute(one: Any) -> str:
    return f"`{one.type}`" + ("" if one.default is None else f", default `{one.default}`")


def _plain(text: str) -> str:
    return _MARKUP.sub(r"\\\1", text)


def _fence(language: str, text: str) -> str:
    return f"```{language}\n{textwrap.dedent(text).strip()}\n```\n"


def _example(known: Contract) -> str:
    """Return the interpreter's first test, with its result; without one, a valid program."""
    for path in sorted(SUITE.glob(f"{known.op}.*mlir")):
        first = _SPLIT.split(path.read_text(encoding="utf-8"))[0]
        program = re.sub(r"^// RUN:.*\n+", "", first, flags=re.M)
        if f"stablehlo.{known.op}" in program and "check.expect" in program:
            return program
    return known.example


@cache
def _makers() -> dict[str, Callable[..., Any]]:
    for module in pkgutil.iter_modules(ops.__path__):
        importlib.import_module(f"{ops.__name__}.{module.name}")
    return dict(registry._KERNELS)


def _summary(op: str) -> str:
    """Return what the definition of the op says that it does."""
    maker = _makers().get(f"stablehlo.{op}")
    if maker is not None and maker.__name__ == "<lambda>":
        return f"Apply {_plain(op)} to each element."
    text = "" if maker is None else str(maker.__doc__)
    return _plain(" ".join(text.partition("Spec:")[0].split("\n\n")[0].split()))


def _arithmetic(op: str) -> Iterator[tuple[str, str]]:
    """Yield name and source of an elementwise op's arithmetic, for each element type category."""
    for info in pkgutil.iter_modules(element_types.__path__):
        module = importlib.import_module(f"{element_types.__name__}.{info.name}")
        for name, found in vars(module).items():
            if name == "_IN_DOUBLE" and op in found:
                lines = re.findall(rf'^    "{op}": .*\n', inspect.getsource(module), re.M)
                yield from ((f"{module.__name__}.{name}", line) for line in lines)
            if getattr(found, "__module__", "") != module.__name__:
                continue
            if name == op and inspect.isfunction(found):
                yield f"{module.__name__}.{name}", inspect.getsource(found)
            for one in (op, f"{op}_") if inspect.isclass(found) else ():
                lines = re.findall(rf"^ *self\.{one} = .*\n", inspect.getsource(found), re.M)
                method = vars(found).get(one)
                if lines or inspect.isfunction(method):
                    yield f"{module.__name__}.{name}", lines[0] if lines else inspect.getsource(method)


def _definition(op: str) -> list[str]:
    """Return the source of an op's definition, under the name of its module."""
    maker = _makers().get(f"stablehlo.{op}")
    if maker is None:
        return []
    whole = [(f"{maker.__module__}.{maker.__qualname__}", inspect.getsource(maker))]
    found = list(_arithmetic(op)) if maker.__name__ == "<lambda>" else whole
    return ["## Definition\n", *(f"`{name}`\n\n{_fence('python', source)}" for name, source in found)] if found else []
