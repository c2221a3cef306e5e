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

std::uint64_t host_memory() {
    long const pages = sysconf(_SC_PHYS_PAGES);
    long const bytes_per_page = sysconf(_SC_PAGE_SIZE);
    return pages > 0 && bytes_per_page > 0
               ? static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(bytes_per_page)
               : 0;
}

void require_memory(std::string const& job, double const bytes) {
    double const all = static_cast<double>(host_memory());
    if (all > 0 && bytes > all)
        throw Error(job, "it needs about " + gigabytes(bytes) + ", and this machine has " + gigabytes(all),
                    "run a smaller job");
}

}  // namespace lockstep::bench
