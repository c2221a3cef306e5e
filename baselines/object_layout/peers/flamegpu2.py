"""FLAME GPU 2 (https://github.com/FLAMEGPU/FLAMEGPU2, tried at 1a11aea). It was not built.

Its build downloads Jitify, TinyXML-2, GLM and nlohmann-json from GitHub while it configures. Where only the source tree
is at hand, that fails. Tried, with CMake 3.31, since it requires 3.25.2:

    cmake -S FLAMEGPU2 -B build -DCMAKE_CUDA_ARCHITECTURES=90 -DCMAKE_BUILD_TYPE=Release \\
        -DFLAMEGPU_BUILD_ALL_EXAMPLES=OFF

    fatal: unable to access 'https://github.com/NVIDIA/jitify.git/': Could not resolve host: github.com
    CMake Error at build/CMakeFiles/fc-tmp/jitify/jitify-gitclone.cmake:50 (message)

So whether it compiles with CUDA 13.0 is not known.
"""

from __future__ import annotations

from collections.abc import Iterator

from processes.driver import Place, Reading, Skipped

REASON = "its build downloads further sources from GitHub, which was not reachable, see its driver"


class FlameGpu2:
    name = "flamegpu2"
    description = "agents of FLAME GPU 2 (not built: its build downloads further sources)"

    def build(self, place: Place) -> None:
        raise Skipped(REASON)

    def readings(self, place: Place) -> Iterator[Reading]:
        raise Skipped(REASON)


DRIVER = FlameGpu2()
