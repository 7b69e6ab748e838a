"""Prints the tables of docs/debugging.md about what is allowed: enclosures hold what is permitted, and little else.

python tests/fuzz/enclosures.py --count=2000 --ways=50
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import reduce

import click
import ml_dtypes
import numpy as np

import stablehlo_py
from stablehlo_py.bindings.types import element_type
from stablehlo_py.debug.allowed.enclosures import Allowed, Question
from stablehlo_py.debug.allowed.measures import parts_of
from stablehlo_py.debug.allowed.ops import allowed
from stablehlo_py.debug.allowed.spread import Local
from stablehlo_py.debug.allowed.widths import PROFILES
from stablehlo_py.debug.programs.subject import examine
from stablehlo_py.interpreter.element_types.ulp import spacing

TYPES = ("f32", "f64", "f16", "bf16")
UNARY = {
    "cbrt": np.cbrt,
    "cosine": np.cos,
    "exponential": np.exp,
    "exponential_minus_one": np.expm1,
    "log": np.log,
    "log_plus_one": np.log1p,
    "sine": np.sin,
    "sqrt": np.sqrt,
    "tan": np.tan,
    "tanh": np.tanh,
}
BINARY = {"add": np.add, "subtract": np.subtract, "multiply": np.multiply, "divide": np.divide}
SIZE, ROWS, LONGEST = 16, 4, 1000
REDUCE = """^bb0(%p: tensor<{t}>, %q: tensor<{t}>):
  %s = stablehlo.{op} %p, %q : tensor<{t}>
  stablehlo.return %s : tensor<{t}>"""

Array = np.ndarray
Ways = Callable[[random.Random], Array]  # one permitted way of computing the result
Wrong = Callable[[random.Random], Array]  # a result with a planted error


@dataclass(frozen=True)
class Trial:
    """An op on operands, a permitted way to compute it at random, and a way with an error."""

    kind: str
    text: str
    operands: tuple[Array, ...]
    way: Ways
    wrong: Wrong

    def enclosure(self, profile: str) -> Allowed:
        """What is allowed as the op's result."""
        subject = examine(stablehlo_py.parse(self.text))
        (op,) = subject.ops
        values = dict(zip(subject.block.arguments, self.operands, strict=True))
        outcome = Local().run(subject.bytecode(), self.operands)
        if not outcome.ok:
            raise RuntimeError(f"{self.text}\n{outcome}")
        types = [result.dtype for result in outcome.results]
        question = Question(op, values, outcome.results, types, subject.extractor, list(op.results), PROFILES[profile])
        return allowed(question)[0]


def dtype_of(name: str) -> np.dtype:
    """The numpy type of an element type."""
    return element_type(name).dtype


def adversarial(name: str, shape: Sequence[int], seed: int) -> Array:
    """Numbers of all sizes: ordinary ones, neighbours of others, denormal, huge, infinite."""
    generator, dtype = np.random.default_rng(seed), dtype_of(name)
    info = ml_dtypes.finfo(dtype)
    ordinary = generator.normal(size=shape)
    exponents = generator.integers(int(info.minexp) - int(info.nmant), int(info.maxexp), shape)
    with np.errstate(all="ignore"):
        sized = np.ldexp(1 + generator.random(shape), exponents) * generator.choice([-1, 1], shape)
        near = 1 + generator.integers(-3, 4, shape) * float(info.eps)
        special = generator.choice([0.0, -0.0, np.inf, -np.inf, float(info.max), float(info.smallest_subnormal)], shape)
        kinds = generator.choice(4, shape, p=[0.5, 0.3, 0.15, 0.05])
        return np.choose(kinds, [ordinary, sized, near, special]).astype(dtype)


def rounded(exact: Array, dtype: np.dtype, how: Callable[[Array], Array]) -> Array:
    """A wide value in a type, each element rounded by `how`, such as np.floor."""
    wide = exact.astype(np.longdouble)
    with np.errstate(all="ignore"):
        step = spacing(wide, dtype)
        whole = np.where(np.isfinite(wide), how(wide / step) * step, wide)
        largest = np.longdouble(float(ml_dtypes.finfo(dtype).max))
        whole = np.where(np.abs(whole) > largest, np.sign(whole) * np.inf, whole)
        return whole.astype(np.float64).astype(dtype)


