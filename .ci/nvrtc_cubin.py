#!/usr/bin/env python3
"""Compiles a text that a program passes to NVRTC, with the same options, but for sm_90 and with the headers of a tree.

    nvrtc_cubin.py --include TREE TEXT CUBIN
"""

from __future__ import annotations

import argparse
import ctypes
import ctypes.util
import pathlib
import sys

OPTIONS = ["--std=c++20", "--fmad=false", "--device-as-default-execution-space", "--gpu-architecture=sm_90"]


def library() -> ctypes.CDLL:
    folder = pathlib.Path("/usr/local/cuda/lib64")
    for name in [str(path) for path in sorted(folder.glob("libnvrtc.so*"))] + [ctypes.util.find_library("nvrtc") or ""]:
        try:
            return ctypes.CDLL(name)
        except OSError:
            continue
    raise SystemExit(f"cannot compile for the GPU (no NVRTC in {folder}). Install the CUDA Toolkit.")


def compile_text(text: bytes, options: list[str]) -> bytes:
    """The cubin. Raises SystemExit with NVRTC's log if NVRTC rejects the text."""
    nvrtc = library()
    program = ctypes.c_void_p()
    nvrtc.nvrtcCreateProgram(ctypes.byref(program), text, b"generated.cu", 0, None, None)
    arguments = (ctypes.c_char_p * len(options))(*[option.encode() for option in options])
    status = nvrtc.nvrtcCompileProgram(program, len(options), arguments)
    what = "CUBIN" if status == 0 else "ProgramLog"
    size = ctypes.c_size_t()
    getattr(nvrtc, f"nvrtcGet{what}Size")(program, ctypes.byref(size))
    image = ctypes.create_string_buffer(size.value)
    getattr(nvrtc, f"nvrtcGet{what}")(program, image)
    if status != 0:
        raise SystemExit(image.value.decode())
    return image.raw


def main() -> int:
    parser = argparse.ArgumentParser(description="Compiles a text by NVRTC for sm_90.")
    parser.add_argument("--include", required=True, help="the tree whose headers the text includes")
    parser.add_argument("text", type=pathlib.Path)
    parser.add_argument("cubin", type=pathlib.Path)
    arguments = parser.parse_args()
    image = compile_text(arguments.text.read_bytes(), [*OPTIONS, f"--include-path={arguments.include}"])
    arguments.cubin.write_bytes(image)
    return 0


if __name__ == "__main__":
    sys.exit(main())
