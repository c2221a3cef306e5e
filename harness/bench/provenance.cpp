#include "harness/bench/provenance.hpp"

#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <memory>

#include "harness/threads/pool.hpp"

namespace lockstep::bench {

namespace {

std::string quoted_for_shell(std::string const& text) {
    std::string quoted = "'";
    for (char const c : text)
        quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return quoted + "'";
}

// Returns the output of a command, or nothing if the command fails.
std::optional<std::string> output_of(std::string const& command) {
    FILE* const pipe = ::popen((command + " 2>/dev/null").c_str(), "r");
    if (pipe == nullptr)
        return std::nullopt;
    std::string text;
    char part[4096];
    for (std::size_t n = 0; (n = std::fread(part, 1, sizeof part, pipe)) > 0;)
        text.append(part, n);
    if (::pclose(pipe) != 0)
        return std::nullopt;
    return text;
}

std::string trimmed(std::string text) {
    while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back())))
        text.pop_back();
    std::size_t first = 0;
    while (first < text.size() && std::isspace(static_cast<unsigned char>(text[first])))
        ++first;
    return text.substr(first);
}

void erase_all(std::string& text, std::string const& part) {
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part))
        text.erase(at, part.size());
}

// Omits --out: the output folder is specific to one computer and does not affect the result.
std::string command_line(int const argc, char const* const* const argv) {
    std::string text = "lockstep";
    for (int i = 1; i < argc; ++i) {
        std::string const word = argv[i];
        if (word == "--out") {
            ++i;
            continue;
        }
        if (word.starts_with("--out="))
            continue;
        bool const plain = word.find_first_not_of(
                               "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                               "_-./:=,+@%") == std::string::npos;
        text += " " + (plain && !word.empty() ? word : quoted_for_shell(word));
    }
    return text;
}

constexpr bool assertions_are_off() {
#if defined(NDEBUG)
    return true;
#else
    return false;
#endif
}

constexpr bool compiled_sooner() {
#if defined(LOCKSTEP_COMPILE_SOONER)
    return true;
#else
    return false;
#endif
}

std::string why_unpublishable(SourceState const& source) {
    if (source.commit.empty())
        return "the commit is unknown: neither git nor LOCKSTEP_COMMIT provides it";
    if (source.dirty)
        return "the source tree differs from its commit";
    if (!assertions_are_off())
        return "this is not a release build";
    if (compiled_sooner())
        return "this build compiles kernels with little optimisation (LOCKSTEP_COMPILE_SOONER)";
    return {};
}

}  // namespace

SourceState source_state(std::filesystem::path const& source_directory) {
    // The tree must be the root of a repository. Otherwise git would report on an enclosing repository.
    std::string const git = "git -C " + quoted_for_shell(source_directory.string()) + " ";
    if (std::filesystem::exists(source_directory / ".git")) {
        auto const commit = output_of(git + "rev-parse HEAD");
        auto const changes = output_of(git + "status --porcelain -- . ':(exclude)results'");
        if (commit && changes)
            return {trimmed(*commit), !trimmed(*changes).empty()};
    }
    char const* const variable = std::getenv("LOCKSTEP_COMMIT");
    if (variable == nullptr)
        return {};
    SourceState state{trimmed(variable), false};
    for (std::string const mark : {"-dirty", "+dirty"}) {
        if (state.commit.size() > mark.size() && state.commit.ends_with(mark)) {
            state.commit.resize(state.commit.size() - mark.size());
            state.dirty = true;
        }
    }
    return state;
}

Provenance collect_provenance(std::filesystem::path const& source_directory, int const argc,
                              char const* const* const argv) {
    Provenance provenance;
    provenance.source = source_state(source_directory);
    provenance.unpublishable_because = why_unpublishable(provenance.source);
    provenance.publishable = provenance.unpublishable_because.empty();
    simt::DeviceList const list = simt::cuda_devices();
    provenance.no_gpu_because = list.reason;
    if (!list.devices.empty())
        provenance.gpu = list.devices.at(simt::device_in_use());
    provenance.cpu_name = cpu_name();
    provenance.cpu_threads = static_cast<unsigned>(threads::allowed_cpu_count());
    provenance.device_slug = slug(provenance.gpu ? provenance.gpu->name : provenance.cpu_name);
    provenance.compiler = std::string("g++ ") + __VERSION__;
#if defined(LOCKSTEP_NVCC_VERSION)
    provenance.nvcc = LOCKSTEP_NVCC_VERSION;
#endif
    provenance.command = command_line(argc, argv);
    provenance.date = present_date();
    return provenance;
}

std::string cpu_name() {
    std::ifstream stream("/proc/cpuinfo");
    for (std::string line; std::getline(stream, line);) {
        if (line.rfind("model name", 0) == 0)
            return trimmed(line.substr(line.find(':') + 1));
    }
    return "unknown CPU";
}

std::string present_date() {
    std::time_t const now = std::time(nullptr);
    std::tm local{};
    ::localtime_r(&now, &local);
    char text[40];
    std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%S%z", &local);
    // "+0100" becomes "+01:00".
    std::string date = text;
    date.insert(date.size() - 2, ":");
    return date;
}

std::string slug(std::string const& name) {
    std::string text = name;
    for (std::string const mark : {"(R)", "(r)", "(TM)", "(tm)"})
        erase_all(text, mark);
    std::string result;
    for (char const c : text) {
        auto const letter = static_cast<unsigned char>(c);
        if (std::isalnum(letter) && letter < 128) {
            result += static_cast<char>(std::tolower(letter));
        } else if (!result.empty() && result.back() != '-') {
            result += '-';
        }
    }
    while (!result.empty() && result.back() == '-')
        result.pop_back();
    return result.empty() ? "unknown" : result;
}

}  // namespace lockstep::bench
