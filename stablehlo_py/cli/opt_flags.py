"""The flags of `stablehlo-opt`, and reading a command line as MLIR's tools do.

To add a flag, add one entry to `FLAGS`. With a `handler` ("module:function", the module's full name) that function is
imported when the flag is given, and called with (value, options) once the whole command line is read. It may return
an exit code, which ends the tool (`--list-passes`), or register work in `options` (`printers`, `before_passes`,
`after_passes`). Without a handler the value waits in `options` for `opt.py` to read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..errors import UsageError
from .common_flags import COMMON_FLAGS, TRUST_FLAG, VALUE_NAMES, VERSION_SUMMARY
from .refused_flags import refuse

if TYPE_CHECKING:
    from ..bindings import ir
    from .output import Output

TOOL = "stablehlo-opt"
SWITCH, OPTIONAL, VALUE, INTEGER = "switch", "optional", "value", "integer"
_TRUE, _FALSE = frozenset(("true", "1", "TRUE", "True", "")), frozenset(("false", "0", "FALSE", "False"))


@dataclass(frozen=True)
class Flag:
    """`kind` says whether the flag takes no value (SWITCH: `--flag`, `--flag=false`), may take one (OPTIONAL, then
    `default` stands for the missing one), or needs one (VALUE, INTEGER: `--flag=value`, `--flag value`).
    `choices` are the values that it can have, all if empty. A `repeatable` flag may be given several times; its values
    are lines of one text."""

    name: str
    kind: str
    summary: str
    value_name: str = ""
    default: str = ""
    choices: tuple[str, ...] = ()
    handler: str = ""
    repeatable: bool = False


GROUPS: dict[str, tuple[Flag, ...]] = {
    "General": (
        Flag("help", SWITCH, "Show this help", handler="stablehlo_py.cli.opt_information:show_help"),
        Flag("version", SWITCH, VERSION_SUMMARY.rstrip("."),
             handler="stablehlo_py.cli.opt_information:show_version"),
        Flag("list-passes", SWITCH, "List every pass with its options",
             handler="stablehlo_py.cli.opt_information:list_passes"),
        Flag("show-dialects", SWITCH, "List the dialects that can be read",
             handler="stablehlo_py.cli.opt_information:show_dialects"),
        Flag("explain-op", VALUE, "Explain a StableHLO op: operands, attributes, results, constraints, example", "op",
             handler="stablehlo_py.cli.explain_op:explain_op"),
    ),
    "Input": (
        Flag("allow-unregistered-dialect", SWITCH, "Let ops of unknown dialects pass"),
        Flag("split-input-file", OPTIONAL, "Treat the chunks between markers as separate files", "marker", "// -----"),
        Flag("verify-diagnostics", OPTIONAL,
             "Compare diagnostics with expected-error, -warning, -remark and -note comments; only-expected lets others "
             "pass", "all|only-expected", "all", ("all", "only-expected")),
        Flag("mlir-print-op-on-diagnostic", SWITCH, "Show the op that the verifier rejects in a note", default="true"),
        *(Flag(name, SWITCH if name == TRUST_FLAG else VALUE, text, VALUE_NAMES[name])
          for name, text in COMMON_FLAGS.items()),
        Flag("no-implicit-module", SWITCH, "Take the one op of the input as it is, without a module around it"),
        Flag("irdl-file", VALUE, "Define the dialects of this IRDL file first, where the bindings have IRDL", "file"),
        Flag("mlir-diagnostic-verbosity-level", VALUE, "Print errors, warnings as well, or remarks as well", "level",
             "remarks", ("errors", "warnings", "remarks")),
        Flag("mlir-disable-diagnostic-notes", SWITCH, "Print diagnostics without their notes"),
        Flag("verify-roundtrip", SWITCH, "Check that the module survives writing and reading, as text and bytecode"),
    ),
    "Output": (
        Flag("o", VALUE, "Write to this file; it appears whole or not at all", "file", "-"),
        Flag("output-split-marker", VALUE, "Print this line between the chunks of a split file", "marker", "// -----"),
        Flag("emit-bytecode", SWITCH, "Write MLIR bytecode"),
        Flag("emit-bytecode-version", INTEGER, "Write this version of MLIR bytecode", "version"),
        Flag("mlir-print-op-generic", SWITCH, "Print ops in their generic form"),
        Flag("mlir-print-debuginfo", SWITCH, "Print locations"),
        Flag("mlir-pretty-debuginfo", SWITCH, "Print locations for people; the result cannot be parsed"),
        Flag("mlir-print-local-scope", SWITCH, "Print attributes and locations in place, without aliases"),
        Flag("mlir-print-assume-verified", SWITCH, "Do not verify before printing"),
        Flag("mlir-print-skip-regions", SWITCH, "Do not print regions"),
        Flag("mlir-use-nameloc-as-prefix", SWITCH, "Name SSA values after their name locations"),
        Flag("mlir-print-unique-ssa-ids", SWITCH, "Give no two values of the module the same number"),
        Flag("mlir-print-value-users", SWITCH, "Print in comments who uses a value"),
        Flag("mlir-elide-elementsattrs-if-larger", INTEGER, "Print elements attributes with more elements as `...`",
             "count"),
        Flag("mlir-elide-resource-strings-if-larger", INTEGER, "Leave out resources with more characters", "count"),
    ),
    "Passes": (
        Flag("pass-pipeline", VALUE, "Run these passes, e.g. builtin.module(func.func(cse),inline)", "pipeline"),
        Flag("pass-report", OPTIONAL, "Tell on standard error what the optimization passes did", "json|text", "text",
             ("json", "text"), "stablehlo_py.cli.opt_passes:report_passes"),
        Flag("dump-pass-pipeline", SWITCH, "Print the pipeline to standard error before it runs"),
        Flag("verify-each", SWITCH, "Verify after each pass", default="true"),
        Flag("validate-each", OPTIONAL, "Interpret the module around each pass on N drawn inputs, and stop at "
             "the first pass that changes a result", "N", "3"),
        Flag("validate-each-prefix", VALUE, "Begin the names of what --validate-each writes with this", "prefix",
             "validate-each"),
        Flag("mlir-disable-threading", SWITCH, "Run on one thread, which is what this tool always does"),
        Flag("mlir-print-ir-before", VALUE, "Print the IR before these passes", "pass,…"),
        Flag("mlir-print-ir-after", VALUE, "Print the IR after these passes", "pass,…"),
        Flag("mlir-print-ir-before-all", SWITCH, "Print the IR before each pass"),
        Flag("mlir-print-ir-after-all", SWITCH, "Print the IR after each pass"),
        Flag("mlir-print-ir-after-change", SWITCH, "Print the IR after passes that changed it"),
        Flag("mlir-print-ir-after-failure", SWITCH, "Print the IR after a pass that failed"),
        Flag("mlir-print-ir-module-scope", SWITCH, "Print the whole module, not only the op that a pass ran on"),
        Flag("mlir-print-ir-tree-dir", VALUE, "Print the IR to a tree of files in this folder", "folder"),
        Flag("mlir-timing", SWITCH, "Print how long each pass took"),
        Flag("mlir-timing-display", VALUE, "How to print times", "form", "list", ("list", "tree")),
        Flag("mlir-output-format", VALUE, "How to print times", "form", "text", ("text", "json")),
        Flag("mlir-pass-statistics", SWITCH, "Print the statistics that passes collect"),
        Flag("mlir-pass-statistics-display", VALUE, "Print statistics as a nested pipeline or in one list", "form",
             "pipeline", ("list", "pipeline")),
        Flag("mlir-pass-pipeline-crash-reproducer", VALUE,
             "Where a pass fails or crashes, write the module and the pipeline to this file", "file"),
        Flag("mlir-pass-pipeline-local-reproducer", SWITCH,
             "Write the failing pass alone to the crash reproducer, and the module as it was in front of it"),
        Flag("mlir-generate-reproducer", VALUE, "Write the module and the pipeline to this file, failure or not",
             "file"),
        Flag("run-reproducer", SWITCH, "Run the pipeline that the reproducer in the input holds"),
    ),
    "Shapes": (
        Flag("abstract-interp-library", VALUE, "Add the shape and dtype functions of this Python file; may be repeated",
             "file", handler="stablehlo_py.cli.abstract_flags:use_library", repeatable=True),
        Flag("print-abstract-interp-library", OPTIONAL, "Print the shape and dtype functions of all ops, or of one",
             "op", handler="stablehlo_py.cli.abstract_flags:print_library"),
        Flag("print-abstract-interp-stub", VALUE, "Print the heads of an op's shape and dtype functions, to fill in",
             "op", handler="stablehlo_py.cli.abstract_flags:print_stub"),
        Flag("print-symbolic-shapes", SWITCH, "Print the shape of each value in terms of the arguments' extents",
             handler="stablehlo_py.cli.abstract_flags:print_symbolic_shapes"),
        Flag("why-dynamic", SWITCH, "Print where each unknown extent comes from and how to make it known",
             handler="stablehlo_py.cli.abstract_flags:print_why_dynamic"),
    ),
}  # fmt: skip
ALIASES = {
    "h": "help",
    "help-list": "help",
    "help-hidden": "help",
    "help-list-hidden": "help",
    "p": "pass-pipeline",
}
FLAGS: dict[str, Flag] = {flag.name: flag for flags in GROUPS.values() for flag in flags}


class Options:
    """A command line that has been read: `passes` are the pass flags in order, each with the text of its options."""

    def __init__(self, values: dict[str, str] | None = None) -> None:
        self.values: dict[str, str] = {} if values is None else values
        self.inputs: list[str] = []
        self.passes: list[tuple[str, str]] = []
        # Work that handlers register: instead of printing the module, and on the module around the passes.
        self.printers: list[Callable[[ir.Module, Output], None]] = []
        self.before_passes: list[Callable[[ir.Module], None]] = []
        self.after_passes: list[Callable[[ir.Module], None]] = []

    def is_given(self, name: str) -> bool:
        return name in self.values

    def text(self, name: str) -> str:
        """The value of a flag, or its default."""
        return self.values.get(name, FLAGS[name].default)

    def switch(self, name: str) -> bool:
        return (self.is_given(name) and self.values[name] in _TRUE) or (
            not self.is_given(name) and bool(FLAGS[name].default)
        )

    def integer(self, name: str) -> int | None:
        return int(self.values[name]) if self.is_given(name) else None

    def names(self, name: str) -> frozenset[str]:
        """The comma-separated parts of a flag's value."""
        return frozenset(part for part in self.text(name).split(",") if part)


