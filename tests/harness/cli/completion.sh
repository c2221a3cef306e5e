#!/usr/bin/env bash
# The script of `lockstep complete bash` completes commands, experiments, options and their values: completion.sh PROGRAM
set -euo pipefail
program=$1
script=$("$program" complete bash)
eval "$script"

fail() {
    echo "completion.sh: $*"
    exit 1
}

# completed WORD...: what the last word, which may be empty, becomes; one completion per line.
completed() {
    COMP_WORDS=(lockstep "$@")
    COMP_CWORD=$#
    _lockstep
    printf '%s\n' ${COMPREPLY[@]+"${COMPREPLY[@]}"}
}

# expect WANTED WORD...: the completions are exactly these words.
expect() {
    local wanted=$1 found
    shift
    found=$(completed "$@" | sort | tr '\n' ' ')
    [[ "${found% }" == "$wanted" ]] || fail "$* became '$found', not '$wanted'"
}

# includes WORD WORDS...: the completions of the words include this one.
includes() {
    local wanted=$1
    shift
    [[ $'\n'$(completed "$@")$'\n' == *$'\n'"$wanted"$'\n'* ]] || fail "$* did not become $wanted, but: $(completed "$@" | tr '\n' ' ')"
}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
complete -p lockstep >complete.txt
grep -q _lockstep complete.txt || fail "the function is not registered"
expect "replicate report reproduce rewrite" re
expect complete compl
expect "random_grids" run rand
includes random_grids list ""
includes term_rewriting report ""
includes --occupied run random_grids --
includes --json run random_grids --
includes --missing run --
expect "--dry-run" run random_grids --dry
expect "slides_word slides_word64" run random_grids --sweep slides_w
expect "warpwise_no_sum" run random_grids --variant warpwise_no
expect "full paper quick" run random_grids --preset ""
expect "xorwow" run random_grids --engine xo
expect "cpu cuda" run random_grids --machine c
expect "--emit" rewrite --em
expect "--help --json" devices --
expect "bash zsh" complete ""
# Names of files, which the shell adds.
expect "" run random_grids --out ""
expect "" rewrite ""
expect "" nonsense ""
[[ $("$program" complete zsh | head -n 2 | tail -n 1) == *bashcompinit ]] || fail "zsh loads no bashcompinit"
code=0
"$program" complete fish 2>errors.txt || code=$?
[[ $code == 2 ]] || fail "fish ended with $code"
grep -qF "unknown shell fish" errors.txt || fail "fish: $(cat errors.txt)"
if command -v zsh >/dev/null; then
    "$program" complete zsh >script.zsh
    zsh -n script.zsh || fail "zsh does not parse the script"
fi
echo "completions passed"
