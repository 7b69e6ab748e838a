"""Refinement takes work in proportion to the program, whatever the program does; work is counted, not timed."""

from __future__ import annotations

import pytest

from stablehlo_py.bindings import ir, make_context
from stablehlo_py.passes.pipeline import run_pipeline
from stablehlo_py.shapes.evaluation import symbols
from stablehlo_py.shapes.refinement import shape_arithmetic
from stablehlo_py.shapes.refinement.analysis import FunctionAnalysis
from stablehlo_py.shapes.refinement.outline import OutlineNode

PIPELINE = "builtin.module(stablehlo-shape-refinement-pipeline)"
HEAD = "func.func @main(%a0: tensor<i32>, %b0: tensor<i32>, %p: tensor<i32>, %x: tensor<?xf32>) -> tensor<?xf32> {"
IDLE = "return %x : tensor<?xf32> }"
READ = """%s = stablehlo.reshape {0} : (tensor<i32>) -> tensor<1xi32>
%r = stablehlo.dynamic_reshape %x, %s : (tensor<?xf32>, tensor<1xi32>) -> tensor<?xf32>
return %r : tensor<?xf32> }}"""


def selects(count: int) -> list[str]:
    """Pairs of selects, each of which exchanges two numbers or does not: written out, they double at every step."""
    return [
        f"""%c{i} = stablehlo.compare LT, %a{i}, %p : (tensor<i32>, tensor<i32>) -> tensor<i1>
        %a{i + 1} = stablehlo.select %c{i}, %a{i}, %b{i} : tensor<i1>, tensor<i32>
        %b{i + 1} = stablehlo.select %c{i}, %b{i}, %a{i} : tensor<i1>, tensor<i32>"""
        for i in range(count)
    ]


def squares(count: int) -> list[str]:
    """x*x + b again and again: a polynomial whose degree doubles at every step."""
    return [
        f"""%m{i} = stablehlo.multiply %a{i}, %a{i} : tensor<i32>
        %a{i + 1} = stablehlo.add %m{i}, %b0 : tensor<i32>"""
        for i in range(count)
    ]


def sevens(count: int) -> list[str]:
    """Multiplications by 7: factors and bounds that grow by three bits at every step."""
    return [
        f"%c{i} = stablehlo.constant dense<7> : tensor<i32>\n%a{i + 1} = stablehlo.multiply %a{i}, %c{i} : tensor<i32>"
        for i in range(count)
    ]


def conditions(count: int) -> list[str]:
    """Truth values that are chosen by truth values."""
    lines = ["%t0 = stablehlo.compare LT, %a0, %p : (tensor<i32>, tensor<i32>) -> tensor<i1>"]
    lines.append("%u0 = stablehlo.compare LT, %b0, %p : (tensor<i32>, tensor<i32>) -> tensor<i1>")
    for i in range(count):
        lines.append(f"%t{i + 1} = stablehlo.select %u{i}, %t{i}, %u{i} : tensor<i1>, tensor<i1>")
        lines.append(f"%u{i + 1} = stablehlo.xor %t{i}, %u{i} : tensor<i1>")
        lines.append(f"%v{i + 1} = stablehlo.or %t{i + 1}, %u{i} : tensor<i1>")
    lines.append(f"%a{count} = stablehlo.select %v{count}, %a0, %b0 : tensor<i1>, tensor<i32>")
    return lines


CHAINS = {"selects": selects, "squares": squares, "sevens": sevens, "conditions": conditions}


