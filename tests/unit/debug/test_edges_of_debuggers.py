"""Edges of the debuggers that runs on common programs do not come to."""

from __future__ import annotations

import warnings
from collections.abc import Sequence

import numpy as np
import pytest
from parsed import parsed
from swapped_engine import Swapped

from stablehlo_py.bindings import ir, make_context
from stablehlo_py.bindings.build import attributes_of
from stablehlo_py.debug import examine, trace
from stablehlo_py.debug.allowed.enclosures import Question
from stablehlo_py.debug.allowed.measures import EXACT, difference
from stablehlo_py.debug.allowed.ops import allowed
from stablehlo_py.debug.allowed.spread import Local
from stablehlo_py.debug.bisect import first_bad_cut
from stablehlo_py.debug.judge import EngineJudgement
from stablehlo_py.debug.programs.border import flattened
from stablehlo_py.debug.programs.subject import OpLocation, is_supplied
from stablehlo_py.debug.tracing.changes import OpChange, cause
from stablehlo_py.engines import Outcome
from stablehlo_py.errors import InputError
from stablehlo_py.syntax import readable_text

VALUES = """func.func @main(%x: tensor<64xi32>) -> tensor<64xi32> {
  %token = stablehlo.create_token : !stablehlo.token
  %most = stablehlo.constant dense<1> : tensor<64xi32>
  %more = stablehlo.constant dense<1> : tensor<65xi32>
  %float = stablehlo.constant dense<1.0> : tensor<f32>
  %made = stablehlo.add %x, %most : tensor<64xi32>
  return %made : tensor<64xi32>
}"""


def test_tokens_and_small_integer_constants_are_supplied_to_programs_that_are_cut_out() -> None:
    subject = examine(parsed(VALUES))
    supplied = [f"{op.name} {op.results[0].type}" for op in subject.ops if is_supplied(op.results[0])]
    assert supplied == ["stablehlo.create_token !stablehlo.token", "stablehlo.constant tensor<64xi32>"]
    assert not is_supplied(subject.block.arguments[0])


@pytest.mark.parametrize("wrong", range(5))
def test_every_op_can_be_the_first_wrong_one(wrong: int) -> None:
    lines = [f"%{n + 1} = stablehlo.negate %{n} : tensor<i32>" for n in range(5)]
    text = f"func.func @main(%0: tensor<i32>) -> tensor<i32> {{ {' '.join(lines)} return %5 : tensor<i32> }}"
    subject, asked = examine(parsed(text)), list[int]()

    def judge(module: bytes, _arguments: Sequence[np.ndarray]) -> bool:
        asked.append(len(examine(parsed(module)).ops))
        assert len(asked) < 10, f"asks again and again: {asked}"
        return asked[-1] > wrong

    told = list[tuple[int, int]]()
    found, steps = first_bad_cut(subject, [np.int32(1)], judge, lambda done, total: told.append((done, total)))
    assert found == wrong + 1
    assert [done for done, _ in told] == list(range(len(steps)))
    assert {total for _, total in told} == {4}, "so many runs it may take"
    assert [step.ops for step in steps] == asked
    assert len(asked) == len(set(asked)) <= 4


def test_a_change_of_the_op_that_is_wrong_by_itself_is_the_cause_also_if_values_never_part() -> None:
    subject = examine(parsed(VALUES))
    found = [OpChange(0, "likelier", 1), OpChange(1, "its own", 2), OpChange(0, "later", 4)]
    for wrong, parting, expected in (
        (2, None, "its own"),
        (2, 2, "its own"),
        (3, 2, "likelier"),
        (None, 2, "likelier"),
        (None, 0, ""),
        (None, None, "likelier"),
        (3, None, ""),
    ):
        assert cause(found, subject, subject, wrong, parting) == expected, (wrong, parting)


def test_a_convolution_without_output_features_has_no_sums_to_bound() -> None:
    text = """func.func @main(%x: tensor<1x4x2xf32>, %w: tensor<3x2x0xf32>) -> tensor<1x2x0xf32> {
      %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {}
        {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
        : (tensor<1x4x2xf32>, tensor<3x2x0xf32>) -> tensor<1x2x0xf32>
      return %0 : tensor<1x2x0xf32>
    }"""
    subject = examine(parsed(text))
    (op,), wanted = subject.ops, [np.zeros((1, 2, 0), np.float32)]
    operands = [np.ones((1, 4, 2), np.float32), np.ones((3, 2, 0), np.float32)]
    values = dict(zip(subject.block.arguments, operands, strict=True))
    question = Question(op, values, wanted, [wanted[0].dtype], subject.extractor, list(op.results))
    (found,) = allowed(question)
    assert found.outside(wanted[0]).shape == (1, 2, 0)


