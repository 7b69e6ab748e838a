"""The static check of communication has nothing to say about programs that run."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from stablehlo_py.passes.check_communication import CheckCommunication
from stablehlo_py.syntax import parse
from stablehlo_py.testing.lit import provider_features

SUITES = Path(__file__).parents[2] / "lit" / "interpret"
TALK = (
    "all_gather",
    "all_reduce",
    "all_to_all",
    "async_start",
    "collective_broadcast",
    "collective_broadcast.since_1_20",
    "collective_permute",
    "collective_reduce",
    "cross-replica-sum",
    "infeed",
    "partition_id",
    "reduce_scatter",
    "replica_id",
    "send",
)


@pytest.mark.parametrize("name", TALK)
def test_suites_that_pass_are_found_right(name):
    text = (SUITES / f"{name}.mlir").read_text()
    missing = set(re.findall(r"^// REQUIRES: (.*)", text, re.MULTILINE)) - provider_features()
    if missing:
        pytest.skip(f"these bindings lack {', '.join(missing)}, which the suite asks for")
    for chunk in text.split("// -----"):
        CheckCommunication().run(parse(chunk).operation)


def test_a_deadlock_that_runs_into_is_found_before():
    text = (SUITES / "recv.mlir").read_text()
    with pytest.raises(Exception, match="to which no process sends") as caught:
        CheckCommunication().run(parse(text).operation)
    assert str(caught.value).count("to which no process sends") == 2


def test_many_processes_and_ops_take_little_time():
    template = """%{after} = "stablehlo.all_to_all"(%{before}) {{
      split_dimension = 0 : i64, concat_dimension = 0 : i64, split_count = 64 : i64,
      replica_groups = dense<[{ids}]> : tensor<1x64xi64> }} : (tensor<64xf32>) -> tensor<64xf32>"""
    lines = [template.format(after=n + 1, before=n, ids=list(range(64))) for n in range(300)]
    text = "\n".join(lines)
    CheckCommunication(num_replicas=64, num_partitions=64).run(
        parse(
            "func.func @main(%x: tensor<64xf32>) -> tensor<64xf32> {\n%0 = stablehlo.negate %x : tensor<64xf32>\n"
            f"{text}\nreturn %300 : tensor<64xf32> }}"
        ).operation
    )
