"""A program as a function: `load` it once, call it many times."""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, NamedTuple

from .errors import ArgumentError, UsageError, require_type

if TYPE_CHECKING:
    from .analysis import Cost, Page
    from .analysis.diff import Diff
    from .artifacts.formats.jax_export import Export
    from .bindings import ir
    from .bindings.types import ValueType
    from .debug.imports import ImportCheck
    from .interpreter.program import Program as Plans
    from .interpreter.settings import Settings


# Which imported programs are compared with their originals.
CHECK_VARIABLE = "STABLEHLO_PY_CHECK_IMPORT"
CHECK_CHOICES = ("all", "small", "none")


class Signature(NamedTuple):
    """The parameters of a function, by name, and the types of its results."""

    function: str
    parameters: dict[str, ValueType]
    results: tuple[ValueType, ...]

    def __str__(self) -> str:
        parameters = ", ".join(f"{name}: {type_}" for name, type_ in self.parameters.items())
        return f"@{self.function}({parameters}) -> ({', '.join(map(str, self.results))})"


class Program:
    """A function of a module, ready to be called. Made by `stablehlo_py.load`."""

    def __init__(self, module: ir.Module, plans: Plans, function: str, export: Export | None = None) -> None:
        self.module = module
        self._plans = plans
        self._function = function
        self.export = export

    @property
    def functions(self) -> tuple[str, ...]:
        """The names of the module's functions."""
        return self._plans.functions

    @cached_property
    def signature(self) -> Signature:
        """The names and types of the program's parameters, and the types of its results."""
        names, types = self._plans.parameter_names(self._function), self._plans.parameter_types(self._function)
        parameters = dict(zip(names, types, strict=True))
        return Signature(self._function, parameters, self._plans.result_types(self._function))

    def function(self, name: str) -> Program:
        """Another function of the module. Raises `InterpreterError` if the module has none of this name."""
        require_type(str, name=name)
        return Program(self.module, self._plans, self._plans.entry_function(name))

    def __repr__(self) -> str:
        return f"<stablehlo_py.Program {self.signature}>"

    def cost(self) -> Cost:
        """Return the cost of a call: arithmetic, bytes and memory, op by op."""
        from .analysis import cost

        return cost(self.module, self._function)

    def view(self, *, title: str | None = None, overlays: Sequence[Any] = ()) -> Page:
        """Return a report on the program: tables, a graph, its text and costs; a notebook shows it, `save` writes it.

        Args:
            title: What the program is called.
            overlays: What tools found out about its ops: a profile, a trace, a partition, or the JSON of a verb.

        Raises:
            UsageError: An overlay is of no tool whose results can be shown.
        """
        from .analysis import view

        name = f"@{self._function}" if title is None else title
        require_type(str, title=name)
        require_type(Sequence, overlays=overlays)
        return view(self.module, title=name, function=self._function, overlays=overlays)

    def diff(self, other: Any) -> Diff:
        """Compare this program with another one, op by op.

        Args:
            other: A program, or whatever else `stablehlo_py.load` takes.

        Raises:
            StablehloError: `other` cannot be read.
        """
        from .analysis.diff import diff
        from .bindings import ir
        from .bindings.bytecode import bytecode_of

        module = read_program(other)[0]
        if module.context is not self.module.context:
            module = ir.Module.parse(bytecode_of(module), self.module.context)
        return diff(self.module, module)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Return the result for these arguments: an array, a tuple of several, or None for none.

        Args:
            *args: Arrays of numpy, jax, torch or anything with `__array__` or DLPack, of exactly the parameters' types;
                Python numbers and lists where no number changes. For a program from `jax.export`, what the exported
                function takes, nested as it was.
            **kwargs: The same by name, as `signature` has it.

        Returns:
            New arrays; for a program from `jax.export`, what the exported function returns, nested as it was.

        Raises:
            ArgumentError: The arguments do not fit.
            InterpreterError: The program fails, with the op and its location.
        """
        if self.export is not None:
            return self._call_export(self.export, args, kwargs)
        return self._returned(self._plans.run(self._in_order(args, kwargs), function=self._function))

    def run_parallel(
        self, arguments: Sequence[Sequence[Any]], *, num_replicas: int = 1, num_partitions: int = 1
    ) -> list[list[Any]]:
        """Return the results of each process of a grid that runs the program everywhere.

        Args:
            arguments: Those of each process: of (replica 0, partition 0), (replica 0, partition 1), …
            num_replicas: How many rows the grid has.
            num_partitions: How many columns.

        Raises:
            ArgumentError: The arguments do not fit.
            InterpreterError: A process fails, or all wait for what never comes.
            UsageError: The numbers are not whole, or the arguments no list.
        """
        require_type(int, num_replicas=num_replicas, num_partitions=num_partitions)
        require_type(Sequence, arguments=arguments)
        return self._plans.run_parallel(
            arguments, num_replicas=num_replicas, num_partitions=num_partitions, function=self._function
        )

    def call_npz(self, path: str | os.PathLike[str]) -> Any:
        """The result for the arrays in an `.npz` file: by name where its names are the parameters', else by number.

        The elements of a tuple `x` are called `x.0`, `x.1`, …; a token is none of the arrays.

        Raises:
            InputError: The file cannot be read, or its names are neither.
            ArgumentError: The arrays do not fit.
            InterpreterError: The program fails.
        """
        from .interpreter.storage import from_stored, load_arrays
        from .interpreter.values import nested, tensors_in

        require_type(str | os.PathLike, path=path)
        types = list(self.signature.parameters.values())
        tensors = tensors_in(types, tuple(self.signature.parameters))
        arrays = load_arrays(os.fspath(path), [name for name, _ in tensors])
        if len(arrays) == len(tensors):
            arrays = [from_stored(array, type_.dtype) for array, (_, type_) in zip(arrays, tensors, strict=True)]
            arrays = nested(iter(arrays), types)
        return self._returned(self._plans.run(arrays, function=self._function))

    def _in_order(self, args: Sequence[Any], kwargs: dict[str, Any]) -> list[Any]:
        """Return all arguments in the parameters' order."""
        if not kwargs:
            return list(args)
        from .bindings.types import TokenType

        parameters = self.signature.parameters.items()
        names = tuple([name for name, type_ in parameters if not isinstance(type_, TokenType) or name in kwargs])
        rest = names[len(args) :]
        unknown, missing = [name for name in kwargs if name not in rest], [name for name in rest if name not in kwargs]
        if unknown or missing:
            problem = f"no parameter {unknown[0]!r}" if unknown else f"parameter {missing[0]!r}, which is not given"
            raise ArgumentError(f"{self.signature} has {problem}")
        return [*args, *[kwargs[name] for name in rest]]

    def _call_export(self, export: Export, args: Sequence[Any], kwargs: dict[str, Any]) -> Any:
        from .bindings.types import TensorType

        leaves = export.flatten(args, kwargs)
        arguments = [leaves[index][1] for index in export.kept]
        # Ordered effects pass tokens through the program, which the run supplies.
        tensors = [type_ for type_ in self.signature.parameters.values() if isinstance(type_, TensorType)]
        if len(export.platforms) > 1 and len(tensors) == len(arguments) + 1:
            arguments.insert(0, export.platform_index)
        return self._returned(self._plans.run(arguments, function=self._function))

    def _returned(self, results: Sequence[Any]) -> Any:
        """Return the results as whoever calls the program gets them."""
        if self.export is not None:
            from .interpreter.values import Token

            return self.export.unflatten([result for result in results if not isinstance(result, Token)])
        return results[0] if len(results) == 1 else tuple(results) if results else None


