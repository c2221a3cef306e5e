#include "kernels/term_rewriting/race/racing_engine.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <future>
#include <mutex>
#include <optional>
#include <utility>

#include "common/term_rewriting/kept_input.hpp"
#include "harness/simt/devices.hpp"
#include "harness/threads/pool.hpp"
#include "kernels/term_rewriting/race/runner.hpp"

namespace lockstep::term_rewriting {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds poll_interval(5);  // of the number of subterms that wait in the first engine

double since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

class RacingEngine : public Engine {
public:
    RacingEngine(Racer const& first, Racer const& second, RaceOptions const& options)
        : options_(options),
          first_(first.name),
          second_(second.name),
          opening_(second.opening),
          make_second_(second.make) {
        first_.engine = first.make();
        if (options_.alone == 0)
            make_second();
    }

    ~RacingEngine() override { rest(); }

    void load(Terms const& terms, TermId input) override {
        stop_both();
        first_.thread.wait();
        ready_ = false;
        winner_ = nullptr;
        std::future<void> second;  // its destructor waits if the first engine throws
        if (options_.alone != 0) {
            input_ = std::make_shared<KeptInput>(terms, input, options_.lasting);
        } else {
            rest();
            if (second_.engine != nullptr)
                second = std::async(std::launch::async, [&] {
                    attempt([&] {
                        use_own_device();
                        second_.engine->load(terms, input);
                    });
                });
        }
        first_.engine->load(terms, input);
    }

    // Also makes the second engine, unless that was done or failed before.
    void make_ready(Limits const& limits) override {
        rest();
        ready_ = true;
        make_second();
        first_.engine->make_ready(limits);
        if (second_.engine != nullptr) {
            attempt([&] {
                give_input(input_);
                second_.engine->make_ready(limits);
            });
        }
    }

    // The loser may still use the input when a run ends. prepare() waits until it has stopped, so that the next run
    // does not have to.
    bool consumes_input() const override { return true; }
    void prepare() override {
        rest();
        second_.thread.rouse();  // first: there may be many threads to wake
        first_.engine->prepare();
        if (!first_.engine->calls_watch())
            first_.thread.rouse();
    }

    Outcome run(Limits const& limits) override {
        began_ = false;
        joined_ = false;
        stopper_.wait();
        // The system may refuse threads.
        if (first_.thread.threads() == 0 || second_.thread.threads() == 0) {
            winner_ = &first_;
            return first_.engine->run(limits);
        }
        if (!ready_ && options_.alone != 0)
            return race_from_one(limits);
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

    bool is_busy() override {
        std::unique_lock const lock(mutex_);
        return !first_.done || !second_.done || first_.engine->is_busy();
    }

private:
    // Called on the runner's thread. Returns false if the engine shall not run.
    using Before = std::function<bool(Limits const&)>;

    // Waits until neither engine runs. After a race the loser may still run for a moment.
    void rest() {
        stopper_.wait();  // before the next run, which it would stop
        stop_both();
        for (Runner* const runner : {&first_, &second_})
            runner->thread.wait();
        drop_failed_second();
    }

    // Precondition: the second engine does not run.
    void drop_failed_second() {
        if (second_.error != nullptr) {
            std::exception_ptr const error = std::exchange(second_.error, nullptr);
            attempt([&] { std::rethrow_exception(error); });
        }
    }

    void stop_both() {
        std::unique_lock const lock(stop_mutex_);
        first_.stop.request_stop();
        second_.stop.request_stop();
    }

    // Asking a running GPU to stop takes longer than the result should wait, so another thread asks. An engine that is
    // still being opened is asked at once, before its next step. Precondition: this thread holds mutex_.
    void stop_losers() {
        if (second_.done || !began_ || stopper_.threads() == 0) {
            stop_both();
            return;
        }
        stopper_.start(1, [this](std::size_t) { stop_both(); });
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
            open_for_second({});
            second_.engine = std::exchange(make_second_, nullptr)();
        });
    }

    // Performs the opening steps that are left. Returns false if a stop request comes before the last one has ended.
    bool open_for_second(std::stop_token const& stop) {
        for (; !opening_.empty(); opening_.erase(opening_.begin())) {
            if (stop.stop_requested())
                return false;
            opening_.front()();
        }
        return !stop.stop_requested();
    }

