#include "experiments/replications/weave.hpp"

#include <cctype>
#include <optional>
#include <set>
#include <string_view>

#include "experiments/replications/weave_annotations.hpp"
#include "experiments/replications/weave_source.hpp"
#include "experiments/replications/weave_tokens.hpp"
#include "harness/bench/error.hpp"
#include "harness/bench/pattern.hpp"

namespace lockstep::replications {

namespace {

using Kind = Annotation::Kind;

// What the weaver knows at a position. Branches of an #if begin with the same place.
struct Place {
    int depth = 0;
    int parentheses = 0;
    std::vector<Annotation> pending;  // before a kernel whose body has not begun
    bool global = false;              // __global__ has occurred since the first of them
    bool declares = false;            // __global__ has occurred since the last statement
    std::string function;             // the last name before a parenthesis
    std::vector<Annotation> body;     // of the kernel whose body is open
    int body_depth = 0;
    std::optional<Annotation> part;  // of the open @warp: begin
    int part_depth = 0;

    unsigned pending_line() const { return pending.empty() ? 0 : pending.front().line; }
    unsigned body_line() const { return body.empty() ? 0 : body.front().line; }
    unsigned part_line() const { return part ? part->line : 0; }
};

struct Branches {
    Place before;                // of the #if
    std::optional<Place> first;  // after its first branch
    bool has_else = false;
};

// Advice with its compiled pattern.
struct Pointcut {
    bench::Pattern pattern;
    Annotation annotation;
};

class Weaver : private SourceCopier {
public:
    Weaver(std::string_view text, std::string file, std::vector<Pointcut> pointcuts, Matches& matches)
        : SourceCopier(text, std::move(file)), pointcuts_(std::move(pointcuts)), matches_(matches) {}

    std::string woven() {
        while (at_ < text_.size())
            step();
        if (!place_.pending.empty())
            fail_before_kernel("the file ends");
        if (place_.part)
            fail(place_.part_line(), "@warp: begin has no @warp: end", "the file ends");
        if (!place_.body.empty())
            fail(place_.body_line(), "the kernel of " + mark_of(place_.body.front()) + " has no end",
                 "its braces do not match");
        return out_;
    }

private:
    [[noreturn]] void fail_before_kernel(std::string const& why) const {
        fail(place_.pending_line(), mark_of(place_.pending.front()) + " does not precede a kernel", why);
    }

    void step() {
        char const c = text_[at_];
        if (c == '#' && begins_line())
            return directive();
        if (follows("//"))
            return line_comment();
        if (follows("/*"))
            return copy_past("*/", 2);
        if (c == '"' || c == '\'')
            return copy_literal();
        if (is_name_character(c))
            return word();
        place_.parentheses += c == '(' ? 1 : c == ')' ? -1 : 0;
        if (c == '{')
            return open_brace();
        if (c == '}')
            return close_brace();
        if (c == ';' && place_.parentheses == 0) {
            if (!place_.pending.empty())
                fail_before_kernel("the next statement has no body");
            place_.declares = false;
        }
        copy(1);
    }

    // Copies a line for the preprocessor, whose braces do not count.
    void directive() {
        std::string_view const line = text_.substr(at_, end_of_logical_line() - at_);
        std::string_view const rest = trimmed(line.substr(1));
        std::string_view const word = word_at(rest, 0);
        if (word == "define")
            define(trimmed(rest.substr(word.size())));
        else if (word.starts_with("if"))
            branches_.push_back({place_, std::nullopt, false});
        else if (word.starts_with("el") && !branches_.empty())
            next_branch(word == "else");
        else if (word == "endif" && !branches_.empty())
            end_branches();
        copy_directive(line);
    }

    // A macro of this file may declare a kernel, or contain what not all lanes may skip.
    void define(std::string_view macro) {
        std::string_view const name = word_at(macro, 0);
        for (std::size_t at = name.size(); at < macro.size();) {
            std::string_view const word = word_at(macro, at);
            if (word == "__global__" || kernel_macros_.contains(word))
                kernel_macros_.insert(name);
            if (needs_all_lanes(word) || barrier_macros_.contains(word))
                barrier_macros_.insert(name);
            at += word.empty() ? 1 : word.size();
        }
    }

