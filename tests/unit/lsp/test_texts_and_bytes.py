"""Files of bytecode that an editor shows as text, and shapes behind names where types are not known."""

from __future__ import annotations

import pytest

import stablehlo_py
from stablehlo_py.bindings.bytecode import bytecode_of
from stablehlo_py.errors import StablehloError
from stablehlo_py.lsp import actions, marks, navigation
from stablehlo_py.lsp.document import Document

PROGRAM = """func.func @main(%arg0: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.sine %arg0 : tensor<2xf32>
  return %0 : tensor<2xf32>
}
"""


def test_bytecode_and_artifacts_are_shown_as_the_text_that_they_were() -> None:
    module = stablehlo_py.parse(PROGRAM)
    data = actions.bytecode_of_text(PROGRAM)
    texts = [actions.text_of_bytecode(each) for each in (data, stablehlo_py.serialize(module, "1.0.0"))]
    assert texts == [str(module)] * 2
    text = PROGRAM.replace("main(", "main(%token: !stablehlo.token, ").replace("sine", "cosine")
    again = actions.text_of_bytecode(actions.bytecode_of_text(text))
    assert again == str(stablehlo_py.parse(text))
    other = f"sdy.mesh @m = <[]>\n{PROGRAM}"  # which no artifact holds
    assert "sdy.mesh @m" in actions.text_of_bytecode(bytecode_of(stablehlo_py.parse(other)))
    for wrong in (b"", b"text", data[:20]):
        with pytest.raises(StablehloError):
            actions.text_of_bytecode(wrong)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        (PROGRAM, [(PROGRAM.index("%0") + 2, "2xf32")]),
        ("%0 = stablehlo.add %a, %b", []),
        ("%0 = stablehlo.add %a, %b :", []),
        ("%0, %1 = stablehlo.add %a, %b : tensor<2xf32>", []),
        ("%0 = stablehlo.create_token : !stablehlo.token", [(2, "!stablehlo.token")]),
        ('%0 = "x.y"() : () -> tensor<*xf32>\n%1 = "x.y"() : () -> ()', [(2, "*xf32"), (37, "()")]),
    ],
)
def test_results_whose_type_is_not_written_have_no_shape_behind_them(text: str, shown: list[tuple[int, str]]) -> None:
    assert sorted(marks.shapes(Document(text), 0, len(text))) == shown


def test_an_op_stands_before_those_that_its_text_does_not_show() -> None:
    text = """func.func @main(%x: tensor<3xi1>, %z: tensor<i1>) -> tensor<i1> {
  %0 = stablehlo.reduce(%x init: %z) applies stablehlo.add across dimensions = [0] :
    (tensor<3xi1>, tensor<i1>) -> tensor<i1>
  return %0 : tensor<i1>
}
"""
    document = Document(text).compile()
    names = {offset: op.name for offset, op in document.ops.items()}
    assert names == {
        0: "func.func",
        text.index("stablehlo.reduce"): "stablehlo.reduce",
        text.index("(%x init"): "stablehlo.add",  # of the region, the first one
        text.index("return"): "func.return",
    }


@pytest.mark.parametrize(
    ("location", "offset"),
    [
        ("<editor>:1:1", 0), ("<editor>:1:3", 2), ("<editor>:2:1", 4), ("<editor>:2:2", 4), ("<editor>:2:3", 5),
        ("<editor>:2:5", 5), ("<editor>:2:6", 6),
        ("<editor>:2:9", 7), ("<editor>:3:1", 8), ("<editor>:1:0", 0), ("<editor>:0:0", None), ("<editor>:4:1", None),
        ("other.mlir:1:1", None), ("/a/<editor>:1:1", None), ("<editor>", None), ("", None), ("<editor>:1", None),
        ("<editor>:x:1", None), ("<editor>:1:x", None),
    ],
)  # fmt: skip
def test_locations_of_the_compiler_are_offsets_by_bytes(location: str, offset: int | None) -> None:
    assert Document("abc\nä€x\n").offset_of(location) == offset


def test_an_alias_of_a_location_is_not_one_that_begins_like_it() -> None:
    text = '#loc10 = loc("ten.py":1:2)\n#loc1 = loc("one.py":3:4)\n#loc = loc(#loc10)\n'
    text += "func.func private @f() loc(#loc1)\nfunc.func private @g() loc(#loc)\nfunc.func private @h() loc(#loc2)\n"
    document = Document(text)
    found = [navigation.source_location(document, text.index(f"@{name}()") + 10) for name in "fgh"]
    assert found == [("one.py", 3, 4), ("ten.py", 1, 2), None]