def test_a_main_of_tuples_that_is_called_is_refused() -> None:
    text = """func.func @main(%t: tuple<tensor<i32>>) -> tuple<tensor<i32>> {
      %0 = func.call @other(%t) : (tuple<tensor<i32>>) -> tuple<tensor<i32>>
      return %0 : tuple<tensor<i32>>
    }
    func.func private @other(%t: tuple<tensor<i32>>) -> tuple<tensor<i32>> {
      %0 = func.call @CALLED(%t) : (tuple<tensor<i32>>) -> tuple<tensor<i32>>
      return %0 : tuple<tensor<i32>>
    }
    func.func private @last(%t: tuple<tensor<i32>>) -> tuple<tensor<i32>> {
      return %t : tuple<tensor<i32>>
    }"""
    context = make_context()
    with pytest.raises(InputError, match="calls of @main cannot follow"):
        examine(ir.Module.parse(text.replace("CALLED", "main"), context))
    subject = examine(ir.Module.parse(text.replace("CALLED", "last"), context))
    assert [str(argument.type) for argument in subject.block.arguments] == ["tensor<i32>"]


def test_operands_of_a_wider_reference_come_in_the_programs_types() -> None:
    text = """func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
      %0 = stablehlo.tanh %x : tensor<4xf32>
      %1 = stablehlo.multiply %0, %x : tensor<4xf32>
      return %1 : tensor<4xf32>
    }"""
    arguments = [np.array([0.1, -0.7, 1.5, 3.25], np.float32)]
    subject = examine(parsed(text))
    found = trace(subject, arguments, Local("f64"), Local())
    assert [(row.place.op, row.failure, row.wrong) for row in found.rows] == [
        ("stablehlo.tanh", "", False),
        ("stablehlo.multiply", "", False),
    ]


def test_values_too_large_for_the_type_of_an_engine_warn_of_nothing() -> None:
    text = """func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
      %0 = stablehlo.multiply %x, %x : tensor<2xf32>
      %1 = stablehlo.negate %0 : tensor<2xf32>
      return %1 : tensor<2xf32>
    }"""
    subject = examine(parsed(text))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = trace(subject, [np.float32([1e3, 2])], Local(), Local("f16"))
    assert [row.place.op for row in found.rows] == ["stablehlo.multiply", "stablehlo.negate"]
    assert found.first_nonfinite["reference:f16"].op == "stablehlo.multiply"


def test_a_judgement_in_words_has_all_that_is_known_of_it() -> None:
    place = OpLocation(3, "stablehlo.tanh", "a.mlir:3:8", "")
    found = difference(np.array([1.0, 2.0], np.float32), np.array([1.0, 3.0], np.float32), EXACT)
    module = parsed("func.func @main() { return }")
    whole = EngineJudgement("mine", "wrong", place, found, "it has one value", ((place, 2.5),), module, (), "a step")
    lines = str(whole).splitlines()
    assert lines == [
        f"mine is wrong: {place}",
        *(f"  {line}" for line in found.lines()),
        "  it has one value",
        f"  {whole.section}",
        "  at fault: a step",
        f"  differences grow 2.5 times at {place}",
        "  this program shows it by itself:",
        *readable_text(module).rstrip().splitlines(),
    ]
    assert len(found.lines()) > 1
    assert str(EngineJudgement("mine", "permitted")) == "mine is permitted"
    assert whole.cause == "mine: wrong stablehlo.tanh (a step): it has one value"
    assert whole.section.endswith("#tanh")


def test_an_op_that_is_cut_out_returns_its_tensors_alone() -> None:
    text = """func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
      %t = stablehlo.create_token : !stablehlo.token
      %0:2 = stablehlo.optimization_barrier %x, %t : tensor<2xf32>, !stablehlo.token
      return %0#0 : tensor<2xf32>
    }"""
    subject = examine(parsed(text))
    barrier = next(op for op in subject.ops if op.name.endswith("barrier"))
    code, inputs, outputs = subject.extractor.alone(barrier)
    assert (list(inputs), list(outputs)) == ([subject.block.arguments[0]], [barrier.results[0]])
    (found,) = Local().run(code, [np.array([1, 2], np.float32)]).results
    assert found.tolist() == [1, 2]


OPEN_INSIDE = """func.func @main(%x: tensor<2xf32>, %p: tensor<i1>) -> tensor<2xf32> {
  %i = "stablehlo.if"(%p) ({
    %low = stablehlo.constant dense<0.0> : tensor<f32>
    %high = stablehlo.constant dense<1.0> : tensor<f32>
    %size = stablehlo.constant dense<2> : tensor<1xi64>
    %r = "stablehlo.rng"(%low, %high, %size) {rng_distribution = #stablehlo<rng_distribution UNIFORM>}
      : (tensor<f32>, tensor<f32>, tensor<1xi64>) -> tensor<2xf32>
    %c = stablehlo.cosine %x : tensor<2xf32>
    %s = stablehlo.add %c, %r : tensor<2xf32>
    stablehlo.return %s : tensor<2xf32>
  }, {
    stablehlo.return %x : tensor<2xf32>
  }) : (tensor<i1>) -> tensor<2xf32>
  return %i : tensor<2xf32>
}"""


