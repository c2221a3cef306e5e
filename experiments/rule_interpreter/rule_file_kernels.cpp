// Rules of a file on a GPU or in the emulator.

#include <algorithm>
#include <chrono>
#include <cstring>

#include "experiments/rule_interpreter/rule_file_code.hpp"
#include "experiments/rule_interpreter/rule_file_runner.hpp"
#include "harness/bench/host_memory.hpp"
#include "harness/jit/device.hpp"
#include "harness/simt/ceil_div.hpp"
#include "harness/simt/error.hpp"

namespace lockstep::rule_interpreter::rule_file {

namespace {

constexpr std::size_t shared_bytes = warps_per_block * (values_per_tile + 32) * 8;  // of WarpQueues
// In the emulator: about those of an H200, so that both machines plan alike.
constexpr std::uint64_t emulated_warps = 8192;
// On the way to a fixed point, launches over the whole grid wait for the host after so many passes only: passes after
// the last state is over cost little, because their blocks return at once.
constexpr unsigned passes_per_wait = 8;

// Warps that add what they counted: enough for a share, too few to wait for one another.
constexpr std::uint64_t sampled_warps = 256;

double steady_seconds() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

class KernelRunner : public Runner {
public:
    KernelRunner(RuleFile const& file, simt::Machine machine, KernelOptions const& options)
        : file_(file),
          options_(options),
          clock_(options.clock || machine == simt::Machine::emulator ? options.clock : Clock(steady_seconds)),
          deferring_(std::any_of(file.columns.begin(), file.columns.end(),
                                 [](ColumnLine const& column) { return column.deferred; })),
          device_(jit::device_of(machine)),
          kernels_(load(kernel_text(file))) {
        resident_warps_ =
            machine == simt::Machine::cuda
                ? std::uint64_t{device_.resident_blocks(kernels_.at("run"), blocks_of_warps(1))} * warps_per_block
                : emulated_warps;
    }

    std::string variant() const override { return "queue"; }
    simt::Machine machine() const override { return device_.machine(); }

    std::uint64_t free_memory() const override {
        return machine() == simt::Machine::emulator ? bench::available_host_memory() : device_.free_memory();
    }
    void* allocate(std::uint64_t bytes) override { return device_.allocate(bytes); }
    void release(void* memory) noexcept override { device_.release(memory); }
    void upload(void* to, void const* from, std::uint64_t bytes) override { device_.upload(to, from, bytes); }
    void download(void* to, void const* from, std::uint64_t bytes) override { device_.download(to, from, bytes); }
    void copy(void* to, void const* from, std::uint64_t bytes) override { device_.copy(to, from, bytes); }
    void clear(void* to, std::uint64_t bytes) override { device_.fill(to, 0, bytes); }

    void prepare(Arguments const& a) override {
        for (Geometry const& geometry : geometries_for(a)) {
            if (geometry.whole_grid)
                load_grid();
        }
    }

    void initialise(Arguments const& a) override {
        in_words_of(initial_values_of(file_.path), [&] {
            simt::LaunchShape const shape = grid_stride(a.states * a.sizes[a.column]);
            device_.launch("initialise", kernels_.at("initialise"), shape, &a);
            device_.synchronize();
        });
    }
    void digest(Arguments const& given) override {
        Arguments a = given;
        a.warps_per_state = grid_warps_per_state(a, resident_warps_);
        clear(a.digests, a.states * 8);
        launch(kernels_, "digest", grid_stride(a.states * a.warps_per_state * 32), a);
    }

    RunReport run(Arguments const& given) override {
        Arguments a = given;
        std::vector<Geometry> const geometries = geometries_for(a);
        AdaptiveChoice choice(geometries.size(), a.passes, clock_);
        Counted before;
        double share = 0;
        while (choice.passes_left() != 0) {
            AdaptiveChoice::Slice const slice = choice.begin();
            a.passes = slice.passes;
            apply_passes(a, geometries[slice.candidate]);
            Counted const now = counted(a);
            // Warps of the sample whose states are over tell nothing.
            if (now.tested != before.tested)
                share = Counted{now.tested - before.tested, now.enabled - before.enabled}.share();
            choice.end(share);
            before = now;
            a.first_pass += slice.passes;
            if (a.to_fixed_point != 0 && last_running_pass(a) != a.first_pass)
                break;
        }
        return {geometries[choice.kept()], choice.trials(), before};
    }

private:
    jit::Kernels const& load(jit::KernelText const& text) {
        try {
            return device_.load(text, kernel_context());
        } catch (jit::CompileError const& error) {
            throw jit::compile_error_of(user_file(file_.path), error);
        }
    }
    jit::Kernels const& load_grid() {
        if (grid_kernels_ == nullptr)
            grid_kernels_ = &load(grid_kernel_text(file_));
        return *grid_kernels_;
    }

    // The planned geometry first. A named one, or a run of few passes, has no other.
    std::vector<Geometry> geometries_for(Arguments const& a) const {
        if (options_.geometry)
            return {*options_.geometry};
        if (options_.kernels != KernelChoice::either)
            return {planned_geometry(a, resident_warps_, options_.kernels)};
        std::vector<Geometry> all = candidate_geometries(a, resident_warps_);
        if (!clock_ || !AdaptiveChoice::is_worthwhile(all.size(), a.passes))
            all.resize(1);
        return all;
    }

