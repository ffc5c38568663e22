#include "problems/model/validation.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>
#include <set>
#include <span>
#include <string>

#include "problems/model/eigen.h"
#include "problems/model/error.h"
#include "problems/model/problem.h"
#include "problems/model/rope_flight.h"
#include "problems/model/topology.h"

namespace mbsbench {

namespace {

constexpr double kUnitTolerance = 1e-6;  // of quaternions, with the digits of a file
constexpr std::size_t kLongestName = 200;
constexpr double kLargestAngle = 1e6;  // [rad]; where a sine has ten digits

using Subject = ModelError::Subject;

std::string Text(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.9g", value);
  return text;
}

bool Finite(const Vector3& v) {
  return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z);
}

[[noreturn]] void Refuse(const std::string& what, const std::string& name, const std::string& why) {
  const Subject subject = what == "body"              ? Subject::kBody
                          : what == "joint"           ? Subject::kJoint
                          : what == "observable"      ? Subject::kObservable
                          : what == "library measure" ? Subject::kLibraryMeasure
                                                      : Subject::kForceElement;
  throw ModelError(what + " '" + name + "' " + why, subject, name);
}

void CheckName(const std::string& what, const std::string& name, std::set<std::string>& names) {
  if (const std::string fault = NameFault(name); !fault.empty()) {
    throw ModelError("the name of a " + what + " " + fault + ".");
  }
  if (!names.insert(name).second) Refuse(what, name, "occurs twice: names must be unique.");
}

void CheckUnit(const std::string& what, const std::string& name, const Quaternion& q,
               const std::string& which) {
  const double norm = Norm(q);
  if (!std::isfinite(norm) || std::abs(norm - 1) > kUnitTolerance) {
    Refuse(what, name,
           "has " + which + " of norm " + Text(norm) +
               ": a unit quaternion is needed (to 1e-6, which takes 7 digits).");
  }
}

void CheckBody(const Body& body, bool inertia_as_given) {
  if (!std::isfinite(body.mass) || body.mass < 0) {
    Refuse("body", body.name, "has mass " + Text(body.mass) + " kg: a finite mass >= 0 is needed.");
  }
  const Eigen::Matrix3d inertia = ToEigen(body.inertia);
  if (!inertia.allFinite()) Refuse("body", body.name, "has an inertia that is not finite.");
  const double scale = inertia.cwiseAbs().maxCoeff();
  const double slack = 1e-12 * scale;
  const Eigen::Vector3d principal =
      Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d>(inertia, Eigen::EigenvaluesOnly).eigenvalues();
  if (principal[0] < (inertia_as_given ? -1e-9 * scale : -slack)) {
    Refuse("body", body.name,
           "has a negative principal moment of inertia, " + Text(principal[0]) + " kg m^2.");
  }
  if (!inertia_as_given && principal[2] > principal[0] + principal[1] + 4 * slack) {
    Refuse("body", body.name,
           "has an inertia that violates the triangle inequality: of its principal moments " +
               Text(principal[0]) + ", " + Text(principal[1]) + " and " + Text(principal[2]) +
               " kg m^2 none may exceed the sum of the other two.");
  }
}

void CheckShape(const Body& body) {
  if (!Finite(body.shape->a) || !Finite(body.shape->b) || !std::isfinite(body.shape->radius)) {
    Refuse("body", body.name, "has a shape with a value that is not finite.");
  }
}

void CheckFrames(const Joint& joint) {
  for (const Frame* frame : {&joint.parent_frame, &joint.child_frame}) {
    const char* side = frame == &joint.parent_frame ? "parent frame" : "child frame";
    if (!Finite(frame->position)) {
      Refuse("joint", joint.name, std::string("has a ") + side + " whose position is not finite.");
    }
    CheckUnit("joint", joint.name, frame->orientation, "a " + std::string(side) + " orientation");
  }
}

void CheckRopeFlight(const System& system) {
  const RopeFlight& f = *system.rope_flight;
  const auto refuse = [&f](const std::string& why) { Refuse("rope flight", f.name, why); };
  const auto in_plane = [](const Vector3& v) { return Finite(v) && v.z == 0; };
  if (!in_plane(f.box) || !in_plane(f.rail_direction) || !in_plane(system.gravity)) {
    refuse("leaves the plane z = 0: box, rail and gravity must lie in it.");
  }
  if (std::abs(Norm(f.rail_direction) - 1) > kUnitTolerance) {
    refuse("has a rail direction of length " + Text(Norm(f.rail_direction)) +
           ": a unit vector is needed (to 1e-6).");
  }
  for (double value :
       {f.rail_length, f.thrust, f.burn_time, f.propellant_mass, f.air_density, f.body_diameter,
        f.body_drag, f.rope_diameter, f.tangential_drag, f.normal_drag}) {
    if (!(std::isfinite(value) && value >= 0)) {
      refuse("has the value " + Text(value) + ": finite numbers >= 0 are needed.");
    }
  }
  for (double value : {f.link_length, f.line_density}) {
    if (!(std::isfinite(value) && value > 0)) {
      refuse("has a link length or line density of " + Text(value) +
             ": finite numbers > 0 are needed.");
    }
  }
  if (f.rail_length > f.link_length) {
    refuse("has a rail longer than a link: the body must leave it before the first capture.");
  }
  if (!(system.bodies[0].mass > f.propellant_mass)) {
    refuse("burns more than the mass of its body '" + system.bodies[0].name + "'.");
  }
  if (!system.loop_joints.empty() || !system.forces.empty()) {
    refuse("is not alone: it allows no loops and no other force elements in its system.");
  }
  // Its body, and the nodes as made by GrownSystem.
  System start = system;
  start.bodies.resize(1);
  start.joints.resize(std::min<std::size_t>(1, start.joints.size()));
  const System expected = GrownSystem(start, LinkCount(system));
  bool same = expected.joints.size() == system.joints.size();
  for (std::size_t i = 0; same && i < system.bodies.size(); ++i) {
    const Body& body = system.bodies[i];
    const Joint &joint = system.joints[i], &wanted = expected.joints[i];
    const auto differs = [](const Vector3& a, const Vector3& b) { return Norm(a - b) != 0; };
    const auto turned = [](const Quaternion& q) { return q.w != 1; };
    same = body.mass == expected.bodies[i].mass &&
           std::ranges::all_of(body.inertia.entries, [](double entry) { return entry == 0; }) &&
           joint.type == (i == 0 ? JointType::kFree : JointType::kRevolute) &&
           joint.parent == (i == 0 ? kGround : wanted.parent) &&
           joint.child == static_cast<int>(i) && !differs(joint.parent_frame.position, {}) &&
           !differs(joint.child_frame.position, i == 0 ? Vector3{} : wanted.child_frame.position) &&
           !turned(joint.parent_frame.orientation) && !turned(joint.child_frame.orientation);
  }
  if (!same) {
    refuse(
        "needs a point on a free joint as the first body, followed only by the nodes of its rope.");
  }
}

// `what` is "driver" or "motor".
void CheckMotion(const std::string& what, const std::string& name, const DriverMotion& m,
                 int depth) {
  if (depth > kDeepestMotion) {
    Refuse(what, name,
           "has motions nested more than " + std::to_string(kDeepestMotion) +
               " deep: write them out.");
  }
  const auto finite = [](double x) { return std::isfinite(x); };
  for (double x : {m.rate, m.amplitude, m.mean, m.angular_frequency, m.phase, m.from, m.to, m.begin,
                   m.duration, m.smoothness}) {
    if (!finite(x)) Refuse(what, name, "has a motion with a number that is not finite.");
  }
  switch (m.kind) {
    case MotionKind::kConstantRate:
    case MotionKind::kHarmonic: break;
    case MotionKind::kPolynomial:
      if (m.coefficients.empty() || m.coefficients.size() > kMostCoefficients ||
          !std::all_of(m.coefficients.begin(), m.coefficients.end(), finite)) {
        Refuse(what, name,
               "has a polynomial motion with " + std::to_string(m.coefficients.size()) +
                   " coefficients: 1 to 13 finite ones are needed.");
      }
      break;
    case MotionKind::kRamp:
      if (!(m.duration > 0)) {
        Refuse(what, name,
               "has a ramp motion of " + Text(m.duration) + " s: a duration > 0 is needed.");
      }
      if (m.smoothness != 2 && m.smoothness != 3) {
        Refuse(what, name,
               "has a ramp motion of smoothness " + Text(m.smoothness) + ": 2 or 3 is needed.");
      }
      break;
    case MotionKind::kArcsine:
      if (m.terms.size() != 1) {
        Refuse(what, name, "has an arcsine motion that is not of exactly one motion.");
      }
      if (StartsAnywhere(m.terms.front())) {
        Refuse(what, name,
               "has an arcsine motion of a constant rate, whose start is not stated: give a "
               "polynomial.");
      }
      break;
    case MotionKind::kSum:
      if (m.terms.empty()) Refuse(what, name, "has a sum of no motions: give one at least.");
      break;
  }
  for (const DriverMotion& term : m.terms) CheckMotion(what, name, term, depth + 1);
}

// Refuses a force element with a field that names nothing or is no number.
class FieldCheck : public FieldVisitor {
 public:
  template <class Law>
  FieldCheck(const Law& element, const System& system)
      : what_(Law::kWords), name_(element.name), system_(system) {
    if constexpr (ActsOnJoint<Law>) types_ = Law::kJointTypes;
  }

