#pragma once
// An object graph in device memory. Only columns that the section reads or writes are sent, and only written columns
// are copied back (Section 4.5). Columns may stay on the device between sections until the host reads its objects: the
// paper's future work (Section 7.1). Include it in `.cu` files.

#include <algorithm>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "harness/bench/error.hpp"
#include "harness/simt/buffer.hpp"
#include "kernels/object_layout/library/device_columns.hpp"
#include "kernels/object_layout/library/memory.hpp"
#include "kernels/object_layout/library/object_image.hpp"

namespace lockstep::object_layout::LOCKSTEP_MACHINE {

using namespace simt::LOCKSTEP_MACHINE;

class DeviceObjects {
public:
    // Number of transfers per field, and bytes in total.
    struct Transfers {
        std::map<std::string, unsigned> uploads;
        std::map<std::string, unsigned> downloads;
        std::uint64_t bytes = 0;
    };

    // Sends nothing yet. Throws bench::Error if the graph is larger than the device's free memory.
    explicit DeviceObjects(ObjectImage& image, std::uint64_t free_bytes = free_memory()) : image_(image) {
        if (image.bytes() > free_bytes) {
            throw bench::Error(
                "the object graph is larger than the device's memory",
                std::to_string(image.bytes()) + " bytes, and " + std::to_string(free_bytes) + " are free",
                "Declare fewer fields, or divide the base array.");
        }
    }

    // Sends the columns that the section uses and the device does not have.
    void begin_section() {
        for (Hierarchy const& hierarchy : image_.hierarchies) {
            if (hierarchy.polymorphic())
                send("class tags of " + image_.model->classes()[hierarchy.root].name, hierarchy.tags);
            for (Column const& column : hierarchy.columns) {
                send(column.name, column.words);
                if (!column.tags.empty())
                    send(column.name + " class tags", column.tags);
            }
        }
        send("Array.offset", image_.arrays.offset);
        send("Array.size", image_.arrays.size);
        send("Array.contents", image_.arrays.contents);
        send("base array", image_.base_ids);
    }

    // Marks written columns as newer on the device.
    void end_section() {
        for (std::string const& field : image_.access.writes)
            newer_.insert(field);
    }

    // Copies written columns into the image and into the host objects.
    void fetch() {
        for (std::string const& field : newer_) {
            Column& column = image_.column(field);
            buffers_.at(field).download(column.words);
            ++transfers_.downloads[field];
            transfers_.bytes += 4 * column.words.size();
            write_back(image_, column);
        }
        newer_.clear();
    }

    // After host code changed numbers of objects: fetches what is newer on the device, reads the columns of numbers
    // from the objects, and makes the next section send those that changed. A changed reference or array needs a new
    // trace.
    void refresh() {
        fetch();
        for (Hierarchy& hierarchy : image_.hierarchies) {
            for (Column& column : hierarchy.columns) {
                if (read_again(image_, column))
                    buffers_.erase(column.name);
            }
        }
    }

    // Makes the next section send all columns again.
    void forget() { buffers_.clear(); }

    // Returns a column. If the section does not use it, it is empty, and the emulator reports any access to it.
    template <class T>
    DeviceColumn<T> column(std::string const& field) {
        if (!image_.access.declared(field) || buffers_.count(field) == 0)
            return {nullptr, 0, 0, image_.model->field_named(field).name.c_str()};
        Column const& column = image_.column(field);
        unsigned char const rights =
            static_cast<unsigned char>((image_.access.reads.count(field) != 0 ? may_read : 0) |
                                       (image_.access.writes.count(field) != 0 ? may_write : 0));
        return {reinterpret_cast<T*>(buffers_.at(field).data()), static_cast<unsigned>(column.words.size()), rights,
                column.name.c_str()};
    }
    // Returns class tags, arrays or the base array, read-only, by the names that begin_section() uses.
    DeviceColumn<unsigned> words(std::string const& name) {
        if (buffers_.count(name) == 0)
            return {};
        auto& buffer = buffers_.at(name);
        return {buffer.data(), static_cast<unsigned>(buffer.size()), may_read, buffers_.find(name)->first.c_str()};
    }

    Transfers const& transfers() const { return transfers_; }

private:
    void send(std::string const& name, std::vector<std::uint32_t> const& words) {
        if (buffers_.count(name) != 0)
            return;
        auto& buffer = buffers_[name] = Buffer<unsigned>(words.size());
        buffer.upload(words);
        ++transfers_.uploads[name];
        transfers_.bytes += 4 * words.size();
    }

    ObjectImage& image_;
    std::map<std::string, Buffer<unsigned>> buffers_;
    std::set<std::string> newer_;
    Transfers transfers_;
};

}  // namespace lockstep::object_layout::LOCKSTEP_MACHINE
