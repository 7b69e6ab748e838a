"""What starts quickly behaves as what it stands for: frozen dataclasses, patterns, modules that are imported later."""

from __future__ import annotations

import copy
import dataclasses
import json
import pickle
import re
import subprocess
import sys
from typing import ClassVar

import pytest

from stablehlo_py.lean import imported_later, mutable_record, pattern, record, replaced


@record
class Ours:
    """A place."""

    line: int
    column: int = 1
    notes: tuple[str, ...] = ()


@dataclasses.dataclass(frozen=True)
class Theirs:
    """A place."""

    line: int
    column: int = 1
    notes: tuple[str, ...] = ()


@pytest.mark.parametrize(
    ("values", "named"), [((1,), {}), ((1, 2), {}), ((), {"line": 1, "notes": ("a",)}), ((1,), {"column": 3})]
)
def test_records_are_frozen_dataclasses(values, named):
    one, other = Ours(*values, **named), Theirs(*values, **named)
    assert dataclasses.asdict(one) == dataclasses.asdict(other)
    assert repr(one) == repr(other).replace("Theirs", "Ours")
    assert one == Ours(*values, **named)
    assert hash(one) == hash(Ours(*values, **named))
    assert one != replaced(one, line=7) == dataclasses.replace(one, line=7)
    assert dataclasses.is_dataclass(one)
    assert [field.name for field in dataclasses.fields(Ours)] == [field.name for field in dataclasses.fields(Theirs)]
    for copied in (pickle.loads(pickle.dumps(one)), copy.deepcopy(one), copy.copy(one)):
        assert copied == one
    match one:
        case Ours(line, column):
            assert (line, column) == (other.line, other.column)


@pytest.mark.parametrize("kind", [Ours, Theirs])
@pytest.mark.parametrize(
    ("values", "named"), [((), {}), ((1, 2, (), 4), {}), ((1,), {"line": 1}), ((1,), {"row": 1}), ((), {"column": 1})]
)
def test_records_refuse_what_dataclasses_refuse(kind, values, named):
    with pytest.raises(TypeError):
        kind(*values, **named)


def test_records_of_which_there_are_many_stay_records():
    @record
    class Many:
        line: int
        column: int = 1

        @property
        def place(self):
            return self.line, self.column

    first = Many(0)
    ones = [Many(line) for line in range(20)]
    assert ones == [Many(line, column=1) for line in range(20)]
    assert [one.place for one in ones] == [(line, 1) for line in range(20)]
    assert (first, hash(first)) == (ones[0], hash(ones[0]))
    assert len({*ones, first}) == 20
    assert ones[0] != (0, 1)
    for values, named in (((), {}), ((1, 2, 3), {}), ((1,), {"line": 1}), ((1,), {"row": 1})):
        with pytest.raises(TypeError):
            Many(*values, **named)
    with pytest.raises(AttributeError):
        ones[0].line = 3


def test_mutable_records_change_and_are_each_themselves():
    @mutable_record
    class Counter:
        name: str
        count: int = 0

    ones = [Counter("a") for _ in range(12)]
    ones[0].count += 1
    assert [one.count for one in ones] == [1] + 11 * [0]
    assert ones[1] != ones[2]
    assert replaced(ones[0], name="b").count == 1
    assert [field.name for field in dataclasses.fields(Counter)] == ["name", "count"]


def test_dataclasses_derive_from_records():
    @record
    class Base:
        kind: ClassVar[str] = "base"

    @dataclasses.dataclass(frozen=True)
    class Derived(Base):
        limit: int = 3

    class Plain(Base):
        pass

    assert [field.name for field in dataclasses.fields(Derived)] == ["limit"]
    assert dataclasses.fields(Plain) == ()
    assert (Derived(4), Derived().limit, Plain()) == (Derived(limit=4), 3, Plain())
    with pytest.raises(AttributeError):
        Derived().limit = 5


@pytest.mark.parametrize("one", [Ours(1), Theirs(1)])
def test_records_do_not_change(one):
    with pytest.raises(AttributeError):
        one.line = 2
    with pytest.raises(AttributeError):
        del one.line
    assert one.line == 1
    assert one != (1, 1, ())


@pytest.mark.parametrize("expression", [r"(\d+):(?P<name>\w)", rb"(\d+)"])
def test_patterns_are_compiled_when_used(expression):
    compiled, found = re.compile(expression, re.DOTALL), pattern(expression, re.DOTALL)
    text = "12:a" if isinstance(expression, str) else b"12:a"
    assert found.search(text).groups() == compiled.search(text).groups()
    assert found.pattern == compiled.pattern
    assert found.flags == compiled.flags


SCRIPT = """
import json, sys
from stablehlo_py.lean import imported_later
with imported_later("calendar", "logging"):
    import calendar, logging
    logger = logging.getLogger("a")
    logger.debug("nobody reads this")
early = [name for name in ("calendar", "logging") if name in sys.modules]
weekday = calendar.weekday(2026, 11, 21)
import calendar as again
logger.warning("%s", "a warning")
with imported_later("calendar"):
    import calendar as third
print(json.dumps([early, weekday, again.weekday is calendar.weekday, third is again, "logging" in sys.modules]))
"""


def test_modules_are_imported_when_used():
    completed = subprocess.run([sys.executable, "-c", SCRIPT], capture_output=True, text=True, check=True)
    assert json.loads(completed.stdout) == [[], 5, True, True, True]
    assert completed.stderr == "a warning\n"


def test_modules_that_are_there_stay_as_they_are():
    with imported_later("json"):
        assert sys.modules["json"] is json


MEANWHILE = """
import sys
from stablehlo_py.lean import held_back, imported_later
with imported_later(meanwhile={"calendar": {"weekday": None}}):
    from calendar import weekday
    import calendar
print(weekday, "calendar" in sys.modules, calendar.weekday(2026, 11, 21))
with held_back("colorsys"):
    try:
        import colorsys
    except ImportError as error:
        print(error)
import colorsys
"""


def test_modules_have_other_attributes_meanwhile():
    completed = subprocess.run([sys.executable, "-c", MEANWHILE], capture_output=True, text=True, check=True)
    assert completed.stdout == "None False 5\ncolorsys is held back while another module is imported\n"