  void BodyOrGround(std::string_view, int body) const {
    if (body < kGround || body >= std::ssize(system_.bodies))
      Refuse(what_, name_, "names a body that does not exist.");
  }
  void Body(std::string_view, int body) const {
    if (body < 0 || body >= std::ssize(system_.bodies))
      Refuse(what_, name_, "acts on a body that does not exist.");
  }
  void Joint(int joint) {
    if (joint < 0 || joint >= std::ssize(system_.joints))
      Refuse(what_, name_, "names a joint that does not exist.");
    type_ = system_.joints[static_cast<std::size_t>(joint)].type;
    if (std::ranges::find(types_, type_) == types_.end()) {
      Refuse(what_, name_,
             "acts on a " + std::string(Name(type_)) + " joint: a " + ListedTypes(types_) +
                 " one is needed.");
    }
  }
  void Point(std::string_view, int, const Vector3& point) const { RefuseUnless(Finite(point)); }
  void Vector(std::string_view, Quantity, int, const Vector3& v) const { RefuseUnless(Finite(v)); }
  void OnFrame(std::string_view, int, const Frame& frame) const {
    RefuseUnless(Finite(frame.position));
    CheckUnit(what_, name_, frame.orientation, "a frame's orientation");
  }
  void Number(std::string_view, Quantity, double x) const { RefuseUnless(std::isfinite(x)); }
  void Direction(std::string_view, const Vector3& direction) const {
    RefuseUnless(Finite(direction));
    if (std::abs(Norm(direction) - 1) <= kUnitTolerance) return;
    Refuse(what_, name_,
           "has a direction of length " + Text(Norm(direction)) +
               ": a unit vector is needed (to 1e-6).");
  }
  void Effort(bool turns, const EffortOverTime& effort) const {
    if (type_ != (turns ? JointType::kRevolute : JointType::kPrismatic) &&
        type_ != JointType::kCylindrical) {
      Refuse(what_, name_,
             turns ? "exerts a torque on a prismatic joint: give a force."
                   : "exerts a force on a revolute joint: give a torque.");
    }
    if (effort.table.empty()) return CheckMotion(what_, name_, effort.function, 1);
    if (effort.table.size() > kMostKnots) {
      Refuse(what_, name_,
             "has a table of " + std::to_string(effort.table.size()) + " knots: at most " +
                 std::to_string(kMostKnots) + " are allowed.");
    }
    for (const auto& [time, value] : effort.table)
      RefuseUnless(std::isfinite(time) && std::isfinite(value));
    const auto after =
        std::ranges::adjacent_find(effort.table, std::greater_equal{}, &EffortOverTime::Knot::time);
    if (after == effort.table.end()) return;
    Refuse(what_, name_,
           "has a table whose times do not ascend after " + Text(after->time) +
               " s: write a jump as two knots a short time apart.");
  }

