#include "harness/bench/pattern.hpp"

#include <bitset>
#include <utility>

#include "harness/bench/error.hpp"

namespace lockstep::bench {

// A state either consumes a character of its set and goes on to the next state, or goes on at once. Targets are
// relative to the state, so that a part of a program can be copied.
struct Pattern::State {
    enum class Kind : unsigned char { character, jump, split, start_of_name, end_of_name, accept };
    Kind kind = Kind::accept;
    int first = 1;
    int second = 0;  // of a split
    std::bitset<256> characters{};
};

namespace {

using Characters = std::bitset<256>;

constexpr std::string_view special_characters = R"(\^$.|?*+()[]{})";

bool is_printable(char const c) { return c >= ' ' && c <= '~'; }
bool is_repetition(char const c) { return std::string_view("*+?{").find(c) != std::string_view::npos; }
bool is_digit(char const c) { return c >= '0' && c <= '9'; }
bool is_letter(char const c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

Characters from_to(char const first, char const last) {
    Characters set;
    for (int c = static_cast<unsigned char>(first); c <= static_cast<unsigned char>(last); ++c)
        set.set(static_cast<std::size_t>(c));
    return set;
}

Characters word_characters() { return from_to('a', 'z') | from_to('A', 'Z') | from_to('0', '9') | from_to('_', '_'); }

// A parser by recursive descent, whose depth is that of the parentheses. Each function returns the states of its part.
class PatternParser {
public:
    using State = Pattern::State;
    using States = std::vector<State>;
    using Kind = State::Kind;

    PatternParser(std::string_view const text, std::string const& origin) : text_(text), origin_(origin) {}

    States parse() {
        check_characters();
        States made = alternatives();
        if (at_ < text_.size())  // only ) ends the outermost alternatives
            fail(at_, "this ) closes nothing", advice_for(')'));
        append(made, {one(Kind::accept)});
        return made;
    }

private:
    [[noreturn]] void reject(std::string const& why, std::string const& advice) const {
        throw Error("invalid " + origin_ + " " + std::string(text_), why, advice);
    }
    [[noreturn]] void fail(std::size_t const at, std::string const& why, std::string const& advice) const {
        reject("character " + std::to_string(at + 1) + ": " + why, advice);
    }
    static std::string advice_for(char const c) { return std::string("write \\") + c + " for the character itself"; }

    void check_characters() const {
        if (text_.size() > Pattern::max_length) {
            reject("it has " + std::to_string(text_.size()) + " characters, the limit is " +
                       std::to_string(Pattern::max_length),
                   "shorten it");
        }
        for (std::size_t i = 0; i < text_.size(); ++i) {
            if (!is_printable(text_[i]))
                fail(i, "not a printable ASCII character", "names have letters, digits and underscores");
        }
    }

    bool next_is(std::string_view const what) const { return text_.substr(at_, what.size()) == what; }
    bool take(char const c) {
        bool const found = at_ < text_.size() && text_[at_] == c;
        at_ += found ? 1 : 0;
        return found;
    }

    static State one(Kind const kind) {
        State state;
        state.kind = kind;
        return state;
    }
    static State to(Kind const kind, std::size_t const first, std::size_t const second = 0) {
        State state = one(kind);
        state.first = static_cast<int>(first);
        state.second = static_cast<int>(second);
        return state;
    }
    static States any_of(Characters const& characters) {
        State state = one(Kind::character);
        state.characters = characters;
        return {state};
    }
    void append(States& states, States const& more) const {
        if (states.size() + more.size() > Pattern::max_states)
            fail(at_ - 1, "the repetitions up to here are too many", "use fewer or smaller repetitions");
        states.insert(states.end(), more.begin(), more.end());
    }

    // a|b|c
    States alternatives() {
        States made = sequence();
        while (take('|')) {
            States const other = sequence();
            States either = {to(Kind::split, 1, made.size() + 2)};
            append(either, made);
            append(either, {to(Kind::jump, other.size() + 1)});
            append(either, other);
            made = std::move(either);
        }
        return made;
    }

    States sequence() {
        States made;
        while (at_ < text_.size() && text_[at_] != '|' && text_[at_] != ')')
            append(made, repeated());
        return made;
    }

    // An atom and the repetition that follows it.
    States repeated() {
        bool const is_end_of_name = text_[at_] == '^' || text_[at_] == '$';
        States const once = atom();
        std::size_t const at = at_;
        if (at_ == text_.size() || !is_repetition(text_[at_]))
            return once;
        if (is_end_of_name)
            fail(at, "an end of the name cannot be repeated", advice_for(text_[at]));
        States const made = take('*')   ? copies(once, 0, unbounded)
                            : take('+') ? copies(once, 1, unbounded)
                            : take('?') ? copies(once, 0, 1)
                                        : counted(once);
        if (at_ < text_.size() && is_repetition(text_[at_]))
            fail(at_, "this repeats a repetition", "put the first one in parentheses");
        return made;
    }

    static constexpr std::size_t unbounded = Pattern::max_repeat + 1;

    // {m}, {m,} or {m,n}
    States counted(States const& once) {
        std::size_t const at = at_++;
        std::size_t const least = number(at);
        std::size_t const most = !take(',') ? least : next_is("}") ? unbounded : number(at);
        if (!take('}'))
            fail(at, "this { begins no repetition such as {2} or {2,4}", advice_for('{'));
        if (most < least)
            fail(at, "this repetition has a maximum below its minimum", "swap the numbers");
        return copies(once, least, most);
    }

    std::size_t number(std::size_t const brace) {
        if (at_ == text_.size() || !is_digit(text_[at_]))
            fail(brace, "this { begins no repetition such as {2} or {2,4}", advice_for('{'));
        std::size_t value = 0;
        for (; at_ < text_.size() && is_digit(text_[at_]); ++at_) {
            value = 10 * value + static_cast<std::size_t>(text_[at_] - '0');
            if (value > Pattern::max_repeat)
                fail(brace, "more than " + std::to_string(Pattern::max_repeat) + " repetitions",
                     "use * or + for any number");
        }
        return value;
    }

    // `least` copies, then either a loop or a copy for each further time, which can be skipped.
    States copies(States const& once, std::size_t const least, std::size_t const most) const {
        States made;
        for (std::size_t i = 0; i < least; ++i)
            append(made, once);
        bool const loops = most == unbounded;
        for (std::size_t i = least; i < (loops ? least + 1 : most); ++i) {
            append(made, {to(Kind::split, 1, once.size() + (loops ? 2 : 1))});
            append(made, once);
        }
        if (loops) {
            State back = one(Kind::jump);
            back.first = -static_cast<int>(once.size() + 1);
            append(made, {back});
        }
        return made;
    }

    // A character, a set, a group or an end of the name.
    States atom() {
        std::size_t const at = at_;
        char const c = text_[at_++];
        if (c == '(')
            return group(at);
        if (c == '[')
            return any_of(bracketed(at));
        if (c == '\\')
            return any_of(escaped());
        if (c == '.')
            return any_of(~Characters());
        if (c == '^' || c == '$')
            return {one(c == '^' ? Kind::start_of_name : Kind::end_of_name)};
        if (is_repetition(c))
            fail(at, std::string("nothing stands before this ") + c + " to be repeated", advice_for(c));
        if (special_characters.find(c) != std::string_view::npos)
            fail(at, std::string("this ") + c + " closes nothing", advice_for(c));
        return any_of(from_to(c, c));
    }

    States group(std::size_t const at) {
        if (next_is("?!") || next_is("?=") || next_is("?<"))
            fail(at, "lookahead and lookbehind are not supported", "use except to leave names out");
        if (next_is("?"))
            fail(at, "groups of a special kind are not supported", "write ( alone");
        if (++depth_ > Pattern::max_depth)
            fail(at, "more than " + std::to_string(Pattern::max_depth) + " parentheses inside each other",
                 "leave some out");
        States made = alternatives();
        --depth_;
        if (!take(')'))
            fail(at, "this ( is not closed", advice_for('('));
        return made;
    }

    // What follows a backslash.
    Characters escaped() {
        std::size_t const at = at_ - 1;
        if (at_ == text_.size())
            fail(at, "nothing follows this \\", advice_for('\\'));
        char const c = text_[at_++];
        Characters const digits = from_to('0', '9');
        Characters const spaces = from_to('\t', '\r') | from_to(' ', ' ');
        switch (c) {
            case 'd':
                return digits;
            case 'D':
                return ~digits;
            case 'w':
                return word_characters();
            case 'W':
                return ~word_characters();
            case 's':
                return spaces;
            case 'S':
                return ~spaces;
            default:
                break;
        }
        if (is_letter(c) || is_digit(c))
            fail(at, std::string("\\") + c + " is not supported", R"(choose from \d, \w, \s, \D, \W, \S)");
        return from_to(c, c);
    }

    // What follows [, up to ].
    Characters bracketed(std::size_t const at) {
        bool const negated = take('^');
        Characters set;
        while (at_ < text_.size() && text_[at_] != ']') {
            std::size_t const first_at = at_;
            auto const [first, is_one] = member();
            set |= first;
            if (!next_is("-") || next_is("-]"))
                continue;
            ++at_;
            if (at_ == text_.size())
                break;
            char const low = text_[at_ - 2];
            auto const [last, last_is_one] = member();
            char const high = text_[at_ - 1];
            if (!is_one || !last_is_one || low > high)
                fail(first_at, "this range does not go from a character to a later one", advice_for('-'));
            set |= from_to(low, high);
        }
        if (!take(']'))
            fail(at, "this [ is not closed", advice_for('['));
        if (set.none())
            fail(at, "this set is empty", advice_for('['));
        return negated ? ~set : set;
    }

    // A member of a set, and whether it is a single character, which can be an end of a range.
    std::pair<Characters, bool> member() {
        char const c = text_[at_++];
        if (c == '[')
            fail(at_ - 1, "a set inside a set is not supported", advice_for('['));
        Characters const set = c == '\\' ? escaped() : from_to(c, c);
        return {set, set.count() == 1};
    }

    std::string_view text_;
    std::string const& origin_;
    std::size_t at_ = 0;
    std::size_t depth_ = 0;
};

}  // namespace

Pattern::Pattern(std::string_view const text, std::string const& origin)
    : states_(std::make_shared<std::vector<State> const>(PatternParser(text, origin).parse())) {}

std::size_t Pattern::states() const { return states_->size(); }

Pattern::Simulation Pattern::simulate(std::string_view const name, bool const anywhere) const {
    std::vector<State> const& states = *states_;
    Simulation result;
    std::vector<std::size_t> reached(states.size(), name.size() + 1);  // the last position at which a state was reached
    std::vector<std::size_t> current;                                  // states that consume a character
    std::vector<std::size_t> next;
    std::vector<std::size_t> pending;
    bool accepted = false;
    // Adds a state and all that it goes on to at once. A state counts once per position, so loops end.
    auto const reach = [&](std::size_t const start, std::size_t const position, std::vector<std::size_t>& list) {
        pending.push_back(start);
        while (!pending.empty()) {
            std::size_t const at = pending.back();
            pending.pop_back();
            if (std::exchange(reached[at], position) == position)
                continue;
            ++result.steps;
            State const& state = states[at];
            auto const target = [at](int distance) { return at + static_cast<std::size_t>(distance); };
            switch (state.kind) {
                case State::Kind::character:
                    list.push_back(at);
                    break;
                case State::Kind::split:
                    pending.push_back(target(state.second));
                    [[fallthrough]];
                case State::Kind::jump:
                    pending.push_back(target(state.first));
                    break;
                case State::Kind::start_of_name:
                    if (position == 0)
                        pending.push_back(at + 1);
                    break;
                case State::Kind::end_of_name:
                    if (position == name.size())
                        pending.push_back(at + 1);
                    break;
                case State::Kind::accept:
                    accepted = accepted || anywhere || position == name.size();
                    break;
            }
        }
    };
    reach(0, 0, current);
    for (std::size_t i = 0; i < name.size() && !accepted; ++i) {
        for (std::size_t const at : current) {
            if (states[at].characters.test(static_cast<unsigned char>(name[i])))
                reach(at + 1, i + 1, next);
        }
        if (anywhere)
            reach(0, i + 1, next);
        current.swap(next);
        next.clear();
    }
    result.found = accepted;
    return result;
}

}  // namespace lockstep::bench
