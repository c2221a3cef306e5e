#pragma once
// The built-in sort Int64: signed integers of 64 bits, in systems that declare the sort. A value is a term of a symbol
// that no text can name, whose eight arguments are its bytes, the most significant one first: constants of a sort of
// 256 symbols. So engines store, share, move and compare values as they do other terms, and a left side may hold one.
//
// An operation has two rules. The first one applies if it has a result:
//     add64(i(x0, ..., x7), i(y0, ..., y7)) -> i(r0, ..., r7)    the rule's `operation` binds the variables r
//     less64(i(x0, ..., x7), i(y0, ..., y7)) -> true             if the `operation` holds
// The second one is for all other values: a constant that stands for the missing result, after which the run is an
// error (reference_cpu/term_rewriting/check_operations.hpp), or false.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "common/term_rewriting/language/system.hpp"

namespace lockstep::term_rewriting {

inline constexpr std::string_view integer_sort = "Int64";

// Adds the symbols of values and operations. Comparisons need two constants of one sort that are named true and false,
// or True and False. Throws std::invalid_argument with the name of an operation that the system declares.
void add_integers(System& system, SortId sort, Location const& location);
// Adds the rules of the operations.
void add_operations(System& system, Location const& location);

TermId integer_term(Terms& terms, Integers const& integers, std::int64_t value);

// Returns nothing for an overflow and for a division by zero. Quotients are rounded towards zero, and the sign of a
// remainder is that of the dividend. Precondition: `operation` is not a comparison.
std::optional<std::int64_t> result_of(Operation operation, std::int64_t x, std::int64_t y);
bool is_comparison(Operation operation);
bool holds(Operation operation, std::int64_t x, std::int64_t y);

// Throws bench::Error if the system has integers: "<what> has no machine integers".
void refuse_integers(System const& system, std::string const& what);

// The value of the eight bytes that byte(0) to byte(7) return.
template <class Byte>
std::int64_t value_of_bytes(Byte const& byte) {
    std::uint64_t value = 0;
    for (std::uint32_t i = 0; i < 8; ++i)
        value = value << 8 | (std::uint64_t{byte(i)} & 0xff);
    return static_cast<std::int64_t>(value);
}

}  // namespace lockstep::term_rewriting
