#include "common/term_rewriting/compiler/state_text.hpp"

namespace lockstep::term_rewriting::compiled {

namespace {

// Compilers bound how deep blocks may nest.
constexpr std::size_t max_depth = 24;

class StateWriter {
public:
    StateWriter(Matcher const& matcher, std::size_t arity, TargetText& target)
        : matcher_(matcher), arity_(arity), target_(target), references_(matcher.states.size(), 0) {
        for (State const& state : matcher.states) {
            if (state.kind == State::Kind::branch) {
                ++references_[state.otherwise];
                for (auto const& one : state.cases)
                    ++references_[one.second];
            }
        }
        written_.assign(matcher.states.size(), false);
    }

    std::string run() {
        write(matcher_.start, 1);
        while (!requested_.empty()) {
            StateId const state = requested_.back();
            requested_.pop_back();
            text_ += label(state) + ":\n";
            write_state(state, 1);
        }
        return std::move(text_);
    }

private:
    void request(StateId state) {
        if (!written_[state])
            requested_.push_back(state);
        written_[state] = true;
    }

    static std::string indent(std::size_t depth) { return std::string(4 * depth, ' '); }

    void write(StateId state, std::size_t depth) {
        bool const simple = matcher_.states[state].kind == State::Kind::stuck;
        if (!simple && (references_[state] >= 2 || depth > max_depth)) {
            request(state);
            text_ += indent(depth) + "goto " + label(state) + ";\n";
        } else {
            write_state(state, depth);
        }
    }

    void write_state(StateId id, std::size_t depth) {
        State const& state = matcher_.states[id];
        if (state.kind == State::Kind::stuck) {
            text_ += target_.stuck(indent(depth));
        } else if (state.kind == State::Kind::apply) {
            std::string const applied = target_.apply(id, state, indent(depth));
            text_ += applied;
            if (applied.find("goto " + label(state.otherwise) + ";") != applied.npos)
                request(state.otherwise);  // where a condition fails
        } else {
            if (state.position >= arity_)
                text_ += indent(depth) + target_.load(state.position, matcher_.positions[state.position]) + "\n";
            text_ += indent(depth) + "switch (" + target_.symbol(state.position) + ") {\n";
            for (auto const& [symbol, next] : state.cases) {
                text_ += indent(depth + 1) + "case " + std::to_string(symbol) + ": {\n";
                write(next, depth + 2);
                text_ += indent(depth + 1) + "}\n";
            }
            text_ += indent(depth + 1) + "default: {\n";
            write(state.otherwise, depth + 2);
            text_ += indent(depth + 1) + "}\n" + indent(depth) + "}\n";
        }
    }

    Matcher const& matcher_;
    std::size_t arity_;
    TargetText& target_;
    std::vector<std::size_t> references_;
    std::vector<bool> written_;
    std::vector<StateId> requested_;
    std::string text_;
};

}  // namespace

std::string label(StateId state) { return "state_" + std::to_string(state); }
std::string position_name(PositionId position) { return "p" + std::to_string(position); }

std::string load_positions(Matcher const& matcher, std::vector<PositionId> const& positions, TargetText const& target,
                           std::string const& indent) {
    std::vector<bool> loaded(matcher.positions.size(), false);
    std::string text;
    for (PositionId const position : positions) {
        std::vector<PositionId> path;
        for (PositionId at = position; matcher.positions[at].parent != TermPosition::top && !loaded[at];
             at = matcher.positions[at].parent) {
            path.push_back(at);
            loaded[at] = true;
        }
        for (; !path.empty(); path.pop_back())
            text += indent + target.load(path.back(), matcher.positions[path.back()]) + "\n";
    }
    return text;
}

std::string state_text(Matcher const& matcher, std::size_t arity, TargetText& target) {
    return StateWriter(matcher, arity, target).run();
}

}  // namespace lockstep::term_rewriting::compiled
