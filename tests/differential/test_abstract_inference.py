"""Shape functions against the official inference on random instances, valid and invalid ones.

What we accept, the official verifier has to accept with our types as results, and what it infers itself must not say
more than we do. What we reject, the official inference has to reject too, where an op's types are inferred.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import product
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from samples import examples

from stablehlo_py.bindings import ir, make_context
from stablehlo_py.bindings.op_signatures import op_signature
from stablehlo_py.passes.hlo_test.infer import inferred_types
from stablehlo_py.shapes.evaluation.evaluator import InfeasibleError, RefutedAssertionError
from stablehlo_py.shapes.language import ConvDimensionNumbers, DotDimensionNumbers, GatherDimensionNumbers
from stablehlo_py.shapes.library import library
from stablehlo_py.shapes.registry import Invocation
from stablehlo_py.testing.cases import CaseOp, attribute_text, program_text, type_text

CONTEXT = make_context()
EXAMPLES = examples(30, 200)
SETTINGS = settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True)
EXTENT = st.integers(0, 5)
Shape = list[int]


def text(shape: Shape, element: str = "f32") -> str:
    return "x".join([*("?" if size < 0 else str(size) for size in shape), element])


@st.composite
def shapes(draw: Any, low: int = 0, high: int = 4, unknown: bool = True) -> Shape:
    shape = draw(st.lists(EXTENT, min_size=low, max_size=high))
    if unknown:
        shape = [-1 if draw(st.integers(0, 5)) == 0 else size for size in shape]
    return shape


def loosened(draw: Any, shape: Shape) -> Shape:
    """The shape with some sizes unknown, and now and then one that is wrong."""
    result = list(shape)
    for i in range(len(result)):
        choice = draw(st.integers(0, 11))
        if choice == 0:
            result[i] = -1
        elif choice == 1:
            result[i] = draw(EXTENT)
    return result


@st.composite
def elementwise(draw: Any) -> tuple[str, Invocation]:
    op = draw(st.sampled_from(["stablehlo.add", "stablehlo.maximum", "stablehlo.complex", "chlo.next_after"]))
    shape = draw(shapes())
    return op, Invocation(text(shape), text(loosened(draw, shape)))


@st.composite
def choice(draw: Any) -> tuple[str, Invocation]:
    shape = draw(shapes())
    predicate = [] if draw(st.booleans()) else loosened(draw, shape)
    return "stablehlo.select", Invocation(text(predicate, "i1"), text(shape), text(loosened(draw, shape)))


@st.composite
def clamp(draw: Any) -> tuple[str, Invocation]:
    shape = draw(shapes())
    bounds = [[] if draw(st.booleans()) else loosened(draw, shape) for _ in range(2)]
    return "stablehlo.clamp", Invocation(text(bounds[0]), text(shape), text(bounds[1]))


@st.composite
def broadcasting(draw: Any) -> tuple[str, Invocation]:
    op = draw(st.sampled_from(["chlo.broadcast_add", "chlo.broadcast_power"]))
    shape = draw(shapes())
    other = [1 if draw(st.integers(0, 3)) == 0 else size for size in loosened(draw, shape)]
    return op, Invocation(text(shape), text(other[draw(st.integers(0, len(other))) :]))


@st.composite
def concatenate(draw: Any) -> tuple[str, Invocation]:
    shape = draw(shapes(low=1))
    dimension = draw(st.integers(0, len(shape)))
    others = [loosened(draw, shape) for _ in range(draw(st.integers(0, 2)))]
    for other in others:
        if dimension < len(other):
            other[dimension] = draw(EXTENT)
    return "stablehlo.concatenate", Invocation([text(s) for s in (shape, *others)], dimension=dimension)


@st.composite
def transpose(draw: Any) -> tuple[str, Invocation]:
    shape = draw(shapes())
    permutation = draw(st.permutations(range(len(shape))))
    if permutation and draw(st.integers(0, 5)) == 0:
        permutation = [*permutation[:-1], draw(st.integers(-1, 4))]
    return "stablehlo.transpose", Invocation(text(shape), permutation=list(permutation))


@st.composite
def reverse(draw: Any) -> tuple[str, Invocation]:
    return "stablehlo.reverse", Invocation(
        text(draw(shapes())), dimensions=draw(st.lists(st.integers(-1, 4), max_size=3))
    )


@st.composite
def pad(draw: Any) -> tuple[str, Invocation]:
    shape = draw(shapes())
    amounts = [draw(st.lists(st.integers(low, 3), min_size=len(shape), max_size=len(shape))) for low in (-2, -2, -1)]
    return "stablehlo.pad", Invocation(
        text(shape), "f32", edge_padding_low=amounts[0], edge_padding_high=amounts[1], interior_padding=amounts[2]
    )


@st.composite
def slice_(draw: Any) -> tuple[str, Invocation]:
    shape = draw(shapes())
    starts = [draw(st.integers(-1, 3)) for _ in shape]
    limits = [draw(st.integers(0, 6)) if draw(st.integers(0, 4)) == 0 else max(size, 0) for size in shape]
    strides = [draw(st.integers(0 if draw(st.integers(0, 9)) == 0 else 1, 3)) for _ in shape]
    return "stablehlo.slice", Invocation(text(shape), start_indices=starts, limit_indices=limits, strides=strides)


@st.composite
def dynamic_slice(draw: Any) -> tuple[str, Invocation]:
    shape = draw(shapes())
    sizes = [
        draw(st.integers(-1, 5)) if draw(st.integers(0, 5)) == 0 else draw(st.integers(0, max(s, 1))) for s in shape
    ]
    return "stablehlo.dynamic_slice", Invocation(text(shape), ["i32"] * len(shape), slice_sizes=sizes)


@st.composite
def dynamic_update_slice(draw: Any) -> tuple[str, Invocation]:
    shape = draw(shapes())
    update = [draw(st.integers(0, max(size, 0) + (draw(st.integers(0, 9)) == 0))) for size in shape]
    return "stablehlo.dynamic_update_slice", Invocation(text(shape), text(update), ["i32"] * len(shape))


@st.composite
def cholesky(draw: Any) -> tuple[str, Invocation]:
    size = draw(EXTENT)
    matrix = loosened(draw, [*draw(shapes(high=2)), size, size])
    return "stablehlo.cholesky", Invocation(text(matrix[draw(st.integers(0, 1)) :]), lower=True)


@st.composite
def triangular_solve(draw: Any) -> tuple[str, Invocation]:
    size, other, batch, left = draw(EXTENT), draw(EXTENT), draw(shapes(high=2)), draw(st.booleans())
    b = [*batch, size, other] if left else [*batch, other, size]
    return "stablehlo.triangular_solve", Invocation(
        text(loosened(draw, [*batch, size, size])),
        text(loosened(draw, b)),
        left_side=left,
        lower=True,
        unit_diagonal=False,
        transpose_a="#stablehlo<transpose NO_TRANSPOSE>",
    )


@st.composite
def fft(draw: Any) -> tuple[str, Invocation]:
    kind = draw(st.sampled_from(["FFT", "IFFT", "RFFT", "IRFFT"]))
    lengths = draw(st.lists(st.integers(1, 6), min_size=1, max_size=3))
    shape = [*draw(shapes(high=2)), *lengths]
    if kind == "IRFFT":
        shape[-1] = shape[-1] // 2 + 1
    element = "f32" if kind == "RFFT" else "complex<f32>"
    return "stablehlo.fft", Invocation(text(loosened(draw, shape), element), fft_type=kind, fft_length=lengths)


@st.composite
def all_to_all(draw: Any) -> tuple[str, Invocation]:
    shape = draw(shapes(low=1))
    return "stablehlo.all_to_all", Invocation(
        [text(shape)],
        split_dimension=draw(st.integers(0, len(shape))),
        concat_dimension=draw(st.integers(0, len(shape) - 1)),
        split_count=2,
        replica_groups="dense<[[0, 1]]> : tensor<1x2xi64>",
    )


@st.composite
def top_k(draw: Any) -> tuple[str, Invocation]:
    return "chlo.top_k", Invocation(text(draw(shapes())), k=draw(st.integers(0, 5)))


@st.composite
def batch_norm(draw: Any) -> tuple[str, Invocation]:
    shape = draw(shapes(low=1))
    index = draw(st.integers(0, len(shape)))
    features = [shape[index] if index < len(shape) else 1]
    return "stablehlo.batch_norm_training", Invocation(
        text(shape),
        text(loosened(draw, features)),
        text(loosened(draw, features)),
        epsilon="1.0e-3 : f32",
        feature_index=index,
    )


@st.composite
def gather(draw: Any) -> tuple[str, Invocation]:
    rows, columns = draw(st.integers(1, 5)), draw(st.integers(1, 5))
    batch = draw(shapes(high=2))
    numbers = GatherDimensionNumbers([len(batch)], [0], [], [], [0], len(batch))
    sizes = [1, draw(st.integers(0, columns + (draw(st.integers(0, 5)) == 0)))]
    return "stablehlo.gather", Invocation(
        text(loosened(draw, [rows, columns])),
        text([*batch, 1], "i64"),
        dimension_numbers=numbers,
        slice_sizes=sizes,
        indices_are_sorted=False,
    )


# These have types that are declared or inferred from a body, so only what we accept is compared.


@st.composite
def dot_general(draw: Any) -> tuple[str, Invocation]:
    batch, contract = draw(shapes(high=2)), draw(shapes(high=2))
    lhs, rhs = [*batch, *draw(shapes(high=2)), *contract], [*batch, *contract, *draw(shapes(high=2))]
    count, width = len(batch), len(contract)
    numbers = DotDimensionNumbers(
        list(range(count)),
        list(range(count)),
        list(range(len(lhs) - width, len(lhs))),
        list(range(count, count + width)),
    )
    return "stablehlo.dot_general", Invocation(
        text(loosened(draw, lhs)), text(loosened(draw, rhs)), dot_dimension_numbers=numbers
    )


@st.composite
def reduce(draw: Any) -> tuple[str, Invocation]:
    shape = draw(shapes())
    dimensions = draw(st.lists(st.integers(0, max(len(shape) - 1, 0)), max_size=2))
    inputs = [text(shape), text(loosened(draw, shape))][: draw(st.integers(1, 2))]
    return "stablehlo.reduce", Invocation(inputs, ["f32"] * len(inputs), dimensions=dimensions)


@st.composite
def reduce_window(draw: Any) -> tuple[str, Invocation]:
    shape = draw(shapes(low=1, high=3))

    def numbers(low: int) -> list[int] | None:
        return None if draw(st.booleans()) else [draw(st.integers(low, 3)) for _ in shape]

    padding = None if draw(st.booleans()) else [[draw(st.integers(-1, 2)), draw(st.integers(0, 2))] for _ in shape]
    return "stablehlo.reduce_window", Invocation(
        [text(shape)],
        ["f32"],
        window_dimensions=[draw(st.integers(1, 3)) for _ in shape],
        window_strides=numbers(1),
        base_dilations=numbers(1),
        window_dilations=numbers(1),
        padding=padding,
    )


@st.composite
def convolution(draw: Any) -> tuple[str, Invocation]:
    features, outputs = draw(st.integers(1, 3)), draw(st.integers(1, 3))
    image = [draw(st.integers(1, 3)), draw(st.integers(3, 8)), draw(st.integers(3, 8)), features]
    kernel = [draw(st.integers(1, 3)), draw(st.integers(1, 3)), features, outputs]
    return "stablehlo.convolution", Invocation(
        text([-1 if draw(st.integers(0, 5)) == 0 else size for size in image]),
        text(kernel),
        dimension_numbers=ConvDimensionNumbers(0, 3, [1, 2], 2, 3, [0, 1], 0, 3, [1, 2]),
        feature_group_count=1,
        batch_group_count=1,
        window_strides=None if draw(st.booleans()) else [draw(st.integers(1, 3)) for _ in range(2)],
        padding=None if draw(st.booleans()) else [[draw(st.integers(0, 2)) for _ in range(2)] for _ in range(2)],
        lhs_dilation=None if draw(st.booleans()) else [draw(st.integers(1, 2)) for _ in range(2)],
        rhs_dilation=None if draw(st.booleans()) else [draw(st.integers(1, 2)) for _ in range(2)],
    )


INFERRED = {
    strategy.__name__: strategy
    for strategy in (
        *(elementwise, choice, clamp, broadcasting, concatenate, transpose, reverse, pad, slice_, dynamic_slice),
        *(dynamic_update_slice, cholesky, triangular_solve, fft, all_to_all, top_k, batch_norm, gather),
    )
}
DECLARED = {strategy.__name__: strategy for strategy in (dot_general, reduce, reduce_window, convolution)}


def ours(op: str, invocation: Invocation) -> list[str] | None:
    """The result types that our functions calculate; None where they reject the instance."""
    shape, dtype = library().find("shape", op), library().find("dtype", op)
    assert shape is not None
    assert dtype is not None
    signature = op_signature(op)
    assert signature is not None
    count = {"chlo.top_k": 2, "stablehlo.batch_norm_training": 3, "stablehlo.reduce": len(invocation.operands[0])}
    results = ["f32"] * count.get(op, 1)
    declared = Invocation(*invocation.operands, returns=results, **invocation.attributes)
    try:
        sizes, codes = [CaseOp(library(), function, declared, CONTEXT).run_compiled() for function in (shape, dtype)]
    except (RefutedAssertionError, InfeasibleError):
        return None
    from stablehlo_py.shapes.element_types import NAMES

    return [text(list(shape), NAMES[code]) for shape, code in zip(sizes, codes, strict=True)]


def official(op: str, invocation: Invocation) -> list[str] | None:
    """The result types that the official dialect infers; None where it rejects the instance."""
    signature = op_signature(op)
    assert signature is not None
    groups = [group if isinstance(group, list) else [group] for group in invocation.operands]
    names = [item for group in groups for item in group]
    types = ", ".join(f"%a{i}: {type_text(item)}" for i, item in enumerate(names))
    module = ir.Module.parse(f"func.func @f({types}) {{ return }}")
    block = module.body.operations[0].regions[0].blocks[0]
    texts = [attribute_text(a, invocation.attributes.get(a.name)) for a in signature.attributes]
    attributes = dict(part.split(" = ", 1) for part in texts if part is not None and " = " in part)
    parsed = {name: ir.Attribute.parse(value) for name, value in attributes.items()}
    try:
        with ir.InsertionPoint.at_block_begin(block):
            created = ir.Operation.create(op, operands=list(block.arguments), attributes=parsed, infer_type=True)
        created.verify()
    except ir.MLIRError:
        return None
    texts = [str(result.type).removeprefix("tensor<").removesuffix(">") for result in created.results]
    return None if texts[0].startswith("*") else texts  # CHLO infers no rank where sizes contradict each other


def at_least_as_precise(mine: str, theirs: str) -> bool:
    return len(mine.split("x")) == len(theirs.split("x")) and all(
        b in ("?", a) for a, b in zip(mine.split("x"), theirs.split("x"), strict=True)
    )


def static_instances(invocation: Invocation) -> Iterator[Invocation]:
    """The invocation with every choice of sizes for its unknown ones."""
    for sizes in product(range(6), repeat=str(invocation.operands).count("?")):
        chosen = map(str, sizes)

        def known(operand: Any, chosen: Iterator[str] = chosen) -> Any:
            if isinstance(operand, list):
                return [known(each) for each in operand]
            return re.sub(r"\?", lambda _: next(chosen), operand)

        yield Invocation(*map(known, invocation.operands), **invocation.attributes)


@pytest.mark.parametrize("family", list(INFERRED))
def test_inferred_types_agree(family):
    """What only we reject has no static instance that the official inference accepts: it compares fewer sizes."""

    @SETTINGS
    @given(INFERRED[family]())
    def check(instance: tuple[str, Invocation]) -> None:
        op, invocation = instance
        with CONTEXT, ir.Location.unknown():
            mine, theirs = ours(op, invocation), official(op, invocation)
            if mine is None and theirs is not None:
                assert "?" in str(invocation.operands), f"{op} {invocation}: official {theirs}"
                accepted = [each for each in static_instances(invocation) if official(op, each) is not None]
                assert not accepted, f"{op} {invocation}: ours none, official {theirs} and {accepted[0]}"
        assert theirs is not None or mine is None, f"{op} {invocation}: ours {mine}, official none"
        if mine is not None and theirs is not None:
            assert all(map(at_least_as_precise, mine, theirs)), f"{op} {invocation}: ours {mine}, official {theirs}"

    check()


@pytest.mark.parametrize("family", list(DECLARED))
def test_what_we_calculate_verifies(family):
    @SETTINGS
    @given(DECLARED[family]())
    def check(instance: tuple[str, Invocation]) -> None:
        op, invocation = instance
        with CONTEXT, ir.Location.unknown():
            mine = ours(op, invocation)
            if mine is None:
                return
            declared = Invocation(*invocation.operands, returns=mine, **invocation.attributes)
            module = ir.Module.parse(program_text(op, declared))
            block = module.body.operations[1].regions[0].blocks[0]
            created = next(view.operation for view in block.operations if view.operation.name == op)
            theirs = inferred_types(created)
            if theirs is not None:
                texts = [str(type_).removeprefix("tensor<").removesuffix(">") for type_ in theirs]
                assert all(map(at_least_as_precise, mine, texts)), f"{op} {invocation}: ours {mine}, official {texts}"

    check()


def test_the_one_known_disagreement():
    """The official inference makes a size of -1 out of a negative k, which is no type."""
    with CONTEXT, ir.Location.unknown():
        assert official("chlo.top_k", Invocation("?xf32", k=-1)) == ["-1xf32", "-1xi32"]
        assert ours("chlo.top_k", Invocation("?xf32", k=-1)) is None
