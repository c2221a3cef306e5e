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

expect 0 "$systems/lists.rec" --term nil -o "$work/new/folder/form.txt"
[[ $(cat "$work/new/folder/form.txt") == nil ]] || fail "no normal form in a new folder"
mkdir "$work/closed"
touch "$work/closed/file"
expect 2 "$systems/lists.rec" --term nil -o "$work/closed/file/form.txt"
says "cannot write $work/closed/file/form.txt (Not a directory)"

expect 3 "$systems/endless_loop.trs" --max-rewrites 1000 -o "$work/form.txt"
says "not finished after 1000 rewrites (limit) Raise --max-rewrites."
[[ $(cat "$work/form.txt") == "cons(a,nil)" ]] || fail "a limit changed the file"
expect 3 "$systems/endless_loop.trs" --timeout 0.1
says "Raise --timeout."
expect 3 "$systems/endless_growth.trs" --memory 32MB --engine one_core
says "Raise --memory."
expect 3 "$systems/endless_depth.trs" --memory 32MB --engine cpu_as_printed
says "Raise --memory."
# The second of three terms is too large. The others keep their normal forms, and its line is empty.
printf 'sort N = Z() | S(N) | Id(N) | Grow(N); var X : N; eqn Id(X) = X; Grow(X) = S(Grow(S(X)));\n' >"$work/grow.trs"
printf 'Id(Z)\nGrow(Z)\nId(S(Z))\n' >"$work/terms.txt"
for engine in one_core all_cores; do
    expect 3 "$work/grow.trs" --terms "$work/terms.txt" --memory 32MB --engine "$engine"
    says "term 2 of 3: not finished within 33554432 bytes"
    printf 'Z\n\nS(Z)\n' | cmp - "$work/out.txt" || fail "the other terms have no normal forms by $engine"
done

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
for option in --stats "--trace 2" "--profile $work/none.csv" "--engine fast" "--timeout 3" "--memory 1GB"; do
    # shellcheck disable=SC2086
    expect 2 "$systems/lists.rec" --emit cpp $option
    says "${option%% *} has no effect with --emit (the system is written, not run) Leave one of them out."
done
expect 2 "$systems/lists.rec" --emit cuda --engine all_cores
says "--engine has no effect with --emit (the system is written, not run) Leave one of them out."
expect 0 "$systems/gcd.rec" --emit cuda
cp "$work/out.txt" "$work/any.txt"
expect 0 "$systems/gcd.rec" --emit cuda --engine as_printed
cmp -s "$work/out.txt" "$work/any.txt" && fail "--emit cuda does not read --engine as_printed"
expect 0 "$systems/binary_fibonacci.trs" --emit cpp --engine one_core
cp "$work/out.txt" "$work/any.txt"
expect 0 "$systems/binary_fibonacci.trs" --emit cpp --engine all_cores
cmp -s "$work/out.txt" "$work/any.txt" && fail "--emit cpp does not read --engine all_cores"
for target in cpp cuda maude ocaml; do
    expect 0 "$systems/gcd.rec" --emit "$target"
    [[ -s "$work/out.txt" ]] || fail "nothing written for $target"
done

# Many terms in one run: lines, standard input, binary, and back.
expect 0 "$systems/lists.rec" --engine oracle --format binary -o "$work/one.bin"
printf 'append(nil, nil)\n%% a comment\ncons(a, nil)\n' >"$work/terms.txt"
for engine in oracle one_core all_cores auto cpu_as_printed; do
    expect 0 "$systems/lists.rec" --engine "$engine" --terms "$work/terms.txt"
    [[ $(cat "$work/out.txt") == $'nil\ncons(a,nil)' ]] || fail "wrong normal forms of two terms by $engine"
done
for engine in fast as_printed; do
    expect 0 "$systems/lists.rec" --machine emulator --engine "$engine" --terms - --stats <"$work/terms.txt"
    [[ $(cat "$work/out.txt") == $'nil\ncons(a,nil)' ]] || fail "wrong normal forms by $engine in the emulator"
    grep -qE "^rewrites +1$" "$work/errors.txt" || fail "$engine rewrites a shared part more than once"
