// robots: an arm, a quadruped, a humanoid and a biped with loops, of capsules, in two states each (docs/robots.md).
//
//   chain on a base: each joint at the end of the link before; a link is a homogeneous capsule with its frame at its joint
//
//   thigh o-------- shank         a leg of biped_loops: crank and lever of the shank are equal and parallel, and so are
//   crank |\  rod    | \ lever    thigh and rod; push rod and shank, rod and foot likewise. The second loop (rod, shank,
//         o---------o   foot      foot, push rod) goes through the first one.
#include <array>
#include <random>
#include <span>

#include "problems/catalog/families.h"
#include "problems/catalog/links.h"
#include "problems/model/error.h"
#include "problems/model/problem_options.h"

namespace mbsbench {

namespace {

struct Capsule {
  Vector3 to;                   // from the joint to the end, along one axis [m]; zero: a sphere
  double radius = 0, mass = 0;  // [m], [kg]
};

Moments MomentsOf(const Capsule& c) {
  using links::Long;
  const Long r = c.radius, l = Long{std::abs(c.to.x)} + std::abs(c.to.y) + std::abs(c.to.z);
  const Long cylinder = c.mass * l / (l + 4 * r / 3), ends = c.mass - cylinder;
  const auto axial = static_cast<double>(cylinder * r * r / 2 + ends * r * r * 2 / 5);
  const auto across = static_cast<double>(cylinder * (l * l / 12 + r * r / 4) +
                                          ends * (r * r * 2 / 5 + l * l / 4 + 3 * l * r / 8));
  const auto along = [&](double component) { return component != 0 ? axial : across; };
  return {along(c.to.x), 0, 0, along(c.to.y), 0, along(c.to.z)};
}

constexpr Vector3 kX{1, 0, 0}, kY{0, 1, 0}, kZ{0, 0, 1};

// A link of a chain and the axis of its revolute joint.
struct ChainLink {
  const char* name;
  Vector3 axis;
  Capsule capsule;
};

class Robot {
 public:
  explicit Robot(System& system) : system_(system), links_(system) {}

  int Add(const std::string& name, const Capsule& c, const Vector3& centre) {
    const int link = links_.Add(name, c.mass, centre, MomentsOf(c));
    links_.DrawTo(link, c.to, c.radius);
    return link;
  }
  int AddOn(int parent, const std::string& name, JointType type, const Vector3& at,
            const Vector3& axis, const Capsule& c) {
    const int link = Add(name, c, 0.5 * c.to);
    links_.Join(name, type, parent, link, at, {}, axis);
    return link;
  }
  // On a free joint at its centre.
  int AddBase(const std::string& name, const Capsule& c) {
    const int base = Add(name, c, {});
    links_.Join(name, JointType::kFree, kGround, base);
    return base;
  }
  // On the right (side -1) mirrored. Returns the last link.
  int AddChain(const std::string& prefix, int parent, Vector3 at, double side,
               std::span<const ChainLink> chain) {
    for (const ChainLink& link : chain) {
      Capsule c = link.capsule;
      if (side < 0) c.to.y = 0 - c.to.y;
      parent = AddOn(parent, prefix + link.name, JointType::kRevolute, at, link.axis, c);
      at = c.to;
    }
    return parent;
  }
  void CloseByBall(const std::string& name, int parent, const Vector3& at, int child,
                   const Vector3& on_child) {
    links_.Join(name, JointType::kBall, parent, child, at);
    Joint loop = system_.joints.back();
    system_.joints.pop_back();
    loop.child_frame.position = loop.child_frame.position + on_child;
    system_.loop_joints.push_back(loop);
  }

