"""Every op that the package treats has facts, and they agree with the bindings where these can tell."""

from __future__ import annotations

import json
import tomllib
from dataclasses import astuple
from pathlib import Path
from typing import get_args, get_type_hints

import pytest
from installed import needs_dialect

from stablehlo_py.bindings import make_context, op_signatures
from stablehlo_py.bindings.context import has_dialect
from stablehlo_py.bindings.op_signatures import op_names as ops_of_the_bindings
from stablehlo_py.bindings.op_signatures import op_signature
from stablehlo_py.dialect import facts as module
from stablehlo_py.dialect.facts import OpFacts, entry, facts, op_names, read
from stablehlo_py.interpreter.registry import kernels
from stablehlo_py.syntax.check_dialect import CHECK_OPS

DIALECTS = ("arith", "cf", "chlo", "func", "math", "scf", "stablehlo")
SHARDY = ("sdy",) if has_dialect(make_context(), "sdy") else ()
# The signatures of the newest release, which can have more ops than the installed bindings.
NEWEST = {
    name: signature
    for names, signature in json.loads(Path(op_signatures.__file__).with_suffix(".json").read_text("utf-8")).items()
    for name in names.split()
}
REGIONS = {
    *("branch", "branch*", "body", "comparison", "condition", "each call", "element", "never*", "once", "reduction"),
    "reduction*",
}


def every_op():
    """The ops that have facts."""
    return list(module._entries())


def test_no_op_lacks_an_entry():
    treated = {name for dialect in (*DIALECTS, *SHARDY) for name in ops_of_the_bindings(dialect)}
    treated |= {*kernels(), *CHECK_OPS}
    assert len(treated) > 300
    assert sorted(name for name in treated if entry(name) is None) == []


def test_no_op_of_these_dialects_is_unknown_to_the_bindings():
    known = {name for dialect in (*DIALECTS, *SHARDY) for name in ops_of_the_bindings(dialect)} | set(NEWEST)
    assert sorted(name for dialect in (*DIALECTS, *SHARDY) for name in op_names(dialect) if name not in known) == []


def test_no_op_is_named_twice():
    tables = tomllib.loads(read("ops.toml"))
    del tables["lists"]
    names = [f"stablehlo.{name}" for names in tables for name in names.split()]
    names += [name for names in tomllib.loads(read("other_ops.toml")) for name in names.split()]
    assert sorted(names) == sorted(every_op())


def test_every_field_has_a_known_value():
    hints = get_type_hints(OpFacts)
    assert every_op()
    for name in every_op():
        known = facts(name)
        for field in OpFacts._fields:
            allowed = get_args(hints[field])
            if field in ("elementwise", "floats", "quantized", "ends"):
                assert getattr(known, field) in allowed, (name, field)
        assert set(known.regions) <= REGIONS, name
        assert known.shape in ("", "numpy broadcast") or known.shape.rpartition(" ")[0] in (
            "like operand",
            "given by operand",
        ), name


@pytest.mark.parametrize("dialect", [*DIALECTS, pytest.param("sdy", marks=needs_dialect("sdy"))])
def test_there_is_a_fact_about_each_region(dialect):
    assert op_names(dialect)
    for name in op_names(dialect):
        signature = op_signature(name)
        regions = NEWEST[name][3] if signature is None else [astuple(region) for region in signature.regions]
        declared = [is_variadic for _, is_variadic in regions]
        assert [region.endswith("*") for region in facts(name).regions] == declared, name


def test_terminators_end_something():
    assert every_op()
    for name in every_op():
        assert ("Terminator" in facts(name).traits) == bool(facts(name).ends), name


def test_nothing_is_known_of_a_stranger():
    assert facts("tosa.add") == OpFacts("tosa.add")
    assert not facts("tosa.add").is_elementwise


def test_what_traits_imply():
    assert facts("stablehlo.add").is_elementwise
    assert facts("stablehlo.add").quantized == "expressed"
    assert facts("stablehlo.reshape").quantized == "storage"
    assert facts("stablehlo.clamp").shape == "like operand 1"
    assert facts("stablehlo.send").effect
    assert not facts("stablehlo.bitcast_convert").is_elementwise
    assert facts("stablehlo.bitcast_convert").is_elementwise_on_scalars