    // Loads the input into the second engine, unless it has it.
    void give_input(std::shared_ptr<KeptInput const> const& input) {
        if (input == nullptr || input == given_)
            return;
        input->load_into(*second_.engine);
        given_ = input;
    }

    // On a thread that works for the second engine: the GPU of the thread that made this engine.
    void use_own_device() const {
        if (device_)
            simt::use_device(*device_);
    }

    // On the second engine's thread: what make_ready() does, while the first engine runs.
    bool become_ready(std::shared_ptr<KeptInput const> const& input, Limits const& limits) {
        if (second_.engine == nullptr) {
            if (!open_for_second(limits.stop))
                return false;
            second_.engine = std::exchange(make_second_, nullptr)();
        }
        if (limits.stop.stop_requested())
            return false;
        give_input(input);
        if (limits.stop.stop_requested())
            return false;
        second_.engine->make_ready(limits);
        return begins(limits.stop);
    }

    bool has_work_for_second() const {
        std::optional<std::size_t> const waiting = first_.engine->peak_waiting();
        return !waiting || *waiting >= options_.min_waiting;
    }

    // Both engines are ready; the second one begins after the head start.
    Outcome race(Limits const& limits) {
        if (first_.engine->calls_watch())
            return race_beside_first(limits);
        Clock::time_point const start = Clock::now();
        joined_ = true;
        begin(first_, limits, start);
        begin(second_, limits, start, [this](Limits const& own) { return wait_for_head_start(own.stop); });
        std::stop_callback const on_stop(limits.stop, [this] { stop_both(); });
        std::unique_lock lock(mutex_);
        return outcome_of_race(lock);
    }

    // The same, with the first engine on this thread. The second one begins if subterms wait, or at once if the input
    // has many terms.
    Outcome race_beside_first(Limits const& limits) {
        Clock::time_point const start = Clock::now();
        Limits own = begin_alone(first_, limits);
        std::stop_callback const on_stop(limits.stop, [this] { stop_both(); });
        auto const begin_second = [&] {
            joined_ = true;
            auto const before = [this](Limits const& of_second) { return begins(of_second.stop); };
            begin(second_, limits, start, before, first_.stop);
            stopper_.rouse();  // this thread only waits from now on
        };
        own.stops_in_background = true;
        own.watch = [&] {
            if (!joined_ && since(start) >= options_.head_start && has_work_for_second())
                begin_second();
        };
        if (second_.engine->independent_terms() >= options_.many_terms)
            begin_second();
        perform(first_, own, start, {}, std::stop_source(std::nostopstate));
        // Nobody else writes what first_.is_over() reads: the first engine has ended.
        if (!joined_ && !first_.is_over())
            begin_second();
        std::unique_lock lock(mutex_);
        return outcome_of_race(lock);
    }

    // The first engine begins. The second one joins when the first one has had its time alone.
    Outcome race_from_one(Limits const& limits) {
        Clock::time_point const start = Clock::now();
        joined_ = false;
        begin(first_, limits, start);
        std::stop_callback const on_stop(limits.stop, [this] { stop_both(); });
        std::unique_lock lock(mutex_);
        while (!first_.done && !has_work_for_second())
            changed_.wait_for(lock, poll_interval, [this] { return first_.done; });
        // Only now, because without its compiled program the first engine takes long for a short term.
        changed_.wait_for(lock, std::chrono::duration<double>(options_.alone), [this] { return first_.done; });
        // The second engine may still be made for an earlier input.
        changed_.wait(lock, [this] { return first_.is_over() || second_.done; });
        if (!first_.is_over()) {
            second_.thread.wait();
            drop_failed_second();
            joined_ = second_.engine != nullptr || make_second_ != nullptr;
        }
        if (joined_) {
            auto const before = [this, input = input_](Limits const& own) { return become_ready(input, own); };
            lock.unlock();
            begin(second_, limits, start, before);
            lock.lock();
        }
        return outcome_of_race(lock);
    }

