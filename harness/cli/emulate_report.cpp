#include "harness/cli/emulate_report.hpp"

#include <fmt/core.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>
#include <tuple>

#include "harness/bench/one_line.hpp"

namespace lockstep::cli {
namespace {

nlohmann::json result_of(std::string const& rule, std::string const& text) {
    return {{"ruleId", rule}, {"level", "error"}, {"message", {{"text", bench::one_line(text)}}}};
}

// A file as a URI reference (RFC 3986): relative to the current folder if it is in it, as viewers of SARIF expect.
std::string uri_of(std::string const& file) {
    std::error_code error;
    std::filesystem::path const folder = std::filesystem::current_path(error);
    std::filesystem::path const relative = std::filesystem::path(file).lexically_relative(folder);
    bool const inside = !error && !relative.empty() && *relative.begin() != "..";
    std::string const path = inside ? relative.string() : std::filesystem::path(file).lexically_normal().string();
    std::string uri = !inside && path.starts_with('/') ? "file://" : "";
    for (char const c : path) {
        bool const plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                           std::string_view("-._~/").find(c) != std::string_view::npos;
        uri += plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
    }
    return uri;
}

std::string xml(std::string_view text) {
    std::string escaped;
    for (char const c : bench::one_line(text)) {
        switch (c) {
            case '&':
                escaped += "&amp;";
                break;
            case '<':
                escaped += "&lt;";
                break;
            case '>':
                escaped += "&gt;";
                break;
            case '"':
                escaped += "&quot;";
                break;
            default:
                escaped += c;
        }
    }
    return escaped;
}

std::string run_name(EmulatedRun const& run) { return fmt::format("order {}, seed {}", run.order, run.seed); }

}  // namespace

std::string sarif_report(std::vector<EmulatedRun> const& runs) {
    nlohmann::json results = nlohmann::json::array();
    std::set<std::tuple<std::string, std::string, unsigned>> seen;
    std::set<std::string> rules;
    for (EmulatedRun const& run : runs) {
        for (Finding const& finding : run.findings) {
            if (!seen.emplace(finding.rule, finding.file, finding.line).second)
                continue;
            nlohmann::json result = result_of(finding.rule, finding.text + " (" + run_name(run) + ")");
            if (finding.line != 0) {
                result["locations"] = {{{"physicalLocation",
                                         {{"artifactLocation", {{"uri", uri_of(finding.file)}}},
                                          {"region", {{"startLine", finding.line}}}}}}};
            }
            rules.insert(finding.rule);
            results.push_back(result);
        }
        if (run.findings.empty() && !run.end.empty()) {
            rules.insert("failed");
            results.push_back(result_of("failed", "the program failed: " + run.end + " (" + run_name(run) + ")"));
        }
    }
    nlohmann::json listed = nlohmann::json::array();
    for (std::string const& rule : rules)
        listed.push_back({{"id", rule}});
    nlohmann::json const driver = {{"name", "lockstep emulate"}, {"rules", listed}};
    nlohmann::json const report = {
        {"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
        {"version", "2.1.0"},
        {"runs", nlohmann::json::array({{{"tool", {{"driver", driver}}}, {"results", results}}})}};
    return report.dump(2) + "\n";
}

std::string junit_report(std::string const& program, std::vector<EmulatedRun> const& runs) {
    std::string cases;
    std::size_t failed = 0;
    for (EmulatedRun const& run : runs) {
        cases += fmt::format("  <testcase classname=\"{}\" name=\"{}\" time=\"{:.3f}\">\n", xml(program),
                             xml(run_name(run)), run.seconds);
        failed += run.passed() ? 0 : 1;
        for (Finding const& finding : run.findings)
            cases += fmt::format("    <failure type=\"{}\" message=\"{}\"/>\n", xml(finding.rule), xml(finding.text));
        if (run.findings.empty() && !run.end.empty())
            cases += fmt::format("    <failure type=\"failed\" message=\"{}\"/>\n", xml(run.end));
        cases += "  </testcase>\n";
    }
    return fmt::format(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuite name=\"lockstep emulate\" tests=\"{}\" "
        "failures=\"{}\">\n{}</testsuite>\n",
        runs.size(), failed, cases);
}

}  // namespace lockstep::cli
