#include "experiments/term_rewriting/output.hpp"

#include <cerrno>
#include <cstring>

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
    partial_ = target == bench::OutputTarget::nothing ? path_ : path_ + ".partial";
    bench::output_target(partial_);
    file_ = std::fopen(partial_.c_str(), "wb");
    if (file_ == nullptr)
        fail();
}

Output::~Output() {
    if (path_.empty() || file_ == nullptr)
        return;
    std::fclose(file_);
    if (partial_ != path_)
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
    std::fclose(file_);
    file_ = nullptr;
    if (partial_ != path_ && std::rename(partial_.c_str(), path_.c_str()) != 0)
        fail();
}

void Output::fail() const {
    throw bench::Error("cannot write " + (path_.empty() ? "standard output" : path_), std::strerror(errno));
}

}  // namespace lockstep::term_rewriting