    // Notes how the first branch of the #if ends. The others have to end in the same way where it matters.
    void end_branch(Place const& end) {
        Branches& branches = branches_.back();
        if (!branches.first)
            branches.first = end;
        Place const& first = *branches.first;
        bool const same = first.pending_line() == end.pending_line() && first.body_line() == end.body_line() &&
                          first.part_line() == end.part_line();
        bool const annotated = !end.body.empty() || end.part || !end.pending.empty();
        if (!same || (annotated && first.depth != end.depth))
            fail(line_, "the branches of #if differ", "an annotated part has to begin and to end in each of them");
    }
    void next_branch(bool is_else) {
        end_branch(place_);
        branches_.back().has_else |= is_else;
        place_ = branches_.back().before;
    }
    // Without #else, the text without any branch is one more.
    void end_branches() {
        end_branch(place_);
        if (!branches_.back().has_else)
            end_branch(branches_.back().before);
        place_ = *branches_.back().first;
        branches_.pop_back();
    }

    // Notes what a name says about the text around it.
    void see(std::string_view name, std::size_t length) {
        if (name == "__global__" || kernel_macros_.contains(name)) {
            place_.global = true;
            place_.declares = true;
        }
        std::size_t next = at_ + length;
        while (next < text_.size() && std::isspace(static_cast<unsigned char>(text_[next])) != 0)
            ++next;
        if (place_.parentheses == 0 && name != "__launch_bounds__" && next < text_.size() && text_[next] == '(')
            place_.function = name;
        if (!needs_all_lanes(name) && !barrier_macros_.contains(name) && name != "return")
            return;
        for (Annotation const* const annotation : enclosing()) {
            if (name == "return" && annotation->loops())
                fail(line_, "return in a part that is repeated",
                     "the other replications of the lane, from line " + std::to_string(annotation->line) +
                         ", would not run",
                     "Use continue.");
            if (name != "return" && annotation->disables_lanes())
                fail(line_, std::string(name) + " in a part that some lanes skip",
                     "the annotation in line " + std::to_string(annotation->line) + " disables the other lanes",
                     "End the part before it, or use @warp(cooperative).");
        }
    }
    std::vector<Annotation const*> enclosing() const {
        std::vector<Annotation const*> all;
        for (Annotation const& annotation : place_.body) {
            if (annotation.is_warp())
                all.push_back(&annotation);
        }
        if (place_.part)
            all.push_back(&*place_.part);
        return all;
    }

    // Copies a name, or a number with its digit separators. A prefix R before a quote opens a raw string.
    void word() {
        std::string_view const name = word_at(text_, at_);
        see(name, name.size());
        copy(name.size());
        if (opens_raw_string(name))
            copy_raw_string();
    }

    void line_comment() {
        std::size_t const end = end_of_logical_line();
        std::string_view comment = text_.substr(at_, end - at_);
        while (!comment.empty() && comment.front() == '/')
            comment.remove_prefix(1);
        std::optional<Annotation> found;
        try {
            found = annotation_of(comment, line_);
        } catch (NoAnnotation const& error) {
            fail(line_, error.problem, error.why);
        }
        if (!found)
            return copy(end - at_);
        at_ = end;
        if (found->kind == Kind::begin)
            begin_part(*found);
        else if (found->kind == Kind::end)
            end_part();
        else
            annotate_kernel(*found);
    }

    void annotate_kernel(Annotation const& annotation) {
        refuse_inside(mark_of(annotation));
        if (place_.pending.empty())
            place_.global = false;
        for (Annotation const& other : place_.pending) {
            if (annotation.is_warp() && other.is_warp())
                fail(line_, "@warp appears twice before a kernel", "first in line " + std::to_string(other.line));
        }
        place_.pending.push_back(annotation);
    }

