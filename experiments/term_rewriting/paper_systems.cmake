# Writes a C++ file that holds the experiment's systems as text, so that the program needs no file for them.
set(entries "")
foreach(name IN LISTS lockstep_paper_systems lockstep_own_systems)
    cmake_path(GET name STEM system)
    set(file "${PROJECT_SOURCE_DIR}/experiments/term_rewriting/systems/${name}")
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${file}")
    file(READ "${file}" text)
    string(APPEND entries "    {\"${system}\", \"${name}\", R\"lockstep(${text})lockstep\"},\n")
endforeach()
file(CONFIGURE OUTPUT "${CMAKE_CURRENT_BINARY_DIR}/paper_systems.cpp" @ONLY CONTENT
"#include \"common/term_rewriting/paper_systems.hpp\"\n
#include \"harness/bench/error.hpp\"
#include \"common/term_rewriting/language/parse.hpp\"\n
namespace lockstep::term_rewriting {
namespace {\n
struct Embedded {
    char const* name;
    char const* file;
    char const* text;
};\n
constexpr Embedded embedded[] = {
@entries@};\n
}  // namespace\n
System paper_system(std::string const& name) {
    for (Embedded const& system : embedded) {
        if (system.name == name)
            return parse_system(system.file, [&](std::string const&) { return std::string(system.text); });
    }
    throw bench::Error(\"no system \" + name, \"none of that name is embedded\");
}\n
}  // namespace lockstep::term_rewriting\n")
