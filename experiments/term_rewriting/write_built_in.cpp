// Run while building: writes the paper's systems as C++, one file a system and form, and the list of them.
//   lockstep_rewrite_generator FOLDER NAME=FILE.trs...
// or one system's steps as CUDA C++:
//   lockstep_rewrite_generator --cuda FILE OUTPUT NAMESPACE
// or their kernels as printed, one .cu file a system, and the list of them; `with` or `without` those of a GPU:
//   lockstep_rewrite_generator --kernels with|without FOLDER NAME=FILE.trs...

#include <cstdio>
#include <string>

#include "baselines/term_rewriting/compiled/generate_cpp.hpp"
#include "common/term_rewriting/language/parse.hpp"
#include "harness/bench/atomic_file.hpp"
#include "harness/bench/error.hpp"
#include "harness/jit/text_digest.hpp"
#include "kernels/term_rewriting/as_printed/program.hpp"
#include "kernels/term_rewriting/generate_cuda.hpp"

using namespace lockstep;
using namespace lockstep::term_rewriting;

namespace {

// Text that declares the kernels of one program, and its entry in the list for one machine.
struct Listed {
    std::string declarations;
    std::string entry;
};

Listed listed(jit::KernelText const& text, std::string const& machine) {
    Listed result;
    std::string kernels;
    for (std::string const& entry : text.entries) {
        bool const gpu = machine == "cuda";
        std::string const symbol = gpu ? jit::gpu_symbol(text, entry) : jit::lane_symbol(text, entry);
        // On the host a kernel is a function of the kernel's arguments; only its address is used.
        result.declarations += "extern \"C\" void " + symbol + "(" + (gpu ? "" : "void*") + ");\n";
        kernels += "{\"" + entry + "\", reinterpret_cast<void*>(&" + symbol + ")}, ";
    }
    result.entry = "        {" + std::to_string(jit::text_digest(text.text)) + "ull, simt::Machine::" + machine +
                   ", {" + kernels + "}},\n";
    return result;
}

void write_kernels(bool with_gpu, std::string const& folder, std::vector<std::string> const& systems) {
    std::string declarations;
    std::string entries;
    for (std::string const& named : systems) {
        std::size_t const equals = named.find('=');
        System const system = parse_system(named.substr(equals + 1), bench::read_file);
        jit::KernelText const text = as_printed::program_text(system, {});
        bench::write_file_atomically(folder + "/as_printed_" + named.substr(0, equals) + ".cu", text.text);
        for (std::string const machine : {"emulator", "cuda"}) {
            if (machine == "cuda" && !with_gpu)
                continue;
            Listed const of_machine = listed(text, machine);
            declarations += of_machine.declarations;
            entries += of_machine.entry;
        }
    }
    bench::write_file_atomically(
        folder + "/built_in_kernels.cpp",
        "#include \"kernels/term_rewriting/kernel_context.hpp\"\n\n" + declarations +
            "\nnamespace lockstep::term_rewriting {\n\nstd::vector<jit::BuiltInKernels> const& built_in_kernels() {\n"
            "    static std::vector<jit::BuiltInKernels> const kernels = {\n" +
            entries + "    };\n    return kernels;\n}\n\n}  // namespace lockstep::term_rewriting\n");
}

}  // namespace

int main(int argc, char** argv) {
    try {
        if (argc == 5 && std::string(argv[1]) == "--cuda") {
            bench::write_file_atomically(argv[3],
                                         generate_cuda(parse_system(argv[2], bench::read_file), {.name = argv[4]}));
            return 0;
        }
        if (argc > 4 && std::string(argv[1]) == "--kernels") {
            write_kernels(std::string(argv[2]) == "with", argv[3], {argv + 4, argv + argc});
            return 0;
        }
        std::string declarations;
        std::string entries;
        for (int i = 2; i < argc; ++i) {
            std::string const argument = argv[i];
            std::size_t const equals = argument.find('=');
            std::string const name = argument.substr(0, equals);
            System const system = parse_system(argument.substr(equals + 1), bench::read_file);
            for (bool const parallel : {false, true}) {
                std::string const text = compiled::generate_cpp(system, parallel);
                std::string const function = "lockstep_" + name + (parallel ? "_all_cores" : "_one_core");
                bench::write_file_atomically(std::string(argv[1]) + "/" + function + ".cpp",
                                             "#define LOCKSTEP_PROGRAM " + function + "\n" + text);
                declarations += "extern \"C\" Program const* " + function + "();\n";
                entries += "    {" + std::to_string(jit::text_digest(text)) + "ull, " + function + "},\n";
            }
        }
        bench::write_file_atomically(
            std::string(argv[1]) + "/built_in_programs.cpp",
            "#include \"baselines/term_rewriting/compiled/programs.hpp\"\n\n"
            "namespace lockstep::term_rewriting::compiled {\n\n" +
                declarations + "\nBuiltIn const* built_in_programs(unsigned long long& count) {\n" +
                "    static BuiltIn const programs[] = {\n" + entries + "    };\n" +
                "    count = sizeof programs / sizeof programs[0];\n    return programs;\n}\n\n" +
                "}  // namespace lockstep::term_rewriting::compiled\n");
        return 0;
    } catch (bench::Error const& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 2;
    }
}
