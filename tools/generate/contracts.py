"""Write what follows from the suites in tests/lit/verify: the table of constraints in docs/constraints.md, the
disagreements with the specification in docs/spec-gaps.md, and the examples and messages in stablehlo_py/dialect.

    python tools/generate/contracts.py            write them
    python tools/generate/contracts.py --check    fail if one is out of date, or if a constraint lacks a case

A suite is named after its op, and a function after the op and the constraints it is about: `gather_c9`. A chunk with an
`expected-error` is a negative case, any other a positive one. A function whose name ends in `_gap` shows where the
dialect and the specification disagree; those that the dialect accepts are in the folder `spec`, with the error that
`--stablehlo-verify-spec` gives.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from stablehlo_py.bindings.op_signatures import op_signature
from stablehlo_py.dialect.catalog import Constraint, constraints, contract_names
from stablehlo_py.dialect.messages import generalize
from stablehlo_py.testing.lit import provider_features

ROOT = Path(__file__).resolve().parents[2]
SUITES = ROOT / "tests" / "lit" / "verify"
FOLDER = ROOT / "stablehlo_py" / "dialect"
TABLE = ROOT / "docs" / "constraints.md"
GAPS = ROOT / "docs" / "spec-gaps.md"
MARKS = ("<!-- from here on: tools/generate/contracts.py -->\n", "<!-- up to here: tools/generate/contracts.py -->\n")

_FUNCTION = re.compile(r"^func\.func @(\w+)", re.MULTILINE)
_CONDITION = {kind: re.compile(rf"^// {kind}: (\S+)$", re.MULTILINE) for kind in ("REQUIRES", "UNSUPPORTED")}
_GAP = re.compile(r"_gap(_\d+)?$")
_ERROR = re.compile(r"// expected-error@\+\d+ \{\{(.*)\}\}$", re.MULTILINE)
_NO_REASON = "failed to infer returned types"


@dataclass(frozen=True)
class Case:
    """One chunk of a suite.

    `constraints` are the numbers in its name. It expects the diagnostics `errors` of the dialect, or `spec_errors` of
    the specification's verifier. `requires` and `unsupported` are lit features, empty if it is for all."""

    op: str
    name: str
    text: str
    constraints: tuple[str, ...]
    errors: tuple[str, ...]
    spec_errors: tuple[str, ...] = ()
    requires: str = ""
    unsupported: str = ""

    @property
    def is_gap(self) -> bool:
        """Whether the dialect and the specification disagree about this case."""
        return _GAP.search(self.name) is not None

    @property
    def comment(self) -> str:
        """The suite's comment on the case."""
        lines = (line for line in self.text.split("func.func", 1)[0].splitlines() if line.startswith("// "))
        return " ".join(line.removeprefix("// ") for line in lines)


def suite(op: str) -> Path:
    """Where the cases of an op are."""
    return SUITES / f"{op}.mlir"


def cases(op: str) -> Iterator[Case]:
    """The cases of an op's suite, in order, then those that are for some versions: `<op>.since_1_20.mlir`, and those
    that only the specification's verifier rejects. A suite that is missing has none."""
    for path in (suite(op), *sorted(SUITES.glob(f"{op}.*_*.mlir")), SUITES / "spec" / f"{op}.mlir"):
        if path.exists():
            yield from _cases_in(path, op)


@cache
def _features() -> set[str]:
    return provider_features()


def provided_ops() -> list[str]:
    """The ops with a contract that the installed bindings have."""
    return [op for op in contract_names() if op_signature(f"stablehlo.{op}") is not None]


def provided_cases(op: str) -> Iterator[Case]:
    """The cases of an op that are for the installed bindings."""
    for case in cases(op):
        if case.requires in ("", *_features()) and (not case.unsupported or case.unsupported not in _features()):
            yield case


def _cases_in(path: Path, op: str) -> Iterator[Case]:
    whole = path.read_text(encoding="utf-8")
    requires, unsupported = (_CONDITION[kind].search(whole) for kind in ("REQUIRES", "UNSUPPORTED"))
    for text in whole.split("// -----\n"):
        name = _FUNCTION.search(text)
        if name is None:
            raise SystemExit(f"{path}: a chunk without a function")
        rest = name[1].removeprefix(op.replace("-", "_"))
        numbers = tuple(f"C{number}" for number in re.findall(r"_c(\d+)(?=_|$)", rest))
        text = re.sub(r"^// (RUN|REQUIRES|UNSUPPORTED):.*\n", "", text, flags=re.MULTILINE).strip()
        yield Case(
            op,
            name[1],
            text,
            numbers,
            () if path.parent.name == "spec" else tuple(_ERROR.findall(text)),
            tuple(_ERROR.findall(text)) if path.parent.name == "spec" else (),
            requires[1] if requires else "",
            unsupported[1] if unsupported else "",
        )


