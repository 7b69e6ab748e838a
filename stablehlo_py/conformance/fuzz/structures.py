"""Steps with regions and functions (folds, sorts, branches, loops, calls, composites), and whole programs of steps."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from random import Random

import numpy as np

from ...bindings import ir, make_context
from ..generate.texts import body, ints, tensor
from ..generate.values import FOLDS, INTEGERS, identity
from . import steps
from .builder import BlockWriter, DrawnValue, ProgramOptions, is_integer


def reduce(build: BlockWriter) -> None:
    """A fold of integers; sums of floats are inexact."""
    operand = build.pick([*INTEGERS, "f32", "f64"], exact=True)
    rank, element = len(operand.shape), operand.element
    dims = sorted(build.random.sample(range(rank), build.random.randint(0, rank)))
    shape = [size for dim, size in enumerate(operand.shape) if dim not in dims]
    fold = build.random.choice(FOLDS if is_integer(element) else ("add", "maximum", "minimum"))
    init = build.constant(identity(fold, element), element)
    exact = is_integer(element) or fold != "add"
    region = body(fold, element)
    build.call("reduce", [operand, init], shape, element, f"dimensions = {ints(dims)}", region, exact=exact)


def sort(build: BlockWriter) -> None:
    """Keys with something that goes along."""
    keys = build.pick(INTEGERS, exact=True)
    if not keys.shape:
        return
    other = build.pick(shape=keys.shape)
    name, k, e = build.name(), tensor((), keys.element), tensor((), other.element)
    types = f"{keys.type}, {other.type}"
    dimension, direction = build.random.randrange(len(keys.shape)), build.random.choice(["LT", "GT"])
    build.lines.append(
        f'{name}:2 = "stablehlo.sort"({keys.name}, {other.name}) <{{dimension = {dimension} : i64, is_stable = true}}> '
        f"({{\n^bb0(%a: {k}, %b: {k}, %c: {e}, %d: {e}):\n  %p = stablehlo.compare {direction}, %a, %b : ({k}, {k}) -> "
        f"tensor<i1>\n  stablehlo.return %p : tensor<i1>\n}}) : ({types}) -> ({types})"
    )
    build.pool.append(DrawnValue(f"{name}#0", keys.shape, keys.element, keys.exact))
    build.pool.append(DrawnValue(f"{name}#1", other.shape, other.element, other.exact and keys.exact))


def _block(build: BlockWriter, like: DrawnValue) -> tuple[str, bool]:
    """Return a block of some steps that returns a value of a type, and whether that value is exact."""
    inside = build.inner(build.pool)
    for _ in range(build.random.randint(0, 3)):
        step(inside)
    result = inside.pick(like.element, like.shape)
    lines = "\n".join(inside.lines)
    return f"{{\n{lines}\nstablehlo.return {result.name} : {result.type}\n}}", result.exact


def branch(build: BlockWriter) -> None:
    """if or case, whose branches read values from outside."""
    like = build.pick()
    if build.random.randrange(2):
        chosen, count, op = build.pick("i1", (), exact=True), 2, "if"
    else:
        chosen, count, op = build.pick("i32", (), exact=True), build.random.randint(1, 3), "case"
    blocks = [_block(build, like) for _ in range(count)]
    text = f'"stablehlo.{op}"({chosen.name}) ({", ".join(text for text, _ in blocks)}) : ({chosen.type}) -> {like.type}'
    build.emit(like.shape, like.element, text, exact=all(exact for _, exact in blocks))


def loop(build: BlockWriter) -> None:
    """A loop of up to three iterations whose body reads values from outside."""
    state, fixed = build.pick(exact=True), build.pick()
    limit, name = build.random.randint(0, 3), build.name()
    inside = build.inner([value for value in build.pool if value.exact])
    index, now = f"%i{name[2:]}", f"%s{name[2:]}"
    inside.pool += [DrawnValue(index, (), "i32"), DrawnValue(now, state.shape, state.element)]
    for _ in range(build.random.randint(0, 3)):
        step(inside)
    following = inside.pick(state.element, state.shape, exact=True)
    types = f"tensor<i32>, {state.type}, {fixed.type}"
    zero, top, one, more, again = [build.name() for _ in range(5)]
    lines = "\n".join(inside.lines)
    build.lines.append(
        f"{zero} = stablehlo.constant dense<0> : tensor<i32>\n"
        f"{name}:3 = stablehlo.while({index} = {zero}, {now} = {state.name}, %f{name[2:]} = {fixed.name}) : {types}\n"
        f"cond {{\n{top} = stablehlo.constant dense<{limit}> : tensor<i32>\n"
        f"{more} = stablehlo.compare LT, {index}, {top} : (tensor<i32>, tensor<i32>) -> tensor<i1>\n"
        f"stablehlo.return {more} : tensor<i1>\n}} do {{\n{lines}\n{one} = stablehlo.constant dense<1> : tensor<i32>\n"
        f"{again} = stablehlo.add {index}, {one} : tensor<i32>\n"
        f"stablehlo.return {again}, {following.name}, %f{name[2:]} : {types}\n}}"
    )
    build.pool.append(DrawnValue(f"{name}#1", state.shape, state.element))
    build.pool.append(DrawnValue(f"{name}#2", fixed.shape, fixed.element, fixed.exact))


def function(build: BlockWriter) -> None:
    """A call of a function, or a composite with a function as its decomposition."""
    parameters = [build.pick() for _ in range(build.random.randint(1, 2))]
    inside = build.inner(
        [DrawnValue(f"%p{index}", each.shape, each.element, each.exact) for index, each in enumerate(parameters)]
    )
    for _ in range(build.random.randint(1, 4)):
        step(inside)
    result, name = inside.pool[-1], f"f{build.name()[2:]}"
    signature = ", ".join(f"%p{index}: {each.type}" for index, each in enumerate(parameters))
    lines = "\n".join(inside.lines)
    head = f"func.func private @{name}({signature}) -> {result.type}"
    build.functions.append(f"{head} {{\n{lines}\nreturn {result.name} : {result.type}\n}}\n")
    names, types = ", ".join(each.name for each in parameters), ", ".join(each.type for each in parameters)
    if build.random.randrange(2):
        text = f"func.call @{name}({names}) : ({types}) -> {result.type}"
    else:
        text = f'stablehlo.composite "fuzz.{name}" {names} {{decomposition = @{name}}} : ({types}) -> {result.type}'
    build.emit(result.shape, result.element, text, exact=result.exact)


def map_(build: BlockWriter) -> None:
    """A function of scalars, element by element."""
    operand = build.pick([*INTEGERS, "f32"], exact=True)
    other = build.pick(operand.element, operand.shape, exact=True)
    region = body(build.random.choice(steps.TAME), operand.element)
    dims = ints(range(len(operand.shape)))
    build.call("map", [operand, other], operand.shape, operand.element, f"dimensions = {dims}", region)


STEPS: dict[str, Callable[[BlockWriter], None]] = {
    each.__name__.rstrip("_"): each
    for each in (
        *(steps.elementwise, steps.unary, steps.convert, steps.complex_parts, steps.compare_and_select),
        *(steps.transpose_or_reverse, steps.reshape, steps.broadcast, steps.slices, steps.dynamic_slices),
        *(steps.concatenate, steps.pad, steps.gather, steps.scatter, steps.iota, steps.dot, steps.convolve),
        *(steps.reduce_window, steps.shapes_as_values, reduce, sort, map_, branch, loop, function),
    )
}
_OFTEN = {"elementwise": 4, "unary": 2, "compare_and_select": 2, "reshape": 2, "broadcast": 2, "slices": 2}
_NESTING = ("branch", "loop", "function")


def step(build: BlockWriter) -> None:
    """One step, drawn by the weights of the options."""
    names = [name for name in STEPS if build.depth < build.options.depth or name not in _NESTING]
    weights = [build.options.weights.get(name, _OFTEN.get(name, 1)) for name in names]
    if any(weights):
        STEPS[build.random.choices(names, weights)[0]](build)


_MOST_RESULTS = 6


@dataclass(frozen=True)
class Drawn:
    """A program's text and arguments for it."""

    text: str
    arguments: tuple[np.ndarray, ...]


def draw_program(generator: Random, options: ProgramOptions | None = None, context: ir.Context | None = None) -> Drawn:
    """Draw a program that verifies and runs, with arguments; the same state of the generator gives the same program."""
    chosen = ProgramOptions() if options is None else options
    build = BlockWriter(generator, make_context() if context is None else context, chosen)
    parameters, arguments = list[DrawnValue](), list[np.ndarray]()
    for index in range(generator.randint(1, 3)):
        element = build.element()
        array = build.draw_array(element, build.draw_shape())
        arguments.append(array)
        parameters.append(DrawnValue(f"%p{index}", array.shape, element))
    build.pool += parameters
    for _ in range(generator.randint(2, max(2, chosen.size))):
        step(build)
    results = build.pool[-_MOST_RESULTS:]
    signature = ", ".join(f"{each.name}: {each.type}" for each in parameters)
    names, types = ", ".join(each.name for each in results), ", ".join(each.type for each in results)
    lines = "\n".join(build.lines)
    main = f"func.func @main({signature}) -> ({types}) {{\n{lines}\nreturn {names} : {types}\n}}\n"
    return Drawn("".join(build.functions) + main, tuple(arguments))
