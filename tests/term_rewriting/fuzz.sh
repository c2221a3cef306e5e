#!/usr/bin/env bash
# Fuzzes the parsers for a bounded time: fuzz.sh SOURCE_FOLDER WORK_FOLDER. Exit code 77 if clang has no
# libFuzzer.
set -euo pipefail
source=$1
work=$2
mkdir -p "$work/corpus"

compiler=$(command -v clang++ || true)
if [[ -z "$compiler" ]]; then
    echo "skipped: no clang++ here (the corpus is replayed by term_rewriting_language_test)"
    exit 77
fi
folder="$source/common/term_rewriting/language"
sources=("$source/tests/term_rewriting/parse_fuzzer.cpp" "$source/harness/bench/nearest.cpp" "$folder"/{builder,parse,parse_paper,parse_rec,print,system,tokens}.cpp)
newest=$(find "${sources[@]}" "$folder" "$source/tests/term_rewriting" -name '*.[ch]pp' -newer "$work/fuzzer" 2>/dev/null || echo new)
if [[ ! -x "$work/fuzzer" || -n "$newest" ]]; then
    # Compiles one combined file, so that headers are parsed once.
    printf '#include "%s"\n' "${sources[@]}" >"$work/all.cpp"
    if ! "$compiler" -std=c++20 -O1 -g1 -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=undefined -I "$source" \
        "$work/all.cpp" -o "$work/fuzzer" 2>"$work/build.txt"; then
        if grep -qE 'libclang_rt|unsupported option' "$work/build.txt"; then
            echo "skipped: this clang++ has no libFuzzer ($(tail -n 1 "$work/build.txt"))"
            exit 77
        fi
        cat "$work/build.txt"
        exit 1
    fi
fi
# Files of the source tree, preceded by the byte that selects their language.
for file in "$source"/experiments/term_rewriting/systems/*.rec "$source"/tests/term_rewriting/corpus/*.rec; do
    { printf r; head -c 4000 "$file"; } >"$work/corpus/$(basename "$file")"
done
for file in "$source"/experiments/term_rewriting/systems/*.trs "$source"/tests/term_rewriting/corpus/*.trs; do
    { printf t; head -c 4000 "$file"; } >"$work/corpus/$(basename "$file")"
done
cd "$work"
./fuzzer -max_total_time=5 -timeout=10 -rss_limit_mb=2048 -max_len=8192 -close_fd_mask=1 corpus 2>&1 | tail -n 20
