#pragma once
// Compiles C++ text into a shared object of the cache while this process does something else. Who needs the object now
// calls shared_object(), which waits for the compiler.
//
// A shell runs the compiler and stores the entry, so both go on when this process ends. A signal that ends this process
// ends them too (harness/bench/background_groups.hpp). Few compilers of a cache work in the background at the same
// time: each has one of its turns, a file lock that lasts as long as its shell.

#include <sys/types.h>

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "harness/bench/background_groups.hpp"
#include "harness/jit/context.hpp"

namespace lockstep::jit {

class BackgroundCompile {
public:
    // `done`: shared_object() has the object without a compiler, unless somebody removes it.
    enum class State { running, done, failed };

    // Use compile_in_background().
    BackgroundCompile(std::string const& text, std::vector<std::string> const& options, CompileContext const& context);
    // The compiler goes on.
    ~BackgroundCompile() = default;
    BackgroundCompile(BackgroundCompile const&) = delete;
    BackgroundCompile& operator=(BackgroundCompile const&) = delete;

    // Does not wait. Any thread may call this.
    State state();

private:
    State look();
    void begin();
    bool has_ended();

    std::string const text_;
    std::vector<std::string> const options_;
    std::string const base_;  // of the entry
    std::string const turn_;  // path of the lock
    std::mutex mutex_;
    State state_ = State::running;
    pid_t shell_ = 0;
    std::optional<bench::RegisteredGroup> group_;  // of the shell
};

// Returns the compilation of `text` with these options, which this process may have begun before. Throws bench::Error
// if the cache is not usable.
std::shared_ptr<BackgroundCompile> compile_in_background(std::string const& text,
                                                         std::vector<std::string> const& options,
                                                         CompileContext const& context);

}  // namespace lockstep::jit
