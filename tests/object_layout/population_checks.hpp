#pragma once
// Results of records, class lists and populations on a machine, for the tests of the emulator and of the GPU.

#include <string>
#include <vector>

namespace lockstep::object_layout::tests {

// Object i of a layout has four fields of 1 to 8 bytes, one of them an array, which a section computes from i and reads
// back into words. `bytes` is the size of the memory of 256 objects.
struct RecordResults {
    std::vector<unsigned> words;
    unsigned long long bytes = 0;
};

// What the objects of three classes answer, by tag; tags beyond them are missing.
struct DispatchResults {
    std::vector<unsigned> by_switch;
    std::vector<unsigned> by_table;
    std::vector<unsigned> of_one_class;
    std::vector<unsigned> per_class;  // objects 0 and 1 of the first class, none of the second, others of the third
};

// The values of the objects after each object was succeeded by as many as `successors` says; a created object has its
// parent's value x 100 + its number. `capacity` is that of the array at the end.
struct PopulationResults {
    std::vector<unsigned> values;
    unsigned capacity = 0;
};

// Sections over objects whose value is 3 times their id: the values plus 1, their sum, and the ids of the objects whose
// value is even.
struct OverObjects {
    std::vector<unsigned> mapped;
    unsigned sum = 0;
    std::vector<unsigned> even;
};

namespace emulator {
OverObjects run_over_objects(unsigned size);
RecordResults run_records(std::string const& layout, unsigned objects);
DispatchResults run_dispatch(std::vector<unsigned> const& tags);
PopulationResults run_population(std::vector<unsigned> const& successors);
}  // namespace emulator
namespace cuda {
OverObjects run_over_objects(unsigned size);
RecordResults run_records(std::string const& layout, unsigned objects);
DispatchResults run_dispatch(std::vector<unsigned> const& tags);
PopulationResults run_population(std::vector<unsigned> const& successors);
}  // namespace cuda

}  // namespace lockstep::object_layout::tests
