#include "baselines/term_rewriting/first_use/first_use_engine.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>

#include "common/term_rewriting/kept_input.hpp"
#include "harness/bench/error.hpp"

namespace lockstep::term_rewriting {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds poll_interval(2);  // of the compiler

// Returns true for an end that both engines would reach in some time.
bool decides(End end) { return end == End::finished || end == End::too_many_rewrites; }

// What is left of the limits of a run.
class Clocked {
public:
    explicit Clocked(Limits const& limits) : limits_(limits) {}

    double seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }
    bool is_over() const { return seconds() > limits_.seconds || limits_.stop.stop_requested(); }
    Limits left() const {
        Limits left = limits_;
        left.seconds = std::max(left.seconds - seconds(), 0.0);
        return left;
    }
    End end() const { return limits_.stop.stop_requested() ? End::stopped : End::out_of_time; }
    Outcome whole(Outcome outcome) const {
        outcome.seconds = seconds();
        return outcome;
    }

private:
    Limits const& limits_;
    Clock::time_point start_ = Clock::now();
};

class FirstUseEngine : public Engine {
public:
    explicit FirstUseEngine(FirstUse const& first_use) : first_use_(first_use) {}

    void load(Terms const& terms, TermId input) override {
        winner_ = nullptr;
        input_.reset();
        if (become_compiled()) {
            interpreting_.reset();
            compiled_->load(terms, input);
            return;
        }
        input_ = std::make_unique<KeptInput>(terms, input, first_use_.lasting);
        interprets_ = alone_ || input <= first_use_.largest_interpreted;
        if (interprets_)
            load_interpreting();
    }

    // A timed run has the compiled engine.
    void make_ready(Limits const& limits) override {
        while (!alone_ && !become_compiled())
            std::this_thread::sleep_for(poll_interval);
        if (compiled_)
            compiled_->make_ready(limits);
    }

    bool consumes_input() const override { return false; }
    void prepare() override {
        if (compiled_)
            compiled_->prepare();
    }

    Outcome run(Limits const& limits) override {
        winner_ = nullptr;
        Clocked const clocked(limits);
        raced_ = !become_compiled() && !alone_ && interprets_;
        Outcome so_far;
        so_far.applications.resize(first_use_.rules);
        if (raced_ && run_until_compiled(clocked, limits.stop, so_far))
            return clocked.whole(so_far);
        while (!alone_ && !become_compiled()) {
            if (clocked.is_over()) {
                so_far.end = clocked.end();
                return clocked.whole(so_far);
            }
            std::this_thread::sleep_for(poll_interval);
        }
        return compiled_ ? run_compiled(clocked) : run_alone(clocked);
    }

    TermId normal_form(Terms& terms) override { return winner_->normal_form(terms); }
    std::uint64_t normal_form_digest() override { return winner_->normal_form_digest(); }
    void write_normal_form(PrintStyle const& style, Write const& write) override {
        winner_->write_normal_form(style, write);
    }

    std::string found_by() const override {
        if (winner_ == nullptr)
            return {};
        if (alone_)
            return first_use_.interpreting_name + " alone: " + reason_;
        std::string const& interpreting = first_use_.interpreting_name;
        std::string const& compiled = first_use_.compiled_name;
        if (!raced_)
            return winner_->found_by();
        return winner_ == compiled_.get() ? compiled + " before " + interpreting : interpreting + " before " + compiled;
    }

    // Whether subterms wait is known once the compiled engine runs.
    std::optional<std::size_t> peak_waiting() const override {
        switch (phase_) {
            case Phase::compiled:
                return compiled_->peak_waiting();
            case Phase::interpreting:
                return 0;
            default:
                return std::nullopt;
        }
    }

    // False until the compiled engine exists, because the interpreting engine does not call Limits::watch.
    bool calls_watch() const override { return compiled_ != nullptr && compiled_->calls_watch(); }
    bool is_busy() override { return compiled_ != nullptr && compiled_->is_busy(); }

    bench::Metrics metrics() const override { return winner_ == nullptr ? bench::Metrics{} : winner_->metrics(); }

private:
    // What another thread may know of this one.
    enum class Phase { interpreting, compiled, alone };

