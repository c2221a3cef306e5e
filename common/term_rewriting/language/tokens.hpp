#pragma once
// Splits the texts of a system into tokens with their locations. Both languages use it.

#include <deque>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "common/term_rewriting/language/system.hpp"
#include "harness/bench/error.hpp"

namespace lockstep::term_rewriting {

struct Token {
    enum class Kind {
        identifier,
        sign,      // one of ( ) , ; : | = -> -><- ->/<- <>; in tpdb of ( ) , | -> ->= ==
        number,    // digits, perhaps after a -; not in tpdb
        end_line,  // only in rec, and only outside parentheses
        include,   // text: the file's name
        end
    };
    Kind kind = Kind::end;
    std::string_view text;
    Location location;

    bool is(std::string_view sign) const { return kind == Kind::sign && text == sign; }
    bool is_word(std::string_view word) const { return kind == Kind::identifier && text == word; }
};

// Returns the description of a token for "expected X, found Y".
std::string describe(Token const& token);

// Names and texts of the files, at stable addresses.
class Sources {
public:
    std::uint32_t add(std::string name, std::string text);
    std::string_view text(std::uint32_t file) const { return texts_[file]; }
    std::vector<std::string> const& names() const { return names_; }
    // "file:line:column: <problem> (<why>) <suggestion>"
    bench::Error error(Location const& location, std::string const& problem, std::string const& why,
                       std::string const& suggestion = {}) const;

private:
    std::vector<std::string> names_;
    std::deque<std::string> texts_;
};

// Returns the tokens of one file; the last one is Kind::end. Throws bench::Error for a character that is not in the
// language.
std::vector<Token> tokenize(Sources const& sources, std::uint32_t file, Language language);
std::vector<Token> tokenize_tpdb(Sources const& sources, std::uint32_t file);

// The words before an input term in the older dialect of REC. They are one token, an identifier.
inline constexpr std::string_view eval_words = "get normal form for:";

}  // namespace lockstep::term_rewriting
