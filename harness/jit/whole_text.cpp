#include "harness/jit/whole_text.hpp"

#include <algorithm>
#include <set>
#include <string_view>

#include "harness/simt/device_headers.hpp"

namespace lockstep::jit {

// Embedded (CMakeLists.txt).
std::span<simt::EmbeddedText const> cpu_headers();

namespace {

// Replaces each #include by the header's text, once.
class Expansion {
public:
    explicit Expansion(std::span<std::span<simt::EmbeddedText const> const> parts) {
        for (auto const& part : {simt::device_headers(), simt::emulator_headers(), cpu_headers()})
            headers_.insert(headers_.end(), part.begin(), part.end());
        for (auto const& part : parts)
            headers_.insert(headers_.end(), part.begin(), part.end());
        seen_.insert("harness/simt/kernel.hpp");  // the text begins with its part for the CPU
    }

    std::string of(std::string const& name) {
        if (!seen_.insert(name).second)
            return "";
        for (simt::EmbeddedText const& header : headers_) {
            if (name == header.name)
                return expanded(header.text);
        }
        return "#include \"" + name + "\"\n";
    }

    std::string expanded(std::string_view text) {
        std::string all;
        while (!text.empty()) {
            std::string_view const line = text.substr(0, text.find('\n'));
            text.remove_prefix(std::min(line.size() + 1, text.size()));
            constexpr std::string_view include = "#include \"";
            if (line.starts_with(include))
                all += of(std::string(line.substr(include.size(), line.rfind('"') - include.size())));
            else if (line != "#pragma once")
                all.append(line).append("\n");
        }
        return all;
    }

private:
    std::vector<simt::EmbeddedText> headers_;
    std::set<std::string> seen_;
};

}  // namespace

std::string whole_text_for_cpu(std::string const& text, std::span<std::span<simt::EmbeddedText const> const> parts) {
    Expansion headers(parts);
    std::string whole = "#define LOCKSTEP_MACHINE cpu\n" + headers.of("harness/simt/cpu_kernel.hpp");
    whole += headers.expanded(text);
    return whole;
}

std::vector<std::string> cpu_options() {
#if defined(LOCKSTEP_COMPILE_SOONER) || defined(LOCKSTEP_ADDRESS_SANITIZER) || defined(LOCKSTEP_THREAD_SANITIZER)
    char const* const level = "-O0";
#else
    char const* const level = "-O2";
#endif
    // As the emulator: an endless loop stays one, and a signed integer wraps.
    std::vector<std::string> options = {
        "-std=c++20",     level, "-fno-finite-loops", "-fwrapv",         "-fPIC",
        "-shared",        "-w",  "-ffp-contract=off", "-fno-math-errno", "-fno-strict-aliasing",
        "-fno-exceptions"};
#if defined(__x86_64__)
    // fma() rounds once on every CPU; with this instruction it is no call.
    if (__builtin_cpu_supports("fma"))
        options.push_back("-mfma");
#endif
    return options;
}

}  // namespace lockstep::jit
