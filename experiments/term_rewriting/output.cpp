#include "experiments/term_rewriting/output.hpp"

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "harness/bench/error.hpp"

namespace lockstep::term_rewriting {

Output::Output(std::string path) : path_(std::move(path)), file_(stdout) {
    if (path_.empty())
        return;
    // A device such as /dev/null is written to directly, without a partial file.
    bool const special = std::filesystem::exists(path_) && !std::filesystem::is_regular_file(path_);
    partial_ = special ? path_ : path_ + ".partial";
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
