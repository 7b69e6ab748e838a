"""Random instances of the ops that address and window their operands: valid numbers, shapes that fit.

Every function draws from a `random.Random`, so that the kit, the fuzzer and property tests share them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from .texts import ints


def shape(generator: Random, rank: int, smallest: int = 0, largest: int = 4) -> list[int]:
    """Return the sizes of `rank` dimensions."""
    return [generator.randint(smallest, largest) for _ in range(rank)]


@dataclass(frozen=True)
class Addressing:
    """Valid dimension numbers of a gather, and of a scatter alike, on a tensor of `shape`."""

    shape: list[int]
    slice_sizes: list[int]
    removed: list[int]
    batching: list[int]
    index_map: list[int]
    indices_shape: list[int]
    indices_batching: list[int]
    index_vector_dim: int
    offset_dims: list[int]
    sliced_shape: list[int]

    @property
    def gather_attributes(self) -> str:
        """The dimension numbers of a gather."""
        return (
            f"dimension_numbers = #stablehlo.gather<offset_dims = {self.offset_dims}, "
            f"collapsed_slice_dims = {self.removed}, operand_batching_dims = {self.batching}, "
            f"start_indices_batching_dims = {self.indices_batching}, start_index_map = {self.index_map}, "
            f"index_vector_dim = {self.index_vector_dim}>"
        )

    @property
    def scatter_attributes(self) -> str:
        """The dimension numbers of a scatter."""
        return (
            f"scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = {self.offset_dims}, "
            f"inserted_window_dims = {self.removed}, input_batching_dims = {self.batching}, "
            f"scatter_indices_batching_dims = {self.indices_batching}, "
            f"scatter_dims_to_operand_dims = {self.index_map}, index_vector_dim = {self.index_vector_dim}>"
        )


def addressing(generator: Random, rank: int) -> Addressing:
    """Draw dimension numbers for a tensor of `rank` dimensions."""
    dimension_sizes = shape(generator, rank, smallest=1)
    order = generator.sample(range(rank), rank)
    batching = sorted(order[: generator.randint(0, min(rank, 2))])
    others = [d for d in order if d not in batching]
    index_map = others[: generator.randint(0, len(others))]
    slice_sizes = [1 if d in batching else generator.randint(1, dimension_sizes[d]) for d in range(rank)]
    collapsed = sorted(d for d in others if slice_sizes[d] == 1 and generator.randrange(2))
    batch_shape = shape(generator, generator.randint(0, 2), 1, 3) + [dimension_sizes[d] for d in batching]
    where = generator.sample(range(len(batch_shape)), len(batch_shape))
    batch_shape = [batch_shape[i] for i in where]
    positions = [where.index(len(batch_shape) - len(batching) + i) for i in range(len(batching))]
    index_vector_dim = generator.randint(0, len(batch_shape))
    indices_shape = list(batch_shape)
    if len(index_map) != 1 or generator.randrange(2):
        indices_shape.insert(index_vector_dim, len(index_map))
    else:
        index_vector_dim = len(batch_shape)
    kept = [d for d in range(rank) if d not in collapsed and d not in batching]
    total = len(batch_shape) + len(kept)
    offset_dims = sorted(generator.sample(range(total), len(kept)))
    sizes, batch = iter([slice_sizes[d] for d in kept]), iter(batch_shape)
    return Addressing(
        shape=dimension_sizes,
        slice_sizes=slice_sizes,
        removed=collapsed,
        batching=batching,
        index_map=index_map,
        indices_shape=indices_shape,
        indices_batching=[p + (p >= index_vector_dim) for p in positions],
        index_vector_dim=index_vector_dim,
        offset_dims=offset_dims,
        sliced_shape=[next(sizes if d in offset_dims else batch) for d in range(total)],
    )


@dataclass(frozen=True)
class WindowCase:
    """Windows over a tensor of `shape`, with the shape of the result."""

    shape: list[int]
    dimensions: list[int]
    strides: list[int]
    base_dilations: list[int]
    window_dilations: list[int]
    padding: list[tuple[int, int]]
    sizes: list[int]

    @property
    def attributes(self) -> str:
        """The attributes of an op on windows; dilations only if one differs from 1."""
        text = f"window_dimensions = {ints(self.dimensions)}, window_strides = {ints(self.strides)}"
        if any(size != 1 for size in (*self.base_dilations, *self.window_dilations)):
            text += f", base_dilations = {ints(self.base_dilations)}, window_dilations = {ints(self.window_dilations)}"
        return text + (f", {padding_attribute(self.padding)}" if self.shape else "")


def padding_attribute(padding: Sequence[Sequence[int]]) -> str:
    """Return the text of the attribute `padding`."""
    rows = [list(pair) for pair in padding]
    return f"padding = dense<{rows}> : tensor<{len(rows)}x2xi64>"


def windows(
    generator: Random, dimension_sizes: Sequence[int], *, dilated: bool, widest: int = 9, padded: bool = True
) -> WindowCase:
    """Draw windows over a tensor; with `dilated`, dilation and negative padding among them."""
    rank = len(dimension_sizes)
    dimensions, strides = shape(generator, rank, 1, widest), shape(generator, rank, 1, 3)
    base, dilations = [shape(generator, rank, 1, 3) if dilated else [1] * rank for _ in range(2)]
    low, high = -1 if dilated else 0, 8 if padded else 0
    padding = [(generator.randint(low if padded else 0, high), generator.randint(0, high)) for _ in range(rank)]
    sizes: list[int] = []
    for d in range(rank):
        size = (dimension_sizes[d] - 1) * base[d] + 1 if dimension_sizes[d] else 0
        padding[d] = (max(padding[d][0], -size), padding[d][1])
        whole, window = size + sum(padding[d]), (dimensions[d] - 1) * dilations[d] + 1
        sizes.append((whole - window) // strides[d] + 1 if whole and window <= whole else 0)
    return WindowCase(list(dimension_sizes), dimensions, strides, base, dilations, padding, sizes)


@dataclass(frozen=True)
class ConvolutionCase:
    """A convolution: sizes by name (`b`, `f`, `i`, `o` and numbers of spatial dimensions) and layouts."""

    spatial: list[int]
    kernel: list[int]
    strides: list[int]
    lhs_dilation: list[int]
    rhs_dilation: list[int]
    padding: list[list[int]]
    reversal: list[bool]
    groups: int
    batch_groups: int
    layouts: list[list[int | str]]
    sizes: list[dict[int | str, int]]

    def shape(self, which: int) -> list[int]:
        """Return the shape of lhs (0), rhs (1) or the result (2)."""
        return [self.sizes[which][name] for name in self.layouts[which]]

    @property
    def attributes(self) -> str:
        """All attributes except `padding`."""
        names = "x".join(f"[{', '.join(map(str, layout))}]" for layout in self.layouts[:2])
        text = (
            f"window_strides = {ints(self.strides)}, lhs_dilation = {ints(self.lhs_dilation)}, "
            f"rhs_dilation = {ints(self.rhs_dilation)}, "
            f"dimension_numbers = #stablehlo.conv<{names}->[{', '.join(map(str, self.layouts[2]))}]>, "
            f"feature_group_count = {self.groups} : i64, batch_group_count = {self.batch_groups} : i64"
        )
        flags = ", ".join(map(str, self.reversal)).lower()
        return f"{text}, window_reversal = array<i1: {flags}>" if self.reversal else text


GROUPS = ((1, 1), (2, 1), (3, 1), (1, 2))
"""Groups of features and of batches that convolutions are drawn with."""


def convolution(generator: Random, rank: int | None = None, grouping: tuple[int, int] | None = None) -> ConvolutionCase:
    """Draw a convolution of up to two spatial dimensions, and its groups unless they are given."""
    rank = generator.randint(0, 2) if rank is None else rank
    groups, batch_groups = generator.choice(GROUPS) if grouping is None else grouping
    batch, features, outputs = [generator.randint(1, 2) * factor for factor in (batch_groups, groups, groups)]
    outputs *= batch_groups
    spatial, kernel = shape(generator, rank, 1, 5), shape(generator, rank, 1, 3)
    strides, lhs_dilation, rhs_dilation = [shape(generator, rank, 1, 2) for _ in range(3)]
    padding = [[generator.randint(-1, 3), generator.randint(0, 3)] for _ in range(rank)]
    sizes: list[int] = []
    for d in range(rank):
        padded = (spatial[d] - 1) * lhs_dilation[d] + 1 + sum(padding[d])
        window = (kernel[d] - 1) * rhs_dilation[d] + 1
        sizes.append((padded - window) // strides[d] + 1 if padded > 0 and window <= padded else 0)
        padding[d][1] += max(0, 1 - padded)  # a padded dimension must not vanish
        sizes[d] = max(sizes[d], int(padded <= 0 and window == 1))
    layouts: list[list[int | str]] = []
    for letters in ("bf", "io", "bf"):
        names: list[int | str] = [*range(rank), *letters]
        layouts.append(generator.sample(names, len(names)))
    dimension_sizes: list[dict[int | str, int]] = [
        {**dict(enumerate(spatial)), "b": batch, "f": features},
        {**dict(enumerate(kernel)), "i": features // groups, "o": outputs},
        {**dict(enumerate(sizes)), "b": batch // batch_groups, "f": outputs},
    ]
    reversal = [bool(generator.randrange(2)) for _ in range(rank)]
    fields = spatial, kernel, strides, lhs_dilation, rhs_dilation, padding, reversal
    return ConvolutionCase(*fields, groups, batch_groups, layouts, dimension_sizes)


@dataclass(frozen=True)
class Product:
    """A dot_general: shapes of the operands and of the result, and the dimension numbers."""

    lhs: list[int]
    rhs: list[int]
    result: list[int]
    lhs_batching: list[int]
    rhs_batching: list[int]
    lhs_contracting: list[int]
    rhs_contracting: list[int]

    @property
    def attributes(self) -> str:
        """The dimension numbers."""
        return (
            f"dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = {self.lhs_batching}, "
            f"rhs_batching_dimensions = {self.rhs_batching}, lhs_contracting_dimensions = {self.lhs_contracting}, "
            f"rhs_contracting_dimensions = {self.rhs_contracting}>"
        )


def product(generator: Random, smallest: int = 0, largest: int = 3) -> Product:
    """Draw a dot_general with dimensions in any order."""
    batch, rows, columns, contracted = [shape(generator, generator.randint(0, 2), smallest, largest) for _ in range(4)]

    def arranged(free: list[int]) -> tuple[list[int], list[int], list[int], list[int]]:
        sizes = batch + free + contracted
        order = generator.sample(range(len(sizes)), len(sizes))
        position = [order.index(i) for i in range(len(sizes))]
        operand = [sizes[i] for i in order]
        kept = sorted(position[len(batch) : len(batch) + len(free)])
        return operand, [operand[d] for d in kept], position[: len(batch)], position[len(batch) + len(free) :]

    lhs, lhs_free, lhs_batching, lhs_contracting = arranged(rows)
    rhs, rhs_free, rhs_batching, rhs_contracting = arranged(columns)
    result = batch + lhs_free + rhs_free
    return Product(lhs, rhs, result, lhs_batching, rhs_batching, lhs_contracting, rhs_contracting)


def padded_size(size: int, low: int, high: int, interior: int) -> int:
    """Return the size of a dimension after `pad`."""
    return low + high + size + max(size - 1, 0) * interior


def pad_widths(generator: Random, sizes: Sequence[int]) -> tuple[list[int], list[int], list[int]]:
    """Draw low, high (negative ones among them) and interior padding that leaves no negative size."""
    rank = len(sizes)
    interior = shape(generator, rank, 0, 2)
    low, high = [[generator.randint(-3, 3) for _ in range(rank)] for _ in range(2)]
    for d in range(rank):
        high[d] = max(high[d], -low[d] - padded_size(sizes[d], 0, 0, interior[d]))
    return low, high, interior
