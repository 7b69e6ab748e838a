"""Capabilities of the bindings, found by trying, and substitutes for those that they lack.

Nothing here compares versions: a release that has a feature early, or loses it, is understood as it is. `since` only
tells the user which release to install. tests/lit takes the names of the present ones as lit features.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from ..errors import ProviderError
from .completion import HAS_ATTRIBUTE_LOOKUP, takes_boolean_bytes
from .context import has_dialect, inliner_extension, make_context
from .locations import HAS_SETTERS
from .provider import ir, passmanager, provider


class Capability(NamedTuple):
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


_REDUCED = """
sdy.mesh @mesh = <["x"=2]>
func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = sdy.all_reduce {"x"} %a out_sharding=<@mesh, [{}]> : tensor<4xf32>
  return %0 : tensor<4xf32>
}
"""


def _partitions() -> bool:
    """Shardy's own export marks the releases whose propagation the partitioner is tested with."""
    context = make_context()
    try:
        module = ir.Module.parse(_REDUCED, context)
        manager = passmanager.PassManager.parse("builtin.module(sdy-convert-global-to-local)", context=context)
        manager.run(module.operation)
    except (ValueError, ir.MLIRError):
        return False
    return "stablehlo.all_reduce" in str(module)


def _tells_origins() -> bool:
    """The pass that removes the notes is as old as the notes."""
    try:
        passmanager.PassManager.parse("builtin.module(sdy-remove-propagation-debug-info)", context=make_context())
    except (ValueError, ir.MLIRError):
        return False
    return True


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
        lambda: HAS_ATTRIBUTE_LOOKUP,
        "functions in the place of the methods that are missing",
    ),
    Capability(
        "boolean-bytes",
        "constants of booleans from a buffer with a byte for each",
        "jaxlib 0.9.2",
        takes_boolean_bytes,
        "buffers with a bit for each",
    ),
    Capability(
        "memory-effects",
        "asking an op whether it declares its memory effects",
        "jaxlib 0.9.2",
        lambda: hasattr(ir, "MemoryEffectsOpInterface"),
        "a list of the ops that do not",
    ),
    Capability(
        "mpmd", "reading programs of several meshes", "jaxlib 0.8.0", lambda: has_dialect(make_context(), "mpmd")
    ),
    Capability(
        "remarks", "collecting remarks of passes", "jaxlib 0.12.0", lambda: hasattr(ir.Context, "enable_remarks")
    ),
    Capability("partition", "partitioning a program over devices", "jaxlib 0.10.0", _partitions),
    Capability("sharding-origins", "telling where the axes of shardings come from", "jaxlib 0.10.2", _tells_origins),
)
_BY_NAME = {capability.name: capability for capability in _CAPABILITIES}
_FOUND: dict[str, bool] = {}


def capabilities() -> dict[str, bool]:
    """Whether each capability is there, by its name."""
    return {name: has(name) for name in _BY_NAME}


def missing(*, with_substitute: bool) -> list[str]:
    """The names of the capabilities that are missing: those that have a substitute, or those that have none."""
    return [each.name for each in _CAPABILITIES if not has(each.name) and bool(each.substitute) is with_substitute]


def has(name: str) -> bool:
    """Whether the bindings have the capability called `name`; it is tried when it is first asked for."""
    if name not in _FOUND:
        _FOUND[name] = _BY_NAME[name].is_there()
    return _FOUND[name]


def require(name: str) -> None:
    """Raise ProviderError with the missing capability, the installed provider, and a release that has it."""
    if not has(name):
        raise ProviderError(lacking(_BY_NAME[name].what, _BY_NAME[name].since))


def lacking(what: str, since: str) -> str:
    """Return the sentence about a missing capability: `since` names a release that has it."""
    return f"{what} needs {since} or later, and {provider.distribution} {provider.version()} is installed"


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
