"""`stablehlo-translate --interpret`: arguments from the command line, a run, results in upstream's form."""

from __future__ import annotations

import sys
from collections.abc import Callable, Generator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ..bindings import ir
from ..bindings.elements import to_numpy
from ..bindings.types import TensorType, ValueType
from ..bindings.walk import functions
from ..errors import InputError, InterpreterError, UsageError
from ..interpreter.acceleration import acceleration
from ..interpreter.printing import format_dense, format_value
from ..interpreter.process_grid import ProcessGrid
from ..interpreter.program import Program
from ..interpreter.settings import Listener, Settings, physical_memory
from ..interpreter.storage import from_stored, load_array, load_arrays, save_arrays
from ..interpreter.values import Token, Value
from .output import write_file

if TYPE_CHECKING:
    from ..spmd.ranks import Ranks

# The messages about --args equal those of upstream's tool, spelling included: scripts search for them.
ARGS_FORM = "--args=[dense<1> : tensor<2xi32>, ...]"


@dataclass(frozen=True)
class Request:
    """The flags of an interpretation."""

    args: str = ""
    inputs: tuple[str, ...] = ()
    inputs_archive: str = ""
    output: str = ""
    function: str = "main"
    print_dense: bool = False
    probe_output_dir: str = ""
    num_replicas: int = 1
    num_partitions: int = 1
    max_memory: int | None = None
    max_steps: int | None = None
    timeout: float | None = None
    deterministic: bool = False
    progress: bool = False
    profile: bool = False
    profile_output: str = ""
    grid: str = "local"

    @property
    def num_processes(self) -> int:
        return self.num_replicas * self.num_partitions

    @property
    def share(self) -> range:
        """The processes that run here."""
        if self.grid == "local" or self.num_processes == 1:
            return range(self.num_processes)
        return _ranks().share(self.num_processes)


def _ranks() -> Ranks:
    from ..spmd.ranks import ranks

    return ranks()


def args_from_text(text: str, context: ir.Context) -> list[np.ndarray]:
    """The arrays of `--args`. Raises `UsageError`."""
    try:
        with context:
            attributes = ir.Attribute.parse(text)
    except ir.MLIRError:
        attributes = None
    if not isinstance(attributes, ir.ArrayAttr):
        raise UsageError(f"expectected array attribute string for args, i.e. {ARGS_FORM}")
    arrays = list[np.ndarray]()
    for attribute in attributes:
        if not isinstance(attribute, ir.DenseElementsAttr):
            raise UsageError(f"expected dense elements attribute for args elements, i.e. {ARGS_FORM}")
        arrays.append(to_numpy(attribute))
    return arrays


def _arguments(request: Request, types: Sequence[ValueType], names: Sequence[str], context: ir.Context) -> list[Value]:
    """Return all arguments that the flags give to the local processes, the first process first; tokens may be left
    out."""
    share, count = request.share, sum([isinstance(type_, TensorType) for type_ in types])
    part = slice(None) if len(share) == request.num_processes else slice(share.start * count, share.stop * count)
    if request.args:
        arrays = args_from_text(request.args, context)[part]
    elif request.inputs_archive:
        archive = request.inputs_archive.removeprefix("@")
        arrays = load_arrays(archive, names if request.num_processes == 1 else (), part)
    else:
        arrays = [load_array(path.removeprefix("@")) for path in request.inputs[part]]
    wanted = [type_ for _ in share for type_ in types]
    tensors = [type_ for type_ in wanted if isinstance(type_, TensorType)]
    if len(arrays) != len(tensors):
        return [*arrays]  # the wrong number; the interpreter says what the function takes
    supply = iter(arrays)
    return [from_stored(next(supply), t.dtype) if isinstance(t, TensorType) else Token() for t in wanted]


