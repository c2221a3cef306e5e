# Generates the C++ files that contain the device headers as text.
set(lockstep_device_headers
    harness/simt/ceil_div.hpp
    harness/simt/kernel.hpp
    harness/simt/cuda_kernel.hpp
    harness/simt/indices.hpp
    harness/simt/warp.hpp
    harness/random/bounded.hpp
    harness/random/gf2.hpp
    harness/random/logarithm.hpp
    harness/random/philox.hpp
    harness/random/streams.hpp
    harness/random/taus88.hpp
    harness/random/uniform.hpp
    harness/random/xorwow.hpp
)
set(lockstep_emulator_headers
    harness/simt/emulator/kernel.hpp
    harness/simt/emulator/atomics.hpp
    harness/simt/emulator/collectives.hpp
    harness/simt/emulator/integers.hpp
    harness/simt/emulator/intrinsics.hpp
    harness/simt/emulator/qualifiers.hpp
    harness/simt/emulator/runtime.hpp
    harness/simt/emulator/scoped_access.hpp
    harness/simt/emulator/shared_memory.hpp
    harness/simt/emulator/source_location.hpp
)
lockstep_embed_texts("${CMAKE_CURRENT_BINARY_DIR}/device_headers.cpp" lockstep::simt device_headers
    ${lockstep_device_headers})
lockstep_embed_texts("${CMAKE_CURRENT_BINARY_DIR}/emulator_headers.cpp" lockstep::simt emulator_headers
    ${lockstep_emulator_headers})
