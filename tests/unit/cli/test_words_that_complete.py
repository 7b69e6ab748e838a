"""What completes a command line, without a shell: flags, passes and their options, verbs, values."""

from __future__ import annotations

from itertools import permutations

import pytest

from stablehlo_py.cli import completion
from stablehlo_py.cli.completion import SHELLS, click_words, script, split_line, table_words
from stablehlo_py.cli.completion_values import values_of
from stablehlo_py.cli.information import descriptions, served
from stablehlo_py.cli.options import OPT, TOOLS, TRANSLATE
from stablehlo_py.cli.stablehlo import VERBS, stablehlo

BEHIND_TOP_DOWN = [
    *("cse-between-iterations", "disable-patterns", "enable-patterns", "max-iterations", "max-num-rewrites"),
    *("region-simplify", "test-convergence"),
]


@pytest.mark.parametrize(
    ("tool", "words", "expected"),
    [
        (OPT, [], []),
        (OPT, [""], []),
        (OPT, ["a"], []),
        (OPT, ["-o", ""], []),
        (OPT, ["-o", "-"], []),
        (OPT, ["--mlir-timing="], ["--mlir-timing=true", "--mlir-timing=false"]),
        (OPT, ["a", "-mlir-timing=x"], ["-mlir-timing=true", "-mlir-timing=false"]),
        (OPT, ["--mlir-timing", "a"], []),
        (OPT, ["--pass-report", "a"], []),
        (OPT, ["--pass-report="], ["--pass-report=json", "--pass-report=text"]),
        (OPT, ["--remark-policy", "f"], ["all", "final"]),
        (OPT, ["remark-policy", "f"], []),
        (OPT, ["--emit-bytecode-version="], []),
        (OPT, ["--emit-bytecode-version", "a"], []),
        (OPT, ["--explain-op", "tan"], ["tan", "tanh"]),
        (OPT, ["--explain-op=tan"], ["--explain-op=tan", "--explain-op=tanh"]),
        (OPT, ["--pass-pipeline=any(canon"], ["--pass-pipeline=any(canonicalize"]),
        (OPT, ["--mlir-print-ir-after", "cse,canon"], ["cse,canonicalize"]),
        (OPT, ["--canonicalize=top-down=true "], [f"--canonicalize=top-down=true {one}=" for one in BEHIND_TOP_DOWN]),
        (OPT, ["--canonicalize=x"], [f"--canonicalize={one}=" for one in (*BEHIND_TOP_DOWN, "top-down")]),
        (
            OPT,
            ["-canonicalize=top-down=true region-simplify=x "],
            [f"-canonicalize=top-down=true region-simplify=x {one}=" for one in BEHIND_TOP_DOWN if "region" not in one],
        ),
        (OPT, ["--cse="], []),
        (OPT, ["--no-such=x"], []),
        (TRANSLATE, ["--canonicalize="], [f"--canonicalize={one}=" for one in (*BEHIND_TOP_DOWN, "top-down")]),
        (TRANSLATE, ["--grid", "l"], ["local", "mpi"]),
        (TRANSLATE, ["--grid="], ["--grid=local", "--grid=mpi"]),
    ],
)
def test_words_of_the_table(tool: str, words: list[str], expected: list[str]) -> None:
    assert [word for word, _ in table_words(tool, words)] == expected


def test_an_option_of_a_pass_that_is_given_is_not_offered_again_and_all_others_are() -> None:
    """Also those whose names begin with the name of another one."""
    known = {found.name: [option.name for option in found.options] for found in descriptions()}
    pairs = {name for name, names in known.items() for one, other in permutations(names, 2) if one.startswith(other)}
    for name, names in [(name, known[name]) for name in sorted({*pairs, "canonicalize"})]:
        for given in names:
            head = f"--{name}={given}=x "
            offered = [word for word, _ in table_words(OPT, [head])]
            assert offered == [f"{head}{one}=" for one in names if one != given]


