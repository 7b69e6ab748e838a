"""Comparisons as JUnit XML, for CI."""

from __future__ import annotations

from xml.etree import ElementTree

from .compare import Comparison


def junit_report(name: str, comparison: Comparison) -> bytes:
    """Return a test suite with a case for each engine, sample and result."""
    suite = ElementTree.Element("testsuite", name=f"stablehlo compare {name}")
    failures = errors = cases = 0
    for number, sample in enumerate(comparison.outcomes):
        for engine, outcome in zip(comparison.engines, sample, strict=True):
            if not outcome.ok:
                case = ElementTree.SubElement(suite, "testcase", classname=engine, name=f"sample {number}")
                ElementTree.SubElement(case, "error", message=str(outcome))
                errors, cases = errors + 1, cases + 1
    for entry in comparison.results:
        title = f"sample {entry.sample} result {entry.result}"
        case = ElementTree.SubElement(suite, "testcase", classname=entry.engine, name=title)
        cases += 1
        if entry.verdict == "differs":
            failures += 1
            ulp = "another shape" if entry.difference is None else entry.difference.amount
            ElementTree.SubElement(case, "failure", message=f"differs by {ulp}, allowed {entry.tolerance}")
    for key, count in (("tests", cases), ("failures", failures), ("errors", errors)):
        suite.set(key, str(count))
    return ElementTree.tostring(suite, encoding="utf-8", xml_declaration=True)
