"""`stablehlo-translate --interpret`: arguments from the command line, a run, results in upstream's form."""

from __future__ import annotations

import sys
from collections.abc import Callable, Generator, Sequence
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, Any

import numpy as np

from ..bindings import ir
from ..bindings.diagnostics import describe
from ..bindings.elements import to_numpy
from ..bindings.types import TensorType, ValueType
from ..bindings.walk import functions
from ..errors import ArgumentError, Diagnostic, InputError, InterpreterError, UsageError
from ..interpreter.printing import format_dense, format_value
from ..interpreter.process_grid import ProcessGrid
from ..interpreter.program import Program
from ..interpreter.reading import numbers
from ..interpreter.settings import Listener, Settings, physical_memory
from ..interpreter.values import Value, flat, nested, tensors_in
from ..syntax.source import printable_name
from .common import DiagnosticPrinter
from .output import write_file

if TYPE_CHECKING:
    from ..spmd.ranks import Ranks
    from .command_line import Options

# The messages about --args have the words and the spelling of upstream's tool, for scripts search for them.
ARGS_FORM = "--args=[dense<1> : tensor<2xi32>, ...]"


def _processes(options: Options) -> int:
    return int(options.text("num-replicas")) * int(options.text("num-partitions"))


def _is_spread(options: Options) -> bool:
    """Whether the processes run on several ranks."""
    return options.text("grid") != "local" and _processes(options) != 1


def _share(options: Options) -> range:
    """Return the processes that run here."""
    count = _processes(options)
    return _ranks().share(count) if _is_spread(options) else range(count)


def _ranks() -> Ranks:
    from ..spmd.ranks import ranks

    return ranks()


def args_from_text(text: str, context: ir.Context) -> list[np.ndarray]:
    """Return the arrays of `--args`. Raises `UsageError`."""
    text = printable_name(text)
    try:
        with context:
            attributes = ir.Attribute.parse(text)
    except ir.MLIRError as error:
        notes = [_pointed(describe(diagnostic), text) for diagnostic in error.error_diagnostics]
        raise UsageError(f"expectected array attribute string for args, i.e. {ARGS_FORM}", notes=notes) from None
    if not isinstance(attributes, ir.ArrayAttr):
        raise UsageError(f"expectected array attribute string for args, i.e. {ARGS_FORM}")
    arrays = list[np.ndarray]()
    for attribute in attributes:
        if not isinstance(attribute, ir.DenseElementsAttr):
            raise UsageError(f"expected dense elements attribute for args elements, i.e. {ARGS_FORM}")
        arrays.append(to_numpy(attribute))
    return arrays


def _pointed(diagnostic: Diagnostic, text: str) -> str:
    """Return the parser's message about the text of `--args`, with the line and a caret."""
    from ..syntax import Source

    _, line, column = diagnostic.location.rsplit(":", 2)  # the file is called like the text
    location = f"--args:{line}:{column}"
    shown = DiagnosticPrinter({"--args": Source("--args", text.encode())}).source_line(location)
    return f"{location}: {diagnostic.message}\n{shown}".rstrip("\n")


def fitted(array: np.ndarray, type_: TensorType, *, cast: bool) -> np.ndarray:
    """Return an array from a file as a value of this type if it is one; with `cast`, converted to it.

    Raises:
        NumberError: A number is not of the type.
    """
    from ..bindings.python_numbers import numbers
    from ..interpreter.storage import from_stored

    array = from_stored(array, type_.dtype)
    if not cast or array.dtype == type_.dtype:
        return array
    return numbers(array.astype(np.uint8) if array.dtype == np.bool_ else array, type_.element_type)


def ways_to_give(types: Sequence[ValueType]) -> str:
    """Return the options that give arguments of these types, in words."""
    shown = [f"dense<...> : {type_}" for type_ in types[:2]]
    text = ", ".join([*shown, *(["..."] if len(types) > 2 else [])])
    return f"--args='[{text}]', --input=@FILE.npy for each, or --inputs=FILE.npz gives them"


@contextmanager
def _advising(types: Sequence[ValueType], arguments: Sequence[object]) -> Generator[None]:
    """Let errors about arguments name the options that help."""
    try:
        yield
    except ArgumentError as error:
        if len(arguments) < len(types):
            error.notes = (ways_to_give(types),)
        elif error.notes:  # they are about the element type, in Python
            error.notes = ("--cast-inputs converts arguments to other element types",)
        raise


def _arguments(options: Options, program: Program, function: str, context: ir.Context) -> list[Value]:
    """Return all arguments that the command line gives to the local processes, the first process first: the tensors in
    them, without tokens."""
    share, processes, types = _share(options), _processes(options), program.parameter_types(function)
    names = program.parameter_names(function) if processes == 1 else ()
    named = tensors_in(types, names)
    count = len(named)
    part = slice(None) if len(share) == processes else slice(share.start * count, share.stop * count)
    if options.text("args"):
        arrays = args_from_text(options.text("args"), context)[part]
    elif options.text("inputs"):
        from ..interpreter.storage import load_arrays

        arrays = load_arrays(options.text("inputs").removeprefix("@"), [name for name, _ in named if name], part)
    elif options.is_given("input"):
        from ..interpreter.storage import load_array

        arrays = [load_array(path.removeprefix("@")) for path in options.all("input")[part]]
    else:
        arrays = []
    tensors = [type_ for _ in share for _, type_ in named]
    if len(arrays) != len(tensors):
        return [*arrays]  # the wrong number; the interpreter says what the function takes
    cast = options.switch("cast-inputs")
    given = [fitted(array, type_, cast=cast) for array, type_ in zip(arrays, tensors, strict=True)]
    supply = iter(given)
    return [value for _ in share for value in nested(supply, types)]


