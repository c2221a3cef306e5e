#include "common/term_rewriting/paper_systems.hpp"

#include <filesystem>
#include <span>

#include "common/term_rewriting/language/parse.hpp"
#include "harness/bench/error.hpp"
#include "harness/simt/embedded_text.hpp"

namespace lockstep::term_rewriting {

// The files of experiments/term_rewriting/systems that CMakeLists.txt beside them embeds.
std::span<simt::EmbeddedText const> system_texts();

System paper_system(std::string const& name) {
    for (simt::EmbeddedText const& file : system_texts()) {
        std::filesystem::path const path = file.name;
        if (path.stem() == name)
            return parse_system(path.filename(), [&](std::string const&) { return std::string(file.text); });
    }
    throw bench::Error("no system " + name, "none of that name is embedded");
}

}  // namespace lockstep::term_rewriting
