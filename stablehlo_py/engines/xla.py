"""XLA as an engine: jaxlib's client for CPUs, or a PJRT plugin. Grids of processes run on CPUs alone.

Options: `plugin=PATH` loads a PJRT plugin; every other `KEY=VALUE` is a flag or debug option of XLA, where `+` stands
between the entries of a list: `xla:xla_disable_hlo_passes=algsimp+fusion,xla_backend_optimization_level=0`.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Sequence
from contextlib import suppress
from functools import cache
from typing import Any

import numpy as np

from ..bindings import ir
from ..bindings.diagnostics import file_location
from ..bindings.provider import compiler_client
from ..bindings.resources import write_out_resources
from ..bindings.walk import functions, operations
from ..errors import UnsupportedOpError, UsageError
from . import xla_grids
from .carriers import carried, carried_type, carrier_of, restored, shareable, signature
from .reading import read_module
from .worker import Run
from .xla_bounds import bounded_dimensions, enter, leave, make_static

_BOOLEANS = {"true": True, "1": True, "false": False, "0": False}
_ALIASES = "mhlo.input_output_alias"
_HOST_TRANSFERS = frozenset(("stablehlo.infeed", "stablehlo.outfeed", "stablehlo.send", "stablehlo.recv"))
_REFUSED = re.compile(r"No such compile option: .*|While setting option .*")


def _client(plugin: str) -> Any:
    extension, library = compiler_client()
    if not plugin:
        return library.make_cpu_client()
    extension.load_pjrt_plugin("plugin", plugin, None)
    extension.initialize_pjrt_plugin("plugin")
    return library.make_c_api_client("plugin", {}, None)


def _release(client: Any) -> str:
    """Return the name of a plugin's platform, and the version of StableHLO that it reads.

    The client hands it programs as artifacts of that version.
    """
    try:
        version = ".".join(map(str, client.stablehlo_current_version))
    except AttributeError:  # the plugin does not say
        return str(client.platform_version)
    return f"{client.platform_version}, StableHLO {version}"


class Xla:
    """Compiles programs with XLA and runs them on its first device, or a grid's function on as many as it needs."""

    def __init__(self, plugin: str, debug_options: dict[str, str]) -> None:
        self.extension, _ = compiler_client()
        self.client = _client(plugin)
        self.has_plugin = bool(plugin)
        self.release = _release(self.client) if plugin else ""
        self.debug_options = debug_options
        self.device = self.client.local_devices()[0]
        self._check_options()
        self._conversion = cache(self._compiled_conversion)

    def load(self, module: bytes) -> Run:
        """Compile the module."""
        read = read_module(module)
        _refuse_host_transfers(read.operation)
        write_out_resources(read.operation)
        grid = None if self.has_plugin else xla_grids.grid_of(read.operation)
        if grid is not None:
            return xla_grids.load(read.operation, grid, self._options())
        _allow_copies(read.operation)
        main = functions(read.operation)["main"]
        given, taken = signature(main)
        if any(map(bounded_dimensions, [*given, *taken])):
            make_static(main)
        inputs, outputs = signature(main)
        # The pretty form of some ops without operands is none that can be read again.
        text: str = read.operation.get_asm(print_generic_op_form=True)  # pyright: ignore[reportAssignmentType]
        executable = self._compile(text)

        def run(arguments: Sequence[np.ndarray]) -> Sequence[np.ndarray]:
            entering = enter(arguments, given)
            buffers = [self._enter(value, type_) for value, type_ in zip(entering, inputs, strict=True)]
            results = executable.execute(buffers)
            return leave([self._leave(result, type_) for result, type_ in zip(results, outputs, strict=True)], taken)

        return run

    def _options(self) -> Any:
        """Return the compile options. Raises UsageError."""
        options = self.extension.CompileOptions()
        others = list[tuple[str, Any]]()
        for key, value in self.debug_options.items():
            if not _set_option(options.executable_build_options.debug_options, key, value):
                others.append((key, _plain_value(value)))
        if others:
            options.env_option_overrides = others
        return options

    def _check_options(self) -> None:
        """Compile a program with the options. Raises UsageError where XLA knows one of them not, or not its value."""
        if not self._options().env_option_overrides:
            return
        try:
            self._compile("func.func @main(%a: tensor<f32>) -> tensor<f32> { return %a : tensor<f32> }")
        except Exception as error:
            found = _REFUSED.search(str(error))
            if found is None:
                raise
            raise UsageError(f"unknown XLA option or value: {found[0]}") from None

    def _compile(self, text: str, *, plain: bool = False) -> Any:
        options = self.extension.CompileOptions() if plain else self._options()
        devices = self.extension.DeviceList((self.device,))
        return self.client.compile_and_load(text, devices, options)

    def _compiled_conversion(self, source: str, target: str, op: str) -> Any:
        body = f"%r = stablehlo.{op} %a : ({source}) -> {target}\n  return %r : {target}"
        return self._compile(f"func.func @main(%a: {source}) -> {target} {{\n  {body}\n}}\n", plain=True)

    def _enter(self, array: np.ndarray, type_: Any) -> Any:
        """Return the array on the device."""
        carrier = carrier_of(type_)
        buffer = self._buffer(carried(array, carrier))
        if carrier is None:
            return buffer
        return self._conversion(carried_type(type_, carrier), str(type_), carrier.op).execute([buffer])[0]

    def _buffer(self, array: np.ndarray) -> Any:
        return self.extension.dlpack_managed_tensor_to_buffer(shareable(array).__dlpack__(), self.device, None)

    def _leave(self, buffer: Any, type_: Any) -> np.ndarray:
        carrier = carrier_of(type_)
        if carrier is not None:
            buffer = self._conversion(str(type_), carried_type(type_, carrier), carrier.op).execute([buffer])[0]
        return restored(np.array(buffer), type_, carrier)


