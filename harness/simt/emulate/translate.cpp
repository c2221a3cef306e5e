#include "harness/simt/emulate/translate.hpp"

#include <algorithm>
#include <deque>
#include <filesystem>
#include <map>
#include <stdexcept>
#include <utility>

#include "harness/simt/emulate/headers.hpp"
#include "harness/simt/emulate/rewrites.hpp"

namespace lockstep::simt::emulate {
namespace {

std::string as_literal(std::string const& path) {
    std::string quoted;
    for (char const c : path) {
        quoted += c == '"' || c == '\\' ? std::string("\\") + c : std::string(1, c);
    }
    return "\"" + quoted + "\"";
}

// The name in `#include "name"` or `#include <name>`, and whether it is in quotes; empty for another directive.
struct Include {
    std::string name;
    bool quoted = false;
    std::size_t begin = 0;
    std::size_t end = 0;
};

Include include_of(Source const& source, std::vector<Token> const& directive) {
    if (directive.size() < 3 || (directive[1].text != "include" && directive[1].text != "include_next")) {
        return {};
    }
    std::size_t const begin = directive[2].begin;
    if (directive[2].kind == TokenKind::literal && directive[2].text.size() > 2) {
        return {std::string(directive[2].text.substr(1, directive[2].text.size() - 2)), true, begin, directive[2].end};
    }
    std::size_t const end = source.text.find('>', begin);
    if (directive[2].text != "<" || end == std::string::npos || end > directive.back().begin) {
        return {};
    }
    return {std::string(source.between(begin + 1, end)), false, begin, end + 1};
}

bool is_ours(std::string const& header) {
    auto const headers = foreign_headers();
    std::string const name = "harness/simt/cuda_api/include/" + header;
    return std::any_of(headers.begin(), headers.end(), [&](EmbeddedText const& text) { return text.name == name; });
}

bool is_cuda(std::string const& path) {
    std::string const extension = std::filesystem::path(path).extension().string();
    return extension == ".cu" || extension == ".cuh";
}

bool has_kernel(Scopes const& scopes) {
    return std::any_of(scopes.functions.begin(), scopes.functions.end(),
                       [](Function const& function) { return function.is_kernel; });
}

bool is_c(std::string const& path) { return std::filesystem::path(path).extension() == ".c"; }

class Translator {
public:
    Translator(std::vector<std::string> const& include_folders, ReadFile const& read)
        : include_folders_(include_folders), read_(read) {}

    std::vector<TranslatedFile> run(std::vector<std::string> const& sources,
                                    std::vector<std::string> const& definitions) {
        for (std::string const& path : sources) {
            std::optional<std::string> text = read_(path);
            if (!text) {
                throw std::runtime_error("no such file: " + path);
            }
            add(path, std::move(*text), true);
        }
        for (std::size_t i = 0; i < files_.size(); ++i) {  // grows
            find_includes(files_[i]);
        }
        Names names;
        for (std::string const& definition : definitions) {
            names.macros.insert(definition.substr(0, definition.find_first_of("=(")));
        }
        for (File const& file : files_) {
            add_extern_variables(file.source, file.scopes, names.declared_extern);
            add_kernel_names(file.source, file.scopes, names.kernels);
            add_macro_names(file.source, names.macros);
            add_own_api_names(file.source, file.scopes, names.own);
        }
        names.own.insert(names.macros.begin(), names.macros.end());
        std::vector<TranslatedFile> translated;
        for (File& file : files_) {
            rewrite(file, names);
            translated.push_back({file.source.path, file.name, text_of(file), file.is_source});
        }
        return translated;
    }

private:
    struct File {
        File(std::string const& path, std::string text, std::string file_name, bool source_file)
            : source(path, std::move(text)),
              scopes(scopes_of(source)),
              name(std::move(file_name)),
              is_source(source_file) {}

        Source source;
        Scopes scopes;
        std::string name;
        bool is_source;
    };

