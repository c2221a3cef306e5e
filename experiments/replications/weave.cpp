#include "experiments/replications/weave.hpp"

#include <algorithm>
#include <cctype>
#include <optional>
#include <set>
#include <string_view>

#include "experiments/replications/weave_annotations.hpp"
#include "experiments/replications/weave_names.hpp"
#include "experiments/replications/weave_source.hpp"
#include "experiments/replications/weave_tokens.hpp"
#include "harness/bench/error.hpp"
#include "harness/bench/pattern.hpp"

namespace lockstep::replications {

namespace {

using Kind = Annotation::Kind;

// The names that an annotation with an index declares.
struct Loop {
    unsigned line = 0;
    std::string index;
    std::string stream;
};

// What the weaver knows at a position. Branches of an #if begin with the same place.
struct Place : Brackets {
    std::vector<Annotation> pending;  // before a kernel whose body has not begun
    bool global = false;              // __global__ has occurred since the first of them
    bool declares = false;            // __global__ has occurred since the last statement
    std::size_t declared_at = 0;      // where it did
    std::size_t body_at = 0;          // where the declaration ended; 0 outside of a kernel
    int kernel_depth = 0;             // of its body
    std::string_view function;        // the last name before a parenthesis that is not that of an attribute
    std::size_t function_end = 0;     // where its parenthesis is
    std::size_t arguments_end = 0;    // of the latest template
    bool is_named = false;            // what follows the parameters is no name of a function
    bool in_asm = false;
    std::vector<Annotation> body;  // of the kernel whose body is open
    int body_depth = 0;
    std::optional<Annotation> part;  // of the open @warp: begin
    int part_depth = 0;
    std::optional<Loop> loop;  // of the body or part

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
        code_step();
        if (std::isspace(static_cast<unsigned char>(c)) == 0)
            code_end_ = at_;
    }

    void code_step() {
        char const c = text_[at_];
        if (c == '"' || c == '\'')
            return literal();
        if (c == '}')
            return close_brace();
        place_.follow(text_, at_, code_end_);
        if (is_name_character(c))
            return word();
        if (c == '{')
            return open_brace();
        place_.in_asm &= c != ';';
        place_.is_named |= follows("->") && place_.parentheses == 0;
        if (c == ';' && place_.parentheses == 0) {
            if (!place_.pending.empty())
                fail_before_kernel("the next statement has no body");
            place_.declares = false;
        }
        copy(1);
    }

    void literal() {
        std::size_t const from = at_;
        unsigned const line = line_;
        copy_literal();
        see_literal(text_.substr(from, at_ - from), line);
    }
    void see_literal(std::string_view text, unsigned line) const {
        std::string_view const instruction = place_.in_asm ? instruction_of_all_lanes(text) : std::string_view();
        if (!instruction.empty())
            refuse_barrier(instruction, line);
    }

