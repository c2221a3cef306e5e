#include "harness/jit/foreign_program.hpp"

#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>
#include <system_error>

#include "harness/bench/error.hpp"
#include "harness/jit/cache.hpp"
#include "harness/jit/compile_error.hpp"
#include "harness/jit/compiler.hpp"
#include "harness/jit/header_folder.hpp"
#include "harness/jit/own_folder.hpp"
#include "harness/jit/struct_alignments.hpp"
#include "harness/simt/emulate/headers.hpp"

namespace lockstep::jit {

namespace {

using simt::emulate::TranslatedFile;

class ForeignBuild {
public:
    ForeignBuild(std::vector<TranslatedFile> const& files, ForeignOptions const& options, CompileContext const& context)
        : files_(files), options_(options), context_(context) {
        if (options.timeout_seconds != 0)
            deadline_ = std::chrono::steady_clock::now() + std::chrono::seconds(options.timeout_seconds);
        auto const headers = simt::emulate::foreign_headers();
        std::string const include =
            header_folder(context.cache_name, std::vector<simt::EmbeddedText>(headers.begin(), headers.end()));
        // Type punning through pointers is common in CUDA programs, and nvcc allows it in device code. With
        // _FORTIFY_SOURCE, which g++ of Ubuntu defines, glibc calls others for memcpy and printf.
        compile_ = cpp_compiler();
        compile_.insert(compile_.end(), {"-std=gnu++20", "-O2", "-g", "-fPIC", "-w", "-I", include, "-I",
                                         include + "/harness/simt/cuda_api/include", "-ffp-contract=off",
                                         "-fno-strict-aliasing", "-fopenmp", "-U_FORTIFY_SOURCE",
                                         "-DLOCKSTEP_EMULATOR=1", "-DLOCKSTEP_LOOP(n)=LOCKSTEP_PRAGMA(GCC unroll n)",
                                         "-DLOCKSTEP_CONSTANT(...)=__VA_ARGS__ const", "-DLOCKSTEP_DISCARDED(call)=",
                                         "-DLOCKSTEP_OF_HOST(name)=", "-DLOCKSTEP_KERNEL_ENTRY(...)="});
        if (options.checks && has_access_checks()) {
            // As target lockstep_simt_hooked: only the instrumentation. What it calls is in this program. binutils 2.40
            // reads wrong file names of DWARF 5.
            compile_.insert(compile_.end(), {"-O1", "-gdwarf-4", "-fsanitize=thread", "-U__SANITIZE_THREAD__",
                                             "-fno-omit-frame-pointer", "-fno-reorder-blocks", "--param",
                                             "tsan-distinguish-volatile=1", "-DLOCKSTEP_SIMT_HOOKS=1"});
            if (!options.counters) {
                // Calls, which the checks see, for copies of a known size too. Our headers use the built-in ones.
                compile_.insert(compile_.end(), {"-fno-builtin-memcpy", "-fno-builtin-memmove", "-fno-builtin-memset"});
                // The instrumentation for races sees the parts of a vector type, not its alignment.
                compile_.push_back("-fsanitize=alignment");
            } else {
                // Jump threading moves blocks behind the point where their lanes would reconverge. nvcc inlines all
                // functions, does not join sin and cos, and unrolls loops whose number of rounds is known; others are
                // modelled. The pass sincos also expands pow, with which fewer programs agree with a GPU.
                compile_.insert(compile_.end(),
                                {"-fsanitize-coverage=trace-pc", "-fno-thread-jumps", "-fno-semantic-interposition",
                                 "-fdisable-rtl-loop2_unroll", "-fdisable-tree-sincos", "-DLOCKSTEP_WHOLE_VECTORS=1"});
            }
        }
        if (options.counters) {
            compile_.push_back("-DLOCKSTEP_PRAGMA(...)=_Pragma(#__VA_ARGS__)");
        } else {  // an endless loop stays one, so that it is found
            compile_.insert(compile_.end(), {"-DLOCKSTEP_PRAGMA(...)=", "-fno-finite-loops"});
        }
        compile_.insert(compile_.end(), options.compiler.begin(), options.compiler.end());
    }

