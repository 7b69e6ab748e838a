"""Arguments and results of programs of jax: their nesting, its names in messages, and what is known of each export."""

from __future__ import annotations

import re
from typing import Any

import pytest
from parsed import parsed

from stablehlo_py.artifacts.formats import export, is_mhlo, recognize, to_mlir
from stablehlo_py.artifacts.formats.jax_export import Tree, call_leaves
from stablehlo_py.errors import ArgumentError, InputError, UsageError
from stablehlo_py.syntax.source import Source

LEAF, NONE = Tree("leaf"), Tree("none")
PAIR = Tree("tuple", (LEAF, LEAF))
LIST = Tree("list", (LEAF, PAIR))
DICT = Tree("dict", (LEAF, LIST, NONE), ("w", "b", "n"))
VALUE = {"w": 1, "b": [2, (3, 4)], "n": None}


def test_leaves_have_their_paths_and_come_back_in_their_places() -> None:
    leaves = list(DICT.flatten(VALUE, "args[0]"))
    assert leaves == [("args[0]['w']", 1), ("args[0]['b'][0]", 2), ("args[0]['b'][1][0]", 3), ("args[0]['b'][1][1]", 4)]
    assert DICT.unflatten(iter([1, 2, 3, 4])) == VALUE
    assert list(LIST.flatten((2, [3, 4]))) == [("[0]", 2), ("[1][0]", 3), ("[1][1]", 4)]  # lists for tuples
    assert list(NONE.flatten(None)) == []
    assert NONE.unflatten(iter([])) is None
    assert type(LIST.unflatten(iter([1, 2, 3]))) is list


@pytest.mark.parametrize(
    ("tree", "value", "said"),
    [
        (NONE, 0, "argument a is to be None, not a int"),
        (PAIR, None, "argument a is to be a tuple of 2, not None"),
        (PAIR, 3, "argument a is to be a tuple of 2, not a int"),
        (PAIR, (1, 2, 3), "argument a is to be a tuple of 2, not a tuple of 3"),
        (PAIR, [1], "argument a is to be a tuple of 2, not a list of 1"),
        (LIST, {"x": 1, "y": 2}, "argument a is to be a list of 2, not one of ['x', 'y']"),
        (LIST, [1, [2]], "argument a[1] is to be a tuple of 2, not a list of 1"),
        (DICT, [1, 2, 3], "argument a is to be a dictionary of ['w', 'b', 'n'], not a list of 3"),
        (DICT, {"w": 1}, "argument a is to be a dictionary of ['w', 'b', 'n'], not one of ['w']"),
        (
            DICT,
            {**VALUE, "x": 1},
            "argument a is to be a dictionary of ['w', 'b', 'n'], not one of ['w', 'b', 'n', 'x']",
        ),
        (DICT, {**VALUE, "n": 1}, "argument a['n'] is to be None, not a int"),
    ],
)
def test_values_of_another_structure_are_told(tree: Tree, value: Any, said: str) -> None:
    with pytest.raises(ArgumentError) as raised:
        list(tree.flatten(value, "a"))
    assert raised.value.message == said
    with pytest.raises(ArgumentError) as raised:
        list(tree.flatten(value))
    assert raised.value.message == said.replace("argument a is", "the argument is").replace("argument a[", "argument [")


CALL = Tree("tuple", (Tree("tuple", (LEAF, PAIR)), Tree("dict", (LEAF,), ("mask",))))
PLAIN = Tree("tuple", (Tree("tuple", (LEAF,)), Tree("dict")))


def test_leaves_of_a_call_are_named_as_jax_does() -> None:
    found = call_leaves(CALL, [1, [2, 3]], {"mask": 4})
    assert found == [("args[0]", 1), ("args[1][0]", 2), ("args[1][1]", 3), ("kwargs['mask']", 4)]


@pytest.mark.parametrize(
    ("tree", "arguments", "keywords", "said"),
    [
        (CALL, [1], {"mask": 4}, "the program takes 2 positional arguments, not 1"),
        (PLAIN, [1, 2], {}, "the program takes 1 positional argument, not 2"),
        (CALL, [1, (2, 3)], {}, "the program takes these named arguments: mask; not: "),
        (CALL, [1, (2, 3)], {"mask": 1, "n": 2}, "the program takes these named arguments: mask; not: mask, n"),
        (PLAIN, [1], {"n": 2}, "the program takes these named arguments: none; not: n"),
    ],
)
def test_calls_of_another_structure_are_told(
    tree: Tree, arguments: list[Any], keywords: dict[str, Any], said: str
) -> None:
    with pytest.raises(ArgumentError) as raised:
        call_leaves(tree, arguments, keywords)
    assert raised.value.message == said


HLO = b"HloModule m\nENTRY e { ROOT p = f32[] parameter(0) }"
FORMS = [
    ("f", HLO, "hlo-text"),
    ("f", b"\xef\xbb\xbf// a\n /* b\n */ " + HLO, "hlo-text"),
    ("f.onnx", HLO, "hlo-text"),
    ("f", b"HloModules", ""),
    ("f.hlo.pb", b"data", "hlo-proto"),
    ("f.pb", b"data", ""),
    ("f.onnx", b"data", "onnx"),
    ("f.pt2", b"data", "torch-export"),
    ("f.pt2", b"ML\xefRdata", ""),  # bytecode is what it is
    ("f.pt", b"data", ""),
    ("f", b"data ML\xefR", ""),
    ("f.mlir", b"func.func @f() { return }", ""),
]


@pytest.mark.parametrize(("name", "data", "form"), FORMS, ids=range(len(FORMS)))
def test_forms_are_recognized(name: str, data: bytes, form: str) -> None:
    assert recognize(Source(name, data)) == form


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"%0 = mhlo.add %x, %x", True),
        (b'%0 = "mhlo.add"(%x) : ()', True),
        (b"mhlo.sharding = 1", False),
        (b'{mhlo.a = "mhlo.b"}', False),
        (b"stablehlo.add", False),
        (b"ML\xefR = mhlo.add", False),
    ],
)
def test_text_of_mhlo_is_told_by_its_ops(data: bytes, expected: bool) -> None:
    assert is_mhlo(Source("f", data)) is expected


def test_forms_that_are_none_are_refused_with_those_that_are() -> None:
    with pytest.raises(UsageError) as raised:
        to_mlir(b"", "hlo-txt")
    assert raised.value.message == "no importer for 'hlo-txt'; did you mean hlo-text?"
    assert raised.value.notes == ("there are hlo-text, hlo-proto, jax-export, mhlo, onnx, torch-export",)
    module = parsed("func.func @main() { return }")
    with pytest.raises(UsageError) as raised:
        export(module, "mhl")
    assert raised.value.message == "no exporter for 'mhl'; did you mean mhlo?"
    assert raised.value.notes == ("there are hlo-text, hlo-proto, mhlo",)


def test_errors_in_imported_text_name_the_file() -> None:
    data = b"HloModule m\nENTRY e { ROOT c = f32[9] constant({...}) }"
    for name, shown in (("a.hlo", "a.hlo:2:20"), (None, "<string>:2:20")):
        with pytest.raises(InputError, match="the values of a large constant were left out") as raised:
            to_mlir(data, "hlo-text", *([] if name is None else [name]))
        assert re.sub(r":\d+$", "", raised.value.location) == re.sub(r":\d+$", "", shown)
