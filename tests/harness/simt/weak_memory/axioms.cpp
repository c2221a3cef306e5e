// The outcomes that PTX's memory model allows, by its definition: every execution that is consistent with the program
// (what each read reads from, the coherence order of each location, the order of the sequentially consistent fences) is
// tried against the axioms. Names are those of the PTX ISA and of Lustig and others, section 4.

#include <algorithm>
#include <array>
#include <cstdint>

#include "tests/harness/simt/weak_memory/litmus.hpp"

namespace lockstep::litmus {
namespace {

struct Event {
    int thread = -1;  // -1: a location's initial value
    unsigned block = 0;
    Instruction what{};
};

// A relation of up to 32 events: row a has bit b if a is related to b.
class Relation {
public:
    void add(std::size_t a, std::size_t b) { rows_[a] |= 1u << b; }
    bool has(std::size_t a, std::size_t b) const { return (rows_[a] >> b & 1) != 0; }
    Relation operator|(Relation const& other) const {
        Relation both = *this;
        for (std::size_t a = 0; a < 32; ++a) {
            both.rows_[a] |= other.rows_[a];
        }
        return both;
    }
    // a to c, if a is related to some b, and b by `other` to c.
    Relation then(Relation const& other) const {
        Relation result;
        for (std::size_t a = 0; a < 32; ++a) {
            for (std::size_t b = 0; b < 32; ++b) {
                result.rows_[a] |= has(a, b) ? other.rows_[b] : 0;
            }
        }
        return result;
    }
    Relation closure() const {
        Relation all = *this;
        for (std::size_t b = 0; b < 32; ++b) {
            for (std::size_t a = 0; a < 32; ++a) {
                all.rows_[a] |= all.has(a, b) ? all.rows_[b] : 0;
            }
        }
        return all;
    }
    bool is_irreflexive() const {
        for (std::size_t a = 0; a < 32; ++a) {
            if (has(a, a)) {
                return false;
            }
        }
        return true;
    }
    bool is_acyclic() const { return closure().is_irreflexive(); }

private:
    std::array<std::uint32_t, 32> rows_{};
};

class Axioms {
public:
    Axioms(Program const& program, bool load_buffering) : program_(program), load_buffering_(load_buffering) {
        for (unsigned i = 0; i < program.locations; ++i) {
            events_.push_back({-1, 0, write(i, 0)});
        }
        for (std::size_t i = 0; i < program.threads.size(); ++i) {
            for (Instruction const& instruction : program.threads[i].code) {
                Instruction access = instruction;
                access.strength.is_sequential = instruction.kind == Kind::fence && access.strength.is_sequential;
                events_.push_back({static_cast<int>(i), program.threads[i].block, access});
            }
        }
        coherence_.resize(program.locations);
        for (std::size_t e = 0; e < events_.size(); ++e) {
            if (events_[e].what.reads()) {
                reads_.push_back(e);
            }
            if (events_[e].what.writes() && events_[e].thread >= 0) {
                coherence_[events_[e].what.location].push_back(e);
            }
            if (events_[e].what.kind == Kind::fence && events_[e].what.strength.is_sequential) {
                fences_.push_back(e);
            }
        }
        relate_by_program();
    }

    Outcomes run() {
        source_.assign(events_.size(), 0);
        choose_source(0);
        return found_;
    }

private:
    bool is_access(std::size_t e) const { return events_[e].what.kind != Kind::fence; }
    bool same_location(std::size_t a, std::size_t b) const {
        return is_access(a) && is_access(b) && events_[a].what.location == events_[b].what.location;
    }
    bool includes(std::size_t a, std::size_t b) const {
        return events_[a].block == events_[b].block || events_[a].what.strength.scope >= Scope::device;
    }
    bool morally_strong(std::size_t a, std::size_t b) const {
        if (events_[a].thread < 0 || events_[b].thread < 0 || events_[a].thread == events_[b].thread) {
            return true;
        }
        return events_[a].what.strength.is_strong && events_[b].what.strength.is_strong && includes(a, b) &&
               includes(b, a);
    }

    // Program order, and the release and acquire patterns.
    void relate_by_program() {
        for (std::size_t a = 0; a < events_.size(); ++a) {
            Instruction const& one = events_[a].what;
            if (events_[a].thread < 0) {
                continue;
            }
            if (one.writes() && one.strength.releases) {
                release_.add(a, a);
            }
            if (one.reads() && one.strength.acquires) {
                acquire_.add(a, a);
            }
            for (std::size_t b = a + 1; b < events_.size() && events_[b].thread == events_[a].thread; ++b) {
                Instruction const& other = events_[b].what;
                order_.add(a, b);
                bool const local = same_location(a, b);
                if (local) {
                    local_order_.add(a, b);
                }
                bool const by_fence = one.kind == Kind::fence;
                if (other.writes() && other.strength.is_strong && one.strength.releases &&
                    (by_fence || (local && one.writes()))) {
                    release_.add(a, b);
                }
                bool const to_fence = other.kind == Kind::fence;
                if (one.reads() && one.strength.is_strong && other.strength.acquires &&
                    (to_fence || (local && other.reads()))) {
                    acquire_.add(a, b);
                }
            }
        }
    }

