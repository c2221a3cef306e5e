#include "harness/bench/streamed_file.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "harness/bench/error.hpp"
#include "harness/bench/mapped_write.hpp"
#include "tests/harness/bench/temporary_folder.hpp"

namespace lockstep::bench {
namespace {

constexpr std::size_t piece_unit = std::size_t{1} << 20;

// Bytes of an endless text in which no two neighbouring mebibytes are alike: its period is a prime. Copies, because
// sanitizers make a loop over single bytes slow.
std::string bytes_from(std::size_t const first, std::size_t const count) {
    static std::string const period = [] {
        std::string bytes(65537, '\0');
        for (std::size_t i = 0; i < bytes.size(); ++i)
            bytes[i] = static_cast<char>(i * 0x9E3779B97F4A7C15u >> 40);
        return bytes;
    }();
    std::string bytes;
    while (bytes.size() < count)
        bytes.append(period, (first + bytes.size()) % period.size(), count - bytes.size());
    return bytes;
}

std::string contents_of(std::filesystem::path const& path) {
    std::string bytes(std::filesystem::file_size(path), '\0');
    std::ifstream(path, std::ios::binary).read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    return bytes;
}

// The folders of a disk and of memory, which are written in different ways.
std::vector<std::filesystem::path> folders() {
    std::vector<std::filesystem::path> found = {std::filesystem::temp_directory_path()};
    if (::access("/dev/shm", W_OK) == 0)
        found.emplace_back("/dev/shm");
    return found;
}

TEST(StreamedFile, PiecesOfAnySizeFollowOneAnother) {
    for (std::filesystem::path const& parent : folders()) {
        tests::TemporaryFolder const folder(parent);
        std::filesystem::path const target = folder.path() / "new" / "file";
        std::string expected;
        {
            StreamedFile file(target);
            for (std::size_t const size : {std::size_t{1}, 4 * piece_unit, 5 * piece_unit + 3, std::size_t{4095},
                                           4 * piece_unit - 1, 9 * piece_unit + 1, std::size_t{0}}) {
                std::string const piece = bytes_from(expected.size(), size);
                file.write(piece);
                expected += piece;
                EXPECT_FALSE(std::filesystem::exists(target)) << "the file appears before it is whole";
            }
            file.finish(Durable::no);
        }
        EXPECT_TRUE(contents_of(target) == expected) << parent;
    }
}

TEST(StreamedFile, AnUnfinishedFileLeavesTheOldOne) {
    for (std::filesystem::path const& parent : folders()) {
        tests::TemporaryFolder const folder(parent);
        std::filesystem::path const target = folder.path() / "file";
        std::ofstream(target) << "old";
        { StreamedFile(target).write(bytes_from(0, 8 * piece_unit)); }
        EXPECT_EQ(contents_of(target), "old");
        std::filesystem::directory_iterator const files(folder.path());
        EXPECT_EQ(std::distance(files, {}), 1) << "a scratch file is left";
    }
}

// Runs in a child process, because the limit can't be raised again.
void write_beyond_limit(std::filesystem::path const& target) {
    ::signal(SIGXFSZ, SIG_IGN);
    rlimit const limit{6 * piece_unit, 6 * piece_unit};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    std::string message = "no error";
    try {
        StreamedFile file(target);
        file.write(bytes_from(0, 5 * piece_unit));
        file.write(bytes_from(0, 5 * piece_unit));
        file.finish();
    } catch (Error const& error) {
        message = error.what();
    }
    std::fputs(message.c_str(), stderr);
    std::exit(std::filesystem::exists(target) ? 1 : 0);
}

TEST(StreamedFileDeathTest, AFileOverItsLimitIsAnErrorAndLeavesNothing) {
    for (std::filesystem::path const& parent : folders()) {
        tests::TemporaryFolder const folder(parent);
        EXPECT_EXIT(write_beyond_limit(folder.path() / "file"), testing::ExitedWithCode(0), "File too large") << parent;
        EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
    }
}

TEST(StreamedFile, OnlyLargePiecesInMemoryAreMappedByManyCores) {
    if (::access("/dev/shm", W_OK) != 0)
        GTEST_SKIP() << "no /dev/shm";
    tests::TemporaryFolder const folder("/dev/shm");
    std::string const path = (folder.path() / "file").string();
    std::FILE* const file = std::fopen(path.c_str(), "w+");
    ASSERT_NE(file, nullptr);
    int const descriptor = ::fileno(file);
    EXPECT_TRUE(is_for_mapped_write(descriptor, 4 * piece_unit, 16));
    EXPECT_FALSE(is_for_mapped_write(descriptor, 4 * piece_unit, 2));
    EXPECT_FALSE(is_for_mapped_write(descriptor, 4 * piece_unit - 1, 16));
    EXPECT_FALSE(is_for_mapped_write(-1, 4 * piece_unit, 16));
    std::fclose(file);
}

// Whatever the number of cores that decides in StreamedFile.
TEST(MappedWrite, AppendsPiecesThatEndWithinAPage) {
    if (::access("/dev/shm", W_OK) != 0)
        GTEST_SKIP() << "no /dev/shm";
    tests::TemporaryFolder const folder("/dev/shm");
    std::filesystem::path const target = folder.path() / "file";
    std::FILE* const file = std::fopen(target.c_str(), "w+");
    ASSERT_NE(file, nullptr);
    std::string expected;
    for (std::uint64_t const count : {5 * piece_unit + 7, 4 * piece_unit + 1, piece_unit}) {
        std::string const piece = bytes_from(expected.size(), count);
        EXPECT_TRUE(write_mapped(::fileno(file), piece.data(), piece.size(), expected.size()));
        expected += piece;
    }
    std::fclose(file);
    EXPECT_TRUE(contents_of(target) == expected);
}

}  // namespace
}  // namespace lockstep::bench
