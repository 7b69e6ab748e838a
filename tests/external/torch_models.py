"""Forty modules of PyTorch that are put together like models, for `torch_modules.py`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional
from torch_cases import Case, Function, floats, integers

MODELS: list[Case] = []


def model(draw: Callable[[], tuple[Tensor, ...]], dynamic: Any = None) -> Callable[[Callable[[], nn.Module]], Any]:
    """Add a model, made by the function that this decorates."""

    def add(make: Callable[[], nn.Module]) -> Callable[[], nn.Module]:
        MODELS.append(Case(make.__name__, make, draw, dynamic))
        return make

    return add


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
