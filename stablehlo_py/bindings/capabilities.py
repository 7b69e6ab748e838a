"""Capabilities of the bindings, found by trying, and substitutes for those that they lack.

Nothing here compares versions: a release that has a feature early, or loses it, is understood as it is. `since` only
tells the user which release to install. tests/lit takes the names of what is there as lit features.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

from ..errors import ProviderError
from .locations import HAS_SETTERS
from .provider import ir, passmanager, provider


@dataclass(frozen=True)
class Capability:
    """Something that not every supported release can do.

    `what` names it in a sentence, `since` is a release that has it, and `substitute` says what is done without it;
    where that is empty, whoever needs the feature gets an error.
    """

    name: str
    what: str
    since: str
    is_there: Callable[[], bool]
    substitute: str = ""


def _do_nothing(op: ir.Operation, external: object) -> None:
    """A pass."""


def _takes_python_passes() -> bool:
    manager = passmanager.PassManager("builtin.module", context=ir.Context())
    try:
        manager.add(_do_nothing)
    except TypeError:
        return False
    return True


def _takes_boolean_bytes() -> bool:
    from .elements import takes_boolean_bytes  # it imports numpy

    return takes_boolean_bytes()


def inliner_extension() -> Any:
    """Return the function that registers how the pass `inline` inlines functions, or None."""
    extension = provider.optional_module("_mlir_libs._mosaic_gpu_ext")
    return getattr(extension, "register_inliner_extensions", None)


_CAPABILITIES = (
    Capability(
        "location-setters",
        "changing the location of an op",
        "jaxlib 0.8.3",
        lambda: HAS_SETTERS,
        "the program is printed and read again",
    ),
    Capability(
        "inliner",
        "the pass 'inline' on functions",
        "jaxlib 0.8.3",
        lambda: inliner_extension() is not None,
        "a pass written in Python",
    ),
    Capability(
        "python-passes",
        "a pass written in Python among those of a pass manager",
        "jaxlib 0.8.0",
        _takes_python_passes,
        "passes written in Python run between pass managers",
    ),
    Capability(
        "pass-statistics",
        "the statistics of passes",
        "jaxlib 0.8.0",
        lambda: hasattr(passmanager.PassManager, "enable_statistics"),
    ),
    Capability(
        "attribute-lookup",
        "using the attributes of an op as a dictionary",
        "jaxlib 0.9.2",
        lambda: _HAS_ATTRIBUTE_LOOKUP,
        "functions in the place of the methods that are missing",
    ),
    Capability(
        "boolean-bytes",
        "constants of booleans from a buffer with a byte for each",
        "jaxlib 0.9.2",
        _takes_boolean_bytes,
        "buffers with a bit for each",
    ),
    Capability(
        "memory-effects",
        "asking an op whether it declares its memory effects",
        "jaxlib 0.9.2",
        lambda: hasattr(ir, "MemoryEffectsOpInterface"),
        "a list of the ops that do not",
    ),
)


@cache
def capabilities() -> dict[str, bool]:
    """Whether each capability is there, by its name."""
    return {capability.name: capability.is_there() for capability in _CAPABILITIES}


def missing(*, with_substitute: bool) -> list[str]:
    """The names of the capabilities that are missing: those that have a substitute, or those that have none."""
    return [each.name for each in _CAPABILITIES if not has(each.name) and bool(each.substitute) is with_substitute]


def has(name: str) -> bool:
    """Whether the bindings have the capability called `name`."""
    return capabilities()[name]


def require(name: str) -> None:
    """Raises ProviderError where the capability is missing: what it is, what is installed, and what has it."""
    if has(name):
        return
    capability = next(capability for capability in _CAPABILITIES if capability.name == name)
    raise ProviderError(lacking(capability.what, capability.since))


def lacking(what: str, since: str) -> str:
    """The sentence about something that is missing: `since` says what has it."""
    return f"{what} needs {since} or later, and {provider.distribution} {provider.version()} is installed"


# Substitutes --------------------------------------------------------------------------------------------------------

_HAS_ATTRIBUTE_LOOKUP = hasattr(ir.OpAttributeMap, "get")


def _items(attributes: Any) -> list[tuple[str, ir.Attribute]]:
    named = (attributes[index] for index in range(len(attributes)))
    return [(attribute.name, attribute.attr) for attribute in named]


def _get(attributes: Any, key: str, default: object = None) -> object:
    if key not in attributes:
        return default
    return attributes[key]


def _keys(attributes: Any) -> list[str]:
    return [name for name, _ in _items(attributes)]


def _values(attributes: Any) -> list[ir.Attribute]:
    return [attribute for _, attribute in _items(attributes)]


_DICTIONARY: dict[str, Callable[..., object]] = {
    "get": _get,
    "items": _items,
    "keys": _keys,
    "values": _values,
}


def complete_bindings() -> None:
    """Gives the attributes of an op the methods of a dictionary that old bindings lack. What they give when they are
    iterated over stays as it is there, for others in the process may rely on it."""
    if not _HAS_ATTRIBUTE_LOOKUP:
        for name, method in _DICTIONARY.items():
            setattr(ir.OpAttributeMap, name, method)


# As jaxlib 0.9.2 answers, for the dialects whose ops our contexts can hold.
_SILENT_ABOUT_EFFECTS = frozenset(
    f"{dialect}.{name}"
    for dialect, names in {
        "builtin": "module unrealized_conversion_cast",
        "chlo": "scan",
        "func": "call call_indirect func",
        "memref": "alloca_scope dma_start dma_wait global",
        "scf": "execute_region for forall if index_switch parallel reduce while",
        "sdy": "all_gather all_reduce all_slice all_to_all collective_permute data_flow_edge manual_computation mesh "
        "named_computation reduce_scatter replicated_to_unreduced sharded_to_unreduced sharding_constraint "
        "sharding_group",
        "stablehlo": "all_gather all_reduce all_to_all case collective_broadcast collective_permute composite if map "
        "reduce reduce_scatter reduce_window rng scatter select_and_scatter sort while",
        "vector": "mask",
    }.items()
    for name in names.split()
)


def declares_effects_interface(op: ir.Operation) -> bool:
    """Whether the op's definition says which memory effects it has, be it none."""
    if not has("memory-effects"):
        return op.name not in _SILENT_ABOUT_EFFECTS and op.context.is_registered_operation(op.name)
    try:
        ir.MemoryEffectsOpInterface(op)
    except ValueError:
        return False
    return True
