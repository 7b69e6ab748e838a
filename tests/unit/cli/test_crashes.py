"""No input makes a tool end in a signal or a traceback: those that docs/spec-gaps.md lists, and others that are odd."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from warm_tools import tool

from stablehlo_py.artifacts.versions import Version, current_version

PAGE = (Path(__file__).parents[3] / "docs" / "spec-gaps.md").read_text(encoding="utf-8")
SECTION = PAGE.partition("## Inputs on which the compiler crashes\n")[2]
REPRODUCERS = re.findall(r"^### (.+)\n\n`stablehlo-opt ?(.*)`\n\n```mlir\n((?:.+\n)+?)```", SECTION, re.MULTILINE)
LOCATE = "import sys; from stablehlo_py.syntax.crash_site import locate; print(locate(sys.stdin.read()))"

ODD = {
    "calls in a circle": (
        "--inline --symbol-dce",
        """
        func.func @first(%x: tensor<f32>) -> tensor<f32> {
          %0 = call @second(%x) : (tensor<f32>) -> tensor<f32>
          return %0 : tensor<f32>
        }
        func.func @second(%x: tensor<f32>) -> tensor<f32> {
          %0 = call @first(%x) : (tensor<f32>) -> tensor<f32>
          return %0 : tensor<f32>
        }""",
        "",
    ),
    "a function that composes itself": (
        "--stablehlo-legalize-composite-to-call",
        """
        func.func @main(%x: tensor<f32>) -> tensor<f32> {
          %0 = stablehlo.composite "my.op" %x {decomposition = @main} : (tensor<f32>) -> tensor<f32>
          return %0 : tensor<f32>
        }""",
        "",
    ),
    "two functions of one name": (
        "",
        """
        func.func private @main()
        func.func private @main()""",
        "redefinition of symbol named 'main'",
    ),
    "a dimension of 2^62": (
        "",
        """
        func.func @main(%x: tensor<4611686018427387904xf32>) -> tensor<4611686018427387904xf32> {
          %0 = stablehlo.negate %x : tensor<4611686018427387904xf32>
          return %0 : tensor<4611686018427387904xf32>
        }""",
        "",
    ),
    "a dimension past 2^63": ("", "func.func private @main(tensor<9223372036854775808xf32>)", "invalid dimension"),
    "a splat of 2^66 elements": (
        "",
        """
        func.func @main() -> tensor<4611686018427387904x16xf32> {
          %0 = stablehlo.constant dense<1.0> : tensor<4611686018427387904x16xf32>
          return %0 : tensor<4611686018427387904x16xf32>
        }""",
        "",
    ),
    "nothing in a tensor": (
        "--canonicalize",
        """
        func.func @main(%x: tensor<0x3xf32>) -> tensor<3x0xf32> {
          %0 = stablehlo.transpose %x, dims = [1, 0] : (tensor<0x3xf32>) -> tensor<3x0xf32>
          return %0 : tensor<3x0xf32>
        }""",
        "",
    ),
    "an unranked tensor": (
        "",
        """
        func.func @main(%x: tensor<*xf32>) {
          %0 = stablehlo.negate %x : tensor<*xf32>
          return
        }""",
        "must be ranked tensor",
    ),
    "an attribute of another kind": (
        "",
        """
        func.func @main(%x: tensor<2x3xf32>) {
          %0 = "stablehlo.transpose"(%x) {permutation = "upside down"} : (tensor<2x3xf32>) -> tensor<3x2xf32>
          return
        }""",
        "attribute 'permutation' failed to satisfy constraint",
    ),
    "a region without a block": (
        "",
        """
        func.func @main(%x: tensor<i1>) {
          "stablehlo.if"(%x) ({}, {}) : (tensor<i1>) -> ()
          return
        }""",
        "failed to verify constraint: region with 1 blocks",
    ),
    "a block without its arguments": (
        "",
        """
        func.func @main(%x: tensor<4xf32>, %y: tensor<f32>) {
          %0 = "stablehlo.reduce"(%x, %y) ({
            stablehlo.return %y : tensor<f32>
          }) {dimensions = array<i64: 0>} : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
          return
        }""",
        "Reduction-region must take 2 parameters",
    ),
}


def run(flags: str, text: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [tool("stablehlo-opt"), *flags.split()], input=text, capture_output=True, text=True, check=False, timeout=120
    )


def test_the_page_has_reproducers():
    assert len(REPRODUCERS) == SECTION.count("\n### ")


@pytest.mark.parametrize(("flags", "text"), [pytest.param(*rest, id=title) for title, *rest in REPRODUCERS])
def test_a_crash_of_the_compiler_is_one_message(flags, text):
    completed = run(flags, text)
    assert "Traceback" not in completed.stderr
    if completed.returncode:
        assert completed.returncode == 1, completed.stderr
        assert "error: " in completed.stderr
    else:  # the newest releases print what older ones crash on
        assert current_version() > Version(1, 17, 0)
        assert completed.stdout


def locate(text: str) -> int | None:
    """What `crash_site.locate` says in a process of its own, as in the tool: whether reading memory that is not there
    ends in a signal depends on what the process did before."""
    completed = subprocess.run([sys.executable, "-c", LOCATE], input=text, capture_output=True, text=True, check=True)
    return None if completed.stdout == "None\n" else int(completed.stdout)


def test_the_op_that_crashes_the_compiler_is_found():
    healthy = """
    func.func @healthy(%operand: tensor<4xf32>) -> tensor<4xf32> {
      %0 = stablehlo.negate %operand : tensor<4xf32>
      return %0 : tensor<4xf32>
    }
    """
    guilty = """func.func @guilty(%operand: tensor<4xf32>) -> tensor<f32> {
      // The next op is fine. {
      %0 = stablehlo.custom_call @target(%operand) {backend_config = "}"} : (tensor<4xf32>) -> tensor<4xf32>
      %1 = "stablehlo.reduce"(%0) ({
      ^bb0(%lhs: tensor<f32>, %rhs: tensor<f32>):
        stablehlo.return %lhs : tensor<f32>
      }) {dimensions = array<i64: 0>} : (tensor<4xf32>) -> tensor<f32>
      return %1 : tensor<f32>
    }
    """
    text = f"module {{{healthy}{guilty}}}\n"
    line = locate(text)
    assert line is not None
    assert text.splitlines()[line - 1].strip() == '%1 = "stablehlo.reduce"(%0) ({'
    assert locate(f"module {{{healthy}}}\n") is None
    assert locate("no program {") is None


def test_the_message_about_a_crash_says_where():
    # The newest releases check before they divide.
    _, flags, text = next(reproducer for reproducer in REPRODUCERS if "all_to_all" in reproducer[0])
    said = run(flags, text).stderr
    if "<stdin>:2:8: error: group size of replica_groups must be 2" in said:
        assert current_version() > Version(1, 17, 0)
        return
    assert "<stdin>:2: note: it crashes on this" in said
    text = f"func.func private @other()\n// -----\n{text}"
    assert "<stdin>:4: note: it crashes on this" in run(f"{flags} --split-input-file", text).stderr


@pytest.mark.parametrize(("flags", "text", "error"), [pytest.param(*rest, id=title) for title, rest in ODD.items()])
def test_odd_input_is_read_or_rejected_with_its_place(flags, text, error):
    completed = run(flags, text)
    assert "Traceback" not in completed.stderr
    assert "crashed" not in completed.stderr
    if error:
        assert completed.returncode == 1, completed.stderr
        assert re.search(rf"^<stdin>:\d+:\d+: error: .*{re.escape(error)}", completed.stderr, re.MULTILINE)
    else:
        assert completed.returncode == 0, completed.stderr
