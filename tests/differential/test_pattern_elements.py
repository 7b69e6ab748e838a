"""Every pattern on every element type: bit for bit, over all values of the small types and the edges of the others."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product

import numpy as np
import pytest
from agreement import edges_of
from pattern_programs import empty_main, retyped_programs
from rewrites import CONTEXT, optimize, positive_zeros
from structures import bits

from stablehlo_py.bindings import ir
from stablehlo_py.bindings.build import add_block, create, refresh_type
from stablehlo_py.bindings.elements import dtype_of, from_numpy
from stablehlo_py.bindings.op_signatures import op_signature
from stablehlo_py.bindings.types import Kind, element_type, element_type_names
from stablehlo_py.dialect.facts import facts, op_names
from stablehlo_py.errors import InterpreterError
from stablehlo_py.interpreter.program import fold, interpret
from stablehlo_py.passes.base import Pass
from stablehlo_py.passes.folding import FOLDS
from stablehlo_py.passes.matching import full_name
from stablehlo_py.passes.optimization import AggressiveFolder, AggressiveSimplification
from stablehlo_py.passes.simplification import SIMPLIFICATIONS

ELEMENTS = [name for name in element_type_names() if name != "index" and not name.startswith("si")]
QUANTIZED = ("!quant.uniform<i8:f32, 5.0e-01:3>", "!quant.uniform<i8:f32:0, {5.0e-01:3, 2.5e-01:-1}>")
PATTERNS = dict.fromkeys((*SIMPLIFICATIONS, *FOLDS))
# The operands of each elementwise op that needs no attributes; the last op left out is of quantized elements.
ARITY = {
    name: len(signature.operands)
    for name in op_names("stablehlo")
    if {"Elementwise", "InferTypeOpInterface"} <= facts(name).traits
    and (signature := op_signature(name)) is not None
    and name not in ("stablehlo.compare", "stablehlo.reduce_precision", "stablehlo.uniform_dequantize")
}
_NAMED = {name for each in PATTERNS for names in (*each.roots, *each.of.values()) for name in names.split()}
REWRITTEN = {name: ARITY[name] for name in sorted(map(full_name, _NAMED)) if name in ARITY}
DIRECTIONS, COMPARISONS = ("EQ", "NE", "GE", "GT", "LE", "LT"), ("FLOAT", "TOTALORDER", "SIGNED", "UNSIGNED")

# Patterns that no program here can show, and why.
ELSEWHERE = {
    "backend_config_as_attribute": "rewrites calls of custom code",
    "dynamic_broadcast_to_own_shape": "the interpreter has no shape dialect",
    "index_cast_of_constant": "the interpreter has no shape dialect",
    "loop_presumed_pure_that_never_runs": "the call in the loop has no body",
    "shape_of_dynamic_reshape": "the interpreter has no shape dialect",
    "shape_of_static": "the interpreter has no shape dialect",
}


class Cases:
    """A function `main` of one vector, whose results are the cases."""

    def __init__(self, values: np.ndarray, element: str) -> None:
        self.element = element
        self.names: list[str] = []
        self._results: list[ir.Value] = []
        self._is_defined: dict[object, bool] = {}
        self.module = ir.Module.create()
        self.type = ir.RankedTensorType(ir.Type.parse(f"tensor<{len(values)}x{element}>"))
        self._main = empty_main(self.module)
        block = add_block(self._main.regions[0], [self.type])
        self._at, self.x = ir.InsertionPoint(block), block.arguments[0]

    def constant(self, array: np.ndarray) -> ir.Value:
        """A constant of the vector's type that repeats one element, or one of the array's shape."""
        type_ = ir.RankedTensorType.get(array.shape, self.type.element_type) if array.ndim else self.type
        attributes = {"value": from_numpy(np.broadcast_to(array, type_.shape), type_)}
        return create("stablehlo.constant", (), type_, attributes, at=self._at).results[0]

    def add(
        self,
        name: str,
        operands: Sequence[ir.Value],
        label: str,
        result: ir.Type | None = None,
        **attributes: ir.Attribute,
    ) -> ir.Value | None:
        """Add a case, if the dialect and the interpreter have the op for operands of these types."""
        key = (name, tuple([operand.type for operand in operands]), result, tuple(attributes.values()))
        if key not in self._is_defined:
            self._is_defined[key] = self._try(name, operands, result, attributes)
        if not self._is_defined[key]:
            return None
        op = create(name, operands, result, attributes, at=self._at)
        self.names.append(f"{name.removeprefix('stablehlo.')}({label})")
        self._results.append(op.results[0])
        return op.results[0]

    def add_binary(self, names: list[str], numbers: np.ndarray, **attributes: ir.Attribute) -> None:
        """Add ops of x and itself, and of x and each number on either side."""
        for name in names:
            self.add(name, [self.x, self.x], "x, x", **attributes)
        for number in numbers:
            value = self.constant(np.asarray(number))
            for name in names:
                self.add(name, [self.x, value], f"x, {number}", **attributes)
                self.add(name, [value, self.x], f"{number}, x", **attributes)

    def _try(
        self, name: str, operands: Sequence[ir.Value], result: ir.Type | None, attributes: dict[str, ir.Attribute]
    ) -> bool:
        ones = [np.ones(operand.type.shape, dtype_of(operand.type.element_type)) for operand in operands]
        try:
            op = create(name, operands, result, attributes, at=self._at)
        except ir.MLIRError:
            return False
        try:
            return op.verify() and len(fold(op, ones)) == 1
        except (ir.MLIRError, InterpreterError):
            return False
        finally:
            op.erase()

    def finish(self) -> ir.Module:
        """Return the cases."""
        create("func.return", self._results, (), at=self._at)
        refresh_type(self._main)
        return self.module


def some_of(values: np.ndarray, element: str) -> np.ndarray:
    """The special ones of the values, and some between."""
    described = element_type(element)
    special = np.array([0.0, -0.0, 1.0, -1.0, np.inf, -np.inf, np.nan][: 4 if described.is_integer else None])
    limits = () if described.kind is Kind.COMPLEX else described.bounds
    chosen = [special, np.array(limits), values[:: -(-len(values) // 24)]]
    return np.concatenate([part.astype(described.dtype) for part in chosen])


def comparisons() -> Iterator[dict[str, ir.Attribute]]:
    """The attributes of every comparison."""
    for direction, kind in product(DIRECTIONS, COMPARISONS):
        yield {
            "comparison_direction": ir.Attribute.parse(f"#stablehlo<comparison_direction {direction}>"),
            "compare_type": ir.Attribute.parse(f"#stablehlo<comparison_type {kind}>"),
        }


def identities(values: np.ndarray, element: str) -> Cases:
    """Chains of two ops, ops of an operand and itself, and of an operand and a constant on either side."""
    cases = sums(values, element)
    x = cases.x
    for inner, outer in product([name for name, arity in REWRITTEN.items() if arity == 1], repeat=2):
        value = cases.add(inner, [x], "x")
        if value is not None:
            cases.add(outer, [value], inner)
    for other in ELEMENTS:
        if element_type(other).bits == element_type(element).bits:
            type_ = ir.RankedTensorType.get(cases.type.shape, ir.Type.parse(other))
            value = cases.add("stablehlo.bitcast_convert", [x], f"x to {other}", type_)
            if value is not None:
                cases.add("stablehlo.bitcast_convert", [value], f"{other} to {element}", cases.type)
    arithmetic = [name for name, arity in REWRITTEN.items() if arity == 2]
    cases.add_binary(arithmetic, values if element_type(element).bits <= 8 else some_of(values, element))
    for attributes in comparisons():
        cases.add_binary(["stablehlo.compare"], some_of(values, element)[:9], **attributes)
    return cases


def sums(values: np.ndarray, element: str) -> Cases:
    """Sums and differences of an operand and a constant, in which `optimize-float` allows another zero."""
    cases = Cases(values, element)
    cases.add_binary(["stablehlo.add", "stablehlo.subtract"], some_of(values, element))
    return cases


def constants(values: np.ndarray, element: str) -> Cases:
    """Elementwise ops of constants: of all values, of pairs of all values of small types, and of one value repeated."""
    cases = Cases(values, element)
    some = some_of(values, element)
    paired = values if element_type(element).bits <= 8 else some
    lhs, rhs = [cases.constant(array) for array in np.meshgrid(paired, paired)]
    for name, arity in ARITY.items():
        cases.add(name, [cases.constant(values)] if arity == 1 else [lhs, rhs, lhs][:arity], "values")
        for one in some[:2]:
            cases.add(name, [cases.constant(np.asarray(one))] * arity, f"{one}")
    return cases


def differences(
    names: list[str], module: ir.Module, arguments: list[np.ndarray], each: Pass, fired: set[str], *, exact: bool = True
) -> list[str]:
    """The results that a pass changes; adds the patterns that fire."""
    before = interpret(module, arguments)
    report = optimize(module, each)
    fired |= {name for name, record in report.patterns.items() if record.fired}
    wrong: list[str] = []
    for name, old, new in zip(names, before, interpret(module, arguments), strict=True):
        if not isinstance(old, np.ndarray):
            assert old == new
        elif bits(old if exact else positive_zeros(old)) != bits(new if exact else positive_zeros(new)):
            wrong.append(f"{name} was\n{old}\nand is\n{new}")
    return wrong


@pytest.mark.parametrize(
    "elements",
    [
        pytest.param(("i1", "i8", "f8E4M3FN", "f32", "f64", "complex<f32>"), id="one of each kind"),
        pytest.param((*ELEMENTS,), marks=pytest.mark.release, id="all"),
    ],
)
def test_no_pattern_changes_a_value_of_any_element_type(elements: tuple[str, ...]) -> None:
    wrong: list[str] = []
    fired: set[str] = set()
    simplification, folder = AggressiveSimplification(optimize_float=False), AggressiveFolder(optimize_float=False)
    with CONTEXT, ir.Location.unknown():
        for element in elements:
            values = edges_of(element)
            for cases, each, exact in (
                (identities(values, element), simplification, True),
                (sums(values, element), AggressiveSimplification(), False),
                (constants(values, element), AggressiveFolder(), True),
            ):
                found = differences(cases.names, cases.finish(), [values], each, fired, exact=exact)
                wrong += [f"{element}: {text}" for text in found]
        for element in (*elements, *QUANTIZED):
            for kind, each in (("simplify_", simplification), ("fold_", folder)):
                found = differences(*retyped_programs(kind, element), each, fired)
                wrong += [f"{element}: {text}" for text in found]
    assert not wrong, "\n".join(wrong[:30])
    assert {each.name for each in PATTERNS} - fired == set(ELSEWHERE), "these never fired"
