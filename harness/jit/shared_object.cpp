#include "harness/jit/shared_object.hpp"

#include <dlfcn.h>

#include <filesystem>
#include <optional>

#include "harness/bench/error.hpp"
#include "harness/jit/cache.hpp"
#include "harness/jit/compile_error.hpp"
#include "harness/jit/compiler.hpp"
#include "harness/jit/own_folder.hpp"

namespace lockstep::jit {

namespace {

// Returns the first line with the word, or the first line of the text.
std::string line_with(std::string const& text, std::string const& word) {
    std::size_t const at = text.find(word);
    if (at == text.npos)
        return text.substr(0, text.find('\n'));
    std::size_t const start = text.rfind('\n', at);
    std::size_t const first = start == text.npos ? 0 : start + 1;
    return text.substr(first, text.find('\n', at) - first);
}

// Compiles in a folder of its own, so several programs can compile the same text at the same time.
void compile(std::string const& text, std::string const& base, std::vector<std::string> const& options,
             CompileContext const& context) {
    std::unique_ptr<ScratchFolder const> const scratch = cache_scratch(std::filesystem::path(base).parent_path());
    std::vector<std::string> const command = object_command(text, options, scratch->path());
    std::string const log = scratch->path() + "/log";
    own_cache_text(log, "");
    int const status = run_compiler(command, scratch->path(), log);
    if (status == compiler_does_not_run) {
        throw bench::Error("cannot compile " + context.subject,
                           "no C++ compiler: " + text_of(cpp_compiler()) + " does not run",
                           "Install one, set CXX, or " + context.alternative);
    }
    std::optional<std::string> const image = status == 0 ? read_own_file(scratch->path() + "/text.so") : std::nullopt;
    if (!image) {
        std::string const printed = read_own_file(log).value_or("");
        std::string const reason =
            printed.empty() ? text_of(cpp_compiler()) + " failed without a message" : line_with(printed, "error");
        throw CompileError(bench::Error("cannot compile " + context.subject, reason, "Try to " + context.alternative),
                           printed);
    }
    store_image(base, ".so", text, *image);
}

}  // namespace

std::vector<std::string> object_command(std::string const& text, std::vector<std::string> const& options,
                                        std::string const& folder) {
    std::string const source = folder + "/text.cpp";
    own_cache_text(source, text);
    std::vector<std::string> command = cpp_compiler();
    command.insert(command.end(), options.begin(), options.end());
    // Objects with lines name the folder in which the compiler runs. A deleted one has no path.
    std::error_code none;
    if (std::string const here = std::filesystem::current_path(none); !none)
        command.push_back("-ffile-prefix-map=" + here + "=.");
    command.insert(command.end(), {"-ffile-prefix-map=" + folder + "=.", "-o", folder + "/text.so", source});
    return command;
}

std::string entry_of_object(std::string const& text, std::vector<std::string> const& options,
                            CompileContext const& context) {
    std::string key = text_of(cpp_compiler());
    for (std::string const& option : options)
        key += " " + option;
    return own_cache_folder(context.cache_name) + "/" + cache_file_name(text, key);
}

std::string shared_object(std::string const& text, std::vector<std::string> const& options,
                          CompileContext const& context) {
    std::string const base = entry_of_object(text, options, context);
    if (!cached_image(base, ".so"))
        compile(text, base, options, context);
    return base + ".so";
}

void* symbol_in(std::string const& shared_object, std::string const& symbol) {
    void* const object = dlopen(shared_object.c_str(), RTLD_NOW | RTLD_LOCAL);
    void* const address = object == nullptr ? nullptr : dlsym(object, symbol.c_str());
    if (address == nullptr) {
        std::string const reason = dlerror();
        std::filesystem::remove(shared_object);
        throw bench::Error("cannot load " + shared_object, reason, "It has been removed from the cache. Try again.");
    }
    return address;
}

}  // namespace lockstep::jit
