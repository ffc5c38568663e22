#include "harness/store/printable.h"
#include "tests/support/parameter_name.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace mbsbench {
namespace {

struct Shown {
  const char* what;
  std::string text, shown;
};
void PrintTo(const Shown& shown, std::ostream* out) { *out << shown.what; }
class Printables : public testing::TestWithParam<Shown> {};

TEST_P(Printables, ContainNoControlSequences) {
  EXPECT_EQ(GetParam().shown, Printable(GetParam().text));
  EXPECT_EQ(GetParam().shown, Printable(GetParam().shown)) << "what is printable stays as it is";
}

INSTANTIATE_TEST_SUITE_P(
    Printable, Printables,
    testing::Values(Shown{"plain text", "a rod\tof 2 m\n", "a rod\tof 2 m\n"},
                    Shown{"letters beyond ASCII", "Kurbelschwinge ä µ ≤ 四 🙂",
                          "Kurbelschwinge ä µ ≤ 四 🙂"},
                    Shown{"a colour", "\x1b[31mred", "\\u001b[31mred"},
                    Shown{"a title of the window", "\x1b]0;x\a", "\\u001b]0;x\\u0007"},
                    Shown{"a line written over", "ok\rbad\b", "ok\\u000dbad\\u0008"},
                    Shown{"DEL", "\x7f", "\\u007f"},
                    Shown{"CSI as one character",
                          "\xc2\x9b"
                          "31m",
                          "\\u009b31m"},
                    Shown{"text from right to left",
                          "a\xe2\x80\xae"
                          "b",
                          "a\\u202eb"},
                    Shown{"a zero", std::string("a\0b", 3), "a\\u0000b"},
                    Shown{"CSI in Latin-1",
                          "\x9b"
                          "31m",
                          "\xef\xbf\xbd"
                          "31m"},
                    Shown{"a cut character", "\xe2\x82", "\xef\xbf\xbd\xef\xbf\xbd"},
                    Shown{"an escape in too many bytes", "\xc0\x9b", "\xef\xbf\xbd\xef\xbf\xbd"},
                    Shown{"a surrogate", "\xed\xa0\x80", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"}),
    NameOfParameter);

TEST(Printable, ParsesToTheSameJson) {
  const nlohmann::json document{{"reason", "\x1b[2J\x7f\xc2\x9b \"quoted\"\n"}};
  EXPECT_EQ(document, nlohmann::json::parse(Printable(document.dump())));
}

TEST(Printable, ReplacesBreaksInALineBySpaces) { EXPECT_EQ("a b c", PrintableLine("a\nb\tc")); }

}  // namespace
}  // namespace mbsbench
