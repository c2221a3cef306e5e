#include "harness/bench/output_target.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <string>

#include "harness/bench/error.hpp"

namespace lockstep::bench {

namespace {

bool same_file(struct stat const& one, struct stat const& other) {
    return one.st_dev == other.st_dev && one.st_ino == other.st_ino;
}

bool is_null_device(struct stat const& status) {
    struct stat null {};
    return S_ISCHR(status.st_mode) && ::stat("/dev/null", &null) == 0 && S_ISCHR(null.st_mode) &&
           status.st_rdev == null.st_rdev;
}

}  // namespace

OutputTarget output_target(std::filesystem::path const& path) {
    if (path == "-")
        throw Error("cannot write -", "this output is a file", "name a file, or ./- for one of this name");
    struct stat status {};
    if (::stat(path.c_str(), &status) != 0)
        return OutputTarget::file;
    if (is_null_device(status))
        return OutputTarget::nothing;
    struct stat output {};
    if (::fstat(STDOUT_FILENO, &output) == 0 && same_file(status, output))
        return OutputTarget::standard_output;
    if (::fstat(STDERR_FILENO, &output) == 0 && same_file(status, output))
        throw Error("cannot write " + path.string(), "it is standard error", "name another file");
    if (S_ISREG(status.st_mode))
        return OutputTarget::file;
    std::string const what = S_ISDIR(status.st_mode)    ? "a folder"
                             : S_ISFIFO(status.st_mode) ? "a FIFO"
                             : S_ISSOCK(status.st_mode) ? "a socket"
                                                        : "a device";
    throw Error("cannot write " + path.string(), "it is " + what, "name a regular file");
}

}  // namespace lockstep::bench
