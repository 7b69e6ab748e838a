"""Files that are written in one step: their modes, links and devices, what failed and killed processes leave behind."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from stablehlo_py.cli import output
from stablehlo_py.errors import InputError


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_modes_and_links_stay() -> None:
    before = os.umask(0o027)
    try:
        output.write_output("new", b"1")
    finally:
        after = os.umask(before)
    assert after == 0o027, "of files that are written later"
    Path("old").write_text("0")
    Path("old").chmod(0o604)
    Path("link").symlink_to("old")
    output.write_output("link", b"2")
    assert [Path(name).stat().st_mode & 0o7777 for name in ("new", "old")] == [0o640, 0o604]
    assert (Path("link").is_symlink(), Path("old").read_text()) == (True, "2")
    for mode in (0o751, 0o2700, 0o400):
        Path("old").chmod(mode)
        output.write_output("old", b"3")
        assert (oct(Path("old").stat().st_mode & 0o7777), Path("old").read_text()) == (oct(mode), "3")


def test_parts_become_one_file_in_the_end() -> None:
    one = output.Output("file")
    for part in (b"a", b"", b"b"):
        one.write(part)
    assert not Path("file").exists()
    one.commit()
    assert Path("file").read_bytes() == b"ab"
    assert os.listdir() == ["file"]


def test_remains_of_killed_processes_go_and_nothing_else() -> None:
    remains = [".out.17.part", ".out.4194304.part"]
    others = [".out.part", ".out..part", ".out.17", ".out.x.part", ".out.1x.part", ".out.17.partly", ".other.17.part",
              "out.17.part", ".out.17.part.18", ".outer.17.part"]  # fmt: skip
    for name in (*remains, *others):
        Path(name).write_text("")
    output.write_output("out", b"")
    assert sorted(os.listdir()) == sorted([*others, "out"])


def test_a_file_that_another_process_still_writes_stays() -> None:
    descriptor = output._create(".out.1.part")
    output.write_output("out", b"")
    assert Path(".out.1.part").exists()
    os.close(descriptor)
    output.write_output("out", b"")
    assert not Path(".out.1.part").exists()


def test_names_of_255_bytes_can_be_written() -> None:
    name = "n" * 255
    output.write_output(name, b"x")
    assert os.listdir() == [name]
    with pytest.raises(InputError, match="cannot open output file 'nnn"):
        output.write_output("n" * 256, b"x")
    assert os.listdir() == [name]


def test_a_write_that_fails_leaves_the_old_file(monkeypatch: pytest.MonkeyPatch) -> None:
    Path("file").write_text("old")

    def refuse(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", refuse)
    with pytest.raises(InputError, match="cannot write 'file': No space left on device"):
        output.write_file("file", b"new")
    assert (os.listdir(), Path("file").read_text()) == (["file"], "old")


def test_devices_and_folders() -> None:
    output.write_output("/dev/null", b"x")
    assert not Path("/dev/null").is_file()
    os.mkdir("folder")
    with pytest.raises(InputError, match="cannot open output file 'folder': Is a directory"):
        output.write_output("folder", b"x")
    with pytest.raises(InputError, match="'none/file': No such file or directory"):
        output.write_output("none/file", b"x")
