// The program that lockstep.objects generates from the Python classes of examples/object_layout/traffic.py, launched as
// lockstep.objects launches it: the agents of the base array by a job array, the fields that the section writes in
// registers for all ticks. test_traffic.py compares the text with the generated one.
//
// Bytes per agent and launch: 20 read (12 of the job array), 4 more by a car, and 8 written. Words: one call of Philox
// per agent and four ticks, and one per end of a street. What diverges: the classes of a warp, and the ends of streets.

#include <vector>

#include "common/object_layout/options.hpp"
#include "common/object_layout/traffic_case.hpp"
#include "kernels/object_layout/compiled/growing.hpp"
#include "kernels/object_layout/traffic_makers.hpp"

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-parameter"
#include "kernels/object_layout/compiled/traffic_program.txt"
#pragma GCC diagnostic pop

namespace lockstep::object_layout::LOCKSTEP_MACHINE {

namespace {

constexpr u64 no_failure = ~u64{0};

__global__ void python_classes_kernel(__grid_constant__ Arguments const a) {
    u64 const job = static_cast<u64>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (job < a.jobs) {
        element(a, job);
    }
}

template <class T>
T* column(Objects const& objects, unsigned field) {
    return reinterpret_cast<T*>(objects.column[field]);
}

class PythonClassesCase : public TrafficCase {
public:
    explicit PythonClassesCase(TrafficRequest const& request)
        : TrafficCase("python_classes", nullptr, request), failure_(1), full_(1) {
        unsigned const block = request.options.block == 0 ? 128 : request.options.block;
        shape_ = {.grid = {simt::ceil_div(memory().job_count(), block)}, .block = {block}};
        send_base_array(*request.traffic);
        send_arguments(*request.traffic);
    }

    void run(simt::Stream stream) override {
        begin_run();
        if (shape_.grid.x != 0)
            launch("python_classes", python_classes_kernel, shape_, stream, arguments_);
    }
    std::vector<simt::KernelAttributes> kernels() const override {
        if (shape_.grid.x == 0)
            return {};
        return {attributes("python_classes", python_classes_kernel, shape_)};
    }

protected:
    void begin() override {
        failure_.upload(std::vector<u64>{no_failure});
        full_.upload(std::vector<u64>{0});
    }
    void collect_into(unsigned* results) override {
        if (failure_.to_vector().front() != no_failure)
            throw simt::Error("the section of the Python classes failed");
        memory().collect(results);
    }

private:
    // In the order of the jobs: the agent's number, which names its random words, its class and its index.
    void send_base_array(Traffic const& traffic) {
        std::vector<unsigned> const& jobs = memory().jobs();
        std::vector<u32> order, tags, ids;
        for (u32 job = 0; job < memory().job_count(); ++job) {
            u32 const index = jobs.empty() ? job : jobs[job];
            bool const idle = index == no_job;
            u64 const number = idle ? none : number_at(memory().parameters().numbering, index);
            order.push_back(static_cast<u32>(number));
            tags.push_back(idle ? 0 : traffic.type_of(number));
            ids.push_back(idle ? 0 : index);
        }
        order_ = sent(order);
        tags_ = sent(tags);
        ids_ = sent(ids);
    }
    void send_arguments(Traffic const& traffic) {
        TrafficParameters const& p = memory().parameters();
        arguments_.jobs = memory().job_count();
        arguments_.seed = traffic.seed;
        arguments_.first_tick = 0;
        arguments_.ticks = traffic.ticks;
        arguments_.failure = failure_.data();
        arguments_.full = full_.data();
        arguments_.order = order_.data();
        arguments_.base_tag = tags_.data();
        arguments_.base_id = ids_.data();
        arguments_.x0_0 = traffic.weather;
        arguments_.c0_Car_max_velocity = column<float>(p.agents, AgentField::max_velocity);
        arguments_.c1_Agent_street = column<u32>(p.agents, AgentField::street);
        arguments_.c2_Street_max_velocity = column<float>(p.streets, StreetField::max_velocity);
        arguments_.c3_Agent_progress = column<float>(p.agents, AgentField::progress);
        arguments_.c4_Street_length = column<float>(p.streets, StreetField::length);
        // The section reads these only.
        arguments_.c5_Street_neighbors_first = const_cast<u32*>(p.array_offset);
        arguments_.c5_Street_neighbors_size = const_cast<u32*>(p.array_size);
        arguments_.e6_Street_neighbors_contents = const_cast<u32*>(p.contents);
    }
    static Buffer<u32> sent(std::vector<u32> const& values) {
        Buffer<u32> buffer(values.size());
        buffer.upload(values);
        return buffer;
    }

    Arguments arguments_ = {};
    simt::LaunchShape shape_;
    Buffer<u64> failure_, full_;
    Buffer<u32> order_, tags_, ids_;
};

}  // namespace

std::string python_classes_unsupported_reason(bench::Axes const& axes) {
    if (axes.text("layout") != "soa")
        return "lockstep.objects has columns: layout soa";
    if (axes.integer("types") != 2 || axes.text("mode") != "live")
        return "its program has the two classes of the paper, in mode live";
    return "";
}

std::unique_ptr<bench::Case> make_python_classes(TrafficRequest const& request) {
    return std::make_unique<PythonClassesCase>(request);
}

void add_python_classes(bench::Experiment& experiment) {
    experiment.variants.push_back(traffic_variant("python_classes", bench::Role::ours,
                                                  "the program that lockstep.objects generates from Python classes",
                                                  make_python_classes, python_classes_unsupported_reason));
}

}  // namespace lockstep::object_layout::LOCKSTEP_MACHINE
