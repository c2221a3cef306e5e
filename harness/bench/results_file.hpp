#pragma once
// results/<device>/<experiment>.json: Google Benchmark's format with the median of each timed case, so that its
// compare.py can read the file, plus "cases" with all data. A rerun replaces the cases of the same name and keeps the
// others, including those that another process adds at the same time.

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "harness/bench/atomic_file.hpp"
#include "harness/bench/provenance.hpp"
#include "harness/bench/record.hpp"

namespace lockstep::bench {

// `lockstep migrate` converts files of schema 1 to this schema (results_migration.hpp).
inline constexpr int results_schema = 2;

struct Limit {
    double value = 0;
    std::string unit;
};
using Limits = std::map<std::string, Limit>;

struct ResultsDocument;

// The context of a results file as JSON, for programs that write results of their own (processes/).
std::string context_text(Provenance const& provenance);

class ResultsFile {
public:
    // Reads the existing file, if any. If it does not parse or has another schema, throws bench::Error and leaves the
    // file unchanged.
    ResultsFile(std::filesystem::path path, Provenance provenance);
    ~ResultsFile();
    ResultsFile(ResultsFile const&) = delete;
    ResultsFile& operator=(ResultsFile const&) = delete;

    // Adds the measured limits of the device to the context.
    void set_limits(Limits const& limits);

    // Adds or replaces a case and keeps the sweeps in its former row. Writes the file atomically and immediately, so
    // that a killed process loses no finished case. Waits for the disk unless that would take more than a twentieth of
    // the run time.
    void put(CaseRecord const& record);

    // Returns true if the file has a successful row of this case from the current commit with a clean tree. Then adds
    // the sweeps to that row.
    bool has(std::string const& name, std::uint64_t seed, std::vector<std::string> const& sweeps);

    // Writes what is not in the file yet, and waits for the disk.
    void flush();

    std::filesystem::path const& path() const { return path_; }

private:
    using Clock = std::chrono::steady_clock;
    void write(Durable durable);
    void take_over(ResultsDocument present);

    std::filesystem::path path_;
    Provenance provenance_;
    std::unique_ptr<ResultsDocument> document_;
    std::string written_;             // the text of the file when this object last read or wrote it
    std::set<std::string> measured_;  // the cases that are newer than in the file
    std::set<std::string> joined_;    // the cases whose row only got further sweeps
    Limits limits_;
    bool durable_ = true;
    Clock::time_point next_sync_ = Clock::time_point::min();
};

// The limits in results/<device>/limits.json; empty if the file does not exist.
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
