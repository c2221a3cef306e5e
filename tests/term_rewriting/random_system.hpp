#pragma once
// Random systems and terms. Rules have priorities and only innermost terms are rewritten, so every left-linear system
// is confluent under the strategy. Rewriting terminates because the first argument of a call is smaller than that of
// the left side: it is a variable below a constructor of the left side.

#include <random>
#include <string>
#include <utility>
#include <vector>

namespace lockstep::term_rewriting {

// How often a left side has a variable.
enum class Repeat {
    never,
    variables,     // some variables occur again
    in_conditions  // the same rules with a variable of its own for each occurrence, and conditions that compare them
};

class RandomSystem {
public:
    explicit RandomSystem(unsigned seed, Repeat repeat = Repeat::never) : random_(seed), repeat_(repeat) {}

    std::string text() {
        constructors_ = {{"c0", 0}, {"c1", 1}, {"c2", 2}, {"c3", 1 + below(5)}};
        for (unsigned i = 0; i < 2 + below(3); ++i)
            functions_.push_back({"f" + std::to_string(i), 1 + below(6)});
        std::string text = "REC-SPEC Random\nSORTS\n  T\nCONS\n" + declarations(constructors_) + "OPNS\n" +
                           declarations(functions_) + "VARS\n  ";
        for (unsigned i = 0; i < 30; ++i)
            text += "x" + std::to_string(i) + " y" + std::to_string(i) + " ";
        text += ": T\nRULES\n";
        for (Symbol const& function : functions_) {
            for (unsigned i = 0; i < 1 + below(4); ++i)
                text += rule(function, constructors_[below(4)], 2);
            // Then, most of the time, a rule for all arguments of each constructor; without it, the term is stuck.
            for (Symbol const& constructor : constructors_) {
                if (below(8) != 0)
                    text += rule(function, constructor, 0);
            }
        }
        text += "EVAL\n";
        for (unsigned i = 0; i < 6; ++i)
            text += "  " + closed(6) + "\n";
        return text + "END-SPEC\n";
    }

private:
    struct Symbol {
        std::string name;
        unsigned arity;
    };

    unsigned below(unsigned n) { return static_cast<unsigned>(random_() % n); }

    static std::string declarations(std::vector<Symbol> const& symbols) {
        std::string text;
        for (Symbol const& symbol : symbols) {
            text += "  " + symbol.name + " :";
            for (unsigned i = 0; i < symbol.arity; ++i)
                text += " T";
            text += " -> T\n";
        }
        return text;
    }

    template <class Argument>
    std::string applied(Symbol const& symbol, Argument const& argument) {
        std::string text = symbol.name;
        for (unsigned i = 0; i < symbol.arity; ++i)
            text += (i == 0 ? "(" : ",") + argument(i);
        return symbol.arity == 0 ? text : text + ")";
    }

    std::string pattern(unsigned depth, std::vector<std::string>& variables) {
        if (repeat_ != Repeat::never && repeats_ < 20 && !variables.empty() && below(2) == 0)
            return again(variables[below(count(variables))]);
        if (depth == 0 || below(2) == 0) {
            variables.push_back("x" + std::to_string(next_variable_++));
            return variables.back();
        }
        // Occasionally a defined symbol, which only a stuck term contains.
        Symbol const& symbol = below(8) == 0 ? functions_[below(count(functions_))] : constructors_[below(4)];
        if (next_variable_ + symbol.arity > 20)
            return "c0";
        return applied(symbol, [&](unsigned) { return pattern(depth - 1, variables); });
    }

    std::string again(std::string const& variable) {
        std::string const other = "y" + std::to_string(repeats_++);
        if (repeat_ == Repeat::variables)
            return variable;
        compared_.push_back(variable + " -><- " + other);
        return other;
    }

    std::string rule(Symbol const& function, Symbol const& constructor, unsigned depth) {
        next_variable_ = 0;
        repeats_ = 0;
        compared_.clear();
        std::vector<std::string> smaller;  // below the first argument
        std::vector<std::string> all;
        std::string const left = applied(function, [&](unsigned i) {
            if (i != 0)
                return pattern(depth, all);
            return applied(constructor, [&](unsigned) { return pattern(depth / 2, smaller); });
        });
        all.insert(all.end(), smaller.begin(), smaller.end());
        std::string text = "  " + left + " -> " + right(3, smaller, all);
        char const* word = " if ";
        for (std::string const& condition : compared_)
            text += std::exchange(word, " and-if ") + condition;
        for (unsigned i = 0; i < (below(4) == 0 ? 1 + below(2) : 0); ++i) {
            text += std::exchange(word, " and-if ") + right(2, smaller, all) + (below(2) == 0 ? " -><- " : " ->/<- ") +
                    right(2, smaller, all);
        }
        return text + "\n";
    }

    std::string right(unsigned depth, std::vector<std::string> const& smaller, std::vector<std::string> const& all) {
        unsigned const kind = below(6);
        if (kind < 2 && !smaller.empty() && depth > 1) {
            Symbol const& function = functions_[below(count(functions_))];
            return applied(function, [&](unsigned i) {
                return i == 0 ? smaller[below(count(smaller))] : right(depth - 2, smaller, all);
            });
        }
        if (kind < 4 && depth > 0)
            return applied(constructors_[below(4)], [&](unsigned) { return right(depth - 1, smaller, all); });
        return all.empty() ? "c0" : all[below(count(all))];
    }

    std::string closed(unsigned depth) {
        if (depth == 0)
            return "c0";
        Symbol const& symbol = below(3) == 0 ? functions_[below(count(functions_))] : constructors_[1 + below(3)];
        return applied(symbol, [&](unsigned) { return closed(below(4) == 0 ? 0 : depth - 1); });
    }

    template <class Values>
    static unsigned count(Values const& values) {
        return static_cast<unsigned>(values.size());
    }

    std::mt19937 random_;
    Repeat repeat_;
    std::vector<std::string> compared_;  // conditions of the rule being written
    std::vector<Symbol> constructors_;
    std::vector<Symbol> functions_;
    unsigned next_variable_ = 0;
    unsigned repeats_ = 0;
};

}  // namespace lockstep::term_rewriting
