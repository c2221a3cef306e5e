#include "harness/simt/machine.hpp"

#include <stdexcept>

namespace lockstep::simt {

std::string_view to_string(Machine machine) {
    switch (machine) {
        case Machine::cpu:
            return "cpu";
        case Machine::emulator:
            return "emulator";
        case Machine::cuda:
            return "cuda";
    }
    throw std::invalid_argument("invalid machine");
}

Machine machine_from_string(std::string_view name) {
    for (Machine const machine : {Machine::cpu, Machine::emulator, Machine::cuda}) {
        if (to_string(machine) == name) {
            return machine;
        }
    }
    throw std::invalid_argument("unknown machine '" + std::string(name) + "' (it is none of cpu, emulator, cuda)");
}

}  // namespace lockstep::simt
