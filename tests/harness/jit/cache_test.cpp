// Tests the location of the cache, its permissions, and lookups in it.

#include "harness/jit/cache.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "harness/bench/atomic_file.hpp"
#include "harness/bench/error.hpp"
#include "harness/jit/text_digest.hpp"
#include "tests/harness/jit/temporary_cache.hpp"

namespace lockstep::jit {
namespace {

using tests::Environment;
using tests::TemporaryCache;

// Reference values published by the authors of FNV.
TEST(JitCache, DigestsAreFnv1a) {
    EXPECT_EQ(text_digest(""), 0xcbf29ce484222325ull);
    EXPECT_EQ(text_digest("a"), 0xaf63dc4c8601ec8cull);
    EXPECT_EQ(text_digest("foobar"), 0x85944171f73967e8ull);
}

TEST(JitCache, TheUserChoosesTheFolder) {
    tests::TemporaryFolder const home;
    Environment const of_home("HOME", home.path());
    {
        Environment const own("LOCKSTEP_CACHE", "/somewhere");
        EXPECT_EQ(cache_folder(), "/somewhere");
    }
    Environment const own("LOCKSTEP_CACHE", "");
    {
        Environment const of_all_programs("XDG_CACHE_HOME", "/caches");
        EXPECT_EQ(cache_folder(), "/caches/lockstep");
    }
    Environment const of_all_programs("XDG_CACHE_HOME", "");
    EXPECT_EQ(cache_folder(), home.path().string() + "/.cache/lockstep");
    Environment const nowhere("HOME", "");
    EXPECT_EQ(cache_folder().rfind("/tmp/lockstep-", 0), 0u);
}

TEST(JitCache, AFolderIsTheUsersAlone) {
    TemporaryCache const cache;
    std::string const folder = own_cache_folder("toy");
    struct stat found = {};
    ASSERT_EQ(stat(folder.c_str(), &found), 0);
    EXPECT_EQ(found.st_mode & 0777, 0700u);
}

TEST(JitCache, AFolderThatCannotBeMadeIsAnError) {
    Environment const no_folder("LOCKSTEP_CACHE", "/dev/null");
    try {
        own_cache_folder("toy");
        FAIL() << "no error";
    } catch (bench::Error const& error) {
        EXPECT_NE(std::string(error.what()).find("/dev/null/toy"), std::string::npos) << error.what();
        EXPECT_NE(std::string(error.what()).find("Set LOCKSTEP_CACHE"), std::string::npos) << error.what();
    }
}

TEST(JitCache, NamesDependOnTextAndKey) {
    std::string const name = cache_file_name("text", "key");
    EXPECT_EQ(name.size(), 32u);
    EXPECT_EQ(name.find_first_not_of("0123456789abcdef"), std::string::npos);
    EXPECT_EQ(name, cache_file_name("text", "key"));
    EXPECT_NE(name, cache_file_name("another text", "key"));
    EXPECT_NE(name, cache_file_name("text", "another key"));
}

TEST(JitCache, AFileIsUsedOnlyWithItsText) {
    TemporaryCache const cache;
    std::string const base = own_cache_folder("toy") + "/made";
    EXPECT_FALSE(is_cached("text", base, ".so"));
    bench::write_file_atomically(base + ".so", "object");
    EXPECT_FALSE(is_cached("text", base, ".so"));
    bench::write_file_atomically(base + ".cpp", "text");
    EXPECT_TRUE(is_cached("text", base, ".so"));
    EXPECT_FALSE(is_cached("another text of the same name", base, ".so"));
}

}  // namespace
}  // namespace lockstep::jit
