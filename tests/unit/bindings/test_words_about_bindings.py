"""What is said where the bindings are missing, lack something, or raise an error of their own."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

from stablehlo_py.bindings import capabilities, diagnostics, ir, make_context, provider
from stablehlo_py.bindings.diagnostics import describe_exception, diagnostics_to, verified, warn
from stablehlo_py.errors import Diagnostic, ProviderError, ResourceError, VerificationError
from stablehlo_py.isolation.limits import MEMORY_VARIABLE
from stablehlo_py.syntax import suggestions

providers: Any = importlib.import_module("stablehlo_py.bindings.provider")
filechecks: Any = importlib.import_module("stablehlo_py.testing.filecheck")


def failing(error: Exception) -> Callable[[Any, str], Any]:
    def module(self: Any, name: str) -> Any:
        raise error

    return module


@pytest.mark.parametrize(
    ("name", "advice", "number"),
    [
        ("", "no package with the StableHLO dialect could be imported; install one with: pip install jaxlib", 3),
        ("jaxlib", "STABLEHLO_PY_PROVIDER asks for jaxlib, which could not be imported; install it with: "
         "pip install jaxlib", 1),
        ("torch_mlir", "STABLEHLO_PY_PROVIDER asks for torch_mlir, which could not be imported; install it with: "
         "pip install torch-mlir", 1),
    ],
)  # fmt: skip
@pytest.mark.parametrize("error", [ImportError("why"), OSError("why"), SystemError("why")])
def test_each_provider_that_failed_is_named(
    name: str, advice: str, number: int, error: Exception, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(providers.VARIABLE, name)
    monkeypatch.setattr(providers.Provider, "module", failing(error))
    with pytest.raises(ProviderError) as raised:
        providers._find()
    assert raised.value.message == advice
    names = [name] if name else ["jaxlib", "mlir", "torch_mlir"]
    assert raised.value.notes == tuple(f"{each}: why" for each in names)
    assert len(names) == number


@pytest.mark.parametrize(
    ("limit", "error", "note"),
    [("40", ImportError("why"), "jaxlib: why"), ("", MemoryError(), "jaxlib: out of memory")],
)
def test_only_a_lack_of_memory_below_a_limit_ends_the_search(
    limit: str, error: Exception, note: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(providers.VARIABLE, raising=False)
    monkeypatch.setenv(MEMORY_VARIABLE, limit)
    monkeypatch.setattr(providers.Provider, "module", failing(error))
    with pytest.raises(ProviderError) as raised:
        providers._find()
    assert raised.value.notes[0] == note
    assert len(raised.value.notes) == 3


def test_a_lack_of_memory_names_its_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(providers.VARIABLE, raising=False)
    monkeypatch.setenv(MEMORY_VARIABLE, "40")
    monkeypatch.setattr(providers.Provider, "module", failing(MemoryError()))
    with pytest.raises(ResourceError) as raised:
        providers._find()
    assert raised.value.message == "the limit of memory is too low to load the package with the StableHLO dialect"
    limit, failure = raised.value.notes
    assert limit.startswith("the limit is 40 bytes")
    assert failure == "jaxlib: out of memory"


def test_a_provider_without_a_distribution_has_no_known_version() -> None:
    assert providers.Provider("a", "no-such-distribution", "a").version() == "unknown"
    assert providers.Provider("a", "a", "json").optional_module("no_such_module") is None
    assert providers.Provider("a", "a", "json").optional_module("decoder").__name__ == "json.decoder"


def test_a_missing_capability_names_a_release_that_has_it(monkeypatch: pytest.MonkeyPatch) -> None:
    for has_substitute in (True, False):
        monkeypatch.setattr(capabilities, "_FOUND", dict.fromkeys(capabilities.capabilities(), False))
        names = capabilities.missing(with_substitute=has_substitute)
        assert ("inliner" in names, "remarks" in names) == (has_substitute, not has_substitute)
    with pytest.raises(ProviderError) as raised:
        capabilities.require("remarks")
    installed = f"{provider.distribution} {provider.version()}"
    assert (
        raised.value.message
        == f"collecting remarks of passes needs jaxlib 0.12.0 or later, and {installed} is installed"
    )
    monkeypatch.setattr(capabilities, "_FOUND", {"remarks": True})
    capabilities.require("remarks")


def test_errors_of_cpp_are_data() -> None:
    note = Diagnostic("note", "", "--guard-memory=BYTES and STABLEHLO_PY_GUARD_MEMORY set the limit")
    assert describe_exception(MemoryError()) == Diagnostic(
        "error", "", "this takes more memory than it may", (note,)
    )  # fmt: skip
    assert describe_exception(ValueError("why")) == Diagnostic("error", "", "why")


@pytest.mark.parametrize(
    ("error", "text"),
    [
        (UnicodeDecodeError("utf-8", b"a\xffb", 1, 2, "bad"), "a\\xffb"),
        (RuntimeError(), "the compiler's message quotes bytes that are not UTF-8"),
    ],
)
def test_messages_that_are_not_utf_8_stay_messages(error: Exception, text: str) -> None:
    class Said:
        severity = SimpleNamespace(name="ERROR")
        notes = ()
        location = ir.Location.file("a.mlir", 2, 3, make_context())

        @property
        def message(self) -> str:
            raise error

    said: Any = Said()
    assert diagnostics.describe(said) == Diagnostic("error", "a.mlir:2:3", text)


def test_warnings_go_to_the_innermost_listener() -> None:
    context, outer, inner = make_context(), list[Diagnostic](), list[Diagnostic]()
    at = ir.Location.file("a.mlir", 2, 3, context)
    warn(at, "lost")
    with diagnostics_to(context, outer.append):
        with diagnostics_to(context, inner.append):
            warn(at, "inner")
        warn(at, "outer")
    assert inner == [Diagnostic("warning", "a.mlir:2:3", "inner")]
    assert outer == [Diagnostic("warning", "a.mlir:2:3", "outer")]


def test_what_is_verified_says_why_it_is_wrong() -> None:
    context = make_context()
    with pytest.raises(VerificationError) as raised:
        verified(context, lambda: ir.Module.parse("func.func @f(", context))
    assert [each.severity for each in raised.value.diagnostics] == ["error"]
    assert verified(context, lambda: 3) == 3


@pytest.mark.parametrize(
    ("message", "text", "before", "program", "words"),
    [
        ("custom op 'stablehlo.tanhh' is unknown", "", "", "", ("stablehlo.tanhh", "stablehlo.tanh")),
        ("Dialect `stablehl' not found for custom op 'stablehl.add'", "", "", "", ("stablehl.add", "stablehlo.add")),
        ("being parsed with an unregistered dialect", "", '"stablehl.add"', "", ("stablehl.add", "stablehlo.add")),
        ("use of undeclared SSA value name", "%valeu,", "", "%value = x %valeu = y", ("%valeu", "%value")),
        ("requires attribute 'dimension'", "{dimensoin = 1}", "", "", ("dimensoin", "dimension")),
        ("to be one of: LT, LE, EQ", " less_equal", "", "", ("less_equal", "LE")),
        ("to be one of: DEFAULT, HIGH", "HIHG", "", "", ("HIHG", "HIGH")),
        ("to be one of: DEFAULT, HIGH", "LESS", "", "", None),
        ("x but got 'tensor<2xsi32>'", "", "", "", ("si32", "i32")),
        ("expected non-function type", "float", "", "", ("float", "f32")),
        ("expected non-function type", " uint8", "", "", ("uint8", "ui8")),
        ("expected type", "bfloat16", "", "", ("bfloat16", "bf16")),
        ("expected type", "float64", "", "", ("float64", "f64")),
        ("expected type", "int32", "", "", ("int32", "i32")),
        ("expected type", "3", "", "", None),
        ("expected type", "double", "", "", ("double", "f64")),
        ("expected type", "LESS_EQUAL", "", "", None),
        ("expected type", "GREATER", "", "", None),
        ("to be one of: LT, F64", "double", "", "", None),
        ("expected 'dims'", "dim", "", "", ("dim", "dims")),
        ("expected 'dims'", "qqqq", "", "", None),
        ("nothing known", "dims", "", "", None),
    ],
)
def test_misspelled_words_have_a_nearest_right_one(
    message: str, text: str, before: str, program: str, words: tuple[str, str] | None
) -> None:
    assert suggestions.suggestion(message, text, before, program) == words


def test_filechecks_are_looked_for_in_order(monkeypatch: pytest.MonkeyPatch) -> None:
    found = {"FileCheck": "/path/FileCheck", "filecheck": "/path/filecheck", filechecks._beside(): "/beside"}
    installed = ["/usr/lib/llvm-9/bin/FileCheck", "/usr/lib/llvm-18/bin/FileCheck", "/usr/lib/llvm-2/bin/FileCheck"]
    monkeypatch.setattr(filechecks.shutil, "which", found.get)
    monkeypatch.setattr(filechecks.glob, "glob", {"/usr/lib/llvm-*/bin/FileCheck": installed}.get)
    monkeypatch.setenv(filechecks.VARIABLE, "FileCheck:filecheck")
    assert filechecks.find_filechecks() == ["/path/FileCheck", "/path/filecheck"]
    monkeypatch.setenv(filechecks.VARIABLE, "FileCheck:none")
    assert filechecks.find_filechecks() == []
    monkeypatch.delenv(filechecks.VARIABLE)
    assert filechecks.find_filechecks() == [filechecks.find_filecheck()] == ["/path/FileCheck"]
    del found["FileCheck"]
    assert filechecks.find_filechecks() == ["/usr/lib/llvm-18/bin/FileCheck"]
    installed.clear()
    assert filechecks.find_filechecks() == ["/beside"]
    found.pop(filechecks._beside())
    assert filechecks.find_filechecks() == ["/path/filecheck"]
    found.clear()
    assert filechecks.find_filecheck() is None
    with pytest.raises(FileNotFoundError, match="FileCheck is not installed; install it with: pip install filecheck"):
        filechecks.filecheck("a", "CHECK: a")


@pytest.mark.parametrize("before", [False, True])
def test_a_context_gives_errors_to_handlers_afterwards_if_it_did_before(before: bool) -> None:
    context = make_context()
    if not _can_be_asked(context):
        return  # old bindings
    context.emit_error_diagnostics = before
    for _ in range(2):
        with diagnostics_to(context, lambda _: None):
            assert context.emit_error_diagnostics
            with diagnostics_to(context, lambda _: None):
                assert context.emit_error_diagnostics
            assert context.emit_error_diagnostics, "what is around still listens"
        assert context.emit_error_diagnostics is before


def _can_be_asked(context: ir.Context) -> bool:
    try:
        return context.emit_error_diagnostics in (True, False)
    except AttributeError:
        return False
