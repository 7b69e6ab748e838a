"""Options, programs and output that several verbs share."""

from __future__ import annotations

import io
import json
import os
import zipfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import reduce, wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.shell_completion import CompletionItem

from ...errors import ArgumentError, counted
from ...isolation.limits import limits

if TYPE_CHECKING:
    import numpy as np

    from ...bindings import ir
    from ...debug.programs.subject import Subject
    from ...engines import Engine, Limits
    from ...isolation.pool import Pool
    from ...syntax import Source

xla_option = click.option("--xla", multiple=True, metavar="KEY=VALUE", help="A flag or debug option of the engine xla.")
cluster_option = click.option(
    "--cluster", default="", metavar="local|ADDRESS", help="Run on Dask: on this machine, or with a scheduler."
)
function_option = click.option(
    "--function", default="main", show_default=True, metavar="NAME", help="The function that runs."
)
json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON.")


def jobs_option(summary: str, default: int | None = os.cpu_count(), **rest: Any) -> Callable[..., Any]:
    """Return the option -j, --jobs; `summary` names the jobs."""
    return click.option("-j", "--jobs", type=click.IntRange(1, 1 << 16), default=default, help=summary, **rest)


def timeout_option(seconds: float, summary: str) -> Callable[..., Any]:
    """Return the option --timeout; `seconds` is its default."""
    kind = click.FloatRange(0, min_open=True)
    return click.option("--timeout", type=kind, default=seconds, metavar="SECONDS", help=summary)


class Named(click.ParamType):
    """Text that shells complete: the name of an engine, a version, passes. Its own name is the word for it in help."""

    def __init__(self, name: str) -> None:
        self.name = name

    def get_metavar(self, param: click.Parameter, ctx: click.Context | None = None) -> str:
        """Return the word for a value."""
        return self.name

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        """Return the values that begin so."""
        from ..completion_values import values_of

        return [CompletionItem(value, help=meaning) for value, meaning in values_of(self.name, incomplete)]


def engine_option(*names: str, summary: str, default: str = "reference") -> Callable[..., Any]:
    """Return an option for the name of an engine, as click's `names` call it."""
    return click.option(*names, type=Named("ENGINE"), default=default, show_default=True, help=summary)


class OutputFile(click.ParamType):
    """The name of a file that a verb writes in the end; a name that cannot be is told before the work begins."""

    name = "file"

    def __init__(self, *endings: str) -> None:
        self.endings = endings

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """The name. Raises click.BadParameter where its folder does not exist, or it does not end as it should."""
        if not value:
            self.fail("a name is expected", param, ctx)
        folder = os.path.dirname(value) or "."
        if not os.path.isdir(folder):
            self.fail(f"'{folder}' is not a folder", param, ctx)
        if os.path.isdir(value):
            self.fail(f"'{value}' is a folder", param, ctx)
        if self.endings and not value.endswith(self.endings):
            self.fail(f"'{value}' does not end in {' or '.join(self.endings)}", param, ctx)
        return value


class ProgramFile(OutputFile):
    """The name of a program that a verb writes, with its arguments beside it in an archive that is nobody else's."""

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """The name. Raises click.BadParameter as `OutputFile` does, and if the archive would replace a user's file."""
        archive = archive_of(super().convert(value, param, ctx))
        if archive == Path(value):
            self.fail(f"'{value}' is a name for its arguments; a program is called FILE.mlir", param, ctx)
        if archive is not None and archive.exists() and not _is_own(archive):
            self.fail(f"'{archive}', where its arguments would go, exists; choose another name", param, ctx)
        return value


_OWN_ARCHIVE = b"arguments of a program that stablehlo-py wrote"


def archive_of(program: str) -> Path | None:
    """Return the path of a written program's arguments; None for standard output and devices, which have none."""
    is_file = program != "-" and (os.path.isfile(program) or not os.path.exists(program))
    return Path(program).with_suffix(".npz") if is_file else None


def _is_own(archive: Path) -> bool:
    """Whether `write_reproducer` wrote an archive."""
    try:
        with zipfile.ZipFile(archive) as file:
            return file.comment == _OWN_ARCHIVE
    except (OSError, zipfile.BadZipFile):
        return False


def refuse_own_files(program: str, *given: str | None) -> None:
    """Raise click.UsageError if a program or its arguments would replace one of the files that a verb was given."""
    written = [os.path.realpath(path) for path in (program, archive_of(program)) if path is not None]
    taken = next((path for path in given if path is not None and os.path.realpath(path) in written), None)
    if taken is not None and program != "-":
        raise click.UsageError(f"'{taken}' would be replaced by the output; choose another name")


