"""Tokens, tuples and futures that programs take and return: each verb, the tools and the API take them alike."""

from __future__ import annotations

import json
import re
from itertools import pairwise
from pathlib import Path

import ml_dtypes
import numpy as np
import pytest
from click.testing import CliRunner
from speeds import later

import stablehlo_py
from stablehlo_py.artifacts.formats import export
from stablehlo_py.cli.interpret import args_from_text
from stablehlo_py.cli.stablehlo import stablehlo
from stablehlo_py.cli.verbs.shared import Inputs
from stablehlo_py.debug import compare, examine
from stablehlo_py.engines import Engine, open_engine
from stablehlo_py.errors import ArgumentError, InputError, UsageError
from stablehlo_py.interpreter.storage import save_arrays
from stablehlo_py.interpreter.values import Future, Token, flat

pytestmark = pytest.mark.usefixtures("importable")

F, N, T = "tensor<2xf32>", "tensor<i32>", "!stablehlo.token"
PAIR = f"tuple<{F}, {T}, tuple<{N}>>"
LOOP = f"""
  %zero = stablehlo.constant dense<0> : {N}
  %r:3 = stablehlo.while(%i = %zero, %v = %x, %k = %t) : {N}, {F}, {T} cond {{
    %n = stablehlo.constant dense<3> : {N}
    %c = stablehlo.compare LT, %i, %n : ({N}, {N}) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }} do {{
    %one = stablehlo.constant dense<1> : {N}
    %next = stablehlo.add %i, %one : {N}
    %s = stablehlo.sine %v : {F}
    %k2 = stablehlo.after_all %k, %t : {T}
    stablehlo.return %next, %s, %k2 : {N}, {F}, {T}
  }}"""
START = f"""
  %f = "stablehlo.async_start"(%x) ({{
  ^bb0(%a: {F}):
    %g = "stablehlo.all_reduce"(%a) ({{
    ^bb0(%l: tensor<f32>, %r: tensor<f32>):
      %s = stablehlo.add %l, %r : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }}) {{replica_groups = dense<0> : tensor<1x1xi64>}} : ({F}) -> {F}
    stablehlo.return %g : {F}
  }}) : ({F}) -> !stablehlo.future<{F}>"""
# The parameters of the program, its ops, its results and their types.
PROGRAMS = {
    "token argument": (f"%x: {F}, %t: {T}", LOOP, "%r#1", F),
    "token result": (f"%x: {F}", f"%t = stablehlo.create_token : {T}{LOOP}", "%r#1, %r#2", f"{F}, {T}"),
    "tuple argument": (
        f"%u: tuple<{F}, {F}>",
        f"%a = stablehlo.get_tuple_element %u[0] : (tuple<{F}, {F}>) -> {F}\n"
        f"%b = stablehlo.get_tuple_element %u[1] : (tuple<{F}, {F}>) -> {F}\n%s = stablehlo.subtract %a, %b : {F}",
        "%s",
        F,
    ),
    "tuple result": (
        f"%x: {F}, %n: {N}",
        f"%s = stablehlo.sine %x : {F}\n%u = stablehlo.tuple %s, %n : tuple<{F}, {N}>",
        "%u",
        f"tuple<{F}, {N}>",
    ),
    "nested tuples": (
        f"%p: {PAIR}, %y: {F}",
        f"%a = stablehlo.get_tuple_element %p[0] : ({PAIR}) -> {F}\n%s = stablehlo.add %a, %y : {F}\n"
        f"%k = stablehlo.get_tuple_element %p[1] : ({PAIR}) -> {T}\n"
        f"%q = stablehlo.get_tuple_element %p[2] : ({PAIR}) -> tuple<{N}>\n%u = stablehlo.tuple %s, %k, %q : {PAIR}",
        "%p, %u",
        f"{PAIR}, {PAIR}",
    ),
    "future result": (f"%x: {F}", START, "%f", f"!stablehlo.future<{F}>"),
}
OTHERS = {"corpus", "reduce", "partition"}  # which have tests of their own below
# What each verb says of a program that runs everywhere; the engine is the reference, summing in the other order.
VERBS = {
    "run": "",
    "run --engine=xla": "",
    "compare": "results agree with reference",
    "judge --engine=reference:reverse": "reference:reverse is permitted",
    "trace --engine=reference:reverse": "no op is wrong by itself",
    "bisect --engine=reference:reverse": "the results agree",
    "bisect-passes --pass-pipeline=cse": "no pass is to blame",
    "numerics": "introduced",
    "simulate --mesh=x=1": "",
    "cost": "arithmetic operations",
    "view -o {folder}/page.html": "",
    "diff {file}": "",
}


