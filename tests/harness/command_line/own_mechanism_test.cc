// An engineer's own mechanism: assembly, observed columns, pictures, advice.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <vector>

#include "problems/io/model_file.h"
#include "problems/model/kinematics.h"
#include "tests/harness/command_line/bench.h"

namespace mbsbench {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using Arguments = std::vector<std::string>;

const std::string kExcavator = MBSBENCH_SOURCE_DIR "/examples/excavator/excavator.json";

std::size_t ColumnOf(const json& document, const std::string& name) {
  const auto names = document.at("observed_columns").get<std::vector<std::string>>();
  const auto found = std::find(names.begin(), names.end(), name);
  EXPECT_NE(names.end(), found) << name;
  return static_cast<std::size_t>(found - names.begin());
}

TEST(OwnMechanism, RoughGuessesAreAssembledAndTheWrittenFileIsClosed) {
  const TemporaryFolder folder;
  const std::string written = folder.File("closed.json");
  const CommandResult refused = Bench({"check", kExcavator});
  EXPECT_EQ(2, refused.exit_code);
  EXPECT_THAT(refused.err, HasSubstr("--assemble"));
  const CommandResult result = Bench({"check", kExcavator, "--assemble", "--write", written});
  ASSERT_EQ(0, result.exit_code) << result.err;
  EXPECT_THAT(result.out, HasSubstr("boom_foot"));
  const Problem problem = ReadModelFile(written);
  const Assembly again = Assemble(problem.system, problem.initial, problem.length);
  EXPECT_LT(again.largest_position_correction, 1e-14);
  // The cylinder's two pins on upper structure and boom are 0.7 + 0.75 m and the stroke apart.
  const Problem rough = ReadModelFile(written);
  const double mount[] = {1.4 - 0.9, -0.2 - 0.3};  // from the boom's foot, in the upper structure
  const double boom = problem.initial.joints.q[1], x = 2.2, y = -0.2;  // of the eye on the boom
  const double eye[] = {x * std::cos(boom) - y * std::sin(boom),
                        x * std::sin(boom) + y * std::cos(boom)};
  EXPECT_NEAR(0.7 + 0.75 + 0.75, std::hypot(eye[0] - mount[0], eye[1] - mount[1]), 1e-14);
}

TEST(OwnMechanism, CheckRefusesAssemblyOfACatalogueProblemAndWritingWithoutAssembly) {
  EXPECT_EQ(2, Bench({"check", "fourbar", "--assemble"}).exit_code);
  EXPECT_EQ(2, Bench({"check", "fourbar", "--write", "/tmp/never.json"}).exit_code);
}

TEST(OwnMechanism, ObservedReactionsAgreeWithTheAccelerationsCommand) {
  for (const char* method : {"articulated-body", "cartesian-dae:index1"}) {
    const CommandResult solved =
        Bench({"solve", "fourbar", method, "--end", "0.1", "--observe", "all", "--json"});
    const CommandResult seen = Bench({"accelerations", "fourbar", method, "--json"});
    ASSERT_EQ(0, seen.exit_code) << seen.err;
    const json solution = json::parse(solved.out), accelerations = json::parse(seen.out);
    const json& first = solution.at("samples").at(0).at("observed");
    EXPECT_EQ(4u, accelerations.at("joints").size());
    for (const json& joint : accelerations.at("joints")) {
      if (!joint.at("unique").get<bool>()) continue;
      const std::string name = joint.at("name");
      double size = 1;
      for (int k = 0; k < 3; ++k) size += std::abs(joint.at("force").at(k).get<double>());
      for (int k = 0; k < 3; ++k) {
        const std::string axis(1, "xyz"[k]);
        EXPECT_NEAR(joint.at("force").at(k).get<double>(),
                    first.at(ColumnOf(solution, name + ".force_" + axis + "_N")).get<double>(),
                    1e-12 * size)
            << name;
        EXPECT_NEAR(joint.at("torque").at(k).get<double>(),
                    first.at(ColumnOf(solution, name + ".torque_" + axis + "_N_m")).get<double>(),
                    1e-12 * size)
            << name;
      }
    }
  }
}

// Six bars along the edges of a cube: in the pin of the first bar the moment along its axis alone is unique.
TEST(OwnMechanism, AccelerationsTellUniqueComponentsAndTheChoiceOfTheOthers) {
  for (const auto& [method, choice] : {std::pair{"articulated-body", "least-multipliers"},
                                       std::pair{"cartesian-dae:index1", "dropped-rows"}}) {
    const CommandResult seen = Bench({"accelerations", "bricard", method, "--json"});
    ASSERT_EQ(0, seen.exit_code) << seen.err;
    const json accelerations = json::parse(seen.out), &first = accelerations.at("joints").at(0);
    EXPECT_EQ(choice, accelerations.at("choice"));
    EXPECT_EQ(false, first.at("unique"));
    EXPECT_EQ((std::vector<bool>{false, false, false, false, true, false}),
              first.at("unique_components").get<std::vector<bool>>());
    EXPECT_EQ((std::vector<bool>{false, false, false, false, false, true}),
              first.at("unique_components_joint_axes").get<std::vector<bool>>());
    EXPECT_EQ(1, first.at("undetermined"));
    EXPECT_THAT(Bench({"accelerations", "bricard", method}).out,
                testing::AllOf(HasSubstr("(not unique: Fx Fy Fz Mx Mz)"), HasSubstr(choice)));
  }
}

TEST(OwnMechanism, ObservedColumnsAppearInTheTableWithTheirUnits) {
  const CommandResult solved =
      Bench({"solve", "fourbar", "articulated-body", "--end", "0.1", "--observe", "left_pin,top"});
  const std::string header = solved.out.substr(0, solved.out.find('\n'));
  EXPECT_THAT(header, HasSubstr(",left_pin.angle_rad,left_pin.rate_rad_s,left_pin.force_x_N,"));
  EXPECT_THAT(header, HasSubstr(",top.torque_z_N_m"));
  EXPECT_THAT(header, testing::Not(HasSubstr("right_pin")));
  EXPECT_THAT(header, testing::Not(HasSubstr("algorithmic")));
  const CommandResult stepped = Bench(
      {"solve", "pendulum", "half-explicit", "--step", "0.01", "--end", "0.1", "--observe", "all"});
  EXPECT_THAT(stepped.out.substr(0, stepped.out.find('\n')),
              HasSubstr(".torque_z_N_m,pin.algorithmic_force_x_N,"));
  const CommandResult wrong =
      Bench({"solve", "fourbar", "articulated-body", "--observe", "left_pn"});
  EXPECT_EQ(2, wrong.exit_code);
  EXPECT_THAT(wrong.err, HasSubstr("Did you mean 'left_pin'"));
  for (const char* names : {",", "left_pin,,top", ",top", "top,"}) {
    const CommandResult missing =
        Bench({"solve", "fourbar", "articulated-body", "--observe", names});
    EXPECT_EQ(2, missing.exit_code) << names;
    EXPECT_THAT(missing.err, HasSubstr("--observe: a name is missing in '" + std::string(names)));
  }
}

// A rotor turned at 100 rad/s, in steps of 10 rad from sample to sample, on a spring of 1e-4 N m/rad.
constexpr char kTurns[] = R"({
  "format": "mbsbench-model", "version": 1, "name": "turns", "gravity_m_s2": [0, 0, 0],
  "bodies": [{"name": "rotor", "mass_kg": 1, "inertia_kg_m2": {"xx": 0.1, "yy": 0.1, "zz": 0.1}}],
  "joints": [{"name": "axle", "type": "revolute", "parent": "ground", "child": "rotor"}],
  "joint_spring_dampers": [{"name": "torsion", "joint": "axle", "stiffness_N_m_rad": 1e-4, "free_angle_rad": 0}],
  "end_time_s": 10, )";

