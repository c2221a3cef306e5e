#include "harness/bench/host_memory.hpp"

#include <unistd.h>

#include <cstdio>
#include <fstream>

#include "harness/bench/error.hpp"

namespace lockstep::bench {

namespace {

std::string gigabytes(double const bytes) {
    char text[32];
    std::snprintf(text, sizeof text, "%.3g GB", bytes / 1e9);
    return text;
}

// 0 if the system does not say.
std::uint64_t bytes_of_pages(int const name) {
    long const pages = sysconf(name);
    long const bytes_per_page = sysconf(_SC_PAGE_SIZE);
    return pages > 0 && bytes_per_page > 0
               ? static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(bytes_per_page)
               : 0;
}

}  // namespace

std::uint64_t host_memory() { return bytes_of_pages(_SC_PHYS_PAGES); }

std::uint64_t available_host_memory() {
    std::ifstream lines("/proc/meminfo");
    for (std::string name, rest; lines >> name; std::getline(lines, rest)) {
        std::uint64_t kilobytes = 0;
        if (name == "MemAvailable:" && lines >> kilobytes)
            return kilobytes * 1024;
    }
    return bytes_of_pages(_SC_AVPHYS_PAGES);
}

void require_memory(std::string const& job, double const bytes) {
    double const all = static_cast<double>(host_memory());
    if (all > 0 && bytes > all)
        throw Error(job, "it needs about " + gigabytes(bytes) + ", and this machine has " + gigabytes(all),
                    "run a smaller job");
}

}  // namespace lockstep::bench