@dataclass(frozen=True)
class Inputs:
    """The options about a program's arguments and the limits of a run."""

    archive: str | None
    attributes: str
    distributions: tuple[str, ...]
    seed: int
    timeout: float
    max_memory: int | None
    work: str | None
    cast: bool = False
    function: str = "main"
    xla: tuple[str, ...] = ()

    def named(self, names: Sequence[str]) -> list[str]:
        """The names of engines, with the options of --xla behind `xla`. Raises click.UsageError without one."""
        from ...engines import with_options

        is_xla = [name.partition("@")[0].partition(":")[0] == "xla" for name in names]
        if self.xla and not any(is_xla):
            raise click.UsageError(f"--xla is for the engine xla, not for {' and '.join(names)}")
        wrong = next((option for option in self.xla if "=" not in option), None)
        if wrong is not None:
            raise click.UsageError(f"--xla takes KEY=VALUE, not '{wrong}'")
        return [with_options(name, self.xla) if yes else name for name, yes in zip(names, is_xla, strict=True)]

    def engine(self, name: str, pool: Pool | None = None) -> Engine:
        """The engine called `name`, here or in a pool, with these limits; it keeps outcomes in the folder of --work."""
        from ...engines import open_engine
        from ...isolation.tool import doing, waiting

        folder = None if self.work is None else Path(self.work).absolute() / "outcomes"
        if pool is None:
            engine = open_engine(name, self.limits, folder)
            engine.waiting, engine.say = waiting, tell
            return engine
        doing("working with a cluster")  # whose workers may be busy for long
        from ...engines.distant import distant_engine

        return distant_engine(name, pool, self.limits, folder)

    @property
    def limits(self) -> Limits:
        """The limits of a run."""
        from ...engines import Limits

        return Limits(self.timeout, self.max_memory)

    def note(self, activity: str, *, runs: bool = False) -> None:
        """Tell the guard about a step of this process: a run, or one that has at least what reading a program has."""
        from ...isolation.limits import MEMORY_TO_READ, SECONDS_TO_READ, Limits
        from ...isolation.tool import SECONDS_TO_SAY_SO, doing

        seconds = self.timeout + SECONDS_TO_SAY_SO if runs else max(self.timeout, SECONDS_TO_READ)
        limit = Limits(seconds, None if self.max_memory is None else max(self.max_memory, MEMORY_TO_READ))
        doing(activity, limit=limit, options=("--timeout", "--max-memory"))

    def given(self, subject: Subject) -> list[np.ndarray] | None:
        """Return the arguments in a file or on the command line, or None."""
        if self.are_drawn:
            return None

        from ...bindings.types import TensorType, TypeReader
        from ...interpreter.arguments import parameter_names
        from ...interpreter.storage import load_arrays
        from ...interpreter.values import belongs_to, type_text
        from ..interpret import args_from_text, fitted

        if self.archive is not None and self.attributes:
            raise click.UsageError("--args and --inputs exclude each other")
        if self.archive is None:
            arrays = args_from_text(self.attributes, subject.module.context)
        else:
            arrays = load_arrays(self.archive, parameter_names(subject.function))
        types = TypeReader()
        parameters = [types[argument.type] for argument in subject.block.arguments]
        if len(arrays) != len(parameters):
            raise ArgumentError(f"the program takes {counted(len(parameters), 'argument')}, found {len(arrays)}")
        pairs = zip(arrays, parameters, strict=True)
        given = [fitted(array, t, cast=self.cast) if isinstance(t, TensorType) else array for array, t in pairs]
        for number, (array, type_) in enumerate(zip(given, parameters, strict=True)):
            if isinstance(type_, TensorType) and type_.is_static and not belongs_to(array, type_):
                notes = ["--cast-inputs converts it"] if array.shape == type_.static_shape else []
                raise ArgumentError(f"argument {number} is {type_text(array)}, expected {type_}", notes=notes)
        return given

    @property
    def are_drawn(self) -> bool:
        """Whether arguments are drawn, as none are given."""
        return self.archive is None and not self.attributes

    def sampled(self, file: str) -> tuple[Subject, list[np.ndarray]]:
        """Return the program in a file, and the given arguments, or drawn ones."""
        from ...debug.compare import draw_samples
        from ...debug.programs.inputs import read_distributions
        from ...debug.programs.subject import examine

        module = load_global_program(file, self.function)
        self.note(f"working on {file}")
        subject = examine(module)
        given = self.given(subject)
        if given is not None:
            return subject, given
        return subject, draw_samples(subject, 1, self.seed, read_distributions(self.distributions))[0]