TEST(OwnMechanism, ObservedAnglesAndSpringsCountTheTurnsBetweenSamples) {
  const TemporaryFolder folder;
  for (const char* turned :
       {R"("drivers": [{"name": "motor", "joint": "axle", "speed_rad_s": 100}],
                                "initial_state": []})",
        R"("initial_state": [{"joint": "axle", "angle_rad": 0, "rate_rad_s": 100}]})"}) {
    const std::string file = folder.File("turns.json");
    std::ofstream(file) << kTurns << turned;
    for (const char* method : {"articulated-body", "cartesian-dae:index1"}) {
      SCOPED_TRACE(std::string(method) + turned);
      const CommandResult solved = Bench({"solve", file, method, "--observe", "all", "--json"});
      const json solution = json::parse(solved.out);
      const bool is_driven = std::string(turned).starts_with(R"("drivers")");
      // Undriven, w = sqrt(1e-4 / 0.1) = 0.0316 rad/s.
      const double w = std::sqrt(1e-3), right = is_driven ? 1000 : 100 / w * std::sin(10 * w);
      const json& last = solution.at("samples").back().at("observed");
      EXPECT_NEAR(last.at(ColumnOf(solution, "axle.angle_rad")).get<double>(), right, 1e-3);
      EXPECT_NEAR(last.at(ColumnOf(solution, "torsion.effort_N_m")).get<double>(), -1e-4 * right,
                  1e-7);
      if (is_driven) {
        EXPECT_NEAR(last.at(ColumnOf(solution, "motor.effort_N_m")).get<double>(), 0.1, 1e-7);
      }
      EXPECT_FALSE(solution.contains("observed_not_known"));
    }
  }
}

