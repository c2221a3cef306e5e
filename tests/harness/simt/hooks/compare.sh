#!/usr/bin/env bash
# Which ways of checking find which mistakes, and what they cost: the table of harness/simt/hooks/README.md.
#
#   tests/harness/simt/hooks/compare.sh FOLDER     builds four programs in FOLDER, prints two tables in Markdown
#
# A mistake counts as found if the program says something about it in the ascending or in the random order.
set -euo pipefail
cd "$(dirname "$0")/../../../.."
out=${1:?name a folder for the programs}
mkdir -p "$out"
flags=(-std=c++20 -I. -g -gdwarf-4 -fno-omit-frame-pointer -ffp-contract=off -w -pthread)
cases=(memory_mistakes races right)

build() {  # NAME, options of the kernels, of the runtime, of the linker; further sources
    local name=$1 objects=() kernel runtime link
    read -r -a kernel <<<"$2"
    read -r -a runtime <<<"$3"
    read -r -a link <<<"$4"
    shift 4
    [ -x "$out/$name" ] && return
    for source in harness/simt/emulator/*.cpp "$@"; do
        objects+=("$out/$name.$(basename "$source" .cpp).o")
        g++ "${flags[@]}" -O2 "${runtime[@]}" -c "$source" -o "${objects[-1]}"
    done
    for source in "${cases[@]}" speed; do
        local file=tests/harness/simt/hooks/$source.cu
        [ "$source" = speed ] && file=tests/harness/simt/speed/speed.cu
        objects+=("$out/$name.$source.cu.o")
        printf '#define LOCKSTEP_EMULATOR 1\n#include "%s"\n' "$file" |
            g++ "${flags[@]}" -O1 "${kernel[@]}" -x c++ -c - -o "${objects[-1]}"
    done
    objects+=("$out/$name.main.o")
    g++ "${flags[@]}" -O1 "${kernel[@]}" -c tests/harness/simt/hooks/one_case.cpp -o "${objects[-1]}"
    g++ "${objects[@]}" -pthread "${link[@]}" -ldl -o "$out/$name"
}

build default "" "" ""
build asan "-fsanitize=address,undefined" "-fsanitize=address,undefined" "-fsanitize=address,undefined"
build tsan "-fsanitize=thread -DLOCKSTEP_THREAD_SANITIZER=1" "-DLOCKSTEP_THREAD_SANITIZER=1" "-fsanitize=thread"
build hooks "-fsanitize=thread -fsanitize-coverage=trace-pc -fno-reorder-blocks -Wno-tsan --param tsan-distinguish-volatile=1 -DLOCKSTEP_SIMT_HOOKS=1" \
    "" "-Wl,--wrap=memcpy,--wrap=memmove,--wrap=memset" harness/simt/hooks/*.cpp

verdict() {  # PROGRAM CASE
    for order in 0 2; do
        TSAN_OPTIONS="exitcode=66" timeout 60 "$out/$1" "$2" "$order" >"$out/$1.$2.$order.txt" 2>&1 || {
            local code=$?
            # A signal that no tool explains is no message.
            [ "$code" -ge 128 ] && ! grep -q Sanitizer "$out/$1.$2.$order.txt" && { echo signal; return; }
            echo found
            return
        }
        grep -q "runtime error:" "$out/$1.$2.$order.txt" && { echo found; return; }
    done
    echo -
}

echo "| mistake | default | asan | tsan | hooks |"
echo "| --- | --- | --- | --- | --- |"
"$out/default" list | while IFS='|' read -r name mistake; do
    [ "$mistake" = right ] && mistake="correct kernel: $name"
    echo "| $mistake | $(verdict default "$name") | $(verdict asan "$name") | $(verdict tsan "$name") | $(verdict hooks "$name") |"
done
echo
echo "Nanoseconds per lane and round, on one CPU thread:"
echo
echo "| kernel | default | asan | tsan | hooks | hooks, counters |"
echo "| --- | --- | --- | --- | --- | --- |"
for program in default asan tsan hooks; do "$out/$program" time >"$out/$program.time"; done
COUNTERS=1 "$out/hooks" time >"$out/counters.time"
join "$out/default.time" "$out/asan.time" --nocheck-order | join - "$out/tsan.time" --nocheck-order |
    join - "$out/hooks.time" --nocheck-order | join - "$out/counters.time" --nocheck-order | sed 's/ / | /g; s/.*/| & |/'
