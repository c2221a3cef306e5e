#include "experiments/term_rewriting/output.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "harness/bench/atomic_file.hpp"
#include "harness/bench/error.hpp"
#include "harness/bench/output_target.hpp"

namespace lockstep::term_rewriting {

Output::Output(std::string path) : path_(std::move(path)), file_(stdout) {
    if (path_ == "-")
        path_.clear();
    if (path_.empty())
        return;
    bench::OutputTarget const target = bench::output_target(path_);
    if (target == bench::OutputTarget::standard_output) {
        path_.clear();
        return;
    }
    // /dev/null is written to as it is.
    bool const special = target == bench::OutputTarget::nothing;
    if (!special)
        bench::create_parent_folders(path_);
    partial_ = special ? path_ : bench::scratch_name(path_);
    if (!special)
        registered_.emplace(partial_);
    file_ = std::fopen(partial_.c_str(), "wb");
    if (file_ == nullptr)
        fail();
}

Output::~Output() {
    if (path_.empty())
        return;
    if (file_ != nullptr)
        std::fclose(file_);
    if (is_scratch())
        std::remove(partial_.c_str());
}

void Output::write(std::string_view text) {
    if (std::fwrite(text.data(), 1, text.size(), file_) != text.size())
        fail();
}

void Output::commit() {
    if (std::fflush(file_) != 0)
        fail();
    if (path_.empty())
        return;
    if (is_scratch() && ::fsync(::fileno(file_)) != 0 && errno != EINVAL)
        fail();
    if (std::fclose(std::exchange(file_, nullptr)) != 0)
        fail();
    if (!is_scratch())
        return;
    if (std::rename(partial_.c_str(), path_.c_str()) != 0)
        fail();
    registered_.reset();
    bench::sync_folder_of(path_);
}

void Output::fail() const {
    int const number = errno;
    if (!path_.empty())
        throw bench::cannot_write(path_, number);
    throw bench::Error("cannot write standard output", std::strerror(number),
                       "redirect it to a file with enough space");
}

}  // namespace lockstep::term_rewriting
