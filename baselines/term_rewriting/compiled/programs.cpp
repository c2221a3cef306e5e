#include "baselines/term_rewriting/compiled/programs.hpp"

#include <map>
#include <mutex>
#include <vector>

#include "baselines/term_rewriting/compiled/memory.hpp"
#include "harness/jit/compiler.hpp"
#include "harness/jit/shared_object.hpp"
#include "harness/jit/text_digest.hpp"

namespace lockstep::term_rewriting::compiled {

namespace {

// A long text comes from a large system, for which the compile time matters more.
[[maybe_unused]] constexpr std::size_t long_text = std::size_t{1} << 20;

char const* level_for([[maybe_unused]] std::string const& text) {
#if defined(LOCKSTEP_COMPILE_SOONER) || defined(LOCKSTEP_ADDRESS_SANITIZER) || defined(LOCKSTEP_THREAD_SANITIZER)
    return "-O0";  // for tests of an untimed build: many systems, each run for milliseconds
#else
    return text.size() < long_text ? "-O2" : "-O1";
#endif
}

Program const* built_in(std::string const& text) {
    unsigned long long count = 0;
    BuiltIn const* const programs = built_in_programs(count);
    unsigned long long const digest = jit::text_digest(text);
    for (unsigned long long i = 0; i < count; ++i) {
        if (programs[i].digest == digest)
            return programs[i].program();
    }
    return nullptr;
}

std::vector<std::string> options_for(std::string const& text) {
    // The text needs no library, and linking those of C++ takes as long as a small system takes to compile.
    std::vector<std::string> options = {"-std=c++17", level_for(text),   "-fPIC",    "-shared",
                                        "-w",         "-fno-exceptions", "-nostdlib"};
#if LOCKSTEP_FRAMES_OF_WORDS
    // Functions are small and short terms make few calls of each, so more of them become part of their callers than
    // usual.
    if (jit::is_gcc(jit::cpp_compiler()))
        options.insert(options.end(),
                       {"-mno-sse", "-mpreferred-stack-boundary=3", "--param=max-inline-insns-single=150"});
#endif
    return options;
}

Program const* compiled_now(std::string const& text) {
    std::string const object = jit::shared_object(text, options_for(text), compile_context());
    void* const program = jit::symbol_in(object, "lockstep_program");
    return reinterpret_cast<Program const* (*)()>(program)();
}

void make_constants(Program const& program) {
    TermLayout const layout(program);
    Word const* entry = program.constant_table;
    Word* term = program.constants;
    for (Word i = 0; i < program.constant_count; ++i) {
        Word const symbol = *entry++;
        Word const count = *entry++;
        *term = layout.head(symbol);
        for (Word argument = 0; argument < count; ++argument) {
            Word const value = *entry++;
            bool const immediate = (value & 1) != 0;
            layout.set_argument(term, argument,
                                immediate ? reinterpret_cast<Word*>(value) : program.constants + value / 2);
        }
        term += layout.words(static_cast<unsigned>(symbol));
    }
}

struct Loaded {
    std::mutex mutex;
    std::map<std::string, Program const*> programs;  // by text
};
Loaded loaded;

}  // namespace

jit::CompileContext const& compile_context() {
    static jit::CompileContext const context = {"rewrite", "the system", "use --engine oracle."};
    return context;
}

Program const& load_program(std::string const& text) {
    std::unique_lock const lock(loaded.mutex);
    Program const*& program = loaded.programs[text];
    if (program == nullptr) {
        Program const* const found = built_in(text);
        Program const* const made = found == nullptr ? compiled_now(text) : found;
        make_constants(*made);
        program = made;
    }
    return *program;
}

std::shared_ptr<jit::BackgroundCompile> compile_program_in_background(std::string const& text) {
    {
        std::unique_lock const lock(loaded.mutex);
        auto const found = loaded.programs.find(text);
        if ((found != loaded.programs.end() && found->second != nullptr) || built_in(text) != nullptr)
            return nullptr;
    }
    auto compile = jit::compile_in_background(text, options_for(text), compile_context());
    return compile->state() == jit::BackgroundCompile::State::done ? nullptr : compile;
}

}  // namespace lockstep::term_rewriting::compiled
