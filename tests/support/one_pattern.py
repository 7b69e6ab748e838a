"""Programs after one simplification alone."""

from __future__ import annotations

from stablehlo_py.bindings import ir
from stablehlo_py.passes.report import PassReport
from stablehlo_py.passes.rewriting import RewriteOptions, apply_patterns
from stablehlo_py.passes.simplification import SIMPLIFICATIONS


def applied(text: str, pattern: str, *, tidies: bool = True, **options: bool) -> tuple[ir.Module, bool]:
    """Return a program, which is valid, after one pattern in its first function, and whether that fired."""
    module = ir.Module.parse(text)
    (chosen,) = (item for item in SIMPLIFICATIONS if item.name == pattern)
    report = PassReport()
    apply_patterns(module.body.operations[0].operation, [chosen], RewriteOptions(**options), report, tidies=tidies)
    assert module.operation.verify(), module
    return module, report.patterns[pattern].fired > 0
