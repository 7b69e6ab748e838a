"""The options of the tools, in one table.

An entry says everything about an option: its value, its help, the tools that have it, and, if the bindings cannot
serve it, why it is refused. The command lines, `--help`, completion, the manual, docs/flags.md and suggestions are made
from it. Verbs of `stablehlo` declare their own options beside what they do, by click.

With a `handler` ("module:function", the module's full name) that function is imported when the option is given, and
called with (value, options) once the whole command line is read. It may return an exit code, which ends the tool
(`--list-passes`), or register work in `options` (`printers`, `before_passes`, `after_passes`).
"""

from __future__ import annotations

from functools import cache, partial
from typing import NamedTuple

from ..isolation.limits import MEMORY_VARIABLE, TIMEOUT_VARIABLE
from ..program import CHECK_CHOICES, CHECK_VARIABLE
from .messages import COLOR_VARIABLE, FORMAT_VARIABLE, FORMATS

OPT, TRANSLATE = "stablehlo-opt", "stablehlo-translate"
TOOLS = ("stablehlo", OPT, TRANSLATE, "stablehlo-compat", "stablehlo-lsp-server")
SWITCH, OPTIONAL, VALUE, INTEGER, NUMBER = "switch", "optional", "value", "integer", "number"
_MARKER = "// -----"


class Option(NamedTuple):
    """An option.

    Attributes:
        kind: Whether it takes no value (SWITCH: `--flag`, `--flag=false`), may take one (OPTIONAL, then `default`
            stands for the missing one), or needs one (VALUE, INTEGER, NUMBER: `--flag=value`, `--flag value`).
        choices: The values that it can have; all if empty.
        handler: The function that is called where it is given.
        tools: The tools that have it.
        variable: The environment variable that it sets, for those that every tool reads before its own.
        bounds: The least and the greatest number.
        refused: Why the tools do not serve it, if they do not.
        refused_value: A value that they do not serve, and why.
    """

    name: str
    kind: str
    summary: str
    value_name: str = ""
    default: str = ""
    choices: tuple[str, ...] = ()
    handler: str = ""
    tools: tuple[str, ...] = (OPT,)
    variable: str = ""
    bounds: tuple[float, float] = (float("-inf"), float("inf"))
    refused: str = ""
    refused_value: tuple[str, str] = ("", "")


_both = partial(Option, tools=(OPT, TRANSLATE))
_every = partial(Option, tools=TOOLS)
_only_translate = partial(Option, tools=(TRANSLATE,))
_AT_LEAST_0, _GRID = (0, float("inf")), (1, 4096)


def _refused(reason: str, *names: str, tools: tuple[str, ...] = (OPT, TRANSLATE)) -> tuple[Option, ...]:
    return tuple([Option(name, OPTIONAL, "", tools=tools, refused=reason) for name in names])


