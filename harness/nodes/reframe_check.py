"""ReFrame checks: one test per shard, and one that checks that the set is complete and equals the whole run, if there is one.

README.md in this folder has an example. The environment variables LOCKSTEP_SHARDS (2), LOCKSTEP_RUN (arguments of `lockstep run`),
LOCKSTEP_OUT and LOCKSTEP_BINARY configure them.
"""

# mypy: ignore-errors
# ReFrame defines `parameter`, `run_before` and others in the bodies of its classes; type checkers do not know them.

import os
import shlex
from pathlib import Path

import reframe as rfm
import reframe.utility.sanity as sn
import reframe.utility.udeps as udeps

TOP = Path(__file__).resolve().parents[2]
SHARDS = int(os.environ.get("LOCKSTEP_SHARDS", "2"))
RUN = os.environ.get("LOCKSTEP_RUN", "random_grids --sweep quick")
OUT = Path(os.environ.get("LOCKSTEP_OUT", TOP / "build" / "reframe" / "results")).resolve()
BINARY = Path(os.environ.get("LOCKSTEP_BINARY", TOP / "build" / "release" / "lockstep")).resolve()


@rfm.simple_test
class LockstepShard(rfm.RunOnlyRegressionTest):
    """One shard: every case is verified, and timed if it runs on hardware."""

    index = parameter(range(SHARDS))
    valid_systems = ["*"]
    valid_prog_environs = ["*"]
    num_gpus_per_node = 1
    time_limit = "1h"
    executable = str(BINARY)

    @run_before("run")
    def name_the_shard(self):
        self.executable_opts = ["run", *shlex.split(RUN), "--shard", f"{self.index}/{SHARDS}", "--out", str(OUT)]

    @sanity_function
    def results_were_written_and_no_case_failed(self):
        return sn.all(
            [
                sn.assert_found(rf"results in \S*\.shard{self.index}of{SHARDS}\.json", self.stdout),
                sn.assert_not_found(r"failed, disagree or are not verified", self.stderr),
                sn.assert_eq(self.job.exitcode, 0),
            ]
        )

    @performance_function("cases")
    def verified_cases(self):
        return sn.count(sn.findall(r"^\[\d+/\d+\] \S+ +(?:ok|not timed)", self.stdout))


@rfm.simple_test
class LockstepShardsComplete(rfm.RunOnlyRegressionTest):
    """What the loader reports about the set of all shards."""

    valid_systems = ["*"]
    valid_prog_environs = ["*"]
    prerun_cmds = [f"python=$({TOP}/cmake/find_python.sh)"]
    executable = "$python"
    executable_opts = ["-m", "plots", "shards", str(OUT)]
    env_vars = {"PYTHONPATH": str(TOP)}

    @run_after("init")
    def wait_for_every_shard(self):
        for variant in LockstepShard.get_variant_nums():
            self.depends_on(LockstepShard.variant_name(variant), udeps.fully)

    @sanity_function
    def every_set_is_complete(self):
        return sn.all(
            [
                sn.assert_found(rf"in {SHARDS} shards: (\d+) of \1 cases complete", self.stdout),
                sn.assert_eq(self.job.exitcode, 0),
            ]
        )
