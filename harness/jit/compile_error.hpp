#pragma once
// The compiler rejects a text.

#include <string>
#include <utility>

#include "harness/bench/error.hpp"

namespace lockstep::jit {

// Has what the compiler printed, for a caller whose user wrote a part of the text.
class CompileError : public bench::Error {
public:
    CompileError(bench::Error const& error, std::string log) : Error(error), log_(std::move(log)) {}
    std::string const& log() const { return log_; }

private:
    std::string log_;
};

}  // namespace lockstep::jit
