"""Modules of single ops of PyTorch, for `torch_modules.py`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor
from torch.nn import functional
from torch_cases import Case, Function, floats, integers

OPS: list[Case] = []


def ops(draw: Callable[[], tuple[Tensor, ...]], **functions: Callable[..., Any]) -> None:
    """Add a module for each function, all with these arguments."""
    for name, function in functions.items():
        OPS.append(Case(name, lambda function=function: Function(function), draw))


def _elementwise(*names: str) -> dict[str, Callable[..., Any]]:
    return {name: getattr(torch, name) for name in names}


ops(
    lambda: (torch.randn(12) * 3,),
    **_elementwise(
        *("abs", "neg", "sign", "sgn", "floor", "ceil", "trunc", "round", "frac", "sqrt", "rsqrt", "reciprocal"),
        *("exp", "exp2", "expm1", "log", "log2", "log10", "log1p", "sin", "cos", "tan", "sinh", "cosh", "tanh"),
        *("asin", "acos", "atan", "asinh", "acosh", "atanh", "erf", "erfc", "erfinv", "lgamma", "digamma", "sigmoid"),
        *("square", "isnan", "isinf", "isfinite", "signbit", "nan_to_num", "deg2rad", "logit", "sinc", "i0", "relu"),
    ),
    round_to_decimals=lambda x: x.round(decimals=1),
    clamp=lambda x: x.clamp(-1, 0.5),
    **{
        name: getattr(functional, name)
        for name in (
            *("gelu", "silu", "mish", "elu", "selu", "celu", "softplus", "leaky_relu", "softsign", "hardtanh", "relu6"),
            *("hardswish", "hardsigmoid", "logsigmoid", "tanhshrink", "softshrink", "hardshrink"),
        )
    },
    fake_quantize=lambda x: torch.fake_quantize_per_tensor_affine(x, 0.1, 3, -8, 7),
    remainder_scalar=lambda x: torch.remainder(x, 2.5),
    remainder_negative_scalar=lambda x: torch.remainder(x, -2.5),
    remainder_of_scalar=lambda x: torch.remainder(2.5, x),
    fmod_scalar=lambda x: torch.fmod(x, 2.5),
    floor_divide_scalar=lambda x: torch.floor_divide(x, 2.5),
    pow_scalar=lambda x: x.pow(-1.5),
    pow_of_scalar=lambda x: 2.0**x,
    to_int=lambda x: x.to(torch.int32),
    to_bool=lambda x: x.to(torch.bool),
)
ops(
    lambda: (torch.randn(8) * 5, torch.randn(8) * 3),
    **_elementwise(
        *("remainder", "fmod", "floor_divide", "atan2", "hypot", "maximum", "minimum", "fmax", "fmin", "copysign"),
        *("logaddexp", "logaddexp2", "heaviside", "xlogy", "true_divide", "rsub", "dist", "dot", "outer", "kron"),
        *("nextafter", "ldexp", "float_power"),
    ),
    lerp=lambda x, y: torch.lerp(x, y, 0.3),
    addcmul=lambda x, y: torch.addcmul(x, x, y, value=2),
    addcdiv=lambda x, y: torch.addcdiv(x, x, y, value=2),
    truncated_division=lambda x, y: torch.div(x, y, rounding_mode="trunc"),
    complex_product=lambda x, y: (torch.complex(x, y) * torch.complex(y, x)).real,
    polar=lambda x, y: torch.polar(x, y).real,
    angle=lambda x, y: torch.complex(x, y).angle(),
    cosine_similarity=lambda x, y: functional.cosine_similarity(x, y, dim=0),
    meshgrid=lambda x, y: torch.meshgrid(x, y, indexing="ij"),
)
_DIVISORS = torch.tensor([1, 2, 3, -1, -2, -3, 4, 5])
ops(
    lambda: (integers(-9, 9, 8),),
    integer_remainder=lambda x: x % 3,
    integer_remainder_negative=lambda x: x % -3,
    integer_fmod=lambda x: torch.fmod(x, 3),
    integer_floor_division=lambda x: x // 3,
    integer_remainder_tensor=lambda x: x.remainder(_DIVISORS),
    integer_floor_division_tensor=lambda x: x // _DIVISORS,
    bitwise_and=lambda x: (x & 3, 3 & x),
    bitwise_or=lambda x: x | 4,
    bitwise_xor=lambda x: x ^ 5,
    bitwise_not=lambda x: ~x,
    bitwise_tensors=lambda x: (x & x.flip(0), x | x.flip(0), x ^ x.flip(0)),
    left_shift=lambda x: x << 2,
    right_shift=lambda x: x >> 1,
    shift_of_scalar=lambda x: 1 << x.abs(),
    shift_tensors=lambda x: (x << x.abs(), x >> x.abs()[:1]),
    integer_pow=lambda x: x.pow(3),
    bincount=lambda x: torch.bincount(x.abs(), minlength=10),
    unique=lambda x: x.unique(),
    gcd=lambda x: torch.gcd(x, torch.tensor(6)),
    one_hot=lambda x: functional.one_hot(x.abs(), 10),
)
ops(
    floats(3, 5),
    **_elementwise(
        *(
            "sum",
            "mean",
            "prod",
            "amax",
            "amin",
            "argmax",
            "argmin",
            "std",
            "var",
            "norm",
            "median",
            "logdet",
            "aminmax",
        ),
        *(
            "count_nonzero",
            "nansum",
            "tril",
            "triu",
            "diagonal",
            "diag_embed",
            "flatten",
            "t",
            "fliplr",
            "rot90",
            "det",
        ),
        *("nonzero", "trace", "histc", "std_mean", "corrcoef", "cov"),
    ),
    softmax=lambda x: x.softmax(-1),
    log_softmax=lambda x: x.log_softmax(0),
    logsumexp=lambda x: x.logsumexp(1),
    cumsum=lambda x: x.cumsum(0),
    cumprod=lambda x: x.cumprod(1),
    cummax=lambda x: tuple(x.cummax(0)),
    logcumsumexp=lambda x: x.logcumsumexp(0),
    max_with_index=lambda x: tuple(x.max(1)),
    min_with_index=lambda x: tuple(x.min(0)),
    topk=lambda x: tuple(x.topk(2)),
    kthvalue=lambda x: tuple(x.kthvalue(2)),
    mode=lambda x: tuple(x.round().mode(1)),
    median_with_index=lambda x: tuple(x.median(1)),
    sort=lambda x: tuple(x.sort(dim=-1, descending=True)),
    argsort=lambda x: x.argsort(1),
    quantile=lambda x: x.quantile(0.3, dim=1),
    norm_3=lambda x: x.norm(3.0, dim=1),
    all_any=lambda x: ((x > 0).all(1), (x > 0).any()),
    roll=lambda x: x.roll((1, -2), (0, 1)),
    flip=lambda x: x.flip(0, 1),
    unfold=lambda x: x.unfold(1, 2, 1),
    as_strided=lambda x: x.as_strided((2, 2), (1, 2)),
    repeat=lambda x: (x.repeat(2, 2), x.repeat_interleave(2, 0), x.tile(2)),
    split=lambda x: (*x.split(2, 1), *x.unbind(0), x[::2], x[:, 1:-1], x[..., None]),
    stack=lambda x: (torch.stack([x, x]), torch.hstack([x, x]), torch.vstack([x, x])),
    diff=lambda x: x.diff(dim=1),
    renorm=lambda x: x.renorm(2, 0, 1.0),
    glu=lambda x: functional.glu(x[:, :4]),
    normalize=lambda x: functional.normalize(x),
    cdist=lambda x: torch.cdist(x, x + 1),
    pdist=lambda x: functional.pdist(x),
    pinverse=lambda x: torch.linalg.pinv(x),
    qr=lambda x: tuple(torch.linalg.qr(x)),
    svd=lambda x: torch.linalg.svdvals(x),
    bucketize=lambda x: torch.bucketize(x, torch.tensor([-1.0, 0.0, 1.0])),
    searchsorted=lambda x: torch.searchsorted(torch.tensor([-1.0, 0.0, 1.0]), x),
    where=lambda x: torch.where(x < 0, x, 2 * x),
    compare_with_integer=lambda x: (torch.full_like(x, 2.5) < 0, x > 1, x.round() != 1),
    masked_fill=lambda x: x.masked_fill(x > 0, -1.0),
    masked_select=lambda x: x.masked_select(x > 0),
    index_fill=lambda x: x.index_fill(0, torch.tensor([1]), 9.0),
    slice_scatter=lambda x: (x.slice_scatter(x[:1] * 3, 0, 1, 2), x.select_scatter(x[0] * 2, 0, 1)),
    put_at_mask=lambda x: x.index_put((x < 0,), torch.tensor(0.0)),
    random=lambda x: x + torch.rand_like(x),
    einsum=lambda x: torch.einsum("ij,kj->ik", x, x),
    addmv=lambda x: torch.addmv(x[:, 0], x, x[0]),
    baddbmm=lambda x: torch.baddbmm(x[None], x[None, :, :3], x[None]),
    fft=lambda x: torch.fft.fft(x).abs(),
    rfft=lambda x: torch.view_as_real(torch.fft.rfft(x)),
)
ops(
    lambda: (torch.randn(3, 5), integers(0, 3, 2, 5), torch.randn(2, 5)),
    gather=lambda x, i, s: x.gather(0, i),
    scatter=lambda x, i, s: x.scatter(0, i[:1], s),
    scatter_add=lambda x, i, s: x.scatter_add(0, i, s),
    scatter_reduce_amax=lambda x, i, s: x.scatter_reduce(0, i, s, "amax"),
    index_select=lambda x, i, s: x.index_select(0, i[0]),
    index_add=lambda x, i, s: x.index_add(0, i[:, 0], s),
    index_put_accumulate=lambda x, i, s: x.index_put((i[:, 0],), s, accumulate=True),
    take=lambda x, i, s: x.take(i),
    take_along_dim=lambda x, i, s: x.take_along_dim(i, 0),
    embedding_bag=lambda x, i, s: functional.embedding_bag(i, x),
    negative_index=lambda x, i, s: x[-1 - i[0]],
)


def _resize(**how: Any) -> Callable[[Tensor], Tensor]:
    return lambda x: functional.interpolate(x, **how)


ops(
    floats(1, 4, 6, 8),
    **{
        f"interpolate_{mode.replace('-', '_')}_{'factor' if 'scale_factor' in how else 'size'}": _resize(
            mode=mode, **how
        )
        for mode in ("nearest", "nearest-exact", "bilinear", "bicubic", "area")
        for how in ({"scale_factor": 2}, {"size": (5, 7)})
    },
    bilinear_with_corners=_resize(mode="bilinear", size=(5, 7), align_corners=True),
    bilinear_with_antialias=_resize(mode="bilinear", size=(3, 4), antialias=True),
    max_pool=lambda x: functional.max_pool2d(x, 2),
    max_pool_ceil=lambda x: functional.max_pool2d(x, 3, 2, 1, ceil_mode=True),
    max_pool_dilated=lambda x: functional.max_pool2d(x, 2, 1, dilation=2),
    max_pool_indices=lambda x: functional.max_pool2d(x, 2, return_indices=True),
    avg_pool=lambda x: functional.avg_pool2d(x, 3, 2, 1),
    avg_pool_without_pad=lambda x: functional.avg_pool2d(x, 3, 2, 1, count_include_pad=False),
    avg_pool_ceil=lambda x: functional.avg_pool2d(x, 3, 2, 1, ceil_mode=True),
    lp_pool=lambda x: functional.lp_pool2d(x, 2, 2),
    adaptive_avg_pool=lambda x: functional.adaptive_avg_pool2d(x, (4, 3)),
    adaptive_max_pool=lambda x: functional.adaptive_max_pool2d(x, (4, 3)),
    pad_constant=lambda x: functional.pad(x, (1, -1, 2, 0), value=3.0),
    pad_reflect=lambda x: functional.pad(x, (1, 2, 1, 1), mode="reflect"),
    pad_replicate=lambda x: functional.pad(x, (1, 2, 1, 1), mode="replicate"),
    pad_circular=lambda x: functional.pad(x, (1, 2, 1, 1), mode="circular"),
    pixel_shuffle=lambda x: functional.pixel_shuffle(x, 2),
    pixel_unshuffle=lambda x: functional.pixel_unshuffle(x, 2),
    channel_shuffle=lambda x: functional.channel_shuffle(x, 2),
    im2col=lambda x: functional.unfold(x, 2),
    batch_norm=lambda x: functional.batch_norm(x, None, None, training=True),
    local_response_norm=lambda x: functional.local_response_norm(x, 2),
    conv_same=lambda x: functional.conv2d(x, torch.ones(3, 4, 2, 2), padding="same"),
    conv_grouped=lambda x: functional.conv2d(x, torch.ones(4, 2, 2, 2), groups=2, stride=2),
    conv_transposed=lambda x: functional.conv_transpose2d(x, torch.ones(4, 2, 3, 3), stride=2, output_padding=1),
    conv_transposed_grouped=lambda x: functional.conv_transpose2d(x, torch.ones(4, 2, 3, 3), groups=2, padding=1),
    grid_sample_nearest=lambda x: functional.grid_sample(x, x[:, :2].permute(0, 2, 3, 1), mode="nearest"),
    grid_sample_border=lambda x: functional.grid_sample(
        x, x[:, :2].permute(0, 2, 3, 1), padding_mode="border", align_corners=True
    ),
)
