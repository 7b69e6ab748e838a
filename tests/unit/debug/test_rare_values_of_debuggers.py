"""What the debuggers say where values have unknown sizes, are no tensors, or are tied to the bits of their types."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from parsed import parsed
from swapped_engine import Swapped

from stablehlo_py.bindings.walk import operations
from stablehlo_py.debug import bisect, examine, judge
from stablehlo_py.debug.allowed.enclosures import Question
from stablehlo_py.debug.allowed.ops import allowed
from stablehlo_py.debug.allowed.spread import Local
from stablehlo_py.debug.judge import _renumbered
from stablehlo_py.debug.programs.subject import OpLocation, Subject
from stablehlo_py.debug.reduction.reduce import reduce
from stablehlo_py.debug.reduction.search import Candidate, Search
from stablehlo_py.debug.reduction.simplifying import type_candidates

F = np.float32
X = F([1, 2, -3])


def subject_of(text: str) -> Subject:
    return examine(parsed(text))


UNKNOWN = """func.func @main(%x: tensor<3xf32>, %s: tensor<1xi32>) -> tensor<?xf32> {
  %a = stablehlo.dynamic_reshape %x, %s : (tensor<3xf32>, tensor<1xi32>) -> tensor<?xf32>
  %b = stablehlo.abs %a : tensor<?xf32>
  %c = stablehlo.tanh %b : tensor<?xf32>
  %d = stablehlo.exponential %c : tensor<?xf32>
  return %d : tensor<?xf32>
}"""


@pytest.mark.parametrize("wrong", ["abs", "exponential", ""])
def test_a_wrong_op_of_unknown_size_is_named(wrong: str) -> None:
    """It cannot be run alone, but what the program returns shows the error."""
    module = parsed(UNKNOWN)
    engine, arguments = Swapped({wrong: "negate"} if wrong else {}), [X, np.int32([3])]
    (found,) = judge(module, [engine], reference=Local(), arguments=arguments).judgements
    assert found.verdict == ("wrong" if wrong else "permitted")
    assert ("" if found.place is None else found.place.op) == (f"stablehlo.{wrong}" if wrong else "")
    assert "right alone" not in found.sentence
    assert found.sentence.startswith(wrong)


def test_values_of_unknown_size_inside_a_program_are_not_returned_to_engines() -> None:
    """An engine that knows all sizes once the program is compiled has to run no program that returns another one."""
    text = UNKNOWN.replace("-> tensor<?xf32> {", "-> tensor<3xf32> {").replace(
        "return %d : tensor<?xf32>",
        "%e = stablehlo.dynamic_reshape %d, %s : (tensor<?xf32>, tensor<1xi32>) -> tensor<3xf32>\n"
        "return %e : tensor<3xf32>",
    )

    def returned(module: bytes, _arguments: Sequence[np.ndarray]) -> bool:
        (function,) = [op for op in operations(parsed(module).operation) if "func.func" in op.name]
        asked.append(str(function.attributes["function_type"]).partition("->")[2])
        return True

    asked = list[str]()
    bisect(subject_of(text), [X, np.int32([3])], Local(), Local(), judge=returned)
    assert asked
    assert not [each for each in asked if "?" in each], asked


FUTURE = """func.func @main(%x: tensor<3xf32>) -> tensor<2xf32> {
  %a = stablehlo.abs %x : tensor<3xf32>
  %f = "stablehlo.async_start"(%a) ({
  ^bb0(%p: tensor<3xf32>):
    %s = stablehlo.slice %p [1:3] : (tensor<3xf32>) -> tensor<2xf32>
    stablehlo.return %s : tensor<2xf32>
  }) : (tensor<3xf32>) -> !stablehlo.future<tensor<2xf32>>
  %d = "stablehlo.async_done"(%f) : (!stablehlo.future<tensor<2xf32>>) -> tensor<2xf32>
  %r = stablehlo.cosine %d : tensor<2xf32>
  return %r : tensor<2xf32>
}"""


def test_an_op_that_takes_a_future_is_shown_with_the_ops_before_it() -> None:
    """No program takes or returns a future."""
    found = bisect(subject_of(FUTURE), [X], Local(), Local(), judge=lambda module, _: b"async_done" in module)
    assert found.place is not None
    assert (found.place.op, found.alone) == ("stablehlo.async_done", False)
    assert [one.tolist() for one in found.arguments] == [X.tolist()]
    assert found.program is not None
    assert [op.name.partition(".")[2] for op in examine(found.program).ops] == ["abs", "async_start", "async_done"]


TIED = """func.func @main(%x: tensor<3xf32>, %n: tensor<i32>, %key: tensor<2xui64>) -> tensor<3xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %i, %r = stablehlo.while(%k = %zero, %v = %x) : tensor<i32>, tensor<3xf32> cond {
    %c = stablehlo.compare LT, %k, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %state, %f = stablehlo.rng_bit_generator %key, algorithm = THREE_FRY
      : (tensor<2xui64>) -> (tensor<2xui64>, tensor<3xf32>)
    %s = stablehlo.sine %v : tensor<3xf32>
    %next = stablehlo.add %k, %one : tensor<i32>
    stablehlo.return %next, %s : tensor<i32>, tensor<3xf32>
  }
  return %r : tensor<3xf32>
}"""


@pytest.mark.parametrize("count", [1, 3])
def test_a_loop_tied_to_the_bits_of_its_type_may_be_as_far_off_as_its_own_type_shows(count: int) -> None:
    """Double precision does not run it: the enclosure comes from runs in the program's type."""
    subject, arguments = subject_of(TIED), [X, np.int32(count), np.uint64([1, 2])]
    assert not Local("f64").run(TIED.encode(), arguments).ok
    op = subject.ops[-1]
    values = dict(zip(subject.block.arguments, arguments, strict=True))
    values |= {subject.ops[n].results[0]: np.int32(n) for n in range(2)}
    (wanted,) = Local().run(TIED.encode(), arguments).results
    question = Question(op, values, [wanted], [wanted.dtype], subject.extractor, [op.results[1]])
    (found,) = allowed(question)
    for far, outside in ((0, False), (1e-7, False), (1e-3, True)):
        assert found.outside(wanted * F(1 + far)).tolist() == [outside] * 3, far
    assert found.value is wanted