    // Of the whole program.
    struct Names {
        std::set<std::string> declared_extern;
        std::set<std::string> kernels;
        std::set<std::string> macros;
        std::set<std::string> own;  // macros, and names of the runtime API that it declares
    };

    std::string add(std::string const& path, std::string text, bool is_source) {
        std::string const kind = !is_source ? ".hpp" : is_c(path) ? ".c" : ".cpp";
        std::string const name = std::to_string(files_.size()) + kind;
        std::string const key = std::filesystem::path(path).lexically_normal().string();
        if (!is_source) {
            names_[key] = name;
        }
        files_.emplace_back(path, std::move(text), name, is_source);
        return name;
    }

    void find_includes(File& file) {
        for (std::vector<Token> const& directive : file.source.directives) {
            Include const include = include_of(file.source, directive);
            if (include.name.empty()) {
                continue;
            }
            if (std::string const name = translated_header(file.source.path, include); !name.empty()) {
                file.source.replace(include.begin, include.end, "\"" + name + "\"");
            } else if (refused_feature(include.name) && !is_ours(include.name)) {
                // Whether a toolkit has the header makes no difference.
                file.source.replace(include.begin, include.end, "\"lockstep_refused/" + include.name + "\"");
            }
        }
    }

    // The name of the header's translation, or nothing if it is not a file of the program.
    std::string translated_header(std::string const& includer, Include const& include) {
        std::vector<std::filesystem::path> folders;
        if (include.quoted) {
            folders.push_back(std::filesystem::path(includer).parent_path());
        }
        folders.insert(folders.end(), include_folders_.begin(), include_folders_.end());
        for (std::filesystem::path const& folder : folders) {
            std::string const path = (folder / include.name).lexically_normal().string();
            if (auto const known = names_.find(path); known != names_.end()) {
                return known->second;
            }
            if (std::optional<std::string> text = read_(path)) {
                return add(path, std::move(*text), false);
            }
        }
        return "";
    }

    static void rewrite(File& file, Names const& names) {
        Source& source = file.source;
        rewrite_launches(source, source.code, &file.scopes);
        if (is_cuda(source.path) || has_kernel(file.scopes)) {  // other files need not know CUDA's declarations
            rewrite_kernel_addresses(source, source.code, names.kernels);
            rewrite_host_variables(source, file.scopes, names.macros);
        }
        rewrite_kernel_entries(source, file.scopes);  // before all that goes to the same place
        rewrite_shared_variables(source, source.code, &file.scopes);
        rewrite_device_variables(source, file.scopes, names.declared_extern);
        rewrite_loops(source, file.scopes);
        rewrite_local_constants(source, file.scopes);
        rewrite_refused(source, source.code, &file.scopes);
        rewrite_discarded_calls(source, source.code, &file.scopes, names.own);
        for (std::vector<Token> const& directive : source.directives) {
            rewrite_launches(source, directive, nullptr);
            rewrite_shared_variables(source, directive, nullptr);
            rewrite_refused(source, directive, nullptr);
            rewrite_discarded_calls(source, directive, nullptr, names.own);
        }
    }

    // nvcc declares CUDA's runtime in each .cu file; other files include what they use.
    static std::string text_of(File const& file) {
        std::string const line = "#line 1 " + as_literal(file.source.path) + "\n";
        bool const declares = file.is_source && is_cuda(file.source.path);
        return (declares ? "#include \"harness/simt/emulate/foreign.hpp\"\n" : "") + line + file.source.edited();
    }

    std::vector<std::string> const& include_folders_;
    ReadFile const& read_;
    std::deque<File> files_;                    // so that references stay valid while it grows
    std::map<std::string, std::string> names_;  // of headers, by path
};

}  // namespace

std::vector<TranslatedFile> translate_program(std::vector<std::string> const& sources,
                                              std::vector<std::string> const& include_folders, ReadFile const& read,
                                              std::vector<std::string> const& definitions) {
    return Translator(include_folders, read).run(sources, definitions);
}

}  // namespace lockstep::simt::emulate
