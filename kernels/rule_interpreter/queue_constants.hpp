#pragma once
// The numbers by which `auto` and the warp queue plan a job (queue_plan.hpp). They depend on the GPU: the defaults were
// measured on an H200, and `lockstep interpret --tune` measures others. Host code, equal on all machines.

#include <array>
#include <filesystem>
#include <string>

#include "harness/simt/devices.hpp"
#include "harness/simt/machine.hpp"

namespace lockstep::rule_interpreter {

struct QueueConstants {
    double enough_warps = 8192;       // warps that fill the GPU
    double list_slots = 2400;         // from here on a list pays if the warps do not fill the GPU
    double always_list_slots = 3000;  // from here on it always pays
    double scalar_list_slots = 1600;  // for scalar products, from here on
    double fused_slots = 72;          // of several rules on a full GPU: up to here idle lanes cost less than a queue
    double few_instances = 65536;     // up to here every lane has at most about one instance
    double loading_slots = 102;       // of the GPU that pass while its memory delivers 32 values
    bool operator==(QueueConstants const&) const = default;
};

using QueueConstantField = double QueueConstants::*;  // named, since nvcc rewrites the declarator with parentheses

struct QueueConstant {
    char const* name;  // in the file
    QueueConstantField value;
};
inline constexpr std::array<QueueConstant, 7> all_queue_constants = {{
    {"enough_warps", &QueueConstants::enough_warps},
    {"list_slots", &QueueConstants::list_slots},
    {"always_list_slots", &QueueConstants::always_list_slots},
    {"scalar_list_slots", &QueueConstants::scalar_list_slots},
    {"fused_slots", &QueueConstants::fused_slots},
    {"few_instances", &QueueConstants::few_instances},
    {"loading_slots", &QueueConstants::loading_slots},
}};

// Those of the machine that is here. A GPU: from its tuning file, if there is one, else its default_constants().
// Others: the defaults. Throws bench::Error for a tuning file that is wrong.
QueueConstants const& queue_constants(simt::Machine machine);

// From now on these are the constants of the GPU, and no tuning file is read: for a process that writes one.
void use_queue_constants(QueueConstants const& constants);

// The defaults with what a GPU reports: its resident warps, as a power of two because plans double the warps, and how
// fast its memory is beside its multiprocessors.
QueueConstants default_constants(simt::DeviceInfo const& device);

// $LOCKSTEP_TUNING, or a file per device in the cache folder.
std::filesystem::path tuning_file(std::string const& device);

// Throw bench::Error. A file has every constant, and no other, and the name of the device.
QueueConstants read_tuning(std::filesystem::path const& path, std::string const& device);
void write_tuning(std::filesystem::path const& path, std::string const& device, QueueConstants const& constants);

}  // namespace lockstep::rule_interpreter