// A pendulum has a closed form, which covers the whole motion though the file's samples do not.
TEST(OwnMechanism, AMotionIsJudgedToItsEndWhereTheStatedSamplesEndBefore) {
  const TemporaryFolder folder;
  const auto solved = [&folder](const std::string& end) {
    const std::string file = folder.File("pendulum.json");
    std::ofstream(file) << R"({"format": "mbsbench-model", "version": 1, "name": "one",
      "bodies": [{"name": "w", "mass_kg": 1, "inertia_kg_m2": {"xx": 0.1, "yy": 0.1, "zz": 0.1}}],
      "joints": [{"name": "h", "type": "revolute", "parent": "ground", "child": "w",
                  "child_frame": {"position_m": [-0.5, 0, 0]}}], )"
                        << end << "}";
    return Bench({"solve", file, "articulated-body", "--json"});
  };
  const json judged = json::parse(solved(R"("end_time_s": 0.2, "sample_times_s": [0, 0.1])").out);
  EXPECT_EQ("ok", judged.at("outcome")) << judged.at("reason");
  EXPECT_TRUE(judged.at("metrics").at("error").at("end").is_number());
  const CommandResult too_short = solved(R"("end_time_s": 1e-300)");
  EXPECT_EQ(2, too_short.exit_code);
  EXPECT_THAT(too_short.err, HasSubstr("end_time_s is 1e-300: at least 1e-30 s is needed"));
}

// On a spring of 1e4 N m/rad the rotor swings by 10 rad with 316 rad/s, and a second rotor rests on one that a driver swings by 2 rad.
// Every sample has the same phase, so that the samples alone look like steady rotations.
TEST(OwnMechanism, ObservedAnglesCountTheTurnsOfOscillationsThatSamplesCannotTell) {
  const TemporaryFolder folder;
  const std::string swinging = folder.File("swinging.json"), resting = folder.File("resting.json");
  std::string text = kTurns;
  text.replace(text.find(R"("stiffness_N_m_rad": 1e-4)"), 25, R"("stiffness_N_m_rad": 1e4)");
  text.replace(text.find(R"("end_time_s": 10)"), 16, R"("end_time_s": 0.3973835306)");
  std::ofstream(swinging)
      << text << R"("sample_times_s": [0, 0.1986917653, 0.3973835306], "conservative": false,
                    "initial_state": [{"joint": "axle", "rate_rad_s": 3162.2776601683795}]})";
  std::ofstream(resting) << R"({"format": "mbsbench-model", "version": 1, "name": "resting",
    "gravity_m_s2": [0, 0, 0],
    "bodies": [{"name": "w", "mass_kg": 1, "inertia_kg_m2": {"xx": 0.1, "yy": 0.1, "zz": 0.1}},
               {"name": "v", "mass_kg": 1, "inertia_kg_m2": {"xx": 0.1, "yy": 0.1, "zz": 0.1}}],
    "joints": [{"name": "h", "type": "revolute", "parent": "ground", "child": "w"},
               {"name": "axle", "type": "revolute", "parent": "w", "child": "v"}],
    "drivers": [{"name": "d", "joint": "h", "motion": {"kind": "harmonic", "amplitude": 2,
                 "angular_frequency_rad_s": 62.83185307179586}}],
    "joint_spring_dampers": [{"name": "torsion", "joint": "axle", "stiffness_N_m_rad": 1e-9}],
    "initial_state": [{"joint": "axle", "rate_rad_s": -125.66370614359172}], "end_time_s": 1,
    "sample_times_s": [0, 0.5, 1]})";
  for (const std::string& file : {swinging, resting}) {
    for (const char* method : {"articulated-body", "cartesian-dae:index1"}) {
      SCOPED_TRACE(file + method);
      const CommandResult solved = Bench(
          {"solve", file, method, "--tolerance", "1e-9", "--observe", "axle,torsion", "--json"});
      const json solution = json::parse(solved.out);
      const json& last = solution.at("samples").back().at("observed");
      EXPECT_NEAR(last.at(ColumnOf(solution, "axle.angle_rad")).get<double>(), 0, 1e-3);
      EXPECT_NEAR(last.at(ColumnOf(solution, "torsion.effort_N_m")).get<double>(), 0, 10);
      EXPECT_FALSE(solution.contains("observed_not_known"));
    }
  }
}