@pytest.mark.parametrize(
    "body",
    [
        '%r = "stablehlo.dynamic_slice"(%x) {slice_sizes = array<i64>} : (tensor<f64>) -> tensor<f64>',
        "%r = stablehlo.negate %x : tensor<f64>",
    ],
    ids=["slice of a scalar", "negate"],
)
def test_types_become_narrower_also_where_the_pretty_form_cannot_be_read_again(body: str) -> None:
    text = f"func.func @main(%x: tensor<f64>) -> tensor<f64> {{ {body} return %r : tensor<f64> }}"
    given = Candidate(parsed(text), (np.float64(0.1),))
    (found,) = [one for one in type_candidates(given) if one is not None]
    assert [str(one.dtype) for one in found.arguments] == ["float32"]
    assert "f64" not in str(found.module)
    assert [op.name for op in operations(found.module.operation)] == [
        op.name for op in operations(given.module.operation)
    ]


class Holds:
    """Programs that have these words are interesting."""

    def __init__(self, *words: str) -> None:
        self.words = words

    def signature(self, module: bytes, arguments: Sequence[np.ndarray]) -> str:
        text = str(parsed(module))
        return "has them" if all(word in text for word in self.words) else ""

    def limit(self, seconds: float) -> None:
        return

    def close(self) -> None:
        return


CONSTANT = """func.func @main(%x: tensor<4xi32>) -> tensor<4xi32> {
  %c = stablehlo.constant dense<7> : tensor<4xi32>
  %a = stablehlo.abs %x : tensor<4xi32>
  %b = stablehlo.add %a, %c : tensor<4xi32>
  %d = stablehlo.negate %b : tensor<4xi32>
  return %d : tensor<4xi32>
}"""