def text_of(name: str) -> str:
    parameters, ops, values, types = PROGRAMS[name]
    return f"func.func @main({parameters}) -> ({types}) {{\n{ops}\nreturn {values} : {types}\n}}\n"


@pytest.fixture(scope="module")
def opened():
    """Opens engines by their names, once."""
    kept: dict[str, Engine] = {}

    def engine(name: str) -> Engine:
        if name not in kept:
            kept[name] = open_engine(name)
            kept[name].close = lambda: None
        return kept[name]

    yield engine
    for one in kept.values():
        Engine.close(one)


@pytest.fixture(scope="module")
def verb(opened):
    """Runs a verb in this process, with engines that stay open."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Inputs, "engine", lambda _, name, pool=None: opened(name))
        yield lambda *words: CliRunner().invoke(stablehlo, [*words], standalone_mode=False)


@pytest.fixture(scope="module")
def programs(tmp_path_factory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("border")
    files = {name: folder / f"{name.replace(' ', '_')}.mlir" for name in PROGRAMS}
    for name, file in files.items():
        file.write_text(text_of(name))
    return files


def test_every_verb_takes_every_program(verb, programs):
    page = (Path(__file__).parents[3] / "docs" / "programs.md").read_text()
    rows = page.partition("### Tokens, tuples and futures")[2].partition("\n\nFor the verbs")[0].splitlines()[4:]
    named = {word for row in rows for word in re.findall(r"`([\w-]+)`", row.split("|")[1])}
    assert {words.split()[0] for words in VERBS} == named & set(stablehlo.verbs) - OTHERS
    wrong = []
    for name, file in programs.items():
        for words, said in VERBS.items():
            found = verb(*words.format(folder=file.parent, file=file).split(), str(file))
            if found.return_value != 0 or said not in found.output:
                wrong.append((name, words, found.return_value, found.output, found.exception))
    assert not wrong


def test_reduced_programs_take_and_return_tensors_alone(verb, programs, tmp_path):
    output, wrong = tmp_path / "reduced.mlir", []
    for name, file in programs.items():
        words = ["reduce", str(file), "-o", str(output), "--jobs=1", "--command", "grep -q func {module}"]
        found = verb(*words)
        signature = str(stablehlo_py.load(output).signature) if found.return_value == 0 else "none"
        if re.search("none|tuple|token|future", signature):
            wrong.append((name, found.output, signature, found.exception))
        else:
            stablehlo_py.load(output).call_npz(output.with_suffix(".npz"))
    assert not wrong


@pytest.mark.parametrize("checks", [["interpret", "passes:cse"], later(["compare:reference,reference:reverse"])])
def test_a_corpus_takes_every_program(verb, programs, tmp_path, checks):
    rows = tmp_path / "rows.jsonl"
    found = verb(
        "corpus", *map(str, programs.values()), *[f"--check={one}" for one in checks], "--jobs=1", f"--output={rows}"
    )
    assert found.return_value == 0, found.output
    assert [json.loads(line)["status"] for line in rows.read_text().splitlines()] == ["ok"] * len(programs) * len(
        checks
    )


def test_partitioned_programs_take_and_return_tensors_alone(verb, programs):
    for name, file in programs.items():
        found = verb("partition", "--mesh=x=2", str(file))
        assert found.return_value == 0, (name, found.exception)
        assert not re.search("tuple|token|future", str(stablehlo_py.load(found.output).signature))


def values_for(name: str) -> tuple[list, list, list[np.ndarray]]:
    """Arguments as Python has them, the results of the program for them, and the tensors in the arguments."""
    x, y, n = np.array([0.5, 3], "f4"), np.array([1, -2], "f4"), np.array(7, "i4")
    looped = np.sin(np.sin(np.sin(x.astype("f8")).astype("f4").astype("f8")).astype("f4").astype("f8")).astype("f4")
    sine = np.sin(x.astype("f8")).astype("f4")
    return {
        "token argument": ([x], [looped], [x]),
        "token result": ([x], [looped, Token()], [x]),
        "tuple argument": ([(x, y)], [x - y], [x, y]),
        "tuple result": ([x, n], [(sine, n)], [x, n]),
        "nested tuples": ([(x, (n,)), y], [(x, Token(), (n,)), (x + y, Token(), (n,))], [x, n, y]),
        "future result": ([x], [Future(lambda: (x,))], [x]),
    }[name]


def same(found: object, expected: object) -> bool:
    """Whether values are of the same nesting and bits."""
    if isinstance(expected, tuple):
        return isinstance(found, tuple) and len(found) == len(expected) and all(map(same, found, expected))
    if isinstance(expected, Future):
        return isinstance(found, Future) and same(found.wait(), expected.wait())
    if isinstance(expected, Token):
        return found == expected
    return np.asarray(found).dtype == np.asarray(expected).dtype and np.array_equal(found, expected)


def test_the_api_takes_tuples_and_supplies_tokens(programs, opened, tmp_path):
    pair = [opened("reference"), opened("reference:reverse")]
    for name, file in programs.items():
        given, expected, tensors = values_for(name)
        program = stablehlo_py.load(file)
        results = tuple(expected) if len(expected) > 1 else expected[0]
        lists = [[*value] if isinstance(value, tuple) else value for value in given]
        assert same(program(*given), results), name
        assert same(program(*lists), results), name
        assert same(tuple(stablehlo_py.interpret(program.module, given)), tuple(expected)), name
        numbered = tmp_path / "numbered.npz"
        numbered.write_bytes(save_arrays("numbered.npz", tensors))
        assert same(program.call_npz(numbered), results), name
        assert compare(program.module, pair, arguments=[given]).verdict == "same", name


def test_arguments_of_tuples_are_found_by_name(programs, verb, tmp_path):
    given, expected, (x, n, y) = values_for("nested tuples")
    named = tmp_path / "named.npz"
    np.savez(named, **{"arg1": y, "arg0.2.0": n, "arg0.0": x})
    program = stablehlo_py.load(programs["nested tuples"])
    assert same(program.call_npz(named), tuple(expected))
    assert same(program(*given[:1], arg1=y), tuple(expected))
    output = tmp_path / "results.npz"
    found = verb("run", str(programs["nested tuples"]), f"--inputs={named}", f"--output={output}")
    assert found.return_value == 0, found.exception
    with np.load(output) as results:
        assert all(map(np.array_equal, results.values(), flat(expected)))
    printed = verb("run", str(programs["nested tuples"]), f"--inputs={named}").output
    assert printed.startswith(
        f"{PAIR} (\n{F} {{\n  [5.000000e-01, 3.000000e+00]\n}},\n{T},\ntuple<{N}> (\n{N} {{7}}\n)"
    )


def test_wrong_tuples_are_refused(programs):
    program = stablehlo_py.load(programs["nested tuples"])
    (pair, y), _, (x, n, _) = values_for("nested tuples")
    for wrong in (x, (x,), (x, (n, n)), (x, n), (x.astype("f8"), (n,)), (x, Token(), Token(), (n,)), None):
        with pytest.raises(ArgumentError, match="argument 0 of function @main"):
            program(wrong, y)
    with pytest.raises(ArgumentError, match="takes 2 arguments, not 1"):
        program(pair)


def test_values_without_tensors_are_refused():
    module = stablehlo_py.parse(f"func.func @main(%f: !stablehlo.future<{F}>) {{ return }}")
    with pytest.raises(InputError, match=r"argument 'arg0' is of type !stablehlo.future<.*>, which no engine takes"):
        examine(module)


def test_host_transfers_are_unsupported_in_xla(opened):
    send = f'"stablehlo.outfeed"(%x, %t) <{{outfeed_config = ""}}> : ({F}, {T}) -> {T}'
    text = f"func.func @main(%x: {F}, %t: {T}) -> {T} {{\n%o = {send}\nreturn %o : {T}\n}}"
    found = compare(stablehlo_py.parse(text), [opened("reference"), opened("xla")])
    assert found.outcomes[0][0].ok
    assert found.outcomes[0][1].status == "unsupported"
    assert "'stablehlo.outfeed' op waits for a host program" in found.outcomes[0][1].message


NAMES = ["##call_step!16", 'réduce "q"\n', "reactant_^", "main"]


def called(name: str) -> str:
    """A symbol as text has it."""
    return (
        '@"'
        + "".join(c if c.isalnum() and c.isascii() else "".join(f"\\{b:02X}" for b in c.encode()) for c in name)
        + '"'
    )


def test_function_names_what_runs(verb, tmp_path):
    file, wrong = tmp_path / "library.mlir", []
    bodies = [
        f"func.func private {called(NAMES[0])}(%a: {F}) -> {F} {{\n%0 = stablehlo.negate %a : {F}\nreturn %0 : {F}\n}}"
    ]
    for callee, name in pairwise(NAMES):
        call = f"%0 = call {called(callee)}(%a) : ({F}) -> {F}\n"
        one = f'%1 = stablehlo.composite "my.op" %0 {{decomposition = {called(NAMES[0])}}} : ({F}) -> {F}\n'
        bodies.append(f"func.func {called(name)}(%a: {F}) -> {F} {{\n{call}{one}return %1 : {F}\n}}")
    back = f"func.func @last(%a: {F}) -> {F} {{\n%0 = call @main(%a) : ({F}) -> {F}\nreturn %0 : {F}\n}}"
    file.write_text("\n".join([*bodies, back]))
    program = stablehlo_py.load(file)
    x = np.array([2, 5], "f4")
    for name in [*NAMES, "last"]:
        expected = program.function(name)(x)
        assert np.array_equal(abs(expected), x)
        given = [f"--function={name}", f"--args=[dense<[2.0, 5.0]> : {F}]", str(file)]
        printed = verb("run", *given).output.replace(".000000e+00", ".0")
        if str([float(value) for value in expected]) not in printed:
            wrong.append((name, "run", printed))
        for words, said in VERBS.items():
            if words.startswith(("view", "diff")):
                continue
            found = verb(*words.split(), *given) if words != "cost" else verb("cost", *given[::2])
            if found.return_value != 0 or said not in found.output:
                wrong.append((name, words, found.output, found.exception))
    assert not wrong
    missing = verb("run", "--function=reactant", str(file))
    assert "no function @reactant; it has" in str(missing.exception)
    assert "did you mean reactant_^?" in str(missing.exception)


@pytest.mark.parametrize(
    ("text", "column", "said"),
    [
        ("[dense<[1.0, 2.0 3.0]> : tensor<3xf32>]", 17, "expected ']'"),
        ("[dense<1> : tensor<2xi32>", 25, "expected ',' or ']'"),
        ("dense<1>", 8, "expected ':'"),
        ("[dense<1.5> : tensor<2xi32>]", 8, "expected integer elements, but parsed floating-point"),
    ],
)
def test_a_caret_points_into_args(text, column, said):
    with pytest.raises(UsageError, match="expectected array attribute string for args") as caught:
        args_from_text(text, stablehlo_py.bindings.make_context())
    assert caught.value.notes == (f"--args:1:{column}: {said}\n{text}\n{' ' * (column - 1)}^",)


@pytest.mark.parametrize("name", ["bf16", "f8E5M2", "f4E2M1FN", "f8E8M0FNU", "f16"])
def test_arrays_of_bits_are_advised_to_be_viewed(name):
    program = stablehlo_py.load(
        f"func.func @main(%a: tensor<2x{name}>) -> tensor<2x{name}> {{ return %a : tensor<2x{name}> }}"
    )
    dtype = program.signature.parameters["arg0"].dtype
    bits = np.arange(2, dtype=f"u{dtype.itemsize}")
    with pytest.raises(ArgumentError) as caught:
        program(bits)
    module = "np" if name == "f16" else "ml_dtypes"
    view = f"x.view({module}.{dtype.name}) takes the bits of an array x for {name}; "
    assert caught.value.notes[0].startswith(view if module == "ml_dtypes" else "x.astype(")
    assert same(program(bits.view(dtype)), bits.view(dtype))
    assert ml_dtypes.finfo(dtype).bits <= 16


def test_parse_converts_mhlo():
    module = stablehlo_py.parse(
        f"func.func @main() -> {F} {{ %0 = stablehlo.constant dense<2.0> : {F} return %0 : {F} }}"
    )
    data = export(module, "mhlo")
    for given in (data, data.decode()):
        parsed = stablehlo_py.parse(given)
        assert "mhlo." not in str(parsed)
        assert stablehlo_py.interpret(parsed, [])[0].tolist() == [2, 2]
