"""Pipelines of passes that are written in C++ or in Python.

Their textual form is MLIR's: `builtin.module(func.func(canonicalize{max-iterations=3}),cse)`. A pass written in Python
takes part like any other, and gets MLIR's instrumentation (timing, printing, verification).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field
from functools import partial
from types import MappingProxyType
from typing import Any, ClassVar, NamedTuple

from ..bindings import ir, passmanager
from ..bindings.attributes import string_of
from ..bindings.build import detached_copy
from ..bindings.capabilities import has, lacking, require
from ..bindings.diagnostics import Sink, diagnostics_to, file_location
from ..bindings.walk import any_operation, children, operations_within
from ..errors import SILENT_FAILURE, Diagnostic, PassError, StablehloError, UsageError, as_diagnostics
from ..syntax.spelling import hint
from .base import Pass
from .catalog import PREPARATIONS, compiled_passes, find_pass, pass_names, passes_elsewhere
from .pipeline_text import PipelineElement, make_pass, no_such_option, parse_pipeline
from .protection import UNSAFE_PASSES, unsafe_ops_protected
from .report import PassStatistics, collect

MODULE = "builtin.module"
_REFINE = "stablehlo-refine-shapes"
_PRINT_AFTER = "print_after_all", "print_after_change", "print_after_failure"
_UNKNOWN_PASS = re.compile(r"'([^']+)' does not refer to a registered pass")
_RESTRICTED = re.compile(r"restricted to '([^']+)'")


@dataclass(frozen=True)
class PassPipeline(Pass):
    """A name for a sequence of other passes; they run in its place, each with its own instrumentation."""

    anchor: ClassVar[str] = "any"

    def pipeline(self) -> str:
        """Return the textual pipeline that the flag stands for, without an anchor around it."""
        raise NotImplementedError

    def run(self, op: ir.Operation) -> None:
        """Run the passes of `pipeline` on `op`."""
        run_pipeline(op, f"{op.name}({self.pipeline()})")


class Instrumentation(NamedTuple):
    """Reports to make while passes run.

    Attributes:
        verify_each: Whether to verify after each pass.
        print_before: Names of passes before which the program is printed.
        print_after: Names of passes after which the program is printed.
        ir_printing: The arguments of a manager's `enable_ir_printing`, which say when else and how to print.
        timing: Whether to print the time of each pass.
        statistics: Whether to print statistics of each pass.
        statistics_as_list: Whether the statistics are a list, not a tree.
    """

    verify_each: bool = True
    print_before: frozenset[str] = frozenset()
    print_after: frozenset[str] = frozenset()
    ir_printing: Mapping[str, Any] = MappingProxyType({})
    timing: bool = False
    statistics: bool = False
    statistics_as_list: bool = False

    @property
    def names_passes(self) -> bool:
        return bool(self.print_before or self.print_after)

    @property
    def needs_managers(self) -> bool:
        """Whether what was asked for is something that only pass managers can give."""
        prints = any(map(self.ir_printing.get, ("print_before_all", *_PRINT_AFTER)))
        return self.names_passes or prints or self.timing or self.statistics

    def attach(self, manager: passmanager.PassManager, names: frozenset[str]) -> None:
        """Turn on the requested instrumentation in `manager`, which holds the passes `names`."""
        manager.enable_verifier(self.verify_each)
        before = bool(self.ir_printing.get("print_before_all") or names & self.print_before)
        after = any(map(self.ir_printing.get, _PRINT_AFTER)) or bool(names & self.print_after)
        if before or after:
            how: dict[str, Any] = {**self.ir_printing, "print_before_all": before, "print_after_all": after}
            manager.enable_ir_printing(**how)
        if self.timing:
            manager.enable_timing()
        if self.statistics:
            require("pass-statistics")
            mode = passmanager.PassDisplayMode
            manager.enable_statistics(mode.LIST if self.statistics_as_list else mode.PIPELINE)


class PipelineStep(NamedTuple):
    """One entry of a manager that is anchored on `anchor`: the text of C++ passes, or a pass in Python."""

    element: PipelineElement
    python_pass: Pass | None = None
    path: tuple[str, ...] = ()

    def __str__(self) -> str:
        text = str(self.element)
        for anchor in reversed(self.path):
            text = f"{anchor}({text})"
        return text


def _python_names(element: PipelineElement) -> bool:
    if element.children is None:
        return element.name in PREPARATIONS or find_pass(element.name) is not None
    return any(map(_python_names, element.children))


@dataclass(eq=False)
class Pipeline:
    """Passes that run one after another on an op of kind `anchor`.

    With `implicit_nesting` a pass that works on another kind of op runs on all such ops inside, as it does when it is
    given as a flag; without it such a pass is an error, as it is in a textual pipeline.
    """

    elements: Sequence[PipelineElement]
    anchor: str = MODULE
    implicit_nesting: bool = False

    @classmethod
    def from_text(cls, text: str, anchor: str = MODULE, *, nest: bool = False) -> Pipeline:
        """The pipeline `anchor(pass,…)`, or just `pass,…`, where with `nest` a pass on other ops runs on all such ops
        inside. Raises UsageError."""
        elements = parse_pipeline(text)
        if len(elements) == 1 and elements[0].children is not None and elements[0].name in (anchor, "any"):
            return cls(elements[0].children, anchor)
        return cls(elements, anchor, nest)

    def __str__(self) -> str:
        return f"{self.anchor}({','.join(map(str, self.elements))})"

    def steps(self, *, one_pass_each: bool = False) -> Iterator[PipelineStep]:
        """Yield the pipeline as entries for a manager. Raises UsageError for an unknown pass, option or nesting."""
        waiting: list[tuple[PipelineElement, tuple[str, ...], bool]] = [
            (element, (), False) for element in reversed(self.elements)
        ]
        while waiting:
            element, path, is_prepared = waiting.pop()
            if element.children is not None and (one_pass_each or _python_names(element)):
                inner = (*path, element.name)
                waiting += [(child, inner, False) for child in reversed(element.children)]
                continue
            if element.children is None and element.name in PREPARATIONS and not is_prepared:
                waiting += [(element, path, True), (PipelineElement(PREPARATIONS[element.name]), path, False)]
                continue
            pass_class = find_pass(element.name) if element.children is None else None
            if pass_class is None:
                yield PipelineStep(element, path=path)
                continue
            python_pass = make_pass(pass_class, element.options)
            if isinstance(python_pass, PassPipeline):
                others = parse_pipeline(python_pass.pipeline())
                waiting += [(other, path, False) for other in reversed(others)]
                continue
            here = path[-1] if path else self.anchor
            is_inside = pass_class.anchor not in (here, "any")
            if is_inside and not self.implicit_nesting:
                raise UsageError(
                    f"can't add pass '{element.name}' restricted to '{pass_class.anchor}' on a PassManager intended "
                    f"to run on '{here}', did you intend to nest?"
                )
            yield PipelineStep(element, python_pass, (*path, pass_class.anchor) if is_inside else path)

    def one_by_one(self) -> Iterator[Pipeline]:
        """Yield each pass as a pipeline of its own, nested as it is in this one. Raises UsageError as `steps` does."""
        for step in list(self.steps(one_pass_each=True)):
            yield Pipeline(parse_pipeline(str(step)), self.anchor, self.implicit_nesting)


def _ops_on_path(op: ir.Operation, path: Sequence[str]) -> Iterator[ir.Operation]:
    """Yield the ops that `path` leads to from `op`: each entry is the name of ops directly inside the ones before."""
    if not path:
        yield op
        return
    for inner in children(op):
        if path[0] in (inner.name, "any"):
            yield from _ops_on_path(inner, path[1:])


class _Alone(NamedTuple):
    """A pass written in Python that runs by itself, because a manager of these bindings takes none."""

    run_pass: Callable[[ir.Operation], bool]
    text: str
    verify: bool

    def run(self, op: ir.Operation) -> None:
        if not self.run_pass(op) or (self.verify and not op.verify()):
            raise ir.MLIRError(f"{self.text} failed", [])

    def __str__(self) -> str:
        return self.text


_Manager = passmanager.PassManager | _Alone


@dataclass(eq=False)
class _Run:
    """One run of a pipeline; keeps the exception of a Python pass, which cannot travel through the compiler."""

    context: ir.Context
    instrumentation: Instrumentation
    anchor: str
    sink: Sink | None
    diagnostics: list[Diagnostic] = field(default_factory=list[Diagnostic])
    raised: BaseException | None = None
    statistics: PassStatistics = field(default_factory=PassStatistics)

    def receive(self, diagnostic: Diagnostic) -> None:
        self.diagnostics.append(diagnostic)
        if self.sink is not None:
            self.sink(diagnostic)

    def run_python(self, name: str, python_pass: Pass, path: Sequence[str], op: ir.Operation) -> bool:
        """Run a pass written in Python; return whether it succeeds."""
        try:
            with self.context:
                for inner in list(_ops_on_path(op, path)):
                    before = len(operations_within(inner)) if self.instrumentation.statistics else 0
                    python_pass.run(inner)
                    if self.instrumentation.statistics:
                        self.statistics.add(name, before, len(operations_within(inner)))
            return True
        except UsageError as error:  # of the pass's options, not of the program
            self.raised = error
        except StablehloError as error:
            for diagnostic in as_diagnostics(error):
                self.receive(diagnostic)
        except BaseException as error:
            self.raised = error
            self.receive_users(name, python_pass, error)
        return False

    def receive_users(self, name: str, python_pass: Pass, error: BaseException) -> None:
        from .users_patterns import users_error

        diagnostic = users_error(error, name, python_pass)
        if diagnostic is not None:
            self.receive(diagnostic)
            self.raised = PassError(self.diagnostics)
            self.raised.__cause__ = error

    def add(self, manager: passmanager.PassManager, step: PipelineStep, implicit_nesting: bool) -> None:
        if step.python_pass is not None:
            run = partial(self.run_python, step.element.name, step.python_pass, step.path)

            def signal(op: ir.Operation, external: Any) -> None:
                if not run(op):
                    external.signal_pass_failure()

            manager.add(signal, name=type(step.python_pass).__name__, argument=step.element.name)
            return
        try:
            manager.add(str(step).encode().decode())
        except UnicodeEncodeError:  # C++ takes no bytes of another encoding, which a command line may hold
            raise UsageError(f"the options of {step.element.name} are not UTF-8: {str(step)!a}") from None
        except ValueError as error:
            restricted = _RESTRICTED.search(str(error))
            if restricted is None or not implicit_nesting:
                raise UsageError(_reason(str(error), step)) from None
            self.add(manager, step._replace(path=(*step.path, restricted[1])), implicit_nesting=False)

    def manager(self, steps: Sequence[PipelineStep], implicit_nesting: bool) -> _Manager:
        python_pass = steps[0].python_pass
        if python_pass is not None and not has("python-passes"):
            if self.instrumentation.needs_managers:
                require("python-passes")
            text = f"{self.anchor}({steps[0]})"
            run = partial(self.run_python, steps[0].element.name, python_pass, steps[0].path)
            return _Alone(run, text, self.instrumentation.verify_each)
        manager = passmanager.PassManager(self.anchor, context=self.context)
        for step in steps:
            self.add(manager, step, implicit_nesting)
        self.instrumentation.attach(manager, frozenset(step.element.name for step in steps))
        return manager

    def run(self, manager: _Manager, op: ir.Operation) -> None:
        try:
            manager.run(op)
        except ir.MLIRError:
            if self.raised is not None:
                raise self.raised from self.raised.__cause__
            if not any(diagnostic.severity == "error" for diagnostic in self.diagnostics):
                self.receive(Diagnostic("error", file_location(op.location), SILENT_FAILURE))
            raise PassError(self.diagnostics) from None


def _reason(message: str, step: PipelineStep) -> str:
    """The bindings' message about a pipeline, without its copy of the text and a second sentence that repeats it."""
    unknown = _UNKNOWN_PASS.search(message)
    if unknown is not None:
        if unknown[1] in compiled_passes():
            return lacking(f"the pass '{unknown[1]}'", f"jaxlib {compiled_passes()[unknown[1]].since}")
        if unknown[1] in passes_elsewhere():
            return f"the pass '{unknown[1]}' cannot be had: {passes_elsewhere()[unknown[1]]}"
        guess = hint(unknown[1], pass_names())
        return f"'{unknown[1]}' does not refer to a registered pass or pass pipeline{guess}"
    lines = [line for line in message.splitlines() if line and not line.startswith("failed to add")]
    if not lines:
        return f"the options of a pass cannot be understood: {step}"
    first = re.sub(r"^MLIR Textual PassPipeline Parser:\d+:\d+: error: ", "", lines[0])
    unknown = re.search(r"no such option (\S+)$", first)
    for leaf in Pipeline([step.element], "any").steps(one_pass_each=True) if unknown is not None else ():
        name, options = leaf.element.name, leaf.element.options
        if unknown is not None and unknown[1] in options and name in compiled_passes():
            return no_such_option(name, unknown[1], compiled_passes()[name].options)
    return re.sub(r"^<Pass-Options-Parser>: ", f"pass options of {step}: ", first)


