"""Whatever a user has is read by its importer: what is handed to it, and what is told of the import."""

from __future__ import annotations

import io
import warnings
from pathlib import Path
from typing import Any

import pytest
from parsed import parsed

from stablehlo_py.artifacts import serialize
from stablehlo_py.artifacts.formats import reading, torch_export
from stablehlo_py.artifacts.formats.jax_export import Export
from stablehlo_py.artifacts.formats.reading import read_other_form, read_program

TEXT = "func.func @main(%x: tensor<f32>) -> tensor<f32> {\n  return %x : tensor<f32>\n}\n"
HLO = "HloModule m\nENTRY e { ROOT p = f32[] parameter(0) }\n"
MHLO = TEXT.replace("  return %x", "  %0 = mhlo.add %x, %x : tensor<f32>\n  return %0")


class ModelProto:
    """A model of ONNX."""

    __module__ = "onnx.onnx_ml_pb2"

    def SerializeToString(self) -> bytes:  # noqa: N802 (protobuf's name)
        return b"model"


class ExportedProgram:
    """A program of torch.export."""

    __module__ = "torch.export.exported_program"


class Exported:
    """An export of jax."""

    mlir_module_serialized = in_tree = out_tree = module_kept_var_idx = None


class Lowered:
    """A stage of jax."""

    __module__ = "jax.stages"


EXPORT = Export("of jax", TEXT.encode(), lambda *_: [], lambda _: None, ())


@pytest.fixture(name="asked")
def _asked(monkeypatch: pytest.MonkeyPatch) -> list[tuple[Any, ...]]:
    """What importers were given; each returns the program, and a doubt if it was to check."""
    found: list[tuple[Any, ...]] = []

    def to_mlir(data: bytes, form: str, name: str, check: Any) -> tuple[bytes, str]:
        found.append((data, form, name, check))
        return TEXT.encode(), f"doubt of {check}" if check else ""

    from stablehlo_py.artifacts.formats import jax_export

    monkeypatch.setattr(reading, "to_mlir", to_mlir)
    monkeypatch.setattr(torch_export, "saved", lambda _: b"torch")
    monkeypatch.setattr(jax_export, "read_export", lambda _: EXPORT)
    monkeypatch.setattr(jax_export, "from_exported", lambda _: EXPORT)
    monkeypatch.setattr(jax_export, "from_stage", lambda _: EXPORT)
    monkeypatch.setattr(jax_export, "check_export", lambda _, check: f"doubt of {check}")
    return found


STRING = "<string>"
SOURCES = [
    (ModelProto(), "", (b"model", "onnx", STRING), "from onnx", False),
    (ExportedProgram(), "", (b"torch", "torch-export", STRING), "from torch-export", False),
    (HLO, "", (HLO.encode(), "hlo-text", STRING), "from hlo-text", False),
    (HLO.encode(), "", (HLO.encode(), "hlo-text", STRING), "from hlo-text", False),
    (MHLO, "", (MHLO.encode(), "mhlo", STRING), "from mhlo", False),
    ("anything", "hlo-proto", (b"anything", "hlo-proto", STRING), "from hlo-proto", False),
    (b"data", "jax-export", (b"data", "jax-export", STRING), "from jax-export", True),
    (Exported(), "", None, "a jax.export.Exported", True),
]


@pytest.mark.parametrize(("source", "form", "given", "name", "is_nested"), SOURCES, ids=range(len(SOURCES)))
@pytest.mark.parametrize("checked", [False, True])
def test_sources_go_to_their_importer(
    source: Any, form: str, given: tuple[Any, ...] | None, name: str, is_nested: bool, checked: bool,
    asked: list[tuple[Any, ...]],
) -> None:  # fmt: skip
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        chosen = [lambda form: f"the check of {form}"] if checked else []
        module, export = read_program(source, form, *chosen)
    form = given[1] if given else "jax-export"
    check = f"the check of {form}" if checked else None
    assert asked == ([(*given, check)] if given else [])
    assert [str(each.message) for each in caught] == (
        [f"importing {name}: doubt of the check of {form}"] if checked else []
    )
    assert (export is EXPORT) == is_nested
    assert "func.func @main" in str(module)


def test_stages_of_jax_are_not_checked(asked: list[tuple[Any, ...]]) -> None:
    module, export = read_program(Lowered(), "", lambda form: pytest.fail("nothing to compare with"))  # type: ignore[arg-type]
    assert export is EXPORT
    assert "@main" in str(module)


def test_warnings_name_the_file(tmp_path: Path, asked: list[tuple[Any, ...]]) -> None:
    path = tmp_path / "model.onnx"
    path.write_bytes(b"model")
    with pytest.warns(UserWarning, match=f"^importing {path}: doubt of a check$"):
        read_program(path, "", lambda _: "a check")  # type: ignore[arg-type, return-value]
    assert asked == [(b"model", "onnx", str(path), "a check")]


def test_programs_of_mlir_are_in_no_other_form(tmp_path: Path) -> None:
    module = parsed(TEXT)
    assert read_program(module) == (module, None)
    assert read_other_form(module) == (module, None)
    bytecode = io.BytesIO()
    module.operation.write_bytecode(bytecode)
    path = tmp_path / "a.mlir"
    path.write_text(TEXT)
    for source in (TEXT, TEXT.encode(), path, bytecode.getvalue(), serialize(module, "1.0.0")):
        if source is not path:
            assert read_other_form(source) is None
        found, export = read_program(source)
        assert export is None
        assert "return %arg0 : tensor<f32>" in str(found)
    remark = TEXT.replace("func.func", "// HloModule mhlo.add\nfunc.func")
    assert read_other_form(remark) is None
    assert "return %arg0" in str(read_program(remark)[0])