@pytest.mark.parametrize(
    ("words", "left", "together"),
    [
        (("add", "constant"), ["constant", "add"], 0),
        (("add", "negate", "constant"), ["constant", "add", "negate"], 2),
        (("abs", "negate"), ["abs", "negate"], 2),
        (("negate",), ["negate"], 0),
    ],
)
def test_constants_do_not_count_among_the_ops_that_an_error_takes(words, left, together) -> None:
    found = reduce(parsed(CONSTANT), [np.int32([1, -2, 3, -4])], Local(), Search([Holds(*words)]))
    names = [op.name.partition(".")[2] for op in operations(found.program.operation)][2:-1]
    assert names == left
    notes = [note for note in found.notes if "together" in note]
    assert [note.split(" ops")[0] for note in notes] == ([f"the error takes {together}"] if together else [])


@pytest.mark.parametrize("number", [0, 7, 12, 345])
def test_only_the_outermost_number_of_a_place_is_looked_up(number: int) -> None:
    """The rest of a program has the ops 1000 to 2000 of the whole."""
    spot = OpLocation(number, "stablehlo.sine", "a.mlir:1:2", "")
    assert str(_renumbered(spot, range(1000, 2000))) == f"#{1000 + number} stablehlo.sine at a.mlir:1:2"
    loop, branch = f"#{number} stablehlo.while body, iteration 3", "#5 stablehlo.if true_branch"
    inside = OpLocation(3, "stablehlo.sine", "", "", (loop, branch))
    found = _renumbered(inside, range(1000, 2000))
    assert found.path == (f"#{1000 + number} stablehlo.while body, iteration 3", branch)
    assert found.number == 3


REGION = """func.func @main(%x: tensor<2xf32>, %p: tensor<i1>) -> tensor<2xf32> {
  %i = "stablehlo.if"(%p) ({
    %s = stablehlo.sine %x : tensor<2xf32>
    %c = stablehlo.cosine %s : tensor<2xf32>
    stablehlo.return %c : tensor<2xf32>
  }, {
    stablehlo.return %x : tensor<2xf32>
  }) : (tensor<i1>) -> tensor<2xf32>
  return %i : tensor<2xf32>
}"""
FIRST_DIGIT = "values differ in digit 1"


class InARegion(Holds):
    """Programs with a branch that has a cosine have one error, those with a cosine and no branch the error `inside`."""

    def __init__(self, inside: str) -> None:
        super().__init__("stablehlo.cosine")
        self.inside = inside

    def signature(self, module: bytes, arguments: Sequence[np.ndarray]) -> str:
        if not super().signature(module, arguments):
            return ""
        return FIRST_DIGIT if b"stablehlo.if" in str(parsed(module)).encode() else self.inside


@pytest.mark.parametrize(
    ("inside", "left", "signature", "noted"),
    [
        (FIRST_DIGIT, ["cosine"], FIRST_DIGIT, False),
        ("values differ in digit 2", ["cosine"], "values differ in digit 2", False),
        ("values differ in digit 6", ["cosine"], "values differ in digit 6", True),
        ("", None, FIRST_DIGIT, False),
    ],
)
def test_an_error_is_followed_into_a_region_also_in_another_digit_which_is_noted(
    inside: str, left: list[str] | None, signature: str, noted: bool
) -> None:
    search = Search([InARegion(inside)])
    found = reduce(parsed(REGION), [F([0.5, 1]), np.array(True)], Local(), search)
    names = [op.name.partition(".")[2] for op in operations(found.program.operation)]
    assert "if" in names if left is None else names[2:-1] == left, names
    assert "cosine" in names
    assert found.signature == search.signature == signature
    notes = [note for note in found.notes if "region" in note]
    text = f"{FIRST_DIGIT} became {signature} inside a region: they may be different errors"
    assert notes == ([text] if noted else [])


class OfZeros(Holds):
    """Programs with a branch have an error, and so have those that return zeros."""

    def signature(self, module: bytes, arguments: Sequence[np.ndarray]) -> str:
        text = str(parsed(module))
        return FIRST_DIGIT if "stablehlo.if" in text or "dense<0.0" in text else ""


def test_an_error_that_is_in_no_region_stays_with_its_op() -> None:
    """Zeros in place of the op show the error of another one."""
    arguments = [F([0.5, 1]), np.array(True)]
    found = reduce(parsed(REGION), arguments, Local(), Search([OfZeros()]))
    assert "stablehlo.if" in [op.name for op in operations(found.program.operation)]