 private:
  void RefuseUnless(bool is_finite) const {
    if (!is_finite) Refuse(what_, name_, "has a value that is not finite.");
  }

  std::string what_;
  const std::string& name_;
  const System& system_;
  std::span<const JointType> types_ = {};
  JointType type_ = JointType::kFixed;
};

}  // namespace

std::string NameFault(std::string_view name) {
  if (name.empty()) return "is empty";
  if (name.size() > kLongestName) {
    return "has " + std::to_string(name.size()) + " bytes: at most " +
           std::to_string(kLongestName) + " are allowed";
  }
  for (const char c : name) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) return "contains a control character";
  }
  return "";
}

void Validate(const System& system, const std::vector<int>& inertias_as_given) {
  const auto n = static_cast<int>(system.bodies.size());
  if (n == 0) throw ModelError("the system has no body.");
  if (!Finite(system.gravity)) throw ModelError("gravity is not finite.");
  if (!(system.loop_precision >= 0 && system.loop_precision <= kMostLoopPrecision)) {
    throw ModelError(
        "loop_precision is " + Text(system.loop_precision) +
            ": a number from 0 to 1e-5 is needed, because with less exact frames it is not known "
            "which constraints are independent; give the frames of the loops more digits, and the "
            "precision that they then have.",
        ModelError::Subject::kField, "loop_precision");
  }
  const auto is_body_or_ground = [n](int b) { return b >= kGround && b < n; };

  std::set<std::string> body_names, joint_names, element_names;
  for (const Body& body : system.bodies) {
    CheckName("body", body.name, body_names);
    if (body.name == "ground") {
      Refuse("body", body.name, "takes a name that is reserved: choose another.");
    }
    const auto index = static_cast<int>(&body - system.bodies.data());
    CheckBody(body, std::ranges::binary_search(inertias_as_given, index));
    CheckShape(body);
  }
  for (const Joint& joint : system.joints) {
    CheckName("joint", joint.name, joint_names);
    CheckFrames(joint);
    if (joint.type == JointType::kDistance) {
      Refuse("joint", joint.name, "is a distance joint: distance joints close loops only.");
    }
  }
  for (const Joint& joint : system.loop_joints) {
    CheckName("joint", joint.name, joint_names);
    CheckFrames(joint);
    if (joint.type == JointType::kFree) {
      Refuse("joint", joint.name, "is free, so it closes no loop: leave it out.");
    }
    if (joint.type == JointType::kCylindrical || joint.type == JointType::kPlanar) {
      Refuse("joint", joint.name,
             "is a " + std::string(Name(joint.type)) +
                 " joint, which is allowed in the tree only: cut the loop at another joint.");
    }
    if (!is_body_or_ground(joint.parent) || joint.child < 0 || joint.child >= n) {
      Refuse("joint", joint.name, "names a body that does not exist.");
    }
    if (joint.parent == joint.child) Refuse("joint", joint.name, "joins a body to itself.");
    if (joint.type == JointType::kDistance && !(std::isfinite(joint.length) && joint.length > 0)) {
      Refuse("joint", joint.name, "needs a length > 0.");
    }
  }
  TopologyOf(system);

  system.forces.ForEach([&]<class Law>(const Law& element) {
    CheckName("force element", element.name, element_names);
    VisitFields(element, FieldCheck(element, system));
    if constexpr (requires { element.body_a; }) {
      if (element.body_a == element.body_b)
        Refuse(std::string(Law::kWords), element.name, "joins a body to itself.");
    }
  });
  if (system.rope_flight) CheckRopeFlight(system);
  std::set<int> driven;
  for (const Driver& d : system.drivers) {
    CheckName("driver", d.name, element_names);
    if (d.joint < 0 || d.joint >= static_cast<int>(system.joints.size())) {
      Refuse("driver", d.name, "names a joint that does not exist.");
    }
    const Joint& joint = system.joints[static_cast<std::size_t>(d.joint)];
    if (joint.type != JointType::kRevolute && joint.type != JointType::kPrismatic) {
      Refuse("driver", d.name, "drives a joint that is neither revolute nor prismatic.");
    }
    if (!driven.insert(d.joint).second) {
      Refuse("driver", d.name,
             "drives joint '" + joint.name + "', which another driver drives: leave one out.");
    }
    CheckMotion("driver", d.name, d.motion, 1);
  }
}

