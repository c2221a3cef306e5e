#!/usr/bin/env bash
# reproducible.sh PRESET [TARGET...]: builds the committed tree twice from nothing, in two folders, and compares the digests
# of all programs and libraries. A build with CUDA or AddressSanitizer is equal only in equal folders
# (cmake/reproducible.cmake), so its two builds take turns in one folder.
set -Eeuo pipefail

preset=${1:?usage: reproducible.sh PRESET [TARGET...]}
shift
targets=("${@:-all}")
top=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/../.." && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
trap 'echo "reproducible.sh: line $LINENO failed" >&2' ERR

# build FOLDER DIGESTS: exports the tree into the folder, builds it, and writes a line per binary.
build() {
    rm -rf "$1"
    mkdir -p "$1"
    git -C "$top" archive HEAD | tar -x -C "$1"
    (
        cd "$1"
        cmake --preset "$preset" -DFETCHCONTENT_FULLY_DISCONNECTED=ON
        cmake --build "build/$preset" --target "${targets[@]}" --parallel "$(nproc)"
    ) >"$folder/log" 2>&1 || {
        tail -n 40 "$folder/log" >&2
        exit 1
    }
    (cd "$1/build/$preset" && find . -type f \( -name '*.a' -o -perm -u+x -size +8k ! -path '*/CMakeFiles/*' \) -print0 |
        sort -z | xargs -0 sha256sum) >"$2"
}

first=$folder/first
second=$folder/second/with/a/longer/name
build "$first" "$folder/first.txt"
sanitized=$(find "$first/build/$preset" -name '*_asan.a' -print -quit)
if [[ -n "$sanitized" ]] || compgen -G "$first/build/$preset/CMakeFiles/*/CMakeCUDACompiler.cmake" >/dev/null; then
    second=$first
fi
build "$second" "$folder/second.txt"
if ! diff "$folder/first.txt" "$folder/second.txt"; then
    echo "the builds differ"
    exit 1
fi
echo "$(wc -l <"$folder/first.txt") binaries are equal in two builds of $preset, in $first and $second"
