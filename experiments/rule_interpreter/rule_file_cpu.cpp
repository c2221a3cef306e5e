// Rules of a file on the CPU: all cores share the states, or the instances of a rule where there are few states; or one
// core goes through everything in order, as the specification says, and checks every access.

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "experiments/rule_interpreter/rule_file_code.hpp"
#include "experiments/rule_interpreter/rule_file_refusal.hpp"
#include "experiments/rule_interpreter/rule_file_runner.hpp"
#include "harness/bench/host_memory.hpp"
#include "harness/jit/compiler.hpp"
#include "harness/jit/faults.hpp"
#include "harness/jit/shared_object.hpp"
#include "harness/jit/whole_text.hpp"
#include "harness/simt/ceil_div.hpp"
#include "harness/threads/pool.hpp"

namespace lockstep::rule_interpreter::rule_file {

namespace {

constexpr std::uint64_t piece = 16384;               // instances that a thread takes at a time
constexpr std::uint64_t min_bytes_shared = 1 << 20;  // of memory that several threads set or copy

// The functions of the compiled text (rule_file_code.cpp).
struct Functions {
    void (*run)(Arguments const* a, unsigned long long state);
    void (*initialise)(Arguments const* a, unsigned long long state, unsigned column, unsigned first,
                       unsigned long long end);
    unsigned long long (*digest)(Arguments const* a, unsigned long long state, unsigned long long first,
                                 unsigned long long step);
    // Only for all cores.
    unsigned long long (*range)(Arguments const* a, unsigned long long state, unsigned rule);
    unsigned (*apply)(Arguments const* a, unsigned long long state, unsigned rule, unsigned long long first,
                      unsigned long long end);
    void (*commit)(Arguments const* a, unsigned long long state, unsigned long long first, unsigned long long end);
};

template <class Function>
void find(std::string const& path, char const* name, Function& function) {
    function = reinterpret_cast<Function>(jit::symbol_in(path, name));
}

Functions compiled(RuleFile const& file, bool sequential) {
    static jit::CompileContext const context = {"interpret", "the rules", "use --machine cuda."};
    std::vector<std::string> options = jit::cpu_options();
    std::erase(options, "-w");
    options.insert(options.end(), std::begin(jit::line_options), std::end(jit::line_options));
    std::vector<std::string> const checks = jit::bounds_options();
    options.insert(options.end(), checks.begin(), checks.end());
    options.push_back("-Werror=return-type");  // such a rule would be enabled by chance
    if (sequential)
        options.push_back("-fexceptions");  // of throw_refusal()
    std::string path;
    try {
        path = jit::shared_object(cpu_text(file, sequential ? CpuCode::sequential : CpuCode::loops), options, context);
    } catch (jit::CompileError const& error) {
        throw jit::compile_error_of(user_file(file.path), error);
    }
    Functions functions{};
    find(path, "lockstep_run", functions.run);
    find(path, "lockstep_initialise", functions.initialise);
    find(path, "lockstep_digest", functions.digest);
    if (sequential) {
        using Refuse = decltype(&throw_refusal);
        Refuse* refuse = nullptr;
        find(path, "lockstep_refuse", refuse);
        std::atomic_ref<Refuse>(*refuse).store(throw_refusal);  // equal files share the object
        return functions;
    }
    find(path, "lockstep_range", functions.range);
    find(path, "lockstep_apply", functions.apply);
    find(path, "lockstep_commit", functions.commit);
    return functions;
}

class CpuRunner : public Runner {
public:
    CpuRunner(RuleFile const& file, bool sequential, bool is_checked)
        : file_(file),
          sequential_(sequential),
          is_checked_(is_checked),
          rules_(static_cast<unsigned>(file.rules.size())),
          call_(compiled(file, sequential)) {}

    std::string variant() const override { return sequential_ ? "sequential" : "all_cores"; }
    simt::Machine machine() const override { return simt::Machine::cpu; }
    bool defers_all() const override { return sequential_; }

    std::uint64_t free_memory() const override { return bench::available_host_memory(); }
    void* allocate(std::uint64_t bytes) override { return std::malloc(bytes); }
    void release(void* memory) noexcept override { std::free(memory); }
    void upload(void* to, void const* from, std::uint64_t bytes) override { copy(to, from, bytes); }
    void download(void* to, void const* from, std::uint64_t bytes) override { copy(to, from, bytes); }
    void copy(void* to, void const* from, std::uint64_t bytes) override {
        share_bytes(bytes, [&](std::uint64_t first, std::uint64_t end) {
            std::memcpy(static_cast<char*>(to) + first, static_cast<char const*>(from) + first, end - first);
        });
    }
    void clear(void* to, std::uint64_t bytes) override {
        share_bytes(bytes, [&](std::uint64_t first, std::uint64_t end) {
            std::memset(static_cast<char*>(to) + first, 0, end - first);
        });
    }

    void initialise(Arguments const& a) override {
        with_errors_of(initial_values_of(file_.path), "Declare the columns that it reads before it.", a,
                       [&] { initialise_column(a); });
    }

