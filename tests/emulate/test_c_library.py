"""`assert` and `printf` of kernels, and reads of freed memory by textures."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.emulate.test_emulate import PROGRAMS, emulate, lines_of, needs_the_program

__all__ = ["needs_the_program"]  # for each test here, too

#: An H200 with CUDA 13.0 prints the same.
PRINTED = "none %\n1  2.00 3 4  |\n    6\n0 4 2 -1\n9\n"


@pytest.mark.parametrize("options", [(), ("--no-checks",), ("-D", "NDEBUG")])
def test_an_assertion_that_holds_is_silent_and_printf_returns_the_number_of_arguments(options: tuple[str, ...]) -> None:
    done = emulate(PROGRAMS, "c_library.cu", *options, "--", "-1")
    assert (done.returncode, done.stdout, done.stderr) == (0, PRINTED, "")


@pytest.mark.parametrize("options", [(), ("--no-checks",), ("--order", "descending")])
def test_an_assertion_that_fails_names_kernel_block_thread_and_line(options: tuple[str, ...], tmp_path: Path) -> None:
    report = tmp_path / "report.junit.xml"
    done = emulate(PROGRAMS, "c_library.cu", *options, "--report", str(report), "--", "79")
    (line,) = (n for n, code in enumerate(lines_of("c_library.cu"), 1) if code.endswith("// fails"))
    assert (done.returncode, done.stdout) == (1, PRINTED)
    assert done.stderr.startswith(
        "lockstep: assertion 'i != n && \"found at: n\"' fails for thread (19,1,0) in kernel 'check_all', "
        f"block (1,0,0), warp 1, lane 7, at c_library.cu:{line} (launched at line "
    )
    assert f"c_library.cu:{line}" in report.read_text(encoding="utf-8")


def test_a_failing_assertion_is_dropped_with_ndebug_and_that_of_the_host_is_the_c_librarys() -> None:
    done = emulate(PROGRAMS, "c_library.cu", "-D", "NDEBUG", "--", "79", "host")
    assert (done.returncode, done.stdout, done.stderr) == (0, PRINTED, "")
    done = emulate(PROGRAMS, "c_library.cu", "--", "-1", "host")
    assert done.returncode == 1 and "Assertion `words[2] == nullptr' failed." in done.stderr


def test_a_texture_of_freed_memory_is_reported(tmp_path: Path) -> None:
    (tmp_path / "freed.cu").write_text(
        "#include <cstdio>\n__global__ void read(cudaTextureObject_t from, float* to) {\n"
        "  to[threadIdx.x] = tex1Dfetch<float>(from, threadIdx.x);\n}\n"
        "int main(int count, char**) {\n  float *memory, *to, first = 0;\n  cudaMalloc(&memory, 128);\n"
        "  cudaMalloc(&to, 128);\n  cudaMemset(memory, 0, 128);\n  cudaResourceDesc resource{};\n"
        "  resource.resType = cudaResourceTypeLinear;\n"
        "  resource.res.linear = {memory, cudaCreateChannelDesc<float>(), 128};\n"
        "  cudaTextureDesc description{};\n  cudaTextureObject_t texture;\n"
        "  cudaCreateTextureObject(&texture, &resource, &description, nullptr);\n"
        "  if (count > 1) cudaFree(memory);\n  read<<<1, 32>>>(texture, to);\n"
        "  cudaMemcpy(&first, to, 4, cudaMemcpyDeviceToHost);\n"
        '  cudaDestroyTextureObject(texture);\n  std::printf("%g\\n", first);\n}\n',
        encoding="utf-8",
    )
    done = emulate(tmp_path, "freed.cu")
    assert (done.returncode, done.stdout, done.stderr) == (0, "0\n", "")
    done = emulate(tmp_path, "freed.cu", "--", "free")
    assert done.returncode == 1 and done.stderr.startswith(
        "lockstep: a fetch from a texture whose memory was freed in kernel 'read', block (0,0,0), warp 0, lane 0, at "
    )
    assert "freed.cu:3 (launched at line 17)" in done.stderr