def _named(found: list[Case]) -> str:
    return ", ".join(f"`{case.name}`" for case in found)


def _negative_cell(constraint: Constraint, found: list[Case]) -> str:
    rejected = [case for case in found if case.errors and not case.is_gap]
    accepted = [case for case in found if not case.errors and case.is_gap]
    parts = [_named(rejected)] if rejected else []
    if accepted:
        parts.append(f"by --stablehlo-verify-spec {'too' if rejected else 'only'}: {_named(accepted)}")
    if constraint.untestable:
        parts.append(f"not testable: {constraint.untestable}")
    return "; ".join(parts)


def _positive_cell(constraint: Constraint, found: list[Case], general: list[Case]) -> str:
    accepted = [case for case in found if not case.errors and not case.is_gap]
    stricter = [case for case in found if case.errors and case.is_gap]
    shown = accepted or ([] if constraint.when else general[:1])
    parts = [_named(shown)] if shown else []
    if stricter:
        parts.append(f"rejected by the dialect: {_named(stricter)}")
    return "; ".join(parts)


@dataclass(frozen=True)
class Row:
    """A constraint and the cases about it, as cells of the table; an empty cell is a hole in the suites."""

    op: str
    constraint: Constraint
    positive: str
    negative: str


def rows(op: str) -> list[Row]:
    """A row for each constraint of an op."""
    every = list(cases(op))
    general = [case for case in every if not case.errors and not case.is_gap]
    table: list[Row] = []
    for constraint in constraints().get(op, ()):
        about = [case for case in every if constraint.number in case.constraints]
        positive = _positive_cell(constraint, about, general)
        table.append(Row(op, constraint, positive, _negative_cell(constraint, about)))
    return table


def holes() -> list[str]:
    """Return the gaps of the suites: a missing suite, a missing positive or negative case, or a case too many."""
    found = [f"{op}: no suite" for op in contract_names() if not suite(op).exists()]
    for op in contract_names():
        for row in rows(op):
            if not row.positive:
                found.append(f"{op}: no positive case for {row.constraint.number}")
            if not row.negative:
                found.append(f"{op}: no negative case for {row.constraint.number}")
        known = {constraint.number for constraint in constraints().get(op, ())}
        for case in cases(op):
            found += [f"{case.name}: {op} has no {n}" for n in case.constraints if n not in known]
            if not case.name.startswith(op.replace("-", "_")):
                found.append(f"{case.name}: in the suite of {op}")
            if case.is_gap and not case.errors and not case.spec_errors:
                found.append(f"{case.name}: not in the folder spec, with the error of --stablehlo-verify-spec")
    return found


def _counts() -> dict[str, int]:
    every = [case for op in contract_names() for case in cases(op)]
    return {
        "ops": len(contract_names()),
        "constraints": sum(map(len, constraints().values())),
        "positive": sum(not case.errors and not case.is_gap for case in every),
        "negative": sum(bool(case.errors) and not case.is_gap for case in every),
        "gaps": sum(case.is_gap for case in every),
    }


def table() -> str:
    """docs/constraints.md."""
    counts = _counts()
    lines = [
        "# Constraints and the cases that test them",
        "",
        "<!-- written by tools/generate/contracts.py; do not edit -->",
        "",
        "The constraints of each op, by their numbers in the StableHLO specification, and the functions of",
        "`tests/lit/verify/<op>.mlir` that show that valid programs are accepted and others rejected.",
        "Functions named `…_gap` show where the dialect does not do what the specification says; those that it accepts",
        "are in `tests/lit/verify/spec`. [spec-gaps.md](spec-gaps.md) lists them.",
        "",
        "`tests/unit/dialect/test_verification_messages.py` compares the suites with the messages of the bindings.",
        "`tests/lit/verify/unreachable.toml` lists those that cannot appear.",
        "",
        f"{counts['ops']} ops, {counts['constraints']} constraints, {counts['positive']} positive cases, "
        f"{counts['negative']} negative cases, {counts['gaps']} disagreements.",
    ]
    for op in contract_names():
        lines += ["", f"## {op}", ""]
        table_rows = rows(op)
        if not table_rows:
            of_op = list(cases(op))
            rejected = sum(bool(case.errors) for case in of_op)
            lines.append(
                f"The specification numbers no constraints of this op; {len(of_op) - rejected} positive and "
                f"{rejected} negative cases test what the dialect checks."
            )
            continue
        lines += ["| | constraint | accepted | rejected |", "|---|---|---|---|"]
        for row in table_rows:
            when = f" ({row.constraint.when})" if row.constraint.when else ""
            lines.append(
                f"| {row.constraint.number} | {row.constraint.label}{when} | {row.positive} | {row.negative} |"
            )
    return "\n".join(lines) + "\n"


