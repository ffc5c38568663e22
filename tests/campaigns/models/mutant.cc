#include "tests/campaigns/models/mutant.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <functional>
#include <iterator>
#include <utility>

#include "problems/catalog/catalog.h"
#include "problems/io/model_file.h"
#include "problems/model/eigen.h"
#include "problems/model/error.h"
#include "problems/model/kinematics.h"
#include "problems/model/same_mechanism.h"
#include "problems/model/validation.h"
#include "problems/test_systems/random_loops.h"
#include "problems/test_systems/redundant_mechanisms.h"
#include "tests/problems/io/full_problem.h"

namespace mbsbench {

namespace {

constexpr std::size_t kMostBodies = 12;  // of a source; of a mutant, half as many more
constexpr int kAttempts = 12;
constexpr int kMostChanges = 4;

constexpr double kRoundOff = 1e-13;  // of a rate

// A model in a form that is easy to change: with separate coordinates for each joint.
struct Coordinates {
  std::vector<double> q, u;
};
struct Model {
  System system;
  std::vector<Coordinates> joints;
  double length = 1, time = 1;
};

std::size_t Index(int i) { return static_cast<std::size_t>(i); }

std::vector<Coordinates> Apart(const System& system, const JointState& state) {
  const JointOffsets at = OffsetsOf(system);
  std::vector<Coordinates> joints;
  for (std::size_t j = 0; j < system.joints.size(); ++j)
    joints.push_back({{state.q.begin() + at.q[j], state.q.begin() + at.q[j + 1]},
                      {state.u.begin() + at.u[j], state.u.begin() + at.u[j + 1]}});
  return joints;
}

Model ModelOf(const Problem& problem) {
  return {problem.system, Apart(problem.system, problem.initial.joints), problem.length,
          problem.time};
}

JointState StateOf(const Model& model) {
  JointState state;
  for (const Coordinates& joint : model.joints) {
    state.q.insert(state.q.end(), joint.q.begin(), joint.q.end());
    state.u.insert(state.u.end(), joint.u.begin(), joint.u.end());
  }
  return state;
}

// --- building blocks of changes

template <class Things>
auto& Any(RandomNumbers& random, Things& things) {
  return things[Index(random.Below(static_cast<int>(things.size())))];
}

bool Chance(RandomNumbers& random, double likelihood) { return random.Between(0, 1) < likelihood; }

double PowerOfTen(RandomNumbers& random, double least, double most) {
  return std::pow(10, random.Between(least, most));
}

// 1e-12 to 1e12, often nearer to one.
double Scale(RandomNumbers& random) {
  const double most = std::vector<double>{1, 3, 6, 9, 12}[Index(random.Below(5))];
  return PowerOfTen(random, -most, most);
}

double Sign(RandomNumbers& random) { return random.Below(2) == 0 ? -1 : 1; }

Vector3 Direction(RandomNumbers& random) {
  for (;;) {
    const Vector3 v = random.Vector(1);
    if (Norm(v) > 0.1 && Norm(v) < 1) return 1 / Norm(v) * v;
  }
}

void SetInertia(Body& body, double xx, double yy, double zz, const Quaternion& turn) {
  const Eigen::Matrix3d r = ToEigen(turn).toRotationMatrix();
  const Eigen::Matrix3d inertia = r * Eigen::Vector3d(xx, yy, zz).asDiagonal() * r.transpose();
  for (int i = 0; i < 3; ++i) {
    for (int k = 0; k <= i; ++k) body.inertia(i, k) = inertia(i, k);
  }
}

double SizeOf(const Body& body) {
  double size = 0;
  for (double entry : body.inertia.entries) size = std::max(size, std::abs(entry));
  return size > 0 ? size : 0.1;
}

Quaternion RandomTurn(RandomNumbers& random) {
  return Chance(random, 0.3) ? Quaternion{} : random.Rotation();
}

int JointOf(const Model& model, int body) {
  for (std::size_t j = 0; j < model.system.joints.size(); ++j) {
    if (model.system.joints[j].child == body) return static_cast<int>(j);
  }
  return -1;
}

bool HasOneCoordinate(const Joint& joint) {
  return joint.type == JointType::kRevolute || joint.type == JointType::kPrismatic;
}

std::vector<int> JointsWithOneCoordinate(const Model& model) {
  std::vector<int> joints;
  for (std::size_t j = 0; j < model.system.joints.size(); ++j) {
    if (HasOneCoordinate(model.system.joints[j])) joints.push_back(static_cast<int>(j));
  }
  return joints;
}

// The bodies and the joint that a force element names.
struct Ends : FieldVisitor {
  void BodyOrGround(std::string_view, int& at) const { body(at); }
  void Body(std::string_view, int& at) const { body(at); }
  void Joint(int& at) const { joint(at); }
  std::function<void(int&)> body = [](int&) {}, joint = body;
};

// Drops the force elements and drivers of this joint, and of a body (kGround: of none).
void DropElementsOf(Model& model, int joint, int body = kGround) {
  std::erase_if(model.system.drivers, [joint](const Driver& d) { return d.joint == joint; });
  model.system.forces.ForEachList([&](auto& list) {
    std::erase_if(list, [&](auto element) {
      bool is_of = false;
      VisitFields(element, Ends{{},
                                [&](int& at) { is_of |= at == body && body != kGround; },
                                [&](int& at) { is_of |= at == joint; }});
      return is_of;
    });
  });
}

Coordinates RandomCoordinates(RandomNumbers& random, JointType type) {
  Coordinates c;
  const Quaternion r = random.Rotation();
  for (std::size_t k = 0; k < AxesOf(type).size(); ++k) c.q.push_back(random.Between(-1, 1));
  if (TurnsFreely(type)) c.q.insert(c.q.end(), {r.w, r.x, r.y, r.z});
  for (int k = 0; k < RateCount(type); ++k) c.u.push_back(random.Between(-2, 2));
  return c;
}

int AnyBodyOrGround(RandomNumbers& random, const Model& model) {
  return random.Below(static_cast<int>(model.system.bodies.size()) + 1) - 1;
}

std::vector<BodyState> BodiesOf(const Model& model) {
  return ForwardKinematics(model.system, StateOf(model));
}

// --- the changes: false if nothing can be changed in this way

using Change = bool (*)(Model&, RandomNumbers&, const std::vector<Problem>&);
using Sources = std::vector<Problem>;

bool ScaleBody(Model& model, RandomNumbers& random, const Sources&) {
  Body& body = Any(random, model.system.bodies);
  const double mass = Scale(random), inertia = Chance(random, 0.5) ? mass : Scale(random);
  body.mass *= mass;
  for (double& entry : body.inertia.entries) entry *= inertia;
  return true;
}

bool ScaleMassesAlternately(Model& model, RandomNumbers& random, const Sources&) {
  const double scale = Scale(random);
  for (std::size_t b = 0; b < model.system.bodies.size(); b += 2) {
    model.system.bodies[b].mass *= scale;
    for (double& entry : model.system.bodies[b].inertia.entries) entry *= scale;
  }
  return true;
}

bool MakePoint(Model& model, RandomNumbers& random, const Sources&) {
  Body& body = Any(random, model.system.bodies);
  body.inertia = Diagonal(0, 0, 0);
  body.is_point = Chance(random, 0.3);
  return true;
}

bool MakeMassless(Model& model, RandomNumbers& random, const Sources&) {
  Body& body = Any(random, model.system.bodies);
  body.mass = 0;
  if (Chance(random, 0.7)) body.inertia = Diagonal(0, 0, 0);
  return true;
}

bool MakeRod(Model& model, RandomNumbers& random, const Sources&) {
  Body& body = Any(random, model.system.bodies);
  const double size = SizeOf(body),
               thin = Chance(random, 0.6) ? 0 : size * PowerOfTen(random, -14, -2);
  SetInertia(body, thin, size, size, RandomTurn(random));
  return true;
}

bool MakePlate(Model& model, RandomNumbers& random, const Sources&) {
  Body& body = Any(random, model.system.bodies);
  const double x = SizeOf(body) * random.Between(0.01, 1), y = SizeOf(body) * random.Between(0, 1);
  SetInertia(body, x, y, x + y, RandomTurn(random));
  return true;
}

bool ScaleAnArm(Model& model, RandomNumbers& random, const Sources&) {
  Joint& joint = Any(random, model.system.joints);
  Frame& frame = random.Below(2) == 0 ? joint.parent_frame : joint.child_frame;
  const double scale = Chance(random, 0.3) ? 0 : Scale(random);
  frame.position = scale * frame.position;
  model.length = std::max(model.length, Norm(frame.position));
  return true;
}

// Moves the joint to the parent's own joint.
bool MakePointsCoincide(Model& model, RandomNumbers& random, const Sources&) {
  Joint& joint = Any(random, model.system.joints);
  if (joint.parent == kGround) return false;
  joint.parent_frame.position =
      model.system.joints[Index(JointOf(model, joint.parent))].child_frame.position;
  return true;
}

bool MakeAxesParallel(Model& model, RandomNumbers& random, const Sources&) {
  Joint& joint = Any(random, model.system.joints);
  if (joint.parent == kGround) return false;
  joint.parent_frame.orientation =
      model.system.joints[Index(JointOf(model, joint.parent))].child_frame.orientation;
  if (Chance(random, 0.3))
    joint.parent_frame.orientation = joint.parent_frame.orientation * Quaternion{0, 1, 0, 0};
  if (Chance(random, 0.6)) {
    joint.parent_frame.orientation = Normalised(
        joint.parent_frame.orientation * AxisAngle(Direction(random), PowerOfTen(random, -12, -3)));
  }
  return true;
}

// All joint frames along those of the ground: a plane mechanism, or nearly one.
bool AlignAllAxes(Model& model, RandomNumbers& random, const Sources&) {
  const double angle = Chance(random, 0.5) ? 0 : PowerOfTen(random, -12, -3);
  for (Joint& joint : model.system.joints) {
    joint.child_frame.orientation = {};
    joint.parent_frame.orientation = angle > 0 ? AxisAngle(Direction(random), angle) : Quaternion{};
  }
  return true;
}

bool TurnAFrame(Model& model, RandomNumbers& random, const Sources&) {
  Joint& joint = Any(random, model.system.joints);
  Frame& frame = random.Below(2) == 0 ? joint.parent_frame : joint.child_frame;
  if (Chance(random, 0.5)) {
    frame.orientation = random.Rotation();
  } else {
    // Rotated by quarter turns about the axes.
    const double h = std::sqrt(0.5);
    const Quaternion turns[] = {{h, h, 0, 0}, {h, 0, h, 0}, {h, 0, 0, h}, {0, 1, 0, 0}};
    frame.orientation = Normalised(frame.orientation * turns[random.Below(4)]);
  }
  return true;
}

bool TurnTheWhole(Model& model, RandomNumbers& random, const Sources&) {
  const Quaternion turn = random.Rotation();
  const Vector3 shift = Chance(random, 0.5) ? Vector3{} : random.Vector(PowerOfTen(random, 0, 6));
  for (auto* joints : {&model.system.joints, &model.system.loop_joints}) {
    for (Joint& joint : *joints) {
      if (joint.parent != kGround) continue;
      Frame& frame = joint.parent_frame;
      frame = {shift + Rotate(turn, frame.position), Normalised(turn * frame.orientation)};
    }
  }
  if (Chance(random, 0.5)) model.system.gravity = Rotate(turn, model.system.gravity);
  return true;
}

bool RepeatALoop(Model& model, RandomNumbers& random, const Sources&) {
  if (model.system.loop_joints.empty()) return false;
  for (int copies = 1 + random.Below(2); copies > 0; --copies)
    model.system.loop_joints.push_back(Joint(Any(random, model.system.loop_joints)));
  return true;
}

JointType AnyLoopType(RandomNumbers& random) {
  constexpr JointType kTypes[] = {JointType::kBall,  JointType::kRevolute, JointType::kPrismatic,
                                  JointType::kFixed, JointType::kDistance, JointType::kUniversal};
  return kTypes[random.Below(6)];
}

bool AddALoop(Model& model, RandomNumbers& random, const Sources&) {
  const int child = random.Below(static_cast<int>(model.system.bodies.size())),
            parent = AnyBodyOrGround(random, model);
  if (child == parent) return false;
  model.system.loop_joints.push_back(
      MakeClosedJoint(random, AnyLoopType(random), parent, child, BodiesOf(model)));
  return true;
}

// A loop joint parallel to a tree joint, of the same type and frames or of another type at its
// place.
bool DoubleATreeJoint(Model& model, RandomNumbers& random, const Sources&) {
  Joint joint = Any(random, model.system.joints);
  if (joint.type == JointType::kFree) return false;
  const bool closes_no_loop =
      joint.type == JointType::kCylindrical || joint.type == JointType::kPlanar;
  if (closes_no_loop || Chance(random, 0.3)) joint.type = JointType::kBall;
  model.system.loop_joints.push_back(joint);
  return true;
}

bool BraceARigidGroup(Model& model, RandomNumbers& random, const Sources&) {
  std::vector<int> welds;
  for (std::size_t j = 0; j < model.system.joints.size(); ++j) {
    if (model.system.joints[j].parent != kGround) welds.push_back(static_cast<int>(j));
  }
  if (welds.empty()) return false;
  const int weld = Any(random, welds);
  Joint& joint = model.system.joints[Index(weld)];
  joint.type = JointType::kFixed;
  model.joints[Index(weld)] = {};
  DropElementsOf(model, weld);
  model.system.loop_joints.push_back(
      MakeClosedJoint(random, AnyLoopType(random), joint.parent, joint.child, BodiesOf(model)));
  return true;
}

bool ChangeTheTypeOfAJoint(Model& model, RandomNumbers& random, const Sources&) {
  constexpr JointType kTypes[] = {
      JointType::kBall, JointType::kRevolute,  JointType::kPrismatic,   JointType::kFixed,
      JointType::kFree, JointType::kUniversal, JointType::kCylindrical, JointType::kPlanar};
  const int j = random.Below(static_cast<int>(model.system.joints.size()));
  Joint& joint = model.system.joints[Index(j)];
  const JointType type = kTypes[random.Below(static_cast<int>(std::size(kTypes)))];
  if (type == joint.type) return false;
  joint.type = type;
  model.joints[Index(j)] = RandomCoordinates(random, type);
  DropElementsOf(model, j);
  return true;
}

double AnyLength(RandomNumbers& random) {
  switch (random.Below(5)) {
    case 0: return 0;
    case 1: return -random.Between(0, 2);
    case 2: return PowerOfTen(random, -12, 12);
    default: return random.Between(0, 2);
  }
}

double AnyStiffness(RandomNumbers& random) {
  switch (random.Below(4)) {
    case 0: return 0;
    case 1: return PowerOfTen(random, -12, 12);
    default: return random.Between(1, 100);
  }
}

bool AddASpring(Model& model, RandomNumbers& random, const Sources&) {
  SpringDamper spring;
  spring.body_a = AnyBodyOrGround(random, model);
  spring.body_b = random.Below(static_cast<int>(model.system.bodies.size()));
  if (spring.body_a == spring.body_b) return false;
  const double size = Chance(random, 0.2) ? Scale(random) : 1;
  spring.point_a = random.Vector(size);
  spring.point_b = Chance(random, 0.3) ? Vector3{} : random.Vector(size);
  spring.stiffness = AnyStiffness(random);
  spring.damping = Chance(random, 0.3) ? 0 : random.Between(-1, 10);
  spring.free_length = AnyLength(random);
  model.system.forces.Of<SpringDamper>().push_back(spring);
  return true;
}

bool ChangeSprings(Model& model, RandomNumbers& random, const Sources&) {
  struct Change : FieldVisitor {
    void Number(std::string_view, Quantity quantity, double& value) const {
      if (IsDamping(quantity)) return;
      changed = true;
      if (IsStiffness(quantity)) {
        if (Chance(random, 0.3)) value = AnyStiffness(random);
      } else if (Chance(random, 0.5)) {
        value = Sign(random) * AnyLength(random);
      }
    }
    RandomNumbers& random;
    bool& changed;
  };
  bool changed = false;
  model.system.forces.ForEach([&](auto& e) { VisitFields(e, Change{{}, random, changed}); });
  return changed;
}

bool AddAJointSpring(Model& model, RandomNumbers& random, const Sources&) {
  std::vector<int> joints = JointsWithOneCoordinate(model);
  if (joints.empty()) return false;
  JointSpringDamper spring;
  spring.joint = Any(random, joints);
  spring.stiffness = AnyStiffness(random);
  spring.damping = random.Between(0, 1);
  spring.free_coordinate = Sign(random) * AnyLength(random);
  model.system.forces.Of<JointSpringDamper>().push_back(spring);
  return true;
}

bool AddALoad(Model& model, RandomNumbers& random, const Sources&) {
  const int body = random.Below(static_cast<int>(model.system.bodies.size()));
  const double size = Chance(random, 0.3) ? Scale(random) : 5;
  if (Chance(random, 0.5)) {
    AppliedForce load;
    load.body = body;
    load.point = random.Vector(1);
    load.force = random.Vector(size);
    load.moment = random.Vector(size);
    load.in_body_axes = Chance(random, 0.5);
    model.system.forces.Of<AppliedForce>().push_back(load);
  } else {
    GroundSpring spring;
    spring.body = body;
    spring.point = random.Vector(1);
    spring.direction = Direction(random);
    spring.stiffness = AnyStiffness(random);
    spring.damping = random.Between(0, 2);
    spring.free_position = random.Between(-size, size);
    model.system.forces.Of<GroundSpring>().push_back(spring);
  }
  return true;
}

// Makes driven joints consistent with their drivers at time 0: the rate is that of the motion, and the
// motion starts at the coordinate.
void StartDrivers(Model& model) {
  for (Driver& driver : model.system.drivers) {
    DriverMotion& motion = driver.motion;
    auto& [q, u] = model.joints[Index(driver.joint)];
    const MovedCoordinate<double> start = MotionAt(motion, 0);
    u = {start.rate};
    if (StartsAnywhere(motion) || q[0] == start.position) continue;
    DriverMotion shift{.kind = MotionKind::kPolynomial, .coefficients = {q[0] - start.position}};
    if (motion.kind == MotionKind::kSum && motion.terms.back().kind == MotionKind::kPolynomial) {
      motion.terms.back().coefficients[0] += shift.coefficients[0];
    } else {
      motion = {.kind = MotionKind::kSum, .terms = {motion, shift}};
    }
    q = {MotionAt(motion, 0).position};
  }
}

// A motion of any kind for a model of this size and time.
DriverMotion AnyMotion(RandomNumbers& random, double size, double time) {
  DriverMotion motion;
  const auto length = [&] { return size * random.Between(-1, 1); };
  switch (random.Below(6)) {
    case 0: {
      const double rates[] = {0, random.Between(-5, 5), Sign(random) * PowerOfTen(random, 0, 6)};
      motion.rate = rates[random.Below(3)];
      break;
    }
    case 1:
      motion.kind = MotionKind::kHarmonic;
      motion.amplitude = length(), motion.mean = length();
      motion.angular_frequency = random.Between(0, 20) / time;
      motion.phase = random.Between(-4, 4);
      break;
    case 2:
      motion.kind = MotionKind::kPolynomial;
      for (int k = random.Below(5); k >= 0; --k)
        motion.coefficients.insert(motion.coefficients.begin(), length() / std::pow(time, k));
      break;
    case 3:
      motion.kind = MotionKind::kRamp;
      motion.from = length(), motion.to = length();
      motion.begin = time * random.Between(-0.5, 1);
      motion.duration = time * random.Between(0.01, 1);
      motion.smoothness = 2 + random.Below(2);
      break;
    case 4: {
      DriverMotion sine;
      sine.kind = MotionKind::kHarmonic;
      sine.amplitude = random.Between(-0.9, 0.9);
      sine.angular_frequency = random.Between(0, 20) / time;
      sine.phase = random.Between(-4, 4);
      motion = {.kind = MotionKind::kArcsine, .terms = {sine}};
      break;
    }
    default:
      motion = {
          .kind = MotionKind::kSum,
          .terms = {DriverMotion{.rate = random.Between(-5, 5)}, AnyMotion(random, size, time)}};
      if (motion.terms[1].kind == MotionKind::kSum) motion = motion.terms[1];
  }
  return motion;
}

bool DriveAJoint(Model& model, RandomNumbers& random, const Sources&) {
  std::vector<int> joints = JointsWithOneCoordinate(model);
  for (const Driver& driver : model.system.drivers) std::erase(joints, driver.joint);
  if (joints.empty()) return false;
  Driver driver;
  driver.joint = Any(random, joints);
  const bool turns = model.system.joints[Index(driver.joint)].type == JointType::kRevolute;
  driver.motion = AnyMotion(random, turns ? 1 : model.length, model.time);
  model.system.drivers.push_back(driver);
  return true;
}

bool ChangeDrivers(Model& model, RandomNumbers& random, const Sources&) {
  if (model.system.drivers.empty()) return false;
  for (Driver& driver : model.system.drivers) {
    if (Chance(random, 0.5)) driver.motion = {};
    if (Chance(random, 0.5)) driver.motion = {Sign(random) * PowerOfTen(random, -6, 6)};
    if (Chance(random, 0.5)) driver.motion = AnyMotion(random, model.length, model.time);
  }
  return true;
}

bool ChangeRates(Model& model, RandomNumbers& random, const Sources&) {
  const double scale = Chance(random, 0.3) ? 0 : Scale(random);
  for (Coordinates& joint : model.joints) {
    for (double& u : joint.u) u *= scale;
  }
  return true;
}

// Stretched, folded, at right angles, or turned round many times.
bool ChangePose(Model& model, RandomNumbers& random, const Sources&) {
  const int how = random.Below(4);
  for (std::size_t j = 0; j < model.joints.size(); ++j) {
    const JointType type = model.system.joints[j].type;
    std::vector<double>& q = model.joints[j].q;
    if (type == JointType::kRevolute) {
      const double turns[] = {0, std::round(random.Between(-2, 2)) * M_PI,
                              std::round(random.Between(-4, 4)) * M_PI / 2,
                              Sign(random) * PowerOfTen(random, 0, 5.99)};
      q = {turns[how]};
    } else if (type == JointType::kPrismatic) {
      q = {how == 0 ? 0 : Sign(random) * random.Between(0, 2)};
    } else if (type == JointType::kBall) {
      q = {1, 0, 0, 0};
    }
  }
  return true;
}

bool ChangeGravity(Model& model, RandomNumbers& random, const Sources&) {
  const double sizes[] = {0, 9.81, Scale(random)};
  model.system.gravity = sizes[random.Below(3)] * Direction(random);
  return true;
}

// Bodies and joints in another order.
bool Reorder(Model& model, RandomNumbers& random, const Sources&) {
  System& s = model.system;
  if (s.rope_flight) return false;
  const auto shuffled = [&random](std::size_t n) {
    std::vector<int> order(n);
    for (std::size_t i = 0; i < n; ++i) order[i] = static_cast<int>(i);
    for (std::size_t i = n; i > 1; --i)
      std::swap(order[i - 1], order[Index(random.Below(static_cast<int>(i)))]);
    return order;
  };
  const auto inverse = [](const std::vector<int>& order) {
    std::vector<int> place(order.size());
    for (std::size_t i = 0; i < order.size(); ++i) place[Index(order[i])] = static_cast<int>(i);
    return place;
  };
  const auto sorted = [](const auto& things, const std::vector<int>& order) {
    auto result = things;
    for (std::size_t i = 0; i < order.size(); ++i) result[i] = things[Index(order[i])];
    return result;
  };
  const std::vector<int> bodies = shuffled(s.bodies.size()), joints = shuffled(s.joints.size());
  const std::vector<int> body_at = inverse(bodies), joint_at = inverse(joints);
  const auto move = [&body_at](int& body) {
    if (body != kGround) body = body_at[Index(body)];
  };
  s.bodies = sorted(s.bodies, bodies);
  s.joints = sorted(s.joints, joints);
  model.joints = sorted(model.joints, joints);
  for (auto* list : {&s.joints, &s.loop_joints}) {
    for (Joint& joint : *list) move(joint.parent), move(joint.child);
  }
  const auto move_joint = [&joint_at](int& joint) { joint = joint_at[Index(joint)]; };
  s.forces.ForEach([&](auto& e) { VisitFields(e, Ends{{}, move, move_joint}); });
  for (Driver& e : s.drivers) move_joint(e.joint);
  return true;
}

// States the mechanism in other units of length, mass and time.
bool ChangeUnits(Model& model, RandomNumbers& random, const Sources&) {
  System& s = model.system;
  if (s.rope_flight) return false;
  const auto factor = [&random](double most) {
    return Chance(random, 0.4) ? 1 : PowerOfTen(random, -most, most);
  };
  const double l = factor(6), m = factor(9), t = factor(6);
  const Units units{l, m, t};
  model.joints = Apart(s, InUnits(s, StateOf(model), units));
  s = InUnits(std::move(s), units);
  model.length *= l;
  model.time *= t;
  return true;
}

// Adds a body of another model with a part of its subtree, at any place.
bool Graft(Model& model, RandomNumbers& random, const Sources& sources) {
  constexpr int kNotTaken = -2;
  const Model other = ModelOf(Any(random, sources));
  if (other.system.rope_flight || model.system.rope_flight) return false;
  System& s = model.system;
  std::vector<int> place(other.system.bodies.size(), kNotTaken);  // in this model
  std::vector<int> joint_place(other.system.joints.size(), kNotTaken);
  const int root = random.Below(static_cast<int>(other.system.bodies.size()));
  const auto take = [&](int body, int parent) {
    const int j = JointOf(other, body);
    Joint joint = other.system.joints[Index(j)];
    place[Index(body)] = joint.child = static_cast<int>(s.bodies.size());
    joint_place[Index(j)] = static_cast<int>(s.joints.size());
    joint.parent = parent;
    s.bodies.push_back(other.system.bodies[Index(body)]);
    s.joints.push_back(joint);
    model.joints.push_back(other.joints[Index(j)]);
  };
  take(root, AnyBodyOrGround(random, model));
  for (bool grows = true; grows && s.bodies.size() < kMostBodies * 3 / 2;) {
    grows = false;
    for (const Joint& joint : other.system.joints) {
      if (joint.parent == kGround || place[Index(joint.parent)] < 0 ||
          place[Index(joint.child)] >= 0 || s.bodies.size() >= kMostBodies * 3 / 2)
        continue;
      take(joint.child, place[Index(joint.parent)]);
      grows = true;
    }
  }
  const auto place_of = [&place](int body) {
    return body == kGround ? kGround : place[Index(body)];
  };
  for (Joint joint : other.system.loop_joints) {
    joint.parent = place_of(joint.parent), joint.child = place_of(joint.child);
    if (joint.parent >= kGround && joint.child >= 0) s.loop_joints.push_back(joint);
  }
  other.system.forces.ForEach([&]<class Law>(Law element) {
    bool is_taken = true;
    const auto put = [&is_taken](int& at, int where) {
      at = where;
      is_taken &= where != kNotTaken;
    };
    VisitFields(element, Ends{{},
                              [&](int& body) { put(body, place_of(body)); },
                              [&](int& joint) { put(joint, joint_place[Index(joint)]); }});
    if (is_taken) s.forces.Of<Law>().push_back(element);
  });
  return true;
}

bool CutOffALeaf(Model& model, RandomNumbers& random, const Sources&) {
  System& s = model.system;
  if (s.bodies.size() < 2 || s.rope_flight) return false;
  const int leaf = random.Below(static_cast<int>(s.bodies.size()));
  for (const Joint& joint : s.joints) {
    if (joint.parent == leaf) return false;
  }
  const int joint_of_leaf = JointOf(model, leaf);
  DropElementsOf(model, joint_of_leaf, leaf);
  std::erase_if(s.loop_joints,
                [leaf](const Joint& j) { return j.parent == leaf || j.child == leaf; });
  s.bodies.erase(s.bodies.begin() + leaf);
  s.joints.erase(s.joints.begin() + joint_of_leaf);
  model.joints.erase(model.joints.begin() + joint_of_leaf);
  const auto lower = [](int& index, int removed) { index -= index > removed ? 1 : 0; };
  for (auto* list : {&s.joints, &s.loop_joints}) {
    for (Joint& joint : *list) lower(joint.parent, leaf), lower(joint.child, leaf);
  }
  s.forces.ForEach([&](auto& e) {
    VisitFields(e, Ends{{},
                        [&](int& body) { lower(body, leaf); },
                        [&](int& joint) { lower(joint, joint_of_leaf); }});
  });
  for (Driver& e : s.drivers) lower(e.joint, joint_of_leaf);
  return true;
}

struct NamedChange {
  const char* name;
  Change change;
};
constexpr NamedChange kChanges[] = {
    {"scale a body", ScaleBody},
    {"scale masses alternately", ScaleMassesAlternately},
    {"make a point", MakePoint},
    {"make massless", MakeMassless},
    {"make a rod", MakeRod},
    {"make a plate", MakePlate},
    {"scale an arm", ScaleAnArm},
    {"make points coincide", MakePointsCoincide},
    {"make axes parallel", MakeAxesParallel},
    {"align all axes", AlignAllAxes},
    {"turn a frame", TurnAFrame},
    {"turn the whole", TurnTheWhole},
    {"repeat a loop", RepeatALoop},
    {"add a loop", AddALoop},
    {"double a tree joint", DoubleATreeJoint},
    {"brace a rigid group", BraceARigidGroup},
    {"change the type of a joint", ChangeTheTypeOfAJoint},
    {"add a spring", AddASpring},
    {"change springs", ChangeSprings},
    {"add a joint spring", AddAJointSpring},
    {"add a load", AddALoad},
    {"drive a joint", DriveAJoint},
    {"change drivers", ChangeDrivers},
    {"change rates", ChangeRates},
    {"change the pose", ChangePose},
    {"change gravity", ChangeGravity},
    {"reorder", Reorder},
    {"change units", ChangeUnits},
    {"graft", Graft},
    {"cut off a leaf", CutOffALeaf},
};

// --- conversion back to a problem

// Loop joints that the pose leaves open get the parent's frame at which they close.
void CloseLoops(Model& model) {
  constexpr double kClosed = 1e-9;
  const std::vector<BodyState> bodies = BodiesOf(model);
  for (Joint& joint : model.system.loop_joints) {
    ConstraintRows rows;
    AppendConstraintRows(joint, bodies, rows);
    bool is_closed = true;
    for (std::size_t i = 0; i < rows.position.size(); ++i)
      is_closed &= std::abs(rows.position[i]) <= kClosed * (rows.is_length[i] ? model.length : 1);
    if (is_closed) continue;
    const BodyState p = joint.parent == kGround ? BodyState{} : bodies[Index(joint.parent)];
    const BodyState& c = bodies[Index(joint.child)];
    const Vector3 point = c.position + Rotate(c.orientation, joint.child_frame.position);
    if (joint.type == JointType::kDistance) {
      joint.length = Norm(point - p.position - Rotate(p.orientation, joint.parent_frame.position));
      continue;
    }
    const Quaternion to_parent = Conjugate(p.orientation);
    joint.parent_frame = {Rotate(to_parent, point - p.position),
                          Normalised(to_parent * c.orientation * joint.child_frame.orientation)};
  }
}

// Rates nearest to those given that keep the loops closed; driven ones stay.
void CloseRates(Model& model) {
  JointState state = StateOf(model);
  if (model.system.loop_joints.empty() || state.u.empty()) return;
  const JointOffsets at = OffsetsOf(model.system);
  Eigen::MatrixXd jacobian = LoopJacobian(model.system, state);
  const Eigen::VectorXd opening =
      jacobian *
      Eigen::Map<const Eigen::VectorXd>(state.u.data(), static_cast<Eigen::Index>(state.u.size()));
  for (const Driver& driver : model.system.drivers)
    jacobian.col(at.u[Index(driver.joint)]).setZero();
  const Eigen::VectorXd change = jacobian.completeOrthogonalDecomposition().solve(opening);
  for (std::size_t j = 0; j < model.joints.size(); ++j) {
    for (std::size_t i = 0; i < model.joints[j].u.size(); ++i) {
      double& u = model.joints[j].u[i];
      const double before = u;
      u -= change[at.u[j] + static_cast<Eigen::Index>(i)];
      if (std::abs(u) < kRoundOff * std::abs(before)) u = 0;  // of a mechanism that is locked
    }
  }
}

void Rest(Model& model) {
  for (Driver& driver : model.system.drivers) driver.motion = {};
  for (Coordinates& joint : model.joints) std::fill(joint.u.begin(), joint.u.end(), 0.);
}

template <class Things>
void Rename(Things& things, std::string_view name) {
  for (std::size_t i = 0; i < things.size(); ++i)
    things[i].name = std::string(name) + std::to_string(i);
}

Problem ProblemOf(const Model& model, const std::string& name) {
  Problem p;
  p.name = name;
  p.system = model.system;
  System& s = p.system;
  Rename(s.bodies, "body_");
  Rename(s.joints, "joint_");
  Rename(s.loop_joints, "loop_");
  s.forces.ForEachList([]<class Law>(std::vector<Law>& list) { Rename(list, Law::kList); });
  Rename(s.drivers, "driver_");
  for (Body& body : s.bodies) body.shape = {};
  p.initial.joints = StateOf(model);
  if (!s.loop_joints.empty()) {
    const std::vector<bool> driven = DrivenJoints(s);
    for (std::size_t j = 0; j < s.joints.size(); ++j) {
      if (!driven[j] && !model.joints[j].u.empty())
        p.initial.dependent_joints.push_back(static_cast<int>(j));
    }
  }
  p.length = model.length;
  p.time = p.end_time = model.time;
  p.energy_reference = 1;
  p.papers_step = p.end_time / 1000;
  SetSampleTimes(p);
  return p;
}

// Removes observables, published values and the like from a source, of which only accelerations are
// used.
Problem Source(const std::string& name, const System& system, const JointState& joints,
               double length, double time) {
  Problem p;
  p.name = name;
  p.system = system;
  p.initial.joints = joints;
  p.length = length;
  p.time = time;
  return p;
}

Problem Assembled(const Problem& p, const std::string& name) {
  return Source(name, p.system, Assemble(p.system, p.initial, p.length).state.joints, p.length,
                p.time);
}

// The first model file in the documentation.
Problem DocumentedModel() {
  std::ifstream in(MBSBENCH_SOURCE_DIR "/docs/model_files.md");
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  const std::size_t fence = text.find("```json\n"), begin = fence + 8;
  return ParseModel(text.substr(begin, text.find("\n```", begin) - begin), "docs/model_files.md");
}

}  // namespace

std::vector<Problem> SourceModels() {
  std::vector<Problem> sources;
  for (const ProblemFamily& family : AllProblems()) {
    for (const std::string& instance : family.instances) {
      // It differs from other instances of its family by numbers alone, which mutations change too.
      if (instance == "fourbar-bushing:k=1e8,c=1000") continue;
      const Problem problem = MakeProblem(instance);
      if (problem.system.bodies.size() <= kMostBodies)
        sources.push_back(Assembled(problem, instance));
    }
  }
  sources.push_back(Assembled(FullProblem(), "every field"));
  sources.push_back(Assembled(DocumentedModel(), "documentation"));
  for (const RedundantMechanism& m : RedundantMechanisms())
    sources.push_back(Source(m.name, m.system, m.state.joints, m.length, 1));
  for (std::uint64_t k = 0; k < 20; ++k) {
    RandomLoopOptions options;
    options.tree.bodies = 2 + static_cast<int>(k) / 3;
    options.loops = k % 2 == 0 || options.tree.bodies < 4 ? 0 : 1 + static_cast<int>(k) / 10;
    const RandomTree tree = MakeRandomLoops(100 + k, options);
    sources.push_back(
        Source("random " + std::to_string(k), tree.system, tree.state.joints, 1, 0.3));
  }
  return sources;
}

std::optional<Mutant> MakeMutant(const std::vector<Problem>& sources, std::uint64_t seed,
                                 std::uint64_t number) {
  RandomNumbers random(RandomNumbers(seed).Bits() ^ (number * 0x9e3779b97f4a7c15ull));
  const std::string name = "mutant-" + std::to_string(seed) + "-" + std::to_string(number);
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    const Problem& source = Any(random, sources);
    Mutant mutant{{}, source.name, {}};
    Model model = ModelOf(source);
    for (int count = 1 + random.Below(kMostChanges); count > 0; --count) {
      const NamedChange& change = kChanges[random.Below(static_cast<int>(std::size(kChanges)))];
      if (change.change(model, random, sources)) mutant.changes.emplace_back(change.name);
    }
    for (const bool at_rest : {false, true}) {
      try {
        if (at_rest) Rest(model);
        StartDrivers(model);
        CloseLoops(model);
        CloseRates(model);
        mutant.problem = ProblemOf(model, name);
        Validate(mutant.problem);
        Assemble(mutant.problem.system, mutant.problem.initial, mutant.problem.length);
        return mutant;
      } catch (const ModelError&) {  // no valid model
      }
    }
  }
  return std::nullopt;
}

}  // namespace mbsbench
