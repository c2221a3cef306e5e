#include "common/term_rewriting/compiler/state_text.hpp"

namespace lockstep::term_rewriting::compiled {

namespace {

// Compilers limit the nesting depth of blocks.
constexpr std::size_t max_depth = 24;

class StateWriter {
public:
    StateWriter(jit::CodeWriter& code, Matcher const& matcher, std::size_t arity, TargetText& target)
        : code_(code), matcher_(matcher), arity_(arity), target_(target), references_(matcher.states.size(), 0) {
        for (State const& state : matcher.states) {
            if (state.kind == State::Kind::branch) {
                for (TargetText::Switch const& one : target.switches(state)) {
                    references_[state.otherwise] += one.is_exhaustive ? 0 : 1;
                    for (auto const& [symbol, next] : one.cases)
                        ++references_[next];
                }
            }
        }
        written_.assign(matcher.states.size(), false);
    }

    void run() {
        write(matcher_.start);
        while (!requested_.empty()) {
            StateId const state = requested_.back();
            requested_.pop_back();
            code_.label(label(state));
            write_state(state);
        }
    }

private:
    void request(StateId state) {
        if (!written_[state])
            requested_.push_back(state);
        written_[state] = true;
    }

    void write(StateId state) {
        bool const simple = matcher_.states[state].kind == State::Kind::stuck;
        if (!simple && (references_[state] >= 2 || code_.depth() > max_depth)) {
            request(state);
            code_.line("goto {};", label(state));
        } else {
            write_state(state);
        }
    }

    void write_state(StateId id) {
        State const& state = matcher_.states[id];
        if (state.kind == State::Kind::stuck) {
            target_.stuck(code_);
        } else if (state.kind == State::Kind::apply) {
            if (target_.apply(code_, id, state))
                request(state.otherwise);
        } else {
            if (state.position >= arity_)
                code_.line("{}", target_.load_tested(state.position, matcher_.positions[state.position]));
            for (TargetText::Switch const& one : target_.switches(state))
                write_switch(state, one);
        }
    }

    // The code of every case ends the function or jumps, so the next switch needs no `else`.
    void write_switch(State const& state, TargetText::Switch const& of) {
        if (!of.condition.empty())
            code_.line("if ({})", of.condition);
        auto const cases = code_.block("switch ({})", of.symbol);
        for (auto const& [symbol, next] : of.cases) {
            auto const one = code_.block("case {}:", symbol);
            write(next);
        }
        if (of.is_exhaustive) {
            code_.line("default: __builtin_unreachable();");
        } else {
            auto const others = code_.block("default:");
            write(state.otherwise);
        }
    }

    jit::CodeWriter& code_;
    Matcher const& matcher_;
    std::size_t arity_;
    TargetText& target_;
    std::vector<std::size_t> references_;
    std::vector<bool> written_;
    std::vector<StateId> requested_;
};

}  // namespace

std::string label(StateId state) { return "state_" + std::to_string(state); }
std::string position_name(PositionId position) { return "p" + std::to_string(position); }

void write_loads(jit::CodeWriter& code, Matcher const& matcher, std::vector<PositionId> const& positions,
                 TargetText const& target) {
    std::vector<bool> loaded(matcher.positions.size(), false);
    for (PositionId const position : positions) {
        std::vector<PositionId> path;
        for (PositionId at = position; matcher.positions[at].parent != TermPosition::top && !loaded[at];
             at = matcher.positions[at].parent) {
            path.push_back(at);
            loaded[at] = true;
        }
        for (; !path.empty(); path.pop_back())
            code.line("{}", target.load(path.back(), matcher.positions[path.back()]));
    }
}

void write_states(jit::CodeWriter& code, Matcher const& matcher, std::size_t arity, TargetText& target) {
    StateWriter(code, matcher, arity, target).run();
}

}  // namespace lockstep::term_rewriting::compiled
