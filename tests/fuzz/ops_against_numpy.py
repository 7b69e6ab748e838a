"""Calls of `ops` and operators of its values against numpy: indices, broadcasting, `@` and operators."""

from __future__ import annotations

import json
import operator
import random
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from fuzzing import WrongError

import stablehlo_py
from stablehlo_py import ops
from stablehlo_py.bindings.types import dtype_name, element_type

_DTYPES = ("f32", "f64", "i8", "i32", "i64", "ui8", "ui32", "i1")
_ARITHMETIC = ("add", "sub", "mul", "lt", "le", "gt", "ge", "eq", "ne")
_BITS = ("and_", "or_", "xor")
_NAMES = {"sub": "subtract", "mul": "multiply", "and_": "and_", "or_": "or_"}
_DIRECTIONS = ("lt", "le", "gt", "ge", "eq", "ne")


def _shape(generator: random.Random, rank: int) -> list[int]:
    return [generator.choice((1, 2, 2, 3, 0) if generator.random() < 0.3 else (1, 2, 3)) for _ in range(rank)]


def _fitting(generator: random.Random, shape: Sequence[int]) -> list[int]:
    """A shape that mostly broadcasts with another one: fewer dimensions or more, some of size 1."""
    kept = list(shape[generator.randint(0, len(shape)) :]) if generator.random() < 0.5 else list(shape)
    kept = [1 if generator.random() < 0.3 else size for size in kept]
    if generator.random() < 0.3:
        kept = _shape(generator, generator.randint(0, 2)) + kept
    if kept and generator.random() < 0.1:
        kept[generator.randrange(len(kept))] += 1
    return kept


def _index(generator: random.Random, shape: Sequence[int]) -> list[Any]:
    """The text of each part of an index."""

    def bound() -> str:
        return "" if generator.random() < 0.4 else str(generator.randint(-4, 4))

    parts = list[str]()
    for _ in range(generator.randint(0, len(shape) + (generator.random() < 0.1))):
        kind = generator.random()
        if kind < 0.4:
            parts.append(str(generator.randint(-3, 3)))
        elif kind < 0.5:
            parts.append(f"np.int{generator.choice((8, 32, 64))}({generator.randint(-3, 3)})")
        else:
            step = generator.choice(("", "", ":1", ":2", ":3", ":-1"))
            parts.append(f"slice({', '.join(each or 'None' for each in (bound(), bound(), step[1:]))})")
    for text, chance in (
        ("None", 0.2),
        ("...", 0.25),
        ("True", 0.06),
        ("False", 0.04),
        ("1.5", 0.02),
        ("np.nan", 0.02),
    ):
        if generator.random() < chance:
            parts.insert(generator.randint(0, len(parts)), text)
    return parts


def draw_call(generator: random.Random) -> bytes:
    """One call: its kind, the element type, the shapes, which sizes are dynamic, and the seed of the elements."""
    kind = generator.choice(("index", "matmul", "operator", "operator", "eager"))
    name = generator.choice(_DTYPES)
    first = _shape(generator, generator.randint(0, 4))
    case: dict[str, Any] = {"kind": kind, "type": name, "seed": generator.getrandbits(32), "shapes": [first]}
    if kind == "index":
        case["index"] = _index(generator, first)
    elif kind == "matmul":
        second = _fitting(generator, first)
        if len(second) > 1:
            second[-2] = first[-1] if first and generator.random() < 0.95 else second[-2]
            second[-1] = generator.randint(1, 3)
        elif second and first:
            second[-1] = first[-1]
        case["shapes"].append(second)
    else:
        case["shapes"].append(_fitting(generator, first) if kind == "operator" else first)
        case["operator"] = generator.choice(_BITS if name == "i1" else _ARITHMETIC + (_BITS if name[0] in "iu" else ()))
        if generator.random() < 0.25:
            case["number"] = generator.choice((0, 1, 3)) if name[0] in "iu" else generator.choice((0.0, -0.0, 1.5, 2))
            if name == "i1":
                case["number"] = generator.random() < 0.5
            case["swapped"] = generator.random() < 0.5
            if kind == "eager" and name[0] == "f" and generator.random() < 0.5:
                case |= {"operator": "mul", "number": generator.choice((0.0, -0.0))}  # which differ by the sign alone
    dynamic = generator.random() < 0.3 and kind in ("matmul", "operator")
    case["dynamic"] = [[dynamic and generator.random() < 0.4 for _ in shape] for shape in case["shapes"]]
    return json.dumps(case).encode()


def _elements(name: str, shape: Sequence[int], generator: np.random.Generator) -> np.ndarray:
    drawn = generator.integers(-3, 4, tuple(shape))
    array = (drawn % 2 == 0) if name == "i1" else np.abs(drawn) if name[0] == "u" else drawn
    array = array.astype(element_type(name).dtype)
    if name[0] == "f":
        array = np.where(drawn == 0, np.copysign(array, generator.choice((-1.0, 1.0))), array).astype(array.dtype)
    return array


