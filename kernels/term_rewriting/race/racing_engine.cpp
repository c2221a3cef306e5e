#include "kernels/term_rewriting/race/racing_engine.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <ctime>
#include <exception>
#include <future>
#include <mutex>
#include <utility>

#include "harness/threads/pool.hpp"

namespace lockstep::term_rewriting {

namespace {

using Clock = std::chrono::steady_clock;

double since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

double processor_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

// Returns true for an end that both engines would reach.
bool decides(End end) { return end == End::finished || end == End::too_many_rewrites; }

class RacingEngine : public Engine {
public:
    RacingEngine(Racer const& first, Racer const& second, RaceOptions const& options)
        : options_(options), first_(first.name), second_(second.name), make_second_(second.make) {
        first_.engine = first.make();
        if (options_.alone == 0)
            make_second();
    }

    ~RacingEngine() override { rest(); }

    void load(Terms const& terms, TermId input) override {
        rest();
        ready_ = false;
        winner_ = nullptr;
        if (second_.engine == nullptr && make_second_) {
            later_terms_ = terms;
            later_input_ = input;
        }
        std::future<void> second;  // its destructor waits if the first engine throws
        if (second_.engine != nullptr)
            second = std::async(std::launch::async, [&] { attempt([&] { second_.engine->load(terms, input); }); });
        first_.engine->load(terms, input);
    }

    // Also makes the second engine, unless that was done or failed before.
    void make_ready(Limits const& limits) override {
        rest();
        ready_ = true;
        make_second();
        first_.engine->make_ready(limits);
        if (second_.engine != nullptr)
            attempt([&] { second_.engine->make_ready(limits); });
    }

    // The loser may still use the input when a run ends. prepare() waits until it has stopped, so that the next run
    // does not have to.
    bool consumes_input() const override { return true; }
    void prepare() override {
        rest();
        first_.engine->prepare();
        first_.thread.rouse();
    }

    Outcome run(Limits const& limits) override {
        rest();
        began_ = false;
        if (!ready_ && options_.alone > 0 && (second_.engine != nullptr || make_second_)) {
            Outcome const outcome = run_alone(limits);
            if (decides(outcome.end) || limits.seconds <= options_.alone)
                return outcome;
        }
        make_ready(limits);
        if (second_.engine != nullptr)
            return race(limits);
        winner_ = &first_;
        return first_.engine->run(limits);
    }

    TermId normal_form(Terms& terms) override { return winner_->engine->normal_form(terms); }
    void write_normal_form(PrintStyle const& style, Write const& write) override {
        winner_->engine->write_normal_form(style, write);
    }

    std::uint64_t normal_form_digest() override { return winner_->engine->normal_form_digest(); }

    std::string found_by() const override {
        if (winner_ == nullptr)
            return {};
        if (!refused_.empty())
            return winner_->name + " alone: " + refused_;
        return winner_->name + (began_ ? " before " + (winner_ == &first_ ? second_.name : first_.name) : " alone");
    }

    bench::Metrics metrics() const override {
        return {{"second_began", bench::Metric::varying(began_ ? 1 : 0)},
                {"second_won", bench::Metric::varying(winner_ == &second_ ? 1 : 0)}};
    }

private:
    // One of the two engines, with its thread and its result.
    struct Runner {
        explicit Runner(std::string given) : name(std::move(given)) {}

        std::string name;
        std::unique_ptr<Engine> engine;
        bool done = true;
        Outcome outcome;
        std::exception_ptr error;
        double ended = 0;  // seconds from the start
        std::stop_source stop;
        // Not pinned, because an engine may create threads.
        threads::Pool thread{1, threads::Pool::Placement::free};
    };

    // Waits until neither engine runs. After a race the loser may still run for a moment.
    void rest() {
        stop_both();
        for (Runner* const runner : {&first_, &second_})
            runner->thread.wait();
        if (second_.error != nullptr) {
            std::exception_ptr const error = std::exchange(second_.error, nullptr);
            attempt([&] { std::rethrow_exception(error); });
        }
    }

    void stop_both() {
        first_.stop.request_stop();
        second_.stop.request_stop();
    }

