#include "harness/simt/ceil_div.hpp"
#include "kernels/term_rewriting/fast/step_text.hpp"

namespace lockstep::term_rewriting::fast {

namespace {

using Kind = PlanNode::Kind;

// Writes one segment of a body.
class SegmentText {
public:
    SegmentText(jit::CodeWriter& code, Generator& generator, Body const& body, unsigned segment, unsigned pc,
                Loop const* loop)
        : code_(code), generator_(generator), plan_(body.plan), body_(body), segment_(segment), pc_(pc), loop_(loop) {}

    void run(std::vector<std::string> const& variables, std::vector<std::string> const& fixed) {
        names_.resize(size());
        // A step that gives its value to another frame of its own kind goes on there.
        bool const gives = segment_ != 0 && segment_ + 1 == plan_.segments() && !plan_.tail_call() && body_.after == 0;
        returns_ = gives && generator_.options().loops > 1;
        if (returns_) {
            code_.line("unsigned const own = lane.pc;");
            code_.line("unsigned repeats = {}u;", generator_.options().loops);
            code_.label("again");
        }
        check_room();
        if (segment_ == 0 && body_.counter)
            code_.line("lane.count({}u);", *body_.counter);
        for (unsigned node = 0; node < size(); ++node)
            name(node, variables);
        for (unsigned const node : plan_.made(segment_))
            write_node(node);
        bool const last = segment_ + 1 == plan_.segments();
        if (last && body_.after == 0) {
            finish();
            return;
        }
        if (segment_ + 2 == plan_.segments() && plan_.hole()) {
            hold();
            return;
        }
        bool const group = !last && segment_ + 1 < plan_.group_end(segment_ + 1);
        write_frame(fixed, frame_top(last ? body_.after : body_.awaiting[segment_], plan_.words(), group));
        if (last) {
            pass({plan_.roots()[0], plan_.roots()[1]});
            code_.line("lane.pc = pc_equal;");
        } else {
            call(plan_.issued(segment_));
        }
    }

private:
    unsigned size() const { return plan_.size(); }
    std::string slot(unsigned index) const { return fmt::format("lane.frame({}u)", plan_.words() - index); }

    void check_room() {
        std::size_t granules = 0;
        for (unsigned const node : plan_.made(segment_))
            granules += granules_of(plan_.node(node).arguments.size());
        bool const holds = segment_ + 2 == plan_.segments() && plan_.hole();
        for (unsigned const node : plan_.made(plan_.segments() - 1))
            granules += holds ? granules_of(plan_.node(node).arguments.size()) : 0;
        if (granules != 0) {
            code_.line("if (!lane.room({}u))", granules);
            code_.line("    return;");
        }
        unsigned words = segment_ == 0 && plan_.has_frame() ? plan_.words() : 0;
        if (holds)
            words = segment_ == 0 ? fill_words : fill_words > plan_.words() ? fill_words - plan_.words() : 0;
        if (words != 0) {
            code_.line("if (!lane.stack_room({}u))", words);
            code_.line("    return;");
        }
    }

    // Sets the node's name in this segment, which is empty until the node exists.
    void name(unsigned node, std::vector<std::string> const& variables) {
        PlanNode const& of = plan_.node(node);
        if (of.kind == Kind::constant) {
            names_[node] = number(of.head);
        } else if (plan_.born(node) > segment_) {
            names_[node].clear();
        } else if (plan_.born(node) == segment_ && segment_ == 0 && of.kind == Kind::variable) {
            names_[node] = variables[of.head];
        } else {
            names_[node] = fmt::format("v{}", node);
            if (plan_.born(node) == segment_) {
                if (of.kind != Kind::made)
                    code_.line("unsigned const {} = lane.a[0];", names_[node]);
            } else if (plan_.slot(node)) {
                code_.line("unsigned const {} = {};", names_[node], slot(*plan_.slot(node)));
            }
        }
    }

    void write_node(unsigned node) {
        PlanNode const& of = plan_.node(node);
        std::vector<std::string> words = {number(of.head)};
        for (unsigned const argument : of.arguments)
            words.push_back(names_[argument]);
        words.resize(simt::round_up(words.size(), 4u), "0");
        code_.line("unsigned const {} = lane.take({}u);", names_[node], words.size() / 4);
        write_words(code_, names_[node], words);
    }

