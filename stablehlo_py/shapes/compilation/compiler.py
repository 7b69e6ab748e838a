"""Compiles library functions: the AST of a Python function in the subset of `language.py`, to the text of MLIR
functions.

Loops become `scf.for` and `scf.while`, branches `scf.if`. A `return` inside a branch makes what follows the branch
part of the ways that do not return; a `return` inside a loop sets a flag that the later rounds look at. Nothing is
changed in place: `values.append(x)` gives the name `values` to a longer list.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import FunctionType

from .. import lists
from ..errors import LibraryError
from ..types import INT, LIST, LISTS, NONE, OPAQUE, LibraryType, parse_annotation
from .definitions import definition_of, location_of, own_annotations, result_type, typed_parameters
from .emitter import Emitter, Typed
from .expressions import Environment, ExpressionCompiler, narrowed

Done = Callable[[Environment], list[Typed]]
Return = Callable[[Typed, Environment, ast.AST], list[Typed]]

_PRELUDE = {
    name: getattr(lists, name.partition(".")[2])
    for name in ("list.equal", "list.contains", "list.total", "list.times", "list.at")
}


@dataclass(frozen=True)
class Compiled:
    """The text of one MLIR function, the symbols it calls, and how many numbers its messages take."""

    symbol: str
    text: str
    calls: frozenset[str]
    message_input_counts: frozenset[int]


def _assigned(statements: Sequence[ast.stmt]) -> set[str]:
    """The names that any of the statements gives a new value, appending included."""
    parts = [part for statement in statements for part in ast.walk(statement)]
    stored = {part.id for part in parts if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)}
    return stored | _changed_in_place(statements)


def _changed_in_place(statements: Sequence[ast.stmt]) -> frozenset[str]:
    """The names whose lists any of the statements changes: by an element, a method or an addition."""
    parts = [part for statement in statements for part in ast.walk(statement)]
    owners = [part.value for part in parts if isinstance(part, ast.Subscript) and isinstance(part.ctx, ast.Store)]
    owners += [part.func.value for part in parts if isinstance(part, ast.Call) and isinstance(part.func, ast.Attribute)]
    owners += [part.target for part in parts if isinstance(part, ast.AugAssign)]
    return frozenset(owner.id for owner in owners if isinstance(owner, ast.Name))


class StatementCompiler(ExpressionCompiler):
    """Emits statements. `block` handles statements that may return; `straight` those that cannot."""

    def block(self, statements: Sequence[ast.stmt], environment: Environment, done: Done, leave: Return) -> list[Typed]:
        """Return the values that the statements end with: `done(environment)` where they run through, `leave(value,
        environment, node)` where they return."""
        for position, statement in enumerate(statements):
            rest = statements[position + 1 :]
            if isinstance(statement, ast.Return):
                value = Typed(NONE, ()) if statement.value is None else self.evaluate(statement.value, environment)
                return leave(value, environment, statement)
            if not any(isinstance(part, ast.Return) for part in ast.walk(statement)):
                self.straight(statement, environment)
            elif isinstance(statement, ast.If):
                test = self.condition(statement.test, environment)
                inside, outside = [narrowed(environment, statement.test, holds) for holds in (True, False)]
                with self.emitter.block() as then:
                    first = self.block([*statement.body, *rest], inside, done, leave)
                with self.emitter.block() as otherwise:
                    second = self.block([*statement.orelse, *rest], outside, done, leave)
                return self.emitter.select(test, then, otherwise, list(zip(first, second, strict=True)))
            else:
                return self._returning_loop(statement, rest, environment, done, leave)
        return done(environment)

    def _returning_loop(
        self, node: ast.stmt, rest: Sequence[ast.stmt], environment: Environment, done: Done, leave: Return
    ) -> list[Typed]:
        type_ = self.return_type
        state = [self.emitter.boolean(False), self.zero(type_)]

        def returned(value: Typed, inner: Environment, where: ast.AST) -> list[Typed]:
            return [self.emitter.boolean(True), self.coerce(value, type_, where)]

        state = self._loop(node, environment, state, returned)
        with self.emitter.block() as then:
            first = leave(state[1], environment, node)
        with self.emitter.block() as otherwise:
            second = self.block(rest, dict(environment), done, leave)
        return self.emitter.select(state[0], then, otherwise, list(zip(first, second, strict=True)))

    def straight(self, statement: ast.stmt, environment: Environment) -> None:
        """Emit a statement that does not return, and update the environment."""
        method = getattr(self, f"_do_{type(statement).__name__.lower()}", None)
        if method is None:
            raise self.unsupported(statement)
        method(statement, environment)

    def _do_pass(self, node: ast.Pass, environment: Environment) -> None:
        pass

    def _do_expr(self, node: ast.Expr, environment: Environment) -> None:
        if isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            return  # a docstring
        call = node.value
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name):
            self.evaluate(call, environment)
            return
        if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute) or len(call.args) != 1:
            raise self.unsupported(node)
        owner = call.func.value
        if not isinstance(owner, ast.Name) or owner.id not in environment:
            raise self.unsupported(node)
        given = environment[owner.id]
        if given.type not in (LIST, LISTS):
            raise self.unsupported(node, f"a method of {given.type}: {ast.unparse(node)}")
        if call.func.attr == "append":
            item = self.evaluate(call.args[0], environment)
            environment[owner.id] = self.appended(given, item, call.args[0])
        elif call.func.attr == "extend":
            tail = self.coerce(self.evaluate(call.args[0], environment, given.type), given.type, call.args[0])
            environment[owner.id] = self.emitter.concatenate(given, tail)
        else:
            raise self.unsupported(node, f"the method '{call.func.attr}'")

    def _do_assign(self, node: ast.Assign, environment: Environment) -> None:
        if len(node.targets) != 1:
            raise self.unsupported(node)
        target, source, value = node.targets[0], node.value, self.evaluate(node.value, environment)
        names = {each.id for each in (target, source) if isinstance(each, ast.Name)}
        if value.type == LIST and len(names) == 2 and names & self.changed:  # compiled, each has a list of its own
            what = f"a second name for a list that changes: {ast.unparse(node)}; '{ast.unparse(source)}[:]' is a copy"
            raise self.unsupported(node, what)
        self._assign_to(target, value, environment)

    def _do_annassign(self, node: ast.AnnAssign, environment: Environment) -> None:
        type_ = parse_annotation(ast.unparse(node.annotation))
        if type_ is None or node.value is None:
            raise self.unsupported(node)
        value = self.coerce(self.evaluate(node.value, environment, type_), type_, node)
        self._assign_to(node.target, value, environment)

    def _do_augassign(self, node: ast.AugAssign, environment: Environment) -> None:
        if not isinstance(node.target, ast.Name | ast.Subscript):
            raise self.unsupported(node)
        current = ast.copy_location(ast.parse(ast.unparse(node.target), mode="eval").body, node)
        whole = ast.fix_missing_locations(ast.copy_location(ast.BinOp(current, node.op, node.value), node))
        self._assign_to(node.target, self.evaluate(whole, environment), environment)

    def _assign_to(self, target: ast.expr, value: Typed, environment: Environment) -> None:
        if isinstance(target, ast.Name):
            environment[target.id] = value
        elif isinstance(target, ast.Tuple) and value.type.kind == "tuple" and len(target.elts) == len(value.type.parts):
            for element, part in zip(target.elts, self.emitter.parts(value), strict=True):
                self._assign_to(element, part, environment)
        elif isinstance(target, ast.Subscript) and isinstance(target.value, ast.Name):
            owner = self.evaluate(target.value, environment)
            if owner.type != LIST or isinstance(target.slice, ast.Slice):
                raise self.unsupported(target)
            index = self.index(owner, target.slice, environment)
            environment[target.value.id] = self.emitter.put(owner, index, self.coerce(value, INT, target))
        else:
            raise self.unsupported(target)

    def _do_assert(self, node: ast.Assert, environment: Environment) -> None:
        test = self.condition(node.test, environment)
        message, inputs = self._message(node.msg, environment)
        if not message:
            raise self.unsupported(node, "an assertion without a message")
        self.emitter.check(test, message, inputs)
        environment.update(narrowed(environment, node.test, True))

    def _message(self, node: ast.expr | None, environment: Environment) -> tuple[str, list[Typed]]:
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            parts: list[ast.expr] = [node]
        elif isinstance(node, ast.JoinedStr):
            parts = node.values
        else:
            return "", []
        text, inputs = "", list[Typed]()
        for part in parts:
            if isinstance(part, ast.FormattedValue):
                text += f"{{{len(inputs)}}}"
                inputs.append(self.integer(part.value, environment))
            elif isinstance(part, ast.Constant):
                if re.search(r"[{}]", str(part.value)):
                    raise self.unsupported(part, "a brace in a message")
                text += str(part.value)
        return text, inputs

    def _do_if(self, node: ast.If, environment: Environment) -> None:
        test = self.condition(node.test, environment)
        ways: list[tuple[list[str], Environment]] = []
        for statements, holds in ((node.body, True), (node.orelse, False)):
            scope = narrowed(environment, node.test, holds)
            with self.emitter.block() as lines:
                for statement in statements:
                    self.straight(statement, scope)
            ways.append((lines, scope))
        changed = sorted(_assigned([*node.body, *node.orelse]))
        names = [name for name in changed if all(name in scope for _, scope in ways)]
        merged = self.merge(test, [(lines, [scope[name] for name in names]) for lines, scope in ways], node)
        for name in changed:
            environment.pop(name, None)
        environment.update(zip(names, merged, strict=True))

    def _do_for(self, node: ast.For | ast.While, environment: Environment) -> None:
        self._loop(node, environment, [], lambda value, inner, where: [])

    _do_while = _do_for

    def _loop(self, node: ast.stmt, environment: Environment, state: list[Typed], leave: Return) -> list[Typed]:
        """A loop; `state` is the flag and the value of a return inside it, or empty. Gives the state at the end."""
        if not isinstance(node, ast.For | ast.While) or node.orelse:
            raise self.unsupported(node)
        names = sorted(name for name in _assigned(node.body) if name in environment)
        types = [environment[name].type for name in names]
        carried = [*state, *(environment[name] for name in names)]

        def run(scope: Environment, current: list[Typed]) -> list[Typed]:
            def done(inner: Environment) -> list[Typed]:
                return [self.coerce(inner[name], type_, node) for name, type_ in zip(names, types, strict=True)]

            return self.block(
                node.body,
                scope,
                lambda inner: [*current[: len(state)], *done(inner)],
                lambda value, inner, where: [*leave(value, inner, where), *done(inner)],
            )

        def scope_of(current: list[Typed]) -> Environment:
            return {**environment, **dict(zip(names, current[len(state) :], strict=True))}

        flag = slice(len(state[:1]))
        try:
            if isinstance(node, ast.While):
                results = self.emitter.loop(
                    carried,
                    lambda now: self._unless(
                        now[flag], lambda: [self.condition(node.test, scope_of(now))], state[flag]
                    )[0],
                    lambda now: run(scope_of(now), now),
                )
            else:
                count, bind = self.iteration(node.iter, environment)
                results = self.emitter.repeat(
                    count,
                    carried,
                    lambda index, now: self._unless(
                        now[flag], lambda: run(scope_of(now) | bind(node.target, index), now), now
                    ),
                )
        except LibraryError as error:
            raise error if error.location else self.error(node, error.message) from None
        environment.update(zip(names, results[len(state) :], strict=True))
        return results[: len(state)]

    def _unless(
        self, flags: Sequence[Typed], emit: Callable[[], list[Typed]], otherwise: Sequence[Typed]
    ) -> list[Typed]:
        """Return the values that `emit` emits, or `otherwise` where there is a flag that says so."""
        if not flags:
            return emit()
        with self.emitter.block() as lines:
            values = emit()
        return self.emitter.select(flags[0], [], lines, list(zip(otherwise, values, strict=True)))

    return_type: LibraryType = NONE
    changed: frozenset[str] = frozenset()
    """Names of the function whose lists are changed in place."""

    def compile(
        self, symbol: str, node: ast.FunctionDef, parameters: Sequence[tuple[str, LibraryType]], result: LibraryType
    ) -> Compiled:
        """Return the whole function as text."""
        self.return_type, self.changed = result, _changed_in_place(node.body)
        own = {argument.arg for argument in ast.walk(node.args) if isinstance(argument, ast.arg)}
        environment = {
            name: self.emitter.parameters(name, type_) for name, type_ in parameters if name in own and type_ != OPAQUE
        }

        def missing(_: Environment) -> list[Typed]:
            raise self.error(node, f"'{node.name}' can end without a return")

        def leave(value: Typed, _: Environment, where: ast.AST) -> list[Typed]:
            return [self.coerce(value, result, where)]

        with self.emitter.block() as body:
            (value,) = self.block(node.body, environment, missing, leave)
        text = self.emitter.function(symbol, parameters, result, body, value)
        return Compiled(symbol, text, frozenset(self.emitter.called), frozenset(self.emitter.message_input_counts))


@dataclass
class Compiler:
    """Compiles functions and all that they call; called functions are named after their file and function."""

    emitter: type[Emitter] = Emitter
    compiled: dict[str, Compiled] = field(default_factory=dict[str, Compiled])
    _active: list[str] = field(default_factory=list[str])

    def compile(
        self, function: FunctionType, symbol: str = "", parameters: Sequence[tuple[str, LibraryType]] | None = None
    ) -> str:
        """Compile a function and its callees, once.

        Args:
            function: The function.
            symbol: The name of the compiled function; by default after the file and the function.
            parameters: The parameters of the compiled function, of which `function` may take a part.

        Returns:
            The symbol.
        """
        code = function.__code__
        symbol = symbol if symbol else f"{Path(code.co_filename).stem}.{function.__name__}"
        if symbol in self.compiled:
            return symbol
        node = definition_of(function)
        if symbol in self._active:
            raise LibraryError(
                f"'{function.__name__}' calls itself: a library function cannot use recursion",
                location=location_of(function),
            )
        self._active.append(symbol)
        try:
            if parameters is None:
                parameters = typed_parameters(function, own_annotations(function))
            result = result_type(function)
            statements = StatementCompiler(self.emitter(), code.co_filename, function.__globals__, self._resolve)
            compiled = statements.compile(symbol, node, parameters, result)
        finally:
            self._active.pop()
        self.compiled[symbol] = compiled
        for name in compiled.calls & _PRELUDE.keys():
            self.compile_prelude(name)
        return symbol

    def compile_prelude(self, name: str) -> str:
        """Compile one of the functions of `lists.py`. Returns its symbol."""
        return self.compile(_PRELUDE[name], name)

    def _resolve(self, function: FunctionType, node: ast.AST) -> tuple[str, tuple[LibraryType, ...], LibraryType]:
        symbol = self.compile(function)
        parameters = typed_parameters(function, own_annotations(function))
        return symbol, tuple(type_ for _, type_ in parameters), result_type(function)
