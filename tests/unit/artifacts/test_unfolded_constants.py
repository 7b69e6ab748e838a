"""Where a constant is copied before XLA's converter sees it, and where it is not."""

from __future__ import annotations

import pytest

from stablehlo_py.artifacts.formats.hlo_export import _unfoldable

F, N, U, B = "tensor<2xf32>", "tensor<2xi32>", "tensor<2xui32>", "tensor<2xi1>"
C, E = "tensor<2xcomplex<f32>>", "tensor<2xf8E5M2>"
CONSTANTS = {
    "%f": f"dense<1.0> : {F}",
    "%z": f"dense<0.0> : {F}",
    "%m": f"dense<[0.0, 1.0]> : {F}",
    "%i": f"dense<1> : {N}",
    "%u": f"dense<1> : {U}",
    "%b": f"dense<true> : {B}",
    "%c": f"dense<(1.0, 0.0)> : {C}",
    "%e": f"dense<1.0> : {E}",
    "%n": "dense<1> : tensor<i32>",
    "%k": "dense<1> : tensor<ui32>",
}


def copies(*lines: str) -> int:
    constants = "\n".join(f"{name} = stablehlo.constant {value}" for name, value in CONSTANTS.items())
    arguments = f"%x: {F}, %y: {C}, %w: {N}, %d: tensor<4xf32>, %j: tensor<ui32>, %p: {B}, %none: tensor<0xf32>"
    body = "\n".join(lines)
    text = f"func.func @main({arguments}) {{\n{constants}\n{body}\nreturn\n}}"
    return _unfoldable(text.encode()).decode().count("mhlo.copy")


SLICE = "stablehlo.dynamic_slice %d, {}, sizes = [2] : (tensor<4xf32>, tensor<{}>) -> tensor<2xf32>"
UPDATE = "stablehlo.dynamic_update_slice %d, %x, {} : (tensor<4xf32>, tensor<2xf32>, tensor<{}>) -> tensor<4xf32>"
COMPARE = "stablehlo.compare LT, {}, {}, TOTALORDER : ({}, {}) -> tensor<2xi1>"


@pytest.mark.parametrize(
    ("line", "count"),
    [
        (f"stablehlo.add %b, %b : {B}", 2),
        (f"stablehlo.add %b, %p : {B}", 0),
        (f"stablehlo.add %i, %i : {N}", 0),
        (f"stablehlo.multiply %b, %b : {B}", 0),
        (f"stablehlo.add %x, %z : {F}", 1),
        (f"stablehlo.add %x, %m : {F}", 0),
        (f"stablehlo.add %x, %f : {F}", 0),
        (f"stablehlo.subtract %x, %z : {F}", 1),
        (f"stablehlo.multiply %x, %z : {F}", 0),
        (f"stablehlo.add %w, %i : {N}", 0),
        (f"stablehlo.maximum %y, %c : {C}", 1),
        (f"stablehlo.minimum %c, %y : {C}", 1),
        (f"stablehlo.maximum %x, %f : {F}", 0),
        (f"stablehlo.multiply %y, %c : {C}", 0),
        (f"stablehlo.divide %i, %i : {N}", 2),
        (f"stablehlo.remainder %u, %u : {U}", 2),
        (f"stablehlo.divide %w, %i : {N}", 0),
        (f"stablehlo.divide %f, %f : {F}", 2),
        (f"stablehlo.sign %f : {F}", 1),
        (f"stablehlo.sign %i : {N}", 0),
        (f"stablehlo.abs %f : {F}", 0),
        (f"stablehlo.abs %e : {E}", 1),
        (f"stablehlo.convert %e : ({E}) -> {F}", 1),
        (f"stablehlo.convert %f : ({F}) -> {E}", 1),
        (f"stablehlo.convert %f : ({F}) -> {N}", 0),
        (f"chlo.tan %f : {F} -> {F}", 1),
        (COMPARE.format("%f", "%f", F, F), 2),
        (COMPARE.format("%f", "%x", F, F), 0),
        (SLICE.format("%k", "ui32"), 1),
        (SLICE.format("%n", "i32"), 0),
        (SLICE.format("%j", "ui32"), 0),
        (UPDATE.format("%k", "ui32"), 1),
        (UPDATE.format("%n", "i32"), 0),
    ],
)
def test_copies_stand_where_the_converter_is_wrong(line: str, count: int) -> None:
    assert copies(f"%r = {line}") == count


def test_what_follows_from_constants_is_found_too() -> None:
    broadcast = f"%r = stablehlo.broadcast_in_dim {{}}, dims = [0] : ({F}) -> tensor<2x3xf32>"
    add = "%s = stablehlo.add %r, %r : tensor<2x3xf32>"
    assert copies(broadcast.format("%z"), add) == 2
    assert copies(broadcast.format("%f"), add) == 0  # these are no zeros
    assert copies(broadcast.format("%x"), add) == 0
    negated = [f"%r = stablehlo.negate %f : {F}", f"%s = stablehlo.subtract %x, %r : {F}"]
    assert copies(*negated) == 1  # it may be zero as far as is known
    selected = [f"%r = stablehlo.select %p, %i, %i : {B}, {N}", f"%s = stablehlo.divide %r, %r : {N}"]
    assert copies(*selected) == 2
    assert copies(selected[0].replace("%i, %i", "%w, %i"), selected[1]) == 0
    assert copies(selected[0].replace("%p, %i, %i", "%b, %w, %w"), selected[1]) == 2
    assert copies("%r = stablehlo.negate %none : tensor<0xf32>", "%s = stablehlo.sign %r : tensor<0xf32>") == 1


@pytest.mark.parametrize(("returned", "count"), [("%s", 2), ("%t", 0)])
def test_state_of_a_loop_that_stays_a_constant_is_one(returned: str, count: int) -> None:
    assert (
        copies(
            f"%r:2 = stablehlo.while(%s = %i, %q = %w) : {N}, {N} cond {{",
            "%o = stablehlo.constant dense<false> : tensor<i1>",
            "stablehlo.return %o : tensor<i1>",
            "} do {",
            f"%t = stablehlo.divide %s, %s : {N}",
            f"%v = stablehlo.divide %q, %q : {N}",
            f"stablehlo.return {returned}, %q : {N}, {N}",
            "}",
        )
        == count
    )
