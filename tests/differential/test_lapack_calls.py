"""The calls of LAPACK that JAX emits agree with jaxlib's own kernels, run by XLA for CPUs."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from samples import chequered
from speeds import later
from xla import compiled

import stablehlo_py
from stablehlo_py.interpreter.custom_calls.lookup import targets

pytest.importorskip("scipy", reason="the linear algebra of custom calls needs scipy (stablehlo-py[scipy])")

TYPES = {"s": ("f32", np.float32), "d": ("f64", np.float64), "c": ("complex<f32>", np.complex64)}
TYPES["z"] = ("complex<f64>", np.complex128)
REAL = {"s": "f32", "d": "f64", "c": "f32", "z": "f64"}
BATCHES = [later(()), (2, 3), later((0,))]


@cache
def registered() -> frozenset[str]:
    """The targets of jaxlib's kernels, which XLA's client for CPUs knows from here on."""
    from jaxlib import xla_client
    from jaxlib.cpu import _lapack, _sparse

    _lapack.initialize()
    kernels = {**_lapack.registrations(), **_sparse.registrations()}
    for name, kernel in kernels.items():
        xla_client.register_custom_call_target(name, kernel, platform="cpu", api_version=1)
    return frozenset(kernels)


def matrix(prefix: str, batch: tuple[int, ...], *shape: int, seed: int = 0) -> np.ndarray:
    random = np.random.default_rng(seed)
    values = random.standard_normal((*batch, *shape))
    if prefix in "cz":
        values = values + 1j * random.standard_normal((*batch, *shape))
    return values.astype(TYPES[prefix][1])


def layout(rank: int, core: int, row_major: bool) -> str:
    order = [*range(rank - 1, -1, -1)]
    if core == 2 and not row_major:
        order = [rank - 2, rank - 1, *range(rank - 3, -1, -1)]
    values = f"{order}" if order else ""
    return f"dense<{values}> : tensor<{rank}xindex>"


def program(target, options, operands, results, batch, row_major=False):
    """A call of the target; operands and results are cores with element types."""

    def type_of(core, element):
        return "tensor<" + "".join(f"{size}x" for size in (*batch, *core)) + element + ">"

    def layouts(values):
        return "[" + ", ".join(layout(len(batch) + len(core), len(core), row_major) for core, _ in values) + "]"

    arguments = ", ".join(f"%{index}: {type_of(*operand)}" for index, operand in enumerate(operands))
    values = ", ".join(f"%{index}" for index in range(len(operands)))
    outputs = ", ".join(type_of(*result) for result in results)
    names = ", ".join(f"%r#{index}" for index in range(len(results)))
    return f"""
    func.func public @main({arguments}) -> ({outputs}) {{
      %r:{len(results)} = stablehlo.custom_call @{target}({values}) {{
          api_version = 4 : i32, backend_config = {{{options}}},
          operand_layouts = {layouts(operands)}, result_layouts = {layouts(results)}
        }} : ({", ".join(type_of(*operand) for operand in operands)}) -> ({outputs})
      return {names} : {outputs}
    }}"""


def character(value: str) -> str:
    return f"{ord(value)} : ui8"


def compare(text, arguments, tolerance, unspecified=()):
    registered()
    module = stablehlo_py.parse(text)
    ours = stablehlo_py.interpret(module, arguments)
    theirs = compiled(text, arguments)
    for index, (our, their) in enumerate(zip(ours, theirs, strict=True)):
        assert (our.shape, our.dtype) == (their.shape, their.dtype)
        if index not in unspecified:
            np.testing.assert_allclose(our, their, rtol=tolerance, atol=tolerance, equal_nan=True)


def tolerance(prefix: str) -> float:
    return 2e-4 if prefix in "sc" else 1e-11


CALLS = {
    # name: (real and complex routine, options, operand cores, result cores with `t` the type and `r` its real part)
    "potrf_lower": ("potrf", "potrf", f"uplo = {character('L')}", ["positive"], ["nn t", " i32"]),
    "potrf_upper": ("potrf", "potrf", f"uplo = {character('U')}", ["positive"], ["nn t", " i32"]),
    "getrf_tall": ("getrf", "getrf", "", ["mn"], ["mn t", "n i32", " i32"]),
    "getrf_wide": ("getrf", "getrf", "", ["nm"], ["nm t", "n i32", " i32"]),
    "geqrf": ("geqrf", "geqrf", "", ["mn"], ["mn t", "n t"]),
    "orgqr": ("orgqr", "ungqr", "", ["mn", "n"], ["mn t"]),
    "ormqr_left": ("ormqr", "unmqr", "left = true, transpose = false", ["mn", "n", "mk"], ["mk t"]),
    "ormqr_right": ("ormqr", "unmqr", "left = false, transpose = true", ["mn", "n", "km"], ["km t"]),
    "gesdd_full": ("gesdd", "gesdd", f"mode = {character('A')}", ["mn"], ["mn t", "n r", "mm t", "nn t", " i32"]),
    "gesdd_thin": ("gesdd", "gesdd", f"mode = {character('S')}", ["nm"], ["nm t", "n r", "nn t", "nm t", " i32"]),
    "gesdd_values": ("gesdd", "gesdd", f"mode = {character('N')}", ["mn"], ["mn t", "n r", "mm t", "nn t", " i32"]),
    "gesvd_full": ("gesvd", "gesvd", f"mode = {character('A')}", ["nm"], ["nm t", "n r", "nn t", "mm t", " i32"]),
    "eigh_lower": (
        "syevd", "heevd", f"mode = {character('V')}, uplo = {character('L')}", ["nn"], ["nn t", "n r", " i32"]
    ),
    "eigh_upper_values": (
        "syevd", "heevd", f"mode = {character('N')}, uplo = {character('U')}", ["nn"], ["nn t", "n r", " i32"]
    ),
    "gehrd": ("gehrd", "gehrd", "low = 1 : i32, high = {n} : i32", ["nn"], ["nn t", "l t", " i32"]),
    "gehrd_part": ("gehrd", "gehrd", "low = 2 : i32, high = 3 : i32", ["nn"], ["nn t", "l t", " i32"]),
    "sytrd_lower": ("sytrd", "hetrd", f"uplo = {character('L')}", ["nn"], ["nn t", "n r", "l r", "l t", " i32"]),
    "sytrd_upper": ("sytrd", "hetrd", f"uplo = {character('U')}", ["nn"], ["nn t", "n r", "l r", "l t", " i32"]),
    "gtsv": ("gtsv", "gtsv", "", ["n", "n", "n", "nk"], ["n t", "n t", "n t", "nk t", " i32"]),
}  # fmt: skip
SIZES = {"m": 6, "n": 4, "k": 3, "l": 3}
# What a kernel leaves in these results, nobody reads: the input that it worked on, vectors that were not asked for.
UNSPECIFIED = {
    "gesdd_full": (0,), "gesdd_thin": (0,), "gesdd_values": (0, 2, 3), "gesvd_full": (0,),
    "eigh_upper_values": (0,), "gtsv": (0, 1, 2),
}  # fmt: skip


def case(name, prefix, batch, row_major=False, **sizes):
    real, complex_, options, operands, results = CALLS[name]
    sizes = {**SIZES, **sizes}
    routine = complex_ if prefix in "cz" else real
    element = {"t": TYPES[prefix][0], "r": REAL[prefix], "i32": "i32"}
    arguments, cores = [], []
    for index, letters in enumerate(operands):
        core = tuple(sizes[letter] for letter in ("nn" if letters == "positive" else letters))
        value = matrix(prefix, batch, *core, seed=index)
        if letters == "positive":
            value = value @ value.conj().swapaxes(-1, -2) + np.eye(core[0], dtype=value.dtype)
        arguments.append(value)
        cores.append((core, element["t"]))
    outputs = [(tuple(sizes[letter] for letter in cell.split(" ")[0]), element[cell.split(" ")[1]]) for cell in results]
    text = program(f"lapack_{prefix}{routine}_ffi", options.format(**sizes), cores, outputs, batch, row_major)
    return text, arguments


@pytest.mark.parametrize("batch", BATCHES, ids=str)
@pytest.mark.parametrize(("name", "prefix"), chequered(list(CALLS), list(TYPES), 4))
def test_agrees(name, prefix, batch):
    compare(*case(name, prefix, batch), tolerance(prefix), UNSPECIFIED.get(name, ()))


@pytest.mark.parametrize("name", ["potrf_lower", "getrf_tall", "gesdd_thin", "ormqr_left", "gtsv"])
def test_agrees_on_row_major_matrices(name):
    """A kernel takes row-major memory for column-major: a matrix that it reads is another one."""
    compare(*case(name, "d", (2,), row_major=True), 1e-11, UNSPECIFIED.get(name, ()))


@pytest.mark.parametrize("prefix", list(TYPES))
@pytest.mark.parametrize("name", ["potrf_lower", "getrf_tall", "eigh_lower"])
def test_empty_matrices_are_factored(name, prefix):
    """The kernels divide by zero here, and end the process."""
    text, arguments = case(name, prefix, (2,), m=0, n=0, k=0, l=0)
    *parts, info = stablehlo_py.interpret(stablehlo_py.parse(text), arguments)
    assert all(part.shape[0] == 2 and not part.size for part in parts)
    assert info.tolist() == [0, 0]


@pytest.mark.parametrize(
    ("name", "prefix"), chequered(["potrf_lower", "getrf_tall", "gesdd_full", "gtsv", "geqrf"], list(TYPES))
)
@pytest.mark.parametrize("value", [0, -1, np.nan])
def test_agrees_on_singular_matrices(name, prefix, value):
    """`info` says what is wrong, and no exception."""
    text, arguments = case(name, prefix, (2,))
    arguments = [np.where(np.arange(2).reshape(2, *[1] * (a.ndim - 1)) == 1, a.dtype.type(value), a) for a in arguments]
    unspecified = UNSPECIFIED.get(name, ())
    if name.startswith("ges"):  # where LAPACK meets NaN it stops before it writes the singular values
        unspecified = (*unspecified, 2, 3, *((1,) if np.isnan(value) else ()))
    compare(text, arguments, tolerance(prefix), unspecified)


@pytest.mark.parametrize("prefix", list(TYPES))
@pytest.mark.parametrize("sides", ["LLNN", "LUTU", "RLCN", "RUNU"])
@pytest.mark.parametrize("batch", BATCHES, ids=str)
def test_trsm_agrees(prefix, sides, batch):
    side, uplo, trans, diag = sides
    options = (
        f"side = {character(side)}, uplo = {character(uplo)}, trans_x = {character(trans)}, diag = {character(diag)}"
    )
    element = TYPES[prefix][0]
    shape = (4, 3) if side == "L" else (3, 4)
    cores = [((4, 4), element), (shape, element)]
    text = program(f"lapack_{prefix}trsm_ffi", options, cores, [(shape, element)], batch)
    a = matrix(prefix, batch, 4, 4) + 4 * np.eye(4, dtype=TYPES[prefix][1])
    compare(text, [a, matrix(prefix, batch, *shape, seed=1)], tolerance(prefix))


@pytest.mark.parametrize(("fixed", "prefix"), chequered([[0, 0, 0, 0], [0, 3, 0, 1], [1, 1, 1, 1]], list(TYPES)))
@pytest.mark.parametrize("shape", [(6, 4), (4, 4), (2, 4)])
def test_geqp3_agrees(prefix, fixed, shape):
    element = TYPES[prefix][0]
    rank = min(shape)
    cores = [(shape, element), ((4,), "i32")]
    results = [(shape, element), ((4,), "i32"), ((rank,), element)]
    text = program(f"lapack_{prefix}geqp3_ffi", "", cores, results, (2,))
    compare(text, [matrix(prefix, (2,), *shape), np.array([fixed] * 2, np.int32)], tolerance(prefix))


@pytest.mark.parametrize("prefix", list(TYPES))
@pytest.mark.parametrize("batch", BATCHES, ids=str)
def test_geev_agrees(prefix, batch):
    element, is_complex = TYPES[prefix][0], prefix in "cz"
    vectors = element if is_complex else f"complex<{element}>"
    values = [((4,), element)] * (1 if is_complex else 2)
    results = [*values, ((4, 4), vectors), ((4, 4), vectors), ((), "i32")]
    options = f"compute_left = {character('V')}, compute_right = {character('V')}"
    text = program(f"lapack_{prefix}geev_ffi", options, [((4, 4), element)], results, batch)
    compare(text, [matrix(prefix, batch, 4, 4)], tolerance(prefix))


@pytest.mark.parametrize("prefix", list(TYPES))
@pytest.mark.parametrize("batch", BATCHES, ids=str)
def test_gees_agrees(prefix, batch):
    element = TYPES[prefix][0]
    values = [((4,), element)] * (1 if prefix in "cz" else 2)
    results = [((4, 4), element), ((4, 4), element), *values, ((), "i32"), ((), "i32")]
    options = f"mode = {character('V')}, sort = {character('N')}"
    text = program(f"lapack_{prefix}gees_ffi", options, [((4, 4), element)], results, batch)
    compare(text, [matrix(prefix, batch, 4, 4)], tolerance(prefix))


@pytest.mark.parametrize("element", ["f32", "f64"])
@pytest.mark.parametrize("diagonal", ["regular", "singular", "zero"])
def test_tridiagonal_solve_perturbed_agrees(element, diagonal):
    dtype = {"f32": np.float32, "f64": np.float64}[element]
    cores = [((5,), element)] * 3 + [((5, 2), element)]
    text = program("tridiagonal_solve_perturbed_ffi", "", cores, [((5, 2), element)], (2,))
    dl, d, du = [matrix("d", (2,), 5, seed=seed).astype(dtype) for seed in range(3)]
    if diagonal == "singular":
        dl[:, 3], d[:, 3], du[:, 3] = 0, 0, 0
    elif diagonal == "zero":
        dl, d, du = dl * 0, d * 0, du * 0
    b = matrix("d", (2,), 5, 2, seed=4).astype(dtype)
    if diagonal == "regular":
        compare(text, [dl, d, du, b], 1e-4 if element == "f32" else 1e-10)
        return
    (x,) = stablehlo_py.interpret(stablehlo_py.parse(text), [dl, d, du, b])
    assert np.isfinite(x).all()
    residual = d[..., None] * x - b
    residual[:, 1:] += dl[:, 1:, None] * x[:, :-1]
    residual[:, :-1] += du[:, :-1, None] * x[:, 1:]
    assert (np.abs(residual) <= 1 + 20 * np.finfo(dtype).eps * np.abs(x).max()).all()


@pytest.mark.parametrize("columns", [(), (3,)])
def test_csr_sparse_dense_agrees(columns):
    dense = np.random.default_rng(0).standard_normal((4, *columns)).astype(np.float32)
    values = np.array([1, 2, 3, 4, 5], np.float32)
    starts, indices = np.array([0, 2, 2, 5], np.int32), np.array([0, 3, 1, 1, 2], np.int32)
    result = "x".join(["3", *map(str, columns), "f32"])
    operands = f"tensor<5xf32>, tensor<4xi32>, tensor<5xi32>, tensor<{'x'.join(['4', *map(str, columns), 'f32'])}>"
    names = [f"%{index}" for index in range(4)]
    arguments = ", ".join(f"{name}: {type_}" for name, type_ in zip(names, operands.split(", "), strict=True))
    text = f"""
    func.func public @main({arguments}) -> tensor<{result}> {{
      %r = stablehlo.custom_call @cpu_csr_sparse_dense_ffi({", ".join(names)}) {{
        api_version = 4 : i32, backend_config = {{}}}} : ({operands}) -> tensor<{result}>
      return %r : tensor<{result}>
    }}"""
    compare(text, [values, starts, indices, dense], 1e-6)


def test_every_kernel_of_jaxlib_runs():
    assert registered() <= set(targets())


def test_every_target_has_a_test_here():
    text = Path(__file__).read_text()
    routines = {re.sub("lapack_[sdcz]|_ffi", "", name) for name in registered() if name.startswith("lapack")}
    assert {name for name in routines if f'"{name}"' not in text and f"{{prefix}}{name}_ffi" not in text} == set()
