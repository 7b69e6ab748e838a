"""A context that holds every dialect a StableHLO program can contain."""

from __future__ import annotations

from functools import cache
from typing import Any

from .completion import complete_bindings
from .provider import ir, passmanager, provider, stablehlo_extension

# The dialects that `make_context` loads if the provider carries them.
PROGRAM_DIALECTS = (
    *("builtin", "func", "arith", "scf", "cf", "math", "tensor", "shape", "quant", "sparse_tensor", "linalg"),
    *("chlo", "stablehlo", "vhlo", "interpreter", "sdy", "mhlo", "mpmd"),
)
# Some dialects are linked into the providers without a way to register them by name; they are loaded as the
# dependent dialects of a pass, here by running that pass on an empty module.
_PASS_THAT_LOADS = {
    "quant": "vhlo-legalize-to-stablehlo",  # and shape
    "linalg": "stablehlo-legalize-to-linalg",  # and sparse_tensor, bufferization
    "mhlo": "stablehlo-legalize-to-hlo",
    "vhlo": "stablehlo-legalize-to-vhlo",
    "chlo": "stablehlo-compatibility-expander",
    "sdy": "sdy-close-shardings",
}
# The attribute of a context that says whether `make_context` made it, and with sdy. Others may have threads.
_MADE_HERE = "made_with_sdy"


@cache
def register_passes() -> None:
    """Make every pass of the provider known by name, once a process."""
    _upstream_registry()
    stablehlo_extension.register_stablehlo_passes()
    mhlo = provider.optional_module("_mlir_libs._mlirHlo")
    if mhlo is not None:
        mhlo.register_mhlo_passes()
    provider.optional_module("_mlir_libs._torchMlir")  # importing it registers torch-mlir's passes


def inliner_extension() -> Any:
    """Return the function that registers how the pass `inline` inlines functions, or None."""
    extension = provider.optional_module("_mlir_libs._mosaic_gpu_ext")
    return getattr(extension, "register_inliner_extensions", None)


@cache
def _upstream_registry() -> ir.DialectRegistry:
    """Return the dialects of MLIR itself; making them known does the same for its passes: canonicalize, cse, …"""
    registry = ir.DialectRegistry()
    extension = provider.optional_module("_mlir_libs._jax_mlir_ext")
    if extension is not None:
        extension.register_dialects(registry)
    return registry


def has_dialect(context: ir.Context, name: str) -> bool:
    """Whether the dialect is loaded, or can be; it is loaded then."""
    try:
        context.get_dialect_descriptor(name)
    except ValueError:
        return False
    return True


_kept: list[ir.Context] = []


def keep_a_context() -> None:
    """Make a context for the next `make_context` in each process that is forked from this one."""
    if not _kept:
        _kept.append(_new_context(with_sdy=True))


def make_context(*, allow_unregistered_dialects: bool = False, with_sdy: bool = True) -> ir.Context:
    """Return a new context with the `PROGRAM_DIALECTS` that the provider carries.

    Multithreading is off: starting the threads costs more than most modules take to compile. Without sdy, which
    is not part of StableHLO, a program can have ops of its own that are called so.
    """
    context = _kept.pop() if _kept and with_sdy else _new_context(with_sdy=with_sdy)
    context.allow_unregistered_dialects = allow_unregistered_dialects
    setattr(context, _MADE_HERE, with_sdy)
    return context


def context_like(context: ir.Context, *, allow_unregistered_dialects: bool) -> ir.Context:
    """Return the given context, where `make_context` made it in this way; otherwise a new one."""
    if getattr(context, _MADE_HERE, False) and context.allow_unregistered_dialects == allow_unregistered_dialects:
        return context
    return make_context(allow_unregistered_dialects=allow_unregistered_dialects)


def _new_context(*, with_sdy: bool) -> ir.Context:
    complete_bindings()
    context = ir.Context()
    context.enable_multithreading(False)
    context.append_dialect_registry(_upstream_registry())
    for name in PROGRAM_DIALECTS:  # others, such as llvm's, are loaded with their first op: all take a millisecond
        has_dialect(context, name)
    stablehlo_extension.register_dialect(context)
    stablehlo_extension.register_interpreter_dialect(context)
    torch_dialect = provider.optional_module("_mlir_libs._torchMlir")
    if torch_dialect is not None:
        torch_dialect.register_dialect(context)
    mpmd = provider.optional_module("_mlir_libs._sdyMpmd")
    if mpmd is not None and with_sdy:  # which comes with it
        mpmd.register_dialect(context)
    register_inliner = inliner_extension()
    if register_inliner is not None:
        register_inliner(context)
    register_passes()
    with context, ir.Location.unknown():
        empty = ir.Module.create()
        for dialect, name in _PASS_THAT_LOADS.items():
            if has_dialect(context, dialect) or (dialect == "sdy" and not with_sdy):
                continue
            try:
                manager = passmanager.PassManager.parse(f"builtin.module({name})")
            except ValueError:  # this provider does not have the pass, and so not the dialects behind it
                continue
            manager.run(empty.operation)
    return context


# Every dialect that some provider carries; the bindings cannot list those that a context has.
_DIALECTS = (
    *("affine", "arith", "bufferization", "builtin", "cf", "chlo", "complex", "func", "gpu", "interpreter", "linalg"),
    *("llvm", "math", "memref", "mhlo", "mpmd", "nvgpu", "nvvm", "quant", "scf", "sdy", "shape", "sparse_tensor"),
    *("stablehlo", "tensor", "torch", "tosa", "ub", "vector", "vhlo"),
)


def loaded_dialects(context: ir.Context) -> list[str]:
    """The names of the dialects that can be read in `context`, in alphabetical order."""
    return [name for name in _DIALECTS if has_dialect(context, name)]


def is_registered_pass(name: str) -> bool:
    """Whether the provider has a pass or a pipeline of passes called `name`."""
    register_passes()
    try:
        passmanager.PassManager("any", context=ir.Context()).add(name.encode().decode())
    except UnicodeEncodeError:  # C++ takes no bytes of another encoding, which a command line may hold
        return False
    except ValueError as error:
        return "does not refer to a registered pass" not in str(error) and "MLIR Textual" not in str(error)
    return True
