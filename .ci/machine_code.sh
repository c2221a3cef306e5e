#!/usr/bin/env bash
# machine_code.sh OLD_TREE NEW_TREE OUT [JOBS]: compiles every kernel file of two trees with the flags of the release
# build, for sm_90, and compares the machine code kernel by kernel (machine_code.py). It needs nvcc but no GPU.
#
# The cubins stay in OUT/old and OUT/new. A cubin that exists is not compiled again, so an interrupted run can continue.
# If a tree has a build folder, its generated kernels are compared, too. So are the texts that `fast` and `as_printed`
# compile at run time, if OUT/texts has them; the emulator writes them there:
#
#   LOCKSTEP_CACHE=OUT/texts NEW_TREE/build/release/lockstep run term_rewriting --machine emulator --sweep quick_systems
set -euo pipefail

if (($# < 3)); then
    echo "machine_code.sh: three arguments needed (two trees and a folder for cubins) See the comment at its top." >&2
    exit 2
fi
for tree in "$1" "$2"; do
    if [[ ! -d $tree/harness ]]; then
        echo "machine_code.sh: $tree is not a tree of Lockstep (it has no folder harness) Give a checkout." >&2
        exit 2
    fi
done
here=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd)
mkdir -p "$3"
out=$(cd -- "$3" && pwd)
jobs=${4:-$(nproc)}
nvcc=$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)
# CMAKE_CUDA_FLAGS_RELEASE and cmake/kernels.cmake.
flags=(-std=c++20 -arch=sm_90 -O3 -DNDEBUG -fmad=false -Xcompiler=-ffp-contract=off -w)

# compile TREE FOLDER FILE: FILE relative to the tree.
compile() {
    local cubin=$2/${3//\//+}.cubin
    [[ -s $cubin ]] && return
    cd -- "$1"
    if "$nvcc" "${flags[@]}" -I. -cubin -o "$cubin.part" "$3" >"$cubin.log" 2>&1; then
        mv -- "$cubin.part" "$cubin"
    else
        echo "not compiled: $1/$3 (see $cubin.log)" >&2
        return 1
    fi
}

# compile_text TREE FOLDER TEXT: compiles a text for NVRTC with the tree's headers.
compile_text() {
    local cubin
    cubin=$2/text+$(basename -- "$3").cubin
    [[ -s $cubin ]] && return
    "$here/nvrtc_cubin.py" --include "$1" "$3" "$cubin"
}

kernel_files() {
    cd -- "$1"
    find harness common baselines kernels experiments -name '*.cu' | sort
    # From the most recent build folder.
    find build -type d -name built_in_kernels -printf '%T@ %p\n' 2>/dev/null | sort -n | tail -n 1 | cut -d' ' -f2- |
        xargs -r -I{} find {} -name '*.cu'
}

failed=0
for side in old new; do
    if [[ $side == old ]]; then tree=$(cd -- "$1" && pwd); else tree=$(cd -- "$2" && pwd); fi
    mkdir -p "$out/$side"
    running=0
    while IFS= read -r file; do
        if ((running >= jobs)); then
            wait -n || failed=1
            running=$((running - 1))
        fi
        compile "$tree" "$out/$side" "$file" &
        running=$((running + 1))
    done < <(kernel_files "$tree")
    while ((running > 0)); do
        wait -n || failed=1
        running=$((running - 1))
    done
    if [[ -d $out/texts ]]; then
        while IFS= read -r text; do
            compile_text "$tree" "$out/$side" "$text" || failed=1
        done < <(grep -rlE '__CUDACC__' --include='*.cpp' --exclude-dir='include-*' "$out/texts" | sort)
    fi
done
"$here/machine_code.py" "$out/old" "$out/new" || failed=1
exit "$failed"