def resolved_text(pipeline: Pipeline, context: ir.Context) -> str:
    """`pipeline` as it will run: nested on the ops that the passes work on, with the options of C++ passes.

    Raises UsageError as `run_pipeline` does.
    """
    run = _Run(context, Instrumentation(), pipeline.anchor, None)
    groups = _groups(pipeline.steps())
    texts = [str(run.manager(group, pipeline.implicit_nesting)) for group in groups]
    head = f"{pipeline.anchor}("
    return f"{head}{','.join(text.removeprefix(head)[:-1] for text in texts)})"


def _groups(steps: Iterable[PipelineStep], *, one_pass_each: bool = False) -> list[list[PipelineStep]]:
    """Return the steps that share a manager: neighbours, unless a manager takes no other pass beside one of them."""
    groups: list[list[PipelineStep]] = []
    shares = False
    for step in steps:
        is_apart = one_pass_each or (_needs_protection(step) if step.python_pass is None else not has("python-passes"))
        if shares and not is_apart:
            groups[-1].append(step)
        else:
            groups.append([step])
        shares = not is_apart
    return groups


def run_pipeline(
    op: ir.Operation | ir.Module,
    pipeline: Pipeline | str,
    *,
    instrumentation: Instrumentation | None = None,
    sink: Sink | None = None,
) -> None:
    """Run `pipeline` on `op`, in place. Diagnostics go to `sink` as they come, and into the error raised.

    Raises UsageError for a pipeline that cannot be understood and PassError where a pass fails.
    """
    operation = op.operation
    if isinstance(pipeline, str):
        pipeline = Pipeline.from_text(pipeline, operation.name)
    plan = Instrumentation() if instrumentation is None else instrumentation
    names_passes = plan.names_passes
    run = _Run(operation.context, plan, pipeline.anchor, sink)
    groups = _groups(pipeline.steps(one_pass_each=names_passes), one_pass_each=names_passes)
    managers = [run.manager(group, pipeline.implicit_nesting) for group in groups]
    counted = collect() if plan.statistics else nullcontext()
    with diagnostics_to(operation.context, run.receive), counted as reports:
        for manager, group in zip(managers, groups, strict=True):
            if group[0].element.name == _REFINE and any_operation(operation, _is_for_library_functions):
                _refine(run, manager, operation)
                continue
            with unsafe_ops_protected(operation) if _needs_protection(group[0]) else nullcontext():
                run.run(manager, operation)
    if reports is not None:
        run.statistics.print(reports, as_list=plan.statistics_as_list)


