// Compilers that work in the background: who starts them, what they leave, and that nobody has to wait for them.

#include "harness/jit/background_compile.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <thread>

#include "harness/jit/cache.hpp"
#include "harness/jit/compiler.hpp"
#include "harness/jit/shared_object.hpp"
#include "tests/harness/jit/temporary_cache.hpp"

namespace lockstep::jit {
namespace {

using State = BackgroundCompile::State;
using tests::Environment;

std::vector<std::string> const library_options = {"-std=c++17", "-O0", "-fPIC", "-shared", "-w"};
std::string const answer_text = "extern \"C\" int answer() { return 42; }\n";

class JitBackground : public testing::Test {
protected:
    // A compiler that notes its call, waits for the gate, and then is the real one.
    JitBackground() {
        std::ofstream(compiler_) << "#!/bin/sh\necho called >>" << calls_.string() << "\nuntil [ -e " << gate_.string()
                                 << " ]; do sleep 0.01; done\nexec c++ \"$@\"\n";
        std::filesystem::permissions(compiler_, std::filesystem::perms::owner_all);
        variable_.emplace("CXX", compiler_.string());
    }
    ~JitBackground() override { open(); }

    void open() const { std::ofstream const opened(gate_); }
    std::shared_ptr<BackgroundCompile> begin(std::string const& text) const {
        return compile_in_background(text, library_options, context_);
    }
    static State end_of(BackgroundCompile& compile) {
        State state = compile.state();
        for (; state == State::running; state = compile.state())
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        return state;
    }
    std::size_t calls() const {
        std::ifstream file(calls_);
        std::size_t count = 0;
        for (std::string line; std::getline(file, line);)
            ++count;
        return count;
    }
    void until_called(std::size_t count) const {
        while (calls() < count)
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    // Files of the cache whose name contains this.
    std::size_t files_with(std::string const& part) const {
        std::size_t count = 0;
        for (auto const& entry : std::filesystem::directory_iterator(cache_.folder.path() / "toy"))
            count += entry.path().filename().string().find(part) != std::string::npos ? 1 : 0;
        return count;
    }

    tests::TemporaryCache cache_;
    std::filesystem::path const compiler_ = cache_.folder.path() / "compiler";
    std::filesystem::path const calls_ = cache_.folder.path() / "calls";
    std::filesystem::path const gate_ = cache_.folder.path() / "gate";
    std::optional<Environment> variable_;
    CompileContext const context_ = {"toy", "the toy", "use the other toy."};
};

TEST_F(JitBackground, StoresWhatSharedObjectLoads) {
    std::shared_ptr<BackgroundCompile> const compile = begin(answer_text);
    EXPECT_EQ(compile->state(), State::running);
    EXPECT_EQ(begin(answer_text), compile) << "a process compiles a text once";
    open();
    EXPECT_EQ(end_of(*compile), State::done);
    EXPECT_EQ(files_with(".part"), 0u);
    std::string const path = shared_object(answer_text, library_options, context_);
    EXPECT_EQ(reinterpret_cast<int (*)()>(symbol_in(path, "answer"))(), 42);
    EXPECT_EQ(calls(), 1u);
    EXPECT_EQ(begin(answer_text)->state(), State::done);
    EXPECT_EQ(calls(), 1u);
    EXPECT_TRUE(cached_image(path.substr(0, path.size() - 3), ".so")) << "with the digest of store_image()";
}

TEST_F(JitBackground, ARejectedTextLeavesNothing) {
    open();
    std::shared_ptr<BackgroundCompile> const compile = begin("no C++\n");
    EXPECT_EQ(end_of(*compile), State::failed);
    EXPECT_EQ(files_with(".so") + files_with(".part"), 0u);
    Environment const none("CXX", "/nonexistent");
    EXPECT_EQ(end_of(*begin(answer_text)), State::failed);
    EXPECT_EQ(files_with(".so") + files_with(".part"), 0u);
}

// Another process compiles the same text: it has the turn.
TEST_F(JitBackground, EqualTextsWaitForOneAnother) {
    open();
    ASSERT_EQ(end_of(*begin(answer_text)), State::done);
    std::filesystem::path turn;
    for (auto const& entry : std::filesystem::directory_iterator(cache_.folder.path() / "toy")) {
        if (entry.path().filename().string().rfind("turn-", 0) == 0)
            turn = entry.path();
    }
    std::string const object = shared_object(answer_text, library_options, context_);
    for (bool const stores : {false, true}) {
        std::filesystem::rename(object, object + ".kept");
        int const file = ::open(turn.c_str(), O_RDWR | O_CLOEXEC);
        ASSERT_EQ(::flock(file, LOCK_EX), 0);
        std::size_t const before = calls();
        std::shared_ptr<BackgroundCompile> const compile = begin(answer_text);
        for (unsigned look = 0; look < 3; ++look)
            EXPECT_EQ(compile->state(), State::running);
        EXPECT_EQ(calls(), before);
        if (stores)
            std::filesystem::rename(object + ".kept", object);
        ::close(file);
        EXPECT_EQ(end_of(*compile), State::done);
        EXPECT_EQ(calls(), before + (stores ? 0 : 1));
    }
}

// A reader of this process's output does not wait for the compiler.
TEST_F(JitBackground, InheritsNoDescriptor) {
    int ends[2];
    ASSERT_EQ(::pipe(ends), 0);
    std::shared_ptr<BackgroundCompile> const compile = begin(answer_text);
    until_called(1);
    ::close(ends[1]);
    pollfd ended = {ends[0], POLLIN, 0};
    ASSERT_EQ(::poll(&ended, 1, 0), 1);
    char byte = 0;
    EXPECT_EQ(::read(ends[0], &byte, 1), 0);
    ::close(ends[0]);
    EXPECT_EQ(compile->state(), State::running);
    open();
    EXPECT_EQ(end_of(*compile), State::done);
}

TEST_F(JitBackground, ASignalEndsItWithoutAnEntry) {
    std::shared_ptr<BackgroundCompile> const compile = begin(answer_text);
    until_called(1);
    bench::end_background_groups();
    EXPECT_EQ(end_of(*compile), State::failed);
    EXPECT_EQ(files_with(".so") + files_with(".part"), 0u);
}

// A signal ends registered groups only, so a shell that began sooner would outlive it.
TEST(StartShell, BeginsOnceItIsRegistered) {
    std::filesystem::path const made = std::filesystem::temp_directory_path() / ("begun-" + std::to_string(getpid()));
    std::filesystem::remove(made);
    bool begun = true;
    pid_t const shell = start_shell("read -r line || exit 1\n: >\"$0\"", {made.string()}, STDERR_FILENO, [&](pid_t) {
        std::this_thread::sleep_for(std::chrono::milliseconds(200));
        begun = std::filesystem::exists(made);
    });
    ASSERT_GT(shell, 0);
    ::waitpid(shell, nullptr, 0);
    EXPECT_FALSE(begun);
    EXPECT_TRUE(std::filesystem::remove(made));
}

}  // namespace
}  // namespace lockstep::jit