_OPTIONS = (
    click.option(
        "--inputs", "archive", metavar="FILE.npz", help="Arguments; or a .safetensors file, or a folder of .npy."
    ),
    click.option("--args", "attributes", default="", metavar="[…]", help="Arguments as dense attributes."),
    function_option,
    click.option("--cast-inputs", "cast", is_flag=True, help="Convert given arguments to the program's types."),
    click.option(
        "--input-distribution",
        "distributions",
        multiple=True,
        metavar="[N=]KIND",
        help="How to draw: normal, uniform(L,H), log, special, zeros, ones; +special mixes in special values.",
    ),
    click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="Where drawing starts."),
    timeout_option(600.0, "Time of a run; a step between runs has 10 s or more."),
    click.option(
        "--max-memory",
        type=click.IntRange(1),
        metavar="BYTES",
        help="Memory of an engine; this process has at least 1 GiB.",
    ),
    click.option("--work", metavar="DIR", help="Keep what was found out there; a rerun goes on from it."),
)


def with_options(options: Sequence[Callable[..., Any]], command: Callable[..., int]) -> Callable[..., int]:
    """Add options to a command, in their order."""
    return reduce(lambda found, option: option(found), reversed(options), command)


def input_options(command: Callable[..., int]) -> Callable[..., int]:
    """Add the options about arguments and limits; the command gets them as `inputs`."""

    @wraps(command)
    def wrapped(**options: Any) -> int:
        inputs = Inputs(**{name: options.pop(name) for name in Inputs.__match_args__ if name in options})
        return command(inputs=inputs, **options)

    return with_options(_OPTIONS, wrapped)


def load_program(path: str, context: ir.Context | None = None, function: str = "main") -> ir.Module:
    """Return the StableHLO program in a file, upgraded from VHLO if needed, in a new context by default.

    Another function than `main` gets its name. Raises `StablehloError`, its location the file's."""
    from ...bindings import make_context
    from ...syntax import read_source
    from ..driver import note_waiting

    note_waiting(path)
    module = program_in(read_source(path), path, make_context() if context is None else context)
    if function != "main":
        from ...passes.inlining import name_main

        name_main(module, function)
    return module


def load_global_program(path: str, function: str = "main") -> ir.Module:
    """As `load_program`; for an MPMD program, what all its meshes compute together."""
    module = load_program(path, function=function)
    if any("topology" in op.operation.attributes for op in module.body.operations):  # it may be one
        from ...spmd.mpmd import global_program

        module = global_program(module)
    return module


def program_in(source: Source, path: str, context: ir.Context) -> ir.Module:
    """As `load_program`, of a file that has been read."""
    from ...artifacts.artifact import upgrade
    from ...isolation.tool import doing
    from .. import driver

    module = driver.load_program(source, context)
    if any(op.operation.name.startswith("vhlo.") for op in module.body.operations):
        upgrade(module)
    doing(f"working on {path}", limit=limits())
    return module


def print_json(value: object) -> None:
    """Print a value as JSON."""
    click.echo(json.dumps(value, indent=2))


def print_results(subject: Subject, results: Sequence[np.ndarray]) -> None:
    """Print the results of a program's `main` as the program returns them; results of other types as lists."""
    from ...interpreter.printing import format_value
    from ...interpreter.values import flat, nested, tensors_in

    for value, type_ in zip(nested(iter(results), subject.returns), subject.returns, strict=True):
        arrays, types = flat([value]), tensors_in([type_])
        if all(array.dtype == one.dtype for array, (_, one) in zip(arrays, types, strict=True)):
            click.echo(format_value(value, type_, subject.module.context))
        else:  # the engine computes in a wider type
            for array in arrays:
                click.echo(str(array.tolist()))


def show(found: Any, as_json: bool, text: object = None) -> None:
    """Print an outcome, or its values as JSON has them: as JSON, or as a text, by default its own."""
    if as_json:
        print_json(found.as_dict() if hasattr(found, "as_dict") else found)
    else:
        click.echo(found if text is None else text)


def tell(text: str) -> None:
    """Say on standard error what was done, in the form that --error-format asks for."""
    from ...errors import Diagnostic
    from ..messages import say

    say(Diagnostic("remark", "", text), f"{text}\n")


def write_reproducer(path: str, module: ir.Module, arguments: Sequence[np.ndarray]) -> str:
    """Write a program as FILE.mlir and its arguments beside it as FILE.npz; return what to say about it."""
    from ...interpreter.storage import save_arrays
    from ...syntax import readable_text
    from ..output import write_output

    archive = archive_of(path)
    write_output(path, readable_text(module).encode())
    if archive is None:
        return "wrote the program without its arguments, which a file has beside it"
    packed = io.BytesIO(save_arrays(archive.name, list(arguments)))
    with zipfile.ZipFile(packed, "a") as file:
        file.comment = _OWN_ARCHIVE
    write_output(str(archive), packed.getvalue())
    return f"wrote {path} and its arguments {archive}"
