#pragma once
// Runs rule files in tests.

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "common/rule_interpreter/rule_file/array_file.hpp"
#include "experiments/rule_interpreter/rule_file_run.hpp"
#include "harness/bench/atomic_file.hpp"
#include "harness/bench/error.hpp"
#include "tests/harness/bench/temporary_folder.hpp"
#include "tests/support/machines.hpp"
#include "tests/support/sanitizers.hpp"

namespace lockstep::rule_interpreter::tests {

using namespace rule_file;

inline std::string const rule_examples = "examples/rule_interpreter/rules/";

using lockstep::tests::under_thread_sanitizer;

// All of several cases, or a few of them where accesses are slow.
template <class T>
std::vector<T> cases(std::vector<T> all, std::vector<T> few) {
    return lockstep::tests::accesses_are_slow() ? few : all;
}

class RuleFiles : public testing::Test {
protected:
    void SetUp() override {
        if (std::string const why = lockstep::tests::why_not_here(); !why.empty())
            GTEST_SKIP() << why;
    }

    std::string path(std::string const& name) const { return (folder_.path() / name).string(); }

    template <class T>
    std::vector<T> values_of(std::string const& file, Type type, std::uint64_t size) const {
        ArrayReader const reader(path(file), type, size);
        std::vector<T> values(reader.shape().states * reader.shape().size);
        reader.read(0, reader.shape().states, values.data());
        return values;
    }
    template <class T>
    std::string write(std::string const& name, Type type, std::uint64_t states, std::vector<T> const& values) const {
        ArrayWriter writer(path(name), {type, states, values.size() / states});
        writer.write(values.data(), values.size() * sizeof(T));
        writer.finish();
        return path(name);
    }

    // Runs the work on every machine under test and on the reference; all have the same digests and the same columns.
    Results run_everywhere(RuleFile const& file, Work work) const {
        work.machine = simt::Machine::cpu;
        work.sequential = true;
        Results const expected = run_rules(file, work);
        Files const out = work.out;
        std::map<std::string, std::string> contents;
        for (auto const& [column, name] : out)
            contents[column] = bench::read_file(name);
        work.sequential = false;
        for (simt::Machine const machine : lockstep::tests::machines_under_test()) {
            work.machine = machine;
            for (std::uint64_t const batch : {std::uint64_t{0}, expected.digests.size() / 2 + 1}) {
                work.batch = batch;
                Results const found = run_rules(file, work);
                EXPECT_EQ(found.digests, expected.digests) << simt::to_string(machine) << " " << file.path;
                EXPECT_EQ(found.last_change, expected.last_change) << simt::to_string(machine);
                for (auto const& [column, name] : out)
                    EXPECT_EQ(bench::read_file(name), contents[column]) << column;
            }
        }
        return expected;
    }

    lockstep::tests::TemporaryFolder folder_;
};

inline std::string error_of_rules(std::string const& text, Work const& work = {}) {
    try {
        run_rules(parse_rule_file(text, "own.rules"), work);
    } catch (bench::Error const& error) {
        return error.what();
    }
    return "no error";
}

inline constexpr char const* valid_rule =
    "rule R over a { bool condition(State const& s, u32 i) { return true; }\n"
    "bool evaluate(State& s, u32 i) { return false; } }\n";

inline Work sequential_work(std::uint64_t states = 0) {
    Work work;
    work.sequential = true;
    work.states = states;
    return work;
}

// A rule over the nine values of `cell`, with these lines in its condition and its evaluation.
inline std::string rule_over_cell(std::string const& condition, std::string const& evaluation) {
    return "column f64 before[4];\ncolumn u32 cell[9] = i;\nrule R over cell {\n"
           "bool condition(State const& s, u32 i) {\n" +
           condition + "\n}\nbool evaluate(State& s, u32 i) {\n" + evaluation + "\n}\n};\n";
}

inline bool has(std::string const& text, std::string const& part) { return text.find(part) != text.npos; }

}  // namespace lockstep::rule_interpreter::tests
