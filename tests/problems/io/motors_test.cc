// Motors in model files: reading, writing and refusals.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "problems/io/model_file.h"
#include "problems/model/error.h"
#include "problems/model/same_mechanism.h"

namespace mbsbench {
namespace {

using testing::HasSubstr;

std::string MotorModel(const std::string& type, const std::string& effort) {
  return R"({"format": "mbsbench-model", "version": 1, "name": "moved", "end_time_s": 1,
    "bodies": [{"name": "a", "mass_kg": 1, "inertia_kg_m2": {"xx": 1, "yy": 1, "zz": 1}}],
    "joints": [{"name": "j", "type": ")" +
         type + R"(", "parent": "ground", "child": "a"}],
    "motors": [{"name": "m", "joint": "j")" +
         effort + "}]}";
}

std::string MotorRefusal(const std::string& type, const std::string& effort) {
  try {
    ParseModel(MotorModel(type, effort), "m.json");
  } catch (const ModelError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(MotorFiles, SurviveWritingAndReading) {
  for (const auto& [type, effort] :
       {std::pair{"revolute", R"("torque_N_m": 2.5)"},
        {"prismatic", R"("force_N": [[0, 1], [0.5, -2.25]])"},
        {"cylindrical", R"("torque_N_m": [[0, 1]])"},
        {"cylindrical", R"("force_N": {"kind": "harmonic", "amplitude": 0.5, )"
                        R"("angular_frequency_rad_s": 2})"},
        {"revolute", R"("torque_N_m": {"kind": "constant_rate", "rate": 3})"}}) {
    const Problem p = ParseModel(MotorModel(type, std::string(", ") + effort), "m.json");
    const std::string written = WriteModel(p);
    EXPECT_THAT(written, HasSubstr(effort));
    EXPECT_EQ(WriteModel(ParseModel(written, "again.json")), written);
    EXPECT_FALSE(p.conservative);
  }
}

TEST(MotorFiles, GiveTheEffortBetweenAndOutsideTheKnots) {
  const Problem p =
      ParseModel(MotorModel("revolute", R"(, "torque_N_m": [[1, 2], [3, -6]])"), "m.json");
  const EffortOverTime& effort = p.system.forces.Of<Motor>().front().effort;
  EXPECT_EQ(effort.At(-1), 2);
  EXPECT_EQ(effort.At(1), 2);
  EXPECT_EQ(effort.At(1.5), 0);
  EXPECT_EQ(effort.At(3), -6);
  EXPECT_EQ(effort.At(9), -6);
  EXPECT_EQ(BreakPoints(p.system, 2), std::vector<double>{1});
}

TEST(MotorFiles, AreRefusedWithASentenceThatNamesTheFault) {
  EXPECT_THAT(MotorRefusal("revolute", R"(, "force_N": 1)"), HasSubstr("force_N"));
  EXPECT_THAT(MotorRefusal("prismatic", R"(, "torque_N_m": 1)"), HasSubstr("torque_N_m"));
  EXPECT_THAT(MotorRefusal("cylindrical", R"(, "torque_N_m": 1, "force_N": 1)"),
              HasSubstr("write two motors"));
  EXPECT_THAT(MotorRefusal("cylindrical", ""), HasSubstr("force_N"));
  EXPECT_THAT(MotorRefusal("ball", R"(, "torque_N_m": 1)"),
              HasSubstr("a motor acts on a revolute, prismatic or cylindrical one"));
  EXPECT_THAT(MotorRefusal("revolute", R"(, "torque_N_m": [])"), HasSubstr("no knots"));
  EXPECT_THAT(MotorRefusal("revolute", R"(, "torque_N_m": [[1, 2], [1, 3]])"),
              HasSubstr("do not ascend after 1 s"));
  std::string knots = "[0, 0]";
  for (int i = 1; i <= 10'000; ++i) knots += ", [" + std::to_string(i) + ", 0]";
  EXPECT_THAT(MotorRefusal("revolute", ", \"torque_N_m\": [" + knots + "]"),
              HasSubstr("at most 10000 are allowed"));
}

// N m in (mm, g, s) are 1e9 g mm^2/s^2.
TEST(Motors, KeepTheirEffortInOtherUnits) {
  const Problem p =
      ParseModel(MotorModel("revolute", R"(, "torque_N_m": [[1, 2], [3, -6]])"), "m.json");
  const System other = InUnits(p.system, {1e3, 1e3, 1});
  EXPECT_DOUBLE_EQ(other.forces.Of<Motor>()[0].effort.At(1.5) + 1, 1);
  EXPECT_DOUBLE_EQ(other.forces.Of<Motor>()[0].effort.At(0), 2e9);
}

}  // namespace
}  // namespace mbsbench
