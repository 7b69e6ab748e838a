"""Programs that `jax.export` has serialized, read without jax, and its `Exported` objects.

The file is a flatbuffer around a portable artifact: https://docs.jax.dev/en/latest/export/export.html.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal, NoReturn

import numpy as np

from ...bindings.bytecode import bytecode_of
from ...bindings.flatbuffers import Table
from ...bindings.handover import value_in_child
from ...bindings.narrowing import is_dict, is_list, is_tuple
from ...errors import ArgumentError, InputError, ProviderError, counted
from ...syntax.source import BYTECODE_MAGIC
from .original import Check, Original

Kind = Literal["leaf", "none", "tuple", "list", "dict"]
# Numbers of the fields of JAX's tables.
_FUNCTION_NAME, _IN_TREE, _OUT_TREE, _DEVICES_SHORT = 1, 2, 4, 6
_PLATFORMS, _MODULE, _KEPT, _DEVICES = 9, 13, 15, 18
_TREE_KIND, _TREE_CHILDREN, _TREE_NAMES, _TREE_CUSTOM = range(4)
_KINDS: tuple[Kind, ...] = ("leaf", "none", "tuple", "list", "dict")
_NODES: dict[type, Kind] = {type(None): "none", tuple: "tuple", list: "list", dict: "dict"}


@dataclass(frozen=True)
class Tree:
    """A pytree: the structure around leaves; a dictionary has `keys`, in the order of `children`."""

    kind: Kind
    children: tuple[Tree, ...] = ()
    keys: tuple[str, ...] = ()

    def flatten(self, value: Any, path: str = "") -> Iterator[tuple[str, Any]]:
        """The leaves of a value with their paths. Raises `ArgumentError` where its structure is another."""
        if self.kind == "leaf":
            yield path, value
            return
        if self.kind == "none":
            if value is not None:
                raise ArgumentError(f"{_named(path)} is to be None, not {_described(value)}")
            return
        if self.kind == "dict":
            if not is_dict(value) or set(value) != set(self.keys):
                raise ArgumentError(
                    f"{_named(path)} is to be a dictionary of {list(self.keys)}, not {_described(value)}"
                )
            for key, child in zip(self.keys, self.children, strict=True):
                yield from child.flatten(value[key], f"{path}[{key!r}]")
            return
        if not (is_tuple(value) or is_list(value)) or len(value) != len(self.children):
            raise ArgumentError(
                f"{_named(path)} is to be a {self.kind} of {len(self.children)}, not {_described(value)}"
            )
        for index, child in enumerate(self.children):
            yield from child.flatten(value[index], f"{path}[{index}]")

    def unflatten(self, leaves: Iterator[Any]) -> Any:
        """The value with these leaves."""
        if self.kind == "leaf":
            return next(leaves)
        parts = [child.unflatten(leaves) for child in self.children]
        if self.kind == "dict":
            return dict(zip(self.keys, parts, strict=True))
        return None if self.kind == "none" else tuple(parts) if self.kind == "tuple" else parts


def _named(path: str) -> str:
    return f"argument {path}" if path else "the argument"


def _described(value: Any) -> str:
    if is_dict(value):
        return f"one of {list(value)}"
    if is_tuple(value) or is_list(value):
        return f"a {type(value).__name__} of {len(value)}"
    return "None" if value is None else f"a {type(value).__name__}"


def call_leaves(tree: Tree, arguments: Sequence[Any], keywords: dict[str, Any]) -> list[tuple[str, Any]]:
    """The leaves of a call's arguments, of a tree of their tuple and of the dictionary of named ones, with names as
    JAX has them: `args[0]['w']`, `kwargs['mask']`. Raises `ArgumentError` for a call of another structure."""
    positional, named = tree.children
    if len(arguments) != len(positional.children):
        takes = counted(len(positional.children), "positional argument")
        raise ArgumentError(f"the program takes {takes}, not {len(arguments)}")
    if set(keywords) != set(named.keys):
        takes = ", ".join(named.keys) if named.keys else "none"
        raise ArgumentError(f"the program takes these named arguments: {takes}; not: {', '.join(keywords)}")
    return [*positional.flatten(tuple(arguments), "args"), *named.flatten(keywords, "kwargs")]


@dataclass(frozen=True)
class Export:
    """A function of jax's: its program, and how its arguments and results are nested."""

    name: str
    program: bytes
    """A portable artifact or MLIR bytecode."""
    flatten: Callable[[Sequence[Any], dict[str, Any]], list[tuple[str, Any]]]
    """The leaves of a call's arguments with their names; of those, the module takes `kept`."""
    unflatten: Callable[[Sequence[Any]], Any]
    kept: tuple[int, ...]
    platforms: tuple[str, ...] = ()
    devices: int = 1

    @property
    def platform_index(self) -> int:
        """The number of the CPU among the platforms, which a program for several takes as its first argument."""
        return self.platforms.index("cpu") if "cpu" in self.platforms else 0


def is_export(data: bytes) -> bool:
    """Whether these bytes are a serialized export: a flatbuffer with a portable artifact at its place."""
    try:
        artifact = Table.root(data).bytes(_MODULE)
    except InputError:
        return False
    return artifact is not None and artifact.startswith(BYTECODE_MAGIC)


