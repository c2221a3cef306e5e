// `lockstep merge`: merges rows of several results files into one.

#include <ostream>

#include "harness/bench/one_line.hpp"
#include "harness/bench/results_merge.hpp"
#include "harness/cli/builtin.hpp"

namespace lockstep::cli {

int merge_command(MergeOptions const& options, std::ostream& out) {
    for (std::string const& file : options.files) {
        bench::MergedRows const rows = bench::merge_results(file, options.into);
        out << bench::one_line(file) << ": " << rows.added << " rows added, " << rows.replaced << " replaced, "
            << rows.kept << " unchanged\n";
    }
    return 0;
}

}  // namespace lockstep::cli
