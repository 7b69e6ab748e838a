"""Signatures of ops from classes of any release, resources in mapped files, and remarks of any bindings."""

from __future__ import annotations

import inspect
import mmap
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from stablehlo_py.bindings import mapped, op_signatures, remarks
from stablehlo_py.bindings.mapped import _MappedFile
from stablehlo_py.bindings.op_signatures import (
    AttributeParameter,
    Group,
    OpSignature,
    _attribute_kind,
    _text,
    as_lists,
    declared_signature,
    is_known,
    newest_names,
    op_names,
    op_signature,
)
from stablehlo_py.errors import UsageError

IR = "jaxlib.mlir._mlir_libs._mlir.ir"


@pytest.mark.parametrize(
    ("annotation", "kind"),
    [
        (f"Union[Sequence[int], {IR}.DenseI64ArrayAttr]", "int_array"),
        (f"Union[Sequence[bool], {IR}.DenseBoolArrayAttr, NoneType]", "bool_array"),
        (f"Union[Any, {IR}.DenseIntElementsAttr]", "int_matrix"),
        (f"Union[int, {IR}.IntegerAttr]", "int"),
        (f"Union[float, {IR}.FloatAttr]", "float"),
        (f"Union[bool, {IR}.BoolAttr, NoneType]", "bool"),
        (f"Union[str, {IR}.FlatSymbolRefAttr]", "symbol"),
        (f"Union[str, {IR}.StringAttr]", "str"),
        (f"Union[dict[str, Any], {IR}.DictAttr]", "dictionary"),
        (f"Union[Any, {IR}.ArrayAttr, NoneType]", "array"),
        ("Optional[bool]", "flag"),
        (f"Union[Any, {IR}.Attribute, NoneType]", "attribute"),
        ("int", None),
        (f"{IR}.Value", None),
    ],
)
def test_what_an_annotation_stands_for(annotation: str, kind: str | None) -> None:
    assert _attribute_kind(annotation) == kind
    assert _text(annotation) == annotation
    assert _text(bool | None) == "Optional[bool]"


def annotated(text: str, returned: str | None = None) -> Any:
    """A function whose parameters and result have such annotations, as generated classes do."""
    parameters = [inspect.Parameter("self", inspect.Parameter.POSITIONAL_OR_KEYWORD)]
    for part in filter(None, text.split("; ")):
        name, _, kind = part.partition(": ")
        default = None if kind.startswith("?") else inspect.Parameter.empty
        parameters.append(
            inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=kind.removeprefix("?"))
        )

    def function(self: Any) -> None:
        """Does nothing."""

    found: Any = function
    found.__signature__ = inspect.Signature(parameters, return_annotation=returned or inspect.Signature.empty)
    return found


def made(text: str, **members: str) -> type:
    properties = {name: property(annotated("", returned)) for name, returned in members.items()}
    return type("Op", (), {"OPERATION_NAME": "d.op", "__init__": annotated(text), **properties, "other": 3})


def test_a_signature_is_read_from_a_class() -> None:
    own = made(
        f"result: <class '{IR}.Type'>; result2: Sequence[{IR}.Type]; one_: {IR}.Value; many: Sequence[{IR}.Value]; "
        f"lambda_: ?Union[int, {IR}.IntegerAttr]; flag: ?Optional[bool]; num_branches: int; results: x; loc: y; ip: z",
        cond=f"<class '{IR}.Region'>",
        branches=f"<class '{IR}.RegionSequence'>",
        result=f"{IR}.OpResult",
        all=f"{IR}.OpResultList",
        number="int",
    )
    assert op_signatures._signature(own) == OpSignature(
        "d.op",
        (Group("one", False), Group("many", True)),
        (AttributeParameter("lambda", "int", True), AttributeParameter("flag", "flag", True)),
        (Group("result", False), Group("result2", True)),
        (Group("cond", False), Group("branches", True)),
        (Group("result", False), Group("all", True)),
    )
    assert as_lists(op_signatures._signature(made(f"x: {IR}.Value"))) == ((("x", False),), (), (), (), ())


