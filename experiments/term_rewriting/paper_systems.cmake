# Writes a C++ file that holds the paper's systems as text, so that the program needs no file for them.
set(entries "")
foreach(system IN LISTS lockstep_paper_systems)
    set(file "${PROJECT_SOURCE_DIR}/experiments/term_rewriting/systems/${system}.trs")
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${file}")
    file(READ "${file}" text)
    string(APPEND entries "    {\"${system}\", R\"lockstep(${text})lockstep\"},\n")
endforeach()
file(CONFIGURE OUTPUT "${CMAKE_CURRENT_BINARY_DIR}/paper_systems.cpp" @ONLY CONTENT
"#include \"reference_cpu/term_rewriting/paper_systems.hpp\"\n
#include \"harness/bench/error.hpp\"
#include \"reference_cpu/term_rewriting/parse.hpp\"\n
namespace lockstep::term_rewriting {
namespace {\n
struct Embedded {
    char const* name;
    char const* text;
};\n
constexpr Embedded embedded[] = {
@entries@};\n
}  // namespace\n
System paper_system(std::string const& name) {
    for (Embedded const& system : embedded) {
        if (system.name == name)
            return parse_system(name + \".trs\", [&](std::string const&) { return std::string(system.text); });
    }
    throw bench::Error(\"no system \" + name, \"it is not one of the paper's\");
}\n
}  // namespace lockstep::term_rewriting\n")
