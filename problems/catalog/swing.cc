// swing: an arm that turns at a constant speed carries a massless link on a torsion spring; a mass
// slides along the link on a stiff spring.
//
//   ground o====== 1 ======o        theta: angle of the link against the extension of the arm
//        20 rad/s       300 N m/rad  `. 2 (massless)
//                                      `.
//                                       [3]  d: from the tip of the arm, 50,000 N/m
//
// Driven in its plane, without gravity. Undamped it oscillates forever about its steady state.
#include <cmath>

#include "problems/catalog/families.h"
#include "problems/model/problem_options.h"

namespace mbsbench {

namespace {

constexpr double kSwingSpeed = 20;                           // [rad/s]
constexpr double kTorsionDamping = 10, kSlideDamping = 500;  // of swing:damped, assumed
constexpr int kTheta = 1, kSlide = 2;                        // joints

// One row of the table: theta [rad] and d [m].
struct Printed {
  double time, theta, d, last_digit;
};

void Publish(Problem& p, const std::vector<Printed>& table) {
  for (const Printed& row : table) {
    // The observables are those of the inertial frame, in which the arm has turned by kSwingSpeed t.
    const double turned = kSwingSpeed * row.time;
    const double angle = std::remainder(turned + row.theta, 2 * M_PI);
    const double x = std::cos(turned) + row.d * std::cos(turned + row.theta);
    for (auto [observable, value] : {std::pair{0, angle}, std::pair{1, x}}) {
      p.published.push_back({observable, row.time, value, 2 * row.last_digit,
                             PublishedValue::Kind::kComputed,
                             "Lagrange equations in theta and d, printed with the problem"});
    }
  }
}

Problem BuildSwing(const ProblemOptions& options) {
  const double speed = NumberOption(options, "speed", kSwingSpeed, -1000, 1000);
  const bool damped = options.count("damped") > 0;
  Problem p;
  p.name = NameWith(
      "swing", {damped ? "damped" : "", speed == kSwingSpeed ? "" : NumberText("speed", speed)});
  p.title = std::string("Swing pendulum on a driven arm") + (damped ? ", damped" : "");
  p.description =
      "An arm turning at constant speed carries a massless link on a torsion spring, along which a "
      "mass slides on a stiff spring. It stresses drivers, steady states and a stiff mode together "
      "with a soft one.";
  p.source = "Choi, Park, Yoo, KSME Int. J. 16 (2002), sect. 4.1";
  Body arm;
  arm.name = "1";
  arm.mass = 1;
  arm.inertia = Diagonal(0.1, 0.1, 0.1);
  arm.shape = {Shape::Kind::kRod, {-0.5, 0, 0}, {0.5, 0, 0}, 0.02};
  Body link;
  link.name = "2";
  link.shape = {Shape::Kind::kRod, {}, {1, 0, 0}, 0.01};
  Body mass;
  mass.name = "3";
  mass.mass = 1;
  mass.is_point = true;
  mass.shape = {Shape::Kind::kSphere, {}, {}, 0.05};
  p.system.bodies = {arm, link, mass};
  p.system.gravity = {0, 0, 0};

  Joint drive;
  drive.name = "drive";
  drive.type = JointType::kRevolute;
  drive.child = 0;
  drive.child_frame.position = {-0.5, 0, 0};
  Joint theta;
  theta.name = "theta";
  theta.type = JointType::kRevolute;
  theta.parent = 0;
  theta.child = 1;
  theta.parent_frame.position = {0.5, 0, 0};
  Joint slide;
  slide.name = "d";
  slide.type = JointType::kPrismatic;
  slide.parent = 1;
  slide.child = 2;
  const Quaternion along_x{M_SQRT1_2, 0, M_SQRT1_2, 0};  // turns the joint's z axis into x
  slide.parent_frame.orientation = along_x;
  slide.child_frame.orientation = along_x;
  p.system.joints = {drive, theta, slide};
  p.system.forces.Of<JointSpringDamper>() = {
      {"torsion spring", kTheta, 300, damped ? kTorsionDamping : 0, 1.0472},
      {"slide spring", kSlide, 50000, damped ? kSlideDamping : 0, 1}};
  p.system.drivers = {{"motor", 0, speed}};
  p.initial.joints.q = {0, 0, 1};
  p.initial.joints.u = {speed, 0, 0};

  p.end_time = 5;
  p.time = 0.05;
  p.energy_reference = 100;
  p.conservative = false;  // the driver does work
  p.planar = true;
  using Kind = Observable::Kind;
  p.observables = {{"angle_2", Kind::kPlaneAngle, 1}, {"x_3", Kind::kPositionX, 2}};
  if (speed == kSwingSpeed) {
    if (damped) {
      Publish(p, {{0.1, 0.630467645851, 1.02067658804, 1e-11},
                  {0.5, 0.418070453956, 1.01488381119, 1e-11},
                  {1, 0.451338306350, 1.01525205599, 1e-11},
                  {2, 0.453770178, 1.015312204, 1e-9},
                  {5, 0.4537717195, 1.0153129043, 1e-10}});
    } else {
      Publish(p, {{0.1, 0.804243151039, 1.03139021156, 1e-11},
                  {0.5, 0.0159829570, 0.998485709, 1e-9},
                  {1, 0.0516630525, 0.998594269, 1e-9},
                  {2, 0.1753577379, 1.003162814, 1e-9},
                  {5, 0.7206065118, 1.023381965, 1e-9}});
    }
    const std::string source = "closed equations printed with the problem";
    // d* has been printed as 1.0153129043010244, which violates its own equation
    // k_t (d - d_0) = M w^2 (d + L cos theta*) by 9.4e-13 m: two digits are wrong there.
    p.equilibria = {
        {kSwingSpeed,
         {{kTheta, 0.4537717194972358347, 1e-16}, {kSlide, 1.0153129043019644397, 1e-15}},
         true,
         PublishedValue::Kind::kExact,
         source},
        {40, {{kTheta, 0.15723, 1e-5}}, true, PublishedValue::Kind::kComputed, source},
        {40, {{kTheta, 3.6489, 1e-4}}, false, PublishedValue::Kind::kComputed, source},
        {40, {{kTheta, 5.398, 1e-3}}, true, PublishedValue::Kind::kComputed, source}};
  }
  p.steady_guesses = 200;
  p.papers_step = 0.001;
  p.fixed_steps = {1. / 256, 1. / 512, 0.001, 1. / 2048, 1. / 4096, 1. / 8192};
  p.accuracy_required_ode = 1e-9;
  p.accuracy_required_dae = 1e-7;  // IDA at 1e-12 leaves 6e-9 of the stiff slide over 5 s
  SetSampleTimes(p);
  return p;
}

}  // namespace

ProblemFamily SwingFamily() {
  return {"swing",
          "Swing pendulum on a driven arm",
          {{"damped", "with the dampers of the conventional route (10 N m s/rad, 500 N s/m)"},
           {"speed", "driving speed, 20 rad/s unless stated"}},
          {"swing", "swing:damped"},
          BuildSwing};
}

}  // namespace mbsbench
