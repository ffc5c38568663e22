// Growth of errors along a motion, compared with closed forms and with independent results.
#include "reference/sensitivity.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "problems/catalog/catalog.h"
#include "reference/data_parameters.h"
#include "reference/reference.h"
#include "reference/rope_flight/rope_flight_sensitivity.h"

namespace mbsbench::extended {
namespace {

Problem ProblemOfOneBody(JointType type) {
  Problem p;
  p.name = "one";
  Body body;
  body.name = "body";
  body.mass = 2;
  body.inertia = Diagonal(1, 1, 1);
  p.system.bodies = {body};
  Joint joint;
  joint.name = "joint";
  joint.type = type;
  p.system.joints = {joint};
  p.system.gravity = {};
  p.initial.joints.q.assign(static_cast<std::size_t>(CoordinateCount(type)), 0.0);
  p.initial.joints.u.assign(static_cast<std::size_t>(RateCount(type)), 0.0);
  return p;
}

TEST(Sensitivity, UsesTheExactSpectralNormOfKnownMatrices) {
  EXPECT_NEAR(SpectralNorm({{3, 0}, {0, -5}}), 5, 5e-3);
  EXPECT_NEAR(SpectralNorm({{1, 4}, {0, 1}}), 2 + std::sqrt(5.), 5e-3);
  EXPECT_EQ(SpectralNorm({{0, 0}, {0, 0}}), 0);
}

// Upright, with T = 1 / lambda, lambda^2 = g / L: Phi = (cosh, sinh; sinh, cosh)(t / T), of norm exp(t / T); and
// an equilibrium remains one for all data.
TEST(Sensitivity, OfAnUprightPendulumGrowsExponentially) {
  Problem p = MakeProblem("pendulum");
  const double lambda = std::sqrt(9.81);
  p.initial.joints.q = {-M_PI / 2};  // from -x, against the clock is down
  p.time = 1 / lambda;
  p.end_time = 2;
  p.sample_times = {0, 1, 2};
  const Sensitivity s = SensitivityOf(p);
  ASSERT_EQ(s.of_state.size(), 3u);
  for (std::size_t k = 0; k < 3; ++k) {
    const double expected = std::exp(lambda * p.sample_times[k]);
    EXPECT_NEAR(s.of_state[k], expected, 1e-3 * expected);
    EXPECT_LT(s.of_data[k], 1e-9 * expected);
  }
}

// x = x0 cos(w t), w^2 = k / m: d/dln k = w/2 d/dw = -d/dln m.
TEST(Sensitivity, ToTheDataOfAnOscillatorAgreesWithTheClosedForm) {
  Problem p = ProblemOfOneBody(JointType::kPrismatic);
  constexpr double kLength = 0.5, kStart = 0.2, kStiffness = 18;  // w = 3
  p.system.forces.Of<JointSpringDamper>() = {{"spring", 0, kStiffness, 0, 0}};
  p.initial.joints.q = {kStart};
  p.length = kLength;
  p.time = 1. / 3;
  p.end_time = 2;
  p.sample_times = {0, 0.7, 2};
  const Sensitivity s = SensitivityOf(p);
  std::map<std::string, std::size_t> at;
  for (std::size_t i = 0; i < s.parameters.size(); ++i) at[s.parameters[i]] = i;
  ASSERT_TRUE(at.count("mass of body") && at.count("stiffness of spring"));
  for (std::size_t k = 0; k < 3; ++k) {
    const double a = 3 * p.sample_times[k];
    const double x = -kStart / kLength * a * std::sin(a) / 2,
                 v = -kStart / kLength * (std::sin(a) + a * std::cos(a)) / 2;
    const auto &of_stiffness = s.per_parameter[k][at["stiffness of spring"]],
               &of_mass = s.per_parameter[k][at["mass of body"]];
    EXPECT_NEAR(of_stiffness[0], x, 1e-8);
    EXPECT_NEAR(of_stiffness[1], v, 1e-8);
    EXPECT_NEAR(of_mass[0], -x, 1e-8);
    EXPECT_NEAR(of_mass[1], -v, 1e-8);
    EXPECT_NEAR(s.of_data[k], 2 * std::hypot(x, v), 1e-8) << "no other datum acts";
    EXPECT_NEAR(s.of_state[k], 1, 1e-3) << "T = 1 / w: a rotation";
  }
}

// A body at rest, free: x = x0 + t/T v0 in each of six directions, also in those of the quaternion.
TEST(Sensitivity, OfAFreeBodyAtRestIsAShear) {
  Problem p = ProblemOfOneBody(JointType::kFree);
  p.initial.joints.q[3] = 0.6, p.initial.joints.q[5] = 0.8;  // turned
  p.length = 3;
  p.time = 0.5;
  p.end_time = 1;
  p.sample_times = {0, 1};
  const Sensitivity s = SensitivityOf(p);
  EXPECT_NEAR(s.of_state[0], 1, 1e-3);
  EXPECT_NEAR(s.of_state[1], 1 + std::sqrt(2.), 2e-3) << "norm of (1, 2; 0, 1)";
}

// Computed by the equations of the two coordinates (s, phi).
TEST(Sensitivity, OfTheCarAxisAgreesWithAnIndependentComputation) {
  Problem p = MakeProblem("caraxis");
  p.sample_times = {0, 0.3, 1};
  const std::vector<double> known = {1, 3.48, 3.16};
  const Sensitivity s = SensitivityOf(p);
  for (std::size_t k = 0; k < known.size(); ++k)
    EXPECT_NEAR(s.of_state[k], known[k], 0.01) << "at " << p.sample_times[k] << " s";
}

TEST(Sensitivity, OfManyFreedomsIsBoundedByRandomDirections) {
  // 7 bodies at rest: 42 freedoms, each pair a shear (1, tau; 0, 1) of Frobenius norm sqrt(2 + tau^2).
  Problem p = ProblemOfOneBody(JointType::kFree);
  p.initial.joints.q[3] = 1;
  const Problem one = p;
  for (int b = 1; b < 7; ++b) {
    p.system.bodies.push_back(one.system.bodies[0]);
    p.system.bodies.back().name += std::to_string(b);
    p.system.joints.push_back(one.system.joints[0]);
    p.system.joints.back().name += std::to_string(b);
    p.system.joints.back().child = b;
    p.initial.joints.q.insert(p.initial.joints.q.end(), one.initial.joints.q.begin(),
                              one.initial.joints.q.end());
    p.initial.joints.u.insert(p.initial.joints.u.end(), 6, 0.0);
  }
  p.time = 0.5;
  p.end_time = 1;
  p.sample_times = {0, 1};
  const Sensitivity s = SensitivityOf(p);
  EXPECT_NEAR(s.of_state[1], std::sqrt(42 * 6.), 0.3 * std::sqrt(42 * 6.));
  EXPECT_GT(s.of_state[1], 1 + std::sqrt(2.)) << "a bound of the 2-norm";
}

// A rocket that stays on a long rail, without rope and air: s'' = F / m - g sin(elevation). A shear, and the effect of its
// three data; no other datum has an effect.
TEST(Sensitivity, OfARocketOnItsRailIsAShear) {
  Problem p = MakeProblem("rocket:links=4");
  RopeFlight& rope = *p.system.rope_flight;
  rope.rail_length = 1000;
  rope.link_length = 2000;
  rope.burn_time = 10;
  rope.propellant_mass = rope.air_density = 0;
  p.sample_times = {0, 0.5, 1.5};
  p.end_time = 3;
  const double by_thrust = rope.thrust / p.system.bodies[0].mass, by_gravity = 9.81 / 2;
  const Sensitivity s = SensitivityOfFlight(p);
  EXPECT_THAT(s.parameters, testing::IsSupersetOf({"mass of rocket", "thrust of rope", "gravity",
                                                   "link length of rope", "normal drag of rope"}));
  ASSERT_EQ(s.of_state.size(), 3u);
  for (std::size_t k = 0; k < 3; ++k) {
    const double t = p.sample_times[k];  // T is 1 s
    EXPECT_NEAR(s.of_state[k], t / 2 + std::hypot(1, t / 2), 1e-6);
    EXPECT_NEAR(s.of_data[k], (2 * by_thrust + by_gravity) * std::hypot(t * t / 2, t) / p.length,
                1e-5);
  }
}

// Over the first captures, where velocities jump.
TEST(Sensitivity, OfARopeFlightAgreesWithItsCertificate) {
  Problem p = MakeProblem("rocket:links=4");
  p.end_time = 1;
  std::erase_if(p.sample_times, [](double t) { return t > 0.9; });
  const Sensitivity s = SensitivityOfFlight(p);
  EXPECT_NEAR(s.of_state.front(), 1, 1e-6);
  EXPECT_EQ(s.of_data.front(), 0);
  const std::optional<Reference> held = FindReference(MakeProblem("rocket:links=4"));
  ASSERT_TRUE(held);
  for (std::size_t k = 0; k < p.sample_times.size(); ++k) {
    ASSERT_EQ(held->samples[k].time, p.sample_times[k]);
    EXPECT_NEAR(s.of_state[k] / held->samples[k].state_sensitivity, 1, 6e-3) << k;
    if (k > 0) {
      EXPECT_NEAR(s.of_data[k] / held->samples[k].data_sensitivity, 1, 6e-3) << k;
    }
  }
}

TEST(DataParameters, CountASharedPointOnceAndZerosNotAtAll) {
  System s = MakeProblem("andrews").system;
  int e_on_k2 = 0, gravity = 0;
  for (const DataParameter& p : DataParametersOf(s, true)) {
    EXPECT_EQ(p.name.find("inertia x"), std::string::npos) << "does not act in the plane";
    for (const double* place : p.places) EXPECT_NE(*place, 0);
    if (p.name == "x of E3 on K2") {
      ++e_on_k2;
      EXPECT_EQ(p.places.size(), 3u) << "three loop joints meet in it";
    }
    gravity += p.name == "gravity";
  }
  EXPECT_EQ(e_on_k2, 1);
  EXPECT_EQ(gravity, 0);
}

// The data of the test set, their places in the model, and the sensitivity of a coordinate to each.
struct Place {
  std::string name;
  double per_datum;
};
struct Datum {
  std::string name;
  double value;
  std::vector<Place> places;
};
std::vector<Datum> AndrewsData() {
  std::vector<Datum> data = {
      {"ra", 0.00092, {{"x of O on K1", -1}, {"x of F on K1", -1}}},
      {"rr", 0.007, {{"x of F on K1", 1}}},
      {"da", 0.0115, {{"x of F on K2", 1}, {"x of E3 on K2", 1}}},
      {"d", 0.028, {{"x of E3 on K2", -1}}},
      {"sb", 0.01043, {{"x of B on K3", -1}, {"x of E3 on K3", -1}, {"x of C-D on K3", -1}}},
      {"sa", 0.01874, {{"y of B on K3", 1}, {"y of E3 on K3", 1}, {"y of C-D on K3", 1}}},
      {"ss", 0.035, {{"y of E3 on K3", -1}}},
      {"sd", 0.02, {{"x of C-D on K3", 1}}},
      {"sc", 0.018, {{"y of C-D on K3", -1}}},
      {"e", 0.02, {{"y of G on K4", 1}}},
      {"ea", 0.01421, {{"y of G on K4", -1}, {"y of E4 on K4", -1}}},
      {"zf", 0.02, {{"x of H on K6", -1}}},
      {"fa", 0.01421, {{"x of H on K6", 1}, {"x of E6 on K6", 1}}},
      {"ta", 0.02308, {{"x of A5 on K5", -1}, {"x of G on K5", -1}}},
      {"tb", 0.00916, {{"y of A5 on K5", -1}, {"y of G on K5", -1}}},
      {"zt", 0.04, {{"x of G on K5", 1}}},
      {"ub", 0.00449, {{"x of A7 on K7", 1}, {"x of H on K7", 1}}},
      {"ua", 0.01228, {{"y of A7 on K7", 1}, {"y of H on K7", 1}}},
      {"u", 0.04, {{"y of H on K7", -1}}},
      {"xa", -0.06934, {{"x of A5 on the ground", 1}}},
      {"ya", -0.00227, {{"y of A5 on the ground", 1}}},
      {"xb", -0.03635, {{"x of B on the ground", 1}}},
      {"yb", 0.03273, {{"y of B on the ground", 1}}},
      {"xc", 0.014, {{"x of C-D on the ground", 1}}},
      {"yc", 0.072, {{"y of C-D on the ground", 1}}},
      {"c0", 4530, {{"stiffness of C-D", 1}}},
      {"l0", 0.07785, {{"free length of C-D", 1}}},
      {"mom", 0.033, {{"moment of drive z", 1}}}};
  const System s = MakeProblem("andrews").system;
  for (const Body& b : s.bodies) {
    data.push_back({"m " + b.name, b.mass, {{"mass of " + b.name, 1}}});
    data.push_back({"I " + b.name, b.inertia(2, 2), {{"inertia zz of " + b.name, 1}}});
  }
  return data;
}

// Computed by the seven-angle equations of the test set, to three digits.
TEST(Sensitivity, OfTheSqueezingMechanismAgreesWithAnIndependentComputation) {
  Problem p = MakeProblem("andrews");
  p.sample_times = {0, p.end_time};
  const Sensitivity s = SensitivityOf(p);
  EXPECT_NEAR(s.of_state.back(), 88, 0.6);
  System system = p.system;
  std::map<std::string, double> of_beta;  // dbeta/dx
  const std::vector<DataParameter> parameters = DataParametersOf(system, true);
  for (std::size_t i = 0; i < parameters.size(); ++i)
    of_beta[parameters[i].name] = s.per_parameter.back()[i][0] / *parameters[i].places[0];
  std::map<std::string, double> per_logarithm;  // dbeta/dln p
  double sum = 0;
  std::size_t used = 0;
  for (const Datum& datum : AndrewsData()) {
    double& d = per_logarithm[datum.name];
    for (const Place& place : datum.places) {
      ASSERT_TRUE(of_beta.count(place.name)) << place.name;
      d += datum.value * place.per_datum * of_beta[place.name];
    }
    sum += std::abs(d);
    used += datum.places.size();
  }
  EXPECT_NEAR(sum, 358, 3.6);
  EXPECT_GE(used, parameters.size()) << "no datum of the model is left out";
  for (const auto& [name, value] : {std::pair("ss", -83.),
                                    {"yb", 73.},
                                    {"xb", 37.},
                                    {"d", -32.},
                                    {"l0", 31.},
                                    {"yc", -25.},
                                    {"I K1", -13.}})
    EXPECT_NEAR(per_logarithm[name], value, 0.51) << name;
}

}  // namespace
}  // namespace mbsbench::extended
