#include "harness/jit/background_compile.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <map>
#include <thread>

#include "harness/bench/error.hpp"
#include "harness/jit/cache.hpp"
#include "harness/jit/compiler.hpp"
#include "harness/jit/shared_object.hpp"

namespace lockstep::jit {

namespace {

// Stores an entry as store_image() does: the digest, in the format of sha256sum, is the last file.
constexpr char const* script = R"(
trap 'rm -rf "$0"' EXIT
trap 'exit 1' HUP INT TERM
read -r line || exit 1
exec </dev/null
umask 077; TMPDIR=$0; export TMPDIR
folder=$1 name=$2; shift 2
"$@" && cd "$folder" && mv -f "$0/text.cpp" "$name.cpp" && mv -f "$0/text.so" "$name.so" &&
    sha256sum "$name.so" >"$0/digest" && mv -f "$0/digest" "$name.so.sha256"
)";

// Equal texts have equal turns, so that no two processes compile the same text.
std::string turn_of(std::string const& base) {
    std::filesystem::path const path = base;
    unsigned const turns = std::max(4u, std::thread::hardware_concurrency());
    unsigned long const number = std::stoul(path.filename().string().substr(0, 8), nullptr, 16);
    return (path.parent_path() / ("turn-" + std::to_string(number % turns))).string();
}

class Descriptor {
public:
    explicit Descriptor(int number) : number_(number) {}
    ~Descriptor() {
        if (number_ >= 0)
            ::close(number_);
    }
    Descriptor(Descriptor const&) = delete;
    Descriptor& operator=(Descriptor const&) = delete;
    int number() const { return number_; }

private:
    int number_;
};

enum class Lock { taken, busy, none };

Lock try_lock(Descriptor const& file) {
    if (file.number() < 0)
        return Lock::none;
    while (::flock(file.number(), LOCK_EX | LOCK_NB) != 0) {
        if (errno != EINTR)
            return errno == EWOULDBLOCK ? Lock::busy : Lock::none;
    }
    return Lock::taken;
}

}  // namespace

BackgroundCompile::BackgroundCompile(std::string const& text, std::vector<std::string> const& options,
                                     CompileContext const& context)
    : text_(text), options_(options), base_(entry_of_object(text, options, context)), turn_(turn_of(base_)) {
    state();
}

BackgroundCompile::State BackgroundCompile::state() {
    std::unique_lock const lock(mutex_);
    if (state_ == State::running)
        state_ = look();
    return state_;
}

BackgroundCompile::State BackgroundCompile::look() {
    if (shell_ != 0) {
        if (!has_ended())
            return State::running;
        return cached_image(base_, ".so") ? State::done : State::failed;
    }
    Descriptor const file(::open(turn_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600));
    Lock const turn = try_lock(file);
    if (turn == Lock::busy)
        return State::running;
    if (cached_image(base_, ".so"))
        return State::done;
    // Without locks (on some network file systems), shared_object() compiles.
    if (turn == Lock::none)
        return State::done;
    try {
        std::filesystem::path const base = base_;
        std::unique_ptr<ScratchFolder> const scratch = cache_scratch(base.parent_path().string());
        std::vector<std::string> words = {scratch->path(), base.parent_path().string(), base.filename().string()};
        for (std::string const& word : object_command(text_, options_, scratch->path()))
            words.push_back(word);
        shell_ = start_shell(script, words, file.number(), [&](pid_t leader) { group_.emplace(leader); });
        if (shell_ <= 0)
            return State::failed;
        scratch->keep();
        return State::running;
    } catch (bench::Error const&) {
        return State::failed;
    }
}

bool BackgroundCompile::has_ended() {
    siginfo_t ended = {};
    if (::waitid(P_PID, static_cast<id_t>(shell_), &ended, WEXITED | WNOHANG | WNOWAIT) == 0 && ended.si_pid == 0)
        return false;
    group_.reset();
    ::waitpid(shell_, nullptr, WNOHANG);
    return true;
}

std::shared_ptr<BackgroundCompile> compile_in_background(std::string const& text,
                                                         std::vector<std::string> const& options,
                                                         CompileContext const& context) {
    static std::mutex mutex;
    static std::map<std::string, std::shared_ptr<BackgroundCompile>> running;  // by entry
    std::unique_lock const lock(mutex);
    std::erase_if(running, [](auto const& one) { return one.second->state() != BackgroundCompile::State::running; });
    std::shared_ptr<BackgroundCompile>& found = running[entry_of_object(text, options, context)];
    if (found == nullptr)
        found = std::make_shared<BackgroundCompile>(text, options, context);
    return found;
}

}  // namespace lockstep::jit
