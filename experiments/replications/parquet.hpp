#pragma once
// Parquet files, which Python's pyarrow writes: the program does not link it.

#include <string>

namespace lockstep::replications {

// True if a file of this name is a Parquet file.
inline bool is_parquet(std::string const& path) { return path.ends_with(".parquet"); }

// Throws bench::Error if `python3` cannot import pyarrow.
void require_parquet();

// Writes the table of a CSV text as a Parquet file. Throws bench::Error.
void write_parquet(std::string const& path, std::string const& csv);

}  // namespace lockstep::replications
