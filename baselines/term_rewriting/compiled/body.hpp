#pragma once
// Writes one right side (or the sides of a condition, or a task) as C++. It calls the defined symbols innermost first,
// keeps terms that are live across a call on the stack of terms, and checks for room once before every sequence of
// allocations. The parallel form spawns arguments with unbounded work.

#include <optional>
#include <string>
#include <vector>

#include "baselines/term_rewriting/compiled/model.hpp"
#include "harness/jit/code_writer.hpp"

namespace lockstep::term_rewriting::compiled {

// A spawned expression, which becomes a separate function.
struct TaskText {
    std::size_t number = 0;
    SharedTerms const* shared = nullptr;
    std::vector<std::uint32_t> captured;  // nodes whose values are its inputs
    std::uint32_t root = 0;
};

// State shared by the bodies of one file.
struct BodyContext {
    Model const& model;
    bool parallel = false;
    Constants constants;
    std::vector<TaskText> tasks;
};

class Body {
public:
    // `known[node]`: the local variable with the node's value, or empty. Stack slots below `frame` are in use.
    Body(BodyContext& context, SharedTerms const& shared, std::vector<std::string> known, unsigned frame);

    // Polls before a call that may lead back to `caller`, whose rule this is, so that no recursion goes without polls.
    void poll_within(SymbolId caller) { caller_ = caller; }
    // Marks the root as a term that no rule matches: it is built, not called.
    void keep_root_stuck() { stuck_root_ = true; }

    // Plans the evaluation of all roots. If `returns`, the code then returns the first root, with a tail call if it is
    // a call.
    void plan(bool returns);
    void write(jit::CodeWriter& code);
    // Returns the local variable or constant that holds a root. Call after write().
    std::string root_value(std::size_t root) const;

private:
    struct Step {
        enum class Kind { check, allocate, call, spawn, join, finish };
        Kind kind;
        std::uint32_t node = 0;
        std::size_t words = 0;                // check
        std::size_t task = 0;                 // spawn, join
        std::vector<std::uint32_t> captured;  // spawn
    };

    bool is_call(std::uint32_t node) const;
    void find_constants();
    bool valued(std::uint32_t node) const { return known_[node] || constant_[node]; }
    std::vector<std::uint32_t> pending_calls(std::uint32_t node) const;
    std::vector<std::uint32_t> captured_by(std::uint32_t node) const;
    void evaluate(std::uint32_t node);
    void evaluate_arguments(std::uint32_t node);
    bool evaluate_in_parallel(std::vector<std::uint32_t> children);
    void materialise(std::uint32_t node);
    bool repeats_without_check() const;
    void add_checks();

    std::vector<std::uint32_t> uses(Step const& step) const;
    void find_last_uses();
    std::string use(std::uint32_t node);
    std::vector<std::string> use_arguments(SharedNode const& node);
    std::string slot(std::size_t index) const;
    std::string stack_from(std::size_t index) const;
    unsigned frame() const;
    unsigned take_slot(std::uint32_t node);
    void keep_live(std::size_t step);
    void write_check(std::size_t step);
    void write_allocate(Step const& step);
    void write_call(std::size_t step);
    void write_spawn(Step const& step);
    void write_join(std::size_t step);
    void write_finish(Step const& step);
    std::string passed(std::vector<std::string> const& arguments, unsigned top);
    void move_stack(unsigned top);
    void mark_stale();

    BodyContext& context_;
    SharedTerms const& shared_;
    std::vector<std::string> names_;
    unsigned base_;
    std::optional<SymbolId> caller_;
    bool stuck_root_ = false;
    bool returns_ = false;

    // planning
    std::vector<bool> known_;
    std::vector<std::optional<std::size_t>> constant_;
    std::vector<Step> steps_;

    // writing
    static constexpr std::uint32_t free_slot = ~0u;
    static constexpr std::uint32_t captured_slot = ~0u - 1;
    std::vector<std::size_t> last_use_;
    std::vector<std::uint32_t> slots_;  // node in each slot, from base_
    std::vector<std::optional<unsigned>> slot_of_;
    std::vector<bool> stale_;  // only the slot has the current value
    std::vector<bool> available_;
    std::vector<std::pair<unsigned, unsigned>> blocks_;  // slots of spawned tasks: first, count
    unsigned moved_ = 0;  // slots by which the variable `stack` is above the function's first one
    jit::CodeWriter* code_ = nullptr;
};

// The name of the function of a symbol or task in generated code.
std::string function_name(SymbolId symbol);
std::string task_name(std::size_t task);
std::string task_function_name(std::size_t task);

}  // namespace lockstep::term_rewriting::compiled
