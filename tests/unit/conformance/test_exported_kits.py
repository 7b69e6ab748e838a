"""The kit as files: what its manifest says, what is refused, and how a foreign runner's files are scored."""

from __future__ import annotations

import hashlib
import json
import tomllib
from datetime import date
from pathlib import Path

import numpy as np
import pytest

from stablehlo_py.artifacts.header import read_header
from stablehlo_py.artifacts.versions import current_version
from stablehlo_py.bindings import ir, make_context
from stablehlo_py.conformance.catalog import Choice, cases
from stablehlo_py.conformance.score.export import FORMAT, MANIFEST, check, export, exported_cases
from stablehlo_py.conformance.score.profile import profile_toml
from stablehlo_py.conformance.score.run import Report, run
from stablehlo_py.conformance.score.scoring import Score, scored
from stablehlo_py.errors import InputError, UsageError
from stablehlo_py.interpreter.program import Program
from stablehlo_py.interpreter.storage import as_stored
from stablehlo_py.isolation.policy import guarding

CHOICE = Choice(ops=("tan", "rng", "not", "sort"), types=("f32", "i1"), level="smoke", seed=3)


@pytest.fixture(scope="module")
def kit(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("kit")
    with guarding(False):
        assert export(str(folder), CHOICE, "1.0.0") == len(list(cases(CHOICE)))
    return folder


def manifest_of(kit: Path) -> dict:
    return json.loads((kit / MANIFEST).read_text(encoding="utf-8"))


def test_the_manifest_has_each_case_with_its_fields_and_hashes(kit: Path) -> None:
    manifest, every = manifest_of(kit), list(cases(CHOICE))
    head = {key: value for key, value in manifest.items() if key != "cases"}
    assert head == {"format": FORMAT, "stablehlo": "1.0.0", "level": "smoke", "seed": 3}
    assert [each["case"] for each in manifest["cases"]] == [case.name for case in every]
    for record, case in zip(manifest["cases"], every, strict=True):
        assert (record["op"], record["type"], record["kind"]) == (case.op, case.type, case.kind)
        assert (record["spec"], record["expectation"]) == (case.reference, case.source)
        assert record["parameters"] == list(case.parameters)
        assert record["results"] == [
            {
                "type": each.type,
                "element": each.element,
                "rule": each.rule,
                "ulp": each.ulp,
                "dimension": each.dimension,
            }
            for each in case.expected
        ]
        home = kit / case.op
        for end, digest in record["sha256"].items():
            assert hashlib.sha256((home / f"{case.name}{end}").read_bytes()).hexdigest() == digest
        ends = {".mlir", ".inputs.npz", ".expected.npz", *[".mlirbc"] * (case.op != "tan")}  # which 1.0.0 lacks
        assert set(record["sha256"]) == ends
        assert {path.name for path in home.glob(f"{case.name}.*")} == {f"{case.name}{end}" for end in ends}
        assert (home / f"{case.name}.mlir").read_text(encoding="utf-8") == case.module
        if ".mlirbc" in ends:
            assert "1.0.0" in str(read_header((home / f"{case.name}.mlirbc").read_bytes()))


def test_arrays_of_a_case_are_numbered_and_have_their_bounds(kit: Path) -> None:
    bounded = 0
    for case in cases(CHOICE):
        with np.load(kit / case.op / f"{case.name}.inputs.npz") as archive:
            assert [archive[name].tobytes() for name in archive.files] == [
                as_stored(array).tobytes() for array in case.inputs
            ]
        with np.load(kit / case.op / f"{case.name}.expected.npz") as archive:
            for number, each in enumerate(case.expected):
                assert archive[str(number)].tobytes() == as_stored(each.value).tobytes()
                for end, bound in ((".low", each.low), (".high", each.high)):
                    assert (f"{number}{end}" in archive) == (bound is not None)
                    if bound is not None:
                        bounded += 1
                        assert archive[f"{number}{end}"].tobytes() == bound.tobytes()
    assert bounded > 0


def test_cases_are_read_as_they_were_written(kit: Path) -> None:
    for read, case in zip(exported_cases(str(kit)), cases(CHOICE), strict=True):
        assert (read.name, read.number, read.source, read.reference) == (
            case.name, case.number, case.source, case.reference)  # fmt: skip
        for one, other in zip(read.expected, case.expected, strict=True):
            assert (one.rule, one.ulp, one.dimension, one.element) == (
                other.rule, other.ulp, other.dimension, other.element)  # fmt: skip
            assert one.value.tobytes() == other.value.tobytes()
            assert (one.low is None) == (other.low is None)


def copied(kit: Path, folder: Path) -> Path:
    for path in kit.rglob("*"):
        if path.is_file():
            target = folder / path.relative_to(kit)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(path.read_bytes())
    return folder


@pytest.mark.parametrize("end", [".mlir", ".inputs.npz", ".expected.npz"])
def test_a_kit_that_lacks_a_file_or_was_changed_is_refused(end: str, kit: Path, tmp_path: Path) -> None:
    folder = copied(kit, tmp_path)
    case = next(cases(CHOICE))
    path = folder / case.op / f"{case.name}{end}"
    path.write_bytes(path.read_bytes() + b" ")
    with pytest.raises(InputError, match="was changed: its hash is not the manifest's") as caught:
        list(exported_cases(str(folder)))
    assert str(path) in caught.value.message
    path.unlink()
    with pytest.raises(InputError, match=f"cannot read '{path}': No such file or directory"):
        list(exported_cases(str(folder)))


@pytest.mark.parametrize(
    ("text", "said"),
    [(None, "cannot read"), ("{", "cannot read"), ("[]", "is not a kit of format 1"),
     ("{}", "is not a kit of format 1"), ('{"format": 2, "cases": []}', "is not a kit of format 1")],
)  # fmt: skip
def test_what_is_no_manifest_is_refused(text: str | None, said: str, tmp_path: Path) -> None:
    if text is not None:
        (tmp_path / MANIFEST).write_text(text, encoding="utf-8")
    for read in (lambda: list(exported_cases(str(tmp_path))), lambda: check(str(tmp_path), str(tmp_path))):
        with pytest.raises(InputError, match=said) as caught:
            read()
        assert str(tmp_path / MANIFEST) in caught.value.message


def test_a_folder_that_cannot_be_written_and_an_unknown_version_are_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match=f"cannot write '{tmp_path}/file'"):
        export(str(tmp_path / "file"), CHOICE)
    with pytest.raises(UsageError, match=r"0\.0\.1"):
        export(str(tmp_path / "kit"), CHOICE, "0.0.1")
    assert not (tmp_path / "kit").exists()


