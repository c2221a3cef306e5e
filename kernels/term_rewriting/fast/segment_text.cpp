#include "kernels/term_rewriting/fast/step_text.hpp"

namespace lockstep::term_rewriting::fast {

namespace {

using Kind = PlanNode::Kind;

// Writes one segment of a body.
class SegmentText {
public:
    SegmentText(Generator& generator, Body const& body, unsigned segment, unsigned pc, std::string indent)
        : generator_(generator),
          plan_(body.plan),
          body_(body),
          segment_(segment),
          indent_(std::move(indent)),
          pc_(pc) {}

    std::string run(std::vector<std::string> const& variables, std::vector<std::string> const& fixed) {
        names_.resize(size());
        check_room();
        if (segment_ == 0 && body_.counter)
            line("lane.count(" + number(*body_.counter) + ");");
        for (unsigned node = 0; node < size(); ++node)
            name(node, variables);
        for (unsigned const node : plan_.made(segment_))
            write_node(node);
        bool const last = segment_ + 1 == plan_.segments();
        if (last && body_.after == 0) {
            finish();
            return std::move(text_);
        }
        if (segment_ + 2 == plan_.segments() && plan_.hole()) {
            hold();
            return std::move(text_);
        }
        bool const group = !last && segment_ + 1 < plan_.group_end(segment_ + 1);
        write_frame(fixed, frame_top(last ? body_.after : body_.awaiting[segment_], plan_.words(), group));
        if (last) {
            pass({plan_.roots()[0], plan_.roots()[1]});
            line("lane.pc = pc_equal;");
        } else {
            call(plan_.issued(segment_));
        }
        return std::move(text_);
    }

private:
    unsigned size() const { return plan_.size(); }
    void line(std::string const& text) { text_ += indent_ + text + "\n"; }
    std::string slot(unsigned index) const { return "lane.frame(" + number(plan_.words() - index) + ")"; }

    void check_room() {
        std::size_t granules = 0;
        for (unsigned const node : plan_.made(segment_))
            granules += granules_of(plan_.node(node).arguments.size());
        bool const holds = segment_ + 2 == plan_.segments() && plan_.hole();
        for (unsigned const node : plan_.made(plan_.segments() - 1))
            granules += holds ? granules_of(plan_.node(node).arguments.size()) : 0;
        if (granules != 0) {
            line("if (!lane.room(" + number(granules) + "))");
            line("    return;");
        }
        unsigned words = segment_ == 0 && plan_.has_frame() ? plan_.words() : 0;
        if (holds)
            words = segment_ == 0 ? fill_words : fill_words > plan_.words() ? fill_words - plan_.words() : 0;
        if (words != 0) {
            line("if (!lane.stack_room(" + number(words) + "))");
            line("    return;");
        }
    }

    // How the node is called in this segment, once it is known.
    void name(unsigned node, std::vector<std::string> const& variables) {
        PlanNode const& of = plan_.node(node);
        if (of.kind == Kind::constant) {
            names_[node] = number(of.head);
        } else if (plan_.born(node) > segment_) {
            names_[node].clear();
        } else if (plan_.born(node) == segment_ && segment_ == 0 && of.kind == Kind::variable) {
            names_[node] = variables[of.head];
        } else {
            names_[node] = "v" + std::to_string(node);
            if (plan_.born(node) == segment_) {
                if (of.kind != Kind::made)
                    line("unsigned const " + names_[node] + " = lane.a[0];");
            } else if (plan_.slot(node)) {
                line("unsigned const " + names_[node] + " = " + slot(*plan_.slot(node)) + ";");
            }
        }
    }

    void write_node(unsigned node) {
        PlanNode const& of = plan_.node(node);
        std::vector<std::string> words = {number(of.head)};
        for (unsigned const argument : of.arguments)
            words.push_back(names_[argument]);
        words.resize((words.size() + 3) / 4 * 4, "0");
        line("unsigned const " + names_[node] + " = lane.take(" + number(words.size() / 4) + ");");
        for (std::size_t i = 0; i < words.size(); i += 4) {
            line("lane.put(" + names_[node] + (i == 0 ? "" : " + " + number(i / 4)) + ", " + words[i] + ", " +
                 words[i + 1] + ", " + words[i + 2] + ", " + words[i + 3] + ");");
        }
    }

    // What this segment adds to the frame, and where the lane goes on once the next value is there.
    void write_frame(std::vector<std::string> const& fixed, unsigned top) {
        if (segment_ == 0) {
            line("lane.sp += " + number(plan_.words()) + ";");
            for (unsigned index = 0; index < fixed.size(); ++index)
                line(slot(index) + " = " + fixed[index] + ";");
        }
        for (unsigned node = 0; node < size(); ++node) {
            bool const written = segment_ == 0 && plan_.slot(node) && *plan_.slot(node) < fixed.size();
            if (plan_.node(node).kind != Kind::constant && plan_.born(node) == segment_ && plan_.slot(node) && !written)
                line(slot(*plan_.slot(node)) + " = " + names_[node] + ";");
        }
        line("lane.frame(1) = " + number(top) + ";");
    }

    // The nodes that the last value is part of are there before it is.
    void hold() {
        unsigned const issued = plan_.issued(segment_);
        names_[issued] = "0u";
        for (unsigned const node : plan_.made(segment_ + 1)) {
            names_[node] = "v" + std::to_string(node);
            write_node(node);
        }
        if (segment_ != 0)
            line("lane.sp -= " + number(plan_.words()) + ";");
        line("lane.hold(" + names_[plan_.roots()[0]] + ", " + names_[plan_.hole()->node] + ", " +
             number(plan_.hole()->argument + 1) + ");");
        call(issued);
    }

    void pass(std::vector<unsigned> const& nodes) {
        for (unsigned i = 0; i < nodes.size(); ++i)
            line("lane.a[" + std::to_string(i) + "] = " + names_[nodes[i]] + ";");
    }

    void call(unsigned node) {
        PlanNode const& of = plan_.node(node);
        // Names in registers that are being written: only the arguments of the step's own symbol, which are copies.
        pass(of.arguments);
        unsigned const entry = generator_.entry_of(of.head);
        line("lane.pc = " + number(entry) + ";");
        if (generator_.joins(pc_, entry, of.head))
            line(step_name(entry) + "(lane);");
    }

    void finish() {
        if (segment_ != 0)
            line("lane.sp -= " + number(plan_.words()) + ";");
        unsigned const root = plan_.roots()[0];
        if (plan_.tail_call())
            call(root);
        else
            line("lane.give(" + names_[root] + ");");
    }

    Generator& generator_;
    Plan const& plan_;
    Body const& body_;
    unsigned segment_;
    std::string indent_;
    unsigned pc_;
    std::vector<std::string> names_;
    std::string text_;
};

}  // namespace

std::string segment_text(Generator& generator, Body const& body, unsigned segment, unsigned pc,
                         std::string const& indent, std::vector<std::string> const& variables,
                         std::vector<std::string> const& fixed) {
    return SegmentText(generator, body, segment, pc, indent).run(variables, fixed);
}

}  // namespace lockstep::term_rewriting::fast