    void choose_source(std::size_t number) {
        if (number == reads_.size()) {
            choose_coherence(0);
            return;
        }
        for (std::size_t e = 0; e < events_.size(); ++e) {
            if (e != reads_[number] && events_[e].what.writes() && same_location(e, reads_[number])) {
                source_[reads_[number]] = e;
                choose_source(number + 1);
            }
        }
    }

    void choose_coherence(std::size_t location) {
        if (location == coherence_.size()) {
            std::sort(fences_.begin(), fences_.end());
            do {
                check();
            } while (std::next_permutation(fences_.begin(), fences_.end()));
            return;
        }
        std::vector<std::size_t>& order = coherence_[location];
        std::sort(order.begin(), order.end());
        do {
            choose_coherence(location + 1);
        } while (std::next_permutation(order.begin(), order.end()));
    }

    void check() {
        Relation reads_from, coherence, from_reads, strong, observed, fence_order;
        for (std::size_t location = 0; location < coherence_.size(); ++location) {
            for (auto to = coherence_[location].begin(); to != coherence_[location].end(); ++to) {
                coherence.add(location, *to);
                std::for_each(coherence_[location].begin(), to, [&](std::size_t from) { coherence.add(from, *to); });
            }
        }
        for (std::size_t const read : reads_) {
            reads_from.add(source_[read], read);
            for (std::size_t later = 0; later < events_.size(); ++later) {
                if (later != read && coherence.has(source_[read], later)) {
                    from_reads.add(read, later);
                }
            }
        }
        Relation const communication = reads_from | coherence | from_reads;
        Relation strong_reads;
        for (std::size_t a = 0; a < events_.size(); ++a) {
            for (std::size_t b = 0; b < events_.size(); ++b) {
                if (morally_strong(a, b) && communication.has(a, b)) {
                    strong.add(a, b);
                }
                if (morally_strong(a, b) && reads_from.has(a, b)) {
                    strong_reads.add(a, b);
                }
            }
        }
        for (auto to = fences_.begin(); to != fences_.end(); ++to) {
            std::for_each(fences_.begin(), to, [&](std::size_t from) {
                if (morally_strong(from, *to)) {
                    fence_order.add(from, *to);
                }
            });
        }
        observed = strong_reads.closure();
        Relation synchronised;
        Relation const patterns = release_.then(observed).then(acquire_);
        for (std::size_t a = 0; a < events_.size(); ++a) {
            for (std::size_t b = 0; b < events_.size(); ++b) {
                if (events_[a].thread != events_[b].thread && morally_strong(a, b) && patterns.has(a, b)) {
                    synchronised.add(a, b);
                }
            }
        }
        Relation const edges = synchronised | fence_order;
        Relation const before = edges | order_.then(edges);
        Relation const base = (before | before.then(order_)).closure();
        Relation const cause = base | observed.then(local_order_ | base);
        bool const is_coherent = respects(cause, coherence);
        bool const is_causal = cause.is_irreflexive() && reads_from.then(cause).is_irreflexive() &&
                               from_reads.then(cause).is_irreflexive();
        bool const is_ordered = fence_order.then(cause).is_irreflexive();
        bool const is_local = (strong | local_order_).is_acyclic();
        bool const no_buffering = load_buffering_ || (reads_from | order_).is_acyclic();
        if (is_coherent && is_causal && is_ordered && is_local && is_atomic(from_reads, coherence) && no_buffering) {
            note();
        }
    }

    bool respects(Relation const& cause, Relation const& coherence) const {
        for (std::size_t a = 0; a < events_.size(); ++a) {
            for (std::size_t b = 0; b < events_.size(); ++b) {
                if (events_[a].what.writes() && events_[b].what.writes() && same_location(a, b) && cause.has(a, b) &&
                    !coherence.has(a, b)) {
                    return false;
                }
            }
        }
        return true;
    }

    // No morally strong store comes between an update and what it has read.
    bool is_atomic(Relation const& from_reads, Relation const& coherence) const {
        for (std::size_t update = 0; update < events_.size(); ++update) {
            for (std::size_t other = 0; other < events_.size(); ++other) {
                if (events_[update].what.kind == Kind::update && from_reads.has(update, other) &&
                    coherence.has(other, update) && morally_strong(update, other)) {
                    return false;
                }
            }
        }
        return true;
    }

    void note() {
        std::vector<unsigned> read;
        for (std::size_t const e : reads_) {
            read.push_back(events_[source_[e]].what.value);
        }
        std::vector<unsigned> last;
        for (auto const& order : coherence_) {
            last.push_back(order.empty() ? 0 : events_[order.back()].what.value);
        }
        found_.insert(outcome(read, last));
    }

    Program const& program_;
    bool load_buffering_;
    std::vector<Event> events_;
    std::vector<std::size_t> reads_;
    std::vector<std::size_t> fences_;                  // in their order
    std::vector<std::vector<std::size_t>> coherence_;  // the stores of each location in coherence order
    std::vector<std::size_t> source_;                  // of each read: the store
    Relation order_, local_order_, release_, acquire_;
    Outcomes found_;
};

}  // namespace

Outcomes allowed_outcomes(Program const& program, bool load_buffering) { return Axioms(program, load_buffering).run(); }

}  // namespace lockstep::litmus
