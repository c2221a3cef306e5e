#!/usr/bin/env bash
# Fuzzes every parser: run.sh [SECONDS [TARGET...]] builds the preset `fuzz` and runs each target, by default all of
# them, for so many seconds (60). Findings are in build/fuzz/findings, new inputs in build/fuzz/corpus.
# Prints one line per target. Exit code 1 if there is a finding, 77 if there is no clang++.
#   LOCKSTEP_FUZZ_JOBS   targets that run at a time (2)
#   LOCKSTEP_FUZZ_SEED   of the mutations (0: another one in each run)
set -euo pipefail
cd -- "$(dirname -- "${BASH_SOURCE[0]}")/../.."

seconds=${1:-60}
if [[ ! "$seconds" =~ ^[1-9][0-9]*$ ]]; then
    echo "invalid SECONDS $seconds (must be a positive integer) try tests/fuzz/run.sh 60" >&2
    exit 2
fi
shift $(($# > 0 ? 1 : 0))
if ! command -v clang++ >/dev/null; then
    echo "fuzz: skipped (no clang++; fuzz_corpus_test replays tests/fuzz/corpus)"
    exit 77
fi

build=build/fuzz
mkdir -p "$build/log" "$build/findings"
targets=("$@")
if ((${#targets[@]} == 0)); then
    for folder in tests/fuzz/corpus/*/; do
        targets+=("$(basename "$folder")")
    done
fi

# quietly NAME COMMAND...: shows the output of a command only if it fails.
quietly() {
    local log="$build/log/$1.txt"
    shift
    "$@" >"$log" 2>&1 || {
        tail -n 40 "$log" >&2
        exit 1
    }
}

# CMake writes its cache even if it fails.
if [[ ! -f "$build/build.ninja" && ! -f "$build/Makefile" ]]; then
    if command -v ninja >/dev/null; then
        export CMAKE_GENERATOR=${CMAKE_GENERATOR:-Ninja}
    fi
    quietly configure cmake --preset fuzz -DFETCHCONTENT_FULLY_DISCONNECTED=ON
fi
quietly build cmake --build --preset fuzz --target "${targets[@]/%/_fuzzer}" --parallel "${LOCKSTEP_FUZZ_JOBS:-2}"

# Parsers that read a path read it from memory.
scratch=$(mktemp -d -p "$([[ -w /dev/shm ]] && echo /dev/shm || echo "${TMPDIR:-/tmp}")" lockstep-fuzz-XXXXXX)
trap 'rm -rf "$scratch"' EXIT
export TMPDIR=$scratch ASAN_OPTIONS=quarantine_size_mb=64 UBSAN_OPTIONS=print_stacktrace=1

# seeds_of TARGET: the folders with its first inputs.
seeds_of() {
    echo "tests/fuzz/corpus/$1"
    case $1 in
        rec | trs) printf '%s\n' experiments/term_rewriting/systems tests/term_rewriting/corpus ;;
    esac
}

# words_of TARGET: its dictionary, if any.
words_of() {
    case $1 in
        json | merge | migrate | results | sweeps) echo tests/fuzz/words/json.dict ;;
        *) [[ ! -f "tests/fuzz/words/$1.dict" ]] || echo "tests/fuzz/words/$1.dict" ;;
    esac
}

# show_findings TARGET: what was found and the input, so that the output of a run elsewhere is enough to repeat it.
show_findings() {
    local input
    grep -m 3 -E 'what\(\):|ERROR: |SUMMARY: ' "$build/log/$1.txt" >&2 || tail -n 5 "$build/log/$1.txt" >&2
    for input in "$build/findings/$1"-*; do
        if [[ -f "$input" && "$input" -nt "$build/log/$1.begun" ]]; then
            echo "fuzz: $input in base64, gzipped:" >&2
            gzip -9 -c "$input" | base64 >&2
        fi
    done
}

# fuzz TARGET: prints its line of the table. A finding ends the target.
fuzz() {
    local target=$1 log="$build/log/$1.txt" seeds dictionary inputs=0 spent coverage code=0
    local begun=$SECONDS
    mapfile -t seeds < <(seeds_of "$target")
    dictionary=$(words_of "$target")
    mkdir -p "$build/corpus/$target"
    touch "$build/log/$target.begun"
    "$build/tests/fuzz/${target}_fuzzer" -max_total_time="$seconds" -timeout=2 -rss_limit_mb=2048 -malloc_limit_mb=2048 \
        -seed="${LOCKSTEP_FUZZ_SEED:-0}" -max_len=8192 -print_final_stats=1 -artifact_prefix="$build/findings/$target-" \
        ${dictionary:+-dict="$dictionary"} "$build/corpus/$target" "${seeds[@]}" >"$log" 2>&1 || code=$?
    spent=$((SECONDS - begun))
    inputs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log" | tail -n 1)
    coverage=$(sed -n 's/.* cov: \([0-9]*\) .*/\1/p' "$log" | tail -n 1)
    printf '%-10s %10s %8s %9s %9s\n' "$target" "${inputs:-?}" "$spent" "${coverage:-?}" "$((code != 0))"
    ((code == 0)) || show_findings "$target"
    return $((code != 0))
}

printf '%-10s %10s %8s %9s %9s\n' target inputs seconds coverage findings
failed=0
running=0
for target in "${targets[@]}"; do
    if ((running >= ${LOCKSTEP_FUZZ_JOBS:-2})); then
        wait -n || failed=1
        running=$((running - 1))
    fi
    fuzz "$target" &
    running=$((running + 1))
done
for ((; running > 0; running--)); do
    wait -n || failed=1
done
if ((failed)); then
    echo "fuzz: there are findings (inputs in $build/findings, reports in $build/log)" >&2
fi
exit "$failed"
