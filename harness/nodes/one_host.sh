#!/usr/bin/env bash
# Runs `lockstep run` in shards on the GPUs of this host in parallel, one process per GPU. README.md has examples.
#   harness/nodes/one_host.sh [--shards N] EXPERIMENT... [OPTION OF lockstep run]...
# N defaults to the number of GPUs. LOCKSTEP_BINARY names the program (build/release/lockstep).
set -euo pipefail

top=$(cd -- "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")/../.." && pwd)
binary=${LOCKSTEP_BINARY:-$top/build/release/lockstep}

fail() {
    echo "lockstep: $*" >&2
    exit 2
}

# The GPUs that this process may use, by index or by UUID.
gpus=()
if [[ -n "${CUDA_VISIBLE_DEVICES+set}" ]]; then
    IFS=, read -ra gpus <<<"$CUDA_VISIBLE_DEVICES"
elif command -v nvidia-smi >/dev/null && listed=$(nvidia-smi --query-gpu=index --format=csv,noheader 2>/dev/null); then
    mapfile -t gpus <<<"$listed"
fi

shards=${#gpus[@]}
if [[ "${1:-}" == --shards ]]; then
    shards=${2:-}
    [[ "$shards" =~ ^[1-9][0-9]*$ ]] || fail "invalid --shards ${shards:-without a number} (it must be a number, at least 1) try --shards 2"
    shift 2
fi
((shards > 0)) || fail "no GPU here (nvidia-smi lists none) set the number of processes with --shards N"
(($# > 0)) || fail "nothing to run (no experiment is named) choose one from lockstep list"
[[ -x "$binary" ]] || fail "no program at $binary (it is not built) run ./lockstep devices, which builds it"

children=()
stop() { kill "${children[@]}" 2>/dev/null || true; }
trap 'stop; exit 130' INT TERM

for ((index = 0; index < shards; ++index)); do
    if ((${#gpus[@]} > 0)); then
        export CUDA_VISIBLE_DEVICES=${gpus[index % ${#gpus[@]}]}
    fi
    "$binary" run "$@" --shard "$index/$shards" > >(sed -u "s|^|$index/$shards: |") 2> >(sed -u "s|^|$index/$shards: |" >&2) &
    children+=($!)
done

failed=()
for ((index = 0; index < shards; ++index)); do
    wait "${children[index]}" || failed+=("$index/$shards")
done
if ((${#failed[@]} > 0)); then
    echo "lockstep: shards that failed: ${failed[*]}" >&2
    exit 1
fi
