#include "harness/bench/pattern.hpp"

#include <regex>
#include <stdexcept>

namespace lockstep::bench {

struct Pattern::Compiled {
    std::regex expression;
};

Pattern::Pattern(std::string const& text) {
    try {
        compiled_ = std::make_shared<Compiled const>(Compiled{std::regex(text)});
    } catch (std::regex_error const& error) {
        throw std::invalid_argument(error.what());
    }
}

bool Pattern::matches(std::string const& name) const { return std::regex_match(name, compiled_->expression); }

bool Pattern::is_in(std::string const& name) const { return std::regex_search(name, compiled_->expression); }

}  // namespace lockstep::bench
