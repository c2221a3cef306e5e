"""DynaSOAr (https://github.com/prg-titech/dynasoar, tried at a4f956c). It does not build with CUDA 13.0.

Its program nbody would do the work of our program `bodies`. Tried in its source tree:

    nvcc -std=c++17 -O3 -arch=sm_90 --expt-extended-lambda -maxrregcount=64 -Iexample/configuration/dynasoar -I. \\
        example/nbody/dynasoar/nbody.cu -o nbody

    ./allocator/allocator_handle.h(69): error: class "cudaDeviceProp" has no member "memoryClockRate"
    ./allocator/allocator_handle.h(73): error: class "cudaDeviceProp" has no member "memoryClockRate"

CUDA 13 removed this member, and a peer is built from unchanged sources.
"""

from __future__ import annotations

from collections.abc import Iterator

from processes.driver import Place, Reading, Skipped


REASON = "it does not build with CUDA 13 (cudaDeviceProp has no memoryClockRate), see its driver"


class Dynasoar:
    name = "dynasoar"
    description = "n bodies with DynaSOAr's objects (does not build with CUDA 13)"

    def build(self, place: Place) -> None:
        raise Skipped(REASON)

    def readings(self, place: Place) -> Iterator[Reading]:
        raise Skipped(REASON)


DRIVER = Dynasoar()
