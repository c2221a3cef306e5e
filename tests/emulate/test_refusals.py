"""What `lockstep emulate` refuses: features that stay out, and the user's mistakes. One line each."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.emulate.test_emulate import PROGRAMS, emulate, needs_the_program

__all__ = ["needs_the_program"]  # for each test here, too

#: Device code, and what the message names.
REFUSED = {
    'asm volatile("mov.u32 %0, %%laneid;" : "=r"(*out));': "inline PTX",
    "nested<<<1, 1>>>(out);": "dynamic parallelism",
    "int* more = new int[4]; *out = more[0];": "new in device code",
    "int* more = (int*)malloc(16); *out = more[0];": "malloc in device code",
    "cudaTextureObject_t image = 0; *out = tex2DLod<int>(image, 0, 0, 1);": "mipmaps, gradients and gathers of textures",
    "surfCubemapwrite(*out, 0, 0, 0, 0);": "surfaces of cubemaps",
    "nvcuda::wmma::fragment<int> fragment;": "tensor cores",
    "cudaGraphSetConditional(*out, 1);": "conditional nodes of CUDA graphs",
    "cudaGraphLaunch(cudaGetCurrentGraphExec(), 0);": "launches of graphs on the device",
    "cudaMemPool_t pool;": "memory pools",
    "cudaLaunchConfig_t config;": "launch attributes",
}


@pytest.mark.parametrize("code", REFUSED)
def test_what_stays_out_is_refused_with_its_line(code: str, tmp_path: Path) -> None:
    (tmp_path / "refused.cu").write_text(
        "__global__ void nested(int* out) {}\n"
        "__global__ void kernel(int* out) {\n"
        f"    {code}\n"
        "}\n"
        "int main() { kernel<<<1, 1>>>(nullptr); }\n",
        encoding="utf-8",
    )
    done = emulate(tmp_path, "refused.cu")
    assert (done.returncode, done.stdout) == (2, "")
    assert f"refused.cu:3 ({REFUSED[code]})" in done.stderr and done.stderr.count("\n") == 1


def test_a_library_is_refused_by_its_name(tmp_path: Path) -> None:
    (tmp_path / "refused.cu").write_text("// CUB\n#include <cublas_v2.h>\nint main() {}\n", encoding="utf-8")
    done = emulate(tmp_path, "refused.cu")
    assert done.returncode == 2 and "refused.cu:2 (the library cuBLAS)" in done.stderr


def test_a_program_may_define_a_function_that_only_later_standards_have(tmp_path: Path) -> None:
    (tmp_path / "lerp.cu").write_text(
        "#include <math.h>\n#include <cmath>\n#include <cstdio>\n"
        "inline __device__ __host__ float lerp(float a, float b, float t) { return a + t * (b - a); }\n"
        "__global__ void kernel(float* out) { *out = lerp(1.0f, 3.0f, 0.5f); }\n"
        "int main() {\n    float* out;\n    cudaMallocManaged(&out, sizeof *out);\n    kernel<<<1, 1>>>(out);\n"
        '    cudaDeviceSynchronize();\n    std::printf("%g\\n", *out);\n}\n',
        encoding="utf-8",
    )
    done = emulate(tmp_path, "lerp.cu")
    assert (done.returncode, done.stdout, done.stderr) == (0, "2\n", "")


def test_code_that_the_preprocessor_drops_is_not_refused(tmp_path: Path) -> None:
    (tmp_path / "kept.cu").write_text(
        '__global__ void kernel() {\n#if __CUDA_ARCH__ >= 900\n    asm("trap;");\n#endif\n}\n'
        "int main() { kernel<<<1, 1>>>(); }\n",
        encoding="utf-8",
    )
    assert emulate(tmp_path, "kept.cu").returncode == 0


@pytest.mark.parametrize(
    "words, part",
    [
        ((), "no file to emulate"),
        (("missing.cu",), "missing.cu"),
        (("race.cu", "--order", "sideways"), "unknown order sideways"),
        (("race.cu", "--orders", "0"), "--orders"),
        (("race.cu", "--report", "report.txt"), "report.txt"),
    ],
)
def test_mistakes_are_one_line(words: tuple[str, ...], part: str) -> None:
    done = emulate(PROGRAMS, *words)
    assert done.returncode == 2 and part in done.stderr and done.stderr.count("\n") == 1


def test_brackets_that_would_keep_the_compiler_busy_are_refused(tmp_path: Path) -> None:
    (tmp_path / "deep.cu").write_text("int main() {\n" + "{" * 100_000 + "}" * 100_000 + "\n}\n", encoding="utf-8")
    done = emulate(tmp_path, "deep.cu")
    expected = "lockstep: invalid deep.cu line 2 (more than 256 brackets inside one another) Nest it less.\n"
    assert (done.returncode, done.stderr) == (2, expected)


def test_an_error_of_the_compiler_names_the_users_line(tmp_path: Path) -> None:
    (tmp_path / "wrong.cu").write_text("int main() {\n    return nothing;\n}\n", encoding="utf-8")
    done = emulate(tmp_path, "wrong.cu")
    assert done.returncode == 2 and "cannot compile wrong.cu:2" in done.stderr and done.stderr.count("\n") == 1
