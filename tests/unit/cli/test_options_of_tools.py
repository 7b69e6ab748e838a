"""Options of stablehlo-opt and stablehlo-translate, one at a time, in this process: what each changes in the output."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from stablehlo_py.bindings.capabilities import has
from stablehlo_py.cli import opt_tool, translation
from stablehlo_py.errors import StablehloError

PROGRAM = """func.func @main(%x: tensor<4xf32> loc("x")) -> tensor<4xf32> {
  %c = stablehlo.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32> loc("model.py":7:3)
  %y = stablehlo.add %x, %c : tensor<4xf32> loc("sum"("model.py":8:3))
  %z = stablehlo.add %x, %c : tensor<4xf32> loc("model.py":9:3)
  %r = stablehlo.multiply %y, %z : tensor<4xf32>
  return %r : tensor<4xf32>
}
func.func @other() -> tensor<2xi64> {
  %c = stablehlo.constant dense<[5, 6]> : tensor<2xi64>
  return %c : tensor<2xi64>
}
"""
ALONE = """func.func @first() -> tensor<i32> {
  %c = stablehlo.constant dense<1> : tensor<i32>
  return %c : tensor<i32>
}
"""
FILES = {
    "a.mlir": PROGRAM,
    "two.mlir": f"{ALONE}// -----\n{ALONE.replace('first', 'second').replace('<1>', '<2>')}",
    "marked.mlir": f"{ALONE}// +++\n{ALONE.replace('first', 'second').replace('<1>', '<2>')}",
    "both.mlir": ALONE + ALONE.replace("first", "second").replace("<1>", "<2>"),
    "wrong.mlir": "func.func @main(%x: tensor<4xf32>) -> tensor<3xf32> {\n  return %x : tensor<4xf32>\n}\n",
    "expected.mlir": "func.func @main(%x: tensor<4xf32>) -> tensor<3xf32> {\n"
    "  // expected-error @+1 {{doesn't match function result type}}\n  return %x : tensor<4xf32>\n}\n",
    "unknown.mlir": 'func.func @main() {\n  "other.op"() : () -> ()\n  return\n}\n',
    "tuple.mlir": "func.func @main(%x: tensor<2xf32>) -> tuple<tensor<2xf32>, !stablehlo.token> {\n"
    "  %t = stablehlo.create_token : !stablehlo.token\n"
    "  %r = stablehlo.tuple %x, %t : tuple<tensor<2xf32>, !stablehlo.token>\n"
    "  return %r : tuple<tensor<2xf32>, !stablehlo.token>\n}\n",
    "token.mlir": "func.func @main() -> !stablehlo.token {\n"
    "  %t = stablehlo.create_token : !stablehlo.token\n  return %t : !stablehlo.token\n}\n",
    "id.mlir": "func.func @main(%x: tensor<i32>) -> tensor<i32> {\n  %id = stablehlo.replica_id : tensor<ui32>\n"
    "  %n = stablehlo.convert %id : (tensor<ui32>) -> tensor<i32>\n"
    "  %r = stablehlo.add %x, %n : tensor<i32>\n  return %r : tensor<i32>\n}\n",
    "probe.mlir": "func.func @main(%x: tensor<2xi32>) -> tensor<2xi32> {\n"
    '  %y = interpreter.probe %x, probe_id = "p" : tensor<2xi32>\n'
    "  return %y : tensor<2xi32>\n}\n",
    "empty.mlir": "",
    "none.mlir": "module {\n}\n",
}
Tool = Callable[[str], tuple[int, str, str]]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Tool:
    """Runs `opt` or `translate` next to FILES: its exit code, output, and messages with that of its error."""
    monkeypatch.chdir(tmp_path)
    for name, text in FILES.items():
        Path(name).write_text(text)
    np.save("x.npy", np.arange(4, dtype=np.float32))
    np.save("i.npy", np.arange(4))
    np.savez("x.npz", x=np.arange(4, dtype=np.float32))

    def tool(words: str) -> tuple[int, str, str]:
        name, *arguments = [word.replace("_", " ") for word in words.split(" ")]
        capfd.readouterr()
        message = ""
        try:
            code = (opt_tool if name == "opt" else translation).run(arguments)
        except StablehloError as error:
            code, message = error.exit_code, str(error)
        found = capfd.readouterr()
        return code, found.out, found.err + message

    return tool


X = "--args=[dense<2.0>_:_tensor<4xf32>]"
# Words, the exit code, patterns of the output, patterns of the messages; one with ! in front must not be there.
CASES = [
    ("opt a.mlir", 0, [r"%\w+ = stablehlo.add %arg0", "!loc", "!module attr"], ["!."]),
    ("opt -- a.mlir", 0, ["stablehlo.add"], []),
    ("opt empty.mlir", 0, ["^module {\n}\n$"], []),
    (
        "opt wrong.mlir",
        1,
        ["^$"],
        [r"^wrong.mlir:2:3: error: type of return operand 0", r"\n  return %x : tensor<4xf32>\n  \^"],
    ),
    ("opt wrong.mlir --mlir-print-op-on-diagnostic=false", 1, ["^$"], ["!see current operation"]),
    ("opt wrong.mlir --mlir-print-op-on-diagnostic", 1, ["^$"], ["note: see current operation"]),
    ("opt wrong.mlir --mlir-disable-diagnostic-notes", 1, ["^$"], ["error: ", "!note: "]),
    ("opt expected.mlir --verify-diagnostics", 0, [], ["!."]),
    ("opt wrong.mlir --verify-diagnostics", 1, [], ["unexpected error: type of return operand 0"]),
    ("opt wrong.mlir --verify-diagnostics=only-expected", 0, [], ["!."]),
    ("opt a.mlir --verify-diagnostics=other", 1, [], ["expects one of all, only-expected, found 'other'"]),
    ("opt two.mlir", 0, ["@first(.|\n)*@second", "!// -----"], []),
    ("opt two.mlir --split-input-file", 0, ["@first(.|\n)*// -----\n(.|\n)*@second"], []),
    ("opt two.mlir --split-input-file --output-split-marker=//_here", 0, ["@first(.|\n)*// here\n(.|\n)*@second"], []),
    ("opt two.mlir --split-input-file --output-split-marker=", 0, ["@first", "@second", "!//"], []),
    ("opt marked.mlir --split-input-file=//_+++", 0, ["@first(.|\n)*// -----\n(.|\n)*@second"], []),
    ("opt marked.mlir --split-input-file", 0, ["@first", "@second", "!// -----"], ["!warning"]),
    ("opt unknown.mlir", 1, [], ["unknown.mlir:2:13: error: operation being parsed with an unregistered dialect"]),
    ("opt unknown.mlir --allow-unregistered-dialect", 0, ['"other.op"'], []),
    ("opt both.mlir --no-implicit-module", 1, [], ["error: "]),
    ("opt a.mlir --verify-roundtrip", 0, ["stablehlo.add"], ["!."]),
    ("opt a.mlir --mlir-print-op-generic", 0, ['"stablehlo.add"', '"func.func"'], []),
    ("opt a.mlir --mlir-print-debuginfo", 0, [r"loc\(#loc", r'"model.py":7:3'], []),
    ("opt a.mlir --mlir-print-debuginfo --mlir-print-local-scope", 0, [r'loc\("model.py":7:3\)', "!#loc"], []),
    ("opt a.mlir --mlir-pretty-debuginfo", 0, [r"model.py:7:3", r"!loc\(#loc"], []),
    ("opt a.mlir --mlir-use-nameloc-as-prefix", 0, ["%sum", "%x"], []),
    ("opt a.mlir --mlir-print-skip-regions", 0, ["!stablehlo.add"], []),
    ("opt a.mlir --mlir-print-value-users", 0, [r"// \S*.*(user|%)"], []),
    ("opt a.mlir --mlir-print-unique-ssa-ids", 0, [r"%\w+ = stablehlo.multiply"], []),
    ("opt a.mlir --mlir-elide-elementsattrs-if-larger=3", 0, [r"dense_resource<__elided__>", r"\[5, 6\]"], []),
    ("opt a.mlir --mlir-elide-elementsattrs-if-larger=4", 0, ["!__elided__"], []),
    ("opt a.mlir -o out.mlir", 0, ["^$"], ["!."]),
    ("opt a.mlir --emit-bytecode-version=99", 1, [], ["--emit-bytecode-version=99: "]),
    ("opt a.mlir --cse", 0, ["(?s)^((?!add).)*add((?!add).)*$"], []),
    ("opt a.mlir --pass-pipeline=builtin.module(cse)", 0, ["(?s)^((?!add).)*add((?!add).)*$"], []),
    ("opt a.mlir -p=any(cse)", 0, ["(?s)^((?!add).)*add((?!add).)*$"], []),
    ("opt a.mlir --pass-pipeline=any(cse) --cse", 1, [], ["cannot be combined with pass flags"]),
    ("opt a.mlir --pass-pipeline=any(cze)", 1, [], ["cze"]),
    (
        "opt a.mlir --cse --dump-pass-pipeline",
        0,
        [],
        [r"Pass Manager with 1 passes:\nbuiltin.module\((\w|,|\(|\.)*cse"],
    ),
    ("opt a.mlir --cse --canonicalize --dump-pass-pipeline", 0, [], ["with 2 passes", r"cse,(\s|\S)*canonicalize"]),
    (
        "opt a.mlir --canonicalize=max-iterations=x",
        1,
        [],
        ["option 'max-iterations' of pass 'canonicalize' is an integer, not 'x'"],
    ),
    (
        "opt a.mlir --canonicalize=top-down=x",
        1,
        [],
        ["option 'top-down' of pass 'canonicalize' is true or false, not 'x'"],
    ),
    ("opt a.mlir --canonicalize=top-down=0", 0, ["add"], []),
    ("opt a.mlir --canonicalize=max-iterations=-1", 0, ["add"], []),
    ("opt a.mlir --cse --mlir-print-ir-before-all", 0, [], ["IR Dump Before CSE"]),
    ("opt a.mlir --cse --mlir-print-ir-after-all", 0, [], ["IR Dump After CSE", "!IR Dump Before"]),
    ("opt a.mlir --cse --symbol-dce --mlir-print-ir-before=cse", 0, [], ["Before CSE", "!SymbolDCE"]),
    ("opt a.mlir --cse --symbol-dce --mlir-print-ir-after=symbol-dce", 0, [], ["After SymbolDCE", "!CSE"]),
    (
        "opt a.mlir --cse --mlir-print-ir-after=cze",
        1,
        [],
        ["flag --mlir-print-ir-after: there is no pass 'cze'; did you mean cse?"],
    ),
    ("opt a.mlir --cse --cse --mlir-print-ir-after-change", 0, [], ["After CSE", r"!After CSE(.|\n)*After CSE"]),
    ("opt a.mlir --cse --mlir-timing", 0, [], ["CSE"]),
    ("opt a.mlir --cse --mlir-pass-statistics", 0, [], ["Pass statistics report"]),
    ("opt a.mlir --stablehlo-aggressive-simplification --pass-report", 0, [], ["."]),
    ("opt a.mlir --cse --validate-each", 0, ["add"], ["!error"]),
    ("opt a.mlir --cse --validate-each=0", 1, [], ["flag --validate-each expects a number of inputs, found '0'"]),
    ("opt a.mlir --cse --validate-each=x", 1, [], ["flag --validate-each expects a number of inputs, found 'x'"]),
    ("opt a.mlir --cse --steps=s --split-input-file", 1, [], ["--steps needs one module"]),
    ("opt --version", 0, ["^stablehlo-py .*\nStableHLO .* \\(minimum 0.9.0\\)\nMLIR bytecode \\d+\nprovider "], []),
    ("opt --show-dialects", 0, ["Available Dialects: .*check.*stablehlo.*vhlo"], []),
    ("opt --list-passes", 0, [r"--cse\n    \S", r"--canonicalize\n    \S.*\n(      \S.*\n)*      top-down=true"], []),
    ("opt --explain-op=add", 0, ["stablehlo.add"], []),
    ("opt --explain-op=stablehlo.add", 0, ["stablehlo.add"], []),
    ("opt --explain-op=ad", 1, [], ["StableHLO has no op 'ad'; did you mean pad?"]),
    ("opt --explain-op=stablehlo.iotta", 1, [], ["StableHLO has no op 'stablehlo.iotta'; did you mean iota?"]),
    ("opt --print-abstract-interp-library", 0, ["func.func .*cosine", "func.func .*tanh"], []),
    ("opt --print-abstract-interp-library=tanh", 0, ["func.func .*tanh", "!cosine"], []),
    ("opt --print-abstract-interp-library=stablehlo.tanh", 0, ["func.func .*tanh"], []),
    ("opt --print-abstract-interp-library=tahn", 1, [], ["no shape or dtype function is known for 'stablehlo.tahn'"]),
    ("opt --print-abstract-interp-stub=stablehlo.tanh", 0, ["def "], []),
    ("opt a.mlir --print-symbolic-shapes", 0, ["@main"], []),
    ("opt a.mlir --help", 0, ["Usage: stablehlo-opt", r"--split-input-file\[=<marker>\]"], []),
    ("translate --help", 0, ["Usage: stablehlo-translate", r"\(default: main\)", "!--cse"], []),
    ("translate a.mlir", 1, [], ["one of --interpret, --serialize and --deserialize is needed"]),
    (
        f"translate --interpret a.mlir {X}",
        0,
        [r"^tensor<4xf32> \{\n  \[9\.\S*, 1\.6\S*, 2\.5\S*, 3\.6\S*\]\n\}\n$"],
        [],
    ),
    (f"translate --interpret a.mlir {X} --interpreter-print-dense", 0, [r"^dense<\[9"], []),
    ("translate --interpret a.mlir --function=other", 0, [r"^tensor<2xi64> \{\n  \[5, 6\]\n\}\n$"], []),
    ("translate --interpret a.mlir --function=none", 1, [], ["function @none is not defined", "@main, @other"]),
    ("translate --interpret a.mlir --input=@x.npy", 0, [r"\[1\.0\S*, 9\.0"], []),
    ("translate --interpret a.mlir --input=x.npy", 0, [r"\[1\.0\S*, 9\.0"], []),
    ("translate --interpret a.mlir --inputs=x.npz", 0, [r"\[1\.0\S*, 9\.0"], []),
    (
        "translate --interpret a.mlir --input=i.npy",
        1,
        [],
        ["instead of tensor<4xf32>", "--cast-inputs converts arguments"],
    ),
    ("translate --interpret a.mlir --input=i.npy --cast-inputs", 0, [r"\[1\.0\S*, 9\.0"], []),
    ("translate --interpret a.mlir --input=x.npy --input=x.npy", 1, [], ["takes 1 argument, not 2"]),
    (
        "translate --interpret a.mlir",
        1,
        [],
        ["takes 1 argument, not 0", "--args='\\[dense<...> : tensor<4xf32>\\]', --input=@FILE.npy for each"],
    ),
    (f"translate --interpret a.mlir {X} --input=x.npy", 1, [], ["--args, --input and --inputs exclude each other"]),
    (
        "translate --interpret a.mlir --args=dense<1>_:_tensor<i32>",
        1,
        [],
        ["expectected array attribute string for args"],
    ),
    (
        "translate --interpret a.mlir --args=[1",
        1,
        [],
        ["expectected array attribute string for args", r"--args:1:2: expected ',' or ']'\n\[1\n \^"],
    ),
    ("translate --interpret a.mlir --args=[1]", 1, [], ["expected dense elements attribute for args elements"]),
    (f"translate --interpret a.mlir {X} --output=@out.npy", 0, ["^$"], ["!."]),
    (f"translate --interpret a.mlir {X} --output=out.txt", 1, [], ["'out.txt' ends in neither .npy nor .npz"]),
    ("translate --interpret token.mlir --output=out.npy", 1, [], ["an .npy file holds one array, not 0"]),
    (
        "translate --interpret both.mlir",
        0,
        [
            r"^Evaluated results of function: first\ntensor<i32> \{1\}\n"
            r"Evaluated results of function: second\ntensor<i32> \{2\}\n$"
        ],
        [],
    ),
    ("translate --interpret two.mlir --split-input-file", 0, [r"^tensor<i32> \{1\}\ntensor<i32> \{2\}\n$"], []),
    (
        "translate --interpret two.mlir --split-input-file --output-split-marker=//_here",
        0,
        [r"^tensor<i32> \{1\}\n// here\ntensor<i32> \{2\}\n$"],
        [],
    ),
    ("translate --interpret empty.mlir", 1, [], ["empty.mlir"]),
    (
        f"translate --interpret a.mlir {X} --max-steps=3",
        1,
        ["^$"],
        ["a.mlir:5:8: .* would be op number 4 to run, past the limit of 3"],
    ),
    (f"translate --interpret a.mlir {X} --max-steps=4", 0, [r"\[9\."], ["!."]),
    (f"translate --interpret a.mlir {X} --max-memory=15", 1, [], ["needs 16 bytes, more than the limit of 15 bytes"]),
    (f"translate --interpret a.mlir {X} --max-memory=16", 0, [r"\[9\."], []),
    (f"translate --interpret a.mlir {X} --timeout=0", 1, [], ["ran for longer than the limit of 0 s"]),
    (f"translate --interpret a.mlir {X} --profile", 0, [r"\[9\."], ["stablehlo.multiply"]),
    (f"translate --interpret a.mlir {X} --deterministic", 0, [r"\[9\."], ["!."]),
    (
        "translate --interpret id.mlir --num-replicas=2 --args=[dense<10>_:_tensor<i32>,_dense<20>_:_tensor<i32>]",
        0,
        [r"^tensor<i32> \{10\}\ntensor<i32> \{21\}\n$"],
        [],
    ),
    (
        "translate --interpret id.mlir --num-partitions=2 --args=[dense<10>_:_tensor<i32>,_dense<20>_:_tensor<i32>]",
        0,
        [r"^tensor<i32> \{10\}\ntensor<i32> \{20\}\n$"],
        [],
    ),
    (
        "translate --interpret id.mlir --num-replicas=2 --args=[dense<10>_:_tensor<i32>]",
        1,
        [],
        ["cannot divide 1 inputs among 2 processes"],
    ),
    (
        "translate --interpret probe.mlir --args=[dense<7>_:_tensor<2xi32>]",
        1,
        [],
        ["needs the directory of the probes"],
    ),
    ("translate --serialize unknown.mlir --allow-unregistered-dialect", 1, [], ["dialect 'other' is unknown"]),
    ("translate --serialize a.mlir --target=7.0.0 -o out.bc", 1, [], ["7.0.0"]),
    ("translate --export=hlo-text a.mlir --function=other", 0, [r"ENTRY \S*main\S*[^}]*ROOT[^}\n]*s64.2."], []),
    ("translate --interpret none.mlir", 0, ["!."], []),
    ("translate --interpret none.mlir --function=f", 1, ["!."], ["function @f is not defined"]),
    ("translate --no-implicit-module --interpret both.mlir", 1, [], ["."]),
]


@pytest.mark.parametrize(("words", "code", "output", "messages"), CASES, ids=[case[0] for case in CASES])
def test_what_options_change(words: str, code: int, output: list[str], messages: list[str], run: Tool) -> None:
    ended, out, err = run(words)
    assert ended == code, f"{words} ends with {ended}\n{out[:2000]}\n{err[:2000]}"
    for what, text, patterns in (("output", out, output), ("messages", err, messages)):
        for pattern in patterns:
            unwanted = pattern.startswith("!")
            found = re.search(pattern.removeprefix("!"), text)
            said = "there is" if unwanted else "there is no"
            assert (found is None) == unwanted, f"{words}: {said} {pattern!r} in the {what}:\n{text[:2000]}"


def test_files_are_written_as_asked(run: Tool) -> None:
    run("opt a.mlir -o out.mlir")
    assert Path("out.mlir").read_text() == run("opt a.mlir")[1]
    for words in ("", " --emit-bytecode-producer=abcdefgh"):
        run(f"opt a.mlir --emit-bytecode -o out.mlirbc{words}")
        data = Path("out.mlirbc").read_bytes()
        assert data.startswith(b"ML\xefR")
        assert (b"abcdefgh" in data) == bool(words)
        assert run("opt out.mlirbc")[1] == run("opt a.mlir")[1]
    run(f"translate --interpret a.mlir {X} --output=@out.npz")
    with np.load("out.npz") as archive:
        assert [archive[name].tolist() for name in archive.files] == [[9.0, 16.0, 25.0, 36.0]]
    run(f"translate --interpret a.mlir {X} --profile-output=profile.json")
    assert {row["op"] for row in json.loads(Path("profile.json").read_text())["profile"]} >= {"stablehlo.multiply"}
    run("translate --interpret probe.mlir --args=[dense<7>_:_tensor<2xi32>] --probe-output-dir=probes")
    assert np.load("probes/probe1.npy").tolist() == [7, 7]
    run("opt a.mlir --cse --mlir-generate-reproducer=again.mlir -o none.mlir")
    assert run("opt again.mlir --run-reproducer")[1] == run("opt a.mlir --cse")[1]
    assert run("opt a.mlir --cse --steps=page.html")[0] == 0
    assert "model.py" in Path("page.html").read_text() or "stablehlo" in Path("page.html").read_text()
    run("opt a.mlir --cse --mlir-print-ir-after-all --mlir-print-ir-tree-dir=tree")
    assert any(name.endswith(".mlir") for _, _, names in os.walk("tree") for name in names)


def test_artifacts_are_of_their_version_and_come_back(run: Tool) -> None:
    for target, version in (("1.0.0", "1.0.0"), ("minimum", "0.9.0")):
        run(f"translate --serialize a.mlir --target={target} -o out.mlirbc")
        code, out, _ = run("translate --deserialize out.mlirbc --print-stablehlo-version")
        assert code == 0
        assert out.splitlines()[0].endswith(f" version: {version}"), out.splitlines()[0]
        assert "stablehlo.multiply" in out
        assert "version" not in run("translate --deserialize out.mlirbc")[1]
    for words in ("", " --strip-debuginfo"):
        run(f"translate --serialize a.mlir --target=1.0.0 -o out.mlirbc{words}")
        assert (b"model.py" in Path("out.mlirbc").read_bytes()) == (not words)
    code, out, _ = run(f"translate --serialize --deserialize --interpret a.mlir {X}")
    assert (code, "9.0" in out) == (0, True)


def test_a_pass_that_fails_leaves_a_reproducer(run: Tool) -> None:
    Path("dynamic.mlir").write_text(
        "func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> {\n  return %x : tensor<?xf32>\n}\n"
    )
    words = "--vhlo-legalize-to-stablehlo --stablehlo-legalize-to-vhlo --vhlo-to-version=target=0.1.0"
    code, out, err = run(f"opt a.mlir {words} --mlir-pass-pipeline-crash-reproducer=crash.mlir")
    assert (code, out) == (1, "")
    assert "note: a reproducer was written to 'crash.mlir'; --run-reproducer runs it" in err
    assert "vhlo-to-version" in Path("crash.mlir").read_text()
    assert run("opt crash.mlir --run-reproducer")[0] == 1


def test_steps_of_an_earlier_run_are_removed_and_other_files_stay(run: Tool) -> None:
    assert run("opt a.mlir --cse --canonicalize --steps=steps")[0] == 0
    names = {path.name for path in Path("steps").iterdir()}
    assert {"index.html", "00-input.mlir"} < names
    assert len(names) == 4
    Path("steps/own.mlir").write_text("mine")
    assert run("opt a.mlir --symbol-dce --steps=steps")[0] == 0
    after = {path.name for path in Path("steps").iterdir()}
    assert {"index.html", "00-input.mlir", "own.mlir"} < after
    assert len(after) == 4
    assert not any("cse" in name or "canonicalize" in name for name in after)


@pytest.mark.parametrize("count", [1, 2])
@pytest.mark.parametrize("names", [("y", "x1"), ("x1", "y")])
def test_arrays_are_given_to_the_parameters_of_their_names(names: tuple[str, str], count: int, run: Tool) -> None:
    """Those of several processes have numbers, as there is no name for each, even if one is a parameter's."""
    Path("two.mlir").write_text(
        'func.func @main(%arg0: tensor<i32> loc("x1"), %arg1: tensor<i32> loc("y")) -> tensor<i32> {\n'
        "  %0 = stablehlo.subtract %arg0, %arg1 : tensor<i32>\n  return %0 : tensor<i32>\n}\n"
    )
    arrays = {"x1": np.int32(7), "y": np.int32(2)}
    if count == 1:
        np.savez("two.npz", **{name: arrays[name] for name in names})
    else:
        np.savez("two.npz", **{f"x{3 - number}": np.int32(10 * number**2) for number in range(4)})
    code, out, err = run(f"translate --interpret two.mlir --inputs=two.npz --num-replicas={count}")
    assert code == 0, err
    found = [int(value) for value in re.findall(r"\{(-?\d+)\}", out)]
    assert found == ([5] if count == 1 else [90 - 40, 10 - 0]), out


@pytest.mark.parametrize(
    ("words", "is_kept", "is_said"),
    [
        ("", True, False),
        ("--remarks-filter=stablehlo-.*", True, True),
        ("--remarks-filter-passed=.*", True, True),
        ("--remarks-filter=other", False, False),
        ("--remarks-filter-missed=.*", False, False),
    ],
)
def test_remarks_are_for_the_page_of_steps_alone_unless_they_are_asked_for(
    words: str, is_kept: bool, is_said: bool, run: Tool
) -> None:
    if not has("remarks"):
        return
    Path("zero.mlir").write_text(
        "func.func @main(%x: tensor<2xi32>) -> tensor<2xi32> {\n  %z = stablehlo.constant dense<0> : tensor<2xi32>\n"
        "  %0 = stablehlo.add %x, %z : tensor<2xi32>\n  return %0 : tensor<2xi32>\n}\n"
    )
    code, _, err = run(f"opt zero.mlir --steps=page.html --stablehlo-aggressive-simplification {words}".rstrip())
    remark = "[Passed] neutral_on_the_right"
    assert code == 0, err
    assert (remark in err, remark in Path("page.html").read_text()) == (is_said, is_kept), err
