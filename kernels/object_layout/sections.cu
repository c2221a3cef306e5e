// The simulation through the library: it traces the host objects, sends the declared columns, runs the methods with
// `each` and copies written columns back into the objects. There are two variants of this program: one sends all
// columns for every section, as Ikra does (Sections 3.1, 4.5), and one keeps the columns on the device until the host
// reads an object (Section 7.1).

#include <cstring>
#include <memory>
#include <numeric>

#include "common/object_layout/methods.hpp"

#include "common/object_layout/job_order.hpp"
#include "common/object_layout/traffic_case.hpp"
#include "kernels/object_layout/library/device_objects.hpp"
#include "kernels/object_layout/library/sections.hpp"
#include "kernels/object_layout/library/traffic_model.hpp"
#include "reference_cpu/object_layout/world.hpp"

namespace lockstep::object_layout::LOCKSTEP_MACHINE {

// The layout of columns that check accesses against the declarations (device_columns.hpp).
struct Declared {};

struct StreetColumns {
    DeviceColumn<float> length;
    DeviceColumn<float> max_velocity;
    DeviceColumn<unsigned> neighbors;
    DeviceColumn<unsigned> number;
};

template <>
class StreetAt<Declared> {
public:
    __device__ StreetAt(StreetColumns const& columns, unsigned id) : columns_(columns), id_(id) {}
    __device__ FieldAt<float> length() const { return columns_.length[id_]; }
    __device__ FieldAt<float> max_velocity() const { return columns_.max_velocity[id_]; }
    __device__ FieldAt<unsigned> neighbors() const { return columns_.neighbors[id_]; }
    __device__ FieldAt<unsigned> number() const { return columns_.number[id_]; }

private:
    StreetColumns const& columns_;
    unsigned id_;
};

struct AgentColumns {
    DeviceColumn<float> progress;
    DeviceColumn<unsigned> street;
    DeviceColumn<float> max_velocity;
    DeviceColumn<unsigned> tag;  // empty if all agents have the same class
};

template <>
class AgentAt<Declared> {
public:
    __device__ AgentAt(AgentColumns const& columns, unsigned id) : columns_(columns), id_(id) {}
    __device__ FieldAt<float> progress() const { return columns_.progress[id_]; }
    __device__ FieldAt<unsigned> street() const { return columns_.street[id_]; }
    __device__ FieldAt<float> max_velocity() const { return columns_.max_velocity[id_]; }

private:
    AgentColumns const& columns_;
    unsigned id_;
};

// The block of `each`: agent.move(weather).
template <class Mode>
struct MoveBlock {
    AgentColumns agents;
    StreetColumns streets;
    DeviceColumn<unsigned> array_offset;
    DeviceColumn<unsigned> array_size;
    DeviceColumn<unsigned> contents;
    DeviceColumn<unsigned> table;
    DeviceColumn<unsigned> jobs;  // empty: lane i takes element i
    AgentNumbering numbering;
    unsigned long long seed;
    unsigned table_size;
    float weather;
    unsigned car;  // class tags
    unsigned pedestrian;
    unsigned only_class;  // of all agents; or no_job: then tags and a switch are needed (Section 4.4)
    unsigned* unknown;

    __device__ void operator()(unsigned lane, unsigned tick) const {
        unsigned id = lane;
        if (jobs.data != nullptr) {
            id = jobs[lane];
        }
        if (id == no_job) {
            return;
        }
        unsigned tag = only_class;
        if (only_class == no_job) {
            tag = agents.tag[id];
        }
        unsigned long long const number = number_at(numbering, id);
        if (tag == car) {
            move<Mode, 0, Declared>(*this, AgentAt<Declared>(agents, id), number, tick);
        } else if (tag == pedestrian) {
            move<Mode, 1, Declared>(*this, AgentAt<Declared>(agents, id), number, tick);
        } else {
            atomicAdd(unknown, 1u);
        }
    }
};

namespace {

using Words = Buffer<unsigned>;

class SectionsCase : public bench::Case {
public:
    SectionsCase(TrafficRequest const& request, unsigned sections, bool resident)
        : Case(problem_of(request)), request_(request), sections_(sections), resident_(resident), unknown_(1) {
        numbering_ = {request.first_number, request.agents,
                      request.options.order == Order::sorted ? 0 : shuffle_bits(request.agents), request.traffic->seed};
        streets_ = make_streets(*request.traffic->network);
        table_ = Words(request.traffic->table.size());
        table_.upload(request.traffic->table);
    }

