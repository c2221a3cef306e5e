#pragma once
// A small JSON file that this program writes for itself: one object of numbers and texts.

#include <filesystem>
#include <map>
#include <string>

namespace lockstep::bench {

struct NumbersAndTexts {
    std::map<std::string, double> numbers;
    std::map<std::string, std::string> texts;
};

// Throws bench::Error, which ends with `advice`, if the file cannot be read or has anything else.
NumbersAndTexts read_numbers(std::filesystem::path const& path, std::string const& advice);

}  // namespace lockstep::bench
