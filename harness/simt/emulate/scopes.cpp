// Which braces open namespaces, classes and functions.

#include <algorithm>
#include <array>

#include "harness/simt/emulate/source.hpp"

namespace lockstep::simt::emulate {
namespace {

enum class Brace { name_space, type, function, other };

constexpr std::array<std::string_view, 9> attributes = {"alignas",    "__align__",         "__attribute__",
                                                        "__declspec", "__launch_bounds__", "decltype",
                                                        "noexcept",   "__maxnreg__",       "__cluster_dims__"};

bool contains(std::vector<Token> const& code, std::size_t begin, std::size_t end, std::string_view word) {
    return std::any_of(code.begin() + static_cast<std::ptrdiff_t>(begin),
                       code.begin() + static_cast<std::ptrdiff_t>(end),
                       [&](Token const& token) { return token.text == word; });
}

// The first token behind `template <...>`, for a declaration that begins at `at`.
std::size_t behind_template(std::vector<Token> const& code, std::size_t at, std::size_t end) {
    while (at < end && code[at].text == "template") {
        int depth = 0;
        for (++at; at < end; ++at) {
            if (code[at].text == "(" || code[at].text == "{") {
                at = closing(code, at);
                continue;
            }
            depth += code[at].text == "<" ? 1 : code[at].text == ">" ? -1 : 0;
            if (depth == 0) {
                ++at;
                break;
            }
        }
    }
    return std::min(at, end);
}

Brace kind_of(std::vector<Token> const& code, std::size_t begin, std::size_t brace) {
    if (contains(code, begin, brace, "namespace") ||
        (begin < brace && code[brace - 1].kind == TokenKind::literal && contains(code, begin, brace, "extern"))) {
        return Brace::name_space;
    }
    bool is_type = false;
    for (std::size_t i = behind_template(code, begin, brace); i < brace; ++i) {
        std::string_view const text = code[i].text;
        if (std::find(attributes.begin(), attributes.end(), text) != attributes.end()) {
            i = i + 1 < brace && code[i + 1].text == "(" ? closing(code, i + 1) : i;
        } else if (text == "operator" || text == "requires") {
            return Brace::function;
        } else if (text == "(") {
            return Brace::function;
        } else if (text == "=" || text == "enum") {
            return Brace::other;
        } else if (text == "struct" || text == "class" || text == "union") {
            is_type = true;
        }
    }
    return is_type ? Brace::type : Brace::other;
}

class Walk {
public:
    explicit Walk(Source const& source) : source_(source), code_(source.code) {}

    Scopes run() {
        std::size_t directive = 0;
        for (std::size_t i = 0; i < code_.size(); ++i) {
            while (directive < source_.directives.size() &&
                   source_.directives[directive].front().begin < code_[i].begin) {
                conditional(source_.directives[directive++]);
            }
            scopes_.at_namespace.push_back(at_namespace());
            token(i);
        }
        return std::move(scopes_);
    }

private:
    struct State {
        std::vector<Brace> braces;
        std::size_t statement = 0;
    };

    // Each branch of #if begins in the state before the #if, because only one of them is compiled.
    void conditional(std::vector<Token> const& directive) {
        std::string_view const word = directive.size() > 1 ? directive[1].text : "";
        if (word.substr(0, 2) == "if") {
            before_.push_back(state_);
        } else if ((word == "else" || word.substr(0, 4) == "elif") && !before_.empty()) {
            state_ = before_.back();
        } else if (word == "endif" && !before_.empty()) {
            before_.pop_back();
        }
    }

    void token(std::size_t i) {
        std::string_view const text = code_[i].text;
        if (text == "{") {
            // Braces in a function or in an initializer open nothing that matters, however deep they are.
            bool const inside = !state_.braces.empty() && state_.braces.back() >= Brace::function;
            Brace const kind = inside ? Brace::other : kind_of(code_, state_.statement, i);
            if (kind == Brace::function) {
                begin_function(i);
            }
            state_.braces.push_back(kind);
            if (kind != Brace::other) {
                state_.statement = i + 1;
            }
        } else if (text == "}" && !state_.braces.empty()) {
            Brace const kind = state_.braces.back();
            state_.braces.pop_back();
            if (kind == Brace::function && !open_.empty()) {
                scopes_.functions[open_.back()].close = i;
                open_.pop_back();
            }
            if (!in_function() && kind != Brace::other) {
                state_.statement = i + 1;
            }
        } else if (text == ";" && !in_function()) {
            state_.statement = i + 1;
        } else if (text == ":" && i > 0 && !in_function() &&
                   (code_[i - 1].text == "public" || code_[i - 1].text == "private" ||
                    code_[i - 1].text == "protected")) {
            state_.statement = i + 1;
        }
    }

    void begin_function(std::size_t open) {
        Function function{state_.statement, open, code_.size()};
        for (std::size_t i = state_.statement; i < open; ++i) {
            function.is_kernel |= code_[i].text == "__global__";
            function.is_device |= code_[i].text == "__device__";
            function.is_host |= code_[i].text == "__host__";
        }
        open_.push_back(scopes_.functions.size());
        scopes_.functions.push_back(function);
    }

    // Functions contain only braces of kind `other`, so the first brace that is no namespace or class tells.
    bool in_function() const {
        auto const first = std::find_if(state_.braces.begin(), state_.braces.end(),
                                        [](Brace brace) { return brace >= Brace::function; });
        return first != state_.braces.end() && *first == Brace::function;
    }
    bool at_namespace() const {
        return std::all_of(state_.braces.begin(), state_.braces.end(),
                           [](Brace brace) { return brace == Brace::name_space; });
    }

    Source const& source_;
    std::vector<Token> const& code_;
    Scopes scopes_;
    State state_;
    std::vector<State> before_;
    std::vector<std::size_t> open_;
};

}  // namespace

Scopes scopes_of(Source const& source) { return Walk(source).run(); }

Function const* Scopes::function_of(std::size_t token) const {
    for (Function const& function : functions) {
        if (function.open < token && token < function.close) {
            return &function;
        }
    }
    return nullptr;
}

}  // namespace lockstep::simt::emulate
