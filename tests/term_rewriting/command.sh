#!/usr/bin/env bash
# End-to-end test of `lockstep rewrite`: command.sh PROGRAM SOURCE_FOLDER
set -euo pipefail
program=$1
systems=$2/experiments/term_rewriting/systems
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fail() {
    echo "command.sh: $*"
    exit 1
}

# expect CODE ARGUMENT...: runs the command; its output goes to out.txt and errors.txt.
expect() {
    local code=$1 found=0
    shift
    "$program" rewrite "$@" >"$work/out.txt" 2>"$work/errors.txt" || found=$?
    [[ $found == "$code" ]] || fail "rewrite $* ended with $found, not $code: $(cat "$work/errors.txt")"
}

says() { grep -qF -- "$1" "$work/errors.txt" || fail "not said: $1, but: $(cat "$work/errors.txt")"; }

for engine in oracle one_core all_cores auto cpu_as_printed; do
    expect 0 "$systems/lists.rec" --engine "$engine" --stats
    [[ $(cat "$work/out.txt") == "cons(c,cons(b,cons(a,nil)))" ]] || fail "wrong normal form by $engine"
    says "rewrites    10"
done
expect 0 "$systems/lists.rec" --term 'append(nil, cons(a, nil))' -o "$work/form.txt" --profile "$work/profile.csv"
[[ $(cat "$work/form.txt") == "cons(a,nil)" ]] || fail "wrong normal form in a file"
[[ $(wc -l <"$work/profile.csv") == 5 ]] || fail "a profile must have a header and one line per rule"
grep -q 'append(nil,m)","m",1$' "$work/profile.csv" || fail "wrong profile"

expect 3 "$systems/endless_loop.trs" --max-rewrites 1000 -o "$work/form.txt"
says "not finished after 1000 rewrites (limit) Raise --max-rewrites."
[[ $(cat "$work/form.txt") == "cons(a,nil)" ]] || fail "a limit changed the file"
expect 3 "$systems/endless_loop.trs" --timeout 0.1
says "Raise --timeout."
expect 3 "$systems/endless_growth.trs" --memory 32MB --engine one_core
says "Raise --memory."
expect 3 "$systems/endless_depth.trs" --memory 32MB --engine cpu_as_printed
says "Raise --memory."

expect 0 @transformation_tree,depth=4 --engine cpu_as_printed --stats
says "rewrites    447"
expect 2 @transformation_tree,dept=4
says "unknown axis dept"
expect 2 @transformation_tree,depth=99
says "invalid depth=99 (must be from 0 to 40)"
expect 2 @transformation,depth=4
says "invalid system=transformation"

expect 0 "$systems/lists.rec" --machine emulator --engine as_printed --stats
[[ $(cat "$work/out.txt") == "cons(c,cons(b,cons(a,nil)))" ]] || fail "wrong normal form in the emulator"
says "engine      as_printed"
says "rewrites    10"
says "iterations  "
says "redexes     "
expect 3 "$systems/endless_loop.trs" --machine emulator --max-rewrites 100
says "not finished after 100 rewrites (limit) Raise --max-rewrites."
expect 3 "$systems/endless_growth.trs" --machine emulator --memory 8000
says "not finished within 8000 bytes"
expect 3 "$systems/endless_loop.trs" --machine emulator --timeout 0.1
says "Raise --timeout."

expect 2 "$systems/lists.rec" --machine cuda --engine oracle
says "engine oracle does not rewrite on machine cuda"
if "$program" devices | grep -q "^cuda *none"; then
    expect 2 "$systems/lists.rec" --machine cuda
    says "no CUDA device"
fi
expect 2 "$systems/lists.rec" --term 'append(nil)'
says "--term:1:1: wrong number of arguments (expected append(List, List) with 2, found 1)"
expect 2 "$work/none.trs"
expect 2 "$systems/lists.rec" --emit fortran
for target in cpp cuda maude ocaml; do
    expect 0 "$systems/gcd.rec" --emit "$target"
    [[ -s "$work/out.txt" ]] || fail "nothing written for $target"
done
CXX=/nonexistent expect 2 "$systems/lists.rec" --engine one_core --term nil
says "no C++ compiler"
CXX=/nonexistent expect 0 "$systems/lists.rec" --term nil
echo "lockstep rewrite passed"