@contextmanager
def _watching(wanted: bool) -> Generator[list[Listener]]:
    """Yield listeners that show the progress of the run on a terminal; rich draws it if it is installed."""
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


def _run(program: Program, options: Options, name: str, context: ir.Context) -> list[list[Value]]:
    """Run a function on the arguments of the command line; return the results of each process."""
    arguments = _arguments(options, program, name, context)
    with _advising(program.parameter_types(name), arguments):
        return _rows(program, options, name, arguments)


def _rows(program: Program, options: Options, name: str, arguments: list[Value]) -> list[list[Value]]:
    if _processes(options) == 1:
        return [program.run(arguments, function=name)]
    processes = len(_share(options))
    count, remainder = divmod(len(arguments), processes) if processes else (0, 0)
    if remainder:
        raise UsageError(f"cannot divide {len(arguments)} inputs among {processes} processes")
    sets = [arguments[i * count : (i + 1) * count] for i in range(processes)]
    replicas, partitions = int(options.text("num-replicas")), int(options.text("num-partitions"))
    return program.run_parallel(sets, num_replicas=replicas, num_partitions=partitions, function=name)


def interpret(module: ir.Module, options: Options, activity: str) -> str:
    """Return the results' text, or an empty one where they go to a file. Raises `StablehloError`.

    `activity` is what to call this where a rank is lost.
    """
    if options.text("grid") == "local":
        return _interpret(module, options, Settings().make_grid)
    from .ranks import together

    with together(activity) as make_grid:
        return _interpret(module, options, make_grid)


def _interpret(module: ir.Module, options: Options, make_grid: Callable[..., ProcessGrid]) -> str:
    if not functions(module.operation) and options.text("function") == "main":
        return ""  # nothing to run: upstream's tool accepts an empty module
    profile = None
    if options.switch("profile") or options.text("profile-output"):
        from ..interpreter.profile import Profile

        profile = Profile()
    with ExitStack() as ended:
        if profile is not None and options.switch("profile"):
            ended.callback(lambda: sys.stderr.write(profile.report()))
        watching = ended.enter_context(_watching(options.switch("progress")))
        numbers(Settings.fast).prepare_process()
        memory = options.integer("max-memory")
        settings = Settings(
            max_memory=physical_memory() if memory is None else memory,
            max_steps=options.integer("max-steps"),
            timeout=options.number("timeout"),
            deterministic=options.switch("deterministic"),
            probe_directory=options.text("probe-output-dir") or None,
            listeners=(*watching, *([] if profile is None else [profile])),
            make_grid=make_grid,
        )
        program = Program(module, settings)
        names = _entry_functions(program, options)
        runs = [_run(program, options, name, module.context) for name in names]
    if profile is not None and options.text("profile-output"):
        import json

        write_file(options.text("profile-output"), json.dumps(profile.as_dict()).encode())
    texts = list[str]()
    for rows, name in zip(runs, names, strict=True):
        if len(names) > 1 and not (_is_spread(options) and _ranks().rank):
            texts.append(f"Evaluated results of function: {name}\n")
        texts.append(_deliver(rows, program.result_types(name), options, module.context))
    return "".join(texts)


def _entry_functions(program: Program, options: Options) -> list[str]:
    """Return the functions to run: the one that is asked for, or in a module of several without `main`, if nothing
    names or feeds one, each function without parameters."""
    is_asked_for = any(map(options.is_given, ("function", "args", "input", "inputs", "output")))
    if is_asked_for or "main" in program.functions or len(program.functions) == 1:
        return [program.entry_function(options.text("function"))]
    alone = [name for name in program.functions if not program.parameter_types(name)]
    return alone or [program.entry_function()]


def _from_all_ranks(parts: list[Any], options: Options) -> list[Any]:
    """Return the infeed of all ranks on the first one, and nothing on the others."""
    if not _is_spread(options):
        return parts
    return [part for some in _ranks().at_first(parts) for part in some]


def _deliver(rows: list[list[Value]], types: Sequence[ValueType], options: Options, context: ir.Context) -> str:
    if not options.text("output"):
        form = format_dense if options.switch("interpreter-print-dense") else format_value
        texts = [f"{form(value, t, context)}\n" for row in rows for value, t in zip(row, types, strict=True)]
        return "".join(_from_all_ranks(texts, options))
    from ..interpreter.storage import save_arrays

    arrays = [value for row in rows for value in flat(row)]
    if not all(isinstance(value, np.ndarray) for value in arrays):
        raise InterpreterError("only tensors can be written to a numpy file")
    arrays = _from_all_ranks(arrays, options)
    if options.text("grid") != "local" and _ranks().rank:  # results go to the first rank
        return ""
    path = options.text("output").removeprefix("@")
    write_file(path, save_arrays(path, arrays))
    return ""
