#!/usr/bin/env bash
# Stops a program in a lane and looks at the other lanes with harness/simt/gdb/lanes.py.
# debugger_test.sh SCRIPT PROGRAM
set -u
if ! command -v gdb >/dev/null; then
    echo 'skipped: gdb is not installed'
    exit 77
fi
commands=(
    'break stopped::emulator::stop'
    run
    lanes
    'lanes of block (1,0,0)'
    'lane 5 of block (3,0,0)'
    'print secret'
    'lane 70 of block (1,0,0)'
    'print secret'
    'lane 1 of warp 1'
    'print secret'
    'lane 5 of warp 1'
    'lane 1'
    'lane 90'
    'lane 96'
    'lane 5 of block (7,0,0)'
    'lane five'
    lane
    backtrace
    continue
)
arguments=(-nx -batch -ex 'set startup-with-shell off' -ex 'set debuginfod enabled off' -x "$1")
for command in "${commands[@]}"; do
    # A command that fails would end a batch.
    arguments+=(-ex "python
try:
    print('> $command')
    gdb.execute('$command')
except gdb.error as error:
    print(error)
")
done
output=$(gdb "${arguments[@]}" "$2" 2>&1 </dev/null)
if grep -q 'ptrace: Operation not permitted\|Could not trace the inferior' <<<"$output"; then
    echo 'skipped: this system does not let gdb trace a program'
    exit 77
fi

source=$(dirname "$0")/stopped.cu
line_of() { grep -n "$1" "$source" | cut -d: -f1; }
barrier="[^ ]*stopped.cu:$(line_of '__syncthreads')"
shuffle="[^ ]*stopped.cu:$(line_of '__shfl_sync')"

failed=0
# expect COMMAND PATTERN: the output of the command, up to the next one, matches the pattern.
expect() {
    local part
    part=$(awk -v command="> $1" '$0 == command {inside = 1; next} /^> / {inside = 0} inside' <<<"$output")
    if ! grep -Eqz -- "$2" <<<"$part"; then
        printf '%s\nprinted, without %s:\n%s\n' "$1" "$2" "$part"
        failed=1
    fi
}
expect lanes "kernel 'wait_everywhere', block \(3,0,0\)"
expect lanes "warp 0, lanes 0, 2-31: waits at the block's barrier, at $barrier"
expect lanes 'warp 0, lanes 1: has exited'
expect lanes "warp 1, lanes 0, 3-4: waits at the block's barrier"
expect lanes "warp 1, lanes 1-2: waits at a warp collective of mask 0x00000046, at $shuffle"
expect lanes 'warp 1, lanes 5: runs'
expect lanes 'warp 1, lanes 6-31: has not started'
expect lanes 'warp 2, lanes 0-31: has not started'
expect 'lanes of block (1,0,0)' 'block \(1,0,0\).*warp 2, lanes 0-31: can run'
expect 'lane 5 of block (3,0,0)' 'warp 0, lane 5: waits at the block.s barrier'
expect 'lane 5 of block (3,0,0)' 'wait_at_barrier \(secret=3005\).*wait_everywhere \(flag='
expect 'lane 70 of block (1,0,0)' 'warp 2, lane 6: can run.*wait_for_flag \(flag=[^)]*secret=1071\)'
expect 'lane 1 of warp 1' 'wait_everywhere \(flag='
expect 'lane 5 of warp 1' 'runs.*#0  stopped::emulator::stop'
expect 'lane 1' 'lane 1 has exited \(it has no stack\)'
expect 'lane 90' 'lane 90 has not started \(it has no stack\)'
expect 'lane 96' 'no lane 96 \(the block has 96 lanes\)'
expect 'lane 5 of block (7,0,0)' 'block \(7,0,0\) is not running \(these are: .*\(3,0,0\)'
expect 'lane five' 'unknown lane \(expected, for example: 5 of block \(3,0,0\)'
expect backtrace '#0  stopped::emulator::stop'
expect continue 'exited normally'
secrets=$(sed -n 's/^\$[0-9]* = //p' <<<"$output" | paste -sd' ')
if [[ $secrets != '3005 1071 3033' ]]; then
    echo "the variables of the selected lanes are $secrets instead of 3005 1071 3033"
    failed=1
fi
if ((failed)); then
    printf '\nall that gdb printed:\n%s\n' "$output"
fi
exit $failed
