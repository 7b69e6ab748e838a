"""Random programs whose results must not depend on the processor, and digests of what they return."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Callable, Iterator

import numpy as np
from parsed import parsed

from stablehlo_py.bindings.types import Kind, TensorType, element_type
from stablehlo_py.interpreter.program import Program
from stablehlo_py.interpreter.settings import Settings

TYPES = ["f32", "f32", "f32", "f16", "bf16", "f64", "complex<f32>", "complex<f64>"]
NARROW = ["f32", "f16", "bf16", "f8E4M3FN"]
FUNCTIONS = [
    "cbrt",
    "cosine",
    "exponential",
    "exponential_minus_one",
    "log",
    "log_plus_one",
    "logistic",
    "rsqrt",
    "sine",
]
FUNCTIONS += ["sqrt", "tan", "tanh"]


def tensor(shape: list[int], element: str) -> str:
    """The type's text."""
    return f"tensor<{''.join(f'{size}x' for size in shape)}{element}>"


def main(operands: list[str], result: str, line: str) -> str:
    """A function of one op; `line` names its operands %0, %1 …"""
    parameters = ", ".join(f"%{index}: {type_}" for index, type_ in enumerate(operands))
    return f"func.func @main({parameters}) -> {result} {{\n%r = {line}\nreturn %r : {result}\n}}"


def sum_region(element: str) -> str:
    scalar = tensor([], element)
    body = f"%z = stablehlo.add %x, %y : {scalar}\nstablehlo.return %z : {scalar}"
    return f"({{^bb0(%x: {scalar}, %y: {scalar}):\n{body}\n}})"


def dot(choose: random.Random) -> str:
    element, deterministic = choose.choice(TYPES), choose.random() < 0.2
    batch, rows, columns = [choose.choice([1, 2, 3, 5, 8, 17]) for _ in range(3)]
    contracted = choose.choice([1, 2, 7, 40, 300, 4000])
    if deterministic:
        rows, columns, contracted = 150, 140, 130
    types = [tensor([batch, rows, contracted], element), tensor([batch, contracted, columns], element)]
    result = tensor([batch, rows, columns], element)
    line = (
        "stablehlo.dot_general %0, %1, batching_dims = [0] x [0], contracting_dims = [2] x [1] : "
        f"({', '.join(types)}) -> {result}"
    )
    return main(types, result, line)


def convolution(choose: random.Random) -> str:
    element = choose.choice(TYPES)
    size, window = choose.choice([5, 9, 14]), choose.choice([1, 2, 3])
    inputs, outputs = choose.choice([1, 3, 8]), choose.choice([1, 4, 16])
    types = [tensor([2, size, size, inputs], element), tensor([window, window, inputs, outputs], element)]
    result = tensor([2, size - window + 1, size - window + 1, outputs], element)
    line = (
        "stablehlo.convolution(%0, %1) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {} "
        f"{{batch_group_count = 1 : i64, feature_group_count = 1 : i64}} : ({', '.join(types)}) -> {result}"
    )
    return main(types, result, line)


def reduce(choose: random.Random) -> str:
    element, shape = choose.choice(TYPES), [choose.choice([1, 3, 50, 1000]), choose.choice([1, 2, 9, 33])]
    dimensions = choose.choice([[0], [1], [0, 1]])
    types = [tensor(shape, element), tensor([], element)]
    result = tensor([size for index, size in enumerate(shape) if index not in dimensions], element)
    attribute = f"dimensions = array<i64: {', '.join(map(str, dimensions))}>"
    line = f'"stablehlo.reduce"(%0, %1) {sum_region(element)} {{{attribute}}} : ({", ".join(types)}) -> {result}'
    return main(types, result, line)


def reduce_window(choose: random.Random) -> str:
    element, size, window = choose.choice(TYPES), choose.choice([20, 60]), choose.choice([2, 3, 20])
    types = [tensor([size, size], element), tensor([], element)]
    result = tensor([size - window + 1, size], element)
    attribute = f"window_dimensions = array<i64: {window}, 1>"
    line = f'"stablehlo.reduce_window"(%0, %1) {sum_region(element)} {{{attribute}}} : ({", ".join(types)}) -> {result}'
    return main(types, result, line)


def cholesky(choose: random.Random) -> str:
    """Of an identity and a little of the operand and its transpose, which is positive definite."""
    element, size = choose.choice(["f32", "f64"]), choose.choice([2, 5, 40])
    type_ = tensor([size, size], element)
    eye = np.eye(size).tolist()
    return f"""func.func @main(%0: {type_}) -> {type_} {{
  %eye = stablehlo.constant dense<{eye}> : {type_}
  %little = stablehlo.constant dense<{0.01 / size}> : {type_}
  %t = stablehlo.transpose %0, dims = [1, 0] : ({type_}) -> {type_}
  %sum = stablehlo.add %0, %t : {type_}
  %part = stablehlo.multiply %sum, %little : {type_}
  %a = stablehlo.add %eye, %part : {type_}
  %r = stablehlo.cholesky %a, lower = true : {type_}
  return %r : {type_}
}}"""


def function(choose: random.Random) -> str:
    """A function that cannot be computed exactly, of many numbers, of few and of one."""
    type_ = tensor(choose.choice([[], [3], [5000]]), choose.choice([*TYPES, *NARROW]))
    return main([type_], type_, f"stablehlo.{choose.choice(FUNCTIONS)} %0 : {type_}")


def function_of_two(choose: random.Random) -> str:
    type_ = tensor(choose.choice([[], [3], [5000]]), choose.choice([*TYPES, *NARROW]))
    return main([type_] * 2, type_, f"stablehlo.{choose.choice(['atan2', 'power'])} %0, %1 : {type_}")


def fourier(choose: random.Random) -> str:
    size = choose.choice([3, 64, 97, 1024])
    type_ = tensor([5, size], choose.choice(["complex<f32>", "complex<f64>"]))
    return main([type_], type_, f"stablehlo.fft %0, type = FFT, length = [{size}] : ({type_}) -> {type_}")


PROGRAMS: list[Callable[[random.Random], str]] = [
    dot,
    convolution,
    reduce,
    reduce_window,
    cholesky,
    function,
    function_of_two,
    fourier,
]


def argument(type_: TensorType, seed: np.random.Generator) -> np.ndarray:
    values = seed.normal(size=type_.static_shape) * 2
    if type_.element_type.kind is Kind.COMPLEX:
        values = values + 1j * seed.normal(size=type_.static_shape)
    return np.asarray(values.astype(element_type(type_.element_type.name).dtype))


def digests(seed: int, count: int) -> Iterator[str]:
    """A line for each of `count` random programs: its op, and a digest of its results on random arguments. Every
    result's NaNs count as one NaN."""
    choose, numbers = random.Random(seed), np.random.default_rng(seed)
    for index in range(count):
        text = PROGRAMS[index % len(PROGRAMS)](choose)
        program = Program(parsed(text), Settings(deterministic=True))
        arguments = [argument(type_, numbers) for type_ in program.parameter_types() if isinstance(type_, TensorType)]
        digest = hashlib.sha256()
        for result in program.run(arguments):
            array = np.asarray(result)
            digest.update(np.where(array != array, array.dtype.type(0), array).tobytes())
            digest.update((array != array).tobytes())
        yield f"{text.splitlines()[1][:60]} {digest.hexdigest()}"
