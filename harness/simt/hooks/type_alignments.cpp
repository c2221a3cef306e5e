#include "harness/simt/hooks/type_alignments.hpp"

#include <algorithm>
#include <sstream>

namespace lockstep::simt::hooks {
namespace {

// Debug information may have a folder before the name.
bool is_same_file(std::string_view a, std::string_view b) {
    std::string_view const longer = a.size() < b.size() ? b : a;
    std::string_view const shorter = a.size() < b.size() ? a : b;
    return longer.ends_with(shorter) &&
           (longer.size() == shorter.size() || longer[longer.size() - shorter.size() - 1] == '/');
}

}  // namespace

TypeAlignments::TypeAlignments(std::string_view text) {
    std::istringstream lines{std::string(text)};
    unsigned bytes = 0;
    unsigned line = 0;
    std::string file;
    std::string kind;
    while (lines >> kind >> bytes >> line && std::getline(lines >> std::ws, file)) {
        unsigned& known = lines_[{line, kind == "store"}][file];
        known = std::max(known, bytes);
    }
}

unsigned TypeAlignments::at(Place const& place, bool is_store) const {
    unsigned most = 1;
    if (auto const found = lines_.find({place.line, is_store}); found != lines_.end()) {
        for (auto const& [file, bytes] : found->second) {
            most = is_same_file(file, place.file) ? std::max(most, bytes) : most;
        }
    }
    return most;
}

}  // namespace lockstep::simt::hooks
