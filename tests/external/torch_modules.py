"""Compare PyTorch modules with what `load` makes of them: `python tests/external/torch_modules.py [--match TEXT]`.

Prints how many agree, how many an importer got wrong (found by the check of imports, or by this comparison alone), and
the nodes that cannot be lowered. Needs the extra `pytorch`. The exit code is 1 where a result is wrong without a word.
"""

from __future__ import annotations

import argparse
import copy
import importlib
import re
import sys
import warnings
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import stablehlo_py
from stablehlo_py.bindings.bytecode import bytecode_of
from stablehlo_py.debug.allowed.spread import first_beyond
from stablehlo_py.interpreter.arguments import as_array
from stablehlo_py.isolation.limits import Limits
from stablehlo_py.isolation.policy import enter_guard
from stablehlo_py.isolation.process import run_in_child

if TYPE_CHECKING:
    from torch_cases import Case

AGREES, FOUND, DIFFERS, NOT_COMPARED = "agrees", "is refused, because the import differs", "differs", "is not compared"
REFUSED, NOT_EXPORTED = "cannot be lowered", "cannot be exported by torch"
_NODE = re.compile(r"node '[^']*?\(?([\w.]+)\)?'")
_MARKS = (
    "<!-- written by tests/external/torch_modules.py --page docs/reliability.md -->",
    "<!-- written until here -->",
)
_SECONDS = 120.0


@dataclass(frozen=True)
class Verdict:
    """How one module fared: `node` is the op that cannot be lowered or differs; `unchecked` the outcome of the import
    without its check, where the check rejects it."""

    name: str
    outcome: str
    node: str = ""
    detail: str = ""


def judge(case: Case) -> Verdict:
    """Import a module and compare it with torch, in a child process, which torch-mlir may crash."""
    outcome = run_in_child(partial(_judge, case), Limits(_SECONDS))
    if outcome.crash or outcome.error is not None:
        return Verdict(case.name, REFUSED, "torch-mlir crashes", f"{outcome.crash}{outcome.error or ''}")
    return outcome.result()


def _judge(case: Case) -> Verdict:
    import torch

    enter_guard()  # this process is the child that may crash
    torch.set_num_threads(1)  # a fork has none of the others
    warnings.simplefilter("ignore")
    torch.manual_seed(0)
    module, arguments = case.make(), case.draw()
    try:
        exported = torch.export.export(module, arguments, dynamic_shapes=case.dynamic)
    except Exception as error:
        return Verdict(case.name, NOT_EXPORTED, detail=str(error))
    try:
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            program = stablehlo_py.load(exported)
    except stablehlo_py.StablehloError as error:
        node = _NODE.search(str(error))
        outcome = FOUND if "is not the program" in error.message else REFUSED
        return Verdict(case.name, outcome, node[1] if node else "", str(error))
    doubts = [str(one.message) for one in told if one.category is UserWarning and "importing" in str(one.message)]
    if any("not compared" in doubt for doubt in doubts):
        return Verdict(case.name, NOT_COMPARED, detail=doubts[-1])
    for _ in range(2):  # other arguments than those that the program was exported with, too
        difference = _difference(program, copy.deepcopy(module), arguments)  # modules may change
        if difference:
            return Verdict(case.name, DIFFERS, detail=difference)
        arguments = case.draw()
    return Verdict(case.name, AGREES)


def _difference(program: Any, module: Any, arguments: Sequence[Any]) -> str:
    import torch
    from torch.utils._pytree import tree_leaves

    with torch.no_grad():
        expected = tree_leaves(module(*[argument.clone() for argument in arguments]))
    results = program(*arguments)
    results = results if isinstance(results, tuple) else (results,)
    expected = [as_array(value.resolve_conj().resolve_neg()) for value in expected]
    if [(a.shape, a.dtype) for a in results] != [(b.shape, b.dtype) for b in expected]:
        return f"{[(a.shape, a.dtype) for a in results]} for {[(b.shape, b.dtype) for b in expected]}"
    given = [as_array(argument) for argument in arguments]
    found = first_beyond(bytecode_of(program.module), given, results, expected)
    return "" if found is None or found[1] is None else f"result {found[0]}: {found[1].worst[0]}"


def summary(verdicts: Sequence[Verdict]) -> Iterator[str]:
    """A line for each outcome, then one for each node that cannot be lowered."""
    counts = Counter(verdict.outcome for verdict in verdicts)
    yield f"{len(verdicts)} modules: " + ", ".join(f"{count} {outcome}" for outcome, count in counts.most_common())
    for node, names in by_node(verdicts):
        yield f"{len(names):6}  {node}: {', '.join(names)}"


def by_node(verdicts: Sequence[Verdict]) -> list[tuple[str, list[str]]]:
    """The modules that do not agree by node, the most frequent first."""
    found: dict[str, list[str]] = {}
    for verdict in verdicts:
        if verdict.outcome in (REFUSED, FOUND):
            found.setdefault(verdict.node, []).append(verdict.name)
    return sorted(found.items(), key=lambda item: (-len(item[1]), item[0]))


def section(models: Sequence[Verdict], ops: Sequence[Verdict]) -> str:
    """The part of the page about these verdicts."""
    from importlib.metadata import version

    lines = [
        f"Of torch {version('torch').partition('+')[0]}, by torch-mlir {version('torch-mlir')}. Models: "
        f"{next(summary(models))}. Single ops: {next(summary(ops))}.",
        "",
        "| node | models and ops | outcome |",
        "|---|---|---|",
    ]
    outcomes = {verdict.name: verdict.outcome for verdict in (*models, *ops)}
    for node, names in by_node([*models, *ops]):
        outcome = Counter(outcomes[name] for name in names).most_common(1)[0][0]
        lines.append(f"| `{node}` | {', '.join(f'`{name}`' for name in names)} | {outcome} |")
    return "\n".join(lines)


def main() -> int:
    """The script."""
    for name in ("torch_mlir.fx", "stablehlo_py.artifacts.formats.torch_export", "stablehlo_py.debug.imports"):
        importlib.import_module(name)  # children of this process need not import them again
    from torch_models import MODELS
    from torch_ops import OPS

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--match", default="", help="only modules whose name contains this")
    parser.add_argument("--verbose", action="store_true", help="print each module that does not agree")
    parser.add_argument("--page", type=Path, help="write the counts to this file, too")
    arguments = parser.parse_args()
    found: list[list[Verdict]] = []
    for cases in (MODELS, OPS):
        found.append([])
        for case in cases:
            if arguments.match in case.name:
                found[-1].append(judge(case))
                if arguments.verbose and found[-1][-1].outcome != AGREES:
                    print(found[-1][-1], flush=True)
        print("\n".join(summary(found[-1])), flush=True)
    if arguments.page is not None:
        text = arguments.page.read_text(encoding="utf-8")
        before, _, rest = text.partition(_MARKS[0])
        after = rest.partition(_MARKS[1])[2]
        arguments.page.write_text(f"{before}{_MARKS[0]}\n\n{section(*found)}\n\n{_MARKS[1]}{after}", encoding="utf-8")
    return 1 if any(verdict.outcome == DIFFERS for verdicts in found for verdict in verdicts) else 0


if __name__ == "__main__":
    sys.exit(main())
