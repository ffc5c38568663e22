#include "harness/comparison/merged_agreement.h"

#include <gtest/gtest.h>

#include "harness/records/json_codec.h"

namespace mbsbench {
namespace {

MethodAgreementRecord Method(const std::string& name, MaybeNumber difference, MaybeNumber error) {
  return {.method = name, .difference = difference, .error = error};
}

AgreementCheck Check(const std::string& finished, const std::string& outcome,
                     std::vector<MethodAgreementRecord> methods) {
  AgreementRecord record{.states = static_cast<int>(methods.size()), .methods = std::move(methods)};
  return {finished, outcome, "why " + outcome, std::move(record)};
}

const AgreementCheck kWide = Check("2026-01-01T00:00:01Z", "inaccurate",
                                   {Method("a", 1e-12, 1e-15), Method("b", 1e-12, 2e-15),
                                    Method("wrong", 1, 1), Method("absent", {}, {})}),
                     kNarrow = Check("2026-01-01T00:00:02Z", "no_reference",
                                     {Method("b", {}, 3e-15), Method("new", {}, 4e-15)});

TEST(MergedAgreement, TakesTheNewestOfEachMethodAndTheRestFromTheLargestCheck) {
  for (const auto& checks : {std::vector{kWide, kNarrow}, std::vector{kNarrow, kWide}}) {
    const AgreementCheck merged = MergedAgreement(checks);
    EXPECT_EQ("inaccurate", merged.outcome);
    EXPECT_EQ("why inaccurate", merged.reason);
    EXPECT_EQ(4, merged.record.states);
    const AgreementRecord expected{
        .states = 4,
        .methods = {Method("a", 1e-12, 1e-15), Method("b", 1e-12, 3e-15), Method("wrong", 1, 1),
                    Method("absent", {}, {}), Method("new", {}, 4e-15)}};
    EXPECT_EQ(ToJson(expected), ToJson(merged.record));
  }
}

TEST(MergedAgreement, KeepsTheNewestRedundancyIfTheLargestCheckLacksIt) {
  AgreementCheck known = kNarrow;
  known.record.redundancy = RedundancyRecord{.rows = 30, .rank = 29};
  EXPECT_EQ(29, MergedAgreement({kWide, known}).record.redundancy->rank);
  known.finished = kWide.finished;
  EXPECT_EQ(29, MergedAgreement({known, kWide}).record.redundancy->rank);
}

TEST(MergedAgreement, IsNotOkIfASmallerCheckFoundAWrongMethod) {
  MethodAgreementRecord wrong = Method("wrong", 1, 1);
  wrong.judged = "wrong_equations";
  const AgreementCheck wide = Check("2026-01-01T00:00:01Z", "ok",
                                    {Method("a", 1e-12, 1e-15), Method("b", 1e-12, 2e-15)}),
                       small = Check("2026-01-01T00:00:02Z", "inaccurate", {wrong});
  const AgreementCheck merged = MergedAgreement({wide, small});
  EXPECT_EQ("inaccurate", merged.outcome);
  EXPECT_EQ("why inaccurate", merged.reason);
}

TEST(MergedAgreement, OfChecksInTheSameSecondIsTheLaterOne) {
  const AgreementCheck before = Check("2026-01-01T00:00:00Z", "ok", {Method("a", 1e-12, 1e-15)}),
                       later = Check(before.finished, "inaccurate", {Method("a", 1, 1)});
  EXPECT_EQ("inaccurate", MergedAgreement({before, later}).outcome);
  EXPECT_EQ("ok", MergedAgreement({later, before}).outcome);
}

TEST(MergedAgreement, OfASingleCheckIsThatCheck) {
  EXPECT_EQ(ToJson(kWide.record), ToJson(MergedAgreement({kWide}).record));
  EXPECT_EQ("crashed", MergedAgreement({AgreementCheck{"", "crashed", "", {}}}).outcome);
}

}  // namespace
}  // namespace mbsbench
