// `lockstep traffic`, networks from files, and messages for invalid files.

#include "experiments/object_layout/command.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "common/object_layout/network.hpp"
#include "experiments/object_layout/picture.hpp"
#include "harness/bench/atomic_file.hpp"
#include "harness/bench/error.hpp"
#include "tests/object_layout/variants.hpp"
#include "tests/support/tool.hpp"

namespace lockstep::object_layout::tests {
namespace {

// A ring of three streets, an exit from it, and a dead end.
constexpr char const* ring =
    "# from to length max_velocity\n"
    "a b 5 50\n"
    "b c 7.5 60   # to the corner\n"
    "\n"
    "c a 3 45\n"
    "b d 4 30\n";

class Traffic : public lockstep::tests::ToolTest {
protected:
    Traffic() : ToolTest("traffic", traffic_command) {}

    std::string csv_of(std::vector<std::string> arguments) const {
        arguments.insert(arguments.end(), {"--cars", "20", "--pedestrians", "30", "--ticks", "50"});
        return ToolTest::csv_of(arguments);
    }
};

TEST_F(Traffic, WritesTheSameCsvOnEveryMachine) {
    for (char const* const mode : {"live", "faithful"}) {
        std::string const expected = csv_of({"--mode", mode, "--dispatch", "objects", "--streets", "9"});
        EXPECT_EQ(std::count(expected.begin(), expected.end(), '\n'), 51);
        for (char const* const dispatch : {"switch", "table", "inlined", "per_type", "registers"}) {
            EXPECT_EQ(csv_of({"--mode", mode, "--dispatch", dispatch, "--machine", "emulator", "--streets", "9"}),
                      expected);
        }
        EXPECT_EQ(csv_of({"--mode", mode, "--dispatch", "virtual", "--machine", "emulator", "--layout", "aos",
                          "--order", "jobs", "--streets", "9"}),
                  expected);
    }
    EXPECT_NE(csv_of({"--dispatch", "objects", "--streets", "9"}),
              csv_of({"--dispatch", "objects", "--streets", "9", "--seed", "2"}));
}

TEST_F(Traffic, ReadsANetwork) {
    std::string const network = file("ring.txt", ring);
    std::string const expected = csv_of({"--network", network, "--dispatch", "objects"});
    EXPECT_NE(expected.find("agent,class,from,to,progress"), std::string::npos);
    for (char const* const dispatch : {"switch", "registers"})
        EXPECT_EQ(csv_of({"--network", network, "--dispatch", dispatch, "--machine", "emulator"}), expected);
}

// The street to d is a dead end: agents return to its start and never leave it.
TEST_F(Traffic, TurnsRoundAtADeadEnd) {
    Network const network = parse_network(ring, "ring");
    EXPECT_EQ(network.degree, (std::vector<unsigned>{2, 1, 1, 0}));
    bench::Problem asked = problem({{"network", file("end.txt", "x y 2 80\n")}, {"cars", "3"}, {"pedestrians", "40"}});
    bench::Reference const& reference = experiment().reference("objects");
    for (bench::Variant const& variant : experiment().variants) {
        if (variant.machine == bench::Machine::cuda || !variant.unsupported_reason(asked.axes).empty())
            continue;
        std::unique_ptr<bench::Case> const made = variant.make(asked);
        made->reset();
        made->run({});
        for (std::uint64_t unit = 0; unit < asked.units; ++unit) {
            bench::UnitResult const result = made->results({&unit, 1}).front();
            EXPECT_EQ(result, reference.unit(asked, unit)) << variant.name;
            EXPECT_EQ(result[1], 0u);
        }
    }
}

TEST_F(Traffic, DrawsPictures) {
#if defined(LOCKSTEP_THREAD_SANITIZER)
    GTEST_SKIP() << "only one thread draws, which takes six seconds under ThreadSanitizer";
#endif
    std::string const random = file("random.png");
    std::string const ring_picture = file("ring.png");
    output_of({"--streets", "30", "--cars", "5", "--pedestrians", "5", "--ticks", "1", "--png", random});
    output_of({"--network", file("ring.txt", ring), "--cars", "5", "--pedestrians", "5", "--ticks", "1", "--png",
               ring_picture});
    for (std::string const& picture : {random, ring_picture})
        EXPECT_EQ(bench::read_file(picture).substr(1, 3), "PNG");
    Network const network = parse_network(ring, "ring");
    auto const shows = [&](std::vector<AgentPoint> const& agents, int red) {
        bench::Image const image = draw_network(network, agents);
        for (unsigned y = 0; y < image.height(); ++y) {
            bench::Colour const* const row = image.row(y).data();
            for (unsigned x = 0; x < image.width(); ++x) {
                if (row[x].red == red)
                    return true;
            }
        }
        return false;
    };
    EXPECT_FALSE(shows({}, 200));
    EXPECT_FALSE(shows({}, 40));
    EXPECT_TRUE(shows({{0, 1, 2.0f}}, 200));
    EXPECT_TRUE(shows({{1, 1, 2.0f}}, 40));
}

TEST_F(Traffic, NamesBadLines) {
    auto const refusal = [&](std::string const& text) {
        return error_of({"--network", file("bad.txt", text), "--csv", file("out.csv")});
    };
    EXPECT_NE(refusal("a b 5 50\na b 5\n").find("line 2: it has 3 words"), std::string::npos);
    EXPECT_NE(refusal("a b five 50\n").find("line 1: length 'five' is not a number"), std::string::npos);
    EXPECT_NE(refusal("a b 5 -1\n").find("line 1: max_velocity -1 is out of range"), std::string::npos);
    EXPECT_NE(refusal("a b nan 50\n").find("is not a number"), std::string::npos);
    EXPECT_NE(refusal("# nothing\n").find("has no streets"), std::string::npos);
    std::string loops;
    while (loops.size() < 8 * 20000)
        loops += "a a 1 1\n";
    EXPECT_NE(refusal(loops).find("too many neighbours (400000000, at most 268435456)"), std::string::npos);
    EXPECT_FALSE(std::filesystem::exists(file("out.csv")));
    EXPECT_NE(error_of({"--network", file("missing.txt")}), "no error");
}

TEST_F(Traffic, RejectsProblemsThatDoNotFit) {
    EXPECT_NE(error_of({"--streets", "0"}).find("no street"), std::string::npos);
    EXPECT_NE(error_of({"--streets", "many"}), "no error");
    EXPECT_NE(error_of({"--types", "33"}).find("33 classes"), std::string::npos);
    EXPECT_NE(error_of({"--layout", "rows"}), "no error");
    EXPECT_NE(error_of({"--dispatch", "virtual", "--machine", "emulator"}).find("layouts aos and aos_padded"),
              std::string::npos);
    EXPECT_NE(error_of({"--dispatch", "registers", "--machine", "cpu"}).find("does not exist on machine cpu"),
              std::string::npos);
    EXPECT_NE(error_of({"--streets", "5", "--network", file("ring.txt", ring)}), "no error");
    EXPECT_NE(error_of({"--machine", "abacus"}), "no error");
    EXPECT_EQ(error_of({"--streets", "0", "--cars", "0", "--pedestrians", "0"}), "no error");
}

}  // namespace
}  // namespace lockstep::object_layout::tests
