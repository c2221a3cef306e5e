#!/usr/bin/env bash
# A project of its own uses lockstep_weave(): its kernel is woven, woven again when it changes, and not otherwise.
# weave_project.sh LOCKSTEP COMPILER CMAKE SOURCE GENERATOR
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/src" "$folder/a b"
cat >"$folder/CMakeLists.txt" <<EOF
cmake_minimum_required(VERSION 3.25)
project(woven LANGUAGES CXX)
include("$4/cmake/weave.cmake")
add_executable(woven main.cpp)
lockstep_weave(woven src/kernel.cpp "a b/advised.cpp" ADVISE wlp_.*=@warp)
EOF
cat >"$folder/src/lanes.hpp" <<'EOF'
#define __global__
struct Lane { unsigned x = 0, y = 0, z = 0; };
inline Lane threadIdx{3, 0, 0}, blockIdx, blockDim{32, 1, 1}, gridDim{1, 1, 1};
inline int warpSize = 32;
EOF
echo '#include "../src/lanes.hpp"
__global__ void wlp_advised(int* calls) { ++*calls; }' >"$folder/a b/advised.cpp"
printf '%s\n' '#include "lanes.hpp"' '// @warp' '__global__ void kernel(int* calls) {' '    ++*calls;' '}' >"$folder/src/kernel.cpp"
echo 'void kernel(int*);
void wlp_advised(int*);
int main() {
    int calls = 0;
    kernel(&calls);
    wlp_advised(&calls);
    return calls;
}' >"$folder/main.cpp"
build() { "$3" --build "$folder/build" >"$folder/log" 2>&1 || { cat "$folder/log"; exit 1; }; }
"$3" -G "$5" -S "$folder" -B "$folder/build" -D LOCKSTEP_PROGRAM="$1" -D CMAKE_CXX_COMPILER="$2" -D CMAKE_BUILD_TYPE=Release \
    >"$folder/log" 2>&1 || { cat "$folder/log"; exit 1; }
build "$@"
"$folder/build/woven" || { echo "lane 3 ran the body of a lone lane"; exit 1; }
build "$@"
if grep -q "Weaving" "$folder/log"; then
    echo "the file was woven again without a change"
    exit 1
fi
sleep 1.1
sed -i '/@warp/d' "$folder/src/kernel.cpp"
build "$@"
if ! grep -q "Weaving src/kernel.cpp" "$folder/log" || "$folder/build/woven"; then
    echo "the changed file was not woven again"
    exit 1
fi
