#!/usr/bin/env bash
# ranks.sh LOCKSTEP RANKS_TEST WITH_MPI: checks, without a GPU, that the commands that share a job write the same bytes
# with 1, 2 and 4 ranks, that errors are printed once, and that other commands reject several ranks.
set -euo pipefail

lockstep=$1 ranks_test=$2 with_mpi=$3
if ! command -v mpirun >/dev/null; then
    echo "skipped: mpirun (Open MPI) not found"
    exit 77
fi
if [[ "$with_mpi" != TRUE ]]; then
    echo "skipped: this build has no MPI (its headers were not found when it was configured)"
    exit 77
fi

# By default Open MPI refuses to start more ranks than cores, or to run as root in a container.
export OMPI_MCA_rmaps_base_oversubscribe=1
if ((EUID == 0)); then
    export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
fi

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
failed=0

fail() {
    echo "FAILED: $*"
    failed=1
}

# ranks N COMMAND...: runs the command (N = 0: without mpirun) and removes the seconds, which vary, from its output.
ranks() {
    local count=$1
    shift
    if ((count == 0)); then "$@"; else mpirun -n "$count" "$@"; fi | sed -E 's/, [0-9.e+-]+ s (with|to)/, \1/g'
}

# same NAME COMMAND...: checks that standard output and out.csv with 2 and 4 ranks equal those without mpirun.
same() {
    local name=$1 count
    shift
    for count in 0 2 4; do
        rm -f out.csv
        ranks "$count" "$@" >"$name.$count.txt" || fail "$name with $count ranks ended with an error"
        [[ ! -f out.csv ]] || mv out.csv "$name.$count.csv"
        cmp "$name.0.txt" "$name.$count.txt" || fail "$name: the output differs with $count ranks"
        if [[ -f "$name.0.csv" ]]; then
            cmp "$name.0.csv" "$name.$count.csv" || fail "$name: out.csv differs with $count ranks"
        fi
    done
}

# mistake TEXT COMMAND...: checks that the command with two ranks exits with code 2 and prints one error that contains
# TEXT.
mistake() {
    local text=$1 code=0
    shift
    mpirun -n 2 "$@" >mistake.txt 2>&1 || code=$?
    ((code == 2)) || fail "$* ended with $code"
    [[ $(grep -c '^lockstep: ' mistake.txt) == 1 ]] || fail "$* did not print exactly one error: $(grep '^lockstep: ' mistake.txt)"
    grep -qF -- "$text" mistake.txt || fail "$* printed: $(cat mistake.txt)"
}

for count in 2 3; do
    mpirun -n "$count" "$ranks_test" >test.txt 2>&1 || fail "ranks_test with $count ranks: $(cat test.txt)"
done

printf 'clients,utilisation\n70,0.5\n33,0.9\n1,0.2\n' >queue.csv
same pi "$lockstep" replicate pi --draws 300 --replications 35 --csv out.csv
same queue "$lockstep" replicate mm1 --design queue.csv --replications 9 --machine emulator --csv out.csv
same few "$lockstep" replicate walk --steps 50 --replications 3 --machine emulator --scheme threads --csv out.csv
same precise "$lockstep" replicate pi --draws 100 --replications 5 --precision 0.02 --csv out.csv
same rules "$lockstep" interpret --range 33 --states 37 --load 2 --machine emulator --csv out.csv
same sudoku "$lockstep" interpret --rules sudoku --puzzles 5 --machine cpu --csv out.csv
same boards "$lockstep" grids --streams 6 --count 3 --machine emulator --format json
same board "$lockstep" grids
printf 'X.??\n????\n??O?\n' >mask.txt
printf '%s\n' 5 0 81 5 5 40 1 5 0 40 >counts.txt
same masked "$lockstep" grids --mask mask.txt --occupied 3 --count 70 --machine cpu --format packed --out out.csv
same counted "$lockstep" grids --width 9 --height 9 --occupied-file counts.txt --first 1 --machine emulator \
    --format indices --out out.csv
same numbered "$lockstep" grids --width 33 --height 5 --occupied 40 --first 13 --count 50 --machine emulator \
    --format npy --out out.csv
same padded "$lockstep" grids --variant threadwise --first 3 --count 20 --machine emulator --format packed --out out.csv

# A precision that is not reached: the code of every rank, one message.
code=0
mpirun -n 2 "$lockstep" replicate pi --draws 100 --precision 0.0001 --max-replications 40 >missed.txt 2>&1 || code=$?
((code == 3)) || fail "a missed precision ended with $code: $(cat missed.txt)"
[[ $(grep -c '^lockstep: precision 0.0001 was not reached' missed.txt) == 1 ]] || fail "printed: $(cat missed.txt)"

# Check that the comparison can fail.
"$lockstep" replicate pi --draws 300 --replications 35 --seed 2 --csv out.csv >/dev/null
! cmp -s out.csv pi.0.csv || fail "a different seed writes the same file"
(($(wc -l <pi.4.csv) == 36)) || fail "pi.csv has $(wc -l <pi.4.csv) lines"

mpirun -n 2 "$lockstep" run replications --sweep quick --machine emulator --variant warps --out results >run.txt 2>&1 ||
    fail "run: $(cat run.txt)"
for file in results/*/replications.shard0of2.json results/*/replications.shard1of2.json; do
    grep -q '"status":"not_timed"' "$file" || fail "$file has no verified case"
done

mistake "unknown scheme" "$lockstep" replicate pi --scheme warp
mistake "cannot read no_such_file.csv" "$lockstep" replicate mm1 --design no_such_file.csv
mistake "lockstep rewrite runs in one process" "$lockstep" rewrite queue.csv
mistake "ranks are shards already" "$lockstep" run replications --shard 0/2

exit "$failed"
