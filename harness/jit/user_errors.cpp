#include "harness/jit/user_errors.hpp"

#include <algorithm>

#include "harness/jit/faults.hpp"
#include "harness/simt/emulator/faults.hpp"

namespace lockstep::jit {

namespace {

// Returns the number that follows `name` and one of the characters, or 0. GCC and Clang write rules:7:3: error: and
// NVRTC rules(7): error:
std::size_t line_after_name(std::string const& line, std::string const& name) {
    if (!line.starts_with(name) || line.size() <= name.size() || (line[name.size()] != ':' && line[name.size()] != '('))
        return 0;
    std::size_t number = 0;
    for (std::size_t i = name.size() + 1; i < line.size() && line[i] >= '0' && line[i] <= '9' && number < 100000000;
         ++i)
        number = 10 * number + static_cast<std::size_t>(line[i] - '0');
    return number;
}

// The author writes State, not lockstep::rule_interpreter::rule_file::cuda::user::State.
std::string without_namespaces(std::string text, std::string const& name_space) {
    std::string const common = name_space + "::";
    for (char const* const machine : {"cuda::", "emulator::", "cpu::"}) {
        for (std::string const& space : {common + machine + "user::", common + machine}) {
            for (std::size_t at = 0; (at = text.find(space)) != text.npos;)
                text.erase(at, space.size());
        }
    }
    return text;
}

}  // namespace

bench::Error compile_error_of(UserFile const& file, CompileError const& error) {
    std::string_view log = error.log();
    while (!log.empty()) {
        std::string const line(log.substr(0, log.find('\n')));
        log.remove_prefix(std::min(line.size() + 1, log.size()));
        std::size_t const at = line.find("error: ");
        std::size_t const number = line_after_name(line, file.line_name);
        if (at == line.npos || number == 0)
            continue;
        std::string why = without_namespaces(line.substr(at + 7), file.name_space);
        for (char const* const quote : {"‘", "’"}) {
            for (std::size_t found = 0; (found = why.find(quote)) != why.npos;)
                why.replace(found, std::string_view(quote).size(), "'");
        }
        return bench::Error("cannot compile " + file.path + " line " + std::to_string(number), why,
                            "Correct this line of " + file.kind + ".");
    }
    return error;
}

bench::Error run_error_of(UserFile const& file, simt::Error const& error) {
    if (auto const* const fault = dynamic_cast<simt::emulator::LaneFault const*>(&error))
        return fault_error_of(file, {fault->signal, fault->instruction});
    std::string why = error.what();
    std::string const place = "at " + file.line_name + ":";
    if (std::size_t const at = why.find(place); at != why.npos)
        why.replace(at, place.size(), "at line ");
    return bench::Error("cannot run " + file.path, why, "Correct " + file.kind + ".");
}

std::size_t first_line_of(UserFile const& file, std::string_view places) {
    while (!places.empty()) {
        std::string_view place = places.substr(0, places.find('\n'));
        places.remove_prefix(std::min(place.size() + 1, places.size()));
        place.remove_prefix(place.rfind('/') + 1);  // after a folder, or npos + 1
        if (std::size_t const line = line_after_name(std::string(place), file.line_name); line != 0)
            return line;
    }
    return 0;
}

}  // namespace lockstep::jit
