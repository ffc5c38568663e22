// Bushings in model files: defaults, writing and refusals.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "problems/io/model_file.h"
#include "problems/model/error.h"

namespace mbsbench {
namespace {

using testing::HasSubstr;

std::string BushingModel(const std::string& fields) {
  return R"({"format": "mbsbench-model", "version": 1, "name": "mounted", "end_time_s": 1,
    "bodies": [{"name": "a", "mass_kg": 1, "inertia_kg_m2": {"xx": 1, "yy": 1, "zz": 1}}],
    "joints": [{"name": "j", "type": "free", "parent": "ground", "child": "a"}],
    "bushings": [{"name": "m")" +
         fields + "}]}";
}

std::string BushingRefusal(const std::string& fields) {
  try {
    ParseModel(BushingModel(fields), "m.json");
  } catch (const ModelError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(BushingFiles, GiveNumbersPerAxisAndZerosWithoutThem) {
  const std::string given = R"("stiffness_N_m": [1, 2, 3], "damping_N_m_s_rad": [0, 0.5, 0])";
  const Problem p = ParseModel(
      BushingModel(
          R"(, "body_a": "ground", "body_b": "a", "frame_b": {"position_m": [0, 0, 2]}, )" + given),
      "m.json");
  const Bushing& e = p.system.forces.Of<Bushing>().at(0);
  EXPECT_EQ(e.body_a, kGround);
  EXPECT_EQ(e.body_b, 0);
  EXPECT_EQ(e.frame_a.position, Vector3{});
  EXPECT_EQ(e.frame_b.position, (Vector3{0, 0, 2}));
  EXPECT_EQ(e.stiffness, (Vector3{1, 2, 3}));
  EXPECT_EQ(e.damping, Vector3{});
  EXPECT_EQ(e.turn_stiffness, Vector3{});
  EXPECT_EQ(e.turn_damping, (Vector3{0, 0.5, 0}));
  EXPECT_FALSE(p.conservative);
  EXPECT_THAT(WriteModel(p), HasSubstr(given));
}

TEST(BushingFiles, AreConservativeWhereTheirMomentsHaveAPotential) {
  const auto conserves = [](const char* turn_stiffness) {
    return ParseModel(
               BushingModel(R"(, "body_a": "ground", "body_b": "a", "stiffness_N_m": [1, 2, 3],
                                   "stiffness_N_m_rad": )" +
                            std::string(turn_stiffness)),
               "m.json")
        .conservative;
  };
  EXPECT_TRUE(conserves("[4, 4, 4]"));
  EXPECT_FALSE(conserves("[4, 4, 0]"));
}

TEST(BushingFiles, AreRefusedWithASentenceThatNamesTheFault) {
  EXPECT_THAT(BushingRefusal(R"(, "body_a": "a", "body_b": "a")"),
              HasSubstr("bushing 'm' joins a body to itself"));
  EXPECT_THAT(BushingRefusal(R"(, "body_a": "ground", "body_b": "b")"), HasSubstr("'b'"));
  EXPECT_THAT(BushingRefusal(R"(, "body_a": "ground")"), HasSubstr("body_b"));
  EXPECT_THAT(BushingRefusal(R"(, "body_a": "ground", "body_b": "a", "stiffness_N_m": 5)"),
              HasSubstr("stiffness_N_m"));
  EXPECT_THAT(BushingRefusal(R"(, "body_a": "ground", "body_b": "a", "stiffness": [1, 1, 1])"),
              HasSubstr("stiffness_N_m"));
  EXPECT_THAT(
      BushingRefusal(
          R"(, "body_a": "ground", "body_b": "a", "frame_a": {"quaternion_wxyz": [2, 0, 0, 0]})"),
      HasSubstr("bushing 'm'"));
}

}  // namespace
}  // namespace mbsbench