def _store(options: Options, flag: Flag, value: str) -> None:
    if flag.kind == SWITCH and value not in _TRUE | _FALSE:
        raise UsageError(f"flag --{flag.name} expects true or false, found '{value}'")
    if flag.kind == INTEGER and not value.removeprefix("-").isdigit():
        raise UsageError(f"flag --{flag.name} expects an integer, found '{value}'")
    refuse(flag.name, value)
    if flag.choices and value not in flag.choices:
        raise UsageError(f"flag --{flag.name} expects one of {', '.join(flag.choices)}, found '{value}'")
    before = options.values.get(flag.name)
    options.values[flag.name] = f"{before}\n{value}" if flag.repeatable and before is not None else value


def _read_flag(options: Options, argument: str, rest: Iterator[str], is_pass: Callable[[str], bool]) -> None:
    name, has_value, value = argument.lstrip("-").partition("=")
    flag = FLAGS.get(ALIASES.get(name, name))
    if flag is None:
        if not is_pass(name):
            refuse(name)
            raise UsageError(_unknown(argument.partition("=")[0], name))
        options.passes.append((name, value))
        return
    if not has_value:
        value = flag.default if flag.kind == OPTIONAL else ""
        if flag.kind in (VALUE, INTEGER):
            following = next(rest, None)
            if following is None:
                raise UsageError(f"flag {argument} needs a value: {argument}={flag.value_name}")
            value = following
    _store(options, flag, value)


def _unknown(spelling: str, name: str) -> str:
    from ..passes.catalog import pass_names
    from ..syntax.spelling import nearest

    guess = nearest(name, [*FLAGS, *pass_names()])
    hint = f"; did you mean --{guess}?" if guess else "; --help lists all"
    return f"unknown flag '{spelling}'{hint}"


def read_command_line(arguments: list[str], is_pass: Callable[[str], bool]) -> Options:
    """Read what the user typed. Flags have one dash or two. Raises UsageError for a word that is neither a flag nor a
    pass."""
    options = Options()
    rest = iter(arguments)
    for argument in rest:
        if argument == "--":
            options.inputs.extend(rest)
        elif argument.startswith("-") and argument != "-":
            _read_flag(options, argument, rest, is_pass)
        else:
            options.inputs.append(argument)
    if len(options.inputs) > 1:
        raise UsageError(f"too many input files: {', '.join(options.inputs)}")
    return options