GROUPS: dict[str, tuple[Option, ...]] = {
    "What to do": (
        _only_translate("interpret", SWITCH, "Run the program and print its results"),
        _only_translate("serialize", SWITCH, "Write the program as a portable artifact"),
        _only_translate("deserialize", SWITCH, "Print the program in a portable artifact"),
        _only_translate("export", VALUE, "Write hlo-text, hlo-proto or mhlo", "form"),
        _only_translate("import", VALUE, "Read hlo-text, hlo-proto, jax-export, mhlo, onnx or torch-export", "form"),
    ),
    "Input": (
        _both("allow-unregistered-dialect", SWITCH, "Let ops of unknown dialects pass"),
        _both("split-input-file", OPTIONAL, "Treat the chunks between markers as separate files", "marker", _MARKER),
        _both("no-implicit-module", SWITCH, "Take the one op of the input as it is, without a module around it"),
        Option("irdl-file", VALUE, "Define the dialects of this IRDL file first, where the bindings have IRDL", "file"),
        Option("verify-roundtrip", SWITCH, "Check that the module survives writing and reading, as text and bytecode"),
        _every("load", VALUE,
               "Load your own passes, patterns, kernels, handlers and shape functions from FILE.py; may be repeated",
               "FILE.py"),
        _every("check-import", OPTIONAL,
               "Compare imported programs with PyTorch and onnx.reference: all, or as by default only small ones",
               "|".join(CHECK_CHOICES), "all", CHECK_CHOICES, variable=CHECK_VARIABLE),
    ),
    "Output": (
        _both("o", VALUE, "Write to this file; it appears whole or not at all", "file", "-"),
        Option("output-split-marker", VALUE, "Print this line between the chunks of a split file", "marker", _MARKER),
        _only_translate("output-split-marker", VALUE, "Print this line between the chunks' results", "marker"),
        Option("emit-bytecode", SWITCH, "Write MLIR bytecode"),
        Option("emit-bytecode-producer", VALUE, "Name this producer in MLIR bytecode", "name"),
        Option("emit-bytecode-version", INTEGER, "Write this version of MLIR bytecode", "number"),
    ),
    "Messages": (
        _both("verify-diagnostics", OPTIONAL,
              "Compare diagnostics with expected-error, -warning, -remark and -note comments; only-expected lets "
              "others pass", "all|only-expected", "all", ("all", "only-expected")),
        _both("mlir-print-op-on-diagnostic", SWITCH, "Show the op that the verifier rejects in a note", default="true"),
        _only_translate("error-diagnostics-only", SWITCH, "Print errors alone"),
        Option("mlir-diagnostic-verbosity-level", VALUE, "Print errors, warnings as well, or remarks as well", "level",
               "remarks", ("errors", "warnings", "remarks")),
        Option("mlir-disable-diagnostic-notes", SWITCH, "Print diagnostics without their notes"),
        _every("error-format", VALUE, "Write messages as text, as json with a line for each, or as one sarif document",
               "|".join(FORMATS), "text", FORMATS, variable=FORMAT_VARIABLE),
        _every("color", OPTIONAL, "Colour messages: true or false; by default on terminals, unless NO_COLOR is set",
               "true|false", "true", ("true", "false"), variable=COLOR_VARIABLE),
    ),
    "How programs are printed": (
        _both("mlir-print-op-generic", SWITCH, "Print ops in their generic form"),
        _both("mlir-print-debuginfo", SWITCH, "Print locations"),
        _both("mlir-pretty-debuginfo", SWITCH, "Print locations for people; the result cannot be parsed"),
        _both("mlir-print-local-scope", SWITCH, "Print attributes and locations in place, without aliases"),
        _both("mlir-print-assume-verified", SWITCH, "Do not verify before printing"),
        _both("mlir-print-skip-regions", SWITCH, "Do not print regions"),
        _both("mlir-use-nameloc-as-prefix", SWITCH, "Name SSA values after their name locations"),
        _both("mlir-print-unique-ssa-ids", SWITCH, "Give no two values of the module the same number"),
        _both("mlir-print-value-users", SWITCH, "Print in comments who uses a value"),
        _both("mlir-elide-elementsattrs-if-larger", INTEGER, "Print elements attributes with more elements as `...`",
              "count"),
        _both("mlir-elide-resource-strings-if-larger", INTEGER, "Leave out resources with more characters", "count"),
    ),
    "Passes": (
        Option("pass-pipeline", VALUE, "Run these passes, e.g. builtin.module(func.func(cse),inline)", "pipeline"),
        Option("pass-report", OPTIONAL, "Tell on standard error what the optimization passes did", "json|text", "text",
               ("json", "text"), "stablehlo_py.cli.opt_passes:report_passes"),
        Option("dump-pass-pipeline", SWITCH, "Print the pipeline to standard error before it runs"),
        Option("verify-each", SWITCH, "Verify after each pass", default="true"),
        Option("validate-each", OPTIONAL, "Interpret the module around each pass on N drawn inputs, and stop at "
               "the first pass that changes a result", "N", "3"),
        Option("validate-each-prefix", VALUE, "Begin the names of what --validate-each writes with this", "prefix",
               "validate-each"),
        Option("steps", VALUE, "Write what each pass does as a page, or a folder with the program after each pass too",
               "FILE.html|folder"),
        Option("remarks-filter", VALUE, "Report remarks of passes whose category matches; needs jaxlib 0.12", "regex"),
        Option("remarks-filter-passed", VALUE, "Report remarks about changes", "regex"),
        Option("remarks-filter-missed", VALUE, "Report remarks about changes that were not possible", "regex"),
        Option("remarks-filter-failed", VALUE, "Report remarks about changes that failed", "regex"),
        Option("remarks-filter-analyse", VALUE, "Report remarks about what passes found out", "regex"),
        Option("remark-format", VALUE, "Report remarks as diagnostics or to a file", "form", "emitRemark",
               ("emitRemark", "yaml", "bitstream")),
        Option("remark-policy", VALUE, "Report all remarks, or the final ones", "policy", "all", ("all", "final")),
        Option("remarks-output-file", VALUE, "The file of --remark-format", "file"),
        Option("mlir-print-ir-before", VALUE, "Print the IR before these passes", "pass,…"),
        Option("mlir-print-ir-after", VALUE, "Print the IR after these passes", "pass,…"),
        Option("mlir-print-ir-before-all", SWITCH, "Print the IR before each pass"),
        Option("mlir-print-ir-after-all", SWITCH, "Print the IR after each pass"),
        Option("mlir-print-ir-after-change", SWITCH, "Print the IR after passes that changed it"),
        Option("mlir-print-ir-after-failure", SWITCH, "Print the IR after a pass that failed"),
        Option("mlir-print-ir-module-scope", SWITCH, "Print the whole module, not only the op that a pass ran on"),
        Option("mlir-print-ir-tree-dir", VALUE, "Print the IR to a tree of files in this folder", "folder"),
        Option("mlir-timing", SWITCH, "Print how long each pass took"),
        Option("mlir-timing-display", VALUE, "How to print times", "form", "list", ("list", "tree"),
               refused_value=("tree", "the bindings print times as a list only")),
        Option("mlir-output-format", VALUE, "How to print times", "form", "text", ("text", "json"),
               refused_value=("json", "the bindings print times as text only")),
        Option("mlir-pass-statistics", SWITCH, "Print the statistics that passes collect"),
        Option("mlir-pass-statistics-display", VALUE, "Print statistics as a nested pipeline or in one list", "form",
               "pipeline", ("list", "pipeline")),
        Option("mlir-pass-pipeline-crash-reproducer", VALUE,
               "Where a pass fails or crashes, write the module and the pipeline to this file", "file"),
        Option("mlir-pass-pipeline-local-reproducer", SWITCH,
               "Write the failing pass alone to the crash reproducer, and the module as it was in front of it"),
        Option("mlir-generate-reproducer", VALUE, "Write the module and the pipeline to this file, failure or not",
               "file"),
        Option("run-reproducer", SWITCH, "Run the pipeline that the reproducer in the input holds"),
    ),
    "Shapes": (
        Option("abstract-interp-library", VALUE,
               "Add the shape and dtype functions of this Python file; may be repeated", "file",
               handler="stablehlo_py.cli.information:use_library"),
        Option("print-abstract-interp-library", OPTIONAL, "Print the shape and dtype functions of all ops, or of one",
               "op", handler="stablehlo_py.cli.information:print_library"),
        Option("print-abstract-interp-stub", VALUE, "Print the heads of an op's shape and dtype functions, to fill in",
               "op", handler="stablehlo_py.cli.information:print_stub"),
        Option("print-symbolic-shapes", SWITCH, "Print the shape of each value in terms of the arguments' sizes",
               handler="stablehlo_py.cli.information:print_symbolic_shapes"),
        Option("why-dynamic", SWITCH, "Print where each unknown size comes from and how to make it known",
               handler="stablehlo_py.cli.information:print_why_dynamic"),
    ),
    "With --serialize": (
        _only_translate("target", VALUE, "Write for X.Y.Z, current, minimum, 4w or 12w", "version", "current"),
        _only_translate("strip-debuginfo", SWITCH, "Leave locations out"),
        _only_translate("allow-other-dialects", SWITCH, "Let other dialects' ops pass"),
    ),
    "With --deserialize": (
        _only_translate("print-stablehlo-version", SWITCH, "Print the artifact's version first"),
    ),
    "With --interpret": (
        _only_translate("args", VALUE, "The arguments: [dense<1> : tensor<2xi32>, …]", "attributes"),
        _only_translate("input", VALUE, "The next argument; may be repeated", "@FILE.npy"),
        _only_translate("inputs", VALUE, "All arguments, in an .npz or .safetensors file, or a folder", "FILE.npz"),
        _only_translate("cast-inputs", SWITCH, "Convert arguments to the types of the function"),
        _only_translate("output", VALUE, "Write results to an .npy or .npz file", "@FILE"),
        _only_translate("function", VALUE, "What to run, or to export as the entry function", "name", "main"),
        _only_translate("interpreter-print-dense", SWITCH, "Print dense attributes"),
        _only_translate("probe-output-dir", VALUE, "Where probes write", "folder"),
        _only_translate("num-replicas", INTEGER, "Rows of the process grid", "count", "1", bounds=_GRID),
        _only_translate("num-partitions", INTEGER, "Columns of the process grid", "count", "1", bounds=_GRID),
        _only_translate("grid", VALUE, "What runs the processes", "local|mpi", "local", ("local", "mpi")),
        _only_translate("max-memory", INTEGER, "Make no tensor larger than this", "bytes", bounds=_AT_LEAST_0),
        _only_translate("max-steps", INTEGER, "Stop after so many ops", "count", bounds=_AT_LEAST_0),
        _only_translate("timeout", NUMBER, "Stop after so long", "seconds", bounds=_AT_LEAST_0),
        _only_translate("deterministic", SWITCH, "Give the same bits everywhere, also of large contractions"),
        _only_translate("progress", SWITCH, "Show a bar on a terminal"),
        _only_translate("profile", SWITCH, "Print time and bytes by op and location to standard error"),
        _only_translate("profile-output", VALUE, "Write the profile as JSON", "file"),
    ),
    "General": (
        _both("help", SWITCH, "Show this help", handler="stablehlo_py.cli.information:show_help"),
        _every("version", SWITCH,
               "Show the versions of this tool, of StableHLO, of the bytecode and of the package with the dialects",
               handler="stablehlo_py.cli.information:show_version"),
        Option("list-passes", SWITCH, "List every pass with its options",
               handler="stablehlo_py.cli.information:list_passes"),
        Option("show-dialects", SWITCH, "List the dialects that can be read",
               handler="stablehlo_py.cli.information:show_dialects"),
        Option("explain-op", VALUE, "Explain a StableHLO op: operands, attributes, results, constraints, example", "op",
               handler="stablehlo_py.cli.information:explain_op"),
        _both("mlir-disable-threading", SWITCH, "Run on one thread, which is what this tool always does"),
        _every("trust-input", SWITCH, "Run without a guard: a crash of the compiler ends the tool"),
        _every("guard-timeout", VALUE,
               "Seconds that reading a program or running its passes may take; any number for passes by default",
               "NUMBER", variable=TIMEOUT_VARIABLE),
        _every("guard-memory", VALUE, "Bytes of memory that the tool may allocate", "NUMBER",
               variable=MEMORY_VARIABLE),
    ),
    "Refused": (
        *_refused("the packages with the dialects are release builds, without LLVM's debug output",
                  "debug", "debug-only"),
        *_refused("the bindings' bytecode writer has no such setting", "elide-resource-data-from-bytecode"),
        *_refused("the packages with the dialects load no plugins; --irdl-file defines a dialect where the package has "
                  "IRDL", "load-dialect-plugin"),
        *_refused("the packages with the dialects load no plugins; --load=FILE.py adds your own passes",
                  "load-pass-plugin"),
        *_refused("the bindings give no access to MLIR's actions; --mlir-print-ir-before-all shows which passes run",
                  "log-actions-to", "log-mlir-actions-filter", "mlir-enable-debugger-hook", "profile-actions-to"),
        *_refused("the bindings give no access to MLIR's debug counters; stablehlo bisect-passes finds the pass at "
                  "fault", "mlir-debug-counter", "mlir-print-debug-counter"),
        *_refused("the bindings' printer has no such setting; elements are printed in hexadecimal from 100 on",
                  "mlir-print-elementsattrs-with-hex-if-larger"),
        *_refused("the bindings have no such setting", "mlir-print-stacktrace-on-diagnostic"),
        *_refused("the bindings verify whatever they read", "mlir-very-unsafe-disable-verifier-on-parsing"),
        *_refused("LLVM's list of its own variables is not there; --help shows every flag with its default",
                  "print-all-options", "print-options"),
        *_refused("translations are not passes; --profile tells where an interpretation spends its time",
                  "mlir-output-format", "mlir-timing", "mlir-timing-display", tools=(TRANSLATE,)),
    ),
}  # fmt: skip
ALIASES = {
    **dict.fromkeys(("h", "help-list", "help-hidden", "help-list-hidden"), "help"),
    "p": "pass-pipeline",
}
COMMON = {
    option.name: option
    for options in GROUPS.values()
    for option in options
    if option.tools == TOOLS and option.name != "version"
}


@cache
def options_of(tool: str) -> dict[str, Option]:
    """Return the options of `tool` by name, the refused ones included."""
    return {option.name: option for options in GROUPS.values() for option in options if tool in option.tools}


def spelling(option: Option, *, brackets: bool = True) -> str:
    """Return the option with the word for its value, as help and manual have it."""
    dashes = "-" if len(option.name) == 1 else "--"
    value = f"<{option.value_name}>" if brackets else option.value_name
    if option.kind == SWITCH:
        return f"{dashes}{option.name}"
    return f"{dashes}{option.name}[={value}]" if option.kind == OPTIONAL else f"{dashes}{option.name}={value}"
