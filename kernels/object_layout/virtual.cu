// Dispatch by virtual calls of C++. The objects are constructed on the device and begin with a pointer to the virtual
// table, so only structures are possible (layouts aos and aos_padded).
//
// A baseline: the paper has class tags instead (Section 4.4). What diverges: the call, in warps with agents of both
// classes, and the ends of streets. Bytes per agent and tick: those of move() (methods.hpp), and the pointer of 8 where
// `switch` reads a tag of 4. An object takes 24 bytes in aos, instead of 16. Operations: move(), and an indirect call.
//
// Preconditions: at most two classes. make_kernel has constructed the objects on this device: their pointers are valid
// nowhere else.

#include <new>

#include "common/object_layout/methods.hpp"

#include "common/object_layout/agent_class.hpp"
#include "common/object_layout/initial_agent.hpp"
#include "common/object_layout/traffic_case.hpp"
#include "harness/simt/ceil_div.hpp"

namespace lockstep::object_layout::LOCKSTEP_MACHINE {

namespace {

template <class Mode>
class Mover {
public:
    __device__ virtual void move_on(TrafficParameters const& p, unsigned long long number, unsigned tick) = 0;

    float progress_ = 0;
    unsigned street_ = 0;

protected:
    __device__ ~Mover() {}
};

// The interface that methods.hpp requires of an agent.
template <class Object>
class ObjectAt {
public:
    __device__ explicit ObjectAt(Object& object) : object_(object) {}
    __device__ float& progress() const { return object_.progress_; }
    __device__ unsigned& street() const { return object_.street_; }
    __device__ float max_velocity() const { return object_.max_velocity_; }

private:
    Object& object_;
};

template <class Mode, unsigned Type>
class MoverOf final : public Mover<Mode> {
public:
    __device__ void move_on(TrafficParameters const& p, unsigned long long number, unsigned tick) override {
        move<Mode, Type, Aos>(p, ObjectAt<MoverOf>(*this), number, tick);
    }

    float max_velocity_ = 0;  // only for cars
};

template <class Mode>
__device__ inline Mover<Mode>* mover_at(TrafficParameters const& p, unsigned index) {
    return reinterpret_cast<Mover<Mode>*>(p.agents.column[0] + p.agents.stride * index);
}

template <class Mode>
struct MakeMover {
    TrafficParameters const& p;
    unsigned index;
    InitialAgent const& initial;

    template <unsigned Type>
    __device__ void run() const {
        auto* const made = new (p.agents.column[0] + p.agents.stride * index) MoverOf<Mode, Type>;
        made->progress_ = initial.progress;
        made->street_ = initial.street;
        made->max_velocity_ = is_car(Type) ? initial.max_velocity : 0.0f;
    }
};

template <class Mode>
__global__ void make_kernel(__grid_constant__ TrafficParameters const p, __grid_constant__ Classes const classes) {
    unsigned const index = blockIdx.x * blockDim.x + threadIdx.x;
    if (index < p.numbering.agents) {
        InitialAgent const initial = initial_agent_at(classes, number_at(p.numbering, index));
        switch_over<2>(initial.tag, MakeMover<Mode>{p, index, initial});
    }
}

template <class Mode>
__global__ void __launch_bounds__(1024) virtual_kernel(__grid_constant__ TrafficParameters const p) {
    unsigned const index = job_of_lane(p);
    if (index == no_job) {
        return;
    }
    unsigned long long const number = number_at(p.numbering, index);
    for (unsigned tick = p.first_tick; tick < p.first_tick + p.ticks; ++tick) {
        mover_at<Mode>(p, index)->move_on(p, number, tick);
    }
}

template <class Mode>
__global__ void collect_movers(__grid_constant__ TrafficParameters const p, unsigned* const results) {
    unsigned const index = blockIdx.x * blockDim.x + threadIdx.x;
    if (index < p.numbering.agents) {
        unsigned long long const unit = number_at(p.numbering, index) - p.numbering.first_number;
        results[2 * unit] = __float_as_uint(mover_at<Mode>(p, index)->progress_);
        results[2 * unit + 1] = mover_at<Mode>(p, index)->street_;
    }
}

using MakeKernel = void (*)(TrafficParameters, Classes);
using CollectKernel = void (*)(TrafficParameters, unsigned*);

class VirtualCase : public TrafficCase {
public:
    explicit VirtualCase(TrafficRequest const& request)
        : TrafficCase("virtual", request.traffic->mode == Mode::live ? virtual_kernel<Live> : virtual_kernel<Faithful>,
                      request),
          live_(request.traffic->mode == Mode::live) {}

protected:
    void begin() override {
        if (memory().parameters().numbering.agents == 0)
            return;
        MakeKernel const kernel = live_ ? make_kernel<Live> : make_kernel<Faithful>;
        launch("make", kernel, shape(), {}, memory().parameters(), memory().classes());
    }
    void collect_into(unsigned* results) override {
        if (memory().parameters().numbering.agents == 0)
            return;
        CollectKernel const kernel = live_ ? collect_movers<Live> : collect_movers<Faithful>;
        launch("collect", kernel, shape(), {}, memory().parameters(), results);
        synchronize({});
    }

private:
    simt::LaunchShape shape() {
        return {.grid = {simt::ceil_div(memory().parameters().numbering.agents, 256u)}, .block = {256}};
    }
    bool live_;
};

// An object consists of the pointer to the virtual table and the fields.
std::unique_ptr<bench::Case> make_virtual(TrafficRequest request) {
    request.options.min_bytes = sizeof(MoverOf<Live, 0>);
    return std::make_unique<VirtualCase>(request);
}

std::string columns_unsupported_reason(bench::Axes const& axes) {
    std::string const& layout = axes.text("layout");
    if (layout != "aos" && layout != "aos_padded")
        return "virtual calls require structures: layouts aos and aos_padded";
    return axes.integer("types") > 2 ? "virtual calls support only two classes" : "";
}

}  // namespace

void add_virtual(bench::Experiment& experiment) {
    experiment.variants.push_back(traffic_variant("virtual", bench::Role::baseline,
                                                  "a virtual call at each tick, with objects constructed on the device",
                                                  make_virtual, columns_unsupported_reason, true));
}

}  // namespace lockstep::object_layout::LOCKSTEP_MACHINE
