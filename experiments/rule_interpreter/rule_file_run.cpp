#include "experiments/rule_interpreter/rule_file_run.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <numeric>
#include <optional>

#include "common/rule_interpreter/rule_file/array_file.hpp"
#include "experiments/rule_interpreter/rule_file_runner.hpp"
#include "harness/bench/digest.hpp"
#include "harness/bench/error.hpp"
#include "harness/bench/nearest.hpp"
#include "harness/bench/parallel_chunks.hpp"

namespace lockstep::rule_interpreter::rule_file {

namespace {

// Memory of a runner.
class Memory {
public:
    Memory(Runner& runner, std::uint64_t bytes)
        : runner_(runner), data_(runner.allocate(std::max<std::uint64_t>(bytes, 1))) {
        if (data_ == nullptr)
            throw bench::Error("not enough memory", std::to_string(bytes) + " bytes are not free", "Use fewer states.");
    }
    Memory(Memory const&) = delete;
    Memory& operator=(Memory const&) = delete;
    ~Memory() { runner_.release(data_); }
    void* data() const { return data_; }

private:
    Runner& runner_;
    void* data_;
};

std::unique_ptr<Runner> runner_for(RuleFile const& file, Work const& work) {
    return work.machine == simt::Machine::cpu
               ? make_cpu_runner(file, work.sequential, work.is_checked)
               : make_kernel_runner(file, work.machine, {work.kernels, work.geometry, work.clock});
}

std::size_t column_named(RuleFile const& file, std::string const& name) {
    std::vector<std::string> known;
    for (ColumnLine const& column : file.columns)
        known.push_back(column.name);
    auto const found = std::find(known.begin(), known.end(), name);
    if (found == known.end())
        throw bench::Error("unknown column " + name, "known are " + bench::joined(known),
                           bench::suggestion(name, known));
    return static_cast<std::size_t>(found - known.begin());
}

double seconds_since(std::chrono::steady_clock::time_point start) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace

class RuleJob::Implementation {
public:
    Implementation(RuleFile const& file, Work const& work) : file_(file), work_(work), readers_(file.columns.size()) {
        std::vector<std::uint64_t> const parameters = parameter_bits(file_, work_.settings);
        std::copy(parameters.begin(), parameters.end(), arguments_.parameters);
        sizes_ = column_sizes(file_, parameters);
        open_columns();
        check_initial_values(file_, from_file());
        for (auto const& [name, path] : work_.out)
            out_[column_named(file_, name)] = path;
        std::copy(sizes_.begin(), sizes_.end(), arguments_.sizes);
        arguments_.seed = work_.seed;
        arguments_.passes = work_.passes;
        arguments_.to_fixed_point = work_.to_fixed_point ? 1 : 0;
        check_total();
        runner_ = runner_for(file_, work_);
        check_state_fits();
    }

    std::uint64_t states() const { return states_; }

    Results run(std::uint64_t first, std::uint64_t states) {
        Results results;
        results.variant = runner_->variant();
        for (std::uint64_t const size : sizes_)
            results.values += size * states;
        std::map<std::size_t, std::unique_ptr<ArrayWriter>> writers;
        if (first == 0 && states == states_) {
            for (auto const& [column, path] : out_)
                writers[column] =
                    std::make_unique<ArrayWriter>(path, ArrayShape{file_.columns[column].type, states, sizes_[column]});
        }
        if (states != 0)
            run_batches(first, states, results, writers);
        for (auto const& [column, writer] : writers)
            writer->finish();
        return results;
    }

private:
    void open_columns() {
        std::optional<std::string> from;  // the file that says how many states there are
        states_ = work_.states;
        for (auto const& [name, path] : work_.columns) {
            std::size_t const column = column_named(file_, name);
            readers_[column] = std::make_unique<ArrayReader>(path, file_.columns[column].type, sizes_[column]);
            ArrayShape const& shape = readers_[column]->shape();
            sizes_[column] = shape.size;
            if (states_ != 0 && shape.states != states_)
                throw bench::Error("cannot use " + path, "it has " + std::to_string(shape.states) + " states, and " +
                                                             (from ? *from : "--states") + " has " +
                                                             std::to_string(states_));
            if (shape.states == 0)
                throw bench::Error("cannot use " + path, "it has no states");
            if (states_ == 0)
                from = path;
            states_ = shape.states;
        }
        if (states_ == 0)
            states_ = 1;
        for (std::size_t i = 0; i < sizes_.size(); ++i) {
            std::string const& name = file_.columns[i].name;
            if (sizes_[i] == 0)
                throw bench::Error(
                    "column " + name + " has no size",
                    file_.path + " line " + std::to_string(file_.columns[i].line) + " takes it from a file",
                    "Add --column " + name + "=FILE.npy.");
        }
    }

