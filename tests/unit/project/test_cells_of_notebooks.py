"""What a cell gives, keeps and says, by a stand-in for IPython; and programs that are one op."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import CancelledError, Executor, Future
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from stablehlo_py import notebook
from stablehlo_py.bindings import ir, make_context
from stablehlo_py.bindings.mapped import large_resource
from stablehlo_py.errors import ParseError, ProviderError, StablehloError, UsageError
from stablehlo_py.isolation.pool import Pool
from stablehlo_py.program import Program
from stablehlo_py.syntax import Source, parse_source
from stablehlo_py.syntax.top_level import require_module, without_implicit_module

CELL = """func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> { return %a : tensor<2xf32> }
func.func @none() -> tensor<i32> { %0 = stablehlo.constant dense<3> : tensor<i32> return %0 : tensor<i32> }"""


class Shell:
    def __init__(self) -> None:
        self.user_ns: dict[str, Any] = {"x": np.array([1, 2], np.float32)}
        self.user_global_ns: dict[str, Any] = self.user_ns
        self.magics: dict[tuple[str, str], Callable[[str, str], Any]] = {}

    def register_magic_function(self, magic: Callable[[str, str], Any], magic_kind: str, magic_name: str) -> None:
        self.magics[magic_kind, magic_name] = magic


def test_a_cell_gives_the_program_or_its_results() -> None:
    shell = Shell()
    program = notebook.run_cell("", CELL, shell)
    assert isinstance(program, Program)
    assert set(shell.user_ns) == {"x"}
    assert notebook.run_cell("p", CELL, shell) is shell.user_ns["p"]
    assert isinstance(shell.user_ns["p"], Program)
    np.testing.assert_array_equal(notebook.run_cell("p x", CELL, shell), [1, 2])
    np.testing.assert_array_equal(notebook.run_cell("p 'x + 1'", CELL, shell), [2, 3])
    assert notebook.run_cell("--function=none p", CELL, shell) == 3
    assert isinstance(notebook.run_cell("--function=none", CELL, shell), Program)


@pytest.mark.parametrize(("line", "title"), [("--view", "cell"), ("p --view", "p")])
def test_a_report_has_the_name_of_the_program(line: str, title: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def view(self: Program, *, title: str) -> str:
        return title

    monkeypatch.setattr(Program, "view", view)
    assert notebook.run_cell(line, CELL, Shell()) == title


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("--veiw", "unknown flag '--veiw': %%stablehlo [--view] [--function=NAME] [NAME [ARGUMENT…]]"),
        ("p 'y", "cannot read the command 'p 'y': no closing quotation"),
        ("p y", "argument 'y': name 'y' is not defined"),
        ("p x.y", "argument 'x.y': 'numpy.ndarray' object has no attribute 'y'"),
        ("p {}[1]", "argument '{}[1]': 1"),
        ("p 1+''", "argument '1+': "),
    ],
)
def test_lines_that_are_not_understood(line: str, message: str) -> None:
    with pytest.raises(UsageError) as raised:
        notebook.run_cell(line, CELL, Shell())
    assert raised.value.message.startswith(message)


@pytest.mark.parametrize(
    ("line", "cell", "text"),
    [("--veiw", CELL, "error: unknown flag '--veiw'"), ("", "func.func @main(", "<string>:1:")],
)
def test_errors_of_a_cell_are_shown_without_a_traceback(
    line: str, cell: str, text: str, capsys: pytest.CaptureFixture[str]
) -> None:
    shell = Shell()
    notebook.register(shell)
    assert shell.magics["cell", "stablehlo"](line, cell) is None
    shown = capsys.readouterr().err
    assert shown.startswith(text), shown
    assert shown.endswith("\n")
    assert "Traceback" not in shown


ONE = "func.func private @f()\n"


@pytest.mark.parametrize(
    ("text", "name", "found"),
    [(ONE, "func.func", "'func.func'"), (f"module {{ {ONE} }}", "builtin.module", ""), ("// a\n", None, "nothing"),
     (ONE + "func.func private @g()", None, "'func.func'")],
)  # fmt: skip
def test_programs_that_are_one_op(
    text: str, name: str | None, found: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.mlir").write_text(text, encoding="utf-8")
    source = Source("a.mlir", text.encode(), is_file=True)
    module = parse_source(source, make_context())
    if name is None:
        number = text.count("@")
        with pytest.raises(ParseError) as raised:
            without_implicit_module(module, source)
        wanted = f"source must contain a single top-level operation, found: {number}"
        assert (raised.value.message, raised.value.location) == (wanted, "a.mlir:1:1")
    else:
        op = without_implicit_module(module, source)
        assert (op.operation if isinstance(op, ir.Module) else op).name == name
    if not found:
        require_module(module, source)
        return
    with pytest.raises(ParseError) as raised:
        require_module(module, source)
    wanted = f"expected a 'builtin.module' op, found {found}"
    assert (raised.value.message, raised.value.location) == (wanted, "a.mlir:1:1")


@pytest.mark.parametrize(("size", "is_large"), [((1 << 16) - 8, False), (1 << 16, True), ((1 << 16) + 8, True)])
def test_resources_of_64_kib_and_more_are_taken_from_bytecode(size: int, is_large: bool) -> None:
    data = np.arange(size // 8, dtype=np.int64)
    with ir.Context(), ir.Location.unknown():
        type_ = ir.RankedTensorType.get([size // 8], ir.IntegerType.get_signless(64))
        attribute = ir.DenseResourceElementsAttr.get_from_buffer(data, "a", type_)
        found = large_resource(attribute, size, 8)
        assert large_resource(attribute, size + (1 << 16), 8) is None
    assert (found is not None) == is_large
    assert found is None or bytes(found) == data.tobytes()


class _Ended(Executor):
    def submit(self, *_: Any, **__: Any) -> Future[Any]:  # type: ignore[override]
        future = Future[Any]()
        future.set_exception(CancelledError())
        return future


def test_a_scheduler_that_ended_says_that_work_is_kept() -> None:
    work: Any = None
    pool = Pool(_Ended(), 1)
    for ask in (lambda: pool.submit(work, 1)(), lambda: list(pool.results(work, [1]))):
        with pytest.raises(StablehloError) as raised:
            ask()
        assert type(raised.value) is ProviderError
        assert raised.value.message == "the cluster's scheduler ended"
        kept = "what was found out so far is kept where results are written; another run goes on with that"
        assert raised.value.notes == (kept,)
