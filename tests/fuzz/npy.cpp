// Columns of states in .npy files, as `interpret --column` reads them.

#include "common/rule_interpreter/rule_file/array_file.hpp"
#include "tests/fuzz/scratch_file.hpp"
#include "tests/fuzz/target.hpp"

namespace lockstep::fuzz {

void npy(std::string const& input) {
    using namespace rule_interpreter::rule_file;
    NpyHead head;
    bool const is_head = accepts([&] { head = parse_npy_head(input, "column.npy"); });
    if (is_head) {
        require(head.bytes <= input.size(), "a head lies in the file");
        NpyHead const printed = parse_npy_head(npy_head(head.shape), "printed.npy");
        require(printed.shape.type == head.shape.type && printed.shape.states == head.shape.states &&
                    printed.shape.size == head.shape.size,
                "a printed head is the head");
    }
    std::filesystem::path const path = scratch_file("column.npy", input);
    accepts([&] {
        ArrayReader const reader(path.string(), is_head ? head.shape.type : Type::u32, 0);
        require(is_head, "a column has a head");
        std::string values(input.size() - head.bytes, '\0');
        reader.read(0, reader.shape().states, values.data());
        require(values == input.substr(head.bytes), "the values follow the head");
    });
}

}  // namespace lockstep::fuzz

LOCKSTEP_FUZZ_TARGET(npy)
