"""Along which axes an op is cut: the choices that are compared, what each costs, and which is taken."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from parsed import parsed

from stablehlo_py.bindings import ir, make_context
from stablehlo_py.bindings.meshes import Mesh
from stablehlo_py.bindings.walk import operations
from stablehlo_py.spmd import choices
from stablehlo_py.spmd.choices import Exchange, LayoutChoice, choose
from stablehlo_py.spmd.halos import Halo, HaloRange
from stablehlo_py.spmd.layouts import Atoms, Devices, Layout
from stablehlo_py.spmd.rules import Factor, Rule, rule_of

X, Y = (0,), (1,)
GRID = Devices(Mesh({"x": 2, "y": 2}, tuple(range(4))), [])
CUBE = Devices(Mesh(dict.fromkeys("abcdef", 2), tuple(range(64))), [])

ROWS = Factor([(0, 0)], [(0, 0)], 8)
COLUMNS = Factor([(1, 1)], [(0, 1)], 8)
TERMS = Factor([(0, 1), (1, 0)], [], 8)


def cuts(devices: Devices, factors: list[Factor], have: list[Layout], wanted: list[Layout]) -> list[list[Atoms]]:
    return list(choices._candidates(devices, factors, have, wanted))


@pytest.mark.parametrize(
    ("have", "wanted", "found"),
    [
        ([(X, Y), (Y, ())], (X, ()), [[X, (), Y]]),
        ([(X, Y), (Y, ())], (Y, ()), [[Y, (), ()], [X, (), Y]]),
        ([(X, ()), ((), X)], (X, Y), [[X, Y, ()], [(), X, ()]]),
        ([(X, ()), ((), X)], ((), ()), [[X, (), ()], [(), X, ()]]),
        ([((), ()), ((), ())], (X, Y), [[X, Y, ()]]),
        ([((), X), (Y, ())], ((), ()), [[(), (), X], [(), (), Y]]),
        ([((), ()), ((), ())], ((), ()), [[(), (), ()]]),
        ([((), X + Y), ((), ())], (Y, ()), [[Y, (), X], [(), (), X + Y]]),
    ],
)
def test_the_result_chooses_first_and_then_each_operand(
    have: list[Layout], wanted: Layout, found: list[list[Atoms]]
) -> None:
    assert cuts(GRID, [ROWS, COLUMNS, TERMS], have, [wanted]) == found


def test_no_more_than_four_operands_choose_first() -> None:
    factor = Factor([(number, 0) for number in range(6)], [(0, 0)], 64)
    have: list[Layout] = [((number,),) for number in range(6)]
    assert cuts(CUBE, [factor], have, [((),)]) == [[(n,)] for n in range(4)]
    assert cuts(CUBE, [factor], have, [((5,),)]) == [[(n,)] for n in (5, 0, 1, 2, 3)]
    assert cuts(CUBE, [factor], [((),), *have[1:]], [((),)]) == [[(n,)] for n in (1, 2, 3, 4)]


def test_a_size_is_cut_by_the_axes_that_divide_it() -> None:
    factor = Factor([(0, 0)], [(0, 0)], 2)
    assert cuts(GRID, [factor], [(X + Y,)], [((),)]) == [[X]]
    assert cuts(GRID, [factor._replace(size=3)], [(X + Y,)], [(X,)]) == [[()]]
    assert cuts(GRID, [factor._replace(size=0)], [(X + Y,)], [(X,)]) == [[()]]


def test_windows_that_differ_between_parts_are_not_cut() -> None:
    uneven, even = Halo(6, 6, 3, dilation=4), Halo(6, 6, 3, start=-1, extent=3)
    factor = Factor([(0, 2)], [(0, 2)], 6, (uneven,))
    assert choices._exchange(GRID, factor, X) is None
    assert cuts(GRID, [factor], [((), (), X)], [((), (), ())]) == [[()]]
    factor = factor._replace(halos=(even,))
    one = Exchange([0], 2, 3, X, [HaloRange(2, 3, -1, 3, 5)])
    assert choices._exchange(GRID, factor, X) == one
    assert cuts(GRID, [factor], [((), (), X)], [((), (), ())]) == [[X]]
    two = Factor([(0, 2), (1, 2)], [(0, 2)], 6, (even, uneven))
    assert choices._exchange(GRID, two, X) is None
    assert choices._exchanges(GRID, [ROWS, factor, two, factor], [X, X, X, ()]) == {1: one}


def test_each_dimension_with_a_halo_may_be_gathered_and_all_of_them() -> None:
    def factor(d: int, start: int) -> Factor:
        return Factor([(0, d)], [(0, d)], 8, (Halo(8, 8, d, start=start, extent=1 - start),))

    first, second, own = factor(0, -1), factor(1, -2), factor(2, 0)
    gathers = choices._with_gathers(GRID, [first, second, own], [[X, Y, ()], [(), Y, X], [(), (), X]])
    assert list(gathers) == [
        [X, Y, ()], [(), Y, ()], [X, (), ()], [(), (), ()],
        [(), Y, X], [(), (), X],
        [(), (), X],
    ]  # fmt: skip


def value(type_: str) -> SimpleNamespace:
    with make_context():
        return SimpleNamespace(type=ir.Type.parse(type_))


@pytest.mark.parametrize(
    ("choice", "have", "wanted", "bytes_"),
    [
        # The parts of a product of 8x8 numbers are summed: 128 bytes of each device, twice, and half of them are sent.
        (LayoutChoice([(X, Y), (Y, ())], [(X, ())], Y, []), [(X, Y), ((), ())], (X, ()), 128.0),
        (LayoutChoice([(X, Y), (Y, ())], [(X, ())], Y, []), [(X, Y), (Y, ())], (X, ()), 128.0),
        # A whole operand is gathered from halves.
        (LayoutChoice([(X, ()), ((), ())], [(X, ())], (), []), [(X, ()), (X, ())], (X, ()), 128.0),
        # So is the result.
        (LayoutChoice([(X, ()), ((), ())], [(X, ())], (), []), [(X, ()), ((), ())], ((), ()), 128.0),
        # Nothing is sent to cut what is whole.
        (LayoutChoice([(X, ()), ((), Y)], [(X, Y)], (), []), [((), ()), ((), ())], (X, Y), 0.0),
        # A permutation brings a quarter.
        (LayoutChoice([(X, Y), ((), ())], [(X, Y)], (), []), [(Y, X), ((), ())], (X, Y), 64.0),
    ],
)
def test_the_bytes_that_a_device_receives_for_a_choice(
    choice: LayoutChoice, have: list[Layout], wanted: Layout, bytes_: float
) -> None:
    op = SimpleNamespace(operands=[value("tensor<8x8xf32>")] * 2, results=[value("tensor<8x8xf32>")])
    assert choices._cost(GRID, op, choice, have, [wanted]) == bytes_  # type: ignore[arg-type]


def test_the_bytes_of_halos_along_two_dimensions() -> None:
    """The halo of the second dimension has the halo of the first at its corners."""
    needs = HaloRange(2, 8, -1, 8, 10), HaloRange(2, 1, -1, 1, 3)
    both = [Exchange([0], 0, 0, X, [needs[0]]), Exchange([0], 1, 1, Y, [needs[1]])]
    op = SimpleNamespace(operands=[value("tensor<16x2xf32>")], results=[value("tensor<16x2xf32>")])
    costs = [
        choices._cost(GRID, op, LayoutChoice([(X, Y)], [(X, Y)], (), each), [(X, Y)], [(X, Y)])  # type: ignore[arg-type]
        for each in (both[:1], both[1:], both)
    ]
    assert costs == [8.0, 64.0, 8.0 + 80.0]
    many = SimpleNamespace(
        operands=[value("tensor<16xf32>"), value("tensor<8xf32>")], results=[value("tensor<24xf32>")]
    )
    one = Exchange([0, 1], 0, 0, X, [HaloRange(2, 8, 0, 4, 12), HaloRange(2, 4, -4, 4, 5)])
    cost = choices._cost(GRID, many, LayoutChoice([(X,), (X,)], [(X,)], (), [one]), [(X,), (X,)], [(X,)])  # type: ignore[arg-type]
    assert cost == sum(4 * need.sent for need in one.needs)


def product(rows: int, terms: int, columns: int) -> tuple[ir.Module, ir.Operation]:
    """A program with a product of matrices, and that op."""
    types = [f"tensor<{a}x{b}xf32>" for a, b in ((rows, terms), (terms, columns), (rows, columns))]
    module = parsed(f"""func.func @main(%a: {types[0]}, %b: {types[1]}) -> {types[2]} {{
          %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : ({types[0]}, {types[1]}) -> {types[2]}
          return %0 : {types[2]} }}""")
    return module, next(op for op in operations(module.operation) if op.name == "stablehlo.dot_general")


@pytest.mark.parametrize(
    ("sizes", "have", "wanted", "operands", "result", "reduced"),
    [
        # Of long sums the parts are summed, of short ones the operand is gathered.
        ((4, 64, 4), [((), X), (X, ())], ((), ()), [((), X), (X, ())], ((), ()), X),
        ((64, 4, 64), [(X, ()), (X, ())], (X, ()), [(X, ()), ((), ())], (X, ()), ()),
        ((64, 4, 4), [((), X), ((), X)], ((), X), [((), ()), ((), X)], ((), X), ()),
        # What is whole is cut for nothing where the result is wanted cut.
        ((8, 8, 8), [((), ()), ((), ())], (X, Y), [(X, ()), ((), Y)], (X, Y), ()),
        ((8, 8, 8), [((), ()), ((), ())], ((), ()), [((), ()), ((), ())], ((), ()), ()),
        # A number that is not divided stays whole.
        ((3, 8, 8), [(X, ()), ((), ())], (X, ()), [((), ()), ((), ())], ((), ()), ()),
    ],
)
def test_the_cheapest_choice_is_taken(
    sizes: tuple[int, int, int],
    have: list[Layout],
    wanted: Layout,
    operands: list[Layout],
    result: Layout,
    reduced: Atoms,
) -> None:
    _module, op = product(*sizes)
    found = choose(GRID, op, rule_of(op), have, [wanted])
    assert found == LayoutChoice(operands, [result], reduced, [])


def test_an_op_without_dimensions_that_are_cut_alike_is_whole() -> None:
    _module, op = product(8, 8, 8)
    whole = LayoutChoice([((), ()), ((), ())], [((), ())], (), [])
    assert choose(GRID, op, Rule([], "add", -1), [(X, ()), ((), ())], [(X, ())]) == whole
