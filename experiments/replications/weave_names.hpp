#pragma once
// What names and brackets of C++ text say to the weaver: which names stand for a barrier, and which code belongs to
// another function than the one around it.

#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

namespace lockstep::replications {

// The macros of a file. A macro is what the names in it are, whichever of them is defined first.
class Macros {
public:
    // Reads the text after #define.
    void define(std::string_view macro);

    bool declares_kernel(std::string_view name) const { return kernels_.contains(name); }
    // True for attributes such as __launch_bounds__(32).
    bool is_attribute(std::string_view name) const { return attributes_.contains(name); }
    // True for a macro with a call, or an instruction in asm, that all lanes of a warp or block have to reach.
    bool needs_all_lanes(std::string_view name) const { return barriers_.contains(name); }
    // True if the text of some macro has the name.
    bool mention(std::string_view name) const { return users_.contains(name); }

private:
    using Names = std::set<std::string_view>;
    void mark(Names& names, std::string_view name);

    std::map<std::string_view, std::vector<std::string_view>> users_;  // of each name: macros
    Names kernels_;
    Names attributes_;
    Names barriers_;
};

// Other names for a barrier, as f after `auto f = __syncthreads;`, up to the end of the braces around them.
class Aliases {
public:
    void add(std::string_view name, int depth);
    void close(int depth);
    bool contains(std::string_view name) const { return counts_.contains(name); }

private:
    struct Alias {
        std::string_view name;
        int depth = 0;
    };
    std::vector<Alias> open_;
    std::map<std::string_view, unsigned> counts_;
};

// Follows the brackets of a text. The bodies of lambdas and of local classes are inner ones: their `return` leaves
// another function.
class Brackets {
public:
    int depth = 0;  // of braces
    int parentheses = 0;
    int square = 0;

    // Notes the character or the word at a position. Comments, literals and lines for the preprocessor are left out.
    // `before` is where the code before it ends.
    void follow(std::string_view text, std::size_t at, std::size_t before);
    bool in_inner_body() const { return inner_.has_value(); }
    // In the head of a lambda or local class.
    bool in_inner_head() const { return expected_; }
    // From here on, only bodies that follow are inner ones.
    void begin_function();

private:
    void expect_body();

    bool expected_ = false;  // the body of a lambda or class, at these brackets
    int expected_parentheses_ = 0;
    int expected_square_ = 0;
    std::optional<int> inner_;  // depth of the outermost inner body
};

// True for a function of CUDA that all lanes of a warp or block have to call, such as __syncthreads.
bool needs_all_lanes(std::string_view name);

// The first instruction of PTX in the text that all lanes have to execute, such as bar.sync. Empty if there is none.
std::string_view instruction_of_all_lanes(std::string_view text);

// True for the keyword before PTX.
bool is_asm(std::string_view name);

// True for an attribute that takes parentheses, such as __launch_bounds__.
bool is_attribute(std::string_view name);

// Where a text without comments ends before the spaces before a position.
std::size_t before_spaces(std::string_view text, std::size_t at);

// True if a name after this text is that of a member: the text ends with a dot, an arrow or two colons.
bool precedes_member(std::string_view text);

// True if a name is declared, as in `int i = 0`. `before` is the text before it, and `end` the position after it.
// Pointers and references are not found.
bool is_declared(std::string_view before, std::string_view text, std::size_t end);

// The name that is declared with a value, as f in `auto f = VALUE;`. Empty if none is. `before` is the text before the
// value, and `end` the position after it.
std::string_view alias_of(std::string_view before, std::string_view text, std::size_t end);

// The names of the parameters in the text of a kernel's declaration, and no other name that its body may use.
std::set<std::string_view> names_of_parameters(std::string_view declaration);

// The position of the parenthesis after the name of a function, or after the name and the arguments of a function
// template. npos if there is none. `end` is after the name. The second member is how far the text was read.
std::pair<std::size_t, std::size_t> parenthesis_after(std::string_view text, std::size_t end);

}  // namespace lockstep::replications