def test_an_op_of_the_newest_release_has_its_signature_in_every_release() -> None:
    found = op_signature("stablehlo.slice")
    assert found is not None
    assert found.operands == (Group("operand", False),)
    names = ("start_indices", "limit_indices", "strides")
    assert found.attributes == tuple(AttributeParameter(name, "int_array", False) for name in names)
    assert (found.declared_results, found.regions) == ((), ())
    assert op_signature("stablehlo.slice") is found
    assert op_signature("stablehlo.no_such_op") is None
    assert op_signature("no such dialect.op") is None
    assert declared_signature("stablehlo.no_such_op") is None
    assert "stablehlo.slice" in newest_names()
    assert newest_names() == sorted(newest_names())


def test_ops_of_dialects_with_classes_and_of_others(monkeypatch: pytest.MonkeyPatch) -> None:
    classes = {"d": {"d.op": made(f"x: {IR}.Value"), "d.bare": type("Bare", (), {"__init__": lambda self, x: None})}}
    monkeypatch.setattr(op_signatures, "_op_classes", lambda dialect: classes.get(dialect, {}))
    monkeypatch.setattr(op_signatures, "_newest", lambda: {"new.op": OpSignature("new.op", *((),) * 5)})
    for cached in (op_signatures._names, op_signatures.op_signature):
        cached.cache_clear()
    try:
        assert list(op_names("d")) == ["d.op", "d.bare"]
        assert [is_known(name) for name in ("d.op", "d.other", "e.op")] == [True, False, True]
        found = op_signature("d.op")
        assert found is not None
        assert found.operands == (Group("x", False),)
        assert declared_signature("d.op") == found
        assert declared_signature("d.bare") is None
        assert op_signature("d.other") is None
        assert list(op_names("new")) == []  # contexts do not know it
        assert op_signature("new.op") == OpSignature("new.op", (), (), (), (), ())
        # Bindings without classes have the newest release's ops that contexts know.
        known = {name: OpSignature(name, *((),) * 5) for name in ("stablehlo.none", "stablehlo.sine", "stablehlo.add")}
        known["chlo.none"] = OpSignature("chlo.none", *((),) * 5)
        monkeypatch.setattr(op_signatures, "_newest", lambda: known)
        for cached in (op_signatures._names, op_signatures.op_signature):
            cached.cache_clear()
        assert list(op_names("stablehlo")) == ["stablehlo.add", "stablehlo.sine"]
        assert list(op_names("chlo")) == []
        assert [is_known(name) for name in ("stablehlo.add", "stablehlo.none", "chlo.x")] == [True, False, True]
        assert op_signature("stablehlo.add") is known["stablehlo.add"]
        assert op_signature("stablehlo.none") is None
        assert op_signature("chlo.none") is known["chlo.none"]
    finally:
        for cached in (op_signatures._names, op_signatures.op_signature):
            cached.cache_clear()


@pytest.fixture
def file(tmp_path: Path) -> Any:
    """Makes a mapped file of some bytes."""
    opened = list[mmap.mmap]()

    def make(data: bytes) -> _MappedFile:
        path = tmp_path / "file"
        path.write_bytes(data)
        with path.open("rb") as source:
            opened.append(mmap.mmap(source.fileno(), 0, access=mmap.ACCESS_READ))
        return _MappedFile(opened[-1])

    return make


A, B = bytes(range(1, 65)), bytes(range(65, 129))


@pytest.mark.parametrize(
    ("data", "content", "alignment", "is_found"),
    [
        (A + B, A, 1, True),
        (A + B, B, 64, True),
        (b"x" + A, A, 1, True),
        (b"x" + A, A, 2, False),
        (b"xy" + A, A, 2, True),
        (A, A + B, 1, False),
        (A[:-1], A, 1, False),
        (bytes(64) + A, bytes(64) + A, 64, True),  # zeros in front are not searched for
        (bytes(8) + A + B, bytes(8) + A, 8, True),
        (A[:63] + b"x" + A, A, 64, True),  # the first match of the beginning is another one
        (A[:63] + b"x" + A, A[:63] + b"x", 64, True),
    ],
)
def test_a_resource_is_a_view_of_the_file_where_it_is_aligned(
    data: bytes, content: bytes, alignment: int, is_found: bool, file: Any
) -> None:
    found = file(data).view(content, alignment)
    assert (None if found is None else bytes(found)) == (content if is_found else None)


