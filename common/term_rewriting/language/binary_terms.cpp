#include "common/term_rewriting/language/binary_terms.hpp"

#include <algorithm>
#include <unordered_map>

#include "harness/bench/error.hpp"

namespace lockstep::term_rewriting {

namespace {

constexpr std::string_view magic = "LSTERMS1";
constexpr std::uint32_t none = ~std::uint32_t{0};

class Reader {
public:
    Reader(System& system, std::string_view bytes, std::string const& name)
        : system_(system), bytes_(bytes), name_(name) {}

    std::vector<TermId> read() {
        at_ = magic.size();
        read_symbols();
        read_nodes();
        std::vector<TermId> terms;
        for (std::uint64_t left = count("terms", 4); left > 0; --left)
            terms.push_back(nodes_[used_node()]);
        if (at_ != bytes_.size())
            fail("there are bytes after the last term", "");
        return terms;
    }

private:
    [[noreturn]] void fail(std::string const& problem, std::string const& why) const {
        throw bench::Error(name_ + ": byte " + std::to_string(at_) + ": " + problem, why);
    }

    std::uint64_t number(unsigned bytes) {
        if (bytes_.size() - at_ < bytes)
            fail("the file ends here", "expected a number of " + std::to_string(bytes) + " bytes");
        std::uint64_t value = 0;
        for (unsigned i = 0; i < bytes; ++i)
            value |= std::uint64_t{static_cast<unsigned char>(bytes_[at_ + i])} << (8 * i);
        at_ += bytes;
        return value;
    }
    std::uint32_t word() { return static_cast<std::uint32_t>(number(4)); }

    // A number of things that take at least `each` bytes in the rest of the file.
    std::uint64_t count(std::string const& things, unsigned each, unsigned bytes = 8) {
        std::uint64_t const found = number(bytes);
        if (found > (bytes_.size() - at_) / each)
            fail(std::to_string(found) + " " + things + " do not fit into the rest of the file", "");
        return found;
    }

    std::uint32_t node(std::size_t before) {
        std::uint32_t const found = word();
        if (found >= before)
            fail("node " + std::to_string(found) + " is not known here",
                 "the nodes before number " + std::to_string(before) + " are");
        return found;
    }

    // A node of a term or of an earlier node.
    std::uint32_t used_node() {
        std::uint32_t const found = node(nodes_.size());
        system_.shares_redexes |= uses_[found] != 0 && has_redex_[found] != 0;
        uses_[found] = 1;
        return found;
    }

    void read_symbols() {
        std::unordered_map<std::string_view, SymbolId> known;
        for (SymbolId symbol = 0; symbol < system_.symbols.size(); ++symbol) {
            if (system_.symbols[symbol].origin != Origin::internal)
                known.emplace(system_.symbols[symbol].name, symbol);
        }
        for (std::uint64_t left = count("symbols", 8, 4); left > 0; --left) {
            std::uint32_t const arguments = word();
            std::uint64_t const length = count("letters of a name", 1, 4);
            auto const found = known.find(bytes_.substr(at_, length));
            if (found == known.end())
                fail("unknown symbol " + std::string(bytes_.substr(at_, std::min<std::uint64_t>(length, 100))),
                     "the system does not declare it");
            if (system_.arity(found->second) != arguments)
                fail("symbol " + std::string(found->first) + " has " + std::to_string(arguments) + " arguments",
                     "the system declares it with " + std::to_string(system_.arity(found->second)));
            symbols_.push_back(found->second);
            at_ += length;
        }
    }

