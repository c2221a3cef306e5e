#include "harness/jit/nvrtc.hpp"

#if defined(LOCKSTEP_WITH_CUDA)

#include <cuda_runtime_api.h>
#include <dlfcn.h>
#include <link.h>
#include <nvrtc.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <vector>

#include "harness/bench/error.hpp"
#include "harness/jit/cache.hpp"
#include "harness/jit/compile_error.hpp"
#include "harness/jit/own_folder.hpp"
#include "harness/simt/device_headers.hpp"

namespace lockstep::jit {

namespace {

// NVRTC's functions, from the library of the toolkit that built this program or one that the loader finds.
struct Nvrtc {
    std::string path;
    decltype(&nvrtcVersion) version;
    decltype(&nvrtcGetNumSupportedArchs) architecture_count;
    decltype(&nvrtcGetSupportedArchs) architectures;
    decltype(&nvrtcCreateProgram) create;
    decltype(&nvrtcCompileProgram) compile;
    decltype(&nvrtcDestroyProgram) destroy;
    decltype(&nvrtcGetProgramLogSize) log_size;
    decltype(&nvrtcGetProgramLog) log;
    decltype(&nvrtcGetCUBINSize) cubin_size;
    decltype(&nvrtcGetCUBIN) cubin;
    decltype(&nvrtcGetPTXSize) ptx_size;
    decltype(&nvrtcGetPTX) ptx;
};

// The reason why NVRTC is not usable.
struct NoNvrtc {
    std::string reason;
};

bench::Error error_of(CompileContext const& context, std::string const& reason, std::string const& suggestion) {
    return bench::Error("cannot compile " + context.subject + " for the GPU", reason, suggestion);
}

template <class Function>
void find(void* library, char const* name, Function& function) {
    function = reinterpret_cast<Function>(dlsym(library, name));
    if (function == nullptr)
        throw NoNvrtc{std::string("the library has no ") + name};
}

Nvrtc open_nvrtc() {
    std::string const major = std::to_string(CUDART_VERSION / 1000);
    std::string const name = "libnvrtc.so." + major;
    void* library = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) {
        // NVRTC loads its library of built-in functions by a name without a folder. The loader finds that library if it
        // is already loaded.
        std::string const folder = LOCKSTEP_CUDA_LIBRARIES "/";
        std::string const minor = std::to_string(CUDART_VERSION % 1000 / 10);
        dlopen((folder + "libnvrtc-builtins.so." + major + "." + minor).c_str(), RTLD_NOW | RTLD_LOCAL);
        library = dlopen((folder + name).c_str(), RTLD_NOW | RTLD_LOCAL);
    }
    if (library == nullptr)
        throw NoNvrtc{"no " + name};
    Nvrtc nvrtc{};
    link_map* loaded = nullptr;
    if (dlinfo(library, RTLD_DI_LINKMAP, static_cast<void*>(&loaded)) == 0)
        nvrtc.path = loaded->l_name;
    find(library, "nvrtcVersion", nvrtc.version);
    find(library, "nvrtcGetNumSupportedArchs", nvrtc.architecture_count);
    find(library, "nvrtcGetSupportedArchs", nvrtc.architectures);
    find(library, "nvrtcCreateProgram", nvrtc.create);
    find(library, "nvrtcCompileProgram", nvrtc.compile);
    find(library, "nvrtcDestroyProgram", nvrtc.destroy);
    find(library, "nvrtcGetProgramLogSize", nvrtc.log_size);
    find(library, "nvrtcGetProgramLog", nvrtc.log);
    find(library, "nvrtcGetCUBINSize", nvrtc.cubin_size);
    find(library, "nvrtcGetCUBIN", nvrtc.cubin);
    find(library, "nvrtcGetPTXSize", nvrtc.ptx_size);
    find(library, "nvrtcGetPTX", nvrtc.ptx);
    return nvrtc;
}

// Returns "sm_90" for machine code of exactly that device, else "compute_..." for PTX of the newest older device.
std::string architecture(Nvrtc const& nvrtc, int capability) {
    int count = 0;
    nvrtc.architecture_count(&count);
    std::vector<int> known(static_cast<std::size_t>(count));
    nvrtc.architectures(known.data());
    int newest = 0;
    for (int const each : known) {
        if (each == capability)
            return "sm_" + std::to_string(capability);
        newest = each < capability ? std::max(newest, each) : newest;
    }
    if (newest == 0)
        throw NoNvrtc{"this NVRTC does not support compute capability " + std::to_string(capability)};
    return "compute_" + std::to_string(newest);
}

std::string compiled_image(Nvrtc const& nvrtc, std::string const& text, std::string const& target,
                           KernelContext const& context) {
    std::vector<char const*> names;
    std::vector<char const*> texts;
    for (auto const& part : {simt::device_headers(), context.headers}) {
        for (simt::EmbeddedText const& header : part) {
            names.push_back(header.name);
            texts.push_back(header.text);
        }
    }
    nvrtcProgram program = nullptr;
    if (nvrtc.create(&program, text.c_str(), "generated.cu", static_cast<int>(names.size()), texts.data(),
                     names.data()) != NVRTC_SUCCESS)
        throw NoNvrtc{"it cannot create a program"};
    std::string const arch = "--gpu-architecture=" + target;
    std::vector<char const*> const options = {"--std=c++20", "--fmad=false", "--device-as-default-execution-space",
                                              arch.c_str()};
    nvrtcResult const result = nvrtc.compile(program, static_cast<int>(options.size()), options.data());
    std::string image;
    if (result == NVRTC_SUCCESS) {
        bool const machine_code = target.rfind("sm_", 0) == 0;
        std::size_t size = 0;
        (machine_code ? nvrtc.cubin_size : nvrtc.ptx_size)(program, &size);
        image.resize(size);
        (machine_code ? nvrtc.cubin : nvrtc.ptx)(program, image.data());
    } else {
        std::size_t size = 0;
        nvrtc.log_size(program, &size);
        image.resize(size);
        nvrtc.log(program, image.data());
    }
    nvrtc.destroy(&program);
    if (result != NVRTC_SUCCESS) {
        std::size_t const at = std::min(image.find("error"), image.size());
        throw CompileError(
            error_of(context, image.substr(at, image.find('\n', at) - at), "Try to " + context.alternative), image);
    }
    return image;
}

Nvrtc const& loaded_nvrtc() {
    static Nvrtc const nvrtc = open_nvrtc();
    return nvrtc;
}

std::string new_image(std::string const& text, int capability, KernelContext const& context) {
    Nvrtc const& nvrtc = loaded_nvrtc();
    return compiled_image(nvrtc, text, architecture(nvrtc, capability), context);
}

// NVRTC as the keys of the cache name it.
struct Compiler {
    std::string version;  // "13.0"
    std::string target;