    // Writes what this segment adds to the frame, and where the lane continues with the next value.
    void write_frame(std::vector<std::string> const& fixed, unsigned top) {
        if (segment_ == 0) {
            code_.line("lane.sp += {}u;", plan_.words());
            for (unsigned index = 0; index < fixed.size(); ++index)
                code_.line("{} = {};", slot(index), fixed[index]);
        }
        for (unsigned node = 0; node < size(); ++node) {
            bool const written = segment_ == 0 && plan_.slot(node) && *plan_.slot(node) < fixed.size();
            if (plan_.node(node).kind != Kind::constant && plan_.born(node) == segment_ && plan_.slot(node) && !written)
                code_.line("{} = {};", slot(*plan_.slot(node)), names_[node]);
        }
        code_.line("lane.frame(1) = {}u;", top);
    }

    // Makes the nodes that contain the last value before the call that returns it.
    void hold() {
        unsigned const issued = plan_.issued(segment_);
        names_[issued] = "0u";
        for (unsigned const node : plan_.made(segment_ + 1)) {
            names_[node] = fmt::format("v{}", node);
            write_node(node);
        }
        if (segment_ != 0)
            code_.line("lane.sp -= {}u;", plan_.words());
        code_.line("lane.hold({}, {}, {}u);", names_[plan_.roots()[0]], names_[plan_.hole()->node],
                   plan_.hole()->argument + 1);
        call(issued);
    }

    void pass(std::vector<unsigned> const& nodes) {
        for (unsigned i = 0; i < nodes.size(); ++i)
            code_.line("lane.a[{}] = {};", i, names_[nodes[i]]);
    }

    void call(unsigned node) {
        PlanNode const& of = plan_.node(node);
        // Overwriting registers is safe: the only names for registers are the arguments of the step's own symbol, and
        // those are copies.
        pass(of.arguments);
        unsigned const entry = generator_.entry_of(of.head);
        code_.line("lane.pc = {}u;", entry);
        if (loop_ != nullptr && loop_->pc == entry) {
            code_.line("if (--repeats != 0) goto again;");
        } else if (generator_.joins(pc_, entry, of.head)) {
            code_.line("{}(lane);", step_name(entry));
            go_on_after_return();
        }
    }

    // The joined call may have its value already.
    void go_on_after_return() {
        if (segment_ + 1 == plan_.segments() || !generator_.joins_return(pc_, body_.awaiting[segment_]))
            return;
        unsigned const awaiting = body_.awaiting[segment_];
        code_.line("if (lane.pc == {}u) {}(lane);", awaiting, step_name(awaiting));
        if (loop_ != nullptr)
            code_.line("if (lane.pc == {}u && --repeats != 0) goto again;", loop_->pc);
    }

    void finish() {
        if (segment_ != 0)
            code_.line("lane.sp -= {}u;", plan_.words());
        unsigned const root = plan_.roots()[0];
        if (plan_.tail_call())
            call(root);
        else
            code_.line("lane.give({});", names_[root]);
        if (returns_)
            code_.line("if (lane.pc == own && --repeats != 0) goto again;");
    }

    jit::CodeWriter& code_;
    Generator& generator_;
    Plan const& plan_;
    Body const& body_;
    unsigned segment_;
    unsigned pc_;
    Loop const* loop_;
    bool returns_ = false;
    std::vector<std::string> names_;
};

}  // namespace

void write_words(jit::CodeWriter& code, std::string const& node, std::vector<std::string> const& words) {
    for (std::size_t i = 0; i < words.size(); i += 4) {
        code.line("lane.put({}{}, {}, {}, {}, {});", node, i == 0 ? "" : " + " + number(i / 4), words[i], words[i + 1],
                  words[i + 2], words[i + 3]);
    }
}

void write_segment(jit::CodeWriter& code, Generator& generator, Body const& body, unsigned segment, unsigned pc,
                   std::vector<std::string> const& variables, std::vector<std::string> const& fixed, Loop const* loop) {
    if (body.walk)
        write_walk(code, body, variables, loop);
    else
        SegmentText(code, generator, body, segment, pc, loop).run(variables, fixed);
}

}  // namespace lockstep::term_rewriting::fast
