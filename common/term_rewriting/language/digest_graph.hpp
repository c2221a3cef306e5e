#pragma once
// Computes the digest of a term as a tree (digest_of) for any representation of terms. It visits each shared term once,
// uses all cores for large terms, and does not recurse.

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <new>
#include <vector>

#include "common/term_rewriting/reserved_memory.hpp"
#include "harness/threads/in_threads.hpp"

namespace lockstep::term_rewriting {

inline std::uint64_t mixed(std::uint64_t value) {
    value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9u;
    value = (value ^ (value >> 27)) * 0x94d049bb133111ebu;
    return value ^ (value >> 31);
}
// The digest of a symbol without arguments, and a digest extended by one argument.
inline std::uint64_t digest_of_symbol(std::uint32_t symbol) {
    return mixed(std::uint64_t{symbol} + 0x9e3779b97f4a7c15u);
}
inline std::uint64_t digest_with(std::uint64_t digest, std::uint64_t argument) { return mixed(digest * 3 + argument); }

// `view`: symbol(node), arguments(node), argument(node, index), and offset(node), a number below `offsets` that is
// unique among nodes with arguments. Reserves 8 bytes of address space per offset; only used offsets take memory.
template <class Node, class View>
class GraphDigest {
public:
    GraphDigest(View const& view, std::size_t offsets)
        : view_(view), known_(std::max<std::size_t>(offsets, 1) * sizeof(ReservedMemory::Word), offsets > many) {
        if (known_.bytes() / sizeof(ReservedMemory::Word) < offsets)
            throw std::bad_alloc();
        if (offsets > many)
            threads_ = std::max(1u, std::thread::hardware_concurrency());
    }

    std::uint64_t of(Node root) {
        if (threads_ > 1)
            find_below(root);
        return found(root);
    }

private:
    static constexpr std::size_t many = 1 << 20;
    static constexpr unsigned deepest_cut = 64;
    struct Open {
        Node node;
        std::uint32_t next;  // index of the next argument
        std::uint64_t digest;
    };

    // Finds the digests of the subterms at some level below, on all threads. Two threads may process the same term:
    // both store the same digest.
    void find_below(Node root) {
        std::vector<Node> level = {root};
        for (unsigned depth = 0; depth < deepest_cut && level.size() < 64 * threads_; ++depth) {
            std::vector<Node> next;
            for (Node const node : level) {
                for (std::size_t i = 0; i < view_.arguments(node); ++i)
                    next.push_back(view_.argument(node, i));
            }
            std::sort(next.begin(), next.end());
            next.erase(std::unique(next.begin(), next.end()), next.end());
            level = std::move(next);
        }
        std::atomic<std::size_t> taken{0};
        threads::in_threads(threads_, threads_, [&](std::size_t) {
            for (std::size_t at = taken++; at < level.size(); at = taken++)
                found(level[at]);
        });
    }

    // The digest of the node, or 0 if it is not known yet.
    std::atomic_ref<ReservedMemory::Word> known(Node node) {
        return std::atomic_ref(known_.begin()[view_.offset(node)]);
    }

    std::uint64_t found(Node root) {
        std::vector<Open> open = {{root, 0, digest_of_symbol(view_.symbol(root))}};
        for (;;) {
            Open& top = open.back();
            if (top.next < view_.arguments(top.node)) {
                Node const argument = view_.argument(top.node, top.next);
                bool const constant = view_.arguments(argument) == 0;
                std::uint64_t const before = constant ? digest_of_symbol(view_.symbol(argument))
                                                      : known(argument).load(std::memory_order_relaxed);
                if (constant || before != 0) {
                    top.digest = digest_with(top.digest, before);
                    ++top.next;
                } else {
                    open.push_back({argument, 0, digest_of_symbol(view_.symbol(argument))});
                }
                continue;
            }
            std::uint64_t const digest = top.digest;
            if (view_.arguments(top.node) != 0)
                known(top.node).store(digest, std::memory_order_relaxed);
            open.pop_back();
            if (open.empty())
                return digest;
            open.back().digest = digest_with(open.back().digest, digest);
            ++open.back().next;
        }
    }

    View const& view_;
    ReservedMemory known_;  // initially zero
    unsigned threads_ = 1;
};

}  // namespace lockstep::term_rewriting
