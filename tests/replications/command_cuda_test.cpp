// `lockstep replicate` writes the same bytes on a GPU as on the CPU, for every scheme.

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "experiments/replications/command.hpp"
#include "harness/bench/atomic_file.hpp"
#include "harness/simt/devices.hpp"
#include "tests/harness/bench/temporary_folder.hpp"

namespace lockstep::replications::tests {
namespace {

using Words = std::vector<std::string>;

class ReplicateOnAGpu : public testing::Test {
protected:
    void SetUp() override {
        simt::DeviceList const list = simt::cuda_devices();
        if (list.devices.empty())
            GTEST_SKIP() << "no GPU (" << list.reason << ")";
    }

    std::string file(std::string const& name) const { return (folder_.path() / name).string(); }

    std::string csv_of(Words words, Words const& more) {
        words.insert(words.begin(), "replicate");
        words.insert(words.end(), more.begin(), more.end());
        words.insert(words.end(), {"--csv", file("out.csv")});
        std::vector<char const*> pointers;
        for (std::string const& word : words)
            pointers.push_back(word.c_str());
        testing::internal::CaptureStdout();
        int code = -1;
        try {
            code = replicate_command(static_cast<int>(pointers.size()), pointers.data());
        } catch (...) {
            testing::internal::GetCapturedStdout();
            throw;
        }
        testing::internal::GetCapturedStdout();
        EXPECT_EQ(code, 0);
        return bench::read_file(file("out.csv"));
    }

private:
    lockstep::tests::TemporaryFolder folder_;
};

TEST_F(ReplicateOnAGpu, EverySchemeWritesTheCpusBytes) {
    bench::write_file_atomically(file("queue.csv"), "clients,utilisation\n700,0.5\n33,0.9\n1,0.2\n");
    std::vector<Words> const jobs = {
        {"pi", "--draws", "3000", "--replications", "70"},
        {"mm1", "--design", file("queue.csv"), "--replications", "40"},
        {"walk", "--steps", "500", "--replications", "33", "--chunks", "4", "--engine", "philox10", "--seed", "9"},
        {"mm1", "--clients", "300", "--replications", "5", "--precision", "0.2", "--max-replications", "200"},
    };
    for (Words const& job : jobs) {
        std::string const expected = csv_of(job, {"--machine", "cpu", "--scheme", "sequential"});
        EXPECT_GT(expected.size(), 300u);
        for (char const* const scheme : {"threads", "warps", "lanes:8", "lanes:32", "cooperative", "cooperative:4",
                                         "cooperative:256", "cooperative:512", "auto"}) {
            EXPECT_EQ(csv_of(job, {"--machine", "cuda", "--scheme", scheme}), expected) << scheme;
        }
        for (char const* const block : {"32", "96", "1024"})
            EXPECT_EQ(csv_of(job, {"--machine", "cuda", "--scheme", "warps", "--block", block}), expected) << block;
    }
}

}  // namespace
}  // namespace lockstep::replications::tests