@pytest.mark.parametrize(
    ("line", "loaded"),
    [
        ("tool --cs", []),
        ("tool --load a.py --cs", ["a.py"]),
        ("tool -load a.py --cs", ["a.py"]),
        ("tool --load=a.py -load=b.py x --cs", ["a.py", "b.py"]),
        ("tool -load a.py --load b.py --cs", ["a.py", "b.py"]),
        ("tool --loads=a.py load b.py --cs", []),
    ],
)
def test_files_that_a_line_loads_are_loaded_before_it_is_completed(
    line: str, loaded: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    found: list[str] = []
    monkeypatch.setattr(completion, "load_file", found.append)
    monkeypatch.setattr("sys.argv", ["tool"])
    completion.answer(line, lambda words: iter([(f"--cse{len(found)}", "a  b"), ("--fold", ""), ("x", words[0])]))
    assert found == loaded
    assert capsys.readouterr().out == f"--cse{len(loaded)}\ta b\n"


def test_a_word_has_its_meaning() -> None:
    timing = [(f"--mlir-timing={value}", "Print how long each pass took") for value in ("true", "false")]
    assert list(table_words(OPT, ["--mlir-timing="])) == timing
    assert list(table_words(OPT, ["--explain-op", "tanh"])) == [("tanh", "stablehlo.tanh")]
    found = dict(table_words(OPT, ["--canonicalize="]))
    assert found["--canonicalize=max-iterations="] == "how often to go over the IR at most, -1 for no limit"
    assert all(found.values())


@pytest.mark.parametrize("tool", [OPT, TRANSLATE])
@pytest.mark.parametrize(("typed", "dashes"), [("-", "--"), ("--", "--"), ("--x", "--"), ("-x", "-")])
def test_every_flag_and_pass_is_offered_with_the_dashes_that_are_typed(tool: str, typed: str, dashes: str) -> None:
    options = [one for group in served(tool).values() for one in group]
    passes = descriptions() if tool == OPT else []
    assert list(table_words(tool, ["a", typed])) == [
        *(
            (
                f"{dashes if len(one.name) > 1 else '-'}{one.name}{'' if one.kind in ('switch', 'optional') else '='}",
                one.summary,
            )
            for one in options
        ),
        *((f"{dashes}{one.name}{'=' if one.options else ''}", one.summary) for one in passes),
    ]
    names = [one.name for one in options]
    assert "o" in names
    assert not any(one.refused for one in options)


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["ro"], [("roundtrip", "Write FILE for a version, read it back,...")]),
        (["compare", "--engine=x"], [("--engine=xla", "an engine")]),
        (["compare", "--engine", "x"], [("xla", "an engine")]),
        (["compare", "--engines=reference,x"], [("--engines=reference,xla", "an engine")]),
        (["hash", "--by="], [("--by=ops", ""), ("--by=function", "")]),
        (["hash", "--by", "o"], [("ops", "")]),
        (["cost", "--to"], [("--top", "How many kinds of ops to show.")]),
        (["cost", "--top="], []),
        (["check", "--profile", "x"], [("xla-cpu", "a profile of the package")]),
    ],
)
def test_words_of_verbs(words: list[str], expected: list[tuple[str, str]]) -> None:
    assert list(click_words(stablehlo, words)) == expected


def test_all_verbs_complete_an_empty_word() -> None:
    for words in ([], [""]):
        assert {word for word, _ in click_words(stablehlo, words)} == set(VERBS)


@pytest.mark.parametrize(
    ("kind", "typed", "expected"),
    [
        ("ENGINE", "ref", ["reference"]),
        ("engine", "ref", ["reference"]),
        ("ENGINE", "xla,ref", []),
        ("ENGINE,…", "xla,ref", ["xla,reference"]),
        ("OP", "tan", ["tan", "tanh"]),
        ("OP,…", "add,tan", ["add,tan", "add,tanh"]),
        ("PASS,…", "cse,canon", ["cse,canonicalize"]),
        ("PASS,…", "any(canon", []),
        ("PASSES", "any(cse,func.func(canon", ["any(cse,func.func(canonicalize"]),
        ("PIPELINE", "canon", ["canonicalize"]),
        ("PROFILE", "", ["iree-llvm-cpu", "reference", "xla-cpu"]),
        ("VERSION", "cur", ["current"]),
        ("VERSION", "1.1.", ["1.1.0"]),
        ("TYPE", "bf", ["bf16"]),
        ("TYPE,…", "f32,bf", ["f32,bf16"]),
        ("FILE", "", []),
    ],
)
def test_values_by_the_word_for_them(kind: str, typed: str, expected: list[str]) -> None:
    assert [value for value, _ in values_of(kind, typed)] == expected


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("", []),
        ("a", ["a"]),
        ("a b", ["a", "b"]),
        ("a b ", ["a", "b", ""]),
        ("a 'b c", ["a", "b c"]),
        ('a "b c" d', ["a", "b c", "d"]),
        ('a "b c" "d ', ["a", "b c", "d "]),
        ("a # b", ["a", "#", "b"]),
        ("'a b' ", ["a b", ""]),
        ("a --b=c;d|e", ["a", "--b=c;d|e"]),
    ],
)
def test_a_line_in_words(line: str, words: list[str]) -> None:
    assert split_line(line) == words


def test_scripts_name_every_tool() -> None:
    scripts = {shell: script(shell) for shell in SHELLS}
    assert scripts["bash"].endswith(f"complete -F _stablehlo_py {' '.join(TOOLS)}\n")
    assert scripts["zsh"].startswith(f"#compdef {' '.join(TOOLS)}\n")
    assert scripts["zsh"].endswith(f"compdef _stablehlo_py {' '.join(TOOLS)}\n")
    lines = "".join(f"complete -c {tool} -a '(__stablehlo_py)'\n" for tool in TOOLS)
    assert scripts["fish"].endswith(f"end\n{lines}")
