#include "harness/jit/struct_alignments.hpp"

#include <cstdlib>
#include <map>
#include <set>
#include <sstream>
#include <vector>

namespace lockstep::jit {
namespace {

// The operands of directives, by label: ".quad .LC0" has ".LC0".
std::map<std::string, std::vector<std::string>> data_of(std::string_view assembly) {
    std::map<std::string, std::vector<std::string>> data;
    std::istringstream lines{std::string(assembly)};
    std::vector<std::string>* current = nullptr;
    for (std::string line; std::getline(lines, line);) {
        if (line.starts_with(".L") && line.ends_with(':')) {
            bool const is_wanted = line.starts_with(".Lubsan_") || line.starts_with(".LC");
            current = is_wanted ? &data[line.substr(0, line.size() - 1)] : nullptr;
            continue;
        }
        std::size_t const begin = line.find_first_not_of(" \t");
        std::size_t const operand = begin == std::string::npos ? begin : line.find_first_of(" \t", begin);
        if (current == nullptr || operand == std::string::npos || line[begin] != '.') {
            continue;
        }
        std::string const name = line.substr(begin, operand - begin);
        if (name == ".quad" || name == ".long" || name == ".byte" || name == ".string" || name == ".value") {
            current->push_back(line.substr(operand + 1));
        } else {
            current = name == ".zero" ? current : nullptr;
        }
    }
    return data;
}

}  // namespace

std::string struct_alignments(std::string_view assembly) {
    constexpr int load = 0;
    constexpr int store = 1;
    constexpr int least = 3;  // words of 4 bytes are not joined below 8
    auto const data = data_of(assembly);
    std::set<std::string> lines;
    for (auto const& [label, its] : data) {
        // File, line, column, type, the logarithm of the alignment, kind of access.
        if (!label.starts_with(".Lubsan_data") || its.size() != 6) {
            continue;
        }
        auto const file = data.find(its[0]);
        auto const type = data.find(its[3]);
        if (file == data.end() || file->second.empty() || type == data.end() || type->second.size() != 3) {
            continue;
        }
        std::string const& name = type->second[2];
        int const logarithm = std::atoi(its[4].c_str());
        bool const is_struct = name.find("struct ") != std::string::npos && name.find('*') == std::string::npos;
        int const kind = std::atoi(its[5].c_str());
        if (is_struct && logarithm >= least && logarithm < 8 && (kind == load || kind == store)) {
            std::string const& quoted = file->second[0];
            lines.insert((kind == load ? "load " : "store ") + std::to_string(1 << logarithm) + " " + its[1] + " " +
                         quoted.substr(1, quoted.size() - 2));
        }
    }
    std::string text;
    for (std::string const& line : lines) {
        text += line + "\n";
    }
    return text;
}

std::string as_variable(std::string const& lines) {
    return "extern \"C\" char const lockstep_alignments[] = R\"lockstep(" + lines + ")lockstep\";\n";
}

}  // namespace lockstep::jit