    void reset() override {
        objects_.reset();
        agents_.clear();
        base_.clear();
        for (unsigned index = 0; index < request_.agents; ++index) {
            agents_.push_back(make_agent(*request_.traffic, streets_, number_at(numbering_, index)));
            base_.push_back(agents_.back().get());
        }
        Roots const roots = roots_of(std::span<Agent* const>(base_));
        bool const live = request_.traffic->mode == Mode::live;
        image_ = trace(traffic_model(), roots, access_of(traffic_model(), roots, live ? "move" : "move_by_table"));
        traced_ = image_;
        elements_ = base_;
        if (request_.agents == 0)
            return;
        objects_ = std::make_unique<DeviceObjects>(image_);
        order_jobs();
        unknown_.fill_bytes(0);
        if (resident_)
            objects_->begin_section();
    }

    void run(simt::Stream stream) override {
        if (request_.agents == 0)
            return;
        unsigned const ticks = request_.traffic->ticks;
        for (unsigned section = 0; section < sections_; ++section) {
            unsigned const first = static_cast<unsigned>(std::uint64_t{ticks} * section / sections_);
            unsigned const end = static_cast<unsigned>(std::uint64_t{ticks} * (section + 1) / sections_);
            objects_->begin_section();
            unsigned const lanes = jobs_.size() == 0 ? request_.agents : static_cast<unsigned>(jobs_.size());
            if (request_.traffic->mode == Mode::live) {
                each(lanes, first, end, block<Live>(), stream);
            } else {
                each(lanes, first, end, block<Faithful>(), stream);
            }
            objects_->end_section();
            if (!resident_) {
                synchronize(stream);
                objects_->fetch();
                objects_->forget();
            }
        }
    }

    // Reads the results from the host objects, into which the columns are fetched first.
    std::vector<bench::UnitResult> results(std::span<std::uint64_t const> units) override {
        if (objects_ != nullptr) {
            if (unknown_.to_vector().front() != 0)
                throw simt::Error("an agent has an unknown class (its tag is not in the model)");
            objects_->fetch();
        }
        if (index_of_number_.empty()) {
            index_of_number_.resize(request_.agents);
            for (unsigned index = 0; index < request_.agents; ++index)
                index_of_number_[number_at(numbering_, index) - numbering_.first_number] = index;
        }
        std::vector<bench::UnitResult> found;
        for (std::uint64_t const unit : units) {
            Agent const& agent = *base_[index_of_number_[unit - request_.first_number]];
            std::uint32_t bits = 0;
            std::memcpy(&bits, &agent.progress, sizeof bits);
            found.push_back({bits, agent.street->number});
        }
        return found;
    }

    bench::Work work() const override { return work_of(request_.traffic->ticks, request_.agents, request_.options); }
    bool repeatable() const override { return false; }
    // Without resident objects, the host sends them and waits.
    bool is_host_driven() const override { return !resident_; }
    // The transfers, and what the sections leave on the host: call it after results().
    bench::Metrics metrics() const override {
        if (objects_ == nullptr)
            return {};
        double uploads = 0;
        double downloads = 0;
        for (auto const& [field, count] : objects_->transfers().uploads)
            uploads += count;
        for (auto const& [field, count] : objects_->transfers().downloads)
            downloads += count;
        return {{"columns_sent", uploads},
                {"columns_fetched", downloads},
                {"columns_changed", columns_changed()},
                {"elements_moved", elements_moved()},
                {"fields_sent", fields_sent()},
                {"fields_of_classes", fields_of_classes()},
                {"bytes_moved", static_cast<double>(objects_->transfers().bytes)},
                {"column_bytes", static_cast<double>(image_.bytes())},
                {"null_bytes", static_cast<double>(image_.null_bytes())},
                {"bytes_with_one_numbering", static_cast<double>(image_.bytes_with_one_numbering())}};
    }

private:
    // Columns whose words differ from those that the objects had before the sections.
    double columns_changed() const {
        double changed = 0;
        for (std::size_t at = 0; at < image_.hierarchies.size(); ++at) {
            std::vector<Column> const& before = traced_.hierarchies[at].columns;
            std::vector<Column> const& after = image_.hierarchies[at].columns;
            for (std::size_t column = 0; column < after.size(); ++column)
                changed += after[column].words != before[column].words ? 1 : 0;
        }
        return changed;
    }
    // Elements of the base array that are another object, or have another id, than before the sections.
    double elements_moved() const {
        double moved = 0;
        for (std::size_t at = 0; at < base_.size(); ++at)
            moved += base_[at] != elements_[at] || image_.base_ids[at] != traced_.base_ids[at] ? 1 : 0;
        return moved;
    }
    // Instance variables whose columns were sent, of all that the classes have.
    double fields_sent() const {
        double sent = 0;
        for (Hierarchy const& hierarchy : image_.hierarchies) {
            for (Column const& column : hierarchy.columns)
                sent += static_cast<double>(objects_->transfers().uploads.count(column.name));
        }
        return sent;
    }
    static double fields_of_classes() {
        double fields = 0;
        for (ClassDescription const& one : traffic_model().classes())
            fields += static_cast<double>(one.fields.size());
        return fields;
    }