@contextmanager
def _watching(wanted: bool) -> Generator[list[Listener]]:
    """Listeners that show the progress of the run on a terminal; rich draws it if it is installed."""
    if not (wanted and sys.stderr.isatty()):
        yield []
        return
    from ..interpreter.profile import Progress
    from ..interpreter.progress import state, watch

    def show(done: int, op: str, iteration: int) -> None:
        sys.stderr.write(f"\r\x1b[K{state(done, op, iteration, listener.total, listener.remaining)}")
        sys.stderr.flush()

    with ExitStack() as stack:
        try:
            listener = stack.enter_context(watch(stderr=True))
        except InputError:
            stack.callback(print, "\r\x1b[K", end="", file=sys.stderr, flush=True)
            listener = Progress(show)
        yield [listener]


def _run(program: Program, request: Request, name: str, arguments: list[Value]) -> list[list[Value]]:
    """The results of each process."""
    if request.num_processes == 1:
        return [program.run(arguments, function=name)]
    processes = len(request.share)
    count, remainder = divmod(len(arguments), processes) if processes else (0, 0)
    if remainder:
        raise UsageError(f"cannot divide {len(arguments)} inputs among {processes} processes")
    sets = [arguments[i * count : (i + 1) * count] for i in range(processes)]
    return program.run_parallel(
        sets, num_replicas=request.num_replicas, num_partitions=request.num_partitions, function=name
    )


def _settings(request: Request, listeners: Sequence[Listener], make_grid: Callable[..., ProcessGrid]) -> Settings:
    return Settings(
        max_memory=physical_memory() if request.max_memory is None else request.max_memory,
        max_steps=request.max_steps,
        timeout=request.timeout,
        deterministic=request.deterministic,
        probe_directory=request.probe_output_dir if request.probe_output_dir else None,
        listeners=tuple(listeners),
        make_grid=make_grid,
    )


def interpret(module: ir.Module, request: Request, activity: str) -> str:
    """The results' text, or an empty one where they go to a file. Raises `StablehloError`.

    `activity` is what to call this where a rank is lost.
    """
    if request.grid == "local":
        return _interpret(module, request, Settings().make_grid)
    from .ranks import together

    with together(activity) as make_grid:
        return _interpret(module, request, make_grid)


def _interpret(module: ir.Module, request: Request, make_grid: Callable[..., ProcessGrid]) -> str:
    if not functions(module.operation) and request.function == "main":
        return ""  # nothing to run: upstream's tool accepts an empty module
    profile = None
    if request.profile or request.profile_output:
        from ..interpreter.profile import Profile

        profile = Profile()
    with ExitStack() as ended:
        if profile is not None and request.profile:
            ended.callback(lambda: sys.stderr.write(profile.report()))
        watching = ended.enter_context(_watching(request.progress))
        acceleration(Settings.fast).prepare_process()
        program = Program(module, _settings(request, [*watching, *([] if profile is None else [profile])], make_grid))
        name = program.entry_function(request.function)
        types = program.parameter_types(name)
        arguments = _arguments(request, types, program.parameter_names(name), module.context)
        rows = _run(program, request, name, arguments)
    if profile is not None and request.profile_output:
        import json

        write_file(request.profile_output, json.dumps(profile.as_dict()).encode())
    return _deliver(rows, program.result_types(name), request, module.context)


def _from_all_ranks(parts: list[Any], request: Request) -> list[Any]:
    """Return the infeed of all ranks on the first one, and nothing on the others."""
    if request.grid == "local" or request.num_processes == 1:
        return parts
    return [part for some in _ranks().at_first(parts) for part in some]


def _deliver(rows: list[list[Value]], types: Sequence[ValueType], request: Request, context: ir.Context) -> str:
    if not request.output:
        form = format_dense if request.print_dense else format_value
        texts = [f"{form(value, t, context)}\n" for row in rows for value, t in zip(row, types, strict=True)]
        return "".join(_from_all_ranks(texts, request))
    arrays = [value for row in rows for value in row if isinstance(value, np.ndarray)]
    if len(arrays) != sum(map(len, rows)):
        raise InterpreterError("only tensors can be written to a numpy file")
    arrays = _from_all_ranks(arrays, request)
    if request.grid != "local" and _ranks().rank:  # results go to the first rank
        return ""
    path = request.output.removeprefix("@")
    write_file(path, save_arrays(path, arrays))
    return ""