def shifted(array: Array, rng: random.Random, units: int = 2) -> Array:
    """An array with one finite element off by so many units in the last place."""
    wide = array.astype(np.longdouble)
    positions = list(map(int, np.flatnonzero(np.isfinite(wide))))
    position = rng.choice(positions) if positions else 0
    with np.errstate(all="ignore"):
        wide[position] += (
            rng.choice([-units, units]) * spacing(wide[position : position + 1], array.dtype)[0] if positions else 1
        )
        return wide.astype(np.float64).astype(array.dtype)


def program(types: Sequence[str], result: str, line: str) -> str:
    """The text of a program of one op."""
    parameters = ", ".join(f"%{number}: tensor<{type_}>" for number, type_ in enumerate(types))
    return f"func.func @main({parameters}) -> tensor<{result}> {{\n  %r = {line}\n  return %r : tensor<{result}>\n}}"


def function(rng: random.Random) -> Trial:
    """A function, of which either neighbour of the exact value is permitted."""
    name, element = rng.choice(list(UNARY)), rng.choice(TYPES)
    type_, dtype = f"{SIZE}x{element}", dtype_of(element)
    operand = adversarial(element, (SIZE,), rng.getrandbits(32))
    with np.errstate(all="ignore"):
        exact = UNARY[name](parts_of(operand)[:, 0])

    def way(choose: random.Random) -> Array:
        up = np.array([choose.random() < 0.5 for _ in range(SIZE)])
        return np.where(up, rounded(exact, dtype, np.ceil), rounded(exact, dtype, np.floor))

    line = f'"stablehlo.{name}"(%0) : (tensor<{type_}>) -> tensor<{type_}>'
    return Trial("functions", program([type_], type_, line), (operand,), way,
                 lambda choose: shifted(rounded(exact, dtype, np.rint), choose))  # fmt: skip


def arithmetic(rng: random.Random) -> Trial:
    """One rounding, to nearest."""
    name, element = rng.choice(list(BINARY)), rng.choice(TYPES)
    type_, dtype = f"{SIZE}x{element}", dtype_of(element)
    operands = tuple([adversarial(element, (SIZE,), rng.getrandbits(32)) for _ in range(2)])
    with np.errstate(all="ignore"):
        hardware = np.float64 if element in ("f16", "bf16") else dtype
        exact = BINARY[name](*[operand.astype(hardware) for operand in operands])
        value = rounded(exact, dtype, np.rint) if element in ("f16", "bf16") else exact
    line = f"stablehlo.{name} %0, %1 : tensor<{type_}>"
    return Trial("arithmetic", program([type_] * 2, type_, line), operands, lambda choose: value,
                 lambda choose: shifted(value, choose))  # fmt: skip


def conversion(rng: random.Random) -> Trial:
    """A narrower type: either neighbour."""
    source, target = rng.choice([("f64", "f32"), ("f32", "f16"), ("f32", "bf16"), ("f64", "bf16")])
    operand = adversarial(source, (SIZE,), rng.getrandbits(32))
    dtype = dtype_of(target)

    def way(choose: random.Random) -> Array:
        return rounded(operand, dtype, np.ceil if choose.random() < 0.5 else np.floor)

    types = f"{SIZE}x{source}", f"{SIZE}x{target}"
    line = f"stablehlo.convert %0 : (tensor<{types[0]}>) -> tensor<{types[1]}>"
    return Trial("conversions", program(types[:1], types[1], line), (operand,), way,
                 lambda choose: shifted(rounded(operand, dtype, np.rint), choose))  # fmt: skip


def added(terms: Array, choose: random.Random, add: np.ufunc = np.add) -> Array:
    """The sums (or products) of rows, in an order, a tree or blocks, in their type or a wider one."""
    dtype = terms.dtype
    order = list(range(terms.shape[1]))
    choose.shuffle(order)
    how = choose.choice(["row", "tree", "blocks", "wider"])
    wide = {"float32": np.float64, "float64": np.longdouble}.get(dtype.name, np.float32) if how == "wider" else dtype
    parts = [terms[:, position].astype(wide) for position in order]
    with np.errstate(all="ignore"):
        if how == "blocks":
            size = choose.randint(2, 64)
            blocks = [parts[start : start + size] for start in range(0, len(parts), size)]
            parts = [reduce(add, block) for block in blocks]
        while how == "tree" and len(parts) > 1:
            parts = [reduce(add, parts[start : start + 2]) for start in range(0, len(parts), 2)]
        total = reduce(add, parts)
        return total.astype(dtype) if wide != np.longdouble else rounded(total, dtype, np.rint)


