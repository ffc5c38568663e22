// Motions of drivers in model files: reading, writing and refusals.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "problems/io/model_file.h"
#include "problems/io/vocabulary.h"
#include "problems/model/error.h"

namespace mbsbench {
namespace {

std::string ModelWith(const std::string& driver, const std::string& state = "") {
  return R"({"format": "mbsbench-model", "version": 1, "name": "driven", "end_time_s": 1,
    "bodies": [{"name": "a", "mass_kg": 1, "inertia_kg_m2": {"xx": 1, "yy": 1, "zz": 1}}],
    "joints": [{"name": "j", "type": "revolute", "parent": "ground", "child": "a"}],
    "drivers": [{"name": "d", "joint": "j", )" +
         driver + R"(}], "initial_state": [)" + state + "]}";
}
std::string WithMotion(const std::string& motion) { return ModelWith("\"motion\": " + motion); }

std::string SentenceOf(const std::string& text) {
  try {
    ParseModel(text, "m.json");
  } catch (const ModelError& error) {
    return error.what();
  }
  return "accepted";
}

constexpr const char* kEach[] = {
    R"({"kind": "harmonic", "amplitude": 0.5, "angular_frequency_rad_s": 2})",
    R"({"kind": "harmonic", "amplitude": 0.5, "angular_frequency_rad_s": 2, "phase_rad": 1, "mean": 0.25})",
    R"({"kind": "polynomial", "coefficients": [0.5, -1, 0, 2.5]})",
    R"({"kind": "ramp", "from": 0.5, "to": 1, "begin_s": 0.25, "duration_s": 0.5})",
    R"({"kind": "ramp", "from": 0.5, "to": 1, "begin_s": 0.25, "duration_s": 0.5, "smoothness": 3})",
    R"({"kind": "arcsine", "of": {"kind": "harmonic", "amplitude": 0.5, "angular_frequency_rad_s": 2}})",
    R"({"kind": "sum", "terms": [{"kind": "constant_rate", "rate": 2}, {"kind": "sum", "terms": [{"kind": "polynomial", "coefficients": [1]}]}]})"};

TEST(DriverMotionFiles, SurviveWritingAndReading) {
  for (const char* motion : kEach) {
    const std::string written = WriteModel(ParseModel(WithMotion(motion), "m.json"));
    EXPECT_THAT(written, testing::HasSubstr(motion));
    EXPECT_EQ(WriteModel(ParseModel(written, "again.json")), written);
  }
}

TEST(DriverMotionFiles, ReadAConstantRateLikeASpeedToTheBit) {
  const Problem speed = ParseModel(ModelWith("\"speed_rad_s\": 0.1"), "m.json");
  const Problem motion =
      ParseModel(WithMotion(R"({"kind": "constant_rate", "rate": 0.1})"), "m.json");
  EXPECT_EQ(WriteModel(speed), WriteModel(motion));
}

TEST(DriverMotionFiles, MayOmitCoordinatesThatTheDriverGives) {
  const Problem p = ParseModel(WithMotion(kEach[1]), "m.json");
  EXPECT_DOUBLE_EQ(p.initial.joints.q[0], 0.25 + 0.5 * std::sin(1));
  EXPECT_DOUBLE_EQ(p.initial.joints.u[0], 0.5 * 2 * std::cos(1));
  EXPECT_FALSE(p.conservative);
}

TEST(DriverMotionFiles, AreRefusedWithAMessageThatNamesTheLineAndTheFault) {
  const auto expect = [](const std::string& text, const std::string& sentence) {
    EXPECT_THAT(SentenceOf(text), testing::AllOf(testing::StartsWith("m.json, line 4: "),
                                                 testing::HasSubstr(sentence)));
  };
  expect(ModelWith("\"speed_rad_s\": 1, \"motion\": {\"kind\": \"constant_rate\", \"rate\": 1}"),
         "cannot be combined with 'speed_rad_s'");
  expect(ModelWith("\"speed_m_s\": 1"), "speed_m_s");
  expect(WithMotion("{}"), "kind");
  expect(WithMotion("3"), "must be an object");
  expect(WithMotion(R"({"kind": "wobble"})"), "is 'wobble', which is not known");
  for (const MotionWord& word : MotionKinds())
    expect(WithMotion(R"({"kind": "wobble"})"), std::string(word.name));
  expect(WithMotion(R"({"kind": "constant_rate"})"), "rate");
  expect(WithMotion(R"({"kind": "harmonic", "amplitude": 1})"), "angular_frequency_rad_s");
  expect(WithMotion(
             R"({"kind": "harmonic", "amplitude": 1, "angular_frequency_rad_s": 1, "rate": 1})"),
         "rate");
  expect(WithMotion(R"({"kind": "polynomial", "coefficients": []})"), "0 coefficients");
  expect(WithMotion(R"({"kind": "polynomial", "coefficients": ["a"]})"), "must be a number");
  expect(WithMotion(R"({"kind": "ramp", "from": 0, "to": 1, "begin_s": 0, "duration_s": -1})"),
         "a ramp motion of -1 s");
  expect(
      WithMotion(
          R"({"kind": "ramp", "from": 0, "to": 1, "begin_s": 0, "duration_s": 1, "smoothness": 5})"),
      "smoothness 5");
  expect(WithMotion(R"({"kind": "arcsine", "of": {"kind": "constant_rate", "rate": 1}})"),
         "an arcsine motion of a constant rate");
  expect(
      WithMotion(
          R"({"kind": "arcsine", "of": {"kind": "harmonic", "amplitude": 2, "angular_frequency_rad_s": 9}})"),
      "no finite motion at");
  expect(WithMotion(R"({"kind": "sum", "terms": []})"), "a sum of no motions");
  std::string deep = R"({"kind": "constant_rate", "rate": 1})";
  for (int k = 0; k < 6; ++k) deep = R"({"kind": "sum", "terms": [)" + deep + "]}";
  expect(WithMotion(deep), "is nested in 6 other motions");
  expect(ModelWith("\"motion\": " + std::string(kEach[0]), R"({"joint": "j", "angle_rad": 0.3})"),
         "puts joint 'j' at 0.3");
}

}  // namespace
}  // namespace mbsbench
