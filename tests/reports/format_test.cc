#include "reports/format/format.h"

#include <gtest/gtest.h>

#include <cstdlib>

namespace mbsbench::reports {
namespace {

TEST(Format, ErrorsHaveTwoDigitsWithoutTrailingZeros) {
  EXPECT_EQ(FormatError(1e-6), "1e-6");
  EXPECT_EQ(FormatError(1.23e-7), "1.2e-7");
  EXPECT_EQ(FormatError(-2.5e-12), "-2.5e-12");
  EXPECT_EQ(FormatError(0.0), "0");
  EXPECT_EQ(FormatError(1.0), "1");
  EXPECT_EQ(FormatError(3.14), "3.1");
  EXPECT_EQ(FormatError({}), "-");
}

TEST(Format, SecondsHaveThreeDigitsAndTheUnitThatFits) {
  EXPECT_EQ(FormatSeconds(1.234), "1.23 s");
  EXPECT_EQ(FormatSeconds(0.01234), "12.3 ms");
  EXPECT_EQ(FormatSeconds(0.1234), "123 ms");
  EXPECT_EQ(FormatSeconds(0.0009996), "1.00 ms");  // not "1000 µs"
  EXPECT_EQ(FormatSeconds(0.00999), "9.99 ms");
  EXPECT_EQ(FormatSeconds(2.5e-6), "2.50 µs");
  EXPECT_EQ(FormatSeconds(3e-9), "3.00 ns");
  EXPECT_EQ(FormatSeconds(123.4), "123 s");
  EXPECT_EQ(FormatSeconds({}), "-");
}

TEST(Format, Counts) {
  EXPECT_EQ(FormatCount(100008), "100,008");
  EXPECT_EQ(FormatCount(999), "999");
  EXPECT_EQ(FormatCount(-1234567), "-1,234,567");
  EXPECT_EQ(Plural(1, "cell"), "1 cell");
  EXPECT_EQ(Plural(1200, "cell"), "1,200 cells");
}

TEST(Format, CountsUseTheRightGrammaticalNumber) {
  EXPECT_EQ(Plural(0, "body"), "0 bodies");
  EXPECT_EQ(Plural(1, "body"), "1 body");
  EXPECT_EQ(Plural(2, "degree of freedom"), "2 degrees of freedom");
  EXPECT_EQ(Plural(2, "array"), "2 arrays");
}

TEST(Format, ExactTextReadsBackAsTheSameDouble) {
  for (double value : {0.1, 1.0 / 3, 6.02214076e23, 4.9e-324})
    EXPECT_EQ(std::strtod(FormatExact(value).c_str(), nullptr), value);
}

}  // namespace
}  // namespace mbsbench::reports