    void digest(Arguments const& a) override {
        if (a.states >= width()) {
            share(a.states, [&](std::uint64_t state) { a.digests[state] = call_.digest(&a, state, 0, 1); });
            return;
        }
        std::uint64_t const parts = width();
        for (std::uint64_t state = 0; state < a.states; ++state) {
            std::atomic<std::uint64_t> sum = 0;
            share(parts, [&](std::uint64_t part) { sum += call_.digest(&a, state, part, parts); });
            a.digests[state] = sum;
        }
    }

    RunReport run(Arguments const& a) override {
        std::string const remedy = sequential_ || is_checked_ ? "" : "Add --check, which names the index.";
        with_errors_of(user_file(file_.path), remedy, a, [&] { run_states(a); });
        return {};
    }

private:
    template <class Work>
    void with_errors_of(jit::UserFile const& file, std::string const& remedy, Arguments const& a,
                        Work const& work) const {
        jit::FaultHandlers const handlers;
        try {
            work();
        } catch (Refusal const& refusal) {
            throw error_of(refusal, file_, a);
        } catch (jit::Fault const& fault) {
            throw jit::fault_error_of(file, fault, remedy);
        }
    }

    void initialise_column(Arguments const& a) const {
        std::uint64_t const size = a.sizes[a.column];
        if (a.states >= width()) {
            share(a.states, [&](std::uint64_t state) { call_.initialise(&a, state, a.column, 0, size); });
            return;
        }
        for (std::uint64_t state = 0; state < a.states; ++state)
            share_pieces(size, [&](std::uint64_t first, std::uint64_t end) {
                call_.initialise(&a, state, a.column, static_cast<unsigned>(first), end);
            });
    }

    void run_states(Arguments const& a) const {
        if (sequential_ || a.states >= width()) {
            share(a.states, [&](std::uint64_t state) { call_.run(&a, state); });
            return;
        }
        for (std::uint64_t state = 0; state < a.states; ++state)
            run_together(a, state);
    }

    std::uint64_t width() const { return sequential_ ? 1 : threads::shared_pool().width(); }

    template <class Body>
    void share(std::uint64_t parts, Body const& body) const {
        std::atomic<std::uint64_t> next = 0;
        // Threads that take short parts one by one would wait for one another.
        std::uint64_t const taken = std::clamp<std::uint64_t>(parts / (width() * 64), 1, 4096);
        auto const work = [&] {
            for (std::uint64_t first = next.fetch_add(taken); first < parts; first = next.fetch_add(taken)) {
                for (std::uint64_t part = first; part < std::min(parts, first + taken); ++part)
                    body(part);
            }
        };
        auto const work_of_thread = [&](std::size_t) {
            try {
                jit::catching_faults(work);
            } catch (jit::Fault const&) {
                next = parts;  // for all threads
                throw;
            }
        };
        if (width() == 1)
            work_of_thread(0);
        else
            threads::shared_pool().run(std::min(width(), parts), work_of_thread);
    }

    template <class Body>
    void share_pieces(std::uint64_t size, Body const& body) const {
        share(simt::ceil_div(size, piece),
              [&](std::uint64_t part) { body(part * piece, std::min(size, (part + 1) * piece)); });
    }

    // Also puts new memory where the threads are that use it.
    template <class Body>
    void share_bytes(std::uint64_t bytes, Body const& body) const {
        std::uint64_t const parts = bytes < min_bytes_shared ? 1 : width();
        threads::shared_pool().run(parts, [&](std::size_t part) {
            body(bytes / parts * part, part + 1 == parts ? bytes : bytes / parts * (part + 1));
        });
    }

    // All threads work on one state: the end of a region is the barrier between rules.
    void run_together(Arguments const& a, std::uint64_t state) const {
        std::uint64_t const size = *std::max_element(a.sizes, a.sizes + max_columns);
        for (unsigned pass = 1; pass <= a.passes; ++pass) {
            std::atomic<unsigned> seen = 0;
            for (unsigned rule = 0; rule < rules_; ++rule) {
                std::atomic<unsigned> found = 0;
                std::uint64_t range = 0;
                jit::catching_faults([&] { range = call_.range(&a, state, rule); });
                share_pieces(range, [&](std::uint64_t first, std::uint64_t end) {
                    found |= call_.apply(&a, state, rule, first, end);
                });
                if ((found & 2) != 0)
                    share_pieces(size,
                                 [&](std::uint64_t first, std::uint64_t end) { call_.commit(&a, state, first, end); });
                seen |= found;
            }
            if (a.to_fixed_point != 0 && (seen & 1) == 0)
                return;
            if (a.to_fixed_point != 0)
                a.last_change[state] = pass;
        }
    }

    RuleFile const file_;
    bool sequential_;
    bool is_checked_;
    unsigned rules_;
    Functions call_;
};

}  // namespace

std::unique_ptr<Runner> make_cpu_runner(RuleFile const& file, bool sequential, bool is_checked) {
    return std::make_unique<CpuRunner>(file, sequential, is_checked);
}

}  // namespace lockstep::rule_interpreter::rule_file
