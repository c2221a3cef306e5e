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
    bench::write_file_atomically(file("queue.csv"), "clients,utilisation\n70,0.5\n33,0.9\n1,0.2\n");
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
    lockstep::tests::Ran const bounded = run(joined(job, {"--max-replications", "4", "--csv", file("out.csv")}));
    EXPECT_EQ(bounded.code, 3);
    EXPECT_EQ(bounded.err.find("lockstep: precision 0.005 was not reached (reached 0."), 0u) << bounded.err;
    EXPECT_NE(bounded.err.find(" for pi, within 4 replications per point) Raise --max-replications.\n"),
              std::string::npos)
        << bounded.err;
    EXPECT_NE(bounded.out.find("scheme auto on machine"), std::string::npos) << bounded.out;
    EXPECT_GT(std::filesystem::file_size(file("out.csv")), 0u) << "the replications that ran are kept";
    lockstep::tests::Ran const one =
        run({"pi", "--replications", "1", "--max-replications", "1", "--absolute-precision", "1e-9", "--json"});
    EXPECT_EQ(one.code, 3);
    EXPECT_NE(one.err.find("absolute precision 1e-09 was not reached (no interval"), std::string::npos) << one.err;
    EXPECT_NE(one.out.find("\"precision_reached\": false"), std::string::npos) << one.out;
    lockstep::tests::Ran const points = run({"mm1", "--design", file("d.csv", "clients\n1000\n2\n"), "--precision",
                                             "0.001", "--replications", "4", "--max-replications", "8"});
    EXPECT_EQ(points.code, 3);
    EXPECT_NE(points.err.find(" at point 1, within 8 replications"), std::string::npos) << points.err;
    // However the job is split into batches, the file equals that of one job with the same number of replications.
    EXPECT_EQ(run(joined(job, {"--max-replications", "20", "--csv", file("out.csv")})).code, 3);
    std::string const stopped = bench::read_file(file("out.csv"));
    EXPECT_EQ(csv_of({"pi", "--draws", "1000", "--replications", "20"}).substr(0, stopped.size()), stopped);
}

TEST_F(Replicate, ReportsThatOneReplicationHasNoInterval) {
    EXPECT_NE(output_of({"walk", "--replications", "1"}).find("needs two replications"), std::string::npos);
}

TEST_F(Replicate, WrongOptionsGetOneClearLine) {
    EXPECT_NE(error_of({"pie"}).find("unknown model"), std::string::npos);
    EXPECT_NE(error_of({"pi", "--replications", "0"}).find("no replications"), std::string::npos);
    EXPECT_EQ(error_of({"pi", "--draws", "0"}), "no draws in a replication (--draws is 0) Give at least 1.");
    EXPECT_EQ(error_of({"mm1", "--clients", "00"}), "no clients in a replication (--clients is 0) Give at least 1.");
    EXPECT_EQ(error_of({"walk", "--steps", "0e3"}), "no steps in a replication (--steps is 0) Give at least 1.");
    EXPECT_NE(error_of({"pi", "--precision", "0"}).find("invalid --precision 0"), std::string::npos);
    EXPECT_NE(error_of({"pi", "--absolute-precision", "0"}).find("--absolute-precision 0"), std::string::npos);
    EXPECT_NE(error_of({"pi", "--coverage", "0"}).find("invalid --coverage 0"), std::string::npos);
    EXPECT_NE(error_of({"pi", "--block", "64", "--machine", "cpu"}).find("--block has no effect with machine cpu"),
              std::string::npos);
    EXPECT_NE(error_of({"pi", "--block", "64", "--scheme", "sequential"}).find("no effect with scheme sequential"),
              std::string::npos);
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
    std::string const design = file("design.csv", "clients\n5\n");
    EXPECT_EQ(error_of({"mm1", "--design", design, "--clients", "7"}),
              "--clients has no effect (" + design + " has a column clients) Leave one of them out.");
    EXPECT_EQ(error_of({"mm1", "--design", design, "--utilisation", "0.5", "--machine", "cpu"}), "no error");
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
    EXPECT_NE(error_of("utilisation,clients\n0.5,0\n").find("d.csv:2:5: no clients in a replication (the value is 0)"),
              std::string::npos);
    EXPECT_NE(error_of("steps\n0\n", Model::walk).find("d.csv:2:1: no steps"), std::string::npos);
    EXPECT_NE(error_of("clients\n1.5\n").find("whole number"), std::string::npos);
    EXPECT_NE(error_of("clients\n1,2\n").find("has 2 values"), std::string::npos);
    EXPECT_NE(error_of("utilisation\n1.5\n").find("d.csv:2:1: utilisation"), std::string::npos);
}

}  // namespace
}  // namespace lockstep::replications::tests