void Validate(const System& system, const JointState& state) {
  const JointOffsets at = OffsetsOf(system);
  if (state.q.size() != static_cast<std::size_t>(at.q.back()) ||
      state.u.size() != static_cast<std::size_t>(at.u.back())) {
    throw ModelError("the joint state has " + std::to_string(state.q.size()) + " coordinates and " +
                     std::to_string(state.u.size()) + " rates; the system needs " +
                     std::to_string(at.q.back()) + " and " + std::to_string(at.u.back()) + ".");
  }
  for (std::size_t j = 0; j < system.joints.size(); ++j) {
    const Joint& joint = system.joints[j];
    for (int k = at.q[j]; k < at.q[j + 1]; ++k) {
      if (!std::isfinite(state.q[static_cast<std::size_t>(k)])) {
        Refuse("joint", joint.name, "starts at a coordinate that is not finite.");
      }
    }
    for (int k = at.u[j]; k < at.u[j + 1]; ++k) {
      if (!std::isfinite(state.u[static_cast<std::size_t>(k)])) {
        Refuse("joint", joint.name, "starts with a rate that is not finite.");
      }
    }
    if (TurnsFreely(joint.type)) {
      const double* q = &state.q[static_cast<std::size_t>(at.q[j + 1] - 4)];
      CheckUnit("joint", joint.name, {q[0], q[1], q[2], q[3]}, "an initial quaternion");
    }
  }
}

