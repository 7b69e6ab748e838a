"""What tests ask of the installed bindings."""

from __future__ import annotations

import pytest

from stablehlo_py.bindings.capabilities import require
from stablehlo_py.errors import ProviderError


def needs(capability: str) -> pytest.MarkDecorator:
    """A mark that skips a test where the bindings lack a capability, for the reason that a user is told."""
    try:
        require(capability)
    except ProviderError as error:
        return pytest.mark.skip(reason=str(error).removeprefix("error: "))
    return pytest.mark.skipif(False, reason="the bindings have it")