def import_check(form: str, wanted: bool | None = None) -> ImportCheck | None:
    """Return the check of imports from a form, or None for none.

    Args:
        form: One of the forms that are imported.
        wanted: Whether to check all programs or none. By default the environment says that, or small programs are
            checked that an importer translates; an export of jax is StableHLO as it comes.

    Raises:
        UsageError: The environment asks for something else.
    """
    choices = every, small, none = CHECK_CHOICES
    choice = os.environ.get(CHECK_VARIABLE, small) if wanted is None else every if wanted else none
    if choice not in choices:
        raise UsageError(f"{CHECK_VARIABLE}={choice}: expected one of {', '.join(choices)}")
    is_translated = form in ("onnx", "torch-export")
    if choice == none or not (is_translated or (choice == every and form == "jax-export")):
        return None
    from .debug.imports import ImportCheck

    return ImportCheck(everything=choice == every)


def load(
    source: Any, function: str, settings: Settings, form: str = "", check_import: bool | None = None
) -> Program:  # fmt: skip
    """Return the program in a source that a user hands over. See `stablehlo_py.load`."""
    from .interpreter.program import Program as Plans

    module, export = read_program(source, form, check_import)
    plans = Plans(module, settings)
    return Program(module, plans, plans.entry_function(function), export)


def read_program(
    source: Any, form: str = "", check_import: bool | None = None
) -> tuple[ir.Module, Export | None]:  # fmt: skip
    """Return the StableHLO module in a user's source, and the nesting of its arguments if it is known."""
    from .artifacts.formats.reading import read_program

    if isinstance(source, Program):
        return source.module, source.export
    return read_program(source, form, partial(import_check, wanted=check_import))


def read_other_form(source: Any, form: str = "") -> tuple[ir.Module, Export | None] | None:
    """Return the same for a source in another form; None for MLIR's text, its bytecode and portable artifacts."""
    from .artifacts.formats.reading import read_other_form

    if isinstance(source, Program):
        return source.module, source.export
    return read_other_form(source, form, import_check)
