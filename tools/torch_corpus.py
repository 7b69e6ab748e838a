"""Modules of PyTorch for `torch_modules.py`: forty that are put together like models, and small ones of single ops.

Needs torch. Arguments have values of both signs, and are drawn from a seed.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional


@dataclass(frozen=True)
class Case:
    """A module by name, with arguments; `make` and `draw` are called after seeding torch."""

    name: str
    make: Callable[[], nn.Module]
    draw: Callable[[], tuple[Tensor, ...]]
    dynamic: Any = None


MODELS: list[Case] = []
OPS: list[Case] = []


def model(draw: Callable[[], tuple[Tensor, ...]], dynamic: Any = None) -> Callable[[Callable[[], nn.Module]], Any]:
    """Add a model, made by the function that this decorates."""

    def add(make: Callable[[], nn.Module]) -> Callable[[], nn.Module]:
        MODELS.append(Case(make.__name__, make, draw, dynamic))
        return make

    return add


class Function(nn.Module):
    """A function as a module."""

    def __init__(self, function: Callable[..., Any]) -> None:
        super().__init__()
        self.function = function

    def forward(self, *arguments: Tensor) -> Any:
        """Call the function."""
        return self.function(*arguments)


def floats(*shape: int, scale: float = 1.0) -> Callable[[], tuple[Tensor, ...]]:
    """Draw one array of normal numbers."""
    return lambda: (scale * torch.randn(*shape),)


def integers(low: int, high: int, *shape: int) -> Tensor:
    """Draw integers, `high` not among them."""
    return torch.randint(low, high, shape)


# Models ---------------------------------------------------------------------------------------------------------------


@model(floats(4, 3))
def perceptron() -> nn.Module:
    return nn.Sequential(nn.Linear(3, 8), nn.GELU(), nn.Linear(8, 8), nn.Tanh(), nn.Linear(8, 2), nn.Softmax(-1))


@model(floats(2, 3, 8, 8))
def small_cnn() -> nn.Module:
    return nn.Sequential(
        *(nn.Conv2d(3, 6, 3, padding=1), nn.BatchNorm2d(6), nn.ReLU(), nn.MaxPool2d(2)),
        *(nn.Conv2d(6, 8, 3), nn.SiLU(), nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(8, 5)),
    ).eval()


@model(floats(2, 3, 7, 7))
def cnn_that_trains() -> nn.Module:
    return nn.Sequential(nn.Conv2d(3, 4, 3), nn.BatchNorm2d(4), nn.ReLU())


@model(floats(1, 3, 9, 9))
def pooling_with_ceil() -> nn.Module:
    return nn.Sequential(nn.Conv2d(3, 4, 2), nn.MaxPool2d(3, 2, 1, ceil_mode=True), nn.AvgPool2d(2))


class Residual(nn.Module):
    """A residual block with a strided shortcut."""

    def __init__(self) -> None:
        super().__init__()
        self.first, self.second = nn.Conv2d(4, 8, 3, 2, 1), nn.Conv2d(8, 8, 3, 1, 1)
        self.shortcut, self.norm = nn.Conv2d(4, 8, 1, 2), nn.GroupNorm(2, 8)

    def forward(self, x: Tensor) -> Tensor:
        return torch.relu(self.norm(self.second(torch.relu(self.first(x)))) + self.shortcut(x))


@model(floats(1, 4, 8, 8))
def residual_block() -> nn.Module:
    return Residual()


@model(floats(1, 4, 9, 9))
def separable_convolution() -> nn.Module:
    return nn.Sequential(nn.Conv2d(4, 4, 3, groups=4, dilation=2), nn.Conv2d(4, 6, 1), nn.Hardswish())


class UNet(nn.Module):
    """One level down and up again, by interpolation or by a transposed convolution."""

    def __init__(self, mode: str) -> None:
        super().__init__()
        self.down, self.inner, self.out = nn.Conv2d(2, 4, 3, 2, 1), nn.Conv2d(4, 4, 3, 1, 1), nn.Conv2d(6, 1, 1)
        corners = None if mode.startswith("nearest") else False
        self.up: nn.Module = nn.ConvTranspose2d(4, 4, 2, 2)
        if mode:
            self.up = nn.Upsample(scale_factor=2, mode=mode, align_corners=corners)

    def forward(self, x: Tensor) -> Tensor:
        inner = torch.relu(self.inner(torch.relu(self.down(x))))
        return self.out(torch.cat([x, self.up(inner)], 1))


@model(floats(1, 2, 6, 8))
def unet_nearest() -> nn.Module:
    return UNet("nearest")


@model(floats(1, 2, 6, 8))
def unet_bilinear() -> nn.Module:
    return UNet("bilinear")


@model(floats(1, 2, 6, 8))
def unet_bicubic() -> nn.Module:
    return UNet("bicubic")


@model(floats(1, 2, 6, 8))
def unet_transposed() -> nn.Module:
    return UNet("")


class Recurrent(nn.Module):
    """The outputs of a recurrent layer."""

    def __init__(self, layer: nn.Module) -> None:
        super().__init__()
        self.layer = layer

    def forward(self, x: Tensor) -> Tensor:
        return self.layer(x)[0]


@model(floats(2, 5, 4))
def lstm() -> nn.Module:
    return Recurrent(nn.LSTM(4, 5, num_layers=2, batch_first=True))


@model(floats(2, 5, 4))
def gru_both_ways() -> nn.Module:
    return Recurrent(nn.GRU(4, 3, batch_first=True, bidirectional=True))


@model(floats(2, 5, 8))
def attention_encoder() -> nn.Module:
    return nn.TransformerEncoderLayer(8, 2, 16, batch_first=True).eval()


@model(lambda: (torch.randn(2, 5, 8), torch.randn(2, 3, 8)))
def attention_decoder() -> nn.Module:
    return nn.TransformerDecoderLayer(8, 2, 16, batch_first=True, norm_first=True).eval()


class CausalAttention(nn.Module):
    """Self-attention with a causal mask, written out."""

    def __init__(self) -> None:
        super().__init__()
        self.qkv, self.out = nn.Linear(8, 24), nn.Linear(8, 8)

    def forward(self, x: Tensor) -> Tensor:
        q, k, v = (part.unflatten(-1, (2, 4)).transpose(1, 2) for part in self.qkv(x).chunk(3, -1))
        scores = q @ k.transpose(-1, -2) / 2
        mask = torch.ones(x.shape[1], x.shape[1], dtype=torch.bool).triu(1)
        mixed = scores.masked_fill(mask, float("-inf")).softmax(-1) @ v
        return self.out(mixed.transpose(1, 2).flatten(2))


@model(floats(2, 6, 8))
def causal_attention() -> nn.Module:
    return CausalAttention()


class Rotary(nn.Module):
    """Rotary positions by halves, with tables in buffers that are not saved."""

    def __init__(self) -> None:
        super().__init__()
        angles = torch.arange(5.0)[:, None] * torch.tensor([1.0, 0.1])
        self.register_buffer("cos", angles.cos().repeat(1, 2), persistent=False)
        self.register_buffer("sin", angles.sin().repeat(1, 2), persistent=False)

    def forward(self, x: Tensor) -> Tensor:
        left, right = x.chunk(2, -1)
        return x * self.cos + torch.cat([-right, left], -1) * self.sin


@model(floats(2, 5, 4))
def rotary_by_halves() -> nn.Module:
    return Rotary()


@model(floats(2, 5, 4))
def rotary_by_complex_numbers() -> nn.Module:
    def rotate(x: Tensor) -> Tensor:
        angles = torch.arange(5.0)[:, None] * torch.tensor([1.0, 0.1])
        pairs = torch.view_as_complex(x.unflatten(-1, (2, 2)))
        return torch.view_as_real(pairs * torch.polar(torch.ones_like(angles), angles)).flatten(2)

    return Function(rotate)


class Decoder(nn.Module):
    """Tokens to logits: embeddings, root mean square norms, a gated layer, weights shared with the output."""

    def __init__(self) -> None:
        super().__init__()
        self.embedding, self.norm = nn.Embedding(11, 8), nn.RMSNorm(8)
        self.gate, self.up, self.down = (nn.Linear(a, b, bias=False) for a, b in ((8, 12), (8, 12), (12, 8)))

    def forward(self, tokens: Tensor) -> Tensor:
        x = self.embedding(tokens)
        h = self.norm(x)
        x = x + functional.scaled_dot_product_attention(h, h, h, is_causal=True)
        h = self.norm(x)
        x = x + self.down(functional.silu(self.gate(h)) * self.up(h))
        return x @ self.embedding.weight.T


@model(lambda: (integers(0, 11, 2, 6),))
def language_model() -> nn.Module:
    return Decoder()


class HashedEmbedding(nn.Module):
    """An embedding of hashed numbers: shifts, exclusive or, remainder."""

    def __init__(self) -> None:
        super().__init__()
        self.table = nn.Embedding(7, 3)

    def forward(self, ids: Tensor) -> Tensor:
        mixed = (ids ^ (ids >> 2)) * 31 + (ids << 1 & 12 | 1)
        return self.table(mixed % 7)


@model(lambda: (integers(-50, 50, 8),))
def hashed_embedding() -> nn.Module:
    return HashedEmbedding()


@model(floats(3, 8, scale=4))
def periodic_features() -> nn.Module:
    return Function(lambda x: torch.cat([torch.remainder(x, 2.5), x % -1.5, torch.fmod(x, 2.0), x // 1.5], -1))


class Autoencoder(nn.Module):
    """A variational autoencoder without its noise."""

    def __init__(self) -> None:
        super().__init__()
        self.encode, self.decode = nn.Linear(6, 4), nn.Linear(2, 6)

    def forward(self, x: Tensor) -> tuple[Tensor, Tensor]:
        mean, log_variance = self.encode(x).chunk(2, -1)
        divergence = -0.5 * (1 + log_variance - mean.pow(2) - log_variance.exp()).sum(-1).mean()
        return torch.sigmoid(self.decode(mean)), divergence


@model(floats(3, 6))
def autoencoder() -> nn.Module:
    return Autoencoder()


@model(lambda: (torch.randn(5, 4), torch.randn(5, 4)))
def contrastive_loss() -> nn.Module:
    def loss(a: Tensor, b: Tensor) -> Tensor:
        scores = functional.normalize(a, dim=1) @ functional.normalize(b, dim=1).T
        return functional.cross_entropy(scores / 0.1, torch.arange(5))

    return Function(loss)


@model(lambda: (torch.randn(4, 5), integers(0, 5, 4)))
def classification_losses() -> nn.Module:
    def losses(x: Tensor, label: Tensor) -> tuple[Tensor, ...]:
        target = functional.one_hot(label, 5).float()
        return (
            functional.cross_entropy(x, label, label_smoothing=0.1),
            functional.nll_loss(x.log_softmax(1), label),
            functional.binary_cross_entropy_with_logits(x, target),
            functional.kl_div(x.log_softmax(1), target.softmax(1), reduction="batchmean"),
            functional.smooth_l1_loss(x, target),
        )

    return Function(losses)


class Mixture(nn.Module):
    """A mixture of experts with the best two of four."""

    def __init__(self) -> None:
        super().__init__()
        self.router, self.experts = nn.Linear(6, 4), nn.Parameter(torch.randn(4, 6, 6))

    def forward(self, x: Tensor) -> Tensor:
        weights, chosen = self.router(x).softmax(-1).topk(2)
        outputs = torch.einsum("bi,eij->bej", x, self.experts)
        picked = outputs.gather(1, chosen[..., None].expand(-1, -1, 6))
        return (weights[..., None] * picked).sum(1)


@model(floats(3, 6))
def mixture_of_experts() -> nn.Module:
    return Mixture()


class GraphLayer(nn.Module):
    """Messages along the edges of a graph, summed where they arrive."""

    def __init__(self) -> None:
        super().__init__()
        self.message = nn.Linear(3, 3)

    def forward(self, nodes: Tensor, edges: Tensor) -> Tensor:
        messages = torch.relu(self.message(nodes[edges[0]]))
        return nodes + torch.zeros_like(nodes).index_add(0, edges[1], messages)


@model(lambda: (torch.randn(5, 3), integers(0, 5, 2, 7)))
def graph_layer() -> nn.Module:
    return GraphLayer()


@model(lambda: (torch.randn(6, 3), integers(-6, 6, 4)))
def indices_from_the_end() -> nn.Module:
    return Function(lambda x, i: (x[i], x.index_put((i[:1],), torch.zeros(1, 3)), x[:, [-1, 0]]))


@model(floats(2, 3, 5, 5))
def spatial_transformer() -> nn.Module:
    def warp(x: Tensor) -> Tensor:
        turn = torch.tensor([[[0.8, -0.3, 0.1], [0.3, 0.9, 0.0]]]).expand(2, -1, -1)
        grid = functional.affine_grid(turn, [2, 3, 4, 4], align_corners=False)
        return functional.grid_sample(x, grid, align_corners=False)

    return Function(warp)


@model(floats(1, 4, 6, 6))
def patches() -> nn.Module:
    return Function(lambda x: (functional.unfold(x, 2, stride=2), functional.pixel_shuffle(x, 2), x.unfold(2, 3, 3)))


@model(floats(2, 3, 6))
def norms() -> nn.Module:
    return nn.Sequential(nn.LayerNorm(6), nn.InstanceNorm1d(3), nn.GroupNorm(3, 3), nn.LocalResponseNorm(2))


@model(floats(2, 9))
def state_space() -> nn.Module:
    def scan(x: Tensor) -> Tensor:
        state, outputs = torch.zeros(2), []
        for column in x.unbind(1):
            state = 0.9 * state + column
            outputs.append(torch.tanh(state))
        return torch.stack(outputs, 1)

    return Function(scan)


@model(lambda: (torch.randn(4, 3).bfloat16(),))
def half_precision() -> nn.Module:
    return nn.Sequential(nn.Linear(3, 8), nn.ReLU(), nn.LayerNorm(8), nn.Linear(8, 2)).bfloat16()


@model(lambda: (torch.randn(4, 3).double(),))
def double_precision() -> nn.Module:
    return nn.Sequential(nn.Linear(3, 8), nn.Softplus(), nn.Linear(8, 2)).double()


@model(lambda: (integers(-100, 100, 3, 8).to(torch.int8), integers(-100, 100, 4, 8).to(torch.int8)))
def quantized_product() -> nn.Module:
    def product(a: Tensor, b: Tensor) -> Tensor:
        total = a.int() @ b.int().T
        return torch.clamp(torch.round(total.float() * 0.003), -128, 127).to(torch.int8)

    return Function(product)


class Counter(nn.Module):
    """A module that counts its calls."""

    def __init__(self) -> None:
        super().__init__()
        self.register_buffer("calls", torch.zeros(()))

    def forward(self, x: Tensor) -> Tensor:
        self.calls.add_(1)
        return x * self.calls


@model(floats(3))
def counter() -> nn.Module:
    return Counter()


@model(floats(3, 4))
def dropout_that_trains() -> nn.Module:
    return nn.Dropout(0.5)


@model(floats(3, 4), ({0: torch.export.Dim("batch")},))
def any_batch() -> nn.Module:
    return nn.Sequential(nn.Linear(4, 3), nn.ReLU(), Function(lambda x: x.remainder(0.7)))


@model(floats(3, 4, scale=3))
def masked_assignment() -> nn.Module:
    def assign(x: Tensor) -> Tensor:
        y = x.clone()
        y[1] = 5.0
        y[:, 2] += 1
        y[y < 0] = 0.5
        return y

    return Function(assign)


@model(floats(4, 4))
def spectral_layer() -> nn.Module:
    return Function(lambda x: torch.fft.irfft(torch.fft.rfft(x) * 0.5, n=4))


@model(floats(3, 3))
def least_squares() -> nn.Module:
    return Function(lambda x: torch.linalg.solve(x @ x.T + torch.eye(3), x))


# Ops ------------------------------------------------------------------------------------------------------------------


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