    std::vector<bool> from_file() const {
        std::vector<bool> which;
        for (std::unique_ptr<ArrayReader> const& reader : readers_)
            which.push_back(reader != nullptr);
        return which;
    }

    // All byte counts below fit in 64 bits.
    void check_total() const {
        for (std::uint64_t const size : sizes_) {
            std::uint64_t bytes = 0;
            if (__builtin_mul_overflow(states_, size * 8 * max_columns * 2, &bytes))
                throw bench::Error("too many values", std::to_string(states_) + " states of " + std::to_string(size),
                                   "Use fewer states.");
        }
    }

    bool defers(std::size_t column) const { return file_.columns[column].deferred || runner_->defers_all(); }
    std::uint64_t state_bytes(std::size_t column) const {
        return sizes_[column] * bytes_of(file_.columns[column].type);
    }

    // On the machine, for each state of a batch.
    std::uint64_t bytes_per_state() const {
        std::uint64_t bytes = 20;  // digest, last change, number of a launch
        for (std::size_t i = 0; i < sizes_.size(); ++i)
            bytes += state_bytes(i) * (defers(i) ? 2 : 1);
        return bytes;
    }

    // A batch has one state at least. Linux gives out memory that does not exist, and ends programs that use it.
    void check_state_fits() const {
        std::uint64_t bytes = bytes_per_state();
        std::uint64_t column = 0;  // the largest that is read or written, which the host holds once more
        for (std::size_t i = 0; i < sizes_.size(); ++i) {
            if (readers_[i] || out_.count(i) != 0)
                column = std::max(column, state_bytes(i));
            if (runner_->defers_all())
                bytes += sizes_[i] * sizeof(std::uint64_t);
        }
        if (work_.machine != simt::Machine::cuda)
            bytes += column;
        std::uint64_t const free = runner_->free_memory();
        if (bytes > free)
            throw bench::Error(
                "not enough memory for a state",
                "it takes " + std::to_string(bytes) + " bytes, and " + std::to_string(free) + " are free",
                "Make the columns smaller.");
    }

    std::uint64_t batch_of(std::uint64_t states) const {
        if (work_.batch != 0)
            return std::min(work_.batch, states);
        // The host holds one column more: what is read or written.
        std::uint64_t const free = runner_->free_memory();
        std::uint64_t const fit = (work_.machine == simt::Machine::cuda ? free / 10 * 9 : free / 2) / bytes_per_state();
        constexpr std::uint64_t max_batch = std::uint64_t{1} << 28;  // blocks of a launch
        return std::clamp<std::uint64_t>(std::min(fit, max_batch), 1, states);
    }

    void run_batches(std::uint64_t first, std::uint64_t states, Results& results,
                     std::map<std::size_t, std::unique_ptr<ArrayWriter>> const& writers) {
        std::uint64_t const batch = batch_of(states);
        std::vector<std::unique_ptr<Memory>> memory;
        Arguments a = arguments_;
        auto const allocate = [&](std::uint64_t bytes) {
            memory.push_back(std::make_unique<Memory>(*runner_, bytes));
            return memory.back()->data();
        };
        for (std::size_t i = 0; i < sizes_.size(); ++i) {
            a.columns[i] = allocate(batch * state_bytes(i));
            a.pending[i] = defers(i) ? allocate(batch * state_bytes(i)) : nullptr;
        }
        a.digests = static_cast<unsigned long long*>(allocate(batch * 8));
        a.last_change = static_cast<unsigned*>(allocate(batch * 4));
        a.written = static_cast<unsigned long long*>(allocate(batch * 8));
        a.running = static_cast<unsigned*>(allocate(4));
        a.counted = static_cast<unsigned long long*>(allocate(16));
        Writers setters;
        if (runner_->defers_all()) {
            for (std::size_t i = 0; i < sizes_.size(); ++i) {
                setters.of_column[i] = static_cast<unsigned long long*>(allocate(sizes_[i] * 8));
                runner_->clear(setters.of_column[i], sizes_[i] * 8);
            }
            a.writers = &setters;
        }
        for (std::uint64_t done = 0; done < states; done += a.states) {
            a.states = std::min(batch, states - done);
            a.first_state = first + done;
            auto start = std::chrono::steady_clock::now();
            fill(a);
            results.setup_seconds += seconds_since(start);
            runner_->prepare(a);
            start = std::chrono::steady_clock::now();
            keep_report(runner_->run(a), results);
            results.seconds += seconds_since(start);
            keep(a, results, writers);
        }
    }