def _allow_copies(module: ir.Operation) -> None:
    """Let results that must alias an argument be new: arguments are copies, which no caller donates."""
    if _ALIASES in module.attributes and "must_alias" in str(module.attributes[_ALIASES]):
        warnings.warn("must-alias is taken for may-alias, since arguments are copied and not donated", stacklevel=2)
        text = str(module.attributes[_ALIASES]).replace("must_alias", "may_alias")
        module.attributes[_ALIASES] = ir.Attribute.parse(text, module.context)


def _refuse_host_transfers(module: ir.Operation) -> None:
    """Raise UnsupportedOpError for an op that waits for a host program, which there is none here."""
    found = next((op for op in operations(module) if op.name in _HOST_TRANSFERS), None)
    if found is not None:
        where = file_location(found.location)
        raise UnsupportedOpError("waits for a host program that this engine lacks", op=found.name, location=where)


def _set_option(options: Any, key: str, value: str) -> bool:
    """Set a debug option that the bindings have; False where they lack it. Raises UsageError for a wrong value."""
    try:
        present = getattr(options, key)
    except AttributeError:
        return False
    try:
        if isinstance(present, bool):
            setattr(options, key, _BOOLEANS[value.lower()])
        elif isinstance(present, int):
            setattr(options, key, int(value))
        else:
            setattr(options, key, value.replace("+", ","))
    except (KeyError, ValueError, TypeError):
        raise UsageError(f"XLA option '{key}' does not take '{value}'") from None
    return True


def _plain_value(value: str) -> bool | int | float | str:
    """Return the value of an option whose type the bindings do not tell."""
    if value.lower() in _BOOLEANS and not value.isdigit():
        return _BOOLEANS[value.lower()]
    for kind in (int, float):
        with suppress(ValueError):
            return kind(value)
    return value.replace("+", ",")


def backend(*options: str) -> Xla:
    """Return the engine `xla`. Raises UsageError for an option that is not KEY=VALUE."""
    pairs: dict[str, str] = {}
    for option in options:
        key, equals, value = option.partition("=")
        if not equals:
            raise UsageError(f"engine xla: expected KEY=VALUE, found '{option}'")
        pairs[key] = value
    return Xla(pairs.pop("plugin", ""), pairs)
