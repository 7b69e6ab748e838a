"""The type stubs of the bindings in third_party/typings name only what the bindings have."""

from __future__ import annotations

import ast
import importlib
from collections.abc import Iterator
from pathlib import Path

import pytest

from stablehlo_py.bindings.provider import ir, provider

ROOT = Path(__file__).resolve().parents[3] / "third_party" / "typings" / "jaxlib" / "mlir"
STUBS = sorted(ROOT.rglob("*.pyi"))


def module_of(stub: Path) -> str:
    parts = [part for part in stub.relative_to(ROOT).with_suffix("").parts if part != "__init__"]
    return ".".join([provider.root, *parts])


def members(node: ast.ClassDef, classes: dict[str, ast.ClassDef]) -> Iterator[str]:
    """The names that a class in a stub has, with those of bases that only the stub has."""
    for inner in node.body:
        if isinstance(inner, ast.FunctionDef):
            yield inner.name
        elif isinstance(inner, ast.AnnAssign | ast.Assign):
            target = inner.target if isinstance(inner, ast.AnnAssign) else inner.targets[0]
            if isinstance(target, ast.Name):
                yield target.id
    for base in node.bases:
        name = ast.unparse(base).partition("[")[0]
        if name.startswith("_") and name in classes:
            yield from members(classes[name], classes)


@pytest.mark.skipif(not hasattr(ir.OpAttributeMap, "items"), reason="older bindings, which lack some of the names")
@pytest.mark.parametrize("stub", STUBS, ids=lambda stub: stub.relative_to(ROOT).as_posix())
def test_stub(stub):
    tree = ast.parse(stub.read_text(encoding="utf-8"))
    module = importlib.import_module(module_of(stub))
    classes = {node.name: node for node in tree.body if isinstance(node, ast.ClassDef)}
    missing = []
    for node in tree.body:
        if isinstance(node, ast.FunctionDef) and not hasattr(module, node.name):
            missing.append(node.name)
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
            found = dir(getattr(module, node.name, None))  # a class property such as `current` may have no value now
            missing += [f"{node.name}.{name}" for name in members(node, classes) if name not in found]
    assert missing == []