def reduced(op: str, terms: Array, element: str) -> str:
    """The text of a reduction of rows."""
    rows, count = terms.shape
    body = f'"stablehlo.reduce"(%0, %1) ({{\n{REDUCE.format(op=op, t=element)}\n}}) {{dimensions = array<i64: 1>}}'
    line = f"{body} : (tensor<{rows}x{count}x{element}>, tensor<{element}>) -> tensor<{rows}x{element}>"
    return program([f"{rows}x{count}x{element}", element], f"{rows}x{element}", line)


def reduction(rng: random.Random) -> Trial:
    """A sum of up to 1,000 terms; half of them cancel."""
    element, count = rng.choice(TYPES[:2]) if rng.random() < 0.8 else rng.choice(TYPES[2:]), rng.randint(2, LONGEST)
    generator, dtype = np.random.default_rng(rng.getrandbits(32)), dtype_of(element)
    count = count if element in TYPES[:2] else 2 + count % 15
    terms = generator.normal(size=(ROWS, count))
    if rng.random() < 0.5:
        terms[:, count // 2 : 2 * (count // 2)] = -terms[:, : count // 2] * (1 + 1e-3 * generator.random((ROWS, 1)))
    terms = terms.astype(dtype)
    return Trial(
        "sums",
        reduced("add", terms, element),
        (terms, np.zeros((), dtype)),
        lambda choose: added(terms, choose),
        lambda choose: planted(terms, choose),
    )


def planted(terms: Array, choose: random.Random) -> Array:
    """The sums with one term dropped or doubled in one row."""
    row, position = choose.randrange(len(terms)), choose.randrange(terms.shape[1])
    changed = terms.copy()
    changed[row, position] = changed[row, position] * terms.dtype.type(choose.choice([0, 2]))
    return added(changed, choose)


def contraction(rng: random.Random) -> Trial:
    """A dot product: products rounded, or kept by a fused multiply-add."""
    element, count = rng.choice(TYPES[:2]), rng.randint(2, LONGEST)
    generator, dtype = np.random.default_rng(rng.getrandbits(32)), dtype_of(element)
    lhs, rhs = generator.normal(size=(ROWS, count)).astype(dtype), generator.normal(size=count).astype(dtype)
    line = (f"stablehlo.dot_general %0, %1, contracting_dims = [1] x [0] : (tensor<{ROWS}x{count}x{element}>, "
            f"tensor<{count}x{element}>) -> tensor<{ROWS}x{element}>")  # fmt: skip
    text = program([f"{ROWS}x{count}x{element}", f"{count}x{element}"], f"{ROWS}x{element}", line)
    products = lhs * rhs

    def way(choose: random.Random) -> Array:
        if choose.random() < 0.5:
            return added(products, choose)
        wide = np.float64 if element == "f32" else np.longdouble
        total = np.zeros(ROWS, dtype)
        for position in choose.sample(range(count), count):  # a fused multiply-add rounds once
            exact = lhs[:, position].astype(wide) * rhs[position].astype(wide) + total.astype(wide)
            total = exact.astype(dtype)
        return total

    return Trial("contractions", text, (lhs, rhs), way, lambda choose: planted(products, choose))


def movement(rng: random.Random) -> Trial:
    """A transposition, a reversal or a slice."""
    element = rng.choice(TYPES)
    operand = np.unique(adversarial(element, (64,), rng.getrandbits(32)).astype(np.float64))
    operand = operand[np.isfinite(operand)].astype(dtype_of(element))[: 2 * (len(operand) // 4)]
    rows, columns = 2, len(operand) // 2
    operand = operand[: rows * columns].reshape(rows, columns)
    source, turned = f"{rows}x{columns}x{element}", f"{columns}x{rows}x{element}"
    line, result, value = rng.choice([
        (f"stablehlo.transpose %0, dims = [1, 0] : (tensor<{source}>) -> tensor<{turned}>", turned, operand.T),
        (f"stablehlo.reverse %0, dims = [1] : tensor<{source}>", source, operand[:, ::-1]),
    ])  # fmt: skip

    def wrong(choose: random.Random) -> Array:
        positions = choose.sample(range(value.size), 2)
        changed = value.copy().reshape(-1)
        changed[positions[0]] = changed[positions[1]]
        return changed.reshape(value.shape)

    return Trial("movement", program([source], result, line), (operand,), lambda choose: value, wrong)


def product(rng: random.Random) -> Trial:
    """A product of a few terms of all sizes, zeros and infinities among them."""
    element = rng.choice(TYPES)
    terms = adversarial(element, (ROWS, rng.randint(2, 12)), rng.getrandbits(32))
    operands = terms, np.ones((), terms.dtype)
    return Trial("products", reduced("multiply", terms, element), operands,
                 lambda choose: added(terms, choose, np.multiply), lambda choose: planted(terms, choose))  # fmt: skip


def formula(rng: random.Random) -> Trial:
    """A function whose steps the spec gives: each is rounded, the functions among them to either neighbour."""
    name, element = rng.choice([("logistic", one) for one in TYPES] + [("sign", "complex<f32>")])
    type_, dtype = f"{SIZE}x{element}", dtype_of(element)
    real = dtype_of("f32") if element.startswith("complex") else dtype
    parts = adversarial("f32" if real != dtype else element, (SIZE, 2 if real != dtype else 1), rng.getrandbits(32))
    wide = parts.astype(np.longdouble)

    def rough(exact: Array, choose: random.Random) -> Array:
        return rounded(exact, real, choose.choice([np.ceil, np.floor])).astype(np.longdouble)

    def way(choose: random.Random) -> Array:
        with np.errstate(all="ignore"):
            if name == "logistic":
                sums = rounded(1 + rough(np.exp(-wide), choose), real, np.rint)
                return rounded(1 / sums.astype(np.longdouble), real, np.rint).reshape(-1)
            divided = wide / rough(np.sqrt((wide * wide).sum(-1, keepdims=True)), choose)
            divided = rounded(np.where(wide.any(-1, keepdims=True), divided, 0), real, np.rint)
            return np.ascontiguousarray(divided).view(dtype).reshape(-1)

    line = f'"stablehlo.{name}"(%0) : (tensor<{type_}>) -> tensor<{type_}>'
    operand = np.ascontiguousarray(parts).view(dtype).reshape(-1)
    return Trial("formulas", program([type_], type_, line), (operand,), way, way)


KINDS = (function, arithmetic, conversion, reduction, contraction, movement)
WIDE_KINDS = (product, formula)  # where little can be told to be wrong


def trials(count: int, seed: int, kinds: Sequence[Callable[[random.Random], Trial]] = KINDS) -> Iterator[Trial]:
    """Draw so many trials, of all kinds in turn."""
    rng = random.Random(seed)
    for number in range(count):
        yield kinds[number % len(kinds)](rng)


def soundness(count: int, ways: int, seed: int = 0, profile: str = "strict") -> tuple[Counter[str], Counter[str]]:
    """How many permitted results were looked at, and how many of them are outside, by kind."""
    looked, outside = Counter[str](), Counter[str]()
    rng = random.Random(seed)
    for trial in trials(count, seed, (*KINDS, *WIDE_KINDS)):
        enclosure = trial.enclosure(profile)
        for _ in range(ways):
            looked[trial.kind] += 1
            outside[trial.kind] += bool(enclosure.outside(trial.way(rng)).any())
    return looked, outside


def sharpness(count: int, seed: int = 1, profile: str = "strict") -> tuple[Counter[str], Counter[str]]:
    """How many planted errors were looked at, and how many of them are outside, by kind."""
    looked, outside = Counter[str](), Counter[str]()
    rng = random.Random(seed)
    for trial in trials(count, seed):
        looked[trial.kind] += 1
        outside[trial.kind] += bool(trial.enclosure(profile).outside(trial.wrong(rng)).any())
    return looked, outside


@click.command()
@click.option("--count", default=2000, show_default=True, help="Ops, and planted errors.")
@click.option("--ways", default=50, show_default=True, help="Permitted ways to compute each op.")
@click.option("--profile", default="strict", show_default=True, help="How accurate functions have to be.")
def main(count: int, ways: int, profile: str) -> None:
    """Print how many permitted results and how many planted errors are outside of what is allowed."""
    looked, outside = soundness(count, ways, profile=profile)
    tried, found = sharpness(count, profile=profile)
    click.echo(
        "| ops | permitted results | of these outside | planted errors | of these outside |\n|---|---|---|---|---|"
    )
    for kind in looked:
        share = f"{found[kind] / tried[kind]:.1%}" if tried[kind] else ""
        click.echo(f"| {kind} | {looked[kind]:,} | {outside[kind]:,} | {tried[kind]:,} | {share} |")
    total = looked.total(), outside.total(), tried.total(), found.total()
    click.echo(f"| all | {total[0]:,} | {total[1]:,} | {total[2]:,} | {total[3] / total[2]:.1%} |")


if __name__ == "__main__":
    main()
