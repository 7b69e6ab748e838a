"""Statements of the library language: the compiled function returns what the Python function does, or is refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from parsed import shared_context

from stablehlo_py.bindings import ir
from stablehlo_py.bindings.walk import body_of, functions
from stablehlo_py.shapes.compilation.compiler import Compiler
from stablehlo_py.shapes.errors import LibraryError
from stablehlo_py.shapes.evaluation.evaluator import Evaluator, RefutedAssertionError
from stablehlo_py.shapes.evaluation.procedure_builder import build_procedure

HEAD = """from __future__ import annotations

from stablehlo_py.shapes.language import Shape

SIZES = [4, 5]
PAIR = (6, 7)
NAME = "ab"
LARGE = True


def twice(x: Shape, n: int) -> Shape:
    return x + x + [n]


def parts(x: Shape) -> tuple[int, Shape]:
    return x[0], x[1:]


def nothing(x: list[int] | None) -> int:
    return 0 if x is None else len(x)


"""


def function(tmp_path: Path, lines: list[str], signature: str = "(x: Shape) -> Shape") -> Any:
    path = tmp_path / "it.py"
    text = HEAD + f"def it{signature}:\n" + "".join([f"    {line}\n" for line in lines])
    path.write_text(text)
    names: dict[str, Any] = {}
    exec(compile(text, str(path), "exec"), names)
    return names["it"]


def compiled(made: Any, *arguments: Any) -> Any:
    """What the compiled function returns for lists and numbers."""
    compiler = Compiler()
    symbol = compiler.compile(made)
    counts = sorted({count for entry in compiler.compiled.values() for count in entry.message_input_counts})
    heads = [f"func.func private @message.inputs.{count}({', '.join(['index'] * count)})" for count in counts]
    with shared_context(), ir.Location.unknown():
        module = ir.Module.parse("\n".join([*heads, *[entry.text for entry in compiler.compiled.values()]]))
        found = functions(module.operation)

        class World:
            def procedure_of(self, name: str) -> Any:
                return build_procedure(body_of(found[name]))

        world: Any = World()
        return Evaluator(world).run(build_procedure(body_of(found[symbol])), list(arguments))


RETURNED = {
    "two names at once": ["a, b = x[0], x[1]", "a, b = b, a + b", "return [a, b]"],
    "a tuple of tuples": ["a, (b, c) = x[0], (x[1], x[2])", "return [c, b, a]"],
    "a list with a type": ["y: Shape = []", "y.append(3)", "return y + x"],
    "a number with a type": ["n: int = x[0] > 3", "return [n, n + 1]"],
    "lists of lists": ["y: list[Shape] = []", "y.append(x)", "y.append([9])", "return y[1] + y[0] + [len(y)]"],
    "lists of lists made longer": ["y = [x]", "y.extend([[1], [2, 3]])", "return y[2] + [len(y)]"],
    "lists of lists by a loop": ["y = [[n, n] for n in x]", "return y[-1] + [len(y)]"],
    "an item made larger": ["x[1] += 5", "x[-1] *= 2", "x[0] -= 1", "return x"],
    "a number made smaller": ["n = 40", "n //= x[0]", "n %= 7", "return [n]"],
    "an item by its place": ["i = 1", "x[i] = x[i + 1]", "x[i - 1] = 0", "return x"],
    "a constant list": ["return SIZES + x[1:]"],
    "a constant tuple": ["return [n + 1 for n in PAIR] if len(x) > 2 else [0]"],
    "a constant text": ["return [1 if ord(c) == 98 else 0 for c in NAME]"],
    "a constant truth": ["return [2 if LARGE else 3]"],
    "calls": ["return twice(x[:1], 5) + twice([], 6)"],
    "a call of several results": ["n, rest = parts(x)", "return rest + [n]"],
    "a call with nothing": ["return [nothing(None), nothing(x), nothing([])]"],
    "a branch without another": ["n = 1", "if x[0] > 3:", "    n = 2", "return [n]"],
    "a branch that defines": ["if x[0] > 3:", "    n = 2", "else:", "    n = 3", "return [n]"],
    "branches in branches": [
        "n = 0", "if x[0] > 3:", "    if x[1] > 3:", "        n = 1", "    else:", "        n = 2", "    n = n + 10",
        "elif x[1] > 3:", "    n = 3", "return [n]",
    ],
    "a return in a branch of a branch": [
        "if x[0] > 3:", "    if x[1] > 3:", "        return [1]", "    n = 2", "else:", "    n = 3", "return [n, n]",
    ],
    "a truth or a number": ["n = x[0] > 3", "if x[1] > 3:", "    n = 5", "return [n + 0]"],
    "loops in loops": ["n = 0", "for a in x:", "    for b in x:", "        n += a * b", "return [n]"],
    "a return in a loop in a loop": [
        "for i, a in enumerate(x):", "    for j in range(i):", "        if x[j] + a == 9:", "            return [j, i]",
        "return [0]",
    ],
    "a loop that returns at once": ["for a in x:", "    return [a]", "return [0]"],
    "a value from the round before": ["last = 0", "y = []", "for a in x:", "    y.append(last)", "    last = a",
                                      "return y"],
    "a loop while": ["n = x[0]", "c = 0", "while n > 1 and c < 9:", "    n = n // 2", "    c += 1", "return [n, c]"],
    "a return in a loop while": ["n = 0", "while n < 9:", "    n += x[1]", "    if n > 5:", "        return [n]",
                                 "return [n, 0]"],
    "a range down": ["return [i for i in range(x[0], 0, -2)]"],
    "a range of two": ["return [i for i in range(1, x[0])]"],
    "a range by two": ["return [i for i in range(0, x[0], 2)] + [i for i in range(1, 7, 3)]"],
    "an empty range": ["return [i for i in range(5, 2)] + [i for i in range(2, 5, -1)] + x"],
    "two conditions": ["return [a for a in x if a > 1 if a < 5]"],
    "comparisons in a row": ["return [1 if 1 < x[0] < x[1] <= 9 else 0, 1 if x[0] == x[1] != 4 else 0]"],
    "a member of a tuple": ["t = (x[0], x[1:])", "return t[1] + [t[0]]"],
    "in a tuple": ["return [1 if x[0] in (4, 5) else 0, 1 if x[1] not in (4, 5) else 0]"],
    "signs": ["return [-x[0] + 9, -(x[0] - x[1]) + 9, -3 + x[0]]"],
    "negations": ["return [1 if not (x[0] > 3 and x[1] > 3) else 0, 1 if not x[0] == x[1] else 0]"],
    "nothing to do": ["if x[0] > 3:", "    pass", "return list(x)"],
    "words": ['"""It is said."""', "return x"],
    "sums and extremes": ["return [sum(x), sum([]), min(x[0], x[1], 3), max(x[0], x[1], 5)]"],
    "as many": ["return x * 2 + [0] * x[0] + [1] * 0"],
    "a copy that changes": ["y = x[:]", "z = list(x)", "y[0] = 8", "z.append(7)", "return x + y + z"],
    "a second name for what stays": ["y = x", "x = [1]", "n = x[0]", "m = n", "m += 1", "return y + x + [n, m]"],
    "slices": ["return x[1:] + x[:-1] + x[-2:] + x[1:2] + x[5:] + x[:9]"],
}  # fmt: skip


@pytest.mark.parametrize("name", RETURNED)
def test_the_compiled_function_returns_what_python_returns(name: str, tmp_path: Path) -> None:
    made = function(tmp_path, RETURNED[name])
    for given in ([4, 5, 6], [5, 4, 4], [2, 9, 1], [3, 3, 7]):
        assert compiled(made, tuple(given)) == (tuple(made(list(given))),), given


def test_several_values_are_returned_one_by_one(tmp_path: Path) -> None:
    made = function(tmp_path, ["return x[1:], x[0], x[0] > 3"], "(x: Shape) -> tuple[Shape, int, bool]")
    assert [compiled(made, (n, 5)) for n in (3, 4)] == [((5,), 3, False), ((5,), 4, True)]


ASSERTED = [
    'assert x[0] < 9, f"the size {x[0]} is beyond {len(x)} and {x[0]}"',
    'assert len(x) > 1, "it is short"',
    "return x",
]


@pytest.mark.parametrize(
    ("given", "said"),
    [((4, 5), ""), ((9, 5, 1), "the size 9 is beyond 3 and 9"), ((4,), "it is short")],
)
def test_assertions_hold_or_tell_their_numbers(given: tuple[int, ...], said: str, tmp_path: Path) -> None:
    made = function(tmp_path, ASSERTED)
    if not said:
        assert compiled(made, given) == (given,)
        return
    with pytest.raises(RefutedAssertionError, match=f"^{said}$"):
        compiled(made, given)


REFUSED = {
    "two targets": (["a = b = x", "return a"], "cannot use"),
    "a type of another language": (["y: dict = x", "return x"], "cannot use"),
    "a name without a value": (["n: int", "return x"], "cannot use"),
    "a slice that is assigned": (["x[0:1] = [3]", "return x"], "cannot use"),
    "too few names": (["a, b = x[0], x[1], x[2]", "return x"], "cannot use"),
    "an attribute that is assigned": (["x.n = 3", "return x"], "cannot use"),
    "a method of two": (["x.insert(0, 1)", "return x"], "cannot use"),
    "a method that is not there": (["x.remove(1)", "return x"], "the method 'remove'"),
    "a call of an item": (["x[0](1)", "return x"], "cannot use"),
    "a call of a call": (["twice(x, 1)(1)", "return x"], "cannot use"),
    "a comparison that nobody reads": (["x == x", "return x"], "cannot use"),
    "a loop with an else": (["for a in x:", "    x = [a]", "else:", "    x = []", "return x"], "cannot use"),
    "a step that is not written": (["return [i for i in range(0, 9, x[0])]"], "whose step is not a literal: range"),
    "a step of zero": (["return [i for i in range(0, 9, 0)]"], "a range whose step is not a literal"),
    "two loops in a comprehension": (["return [a for a in x for b in x]"], "cannot use"),
    "a slice with a step": (["return x[::2]"], "cannot use"),
    "too many arguments": (["return twice(x, 1, 2)"], "twice takes 2 arguments, not 3"),
    "a named argument": (["return twice(x, n=1)"], "cannot use"),
    "a float": (["return [1.5]"], "a constant of type float"),
    "a brace in a message": (['assert x == x, "{}"', "return x"], "a brace in a message"),
    "a closing brace in a message": (['assert x == x, "}"', "return x"], "a brace in a message"),
    "an opening brace in a message": (['assert x == x, "{"', "return x"], "a brace in a message"),
    "a method in a branch in a loop": (
        ["for a in x:", "    if a > 1:", "        x.remove(1)", "return x"], "the method 'remove'",
    ),
    "a name in a loop while": (["n = 0", "while n < 3:", "    n += 1", "    n = m", "return [n]"], "'m'"),
    "a number that is asserted": (['assert len(x), "no"', "return x"], "a condition has to be a bool, this is int"),
    "a loop over a number": (["return [a for a in x[0]]"], "a loop over int"),
    "a tuple's member by a number": (["t = (x[0], x[1])", "return [t[x[0]]]"], "that is not given by a literal"),
    "an item of a list of two names": (["y = x", "y[0] = 8", "return x"], "a second name for a list that changes: y"),
    "a list of two names made longer": (["y = x", "for a in [1]:", "    x.append(a)", "return y"], "a second name"),
    "an addition to a list of two names": (["y = x", "y += [3]", "return x"], r"'x\[:\]' is a copy"),
    "a name after a branch": (["if x[0] > 3:", "    n = 2", "return [n]"], "'n' is not defined here on every way"),
    "a list or a number": (["n = x if x[0] > 3 else 1", "return x"], r"a value is list\[int\] on one way and int on"),
}  # fmt: skip


# The line and the column of what is refused, where it is not the beginning of the first line.
PLACES = {
    "a step that is not written": (1, 20), "a step of zero": (1, 20), "two loops in a comprehension": (1, 8),
    "a slice with a step": (1, 8), "too many arguments": (1, 8), "a named argument": (1, 8), "a float": (1, 9),
    "a brace in a message": (1, 16), "a closing brace in a message": (1, 16), "an opening brace in a message": (1, 16),
    "a number that is asserted": (1, 8), "a loop over a number": (1, 20), "a tuple's member by a number": (2, 9),
    "a name after a branch": (3, 9), "a list or a number": (1, 5), "a method in a branch in a loop": (3, 9),
    "a name in a loop while": (4, 9),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_what_the_language_lacks_is_refused_at_its_line(name: str, tmp_path: Path) -> None:
    lines, said = REFUSED[name]
    made = function(tmp_path, lines)
    with pytest.raises(LibraryError, match=said) as raised:
        Compiler().compile(made)
    line, column = PLACES.get(name, (1, 1))
    assert raised.value.location == f"{tmp_path / 'it.py'}:{len(HEAD.splitlines()) + 1 + line}:{column + 4}"


@pytest.mark.parametrize(
    ("signature", "line", "said"),
    [
        ("(x: Shape) -> bool", "return x[0]", "expected bool, found int: "),
        ("(x: Shape) -> int", "return x", "expected int, found list"),
        ("(x: Shape) -> Shape", "return x[0]", "expected list"),
        ("(x: Shape) -> tuple[int, int]", "return x[0], x", "expected int, found list"),
        ("(x: Shape) -> tuple[int, int]", "return x[0], x[1], x[2]", "expected tuple"),
    ],
)
def test_results_of_another_type_are_refused(signature: str, line: str, said: str, tmp_path: Path) -> None:
    with pytest.raises(LibraryError) as raised:
        Compiler().compile(function(tmp_path, [line], signature))
    assert raised.value.message.startswith(said)


MIXED = "(x: Shape, y: list[int] | None, n: int, t: tuple[int, int], s: list[Shape]) -> Shape"


@pytest.mark.parametrize(
    ("line", "said"),
    [
        *[(f"{name}.{method}({value})", f"a method of {type_}: {name}.{method}")
          for name, type_ in (("y", "list[int] | None"), ("n", "int"), ("t", "tuple[int, int]"))
          for method, value in (("append", "3"), ("extend", "x"))],
        ("x.extend(None)", "expected list[int], found None: None"),
        ("x.extend(n)", "expected list[int], found int: n"),
        ("x.extend(s)", "expected list[int], found list[list[int]]: s"),
        ("s.extend(x)", "expected list[list[int]], found list[int]: x"),
        ("x.append(x)", "expected int, found list[int]: x"),
        ("x.append(None)", "expected int, found None: None"),
        ("s.append(n)", "expected list[int], found int: n"),
    ],
)  # fmt: skip
def test_lists_alone_are_made_longer_and_by_what_is_in_them(line: str, said: str, tmp_path: Path) -> None:
    with pytest.raises(LibraryError) as raised:
        Compiler().compile(function(tmp_path, [line, "return x"], MIXED))
    assert said in raised.value.message
    lines = ['assert y is not None, "no"', "y.append(n)", "x.extend(y)", "s.append(x)", "s.extend([y])"]
    made = function(tmp_path, [*lines, "return s[-2] + s[-1]"], MIXED)
    assert compiled(made, (1, 2), True, (5,), 7, 0, 0, (), ()) == ((1, 2, 5, 7, 5, 7),)


def test_functions_that_call_each_other_are_refused(tmp_path: Path) -> None:
    made = function(tmp_path, ["return other(x)", "", "def other(x: Shape) -> Shape:", "    return third(x)", "",
                               "def third(x: Shape) -> Shape:", "    return it(x)"])  # fmt: skip
    text = (tmp_path / "it.py").read_text().replace("    def ", "def ").replace("        return", "    return")
    (tmp_path / "it.py").write_text(text)
    names: dict[str, Any] = {}
    exec(compile(text, str(tmp_path / "it.py"), "exec"), names)
    assert made.__name__ == "it"
    for name in ("it", "other", "third"):
        with pytest.raises(LibraryError, match=f"'{name}' calls itself"):
            Compiler().compile(names[name])