def _built(function: Callable[..., Any], arrays: Sequence[np.ndarray], dynamic: Sequence[Sequence[bool]]) -> np.ndarray:
    """The result of a function on values, in a module with some dynamic sizes, run on arrays."""
    types = dict[str, Any]()
    for name, array, unknown in zip("xy", arrays, dynamic, strict=False):
        shape = tuple([None if is_dynamic else size for size, is_dynamic in zip(array.shape, unknown, strict=True)])
        types[name] = element_type(dtype_name(array.dtype))[shape]
    with ops.module():
        named = (lambda x: function(x)) if len(arrays) == 1 else (lambda x, y: function(x, y))
        main = ops.function(**types)(named)
    return np.asarray(main(*arrays))


def _calls(case: dict[str, Any], arrays: list[np.ndarray]) -> tuple[Callable[[], Any], Callable[[], Any], str]:
    """The call of numpy, the call of `ops`, and the reason for which the latter may be refused."""
    if case["kind"] == "index":
        index = tuple([eval(part, {"np": np}) for part in case["index"]])  # texts of this file
        has_booleans = sum(isinstance(each, bool) for each in index)
        is_mixed = has_booleans > 1 or (
            has_booleans and any(isinstance(e, (int, np.integer)) and not isinstance(e, bool) for e in index)
        )
        refusable = "negative step" if any(isinstance(e, slice) and (e.step or 1) < 0 for e in index) else ""
        refusable = "beside slices only" if is_mixed else refusable
        return lambda: arrays[0][index], lambda: _built(lambda x: x[index], arrays, case["dynamic"]), refusable
    if case["kind"] == "matmul":
        return lambda: arrays[0] @ arrays[1], lambda: _built(operator.matmul, arrays, case["dynamic"]), ""
    apply = getattr(operator, case["operator"])
    if "number" in case:
        number = case["number"]

        def with_number(x: Any) -> Any:
            return apply(number, x) if case["swapped"] else apply(x, number)

        arrays = arrays[:1]
        if case["kind"] == "eager":
            return lambda: with_number(arrays[0]), lambda: _eager(case, number, arrays[0]), ""
        return lambda: with_number(arrays[0]), lambda: _built(with_number, arrays, case["dynamic"]), ""
    if case["kind"] == "eager":
        return lambda: apply(*arrays), lambda: _eager(case, arrays[1], arrays[0], swapped=False), ""
    return lambda: apply(*arrays), lambda: _built(apply, arrays, case["dynamic"]), ""


def _eager(case: dict[str, Any], other: Any, array: np.ndarray, *, swapped: bool | None = None) -> Any:
    """The op on arrays. A number beside them is one that the cache of programs may know under another sign."""
    operands = [other, array] if (case["swapped"] if swapped is None else swapped) else [array, other]
    name = case["operator"]
    if name in _DIRECTIONS:
        return ops.compare(*operands, comparison_direction=name.upper())
    if name == "mul" and case["type"][0] == "f" and not isinstance(other, np.ndarray):
        ops.multiply(array, -other)
    return getattr(ops, _NAMES.get(name, name))(*operands)


def judge_call(case: bytes) -> str:
    """`ops` gives numpy's shape and bits where numpy gives a result, and otherwise an error of the package."""
    drawn = json.loads(case)
    generator = np.random.default_rng(drawn["seed"])
    arrays = [_elements(drawn["type"], shape, generator) for shape in drawn["shapes"]]
    of_numpy, of_ops, refusable = _calls(drawn, arrays)
    with np.errstate(all="ignore"):
        try:
            expected = np.asarray(of_numpy())
        except (ValueError, TypeError, IndexError):
            expected = None
    try:
        found = np.asarray(of_ops())
    except stablehlo_py.StablehloError as error:
        # With dynamic sizes numpy's rule is followed by what the types say: a size 1 that shows later is no reason.
        if (
            expected is None
            or (refusable and refusable in str(error))
            or (any(map(any, drawn["dynamic"])) and _meets_one(drawn))
        ):
            if not error.location:
                raise WrongError(f"an error without a location: {error}") from None
            return f"{drawn['kind']}: refused"
        raise WrongError(f"refused: {error}, expected {expected!r}") from None
    if expected is None and drawn["kind"] == "matmul" and any(map(any, drawn["dynamic"])):
        return "matmul: sizes that contradict each other at run time"  # which the interpreter's ops are to refuse
    if expected is None:
        raise WrongError(f"gives {found!r}, numpy refuses it")
    if found.dtype != expected.dtype or found.shape != expected.shape or found.tobytes() != expected.tobytes():
        raise WrongError(f"gives {found!r}, numpy {expected!r}")
    return f"{drawn['kind']}: as numpy"


def _meets_one(drawn: dict[str, Any]) -> bool:
    """Whether a dynamic size is 1 at run time and another one there is not, so that the types do not tell."""
    kept = 2 if drawn["kind"] == "matmul" else 0
    columns = [
        list(zip(shape, dynamic, strict=True))[::-1][kept:]
        for shape, dynamic in zip(drawn["shapes"], drawn["dynamic"], strict=True)
    ]
    return any(
        one[0] != other[0] and 1 in (one[0], other[0]) and (one if one[0] == 1 else other)[1]
        for one, other in zip(*columns, strict=False)
    )
