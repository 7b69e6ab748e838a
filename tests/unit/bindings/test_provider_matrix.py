"""The record of what passes with each provider says what the suites said."""

from __future__ import annotations

import argparse
import importlib.util
import sys
import xml.etree.ElementTree as ElementTree

import on_cluster
import provider_matrix
import provider_page
import pytest

needs_dask = pytest.mark.skipif(importlib.util.find_spec("distributed") is None, reason="needs the extra cluster")

LIT = [
    {"name": "suite :: a.mlir", "code": "PASS", "output": ""},
    {"name": "suite :: b.mlir", "code": "FAIL", "output": "error: b"},
    {"name": "suite :: c.mlir", "code": "UNRESOLVED", "output": "error: c"},
    {
        "name": "suite :: d.mlir",
        "code": "UNSUPPORTED",
        "output": "Test requires the following unavailable features: pass-x, op-y",
    },
    {
        "name": "suite :: e.mlir",
        "code": "UNSUPPORTED",
        "output": "Test does not support the following features and/or targets: z",
    },
]
PYTEST = """<testsuites><testsuite>
  <testcase classname="t" name="a"/>
  <testcase classname="t" name="b"><failure message="m">m</failure></testcase>
  <testcase classname="t" name="c"><error message="m">m</error></testcase>
  <testcase classname="t" name="d"><skipped message="no chromium">m</skipped></testcase>
  <testcase classname="t" name="e"><skipped message="no chromium">m</skipped></testcase>
</testsuite></testsuites>"""
MISSING = {"dialects": ["sdy"], "passes": ["cse", "sdy-a", "sdy-b"], "capabilities": []}
ABOUT = {"version": "9.9", "stablehlo": "1.2.3", "oldest_stablehlo": "0.9.0", "bytecode": 6, "missing": MISSING}


def test_reports_are_counted():
    assert provider_matrix.lit_result(LIT) == {
        "passed": 1,
        "unsupported": 2,
        "failed": ["b.mlir", "c.mlir"],
        "reasons": {"not z": 1, "pass-x, op-y": 1},
    }
    assert provider_matrix.unit_result(list(ElementTree.fromstring(PYTEST).iter("testcase"))) == {
        "passed": 1,
        "unsupported": 2,
        "failed": ["t::b", "t::c"],
        "reasons": {"no chromium": 2},
    }


def test_the_page_says_what_is_lacking_and_what_fails(monkeypatch):
    monkeypatch.setattr(provider_page, "parts", lambda: {"lit": ["cli", "infer"], "unit": ["test_a"]})
    beside = {
        "jax": "9.9",
        "jaxlib": "9.9",
        "pip check": "No broken requirements found.",
        "interpretation": "Error: no",
    }
    found = {"about": ABOUT, "lit": {"cli": provider_matrix.lit_result(LIT)}, "jax": beside}
    text = provider_page.page({"9.9": found}, {"9.9": "3.13"})
    cells = "1.2.3 | 0.9.0 | 6 | 1 of 3, 2 other, in 1 of 2 parts | not run"
    assert f"| jaxlib 9.9 | 3.13 | {cells} | jax 9.9: no broken requirements found, Error: no |\n" in text
    for line in (
        "- lacks passes: cse, 2 of these dialects",
        "- features that other lit tests ask for: not z (1), passes listed above (1)",
        "- fails: `b.mlir`",
    ):
        assert f"{line}\n" in text


LIT_PROGRAM = f"""#!{sys.executable}
import json, sys
report, suite = sys.argv[3], sys.argv[4]
open(report, "w").write(json.dumps({{"tests": [{{"name": f"s :: {{suite}}", "code": "FAIL", "output": "error: b"}}]}}))
"""


@pytest.mark.skipif(sys.platform == "win32", reason="plants a program by its first line")
@pytest.mark.parametrize("cluster", ["", pytest.param("local", marks=[needs_dask, pytest.mark.release])])
def test_suites_are_run_in_their_environment_here_and_by_workers(tmp_path, cluster):
    release = provider_matrix.RELEASES[0]
    lit = provider_matrix.Environment(release, tmp_path).folder / "bin" / "lit"
    lit.parent.mkdir(parents=True)
    lit.write_text(LIT_PROGRAM)
    lit.chmod(0o755)
    tasks = [(release.name, "lit", suite) for suite in ("cli", "opt", "infer")]
    found = on_cluster.results(provider_matrix.Suites(tmp_path), tasks, cluster, 2)
    failed = {each[:3]: each[3]["failed"] for each in found if each[3] is not None}
    assert failed == {task: [f"tests/lit/{task[2]}"] for task in tasks}


def test_a_suite_whose_workers_end_has_failed():
    work = provider_matrix.Suites(provider_matrix.ROOT)
    assert work.lost(("9.9", "lit", "cli"), "they ended")[3]["failed"] == ["cli (they ended)"]
    assert work.lost(("9.9", "jax", ""), "they ended")[3] == {"error": "jax: they ended"}


def test_a_number_of_workers_is_positive(capsys):
    parser = argparse.ArgumentParser()
    on_cluster.add_options(parser)
    assert parser.parse_args(["--cluster=local", "-j3"]).jobs == 3
    with pytest.raises(SystemExit):
        parser.parse_args(["--jobs=0"])
    assert "expected a positive number, found '0'" in capsys.readouterr().err
