// The features that the emulator does not have, by the names that a program uses of them.

#include <algorithm>
#include <array>
#include <cctype>

#include "harness/simt/emulate/translate.hpp"

namespace lockstep::simt::emulate {
namespace {

struct Feature {
    std::string_view prefix;
    std::string_view name;
    bool is_word = false;  // no letter follows: `__all`, not `__alloc_traits`
};

bool begins(std::string_view name, Feature const& feature) {
    if (name.substr(0, feature.prefix.size()) != feature.prefix)
        return false;
    std::string_view const rest = name.substr(feature.prefix.size());
    return !feature.is_word || rest.empty() || std::isalnum(static_cast<unsigned char>(rest.front())) == 0;
}

// A longer prefix comes before a shorter one of another feature.
constexpr std::array<Feature, 51> features = {{
    {"lockstep_refused_inline_ptx", "inline PTX"},
    {"lockstep_refused_dynamic_parallelism", "dynamic parallelism"},
    {"lockstep_refused_device_new", "new in device code"},
    {"lockstep_refused_device_malloc", "malloc in device code"},
    {"tex1D", "textures"},
    {"tex2D", "textures"},
    {"tex3D", "textures"},
    {"texCubemap", "textures"},
    {"texture", "textures"},
    {"cudaTexture", "textures"},
    {"cudaCreateTexture", "textures"},
    {"cudaBindTexture", "textures"},
    {"cudaResourceDesc", "textures"},
    {"cudaFilterMode", "textures"},
    {"cudaArray", "textures"},
    {"cudaMallocArray", "textures"},
    {"cudaMalloc3DArray", "textures"},
    {"surf", "surfaces"},
    {"cudaSurface", "surfaces"},
    {"cudaCreateSurface", "surfaces"},
    {"mma.h", "tensor cores"},
    {"nvcuda", "tensor cores"},
    {"wmma", "tensor cores"},
    {"__shfl", "warp functions without _sync: -D LOCKSTEP_BEFORE_VOLTA has them"},
    {"__any", "warp functions without _sync: -D LOCKSTEP_BEFORE_VOLTA has them", true},
    {"__all", "warp functions without _sync: -D LOCKSTEP_BEFORE_VOLTA has them", true},
    {"__ballot", "warp functions without _sync: -D LOCKSTEP_BEFORE_VOLTA has them", true},
    {"cuda/std", "a part of libcu++ that is not declared"},
    {"thrust", "a part of Thrust that is not declared"},
    {"cublas", "the library cuBLAS"},
    {"cusparse", "the library cuSPARSE"},
    {"cusolver", "the library cuSOLVER"},
    {"curand", "a part of cuRAND that is not declared"},
    {"cufft", "the library cuFFT"},
    {"cudnn", "the library cuDNN"},
    {"cub", "a part of CUB that is not declared", true},
    {"cutlass", "the library CUTLASS"},
    {"nccl", "the library NCCL"},
    {"mpi.h", "the library MPI"},
    {"cute/", "the library CUTLASS"},
    {"cuco", "the library cuCollections"},
    {"nvml", "the library NVML"},
    {"nvrtc", "the library NVRTC"},
    {"nvshmem", "the library NVSHMEM"},
    {"npp", "the library NPP"},
    {"nvjpeg", "the library nvJPEG"},
    {"cudaGraphics", "graphics interoperation"},
    {"cudaGraph", "CUDA graphs"},
    {"cudaStreamBeginCapture", "CUDA graphs"},
    {"cuda/barrier", "asynchronous barriers"},
    {"cuda/pipeline", "asynchronous copies"},
}};

}  // namespace

std::optional<std::string> refused_feature(std::string const& name) {
    std::string_view bare = name;
    for (std::string_view const prefix : {"::", "lockstep_refused/"}) {
        bare.remove_prefix(bare.substr(0, prefix.size()) == prefix ? prefix.size() : 0);
    }
    auto const found =
        std::find_if(features.begin(), features.end(), [&](Feature const& feature) { return begins(bare, feature); });
    return found == features.end() ? std::nullopt : std::optional<std::string>(found->name);
}

}  // namespace lockstep::simt::emulate
