#pragma once
// results/<device>/<experiment>.json: Google Benchmark's format with the median of each timed case, so that its
// compare.py reads it, plus "cases", which have everything. A rerun replaces the cases of the same name and keeps the
// others.

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "harness/bench/provenance.hpp"
#include "harness/bench/record.hpp"

namespace lockstep::bench {

// `lockstep migrate` brings files of schema 1 to this one (results_migration.hpp).
inline constexpr int results_schema = 2;

struct Limit {
    double value = 0;
    std::string unit;
};
using Limits = std::map<std::string, Limit>;

struct ResultsDocument;

class ResultsFile {
public:
    // Reads what is there. Throws bench::Error for a file that does not parse or has another schema, and leaves it
    // alone.
    ResultsFile(std::filesystem::path path, Provenance provenance);
    ~ResultsFile();
    ResultsFile(ResultsFile const&) = delete;
    ResultsFile& operator=(ResultsFile const&) = delete;

    // Puts measured limits of the device in the context.
    void set_limits(Limits const& limits);

    // Adds or replaces a case; the sweeps that asked for it before are kept. The file is written anew beside the old
    // one, which it then replaces: at once, but no more often than costs a twentieth of the time.
    void put(CaseRecord const& record);

    // Whether the file has this case from the present commit, without changes to it, and nothing went wrong. Then notes
    // the sweeps on it.
    bool has(std::string const& name, std::uint64_t seed, std::vector<std::string> const& sweeps);

    // What put() has not written yet.
    void flush();

    std::filesystem::path const& path() const { return path_; }

private:
    using Clock = std::chrono::steady_clock;
    std::filesystem::path path_;
    Provenance provenance_;
    std::unique_ptr<ResultsDocument> document_;
    bool changed_ = false;
    Clock::time_point next_write_ = Clock::time_point::min();
};

// results/<device>/limits.json's limits; empty where there is no such file.
Limits read_limits(std::filesystem::path const& path);

// Name, status and digest of each case in a results file.
struct StoredCase {
    std::string name;
    std::string status;
    std::string reason;
    std::string digest;  // "0x..." or empty
    bool has_time = false;
    unsigned launches_per_sample = 0;
    std::vector<std::string> sweeps;
};
std::vector<StoredCase> read_cases(std::filesystem::path const& path);

}  // namespace lockstep::bench
