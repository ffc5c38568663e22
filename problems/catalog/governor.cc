// governor, governor-rods: a spindle turning at constant speed swings out two balls on arms, which lift
// a collar by two distance joints against gravity and a spring.
//
//                 O1 |  spindle, about y          arms pivot at O1, axes normal to both arms and spindle
//        2 o----P----+----Q----o 3                P, Q: half-way along the arms
//                 \  |s /                         distance joints P-O4, Q-O4: 0.10922 m
//                  \ | /                          phi: angle of each arm below the horizontal
//                    4  collar, O4                s: from O1 down to O4; 1000 N/m, free at 0.15 m
//
// The printed s(0) = 0.0744 m violates the distance joints by 3e-5 m; s is assembled, phi kept.
#include <cmath>

#include "problems/catalog/families.h"
#include "problems/model/problem_options.h"

namespace mbsbench {

namespace {

constexpr double kSpeed = 11.0174;              // [rad/s]
constexpr double kArm = 0.16, kHalfArm = 0.08;  // [m]
constexpr double kHeight = 0.2;                 // of O1 [m]
constexpr double kDamping = 200;                // on s, of governor:damped, assumed [N s/m]
constexpr int kPhi1 = 1, kPhi2 = 2, kS = 3;     // joints

Joint Pivot(const char* name, int child, double x, const Quaternion& axes) {
  Joint joint;
  joint.name = name;
  joint.type = JointType::kRevolute;
  joint.parent = 0;
  joint.child = child;
  joint.parent_frame.orientation = axes;
  joint.child_frame = {{-x, 0, 0}, axes};
  return joint;
}

Joint Strut(const char* name, int ball, double x) {
  Joint joint;
  joint.name = name;
  joint.type = JointType::kDistance;
  joint.parent = ball;
  joint.child = 3;
  joint.parent_frame.position = {x, 0, 0};
  joint.length = 0.10922;
  return joint;
}

Problem BuildGovernor(const ProblemOptions& options, bool rods) {
  const std::string family = rods ? "governor-rods" : "governor";
  const double speed = NumberOption(options, "speed", kSpeed, -1000, 1000);
  const bool damped = options.count("damped") > 0;
  Problem p;
  p.name =
      NameWith(family, {damped ? "damped" : "", speed == kSpeed ? "" : NumberText("speed", speed)});
  p.title = std::string("Governor mechanism") + (rods ? " with rod-like balls" : "") +
            (damped ? ", damped" : "");
  p.description =
      "A spindle at constant speed swings out two balls, which lift a collar by distance joints. "
      "It "
      "stresses steady states with closed loops" +
      std::string(rods ? " and the gyroscopic moment, which vanishes for isotropic balls." : ".");
  p.source = std::string("Choi, Park, Yoo, KSME Int. J. 16 (2002), sect. 4.2, after Haug 1989") +
             (rods ? "; inertia of the balls of this catalogue" : "");
  const auto body = [&p](const char* name, double mass, const SymmetricMatrix3& inertia,
                         const Shape& shape) {
    Body b;
    b.name = name;
    b.mass = mass;
    b.inertia = inertia;
    b.shape = shape;
    p.system.bodies.push_back(b);
  };
  const SymmetricMatrix3 ball = rods ? Diagonal(0.002, 0.012, 0.012) : Diagonal(0.1, 0.1, 0.1);
  body("1", 200, Diagonal(25, 50, 25), {Shape::Kind::kRod, {0, 0.05, 0}, {0, -0.2, 0}, 0.01});
  body("2", 1, ball, {Shape::Kind::kSphere, {}, {}, 0.03});
  body("3", 1, ball, {Shape::Kind::kSphere, {}, {}, 0.03});
  body("4", 1, Diagonal(0.15, 0.125, 0.15), {Shape::Kind::kBox, {0.05, 0.02, 0.05}, {}, 0});

  const Quaternion up{M_SQRT1_2, -M_SQRT1_2, 0, 0};   // turns the joint's z axis into y
  const Quaternion down{M_SQRT1_2, M_SQRT1_2, 0, 0};  // into -y
  const Quaternion mirrored{0, 1, 0, 0};              // into -z: both arms go down as phi grows
  Joint spindle;
  spindle.name = "spindle";
  spindle.type = JointType::kRevolute;
  spindle.child = 0;
  spindle.parent_frame = {{0, kHeight, 0}, up};
  spindle.child_frame.orientation = up;
  Joint slide;
  slide.name = "s";
  slide.type = JointType::kPrismatic;
  slide.parent = 0;
  slide.child = 3;
  slide.parent_frame.orientation = down;
  slide.child_frame.orientation = down;
  p.system.joints = {spindle, Pivot("phi_1", 1, -kArm, {}), Pivot("phi_2", 2, kArm, mirrored),
                     slide};
  p.system.loop_joints = {Strut("P-O4", 1, kArm - kHalfArm), Strut("Q-O4", 2, kHalfArm - kArm)};
  p.system.forces.Of<JointSpringDamper>() = {{"spring", kS, 1000, damped ? kDamping : 0, 0.15}};
  p.system.drivers = {{"motor", 0, speed}};
  p.initial.joints.q = {0, 0, 0, 0.0744};
  p.initial.joints.u = {speed, 0, 0, 0};
  p.initial.dependent_joints = {kS};

  // Undamped it swings to phi = 90 degrees, the balls after 0.37 s and the rods after 0.2221 s. There both closures
  // coincide and the arms may separate, so that no equation determines the further motion: the run ends before.
  p.end_time = damped ? 5 : rods ? 0.2 : 0.3;
  p.length = 0.16;
  p.time = 0.09;
  p.energy_reference = 10;  // balls, collar and spring, rounded
  p.conservative = false;   // the driver does work
  using Kind = Observable::Kind;
  p.observables = {{"y_2", Kind::kPositionY, 1}, {"y_4", Kind::kPositionY, 3}};
  if (speed == kSpeed) {
    const auto known = [&p](double phi, double s, double last_digit, bool stable,
                            PublishedValue::Kind kind) {
      p.equilibria.push_back({kSpeed,
                              {{kPhi1, phi, last_digit}, {kPhi2, phi, last_digit}},
                              stable,
                              kind,
                              "closed equations printed with the problem"});
      if (s > 0) p.equilibria.back().coordinates.push_back({kS, s, last_digit});
    };
    if (rods) {
      known(0.6892941272594474, 0.1409778156332472, 1e-16, true, PublishedValue::Kind::kExact);
    } else {
      // phi* has been printed as 0.7857110272453252538, which violates its own equation, and the
      // printed s(phi*), by 1e-10: a digit is wrong there.
      known(0.7857110273452537577, 0.1500261156008844965, 1e-16, true,
            PublishedValue::Kind::kExact);
      known(2.3559, 0, 1e-4, true, PublishedValue::Kind::kComputed);
      known(M_PI / 2, kHalfArm + 0.10922, 1e-15, false, PublishedValue::Kind::kComputed);
      known(-M_PI / 2, 0.10922 - kHalfArm, 1e-15, false, PublishedValue::Kind::kComputed);
    }
    if (damped && !rods) {
      struct Printed {
        double time, phi, s, last_digit;
      };
      for (const Printed& row : {Printed{0.1, 0.15890349115, 0.088085997885, 1e-11},
                                 Printed{0.5, 0.93533910177, 0.16274211195, 1e-11},
                                 Printed{1, 0.76662029434, 0.1482803286, 1e-10},
                                 Printed{2, 0.78584194149, 0.15003800168, 1e-11},
                                 Printed{5, 0.78571115365, 0.15002612707, 1e-11}}) {
        for (auto [observable, value] :
             {std::pair{0, kHeight - kArm * std::sin(row.phi)}, std::pair{1, kHeight - row.s}}) {
          p.published.push_back({observable, row.time, value, row.last_digit,
                                 PublishedValue::Kind::kComputed,
                                 "closed equations in phi, printed with the problem"});
        }
      }
    }
  }
  p.steady_guesses = 200;
  p.papers_step = 0.01;
  p.fixed_steps = {0.01, 1. / 128, 1. / 256, 1. / 512, 1. / 1024, 1. / 2048};
  p.accuracy_required_ode = 1e-9;
  p.accuracy_required_dae = 1e-8;
  SetSampleTimes(p);
  return p;
}

ProblemFamily Family(const std::string& name, const std::string& title, bool rods) {
  return {name,
          title,
          {{"damped", "with the damper of the conventional route (200 N s/m on the collar)"},
           {"speed", "spindle speed, 11.0174 rad/s unless stated"}},
          {name, name + ":damped"},
          [rods](const ProblemOptions& options) { return BuildGovernor(options, rods); }};
}

}  // namespace

ProblemFamily GovernorFamily() { return Family("governor", "Governor mechanism", false); }

ProblemFamily GovernorRodsFamily() {
  return Family("governor-rods", "Governor mechanism with rod-like balls", true);
}

}  // namespace mbsbench
