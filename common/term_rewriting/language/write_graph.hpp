#pragma once
// A term as text, whatever it is made of, without recursion.

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "common/term_rewriting/language/print.hpp"

namespace lockstep::term_rewriting {

// `view`: arguments(node), argument(node, index), write_head(node, text). What is open takes memory only where an
// argument follows: a list or a number of 10^8 symbols, which goes on in its last argument, needs none.
template <class Node, class View>
void write_graph(View const& view, Node root, std::string_view separator, Write const& write) {
    constexpr std::size_t piece = 1 << 16;
    struct Open {
        Node term;
        std::uint32_t next;      // argument
        std::uint64_t to_close;  // parentheses behind the last one
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
        view.write_head(term, text);
        std::size_t const count = view.arguments(term);
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
        text += separator;
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