    static void keep_report(RunReport const& report, Results& results) {
        results.geometry = report.geometry;
        results.trials = report.trials;
        results.counted.tested += report.counted.tested;
        results.counted.enabled += report.counted.enabled;
        if (report.geometry && report.geometry->whole_grid)
            results.variant = "grid";
    }

    // Columns in the order of the file: the initial value of one may read those before it, and those from files.
    void fill(Arguments a) const {
        std::vector<std::byte> values;
        for (std::size_t i = 0; i < sizes_.size(); ++i) {
            if (!readers_[i])
                continue;
            values.resize(a.states * state_bytes(i));
            readers_[i]->read(a.first_state, a.states, values.data());
            runner_->upload(a.columns[i], values.data(), values.size());
        }
        initialise(a);
        for (std::size_t i = 0; i < sizes_.size(); ++i) {
            if (defers(i))
                runner_->copy(a.pending[i], a.columns[i], a.states * state_bytes(i));
        }
        runner_->clear(a.last_change, a.states * 4);
        runner_->clear(a.written, a.states * 8);
        runner_->clear(a.running, 4);
        runner_->clear(a.counted, 16);
    }

    void initialise(Arguments const& a) const {
        Arguments known = a;
        for (std::size_t i = 0; i < sizes_.size(); ++i) {
            if (!readers_[i])
                known.columns[i] = nullptr;
        }
        for (std::size_t i = 0; i < sizes_.size(); ++i) {
            known.column = static_cast<unsigned>(i);
            known.initialised = a.columns[i];
            if (!readers_[i] && file_.columns[i].value.empty())
                runner_->clear(a.columns[i], a.states * state_bytes(i));
            else if (!readers_[i])
                runner_->initialise(known);
            known.columns[i] = a.columns[i];
        }
    }

    void keep(Arguments const& a, Results& results,
              std::map<std::size_t, std::unique_ptr<ArrayWriter>> const& writers) const {
        runner_->digest(a);
        std::size_t const before = results.digests.size();
        results.digests.resize(before + a.states);
        runner_->download(results.digests.data() + before, a.digests, a.states * 8);
        if (work_.to_fixed_point) {
            results.last_change.resize(before + a.states);
            runner_->download(results.last_change.data() + before, a.last_change, a.states * 4);
        }
        std::vector<std::byte> values;
        for (auto const& [column, writer] : writers) {
            values.resize(a.states * state_bytes(column));
            runner_->download(values.data(), a.columns[column], values.size());
            writer->write(values.data(), values.size());
        }
    }

    RuleFile const file_;
    Work const work_;
    Arguments arguments_;
    std::uint64_t states_ = 0;
    std::vector<std::uint64_t> sizes_;
    std::vector<std::unique_ptr<ArrayReader>> readers_;  // per column, or null
    std::map<std::size_t, std::string> out_;
    std::unique_ptr<Runner> runner_;
};

RuleJob::RuleJob(RuleFile const& file, Work const& work)
    : implementation_(std::make_unique<Implementation>(file, work)) {}
RuleJob::~RuleJob() = default;

std::uint64_t RuleJob::states() const { return implementation_->states(); }
Results RuleJob::run(std::uint64_t first, std::uint64_t states) { return implementation_->run(first, states); }

Results run_rules(RuleFile const& file, Work const& work) {
    RuleJob job(file, work);
    return job.run(0, job.states());
}

std::uint64_t digest_of(std::vector<std::uint64_t> const& digests, std::uint64_t first) {
    constexpr std::size_t min_states_shared = std::size_t{1} << 16;
    std::vector<std::uint64_t> sums(bench::chunk_count(digests.size(), min_states_shared));
    bench::parallel_chunks(
        digests.size(), min_states_shared, [&](std::size_t part, std::size_t begin, std::size_t end) {
            std::uint64_t sum = 0;
            for (std::size_t i = begin; i < end; ++i)
                sum += bench::cpu::digest_finish(bench::cpu::digest_begin(first + i) ^ digests[i], 1);
            sums[part] = sum;
        });
    return std::accumulate(sums.begin(), sums.end(), std::uint64_t{0});
}

}  // namespace lockstep::rule_interpreter::rule_file
