#pragma once
// The annotations of `lockstep weave`, and what they become.
//
//   // @warp            before a kernel: one lane of each warp runs its body, `warpIdx` is the warp's number in the
//   grid
//   // @warp: begin     the same for a part of a body ...
//   // @warp: end       ... up to here
//   // @before: CODE    before a kernel: every thread runs the statement CODE first
//   // @after: CODE     ... last, wherever the kernel returns
//   // @count: LVALUE   ... adds 1 to this unsigned long long
//   // @time: LVALUE    ... adds the cycles of its run to this unsigned long long (GPU only)
//
// `///@warp` is accepted too. Several annotations before a kernel are nested in their order: @count after @warp counts
// active lanes. @warp takes options in parentheses:
//
//   lanes=K            the first K lanes of each warp are active, and warpIdx numbers the active lanes of the grid
//   cooperative        all lanes are active; laneIdx is the lane's number in the warp
//   index=I, size=N    repeats the body for I = warpIdx, and on in steps of the grid, below N; `continue` and `break`
//                      end one replication
//   stream=S, engine=E, seed=X    E S = E::stream(X, I, 0): the random stream of replication I

#include <optional>
#include <string>
#include <string_view>

namespace lockstep::replications {

struct Annotation {
    enum class Kind { kernel, begin, end, before, after, count, time };

    Kind kind = Kind::kernel;
    unsigned line = 0;
    std::string code;  // of before, after, count and time
    unsigned lanes = 1;
    bool cooperative = false;
    std::string index;
    std::string size;
    std::string stream;
    std::string engine;
    std::string seed;

    bool is_warp() const { return kind == Kind::kernel || kind == Kind::begin; }
    // True if some lanes of a warp skip the text.
    bool disables_lanes() const { return is_warp() && !cooperative; }
    bool loops() const { return !index.empty(); }
};

// Why a comment that looks like an annotation is none.
struct NoAnnotation {
    std::string problem;
    std::string why;
};

// Reads the text of a comment without its slashes. Returns nothing for other comments. Throws NoAnnotation.
std::optional<Annotation> annotation_of(std::string_view comment, unsigned line);

// "@warp", "@before" and so on, for messages.
std::string mark_of(Annotation const& annotation);

// What is inserted where the annotated text begins, and where it ends. Both are on one line. Names in it have the
// number `unique`, because several annotations of a kernel may be on one line.
std::string opening_of(Annotation const& annotation, unsigned unique);
std::string closing_of(Annotation const& annotation);

// The code of the annotation that runs where the annotation stands. Empty if it has none.
std::string code_of(Annotation const& annotation);

}  // namespace lockstep::replications