// A crank, driven to and fro, that carries a pendulum without damping: the work of the driver is the gain
// of energy. And a mass on a damped spring, whose motion has a closed form.
constexpr char kDriven[] = R"({
  "format": "mbsbench-model", "version": 1, "name": "driven-crank",
  "bodies": [
    {"name": "crank", "mass_kg": 2, "inertia_kg_m2": {"xx": 0.01, "yy": 0.2, "zz": 0.2}},
    {"name": "bob", "mass_kg": 1, "inertia_kg_m2": {"xx": 0.01, "yy": 0.1, "zz": 0.1}}],
  "joints": [
    {"name": "axle", "type": "revolute", "parent": "ground", "child": "crank", "child_frame": {"position_m": [-0.5, 0, 0]}},
    {"name": "pin", "type": "revolute", "parent": "crank", "child": "bob", "parent_frame": {"position_m": [0.5, 0, 0]},
     "child_frame": {"position_m": [-0.4, 0, 0]}}],
  "drivers": [{"name": "motor", "joint": "axle", "motion": {"kind": "harmonic", "amplitude": 0.6, "angular_frequency_rad_s": 5, "phase_rad": 0.3}}],
  "initial_state": [{"joint": "pin", "angle_rad": -1.2, "rate_rad_s": 0.5}],
  "end_time_s": 1})";

TEST(OwnMechanism, WorkOfTheObservedEffortEqualsTheGainOfEnergy) {
  const TemporaryFolder folder;
  const std::string file = folder.File("driven.json");
  std::ofstream(file) << kDriven;
  const CommandResult solved = Bench(
      {"solve", file, "articulated-body", "--tolerance", "1e-11", "--observe", "all", "--json"});
  const json solution = json::parse(solved.out);
  const System system = ReadModelFile(file).system;
  const std::size_t effort = ColumnOf(solution, "motor.effort_N_m"),
                    rate = ColumnOf(solution, "axle.rate_rad_s");
  std::vector<double> power, energy;
  for (const json& sample : solution.at("samples")) {
    power.push_back(sample.at("observed").at(effort).get<double>() *
                    sample.at("observed").at(rate).get<double>());
    std::vector<BodyState> bodies;
    for (const json& b : sample.at("bodies")) {
      const auto v = [&b](const char* field) {
        const json& n = b.at(field);
        return Vector3{n[0].get<double>(), n[1].get<double>(), n[2].get<double>()};
      };
      const json& q = b.at("quaternion");
      bodies.push_back(
          {v("position"),
           {q[0].get<double>(), q[1].get<double>(), q[2].get<double>(), q[3].get<double>()},
           v("velocity"),
           v("angular_velocity")});
    }
    energy.push_back(EnergyOf(system, bodies).total());
  }
  ASSERT_EQ(101u, power.size());
  double work = 0, swing = 0;
  const double h = 0.01;
  for (std::size_t k = 0; k + 2 < power.size(); k += 2) {  // Simpson's rule, error of order h^4
    work += h / 3 * (power[k] + 4 * power[k + 1] + power[k + 2]);
    swing = std::max(swing, std::abs(energy[k + 2] - energy[0]));
    EXPECT_NEAR(work, energy[k + 2] - energy[0], 2e-4) << k;
  }
  EXPECT_GT(swing, 1);
}

