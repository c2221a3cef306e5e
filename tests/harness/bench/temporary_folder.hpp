#pragma once
// A temporary folder of a test; the destructor removes it and its contents.

#include <stdlib.h>

#include <filesystem>
#include <stdexcept>
#include <string>

namespace lockstep::tests {

class TemporaryFolder {
public:
    explicit TemporaryFolder(std::filesystem::path const& parent = std::filesystem::temp_directory_path()) {
        std::string pattern = (parent / "lockstep-test-XXXXXX").string();
        if (::mkdtemp(pattern.data()) == nullptr)
            throw std::runtime_error("mkdtemp failed");
        path_ = pattern;
    }
    TemporaryFolder(TemporaryFolder const&) = delete;
    TemporaryFolder& operator=(TemporaryFolder const&) = delete;
    ~TemporaryFolder() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }
    std::filesystem::path const& path() const { return path_; }

private:
    std::filesystem::path path_;
};

}  // namespace lockstep::tests
