// Rules of a file on a GPU or in the emulator.

#include <algorithm>

#include "experiments/rule_interpreter/rule_file_code.hpp"
#include "experiments/rule_interpreter/rule_file_runner.hpp"
#include "harness/jit/device.hpp"
#include "harness/simt/ceil_div.hpp"
#include "harness/simt/error.hpp"

namespace lockstep::rule_interpreter::rule_file {

namespace {

constexpr unsigned tile_size = 128;                                       // values that a warp tests at a time
constexpr unsigned block_warps = 8;                                       // at most, for any number of registers
constexpr std::size_t shared_bytes = block_warps * (tile_size + 32) * 8;  // of rule_file_queue.hpp's WarpQueues
constexpr unsigned max_states_per_warp = 16;
// Warps that keep any GPU busy: more than the 132 multiprocessors of an H200 with 32 warps each.
constexpr std::uint64_t wanted_warps = 8192;

std::uint64_t largest_size(Arguments const& a) { return *std::max_element(a.sizes, a.sizes + max_columns); }

// Several warps for each of a few large states; several small states for each warp.
void share_out(Arguments& a) {
    std::uint64_t const tiles = simt::ceil_div(largest_size(a), std::uint64_t{tile_size});
    while (2 * a.warps_per_state <= block_warps && 2 * a.warps_per_state <= tiles &&
           a.states * 2 * a.warps_per_state <= wanted_warps)
        a.warps_per_state *= 2;
    while (a.to_fixed_point == 0 && a.warps_per_state == 1 && 2 * a.states_per_warp <= max_states_per_warp &&
           largest_size(a) * 2 * a.states_per_warp <= tile_size && a.states / (2 * a.states_per_warp) >= wanted_warps)
        a.states_per_warp *= 2;
}

class KernelRunner : public Runner {
public:
    KernelRunner(RuleFile const& file, simt::Machine machine)
        : path_(file.path), device_(jit::device_of(machine)), kernels_(load(device_, file)) {}

    std::string variant() const override { return "queue"; }
    simt::Machine machine() const override { return device_.machine(); }

    std::uint64_t free_memory() const override { return device_.free_memory(); }
    void* allocate(std::uint64_t bytes) override { return device_.allocate(bytes); }
    void release(void* memory) noexcept override { device_.release(memory); }
    void upload(void* to, void const* from, std::uint64_t bytes) override { device_.upload(to, from, bytes); }
    void download(void* to, void const* from, std::uint64_t bytes) override { device_.download(to, from, bytes); }
    void copy(void* to, void const* from, std::uint64_t bytes) override { device_.copy(to, from, bytes); }
    void clear(void* to, std::uint64_t bytes) override { device_.fill(to, 0, bytes); }

    void initialise(Arguments const& a) override { launch("initialise", grid_stride(a.states * a.sizes[a.column]), a); }
    void digest(Arguments const& a) override { launch("digest", grid_stride(a.states * 32), a); }

    void run(Arguments const& given) override {
        Arguments a = given;
        share_out(a);
        simt::LaunchShape shape;
        unsigned const warps = a.warps_per_state > 1 ? a.warps_per_state : block_warps;
        shape.block.x = 32 * warps;
        shape.grid.x = static_cast<unsigned>(simt::ceil_div(
            simt::ceil_div(a.states, std::uint64_t{a.states_per_warp}) * a.warps_per_state, std::uint64_t{warps}));
        shape.shared_bytes = shared_bytes;
        launch("run", shape, a);
    }

private:
    static jit::Kernels const& load(jit::Device& device, RuleFile const& file) {
        try {
            return device.load(kernel_text(file), kernel_context());
        } catch (jit::CompileError const& error) {
            throw compile_error_of(file, error);
        }
    }

    simt::LaunchShape grid_stride(std::uint64_t threads) const {
        bool const gpu = machine() == simt::Machine::cuda;
        simt::LaunchShape shape;
        shape.block.x = gpu ? 256 : 32;
        shape.grid.x = static_cast<unsigned>(std::clamp<std::uint64_t>(threads / shape.block.x, 1, gpu ? 8192 : 2));
        return shape;
    }

    void launch(char const* name, simt::LaunchShape const& shape, Arguments const& a) {
        try {
            device_.launch(name, kernels_.at(name), shape, &a);
            device_.synchronize();
        } catch (simt::Error const& error) {
            throw run_error_of(path_, error);
        }
    }

    std::string path_;
    jit::Device& device_;
    jit::Kernels const& kernels_;
};

}  // namespace

std::unique_ptr<Runner> make_kernel_runner(RuleFile const& file, simt::Machine machine) {
    return std::make_unique<KernelRunner>(file, machine);
}

}  // namespace lockstep::rule_interpreter::rule_file