def _gap_section(title: str, found: list[Case]) -> list[str]:
    lines = [f"## {title}", ""]
    for case in found:
        number = " and ".join(case.constraints)
        labels = {constraint.number: constraint.label for constraint in constraints()[case.op]}
        lines += [f"### {case.op} {number}: {labels[case.constraints[0]]}", ""]
        if case.comment:
            lines += [case.comment, ""]
        code = re.sub(r"^ *//.*\n", "", case.text, flags=re.MULTILINE)
        lines += ["```mlir", code, "```", ""]
    return lines


def _gap_table(found: list[Case]) -> list[str]:
    lines = [
        "## Accepted although the specification forbids it",
        "",
        "`stablehlo-opt --stablehlo-verify-spec` rejects these, and `stablehlo_py.verify(module, strict=True)`. The",
        "functions are in `tests/lit/verify/spec/<op>.mlir`; a remark there says more.",
        "",
        "| op | constraint | function | finding |",
        "|---|---|---|---|",
    ]
    for case in found:
        broken, _, finding = case.spec_errors[0].removeprefix("breaks ").partition(": ")
        lines.append(f"| {case.op} | {broken} | `{case.name}` | {finding} |")
    return [*lines, ""]


def gaps() -> str:
    """Return docs/spec-gaps.md with the part between the marks made anew."""
    found = [case for op in contract_names() for case in cases(op) if case.is_gap]
    before, _, rest = GAPS.read_text(encoding="utf-8").partition(MARKS[0])
    after = rest.partition(MARKS[1])[2]
    sections = _gap_table([case for case in found if case.spec_errors])
    sections += _gap_section("Rejected although the specification allows it", [c for c in found if c.errors])
    return f"{before}{MARKS[0]}\n{chr(10).join(sections)}{MARKS[1]}{after}"


def examples() -> str:
    """stablehlo_py/dialect/examples.mlir: the first positive case of each op."""
    chunks: list[str] = []
    for op in contract_names():
        case = next(case for case in cases(op) if not case.errors and not case.is_gap)
        text = "\n".join(line for line in case.text.splitlines() if not line.lstrip().startswith("//"))
        chunks.append(f"// {op}\n{text}\n")
    return "".join(["// Written by tools/generate/contracts.py from tests/lit/verify.\n", *chunks])


def _is_stated(case: Case) -> bool:
    """Whether `ops.toml` has a check of the constraint, so that its error needs no table of messages."""
    return any(each.check for each in constraints()[case.op] if each.number in case.constraints)


def messages() -> str:
    """stablehlo_py/dialect/messages.toml: the messages that exactly one constraint of their op can cause."""
    certain: dict[str, dict[str, list[str]]] = {}
    for op in contract_names():
        causes: dict[str, set[str]] = {}
        for case in cases(op):
            computed = [error.partition("): ")[2] for error in case.spec_errors if not _is_stated(case)]
            for error in (*case.errors, *computed):
                if _NO_REASON not in error:
                    causes.setdefault(generalize(error), set()).update(case.constraints or [case.name])
        for text, numbers in causes.items():
            if len(numbers) == 1 and re.fullmatch(r"C\d+", number := next(iter(numbers))):
                certain.setdefault(text, {}).setdefault(number, []).append(op)
    lines = ["# Written by tools/generate/contracts.py from tests/lit/verify."]
    for text, about in sorted(certain.items()):
        entries = ", ".join(f'{number} = "{" ".join(ops)}"' for number, ops in sorted(about.items()))
        lines.append(f"{json.dumps(text)} = {{ {entries} }}")
    return "\n".join(lines) + "\n"


def main() -> int:
    """The exit code: 1 where `--check` finds a file out of date or a hole in the suites."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--check", action="store_true", help="write nothing; fail if something is out of date")
    check = parser.parse_args().check
    wrong = holes()
    outputs = {
        FOLDER / "examples.mlir": examples,
        FOLDER / "messages.toml": messages,
        TABLE: table,
        GAPS: gaps,
    }
    for path, make in outputs.items():
        text = make()
        if check and (not path.exists() or path.read_text(encoding="utf-8") != text):
            wrong.append(f"{path.relative_to(ROOT)} is out of date; run python tools/generate/contracts.py")
        elif not check:
            path.parent.mkdir(exist_ok=True)
            path.write_text(text, encoding="utf-8")
    sys.stderr.writelines(f"{line}\n" for line in wrong)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
