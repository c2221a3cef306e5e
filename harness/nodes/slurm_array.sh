#!/usr/bin/env bash
# A Slurm array job: one task per shard, each on its own GPU, on any number of nodes. README.md has an example.
#   sbatch --array=0-7 --gpus=1 harness/nodes/slurm_array.sh EXPERIMENT... [OPTION OF lockstep run]...
# Submit it from the top of the tree. LOCKSTEP_BINARY names the program (build/release/lockstep).
#SBATCH --job-name=lockstep
#SBATCH --output=lockstep-%A-%a.txt
set -euo pipefail

fail() {
    echo "lockstep: $*" >&2
    exit 2
}

[[ -n "${SLURM_ARRAY_TASK_ID:-}" ]] || fail "this is not an array job (SLURM_ARRAY_TASK_ID is not set) use sbatch --array=0-7"
# An array that has gaps or does not start at 0 (--array=1-8, 0-14:2) would leave shards out.
first=${SLURM_ARRAY_TASK_MIN:?} last=${SLURM_ARRAY_TASK_MAX:?} count=${SLURM_ARRAY_TASK_COUNT:?}
if ((first != 0 || last + 1 != count)); then
    fail "array $first-$last of $count tasks (shards are numbered from 0 without gaps) use --array=0-$((count - 1))"
fi
(($# > 0)) || fail "nothing to run (no experiment is named) choose one from lockstep list"
binary=${LOCKSTEP_BINARY:-$SLURM_SUBMIT_DIR/build/release/lockstep}
[[ -x "$binary" ]] || fail "no program at $binary (it is not built) run ./lockstep devices, which builds it"

exec "$binary" run "$@" --shard "$SLURM_ARRAY_TASK_ID/$count"
