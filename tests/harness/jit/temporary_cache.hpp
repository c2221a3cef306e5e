#pragma once
// A test's own cache, and other environment variables that it sets.

#include <cstdlib>
#include <optional>
#include <string>

#include "tests/harness/bench/temporary_folder.hpp"

namespace lockstep::tests {

// Sets an environment variable, or unsets it where the value is empty, and restores it in the destructor.
class Environment {
public:
    Environment(std::string const& name, std::string const& value) : name_(name) {
        if (char const* const before = std::getenv(name.c_str()))
            before_ = before;
        set(value.empty() ? std::nullopt : std::optional(value));
    }
    Environment(Environment const&) = delete;
    Environment& operator=(Environment const&) = delete;
    ~Environment() { set(before_); }

private:
    void set(std::optional<std::string> const& value) const {
        if (value)
            ::setenv(name_.c_str(), value->c_str(), 1);
        else
            ::unsetenv(name_.c_str());
    }

    std::string name_;
    std::optional<std::string> before_;
};

struct TemporaryCache {
    TemporaryFolder folder;
    Environment variable{"LOCKSTEP_CACHE", folder.path()};
};

}  // namespace lockstep::tests
