"""Names of engines: what stands for the backend, its options and its interpreter, and what is said of wrong ones."""

from __future__ import annotations

import importlib.metadata
import sys
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest

from stablehlo_py.engines import Limits, catalog, engine_names, open_engine, with_options
from stablehlo_py.engines.distant import distant_engine
from stablehlo_py.engines.recorded import RecordedEngine
from stablehlo_py.engines.xla import _plain_value, _set_option
from stablehlo_py.engines.xla import backend as xla
from stablehlo_py.errors import UsageError

HERE = sys.executable


@pytest.mark.parametrize(
    ("name", "backend", "options", "python"),
    [
        ("reference", "reference:backend", (), HERE),
        ("reference:f64,reverse", "reference:backend", ("f64", "reverse"), HERE),
        ("reference:f64,,", "reference:backend", ("f64",), HERE),
        ("official@other/bin/python", "official:backend", (), "other/bin/python"),
        ("xla:a=1,b=2+3@other", "xla:backend", ("a=1", "b=2+3"), "other"),
        ("xla@", "xla:backend", (), HERE),
        ("command:./mine --a=b,c @x:y {module}", "command:backend", ("./mine --a=b,c @x:y {module}",), HERE),
        ("command+:./mine, a@b", "command:lines_backend", ("./mine, a@b",), HERE),
        ("iree:target=vmvx", "iree:backend", ("target=vmvx",), HERE),
    ],
)
def test_a_name_tells_the_backend_its_options_and_its_interpreter(name, backend, options, python) -> None:
    engine = open_engine(name)
    assert (engine.name, engine.backend) == (name, f"stablehlo_py.engines.{backend}")
    assert (engine.options, engine.python, engine.limits) == (options, python, Limits())
    assert type(engine) is not RecordedEngine


def test_limits_and_the_folder_of_outcomes_are_those_that_are_given(tmp_path: Path) -> None:
    limits = Limits(3.0, 1 << 30)
    assert open_engine("reference", limits).limits == limits
    kept = open_engine("reference:f64@p", limits, tmp_path)
    assert isinstance(kept, RecordedEngine)
    assert (kept.folder, kept.limits, kept.options, kept.python) == (tmp_path, limits, ("f64",), "p")
    assert (kept.seconds, open_engine("reference").seconds) == (3.0, 600.0)
    far = distant_engine("reference:f64@p", None, limits, tmp_path)  # type: ignore[arg-type]
    assert (far.name, far.backend, far.options) == (kept.name, kept.backend, kept.options)
    assert (far.limits, far.python, far.folder) == (limits, "p", tmp_path)


@pytest.fixture
def installed(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Another package brings an engine, and one that is called as one of this package's."""
    points = [SimpleNamespace(name="mine", value="mine:make"), SimpleNamespace(name="xla", value="mine:xla"),
              SimpleNamespace(name="command+", value="mine:command")]  # fmt: skip
    asked = {catalog.ENTRY_POINTS: points}
    monkeypatch.setattr(importlib.metadata, "entry_points", lambda group: asked.get(group, []))
    catalog._registered.cache_clear()
    yield
    catalog._registered.cache_clear()


@pytest.mark.usefixtures("installed")
def test_engines_of_other_packages_are_found_and_stand_in_for_none_of_ours() -> None:
    names = ["command", "command+", "iree", "mine", "official", "reference", "xla"]
    assert engine_names() == names
    for name in names:
        engine = open_engine(f"{name}:a=1,b=2")
        own = name.removesuffix("+")
        function = "lines_backend" if name.endswith("+") else "backend"
        assert engine.backend == ("mine:make" if name == "mine" else f"stablehlo_py.engines.{own}:{function}")
    assert open_engine("mine:a,b@python").options == ("a", "b")
    with pytest.raises(UsageError, match=r"unknown engine 'mime'; did you mean mine\?"):
        open_engine("mime")


@pytest.mark.parametrize(
    ("name", "family"), [("refrence", "refrence"), ("refrence:f64@p", "refrence"), ("", ""), (":", "")]
)
def test_unknown_engines_are_told_with_those_that_there_are(name: str, family: str) -> None:
    with pytest.raises(UsageError, match=f"unknown engine '{family}'") as caught:
        open_engine(name)
    assert ("did you mean reference?" in caught.value.message) == bool(family)
    (note,) = caught.value.notes
    assert note == f"the engines are {', '.join(engine_names())}"
    assert engine_names() == sorted(engine_names())
    assert {"reference", "official", "xla", "iree", "command", "command+"} <= set(engine_names())


@pytest.mark.parametrize(
    ("name", "options", "found"),
    [
        ("xla", [], "xla"),
        ("xla", ["a=1"], "xla:a=1"),
        ("xla:b=2", ["a=1,3", "c=4"], "xla:b=2,a=1+3,c=4"),
        ("xla@p", ["a=1"], "xla:a=1@p"),
        ("xla:b=2@p", ["a=1"], "xla:b=2,a=1@p"),
    ],
)
def test_options_go_before_the_interpreter(name: str, options: list[str], found: str) -> None:
    assert with_options(name, options) == found


@pytest.mark.parametrize(
    ("text", "value"),
    [("true", True), ("False", False), ("1", 1), ("0", 0), ("-3", -3), ("0.5", 0.5), ("1e3", 1000.0), ("a+b", "a,b"),
     ("fusion", "fusion")],
)  # fmt: skip
def test_values_of_options_of_xla_have_the_type_that_they_look_like(text: str, value: object) -> None:
    found = _plain_value(text)
    assert (type(found), found) == (type(value), value)


def test_options_of_xla_are_pairs() -> None:
    with pytest.raises(UsageError, match="expected KEY=VALUE, found 'fast'"):
        xla("a=1", "fast")


@pytest.mark.parametrize(
    ("key", "text", "value"),
    [
        ("flag", "true", True), ("flag", "TRUE", True), ("flag", "1", True), ("flag", "False", False),
        ("flag", "0", False), ("count", "0", 0), ("count", "-17", -17), ("count", "1", 1), ("name", "a", "a"),
        ("name", "a+b+c", "a,b,c"), ("name", "true", "true"), ("name", "", ""),
    ],
)  # fmt: skip
def test_options_that_the_bindings_have_are_set_in_their_type(key: str, text: str, value: object) -> None:
    options = SimpleNamespace(flag=False, count=5, name="before")
    assert _set_option(options, key, text)
    assert (type(getattr(options, key)), getattr(options, key)) == (type(value), value)
    others = {"flag": False, "count": 5, "name": "before"}
    assert vars(options) | {key: others[key]} == others
    assert not _set_option(options, "other", text)
    assert not hasattr(options, "other")


@pytest.mark.parametrize(("key", "text"), [("flag", "yes"), ("flag", "2"), ("count", "1.5"), ("count", "true")])
def test_values_of_another_type_are_refused_with_the_option(key: str, text: str) -> None:
    with pytest.raises(UsageError) as raised:
        _set_option(SimpleNamespace(flag=False, count=5), key, text)
    assert raised.value.message == f"XLA option '{key}' does not take '{text}'"