    // Waits until the race is decided.
    Outcome outcome_of_race(std::unique_lock<std::mutex>& lock) {
        changed_.wait(lock, [this] {
            bool const second_done = !joined_ || second_.done;
            return first_.is_decided() || first_.has_stopped() || (joined_ && second_.is_decided()) ||
                   (first_.done && second_done);
        });
        bool const second_finished = joined_ && second_.is_decided();
        winner_ = second_finished && (!first_.is_decided() || second_.ended < first_.ended) ? &second_ : &first_;
        // If neither engine has finished, an outcome is more useful than an error.
        if (winner_->error != nullptr && joined_ && second_.error == nullptr)
            winner_ = &second_;
        stop_losers();
        if (joined_ && second_.done && second_.error != nullptr)
            refused_ = reason(second_.error);
        if (winner_->error != nullptr)
            std::rethrow_exception(winner_->error);
        Outcome outcome = winner_->outcome;
        outcome.seconds = winner_->ended;
        return outcome;
    }

    // Returns the limits of a run that begins now. Precondition: the runner's thread does nothing.
    Limits begin_alone(Runner& runner, Limits const& limits) {
        runner.done = false;
        runner.error = nullptr;
        runner.outcome = {};
        Limits own = limits;
        std::unique_lock const lock(stop_mutex_);
        runner.stop = std::stop_source();
        own.stop = runner.stop.get_token();
        if (limits.stop.stop_requested())
            runner.stop.request_stop();
        return own;
    }

    // `other`: the other engine's run, if nobody else stops it once this one has decided the race. Stores exceptions,
    // because none may leave the other engine's callback. Precondition: this thread does not hold mutex_.
    void begin(Runner& runner, Limits const& limits, Clock::time_point const start, Before const& before = {},
               std::stop_source const& other = std::stop_source(std::nostopstate)) {
        try {
            Limits const own = begin_alone(runner, limits);
            runner.thread.start(1, [=, this, &runner](std::size_t) { perform(runner, own, start, before, other); });
        } catch (...) {
            std::unique_lock const lock(mutex_);
            runner.error = std::current_exception();
            runner.done = true;
        }
    }

    // Runs the engine and stores how that ended.
    void perform(Runner& runner, Limits own, Clock::time_point const start, Before const& before,
                 std::stop_source other) {
        Outcome outcome;
        outcome.end = End::stopped;
        std::exception_ptr error;
        try {
            if (&runner == &second_)
                use_own_device();
            if (!before || before(own)) {
                if (before)
                    own.seconds -= since(start);
                outcome = runner.engine->run(own);
            }
        } catch (...) {
            error = std::current_exception();
        }
        bool const decides_race = error == nullptr && decides(outcome.end);
        {
            std::unique_lock const lock(mutex_);
            runner.ended = since(start);
            runner.outcome = std::move(outcome);
            runner.error = error;
            runner.done = true;
            changed_.notify_all();
        }
        if (decides_race)
            other.request_stop();
    }

    // Returns false if the race is decided before that.
    bool wait_for_head_start(std::stop_token const& stop) {
        {
            std::unique_lock lock(mutex_);
            auto const over = [&] { return stop.stop_requested() || first_.done; };
            changed_.wait_for(lock, std::chrono::duration<double>(options_.head_start), over);
        }
        return begins(stop);
    }

    // Notes whether the second engine takes part.
    bool begins(std::stop_token const& stop) {
        std::unique_lock const lock(mutex_);
        bool const begins = !stop.stop_requested() && !first_.is_decided();
        began_ = begins;
        return begins;
    }

    RaceOptions options_;
    std::optional<std::size_t> device_ = simt::selected_device();
    Runner first_;
    Runner second_;
    std::vector<std::function<void()>> opening_;            // what is left of it
    std::function<std::unique_ptr<Engine>()> make_second_;  // empty after it was called
    std::shared_ptr<KeptInput const> input_;                // unless every input goes to both engines at once
    std::shared_ptr<KeptInput const> given_;                // the one that the second engine has
    bool ready_ = false;                                    // both engines, for this input
    bool joined_ = false;                                   // the second engine takes part in this race
    std::string refused_;                                   // why there is no second engine
    Runner* winner_ = nullptr;
    std::atomic<bool> began_{false};  // the second engine has started

    std::mutex mutex_;
    std::mutex stop_mutex_;
    std::condition_variable changed_;
    threads::Pool stopper_{1, threads::Pool::Placement::free};  // destroyed first
};

}  // namespace

std::unique_ptr<Engine> make_racing_engine(Racer const& first, Racer const& second, RaceOptions const& options) {
    return std::make_unique<RacingEngine>(first, second, options);
}

}  // namespace lockstep::term_rewriting