namespace {

[[noreturn]] void RefuseField(const std::string& field, double value, const std::string& need) {
  throw ModelError(field + " is " + Text(value) + ": " + need + " is needed.", Subject::kField,
                   field);
}

void CheckPositive(const std::string& field, double value) {
  if (!(std::isfinite(value) && value > 0)) RefuseField(field, value, "a finite number > 0");
}

void CheckNotNegative(const std::string& field, double value) {
  if (!(std::isfinite(value) && value >= 0)) RefuseField(field, value, "a finite number >= 0");
}

void CheckProblemName(const std::string& name) {
  std::string fault = NameFault(name);
  if (fault.empty() && name.find_first_of(" /\\\"'") != std::string::npos) {
    fault = "contains a blank, a slash or a quote, but is used on the command line and in tables";
  }
  if (!fault.empty()) {
    throw ModelError("the name of the problem " + fault + ".", Subject::kField, "name");
  }
}

void CheckStep(const std::string& field, double step, double end_time) {
  constexpr double kMostSteps = 1e9;
  CheckPositive(field, step);
  if (!(end_time / step <= kMostSteps)) {
    throw ModelError("end_time_s is " + Text(end_time) + ", more than 1e9 steps of " + field + " " +
                         Text(step) + ": shorten the run or lengthen the step.",
                     Subject::kField, "end_time_s");
  }
}

// Whether the initial state of a driven joint agrees with its motion.
bool Agree(double stated, double moved) {
  constexpr double kRounding = 1e-12;
  return std::abs(stated - moved) <= kRounding * std::max(1.0, std::abs(moved));
}

// An arcsine keeps its values, and its rates finite, where its argument stays inside -1 to 1.
void CheckMotionOver(const Driver& driver, double end_time) {
  constexpr int kTimes = 1000;
  for (int k = 0; k <= kTimes; ++k) {
    const double t = end_time * k / kTimes;
    const MovedCoordinate<double> q = MotionAt(driver.motion, t);
    if (std::isfinite(q.position + q.rate + q.acceleration)) continue;
    Refuse("driver", driver.name,
           "has no finite motion at " + Text(t) +
               " s: the argument of an arcsine must stay inside -1 to 1, and no value may "
               "overflow.");
  }
}

}  // namespace

