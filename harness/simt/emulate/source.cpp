#include "harness/simt/emulate/source.hpp"

#include <algorithm>
#include <utility>

namespace lockstep::simt::emulate {

Source::Source(std::string file_path, std::string file_text) : path(std::move(file_path)), text(std::move(file_text)) {
    for (Token const& token : tokens_of(text)) {
        if (token.directive == 0) {
            code.push_back(token);
        } else {
            if (directives.empty() || directives.back().front().directive != token.directive) {
                directives.emplace_back();
            }
            directives.back().push_back(token);
        }
    }
}

void Source::replace(std::size_t begin, std::size_t end, std::string replacement) {
    edits.push_back({begin, end, std::move(replacement)});
}

std::string Source::edited() const {
    std::vector<Edit> ordered = edits;
    std::stable_sort(ordered.begin(), ordered.end(), [](Edit const& a, Edit const& b) { return a.begin < b.begin; });
    std::string result;
    std::size_t at = 0;
    for (Edit const& edit : ordered) {
        if (edit.begin < at) {
            continue;
        }
        result += between(at, edit.begin);
        result += edit.text;
        at = edit.end;
    }
    return result += between(at, text.size());
}

std::string newlines_of(std::string_view text) {
    return std::string(static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')), '\n');
}

}  // namespace lockstep::simt::emulate
