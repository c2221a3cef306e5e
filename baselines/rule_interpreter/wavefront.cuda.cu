// Wavefront of two kernels, built from a library: CUB's DeviceSelect gathers the enabled values of all states into one
// list, and a second kernel evaluates the list. Synthetic rule; for GPUs only, as CUB is.

#include <thrust/iterator/counting_iterator.h>
#include <cub/device/device_select.cuh>

#include "common/rule_interpreter/job_case.hpp"
#include "harness/simt/ceil_div.hpp"

namespace lockstep::rule_interpreter::cuda {

// Returns true if value n, counted over all states in order, is enabled.
template <class Layout, class Rule>
struct IsEnabled {
    Parameters p;

    __device__ bool operator()(unsigned n) const {
        unsigned const range = Rule::range(p);
        State<Layout> const state(p, n / range);
        return Rule::condition(state, n % range);
    }
};

template <class Layout, class Rule>
__global__ void evaluate_wavefront(__grid_constant__ Parameters const p, unsigned const* const list,
                                   unsigned const* const length) {
    unsigned const range = Rule::range(p);
    unsigned const stride = blocks_in_grid() * threads_in_block();
    unsigned const whole = simt::round_up(*length, warp_size);
    for (unsigned n = block_rank() * threads_in_block() + thread_rank(); n < whole; n += stride) {
        bool const enabled = n < *length;
        unsigned const value = enabled ? list[n] : 0;
        State<Layout> state(p, value / range);
        evaluate_enabled<Rule>(p, enabled, state, value % range);
    }
}

namespace {

class WavefrontCase : public JobCase {
public:
    WavefrontCase(Job const& job, LayoutName layout)
        : JobCase(job, layout, LaunchPlan{}), layout_(layout), list_(values()), length_(1) {
        with([&]<class L, class R>() {
            std::size_t bytes = 0;
            simt::cuda::check(select<L, R>({}, nullptr, bytes, {}), "cub::DeviceSelect::If");
            scratch_ = simt::cuda::Buffer<unsigned char>(bytes);
        });
    }

protected:
    void launch_all(Parameters const& p, simt::Stream stream) override {
        with([&]<class L, class R>() {
            std::size_t bytes = scratch_.size();
            for (unsigned pass = 0; pass < p.passes; ++pass) {
                simt::cuda::check(select<L, R>(p, scratch_.data(), bytes, stream), "cub::DeviceSelect::If");
                simt::LaunchShape shape;
                shape.block.x = 256;
                shape.grid.x = static_cast<unsigned>(std::clamp<std::size_t>(values() / 512, 1, 16384));
                simt::cuda::launch("wavefront", evaluate_wavefront<L, R>, shape, stream, p,
                                   static_cast<unsigned const*>(list_.data()),
                                   static_cast<unsigned const*>(length_.data()));
            }
        });
    }

private:
    std::size_t values() const { return static_cast<std::size_t>(job().states) * job().workload.range; }

    template <class L, class R>
    cudaError_t select(Parameters const& p, void* scratch, std::size_t& bytes, simt::Stream stream) {
        return cub::DeviceSelect::If(scratch, bytes, thrust::counting_iterator<unsigned>(0), list_.data(),
                                     length_.data(), static_cast<long long>(values()), IsEnabled<L, R>{p},
                                     static_cast<cudaStream_t>(stream.handle));
    }

    template <class Body>
    void with(Body const& body) {
        auto const with_shape = [&]<class L>() {
            if (job().workload.shape == Shape(1))
                body.template operator()<L, Product<1>>();
            else
                body.template operator()<L, Product<2>>();
        };
        if (layout_ == LayoutName::a)
            with_shape.template operator()<LayoutA>();
        else
            with_shape.template operator()<LayoutC>();
    }

    LayoutName layout_;
    simt::cuda::Buffer<unsigned> list_;
    simt::cuda::Buffer<unsigned> length_;
    simt::cuda::Buffer<unsigned char> scratch_;
};

std::string unsupported_reason(bench::Axes const& axes) {
    if (axes.text("rules") != "synthetic" || !in_every_layout(shape_from_string(axes.text("shape"))))
        return "it is compiled only for the synthetic rule, 1x1x1 and 2x2x2";
    LayoutName const layout = layout_from_string(axes.text("layout"));
    return layout != LayoutName::a && layout != LayoutName::c ? "it is compiled for layouts A and C only" : "";
}

}  // namespace

void add_wavefront(bench::Experiment& experiment) {
    bench::Variant variant = job_variant(
        "wavefront", bench::Role::baseline, "CUB's select gathers the enabled values, a second kernel evaluates them",
        [](Job const&, bench::Axes const&) { return LaunchPlan{}; }, unsupported_reason);
    variant.make = [](bench::Problem const& problem) -> std::unique_ptr<bench::Case> {
        return std::make_unique<WavefrontCase>(job_of(problem), layout_from_string(problem.axes.text("layout")));
    };
    experiment.variants.push_back(std::move(variant));
}

}  // namespace lockstep::rule_interpreter::cuda