 private:
  System& system_;
  Links links_;
};

void BuildArm7(Robot& robot) {
  static constexpr ChainLink kArm[] = {
      {"j1", kZ, {{0, 0, 0.3}, 0.06, 5}},  {"j2", kY, {{0, 0, 0.25}, 0.06, 4}},
      {"j3", kZ, {{0, 0, 0.2}, 0.05, 3}},  {"j4", kY, {{0, 0, 0.4}, 0.05, 3}},
      {"j5", kZ, {{0, 0, 0.15}, 0.04, 2}}, {"j6", kY, {{0, 0, 0.15}, 0.04, 1.5}},
      {"j7", kZ, {{0.15, 0, 0}, 0.03, 1}}};
  robot.AddChain("", kGround, {0, 0, 0.1}, 1, kArm);
}

void BuildQuadruped12(Robot& robot) {
  static constexpr ChainLink kLeg[] = {{"hip", kX, {{0, 0.08, 0}, 0.04, 1.4}},
                                       {"thigh", kY, {{0, 0, -0.3}, 0.03, 1.2}},
                                       {"shank", kY, {{0, 0, -0.3}, 0.02, 0.4}}};
  const int trunk = robot.AddBase("trunk", {{0.5, 0, 0}, 0.12, 30});
  for (const double front : {1, -1}) {
    for (const double left : {1, -1}) {
      const std::string leg{front > 0 ? 'f' : 'h', left > 0 ? 'l' : 'r', '_'};
      robot.AddChain(leg, trunk, {0.3 * front, 0.1 * left, 0}, left, kLeg);
    }
  }
}

void BuildHumanoid30(Robot& robot) {
  static constexpr ChainLink kLeg[] = {
      {"hip_yaw", kZ, {{0, 0, -0.05}, 0.05, 1}},       {"hip_roll", kX, {{}, 0.05, 1}},
      {"hip_pitch", kY, {{0, 0, -0.4}, 0.07, 8}},      {"knee", kY, {{0, 0, -0.4}, 0.05, 4}},
      {"ankle_pitch", kY, {{0, 0, -0.05}, 0.03, 0.4}}, {"ankle_roll", kX, {{0.2, 0, 0}, 0.03, 1}}};
  static constexpr ChainLink kTorso[] = {{"waist_yaw", kZ, {{0, 0, 0.1}, 0.1, 5}},
                                         {"waist_roll", kX, {{0, 0, 0.1}, 0.1, 5}},
                                         {"waist_pitch", kY, {{0, 0, 0.3}, 0.12, 10}}};
  static constexpr ChainLink kHead[] = {{"neck", kZ, {{0, 0, 0.2}, 0.08, 4}}};
  static constexpr ChainLink kArm[] = {
      {"shoulder_pitch", kY, {{0, 0.1, 0}, 0.05, 1}}, {"shoulder_roll", kX, {{}, 0.05, 0.8}},
      {"shoulder_yaw", kZ, {{0, 0, -0.25}, 0.04, 2}}, {"elbow", kY, {{0, 0, -0.12}, 0.04, 1}},
      {"wrist_yaw", kZ, {{0, 0, -0.12}, 0.03, 0.6}},  {"wrist_roll", kX, {{}, 0.03, 0.2}},
      {"wrist_pitch", kY, {{0, 0, -0.15}, 0.03, 0.5}}};
  const int pelvis = robot.AddBase("pelvis", {{0, 0.2, 0}, 0.08, 9});
  const int chest = robot.AddChain("", pelvis, {0, 0, 0.1}, 1, kTorso);
  robot.AddChain("", chest, {0, 0, 0.35}, 1, kHead);
  for (const double side : {1, -1}) {
    const std::string prefix = side > 0 ? "l_" : "r_";
    robot.AddChain(prefix, pelvis, {0, 0.1 * side, -0.05}, side, kLeg);
    robot.AddChain(prefix, chest, {0, 0.15 * side, 0.25}, side, kArm);
  }
}

constexpr int kJointsOfLoopedLeg = 7;

void BuildBipedLoops(Robot& robot) {
  static constexpr ChainLink kLeg[] = {{"hip", kX, {{0, 0.05, 0}, 0.05, 2}},
                                       {"thigh", kY, {{0, 0, -0.4}, 0.06, 6}},
                                       {"shank", kY, {{0, 0, -0.4}, 0.04, 3}},
                                       {"foot", kY, {{0.15, 0, 0}, 0.03, 1}}};
  static_assert(std::size(kLeg) + 3 == kJointsOfLoopedLeg);
  constexpr Vector3 kLever{-0.06, 0, 0}, kHeel{-0.08, 0, 0};
  constexpr Vector3 kThigh = kLeg[1].capsule.to, kShank = kLeg[2].capsule.to;
  const int pelvis = robot.AddBase("pelvis", {{0, 0.2, 0}, 0.1, 20});
  for (const double side : {1, -1}) {
    const std::string prefix = side > 0 ? "l_" : "r_";
    const int foot = robot.AddChain(prefix, pelvis, {0, 0.1 * side, 0}, side, kLeg);
    const int shank = foot - 1, thigh = foot - 2;
    const int crank =
        robot.AddOn(thigh, prefix + "crank", JointType::kRevolute, {}, kY, {kLever, 0.02, 0.5});
    const int rod =
        robot.AddOn(crank, prefix + "rod", JointType::kUniversal, kLever, kY, {kThigh, 0.01, 0.4});
    const int push_rod = robot.AddOn(rod, prefix + "push_rod", JointType::kUniversal,
                                     kThigh + kHeel, kY, {kShank, 0.01, 0.4});
    robot.CloseByBall(prefix + "knee_eye", rod, kThigh, shank, kLever);
    robot.CloseByBall(prefix + "heel_eye", push_rod, kShank - kLever, foot, kHeel);
  }
}

// Numbers with two decimals, none of them zero, the same on every platform.
class Decimals {
 public:
  explicit Decimals(unsigned seed) : engine_(seed) {}
  double operator()() {
    const auto size = static_cast<double>(1 + engine_() % 100);
    return (engine_() % 2 == 0 ? size : -size) / 100;
  }