void Validate(const Problem& problem) {
  CheckProblemName(problem.name);
  Validate(problem.system, problem.inertias_as_given);
  Validate(problem.system, problem.initial.joints);
  const auto n = static_cast<int>(problem.system.bodies.size());
  const auto joint_count = static_cast<int>(problem.system.joints.size());

  std::set<int> dependent;
  for (int j : problem.initial.dependent_joints) {
    if (j < 0 || j >= joint_count) {
      throw ModelError("a dependent joint of the initial state is not among the tree joints.");
    }
    const Joint& joint = problem.system.joints[static_cast<std::size_t>(j)];
    if (!dependent.insert(j).second) Refuse("joint", joint.name, "is named dependent twice.");
    if (problem.system.loop_joints.empty()) {
      Refuse("joint", joint.name,
             "is named dependent, but no loop joint determines it: there is nothing to assemble.");
    }
  }

  const JointOffsets at = OffsetsOf(problem.system);
  for (std::size_t j = 0; j < problem.system.joints.size(); ++j) {
    const Joint& joint = problem.system.joints[j];
    const std::span<const JointAxis> axes = AxesOf(joint.type);
    for (std::size_t k = 0; k < axes.size(); ++k) {
      if (!axes[k].turns) continue;
      const double angle = problem.initial.joints.q[static_cast<std::size_t>(at.q[j]) + k];
      if (!(std::abs(angle) <= kLargestAngle)) {
        Refuse("joint", joint.name,
               "starts at an angle of " + Text(angle) +
                   " rad: at most 1e6 rad on either side are allowed. Leave out whole turns.");
      }
    }
  }
  for (const Driver& d : problem.system.drivers) {
    const auto j = static_cast<std::size_t>(d.joint);
    if (dependent.count(d.joint) > 0) {
      Refuse("driver", d.name,
             "drives joint '" + problem.system.joints[j].name +
                 "', which is named dependent: a driven joint cannot be moved to close a loop.");
    }
    CheckMotionOver(d, problem.end_time);
    const double q = problem.initial.joints.q[static_cast<std::size_t>(at.q[j])];
    const double rate = problem.initial.joints.u[static_cast<std::size_t>(at.u[j])];
    const MovedCoordinate<double> start = MotionAt(d.motion, 0);
    const bool constant = d.motion.kind == MotionKind::kConstantRate;
    if (constant ? rate != start.rate : !Agree(rate, start.rate)) {
      Refuse("driver", d.name,
             "runs at " + Text(start.rate) + ", but joint '" + problem.system.joints[j].name +
                 "' starts at a rate of " + Text(rate) + ": the two must be equal.");
    }
    if (!StartsAnywhere(d.motion) && !Agree(q, start.position)) {
      Refuse("driver", d.name,
             "starts at " + Text(start.position) + ", but the initial state puts joint '" +
                 problem.system.joints[j].name + "' at " + Text(q) + ": the two must be equal.");
    }
  }
  for (const Equilibrium& e : problem.equilibria) {
    if (problem.system.drivers.empty()) {
      throw ModelError("equilibria are printed, but no joint is driven: add a driver.",
                       Subject::kField, "equilibria");
    }
    if (!std::isfinite(e.speed)) {
      throw ModelError("an equilibrium is printed for a speed that is not finite.", Subject::kField,
                       "equilibria");
    }
    for (const Equilibrium::Coordinate& c : e.coordinates) {
      const bool known = c.joint >= 0 && c.joint < joint_count;
      if (!known ||
          CoordinateCount(problem.system.joints[static_cast<std::size_t>(c.joint)].type) != 1 ||
          !std::isfinite(c.value) || !(std::isfinite(c.last_digit) && c.last_digit >= 0)) {
        throw ModelError(
            "a coordinate of an equilibrium is not finite, has a negative last digit, or names a "
            "joint that is neither revolute nor prismatic.",
            Subject::kField, "equilibria");
      }
    }
  }

  CheckPositive("end_time_s", problem.end_time);
  if (problem.end_time < kShortestMotion)
    RefuseField("end_time_s", problem.end_time, "at least 1e-30 s");
  CheckPositive("length_m", problem.length);
  CheckPositive("time_s", problem.time);
  CheckPositive("energy_reference_J", problem.energy_reference);
  CheckNotNegative("accuracy_required_ode", problem.accuracy_required_ode);
  CheckNotNegative("accuracy_required_dae", problem.accuracy_required_dae);
  CheckStep("papers_step_s", problem.papers_step, problem.end_time);
  for (double step : problem.fixed_steps) CheckStep("fixed_steps_s", step, problem.end_time);
  double before = -1;
  for (double t : problem.sample_times) {
    if (!(t >= 0 && t > before && t <= problem.end_time * (1 + 1e-12))) {
      RefuseField("sample_times_s", t, "an ascending time from 0 to end_time_s");
    }
    before = t;
  }
  if (problem.sample_times.empty()) {
    throw ModelError("sample_times_s is empty: at least one time is needed.", Subject::kField,
                     "sample_times_s");
  }
  for (int b : problem.reference_bodies) {
    if (b < 0 || b >= n) throw ModelError("a reference body does not exist.");
  }

  std::set<std::string> names;
  const auto check_observable = [&](const Observable& o) {
    CheckName("observable", o.name, names);
    if (o.body < 0 || o.body >= n || o.relative_to < kGround || o.relative_to >= n)
      Refuse("observable", o.name, "reads a body that does not exist.");
    if (!std::isfinite(o.offset) || !Finite(o.point)) {
      Refuse("observable", o.name, "has a value that is not finite.");
    }
    const bool is_plane =
        o.kind == Observable::Kind::kPlaneAngle || o.kind == Observable::Kind::kPlaneRate;
    if (o.relative_to != kGround && !is_plane) {
      Refuse("observable", o.name,
             "is relative to a body: only plane angles and their rates can be.");
    }
  };
  for (const Observable& o : problem.observables) check_observable(o);
  for (const BranchCondition& c : problem.branch) {
    check_observable(c.observable);
    if (!std::isfinite(c.value) || !(std::isfinite(c.bound) && c.bound > 0)) {
      Refuse("observable", c.observable.name,
             "defines the branch by a value that is not finite, or a bound that is not positive.");
    }
  }
  std::set<std::string> measures;
  for (const LibraryMeasure& m : problem.library_measures) {
    CheckName("library measure", m.name, measures);
    for (int o : m.observables) {
      if (o < 0 || o >= static_cast<int>(problem.observables.size()))
        Refuse("library measure", m.name, "names an observable that does not exist.");
    }
    using Formula = LibraryMeasure::Formula;
    if (m.observables.empty() != (m.formula == Formula::kAngularMomentumZ))
      Refuse("library measure", m.name,
             "needs observables for every formula but the angular momentum, and none for that.");
    if (m.values.size() !=
        (m.formula == Formula::kSignificantDigits ? m.observables.size() : std::size_t{0}))
      Refuse("library measure", m.name,
             "needs one value per observable for significant digits, and none for other formulas.");
    const bool finite =
        std::all_of(m.values.begin(), m.values.end(), [](double v) { return std::isfinite(v); });
    if (!finite || !(std::isfinite(m.time) && m.time >= 0))
      Refuse("library measure", m.name, "has a value or time that is not finite.");
  }
  for (const PublishedValue& value : problem.published) {
    if (value.observable < 0 || value.observable >= static_cast<int>(problem.observables.size())) {
      throw ModelError("a published value names an observable that does not exist.");
    }
    const std::string& name = problem.observables[static_cast<std::size_t>(value.observable)].name;
    if (!(std::isfinite(value.time) && value.time >= 0) || !std::isfinite(value.value) ||
        !(std::isfinite(value.last_digit) && value.last_digit >= 0)) {
      Refuse("observable", name,
             "has a published value that is not finite, or whose time or last digit is negative.");
    }
  }
}

}  // namespace mbsbench
