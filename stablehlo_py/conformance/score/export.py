"""The kit as plain files, and the scores of a foreign runner's results. docs/conformance.md has the format."""

from __future__ import annotations

import hashlib
import io
import json
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from ...artifacts.versions import resolve_version
from ...bindings import make_context
from ...bindings.narrowing import is_dict
from ...errors import InputError
from ...interpreter.storage import as_stored, from_stored
from ..case import Case, Expected
from ..catalog import Choice, cases
from ..generate.values import dtype_of
from .run import Report, artifact_of
from .scoring import Score, judge, scored

FORMAT = 1
MANIFEST = "manifest.json"
_FAILURES = ("wrong", "unsupported", "crash", "timeout")


def _archive(arrays: Mapping[str, np.ndarray]) -> bytes:
    """Return an .npz whose bytes depend on the arrays alone."""
    buffer = io.BytesIO()
    np.savez(buffer, allow_pickle=False, **{name: as_stored(array) for name, array in arrays.items()})
    return buffer.getvalue()


def _arrays(path: Path) -> dict[str, np.ndarray]:
    """Return the arrays in an .npz. Raises InputError."""
    try:
        with np.load(path, allow_pickle=False) as archive:
            return {name: archive[name] for name in archive.files}
    except (OSError, ValueError, EOFError, KeyError) as error:
        raise InputError(f"cannot read '{path}': {error}") from error


def _expected_arrays(case: Case) -> dict[str, np.ndarray]:
    found: dict[str, np.ndarray] = {}
    for number, each in enumerate(case.expected):
        found[str(number)] = each.value
        if each.low is not None and each.high is not None:
            found[f"{number}.low"], found[f"{number}.high"] = each.low, each.high
    return found


def files_of(case: Case, artifact: bytes | None) -> dict[str, bytes]:
    """The files of a case, by the ends of their names."""
    files = {
        ".mlir": case.module.encode(),
        ".inputs.npz": _archive({str(number): array for number, array in enumerate(case.inputs)}),
        ".expected.npz": _archive(_expected_arrays(case)),
    }
    return files if artifact is None else {**files, ".mlirbc": artifact}


def _record(case: Case, files: Mapping[str, bytes]) -> dict[str, Any]:
    """Return the entry of a case in the manifest."""
    return {
        "case": case.name,
        "op": case.op,
        "type": case.type,
        "kind": case.kind,
        "spec": case.reference,
        "expectation": case.source,
        "parameters": case.parameters,
        "results": [
            {name: getattr(each, name) for name in ("type", "element", "rule", "ulp", "dimension")}
            for each in case.expected
        ],
        "sha256": {end: hashlib.sha256(data).hexdigest() for end, data in files.items()},
    }


def export(folder: str, choice: Choice, target: str = "current") -> int:
    """Write the kit into a folder, with a folder for each op, and return the number of cases.

    Cases that the version cannot say have no artifact. Raises InputError if the folder cannot be written, UsageError
    for an unknown version.
    """
    version, context, records = str(resolve_version(target)), make_context(), list[dict[str, Any]]()
    root = Path(folder)
    try:
        for case in cases(choice):
            home = root / case.op
            home.mkdir(parents=True, exist_ok=True)
            files = files_of(case, artifact_of(case, target, context))
            for end, data in files.items():
                (home / f"{case.name}{end}").write_bytes(data)
            records.append(_record(case, files))
        head = {"format": FORMAT, "stablehlo": version, "level": choice.level, "seed": choice.seed}
        (root / MANIFEST).write_text(json.dumps({**head, "cases": records}, indent=1), encoding="utf-8")
    except OSError as error:
        raise InputError(f"cannot write '{folder}': {error.strerror}") from error
    return len(records)


def _manifest(folder: Path) -> dict[str, Any]:
    try:
        manifest = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise InputError(f"cannot read '{folder / MANIFEST}': {error}") from error
    if not is_dict(manifest) or manifest.get("format") != FORMAT:
        raise InputError(f"'{folder / MANIFEST}' is not a kit of format {FORMAT}")
    return manifest


def read_case(folder: Path, record: Mapping[str, Any]) -> Case:
    """Read an exported case. Raise InputError if a file is missing or was changed."""
    home = folder / record["op"]
    for end, digest in record["sha256"].items():
        path = home / f"{record['case']}{end}"
        try:
            found = hashlib.sha256(path.read_bytes()).hexdigest()
        except OSError as error:
            raise InputError(f"cannot read '{path}': {error.strerror}") from error
        if found != digest:
            raise InputError(f"'{path}' was changed: its hash is not the manifest's")
    expected = _arrays(home / f"{record['case']}.expected.npz")
    results = list[Expected]()
    for number, each in enumerate(record["results"]):
        bounds = expected.get(f"{number}.low"), expected.get(f"{number}.high")
        value = from_stored(expected[str(number)], dtype_of(each["element"]))
        results.append(Expected(value, each["element"], each["rule"], each["ulp"], *bounds, each["dimension"]))
    module = (home / f"{record['case']}.mlir").read_text(encoding="utf-8")
    fields, number = (record["op"], record["type"], record["kind"]), int(record["case"].rpartition(".")[2])
    return Case(*fields, module, (), tuple(results), record["expectation"], number)


def _scored(case: Case, results: Path) -> Score:
    """Return the score of a runner's files for a case: arrays, or a text whose first word is a verdict."""
    said = results / f"{case.name}.txt"
    if said.exists():
        text = said.read_text(encoding="utf-8", errors="replace").strip()
        verdict = text.partition(":")[0]
        return scored(case, verdict if verdict in _FAILURES else "crash", text)  # pyright: ignore[reportArgumentType]
    archive = results / f"{case.name}.npz"
    if not archive.exists():
        return scored(case, "unsupported", "there is no result")
    given = _arrays(archive)
    if sorted(given) != sorted(map(str, range(len(case.expected)))):
        message = f"the results are {', '.join(sorted(given))}, expected 0 to {len(case.expected) - 1}"
        return scored(case, "wrong", message)
    arrays = [from_stored(given[str(number)], dtype_of(each.element)) for number, each in enumerate(case.expected)]
    return judge(case, arrays)


def exported_cases(folder: str) -> Iterator[Case]:
    """Read the cases of an exported kit, checked against their hashes. Raises InputError."""
    root = Path(folder)
    for record in _manifest(root)["cases"]:
        yield read_case(root, record)


def check(folder: str, results: str) -> Report:
    """Score what a foreign runner wrote for an exported kit. Raises InputError if a file of the kit is damaged.

    The results are, for each case, `NAME.npz` (arrays `0`, `1`, … in the form of the inputs) or `NAME.txt`
    (`unsupported: why`, `crash: why` or `timeout: why`). A case with neither is not supported.
    """
    started, manifest = time.monotonic(), _manifest(Path(folder))
    entries = [_scored(case, Path(results)) for case in exported_cases(folder)]
    choice = Choice(level=manifest["level"], seed=manifest["seed"])
    name, versions = f"results in {results}", {"kit": f"StableHLO {manifest['stablehlo']}"}
    return Report(name, versions, choice, "", tuple(entries), time.monotonic() - started)