 private:
  std::minstd_rand engine_;
};

void SetState(Problem& p, int state) {
  Decimals draw(static_cast<unsigned>(state));
  auto& [q, u] = p.initial.joints;
  const System& s = p.system;
  for (std::size_t j = 0; j < s.joints.size(); ++j) {
    if (s.joints[j].type == JointType::kFree) {
      for (int k = 0; k < 3; ++k) q.push_back(draw());
      const double sign = state == 1 ? 1 : -1;  // of a unit quaternion in two decimals
      q.insert(q.end(), {0.64, 0.48 * sign, 0.36 * sign, 0.48});
      for (int k = 0; k < 6; ++k) u.push_back(draw());
    } else if (s.loop_joints.empty()) {
      q.push_back(draw());
      u.push_back(2 * draw());
    } else {
      // Of a leg: hip, thigh and knee, then foot, crank, rod and push rod with the angle of the knee or its opposite. Rods do not
      // leave the plane of the leg.
      for (auto* numbers : {&q, &u}) {
        const double hip = draw(), thigh = draw(), knee = draw();
        numbers->insert(numbers->end(), {hip, thigh, knee, -knee, knee, -knee, 0, knee, 0});
      }
      for (std::size_t k = 3; k < kJointsOfLoopedLeg; ++k)
        p.initial.dependent_joints.push_back(static_cast<int>(j + k));
      j += kJointsOfLoopedLeg - 1;
    }
  }
}

struct RobotKind {
  const char *name, *what;
  void (*build)(Robot&);
  double energy;  // kinetic, and the range of the potential [J]
};
constexpr std::array<RobotKind, 4> kRobots{
    {{"arm7", "an arm with seven revolutes", BuildArm7, 30},
     {"quadruped12", "a free base with four legs of three revolutes", BuildQuadruped12, 60},
     {"humanoid30", "a free base with thirty revolutes", BuildHumanoid30, 150},
     {"biped_loops", "a free base with two legs of two nested loops each", BuildBipedLoops, 60}}};

Problem BuildRobots(const ProblemOptions& options) {
  const int state = IntegerOption(options, "state", 1, 1, 2);
  const RobotKind* kind = nullptr;
  for (const RobotKind& known : kRobots) {
    if (options.count(known.name) == 0) continue;
    if (kind != nullptr)
      throw ModelError(std::string("problem 'robots' is one robot: give '") + kind->name +
                       "' or '" + known.name + "'.");
    kind = &known;
  }
  if (kind == nullptr) kind = &kRobots.front();
  Problem p;
  p.name = NameWith("robots", {kind->name, state == 1 ? "" : "state=2"});
  p.title = std::string("Robot ") + kind->name;
  p.description = std::string("The robot ") + kind->name + ", " + kind->what +
                  ", in a state that the project has drawn. It is evaluated rather than moved: its "
                  "accelerations are printed in docs/robots.csv.";
  p.source = "made for this catalogue";
  p.system.gravity = {0, 0, -9.81};
  Robot robot(p.system);
  kind->build(robot);
  SetState(p, state);
  p.end_time = 0.1;
  p.energy_reference = kind->energy;
  using Kind = Observable::Kind;
  const int last = static_cast<int>(p.system.bodies.size()) - 1;
  p.observables = {{"x_end", Kind::kPositionX, last}, {"z_end", Kind::kPositionZ, last}};
  p.papers_step = 0.001;
  p.fixed_steps = {0.004, 0.002, 0.001, 0.0005, 0.00025};
  SetSampleTimes(p);
  return p;
}

}  // namespace

ProblemFamily RobotsFamily() {
  ProblemFamily family{"robots", "Robots of the usual freedoms", {}, {}, BuildRobots};
  for (const RobotKind& kind : kRobots) {
    family.options.push_back({kind.name, kind.what});
    family.instances.push_back(std::string("robots:") + kind.name);
  }
  for (const RobotKind& kind : kRobots)
    family.instances.push_back(std::string("robots:") + kind.name + ",state=2");
  family.options.push_back({"state", "1 or 2, 1 without it"});
  return family;
}

}  // namespace mbsbench
