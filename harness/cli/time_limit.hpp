#pragma once
// What ends commands that cannot look at a clock, because they run a user's code, which may never return: --timeout,
// and in the emulator the limit of a lane's turn.

#include <string>

namespace lockstep::cli {

// Ends the program with this exit code and a message if it exists for so many seconds; 0: never. Nothing half-written
// stays. Only one exists at a time.
class TimeLimit {
public:
    explicit TimeLimit(double seconds);
    ~TimeLimit();
    TimeLimit(TimeLimit const&) = delete;
    TimeLimit& operator=(TimeLimit const&) = delete;

    static constexpr int exit_code = 3;  // as of all limits that end the work early

private:
    bool is_set_;
};

// While it exists, a lane of the emulator whose turn does not end (watchdog.hpp) is a mistake in a user's file: it ends
// the program with code 2 and one line, *cannot run `path` (why) Correct `kind`.* Nothing half-written stays. Only one
// exists at a time.
class EndlessTurns {
public:
    EndlessTurns(std::string const& path, std::string const& kind);
    ~EndlessTurns();
    EndlessTurns(EndlessTurns const&) = delete;
    EndlessTurns& operator=(EndlessTurns const&) = delete;
};

}  // namespace lockstep::cli
