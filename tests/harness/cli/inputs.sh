#!/usr/bin/env bash
# Every command that reads or writes files meets a FIFO that nobody opens, an endless device and a file that is too large:
# inputs.sh PROGRAM SOURCE_FOLDER. Each call must end with code 2 and one line, in 20 seconds and 2 GB of memory.
set -euo pipefail
program=$1
source=$2
systems=$source/experiments/term_rewriting/systems
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

fail() {
    echo "inputs.sh: $*"
    exit 1
}

timed() { timeout -k 1 20 "$program" "$@"; }
# CUDA and the terms of `rewrite` reserve more address space than this, so only calls that end before are limited.
limited() { (ulimit -v 2000000 && timed "$@"); }

# refused WORDS ARGUMENT...: the call fails with one line that contains the words.
refused() {
    local words=$1 code=0
    shift
    limited "$@" >out.txt 2>errors.txt || code=$?
    [[ $code == 2 ]] || fail "$* ended with $code, not 2: $(tail -n 3 errors.txt)"
    [[ $(wc -l <errors.txt) == 1 ]] || fail "$* wrote $(wc -l <errors.txt) lines: $(head -n 3 errors.txt)"
    grep -qF -- "$words" errors.txt || fail "$* did not say: $words, but: $(cat errors.txt)"
}

# accepted ARGUMENT...: the call succeeds; its output is in out.txt.
accepted() { timed "$@" >out.txt 2>errors.txt || fail "$* ended with $?: $(cat errors.txt)"; }

mkfifo fifo
mkdir folder
truncate -s 300M large
printf 'a b 5 50\nb a 7 60\n' >network
printf '%081d\n' 0 >puzzles
printf 'clients\n70\n' >design
printf '// @warp\n__global__ void f() {\n}\n' >source.cu
printf 'devices\n' >lines
cp "$systems/lists.rec" system.rec
results=("$source"/results/*/random_grids.json)
cp "${results[0]}" good.json

# A tree whose results and sweeps are FIFOs.
slug=$("$program" devices --json | sed -n 's/.*"slug": "\([^"]*\)".*/\1/p' | head -n 1)
mkdir -p "out/$slug" tree/experiments/random_grids
mkfifo "out/$slug/random_grids.json" tree/experiments/random_grids/sweeps.json

traffic=(traffic --cars 3 --pedestrians 4 --ticks 2 --machine cpu)
interpret=(interpret --rules sudoku --machine cpu)
replicate=(replicate mm1 --replications 3 --machine cpu)
run=(run --machine cpu --dry-run)

# Inputs. `{}` is the file.
inputs=(
    "rewrite {}"
    "weave {}"
    "${traffic[*]} --network {}"
    "${interpret[*]} --file {}"
    "${replicate[*]} --design {}"
    "batch {}"
    "merge {} --into into.json"
    "merge good.json --into {}"
    "migrate {}"
    "${run[*]} object_layout --network {}"
    "${run[*]} rule_interpreter --rules sudoku --puzzles {}"
)
for line in "${inputs[@]}"; do
    read -ra words <<<"$line"
    refused "(it is a FIFO)" "${words[@]//\{\}/fifo}"
    refused "(it is a device)" "${words[@]//\{\}//dev/zero}"
    refused "(it is a folder)" "${words[@]//\{\}/folder}"
    refused "raise it with --max-input" "${words[@]//\{\}/large}"
done
for name in fifo /dev/zero folder large; do
    printf '#include "%s"\n' "$name" >includes.rec
    refused "cannot include $name (cannot read $name (it is" rewrite includes.rec
    printf 'REC-SPEC X : %s\n' base >based.rec
    ln -sf "$name" base.rec
    refused "cannot include base.rec (cannot read base.rec (it is" rewrite based.rec
done
printf '#include "b.rec"\n' >a.rec
printf '#include "a.rec"\n' >b.rec
refused "cannot include a.rec (it includes itself)" rewrite a.rec
printf 'x%.0s\n' {1..1000} >no_puzzles
code=0
timed interpret --rules sudoku --machine cpu --file no_puzzles >out.txt 2>errors.txt || code=$?
[[ $code == 2 && $(wc -l <errors.txt) == 101 ]] || fail "interpret did not stop naming lines: $code"
grep -qF "900 more lines of no_puzzles are not puzzles" errors.txt || fail "interpret did not count lines"
refused "(it is a FIFO)" run random_grids --sweep quick --machine cpu --out out
LOCKSTEP_SOURCE="$work/tree" refused "(it is a FIFO)" "${run[@]}" random_grids
refused "invalid --max-input 0" weave source.cu --max-input 0
refused "limit of 1 KiB" weave /proc/self/smaps --max-input 1K
refused "rows need the name of a file" "${run[@]}" object_layout --network -
refused "cannot read - (standard input cannot be a results file)" merge - --into into.json
refused "cannot read - (standard input cannot be a results file)" migrate -

# Standard input: endless, and the same text as a file.
declare -A streams=(
    [system.rec]="rewrite {}" [source.cu]="weave {}" [network]="${traffic[*]} --network {}"
    [puzzles]="${interpret[*]} --file {}" [design]="${replicate[*]} --design {}" [lines]="batch {}"
)
for file in "${!streams[@]}"; do
    read -ra words <<<"${streams[$file]}"
    refused "cannot read standard input (it is larger than the limit of" "${words[@]//\{\}/-}" </dev/zero
    refused "cannot read standard input (it is larger than the limit of 2 bytes)" "${words[@]//\{\}/-}" --max-input 2 \
        <"$file"
    accepted "${words[@]//\{\}/$file}"
    sed -E 's/[0-9.e-]+ s (with|to)/s \1/g; s/"source.cu"/"<stdin>"/' out.txt >expected.txt
    accepted "${words[@]//\{\}/-}" <"$file"
    sed -E 's/[0-9.e-]+ s (with|to)/s \1/g' out.txt | cmp - expected.txt || fail "standard input differs from $file"
done

# Outputs. The devices are named by a link, so that a failure replaces only the link.
ln -s /dev/full full
ln -s /dev/null null
outputs=(
    "rewrite system.rec -o {}"
    "rewrite system.rec --profile {}"
    "weave source.cu -o {}"
    "${traffic[*]} --csv {}"
    "${traffic[*]} --png {}"
    "${interpret[*]} --puzzles 2 --csv {}"
    "${replicate[*]} --csv {}"
    "batch lines --csv {}"
)
for line in "${outputs[@]}"; do
    read -ra words <<<"$line"
    for name in fifo full; do
        code=0
        timed "${words[@]//\{\}/$name}" >out.txt 2>errors.txt || code=$?
        [[ $code == 2 && $(wc -l <errors.txt) == 1 ]] || fail "$line with $name ended with $code: $(cat errors.txt)"
        grep -qF "cannot write $name (it is a" errors.txt || fail "$line with $name: $(cat errors.txt)"
    done
    accepted "${words[@]//\{\}/null}"
done
[[ -p fifo && -L full && -L null ]] || fail "an output replaced a FIFO or a link"
accepted rewrite system.rec -o -
[[ -s out.txt && ! -e - ]] || fail "rewrite -o - did not write to standard output"
accepted weave source.cu -o -
[[ -s out.txt && ! -e - ]] || fail "weave -o - did not write to standard output"
echo "inputs and outputs passed"
