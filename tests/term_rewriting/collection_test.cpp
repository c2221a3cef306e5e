// Collections of the CPU engine's old space by several workers at the same time.

#include "baselines/term_rewriting/compiled/collection.hpp"

#include <map>
#include <random>
#include <thread>
#include <tuple>

#include "common/term_rewriting/workload.hpp"
#include "tests/term_rewriting/common.hpp"

namespace lockstep::term_rewriting {
namespace {

using namespace compiled;

constexpr unsigned short wide_arity = Collection::chunk_words + 1;  // does not fit into a chunk
constexpr unsigned short arities[] = {0, 1, 2, 3, wide_arity};

// A graph of terms in an old space, with its structure apart. Node 0 is the constant.
class Graph {
public:
    Graph(Word head_words, std::size_t bytes)
        : program_{0, head_words, arities, nullptr, nullptr, 0, nullptr, 0, nullptr, 0},
          layout_(program_),
          old_(layout_, bytes) {
        nodes_.push_back({0, {}, immediate(0)});
    }

    std::size_t add(unsigned symbol, std::vector<std::size_t> arguments) {
        Word* const term = old_.take(layout_.words(symbol));
        *term = layout_.head(symbol);
        for (std::size_t i = 0; i < arguments.size(); ++i)
            layout_.set_argument(term, i, nodes_[arguments[i]].address);
        nodes_.push_back({symbol, std::move(arguments), term});
        return nodes_.size() - 1;
    }

    std::size_t size() const { return nodes_.size(); }

    // Returns true if the other half is too small for the terms. It copies them only once.
    bool fills(std::vector<std::vector<std::size_t>> const& roots) {
        std::vector<std::vector<Word*>> addresses = addresses_of(roots);
        Collection collection(old_, roots.size());
        copy(collection, addresses);
        return collection.is_full();
    }

    // Collects with one thread per list of roots. Then the same graph is in the other half: every live node has one
    // address, and every address is that of one node.
    void collect(std::vector<std::vector<std::size_t>> const& roots) {
        std::vector<std::vector<Word*>> addresses = addresses_of(roots);
        Collection collection(old_, roots.size());
        copy(collection, addresses);
        ASSERT_FALSE(collection.is_full());
        ReservedMemory const& to = old_.other_half();
        Word const* const begin = to.begin();
        old_.change_half(collection.end());
        std::map<std::size_t, Word*> found = {{0, immediate(0)}};
        std::map<Word*, std::size_t> node_at = {{immediate(0), 0}};
        std::vector<std::pair<std::size_t, Word*>> open;
        for (std::size_t worker = 0; worker < roots.size(); ++worker) {
            for (std::size_t i = 0; i < roots[worker].size(); ++i)
                open.emplace_back(roots[worker][i], addresses[worker][i]);
        }
        std::size_t words = 0;
        while (!open.empty()) {
            auto const [node, address] = open.back();
            open.pop_back();
            ASSERT_EQ(node_at.try_emplace(address, node).first->second, node);
            auto const [at, added] = found.try_emplace(node, address);
            ASSERT_EQ(at->second, address);
            if (!added)
                continue;
            ASSERT_TRUE(address >= begin && address < collection.end());
            ASSERT_EQ(layout_.symbol(address), nodes_[node].symbol);
            words += layout_.words(nodes_[node].symbol);
            for (std::size_t i = 0; i < nodes_[node].arguments.size(); ++i)
                open.emplace_back(nodes_[node].arguments[i], layout_.argument(address, i));
        }
        // Nothing but the live terms and the ends of chunks.
        EXPECT_LE(static_cast<std::size_t>(collection.end() - begin),
                  2 * words + roots.size() * Collection::chunk_words);
        for (auto const& [node, address] : found)
            nodes_[node].address = address;
    }

private:
    std::vector<std::vector<Word*>> addresses_of(std::vector<std::vector<std::size_t>> const& roots) const {
        std::vector<std::vector<Word*>> addresses(roots.size());
        for (std::size_t worker = 0; worker < roots.size(); ++worker) {
            for (std::size_t const root : roots[worker])
                addresses[worker].push_back(nodes_[root].address);
        }
        return addresses;
    }

    static void copy(Collection& collection, std::vector<std::vector<Word*>>& addresses) {
        std::vector<std::jthread> threads;
        for (auto& of_worker : addresses) {
            threads.emplace_back([&] {
                Copier copier(collection);
                for (Word*& root : of_worker)
                    root = copier.moved(root);
                copier.finish();
            });
        }
    }

