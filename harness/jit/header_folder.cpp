#include "harness/jit/header_folder.hpp"

#include <filesystem>
#include <map>

#include "harness/jit/cache.hpp"

namespace lockstep::jit {

std::string header_folder(std::string const& cache_name, std::vector<simt::EmbeddedText> const& headers) {
    std::string all;
    for (simt::EmbeddedText const& header : headers)
        all += std::string(header.name) + "\n" + header.text;
    std::filesystem::path const name = cache_name + "/include-" + cache_file_name(all, "headers");
    std::map<std::string, std::string> folders;  // by the folder of a header's name
    for (simt::EmbeddedText const& header : headers) {
        std::filesystem::path const path = header.name;
        std::string& folder = folders[path.parent_path()];
        if (folder.empty())
            folder = own_cache_folder((name / path.parent_path()).string());
        own_cache_text(folder + "/" + path.filename().string(), header.text);
    }
    return own_cache_folder(name);
}

}  // namespace lockstep::jit
