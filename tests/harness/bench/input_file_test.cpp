// Files that users name: limits, and everything that is not a regular file. A read that does not end is a failure by
// the alarm.

#include "harness/bench/input_file.hpp"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <csignal>
#include <cstring>
#include <fstream>
#include <thread>

#include "harness/bench/atomic_file.hpp"
#include "harness/bench/error.hpp"
#include "harness/bench/output_target.hpp"
#include "tests/harness/bench/temporary_folder.hpp"

namespace lockstep::bench {
namespace {

constexpr std::uint64_t mebibyte = 1 << 20;

// What an operation throws, without the folder, or "no error".
template <class Operation>
std::string error_of(std::filesystem::path const& folder, Operation const& operation) {
    try {
        operation();
    } catch (Error const& error) {
        std::string text = error.what();
        std::string const prefix = folder.string() + "/";
        for (std::size_t at = text.find(prefix); at != std::string::npos; at = text.find(prefix))
            text.erase(at, prefix.size());
        return text;
    }
    return "no error";
}

class BenchInput : public testing::Test {
protected:
    BenchInput() {
        ::alarm(60);
        begin_inputs(0);
    }
    ~BenchInput() override {
        ::alarm(0);
        begin_inputs(0);
    }

    std::filesystem::path path(std::string const& name) const { return folder_.path() / name; }

    // A file with a hole of this size.
    std::filesystem::path sparse(std::string const& name, std::uint64_t size) const {
        std::ofstream(path(name)).flush();
        std::filesystem::resize_file(path(name), size);
        return path(name);
    }

    std::filesystem::path fifo(std::string const& name) const {
        EXPECT_EQ(::mkfifo(path(name).c_str(), 0600), 0);
        return path(name);
    }

    std::string refusal(std::filesystem::path const& input, Input kind = Input::design) const {
        return error_of(folder_.path(), [&] { read_input(input, kind); });
    }

    std::string refusal_to_write(std::filesystem::path const& output) const {
        return error_of(folder_.path(), [&] { write_file_atomically(output, "text"); });
    }

