// Run while building: writes the paper's systems as C++, one file a system and form, and the list of them.
//   lockstep_rewrite_generator FOLDER NAME=FILE.trs...
// or one system as CUDA C++:
//   lockstep_rewrite_generator --cuda FILE OUTPUT NAMESPACE

#include <cstdio>
#include <string>

#include "harness/bench/atomic_file.hpp"
#include "harness/bench/error.hpp"
#include "kernels/term_rewriting/generate_cuda.hpp"
#include "reference_cpu/term_rewriting/compiled/generate_cpp.hpp"
#include "reference_cpu/term_rewriting/compiled/shared_object.hpp"
#include "reference_cpu/term_rewriting/parse.hpp"

using namespace lockstep;
using namespace lockstep::term_rewriting;

int main(int argc, char** argv) {
    try {
        if (argc == 5 && std::string(argv[1]) == "--cuda") {
            bench::write_file_atomically(argv[3], generate_cuda(parse_system(argv[2], bench::read_file), argv[4]));
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
                entries += "    {" + std::to_string(compiled::text_digest(text)) + "ull, " + function + "},\n";
            }
        }
        bench::write_file_atomically(
            std::string(argv[1]) + "/built_in_programs.cpp",
            "#include \"reference_cpu/term_rewriting/compiled/shared_object.hpp\"\n\n"
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
