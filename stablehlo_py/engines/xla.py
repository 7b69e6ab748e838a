"""XLA as an engine: jaxlib's client for CPUs, or a PJRT plugin.

Options: `plugin=PATH` loads a PJRT plugin; every other `KEY=VALUE` is a flag or debug option of XLA, where `+` stands
between the entries of a list: `xla:xla_disable_hlo_passes=algsimp+fusion,xla_backend_optimization_level=0`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import suppress
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import DTypeLike

from ..bindings import ir
from ..bindings.provider import compiler_client
from ..bindings.resources import write_out_resources
from ..bindings.types import TensorType, TypeReader
from ..bindings.walk import functions
from ..errors import UsageError
from .reading import read_module
from .worker import Run

_BOOLEANS = {"true": True, "1": True, "false": False, "0": False}
_ALIGNMENT = 64
_REFUSED = re.compile(r"No such compile option: .*|While setting option .*")


def _client(plugin: str) -> Any:
    extension, library = compiler_client()
    if not plugin:
        return library.make_cpu_client()
    extension.load_pjrt_plugin("plugin", plugin, None)
    extension.initialize_pjrt_plugin("plugin")
    return library.make_c_api_client("plugin", {}, None)


def _carrier(type_: TensorType) -> tuple[str, DTypeLike, str] | None:
    """A carrier for arrays of a type that DLPack lacks: element type, data type, and the op to get there."""
    dtype = type_.dtype
    if dtype.isbuiltin == 1:  # ml_dtypes says that its float8_e5m2 is of numpy's kind for floats
        return None
    bits = type_.element_type.bits
    if bits == 8 * dtype.itemsize:
        return f"ui{bits}", f"u{dtype.itemsize}", "bitcast_convert"
    if type_.element_type.is_integer:
        return ("i8", np.int8, "convert") if dtype.name.startswith("int") else ("ui8", np.uint8, "convert")
    return "f32", np.float32, "convert"


class Xla:
    """Compiles programs with XLA and runs them on its first device."""

    def __init__(self, plugin: str, debug_options: dict[str, str]) -> None:
        self.extension, _ = compiler_client()
        self.client = _client(plugin)
        self.debug_options = debug_options
        self.device = self.client.local_devices()[0]
        self._check_options()
        self._conversion = cache(self._compiled_conversion)

    def load(self, module: bytes) -> Run:
        """Compile the module."""
        read = read_module(module)
        write_out_resources(read.operation)
        # The pretty form of some ops without operands is none that can be read again.
        text: str = read.operation.get_asm(print_generic_op_form=True)  # pyright: ignore[reportAssignmentType]
        executable = self._compile(text)
        function = functions(read.operation)["main"]
        signature = ir.FunctionType(ir.TypeAttr(function.attributes["function_type"]).value)
        types = TypeReader()
        inputs, outputs = ([types[type_] for type_ in part] for part in (signature.inputs, signature.results))

        def run(arguments: Sequence[np.ndarray]) -> Sequence[np.ndarray]:
            buffers = [self._enter(value, type_) for value, type_ in zip(arguments, inputs, strict=True)]
            results = executable.execute(buffers)
            return [self._leave(result, type_) for result, type_ in zip(results, outputs, strict=True)]

        return run

    def _options(self) -> Any:
        """The compile options. Raises UsageError."""
        options = self.extension.CompileOptions()
        others = []
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
        """The array on the device."""
        carrier = _carrier(type_)
        if carrier is None:
            return self._buffer(array)
        element, dtype, op = carrier
        carried = array.view(dtype) if op == "bitcast_convert" else array.astype(dtype)
        return self._conversion(_tensor(type_, element), str(type_), op).execute([self._buffer(carried)])[0]

    def _buffer(self, array: np.ndarray) -> Any:
        return self.extension.dlpack_managed_tensor_to_buffer(_shareable(array).__dlpack__(), self.device, None)

    def _leave(self, buffer: Any, type_: Any) -> np.ndarray:
        carrier = _carrier(type_)
        if carrier is None:
            return np.array(buffer)
        element, _, op = carrier
        plain = np.array(self._conversion(str(type_), _tensor(type_, element), op).execute([buffer])[0])
        return plain.view(type_.dtype) if op == "bitcast_convert" else plain.astype(type_.dtype)


def _shareable(array: np.ndarray) -> np.ndarray:
    """A copy in memory that a device can share: writable, nobody else's, and aligned, as plugins do not copy it."""
    memory = np.empty(array.nbytes + _ALIGNMENT, np.uint8)
    start = -memory.ctypes.data % _ALIGNMENT
    copy = memory[start : start + array.nbytes].view(array.dtype).reshape(array.shape)
    copy[...] = array
    return copy


def _tensor(type_: TensorType, element: str) -> str:
    return f"tensor<{''.join(f'{size}x' for size in type_.static_shape)}{element}>"


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
    """The value of an option whose type the bindings do not tell."""
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
