"""The flags about how programs are printed: what each means for MLIR's printer."""

from __future__ import annotations

from typing import Any

import pytest

from stablehlo_py.bindings import make_context
from stablehlo_py.cli.command_line import read_command_line
from stablehlo_py.cli.options import OPT, TRANSLATE
from stablehlo_py.cli.printing import printed
from stablehlo_py.syntax import Printing, parse

FLAGS: dict[str, dict[str, Any]] = {
    "": {},
    "--mlir-elide-elementsattrs-if-larger=7": {"large_elements_limit": 7},
    "--mlir-elide-elementsattrs-if-larger=0": {"large_elements_limit": 0},
    "--mlir-elide-resource-strings-if-larger=7": {"large_resource_limit": 7},
    "--mlir-print-debuginfo": {"enable_debug_info": True},
    "--mlir-pretty-debuginfo": {"enable_debug_info": True, "pretty_debug_info": True},
    "--mlir-print-op-generic": {"print_generic_op_form": True},
    "--mlir-print-local-scope": {"use_local_scope": True},
    "--mlir-use-nameloc-as-prefix": {"use_name_loc_as_prefix": True},
    "--mlir-print-skip-regions": {"skip_regions": True},
    "--mlir-print-assume-verified": {},
    "--mlir-print-op-generic=false": {},
}


@pytest.mark.parametrize("way", ["", "--mlir-print-unique-ssa-ids", "--mlir-print-value-users"])
@pytest.mark.parametrize("flag", FLAGS)
@pytest.mark.parametrize("tool", [OPT, TRANSLATE])
def test_each_flag_is_handed_to_the_printer(tool: str, flag: str, way: str, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = list[tuple[Printing, dict[str, bool]]]()

    def print_text(_program: Any, printing: Printing) -> str:
        asked.append((printing, {}))
        return "the text"

    def print_with_names(_operation: Any, printing: Printing, **names: bool) -> str:
        asked.append((printing, names))
        return "the text\n"

    monkeypatch.setattr("stablehlo_py.syntax.print_text", print_text)
    monkeypatch.setattr("stablehlo_py.syntax.value_names.print_with_names", print_with_names)
    options = read_command_line(tool, [word for word in (flag, way) if word])
    module = parse("func.func private @f()", context=make_context())
    assert printed(module, options) == b"the text\n"
    names = {"unique": "unique" in way, "users": "users" in way} if way else {}
    assert asked == [(Printing(**{"assume_verified": True, **FLAGS[flag]}), names)]


@pytest.mark.parametrize(
    ("words", "assumed"),
    [
        ([], True),
        (["--verify-each=false"], False),
        (["--verify-each=false", "--mlir-print-assume-verified"], True),
        (["--verify-each"], True),
    ],
)
def test_a_program_that_no_pass_verified_is_verified_by_the_printer(
    words: list[str], assumed: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = list[Printing]()
    monkeypatch.setattr("stablehlo_py.syntax.print_text", lambda _, printing: (asked.append(printing), "")[1])
    assert printed(parse("func.func private @f()"), read_command_line(OPT, words)) == b"\n"
    assert [printing.assume_verified for printing in asked] == [assumed]
