"""The verbs about versions: which can hold a program, and why, and how a program gets from one to another."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ...errors import UsageError
from ...isolation.policy import guarding
from .shared import Named, json_option, load_program, print_json, program_in, show

if TYPE_CHECKING:
    from ...artifacts.needs import Need
    from ...artifacts.remedies import Remedies
    from ...artifacts.versions import Version
    from ...bindings import ir

_DIFFERENT = 1
_PLACES_SHOWN = 8

_target = click.option("--target", required=True, type=Named("VERSION"), help="X.Y.Z, current, minimum, 4w or 12w.")
_others = click.option("--allow-other-dialects", is_flag=True, help="Leave ops of other dialects as they are.")
_output = click.option("-o", "--output", default="-", metavar="FILE", help="Write to FILE, all of it or nothing.")


def _need_values(need: Need, remedies: Remedies) -> dict[str, Any]:
    return {
        "feature": need.feature.name,
        "kind": need.feature.kind,
        "what": need.feature.what,
        "version": str(need.version),
        "lift": need.feature.lift,
        "lifted_by": need.feature.lifted_by,
        "command": remedies.command(need),
        "places": [vars(place) for place in need.places],
    }


def _need_text(need: Need, remedies: Remedies, places_shown: int) -> str:
    shown = need.places[:places_shown]
    lines = [f"{place}: {need.feature.what} needs StableHLO {need.version} ({place.op})" for place in shown]
    if len(need.places) > len(shown):
        lines.append(f"  … and {len(need.places) - len(shown)} more; --all shows them")
    advice = remedies.advice(need)
    return "\n".join([*lines, f"  to lift it: {advice if advice else 'nothing is known'}"])


@click.command()
@click.argument("file")
@_target
@json_option
@_others
@click.option("--all", "show_all", is_flag=True, help="Show every place of a blocker.")
def explain(file: str, target: str, as_json: bool, allow_other_dialects: bool, show_all: bool) -> int:
    """Show every op, type and attribute that keeps FILE from being written for a version.

    Exit code 1 where one does."""
    from ...artifacts.explanation import explain as explain_program
    from ...artifacts.remedies import Remedies, placed
    from ...artifacts.versions import resolve_version
    from ...bindings import make_context
    from ...syntax import read_source

    version = resolve_version(target)
    source, context = read_source(file), make_context()
    explanation = explain_program(program_in(source, file, context), version, allow_other_dialects=allow_other_dialects)
    remedies = Remedies.of(source, file, version)
    blockers = placed(explanation.blockers, source, context)
    values = {
        "target": str(version),
        "minimum": str(explanation.minimum),
        "blockers": [_need_values(need, remedies) for need in blockers],
    }
    lines = [_need_text(need, remedies, len(need.places) if show_all else _PLACES_SHOWN) for need in blockers]
    can = "cannot" if blockers else "can"
    lines.append(f"{file} {can} be written for StableHLO {version}; the oldest it fits is {explanation.minimum}")
    show(values, as_json, "\n".join(lines))
    return _DIFFERENT if explanation.blockers else 0


@click.command()
@click.argument("file")
@json_option
@_others
def minimum(file: str, as_json: bool, allow_other_dialects: bool) -> None:
    """Show the oldest version that can hold FILE, and the features that need it."""
    from ...artifacts.explanation import minimum as minimum_of
    from ...artifacts.remedies import Remedies, placed
    from ...bindings import make_context
    from ...syntax import read_source

    source, context = read_source(file), make_context()
    found = minimum_of(program_in(source, file, context), allow_other_dialects=allow_other_dialects)
    remedies = Remedies.of(source, file, found.version)
    held_by = placed(found.held_by, source, context)
    values = {"minimum": str(found.version), "held_by": [_need_values(need, remedies) for need in held_by]}
    lines = [str(found.version), *(_need_text(need, remedies, _PLACES_SHOWN).splitlines()[0] for need in held_by)]
    show(values, as_json, "\n".join(lines))


@click.command()
@click.argument("files", nargs=-1, required=True)
@json_option
@_others
@click.option("--plot", "picture", metavar="FILE", help="Also draw the matrix, as .svg or .png (extra `plot`).")
def matrix(files: Sequence[str], as_json: bool, allow_other_dialects: bool, picture: str | None) -> int:
    """Show which versions each FILE can be written for. Exit code 1 if no version can hold one of them."""
    from ...artifacts.matrix import PICTURE_FORMATS, compatibility_matrix, plot
    from ...bindings import make_context

    if picture is not None and Path(picture).suffix.lower().removeprefix(".") not in PICTURE_FORMATS:
        raise UsageError(f"--plot={picture}: the name must end in .svg or .png")
    context = make_context()

    def load(path: str) -> ir.Module:
        with guarding(True):  # an artifact that crashes the reader is a row as well
            return load_program(path, context)

    programs = [(path, partial(load, path)) for path in files]
    is_watched = sys.stderr.isatty()
    with click.progressbar(programs, label="programs", file=sys.stderr) if is_watched else nullcontext(programs) as bar:
        found = compatibility_matrix(bar, allow_other_dialects=allow_other_dialects)
    show(found.to_json(), as_json, found.to_text().rstrip("\n"))
    if picture is not None:
        plot(found, Path(picture))
    return _DIFFERENT if any(row.problem for row in found.rows) else 0


@click.command()
@click.argument("file")
@_output
@json_option
def upgrade(file: str, output: str, as_json: bool) -> None:
    """Write the program of an artifact as StableHLO text of the current version.

    For an artifact of the current version, use downgrade --target=current."""
    from ...artifacts.versions import current_version

    _deliver(output, str(load_program(file)).encode(), current_version(), as_json)


def _deliver(output: str, data: bytes, version: Version, as_json: bool) -> None:
    """Write a program, and say so where JSON is asked for; it cannot go where the JSON goes."""
    from ..output import write_output

    if as_json and output == "-":
        raise UsageError("--json needs -o FILE: the program itself goes to standard output")
    write_output(output, data)
    if as_json:
        print_json({"output": output, "size": len(data), "stablehlo_version": str(version)})


@click.command()
@click.argument("file")
@_target
@_others
@_output
@json_option
@click.option("--strip-debuginfo", is_flag=True, help="Leave out the locations.")
def downgrade(
    file: str, target: str, allow_other_dialects: bool, output: str, as_json: bool, strip_debuginfo: bool
) -> None:
    """Write FILE as a portable artifact of a version."""
    from ...artifacts.artifact import serialize
    from ...artifacts.versions import resolve_version

    version = resolve_version(target)
    module = load_program(file)
    data = serialize(module, version, allow_other_dialects=allow_other_dialects, strip_debuginfo=strip_debuginfo)
    _deliver(output, data, version, as_json)


@click.command()
@click.argument("file")
@_target
@_others
@json_option
@click.option("--args", "arguments", metavar="[…]", help="Inputs, as dense attributes: also compare the results.")
@click.option("--inputs", "archive", metavar="FILE.npz", help="Inputs, as arrays: also compare the results.")
@click.option("--reader", metavar="command:…", help="A command that reads it: command:./mine {artifact} {module}.")
def roundtrip(
    file: str, target: str, allow_other_dialects: bool, as_json: bool, arguments: str | None, archive: str | None,
    reader: str | None,
) -> int:  # fmt: skip
    """Write FILE for a version, read it back, and compare: the structure, and with inputs every bit of the results.

    Exit code 1 where something changed."""
    from ...artifacts.roundtrip import round_trip
    from ...artifacts.versions import resolve_version

    version = resolve_version(target)
    module = load_program(file)
    inputs, evaluate = _evaluation(arguments, archive, module.context)
    result = round_trip(
        module, version, allow_other_dialects=allow_other_dialects, inputs=inputs, evaluate=evaluate,
        reader=None if reader is None else _foreign(reader, module.context),
    )  # fmt: skip
    values = {
        "target": str(version),
        "size": result.size,
        "is_same": result.is_same,
        "difference": None if result.difference is None else vars(result.difference),
        "differing_results": result.differing_results,
    }
    lines = [] if result.difference is None else [str(result.difference)]
    lines += [f"result {number} of the program read back differs" for number in result.differing_results or ()]
    if result.is_same:
        compared = "" if result.differing_results is None else ", with the same results"
        lines = [f"{file} comes back the same from an artifact of StableHLO {version} ({result.size} B){compared}"]
    show(values, as_json, "\n".join(lines))
    return 0 if result.is_same else _DIFFERENT


def _foreign(reader: str, context: ir.Context) -> Callable[[bytes], ir.Module]:
    """Return what reads an artifact by a command. Raises UsageError."""
    from ...engines.command import foreign_reader
    from ...syntax.source import Source

    read = foreign_reader(reader)
    return lambda artifact: program_in(Source("module", read(artifact)), "what the reader wrote", context)


def _evaluation(arguments: str | None, archive: str | None, context: ir.Context) -> tuple[list[Any] | None, Any]:
    """Return the inputs of the flags, and a function that evaluates a module on them; None and None without inputs.
    Raises UsageError for both flags."""
    if arguments is None and archive is None:
        return None, None
    if arguments is not None and archive is not None:
        raise UsageError("--args and --inputs exclude each other")
    from ...interpreter.program import interpret
    from ...interpreter.storage import load_arrays
    from ..interpret import args_from_text

    if archive is not None:
        return load_arrays(archive.removeprefix("@")), interpret
    return args_from_text(arguments if arguments is not None else "", context), interpret
