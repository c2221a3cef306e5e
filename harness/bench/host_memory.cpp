#include "harness/bench/host_memory.hpp"

#include <unistd.h>

#include <cstdio>

#include "harness/bench/error.hpp"

namespace lockstep::bench {

namespace {

std::string gigabytes(double const bytes) {
    char text[32];
    std::snprintf(text, sizeof text, "%.3g GB", bytes / 1e9);
    return text;
}

}  // namespace

void require_memory(std::string const& job, double const bytes) {
    double const all = static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGE_SIZE));
    if (all > 0 && bytes > all)
        throw Error(job, "it needs about " + gigabytes(bytes) + ", and this machine has " + gigabytes(all),
                    "run a smaller job");
}

}  // namespace lockstep::bench
