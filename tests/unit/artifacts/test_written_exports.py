"""Serialized exports of jax, written field by field: what is read of each, and what absent ones mean."""

from __future__ import annotations

from typing import Any

import pytest
from written_flatbuffers import flatbuffer

from stablehlo_py.artifacts.formats.jax_export import Export, is_export, read_export
from stablehlo_py.errors import ArgumentError, InputError

ARTIFACT = b"ML\xefR\x0dStableHLO_v1.0.0\0..."
LEAF: dict[int, Any] = {0: ("b", 0)}


def tree(kind: int, *children: dict[int, Any], names: list[str] | None = None) -> dict[int, Any]:
    return {0: ("b", kind), 1: list(children)} | ({} if names is None else {2: names})


def arguments(*positional: dict[int, Any], **named: dict[int, Any]) -> dict[int, Any]:
    return tree(2, tree(2, *positional), tree(4, *named.values(), names=[*named]))


FIELDS: dict[int, Any] = {1: "f", 2: arguments(LEAF), 4: LEAF, 13: ARTIFACT}


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({}, {}),
        ({1: "größer"}, {"name": "größer"}),
        ({6: ("h", 3)}, {"devices": 3}),
        ({18: ("I", 5)}, {"devices": 5}),
        ({18: ("I", 70000), 6: ("h", 3)}, {"devices": 70000}),
        ({18: ("I", 0), 6: ("h", 3)}, {"devices": 3}),
        ({18: ("I", 0), 6: ("h", 0)}, {"devices": 1}),
        ({9: ["cpu"]}, {"platforms": ("cpu",)}),
        ({9: ["cuda", "cpu", "tpu"]}, {"platforms": ("cuda", "cpu", "tpu"), "platform_index": 1}),
        ({9: ["cuda", "tpu"]}, {"platforms": ("cuda", "tpu"), "platform_index": 0}),
        ({15: ("H", "list", [0, 2, 70])}, {"kept": (0, 2, 70)}),
        ({15: ("H", "list", [])}, {}),
    ],
)
def test_fields_are_read_and_have_defaults(fields: dict[int, Any], expected: dict[str, Any]) -> None:
    data = flatbuffer(FIELDS | fields)
    assert is_export(data)
    found = read_export(data)
    known = {"name": "f", "program": ARTIFACT, "kept": (), "platforms": (), "devices": 1, "platform_index": 0}
    assert {name: getattr(found, name) for name in known} == known | expected


def test_a_name_may_be_absent() -> None:
    assert read_export(flatbuffer({number: FIELDS[number] for number in (2, 4, 13)})).name == ""


@pytest.mark.parametrize(
    ("result", "count", "value"),
    [
        (LEAF, 1, 0),
        (tree(1), 0, None),
        (tree(2), 0, ()),
        (tree(2, LEAF, LEAF), 2, (0, 1)),
        (tree(3, LEAF, tree(2, LEAF), tree(1)), 2, [0, (1,), None]),
        (tree(4, LEAF, tree(3, LEAF), names=["b", "a"]), 2, {"b": 0, "a": [1]}),
    ],
)
def test_results_are_nested_as_the_export_says(result: dict[int, Any], count: int, value: Any) -> None:
    found = read_export(flatbuffer(FIELDS | {4: result})).unflatten(list(range(count)))
    assert found == value
    assert type(found) is type(value)


def test_arguments_are_nested_as_the_export_says() -> None:
    pair = tree(2, LEAF, tree(4, LEAF, LEAF, names=["x", "y"]))
    export: Export = read_export(flatbuffer(FIELDS | {2: arguments(pair, LEAF, mask=LEAF, more=tree(3, LEAF))}))
    assert export.flatten([(1, {"y": 3, "x": 2}), 4], {"more": [6], "mask": 5}) == [
        ("args[0][0]", 1), ("args[0][1]['x']", 2), ("args[0][1]['y']", 3), ("args[1]", 4),
        ("kwargs['mask']", 5), ("kwargs['more'][0]", 6),
    ]  # fmt: skip
    for positional, named, said in (
        ([1], {"mask": 1, "more": [1]}, "the program takes 2 positional arguments, not 1"),
        ([(1, {"x": 1, "y": 2}), 1], {"mask": 1}, "the program takes these named arguments: mask, more; not: mask"),
        ([(1, {"x": 1}), 1], {"mask": 1, "more": [1]}, "argument args[0][1] is to be a dictionary of ['x', 'y']"),
    ):
        with pytest.raises(ArgumentError) as raised:
            export.flatten(positional, named)
        assert raised.value.message.startswith(said)


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({13: None}, "the export holds no program"),
        ({2: None}, "the export does not say how its arguments and results are nested"),
        ({4: None}, "the export does not say how its arguments and results are nested"),
        ({4: {0: ("b", 5), 3: "my.Type"}}, "the export nests values in 'my.Type', a type of the program that made it"),
        ({2: tree(2, tree(2, {0: ("b", 7), 3: "a.B"}), tree(4))}, "the export nests values in 'a.B', a type"),
        ({4: {0: ("b", -1), 3: "my.Type"}}, "the export nests values in 'my.Type', a type"),
    ],
)
def test_exports_that_cannot_be_called_are_refused(fields: dict[int, Any], said: str) -> None:
    given = {number: value for number, value in (FIELDS | fields).items() if value is not None}
    with pytest.raises(InputError) as raised:
        read_export(flatbuffer(given))
    assert raised.value.message.startswith(said)
    if "my.Type" in said:
        assert list(raised.value.notes) == ["pass the jax.export.Exported that jax.export.deserialize makes of it"]


def test_other_bytes_are_no_export() -> None:
    data = flatbuffer(FIELDS)
    for other in (b"", b"\4", data[:20], flatbuffer({1: "f"}), flatbuffer({13: b"MLIR"}), flatbuffer({}), ARTIFACT):
        assert not is_export(other)
    assert is_export(flatbuffer({13: b"ML\xefR"}))
    with pytest.raises(InputError):
        read_export(data[: data.index(ARTIFACT)])
