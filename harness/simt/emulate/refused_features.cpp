// The features that the emulator does not have, by the names that a program uses of them.

#include <algorithm>
#include <array>
#include <cctype>

#include "harness/simt/emulate/translate.hpp"

namespace lockstep::simt::emulate {
namespace {

// What may follow a feature's prefix in a name.
enum class Follows { anything, no_letter, nothing };  // no_letter: `__all_x`, not `__alloc_traits`

struct Feature {
    std::string_view prefix;
    std::string_view name;
    Follows follows = Follows::anything;
};

bool begins(std::string_view name, Feature const& feature) {
    if (name.substr(0, feature.prefix.size()) != feature.prefix)
        return false;
    std::string_view const rest = name.substr(feature.prefix.size());
    if (rest.empty() || feature.follows == Follows::anything) {
        return true;
    }
    return feature.follows == Follows::no_letter && std::isalnum(static_cast<unsigned char>(rest.front())) == 0;
}

// A longer prefix comes before a shorter one of another feature.
constexpr std::array<Feature, 84> features = {{
    {"lockstep_refused_inline_ptx", "inline PTX"},
    {"lockstep_refused_dynamic_parallelism", "dynamic parallelism"},
    {"lockstep_refused_device_new", "new in device code"},
    {"lockstep_refused_device_malloc", "malloc in device code"},
    {"cudaMipmapped", "mipmaps"},
    {"cudaMallocMipmapped", "mipmaps"},
    {"cudaFreeMipmapped", "mipmaps"},
    {"cudaGetMipmapped", "mipmaps"},
    {"cudaResViewFormat", "resource views of textures"},
    {"tex1DGrad", "mipmaps, gradients and gathers of textures"},
    {"tex1DLayered", "mipmaps, gradients and gathers of textures"},
    {"tex1DLod", "mipmaps, gradients and gathers of textures"},
    {"tex2DGrad", "mipmaps, gradients and gathers of textures"},
    {"tex2DLayered", "mipmaps, gradients and gathers of textures"},
    {"tex2DLod", "mipmaps, gradients and gathers of textures"},
    {"tex2Dgather", "mipmaps, gradients and gathers of textures"},
    {"tex3DGrad", "mipmaps, gradients and gathers of textures"},
    {"tex3DLod", "mipmaps, gradients and gathers of textures"},
    {"texCubemap", "mipmaps, gradients and gathers of textures"},
    {"textureReference", "texture references, which CUDA 12 does not have"},
    {"texture", "texture references, which CUDA 12 does not have", Follows::nothing},
    {"cudaBindTexture", "texture references, which CUDA 12 does not have"},
    {"cudaUnbindTexture", "texture references, which CUDA 12 does not have"},
    {"surfaceReference", "surface references, which CUDA 12 does not have"},
    {"surface", "surface references, which CUDA 12 does not have", Follows::nothing},
    {"cudaBindSurface", "surface references, which CUDA 12 does not have"},
    {"surfCubemap", "surfaces of cubemaps"},
    {"mma.h", "tensor cores"},
    {"nvcuda", "tensor cores"},
    {"wmma", "tensor cores"},
    {"__shfl", "warp functions without _sync: -D LOCKSTEP_BEFORE_VOLTA has them"},
    {"__any", "warp functions without _sync: -D LOCKSTEP_BEFORE_VOLTA has them", Follows::no_letter},
    {"__all", "warp functions without _sync: -D LOCKSTEP_BEFORE_VOLTA has them", Follows::no_letter},
    {"__ballot", "warp functions without _sync: -D LOCKSTEP_BEFORE_VOLTA has them", Follows::no_letter},
    {"cuda/std", "a part of libcu++ that is not declared"},
    {"thrust", "a part of Thrust that is not declared"},
    {"cublas", "the library cuBLAS"},
    {"cusparse", "the library cuSPARSE"},
    {"cusolver", "the library cuSOLVER"},
    {"curand", "a part of cuRAND that is not declared"},
    {"cufft", "the library cuFFT"},
    {"cudnn", "the library cuDNN"},
    {"cub", "a part of CUB that is not declared", Follows::no_letter},
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
    {"cuCtx", "the driver API"},
    {"cuDevice", "the driver API"},
    {"cuFunc", "the driver API"},
    {"cuInit", "the driver API", Follows::nothing},
    {"cuLaunch", "the driver API"},
    {"cuLink", "the driver API"},
    {"cuMem", "the driver API"},
    {"cuModule", "the driver API"},
    {"cuTex", "the driver API"},
    {"cluster_group", "thread block clusters"},
    {"this_cluster", "thread block clusters"},
    {"__cluster_dims__", "thread block clusters"},
    {"cudaLaunchAttribute", "launch attributes"},
    {"cudaLaunchConfig_t", "launch attributes"},
    {"cudaLaunchKernelEx", "launch attributes"},
    {"cudaStreamAttr", "attributes of streams"},
    {"cudaMemPool", "memory pools"},
    {"cudaDeviceGetDefaultMemPool", "memory pools"},
    {"cudaIpc", "memory of other processes"},
    {"cudaExternal", "graphics interoperation"},
    {"cudaImportExternal", "graphics interoperation"},
    {"cudaGraphics", "graphics interoperation"},
    {"cudaGraphCond", "conditional nodes of CUDA graphs"},
    {"cudaGraphSetConditional", "conditional nodes of CUDA graphs"},
    {"cudaGraphNodeTypeConditional", "conditional nodes of CUDA graphs"},
    {"cudaGraphInstantiateFlagDeviceLaunch", "launches of graphs on the device"},
    {"cudaGetCurrentGraphExec", "launches of graphs on the device"},
    {"cudaStreamGraph", "launches of graphs on the device"},
    {"cudaGraph", "a part of CUDA graphs that is not declared"},
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
