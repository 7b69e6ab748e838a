"""`split-file` writes the parts of a test as LLVM's tool does."""

from __future__ import annotations

import pytest

from stablehlo_py.errors import InputError
from stablehlo_py.testing.split_file import main, parts, split_file

TEXT = """// RUN: split-file %s %t
//--- first.mlir
a
b
#--- folder/second.py
 --- folder/third
c"""


def test_parts_begin_after_marks_of_a_comment():
    found = list(parts(TEXT, "t"))
    assert found == [("first.mlir", 3, "a\nb\n"), ("folder/second.py", 6, ""), ("folder/third", 7, "c")]


def test_files_replace_what_the_folder_held(tmp_path):
    test, folder = tmp_path / "test", tmp_path / "out"
    test.write_text(TEXT)
    folder.mkdir()
    (folder / "old").write_text("")
    main([str(test), str(folder)])
    assert sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()) == [
        "first.mlir",
        "folder/second.py",
        "folder/third",
    ]
    assert (folder / "first.mlir").read_text() == "a\nb\n"
    split_file(test, folder, leading_lines=True)
    assert (folder / "first.mlir").read_text() == "\n\na\nb\n"
    assert (folder / "folder" / "third").read_text() == "\n" * 6 + "c"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a\n", "t: error: no part begins"),
        ("", "t: error: no part begins"),
        ("//--- \n", "t:1: error: the name of a part is ''"),
        ("//---  a\n", "t:1: error: the name of a part is ' a'"),
        ("//--- a\n//--- a\n", "t:2: error: the part 'a' is there twice"),
    ],
)
def test_marks_that_cannot_be_read_are_refused(text, message):
    with pytest.raises(InputError) as error:
        list(parts(text, "t"))
    assert str(error.value).startswith(message)


def test_no_part_leaves_the_folder(tmp_path):
    test, folder = tmp_path / "test", tmp_path / "out"
    folder.mkdir()
    (folder / "old").write_text("")
    test.write_text("//--- a\n//--- ../b\n")
    with pytest.raises(SystemExit, match=r"split-file: .*test:2: error: the part '../b' lies outside of the folder"):
        main([str(test), str(folder)])
    assert (folder / "old").exists()  # nothing was done


def test_a_missing_file_is_one_line(tmp_path):
    with pytest.raises(SystemExit, match=r"split-file: .*No such file"):
        main([str(tmp_path / "none"), str(tmp_path)])


@pytest.mark.parametrize("mark", ["//", "#", ";", "/", "-", " ", "%", "é"])
def test_any_one_character_may_stand_before_the_dashes(mark: str) -> None:
    text = f"x\n{mark}--- a\n1\n{mark}--- b c\n{mark} --- d\n{mark}{mark}--- e\n"
    inside = f"{mark} --- d\n" + ("" if mark == "/" else f"{mark}{mark}--- e\n")
    found = [("a", 3, "1\n"), ("b c", 5, inside), *([("e", 7, "")] if mark == "/" else [])]
    assert list(parts(text, "t")) == found
