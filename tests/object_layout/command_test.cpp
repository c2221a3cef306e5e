// `lockstep traffic`, networks from files, and messages for invalid files.

#include "experiments/object_layout/command.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "common/object_layout/city.hpp"
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
}

bool shows(Network const& network, std::vector<AgentPoint> const& agents, bench::Colour colour) {
    bench::Image const image = Picture(network).with(agents, 0);
    for (unsigned y = 0; y < image.width(); ++y) {  // without the legend, which is below the square
        for (bench::Colour const& pixel : image.row(y)) {
            if (pixel.red == colour.red && pixel.green == colour.green && pixel.blue == colour.blue)
                return true;
        }
    }
    return false;
}

TEST_F(Traffic, ColoursCarsBySpeed) {
    Network const network = parse_network(ring, "ring");
    bench::Colour const slow = speed_colour(0);
    bench::Colour const fast = speed_colour(1);
    EXPECT_FALSE(shows(network, {}, slow) || shows(network, {}, fast));
    EXPECT_TRUE(shows(network, {{0, 1, 2.0f, 10.0f}}, slow));
    EXPECT_TRUE(shows(network, {{0, 1, 2.0f, 99.0f}}, fast));
    EXPECT_FALSE(shows(network, {{1, 1, 2.0f, 99.0f}}, fast)) << "a pedestrian";
}

TEST_F(Traffic, WritesAFrameAtEqualIntervals) {
    std::string const folder = file("frames");
    std::vector<std::string> const common = {"--network", "city:3x3", "--cars", "4", "--pedestrians", "0"};
    auto const with = [&](std::vector<std::string> more) {
        more.insert(more.begin(), common.begin(), common.end());
        return output_of(more);
    };
    with({"--ticks", "90", "--animate", folder, "--frames", "3"});
    std::string const middle = file("middle.png");
    with({"--ticks", "60", "--png", middle});
    EXPECT_EQ(bench::read_file(folder + "/frame_00002.png"), bench::read_file(middle));
    EXPECT_NE(bench::read_file(folder + "/frame_00003.png"), bench::read_file(middle));
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder), {}), 3);
    EXPECT_NE(error_of({"--animate", folder}).find("it exists"), std::string::npos);
    EXPECT_NE(error_of({"--animate", file("other"), "--frames", "0"}).find("out of range"), std::string::npos);
    EXPECT_NE(error_of({"--frames", "3"}).find("Add --animate"), std::string::npos);
}

// Every junction of a city can be reached from the first, no two streets join the same ends in one direction, and each
// street has its other direction.
TEST(City, IsConnectedAndPlanarByConstruction) {
    for (auto const& [columns, rows] : {std::pair{2u, 2u}, std::pair{7u, 5u}, std::pair{20u, 30u}}) {
        Network const city = city_network(5, columns, rows);
        ASSERT_EQ(city.junctions.size(), std::size_t{columns} * rows);
        std::set<std::pair<unsigned, unsigned>> streets;
        for (unsigned street = 0; street < city.streets(); ++street)
            EXPECT_TRUE(streets.insert({city.from[street], city.to[street]}).second);
        std::set<unsigned> reached = {0};
        for (bool grows = true; grows;) {
            grows = false;
            for (auto const& [from, to] : streets) {
                EXPECT_TRUE(streets.contains({to, from}));
                unsigned const apart = from > to ? from - to : to - from;
                EXPECT_TRUE(apart == columns || (apart == 1 && from / columns == to / columns)) << from << " " << to;
                grows |= reached.contains(from) && reached.insert(to).second;
            }
        }
        EXPECT_EQ(reached.size(), city.junctions.size());
        EXPECT_LT(streets.size(), 2 * ((columns - 1) * rows + columns * (rows - 1)) + 1);
        EXPECT_NE(city.length, city_network(6, columns, rows).length);
    }
}

TEST_F(Traffic, RejectsCitiesThatDoNotParse) {
    for (char const* const city : {"city:", "city:3", "city:3x", "city:x3", "city:1x3", "city:3x1001", "city:3x3x3",
                                   "city:-3x3", "city:3x99999999999999999999"}) {
        EXPECT_NE(error_of({"--network", city}).find("city:COLUMNSxROWS"), std::string::npos) << city;
    }
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
    EXPECT_NE(refusal(std::string("a b 5\0junk 50\n", 15)).find("line 1: length '5"), std::string::npos);
    std::string loops;
    while (loops.size() < 8 * 20000)
        loops += "a a 1 1\n";
    EXPECT_NE(refusal(loops).find("too many neighbours (400000000, at most 268435456)"), std::string::npos);
    EXPECT_FALSE(std::filesystem::exists(file("out.csv")));
    EXPECT_NE(error_of({"--network", file("missing.txt")}), "no error");
}

TEST(Network, AByteOrderMarkIsNoPartOfAName) {
    EXPECT_EQ(parse_network("\xef\xbb\xbf# streets\na b 5 50\n", "list").junctions.at(0), "a");
    EXPECT_EQ(parse_network("\xef\xbb\xbf"
                            "a b 5 50\n",
                            "list")
                  .junctions.at(0),
              "a");
    EXPECT_THROW(parse_network("\xef\xbb\xbf\xef\xbb\xbf#\n\xef\xbb\xbf"
                               "a b 5 50\n",
                               "joined"),
                 bench::Error);
    EXPECT_THROW(parse_network("a \xef\xbb\xbf"
                               "b 5 50\n",
                               "joined"),
                 bench::Error);
}

TEST_F(Traffic, QuotesNamesInCsv) {
    std::string const csv = csv_of({"--network", file("names.txt", "x,1 \"y\" 5 50\n"), "--machine", "cpu"});
    EXPECT_NE(csv.find("0,car,\"x,1\",\"\"\"y\"\"\","), std::string::npos) << csv;
}

TEST_F(Traffic, OutputsAreApartFromFrames) {
    std::string const folder = file("frames");
    for (std::string const& output : {folder, folder + "/frame_00001.png", folder + "/../frames/frame_1.png"}) {
        for (std::string const option : {"--csv", "--png"})
            EXPECT_NE(error_of({"--animate", folder + "/", option, output}).find("belongs to the frames"),
                      std::string::npos)
                << option << " " << output;
    }
    EXPECT_FALSE(std::filesystem::exists(folder));
}

TEST_F(Traffic, HelpNamesTheNetworksThatItReads) {
    std::string const help = this->help();
    EXPECT_NE(help.find("OpenStreetMap"), std::string::npos) << help;
}

TEST_F(Traffic, RejectsProblemsThatDoNotFit) {
    EXPECT_NE(error_of({"--types", "1", "--pedestrians", "3"}).find("--types 1 has no class for pedestrians"),
              std::string::npos);
    EXPECT_EQ(error_of({"--types", "1", "--cars", "3", "--pedestrians", "0", "--machine", "cpu"}), "no error");
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