    // Copies a line for the preprocessor, whose braces do not count.
    void directive() {
        std::string_view const line = text_.substr(at_, end_of_logical_line() - at_);
        std::string_view const rest = trimmed(line.substr(1));
        std::string_view const word = word_at(rest, 0);
        if (word == "define")
            macros_.define(trimmed(rest.substr(word.size())));
        else if (word == "include")
            names_loop_ = true;  // perhaps, in the included text
        else if (word.starts_with("if"))
            branches_.push_back({place_, std::nullopt, false});
        else if (word.starts_with("el") && !branches_.empty())
            next_branch(word == "else");
        else if (word == "endif" && !branches_.empty())
            end_branches();
        copy_directive(line);
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
    void see(std::string_view name) {
        if (name == "__global__" || macros_.declares_kernel(name)) {
            place_.global = true;
            place_.declares = true;
            place_.declared_at = at_;
            place_.function = name == "__global__" ? std::string_view() : name;  // of a macro with the whole kernel
            place_.function_end = at_;
            place_.is_named = false;
        }
        if (place_.declares && place_.parentheses == 0 && place_.square == 0)
            see_in_declaration(name);
        place_.in_asm |= is_asm(name);
        std::string_view const before = text_.substr(0, code_end_);
        if (is_barrier(name, before)) {
            refuse_barrier(name, line_);
            std::string_view const alias = alias_of(before, text_, at_ + name.size());
            // The name before a value in braces is outside of them.
            if (!alias.empty())
                aliases_.add(alias, place_.depth - (text_[text_.find_last_of("={", at_)] == '{' ? 1 : 0));
        }
        if (name == "return" && !place_.in_inner_body())
            refuse_return(line_);
        if (is_loop_name(name) && !precedes_member(before))
            see_loop_name(name);
    }
    bool is_loop_name(std::string_view name) const {
        return place_.loop && !name.empty() && (name == place_.loop->index || name == place_.loop->stream);
    }

    // The kernel's name is the last one before a parenthesis, but attributes may precede and follow it.
    void see_in_declaration(std::string_view name) {
        bool const is_macro = macros_.is_attribute(name) && !macros_.declares_kernel(name);
        if (place_.is_named || is_macro || is_attribute(name) || at_ < place_.function_end)
            return;
        if (name == "noexcept" || name == "requires") {
            place_.is_named = true;
            return;
        }
        std::size_t const end = at_ + name.size();
        // Arguments of a template are read once, not again from each template among them.
        std::size_t const next = text_.find_first_not_of(" \t\r\n", end);
        if (at_ < place_.arguments_end && next != text_.npos && text_[next] == '<')
            return;
        auto const [parenthesis, seen] = parenthesis_after(text_, end);
        place_.arguments_end = std::max(place_.arguments_end, seen);
        if (parenthesis == text_.npos)
            return;
        place_.function = name;
        place_.function_end = parenthesis;
    }

    void see_loop_name(std::string_view name) {
        names_loop_ = true;
        // A lambda's variables are its own.
        if (place_.in_inner_body() || place_.in_inner_head() ||
            !is_declared(text_.substr(0, code_end_), text_, at_ + name.size()))
            return;
        fail(line_, std::string(name) + " is declared twice",
             "it would hide the " + std::string(name == place_.loop->index ? "index" : "stream") +
                 " of the annotation in line " + std::to_string(place_.loop->line),
             "Rename one of them.");
    }

    // True if the name after the text is, or stands for, what all lanes have to reach.
    bool is_barrier(std::string_view name, std::string_view before) const {
        return needs_all_lanes(name) || macros_.needs_all_lanes(name) ||
               (aliases_.contains(name) && !precedes_member(before));
    }

    void refuse_barrier(std::string_view name, unsigned line,
                        std::string const& suggestion = "End the part before it, or use @warp(cooperative).") const {
        for (Annotation const* const annotation : enclosing()) {
            if (annotation->disables_lanes())
                fail(line, std::string(name) + " in a part that some lanes skip",
                     "the annotation in line " + std::to_string(annotation->line) + " disables the other lanes",
                     suggestion);
        }
    }

    void refuse_return(unsigned line) const {
        for (Annotation const* const annotation : enclosing()) {
            if (annotation->loops())
                fail(line, "return in a part that is repeated",
                     "the other replications of the lane, from line " + std::to_string(annotation->line) +
                         ", would not run",
                     "Use continue.");
        }
    }

    // The code of an annotation runs within @warp if it is after it.
    void check_code(Annotation const& annotation) {
        std::string const code = code_of(annotation);
        Brackets brackets;
        bool in_asm = false;
        for (std::size_t at = 0; at < code.size();) {
            std::size_t const from = at;
            std::string_view const name = word_at(code, at);
            std::string_view const before = std::string_view(code).substr(0, before_spaces(code, at));
            brackets.follow(code, at, before.size());
            bool const literal = name.empty() && (code[at] == '"' || code[at] == '\'');
            // The literals of an annotation's code are closed.
            at = literal ? past_literal(code, at) : at + std::max<std::size_t>(name.size(), 1);
            in_asm |= is_asm(name);
            std::string_view const instruction =
                literal && in_asm ? instruction_of_all_lanes(std::string_view(code).substr(from, at - from))
                                  : std::string_view();
            std::string const advice = "Write the annotation before @warp, or use @warp(cooperative).";
            if (is_barrier(name, before))
                refuse_barrier(name, annotation.line, advice);
            if (!instruction.empty())
                refuse_barrier(instruction, annotation.line, advice);
            // The code of @after is that of a lambda.
            if (name == "return" && annotation.kind == Kind::before && !brackets.in_inner_body())
                refuse_return(annotation.line);
            names_loop_ |= is_loop_name(name) && !annotation.is_warp() && !precedes_member(before);
        }
    }

    // From here on, the annotation's names are those of the text.
    void begin_loop(Annotation const& annotation) {
        if (!annotation.loops())
            return;
        place_.loop = Loop{annotation.line, annotation.index, annotation.stream};
        names_loop_ = false;
        if (parameters_at_ != place_.body_at) {
            parameters_at_ = place_.body_at;
            parameters_ = names_of_parameters(text_.substr(place_.declared_at, place_.body_at - place_.declared_at));
        }
        for (std::string const& name : {annotation.index, annotation.stream}) {
            if (parameters_.contains(name))
                fail(annotation.line, name + " is declared twice",
                     "it would hide the parameter " + name + " of the kernel", "Rename one of them.");
        }
    }
    void end_loop() {
        if (!place_.loop)
            return;
        Loop const& loop = *place_.loop;
        if (!names_loop_ && !macros_.mention(loop.index) && (loop.stream.empty() || !macros_.mention(loop.stream))) {
            std::string const what = loop.stream.empty()
                                         ? "the index " + loop.index + " is"
                                         : "the index " + loop.index + " and the stream " + loop.stream + " are";
            fail(loop.line, what + " not used", "all replications would be equal",
                 "Give the names that the kernel uses.");
        }
        place_.loop.reset();
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
        see(name);
        copy(name.size());
        if (!opens_raw_string(name))
            return;
        std::size_t const from = at_;
        unsigned const line = line_;
        copy_raw_string();
        see_literal(text_.substr(from, at_ - from), line);
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
        place_.begin_function();
        begin_loop(annotation);
        check_code(annotation);
        out_ += opening_of(annotation, ++openings_);
    }

    void end_part() {
        if (!place_.part)
            fail(line_, "@warp: end has no @warp: begin", "");
        if (place_.depth != place_.part_depth) {
            fail(line_, "@warp: end is misplaced",
                 "its @warp: begin in line " + std::to_string(place_.part_line()) + " is in another pair of braces");
        }
        end_loop();
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
        if (place_.parentheses != 0)
            return;
        if (place_.declares) {
            place_.body_at = at_;
            place_.kernel_depth = place_.depth;
        }
        if (place_.declares && place_.body.empty())
            advise();
        place_.declares = false;
        if (place_.pending.empty())
            return;
        if (!place_.global)
            fail_before_kernel("the next function is not __global__");
        std::vector<Annotation> const annotations = std::move(place_.pending);
        place_.pending.clear();
        place_.body_depth = place_.depth;
        place_.begin_function();
        for (Annotation const& annotation : annotations) {
            place_.body.push_back(annotation);
            begin_loop(annotation);
            check_code(annotation);
            out_ += opening_of(annotation, ++openings_);
        }
    }

    // Annotates the kernel as the pointcuts that match its name say. Annotations of the source come first.
    void advise() {
        std::string const function(place_.function);
        if (function.empty())
            return;
        matches_.kernels.insert(function);
        for (std::size_t number = 0; number < pointcuts_.size(); ++number) {
            Pointcut const& pointcut = pointcuts_[number];
            if (!pointcut.pattern.matches(function))
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
            end_loop();
            for (auto annotation = place_.body.rbegin(); annotation != place_.body.rend(); ++annotation)
                out_ += closing_of(*annotation);
            place_.body.clear();
        }
        if (place_.parentheses == 0) {
            place_.declares = false;
            if (place_.depth == place_.kernel_depth)
                place_.declared_at = place_.body_at = 0;
        }
        place_.follow(text_, at_, code_end_);
        aliases_.close(place_.depth);
        copy(1);
    }

    std::vector<Pointcut> pointcuts_;
    Matches& matches_;
    unsigned openings_ = 0;     // that are inserted so far
    std::size_t code_end_ = 0;  // of what was read, without the comments and spaces behind it
    Place place_;
    std::vector<Branches> branches_;  // of the #ifs around this position
    Macros macros_;
    Aliases aliases_;
    bool names_loop_ = false;  // the text since the loop's begin names its index or stream
    std::size_t parameters_at_ = 0;
    std::set<std::string_view> parameters_;  // of the kernel whose body begins there
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
