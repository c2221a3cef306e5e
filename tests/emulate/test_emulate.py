"""Runs small CUDA programs of ours with `lockstep emulate`: each feature of the translator, each feature that is refused."""

from __future__ import annotations

import json
import os
import subprocess
import time
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

from processes.suite import FINDINGS

PROGRAMS = Path(__file__).parent / "programs"
BINARY = os.environ.get("LOCKSTEP_BINARY", "")


@pytest.fixture(autouse=True)
def needs_the_program() -> None:
    if not BINARY:
        pytest.skip("LOCKSTEP_BINARY is not set")


def emulate(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([BINARY, "emulate", *words], cwd=folder, capture_output=True, text=True, timeout=300)


def test_a_program_with_every_feature_is_right_in_several_orders(tmp_path: Path) -> None:
    report = tmp_path / "report.junit.xml"
    done = emulate(PROGRAMS, "features.cu", "--orders", "4", "--report", str(report), "--keep", str(tmp_path / "kept"))
    assert (done.returncode, done.stderr) == (0, "")
    line = 1 + [number for number, text in enumerate(lines_of("features.cu")) if "right, with" in text][0]
    assert done.stdout == f"right, with 0 arguments, line {line}\n" * 4
    suite = ElementTree.parse(report).getroot()
    assert suite.attrib["tests"] == "4" and suite.attrib["failures"] == "0"
    assert "launch_kernel" in (tmp_path / "kept" / "0.cpp").read_text(encoding="utf-8")


def lines_of(name: str) -> list[str]:
    return (PROGRAMS / name).read_text(encoding="utf-8").splitlines()


def test_arguments_behind_two_dashes_are_the_programs_and_its_exit_code_fails_the_run() -> None:
    done = emulate(PROGRAMS, "features.cu", "--no-checks", "--", "3", "--orders")
    assert done.returncode == 1
    assert "right, with 2 arguments" in done.stdout and "exit code 3" in done.stderr


def test_a_shuffle_from_an_exited_lane_gives_no_lanes_value_in_any_order(tmp_path: Path) -> None:
    """The mask may name the lane, but CUDA leaves its value undefined. A program that uses it shall fail."""
    (tmp_path / "exited.cu").write_text(
        "#include <cstdio>\n"
        "__global__ void read(int* to, int source) {\n  int lane = threadIdx.x;\n  if (lane >= 8) return;\n"
        "  to[lane] = __shfl_sync(0xffffffffu, lane + 100, source);\n}\n"
        "__global__ void vote(int* to) { to[threadIdx.x] = __ballot_sync(0xff, 1); }\n"
        "int main(int, char** words) {\n  int* to;\n  cudaMalloc(&to, 128);\n"
        "  if (words[1][0] == 'v') vote<<<1, 32>>>(to);\n  else read<<<1, 32>>>(to, words[1][0] == 'd' ? 20 : 7);\n"
        '  int first = 0;\n  cudaMemcpy(&first, to, 4, cudaMemcpyDeviceToHost);\n  std::printf("%x\\n", first);\n}\n',
        encoding="utf-8",
    )
    alive = emulate(tmp_path, "exited.cu", "--orders", "4", "--", "alive")
    assert (alive.returncode, alive.stdout) == (0, "6b\n" * 4), alive.stderr
    dead = emulate(tmp_path, "exited.cu", "--orders", "4", "--", "dead")
    assert (dead.returncode, dead.stdout) == (0, "cdcdcdcd\n" * 4), dead.stderr
    vote = emulate(tmp_path, "exited.cu", "--", "vote")
    assert "a mask does not name its caller (the mask is 0x000000ff)" in vote.stderr


def test_a_host_variable_is_no_device_memory(tmp_path: Path) -> None:
    """One program, so that it is compiled once. With an argument, the kernel gets the host's pointer."""
    (tmp_path / "pointer.cu").write_text(
        "#include <cstdio>\nstruct Large {\n  int value[500];\n};\n"
        "__global__ void twice(int* data) { data[threadIdx.x] *= 2; }\n"
        "__global__ void sum(Large large, int* to) { atomicAdd(to, large.value[threadIdx.x]); }\n"
        "int main(int count, char**) {\n  int host[32] = {};\n  Large large = {};\n  int* to;\n  cudaMalloc(&to, 128);\n"
        "  cudaMemset(to, 0, 128);\n  sum<<<1, 32>>>(large, to);\n  twice<<<1, 32>>>(count > 1 ? host : to);\n"
        '  cudaDeviceSynchronize();\n  std::printf("%d\\n", host[5]);\n}\n',
        encoding="utf-8",
    )
    for words, code in ((("--", "host"), 1), ((), 0)):
        done = emulate(tmp_path, "pointer.cu", *words)
        assert done.returncode == code, done.stderr
        assert ("is a host pointer" in done.stderr and "pointer.cu:5" in done.stderr) == (code == 1), done.stderr


def test_a_file_that_is_no_text_is_refused(tmp_path: Path) -> None:
    (tmp_path / "board.npy").write_bytes(b"\x93NUMPY\x00" * 5000)
    done = emulate(tmp_path, "board.npy")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "lockstep: invalid board.npy (it has a NUL byte) It must be text.\n"


def test_a_missing_fence_fails_in_a_weak_memory_only() -> None:
    strong = emulate(PROGRAMS, "last_block.cu", "--orders", "8")
    assert (strong.returncode, strong.stdout, strong.stderr) == (0, "right\n" * 8, "")
    weak = emulate(PROGRAMS, "last_block.cu", "--orders", "8", "--memory", "weak")
    assert weak.returncode == 1 and weak.stdout.count("wrong") >= 4
    repeat = weak.stderr.splitlines()[0].split("Repeat it with ")[1].split()
    assert repeat[-2:] == ["--memory", "weak"]
    again = emulate(PROGRAMS, "last_block.cu", *repeat)
    assert (again.returncode, again.stdout) == (1, "wrong\n")
    fenced = emulate(PROGRAMS, "last_block.cu", "--orders", "20", "--memory", "weak", "-D", "FENCE")
    assert (fenced.returncode, fenced.stdout, fenced.stderr) == (0, "right\n" * 20, "")


def test_a_scope_that_is_too_narrow_is_reported(tmp_path: Path) -> None:
    report = tmp_path / "report.sarif"
    done = emulate(PROGRAMS, "block_scope.cu", "--memory", "weak", "--report", str(report))
    assert done.returncode == 1 and "insufficient scope (an access of block scope" in done.stderr
    results = json.loads(report.read_text(encoding="utf-8"))["runs"][0]["results"]
    assert [result["ruleId"] for result in results] == ["insufficient-scope"]


@pytest.mark.parametrize("words", [("--memory", "lax"), ("--memory", "weak", "--no-checks")])
def test_a_memory_that_does_not_exist_is_a_mistake(words: tuple[str, ...]) -> None:
    done = emulate(PROGRAMS, "last_block.cu", *words)
    assert (done.returncode, done.stdout) == (2, "")


def test_several_files_with_headers_and_macros_of_the_command_line() -> None:
    words = ("main.cu", "kernels.cu", "host.cpp", "-I", "include", "-D", "STEPS=1")
    done = emulate(PROGRAMS / "several", *words)
    assert (done.returncode, done.stdout, done.stderr) == (0, "41\n", "")


@pytest.mark.parametrize(
    ("text", "missing"), [("", "main"), ("void f();\nint main() { f(); }\n", "_Z1fv")], ids=["main", "function"]
)
def test_a_program_without_all_its_functions_is_a_mistake(tmp_path: Path, text: str, missing: str) -> None:
    (tmp_path / "part.cu").write_text(text, encoding="utf-8")
    done = emulate(tmp_path, "part.cu")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == (
        f"lockstep: cannot load the program (undefined symbol: {missing}) Name all files that define its functions.\n"
    )


def test_lanes_that_poll_a_volatile_word_let_others_write_it() -> None:
    done = emulate(PROGRAMS, "volatile_flag.cu", "--orders", "4", "-D", "NEVER=0")
    assert (done.returncode, done.stdout, done.stderr) == (0, "42\n" * 4, "")


@pytest.mark.parametrize("memory", ["strong", "weak"])
def test_the_atomic_functions_of_nvcc_order_what_comes_before(memory: str) -> None:
    done = emulate(PROGRAMS, "nv_atomics.cu", "--orders", "4", "--memory", memory)
    assert (done.returncode, done.stdout, done.stderr) == (0, "8128\n" * 4, "")


def test_counters_are_printed_beside_the_source() -> None:
    done = emulate(PROGRAMS, "counted.cu", "--counters")
    assert (done.returncode, done.stdout) == (0, "done\n")
    rows = [line for line in done.stderr.splitlines() if "out[2 * threadIdx.x] = 1;" in line]
    # Two warps with all lanes, two requests of 8 sectors where 4 are the fewest.
    assert [row.split()[:5] for row in rows] == [["2", "32.0", "2", "8.0", "4.0"]]
    assert "global stores: 2 requests, 16 sectors" in done.stderr


def test_equal_programs_in_two_folders_have_their_own_lines(tmp_path: Path) -> None:
    """Both are in one cache. The text names no folder, but a compiled program does. Other tests use the first one, too."""
    (tmp_path / "counted.cu").write_bytes((PROGRAMS / "counted.cu").read_bytes())
    for folder in (PROGRAMS, tmp_path):
        done = emulate(folder, "counted.cu", "--counters")
        assert str(folder / "counted.cu") in done.stderr.splitlines()
        assert "out[2 * threadIdx.x] = 1;" in done.stderr


def test_vectors_and_reductions_are_counted_as_on_a_gpu() -> None:
    done = emulate(PROGRAMS, "whole_accesses.cu", "--counters")
    assert (done.returncode, done.stdout) == (0, "8128\n")
    # Two warps of 32 vectors with 16 bytes; and the first thread's store.
    assert "global loads: 2 requests, 32 sectors" in done.stderr
    assert "global stores: 3 requests, 33 sectors" in done.stderr
    # Each of 4 warps stores its sum, and the first thread reads the others': nvcc makes LDS.64 and LDS of three words.
    assert "shared loads: 2 requests, 2 wavefronts" in done.stderr
    assert "shared stores: 4 requests, 4 wavefronts" in done.stderr


def test_loops_of_known_length_are_counted_as_nvcc_unrolls_them() -> None:
    done = emulate(PROGRAMS, "unrolled.cu", "--counters")
    assert (done.returncode, done.stdout) == (0, "1225 18725\n")
    # Two words at a time, because every second row begins at half of 16 bytes.
    assert "shared loads: 25 requests" in done.stderr


def test_lanes_meet_behind_the_side_of_a_branch_wherever_the_host_places_it() -> None:
    done = emulate(PROGRAMS, "sides.cu", "--counters")
    assert (done.returncode, done.stdout) == (0, "done\n")
    # 2 parts of 200 rounds: both warps load the factor, and one warp adds. Both load at the end.
    assert "shared loads: 1202 requests" in done.stderr
    assert "shared atomics: 400 requests, 800 wavefronts" in done.stderr


def test_a_sine_and_a_cosine_of_doubles_stay_two_functions_with_tables() -> None:
    done = emulate(PROGRAMS, "sines.cu", "--counters")
    assert (done.returncode, done.stdout) == (0, "done\n")
    # Two warps, of which each loads its values and twice three parts of a table.
    assert "global loads: 14 requests, 28 sectors" in done.stderr
    # A division has one slow path, and each function has two.
    assert "branches: 10, 0 divergent" in done.stderr


@pytest.mark.parametrize(
    ("option", "value", "problem"),
    [
        ("--seed", "99999999999999999999", "99999999999999999999 is too large, the most is 18446744073709551615"),
        ("--seed", "-1", "-1 is negative"),
        ("--orders", "99999999999999999999", "is too large"),
        ("--timeout", "4294967296", "4294967296 is too large, the most is 4294967295"),
        ("--max-input", "99999999999999999999", "is too large"),
    ],
)
def test_numbers_out_of_range_are_refused(option: str, value: str, problem: str) -> None:
    done = emulate(PROGRAMS, "race.cu", option, value)
    assert done.returncode == 2
    assert problem in done.stderr and "see lockstep emulate --help" in done.stderr
    assert done.stderr.count("\n") == 1


def test_a_timeout_ends_the_compiler_too(tmp_path: Path) -> None:
    """The compiler is a script that starts a process of its own and waits for it."""
    compiler = tmp_path / "slow"
    compiler.write_text(f"#!/bin/sh\nsleep 987 &\necho $! >{tmp_path}/child\nwait\n", encoding="utf-8")
    compiler.chmod(0o755)
    environment = {**os.environ, "CXX": str(compiler), "LOCKSTEP_CACHE": str(tmp_path / "cache")}
    command = [BINARY, "emulate", "race.cu", "--timeout", "1"]
    begin = time.monotonic()
    done = subprocess.run(command, cwd=PROGRAMS, capture_output=True, text=True, timeout=60, env=environment)
    assert 1 <= time.monotonic() - begin < 20
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "lockstep: cannot compile the program (not done in 1 s) Raise --timeout\n"
    child = int((tmp_path / "child").read_text(encoding="utf-8"))
    end = time.monotonic() + 10  # a killed process ends when it gets a core
    while is_running(child) and time.monotonic() < end:
        time.sleep(0.01)
    assert not is_running(child), "what the compiler started goes on"
    assert [path for path in (tmp_path / "cache").rglob("*") if "compile" in path.name] == []


def is_running(process: int) -> bool:
    """A killed process whose parent has not yet waited for it is not."""
    try:
        state = Path(f"/proc/{process}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return False
    return state != "Z"


def test_an_endless_loop_is_named_with_its_lane_and_the_last_line_that_it_was_seen_at(tmp_path: Path) -> None:
    report = tmp_path / "report.sarif"
    done = emulate(PROGRAMS, "endless.cu", "--watchdog", "1", "--report", str(report))
    assert (done.returncode, done.stdout) == (1, "started\n")
    assert "for 1 s (an endless loop" in done.stderr
    line = 1 + [number for number, text in enumerate(lines_of("endless.cu")) if "threadIdx.x == 37" in text][0]
    assert "thread (37,0,0) in kernel 'spin', block (0,0,0), warp 1, lane 5, at" in done.stderr
    assert f"endless.cu:{line}\n" in done.stderr
    (result,) = json.loads(report.read_text(encoding="utf-8"))["runs"][0]["results"]
    assert result["ruleId"] == "endless-loop"
    unchecked = emulate(PROGRAMS, "endless.cu", "--watchdog", "1", "--no-checks")
    assert unchecked.returncode == 1 and "has not ended its turn for 1 s" in unchecked.stderr


def test_a_loop_that_accesses_nothing_is_not_placed_in_a_header_of_ours(tmp_path: Path) -> None:
    (tmp_path / "loop.cu").write_text(
        "__global__ void k(int* o) { int i = 1; while (i > 0) { i = ((i * 3) & 1023) | 1; } *o = i; }\n"
        "int main() { int* d; cudaMalloc(&d, 4); k<<<1, 32>>>(d); cudaDeviceSynchronize(); }\n"
    )
    done = emulate(tmp_path, "loop.cu", "--watchdog", "1")
    assert done.returncode == 1 and "for 1 s (an endless loop" in done.stderr
    assert "in kernel 'k', block (0,0,0), warp 0, lane 0, at " in done.stderr
    assert "loop.cu:1\n" in done.stderr and ".hpp" not in done.stderr  # the kernel's own line


def test_counters_need_the_checks() -> None:
    done = emulate(PROGRAMS, "counted.cu", "--counters", "--no-checks")
    assert done.returncode == 2 and done.stderr.count("\n") == 1


def test_a_race_is_found_and_reported_with_both_lines(tmp_path: Path) -> None:
    report = tmp_path / "report.sarif"
    done = emulate(PROGRAMS, "race.cu", "--order", "random", "--seed", "7", "--report", str(report))
    assert done.returncode == 1
    assert "race in shared memory" in done.stderr and "--order random --seed 7" in done.stderr
    results = json.loads(report.read_text(encoding="utf-8"))["runs"][0]["results"]
    races = [result for result in results if result["ruleId"] == "race"]
    assert races and races[0]["locations"][0]["physicalLocation"]["region"]["startLine"] in (3, 4)
    assert "(2 findings)" in done.stderr and FINDINGS.search(done.stderr)  # `lockstep suite` looks for it


def test_an_undefined_operation_ends_the_program_and_is_reported(tmp_path: Path) -> None:
    report = tmp_path / "report.junit.xml"
    done = emulate(PROGRAMS, "divergent.cu", "--report", str(report))
    assert done.returncode == 1 and "divergent barrier" in done.stderr and "divergent.cu:" in done.stderr
    failures = ElementTree.parse(report).getroot().findall("testcase/failure")
    assert [failure.attrib["type"] for failure in failures] == ["undefined-operation"]


def test_a_mask_may_name_exited_lanes_in_every_order() -> None:
    done = emulate(PROGRAMS, "exited.cu", "--orders", "4")
    assert (done.returncode, done.stdout) == (0, "120\n" * 4)


def test_block_scans_and_sorts_of_libraries_are_those_of_the_emulator(tmp_path: Path) -> None:
    done = emulate(PROGRAMS, "libraries.cu", "--orders", "2")
    assert (done.returncode, done.stdout, done.stderr) == (0, "right\n" * 2, "")


def test_block_wide_functions_are_right_and_silent_with_checks() -> None:
    done = emulate(PROGRAMS, "cub_blocks.cu", "--orders", "4")
    assert (done.returncode, done.stdout, done.stderr) == (0, "right\n" * 4, "")


def test_storage_that_is_used_again_without_a_barrier_is_a_race() -> None:
    done = emulate(PROGRAMS, "cub_blocks.cu", "-D", "NO_BARRIER")
    assert done.returncode == 1 and "race in shared memory" in done.stderr and "cub_block" in done.stderr


def test_random_numbers_of_lanes_are_those_of_the_generator() -> None:
    done = emulate(PROGRAMS, "random_numbers.cu", "--orders", "4")
    assert (done.returncode, done.stdout, done.stderr) == (0, "right\n" * 4, "")


def test_textures_and_surfaces_are_right_and_silent_with_checks() -> None:
    done = emulate(PROGRAMS, "textures.cu", "--orders", "2")
    assert (done.returncode, done.stdout, done.stderr) == (0, "right\n" * 2, "")


def test_graphs_that_are_built_and_captured_are_right_in_several_orders() -> None:
    done = emulate(PROGRAMS, "graphs.cu", "--orders", "4")
    assert (done.returncode, done.stdout, done.stderr) == (0, "right\n" * 4, "")


def test_a_message_behind_an_atomic_needs_release_and_acquire() -> None:
    done = emulate(PROGRAMS, "message.cu", "--orders", "4")
    assert (done.returncode, done.stdout, done.stderr) == (0, "42\n" * 4, "")
    done = emulate(PROGRAMS, "message.cu", "--order", "ascending", "-D", "RELAXED")
    assert done.returncode == 1 and "race in global memory" in done.stderr and "message.cu:" in done.stderr


WITHOUT_SYNC = """#include <cstdio>
__global__ void sum(int* out) {
    int value = threadIdx.x;
    if (threadIdx.x < 16) {
        for (int distance = 8; distance > 0; distance /= 2)
            value += __shfl_xor(value, distance);
        *out = __any(threadIdx.x == 3) ? value + __popc(__ballot(1)) : -1;
    }
}
int main() {
    int* out;
    cudaMallocManaged(&out, sizeof(int));
    sum<<<1, 16>>>(out);
    cudaDeviceSynchronize();
    printf("%d\\n", *out);
}
"""


def test_warp_functions_without_sync_are_for_older_devices(tmp_path: Path) -> None:
    (tmp_path / "old.cu").write_text(WITHOUT_SYNC, encoding="utf-8")
    done = emulate(tmp_path, "old.cu")
    assert (done.returncode, done.stdout) == (2, "")
    assert "old.cu:6 (warp functions without _sync" in done.stderr and done.stderr.count("\n") == 1
    for order in ("ascending", "random", "descending"):
        words = ("old.cu", "-D", "LOCKSTEP_BEFORE_VOLTA", "--no-checks", "--order", order)
        done = emulate(tmp_path, *words)
        assert (done.returncode, done.stdout, done.stderr) == (0, f"{120 + 16}\n", "")