    void read_nodes() {
        std::vector<TermId> arguments;
        for (std::uint64_t left = count("nodes", 4); left > 0; --left) {
            std::uint32_t const index = word();
            if (index >= symbols_.size())
                fail("symbol " + std::to_string(index) + " is not in the file", "");
            Symbol const& symbol = system_.symbols[symbols_[index]];
            arguments.clear();
            bool has_redex = symbol.defined;
            for (SortId const sort : symbol.arguments) {
                std::uint32_t const used = used_node();
                TermId const argument = nodes_[used];
                has_redex |= has_redex_[used] != 0;
                SortId const found = system_.symbols[system_.terms.symbol(argument)].result;
                if (found != sort)
                    fail("an argument of " + symbol.name + " is of sort " + system_.sorts[found],
                         "expected sort " + system_.sorts[sort]);
                arguments.push_back(argument);
            }
            nodes_.push_back(system_.terms.application(symbols_[index], arguments));
            uses_.push_back(0);
            has_redex_.push_back(has_redex ? 1 : 0);
        }
    }

    System& system_;
    std::string_view bytes_;
    std::string const& name_;
    std::size_t at_ = 0;
    std::vector<SymbolId> symbols_;
    std::vector<TermId> nodes_;
    std::vector<unsigned char> uses_;       // per node: it is a part of an earlier node or term
    std::vector<unsigned char> has_redex_;  // per node: rules may rewrite a part of it
};

// Writes numbers in pieces of at most about 64 KiB.
class Writer {
public:
    explicit Writer(Write const& write) : write_(write) {}
    void number(std::uint64_t value, unsigned bytes) {
        for (unsigned i = 0; i < bytes; ++i)
            text_ += static_cast<char>(value >> (8 * i) & 0xff);
        if (text_.size() >= 1 << 16)
            flush();
    }
    void text(std::string_view added) { text_ += added; }
    void flush() {
        write_(text_);
        text_.clear();
    }

private:
    Write const& write_;
    std::string text_;
};

// The terms below all roots: each once, arguments first.
LargeVector<TermId> reached_from(Terms const& terms, std::span<TermId const> roots) {
    TermId const last = roots.empty() ? 0 : *std::max_element(roots.begin(), roots.end());
    LargeVector<unsigned char> reached(roots.empty() ? 0 : std::size_t{last} + 1, 0);
    for (TermId const root : roots)
        reached[root] = 1;
    LargeVector<TermId> found;
    for (std::size_t term = reached.size(); term-- > 0;) {
        if (reached[term] == 0)
            continue;
        found.push_back(static_cast<TermId>(term));
        for (TermId const argument : terms.arguments(static_cast<TermId>(term)))
            reached[argument] = 1;
    }
    std::reverse(found.begin(), found.end());
    return found;
}

}  // namespace

bool is_binary_terms(std::string_view bytes) { return bytes.starts_with(magic); }

std::vector<TermId> read_binary_terms(System& system, std::string_view bytes, std::string const& name) {
    return Reader(system, bytes, name).read();
}

void write_binary_terms(System const& system, Terms const& terms, std::span<TermId const> roots, Write const& write) {
    LargeVector<TermId> const nodes = reached_from(terms, roots);
    std::vector<std::uint32_t> index_of_symbol(system.symbols.size(), none);
    std::vector<SymbolId> symbols;
    for (TermId const term : nodes) {
        std::uint32_t& index = index_of_symbol[terms.symbol(term)];
        if (index == none) {
            index = static_cast<std::uint32_t>(symbols.size());
            symbols.push_back(terms.symbol(term));
        }
    }
    Writer writer(write);
    writer.text(magic);
    writer.number(symbols.size(), 4);
    for (SymbolId const symbol : symbols) {
        writer.number(system.arity(symbol), 4);
        writer.number(system.symbols[symbol].name.size(), 4);
        writer.text(system.symbols[symbol].name);
    }
    LargeVector<std::uint32_t> index_of(nodes.empty() ? 0 : std::size_t{nodes.back()} + 1, none);
    writer.number(nodes.size(), 8);
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        index_of[nodes[i]] = static_cast<std::uint32_t>(i);
        writer.number(index_of_symbol[terms.symbol(nodes[i])], 4);
        for (TermId const argument : terms.arguments(nodes[i]))
            writer.number(index_of[argument], 4);
    }
    writer.number(roots.size(), 8);
    for (TermId const root : roots)
        writer.number(index_of[root], 4);
    writer.flush();
}

}  // namespace lockstep::term_rewriting
