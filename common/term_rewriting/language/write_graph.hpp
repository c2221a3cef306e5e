#pragma once
// Writes a term of any representation as text, without recursion.

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "common/term_rewriting/language/integers.hpp"
#include "common/term_rewriting/language/print.hpp"

namespace lockstep::term_rewriting {

template <class Node, class View>
std::uint32_t byte_of(View const& view, Node term, std::size_t index, Integers const& integers) {
    return view.symbol(view.argument(term, index)) - integers.first_byte;
}

// In a rule of an operation, variables take the place of the bytes.
template <class Node, class View>
bool is_integer(View const& view, Node term, Integers const& integers) {
    if (view.symbol(term) != integers.whole)
        return false;
    for (std::size_t i = 0; i < 8; ++i) {
        if (byte_of(view, term, i, integers) > 255)
            return false;
    }
    return true;
}

template <class Node, class View>
std::int64_t integer_of(View const& view, Node term, Integers const& integers) {
    return value_of_bytes([&](std::uint32_t i) { return byte_of(view, term, i, integers); });
}

// `view`: symbol(node), arguments(node), argument(node, index), write_head(node, text). An open term takes memory only
// while another argument follows: a list or a numeral of 10^8 symbols, which is nested in its last argument, needs
// none.
template <class Node, class View>
void write_graph(View const& view, Node root, PrintStyle const& style, Write const& write) {
    constexpr std::size_t piece = 1 << 16;
    struct Open {
        Node term;
        std::uint32_t next;      // index of the next argument
        std::uint64_t to_close;  // parentheses after the last argument
    };
    std::string text;
    std::vector<Open> open;
    auto const flush = [&] {
        if (text.size() >= piece) {
            write(text);
            text.clear();
        }
    };
    std::uint64_t to_close = 0;
    for (Node term = root;;) {
        bool const is_number = style.integers && is_integer(view, term, *style.integers);
        if (is_number)
            text += std::to_string(integer_of(view, term, *style.integers));
        else
            view.write_head(term, text);
        std::size_t const count = is_number ? 0 : view.arguments(term);
        if (count > 0) {
            text += '(';
            ++to_close;
            if (count > 1) {
                open.push_back({term, 1, to_close});
                to_close = 0;
            }
            term = view.argument(term, 0);
            flush();
            continue;
        }
        while (to_close > 0) {
            std::size_t const some = static_cast<std::size_t>(std::min<std::uint64_t>(to_close, piece));
            text.append(some, ')');
            to_close -= some;
            flush();
        }
        if (open.empty())
            break;
        text += style.separator;
        Open& top = open.back();
        term = view.argument(top.term, top.next++);
        if (top.next == view.arguments(top.term)) {
            to_close = top.to_close;
            open.pop_back();
        }
        flush();
    }
    write(text);
}

}  // namespace lockstep::term_rewriting
