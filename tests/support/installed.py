"""What tests ask of the installed bindings."""

from __future__ import annotations

import pytest

from stablehlo_py.bindings import make_context
from stablehlo_py.bindings.capabilities import require
from stablehlo_py.bindings.context import has_dialect
from stablehlo_py.bindings.provider import provider
from stablehlo_py.errors import ProviderError


def needs(capability: str) -> pytest.MarkDecorator:
    """A mark that skips a test where the bindings lack a capability, for the reason that a user is told."""
    try:
        require(capability)
    except ProviderError as error:
        return pytest.mark.skip(reason=str(error).removeprefix("error: "))
    return pytest.mark.skipif(False, reason="the bindings have it")


def needs_dialect(name: str) -> pytest.MarkDecorator:
    """A mark that skips a test where the bindings lack a dialect."""
    return pytest.mark.skipif(
        not has_dialect(make_context(), name), reason=f"{provider.distribution} does not have the dialect {name}"
    )