class Work:
    """What refinement made: how many expressions, how long the longest text of a symbol, how many ops evaluated."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.expressions, self.longest, self.evaluated = 0, 0, 0
        make_symbol, make_expression = symbols.Symbol.__init__, symbols.Expression.__init__

        def symbol(made: symbols.Symbol, *arguments: object, **rest: object) -> None:
            make_symbol(made, *arguments, **rest)
            self.longest = max(self.longest, len(made.name))

        def expression(made: symbols.Expression, *arguments: object) -> None:
            make_expression(made, *arguments)
            self.expressions += 1

        def counting(handler: shape_arithmetic.Handler) -> shape_arithmetic.Handler:
            def counted(*arguments: object) -> object:
                self.evaluated += 1
                return handler(*arguments)

            return counted

        monkeypatch.setattr(symbols.Symbol, "__init__", symbol)
        monkeypatch.setattr(symbols.Expression, "__init__", expression)
        for name, handler in list(shape_arithmetic.HANDLERS.items()):
            if name != "stablehlo.constant":
                monkeypatch.setitem(shape_arithmetic.HANDLERS, name, counting(handler))

    def of(self, text: str) -> Work:
        self.expressions, self.longest, self.evaluated = 0, 0, 0
        with make_context():
            run_pipeline(ir.Module.parse(text), PIPELINE)
        return self


@pytest.mark.parametrize("chain", CHAINS.values(), ids=CHAINS)
def test_integers_that_no_shape_depends_on_are_not_evaluated(chain, monkeypatch):
    assert Work(monkeypatch).of("\n".join([HEAD, *chain(50), IDLE])).evaluated == 0


@pytest.mark.parametrize("chain", CHAINS.values(), ids=CHAINS)
def test_work_and_names_stay_in_proportion(chain, monkeypatch):
    work = Work(monkeypatch)
    counts: list[int] = []
    for length in (100, 200, 400):
        work.of("\n".join([HEAD, *chain(length), READ.format(f"%a{length}")]))
        assert work.evaluated >= length
        assert work.longest < 5_000
        counts.append(work.expressions)
    assert counts[2] - counts[1] <= 2.2 * (counts[1] - counts[0])


def nest(depth: int) -> str:
    """Loops in loops: each carries a counter on to the one inside, and a tensor that stays as it is."""
    types = "tensor<i32>, tensor<?x6xf32>"
    lines = [f"func.func @main(%x: tensor<4x6xf32>) -> tensor<?x6xf32> {{\n{ZERO}\n{OPEN}"]
    for i in range(1, depth + 1):
        lines.append(
            f"""%r{i}:2 = "stablehlo.while"(%i{i - 1}, %x{i - 1}) ({{
            ^bb0(%j{i}: tensor<i32>, %y{i}: tensor<?x6xf32>):
              %c{i} = stablehlo.compare LT, %j{i}, %one : (tensor<i32>, tensor<i32>) -> tensor<i1>
              "stablehlo.return"(%c{i}) : (tensor<i1>) -> ()
            }}, {{
            ^bb0(%i{i}: tensor<i32>, %x{i}: tensor<?x6xf32>):"""
        )
    lines.append(f"%next = stablehlo.add %i{depth}, %one : tensor<i32>")
    counter, tensor = "%next", f"%x{depth}"
    for i in range(depth, 0, -1):
        lines.append(f'"stablehlo.return"({counter}, {tensor}) : ({types}) -> ()\n}}) : ({types}) -> ({types})')
        counter, tensor = f"%r{i}#0", f"%r{i}#1"
    return "\n".join([*lines, f"return {tensor} : tensor<?x6xf32> }}"])


def tower(height: int) -> str:
    """Functions that call the next one twice, with what they have and with twice as much of it."""
    lines = [f"func.func @main(%x: tensor<4x6xf32>) -> tensor<?x6xf32> {{\n{OPEN}\n{CALL.format('r', 0, 'x0')}"]
    lines.append("return %r : tensor<?x6xf32> }")
    for i in range(height):
        lines.append(f"func.func private @f{i}(%x: tensor<?x6xf32>) -> tensor<?x6xf32> {{")
        lines.append("%twice = stablehlo.concatenate %x, %x, dim = 0 : " + DOUBLE)
        if i + 1 < height:
            lines.extend([CALL.format("a", i + 1, "x"), CALL.format("b", i + 1, "twice")])
        lines.append("return %x : tensor<?x6xf32> }")
    return "\n".join(lines)


ZERO = "%i0 = stablehlo.constant dense<0> : tensor<i32>\n%one = stablehlo.constant dense<1> : tensor<i32>"
OPEN = "%x0 = stablehlo.negate %x : (tensor<4x6xf32>) -> tensor<?x6xf32>"
CALL = "%{0} = func.call @f{1}(%{2}) : (tensor<?x6xf32>) -> tensor<?x6xf32>"
DOUBLE = "(tensor<?x6xf32>, tensor<?x6xf32>) -> tensor<?x6xf32>"


def steps(text: str, monkeypatch: pytest.MonkeyPatch, changing: bool = False) -> int:
    """How many nodes the analysis looks at; the refined program has an unknown size if one changes."""
    looked_at = 0
    look_at = FunctionAnalysis._look_at

    def counted(analysis: FunctionAnalysis, node: OutlineNode) -> int | None:
        nonlocal looked_at
        looked_at += 1
        return look_at(analysis, node)

    with monkeypatch.context() as patch, make_context():
        patch.setattr(FunctionAnalysis, "_look_at", counted)
        module = ir.Module.parse(text)
        run_pipeline(module, PIPELINE)
        assert ("?" in str(module)) == changing
    return looked_at


def test_loops_in_loops_take_steps_in_proportion(monkeypatch):
    assert steps(nest(1_000), monkeypatch) <= 2.1 * steps(nest(500), monkeypatch)


def test_a_long_chain_takes_one_step_for_each_op(monkeypatch):
    negate = "%{} = stablehlo.negate %{} : tensor<?x6xf32>"
    chain = [negate.format(f"x{i + 1}", f"x{i}") for i in range(10_000)]
    text = "\n".join(["func.func @main(%x: tensor<4x6xf32>) -> tensor<?x6xf32> {", OPEN, *chain])
    assert steps(f"{text}\nreturn %x10000 : tensor<?x6xf32> }}", monkeypatch) == 10_001


def test_kinds_of_calls_are_shared(monkeypatch):
    assert steps(tower(12), monkeypatch) <= 4.4 * steps(tower(6), monkeypatch)  # as the square, not as a power of 2


COUNTED = """%i{0} = stablehlo.constant dense<0> : tensor<1xi32>
%r{0}:2 = "stablehlo.while"(%i{0}, %x{1}) ({{
  ^bb0(%j{0}: tensor<1xi32>, %y{0}: tensor<?x6xf32>):
    "stablehlo.return"(%p) : (tensor<i1>) -> ()
}}, {{
  ^bb0(%k{0}: tensor<1xi32>, %x{0}: tensor<?x6xf32>):"""


def counters(depth: int) -> str:
    """Loops in loops that each count from zero; the innermost makes its tensor longer, by its numbers too."""
    tensor = "tensor<?x6xf32>"
    head = f"func.func @main(%x: tensor<4x6xf32>, %p: tensor<i1>, %one: tensor<1xi32>) -> {tensor} {{\n{OPEN}"
    lines = [head, *[COUNTED.format(i, i - 1) for i in range(1, depth + 1)]]
    lines.append(f"%d = stablehlo.concatenate %x{depth}, %x{depth}, dim = 0 : {DOUBLE}")
    made = "%d"
    for i in range(depth, 0, -1):
        lines.append(f"%n{i} = stablehlo.add %k{i}, %one : tensor<1xi32>")
        lines.append(f"%s{i} = stablehlo.dynamic_iota %n{i}, dim = 0 : (tensor<1xi32>) -> tensor<?xf32>")
        types = f"(tensor<1xi32>, {tensor})"
        lines.append(f'"stablehlo.return"(%n{i}, {made}) : {types} -> ()\n}}) : {types} -> {types}')
        made = f"%r{i}#1"
    return "\n".join([*lines, f"return {made} : {tensor} }}"])


def test_loops_that_change_what_they_carry_take_steps_in_proportion(monkeypatch):
    """An inner loop keeps what it found to change when it is entered again: nine steps for each loop."""
    for depth in (2, 6, 12):
        assert steps(counters(depth), monkeypatch, changing=True) <= 9 * depth + 2, depth
