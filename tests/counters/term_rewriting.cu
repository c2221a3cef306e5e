// Kernels of term_rewriting as they are generated for insertion_sort.trs (`lockstep rewrite --engine as_printed --emit
// cuda`), on terms Less(m, n). Steps of Less take no slots, so slots do not depend on the order of lanes.

#include "tests/counters/insertion_sort.txt"

#include "tests/counters/cases.hpp"

namespace lockstep::term_rewriting::as_printed::cuda {
namespace {

using counters::Outcome;
using simt::cuda::Buffer;

// Numbers of symbols in the file's order.
enum : unsigned char { zero = 0, successor = 1, less = 4 };

constexpr unsigned comparisons = 256;
constexpr unsigned largest = 12;  // numbers to compare
constexpr unsigned block = 128;

// Slots of terms, built on the host: the numbers up to `largest`, once for every comparison, so that a warp's slots
// differ, and the comparisons.
class Terms {
public:
    explicit Terms(unsigned char references = 1) {
        add(zero, 0, 0, 0);  // slot 0 is never used
        for (unsigned i = 0; i < comparisons; ++i) {
            unsigned const left = number(i * 7 % largest);
            unsigned const right = number(i * 5 % largest);
            add(less, left, right, references);
        }
    }

    unsigned n() const { return static_cast<unsigned>(symbols_.size()); }

    // In device memory, with the buffers that hold them.
    struct OnDevice {
        Buffer<unsigned char> symbols, normal, normal_read, last_checked;
        Buffer<unsigned> arguments, references, references_read, free;
        Buffer<Control> control;
        Buffer<Wide> applications;
        Arguments given;
    };
    OnDevice on_device() const {
        OnDevice made;
        made.symbols = counters::filled(symbols_);
        made.normal = counters::filled(normal_);
        made.normal_read = counters::filled(normal_);
        made.last_checked = counters::zeros<unsigned char>(n());
        std::vector<unsigned> all(4 * std::size_t{n()});
        for (unsigned i = 0; i < n(); ++i) {
            all[i] = first_[i];
            all[n() + i] = second_[i];
        }
        made.arguments = counters::filled(all);
        made.references = counters::filled(references_);
        made.references_read = counters::filled(references_);
        made.free = counters::zeros<unsigned>(n());
        Control control = {};
        for (Flags& flags : control.flags)
            flags.done = 1;
        made.control = counters::filled(std::vector{control});
        made.applications = counters::zeros<Wide>(as_printed_insertion_sort::cuda::rules);
        made.given = {};
        made.given.columns = {made.symbols.data(),
                              made.arguments.data(),
                              made.normal.data(),
                              made.normal_read.data(),
                              made.references.data(),
                              made.references_read.data(),
                              made.free.data(),
                              made.last_checked.data(),
                              nullptr,
                              nullptr,
                              n()};
        made.given.control = made.control.data();
        made.given.applications = made.applications.data();
        made.given.application_copies = 1;
        made.given.n = n();
        return made;
    }

private:
    unsigned add(unsigned char symbol, unsigned first, unsigned second, unsigned references) {
        symbols_.push_back(symbol);
        normal_.push_back(symbol == less ? 0 : 1);
        first_.push_back(first);
        second_.push_back(second);
        references_.push_back(references);
        return n() - 1;
    }
    unsigned number(unsigned value) {
        unsigned term = add(zero, 0, 0, 1);
        for (unsigned i = 0; i < value; ++i)
            term = add(successor, term, 0, 1);
        return term;
    }

    std::vector<unsigned char> symbols_, normal_;
    std::vector<unsigned> first_, second_, references_;
};

unsigned blocks(unsigned n) { return (n + block - 1) / block; }

// Between passes, the columns are copied, as by the host.
template <class T>
void copy(Buffer<T>& to, Buffer<T> const& from) {
    check(cudaMemcpy(to.data(), from.data(), from.size() * sizeof(T), cudaMemcpyDeviceToDevice), "cudaMemcpy");
}

void derive_in_passes(Outcome& outcome) {
    Terms const terms;
    auto on_device = terms.on_device();
    for (unsigned pass = 0; pass < 4; ++pass) {
        as_printed_insertion_sort_derive<<<blocks(terms.n()), block>>>(on_device.given);
        outcome.launched();
        copy(on_device.normal_read, on_device.normal);
        copy(on_device.references_read, on_device.references);
    }
    outcome.add(on_device.symbols);
    outcome.add(on_device.arguments);
    outcome.add(on_device.references);
    outcome.add(on_device.applications);
}

// All comparisons are garbage: their numbers lose a reference.
void collect(Outcome& outcome) {
    Terms const terms(0);
    auto on_device = terms.on_device();
    as_printed_insertion_sort_collect_free_indices<<<blocks(terms.n()), block>>>(on_device.given);
    outcome.launched();
    outcome.add(on_device.references);
}

void digest_of_all(Outcome& outcome) {
    Terms const terms;
    auto on_device = terms.on_device();
    auto digests = counters::zeros<Wide>(terms.n());
    auto passes = counters::zeros<unsigned>(terms.n());
    for (unsigned pass = 1; pass <= 3; ++pass) {
        DigestArguments const given = {on_device.given.columns, digests.data(), passes.data(), pass, terms.n()};
        as_printed_insertion_sort_digest<<<blocks(terms.n()), block>>>(given);
        outcome.launched();
    }
    outcome.add(digests);
    outcome.add(passes);
}

}  // namespace
}  // namespace lockstep::term_rewriting::as_printed::cuda

int main(int argc, char** argv) {
    using namespace lockstep::term_rewriting::as_printed::cuda;
    constexpr lockstep::counters::Case cases[] = {
        {"derive", derive_in_passes},
        {"collect", collect},
        {"digest", digest_of_all},
    };
    return lockstep::counters::run_cases(cases, argc, argv);
}
