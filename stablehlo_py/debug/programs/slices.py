"""Runs a program slice by slice in engines, so that every value can be looked at and few are held at a time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from ...analysis.numbering import region_title
from ...bindings import ir
from ...bindings.attributes import CALLS, callee_of
from ...bindings.types import TypeReader
from ...bindings.walk import body_of, functions
from ...engines import Engine, Outcome
from ...errors import StablehloError
from ...interpreter.plan import byte_size
from .subject import Extract, Extractor, Subject, is_observable, is_supplied, is_token, needed

Values = dict[ir.Value, np.ndarray]
Progress = Callable[[int, int], None]

_OPS_IN_A_SLICE, _OPS_IN_A_LAYER = 200, 20
_PERIODS_TRIED = 64


@dataclass(frozen=True)
class Slice:
    """Ops in a row, the number of the first, and the values that nothing after them uses."""

    first: int
    ops: tuple[ir.Operation, ...]
    dying: tuple[ir.Value, ...]


def last_uses(ops: Sequence[ir.Operation], kept: Sequence[ir.Value]) -> dict[ir.Value, int]:
    """Return the number of the last op that uses each value; for those `kept` to the end the number of ops."""
    last_use: dict[ir.Value, int] = {}
    for number, op in enumerate(ops):
        last_use.update(dict.fromkeys((*op.results, *needed(op)), number))
    last_use.update(dict.fromkeys(kept, len(ops)))
    return last_use


def slices(ops: Sequence[ir.Operation], kept: Sequence[ir.Value], cap: int) -> Iterator[Slice]:
    """Cut the ops of a block into slices whose results take at most `cap` bytes, or one op where that alone takes more.

    Layers that are alike are slices that are alike, if they are no longer than others may be. The values in `kept` stay
    alive to the end.
    """
    begin, period = _layers(ops)
    types = TypeReader()
    deaths: dict[int, list[ir.Value]] = {}
    for value, number in last_uses(ops, kept).items():
        deaths.setdefault(number, []).append(value)
    start = total = 0
    for number, op in enumerate(ops):
        size = sum(byte_size(types[result.type]) for result in op.results)
        is_full = total + size > cap or number - start >= _OPS_IN_A_SLICE
        if number > start and (is_full or (period and number >= begin and (number - begin) % period == 0)):
            yield _slice(ops, start, number, deaths)
            start, total = number, 0
        total += size
    if len(ops) > start:
        yield _slice(ops, start, len(ops), deaths)


def _layers(ops: Sequence[ir.Operation]) -> tuple[int, int]:
    """Return the number of the first op of layers that are alike, and the number of ops in each; zeros without such.

    Most ops come again after that number of ops, with the same types.
    """
    kinds = np.array([hash((op.name, *(value.type for value in (*op.operands, *op.results)))) for op in ops])
    last, distances = dict[int, int](), Counter[int]()
    for number, kind in enumerate(kinds.tolist()):
        distances[number - last.get(kind, number)] += 1
        last[kind] = number
    for period, _ in distances.most_common(_PERIODS_TRIED):
        again = kinds[:-period] == kinds[period:] if _OPS_IN_A_LAYER <= period <= _OPS_IN_A_SLICE else np.zeros(0)
        if 2 * again.sum() > len(ops):
            return int(np.argmax(again)), period * (_OPS_IN_A_SLICE // period)
    return 0, 0


def _slice(ops: Sequence[ir.Operation], start: int, end: int, deaths: dict[int, list[ir.Value]]) -> Slice:
    dying = [value for number in range(start, end) for value in deaths.get(number, ())]
    return Slice(start, tuple(ops[start:end]), tuple(dying))


def run_reference(reference: Engine, subject: Subject, arguments: Sequence[np.ndarray]) -> Outcome:
    """Return the outcome of a program in the reference. Raises StablehloError where it does not run."""
    outcome = reference.run(subject.bytecode(), arguments)
    if not outcome.ok:
        raise StablehloError(f"the reference does not run the program: {outcome}")
    return outcome


def run_extract(engine: Engine, extract: Extract, values: Values) -> Outcome:
    """Run a cut-out program on the values of its inputs."""
    return engine.run(extract.bytecode(), [values[value] for value in extract.inputs])


def run_until(engine: Engine, subject: Subject, number: int, arguments: Sequence[np.ndarray]) -> Outcome:
    """Run a program up to its op `number`, whose results are all that it returns."""
    return run_extract(engine, until(subject, number), dict(zip(subject.block.arguments, arguments, strict=True)))


def until(subject: Subject, *numbers: int) -> Extract:
    """Return the program up to the last of its ops of these `numbers`, whose results are all that it returns."""
    outputs = [result for number in numbers for result in subject.ops[number].results if is_observable(result)]
    return subject.extractor.ops(subject.ops[: max(numbers) + 1], outputs)


def run_ops(
    engine: Engine, extractor: Extractor, ops: Sequence[ir.Operation], values: Values, *, isolated: bool
) -> tuple[Values, dict[ir.Operation, Outcome]]:
    """Run ops of one block on known values, and find those that the engine cannot run.

    Return the results, and the outcome of each op that failed, alone. Ops that use what failed have no results;
    `isolated` ops get all operands from `values`. Those that are alike run in one program, one by one.
    """
    made: Values = {}
    failures: dict[ir.Operation, Outcome] = {}
    repeated = extractor.repeated(ops) if isolated else set[ir.Operation]()
    for op in _runnable([op for op in ops if op in repeated], values, isolated):
        code, inputs, outputs = extractor.alone(op)
        outcome = _of_its_types(engine.run(code, [values[value] for value in inputs]), outputs)
        if outcome.ok:
            made.update(zip(outputs, outcome.results, strict=True))
        else:
            failures[op] = outcome
    pending = [[op for op in ops if op not in repeated]]
    while pending:
        group = pending.pop()
        known = values if isolated else {**values, **made}
        group = _runnable(group, known, isolated)
        if not group:
            continue
        outputs = [result for op in group for result in op.results if is_observable(result)]
        extract = extractor.ops(group, outputs, isolated=isolated)
        code = extract.bytecode() if len(group) == 1 else extract.text()  # what fails alone is named by its location
        outcome = _of_its_types(engine.run(code, [known[value] for value in extract.inputs]), extract.outputs)
        if outcome.ok:
            made.update(zip(extract.outputs, outcome.results, strict=True))
        elif len(group) == 1:
            failures[group[0]] = outcome
        else:
            half = len(group) // 2
            pending += [group[half:], group[:half]]
    return made, failures


def _of_its_types(outcome: Outcome, outputs: Sequence[ir.Value]) -> Outcome:
    """Return the outcome, as an error where a result has not the shape of its type."""
    for value, array in zip(outputs, outcome.results, strict=False):
        type_ = value.type
        if isinstance(type_, ir.RankedTensorType) and type_.has_static_shape and tuple(type_.shape) != array.shape:
            return Outcome("error", message=f"a result has shape {list(array.shape)}, expected {type_}")
    return outcome


def _runnable(ops: Sequence[ir.Operation], known: Values, isolated: bool) -> list[ir.Operation]:
    """Return the ops whose operands are known, or computed by others of them."""
    available: set[ir.Value] = set()
    chosen = list[ir.Operation]()
    for op in ops:
        if all(value in known or value in available or is_supplied(value) for value in needed(op)):
            chosen.append(op)
            if not isolated:
                available.update(op.results)
    return chosen


ITERATIONS = 10_000
_SAMPLED_ELEMENTS = 16
_BRANCHES = ("stablehlo.if", "stablehlo.case")


@dataclass(frozen=True)
class RegionRun:
    """A region on its way through a run.

    Attributes:
        extract: The region as a program.
        code: The same as bytecode.
        arguments: What it runs on.
        title: Which region and iteration, for people.
        expected: What the reference's run gave; None where it was not run.
    """

    extract: Extract
    code: bytes
    arguments: list[np.ndarray]
    title: str
    expected: tuple[np.ndarray, ...] | None = None


def bodies(extractor: Extractor, reference: Engine, op: ir.Operation, values: Values) -> Iterator[RegionRun]:
    """Run the regions of an op, or the function of a call, as the reference does.

    Yield the condition and the body of each iteration of a loop; the branch that is taken; the function of a call; or a
    body of scalars on elements drawn from the operands.
    """
    if op.name == "stablehlo.while":
        yield from _iterations(extractor, reference, op, values)
    elif op.name in CALLS:
        extract = extractor.region(functions(extractor.module.operation)[callee_of(op)], 0)
        yield RegionRun(extract, extract.bytecode(), _known(op, values), "function")
    elif op.name in _BRANCHES:
        yield _branch(extractor, op, values)
    else:
        yield from _elements(extractor, op, values)


def _known(op: ir.Operation, values: Values) -> list[np.ndarray]:
    """Return the values of the operands, without tokens."""
    return [values[operand] for operand in op.operands if not is_token(operand)]


def _outside(extract: Extract, count: int, values: Values) -> list[np.ndarray]:
    """Return the values that a region captures; its own arguments are the first `count`."""
    return [values[value] for value in extract.inputs[count:]]


def _iterations(extractor: Extractor, reference: Engine, op: ir.Operation, values: Values) -> Iterator[RegionRun]:
    """Yield the condition and the body of each iteration."""
    condition, body = extractor.region(op, 0), extractor.region(op, 1)
    state = _known(op, values)
    captured = [_outside(part, len(state), values) for part in (condition, body)]
    codes = [part.bytecode() for part in (condition, body)]
    for iteration in range(ITERATIONS):
        arguments = [*state, *captured[0]]
        test = reference.run(codes[0], arguments)
        if not test.ok:
            return
        yield RegionRun(
            condition, codes[0], arguments, f"{region_title(op.name, 0)}, iteration {iteration}", test.results
        )
        if not test.results[0]:
            return
        arguments = [*state, *captured[1]]
        after = reference.run(codes[1], arguments)
        if not after.ok:
            return
        yield RegionRun(body, codes[1], arguments, f"{region_title(op.name, 1)}, iteration {iteration}", after.results)
        state = list(after.results)


def _branch(extractor: Extractor, op: ir.Operation, values: Values) -> RegionRun:
    index = int(values[op.operands[0]])
    if op.name == "stablehlo.if":
        chosen = 0 if index else 1
    else:
        chosen = index if 0 <= index < len(op.regions) else len(op.regions) - 1
    extract = extractor.region(op, chosen)
    return RegionRun(extract, extract.bytecode(), _outside(extract, 0, values), region_title(op.name, chosen))


def _elements(extractor: Extractor, op: ir.Operation, values: Values) -> Iterator[RegionRun]:
    """Yield a body on scalars, on elements drawn from the operands of the same types."""
    for index in range(len(op.regions)):
        extract = extractor.region(op, index)
        code = extract.bytecode()
        parameters = list(body_of(op, index).arguments)
        pools = [_pool(parameter.type, op, values) for parameter in parameters]
        if not all(pool.size for pool in pools):
            continue
        random = np.random.default_rng(0)
        for number in range(_SAMPLED_ELEMENTS):
            chosen = [np.asarray(pool.ravel()[random.integers(pool.size)]) for pool in pools]
            arguments = [*chosen, *_outside(extract, len(parameters), values)]
            yield RegionRun(extract, code, arguments, f"{region_title(op.name, index)}, sample {number}")


def _pool(type_: ir.Type, op: ir.Operation, values: Values) -> np.ndarray:
    """Return all elements of the operands that have the element type of a region's parameter."""
    element = ir.RankedTensorType(type_).element_type
    known = [operand for operand in op.operands if operand in values]
    found = [values[one].ravel() for one in known if ir.RankedTensorType(one.type).element_type == element]
    return np.concatenate(found) if found else np.empty(0)
