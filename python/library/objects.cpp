#include "python/library/objects.hpp"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <iterator>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "harness/bench/error.hpp"
#include "harness/jit/device.hpp"
#include "harness/jit/nvrtc.hpp"
#include "harness/jit/shared_object.hpp"
#include "harness/jit/text_digest.hpp"
#include "harness/jit/whole_text.hpp"
#include "harness/simt/ceil_div.hpp"
#include "harness/simt/devices.hpp"
#include "harness/threads/pool.hpp"
#include "python/library/c_abi.hpp"

namespace lockstep::python {

// Headers that the generated texts include, embedded (python/CMakeLists.txt lists them).
std::span<simt::EmbeddedText const> section_headers();

namespace {

constexpr char const* space = "lockstep::object_layout::LOCKSTEP_MACHINE::";
constexpr char const* section_header = "kernels/object_layout/compiled/growing.hpp";

std::vector<std::string> words_of(std::string const& text) {
    std::istringstream words(text);
    return {std::istream_iterator<std::string>(words), {}};
}

// Functions of the CPU's text: the jobs first .. end - 1.
using Loop = void (*)(void const* arguments, std::uint64_t first, std::uint64_t end);

std::map<std::string, void*> compiled_for_cpu(std::string const& generated, std::vector<std::string> const& entries) {
    static jit::CompileContext const context = {"objects", "the section", "use machine \"cuda\"."};
    std::string text = std::string("#include \"") + section_header + "\"\n" + generated;
    for (std::string const& entry : entries) {
        text += "extern \"C\" void lockstep_" + entry +
                "(void const* arguments, unsigned long long first, unsigned long long end) {\n"
                "    auto const& a = *static_cast<lockstep::object_layout::cpu::Arguments const*>(arguments);\n"
                "    for (unsigned long long job = first; job < end; ++job)\n"
                "        lockstep::object_layout::cpu::" +
                entry + "(a, job);\n}\n";
    }
    std::span<simt::EmbeddedText const> const parts[] = {section_headers()};
    std::string const path = jit::shared_object(jit::whole_text_for_cpu(text, parts), jit::cpu_options(), context);
    std::map<std::string, void*> functions;
    for (std::string const& entry : entries)
        functions[entry] = jit::symbol_in(path, "lockstep_" + entry);
    return functions;
}

jit::KernelContext const& kernel_context() {
    static jit::KernelContext const context = {
        {"objects", "the section", "use machine \"cpu\"."}, section_headers(), {}};
    return context;
}

jit::KernelText kernel_text(std::string const& generated, std::vector<std::string> const& entries) {
    jit::KernelText text;
    text.text = std::string("#include \"") + section_header + "\"\n" + generated;
    std::string const arguments = std::string(space) + "Arguments";
    text.prefix = "objects_" + std::to_string(jit::text_digest(text.text));
    for (std::string const& entry : entries) {
        text.text += "namespace lockstep::object_layout::LOCKSTEP_MACHINE {\n__device__ inline void " + entry +
                     "_of_lane(Arguments const& a) {\n"
                     "    u64 const job = static_cast<u64>(blockIdx.x) * blockDim.x + threadIdx.x;\n"
                     "    if (job < a.jobs)\n        " +
                     entry + "(a, job);\n}\n}\n";
        text.add_entry(entry, space + entry + "_of_lane", arguments);
    }
    return text;
}

std::map<std::string, void*> compiled_for_device(jit::Device& device, std::string const& generated,
                                                 std::vector<std::string> const& entries) {
    return device.load(kernel_text(generated, entries), kernel_context());
}

}  // namespace

}  // namespace lockstep::python

struct lockstep_objects_program {
    lockstep::simt::Machine machine;
    std::map<std::string, void*> entries;
};

