#include "common/term_rewriting/language/together.hpp"

#include <memory>
#include <string>
#include <utility>

namespace lockstep::term_rewriting {

namespace {

// Leaves out the pairs: their names, parentheses and commas are those outside every other symbol's parentheses.
class Lines {
public:
    Lines(Write write, char pair) : write_(std::move(write)), pair_(pair) {}

    void add(std::string_view text) {
        std::string out;
        out.reserve(text.size());
        for (char const c : text) {
            if (c == pair_ || (after_pair_ && c == '(') || (depth_ == 0 && c == ')')) {
                after_pair_ = c == pair_;
                continue;
            }
            depth_ += c == '(' ? 1 : 0;
            depth_ -= c == ')' ? 1 : 0;
            out += depth_ == 0 && c == ',' ? '\n' : c;
        }
        if (!out.empty())
            write_(out);
    }

private:
    Write write_;
    char pair_;
    bool after_pair_ = false;
    std::uint64_t depth_ = 0;
};

}  // namespace

Together::Together(System& system, std::span<TermId const> terms) {
    if (terms.size() < 2) {
        term_ = terms.empty() ? 0 : terms[0];
        return;
    }
    is_one_ = false;
    pair_ = system.add_symbol(Origin::internal, std::string(1, pair_name), {0, 0}, 0);
    std::vector<TermId> level(terms.begin(), terms.end());
    while (level.size() > 1) {
        std::size_t const pairs = level.size() / 2;
        for (std::size_t i = 0; i < pairs; ++i) {
            TermId const both[] = {level[2 * i], level[2 * i + 1]};
            level[i] = system.terms.application(pair_, both);
        }
        if (level.size() % 2 == 1)
            level[pairs] = level.back();
        level.resize(level.size() - pairs);
    }
    term_ = level[0];
}

std::optional<std::pair<TermId, TermId>> Together::halves(Terms const& terms, TermId term) const {
    if (is_one_ || terms.symbol(term) != pair_)
        return {};
    return std::pair(terms.arguments(term)[0], terms.arguments(term)[1]);
}

std::vector<TermId> Together::apart(Terms const& terms, TermId normal_form) const {
    std::vector<TermId> forms;
    std::vector<TermId> open = {normal_form};
    while (!open.empty()) {
        TermId const term = open.back();
        open.pop_back();
        if (is_one_ || terms.symbol(term) != pair_) {
            forms.push_back(term);
            continue;
        }
        open.push_back(terms.arguments(term)[1]);
        open.push_back(terms.arguments(term)[0]);
    }
    return forms;
}

Write Together::lines(Write write) const {
    if (is_one_)
        return write;
    auto const lines = std::make_shared<Lines>(std::move(write), pair_name);
    return [lines](std::string_view text) { lines->add(text); };
}

}  // namespace lockstep::term_rewriting
