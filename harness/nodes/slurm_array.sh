#!/usr/bin/env bash
# A Slurm array job: a task a shard, each on a GPU of its own, on as many nodes as Slurm likes. README.md beside this says more.
#   sbatch --array=0-7 --gpus=1 harness/nodes/slurm_array.sh EXPERIMENT... [OPTION OF lockstep run]...
# Submitted from the top of the tree. LOCKSTEP_BINARY names the program (build/release/lockstep).
#SBATCH --job-name=lockstep
#SBATCH --output=lockstep-%A-%a.txt
set -euo pipefail

fail() {
    echo "lockstep: $*" >&2
    exit 2
}

[[ -n "${SLURM_ARRAY_TASK_ID:-}" ]] || fail "this is no array job (SLURM_ARRAY_TASK_ID is not set) use sbatch --array=0-7"
# Slurm may have dropped or begun elsewhere than at 0 (--array=1-8, 0-14:2): then shards would be missing.
first=${SLURM_ARRAY_TASK_MIN:?} last=${SLURM_ARRAY_TASK_MAX:?} count=${SLURM_ARRAY_TASK_COUNT:?}
if ((first != 0 || last + 1 != count)); then
    fail "array $first-$last of $count tasks (shards are numbered from 0 without gaps) use --array=0-$((count - 1))"
fi
(($# > 0)) || fail "nothing to run (no experiment is named) see lockstep list"
binary=${LOCKSTEP_BINARY:-$SLURM_SUBMIT_DIR/build/release/lockstep}
[[ -x "$binary" ]] || fail "no program at $binary (it is not built) run ./lockstep devices, which builds it"

exec "$binary" run "$@" --shard "$SLURM_ARRAY_TASK_ID/$count"
