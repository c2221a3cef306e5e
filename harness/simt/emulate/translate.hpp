#pragma once
// Translates a CUDA program to C++ for the emulator: its source files and the headers of its own that they include.

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace lockstep::simt::emulate {

struct TranslatedFile {
    std::string path;  // as the user or an #include names it
    std::string name;  // of the translation, such as "0.cpp" or "1.hpp"; all translations are in one folder
    std::string text;
    bool is_source = false;  // to be compiled; others are included
};

// Returns the text of a file, or nothing if there is no such file.
using ReadFile = std::function<std::optional<std::string>(std::string const& path)>;

// Translates the sources and each header that they include from the includer's folder or from `include_folders`. Other
// headers are left to the compiler. The first files of the result are the sources, in their order. `definitions` are
// the macros that the compiler gets, NAME or NAME=TEXT.
std::vector<TranslatedFile> translate_program(std::vector<std::string> const& sources,
                                              std::vector<std::string> const& include_folders, ReadFile const& read,
                                              std::vector<std::string> const& definitions = {});

// What a name `lockstep_refused_<feature>` or a name of the CUDA API that has no declaration means for the user, such
// as "inline PTX"; nothing for any other name.
std::optional<std::string> refused_feature(std::string const& name);

}  // namespace lockstep::simt::emulate