constexpr char kOscillator[] = R"({
  "format": "mbsbench-model", "version": 1, "name": "oscillator", "gravity_m_s2": [0, 0, 0],
  "bodies": [{"name": "mass", "mass_kg": 2, "is_point": true}],
  "joints": [{"name": "rail", "type": "prismatic", "parent": "ground", "child": "mass"}],
  "spring_dampers": [{"name": "spring", "body_a": "ground", "body_b": "mass", "point_a_m": [0, 0, -1],
    "stiffness_N_m": 50, "damping_N_s_m": 2, "free_length_m": 0.7}],
  "initial_state": [{"joint": "rail", "displacement_m": 0.1}],
  "end_time_s": 2})";

TEST(OwnMechanism, ObservedTensionAgreesWithTheClosedForm) {
  const TemporaryFolder folder;
  const std::string file = folder.File("oscillator.json");
  std::ofstream(file) << kOscillator;
  const CommandResult solved = Bench({"solve", file, "articulated-body", "--tolerance", "1e-12",
                                      "--observe", "spring,rail", "--json"});
  const json solution = json::parse(solved.out);
  const std::size_t tension = ColumnOf(solution, "spring.tension_N"),
                    length = ColumnOf(solution, "spring.length_m"),
                    rate = ColumnOf(solution, "rail.rate_m_s");
  // Stretch e = x + 1 - 0.7 from 0.4 m at rest: m e'' + c e' + k e = 0.
  const double m = 2, c = 2, k = 50, a = c / (2 * m), w = std::sqrt(k / m - a * a), e0 = 0.4;
  for (const json& sample : solution.at("samples")) {
    const double t = sample.at("time"), decay = e0 * std::exp(-a * t);
    const double e = decay * (std::cos(w * t) + a / w * std::sin(w * t));
    const double v = -decay * (w + a * a / w) * std::sin(w * t);
    const json& seen = sample.at("observed");
    EXPECT_NEAR(e + 0.7, seen.at(length).get<double>(), 1e-9);
    EXPECT_NEAR(v, seen.at(rate).get<double>(), 1e-8);
    EXPECT_NEAR(k * e + c * v, seen.at(tension).get<double>(), 1e-7);
  }
}

TEST(OwnMechanism, ShowWritesOneFileAndNamesTheMethod) {
  const TemporaryFolder folder;
  const std::string page = folder.File("fourbar.html");
  const CommandResult result = Bench({"show", "fourbar", "--end", "0.2", "--output", page});
  ASSERT_EQ(0, result.exit_code) << result.err;
  EXPECT_THAT(result.out, HasSubstr("dopri5"));
  std::ifstream in(page);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  EXPECT_THAT(text, HasSubstr("id=\"motions-shown\""));
}

// Repeated with more time where the machine has too little of it for a recommendation; never a method that drifts.
TEST(OwnMechanism, AdviceNeverRecommendsAnUnstabilisedLoop) {
  const TemporaryFolder folder;
  CommandResult result;
  std::string use;
  for (const char* minutes : {"0.3", "3"}) {
    result = Bench({"advise", "fourbar", "--minutes", minutes, "--error", "1e-3", "--method",
                    "articulated-body:none", "--method", "articulated-body:projected", "--output",
                    folder.File(std::string("advice-") + minutes)});
    use = result.out.substr(0, result.out.find('\n'));
    EXPECT_THAT(use, testing::Not(HasSubstr(":none"))) << result.err;
    if (use.starts_with("use ")) break;
  }
  EXPECT_THAT(use, testing::StartsWith("use "));
  ASSERT_EQ(0, result.exit_code) << result.out << result.err;
  EXPECT_THAT(use, HasSubstr("articulated-body"));
  // A plane mechanism has negligible moments, so its reactions are scaled by the largest force.
  EXPECT_THAT(result.out, HasSubstr("reactions as in 113 bits"));
}

