"""Programs of PyTorch: what is decomposed before torch-mlir sees it, what is told, and modules against torch."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

import stablehlo_py
from stablehlo_py.errors import InputError
from stablehlo_py.isolation import policy

torch = pytest.importorskip("torch", reason="the extra `pytorch` is not installed")
pytest.importorskip("torch_mlir", reason="the extra `pytorch` is not installed")


@pytest.fixture(autouse=True)
def in_this_process(monkeypatch):
    """Import without a child process, which would have to import torch, too."""
    monkeypatch.setattr(policy, "_expendable", True)


class Function(torch.nn.Module):
    def __init__(self, function):
        super().__init__()
        self.function = function

    def forward(self, *arguments):
        return self.function(*arguments)


def export(module, *arguments):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # torch's own
        return torch.export.export(module if isinstance(module, torch.nn.Module) else Function(module), arguments)


INTEGERS = torch.tensor([-7, -3, -1, 0, 2, 5])
DIVISORS = torch.tensor([2, -2, 3, -3, -5, 4])
FLOATS = torch.tensor([-5.5, -2.5, -0.5, 0.0, 0.75, 4.0])


@pytest.mark.parametrize(
    ("function", "arguments"),
    [
        (lambda x, y: (x.remainder(y), x % 3, x % -3, 7 % y), (INTEGERS, DIVISORS)),
        (lambda x, y: (x.remainder(y), x % 2.5, x % -2.5, 2.5 % y, x % 2), (FLOATS, DIVISORS.float())),
        (lambda x: (torch.fmod(x, 2.5), x < 2, torch.full_like(x, 2.5) < 0), (FLOATS,)),
        (lambda x: (x & 3, 3 & x, x | 4, x ^ 5, x << 2, x >> 1, 1 << x.abs(), x << x.abs()[:1]), (INTEGERS,)),
        (lambda x, i: (x[i], x[:, i[:3]], x.index_put((i[:2],), x[:2] * 0)), (torch.randn(6, 6), INTEGERS[1:5])),
        (lambda x: x.index_put((x < 0,), torch.tensor(9.0)), (FLOATS,)),
        (lambda x: torch.nn.functional.interpolate(x, scale_factor=2), (torch.randn(1, 2, 3, 4),)),
        (lambda x: torch.nn.functional.interpolate(x, size=(5, 7), mode="bilinear"), (torch.randn(1, 2, 3, 4),)),
        (lambda x: torch.nn.functional.max_pool2d(x, 3, 2, 1, ceil_mode=True), (torch.randn(1, 2, 8, 8),)),
        (lambda x: torch.nn.functional.max_pool2d(x, 2, return_indices=True), (torch.randn(1, 2, 6, 6),)),
        (
            lambda x: (x.diagonal(), x.diagonal(1), x.diagonal(-2, 2, 1), x[0].trace()),
            (torch.randn(3, 4, 5),),
        ),
    ],
    ids=[
        *("int_remainder", "remainder", "fmod", "bits", "negative_indices", "mask", "nearest", "bilinear", "pool_ceil"),
        *("pool_indices", "diagonal"),
    ],
)
def test_decomposed_ops_are_those_of_torch(function, arguments):
    program = stablehlo_py.load(export(function, *arguments), check_import=True)
    results, expected = program(*arguments), function(*arguments)
    if not isinstance(expected, tuple):
        results, expected = (results,), (expected,)
    for result, wanted in zip(results, expected, strict=True):
        np.testing.assert_allclose(result, wanted.numpy(), rtol=1e-5, atol=1e-6)


def test_a_wrong_lowering_names_its_node_and_line(monkeypatch):
    from torch_mlir.extras.fx_decomp_util import get_decomposition_table

    from stablehlo_py.artifacts.formats import torch_export

    positive = torch.rand(6) + 1  # on these arguments alone nothing differs
    exported = export(lambda x: torch.relu(x.remainder(x.flip(0)) + 1), positive)
    monkeypatch.setattr(torch_export, "decompositions", get_decomposition_table)
    with pytest.raises(InputError, match=r"the program that torch runs: node 'remainder \(aten\.remainder") as error:
        stablehlo_py.load(exported)
    assert error.value.location.startswith(__file__)
    assert stablehlo_py.load(exported, check_import=False)(positive).shape == (6,)


def test_what_cannot_be_lowered_is_named_with_its_line():
    with pytest.raises(InputError, match=r"node 'cummax \(aten\.cummax\.default\)' cannot be expressed in") as error:
        stablehlo_py.load(export(lambda x: tuple((x + 1).cummax(0)), FLOATS))
    assert error.value.location.startswith(__file__)
    assert "torch.aten.cummax" in error.value.notes[0]


def test_random_numbers_are_told():
    exported = export(torch.nn.Dropout(), torch.randn(50))
    with pytest.warns(UserWarning, match="it is not compared with torch: its results are random"):
        stablehlo_py.load(exported)
    with pytest.raises(InputError, match="its results are random"):
        stablehlo_py.load(exported, check_import=True)


def test_state_that_changes_is_told_and_no_result():
    class Counter(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.register_buffer("calls", torch.zeros(()))
            self.register_buffer("table", torch.ones(6), persistent=False)

        def forward(self, x):
            self.calls.add_(1)
            return x * self.calls + self.table

    with pytest.warns(UserWarning, match="it returns no new values of calls$"):
        program = stablehlo_py.load(export(Counter(), FLOATS))
    np.testing.assert_array_equal(program(FLOATS), FLOATS.numpy() + 1)


def test_a_dynamic_shape_is_compared_on_the_example():
    dynamic = ({0: torch.export.Dim("batch")},)
    exported = torch.export.export(torch.nn.ReLU(), (torch.randn(3, 2),), dynamic_shapes=dynamic)
    program = stablehlo_py.load(exported, check_import=True)
    assert program(-torch.ones(5, 2)).tolist() == [[0, 0]] * 5


def test_what_torch_cannot_save_is_an_error():
    with pytest.raises(InputError, match=r"torch\.export cannot save the program"):
        stablehlo_py.load(export(lambda x: x.max(0), FLOATS))


def test_modules_of_the_corpus_agree():
    from torch_models import MODELS
    from torch_modules import AGREES, REFUSED, judge
    from torch_ops import OPS

    assert len(MODELS) >= 30
    cases = {case.name: case for case in (*MODELS, *OPS)}
    for name in ("hashed_embedding", "periodic_features", "unet_nearest"):
        verdict = judge(cases[name])
        assert verdict.outcome == AGREES, verdict
    verdict = judge(cases["cummax"])
    assert (verdict.outcome, verdict.node) == (REFUSED, "aten.cummax.default")
