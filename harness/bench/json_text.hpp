#pragma once
// The one place where the JSON of a file is parsed. Internal to harness/bench, because it exposes JSON.
//
// The library copies, prints and compares nested values by recursion, so a text of a million brackets overflows the
// stack long after it was parsed. The text is rejected before it is parsed.

#include <cstddef>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "harness/bench/input_file.hpp"

namespace lockstep::bench {

// Keys keep their order, because people read the files too.
using Json = nlohmann::ordered_json;

// Brackets inside each other. Our own files have at most 6.
constexpr std::size_t max_json_depth = 64;

// Throws bench::Error: "<file>:<line>:<column> does not parse (<why>) <advice>", one line of printable characters.
Json parse_json(std::string_view text, std::string const& file, std::string const& advice = "correct the file");

// The same for a file. Also throws bench::Error if it cannot be read; see read_input().
Json read_json(std::filesystem::path const& path, std::string const& advice = "correct the file",
               Input kind = Input::own_file);

}  // namespace lockstep::bench
