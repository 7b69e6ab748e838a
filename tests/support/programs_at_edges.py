"""Small programs at the edges of the patterns: sizes 0 and 1, unknown sizes, second uses, all kinds of elements."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from random import Random
from typing import NamedTuple

UNKNOWN = -1
ELEMENTS = ("f32", "i32", "i8", "ui8", "i1", "complex<f32>", "f8E8M0FNU", "f8E4M3FNUZ", "!quant.uniform<i8:f32, 0.5:1>")
_SPECIAL = {
    "f": ("0.0", "-0.0", "1.0", "-1.0", "3.5"),
    "i": ("0", "1", "-1", "2", "-128", "127"),
    "u": ("0", "1", "255", "2"),
    "i1": ("true", "false"),
    "c": ("(0.0, 0.0)", "(1.0, 0.0)", "(-0.0, 0.0)"),
    "f32": ("0x7F800000", "0xFF800000", "0x7FC00000"),
}


class Tensor(NamedTuple):
    """A type of a tensor."""

    shape: tuple[int, ...]
    element: str

    def __str__(self) -> str:
        sizes = "".join(f"{'?' if size == UNKNOWN else size}x" for size in self.shape)
        return f"tensor<{sizes}{self.element}>"


class Value(NamedTuple):
    """A value with its type."""

    name: str
    type: Tensor


class Program:
    """A function that is being written: in the generic form, which is the same for all ops."""

    def __init__(self) -> None:
        self.arguments: list[Value] = []
        self.lines: list[str] = []
        self.ops: set[str] = set()
        self.results: tuple[Value, ...] = ()
        self.padding: Value | None = None  # of its pads
        self.sizes: dict[str, list[int]] = {}  # of arguments of unknown sizes
        self.numbers: dict[str, list[int]] = {}  # that arguments have to be

    def argument(self, shape: Sequence[int], element: str) -> Value:
        self.arguments.append(Value(f"%a{len(self.arguments)}", Tensor(tuple(shape), element)))
        return self.arguments[-1]

    def op(self, name: str, operands: Sequence[Value], type_: Tensor, attributes: str = "", region: str = "") -> Value:
        self.ops.add(f"stablehlo.{name}")
        result = Value(f"%v{len(self.lines)}", type_)
        names, types = (", ".join(str(each[number]) for each in operands) for number in (0, 1))
        body = f"({{{region}}}) " if region else ""
        self.lines.append(f'{result.name} = "stablehlo.{name}"({names}) {body}{{{attributes}}} : ({types}) -> {type_}')
        return result

    def constant(self, value: str, shape: Sequence[int], element: str) -> Value:
        type_ = Tensor(tuple(shape), element)
        return self.op("constant", [], type_, f"value = dense<{value}> : {type_}")

    def returning(self, *results: Value) -> Program:
        self.results = results
        return self

    def __str__(self) -> str:
        return self.function("main")

    def function(self, name: str) -> str:
        """The text of the function by a name."""
        names, types = (", ".join(str(each[number]) for each in self.results) for number in (0, 1))
        arguments = ", ".join(f"{name}: {type_}" for name, type_ in self.arguments)
        body = "\n  ".join([*self.lines, f"return {names} : {types}"])
        return f"func.func @{name}({arguments}) -> ({types}) {{\n  {body}\n}}"


def specials(element: str) -> list[str]:
    """Constants of an element type, as text."""
    if element.startswith(("f8", "!")):
        return ["1.0"] if element == "f8E8M0FNU" else ["0.0", "1.0"] if element.startswith("f") else []
    found = [*_SPECIAL.get(element, ())]
    return found if element == "i1" else [*found, *_SPECIAL[element[0]]]


def listed(numbers: Sequence[int]) -> str:
    return f"array<i64{': ' if numbers else ''}{', '.join(map(str, numbers))}>"


def loosely(random: Random, shape: Sequence[int]) -> tuple[int, ...]:
    """The shape, or sometimes one with unknown sizes."""
    return tuple(UNKNOWN if random.random() < 0.3 else size for size in shape) if random.random() < 0.3 else (*shape,)


SHAPES = ((), (0,), (1,), (3,), (2, 3), (1, 3), (3, 1), (2, 0), (UNKNOWN,), (2, UNKNOWN))
_UNARY = ("negate", "not", "abs", "ceil", "floor", "round_nearest_afz", "round_nearest_even", "sign", "popcnt")
_BINARY = ("add", "subtract", "multiply", "divide", "maximum", "minimum", "and", "or", "xor", "shift_left",
           "shift_right_arithmetic", "shift_right_logical", "remainder",)  # fmt: skip


def chains_of_unary_ops() -> Iterator[Program]:
    for outer, inner, element in product(_UNARY, _UNARY, ELEMENTS):
        random = Random(f"{outer} {inner} {element}")
        program, shape = Program(), random.choice(SHAPES)
        x = program.argument(shape, element)
        middle = program.op(inner, [x], x.type)
        last = program.op(outer, [middle], x.type)
        yield program.returning(*[last, middle][: random.choice([1, 1, 2])])


def binary_ops() -> Iterator[Program]:
    """With a constant on either side, with two constants, and on one value twice."""
    for name, element in product(_BINARY, ELEMENTS):
        random = Random(f"{name} {element}")
        for value in (*specials(element), "", ""):
            program, shape = Program(), random.choice([each for each in SHAPES if not value or UNKNOWN not in each])
            x = program.argument(shape, element)
            other = program.constant(value, shape, element) if value else x
            pair = random.choice([[x, other], [x, other], [other, x], [other, other]])
            yield program.returning(program.op(name, pair, x.type))


def comparisons() -> Iterator[Program]:
    for direction, element, kind in product(("EQ", "NE", "GE", "GT", "LE", "LT"), ELEMENTS[:6], ("", "TOTALORDER")):
        for value in ("", *specials(element)):
            random = Random(f"{direction} {element} {kind} {value}")
            program, shape = Program(), random.choice([each for each in SHAPES if not value or UNKNOWN not in each])
            x = program.argument(shape, element)
            other = program.constant(value, shape, element) if value else x
            pair = random.choice([[x, other], [other, x]])
            attributes = f"comparison_direction = #stablehlo<comparison_direction {direction}>"
            attributes += f", compare_type = #stablehlo<comparison_type {kind}>" if kind else ""
            yield program.returning(program.op("compare", pair, Tensor(shape, "i1"), attributes))


def selections() -> Iterator[Program]:
    for number in range(160):
        random = Random(number)
        program, shape = Program(), random.choice(((), (0,), (1,), (3,), (2, 2), (2, UNKNOWN)))
        element = random.choice(("i1", "i1", "f32", "i32"))
        is_scalar, is_static = random.random() < 0.3, UNKNOWN not in shape
        where = () if is_scalar else shape
        kinds = ("argument", "not") if UNKNOWN in where else ("argument", "not", "broadcast", "constant", "list")
        kind, extra = random.choice(kinds), list[Value]()
        if kind in ("constant", "list"):
            values = [random.choice(("true", "false")) for _ in range(3)]
            text = str(values).replace("'", "") if where == (3,) and kind == "list" else values[0]
            predicate = program.constant(text, where, "i1")
        else:
            inner = program.argument(() if kind == "broadcast" else where, "i1")
            predicate = inner if kind == "argument" else program.op("not", [inner], inner.type)
            if kind == "broadcast":
                predicate = program.op(
                    "broadcast_in_dim", [predicate], Tensor(where, "i1"), "broadcast_dimensions = array<i64>"
                )
                extra = [predicate] if random.random() < 0.3 else []
        branches = list[Value]()
        for _ in range(2):
            is_constant = is_static and random.random() < 0.5
            value = random.choice(specials(element))
            value = f"[{value}, {specials(element)[0]}, {value}]" if shape == (3,) and random.random() < 0.3 else value
            branches.append(
                program.constant(value, shape, element) if is_constant else program.argument(shape, element)
            )
        if random.random() < 0.15:
            branches[1] = branches[0]
        yield program.returning(program.op("select", [predicate, *branches], Tensor(shape, element)), *extra)


def reductions() -> Iterator[Program]:
    """Of one input or of two, along any dimensions, by bodies that use much or little of what they are given."""
    for number in range(280):
        random = Random(number)
        element, shape = random.choice(("f32", "i32", "i1")), random.choice(SHAPES)
        program, dims = Program(), [dim for dim in range(len(shape)) if random.random() < 0.5]
        x, y = program.argument(shape, element), program.argument(shape, element)
        start = random.choice([*specials(element), ""])
        inits = [program.constant(start, (), element) if start else program.argument((), element) for _ in range(2)]
        outer = program.argument((), element)
        t = Tensor((), element)
        name = random.choice(("add", "multiply", "maximum", "minimum", "or", "and", "xor"))
        inner = random.choice(("%p, %r", "%r, %p", "%p, %p", "%p, %q", "%p, %o"))
        pick = random.choice(("%s", "%s", "%s", outer.name, outer.name, "%p", "%c"))
        other = pick if pick in ("%c", outer.name) and random.random() < 0.7 else random.choice(("%t", "%t", "%c"))
        region = f"""^bb0(%p: {t}, %q: {t}, %r: {t}, %w: {t}):
          %c = stablehlo.constant dense<{specials(element)[0]}> : {t}
          %s = stablehlo.{name} {inner.replace("%o", outer.name)} : {t}
          %t = stablehlo.{random.choice(("add", "maximum"))} %q, %w : {t}
          stablehlo.return {pick}, {other} : {t}, {t}"""
        kept = Tensor(tuple([size for dim, size in enumerate(shape) if dim not in dims]), element)
        operands = ", ".join([x.name, y.name, *[each.name for each in inits]])
        program.ops.add("stablehlo.reduce")
        program.lines.append(
            f'%r:2 = "stablehlo.reduce"({operands}) ({{{region}}}) {{dimensions = {listed(dims)}}} : '
            f"({x.type}, {x.type}, {t}, {t}) -> ({kept}, {kept})"
        )
        used = random.choice(((0,), (1,), (0, 1), (0, 1)))
        yield program.returning(*[Value(f"%r#{each}", kept) for each in used])