namespace lockstep::python {

namespace {

void launch_on_cpu(Loop loop, std::uint64_t jobs, void const* arguments) {
    threads::Pool& pool = threads::shared_pool();
    std::uint64_t const piece = std::clamp<std::uint64_t>(jobs / (8 * pool.width()), 1, 4096);
    pool.run(simt::ceil_div(jobs, piece),
             [&](std::size_t part) { loop(arguments, part * piece, std::min(jobs, (part + 1) * piece)); });
}

void launch_on_device(jit::Device& device, std::string const& entry, void* kernel, std::uint64_t jobs,
                      void const* arguments) {
    simt::LaunchShape shape;
    shape.block.x = device.machine() == simt::Machine::cuda ? 128 : 32;
    shape.grid.x = static_cast<unsigned>(simt::ceil_div(jobs, std::uint64_t{shape.block.x}));
    device.launch(entry, kernel, shape, arguments);
}

double launch(lockstep_objects_program const& program, std::string const& entry, std::uint64_t jobs,
              void const* arguments) {
    void* const function = program.entries.at(entry);
    if (jobs == 0)
        return 0;
    if (program.machine == simt::Machine::cpu) {
        auto const start = std::chrono::steady_clock::now();
        launch_on_cpu(reinterpret_cast<Loop>(function), jobs, arguments);
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    }
    jit::Device& device = jit::device_of(program.machine);
    device.forget_marks();
    std::size_t const before = device.mark();
    launch_on_device(device, entry, function, jobs, arguments);
    std::size_t const after = device.mark();
    device.synchronize();
    return device.seconds_between(before, after);
}

void* allocated(simt::Machine machine, std::uint64_t bytes) {
    void* const memory = machine == simt::Machine::cpu ? std::malloc(bytes) : jit::device_of(machine).allocate(bytes);
    if (memory == nullptr)
        throw bench::Error("not enough memory", std::to_string(bytes) + " bytes are not free", "Use fewer objects.");
    return memory;
}

}  // namespace

}  // namespace lockstep::python

namespace {

namespace jit = lockstep::jit;
namespace simt = lockstep::simt;
using lockstep::python::guarded;
using simt::machine_from_string;

}  // namespace

int lockstep_objects_has_gpu() { return simt::cuda_device_count() == 0 ? 0 : 1; }

int lockstep_objects_open(std::uint32_t const gpu) {
    return guarded([&] {
        if (gpu != 0)  // a thread begins with 0
            simt::use_device(gpu);
        jit::device_of(simt::Machine::cuda);
    });
}

std::uint32_t lockstep_objects_gpu_in_use() {
    return simt::cuda_driver_is_loaded() ? static_cast<std::uint32_t>(simt::device_in_use()) : 0;
}

int lockstep_objects_load(char const* machine, char const* text, char const* entries,
                          lockstep_objects_program const** made) {
    return guarded([&] {
        static std::deque<lockstep_objects_program> programs;
        static std::map<std::string, lockstep_objects_program const*> loaded;
        std::string const key = std::string(machine) + "\n" + text;
        lockstep_objects_program const*& program = loaded[key];
        if (program == nullptr) {
            simt::Machine const on = machine_from_string(machine);
            std::vector<std::string> const names = lockstep::python::words_of(entries);
            programs.push_back({on, on == simt::Machine::cpu
                                        ? lockstep::python::compiled_for_cpu(text, names)
                                        : lockstep::python::compiled_for_device(jit::device_of(on), text, names)});
            program = &programs.back();
        }
        *made = program;
    });
}

int lockstep_objects_launch(lockstep_objects_program const* program, char const* entry, std::uint64_t jobs,
                            void const* arguments, double* seconds) {
    return guarded([&] { *seconds = lockstep::python::launch(*program, entry, jobs, arguments); });
}

int lockstep_objects_compile_for([[maybe_unused]] int capability, [[maybe_unused]] char const* text,
                                 [[maybe_unused]] char const* entries, [[maybe_unused]] std::uint64_t* bytes) {
    return guarded([&] {
#if defined(LOCKSTEP_WITH_CUDA)
        jit::KernelText const kernels = lockstep::python::kernel_text(text, lockstep::python::words_of(entries));
        *bytes = jit::nvrtc_image(kernels.text, capability, lockstep::python::kernel_context()).size();
#else
        throw lockstep::bench::Error("no CUDA", "this library was built without CUDA");
#endif
    });
}

int lockstep_objects_allocate(char const* machine, std::uint64_t bytes, void** made) {
    return guarded([&] { *made = lockstep::python::allocated(machine_from_string(machine), bytes); });
}

int lockstep_objects_release(char const* machine, void* memory) {
    return guarded([&] {
        if (machine_from_string(machine) == simt::Machine::cpu)
            std::free(memory);
        else
            jit::device_of(machine_from_string(machine)).release(memory);
    });
}

int lockstep_objects_upload(char const* machine, void* to, void const* from, std::uint64_t bytes) {
    return guarded([&] {
        if (machine_from_string(machine) == simt::Machine::cpu)
            std::memcpy(to, from, bytes);
        else
            jit::device_of(machine_from_string(machine)).upload(to, from, bytes);
    });
}

int lockstep_objects_download(char const* machine, void* to, void const* from, std::uint64_t bytes) {
    return guarded([&] {
        if (machine_from_string(machine) == simt::Machine::cpu)
            std::memcpy(to, from, bytes);
        else
            jit::device_of(machine_from_string(machine)).download(to, from, bytes);
    });
}
