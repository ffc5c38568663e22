#include "harness/store/merged_agreement.h"

#include <gtest/gtest.h>

#include "harness/store/store.h"

namespace mbsbench {
namespace {

using Checked = AgreementCheck<Json>;

Json Method(const std::string& name, const Json& difference, const Json& error) {
  return {{"method", name}, {"difference", difference}, {"error", error}};
}

Checked Check(const std::string& finished, const std::string& outcome, const Json& methods) {
  return {finished, outcome, "why " + outcome, {{"states", methods.size()}, {"methods", methods}}};
}

const Checked kWide = Check("2026-01-01T00:00:01Z", "inaccurate",
                            {Method("a", 1e-12, 1e-15), Method("b", 1e-12, 2e-15),
                             Method("wrong", 1, 1), Method("absent", nullptr, nullptr)}),
              kNarrow = Check("2026-01-01T00:00:02Z", "no_reference",
                              {Method("b", nullptr, 3e-15), Method("new", nullptr, 4e-15)});

TEST(MergedAgreement, TakesTheNewestOfEachMethodAndTheRestFromTheWidest) {
  for (const auto& checks : {std::vector{kWide, kNarrow}, std::vector{kNarrow, kWide}}) {
    const Checked merged = MergedAgreement(checks);
    EXPECT_EQ("inaccurate", merged.outcome);
    EXPECT_EQ("why inaccurate", merged.reason);
    EXPECT_EQ(4, merged.record.at("states"));
    const Json expected{Method("a", 1e-12, 1e-15), Method("b", 1e-12, 3e-15), Method("wrong", 1, 1),
                        Method("absent", nullptr, nullptr), Method("new", nullptr, 4e-15)};
    EXPECT_EQ(expected, merged.record.at("methods"));
  }
}

TEST(MergedAgreement, OfEqualOnesTheNewestCountsAndWithinASecondTheLater) {
  const Checked before =
                    Check("2026-01-01T00:00:00Z", "ok", Json::array({Method("a", 1e-12, 1e-15)})),
                later = Check(before.finished, "inaccurate", Json::array({Method("a", 1, 1)}));
  EXPECT_EQ("inaccurate", MergedAgreement(std::vector{before, later}).outcome);
  EXPECT_EQ("ok", MergedAgreement(std::vector{later, before}).outcome);
}

TEST(MergedAgreement, OneAloneIsLeftAsItIs) {
  EXPECT_EQ(kWide.record, MergedAgreement(std::vector{kWide}).record);
  EXPECT_EQ("crashed", MergedAgreement(std::vector{Checked{"", "crashed", "", Json()}}).outcome);
}

}  // namespace
}  // namespace mbsbench