    // Passes a.first_pass + 1 .. a.first_pass + a.passes, or fewer if no state needs more.
    void apply_passes(Arguments a, Geometry const& geometry) {
        a.warps_per_state = geometry.warps_per_state;
        a.states_per_warp = geometry.states_per_warp;
        if (!geometry.compacts)
            a.bypass_threshold = 0;
        std::uint64_t const warps = simt::ceil_div(a.states, std::uint64_t{a.states_per_warp}) * a.warps_per_state;
        a.sample_step = static_cast<unsigned>(warps / sampled_warps) | 1;  // odd: every part of a state is sampled
        if (geometry.whole_grid)
            apply_over_grid(a);
        else
            apply_in_blocks(a);
    }

    void apply_in_blocks(Arguments const& a) {
        simt::LaunchShape shape = blocks_of_warps(0);
        if (a.warps_per_state > 1)
            shape.block.x = 32 * a.warps_per_state;
        std::uint64_t const warps = simt::ceil_div(a.states, std::uint64_t{a.states_per_warp}) * a.warps_per_state;
        shape.grid.x = static_cast<unsigned>(simt::ceil_div(warps, std::uint64_t{shape.block.x / 32}));
        launch(kernels_, "run", shape, a);
    }

    void apply_over_grid(Arguments a) {
        jit::Kernels const& kernels = load_grid();
        simt::LaunchShape const shape = blocks_of_warps(a.states * a.warps_per_state / warps_per_block);
        unsigned const last = a.first_pass + a.passes;
        for (unsigned pass = a.first_pass + 1; pass <= last; ++pass) {
            a.first_pass = pass - 1;
            for (a.rule = 0; a.rule < file_.rules.size(); ++a.rule) {
                a.launch = (pass - 1) * std::uint64_t{max_rules} + a.rule + 1;
                enqueue(kernels, "apply", shape, a);
                if (deferring_)
                    enqueue(kernels, "commit", shape, a);
            }
            if (a.to_fixed_point != 0 && pass % passes_per_wait == 0 && last_running_pass(a) != pass)
                break;
        }
        synchronize();
    }

    unsigned last_running_pass(Arguments const& a) {
        unsigned pass = 0;
        in_words_of_the_file([&] { device_.download(&pass, a.running, sizeof pass); });
        return pass;
    }

    Counted counted(Arguments const& a) {
        std::uint64_t words[2] = {};
        in_words_of_the_file([&] { device_.download(words, a.counted, sizeof words); });
        return {words[0], words[1]};
    }

    static simt::LaunchShape blocks_of_warps(std::uint64_t blocks) {
        simt::LaunchShape shape;
        shape.block.x = 32 * warps_per_block;
        shape.grid.x = static_cast<unsigned>(blocks);
        shape.shared_bytes = shared_bytes;
        return shape;
    }
    simt::LaunchShape grid_stride(std::uint64_t threads) const {
        bool const gpu = machine() == simt::Machine::cuda;
        simt::LaunchShape shape;
        shape.block.x = gpu ? 256 : 32;
        shape.grid.x = static_cast<unsigned>(std::clamp<std::uint64_t>(threads / shape.block.x, 1, gpu ? 8192 : 2));
        return shape;
    }

    void enqueue(jit::Kernels const& kernels, char const* name, simt::LaunchShape const& shape, Arguments const& a) {
        in_words_of_the_file([&] { device_.launch(name, kernels.at(name), shape, &a); });
    }
    void synchronize() {
        in_words_of_the_file([&] { device_.synchronize(); });
    }
    void launch(jit::Kernels const& kernels, char const* name, simt::LaunchShape const& shape, Arguments const& a) {
        enqueue(kernels, name, shape, a);
        synchronize();
    }
    template <class Work>
    void in_words_of_the_file(Work const& work) const {
        in_words_of(user_file(file_.path), work);
    }
    template <class Work>
    static void in_words_of(jit::UserFile const& file, Work const& work) {
        try {
            work();
        } catch (simt::Error const& error) {
            bench::Error const own = jit::run_error_of(file, error);
            // A GPU does not check indices.
            if (std::strstr(error.what(), "cudaErrorIllegalAddress") != nullptr)
                throw bench::Error(std::string(own.what()) + " Add --check, which names the line.");
            throw own;
        }
    }

    RuleFile const file_;
    KernelOptions const options_;
    Clock const clock_;
    bool const deferring_;
    jit::Device& device_;
    jit::Kernels const& kernels_;
    jit::Kernels const* grid_kernels_ = nullptr;
    std::uint64_t resident_warps_ = 0;
};

}  // namespace

std::unique_ptr<Runner> make_kernel_runner(RuleFile const& file, simt::Machine machine, KernelOptions const& options) {
    return std::make_unique<KernelRunner>(file, machine, options);
}

}  // namespace lockstep::rule_interpreter::rule_file
