"""This package's own parsers, as targets of fuzzers: what takes any bytes, and what it may say."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from stablehlo_py.artifacts.bytecode import Bytecode
from stablehlo_py.artifacts.contents import constant_bytes, functions
from stablehlo_py.artifacts.header import read_header
from stablehlo_py.artifacts.soundness import check
from stablehlo_py.errors import StablehloError
from stablehlo_py.passes.pipeline_text import parse_pipeline
from stablehlo_py.syntax.check_reader import rewrite_check_ops
from stablehlo_py.syntax.expansion import excess
from stablehlo_py.syntax.expected import ExpectedDiagnostics
from stablehlo_py.syntax.layout import laid_out
from stablehlo_py.syntax.outline import Outline
from stablehlo_py.syntax.scanner import ScanError
from stablehlo_py.syntax.tokens import without_locations

LIT = Path(__file__).resolve().parent.parent / "lit"
LONGEST = 1 << 14


class Target(NamedTuple):
    """Something to fuzz: what takes the bytes, the errors that it may raise, and what to begin with."""

    parse: Callable[[bytes], object]
    errors: tuple[type[Exception], ...]
    seeds: Callable[[], list[bytes]]


def read_artifact(data: bytes) -> None:
    """Read all of an artifact that this package reads itself."""
    read_header(data)
    bytecode = Bytecode(data)
    check(bytecode)
    functions(bytecode)
    constant_bytes(bytecode)


def read_text(data: bytes) -> None:
    """Read a program's text in all the ways of this package, and format it."""
    text = data.decode("latin-1")
    excess(data)
    without_locations(data)
    Outline(text)
    rewrite_check_ops(text)
    ExpectedDiagnostics.read("fuzzed", data.splitlines())
    formatted = laid_out(text)
    assert laid_out(formatted) == formatted, "formatting again changes what was formatted"


def read_pipeline(data: bytes) -> None:
    """Read a pipeline of passes."""
    parse_pipeline(data.decode("utf-8", "replace"))


def _files(pattern: str) -> list[bytes]:
    return [data for path in sorted(LIT.glob(pattern)) if len(data := path.read_bytes()) <= LONGEST]


TARGETS = {
    "artifacts": Target(read_artifact, (StablehloError,), lambda: _files("vhlo/*.bc")),
    "texts": Target(read_text, (StablehloError, ScanError), lambda: _files("**/*.mlir")),
    "pipelines": Target(
        read_pipeline,
        (StablehloError,),
        lambda: [b"builtin.module(func.func(cse,canonicalize{a=1 b={c=d}}),inline)", b"any(a{x=[1,2] y='z'},b)"],
    ),
}
