// Tests the location of the cache, who can change it, and what is loaded from it.

#include "harness/jit/cache.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "harness/bench/atomic_file.hpp"
#include "harness/bench/error.hpp"
#include "harness/jit/sha256.hpp"
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

// Reference values of FIPS 180-4.
TEST(JitCache, KeysAreSha256) {
    EXPECT_EQ(sha256(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    EXPECT_EQ(sha256("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    EXPECT_EQ(sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
              "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
    EXPECT_EQ(sha256(std::string(1000000, 'a')), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
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
    {
        Environment const temporary("TMPDIR", "/temporary");
        EXPECT_EQ(cache_folder(), "/temporary/lockstep-" + std::to_string(geteuid()));
    }
    Environment const no_temporary("TMPDIR", "");
    EXPECT_EQ(cache_folder(), "/tmp/lockstep-" + std::to_string(geteuid()));
}

unsigned mode_of(std::filesystem::path const& path) {
    struct stat found = {};
    return lstat(path.c_str(), &found) == 0 ? found.st_mode & 07777u : 0;
}

std::string error_of(std::string const& name) {
    try {
        own_cache_folder(name);
    } catch (bench::Error const& error) {
        return error.what();
    }
    return "no error";
}

// Every umask, from none to all.
TEST(JitCache, AFolderIsTheUsersAloneWhateverTheUmaskIs) {
    for (mode_t const mask : {0, 0022, 0777}) {
        TemporaryCache const cache;
        mode_t const before = umask(mask);
        std::string const folder = own_cache_folder("toy/more");
        store_image(folder + "/made", ".so", "text", "image");
        umask(before);
        EXPECT_EQ(mode_of(folder), 0700u) << mask;
        EXPECT_EQ(mode_of(cache.folder.path() / "toy"), 0700u) << mask;
        EXPECT_EQ(mode_of(folder + "/made.so"), 0600u) << mask;
        EXPECT_EQ(mode_of(folder + "/made.so.sha256"), 0600u) << mask;
        EXPECT_EQ(cached_image(folder + "/made", ".so"), "image") << mask;
    }
}

TEST(JitCache, AFolderThatOthersCanReadIsClosed) {
    TemporaryCache const cache;
    std::filesystem::create_directory(cache.folder.path() / "toy");
    ASSERT_EQ(chmod((cache.folder.path() / "toy").c_str(), 0755), 0);
    EXPECT_EQ(mode_of(own_cache_folder("toy")), 0700u);
}

TEST(JitCache, AFolderThatCannotBeMadeIsAnError) {
    Environment const no_folder("LOCKSTEP_CACHE", "/dev/null");
    EXPECT_EQ(error_of("toy"),
              "cannot use the cache /dev/null/toy (/dev/null is not a folder) Set LOCKSTEP_CACHE to another folder.");
}

TEST(JitCache, AFolderThatOthersCanWriteToIsRefused) {
    for (unsigned const mode : {0777, 0770, 0702}) {
        TemporaryCache const cache;
        std::string const top = cache.folder.path();
        std::string const folder = own_cache_folder("toy");
        ASSERT_EQ(chmod(folder.c_str(), mode), 0);
        EXPECT_EQ(error_of("toy"), "cannot use the cache " + folder + " (other users can write to " + folder +
                                       ") Remove it, or set LOCKSTEP_CACHE to another folder.");
        EXPECT_EQ(mode_of(folder), mode) << "its contents are not to be trusted later, either";
        std::filesystem::remove(folder);
        ASSERT_EQ(chmod(top.c_str(), mode), 0);
        EXPECT_EQ(error_of("toy"), "cannot use the cache " + folder + " (other users can write to " + top +
                                       ") Run chmod go-w " + top + ", or set LOCKSTEP_CACHE to another folder.");
        EXPECT_FALSE(std::filesystem::exists(folder));
    }
}

TEST(JitCache, AFolderAboveThatOthersCanWriteToIsRefusedUnlessItIsSticky) {
    tests::TemporaryFolder const open;
    Environment const below("LOCKSTEP_CACHE", open.path() / "cache");
    ASSERT_EQ(chmod(open.path().c_str(), 0777), 0);
    EXPECT_NE(error_of("toy").find("other users can write to " + open.path().string()), std::string::npos);
    ASSERT_EQ(chmod(open.path().c_str(), 01777), 0);
    EXPECT_EQ(error_of("toy"), "no error");
    EXPECT_EQ(mode_of(open.path() / "cache"), 0700u);
}

// Its name alone does not make a folder in $TMPDIR ours.
TEST(JitCache, AFolderForTemporaryFilesIsNotTrustedByItsName) {
    tests::TemporaryFolder const temporary;
    Environment const own("LOCKSTEP_CACHE", "");
    Environment const of_all_programs("XDG_CACHE_HOME", "");
    Environment const nowhere("HOME", "");
    Environment const variable("TMPDIR", temporary.path());
    ASSERT_EQ(chmod(temporary.path().c_str(), 0777), 0);
    EXPECT_NE(error_of("toy").find("other users can write to "), std::string::npos);
    ASSERT_EQ(chmod(temporary.path().c_str(), 01777), 0);
    std::filesystem::create_directory(cache_folder());
    ASSERT_EQ(chmod(cache_folder().c_str(), 0777), 0);
    EXPECT_NE(error_of("toy").find("other users can write to " + cache_folder()), std::string::npos);
    std::filesystem::remove(cache_folder());
    EXPECT_EQ(error_of("toy"), "no error");
    EXPECT_EQ(mode_of(cache_folder()), 0700u);
}

TEST(JitCache, SymbolicLinksOfTheCacheAreRefused) {
    tests::TemporaryFolder const elsewhere;
    TemporaryCache const cache;
    std::filesystem::create_directory_symlink(elsewhere.path(), cache.folder.path() / "toy");
    EXPECT_NE(error_of("toy").find("toy is a symbolic link) Remove it, or set "), std::string::npos) << error_of("toy");
    EXPECT_TRUE(std::filesystem::is_empty(elsewhere.path()));
    Environment const linked("LOCKSTEP_CACHE", cache.folder.path() / "toy");
    EXPECT_NE(error_of("other").find("toy is a symbolic link)"), std::string::npos) << error_of("other");
    // Links of this user above the cache are followed, as in a home directory on another disk.
    Environment const below("LOCKSTEP_CACHE", cache.folder.path() / "toy" / "cache");
    EXPECT_EQ(own_cache_folder("other"), elsewhere.path() / "cache/other");
}

TEST(JitCache, WhatBelongsToAnotherUserIsRefused) {
    if (geteuid() != 0)
        GTEST_SKIP() << "only root can give a folder to another user";
    constexpr uid_t other = 12345;
    TemporaryCache const cache;
    std::string const folder = own_cache_folder("toy");
    store_image(folder + "/made", ".so", "text", "image");
    ASSERT_EQ(chown((folder + "/made.so").c_str(), other, 0), 0);
    EXPECT_EQ(cached_image(folder + "/made", ".so"), std::nullopt);
    ASSERT_EQ(chown(folder.c_str(), other, 0), 0);
    EXPECT_EQ(error_of("toy"), "cannot use the cache " + folder + " (" + folder +
                                   " belongs to user 12345) Set LOCKSTEP_CACHE to another folder.");
    ASSERT_EQ(chown(cache.folder.path().c_str(), other, 0), 0);
    EXPECT_NE(error_of("another").find(cache.folder.path().string() + " belongs to user 12345"), std::string::npos);
    ASSERT_EQ(chown(cache.folder.path().c_str(), 0, 0), 0);
    std::filesystem::create_directory_symlink("/tmp", cache.folder.path() / "link");
    ASSERT_EQ(lchown((cache.folder.path() / "link").c_str(), other, 0), 0);
    Environment const linked("LOCKSTEP_CACHE", cache.folder.path() / "link" / "cache");
    EXPECT_NE(error_of("toy").find("link belongs to user 12345"), std::string::npos) << error_of("toy");
}

TEST(JitCache, NamesDependOnTextAndKey) {
    std::string const name = cache_file_name("text", "key");
    EXPECT_EQ(name.size(), 64u);
    EXPECT_EQ(name.find_first_not_of("0123456789abcdef"), std::string::npos);
    EXPECT_EQ(name, cache_file_name("text", "key"));
    EXPECT_NE(name, cache_file_name("another text", "key"));
    EXPECT_NE(name, cache_file_name("text", "another key"));
    EXPECT_NE(name, cache_file_name("ytext", "ke"));
}

class JitCacheEntry : public testing::Test {
protected:
    JitCacheEntry() { store_image(base_, ".so", "text", image_); }

    bool is_cached() const { return cached_image(base_, ".so").has_value(); }
    void write(std::string const& suffix, std::string const& text) const {
        std::ofstream(base_ + suffix, std::ios::binary) << text;
    }

    tests::TemporaryCache cache_;
    std::string const image_ = std::string(5000, 'i');
    std::string const base_ = own_cache_folder("toy") + "/made";
};

TEST_F(JitCacheEntry, IsWhatWasStored) {
    EXPECT_EQ(cached_image(base_, ".so"), image_);
    EXPECT_EQ(cached_image(base_, ".image"), std::nullopt);
    EXPECT_EQ(bench::read_file(base_ + ".cpp"), "text");
    EXPECT_EQ(bench::read_file(base_ + ".so.sha256"), sha256(image_) + "  made.so\n");
}

TEST_F(JitCacheEntry, IsNotUsedIfItIsTruncated) {
    for (std::size_t const size : {std::size_t{0}, std::size_t{1}, image_.size() - 1}) {
        write(".so", image_.substr(0, size));
        EXPECT_FALSE(is_cached()) << size;
    }
    write(".so", image_);
    EXPECT_TRUE(is_cached());
    std::string const line = bench::read_file(base_ + ".so.sha256");
    write(".so.sha256", line.substr(0, 30));
    EXPECT_FALSE(is_cached());
    write(".so.sha256", "");
    EXPECT_FALSE(is_cached());
    std::filesystem::remove(base_ + ".so.sha256");
    EXPECT_FALSE(is_cached());
}

TEST_F(JitCacheEntry, IsNotUsedIfAByteOfItChanges) {
    for (std::size_t const at : {std::size_t{0}, image_.size() / 2, image_.size() - 1}) {
        std::string changed = image_;
        changed[at] = 'j';
        write(".so", changed);
        EXPECT_FALSE(is_cached()) << at;
    }
    write(".so", image_ + "i");
    EXPECT_FALSE(is_cached());
}

TEST_F(JitCacheEntry, IsNotUsedIfItIsALinkAPipeOrOpenToOthers) {
    std::string const elsewhere = cache_.folder.path() / "elsewhere";
    std::filesystem::rename(base_ + ".so", elsewhere);
    EXPECT_FALSE(is_cached());
    std::filesystem::create_symlink(elsewhere, base_ + ".so");
    EXPECT_FALSE(is_cached());
    std::filesystem::remove(base_ + ".so");
    ASSERT_EQ(mkfifo((base_ + ".so").c_str(), 0600), 0);
    EXPECT_FALSE(is_cached());
    std::filesystem::rename(elsewhere, base_ + ".so");
    EXPECT_TRUE(is_cached());
    ASSERT_EQ(chmod((base_ + ".so").c_str(), 0620), 0);
    EXPECT_FALSE(is_cached());
}

}  // namespace
}  // namespace lockstep::jit
