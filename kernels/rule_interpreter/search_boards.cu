// Variant `search_boards` (ours): all solutions of Sudoku puzzles by search on bit boards (search_kernel.hpp).

#include "common/rule_interpreter/job_case.hpp"
#include "kernels/rule_interpreter/ours.hpp"
#include "kernels/rule_interpreter/search.hpp"

namespace lockstep::rule_interpreter::LOCKSTEP_MACHINE {

namespace {

std::vector<Puzzle> puzzles_of(Job const& job) {
    std::vector<Puzzle> all;
    for (std::uint64_t i = 0; i < job.states; ++i)
        all.push_back(puzzle_of(job, job.first_state + i));
    return all;
}

class SearchCase : public bench::LOCKSTEP_MACHINE::StoredCase {
public:
    explicit SearchCase(bench::Problem const& problem)
        : StoredCase(problem, cpu::words_of_search),
          job_(job_of(problem)),
          search_(puzzles_of(job_), static_cast<unsigned>(solutions_sought)) {}

    void reset() override {
        StoredCase::reset();
        search_.reset();
        is_complete_ = false;
    }
    void run(simt::Stream stream) override { search_.run(stream); }
    bench::Work work() const override { return work_of(job_); }
    bool repeatable() const override { return false; }
    bool is_host_driven() const override { return true; }
    std::vector<simt::KernelAttributes> kernels() const override { return {search_.kernel()}; }

private:
    void complete() override {
        if (std::exchange(is_complete_, true))
            return;
        std::vector<unsigned> words;
        for (cpu::Solutions const& found : search_.solutions()) {
            bench::UnitResult const result = cpu::words_of(found);
            words.insert(words.end(), result.begin(), result.end());
        }
        output().upload(words);
    }

    Job job_;
    Search search_;
    bool is_complete_ = false;
};

}  // namespace

std::unique_ptr<bench::Case> make_search(bench::Problem const& problem) {
    return std::make_unique<SearchCase>(problem);
}

void add_search_boards(bench::Experiment& experiment) {
    experiment.variants.push_back(bench::LOCKSTEP_MACHINE::make_variant(
        "search_boards", bench::Role::ours, "sequential",
        "all solutions of a Sudoku by search on bit boards, three lanes per grid", make_search,
        [](bench::Axes const& axes) -> std::string {
            return axes.text("rules") == "search" ? "" : "it searches, and the rules do not";
        }));
}

}  // namespace lockstep::rule_interpreter::LOCKSTEP_MACHINE
