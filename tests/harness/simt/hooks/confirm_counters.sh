#!/usr/bin/env bash
# Emulated counters of a CUDA program beside those of a device: needs a GPU, nvcc and Nsight Compute.
#
#   LOCKSTEP_BINARY=build/release/lockstep tests/harness/simt/hooks/confirm_counters.sh FILE.cu [ARGUMENTS]
#
# Requests, sectors and wavefronts should be equal, and the lanes per instruction and the share of branches that are not
# divergent within 5 %. nvcc may load neighbouring words at once, which changes requests but not sectors.
set -eu
file=${1:?name a .cu file}
shift
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
nvcc -O1 -arch=native -lineinfo -o "$folder/program" "$file"
global=l1tex__t
shared=l1tex__data_pipe_lsu_wavefronts_mem_shared_op
metrics=
for operation in ld st atom red; do
    metrics+=${global}_requests_pipe_lsu_mem_global_op_$operation.sum,
    metrics+=${global}_sectors_pipe_lsu_mem_global_op_$operation.sum,
done
metrics+=smsp__inst_executed_op_shared_ld.sum,smsp__inst_executed_op_shared_st.sum,
metrics+=${shared}_ld.sum,${shared}_st.sum,
metrics+=smsp__sass_average_branch_targets_threads_uniform.pct,smsp__thread_inst_executed_per_inst_executed.ratio
echo "emulated:"
"${LOCKSTEP_BINARY:-./lockstep}" emulate --counters "$file" -- "$@" 2>&1 >/dev/null | sed -n '/^emulated sums/,$p'
echo "device:"
ncu --csv --page raw --metrics "$metrics" "$folder/program" "$@" | grep '^"'