def test_resources_are_found_in_any_order_and_once_more(file: Any) -> None:
    data = A + B + A[::-1] + B[::-1]
    parts = [data[start : start + 64] for start in range(0, 256, 64)]
    for order in ((0, 1, 2, 3), (3, 2, 1, 0), (2, 0, 3, 1), (1, 1, 0, 0)):
        opened = file(data)
        for number in (*order, *order):
            found = opened.view(parts[number], 64)
            assert found is not None
            assert bytes(found) == parts[number]
    whole = file(data)
    assert bytes(whole.view(data, 1) or b"") == data
    assert bytes(whole.view(data[:65], 1) or b"") == data[:65]
    assert whole.view(data[:64] + b"x", 1) is None


def test_a_search_that_fails_too_often_ends(file: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    many = (A[:10] + b"x") * 17
    content = A[:10] + B
    monkeypatch.setattr(mapped, "_NEEDLE", 10)
    assert file(many[: 11 * 15] + content).view(content, 1) is not None
    assert file(many[: 11 * 16] + content).view(content, 1) is None
    monkeypatch.setattr(mapped, "_SEARCHES", 1)
    opened = file(B + A)
    assert opened.view(A[::-1], 1) is None  # which takes all that may be looked through
    assert opened.view(A, 1) is None
    assert file(B + A).view(A, 1) is not None


class Collecting:
    """A context that collects remarks."""

    def __init__(self, problem: str = "") -> None:
        self.calls, self.problem = list[Any](), problem

    def enable_remarks(self, **settings: Any) -> None:
        self.calls.append(settings)
        if self.problem:
            raise ValueError(self.problem)

    def finalize_remarks(self) -> None:
        self.calls.append("end")


@pytest.fixture
def engine(monkeypatch: pytest.MonkeyPatch) -> None:
    """Bindings with MLIR's remarks."""
    kinds = SimpleNamespace(Passed="passed", Missed="missed")
    policies, forms = SimpleNamespace(ALL="all", FINAL="final"), SimpleNamespace(YAML="yaml", BITSTREAM="bits")
    monkeypatch.setattr(remarks, "require", lambda name: None)
    monkeypatch.setattr(
        remarks, "ir", SimpleNamespace(RemarkKind=kinds, RemarkPolicy=policies, RemarkFormat=forms, Context=object)
    )


@pytest.mark.parametrize(
    ("form", "policy", "path", "more"),
    [
        ("emitRemark", "all", "", {"policy": "all"}),
        ("emitRemark", "final", "a", {"policy": "final"}),
        ("yaml", "all", "", {"policy": "all", "output_file": "mlir-remarks.yaml", "format": "yaml"}),
        ("yaml", "all", "a", {"policy": "all", "output_file": "a", "format": "yaml"}),
        ("bitstream", "final", "", {"policy": "final", "output_file": "mlir-remarks.bitstream", "format": "bits"}),
    ],
)
@pytest.mark.usefixtures("engine")
def test_remarks_are_collected_until_the_block_ends(form: str, policy: str, path: str, more: dict[str, str]) -> None:
    context: Any = Collecting()
    with remarks.remarks(context, {"missed": "x"}, form, policy, path):
        assert context.calls == [{"missed": "x", **more}]
    assert context.calls[1:] == ["end"]
    failing: Any = Collecting()
    with pytest.raises(KeyError), remarks.remarks(failing, {}, form, policy, path):
        raise KeyError
    assert failing.calls[1:] == ["end"]
    refusing: Any = Collecting("no such file")
    with pytest.raises(UsageError, match="no such file"), remarks.remarks(refusing, {}, form, policy, path):
        pass
    assert len(refusing.calls) == 1


@pytest.mark.usefixtures("engine")
def test_a_remark_is_emitted_where_the_bindings_can() -> None:
    said = list[Any]()
    location: Any = SimpleNamespace(emit_remark=lambda *given, **named: said.append((given, named)))
    remarks.emit_remark(location, "Passed", "name", "category", "text")
    remarks.emit_remark(location, "Missed", "name", "category")
    assert said == [
        (("passed", "name"), {"category": "category", "message": "text"}),
        (("missed", "name"), {"category": "category", "message": ""}),
    ]
    silent: Any = SimpleNamespace()
    remarks.emit_remark(silent, "Passed", "name", "category")
