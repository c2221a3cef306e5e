#include "kernels/term_rewriting/as_printed/engine.hpp"

#include <cstdio>
#include <limits>

#include "kernels/term_rewriting/as_printed/run.hpp"
#include "kernels/term_rewriting/generate_cuda.hpp"
#include "kernels/term_rewriting/kernel_context.hpp"

namespace lockstep::term_rewriting::as_printed {

namespace {

// Maximum number of passes with separate metrics; it bounds the size of a row.
constexpr std::size_t max_passes = 4096;

void add_pass(bench::Metrics& metrics, Pass const& pass, std::size_t number, Options const& options) {
    char suffix[24];
    std::snprintf(suffix, sizeof suffix, "_%05zu", number);
    auto const add = [&](std::string const& name, bench::Metric value, bool sums) {
        if (sums)
            metrics[name] += value;
        if (number <= max_passes)
            metrics["pass_" + name + suffix] = value;
    };
    if (options.counts_rewrites)
        add("redexes", static_cast<double>(pass.redexes), false);
    add("slots", static_cast<double>(pass.slots), false);
    if (options.counts_traffic) {
        add("own_bytes", static_cast<double>(pass.own_bytes), true);
        add("random_bytes", static_cast<double>(pass.random_bytes), true);
        add("random_accesses", static_cast<double>(pass.random_accesses), true);
        add("atomics", static_cast<double>(pass.atomics), true);
        add("checks", static_cast<double>(pass.checks), true);
        add("allocations", static_cast<double>(pass.allocations), true);
    } else {
        add("seconds", bench::Metric::varying(pass.seconds), false);
        add("derive_seconds", bench::Metric::varying(pass.derive_seconds), false);
    }
}

}  // namespace

TopologyEngine::TopologyEngine(System const& system, jit::Device& device, Options const& options)
    : system_(system),
      device_(device),
      options_(options),
      kernels_(device.load(program_text(system, options), kernel_context())) {}

TopologyEngine::~TopologyEngine() = default;

void TopologyEngine::load(Terms const& terms, TermId input) { load(input_from(system_, terms, input)); }

void TopologyEngine::load(std::unique_ptr<Input> input) {
    run_.reset();
    prepared_ = false;
    input_ = std::move(input);
}

bool TopologyEngine::upload(std::uint64_t memory_limit) {
    run_.reset();  // frees its memory before the new run allocates
    run_ = std::make_unique<Run>(system_, device_, options_, kernels_, memory_limit);
    return run_->upload(*input_);
}

void TopologyEngine::prepare() { prepared_ = upload(std::numeric_limits<std::uint64_t>::max()); }

Outcome TopologyEngine::run(Limits const& limits) {
    bool const prepared = prepared_ && run_->memory_limit() <= limits.memory;
    prepared_ = false;
    if (!prepared && !upload(limits.memory)) {
        Outcome outcome;
        outcome.end = End::out_of_memory;
        outcome.applications.assign(system_.rules.size(), 0);
        return outcome;
    }
    return run_->rewrite(limits);
}

std::vector<Pass> const& TopologyEngine::passes() const { return run_->passes(); }
std::uint64_t TopologyEngine::slots_used() const { return run_->max_n() - 1; }
std::uint64_t TopologyEngine::slots_held() const { return run_->columns().capacity - 1; }
std::uint64_t TopologyEngine::normal_form_digest() { return run_->digest(input_->root()); }

bench::Metrics TopologyEngine::metrics() const {
    bench::Metrics metrics = {{"slots_used", static_cast<double>(slots_used())},
                              {"slots_held", static_cast<double>(slots_held())}};
    for (std::size_t i = 0; i < passes().size(); ++i)
        add_pass(metrics, passes()[i], i + 1, options_);
    return metrics;
}

// Copies the terms that the root reaches to the host, arguments first.
TermId TopologyEngine::normal_form(Terms& terms) {
    Columns const& columns = run_->columns();
    std::size_t const n = run_->n();
    std::size_t const width = symbol_bytes(system_);
    std::vector<unsigned char> heads(n * width);
    device_.download(heads.data(), columns.hss, heads.size());
    std::vector<std::vector<unsigned>> arguments(largest_arity(system_), std::vector<unsigned>(n));
    for (std::size_t i = 0; i < arguments.size(); ++i)
        device_.download(arguments[i].data(), columns.arguments + i * columns.capacity, n * sizeof(unsigned));
    auto const symbol_at = [&](unsigned slot) {
        SymbolId symbol = 0;
        for (std::size_t byte = 0; byte < width; ++byte)
            symbol |= SymbolId{heads[slot * width + byte]} << (8 * byte);
        return symbol;
    };
    constexpr TermId none = ~TermId{0};
    std::vector<TermId> numbers(n, none);
    std::vector<unsigned> open = {input_->root()};
    std::vector<TermId> named;
    while (!open.empty()) {
        unsigned const slot = open.back();
        SymbolId const symbol = symbol_at(slot);
        std::size_t const arity = system_.arity(symbol);
        bool ready = true;
        for (std::size_t i = arity; i-- > 0 && numbers[slot] == none;) {
            if (numbers[arguments[i][slot]] == none) {
                open.push_back(arguments[i][slot]);
                ready = false;
            }
        }
        if (!ready)
            continue;
        open.pop_back();
        if (numbers[slot] != none)
            continue;
        named.clear();
        for (std::size_t i = 0; i < arity; ++i)
            named.push_back(numbers[arguments[i][slot]]);
        numbers[slot] = terms.application(symbol, named);
    }
    return numbers[input_->root()];
}

std::unique_ptr<Engine> make_engine(System const& system, simt::Machine machine, Options const& options) {
    return std::make_unique<TopologyEngine>(system, jit::device_of(machine), options);
}

}  // namespace lockstep::term_rewriting::as_printed
