// A term of the host as columns.

#include "kernels/term_rewriting/as_printed/engine.hpp"

namespace lockstep::term_rewriting::as_printed {

namespace {

class HostInput : public Input {
public:
    HostInput(System const& system, Terms const& terms, TermId input)
        : symbol_bytes_(as_printed::symbol_bytes(system)) {
        LargeVector<TermId> const reached = reached_terms(terms, input);
        LargeVector<unsigned> slot(std::size_t{input} + 1, 0);
        for (TermId const term : reached)
            slot[term] = static_cast<unsigned>(++terms_);
        last_bytes_ = as_printed::last_bytes(system);
        heads_.assign((terms_ + 1) * symbol_bytes_, 0);
        references_.assign(terms_ + 1, 0);
        references_[terms_] = 1;
        for (TermId const term : reached)
            add(terms, term, slot);
    }

    std::uint64_t terms() const override { return terms_; }
    unsigned root() const override { return static_cast<unsigned>(terms_); }

    void write(jit::Device& device, Columns const& columns) const override {
        device.upload(columns.hss, heads_.data(), heads_.size());
        for (std::size_t i = 0; i < arguments_.size(); ++i) {
            device.upload(columns.arguments + i * columns.capacity, arguments_[i].data(),
                          arguments_[i].size() * sizeof(unsigned));
        }
        device.fill(columns.nf, 0, terms_ + 1);
        if (columns.refcounts != nullptr)
            device.upload(columns.refcounts, references_.data(), references_.size() * sizeof(unsigned));
        if (columns.last_checked != nullptr)
            device.fill(columns.last_checked, 0, (terms_ + 1) * last_bytes_);
    }

private:
    void add(Terms const& terms, TermId term, LargeVector<unsigned> const& slot) {
        SymbolId const symbol = terms.symbol(term);
        for (std::size_t byte = 0; byte < symbol_bytes_; ++byte)
            heads_[slot[term] * symbol_bytes_ + byte] = static_cast<unsigned char>(symbol >> (8 * byte));
        auto const arguments = terms.arguments(term);
        while (arguments_.size() < arguments.size())
            arguments_.emplace_back(terms_ + 1, 0u);
        for (std::size_t i = 0; i < arguments.size(); ++i) {
            arguments_[i][slot[term]] = slot[arguments[i]];
            ++references_[slot[arguments[i]]];
        }
    }

    std::size_t symbol_bytes_;
    std::size_t last_bytes_ = 0;
    std::uint64_t terms_ = 0;
    std::vector<unsigned char> heads_;
    std::vector<std::vector<unsigned>> arguments_;
    std::vector<unsigned> references_;
};

}  // namespace

std::unique_ptr<Input> input_from(System const& system, Terms const& terms, TermId input) {
    return std::make_unique<HostInput>(system, terms, input);
}

}  // namespace lockstep::term_rewriting::as_printed
