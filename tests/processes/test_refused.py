"""What is refused in the texts of programs."""

from __future__ import annotations

from pathlib import Path

import pytest

from plots.errors import UserError
from processes import refused
from processes.refused import Scanned
from processes.taken_branches import taken, truth

KERNEL = "__global__ void k(float* out) {{ {body} }}\n"


def device(body: str, before: str = "") -> tuple[str, ...]:
    return refused.scan([before + KERNEL.format(body=body)])[0]


@pytest.mark.parametrize(
    ("body", "feature"),
    [
        ('asm volatile("mov.u32 %0, %%smid;" : "=r"(x));', "inline PTX"),
        ("other<<<1, 1>>>(out);", "dynamic parallelism"),
        ("int* p = new int[4];", "new in device code"),
        ("void* p = malloc(4);", "malloc in device code"),
        ("out[0] = tex2DLod(image, 0, 0, 1);", "mipmaps, gradients and gathers of textures"),
        ("surfCubemapwrite(out[0], image, 0, 0, 0);", "surfaces of cubemaps"),
        ("nvcuda::wmma::fill_fragment(f, 0);", "tensor cores"),
        ("out[0] = __shfl(out[1], 0);", "warp functions without _sync"),
    ],
)
def test_device_code_that_is_refused(body: str, feature: str) -> None:
    assert device(body) == (feature,)


@pytest.mark.parametrize(
    "body",
    [
        'asm volatile("" ::: "memory");',
        'out[0] = __shfl_sync(~0u, out[1], 0); // tex2DLod, asm("x")',
        'printf("new tex2DLod malloc(4)");',
        "Node* p = new (place) Node;",
        "float surface_area = 1, texture_size = 2;",
        "out[0] = tex2D<float>(image, 0, 0); surf2Dwrite(out[0], image, 0, 0);",
        "cub::BlockReduce<float, 128> reduce;",
    ],
)
def test_device_code_that_is_not_refused(body: str) -> None:
    assert device(body) == ()


def test_host_code_may_launch_and_allocate() -> None:
    host = "int main() { int* p = new int[4]; free(malloc(4)); k<<<1, 1>>>(p); }\n"
    assert refused.scan([KERNEL.format(body="") + host]) == ((), ())
    libraries = (
        "#include <cublas_v2.h>\n#include <mpi.h>\n#include <curand_kernel.h>\nvoid f() { cudaGraphCreate(0, 0); }\n"
    )
    assert refused.scan([libraries])[1] == ("the library MPI", "the library cuBLAS")
    references = "texture<float, 2> image;\nvoid f() { cuInit(0); cudaGraphConditionalHandleCreate(0, 0); }\n"
    features = ("conditional nodes of CUDA graphs", "the driver API", "texture references, which CUDA 12 does not have")
    assert sorted(sum(refused.scan([references]), ())) == sorted(features)


def test_graphics_are_no_graphs() -> None:
    host = "void f() { cudaGraphicsMapResources(1, nullptr, 0); }\n"
    assert refused.scan([host])[1] == ("graphics interoperation",)


@pytest.mark.parametrize(
    "own",
    [
        "#define tex2DLod_at(image, x, y) image[y][x]\n",
        "template <class T> __device__ T *tex2DLod_at(T* image, int x, int y) {\n    return image;\n}\n",
        "struct tex2DLod_at {};\n",
        "    Image tex2DLod_at = first;\n",
    ],
)
def test_a_programs_own_name_is_not_refused(own: str) -> None:
    body = KERNEL.format(body="out[0] = tex2DLod_at(image, 0, 0);")
    assert refused.scan([body, own]) == ((), ())
    # A declaration or a call is no definition.
    for other in ("void f() { tex2DLod_at(image, 0, 0); }\n", "    return tex2DLod_at;\n", "using std::tex2DLod_at;\n"):
        assert refused.scan([body, other])[0] == ("mipmaps, gradients and gathers of textures",)


def test_a_programs_own_header_is_not_refused() -> None:
    text = '#include "thrust_helpers.h"\n'
    assert refused.scan([text], {"main.cu", "thrust_helpers.h"}) == ((), ())
    assert refused.scan([text])[1] == ("a part of Thrust that is not declared",)


def test_branches_for_other_gpus_do_not_count() -> None:
    text = "#if CUDART_VERSION < 9000\nold\n#elif defined(CUDA_VERSION)\nnew\n#else\nnever\n#endif\n#if X\na\n#else\nb\n#endif"
    assert taken(text).split() == ["new", "a", "b"]
    assert device("\n#if __CUDA_ARCH__ < 700\nout[0] = __shfl(out[1], 0);\n#endif\n") == ()


@pytest.mark.parametrize(
    ("condition", "value"),
    [
        ("0", False),
        ("CUDA_VERSION >= 11000 && __CUDA_ARCH__ >= 0x2bc", True),
        ("!defined(CUDA_VERSION) || 0", False),
        ("defined(OTHER)", None),
        ("OTHER > 2", None),
        ("__import__('os')", None),
        ("(1", None),
    ],
)
def test_conditions(condition: str, value: bool | None) -> None:
    assert truth(condition) is value


def test_programs_that_use_nothing_refused_are_counted_on_both_sides() -> None:
    sides: list[tuple[tuple[str, ...], tuple[str, ...]]] = [((), ()), (("a",), ()), ((), ("b",)), (("a",), ("b",))]
    text = refused.summary([Scanned("suite", str(number), *used) for number, used in enumerate(sides)])
    assert text.startswith("Of 4 programs, 50.0% have device code in which nothing is refused, and 25.0%")


def test_a_suite_is_scanned_and_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name, body in (("one-cuda", ""), ("two-cuda", "tex2DLod(a, 0, 0, 0);")):
        folder = tmp_path / "src" / name
        folder.mkdir(parents=True)
        (folder / "main.cu").write_text(KERNEL.format(body=body), encoding="utf-8")
    (tmp_path / "src" / "host-cuda").mkdir()
    out = tmp_path / "refused.csv"
    assert refused.run([("hecbench", tmp_path)], out) == 0
    assert "Of 2 programs, 50.0% have device code" in capsys.readouterr().out
    assert refused.text_of(refused.read(out)) == out.read_text(encoding="utf-8")
    assert "| mipmaps, gradients and gathers of textures | 1 |" in refused.section(out)
    for suite, folder in (("other", tmp_path), ("rodinia", tmp_path)):
        with pytest.raises(UserError):
            refused.scan_suite(suite, folder)
