#include "tests/support/tool.hpp"

#include "harness/bench/atomic_file.hpp"
#include "harness/bench/error.hpp"
#include "harness/cli/command_line.hpp"

namespace lockstep::tests {

Ran Tool::run(Words words) const {
    words.insert(words.begin(), name_);
    std::vector<char const*> pointers;
    for (std::string const& word : words)
        pointers.push_back(word.c_str());
    testing::internal::CaptureStdout();
    testing::internal::CaptureStderr();
    Ran ran;
    try {
        ran.code = function_(static_cast<int>(pointers.size()), pointers.data());
    } catch (bench::Error const& error) {
        ran.code = 2;
        ran.err = error.what();
    } catch (...) {
        testing::internal::GetCapturedStdout();
        testing::internal::GetCapturedStderr();
        throw;
    }
    ran.out = testing::internal::GetCapturedStdout();
    ran.err += testing::internal::GetCapturedStderr();
    return ran;
}

std::string Tool::output_of(Words const& words) const {
    Ran ran = run(words);
    EXPECT_EQ(ran.code, 0) << ran.err;
    return std::move(ran.out);
}

std::string Tool::help() const {
    try {
        run({"--help"});
    } catch (cli::HelpRequested const& requested) {
        return requested.text;
    }
    return "no help";
}

std::string Tool::error_of(Words const& words) const {
    Ran ran = run(words);
    if (ran.code == 0)
        return "no error";
    EXPECT_EQ(ran.code, 2);
    EXPECT_EQ(ran.out, "");
    EXPECT_EQ(ran.err.find('\n'), std::string::npos) << ran.err;
    return std::move(ran.err);
}

std::string ToolTest::file(std::string const& name, std::string const& text) const {
    std::filesystem::path const path = folder_.path() / name;
    if (!text.empty())
        bench::write_file_atomically(path, text);
    return path.string();
}

std::string ToolTest::csv_of(Words words) const {
    std::string const path = file("out.csv");
    words.insert(words.end(), {"--csv", path});
    output_of(words);
    return bench::read_file(path);
}

Words joined(Words first, Words const& second) {
    first.insert(first.end(), second.begin(), second.end());
    return first;
}

}  // namespace lockstep::tests
