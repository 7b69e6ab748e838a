"""The changes that each pass of a pipeline makes: as a page, for a terminal, and as JSON."""

from __future__ import annotations

import difflib
import json
import re
from collections.abc import Generator
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from ..analysis.cost import cost, plain
from ..analysis.diff import diff
from ..analysis.diff_page import sides_of
from ..analysis.page import make_page
from ..bindings import ir
from ..bindings.bytecode import copy_of
from ..bindings.capabilities import has
from ..bindings.remarks import remarks
from ..bindings.walk import operations_within
from ..engines import Limits
from ..errors import Diagnostic, StablehloError
from ..syntax import Printing, print_text, readable_text
from ..syntax.tables import short
from .equivalence import UNKNOWN, equivalent

SECONDS = 5.0
# The readings of a function go over about so many bytes of operands and results in a second, four times in all.
_BYTES_A_SECOND = 2e7
_NOT_ENDED = "it did not end: the compiler crashed, or was stopped"
_SHORT = Printing(large_elements_limit=16, large_resource_limit=64)


Amounts = dict[str, int | str]


class _State(NamedTuple):
    """A program between two passes."""

    module: ir.Module
    text: str
    amounts: Amounts


def _program(module: ir.Module) -> _State:
    copy = copy_of(module)
    amounts: Amounts = {"ops": len(operations_within(copy.operation))}
    with suppress(StablehloError):  # without a function that runs nothing more is counted
        found = cost(copy)
        amounts |= {name: plain(getattr(found, name)) for name in ("flops", "transcendentals", "bytes", "peak_bytes")}
    return _State(copy, readable_text(copy), amounts)


def function_kept(first: ir.Module, second: ir.Module, seconds: float = SECONDS) -> str:
    """Return whether two programs are one function, as far as some seconds tell."""
    try:
        return equivalent(first, second, limits=Limits(seconds)).summary
    except StablehloError as error:
        return f"{UNKNOWN} whether they are one function: {error.message}"


@dataclass
class PassStep:
    """One pass: its place from 1, what the program amounts to around it, what changed in words and as a unified diff,
    whether the function is the same, remarks, and why it failed. A page shows the sides; `text` is the program after
    it."""

    number: int
    name: str
    before: Amounts
    after: Amounts | None = None
    changes: str = ""
    function: str = ""
    remarks: list[str] = field(default_factory=list[str])
    diff: list[str] = field(default_factory=list[str])
    error: str = _NOT_ENDED
    sides: dict[str, Any] | None = None
    text: str = ""

    def hear(self, diagnostic: Diagnostic) -> None:
        """Keep a remark."""
        if diagnostic.severity == "remark":
            self.remarks.append(f"{diagnostic.location}: {diagnostic.message}".removeprefix(": "))

    def as_dict(self, *without: str) -> dict[str, Any]:
        """Return the step as JSON holds it."""
        return {name: value for name, value in vars(self).items() if name not in (without or ("sides", "text"))}

    def __str__(self) -> str:
        head = f"{self.number} {self.name}: " + (f"error: {self.error}" if self.error else "changed nothing")
        if self.after is not None and self.changes:
            pairs = [(short(self.before.get(name, "?")), short(new), name) for name, new in self.after.items()]
            told = [f"{new} {name}" if old == new else f"{old} -> {new} {name}" for old, new, name in pairs]
            head = f"{self.number} {self.name}: {', '.join(told)}\n  {self.changes}; {self.function}"
        return "\n".join([head, *(f"  remark: {each}" for each in self.remarks), *self.diff])


class PassSteps:
    """The steps of a pipeline while it runs; `seconds` bound the question whether a pass keeps the function."""

    def __init__(self, module: ir.Module, title: str, seconds: float = SECONDS) -> None:
        self.title, self.seconds = title, seconds
        self.steps: list[PassStep] = []
        self._start = self._now = _program(module)

    @contextmanager
    def watch(self, name: str, module: ir.Module, *, listens: bool = True) -> Generator[PassStep]:
        """Look at `module` around a pass, which the block runs; with `listens`, its remarks are diagnostics there."""
        step = PassStep(len(self.steps) + 1, name, self._now.amounts)
        self.steps.append(step)
        heard = listens and has("remarks")
        with remarks(module.context, {"all_filter": ".*"}, "emitRemark", "all", "") if heard else nullcontext():
            try:
                yield step
            except StablehloError as error:
                step.error = str(error)
                raise
        before, self._now = self._now, _program(module)
        step.error, step.after, step.text = "", self._now.amounts, self._now.text
        if step.text != before.text:
            changes = diff(before.module, self._now.module)
            step.changes, step.sides = str(changes)[7:-1], sides_of(before.module, self._now.module, changes)
            step.function = self._function(before, self._now)
            old, new = (print_text(one.module, _SHORT).splitlines() for one in (before, self._now))
            step.diff = list(difflib.unified_diff(old, new, "before", f"after {name}", lineterm=""))

    def _function(self, first: _State, second: _State) -> str:
        needed = max([4 * size / _BYTES_A_SECOND for size in (first.amounts.get("bytes"), second.amounts.get("bytes"))
                      if isinstance(size, int)], default=0.0)  # fmt: skip
        if needed > self.seconds:
            return f"not asked whether they are one function: {needed:.0f} s or more, where {self.seconds:g} s may pass"
        return function_kept(first.module, second.module, self.seconds)

    def files(self, path: str) -> dict[str, bytes]:
        """Return what is at `path`: a page, or a folder of a page and the program before and after each pass."""
        shown = {"title": self.title, "steps": [step.as_dict("text", "diff") for step in self.steps]}
        page = make_page(self.title, "diff.html", ("common.js", "sides.js", "steps.js"), shown).encoded()
        if path.endswith(".html"):
            return {path: page}
        found = {str(Path(path, "index.html")): page}
        for number, name, text in [(0, "input", self._start.text), *((s.number, s.name, s.text) for s in self.steps)]:
            if text:
                found[str(Path(path, _file_of(number, name)))] = text.encode("utf-8", "surrogateescape")
        return found


def _file_of(number: int, name: str) -> str:
    file = re.sub(r"[^\w.]+", "-", name)[:80].strip("-")
    return f"{number:02}-{file}.mlir"


def remove_steps(path: str) -> None:
    """Remove the programs that an earlier run wrote into a folder: those that its page lists, and no other file."""
    folder = Path(path)
    with suppress(OSError, ValueError, LookupError, TypeError):  # there is no page, or it is another one
        data = (folder / "index.html").read_text(encoding="utf-8").partition('id="data">')[2].partition("</script>")[0]
        names = [_file_of(step["number"], step["name"]) for step in json.loads(data)["steps"]]
        for name in ("00-input.mlir", *names):
            (folder / name).unlink(missing_ok=True)
