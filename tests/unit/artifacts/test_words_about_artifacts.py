"""What is said of artifacts: headers, matrices, remedies, places and versions, in words and as data."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest
from parsed import parsed

from stablehlo_py.artifacts import versions
from stablehlo_py.artifacts.contents import FunctionInfo
from stablehlo_py.artifacts.header import ArtifactInfo, artifact_version_line, read_header
from stablehlo_py.artifacts.matrix import Matrix, MatrixRow, plot
from stablehlo_py.artifacts.needs import Need, Place, op_name
from stablehlo_py.artifacts.remedies import Remedies, placed
from stablehlo_py.artifacts.versions import Feature, Version, first_version_with, resolve_version
from stablehlo_py.artifacts.writers import ProducerWriter
from stablehlo_py.bindings import make_context
from stablehlo_py.errors import UsageError
from stablehlo_py.syntax import Source

INFO = ArtifactInfo(
    version=Version(1, 2, 3),
    bytecode_version=6,
    producer="StableHLO_v1.2.3",
    size=2048,
    sections={"strings": 10, "section 77": 1024},
    dialects=("builtin", "vhlo"),
    op_names=("vhlo.add_v1", "vhlo.func_v1"),
    functions=(FunctionInfo("main", ("tensor<f32>",), ()), FunctionInfo("f", (), ("i1", "i2"))),
    constant_bytes=5,
)


def test_headers_in_words() -> None:
    assert str(INFO).splitlines() == [
        "StableHLO version:        1.2.3",
        "bytecode format version:  6",
        "producer:                 StableHLO_v1.2.3",
        "size:                     2.0 KiB (2048 B)",
        "  of it constants:        5 B",
        "dialects:                 builtin, vhlo",
        "kinds of ops:             2",
        "  vhlo.add_v1, vhlo.func_v1",
        "functions:                2",
        "  @main(tensor<f32>) -> ()",
        "  @f() -> (i1, i2)",
        "sections:",
        "  strings:                    10 B",
        "  section 77:                 1.0 KiB (1024 B)",
    ]
    assert str(INFO._replace(version=None)).startswith(
        "StableHLO version:        none: MLIR bytecode, but no portable artifact\n"
    )
    many = INFO._replace(op_names=tuple(f"vhlo.op_number_{number}" for number in range(30)))
    wrapped = [line for line in str(many).splitlines() if "op_number" in line]
    assert all(line.startswith("  vhlo") for line in wrapped)
    assert 80 < max(map(len, wrapped)) <= 100


def test_headers_as_data() -> None:
    assert INFO.as_dict() == {
        "stablehlo_version": "1.2.3",
        "bytecode_version": 6,
        "producer": "StableHLO_v1.2.3",
        "size": 2048,
        "constant_bytes": 5,
        "sections": {"strings": 10, "section 77": 1024},
        "dialects": ("builtin", "vhlo"),
        "ops": ("vhlo.add_v1", "vhlo.func_v1"),
        "functions": [
            {"name": "main", "inputs": ("tensor<f32>",), "outputs": ()},
            {"name": "f", "inputs": (), "outputs": ("i1", "i2")},
        ],
    }
    other = INFO._replace(version=None)
    assert (INFO.is_portable, other.is_portable, other.as_dict()["stablehlo_version"]) == (True, False, None)


def test_versions_in_the_words_of_mlirs_tools() -> None:
    module, buffer = parsed("module {}"), io.BytesIO()
    module.operation.write_bytecode(buffer)
    failed = "// Failed parsing StableHLO version from portable artifact"
    assert artifact_version_line(buffer.getvalue()) == failed
    assert artifact_version_line(b"no bytecode") == failed
    renamed = io.BytesIO()
    module.operation.write_bytecode(ProducerWriter(renamed, "StableHLO_v1.2.3"))
    assert artifact_version_line(renamed.getvalue()) == ("// Reading portable artifact with StableHLO version: 1.2.3")
    assert read_header(renamed.getvalue()).producer == "StableHLO_v1.2.3"


@pytest.mark.parametrize("step", [1, 2, 3, 5, 100])
def test_the_producer_is_exchanged_whatever_the_pieces_are(step: int) -> None:
    data, written = b"ML\xefR\x0dMLIR\0the rest\0of it", list[bytes]()
    writer = ProducerWriter(SimpleNamespace(write=written.append), "mine")
    for start in range(0, len(data), step):
        writer.write(data[start : start + step])
    assert b"".join(written) == b"ML\xefR\x0dmine\0the rest\0of it"
    assert written, "nothing waits for the end"


def feature(name: str, version: Version, lift: str = "") -> Feature:
    return Feature(version, name, "op", (f"{name}_v1",), f"the op {name}", lift, "", "")


VERSIONS = (Version(0, 9), Version(0, 10), Version(1, 0), Version(1, 1), Version(2, 0))
MARKS = {"12w": Version(0, 10), "4w": Version(1, 1), "current": Version(2, 0)}
ROWS = (
    MatrixRow("old", Version(0, 9), ()),
    MatrixRow("longer name", Version(1, 0), (Need(feature("tan", Version(1, 0))), Need(feature("sin", Version(1, 0))))),
    MatrixRow("bad", None, (), "cannot be read"),
)
MATRIX = Matrix(VERSIONS, ROWS, MARKS)


def test_matrices_as_text() -> None:
    assert MATRIX.to_text().splitlines() == [
        "             0  0  1  1  2",
        "             9  10 0  1  0",
        "                q     m  c",
        "old          ■  ■  ■  ■  ■  from 0.9.0",
        "longer name  ·  ·  ■  ■  ■  from 1.0.0: tan, sin",
        "bad          ·  ·  ·  ·  ·  cannot be read",
        "             q 12 weeks (0.10.0), m 4 weeks (1.1.0), c current (2.0.0)",
    ]
    assert Matrix(VERSIONS, (), MARKS).to_text().splitlines()[0] == "  0  0  1  1  2"


def test_matrices_as_data() -> None:
    found = MATRIX.to_json()
    assert json.loads(json.dumps(found)) == found
    assert (found["versions"], found["marks"]) == (
        ["0.9.0", "0.10.0", "1.0.0", "1.1.0", "2.0.0"],
        {"12w": "0.10.0", "4w": "1.1.0", "current": "2.0.0"},
    )
    assert found["programs"]["longer name"] == {
        "minimum": "1.0.0",
        "held_by": ["tan", "sin"],
        "problem": "",
        "cells": {"0.9.0": False, "0.10.0": False, "1.0.0": True, "1.1.0": True, "2.0.0": True},
    }
    bad = found["programs"]["bad"]
    assert (bad["minimum"], bad["problem"], {*bad["cells"].values()}) == (None, "cannot be read", {False})


class _Axes:
    """Axes of matplotlib that keep what is drawn."""

    def __init__(self) -> None:
        self.calls: list[tuple[str, tuple[Any, ...], dict[str, Any]]] = []
        self.hidden: list[bool] = []
        side = SimpleNamespace(set_visible=self.hidden.append)
        self.spines = {"left": side, "top": side}
        self.xaxis = SimpleNamespace(tick_top=lambda: None)

    def __getattr__(self, name: str) -> Any:
        return lambda *arguments, **options: self.calls.append((name, arguments, options))

    def of(self, name: str) -> list[tuple[tuple[Any, ...], dict[str, Any]]]:
        return [(arguments, options) for called, arguments, options in self.calls if called == name]


@pytest.fixture(name="drawn")
def _drawn(monkeypatch: pytest.MonkeyPatch) -> tuple[_Axes, list[Any]]:
    """A stand-in for matplotlib: its axes, and the figures that were saved."""
    axes, saved = _Axes(), list[Any]()

    class Figure:
        def __init__(self, figsize: Any) -> None:
            self.figsize = figsize

        def add_subplot(self) -> _Axes:
            return axes

        def savefig(self, path: Any, **options: Any) -> None:
            saved.append((path, self.figsize, options))

    class Context:
        def __init__(self, options: Any) -> None:
            saved.append(options)

        def __enter__(self) -> None: ...
        def __exit__(self, *_: object) -> None: ...

    parts = {
        "matplotlib": {"rc_context": Context},
        "matplotlib.figure": {"Figure": Figure},
        "matplotlib.patches": {"Rectangle": lambda place, width, height, color: (*place, width, height, color)},
    }
    for name, contents in parts.items():
        module = ModuleType(name)
        module.__dict__.update(contents)
        monkeypatch.setitem(sys.modules, name, module)
    return axes, saved


def test_matrices_are_drawn_cell_by_cell(drawn: tuple[_Axes, list[Any]]) -> None:
    axes, saved = drawn
    for ending in ("svg", "PNG"):
        plot(MATRIX, Path(f"m.{ending}"))
    options, (path, size, kept), _, (_, _, of_png) = saved
    assert options == {"backend": "agg", "svg.hashsalt": "stablehlo-py"}
    assert (path, [round(each, 2) for each in size]) == (Path("m.svg"), [4.6, 2.56])
    assert kept == {"format": "svg", "bbox_inches": "tight", "dpi": 150, "metadata": {"Date": None}}
    assert (of_png["format"], of_png["metadata"]) == ("png", {"Software": None})
    cells = [arguments[0] for arguments, _ in axes.of("add_patch")][: len(VERSIONS) * len(ROWS)]
    assert cells == [
        (column + 0.05, line + 0.05, 0.9, 0.9, "#2a7f62" if row.fits(version) else "#e4e4e4")
        for line, row in enumerate(ROWS)
        for column, version in enumerate(VERSIONS)
    ]
    named = {arguments[0]: arguments[1] for arguments, _ in axes.of("annotate")}
    assert named == {"12 weeks": (1.5, 0), "4 weeks": (3.5, 0), "current": (4.5, 0)}
    assert [options for _, options in axes.of("annotate")[:3]] == 3 * [
        {"xytext": (0, 34), "textcoords": "offset points", "ha": "center", "fontsize": 8,
         "arrowprops": {"arrowstyle": "-", "color": "#555555", "shrinkB": 26}},
    ]  # fmt: skip
    assert axes.of("set_yticks")[0][1] == axes.of("set_xlabel")[0][1] == {"fontsize": 9}
    assert axes.of("set_xlabel")[0][0] == ("StableHLO version that the program can be written for",)
    assert axes.of("tick_params")[0][1] == {"length": 0}
    assert axes.of("set_xlim")[0][0] == (0, 5)
    assert axes.of("set_ylim")[0][0] == (3, 0)
    assert axes.of("set_xticks")[0][0] == ([0.5, 1.5, 2.5, 3.5, 4.5],)
    assert axes.of("set_xticklabels")[0] == ((["0.9", "0.10", "1.0", "1.1", "2.0"],), {"rotation": 90, "fontsize": 8})
    assert axes.of("set_yticks")[0][0] == ([0.5, 1.5, 2.5], ["old", "longer name", "bad"])
    assert axes.hidden == [False] * 4


def test_a_picture_without_its_package_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(UsageError, match=r"install it with: pip install 'stablehlo-py\[plot\]'"):
        plot(MATRIX, Path("m.svg"))
    with pytest.raises(UsageError, match=r"'m\.gif' ends in neither \.svg nor \.png"):
        plot(MATRIX, Path("m.gif"))


LIFT = "expand it with: stablehlo-opt --stablehlo-compatibility-expander=target=X.Y.Z"


@pytest.mark.parametrize(
    ("path", "is_vhlo", "lift", "command", "advice"),
    [
        ("a b.mlir", False, LIFT, "stablehlo-opt --stablehlo-compatibility-expander=target=1.2.0 'a b.mlir'",
         "expand it with: stablehlo-opt --stablehlo-compatibility-expander=target=1.2.0 'a b.mlir'"),
        ("a", True, LIFT, "stablehlo-opt --stablehlo-deserialize --stablehlo-compatibility-expander=target=1.2.0 a",
         "expand it with: stablehlo-opt --stablehlo-deserialize --stablehlo-compatibility-expander=target=1.2.0 a"),
        ("a", True, "do without it", "", "do without it"),
        ("a", False, "", "", ""),
    ],
)  # fmt: skip
def test_remedies_are_commands_for_the_programs_file(
    path: str, is_vhlo: bool, lift: str, command: str, advice: str
) -> None:
    need, remedies = Need(feature("tan", Version(1, 4), lift)), Remedies(path, is_vhlo, Version(1, 2))
    assert (remedies.command(need), remedies.advice(need)) == (command, advice)
    assert need.version == Version(1, 4)


def test_programs_in_vhlo_are_told_by_their_text_or_their_producer() -> None:
    plain, portable = io.BytesIO(), io.BytesIO()
    module = parsed("module {}")
    module.operation.write_bytecode(plain)
    module.operation.write_bytecode(ProducerWriter(portable, "StableHLO_v1.2.3"))
    sources = [b"vhlo.func_v1 @f()", b"func.func @f()", plain.getvalue(), portable.getvalue()]
    found = [Remedies.of(Source("a", data), "path", Version(1, 0)) for data in sources]
    assert [each.is_vhlo for each in found] == [True, False, False, True]
    assert {(each.path, each.target) for each in found} == {("path", Version(1, 0))}


def test_places_without_a_location_get_that_of_the_text() -> None:
    text = "func.func @f(%x: tensor<f32>) {\n  %0 = stablehlo.abs %x : tensor<f32>\n  return\n}"
    source, context = Source("a.mlir", text.encode()), make_context()
    places = [Place("", "f", "stablehlo.abs", 1), Place("b:1:1", "f", "stablehlo.abs", 1), Place("", "f", "x", 9),
              Place("", "", "builtin.module", 0)]  # fmt: skip
    needs = (Need(feature("abs", Version(1, 0)), places),)
    (found,) = placed(needs, source, context)
    assert [place.location for place in found.places] == ["a.mlir:2:8", "b:1:1", "", ""]
    assert found.feature == needs[0].feature
    for kept in (
        (Need(feature("abs", Version(1, 0)), places[1:2]),),
        (Need(feature("abs", Version(1, 0)), places[3:]),),
    ):
        assert placed(kept, source, context) is kept
    assert placed(needs, Source("a", b"ML\xefR"), context) is needs
    assert placed(needs, Source("a", b"no program"), context) is needs


def test_places_in_words() -> None:
    assert str(Place("a.mlir:2:8", "f", "stablehlo.abs", 1)) == "a.mlir:2:8"
    assert str(Place("", "f", "stablehlo.abs", 1)) == "position 1 in @f"
    assert str(Place("", "", "builtin.module", 0)) == "the module"


@pytest.mark.parametrize(
    ("vhlo", "name"),
    [
        ("vhlo.tan_v2", "stablehlo.tan"),
        ("vhlo.func_v1", "func.func"),
        ("vhlo.call_v1", "func.call"),
        ("vhlo.custom_call_v12", "stablehlo.custom_call"),
        ("builtin.module", "builtin.module"),
        ("vhlo.add", "stablehlo.add"),
    ],
)
def test_ops_of_vhlo_have_the_names_of_stablehlos(vhlo: str, name: str) -> None:
    assert op_name(vhlo) == name


def test_versions_that_ops_came_with() -> None:
    assert first_version_with("tan") == "1.4.0"
    assert first_version_with("add") == "0.9.0 or before"
    assert Version.parse("1.10.3") == Version(1, 10, 3)
    assert Version(1, 10, 3).opset == Version(1, 10)
    with pytest.raises(UsageError) as raised:
        Version.parse("curent")
    assert raised.value.message == "'curent' is not a version; did you mean current?"
    current, minimum = versions.current_version(), versions.minimum_version()
    assert raised.value.notes == (
        f"a version is X.Y.Z from {minimum} to {current}, or one of current, minimum, 4w and 12w (the newest version "
        "that consumers of 4 or 12 weeks ago can read)",
    )
    above = current._replace(minor=current.minor + 1)
    with pytest.raises(UsageError, match=f"target version {above} is greater than current version {current}"):
        resolve_version(str(above))
    assert resolve_version(str(current._replace(patch=99))) == current.opset
    assert resolve_version(str(minimum)) == minimum
    with pytest.raises(UsageError, match="target"):
        resolve_version(1.2)  # type: ignore[arg-type]
    assert versions.opset_versions()[0] == minimum
    assert versions.opset_versions()[-1] == current.opset
