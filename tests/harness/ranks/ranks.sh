#!/usr/bin/env bash
# ranks.sh LOCKSTEP RANKS_TEST WITH_MPI: the commands that share a job give the same bytes for 1, 2 and 4 ranks, without a
# GPU; mistakes are said once; what cannot share a job is refused.
set -euo pipefail

lockstep=$1 ranks_test=$2 with_mpi=$3
if ! command -v mpirun >/dev/null; then
    echo "skipped: no mpirun (Open MPI) here"
    exit 77
fi
if [[ "$with_mpi" != TRUE ]]; then
    echo "skipped: this build has no MPI (its headers were not found when it was configured)"
    exit 77
fi

# More ranks than cores, and root in containers, are what Open MPI refuses unless it is told.
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

# ranks N COMMAND...: its output without what differs from run to run, the seconds.
ranks() {
    local count=$1
    shift
    if ((count == 0)); then "$@"; else mpirun -n "$count" "$@"; fi | sed 's/, [0-9.e+-]* s with/, with/'
}

# same NAME COMMAND...: standard output and out.csv of 2 and 4 ranks are those of the command by itself.
same() {
    local name=$1 count
    shift
    for count in 0 2 4; do
        rm -f out.csv
        ranks "$count" "$@" >"$name.$count.txt" || fail "$name with $count ranks ended with an error"
        [[ ! -f out.csv ]] || mv out.csv "$name.$count.csv"
        cmp "$name.0.txt" "$name.$count.txt" || fail "$name: $count ranks print something else"
        if [[ -f "$name.0.csv" ]]; then
            cmp "$name.0.csv" "$name.$count.csv" || fail "$name: $count ranks write another file"
        fi
    done
}

# mistake TEXT COMMAND...: two ranks end with code 2 and say this once.
mistake() {
    local text=$1 code=0
    shift
    mpirun -n 2 "$@" >mistake.txt 2>&1 || code=$?
    ((code == 2)) || fail "$* ended with $code"
    [[ $(grep -c '^lockstep: ' mistake.txt) == 1 ]] || fail "$* did not say one thing once: $(grep '^lockstep: ' mistake.txt)"
    grep -qF -- "$text" mistake.txt || fail "$* said: $(cat mistake.txt)"
}

for count in 2 3; do
    mpirun -n "$count" "$ranks_test" >test.txt 2>&1 || fail "ranks_test with $count ranks: $(cat test.txt)"
done

printf 'clients,utilisation\n70,0.5\n33,0.9\n0,0.2\n' >queue.csv
same pi "$lockstep" replicate pi --draws 300 --replications 35 --csv out.csv
same queue "$lockstep" replicate mm1 --design queue.csv --replications 9 --machine emulator --csv out.csv
same few "$lockstep" replicate walk --steps 50 --replications 3 --machine emulator --scheme threads --csv out.csv
same precise "$lockstep" replicate pi --draws 100 --replications 5 --precision 0.02 --csv out.csv
same rules "$lockstep" interpret --range 33 --states 37 --load 2 --machine emulator --csv out.csv
same sudoku "$lockstep" interpret --rules sudoku --puzzles 5 --machine cpu --csv out.csv
same boards "$lockstep" grids --streams 6 --count 3 --machine emulator --format json
same board "$lockstep" grids

# The comparison can fail.
"$lockstep" replicate pi --draws 300 --replications 35 --seed 2 --csv out.csv >/dev/null
! cmp -s out.csv pi.0.csv || fail "another seed gives the same file"
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
