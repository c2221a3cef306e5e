// Runs during the build. Writes the paper's systems as C++, one file per system and form, and the list of them:
//   lockstep_rewrite_generator FOLDER NAME=FILE.trs...
// or one system's steps as CUDA C++:
//   lockstep_rewrite_generator --cuda FILE OUTPUT NAMESPACE
// or their kernels as printed, one .cu file per system, and the list of them, `with` or `without` those of a GPU:
//   lockstep_rewrite_generator --kernels with|without FOLDER NAME=FILE.trs...

#include <cstdio>
#include <string>
#include <vector>

#include "baselines/term_rewriting/compiled/generate_cpp.hpp"
#include "common/term_rewriting/language/parse.hpp"
#include "harness/bench/atomic_file.hpp"
#include "harness/bench/error.hpp"
#include "harness/jit/code_writer.hpp"
#include "harness/jit/text_digest.hpp"
#include "kernels/term_rewriting/as_printed/program.hpp"
#include "kernels/term_rewriting/generate_cuda.hpp"

using namespace lockstep;
using namespace lockstep::term_rewriting;

namespace {

using jit::CodeWriter;
using Systems = std::vector<std::string>;  // NAME=FILE

std::string name_of(std::string const& named) { return named.substr(0, named.find('=')); }
System system_of(std::string const& named) { return parse_system(named.substr(named.find('=') + 1), bench::read_file); }

// Declares the kernels of one program, and lists them for one machine.
void list_kernels(CodeWriter& declarations, CodeWriter& entries, jit::KernelText const& text,
                  std::string const& machine) {
    std::string kernels;
    for (std::string const& entry : text.entries) {
        bool const gpu = machine == "cuda";
        std::string const symbol = gpu ? jit::gpu_symbol(text, entry) : jit::lane_symbol(text, entry);
        // On the host a kernel is a function of the kernel's arguments; only its address is used.
        declarations.line("extern \"C\" void {}({});", symbol, gpu ? "" : "void*");
        kernels += fmt::format("{{\"{}\", reinterpret_cast<void*>(&{})}}, ", entry, symbol);
    }
    entries.line("{{{}ull, simt::Machine::{}, {{{}}}}},", jit::text_digest(text.text), machine, kernels);
}

void write_kernels(bool with_gpu, std::string const& folder, Systems const& systems) {
    CodeWriter declarations;
    CodeWriter entries(2);
    for (std::string const& named : systems) {
        jit::KernelText const text = as_printed::program_text(system_of(named), {});
        bench::write_file_atomically(folder + "/as_printed_" + name_of(named) + ".cu", text.text);
        list_kernels(declarations, entries, text, "emulator");
        if (with_gpu)
            list_kernels(declarations, entries, text, "cuda");
    }
    CodeWriter code;
    code.line("#include \"kernels/term_rewriting/kernel_context.hpp\"");
    code.line();
    code.append(declarations.text());
    code.line();
    code.line("namespace lockstep::term_rewriting {{");
    code.line();
    {
        auto const function = code.block("std::vector<jit::BuiltInKernels> const& built_in_kernels()");
        code.line("static std::vector<jit::BuiltInKernels> const kernels = {{");
        code.append(entries.text());
        code.line("}};");
        code.line("return kernels;");
    }
    code.line();
    code.line("}}  // namespace lockstep::term_rewriting");
    bench::write_file_atomically(folder + "/built_in_kernels.cpp", code.text());
}

void write_programs(std::string const& folder, Systems const& systems) {
    CodeWriter declarations;
    CodeWriter entries(1);
    for (std::string const& named : systems) {
        System const system = system_of(named);
        for (bool const parallel : {false, true}) {
            std::string const text = compiled::generate_cpp(system, parallel);
            std::string const function = "lockstep_" + name_of(named) + (parallel ? "_all_cores" : "_one_core");
            bench::write_file_atomically(folder + "/" + function + ".cpp",
                                         "#define LOCKSTEP_PROGRAM " + function + "\n" + text);
            declarations.line("extern \"C\" Program const* {}();", function);
            entries.line("{{{}ull, {}}},", jit::text_digest(text), function);
        }
    }
    CodeWriter code;
    code.line("#include \"baselines/term_rewriting/compiled/programs.hpp\"");
    code.line();
    code.line("namespace lockstep::term_rewriting::compiled {{");
    code.line();
    code.append(declarations.text());
    code.line();
    {
        auto const function = code.block("BuiltIn const* built_in_programs(unsigned long long& count)");
        code.line("static BuiltIn const programs[] = {{");
        code.append(entries.text());
        code.line("}};");
        code.line("count = sizeof programs / sizeof programs[0];");
        code.line("return programs;");
    }
    code.line();
    code.line("}}  // namespace lockstep::term_rewriting::compiled");
    bench::write_file_atomically(folder + "/built_in_programs.cpp", code.text());
}

}  // namespace

int main(int argc, char** argv) {
    try {
        std::string const first = argc > 1 ? argv[1] : "";
        if (argc == 5 && first == "--cuda") {
            bench::write_file_atomically(argv[3],
                                         generate_cuda(parse_system(argv[2], bench::read_file), {.name = argv[4]}));
        } else if (argc > 4 && first == "--kernels") {
            write_kernels(std::string(argv[2]) == "with", argv[3], {argv + 4, argv + argc});
        } else if (argc > 2) {
            write_programs(first, {argv + 2, argv + argc});
        }
        return 0;
    } catch (bench::Error const& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 2;
    }
}
