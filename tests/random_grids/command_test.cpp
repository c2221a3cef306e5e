// `lockstep grids`: its output, and its messages for invalid options.

#include "experiments/random_grids/command.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "harness/bench/error.hpp"
#include "tests/support/tool.hpp"

namespace lockstep::random_grids::tests {
namespace {

lockstep::tests::Tool const grids("grids", grids_command);

std::string output_of(std::vector<std::string> const& words) { return grids.output_of(words); }
std::string error_of(std::vector<std::string> const& words) { return grids.error_of(words); }

std::size_t count(std::string const& text, char sign) {
    return static_cast<std::size_t>(std::count(text.begin(), text.end(), sign));
}

TEST(GridsCommand, DrawsTheSlidesBoard) {
    std::string const text = output_of({"--width", "15", "--height", "15", "--occupied", "71,70", "--count", "3"});
    EXPECT_EQ(count(text, 'X'), 3u * 71);
    EXPECT_EQ(count(text, 'O'), 3u * 70);
    EXPECT_EQ(count(text, '.'), 3u * 84);
    EXPECT_EQ(count(text, '\n'), 3u * 15 + 2);
}

TEST(GridsCommand, TheSeedDeterminesTheBoards) {
    std::vector<std::string> arguments = {"--occupied", "100", "--seed", "5"};
    std::string const first = output_of(arguments);
    EXPECT_EQ(output_of(arguments), first);
    arguments.back() = "6";
    EXPECT_NE(output_of(arguments), first);
}

// The warpwise boards of the emulator equal those of the reference on the CPU.
TEST(GridsCommand, MachinesAgree) {
    std::string const expected = output_of({"--occupied", "30,20", "--variant", "halving_by_lane"});
    EXPECT_EQ(output_of({"--occupied", "30,20", "--variant", "warpwise", "--machine", "emulator"}), expected);
    std::vector<std::vector<std::string>> const boards = {
        {"--occupied", "30,20"},
        {"--occupied", "mixed", "--count", "40"},
        {"--width", "8", "--height", "8", "--occupied", "half", "--count", "130"},
        {"--width", "33", "--height", "33", "--occupied", "1000", "--engine", "xorwow", "--count", "17"}};
    for (std::vector<std::string> words : boards) {
        std::string const on_cpu = output_of(words);
        words.insert(words.end(), {"--machine", "emulator"});
        EXPECT_EQ(output_of(words), on_cpu);
    }
}

// A board depends on its number, not on which others are drawn; 16 and 64 boards are a stream.
TEST(GridsCommand, BoardsHaveNumbers) {
    for (char const* const width : {"9", "16"}) {
        auto const boards = [&](unsigned first, unsigned count) {
            return output_of({"--width", width, "--height", "6", "--occupied", "7", "--format", "pbm", "--first",
                              std::to_string(first), "--count", std::to_string(count)});
        };
        std::string const all = boards(0, 150);
        std::size_t const size = all.size() / 150;
        for (auto const& [first, count] : {std::pair{0u, 1u}, {1u, 1u}, {15u, 2u}, {16u, 1u}, {63u, 70u}, {149u, 1u}})
            EXPECT_EQ(boards(first, count), all.substr(first * size, count * size)) << first;
    }
    EXPECT_NE(output_of({"--first", "281474976710655"}), output_of({}));
}

TEST(GridsCommand, StreamsAreInSequence) {
    std::vector<std::string> const boards = {"--format", "pgm", "--count", "3"};
    std::string const all = output_of(lockstep::tests::joined(boards, {"--streams", "4"}));
    EXPECT_EQ(all.substr(all.size() / 2),
              output_of(lockstep::tests::joined(boards, {"--streams", "2", "--first", "6"})));
}

TEST(GridsCommand, Formats) {
    EXPECT_EQ(output_of({"--width", "2", "--height", "1", "--occupied", "2", "--format", "pbm", "--count", "2"}),
              "P1\n2 1\n1 1\nP1\n2 1\n1 1\n");
    EXPECT_EQ(output_of({"--width", "1", "--height", "1", "--occupied", "0,1", "--format", "pgm"}), "P2\n1 1\n2\n2\n");
    std::string const json = output_of({"--width", "2", "--height", "1", "--occupied", "0", "--format", "json"});
    EXPECT_EQ(json,
              "{\"width\": 2, \"height\": 1, \"occupied\": [0], \"seed\": 1, \"first\": 0, \"engine\": \"philox10\", "
              "\"variant\": \"unranked\", \"machine\": \"cpu\", \"boards\": [\n  [[0,0]]\n]}\n");
}

// Nothing is drawn, no folder is made.
TEST(GridsCommand, BoardsThatDoNotFitTheDiskAreRefused) {
    lockstep::tests::TemporaryFolder const folder;
    std::string const file = (folder.path() / "new" / "boards").string();
    std::vector<std::pair<std::string, std::string>> const formats = {
        {"text", "272"}, {"pbm", "512"}, {"json", "512"}, {"npy", "256"}, {"packed", "32"}, {"indices", "40"}};
    for (auto const& [format, bytes] : formats) {
        std::string const error = error_of({"--width", "16", "--height", "16", "--occupied", "10", "--format", format,
                                            "--count", "1e14", "--out", file});
        EXPECT_EQ(error.find("cannot write " + file + " (it needs " + bytes + "00000000000000 bytes, and "), 0u)
            << error;
        EXPECT_NE(error.find(" bytes are free there) free space there"), std::string::npos) << error;
    }
    EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
    for (auto const& [format, bytes] : formats) {
        output_of({"--width", "16", "--height", "16", "--occupied", "10", "--format", format, "--count", "100", "--out",
                   file});
        EXPECT_GE(std::filesystem::file_size(file), 100 * std::stoull(bytes)) << format << ": the bound is too high";
    }
}

TEST(GridsCommand, WritesPictures) {
    lockstep::tests::TemporaryFolder const folder;
    std::string const file = (folder.path() / "boards.png").string();
    output_of({"--count", "2", "--png", file});
    EXPECT_GT(std::filesystem::file_size(file), 1000u);
}

TEST(GridsCommand, FormatNoneNamesTheMethodAndKeepsNoBoards) {
    // Boards of 1024 sites are drawn by the kernel that packs them, whatever k is.
    for (std::string const occupied : {"1", "100", "300", "mixed"}) {
        for (std::string const machine : {"cpu", "emulator"}) {
            std::string const text = output_of({"--width", "32", "--height", "32", "--occupied", occupied, "--format",
                                                "none", "--count", "40", "--machine", machine, "--engine", "xorwow"});
            EXPECT_EQ(text.find("40 boards in "), 0u) << text;
            EXPECT_NE(text.find("(variant pooled, machine " + machine + ")"), std::string::npos) << text;
        }
    }
}

TEST(GridsCommand, WrongOptionsGetOneClearLine) {
    EXPECT_NE(error_of({"--first", "281474976710656"}).find("too many boards"), std::string::npos);
    EXPECT_NE(error_of({"--streams", "18446744073709551615", "--count", "2"}).find("too many boards"),
              std::string::npos);
    EXPECT_NE(error_of({"--streams", "0"}).find("--streams is 0"), std::string::npos);
    EXPECT_NE(error_of({"--streams", "2", "--count", "1048577"}).find("too long"), std::string::npos);
    EXPECT_NE(error_of({"--png", ".", "--count", "1"}).find("folder"), std::string::npos);
    EXPECT_NE(error_of({"--png", "x.png", "--count", "40000"}).find("picture is too large"), std::string::npos);
    EXPECT_NE(error_of({"--out", "/"}).find("cannot write / (it is a folder)"), std::string::npos);
    EXPECT_NE(error_of({"--json", "--out", "x"}).find("--out"), std::string::npos);
    EXPECT_NE(error_of({"--occupied", "226"}).find("226 occupied sites, but 15x15 has 225"), std::string::npos);
    EXPECT_NE(error_of({"--width", "0"}).find("no sites"), std::string::npos);
    EXPECT_NE(error_of({"--count", "0"}).find("no boards"), std::string::npos);
    EXPECT_NE(error_of({"--variant", "warpwize"}).find("warpwise"), std::string::npos);
    EXPECT_NE(error_of({"--variant", "warpwise_no_sum"}).find("unknown variant"), std::string::npos);
    std::string const names = error_of({"--variant", "nothing_like_it"});
    EXPECT_NE(names.find(" pooled,"), std::string::npos) << names;
    EXPECT_EQ(names.find(" pooled,"), names.rfind(" pooled,")) << names;
    EXPECT_NE(error_of({"--machine", "gpu"}).find("machine"), std::string::npos);
    EXPECT_NE(error_of({"--engine", "mt19937"}).find("engine"), std::string::npos);
    EXPECT_NE(error_of({"--format", "bmp"}).find("format"), std::string::npos);
    EXPECT_NE(error_of({"--format", "pbm"}).find("one colour"), std::string::npos);
    EXPECT_NE(error_of({"--format", "none", "--out", "x"}).find("keeps no boards"), std::string::npos);
    EXPECT_NE(error_of({"--width", "minus"}).find("width"), std::string::npos);
    EXPECT_NE(error_of({"--nonsense"}).find("nonsense"), std::string::npos);
    EXPECT_NE(error_of({"--width", "40", "--occupied", "9", "--variant", "warpwise"}).find("32 sites per lane"),
              std::string::npos);
    EXPECT_NE(error_of({"--variant", "halving", "--machine", "emulator"}).find("does not exist on machine emulator"),
              std::string::npos);
    for (std::string const& message : {error_of({"--occupied", "226"}), error_of({"--nonsense"})}) {
        EXPECT_EQ(message.find('\n'), std::string::npos) << message;
    }
}

}  // namespace
}  // namespace lockstep::random_grids::tests
