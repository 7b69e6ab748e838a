"""Finds out what is known about every value of a module, without changing it.

A forward data flow over each function, once for each kind of call. The state of a value is a pair: its dimension sizes,
and the elements of a small integer tensor. Each is a number, an expression in symbols, or a symbol of its own, about
which nothing is known. A node is looked at again when what it reads has changed, always the first such node in program
order, so straight code takes one sweep. `control_flow` widens loops, so that they end. A function is analysed for at
most `CALL_LIMIT` kinds of calls; further calls return the declared types."""

from __future__ import annotations

from ...bindings import ir
from ...bindings.attributes import CALLS, callee_of, is_private
from ...bindings.diagnostics import warn
from ...bindings.walk import body_of, has_body, operations, terminator_of
from . import wrapping
from .context import AnalyzedProgram, Context, State
from .control_flow import CONTROL, TRANSFERS
from .outline import FunctionOutline, OutlineNode
from .shape_arithmetic import evaluate_elements

CALL_LIMIT = 256


class FunctionAnalysis(Context):
    """One function for one kind of call, looked at node by node."""

    def __init__(self, program: AnalyzedProgram, name: str, label: str, outline: FunctionOutline) -> None:
        super().__init__(program, name, label)
        self.outline = outline
        self._waiting = bytearray(b"\1" * len(outline.nodes))  # the nodes to look at
        self._visited = -1  # the furthest node that was ever looked at
        self._until = -1  # nodes up to here are to be looked at, because something else was learned before them
        self._next = 0

    def mark(self, user: ir.Operation) -> None:
        index = self.outline.index_of(user)
        if index is not None:
            self._waiting[index] = 1

    def run(self, calls: Calls) -> Context | None:
        """Look at nodes until none is waiting. Returns a call's context that has to be analysed before."""
        nodes, waiting = self.outline.nodes, self._waiting
        while self._next < len(nodes):
            index = self._next
            if index > self._until:
                self._until = -1
                if not waiting[index]:
                    index = waiting.find(1, index)
                    if index < 0:
                        break
            waiting[index] = 0
            node = nodes[index]
            self.narrowed.clear()
            self.facts.known.enter(index, node.last)
            before = self.facts.known.forgotten_at(index)
            awaited = calls.visit(self, node) if node.name in CALLS else None
            if awaited is not None:
                waiting[index], self._next = 1, index
                return awaited
            back = self._look_at(node)
            if index <= self._visited and before != self.facts.known.replacements_at(index):
                self._until = max(self._until, node.last)
            self._visited = max(self._visited, index)
            self._next = index + 1 if back is None else back
            if back is not None:
                self.facts.known.go_back(back)
                waiting[index] = 1  # what the loop returns is still open
        self.results = self.states(list(terminator_of(body_of(self.function)).operands))
        self.facts.known.go_back(0)
        return None

    def _look_at(self, node: OutlineNode) -> int | None:
        if node.kind in ("entry", "exit"):
            return CONTROL[node.kind, node.name](self, node)
        self._plain(node)
        if node.kind == "wrapper":
            wrapped = dict(wrapping.function_regions(node.op))
            for kind in [kind for kind in wrapped if kind in self.program.kinds]:
                self.evaluate_wrapped(node.index, node.op, kind, wrapped[kind])
            if self.program.direct:
                self.evaluate_directly(node, wrapped)
            for inner, outer in zip(node.body.results, node.op.results, strict=True):
                self.carry(inner, outer)
        elif self.program.direct and len(node.op.results):
            self.evaluate_directly(node)
        return None

    def _plain(self, node: OutlineNode) -> None:
        transfer = TRANSFERS.get(node.name)
        if transfer is None:
            evaluate_elements(node.body, node.name, self.facts)
        else:
            transfer(self, node)


class Calls:
    """The contexts of all functions, by their arguments."""

    def __init__(self, program: AnalyzedProgram) -> None:
        self.program = program
        self.active: list[FunctionAnalysis] = []
        self._outlines: dict[str, FunctionOutline] = {}
        self._contexts: dict[tuple[str, tuple[State, ...] | None], FunctionAnalysis] = {}
        self._counts: dict[str, int] = {}

    def analyse(self, name: str) -> Context:
        """Analyze a function that is called from outside: its arguments are what their types say."""
        root = self._context(name, None)
        self.active = [root]
        while self.active:
            awaited = self.active[-1].run(self)
            if isinstance(awaited, FunctionAnalysis):
                self.active.append(awaited)
            else:
                self.active.pop()
        return root

    def _context(self, name: str, states: tuple[State, ...] | None) -> FunctionAnalysis:
        key = (name, states)
        found = self._contexts.get(key)
        if found is None:
            if name not in self._outlines:
                self._outlines[name] = FunctionOutline(self.program.functions[name])
            number = self._counts.get(name, 0)
            self._counts[name] = number + 1
            label = f"{name}_{number - 1}" if number else name
            found = self._contexts[key] = FunctionAnalysis(self.program, name, label, self._outlines[name])
            if states is not None:
                for argument, state in zip(body_of(found.function).arguments, states, strict=True):
                    found.assume(argument, state)
        return found

    def visit(self, context: FunctionAnalysis, node: OutlineNode) -> Context | None:
        """Take what a function returns on to a call of it. Return the function's context unless it has been analysed.
        Recursive calls and calls beyond the limit return the declared types."""
        op = node.body
        name = callee_of(op)
        function = self.program.functions.get(name)
        if function is None or not has_body(function) or any(caller.name == name for caller in self.active):
            return None
        states = tuple(context.states(list(op.operands)))
        kinds = self._counts.get(name, 0) - ((name, None) in self._contexts)
        if (name, states) not in self._contexts and kinds >= CALL_LIMIT:
            self.program.limits[f"'{name}' is called in more than {CALL_LIMIT} ways, not all are refined"] = None
            context.calls.pop(node.index, None)  # what an earlier round of a loop found out
            context.give(op, [(None, None)] * len(op.results))
            return None
        callee = self._context(name, states)
        if callee.results is None:
            return callee
        context.calls[node.index] = (op, callee)
        context.give(op, callee.results)
        return None


def analyse(program: AnalyzedProgram) -> list[Context]:
    """Analyse a module.

    Args:
        program: The module; what the analysis gives up is warned about.

    Returns:
        One context for each function that is called from outside.

    Raises:
        RefutedError: The program breaks a rule of a library function.
    """
    found = program.functions
    called = {callee_of(call) for function in found.values() for call in calls_of(function)}
    roots = [
        name
        for name, op in found.items()
        if not wrapping.is_library_function(op) and (name not in called or not is_private(op))
    ]
    program.names.only_root = roots[0] if len(roots) == 1 else "main"
    calls = Calls(program)
    contexts = [calls.analyse(name) for name in roots if has_body(found[name])]
    for limit in program.limits:
        warn(program.module.location, limit)
    return contexts


def calls_of(function: ir.Operation) -> list[ir.Operation]:
    """Return the calls in a function of the program; none of a library function."""
    return [] if wrapping.is_library_function(function) else [op for op in operations(function) if op.name in CALLS]
