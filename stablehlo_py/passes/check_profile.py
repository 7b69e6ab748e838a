"""stablehlo-check-profile: find the ops that a backend does not take, by its profile.

A profile says what became of the conformance kit's programs in an engine, feature by feature: the element types of an
op, its rank, and the forms of its attributes. `stablehlo conformance run --write-profile` makes one. A feature is taken
if a program with it ran. It is refused if a program with it was, and all other features of that program are taken. A
profile says nothing of the rest, nor of features together.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar

from ..bindings import ir
from ..bindings.attributes import ints_of
from ..bindings.diagnostics import file_location
from ..bindings.walk import operations
from ..errors import Diagnostic, PassError, UsageError
from ..syntax.spelling import hint
from .base import Pass

Features = Mapping[str, str]
TYPES = "element types"
_FOLDER = Path(__file__).with_name("profiles")
_ENUM = re.compile(r"#stablehlo<\w+ (\w+)>")
_QUANTIZED = re.compile(r"!quant\.uniform<(\w+)(?:<[^>]*>)?:(\w+)(:\d+)?.*>")


def profile_names() -> list[str]:
    """Return the names of the profiles that come with the package."""
    return [path.stem for path in sorted(_FOLDER.glob("*.toml"))]


def features(op: ir.Operation) -> Features:
    """Return what a profile knows of an op: its element types, its rank, the forms of its attributes."""
    operands, results = [[_element(value.type) for value in values] for values in (op.operands, op.results)]
    same = {*operands, *results}
    text = f"({', '.join(operands)}) -> ({', '.join(results)})" if len(same) > 1 else next(iter(same), "")
    ranks = [each.type.rank for each in (*op.operands, *op.results) if isinstance(each.type, ir.RankedTensorType)]
    found = {TYPES: text, "rank": str(max(ranks, default=0))}
    for name in op.attributes:
        form = "" if op.name == "stablehlo.constant" else _form(op.attributes[name])
        if form:
            found[name] = form
    return found


def _element(type_: ir.Type) -> str:
    text = str(type_.element_type if isinstance(type_, ir.RankedTensorType) else type_)
    return _QUANTIZED.sub(lambda found: f"quantized {found[1]}:{found[2]}{' along an axis' if found[3] else ''}", text)


def _form(attribute: ir.Attribute) -> str:
    """Return an enumerator or a boolean, the kind of a list of integers, or an empty text."""
    if isinstance(attribute, ir.DenseI64ArrayAttr | ir.DenseIntElementsAttr):
        numbers = {*ints_of(attribute)} if len(attribute) <= 64 else set[int]()
        if not numbers or min(numbers) < 0 or len(numbers) > 1 or max(numbers) > 1:
            return "negative numbers" if numbers and min(numbers) < 0 else "other numbers" if numbers else ""
        return f"all {numbers.pop()}"
    text = str(attribute) if not isinstance(attribute, ir.DenseElementsAttr) else ""
    if text in ("true", "false", "unit"):
        return text
    return ", ".join(sorted({*_ENUM.findall(text)}))


@dataclass
class OpProfile:
    """The features of an op that an engine takes and refuses: for each kind their values."""

    takes: dict[str, list[str]] = field(default_factory=dict[str, list[str]])
    refuses: dict[str, list[str]] = field(default_factory=dict[str, list[str]])


@dataclass
class BackendProfile:
    """The features that an engine takes, by op.

    Attributes:
        about: The engine, what it ran on, the day, and which cases were taken.
        ops: By the names of ops in full. An op of which nothing is taken is refused.
        name: How messages call it.
    """

    about: dict[str, str]
    ops: dict[str, OpProfile]
    name: str = ""

    @classmethod
    def read(cls, name: str) -> BackendProfile:
        """Read a file, or a profile that comes with the package. Raises UsageError for other files."""
        known = profile_names()
        path = _FOLDER / f"{name}.toml" if name in known else Path(name)
        try:
            table = tomllib.loads(path.read_text(encoding="utf-8"))
            about = {key: str(value) for key, value in table["about"].items()}
            return cls(about, {op: OpProfile(**entry) for op, entry in table["ops"].items()}, path.stem)
        except FileNotFoundError:
            message = f"there is no profile '{name}'{hint(name, known)}; there are {', '.join(known)}, and files"
            raise UsageError(message) from None
        except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
            raise UsageError(f"'{name}' is no profile: {error}") from None

    @classmethod
    def learned(cls, about: dict[str, str], runs: Iterable[tuple[ir.Operation, str, bool]]) -> BackendProfile:
        """Return the profile of programs that ran, each with the op that it is about, or were refused."""
        found, refused = dict[str, OpProfile](), list[tuple[str, Features]]()
        for module, about_op, ran in runs:
            for op in operations(module):
                if ran and op.name.startswith("stablehlo."):
                    takes = found.setdefault(op.name, OpProfile()).takes
                    for kind, value in features(op).items():
                        if value not in takes.setdefault(kind, []):
                            takes[kind].append(value)
                elif op.name == about_op:
                    refused.append((op.name, features(op)))
        for op, each in refused:
            entry = found.setdefault(op, OpProfile())
            new = [kind for kind, value in each.items() if value not in entry.takes.get(kind, ())]
            for kind in new if len(new) == 1 else ():
                if each[kind] not in entry.refuses.setdefault(kind, []):
                    entry.refuses[kind].append(each[kind])
        return cls(about, dict(sorted(found.items())))

    def toml(self) -> str:
        """The profile as a file."""
        lines = ["[about]", *[f"{key} = {json.dumps(value)}" for key, value in self.about.items()]]
        for op, entry in self.ops.items():
            for word, table in (("takes", entry.takes), ("refuses", entry.refuses)):
                lines += ["", f"[ops.{json.dumps(op)}.{word}]"] if table or word == "takes" else []
                lines += [f"{json.dumps(kind)} = {json.dumps(values)}" for kind, values in sorted(table.items())]
        return "\n".join(lines) + "\n"

    def outside(self, module: ir.Operation) -> Iterator[Diagnostic]:
        """Yield an error for each op that the engine refuses, in program order."""
        measured = f"measured with {self.about.get('engine', 'an engine')} on {self.about.get('date', 'a day unknown')}"
        for op in operations(module):
            entry = self.ops.get(op.name)
            for problem in () if entry is None else _problems(entry, features(op)):
                where = file_location(op.location)
                note = Diagnostic("note", where, measured)
                message = f"'{op.name}' op is outside the profile '{self.name}': {problem}"
                yield Diagnostic("error", where, message, (note,))

    def unmeasured(self, module: ir.Operation) -> Counter[str]:
        """Count the ops that the profile does not have, or not with their element types."""
        found = Counter[str]()
        for op in operations(module):
            if op.name.partition(".")[0] in ("builtin", "func") or op.name == "stablehlo.return":
                continue
            entry, types = self.ops.get(op.name), features(op)[TYPES]
            if entry is None:
                found[op.name] += 1
            elif entry.takes and not any(types in table.get(TYPES, ()) for table in (entry.takes, entry.refuses)):
                found[f"{op.name} of {types}"] += 1
        return found


def _problems(entry: OpProfile, own: Features) -> Iterator[str]:
    if not entry.takes:
        yield "the op is refused"
        return
    for kind, value in own.items():
        if value in entry.refuses.get(kind, ()):
            yield f"{kind} {value} refused; taken: {'; '.join(entry.takes.get(kind, ['none']))}"


@dataclass(frozen=True)
class CheckProfile(Pass):
    """The pass `stablehlo-check-profile`. The option `file` names a profile of the package, or a file."""

    name: ClassVar[str] = "stablehlo-check-profile"
    summary: ClassVar[str] = "Find the ops that a backend does not take, by its profile"

    file: str = "reference"

    def run(self, op: ir.Operation) -> None:
        """Raise `PassError` with a diagnostic for each op outside the profile; the program stays as it is."""
        found = list(BackendProfile.read(self.file).outside(op))
        if found:
            raise PassError(found)