def _needs_protection(step: PipelineStep) -> bool:
    """Whether the step is or holds, in its options too, a pass that crashes on some ops."""
    return step.python_pass is None and any(name in str(step.element) for name in UNSAFE_PASSES)


def _is_for_library_functions(op: ir.Operation) -> bool:
    """Whether the pass of C++ does not know an op that can decide if shapes fit: it stops at a composite, and takes no
    notice of an assertion."""
    return op.name == "stablehlo.composite" or (
        op.name == "stablehlo.custom_call" and string_of(op.attributes["call_target_name"]) == "shape_assertion"
    )


def _refine(run: _Run, manager: _Manager, operation: ir.Operation) -> None:
    """Refine shapes by the pass of C++; if it fails, by library functions, whose error counts then."""
    from .abstract_refinement import ShapeRefinementPipeline
    from .abstract_transaction import replace_contents

    before, said = detached_copy(operation), list[Diagnostic]()
    try:
        with diagnostics_to(run.context, said.append), unsafe_ops_protected(operation):
            manager.run(operation)
    except ir.MLIRError:
        replace_contents(operation, before)
        if run.run_python(_REFINE, ShapeRefinementPipeline(), (), operation):
            return
        raise run.raised or PassError(run.diagnostics) from None
    for diagnostic in said:
        run.receive(diagnostic)