    struct Node {
        unsigned symbol;
        std::vector<std::size_t> arguments;
        Word* address;
    };
    Program program_;
    TermLayout layout_;
    OldSpace old_;
    std::vector<Node> nodes_;
};

constexpr std::size_t test_bytes = std::size_t{64} << 20;
constexpr std::size_t worker_counts[] = {1, 2, 3, 8};

TEST(Collection, MovesEveryLiveTermOnce) {
    for (Word const head_words : {0, 1}) {
        for (std::size_t const workers : worker_counts) {
            std::mt19937 random(static_cast<unsigned>(workers));
            Graph graph(head_words, test_bytes);
            for (std::size_t i = 0; i < (sanitized ? 5'000 : 60'000); ++i) {
                unsigned const symbol = 1 + static_cast<unsigned>(random() % 3);
                std::vector<std::size_t> arguments;
                for (unsigned argument = 0; argument < symbol; ++argument)
                    arguments.push_back(random() % 4 == 0 ? 0 : random() % graph.size());
                graph.add(symbol, arguments);
            }
            // The workers find the same terms from different roots, some of them from the same root.
            std::vector<std::vector<std::size_t>> roots(workers);
            for (auto& of_worker : roots) {
                for (int i = 0; i < 300; ++i)
                    of_worker.push_back(random() % graph.size());
                of_worker.push_back(graph.size() - 1);
            }
            graph.collect(roots);
            graph.collect(roots);  // into the half that was the first one
        }
    }
}

TEST(Collection, ListsTreesAndTermsLargerThanAChunk) {
    for (std::size_t const workers : worker_counts) {
        Graph graph(0, test_bytes);
        std::size_t list = 0;
        for (int i = 0; i < 50'000; ++i)
            list = graph.add(2, {0, list});
        std::vector<std::size_t> level(1024, 0);
        while (level.size() > 1) {
            std::vector<std::size_t> next;
            for (std::size_t i = 0; i < level.size(); i += 2)
                next.push_back(graph.add(2, {level[i], level[i + 1]}));
            level = next;
        }
        std::vector<std::size_t> many(wide_arity, list);
        many.back() = level[0];
        std::size_t const large = graph.add(4, many);
        std::vector<std::vector<std::size_t>> roots(workers);
        roots.front() = {graph.add(2, {large, graph.add(4, many)})};  // the others have nothing but what is shared
        graph.collect(roots);
    }
}

TEST(Collection, WithoutRootsNothingIsLeft) {
    for (std::size_t const workers : worker_counts) {
        Graph graph(0, test_bytes);
        graph.add(1, {0});
        graph.collect(std::vector<std::vector<std::size_t>>(workers));
    }
}

// The half has room for 32 chunks, and each worker takes one.
TEST(Collection, ReportsAHalfThatIsTooSmall) {
    for (std::size_t const workers : {32, 33}) {
        Graph graph(0, std::size_t{2} << 20);
        std::vector<std::vector<std::size_t>> roots;
        for (std::size_t worker = 0; worker < workers; ++worker)
            roots.push_back({graph.add(1, {0})});
        EXPECT_EQ(graph.fills(roots), workers == 33);
    }
}

// Less and less memory, until it does not suffice: every run that ends has the oracle's result.
TEST(Collection, EnginesCollectAndAgree) {
    for (auto const& [name, depth, elements] :
         {std::tuple{"mirrors", sanitized ? 14 : 15, 60}, std::tuple{"payload_tree", 13, 1}}) {
        Workload workload;
        workload.system = name;
        workload.depth = static_cast<unsigned>(depth);
        workload.elements = static_cast<unsigned>(elements);
        System const system = system_of(workload);
        Terms terms;
        TermId const input = make_input(system, workload, terms);
        Ran const expected = run_engine(*make_oracle(system), terms, input);
        std::uint64_t const digest = digest_of(expected.terms, expected.normal_form);
        std::vector<std::size_t> of_workers = {1, 2, 4, 8};
        if (sanitized)
            of_workers =
                lockstep::tests::under_thread_sanitizer ? std::vector<std::size_t>{4} : std::vector<std::size_t>{1, 4};
        for (std::size_t const workers : of_workers) {
            std::unique_ptr<Engine> const engine = make_compiled_engine(system, workers);
            engine->load(terms, input);
            std::uint64_t collections = 0;
            auto const finishes_in = [&](std::size_t memory) {
                Limits limits = test_limits();
                limits.memory = memory;
                engine->make_ready(limits);  // so that all workers begin
                Outcome const outcome = engine->run(limits);
                if (outcome.end != End::finished) {
                    EXPECT_EQ(outcome.end, End::out_of_memory);
                    return false;
                }
                EXPECT_EQ(outcome.applications, expected.outcome.applications) << name << workers;
                EXPECT_EQ(engine->normal_form_digest(), digest) << name << workers;
                collections += outcome.collections.value_or(0);
                return true;
            };
            std::size_t enough = 64 << 20;
            while (finishes_in(enough / 4 * 3))
                enough = enough / 4 * 3;
            // With little more than the least memory that suffices, no run ends without a collection.
            for (std::size_t little = enough / 4 * 3; enough - little > enough / 64;) {
                std::size_t const middle = (little + enough) / 2;
                (finishes_in(middle) ? enough : little) = middle;
            }
            if (workload.system == "mirrors") {
                EXPECT_GE(collections, 1u) << workers << " workers";
            }
        }
    }
}

}  // namespace
}  // namespace lockstep::term_rewriting
