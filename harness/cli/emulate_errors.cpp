#include "harness/cli/emulate_errors.hpp"

#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "harness/simt/emulate/translate.hpp"

namespace lockstep::cli {
namespace {

struct CompilerError {
    std::string place;  // file:line, or empty
    std::string message;
};

// `file:line:column: error: message`
std::vector<CompilerError> errors_in(std::string const& log) {
    std::vector<CompilerError> errors;
    std::istringstream lines(log);
    for (std::string line; std::getline(lines, line);) {
        if (line.find("ld returned ") != std::string::npos)
            continue;  // the linker has said why
        for (std::string const kind : {": fatal error: ", ": error: ", ": undefined reference to ",
                                       ": multiple definition of ", ": cannot find "}) {
            std::size_t const at = line.find(kind);
            if (at == std::string::npos)
                continue;
            bool const linking = kind.find("error") == std::string::npos;
            std::string place = linking ? "" : line.substr(0, at);
            if (std::size_t const column = place.rfind(':'); !linking)
                place = column == std::string::npos ? "" : place.substr(0, column);
            errors.push_back({place, (linking ? kind.substr(2) : "") + line.substr(at + kind.size())});
            break;
        }
    }
    return errors;
}

// The names in quotes, ASCII or typographic, and the header that `fatal error: NAME: No such file` misses.
std::vector<std::string> names_in(std::string message) {
    for (std::string const quote : {"\u2018", "\u2019"}) {
        for (std::size_t at = 0; (at = message.find(quote, at)) != std::string::npos;)
            message.replace(at, quote.size(), "'");
    }
    std::vector<std::string> names;
    if (std::size_t const end = message.find(": No such file"); end != std::string::npos)
        names.push_back(message.substr(0, end));
    for (std::size_t open = message.find('\''); open != std::string::npos;) {
        std::size_t const close = message.find('\'', open + 1);
        if (close == std::string::npos)
            break;
        names.push_back(message.substr(open + 1, close - open - 1));
        open = message.find('\'', close + 1);
    }
    return names;
}

}  // namespace

bench::Error emulate_error(jit::CompileError const& error) {
    std::vector<CompilerError> const errors = errors_in(error.log());
    for (CompilerError const& each : errors) {
        for (std::string const& name : names_in(each.message)) {
            if (std::optional<std::string> const feature = simt::emulate::refused_feature(name)) {
                return bench::Error("cannot emulate " + each.place, *feature,
                                    "See harness/simt/emulate/README.md for what stays out");
            }
        }
    }
    if (errors.empty())
        return bench::Error("cannot compile the program", error.log().substr(0, error.log().find('\n')));
    std::string const what = errors.front().place.empty() ? "the program" : errors.front().place;
    return bench::Error("cannot compile " + what, errors.front().message, "Pass -I, -D and -l as to nvcc");
}

}  // namespace lockstep::cli
