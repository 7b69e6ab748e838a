"""What starts quickly behaves as what it stands for: frozen dataclasses, patterns, modules that are imported later."""

from __future__ import annotations

import copy
import dataclasses
import json
import pickle
import re
import subprocess
import sys

import pytest

from stablehlo_py.lean import imported_later, pattern, record, replaced


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