def read_export(data: bytes) -> Export:
    """The export in these bytes. Raises `InputError` for damaged ones, and for pytrees of types that only the program
    that made the export knows."""
    table = Table.root(data)
    in_tree, out_tree = _tree(table, _IN_TREE), _tree(table, _OUT_TREE)
    artifact = table.bytes(_MODULE)
    if artifact is None:
        raise InputError("the export holds no program")
    return Export(
        name=table.text(_FUNCTION_NAME) or "",
        program=artifact,
        flatten=lambda arguments, keywords: call_leaves(in_tree, arguments, keywords),
        unflatten=lambda leaves: out_tree.unflatten(iter(leaves)),
        kept=tuple(table.numbers(_KEPT, "H")),
        platforms=tuple(table.texts(_PLATFORMS)),
        devices=int(table.number(_DEVICES, "I") or table.number(_DEVICES_SHORT, "h") or 1),
    )


def _tree(table: Table, field: int) -> Tree:
    found = table.table(field)
    if found is None:
        raise InputError("the export does not say how its arguments and results are nested")
    return _read_tree(found)


def _read_tree(table: Table) -> Tree:
    number = int(table.number(_TREE_KIND, "b"))
    if not 0 <= number < len(_KINDS):
        name = table.text(_TREE_CUSTOM)
        raise InputError(
            f"the export nests values in '{name}', a type of the program that made it",
            notes=["pass the jax.export.Exported that jax.export.deserialize makes of it"],
        )
    children = tuple([_read_tree(child) for child in table.tables(_TREE_CHILDREN)])
    return Tree(_KINDS[number], children, tuple(table.texts(_TREE_NAMES)))


def is_exported_object(value: Any) -> bool:
    """Whether the value is a `jax.export.Exported`, whatever version of jax it is from."""
    return all(
        hasattr(value, name) for name in ("mlir_module_serialized", "in_tree", "out_tree", "module_kept_var_idx")
    )


def from_exported(exported: Any) -> Export:
    """Return a `jax.export.Exported` object, whose trees jax itself takes apart."""
    return _with_trees(
        exported,
        name=exported.fun_name,
        program=exported.mlir_module_serialized,
        kept=tuple(exported.module_kept_var_idx),
        platforms=tuple(exported.platforms),
        devices=exported.nr_devices,
    )


def is_stage(value: Any) -> bool:
    """Whether the value is what `jax.jit(f).trace(…)` or `jax.jit(f).lower(…)` gives, without importing jax."""
    kind = type(value)
    return kind.__module__ in ("jax.stages", "jax._src.stages") and kind.__name__ in ("Traced", "Lowered")


def from_stage(stage: Any) -> Export:
    """Return a `jax.stages.Traced` or `Lowered`: the program is the same that jax would compile."""
    lowered = stage.lower() if type(stage).__name__ == "Traced" else stage
    module, lowering = lowered.compiler_ir("stablehlo"), lowered._lowering  # it alone tells what jax dropped
    return _with_trees(
        lowered,
        name=str(module.operation.attributes["sym_name"]).strip('"'),
        program=bytecode_of(module),
        kept=tuple(sorted(lowering.compile_args["kept_var_idx"])),
        platforms=tuple(lowering._platforms or ()),
        devices=int(lowering.compile_args.get("num_devices", 1)),
    )


def _with_trees(source: Any, **fields: Any) -> Export:
    """Return an export of these fields, with the trees of arguments and results of `source`."""
    from jax import tree_util

    tree = _tree_of_jax(source.in_tree)

    def flatten(arguments: Sequence[Any], keywords: dict[str, Any]) -> list[tuple[str, Any]]:
        if tree is not None:
            return call_leaves(tree, arguments, keywords)
        given = tuple(arguments), keywords
        try:  # a list in place of a leaf is a tensor's numbers
            return [("", leaf) for leaf in source.in_tree.flatten_up_to(given)]
        except ValueError:
            found = tree_util.tree_structure(given)
            message = f"the arguments are nested as {found}, and the program takes {source.in_tree}"
            raise ArgumentError(message) from None

    return Export(flatten=flatten, unflatten=lambda leaves: tree_util.tree_unflatten(source.out_tree, leaves), **fields)


def _tree_of_jax(definition: Any) -> Tree | None:
    """Return the tree of a `PyTreeDef`, or None if it has nodes of other types than Python's own."""
    node = definition.node_data()
    if node is None:
        return Tree("leaf")
    kind = _NODES.get(node[0])
    children = [_tree_of_jax(child) for child in definition.children()]
    known = tuple([child for child in children if child is not None])
    if kind is None or len(known) != len(children):
        return None
    keys = tuple(node[1]) if kind == "dict" else ()
    return Tree(kind, known, keys) if all(isinstance(key, str) for key in keys) else None


def check_export(exported: Any, check: Check) -> str:
    """Return the outcome of a check of an export, serialized or not, against jax. Raises the check's errors."""
    try:
        data = exported if isinstance(exported, bytes) else bytes(exported.serialize())
    except ValueError as error:  # it nests values in types of its own
        raise InputError(f"the import cannot be checked: {error}") from None
    return value_in_child(partial(_check, check), data, "jax")


def _check(check: Check, data: bytes) -> str:
    try:
        exported = importlib.import_module("jax.export").deserialize(bytearray(data))
    except ImportError as error:
        raise ProviderError("exports are compared by jax: pip install jax", notes=[str(error)]) from None
    return check(exported.mlir_module().encode(), Original("jax", partial(_run, exported), _no_nodes))


def _run(exported: Any, arguments: Sequence[Any], _seed: int) -> list[Any]:
    tree_util = importlib.import_module("jax.tree_util")
    leaves = [np.zeros(aval.shape, aval.dtype) for aval in exported.in_avals]
    for index, argument in zip(exported.module_kept_var_idx, arguments, strict=True):
        leaves[index] = argument
    positional, named = tree_util.tree_unflatten(exported.in_tree, leaves)
    return list(tree_util.tree_leaves(exported.call(*positional, **named)))


def _no_nodes() -> NoReturn:
    raise InputError("the program of an export is what jax wrote")