done
expect 0 "$systems/lists.rec" --engine oracle --terms "$work/terms.txt" --format binary -o "$work/terms.bin"
expect 0 "$systems/lists.rec" --engine oracle --terms "$work/terms.bin" --stats
[[ $(cat "$work/out.txt") == $'nil\ncons(a,nil)' ]] || fail "wrong terms in binary"
says "rewrites    0"
expect 2 "$systems/gcd.rec" --engine oracle --terms "$work/terms.bin"
says "unknown symbol"
expect 2 "$systems/lists.rec" --terms "$work/terms.txt" --term nil
says "both --term and --terms"
expect 2 - --terms - <"$systems/lists.rec"
says "both the system and --terms are standard input"
# Twenty terms that are each other's halves: 2^20 applications of f, or one.
printf 'sort N = z | p(N, N) | d(N) | f(N); var x : N; eqn d(x) = p(x, x);' >"$work/doubles.trs"
printf 'sort N = z | p(N, N) | d(N) | f(N); var x : N; eqn f(x) = z;' >"$work/shared.trs"
doubled='f(z)'
for _ in {1..20}; do doubled="d($doubled)"; done
expect 0 "$work/doubles.trs" --term "$doubled" --engine oracle --format binary -o "$work/shared.bin"
for engine in oracle cpu_as_printed auto; do
    expect 0 "$work/shared.trs" --terms "$work/shared.bin" --engine "$engine" --format binary -o "$work/out.bin" --stats
    grep -qE "^rewrites +1$" "$work/errors.txt" || fail "$engine rewrites a shared part more than once"
done
expect 2 "$work/shared.trs" --terms "$work/shared.bin" --engine one_core
says "engine one_core does not rewrite terms that share unevaluated parts"
expect 2 "$work/shared.trs" --terms "$work/shared.bin" --machine emulator
says "engine auto does not rewrite terms that share unevaluated parts"
expect 2 "$systems/lists.rec" --format binary --json
printf '%% nothing\n' >"$work/nothing.txt"
expect 2 "$systems/lists.rec" --terms "$work/nothing.txt"
says "no term"

# TPDB's format, a repeated variable, and a trace.
printf '(VAR x y)\n(RULES +(0,y) -> y\n +(s(x),y) -> s(+(x,y))\n eq(x,x) -> yes)\n' >"$work/plus.trs"
expect 0 "$work/plus.trs" --term 'eq(+(s(0),0), s(0))' --trace 3 --stats
[[ $(cat "$work/out.txt") == yes ]] || fail "wrong normal form of a TPDB system"
says "1  rule 1, $work/plus.trs:3  +(s(0),0) -> s(+(0,0))"
says "3  rule"
says "rewrites    3"
says "comparisons 2"
expect 2 "$work/plus.trs" --term 0 --trace 3 --engine one_core
says "only the oracle rewrites in one order"
expect 3 "$systems/endless_loop.trs" --max-rewrites 1000 --trace 2
[[ $(grep -c '  rule ' "$work/errors.txt") == 2 ]] || fail "a limit must not cut the trace"

# Integers.
printf 'sort Int64 = fac(Int64);\nvar N : Int64;\neqn fac(0) = 1; fac(N) = mul64(N, fac(sub64(N, 1)));\n' >"$work/fac.trs"
for engine in oracle one_core all_cores auto; do
    expect 0 "$work/fac.trs" --term 'fac(20)' --engine "$engine" --stats
    [[ $(cat "$work/out.txt") == 2432902008176640000 ]] || fail "wrong factorial by $engine"
    says "rewrites    21"
    says "operations  40"
    expect 2 "$work/fac.trs" --term 'fac(21)' --engine "$engine" -o "$work/form.txt"
    says "mul64(21,2432902008176640000) has no result (it does not fit into 64 bits)"
done
for engine in fast as_printed; do
    expect 0 "$work/fac.trs" --term 'fac(-0)' --machine emulator --engine "$engine"
    [[ $(cat "$work/out.txt") == 1 ]] || fail "wrong factorial by $engine in the emulator"
    expect 2 "$work/fac.trs" --term 'fac(21)' --machine emulator --engine "$engine"
    says "mul64(21,2432902008176640000) has no result"
done
expect 0 "$work/fac.trs" --emit cuda
expect 2 "$work/fac.trs" --emit ocaml
says "has no machine integers"

CXX=/nonexistent expect 2 "$systems/lists.rec" --engine one_core --term nil
says "no C++ compiler"
CXX=/nonexistent expect 0 "$systems/lists.rec" --term nil
echo "lockstep rewrite passed"
