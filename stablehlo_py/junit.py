"""Reports as JUnit XML, which CI systems read."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby
from typing import Literal, NamedTuple
from xml.etree import ElementTree


class JUnitCase(NamedTuple):
    """A test case of a suite: where it stands, its name, and what became of it, with the message that says why."""

    suite: str
    place: str
    name: str
    outcome: Literal["", "failure", "error", "skipped"] = ""
    message: str = ""


def junit_report(name: str, cases: Iterable[JUnitCase]) -> bytes:
    """Return a report with a suite for each run of cases of one suite."""
    root = ElementTree.Element("testsuites", name=name)
    for suite_name, entries in groupby(cases, lambda case: case.suite):
        suite = ElementTree.SubElement(root, "testsuite", name=suite_name)
        for entry in entries:
            case = ElementTree.SubElement(suite, "testcase", classname=entry.place, name=entry.name)
            if entry.outcome:
                ElementTree.SubElement(case, entry.outcome, message=_printable(entry.message))
        for key, tag in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
            suite.set(key, str(len(suite.findall(f"testcase/{tag}"))))
        suite.set("tests", str(len(suite)))
    return ElementTree.tostring(root, encoding="utf-8", xml_declaration=True)


def _printable(message: str) -> str:
    """Return a message without the characters that XML cannot hold."""
    return "".join(character if character.isprintable() or character == "\n" else "?" for character in message)
