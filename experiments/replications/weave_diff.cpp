#include <algorithm>
#include <string_view>

#include "experiments/replications/weave.hpp"

namespace lockstep::replications {

namespace {

// The next line, without its end, and removes it from the text.
std::string_view take_line(std::string_view& text) {
    std::string_view const line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    return line;
}

}  // namespace

// Weaving keeps the number of each line, after the #line directive.
std::string woven_diff(std::string const& text, std::string const& woven, std::string const& file) {
    std::string_view before = text;
    std::string_view after = woven;
    std::string diff =
        "--- " + file + "\n+++ " + file + " (woven)\n@@ -0,0 +1 @@\n+" + std::string(take_line(after)) + "\n";
    for (unsigned line = 1; !before.empty() || !after.empty(); ++line) {
        std::string_view const old_line = take_line(before);
        std::string_view const new_line = take_line(after);
        if (old_line == new_line)
            continue;
        diff += "@@ -" + std::to_string(line) + " +" + std::to_string(line + 1) + " @@\n-" + std::string(old_line) +
                "\n+" + std::string(new_line) + "\n";
    }
    return diff;
}

}  // namespace lockstep::replications
