"""Chains of casts that lead back to their first type."""

from __future__ import annotations

import pytest
from parsed import parsed

from stablehlo_py.passes.serialization import ReconcileUnrealizedCasts

CAST = "builtin.unrealized_conversion_cast"
A, B = "tensor<2xf32>", "tensor<2xi32>"


@pytest.mark.parametrize(
    ("lines", "kept"),
    [
        ([f"%0 = {CAST} %x : {A} to {B}", f"%r = {CAST} %0 : {B} to {A}"], 0),
        ([f"%0 = {CAST} %x : {A} to i1", f"%1 = {CAST} %0 : i1 to {B}", f"%r = {CAST} %1 : {B} to {A}"], 0),
        ([f"%0 = {CAST} to {B}", f"%r = {CAST} %0 : {B} to {A}"], 2),
        ([f"%r = {CAST} to {A}"], 1),
        ([f"%0 = {CAST} %x : {A} to {B}", f"%r = stablehlo.convert %0 : ({B}) -> {A}"], 1),
        ([f"%0:2 = {CAST} %x : {A} to {B}, {B}", f"%r = {CAST} %0#0 : {B} to {A}"], 2),
        ([f"%0:2 = {CAST} %x : {A} to {B}, i1", f"%r = {CAST} %0#0, %0#1 : {B}, i1 to {A}"], 0),
        ([f"%0:2 = {CAST} %x : {A} to i1, {B}", f"%r = stablehlo.convert %0#1 : ({B}) -> {A}"], 1),
        ([f"%0:2 = {CAST} %x : {A} to {B}, i1", f"%r = stablehlo.convert %0#0 : ({B}) -> {A}"], 1),
        ([f"%0:2 = {CAST} %x : {A} to {B}, i1", f"%r = stablehlo.negate %x : {A}"], 0),
        ([f"%0:2 = {CAST} %x, %x : {A}, {A} to {B}, i1", f"%r:2 = {CAST} %0#1, %0#0 : i1, {B} to {A}, {A}"], 2),
        ([f"%0:2 = {CAST} %x, %x : {A}, {A} to {B}, i1", f"%r:2 = {CAST} %0#0, %0#1 : {B}, i1 to {A}, {A}"], 0),
        ([f"%0 = {CAST} %x : {A} to {A}", f"%r = stablehlo.negate %0 : {A}"], 0),
        ([f"%0 = {CAST} %x : {A} to {B}", f"%r = stablehlo.negate %x : {A}"], 0),
        ([f"%0 = stablehlo.convert %x : ({A}) -> {B}", f"%r = {CAST} %0 : {B} to {A}"], 1),
    ],
)
def test_which_casts_stay(lines: list[str], kept: int) -> None:
    body, result = "\n  ".join(lines), "%r#0" if "%r:2" in lines[-1] else "%r"
    text = f"func.func @main(%x: {A}) -> {A} {{\n  {body}\n  return {result} : {A}\n}}"
    module = parsed(text)
    ReconcileUnrealizedCasts().run(module.operation)
    assert module.operation.verify()
    assert str(module).count(CAST) == kept, module
    if not kept and "negate" not in text:
        assert "return %arg0" in str(module), module