    void load_interpreting() {
        if (interpreting_ == nullptr)
            interpreting_ = first_use_.make_interpreting();
        input_->load_into(*interpreting_);
        interprets_ = true;
    }

    // Returns true if the compiled engine exists, with the input.
    bool become_compiled() {
        if (compiled_ != nullptr)
            return true;
        if (alone_)
            return false;
        Readiness const readiness = first_use_.readiness();
        if (readiness == Readiness::pending)
            return false;
        if (readiness == Readiness::failed) {
            work_alone("the compiler failed");
            return false;
        }
        try {
            compiled_ = first_use_.make_compiled();
        } catch (bench::Error const& error) {
            work_alone(error.what());
            return false;
        }
        if (input_ != nullptr)
            input_->load_into(*compiled_);
        input_.reset();
        phase_ = Phase::compiled;
        return true;
    }

    void work_alone(std::string const& reason) {
        alone_ = true;
        reason_ = reason;
        phase_ = Phase::alone;
    }

    // Interprets until the compiled engine can be made. Returns false if that engine has to answer.
    bool run_until_compiled(Clocked const& clocked, std::stop_token const& stop, Outcome& outcome) {
        std::stop_source own;
        std::atomic<bool> is_ready = false;
        Limits limits = clocked.left();
        bool const is_cut = first_use_.interpreted_seconds < limits.seconds;
        limits.seconds = std::min(limits.seconds, first_use_.interpreted_seconds);
        limits.memory = std::min(limits.memory, first_use_.interpreted_memory);
        limits.stop = own.get_token();
        std::stop_callback const on_stop(stop, [&own] { own.request_stop(); });
        auto const watch = [&](std::stop_token const& over) {
            std::mutex mutex;
            std::condition_variable_any never;
            std::unique_lock lock(mutex);
            Readiness readiness = Readiness::pending;
            while (!over.stop_requested() && readiness == Readiness::pending) {
                never.wait_for(lock, over, poll_interval, [] { return false; });
                readiness = first_use_.readiness();
            }
            if (readiness == Readiness::ready) {
                is_ready = true;
                own.request_stop();
            }
        };
        std::jthread watcher;
        try {
            watcher = std::jthread(watch);
        } catch (std::system_error const&) {  // The system refuses threads: the compiler has the core.
            return false;
        }
        outcome = interpreting_->run(limits);
        watcher.request_stop();
        watcher.join();
        // Without a result, the run has ended by a request of the user, after a rule of Limits::stop_after, or because
        // the compiled engine is ready.
        bool const stopped = outcome.end == End::stopped && (stop.stop_requested() || !is_ready);
        bool const is_over = outcome.end == End::out_of_time && !is_cut;
        if (!decides(outcome.end) && !stopped && !is_over)
            return false;
        winner_ = interpreting_.get();
        return true;
    }

    Outcome run_compiled(Clocked const& clocked) {
        winner_ = compiled_.get();
        Outcome const outcome = compiled_->run(clocked.left());
        return raced_ ? clocked.whole(outcome) : outcome;
    }

    Outcome run_alone(Clocked const& clocked) {
        if (!interprets_)
            load_interpreting();
        winner_ = interpreting_.get();
        return clocked.whole(interpreting_->run(clocked.left()));
    }

    FirstUse const first_use_;
    std::unique_ptr<Engine> interpreting_;
    std::unique_ptr<Engine> compiled_;
    std::unique_ptr<KeptInput> input_;  // until the compiled engine has it
    bool interprets_ = false;           // the interpreting engine has the input
    bool alone_ = false;                // there will be no compiled engine
    std::string reason_;                // why
    bool raced_ = false;                // both could have given the last result
    Engine* winner_ = nullptr;
    std::atomic<Phase> phase_{Phase::interpreting};
};

}  // namespace

std::unique_ptr<Engine> make_first_use_engine(FirstUse const& first_use) {
    return std::make_unique<FirstUseEngine>(first_use);
}

}  // namespace lockstep::term_rewriting