    static std::string reason(std::exception_ptr const& error) {
        try {
            std::rethrow_exception(error);
        } catch (std::exception const& known) {
            return known.what();
        } catch (...) {
            return "an unknown error";
        }
    }

    // Performs an action on the second engine, and drops that engine if it throws.
    template <class Action>
    void attempt(Action const& action) {
        try {
            action();
        } catch (...) {
            refused_ = reason(std::current_exception());
            second_.engine.reset();
            make_second_ = nullptr;
        }
    }

    void make_second() {
        if (!make_second_)
            return;
        attempt([this] {
            second_.engine = make_second_();
            if (later_terms_)
                second_.engine->load(*later_terms_, later_input_);
        });
        make_second_ = nullptr;
        later_terms_.reset();
    }

    Outcome run_alone(Limits limits) {
        limits.seconds = std::min(limits.seconds, options_.alone);
        winner_ = &first_;
        return first_.engine->run(limits);
    }

    Outcome race(Limits const& limits) {
        double const processors = processor_seconds();
        start_ = Clock::now();
        begin(first_, limits, 0);
        begin(second_, limits, options_.head_start);
        std::stop_callback const on_stop(limits.stop, [this] { stop_both(); });
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [this] { return decided(first_) || decided(second_) || (first_.done && second_.done); });
        winner_ = decided(second_) && (!decided(first_) || second_.ended < first_.ended) ? &second_ : &first_;
        // If neither engine has finished, an outcome is more useful than an error.
        if (winner_->error != nullptr && second_.error == nullptr)
            winner_ = &second_;
        stop_both();
        if (second_.done && second_.error != nullptr)
            refused_ = reason(second_.error);
        if (winner_->error != nullptr)
            std::rethrow_exception(winner_->error);
        Outcome outcome = winner_->outcome;
        outcome.seconds = winner_->ended;
        outcome.processor_seconds = processor_seconds() - processors;
        return outcome;
    }

    static bool decided(Runner const& runner) {
        return runner.done && runner.error == nullptr && decides(runner.outcome.end);
    }

    void begin(Runner& runner, Limits limits, double delay) {
        runner.done = false;
        runner.error = nullptr;
        runner.outcome = {};
        runner.stop = std::stop_source();
        limits.stop = runner.stop.get_token();
        runner.thread.start(1, [this, &runner, limits, delay](std::size_t) mutable {
            Outcome outcome;
            std::exception_ptr error;
            try {
                if (delay == 0 || wait_for(limits.stop, delay)) {
                    limits.seconds -= delay;
                    outcome = runner.engine->run(limits);
                } else {
                    outcome.end = End::stopped;
                }
            } catch (...) {
                error = std::current_exception();
            }
            std::unique_lock const lock(mutex_);
            runner.ended = since(start_);
            runner.outcome = std::move(outcome);
            runner.error = error;
            runner.done = true;
            changed_.notify_all();
        });
    }

    // Waits until the second engine should start. Returns false if the race is decided before that.
    bool wait_for(std::stop_token const& stop, double delay) {
        std::unique_lock lock(mutex_);
        auto const over = [&] { return stop.stop_requested() || first_.done; };
        changed_.wait_for(lock, std::chrono::duration<double>(delay), over);
        bool const begins = !stop.stop_requested() && !decided(first_);
        began_ = begins;
        return begins;
    }

    RaceOptions options_;
    Runner first_;
    Runner second_;
    std::function<std::unique_ptr<Engine>()> make_second_;  // empty after it was called
    std::optional<Terms> later_terms_;                      // input for a second engine that is not made yet
    TermId later_input_ = 0;
    bool ready_ = false;   // both engines, for this input
    std::string refused_;  // why there is no second engine
    Runner* winner_ = nullptr;
    std::atomic<bool> began_{false};  // the second engine has started

    Clock::time_point start_;
    std::mutex mutex_;
    std::condition_variable changed_;
};

}  // namespace

std::unique_ptr<Engine> make_racing_engine(Racer const& first, Racer const& second, RaceOptions const& options) {
    return std::make_unique<RacingEngine>(first, second, options);
}

}  // namespace lockstep::term_rewriting
