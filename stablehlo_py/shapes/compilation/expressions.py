"""Expressions of the library language: Python's AST to emitted values."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping, Sequence
from functools import partial, partialmethod, reduce
from itertools import pairwise
from types import FunctionType
from typing import Any

from ...bindings.narrowing import is_list, is_tuple
from ...errors import counted
from ..types import BOOL, INT, LIST, LISTS, NONE, LibraryType
from .conversions import Conversions
from .emitter import Emitter, Typed, in_a_row

Environment = dict[str, Typed]
Resolver = Callable[[FunctionType, ast.AST], tuple[str, tuple[LibraryType, ...], LibraryType]]

_OPERATORS: Mapping[type[ast.operator], str] = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.FloorDiv: "//",
    ast.Mod: "%",
}
_COMPARISONS: Mapping[type[ast.cmpop], str] = {
    ast.Eq: "==",
    ast.NotEq: "!=",
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
}
_PURE = (
    *(ast.Name, ast.Constant, ast.Attribute, ast.Compare, ast.BoolOp, ast.UnaryOp, ast.BinOp, ast.Load),
    *(ast.operator, ast.boolop, ast.unaryop, ast.cmpop),
)


def is_none_test(test: ast.expr) -> tuple[str, bool] | None:
    """(name, True) for `name is None`, (name, False) for `name is not None`, None for any other test."""
    if not isinstance(test, ast.Compare) or not isinstance(test.left, ast.Name):
        return None
    operator, right = test.ops[0], test.comparators[0]
    if not isinstance(right, ast.Constant) or right.value is not None or not isinstance(operator, ast.Is | ast.IsNot):
        return None
    return test.left.id, isinstance(operator, ast.Is)


def narrowed(environment: Environment, test: ast.expr, holds: bool) -> Environment:
    """The environment where `test` is known to hold, or not to: `x is not None` makes an optional what it holds."""
    found = is_none_test(test)
    if found is None or found[0] not in environment or found[1] == holds:
        return dict(environment)
    return environment | {found[0]: environment[found[0]].held}


class ExpressionCompiler(Conversions):
    """Emits the value of an expression."""

    def __init__(self, emitter: Emitter, filename: str, names: Mapping[str, Any], resolve: Resolver) -> None:
        super().__init__(emitter, filename)
        self._globals = names
        self._resolve = resolve

    def evaluate(self, node: ast.expr, environment: Environment, expected: LibraryType | None = None) -> Typed:
        """Return the value of an expression; `expected` tells an empty list what it is a list of."""
        method = getattr(self, f"_{type(node).__name__.lower()}", None)
        if method is None:
            raise self.unsupported(node)
        value = method(node, environment)
        if expected == LISTS and isinstance(node, ast.List) and not node.elts:
            return self.emitter.lists_of([])
        return value

    def condition(self, node: ast.expr, environment: Environment) -> Typed:
        """Return the value of an expression that has to be a bool."""
        value = self.evaluate(node, environment)
        if value.type != BOOL:
            raise self.error(node, f"a condition has to be a bool, this is {value.type}: {ast.unparse(node)}")
        return value

    def integer(self, node: ast.expr, environment: Environment) -> Typed:
        return self.coerce(self.evaluate(node, environment), INT, node)

    def _python_value(self, value: Any, node: ast.AST) -> Typed:
        if value is None:
            return Typed(NONE, ())
        if isinstance(value, bool):
            return self.emitter.boolean(value)
        if isinstance(value, int):
            return self.emitter.integer(value)
        if isinstance(value, str):
            return self.emitter.list_of([self.emitter.integer(ord(character)) for character in value])
        if (is_list(value) or is_tuple(value)) and all(isinstance(item, int) for item in value):
            return self.emitter.list_of([self.emitter.integer(int(item)) for item in value])
        raise self.unsupported(node, f"a constant of type {type(value).__name__}: {ast.unparse(node)}")

    def _constant(self, node: ast.Constant, environment: Environment) -> Typed:
        return self._python_value(node.value, node)

    def _name(self, node: ast.Name, environment: Environment) -> Typed:
        if node.id in environment:
            return environment[node.id]
        if node.id in self._globals and not callable(self._globals[node.id]):
            return self._python_value(self._globals[node.id], node)
        raise self.error(node, f"'{node.id}' is not defined here on every way to this line")

    def _attribute(self, node: ast.Attribute, environment: Environment) -> Typed:
        owner = self.evaluate(node.value, environment)
        if owner.type.kind == "record" and node.attr in owner.type.fields:
            return self.emitter.parts(owner)[owner.type.fields.index(node.attr)]
        raise self.unsupported(node)

    def _list(self, node: ast.List, environment: Environment) -> Typed:
        items = [self.evaluate(item, environment) for item in node.elts]
        if any(item.type == LIST for item in items):
            return self.emitter.lists_of([self.coerce(item, LIST, node) for item in items])
        return self.emitter.list_of([self.coerce(item, INT, node) for item in items])

    def _tuple(self, node: ast.Tuple, environment: Environment) -> Typed:
        return in_a_row([self.evaluate(item, environment) for item in node.elts])

    def _binop(self, node: ast.BinOp, environment: Environment) -> Typed:
        operator = _OPERATORS.get(type(node.op))
        if operator is None:
            raise self.unsupported(node)
        left, right = self.evaluate(node.left, environment), self.evaluate(node.right, environment)
        if operator == "+" and left.type in (LIST, LISTS) and left.type == right.type:
            return self.emitter.concatenate(left, right)
        if operator == "*" and left.type == LIST and right.type == INT:
            return self.emitter.call("list.times", [left, right], LIST)
        return self.emitter.binary(operator, self.coerce(left, INT, node), self.coerce(right, INT, node))

    def _unaryop(self, node: ast.UnaryOp, environment: Environment) -> Typed:
        if isinstance(node.op, ast.Not):
            return self.emitter.negate(self.condition(node.operand, environment))
        if isinstance(node.op, ast.USub):
            if isinstance(node.operand, ast.Constant) and isinstance(node.operand.value, int):
                return self.emitter.integer(-node.operand.value)
            return self.emitter.binary("-", self.emitter.integer(0), self.integer(node.operand, environment))
        raise self.unsupported(node)

    def _boolop(self, node: ast.BoolOp, environment: Environment) -> Typed:
        """`and` and `or`; what could fail, or take long, is evaluated only where Python would."""
        is_and = isinstance(node.op, ast.And)
        result = self.condition(node.values[0], environment)
        scope = narrowed(environment, node.values[0], is_and)
        for value in node.values[1:]:
            if all(isinstance(part, _PURE) for part in ast.walk(value)):
                result = self.emitter.logical("and" if is_and else "or", result, self.condition(value, scope))
            else:
                with self.emitter.block() as lines:
                    right = self.condition(value, scope)
                short = self.emitter.boolean(not is_and)
                if is_and:
                    (result,) = self.emitter.select(result, lines, [], [(right, short)])
                else:
                    (result,) = self.emitter.select(result, [], lines, [(short, right)])
            scope = narrowed(scope, value, is_and)
        return result

    def _compare(self, node: ast.Compare, environment: Environment) -> Typed:
        pairs = pairwise([node.left, *node.comparators])
        results = (self._comparison(*pair, op, environment, node) for pair, op in zip(pairs, node.ops, strict=True))
        return reduce(partial(self.emitter.logical, "and"), results)

    def _comparison(
        self, left_node: ast.expr, right_node: ast.expr, operator: ast.cmpop, environment: Environment, node: ast.expr
    ) -> Typed:
        left, right = self.evaluate(left_node, environment), self.evaluate(right_node, environment)
        if isinstance(operator, ast.Is | ast.IsNot):
            if right.type != NONE:
                raise self.unsupported(node)
            negated = isinstance(operator, ast.IsNot)
            if left.type.kind != "optional":
                return self.emitter.boolean((left.type == NONE) != negated)
            present = Typed(BOOL, left.names[:1])
            return present if negated else self.emitter.negate(present)
        if isinstance(operator, ast.In | ast.NotIn):
            if right.type.kind == "tuple":
                right = self.emitter.list_of([self.coerce(part, INT, node) for part in self.emitter.parts(right)])
            found = self.emitter.call(
                "list.contains", [self.coerce(right, LIST, node), self.coerce(left, INT, node)], BOOL
            )
            return self.emitter.negate(found) if isinstance(operator, ast.NotIn) else found
        text = _COMPARISONS[type(operator)]
        left, right = self._character(left_node, left, right), self._character(right_node, right, left)
        if left.type == LIST and right.type == LIST and text in ("==", "!="):
            same = self.emitter.call("list.equal", [left, right], BOOL)
            return same if text == "==" else self.emitter.negate(same)
        if left.type == BOOL and right.type == BOOL and text in ("==", "!="):
            return self.emitter.compare(text, left, right)
        return self.emitter.compare(text, self.coerce(left, INT, node), self.coerce(right, INT, node))

    def _character(self, node: ast.expr, value: Typed, other: Typed) -> Typed:
        """Return a one-character literal that is compared with an element of a string is that character's code."""
        literal = node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""
        return self.emitter.integer(ord(literal)) if other.type == INT and len(literal) == 1 else value

    def _ifexp(self, node: ast.IfExp, environment: Environment) -> Typed:
        test = self.condition(node.test, environment)
        with self.emitter.block() as then:
            first = self.evaluate(node.body, narrowed(environment, node.test, True))
        with self.emitter.block() as otherwise:
            second = self.evaluate(node.orelse, narrowed(environment, node.test, False))
        (result,) = self.merge(test, [(then, [first]), (otherwise, [second])], node)
        return result

    def merge(self, test: Typed, ways: Sequence[tuple[list[str], list[Typed]]], node: ast.AST) -> list[Typed]:
        """Return the values that a branch ends with; its two ways are lines and the values after them."""
        types = [self.joined(a.type, b.type, node) for a, b in zip(ways[0][1], ways[1][1], strict=True)]
        columns: list[list[Typed]] = []
        blocks: list[list[str]] = []
        for lines, values in ways:
            with self.emitter.block() as extra:
                columns.append([self.coerce(value, type_, node) for value, type_ in zip(values, types, strict=True)])
            blocks.append([*lines, *extra])
        return self.emitter.select(test, blocks[0], blocks[1], list(zip(columns[0], columns[1], strict=True)))

    def _subscript(self, node: ast.Subscript, environment: Environment) -> Typed:
        owner = self.evaluate(node.value, environment).held
        if isinstance(node.slice, ast.Slice):
            return self._slice(owner, node.slice, environment, node)
        if owner.type.kind == "tuple":
            if isinstance(node.slice, ast.Constant) and isinstance(node.slice.value, int):
                return self.emitter.parts(owner)[node.slice.value]
            raise self.unsupported(node, f"a tuple's member that is not given by a literal: {ast.unparse(node)}")
        index = self.index(owner, node.slice, environment)
        if owner.type == LIST:
            return self.emitter.get(owner, index)
        if owner.type == LISTS:
            return self.emitter.lists_get(owner, index)
        raise self.unsupported(node)

    def index(self, owner: Typed, node: ast.expr, environment: Environment) -> Typed:
        """Return a position in a list; a negative literal counts from the end."""
        value = self.integer(node, environment)
        literal = (
            isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub) and isinstance(node.operand, ast.Constant)
        )
        return self.emitter.binary("+", self.emitter.length(owner), value) if literal else value

    def _slice(self, owner: Typed, node: ast.Slice, environment: Environment, whole: ast.expr) -> Typed:
        if owner.type != LIST or node.step is not None:
            raise self.unsupported(whole)
        length = self.emitter.length(owner)
        stop = length if node.upper is None else self.index(owner, node.upper, environment)
        if node.lower is None:
            return self.emitter.slice(owner, self.emitter.integer(0), stop)
        start = self.index(owner, node.lower, environment)
        return self.emitter.slice(owner, start, self.emitter.binary("-", stop, start))

    def _listcomp(self, node: ast.ListComp, environment: Environment) -> Typed:
        if len(node.generators) != 1 or node.generators[0].is_async:
            raise self.unsupported(node)
        generator = node.generators[0]
        count, bind = self.iteration(generator.iter, environment)
        with self.emitter.block():  # a trial run that is thrown away, to know the elements' type
            scope = {**environment, **bind(generator.target, self.emitter.integer(0))}
            many = self.evaluate(node.elt, scope).type == LIST

        def body(index: Typed, carried: list[Typed]) -> Sequence[Typed]:
            scope = {**environment, **bind(generator.target, index)}
            if not generator.ifs:
                return [self.appended(carried[0], self.evaluate(node.elt, scope), node)]
            test = self.condition(generator.ifs[0], scope)
            for further in generator.ifs[1:]:
                test = self.emitter.logical("and", test, self.condition(further, scope))
            with self.emitter.block() as then:
                longer = self.appended(carried[0], self.evaluate(node.elt, scope), node)
            return self.emitter.select(test, then, [], [(longer, carried[0])])

        start = self.emitter.lists_of([]) if many else self.emitter.list_of([])
        (result,) = self.emitter.repeat(count, [start], body)
        return result

    def appended(self, owner: Typed, item: Typed, node: ast.AST) -> Typed:
        """Return the list with one more element."""
        if owner.type == LISTS:
            return self.emitter.concatenate(owner, self.emitter.lists_of([self.coerce(item, LIST, node)]))
        return self.emitter.concatenate(owner, self.emitter.list_of([self.coerce(item, INT, node)]))

    def iteration(
        self, node: ast.expr, environment: Environment
    ) -> tuple[Typed, Callable[[ast.expr, Typed], Environment]]:
        """Return the number of rounds of a loop over `node`, and the binding of its target in each round."""
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            if node.func.id == "range":
                return self._range(node, environment)
            if node.func.id == "enumerate" and len(node.args) == 1:
                return self._over_list(node.args[0], environment, numbered=True)
        return self._over_list(node, environment, numbered=False)

    def _over_list(
        self, node: ast.expr, environment: Environment, *, numbered: bool
    ) -> tuple[Typed, Callable[[ast.expr, Typed], Environment]]:
        owner = self.evaluate(node, environment)
        if owner.type not in (LIST, LISTS):
            raise self.unsupported(node, f"a loop over {owner.type}: {ast.unparse(node)}")

        def bind(target: ast.expr, index: Typed) -> Environment:
            item = self.emitter.get(owner, index) if owner.type == LIST else self.emitter.lists_get(owner, index)
            if not numbered:
                return self._bind(target, item)
            if not isinstance(target, ast.Tuple) or len(target.elts) != 2:
                raise self.unsupported(target)
            return self._bind(target.elts[0], index) | self._bind(target.elts[1], item)

        return self.emitter.length(owner), bind

    def _bind(self, target: ast.expr, value: Typed) -> Environment:
        if not isinstance(target, ast.Name):
            raise self.unsupported(target)
        return {target.id: value}

    def _range(
        self, node: ast.Call, environment: Environment
    ) -> tuple[Typed, Callable[[ast.expr, Typed], Environment]]:
        emitter = self.emitter
        arguments = [self.integer(argument, environment) for argument in node.args]
        start = emitter.integer(0) if len(arguments) == 1 else arguments[0]
        stop = arguments[0] if len(arguments) == 1 else arguments[1]
        step = 1
        if len(arguments) == 3:
            try:
                step = ast.literal_eval(node.args[2])
            except ValueError:
                step = None
        if not isinstance(step, int) or step == 0:
            raise self.unsupported(node, f"a range whose step is not a literal: {ast.unparse(node)}")
        if len(arguments) == 1:
            return stop, self._bind
        distance = emitter.binary("-", stop, start) if step > 0 else emitter.binary("-", start, stop)
        size = abs(step)
        if size > 1:
            distance = emitter.binary(
                "//", emitter.binary("+", distance, emitter.integer(size - 1)), emitter.integer(size)
            )

        def bind(target: ast.expr, index: Typed) -> Environment:
            offset = index if step == 1 else emitter.binary("*", index, emitter.integer(step))
            return self._bind(target, emitter.binary("+", start, offset))

        return distance, bind

    def _call(self, node: ast.Call, environment: Environment) -> Typed:
        if not isinstance(node.func, ast.Name) or node.keywords:
            raise self.unsupported(node)
        name = node.func.id
        called = self._globals.get(name)
        if isinstance(called, FunctionType):
            symbol, parameters, result = self._resolve(called, node)
            if len(parameters) != len(node.args):
                takes = f"{called.__name__} takes {counted(len(parameters), 'argument')}"
                raise self.error(node, f"{takes}, not {len(node.args)}")
            values = [
                self.coerce(self.evaluate(argument, environment, type_), type_, argument)
                for argument, type_ in zip(node.args, parameters, strict=True)
            ]
            return self.emitter.call(symbol, values, result)
        builtin = getattr(self, f"_builtin_{name}", None)
        if builtin is None or name in self._globals:
            raise self.unsupported(node, f"a call of '{name}'")
        return builtin(node, [self.evaluate(argument, environment) for argument in node.args])

    def _builtin_len(self, node: ast.Call, values: list[Typed]) -> Typed:
        if values[0].held.type not in (LIST, LISTS):
            raise self.unsupported(node)
        return self.emitter.length(values[0].held)

    def _extreme(self, which: str, node: ast.Call, values: list[Typed]) -> Typed:
        return reduce(partial(self.emitter.binary, which), (self.coerce(value, INT, node) for value in values))

    _builtin_min = partialmethod(_extreme, "min")
    _builtin_max = partialmethod(_extreme, "max")

    def _builtin_sum(self, node: ast.Call, values: list[Typed]) -> Typed:
        return self.emitter.call("list.total", [self.coerce(values[0], LIST, node)], INT)

    def _builtin_list(self, node: ast.Call, values: list[Typed]) -> Typed:
        return values[0]  # values never change in place, so a copy is the list itself

    def _builtin_ord(self, node: ast.Call, values: list[Typed]) -> Typed:
        return self.emitter.get(values[0], self.emitter.integer(0)) if values[0].type == LIST else values[0]
