// Exceptions become return values and a line of text.

#include <exception>
#include <new>
#include <string>

#include "harness/bench/error.hpp"
#include "harness/bench/one_line.hpp"
#include "python/library/c_abi.hpp"

namespace {

std::string& last_error() {
    thread_local std::string text;
    return text;
}

}  // namespace

char const* lockstep_last_error() { return last_error().c_str(); }

namespace lockstep::python {

int guarded(std::function<void()> const& work) {
    try {
        work();
        return 0;
    } catch (bench::Error const& error) {
        last_error() = bench::message_line(error.what());
        return 2;
    } catch (std::bad_alloc const&) {
        last_error() = "not enough memory";
    } catch (std::exception const& error) {
        last_error() = bench::message_line(error.what());
    }
    return 1;
}

}  // namespace lockstep::python