    void begin_part(Annotation const& annotation) {
        if (!place_.pending.empty())
            fail(line_, "@warp: begin is misplaced", "a kernel is expected after " + mark_of(place_.pending.front()));
        refuse_inside("@warp: begin");
        if (place_.depth == 0)
            fail(line_, "@warp: begin is misplaced", "it is not in a body");
        place_.part = annotation;
        place_.part_depth = place_.depth;
        out_ += opening_of(annotation, ++openings_);
    }

    void end_part() {
        if (!place_.part)
            fail(line_, "@warp: end has no @warp: begin", "");
        if (place_.depth != place_.part_depth) {
            fail(line_, "@warp: end is misplaced",
                 "its @warp: begin in line " + std::to_string(place_.part_line()) + " is in another pair of braces");
        }
        out_ += closing_of(*place_.part);
        place_.part.reset();
    }

    void refuse_inside(std::string const& what) const {
        if (place_.part)
            fail(line_, what + " is nested", "in the part that begins in line " + std::to_string(place_.part_line()));
        // A part may be in a kernel with other advice.
        bool const is_part = what == "@warp: begin";
        for (Annotation const& annotation : place_.body) {
            if (annotation.is_warp() || !is_part)
                fail(line_, what + " is nested", "in the kernel annotated in line " + std::to_string(annotation.line));
        }
    }

    void open_brace() {
        copy(1);
        ++place_.depth;
        if (place_.parentheses != 0)
            return;
        if (place_.declares && place_.body.empty())
            advise();
        place_.declares = false;
        if (place_.pending.empty())
            return;
        if (!place_.global)
            fail_before_kernel("the next function is not __global__");
        place_.body = std::move(place_.pending);
        place_.pending.clear();
        place_.body_depth = place_.depth;
        for (Annotation const& annotation : place_.body)
            out_ += opening_of(annotation, ++openings_);
    }

    // Annotates the kernel as the pointcuts that match its name say. Annotations of the source come first.
    void advise() {
        matches_.kernels.insert(place_.function);
        for (std::size_t number = 0; number < pointcuts_.size(); ++number) {
            Pointcut const& pointcut = pointcuts_[number];
            if (!pointcut.pattern.matches(place_.function))
                continue;
            matches_.advice.insert(number);
            Annotation annotation = pointcut.annotation;
            annotation.line = line_;
            annotate_kernel(annotation);
            place_.global = true;
        }
    }

    void close_brace() {
        if (!place_.pending.empty() && place_.parentheses == 0)
            fail_before_kernel("a brace closes after it");
        if (place_.part && place_.depth == place_.part_depth) {
            fail(place_.part_line(), "@warp: begin has no @warp: end",
                 "its body ends in line " + std::to_string(line_));
        }
        if (!place_.body.empty() && place_.depth == place_.body_depth) {
            for (auto annotation = place_.body.rbegin(); annotation != place_.body.rend(); ++annotation)
                out_ += closing_of(*annotation);
            place_.body.clear();
        }
        --place_.depth;
        place_.declares = false;
        copy(1);
    }

    std::vector<Pointcut> pointcuts_;
    Matches& matches_;
    unsigned openings_ = 0;  // that are inserted so far
    Place place_;
    std::vector<Branches> branches_;  // of the #ifs around this position
    std::set<std::string_view> kernel_macros_;
    std::set<std::string_view> barrier_macros_;
};

}  // namespace

std::string weave(std::string const& text, std::string const& file, std::vector<Advice> const& advice,
                  Matches* matches) {
    std::vector<Pointcut> pointcuts;
    for (Advice const& one : advice) {
        std::optional<Annotation> annotation;
        try {
            annotation = annotation_of(one.annotation, 0);
        } catch (NoAnnotation const& error) {
            throw bench::Error(error.problem, error.why);
        }
        if (!annotation || annotation->kind == Kind::begin || annotation->kind == Kind::end)
            throw bench::Error("unknown annotation '" + one.annotation + "'", "advice is an annotation of kernels",
                               "Try wlp_.*=@warp.");
        pointcuts.push_back({bench::Pattern(one.pattern, "--advise"), *annotation});
    }
    Matches ignored;
    return Weaver(text, file, std::move(pointcuts), matches == nullptr ? ignored : *matches).woven();
}

}  // namespace lockstep::replications
