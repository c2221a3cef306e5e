#!/usr/bin/env bash
# The compiler reports an error in an annotated kernel at the user's own file and line (Section 5).
# weave_compiler_error.sh LOCKSTEP COMPILER
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
printf '%s\n' '#define __global__' 'struct { unsigned x, y, z; } threadIdx, blockIdx, blockDim, gridDim; int warpSize;' '// @warp' \
    '__global__ void kernel(float* values) {' '    values[warpIdx] = 1;' '    values[warpIdx] = undeclared;' '}' >"$folder/user.cu"
"$1" weave "$folder/user.cu" -o "$folder/woven.cpp"
if "$2" -std=c++20 -fsyntax-only "$folder/woven.cpp" 2>"$folder/errors"; then
    echo "the error was not reported"
    exit 1
fi
if ! grep -q "user.cu:6:.*undeclared" "$folder/errors"; then
    echo "the mistake in line 6 was reported elsewhere:"
    cat "$folder/errors"
    exit 1
fi
sed -i 's/undeclared/2/' "$folder/user.cu"
"$1" weave "$folder/user.cu" -o "$folder/woven.cpp"
"$2" -std=c++20 -fsyntax-only "$folder/woven.cpp"
