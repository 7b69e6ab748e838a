"""Tokens, tuples and futures that programs take and return: each verb, the tools and the API take them alike."""

from __future__ import annotations

import json
from pathlib import Path

import ml_dtypes
import numpy as np
import pytest
from click.testing import CliRunner

import stablehlo_py
from stablehlo_py.artifacts.formats import export
from stablehlo_py.cli.interpret import args_from_text
from stablehlo_py.cli.stablehlo import stablehlo
from stablehlo_py.cli.verbs.shared import Inputs
from stablehlo_py.debug import compare, examine
from stablehlo_py.engines import Engine
from stablehlo_py.errors import ArgumentError, InputError, UsageError
from stablehlo_py.interpreter.storage import save_arrays
from stablehlo_py.interpreter.values import Future, Token, flat

pytestmark = pytest.mark.usefixtures("importable", "trusted")

F, I, T = "tensor<2xf32>", "tensor<i32>", "!stablehlo.token"
PAIR = f"tuple<{F}, {T}, tuple<{I}>>"
LOOP = f"""
  %zero = stablehlo.constant dense<0> : {I}
  %r:3 = stablehlo.while(%i = %zero, %v = %x, %k = %t) : {I}, {F}, {T} cond {{
    %n = stablehlo.constant dense<3> : {I}
    %c = stablehlo.compare LT, %i, %n : ({I}, {I}) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }} do {{
    %one = stablehlo.constant dense<1> : {I}
    %next = stablehlo.add %i, %one : {I}
    %s = stablehlo.sine %v : {F}
    %k2 = stablehlo.after_all %k, %t : {T}
    stablehlo.return %next, %s, %k2 : {I}, {F}, {T}
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
        f"%x: {F}, %n: {I}",
        f"%s = stablehlo.sine %x : {F}\n%u = stablehlo.tuple %s, %n : tuple<{F}, {I}>",
        "%u",
        f"tuple<{F}, {I}>",
    ),
    "nested tuples": (
        f"%p: {PAIR}, %y: {F}",
        f"%a = stablehlo.get_tuple_element %p[0] : ({PAIR}) -> {F}\n%s = stablehlo.add %a, %y : {F}\n"
        f"%k = stablehlo.get_tuple_element %p[1] : ({PAIR}) -> {T}\n"
        f"%q = stablehlo.get_tuple_element %p[2] : ({PAIR}) -> tuple<{I}>\n%u = stablehlo.tuple %s, %k, %q : {PAIR}",
        "%p, %u",
        f"{PAIR}, {PAIR}",
    ),
    "future result": (f"%x: {F}", START, "%f", f"!stablehlo.future<{F}>"),
}
# What each verb says of a program that runs everywhere; the engine is the reference, summing in the other order.
VERBS = {
    "run": "",
    "run --engine=xla": "",
    "compare --engine=reference:reverse": "results agree with reference",
    "compare": "results agree with reference",
    "judge --engine=reference:reverse": "reference:reverse is permitted",
    "trace --engine=reference:reverse": "no op is wrong by itself",
    "bisect --engine=reference:reverse": "the results agree",
    "bisect-passes --pass-pipeline=cse": "no pass is to blame",
    "numerics": "introduced",
    "simulate --mesh=x=1 --check": "agree with the global program",
    "cost": "arithmetic operations",
}


def text_of(name: str) -> str:
    parameters, ops, values, types = PROGRAMS[name]
    return f"func.func @main({parameters}) -> ({types}) {{\n{ops}\nreturn {values} : {types}\n}}\n"


@pytest.fixture(scope="module")
def verb():
    """Runs a verb in this process, with engines that stay open."""
    kept: dict[str, Engine] = {}

    def engine(self: Inputs, name: str, pool: object = None) -> Engine:
        return kept[name] if name in kept else kept.setdefault(name, opened(self, name))

    opened, close = Inputs.engine, Engine.close
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Inputs, "engine", engine)
        patch.setattr(Engine, "close", lambda self: None)
        yield lambda *words: CliRunner().invoke(stablehlo, [*words], standalone_mode=False)
    for one in kept.values():
        close(one)


@pytest.fixture(scope="module")
def programs(tmp_path_factory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("border")
    files = {name: folder / f"{name.replace(' ', '_')}.mlir" for name in PROGRAMS}
    for name, file in files.items():
        file.write_text(text_of(name))
    return files


def test_every_verb_takes_every_program(verb, programs):
    wrong = []
    for name, file in programs.items():
        for words, said in VERBS.items():
            found = verb(*words.split(), str(file))
            if found.return_value != 0 or said not in found.output:
                wrong.append((name, words, found.return_value, found.output, found.exception))
    assert not wrong
