#pragma once
// What a call of `lockstep rewrite` asks for.

#include <cstdint>
#include <limits>
#include <string>

#include "common/term_rewriting/engine.hpp"
#include "harness/cli/command_line.hpp"

namespace lockstep::term_rewriting {

struct Request {
    std::string file;
    std::string machine = "auto";
    std::string engine = "auto";
    std::string term;
    std::string terms;
    std::uint64_t trace = 0;
    bool stats = false;
    std::string profile;
    std::uint64_t max_rewrites = std::numeric_limits<std::uint64_t>::max();
    std::uint64_t memory = 0;
    double timeout = 0;
    std::string output;
    std::string format = "text";
    std::string emit;
    bool json = false;
};

void define_options(cli::CommandLine& app, Request& request);

// Throws bench::Error for options that exclude each other.
void check(Request& request);

Limits limits_of(Request const& request);

// The system of the request, with the terms to rewrite as its inputs.
System read_input_of(Request const& request);

}  // namespace lockstep::term_rewriting