def test_a_kit_is_of_the_current_version_by_default(tmp_path: Path) -> None:
    export(str(tmp_path), Choice(ops=("not",), types=("i1",), level="smoke"))
    manifest = manifest_of(tmp_path)
    assert (manifest["stablehlo"], manifest["level"], manifest["seed"]) == (str(current_version()), "smoke", 0)


@pytest.mark.parametrize(
    ("text", "verdict"),
    [("wrong: far", "wrong"), ("unsupported: no", "unsupported"), ("crash: signal 11\n", "crash"),
     ("timeout", "timeout"), ("pass", "crash"), ("it broke: so", "crash"), ("", "crash")],
)  # fmt: skip
def test_a_text_stands_for_a_verdict(text: str, verdict: str, kit: Path, tmp_path: Path) -> None:
    case = next(cases(CHOICE))
    (tmp_path / f"{case.name}.txt").write_text(text, encoding="utf-8")
    first = check(str(kit), str(tmp_path)).entries[0]
    assert first == scored(case, verdict, text.strip())  # type: ignore[arg-type]


def test_arrays_of_a_runner_are_judged_as_those_of_an_engine(kit: Path, tmp_path: Path) -> None:
    every, context = list(cases(CHOICE)), make_context()
    for case in every[1:]:
        results = Program(ir.Module.parse(case.module, context)).run(list(case.inputs))
        arrays = [as_stored(np.asarray(result)) for result in results]
        np.savez(tmp_path / f"{case.name}.npz", **{str(number): array for number, array in enumerate(arrays)})
    found = check(str(kit), str(tmp_path))
    assert [entry.verdict for entry in found.entries] == ["unsupported"] + ["pass"] * (len(every) - 1)
    assert found.entries[0].message == "there is no result"
    assert (found.engine, found.versions) == (f"results in {tmp_path}", {"kit": "StableHLO 1.0.0"})
    assert (found.choice.level, found.choice.seed, found.target) == ("smoke", 3, "")
    assert 0 < found.seconds < 60
    (tmp_path / f"{every[1].name}.npz").write_bytes(b"nothing")
    with pytest.raises(InputError, match=f"cannot read '{tmp_path}/{every[1].name}.npz'"):
        check(str(kit), str(tmp_path))


def test_several_jobs_score_the_cases_in_the_kits_order() -> None:
    choice, told = Choice(ops=("not", "tan"), types=("i1", "f32"), level="smoke"), list[Score]()
    one, two = run("reference", choice, finished=told.append), run("reference", choice, jobs=2, target="current")
    assert [entry.case for entry in one.entries] == [case.name for case in cases(choice)]
    assert list(one.entries) == told
    assert two.entries == one.entries
    assert (one.target, two.target, one.engine, one.choice) == ("", "current", "reference", choice)
    assert set(one.versions) == {"provider", "stablehlo", "python"}


def test_a_profile_has_what_passes_or_is_wrong_and_not_what_is_refused() -> None:
    choice = Choice(ops=("not", "tan", "sort", "negate"), types=("i1", "f32", "i32"), level="smoke", seed=1)
    verdicts = {"not": "pass", "tan": "unsupported", "sort": "wrong"}  # of negations nothing is known
    entries = [scored(case, verdicts[case.op]) for case in cases(choice) if case.op in verdicts]  # type: ignore[arg-type]
    text = profile_toml(Report("mine", {"a": "1", "b": "2"}, choice, "", tuple(entries), 1.0), []).decode()
    profile = tomllib.loads(text)
    about = {"engine": "mine", "versions": "a 1 b 2", "date": date.today().isoformat()}
    assert profile["about"] == about | {"cases": f"{len(entries)} of level smoke, seed 1"}
    inside = {f"stablehlo.{name}" for name in ("and", "compare", "constant", "if", "or", "return")}  # of sort's body
    assert set(profile["ops"]) == {"stablehlo.not", "stablehlo.sort", "stablehlo.tan", *inside}
    takes = {name: op["takes"] for name, op in profile["ops"].items()}
    assert sorted(takes["stablehlo.not"]["element types"]) == ["i1", "i32"]
    assert sorted(takes["stablehlo.sort"]["is_stable"]) == ["false", "true"]
    assert takes["stablehlo.tan"] == {}