    void order_jobs() {
        if (request_.options.order != Order::jobs)
            return;
        std::vector<unsigned> const jobs = object_layout::cpu::job_array(
            image_.hierarchy_of("Agent").tags, static_cast<unsigned>(traffic_model().classes().size()), 32);
        jobs_ = Words(jobs.size());
        jobs_.upload(jobs);
    }

    template <class Mode>
    MoveBlock<Mode> block() {
        DeviceObjects& objects = *objects_;
        Traffic const& traffic = *request_.traffic;
        Hierarchy const& agents = image_.hierarchy_of("Agent");
        auto const watched = [](Words& words, char const* name) {
            return DeviceColumn<unsigned>{words.size() == 0 ? nullptr : words.data(),
                                          static_cast<unsigned>(words.size()), may_read, name};
        };
        return {{objects.column<float>("Agent.progress"), objects.column<unsigned>("Agent.street"),
                 objects.column<float>("Car.max_velocity"), objects.words("class tags of Agent")},
                {objects.column<float>("Street.length"), objects.column<float>("Street.max_velocity"),
                 objects.column<unsigned>("Street.neighbors"), objects.column<unsigned>("Street.number")},
                objects.words("Array.offset"),
                objects.words("Array.size"),
                objects.words("Array.contents"),
                watched(table_, "table"),
                watched(jobs_, "job array"),
                numbering_,
                traffic.seed,
                static_cast<unsigned>(traffic.table.size()),
                traffic.weather,
                traffic_model().class_named("Car"),
                traffic_model().class_named("Pedestrian"),
                agents.polymorphic() ? no_job : agents.classes.front(),
                unknown_.data()};
    }

    TrafficRequest request_;
    unsigned sections_;
    bool resident_;
    AgentNumbering numbering_;
    std::vector<std::unique_ptr<Street>> streets_;
    std::vector<std::unique_ptr<Agent>> agents_;
    std::vector<Agent*> base_;
    std::vector<unsigned> index_of_number_;
    ObjectImage image_;
    ObjectImage traced_;            // the image and
    std::vector<Agent*> elements_;  // the base array before the sections
    std::unique_ptr<DeviceObjects> objects_;
    Words table_;
    Words jobs_;
    Words unknown_;
};

void add(bench::Experiment& experiment, std::string const& name, bench::Role role, std::string const& description,
         bool resident) {
    bench::Variant variant = traffic_variant(name, role, description, nullptr, [](bench::Axes const& axes) {
        if (axes.text("layout") != "soa")
            return std::string("the library supports only columns: layout soa");
        return std::string(axes.integer("types") != 2 ? "its model has exactly two classes" : "");
    });
    variant.make = [resident](bench::Problem const& problem) -> std::unique_ptr<bench::Case> {
        return std::make_unique<SectionsCase>(request_of(problem),
                                              static_cast<unsigned>(problem.axes.integer("sections")), resident);
    };
    experiment.variants.push_back(std::move(variant));
}

}  // namespace

void add_sections(bench::Experiment& experiment) {
    add(experiment, "sections_sent", bench::Role::paper,
        "the library: columns sent for every section and fetched after it (Sections 3.1, 4.5); transfers are timed",
        false);
    add(experiment, "sections_resident", bench::Role::ours,
        "the library: columns stay on the device until a host object is read (Section 7.1)", true);
}

}  // namespace lockstep::object_layout::LOCKSTEP_MACHINE
