// `lockstep replicate`: the same CSV for every scheme and machine, designs, stopping by precision, and messages for
// invalid options.

#include "experiments/replications/command.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <string>
#include <vector>

#include "experiments/replications/design.hpp"
#include "harness/bench/atomic_file.hpp"
#include "harness/bench/error.hpp"
#include "tests/support/tool.hpp"

namespace lockstep::replications::tests {
namespace {

using lockstep::tests::joined;

class Replicate : public lockstep::tests::ToolTest {
protected:
    Replicate() : ToolTest("replicate", replicate_command) {}
};

TEST_F(Replicate, EverySchemeAndMachineWritesTheSameBytes) {
    bench::write_file_atomically(file("queue.csv"), "clients,utilisation\n70,0.5\n33,0.9\n0,0.2\n");
    std::vector<std::vector<std::string>> const jobs = {
        {"pi", "--draws", "300", "--replications", "35"},
        {"mm1", "--design", file("queue.csv"), "--replications", "9"},
        {"walk", "--steps", "200", "--replications", "33", "--chunks", "4", "--engine", "philox10", "--seed", "9"},
    };
    for (std::vector<std::string> const& job : jobs) {
        std::string const expected = csv_of(joined(job, {"--scheme", "sequential"}));
        EXPECT_GT(expected.size(), 300u);
        EXPECT_EQ(csv_of(joined(job, {"--machine", "cpu"})), expected);
        for (char const* const scheme :
             {"threads", "warps", "lanes:8", "lanes:32", "cooperative", "cooperative:4", "cooperative:256", "auto"}) {
            EXPECT_EQ(csv_of(joined(job, {"--machine", "emulator", "--scheme", scheme})), expected) << scheme;
        }
        EXPECT_EQ(csv_of(joined(job, {"--machine", "emulator", "--scheme", "warps", "--block", "1024"})), expected);
    }
}

TEST_F(Replicate, WritesOneLinePerReplicationInOrder) {
    std::string const csv = csv_of({"pi", "--draws", "4", "--replications", "2"});
    EXPECT_EQ(csv.substr(0, csv.find('\n')), "point,replication,draws,inside,pi");
    EXPECT_NE(csv.find("\n0,0,4,"), std::string::npos);
    EXPECT_NE(csv.find("\n0,1,4,"), std::string::npos);
}

// More replications, another machine or another block do not change existing replications.
TEST_F(Replicate, MoreReplicationsExtendTheSame) {
    std::string const few = csv_of({"mm1", "--clients", "50", "--replications", "5"});
    std::string const many = csv_of({"mm1", "--clients", "50", "--replications", "12"});
    EXPECT_EQ(many.substr(0, few.size()), few);
    EXPECT_NE(csv_of({"mm1", "--clients", "50", "--replications", "5", "--seed", "2"}), few);
}

TEST_F(Replicate, StopsAtAPrecisionOrAtItsBound) {
    std::vector<std::string> const job = {"pi", "--draws", "1000", "--replications", "3", "--precision", "0.005"};
    std::string const text = output_of(job);
    EXPECT_EQ(text.find("was not reached"), std::string::npos) << text;
    std::string const bounded = output_of(joined(job, {"--max-replications", "4"}));
    EXPECT_NE(bounded.find("precision 0.005 was not reached within 4 replications"), std::string::npos) << bounded;
    // However the job is split into batches, the file equals that of one job with the same number of replications.
    std::string const stopped = csv_of(joined(job, {"--max-replications", "20"}));
    EXPECT_EQ(csv_of({"pi", "--draws", "1000", "--replications", "20"}).substr(0, stopped.size()), stopped);
}

TEST_F(Replicate, ReportsThatOneReplicationHasNoInterval) {
    EXPECT_NE(output_of({"walk", "--replications", "1"}).find("needs two replications"), std::string::npos);
}

TEST_F(Replicate, WrongOptionsGetOneClearLine) {
    EXPECT_NE(error_of({"pie"}).find("unknown model"), std::string::npos);
    EXPECT_NE(error_of({"pi", "--replications", "0"}).find("no replications"), std::string::npos);
    EXPECT_NE(error_of({"pi", "--scheme", "warp"}).find("warps"), std::string::npos);
    EXPECT_NE(error_of({"pi", "--scheme", "lanes"}).find("lanes:8"), std::string::npos);
    EXPECT_NE(error_of({"pi", "--scheme", "lanes:33"}).find("power of two up to 32"), std::string::npos);
    EXPECT_NE(error_of({"pi", "--scheme", "warps:2"}).find("takes no number"), std::string::npos);
    EXPECT_NE(error_of({"pi", "--scheme", "warps", "--machine", "cpu"}).find("does not exist on machine cpu"),
              std::string::npos);
    EXPECT_NE(error_of({"pi", "--scheme", "sequential", "--machine", "emulator"}).find("it runs on the CPU"),
              std::string::npos);
    EXPECT_NE(error_of({"pi", "--machine", "gpu"}).find("machine"), std::string::npos);
    EXPECT_NE(error_of({"pi", "--engine", "mt19937"}).find("engine"), std::string::npos);
    EXPECT_NE(error_of({"pi", "--block", "33"}).find("whole warps"), std::string::npos);
    EXPECT_NE(error_of({"pi", "--draws", "2000000000"}).find("must be from 0 to 1073741824"), std::string::npos);
    EXPECT_NE(error_of({"mm1", "--utilisation", "1"}).find("0.01 to 0.99"), std::string::npos);
    EXPECT_NE(error_of({"walk", "--chunks", "5"}).find("4 or 30"), std::string::npos);
    EXPECT_NE(error_of({"pi", "--precision", "2"}).find("out of range"), std::string::npos);
    EXPECT_NE(error_of({"pi", "--precision", "0.1", "--max-replications", "3"}).find("too small"), std::string::npos);
    EXPECT_NE(error_of({"pi", "--replications", "-3"}).find("-3 is negative"), std::string::npos);
    EXPECT_NE(error_of({"pi", "--seed", "-1"}).find("-1 is negative"), std::string::npos);
    EXPECT_NE(error_of({"pi", "--seed", "18446744073709551616"}).find("too large, the most is 18446744073709551615"),
              std::string::npos);
    EXPECT_NE(error_of({"pi", "--clients", "5"}).find("--clients has no effect for pi"), std::string::npos);
    EXPECT_NE(error_of({"walk", "--utilisation", "0.5"}).find("it is a parameter of mm1"), std::string::npos);
    EXPECT_NE(error_of({"pi", "--design", testing::TempDir()}).find("it is a folder"), std::string::npos);
    EXPECT_NE(error_of({"pi", "--design", file("absent.csv")}).find("absent.csv"), std::string::npos);
    EXPECT_EQ(error_of({"pi", "--nonsense"}).find('\n'), std::string::npos);
    EXPECT_FALSE(std::filesystem::exists(file("out.csv")));
}

TEST(Design, NamesLineAndColumn) {
    auto const error_of = [](std::string const& text, Model model = Model::mm1) -> std::string {
        try {
            parse_design(text, "d.csv", model, {10, 0.5, 30});
        } catch (bench::Error const& error) {
            return error.what();
        }
        return "no error";
    };
    EXPECT_EQ(parse_design("utilisation\n0.1\n\n0.9\n", "d.csv", Model::mm1, {10, 0.5, 30}).size(), 2u);
    EXPECT_EQ(parse_design("steps, chunks\r\n5, 4\r\n", "d.csv", Model::walk, {10, 0.5, 30})[0].chunks, 4u);
    EXPECT_NE(error_of("").find("d.csv:1:1: no points"), std::string::npos);
    EXPECT_NE(error_of("clients\n").find("no points"), std::string::npos);
    EXPECT_NE(error_of("clients,draws\n1,2\n").find("d.csv:1:9: unknown parameter 'draws'"), std::string::npos);
    EXPECT_NE(error_of("clients,clients\n1,2\n").find("d.csv:1:9: parameter 'clients' appears twice"),
              std::string::npos);
    EXPECT_NE(error_of("clients,utilisation\n5,x\n").find("d.csv:2:3: utilisation 'x'"), std::string::npos);
    EXPECT_NE(error_of("clients\n-5\n").find("d.csv:2:1: clients '-5'"), std::string::npos);
    EXPECT_NE(error_of("clients\n1.5\n").find("whole number"), std::string::npos);
    EXPECT_NE(error_of("clients\n1,2\n").find("has 2 values"), std::string::npos);
    EXPECT_NE(error_of("utilisation\n1.5\n").find("d.csv:2:1: utilisation"), std::string::npos);
}

}  // namespace
}  // namespace lockstep::replications::tests
