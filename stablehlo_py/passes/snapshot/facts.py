"""Types, and ops of one name: each question of patterns goes to the bindings once."""

from __future__ import annotations

import sys
from functools import cached_property
from math import prod

from ...bindings import ir
from ...bindings.capabilities import declares_effects_interface
from ...bindings.types import LARGEST_RANK, ElementType, element_type
from ...bindings.types import Kind as ElementKind
from ...dialect.facts import facts
from ...errors import StablehloError


class TypeFacts:
    """A type, with the answers to patterns' questions, which come from the bindings once."""

    def __init__(self, type_: ir.Type) -> None:
        self.type = type_

    @cached_property
    def ranked(self) -> ir.RankedTensorType | None:
        """The type of a ranked tensor, or None."""
        return self.type if isinstance(self.type, ir.RankedTensorType) else None

    @cached_property
    def shape(self) -> tuple[int, ...]:
        """The dimension sizes of a ranked tensor; unknown ones are negative."""
        return tuple(ir.RankedTensorType(self.type).shape)

    @cached_property
    def static_shape(self) -> tuple[int, ...] | None:
        """The shape, if all dimension sizes are known."""
        return self.shape if self.ranked is not None and self.ranked.has_static_shape else None

    @cached_property
    def count(self) -> int | None:
        """The number of elements of a tensor of static shape."""
        return None if self.static_shape is None else prod(self.static_shape)

    @cached_property
    def element(self) -> ElementType | None:
        """The type of the elements; None if they are quantized or outside the spec, or the type is not a tensor."""
        text = str(self.type.element_type) if isinstance(self.type, ir.ShapedType) else "!quant."
        try:
            return None if text.startswith("!quant.") else element_type(text)
        except StablehloError:
            return None

    @property
    def kind(self) -> ElementKind | None:
        """The category of the elements, or None as for `element`."""
        return None if self.element is None else self.element.kind

    @property
    def has_no_encoding(self) -> bool:
        """Whether the type is a ranked tensor without bounds, sparsity and the like."""
        return self.ranked is not None and self.ranked.encoding is None

    @property
    def is_plain(self) -> bool:
        """Whether numpy has an array for a tensor of this type, which is without encoding."""
        return self.has_array and self.has_no_encoding

    @cached_property
    def has_array(self) -> bool:
        """Whether numpy has an array for a tensor: of static shape, not quantized, and of sizes within its limits. If
        the tensor has no elements, its other sizes still count."""
        if self.static_shape is None or self.element is None or len(self.static_shape) > LARGEST_RANK:
            return False
        return prod(filter(None, self.static_shape)) * self.element.dtype.itemsize <= sys.maxsize

    @property
    def byte_size(self) -> int:
        """The bytes of the array of a tensor that has one."""
        assert self.count is not None
        assert self.element is not None
        return self.count * self.element.dtype.itemsize


class OpKind:
    """The facts about the ops of one name that are asked of each."""

    def __init__(self, name: str, example: ir.Operation) -> None:
        known = facts(name)
        self.is_constant = known.is_constant
        self.is_effectful: bool | None = None  # the driver's: whether all of them have effects
        self.is_control_flow = known.is_control_flow
        self.declares_effects = declares_effects_interface(example)
        self.has_no_regions = known.dialect == "stablehlo" and not known.regions and not known.is_control_flow