    bool operator==(Compiler const&) const = default;
};

Compiler loaded_compiler(int capability) {
    Nvrtc const& nvrtc = loaded_nvrtc();
    int major = 0;
    int minor = 0;
    nvrtc.version(&major, &minor);
    return {std::to_string(major) + "." + std::to_string(minor), architecture(nvrtc, capability)};
}

// NVRTC has more than 100 MB, and a process that finds all of its images does not need it. So the cache has a record of
// the file that was loaded last: the file as state_of() describes it, its path, version and target.

// Which file this is. Empty if there is none.
std::string state_of(std::string const& path) {
    struct stat found = {};
    if (path.empty() || stat(path.c_str(), &found) != 0)
        return {};
    std::string text;
    for (long long const part : {static_cast<long long>(found.st_dev), static_cast<long long>(found.st_ino),
                                 static_cast<long long>(found.st_size), static_cast<long long>(found.st_ctim.tv_sec),
                                 static_cast<long long>(found.st_ctim.tv_nsec)})
        text += std::to_string(part) + " ";
    return text;
}

std::string record_text(std::string const& path, Compiler const& compiler) {
    return state_of(path) + "\n" + compiler.version + "\n" + compiler.target + "\n" + path;
}

// Where the loader looks may decide which file it finds.
std::string record_name(int capability) {
    char const* const folders = std::getenv("LD_LIBRARY_PATH");
    return cache_file_name(std::string(LOCKSTEP_CUDA_LIBRARIES) + ":" + (folders == nullptr ? "" : folders),
                           "NVRTC " + std::to_string(CUDART_VERSION) + " " + std::to_string(capability)) +
           ".nvrtc";
}

std::optional<Compiler> recorded_compiler(std::string const& record) {
    std::string const text = read_own_file(record).value_or("");
    std::size_t const version = text.find('\n') + 1;
    std::size_t const target = text.find('\n', version) + 1;
    std::size_t const path = text.find('\n', target) + 1;
    if (version == 0 || target == 0 || path == 0)
        return {};
    Compiler const compiler = {text.substr(version, target - 1 - version), text.substr(target, path - 1 - target)};
    std::string const file = text.substr(path);
    return !state_of(file).empty() && text == record_text(file, compiler) ? std::optional(compiler) : std::nullopt;
}

void keep_record(std::string const& record, Compiler const& compiler) {
    try {
        own_cache_text(record, record_text(loaded_nvrtc().path, compiler));
    } catch (bench::Error const&) {  // the next process loads NVRTC again
    }
}

std::string image_of(std::string const& text, int capability, KernelContext const& context) {
    auto const key_of = [&](Compiler const& compiler) {
        std::string key = "// " + compiler.target + ", NVRTC " + compiler.version + "\n" + text;
        for (auto const& part : {simt::device_headers(), context.headers}) {
            for (simt::EmbeddedText const& header : part)
                key += std::string("\n// ") + header.name + "\n" + header.text;
        }
        return key;
    };
    std::string const folder = own_cache_folder(context.cache_name) + "/";
    std::string const record = folder + record_name(capability);
    std::optional<Compiler> const recorded = recorded_compiler(record);
    if (recorded) {
        if (auto const found = cached_image(folder + cache_file_name(key_of(*recorded), recorded->target), ".image"))
            return *found;
    }
    Compiler const compiler = loaded_compiler(capability);
    std::string const key = key_of(compiler);
    std::string const base = folder + cache_file_name(key, compiler.target);
    if (recorded != compiler) {
        keep_record(record, compiler);
        if (std::optional<std::string> const found = cached_image(base, ".image"))
            return *found;
    }
    std::string image = compiled_image(loaded_nvrtc(), text, compiler.target, context);
    store_image(base, ".image", key, image);
    return image;
}

using Image = std::string (*)(std::string const& text, int capability, KernelContext const& context);

std::string image_or_error(Image image, std::string const& text, int capability, KernelContext const& context) {
    try {
        return image(text, capability, context);
    } catch (NoNvrtc const& missing) {
        throw error_of(
            context, missing.reason,
            "Install NVRTC of CUDA " + std::to_string(CUDART_VERSION / 1000) + ", or " + context.alternative);
    }
}

}  // namespace

std::string nvrtc_image(std::string const& text, int capability, KernelContext const& context) {
    return image_or_error(image_of, text, capability, context);
}

std::string nvrtc_image_without_cache(std::string const& text, int capability, KernelContext const& context) {
    return image_or_error(new_image, text, capability, context);
}

}  // namespace lockstep::jit

#endif