// A bob on a bushing is carried by a cart that a motor drives by a table.
constexpr char kMountedBob[] = R"({
  "format": "mbsbench-model", "version": 1, "name": "mounted_bob", "gravity_m_s2": [0, -9.81, 0],
  "bodies": [{"name": "cart", "mass_kg": 2, "inertia_kg_m2": {"xx": 1, "yy": 1, "zz": 1}},
    {"name": "bob", "mass_kg": 1, "inertia_kg_m2": {"xx": 0.2, "yy": 0.3, "zz": 0.4}}],
  "joints": [{"name": "rail", "type": "prismatic", "parent": "ground", "child": "cart"},
    {"name": "bob", "type": "free", "parent": "ground", "child": "bob"}],
  "motors": [{"name": "drive", "joint": "rail", "force_N": [[0, 5], [0.4, -8], [1, 3]]}],
  "bushings": [{"name": "mount", "body_a": "cart", "body_b": "bob", "frame_b": {"position_m": [0.1, 0.2, 0]},
    "stiffness_N_m": [300, 400, 500], "damping_N_s_m": [1, 2, 3], "stiffness_N_m_rad": [40, 40, 40]}],
  "length_m": 1, "end_time_s": 1})";

// The reference judges by laws of its own.
TEST(OwnMechanism, AdviceAndItsReportTakeAMotorAndABushing) {
  const TemporaryFolder folder;
  const std::string file = folder.File("mounted_bob.json"), output = folder.File("advice");
  std::ofstream(file) << kMountedBob;
  const CommandResult result =
      Bench({"advise", file, "--minutes", "0.3", "--error", "1e-3", "--method", "articulated-body",
             "--method", "cartesian-dae:index1", "--output", output});
  ASSERT_EQ(0, result.exit_code) << result.out << result.err;
  EXPECT_THAT(result.out, testing::StartsWith("use "));
  EXPECT_TRUE(std::filesystem::exists(output + "/report/report.html"));
  std::ifstream cells(output + "/report/csv/cells.csv");
  std::string line;
  int right = 0;
  for (std::getline(cells, line); std::getline(cells, line);)
    right += line.find(",ok,") != std::string::npos;
  EXPECT_GE(right, 2);
}

TEST(OwnMechanism, AReferenceOfTheUserIsFoundInAdditionToTheCatalogues) {
  const TemporaryFolder folder;
  const std::string file = folder.File("oscillator.json");
  std::ofstream(file) << kOscillator;
  const json without = json::parse(Bench({"solve", file, "articulated-body", "--json"}).out);
  EXPECT_EQ("no_reference", without.at("outcome"));
  EXPECT_THAT(without.at("reason").get<std::string>(), HasSubstr("mbsbench certify " + file));
  // The model itself is never overwritten.
  ::setenv("MBSBENCH_REFERENCE_DIR", folder.path().c_str(), 1);
  EXPECT_EQ(2, Bench({"certify", file, "--write"}).exit_code);
  EXPECT_EQ("oscillator", ReadModelFile(file).name);
  const std::filesystem::path references = folder.path() / "references";
  ::setenv("MBSBENCH_REFERENCE_DIR", references.c_str(), 1);
  const CommandResult certified = Bench({"certify", file, "--write"});
  const json judged = json::parse(Bench({"solve", file, "articulated-body", "--json"}).out);
  const json catalogue =
      json::parse(Bench({"solve", "fourbar", "articulated-body", "--end", "0.5", "--json"}).out);
  ::unsetenv("MBSBENCH_REFERENCE_DIR");
  EXPECT_EQ(0, certified.exit_code) << certified.err;
  EXPECT_TRUE(std::filesystem::exists(references / "oscillator.json"));
  EXPECT_EQ("ok", judged.at("outcome"));
  EXPECT_EQ("ok", catalogue.at("outcome"));
}

}  // namespace
}  // namespace mbsbench