    tests::TemporaryFolder const folder_;
};

// Standard input is a pipe that a thread fills: with the text once, or again and again until nobody reads.
class PipedInput {
public:
    PipedInput(std::string text, bool again) : former_(::dup(STDIN_FILENO)) {
        std::signal(SIGPIPE, SIG_IGN);
        int ends[2];
        EXPECT_EQ(::pipe(ends), 0);
        ::dup2(ends[0], STDIN_FILENO);
        ::close(ends[0]);
        writer_ = std::thread([text = std::move(text), again, end = ends[1]] {
            while (::write(end, text.data(), text.size()) == static_cast<ssize_t>(text.size()) && again) {
            }
            ::close(end);
        });
    }
    ~PipedInput() {
        ::dup2(former_, STDIN_FILENO);  // closes the pipe's end, so the writer ends
        ::close(former_);
        writer_.join();
    }

private:
    int former_;
    std::thread writer_;
};

TEST_F(BenchInput, TheLimitIsTheLastSizeThatIsRead) {
    write_file_atomically(path("file"), std::string(1000, 'x'));
    for (std::uint64_t const limit : {1000u, 1001u}) {
        begin_inputs(limit);
        EXPECT_EQ(read_input(path("file"), Input::design).size(), 1000u);
    }
    begin_inputs(999);
    EXPECT_EQ(refusal(path("file")),
              "cannot read file (it is larger than the limit of 999 bytes) raise it with --max-input");
    begin_inputs(0);
    EXPECT_EQ(read_input(path("file"), Input::design), std::string(1000, 'x'));
    EXPECT_EQ(read_input(sparse("empty", 0), Input::design), "");
}

TEST_F(BenchInput, EveryKindHasALimit) {
    struct Kind {
        Input kind;
        std::uint64_t limit;
    };
    for (Kind const& one : {Kind{Input::term_system, 64}, Kind{Input::annotated_source, 16}, Kind{Input::design, 16},
                            Kind{Input::network, 256}, Kind{Input::puzzles, 64}, Kind{Input::command_lines, 16},
                            Kind{Input::rules, 1}, Kind{Input::results, 256}}) {
        EXPECT_EQ(refusal(sparse("large", one.limit * mebibyte + 1), one.kind),
                  "cannot read large (it is larger than the limit of " + std::to_string(one.limit) +
                      " MiB) raise it with --max-input");
        begin_inputs(one.limit * mebibyte * 2 - 1);
        EXPECT_NE(refusal(sparse("large", one.limit * mebibyte * 2), one.kind), "no error");
        begin_inputs(0);
    }
    EXPECT_EQ(read_input(sparse("large", 16 * mebibyte), Input::design).size(), 16 * mebibyte);
    begin_inputs(17 * mebibyte);
    EXPECT_EQ(read_input(sparse("large", 16 * mebibyte + 1), Input::design).size(), 16 * mebibyte + 1);
}

TEST_F(BenchInput, OwnFilesHaveALimitThatNoOptionChanges) {
    write_file_atomically(path("file"), "text");
    begin_inputs(1);
    EXPECT_EQ(read_file(path("file")), "text");
    EXPECT_EQ(error_of(folder_.path(), [&] { read_file(sparse("large", 1024 * mebibyte + 1)); }),
              "cannot read large (it is larger than the limit of 1 GiB)");
}

// The size of a file in /proc is 0, and the kernel makes the text while it is read: like a file that grows.
TEST_F(BenchInput, AFileThatGrowsEndsAtTheLimit) {
    begin_inputs(100);
    EXPECT_EQ(refusal("/proc/self/maps"),
              "cannot read /proc/self/maps (it is larger than the limit of 100 bytes) raise it with --max-input");
    begin_inputs(0);
    EXPECT_GT(read_input("/proc/self/maps", Input::design).size(), 100u);
}

TEST_F(BenchInput, FilesThatAreReadTogetherShareALimit) {
    write_file_atomically(path("file"), std::string(60, 'x'));
    begin_inputs(100);
    EXPECT_EQ(read_input(path("file"), Input::term_system, 40).size(), 60u);
    for (std::uint64_t const before : {41u, 100u, 1000u}) {
        EXPECT_EQ(error_of(folder_.path(), [&] { read_input(path("file"), Input::term_system, before); }),
                  "cannot read file (with the files read before, it is larger than the limit of 100 bytes) raise it "
                  "with --max-input");
    }
}

TEST_F(BenchInput, OnlyRegularFilesAreRead) {
    std::string const advice = "give a regular file, or - for standard input";
    fifo("fifo");
    EXPECT_EQ(refusal(path("fifo")), "cannot read fifo (it is a FIFO) " + advice);
    EXPECT_EQ(refusal(path("fifo"), Input::results), "cannot read fifo (it is a FIFO) give a regular file");
    std::filesystem::create_symlink("fifo", path("link"));
    EXPECT_EQ(refusal(path("link")), "cannot read link (it is a FIFO) " + advice);
    for (std::string const device : {"/dev/zero", "/dev/null", "/dev/urandom"})
        EXPECT_EQ(refusal(device), "cannot read " + device + " (it is a device) " + advice);
    EXPECT_EQ(refusal(folder_.path() / "."), "cannot read . (it is a folder)");
    EXPECT_EQ(refusal(path("absent")), "cannot read absent (No such file or directory)");
    EXPECT_EQ(refusal(""), "cannot read  (No such file or directory)");

    int const server = ::socket(AF_UNIX, SOCK_STREAM, 0);
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::strncpy(address.sun_path, path("socket").c_str(), sizeof address.sun_path - 1);
    ASSERT_EQ(::bind(server, reinterpret_cast<sockaddr const*>(&address), sizeof address), 0);
    EXPECT_EQ(refusal(path("socket")), "cannot read socket (it is a socket) " + advice);
    ::close(server);

    std::filesystem::create_symlink("file", path("name"));
    write_file_atomically(path("file"), "text");
    EXPECT_EQ(read_input(path("name"), Input::design), "text");
}

TEST_F(BenchInput, StandardInputIsReadOncePerCommand) {
    PipedInput const input(std::string(1000, 'x'), false);
    EXPECT_EQ(refusal("-", Input::results), "cannot read - (standard input cannot be a results file) name a file");
    EXPECT_EQ(read_input("-", Input::network), std::string(1000, 'x'));
    EXPECT_EQ(read_input("-", Input::network), std::string(1000, 'x'));
    begin_inputs(0);
    EXPECT_EQ(read_input("-", Input::network), "") << "the text of the former command";
}

TEST_F(BenchInput, StandardInputEndsAtTheLimit) {
    PipedInput const endless(std::string(1000, 'x'), true);
    EXPECT_EQ(refusal("-"),
              "cannot read standard input (it is larger than the limit of 16 MiB) raise it with --max-input");
    begin_inputs(12345);
    EXPECT_EQ(refusal("-"),
              "cannot read standard input (it is larger than the limit of 12345 bytes) raise it with --max-input");
}

// The devices are named by symbolic links, so that a failure replaces only a link.
TEST_F(BenchInput, OutputsAreRegularFilesOrNothing) {
    std::filesystem::create_symlink("/dev/full", path("full"));
    std::filesystem::create_symlink("/dev/null", path("null"));
    fifo("fifo");
    EXPECT_EQ(refusal_to_write(path("fifo")), "cannot write fifo (it is a FIFO) name a regular file");
    EXPECT_EQ(refusal_to_write(path("full")), "cannot write full (it is a device) name a regular file");
    EXPECT_NE(refusal_to_write(folder_.path() / "."), "no error");
    EXPECT_EQ(refusal_to_write(path("null")), "no error");
    for (char const* const link : {"full", "null"})
        EXPECT_TRUE(std::filesystem::is_symlink(path(link))) << link;
    EXPECT_TRUE(std::filesystem::is_fifo(path("fifo")));
    EXPECT_EQ(output_target(path("absent")), OutputTarget::file);
    EXPECT_EQ(output_target("/dev/null"), OutputTarget::nothing);
}

TEST_F(BenchInput, ThePathOfStandardOutputIsWrittenToInPlace) {
    testing::internal::CaptureStdout();
    std::filesystem::create_symlink("/proc/self/fd/1", path("stdout"));
    write_file_atomically(path("stdout"), "text");
    EXPECT_EQ(testing::internal::GetCapturedStdout(), "text");
    EXPECT_TRUE(std::filesystem::is_symlink(path("stdout")));
}

// A file would replace the link, as root also /dev/stderr.
TEST_F(BenchInput, StandardErrorIsNoOutput) {
    testing::internal::CaptureStderr();
    std::filesystem::create_symlink("/proc/self/fd/2", path("stderr"));
    std::string const refused = refusal_to_write(path("stderr"));
    testing::internal::GetCapturedStderr();
    EXPECT_EQ(refused, "cannot write stderr (it is standard error) name another file");
    EXPECT_TRUE(std::filesystem::is_symlink(path("stderr")));
    EXPECT_EQ(refusal_to_write("-"), "cannot write - (this output is a file) name a file, or ./- for one of this name");
}

}  // namespace
}  // namespace lockstep::bench