    std::string run() {
        std::string text;
        for (TranslatedFile const& file : files_) {
            text += "// " + file.name + "\n" + file.text;
        }
        std::string key;
        for (std::string const& word : compile_)
            key += word + " ";
        for (std::string const& word : options_.libraries)
            key += word + " ";
        // The compiler runs in this folder and stores it with the numbers of lines. A deleted folder has no path.
        std::error_code none;
        key += std::filesystem::current_path(none).string();
        std::string const folder = own_cache_folder(context_.cache_name);
        std::string const base = folder + "/" + cache_file_name(text, key);
        if (!cached_image(base, ".so")) {
            store_image(base, ".so", text, built(folder));
        }
        return base + ".so";
    }

private:
    std::string built(std::string const& folder) {
        std::unique_ptr<ScratchFolder const> const scratch = cache_scratch(folder);
        for (TranslatedFile const& file : files_) {
            own_cache_text(scratch->path() + "/" + file.name, file.text);
        }
        std::string alignments;
        std::vector<std::string> link = cpp_compiler();
        link.insert(link.end(), {"-shared", "-fopenmp", "-Wl,--wrap=printf", "-o", scratch->path() + "/program.so"});
        for (TranslatedFile const& file : files_) {
            if (file.is_source) {
                std::string const source = scratch->path() + "/" + file.name;
                std::vector<std::string> command = compile_;
                command.insert(command.end(),
                               {"-ffile-prefix-map=" + scratch->path() + "=.", "-c", source, "-o", source + ".o"});
                call(command, scratch->path());
                link.push_back(source + ".o");
                if (options_.counters) {
                    command = {command.begin(), command.end() - 4};
                    command.insert(command.end(),
                                   {"-O0", "-g0", "-fno-sanitize=thread", "-fsanitize=alignment",
                                    "-fno-sanitize-coverage=trace-pc", "-S", source, "-o", source + ".s"});
                    call(command, scratch->path());
                    alignments += struct_alignments(read_own_file(source + ".s").value_or(""));
                }
            }
        }
        if (options_.counters) {
            own_cache_text(scratch->path() + "/alignments.cpp", as_variable(alignments));
            link.insert(link.end(), {"-x", "c++", scratch->path() + "/alignments.cpp", "-x", "none"});
        }
        if (options_.checks && has_access_checks()) {
            link.push_back("-Wl,--wrap=memcpy,--wrap=memmove,--wrap=memset");
        }
        link.insert(link.end(), options_.libraries.begin(), options_.libraries.end());
        call(link, scratch->path());
        return read_own_file(scratch->path() + "/program.so").value_or("");
    }

    void call(std::vector<std::string> const& command, std::string const& scratch) const {
        std::string const log = scratch + "/log";
        own_cache_text(log, "");
        int const status = run_compiler(command, scratch, log, deadline_);
        if (status == compiler_is_too_slow) {
            throw bench::Error("cannot compile " + context_.subject,
                               "not done in " + std::to_string(options_.timeout_seconds) + " s", "Raise --timeout");
        }
        if (status == compiler_does_not_run) {
            throw bench::Error("cannot compile " + context_.subject,
                               "no C++ compiler: " + text_of(cpp_compiler()) + " does not run",
                               "Install one, or set CXX");
        }
        if (status != 0) {
            throw CompileError(bench::Error("cannot compile " + context_.subject, "", context_.alternative),
                               read_own_file(log).value_or(""));
        }
    }

    std::vector<TranslatedFile> const& files_;
    ForeignOptions const& options_;
    CompileContext const& context_;
    std::vector<std::string> compile_;
    std::optional<std::chrono::steady_clock::time_point> deadline_;
};

}  // namespace

bool has_access_checks() {
#if defined(LOCKSTEP_SIMT_HOOKS)
    return true;
#else
    return false;
#endif
}

std::string foreign_program(std::vector<TranslatedFile> const& files, ForeignOptions const& options,
                            CompileContext const& context) {
    return ForeignBuild(files, options, context).run();
}

}  // namespace lockstep::jit
