#pragma once
// --timeout of commands that cannot look at a clock, because they run a user's code: it may never return.

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

}  // namespace lockstep::cli
