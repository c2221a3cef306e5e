"""CUDA as people write it: computed kernels, guesses before compare-and-swaps, handles, indices and copies that miss."""

from __future__ import annotations

from pathlib import Path

from processes.suite import FINDINGS
from tests.emulate.test_emulate import emulate, needs_the_program

__all__ = ["needs_the_program"]  # for each test here, too

#: The host computes the kernel of a launch once: a call, an element of an array, a pointer to one, a member.
COMPUTED = """
#include <cstdio>
__global__ void one(int* out) { atomicAdd(out, 1); }
__global__ void hundred(int* out) { atomicAdd(out, 100); }
using Kernel = void (*)(int*);
static int calls = 0;
static Kernel pick() { return ++calls == 1 ? one : hundred; }
static Kernel const table[] = {one, hundred};
static Kernel const* pointer = table;
struct Chosen { Kernel kernel; };
static Chosen chosen{hundred};
template <class T> __global__ void typed(T* out) { atomicAdd(out, T(1000)); }
#define TYPED(T) typed<T>
int main() {
    int* out;
    cudaMalloc(&out, 4);
    cudaMemset(out, 0, 4);
    int i = 0;
    pick()<<<1, 2>>>(out);
    table[i++]<<<1, 2>>>(out);
    (*pointer)<<<1, 2>>>(out);
    chosen.kernel<<<1, 2>>>(out);
    TYPED(int)<<<1, 2>>>(out);
    int sum = 0;
    cudaMemcpy(&sum, out, 4, cudaMemcpyDeviceToHost);
    std::printf("%d %d %d\\n", sum, calls, i);
}
"""


def test_the_host_computes_the_kernel_of_a_launch_once(tmp_path: Path) -> None:
    (tmp_path / "computed.cu").write_text(COMPUTED, encoding="utf-8")
    done = emulate(tmp_path, "computed.cu")
    assert (done.returncode, done.stdout) == (0, "2206 1 1\n"), done.stderr


#: The loop of compare-and-swaps of the CUDA C++ Programming Guide begins with a plain read, which is a guess. The same
#: read in front of an addition is a race.
GUESS = """
#include <cstdio>
__device__ double add(double* address, double value) {
    unsigned long long* as_words = (unsigned long long*)address;
    unsigned long long old = *as_words, assumed;
    do {
        assumed = old;
        old = atomicCAS(as_words, assumed, __double_as_longlong(value + __longlong_as_double(assumed)));
    } while (assumed != old);
    return __longlong_as_double(old);
}
__global__ void sum(double* out, int* first) {
    add(out, 1.0);
#ifdef RACE
    if (*first == 0)
        atomicAdd(first, 1);
#endif
}
int main() {
    double* out;
    int* first;
    cudaMalloc(&out, 8);
    cudaMalloc(&first, 4);
    cudaMemset(out, 0, 8);
    cudaMemset(first, 0, 4);
    sum<<<2, 64>>>(out, first);
    double total = 0;
    cudaMemcpy(&total, out, 8, cudaMemcpyDeviceToHost);
    std::printf("%g\\n", total);
}
"""


def test_the_guess_of_a_loop_of_compare_and_swaps_is_no_race(tmp_path: Path) -> None:
    (tmp_path / "guess.cu").write_text(GUESS, encoding="utf-8")
    done = emulate(tmp_path, "guess.cu", "--orders", "4")
    assert done.returncode == 0 and done.stdout == "128\n" * 4, done.stderr
    racing = emulate(tmp_path, "guess.cu", "-D", "RACE", "--orders", "4")
    assert racing.returncode == 1 and "race in global memory" in racing.stderr
    assert "guess.cu:15" in racing.stderr and "guess.cu:5" not in racing.stderr, racing.stderr


def test_an_index_before_shared_memory_says_so(tmp_path: Path) -> None:
    (tmp_path / "before.cu").write_text(
        "__global__ void kernel(int* out) {\n    extern __shared__ int s[];\n    s[threadIdx.x] = 1;\n"
        "    __syncthreads();\n    out[threadIdx.x] = s[(int)threadIdx.x - 1];\n}\n"
        "int main() {\n    int* out;\n    cudaMalloc(&out, 128);\n    kernel<<<1, 32, 128>>>(out);\n}\n",
        encoding="utf-8",
    )
    done = emulate(tmp_path, "before.cu")
    assert done.returncode == 1 and "shared memory (4 bytes before its start)" in done.stderr, done.stderr
    assert "(1 finding)" in done.stderr and FINDINGS.search(done.stderr)


def test_a_handle_that_is_destroyed_twice_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "twice.cu").write_text(
        "#include <cstdio>\nint main() {\n    cudaStream_t stream;\n    cudaEvent_t event;\n"
        "    cudaStreamCreate(&stream);\n    cudaEventCreate(&event);\n"
        "    cudaStreamDestroy(stream);\n    cudaEventDestroy(event);\n"
        '    std::printf("%d %d\\n", cudaStreamDestroy(stream), cudaEventDestroy(event));\n}\n',
        encoding="utf-8",
    )
    done = emulate(tmp_path, "twice.cu")
    assert (done.returncode, done.stdout) == (0, "400 400\n"), done.stderr


def test_a_copy_beyond_a_variable_says_where_it_ends(tmp_path: Path) -> None:
    (tmp_path / "beyond.cu").write_text(
        "__constant__ float four[4];\nint main() {\n    float values[5] = {};\n"
        "    cudaMemcpyToSymbol(four, values, sizeof values);\n}\n",
        encoding="utf-8",
    )
    done = emulate(tmp_path, "beyond.cu")
    assert done.returncode == 1 and "20 bytes, but the target ends after 16" in done.stderr, done.stderr
