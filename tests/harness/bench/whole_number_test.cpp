// Whole numbers with an exponent as digits, and texts that stay as they are.

#include "harness/bench/whole_number.hpp"

#include <gtest/gtest.h>

#include <utility>

namespace lockstep::bench {
namespace {

TEST(WholeNumber, AnExponentBecomesDigits) {
    for (auto const& [text, digits] : {std::pair<std::string, std::string>{"1e9", "1000000000"},
                                       {"1E9", "1000000000"},
                                       {"1e+09", "1000000000"},
                                       {"1.5e3", "1500"},
                                       {"1.50e1", "15"},
                                       {"100e-2", "1"},
                                       {"0012e0", "12"},
                                       {"0e5", "0"},
                                       {"0e-5", "0"},
                                       {"0.00e1", "0"},
                                       {"7.e1", "70"},
                                       {"1e20", "100000000000000000000"},
                                       {"184467440737095516150e-1", "18446744073709551615"}})
        EXPECT_EQ(whole_number(text), digits) << text;
}

TEST(WholeNumber, OtherTextsStay) {
    for (std::string const text :
         {"",     "7",   "010",   "0x1e5",   "1.5",  "1.5e0", "1e-1",    "12e-2",         "-1e3",  "+1e3", "1e",   "e5",
          ".5e1", "1e+", "1e++5", "100e+-2", "1e5 ", "1e5K",  "1.2.3e5", "1e99999999999", "1e401", "nan",  "1e3e3"})
        EXPECT_EQ(whole_number(text), text);
}

}  // namespace
}  // namespace lockstep::bench
