"""Finds the package that carries the official dialects, and re-exports the modules that the other rooms use.

`STABLEHLO_PY_PROVIDER` names the provider (`jaxlib`, `mlir` or `torch_mlir`); without it the first that can be
imported is taken, in that order. Importing this module loads it, or raises `ProviderError`.
"""

from __future__ import annotations

import importlib
import os
from types import ModuleType
from typing import TYPE_CHECKING, Any, NamedTuple

from ..errors import NO_MEMORY_TO_LOAD, ProviderError, ResourceError, is_out_of_memory
from ..isolation.limits import memory_notes

if TYPE_CHECKING:
    import jaxlib.mlir._mlir_libs._stablehlo as stablehlo_extension
    from jaxlib.mlir import ir, passmanager
    from jaxlib.mlir._mlir_libs._mlir import globals as dialect_registry
    from jaxlib.mlir._mlir_libs._mlir import register_type_caster, rewrite

__all__ = [
    "PROVIDERS",
    "VARIABLE",
    "Provider",
    "dialect_registry",
    "ir",
    "passmanager",
    "provider",
    "register_type_caster",
    "rewrite",
    "stablehlo_extension",
]

VARIABLE = "STABLEHLO_PY_PROVIDER"


class Provider(NamedTuple):
    """The layout of one package: `root` is the import path above `ir`."""

    name: str
    distribution: str
    root: str

    def module(self, name: str) -> ModuleType:
        """Return the provider's module `name`, relative to its root. Raises ImportError."""
        return importlib.import_module(f"{self.root}.{name}")

    def version(self) -> str:
        """Return the version of the installed distribution."""
        from importlib.metadata import PackageNotFoundError, version

        try:
            return version(self.distribution)
        except PackageNotFoundError:  # imported from a build tree
            return "unknown"

    def optional_module(self, name: str) -> Any:
        """As `module`, or None where the provider does not have it."""
        try:
            return self.module(name)
        except ImportError:
            return None


PROVIDERS = (
    Provider("jaxlib", "jaxlib", "jaxlib.mlir"),
    Provider("mlir", "stablehlo", "mlir"),
    Provider("torch_mlir", "torch-mlir", "torch_mlir"),
)

_REMEDIES = {
    "mlir": "it is a build of StableHLO with Python bindings (STABLEHLO_ENABLE_BINDINGS_PYTHON=ON), and its "
    "python_packages/stablehlo belongs on PYTHONPATH",
}


def _candidates() -> tuple[Provider, ...]:
    chosen = os.environ.get(VARIABLE)
    if not chosen:
        return PROVIDERS
    named = tuple(provider for provider in PROVIDERS if provider.name == chosen)
    if not named:
        names = ", ".join(provider.name for provider in PROVIDERS)
        raise ProviderError(f"unknown provider '{chosen}' in {VARIABLE}, expected one of: {names}")
    return named


def _find() -> Provider:
    failures: list[str] = []
    for provider in _candidates():
        try:
            provider.module("ir")
            provider.module("_mlir_libs._stablehlo")
            return provider
        except (ImportError, MemoryError, OSError, SystemError) as error:
            failures.append(f"{provider.name}: {error if str(error) else 'out of memory'}")
            if memory_notes() and is_out_of_memory(error, is_limited=True):
                raise ResourceError(NO_MEMORY_TO_LOAD, notes=[*memory_notes(), *failures]) from None
    advice = "no package with the StableHLO dialect could be imported; install one with: pip install jaxlib"
    if os.environ.get(VARIABLE):
        chosen = _candidates()[0]
        remedy = _REMEDIES.get(chosen.name, f"install it with: pip install {chosen.distribution}")
        advice = f"{VARIABLE} asks for {chosen.name}, which could not be imported; {remedy}"
    raise ProviderError(advice, notes=failures)


provider = _find()

if not TYPE_CHECKING:
    ir = provider.module("ir")
    passmanager = provider.module("passmanager")
    dialect_registry = provider.module("_mlir_libs._mlir").globals
    register_type_caster = provider.module("_mlir_libs._mlir").register_type_caster
    rewrite = provider.optional_module("_mlir_libs._mlir.rewrite") or provider.optional_module("rewrite")
    stablehlo_extension = provider.module("_mlir_libs._stablehlo")


def compiler_client() -> tuple[Any, Any]:
    """Return jaxlib's modules `_jax` and `xla_client`, which hold XLA.

    Raises:
        ProviderError: jaxlib is not installed.
    """
    try:
        from jaxlib import xla_client
    except ImportError:
        raise ProviderError(
            "XLA comes with jaxlib, which is not installed; install it with: pip install jaxlib"
        ) from None
    return importlib.import_module("jaxlib._jax"), xla_client
