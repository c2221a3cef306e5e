// An output that the disk cannot hold is refused before the work; one that fits, or is no file, is not.

#include "harness/bench/free_space.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <string>

#include "harness/bench/atomic_file.hpp"
#include "harness/bench/error.hpp"
#include "tests/harness/bench/temporary_folder.hpp"

namespace lockstep::bench {
namespace {

constexpr std::uint64_t too_many = std::numeric_limits<std::uint64_t>::max();

std::string refusal(std::filesystem::path const& path, std::uint64_t bytes) {
    try {
        require_space(path, bytes);
    } catch (Error const& error) {
        return error.what();
    }
    return "";
}

TEST(FreeSpace, TheMessageHasBothNumbers) {
    tests::TemporaryFolder const folder;
    write_file_atomically(folder.path() / "old", "text");
    for (std::filesystem::path const& path :
         {folder.path() / "file", folder.path() / "old", folder.path() / "new" / "folder" / "file"}) {
        std::string const text = refusal(path, too_many);
        EXPECT_EQ(text.find("cannot write " + path.string() + " (it needs 18446744073709551615 bytes, and "), 0u)
            << text;
        EXPECT_GT(std::stoull(text.substr(text.find(" and ") + 5)), 100u);
        EXPECT_EQ(refusal(path, 100), "");
    }
    EXPECT_FALSE(std::filesystem::exists(folder.path() / "new"));
    EXPECT_NE(refusal("file", too_many), "") << "a path without a folder";
}

TEST(FreeSpace, WhatIsNoFileHasRoom) { EXPECT_EQ(refusal("/dev/null", too_many), ""); }

}  // namespace
}  // namespace lockstep::bench