class OtherNumbers(Swapped):
    """Draws other random numbers than the reference, as it may."""

    def run(self, module: bytes, arguments: Sequence[np.ndarray]) -> Outcome:
        text = str(parsed(module)).replace("UNIFORM", "NORMAL")
        return super().run(text.encode(), arguments)


@pytest.mark.parametrize("swaps", [{}, {"cosine": "sine"}])
def test_an_op_whose_region_is_left_open_is_open_and_wrong_only_if_an_op_inside_is(swaps: dict[str, str]) -> None:
    subject = examine(parsed(OPEN_INSIDE))
    found = trace(subject, [np.float32([0.5, 1]), np.array(True)], Local(), OtherNumbers(swaps))
    (row,) = found.rows
    assert (row.place.op, row.is_open, row.wrong, row.failure) == ("stablehlo.if", not swaps, bool(swaps), "")
    if swaps:
        assert row.inside is not None
        assert row.inside.place.op == "stablehlo.cosine"
    else:
        assert (row.inside, found.first) == (None, None)
        assert "random numbers" in row.sentence


LOOP = """func.func @main(%x: tensor<2xf32>, %p: tensor<i1>) -> tensor<2xf32> {
  %no = stablehlo.constant dense<false> : tensor<i1>
  %w:2 = stablehlo.while(%v = %x, %q = %p) : tensor<2xf32>, tensor<i1> cond {
    stablehlo.return %q : tensor<i1>
  } do {
    %s = stablehlo.sine %v : tensor<2xf32>
    %c = stablehlo.cosine %s : tensor<2xf32>
    stablehlo.return %c, %no : tensor<2xf32>, tensor<i1>
  }
  return %w#0 : tensor<2xf32>
}"""


@pytest.mark.parametrize("text", [LOOP, OPEN_INSIDE.replace("%c, %r", "%c, %c")], ids=["loop", "if"])
def test_an_op_inside_a_region_that_the_engine_lacks_is_named(text: str) -> None:
    subject = examine(parsed(text))
    found = trace(subject, [np.float32([0.5, 1]), np.array(True)], Local(), Swapped(bad="cosine"))
    (row,) = found.rows[-1:]
    assert row.wrong
    assert row.inside is not None
    assert (row.inside.place.op, row.failure) == ("stablehlo.cosine", "unsupported: lacks cosine")


def test_a_program_without_an_entry_stays_as_it_is() -> None:
    text = "func.func @a(%t: tuple<tensor<i32>>) { return }\nfunc.func @b() { return }"
    module = parsed(text)
    assert flattened(module) == (module, ())


@pytest.mark.parametrize("type_", ["tensor<i32>", "tuple<tensor<i32>>"])
@pytest.mark.parametrize(("names", "entry"), [(["f"], 0), (["main"], 0), (["f", "main"], 1), (["f", "g"], None)])
def test_the_only_function_or_main_is_taken_apart(names: list[str], entry: int | None, type_: str) -> None:
    other = "tensor<2xf32>"
    heads = [f"func.func @{name}(%t: T) -> T {{ return %t : T }}" for name in names]
    texts = [head.replace("T", type_ if number == entry else other) for number, head in enumerate(heads)]
    module = parsed("\n".join(texts))
    found, returns = flattened(module)
    assert [str(each) for each in returns] == ([] if entry is None else [type_])
    assert (found is module) == (entry is None or type_ == "tensor<i32>")
    if entry is not None:
        subject = examine(module)
        (result,) = subject.results
        assert str(result.type) == "tensor<i32>"


def test_a_program_without_its_tuples_keeps_the_attributes_of_tensors_but_no_numbers_of_arguments() -> None:
    """The numbers would be those of the tuples."""
    text = """module attributes {mhlo.xla_entry_computation_parameter_layouts = [], mhlo.num_partitions = 2 : i32} {
      func.func @main(%t: tuple<tensor<i32>, tensor<f32>> {mhlo.sharding = "{replicated}"},
          %x: tensor<f32> {mhlo.sharding = "{maximal device=1}", tf.aliasing_output = 0 : i32})
          -> (tensor<f32> {jax.result_info = "a"}, tuple<tensor<f32>> {jax.result_info = "b"}) {
        %0 = stablehlo.get_tuple_element %t[1] : (tuple<tensor<i32>, tensor<f32>>) -> tensor<f32>
        %1 = stablehlo.tuple %x : tuple<tensor<f32>>
        return %0, %1 : tensor<f32>, tuple<tensor<f32>>
      }
    }"""
    found, types = flattened(parsed(text))
    assert len(types) == 2
    head = next(line for line in str(found).splitlines() if "func.func" in line)
    assert head.strip() == (
        'func.func @main(%arg0: tensor<i32>, %arg1: tensor<f32>, %arg2: tensor<f32> {mhlo.sharding = "{maximal'
        ' device=1}"}) -> (tensor<f32> {jax.result_info = "a"}, tensor<f32>) {')  # fmt: skip
    assert set(attributes_of(found.operation)) == {"mhlo.num_partitions"}
