#include "problems/test_systems/redundant_mechanisms.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "problems/catalog/catalog.h"
#include "problems/model/kinematics.h"
#include "problems/model/same_mechanism.h"

namespace mbsbench {

namespace {

constexpr Vector3 kX{1, 0, 0}, kY{0, 1, 0}, kZ{0, 0, 1};
constexpr Vector3 kGravityAlongY{0, -9.81, 0}, kGravityAlongZ{0, 0, -9.81};

double Radians(double degrees) { return degrees * M_PI / 180; }
Vector3 Unit(const Vector3& v) { return 1 / Norm(v) * v; }

// Axes whose z axis points along `axis`.
Quaternion ZAlong(const Vector3& axis) {
  const Vector3 across = Cross(kZ, axis);
  return axis.z < -0.9 ? Quaternion{0, 1, 0, 0}
                       : Normalised({1 + axis.z, across.x, across.y, across.z});
}

// Builds a mechanism from positions in inertial axes. A joint closes a loop if its child already has a
// joint.
class Builder {
 public:
  Builder(std::string name, const Vector3& gravity) {
    mechanism_.name = std::move(name);
    mechanism_.system.gravity = gravity;
  }

  int AddRod(const Vector3& from, const Vector3& to, double mass = 1) {
    const double length = Norm(to - from);
    return AddRod(from, to, mass, 0.01 * mass * length * length, mass * length * length / 12);
  }
  int AddRod(const Vector3& from, const Vector3& to, double mass, double axial, double transverse) {
    const Vector3 e = Unit(to - from);
    const std::array<double, 3> along{e.x, e.y, e.z};
    SymmetricMatrix3 inertia = Diagonal(transverse, transverse, transverse);
    for (int i = 0; i < 3; ++i) {
      for (int j = i; j < 3; ++j)
        inertia(i, j) += (axial - transverse) * along[static_cast<std::size_t>(i)] *
                         along[static_cast<std::size_t>(j)];
    }
    return AddBody(mass, inertia, 0.5 * (from + to));
  }
  int AddBox(const Vector3& edges, const Vector3& centre, double mass) {
    const double x = edges.x * edges.x, y = edges.y * edges.y, z = edges.z * edges.z;
    return AddBody(mass, Diagonal(mass * (y + z) / 12, mass * (x + z) / 12, mass * (x + y) / 12),
                   centre);
  }

  void Join(JointType type, int parent, int child, const Vector3& point, const Vector3& axis,
            const std::string& classes) {
    Joint joint;
    joint.name = "joint_" + std::to_string(joints_++);
    joint.type = type;
    joint.parent = parent;
    joint.child = child;
    joint.parent_frame = {point - CentreOf(parent), ZAlong(axis)};
    joint.child_frame = {point - CentreOf(child), ZAlong(axis)};
    char& is_held = held_[static_cast<std::size_t>(child)];
    (is_held != 0 ? mechanism_.system.loop_joints : mechanism_.system.joints).push_back(joint);
    (is_held != 0 ? loop_classes_ : mechanism_.classes).push_back(classes);
    is_held = 1;
    mechanism_.rows += ConstraintCount(type);
  }
  void Pin(int parent, int child, const Vector3& point, const Vector3& axis,
           const std::string& classes) {
    Join(JointType::kRevolute, parent, child, point, axis, classes);
  }

  RedundantMechanism Take(int rank) {
    RedundantMechanism& m = mechanism_;
    m.rank = rank;
    m.classes.insert(m.classes.end(), loop_classes_.begin(), loop_classes_.end());
    for (const Joint& joint : m.system.joints) {
      if (joint.type == JointType::kBall) {
        m.state.joints.q.insert(m.state.joints.q.end(), {1, 0, 0, 0});
      } else {
        m.state.joints.q.push_back(0);
      }
      m.state.joints.u.resize(m.state.joints.u.size() +
                              static_cast<std::size_t>(RateCount(joint.type)));
    }
    m.state.bodies = ForwardKinematics(m.system, m.state.joints);
    return std::move(m);
  }

 private:
  int AddBody(double mass, const SymmetricMatrix3& inertia, const Vector3& centre) {
    Body body;
    body.name = "body_" + std::to_string(centres_.size());
    body.mass = mass;
    body.inertia = inertia;
    mechanism_.system.bodies.push_back(body);
    centres_.push_back(centre);
    held_.push_back(0);
    return static_cast<int>(centres_.size()) - 1;
  }
  Vector3 CentreOf(int body) const {
    return body == kGround ? Vector3{} : centres_[static_cast<std::size_t>(body)];
  }

  RedundantMechanism mechanism_;
  std::vector<Vector3> centres_;
  std::vector<char> held_;  // by a joint
  std::vector<std::string> loop_classes_;
  int joints_ = 0;
};

// Three parallel cranks under one coupler.
RedundantMechanism ThreeCranks() {
  Builder b("parallelogram3", kGravityAlongY);
  const Vector3 crank{std::cos(Radians(60)), std::sin(Radians(60)), 0};
  const std::array<Vector3, 3> feet{{{0, 0, 0}, {0.7, 0, 0}, {2, 0, 0}}};
  for (const Vector3& foot : feet) b.Pin(kGround, b.AddRod(foot, foot + crank), foot, kZ, "NNDDDU");
  const int coupler = b.AddRod(feet[0] + crank, feet[2] + crank, 2);
  for (int i = 0; i < 3; ++i)
    b.Pin(i, coupler, feet[static_cast<std::size_t>(i)] + crank, kZ, "NNDDDU");
  return b.Take(23);
}

// Two windows of cranks that lean `degrees` from upright.
RedundantMechanism TwoWindows(int degrees, const std::string& classes, int rank) {
  Builder b("nfourbar2-" + std::to_string(degrees), kGravityAlongY);
  const Vector3 crank =
      degrees == 90 ? kX : Vector3{std::sin(Radians(degrees)), std::cos(Radians(degrees)), 0};
  const std::array<Vector3, 3> feet{{{0, 0, 0}, {1, 0, 0}, {2, 0, 0}}};
  for (const Vector3& foot : feet) b.Pin(kGround, b.AddRod(foot, foot + crank), foot, kZ, classes);
  const int first = b.AddRod(feet[0] + crank, feet[1] + crank);
  const int second = b.AddRod(feet[1] + crank, feet[2] + crank);
  b.Pin(0, first, feet[0] + crank, kZ, classes);
  b.Pin(first, second, feet[1] + crank, kZ, classes);
  b.Pin(1, first, feet[1] + crank, kZ, classes);
  b.Pin(2, second, feet[2] + crank, kZ, classes);
  return b.Take(rank);
}

RedundantMechanism FourPins(double angle) {
  Builder b("fourbar-rrrr", kGravityAlongY);
  constexpr double kCrank = 0.3, kCoupler = 0.8, kRocker = 0.7;
  const Vector3 foot{1, 0, 0};
  const Vector3 knee = kCrank * Vector3{std::cos(angle), std::sin(angle), 0};
  // The triangle of coupler and rocker above the line from knee to foot.
  const double base = Norm(foot - knee);
  const double along = (base * base + kCoupler * kCoupler - kRocker * kRocker) / (2 * base);
  const double above = std::sqrt(kCoupler * kCoupler - along * along);
  const Vector3 e = Unit(foot - knee);
  const Vector3 top = knee + along * e + above * Cross(kZ, e);
  const int crank = b.AddRod({}, knee, kCrank), coupler = b.AddRod(knee, top, kCoupler),
            rocker = b.AddRod(top, foot, kRocker);
  b.Pin(kGround, crank, {}, kZ, "UUDDDU");
  b.Pin(crank, coupler, knee, kZ, "UUDDDU");
  b.Pin(coupler, rocker, top, kZ, "UUDDDU");
  b.Pin(kGround, rocker, foot, kZ, "UUDDDU");
  return b.Take(17);
}

// Bennett's loop: opposite links equal, lengths in proportion to the sines of the twists.
RedundantMechanism Bennett(double alpha, double first) {
  Builder b("bennett", kGravityAlongZ);
  constexpr double kShort = 1, kLong = 1.5;
  const double beta = std::asin(kLong / kShort * std::sin(alpha));
  const double second = 2 * std::atan(std::sin((beta + alpha) / 2) /
                                      (std::sin((beta - alpha) / 2) * std::tan(first / 2)));
  const std::array<double, 3> angles{first, second, -first}, lengths{kShort, kLong, kShort},
      twists{alpha, beta, alpha};
  std::array<Vector3, 4> points{}, axes{};
  Quaternion turned;
  axes[0] = kZ;
  for (std::size_t i = 0; i < 3; ++i) {  // Denavit and Hartenberg: Rz(angle) Tx(length) Rx(twist)
    turned = turned * AxisAngle(kZ, angles[i]);
    points[i + 1] = points[i] + lengths[i] * Rotate(turned, kX);
    turned = turned * AxisAngle(kX, twists[i]);
    axes[i + 1] = Rotate(turned, kZ);
  }
  int before = kGround;
  for (std::size_t i = 0; i < 3; ++i) {
    const int rod = b.AddRod(points[i], points[i + 1]);
    b.Pin(before, rod, points[i], axes[i], i == 0 ? "DDDDDU" : "DDDDDD");
    before = rod;
  }
  b.Pin(kGround, before, points[3], axes[3], "DDDDDD");
  return b.Take(17);
}

// The catalogue's, with rods of square section along the edges of a cube.
RedundantMechanism Bricard() {
  Builder b("bricard", kGravityAlongY);
  const std::array<Vector3, 6> points{
      {{0, 0, 0}, {1, 0, 0}, {1, -1, 0}, {1, -1, 1}, {0, -1, 1}, {0, 0, 1}}};
  const std::array<Vector3, 3> axes{kY, kZ, kX};
  const std::array<std::string, 3> classes{"DDDDUD", "DDDDDU", "DDDUDD"};
  int before = kGround;
  for (std::size_t i = 0; i < 5; ++i) {
    const int rod = b.AddRod(points[i], points[i + 1], 1, 1. / 600, 1.01 / 12);
    b.Pin(before, rod, points[i], axes[i % 3], classes[i % 3]);
    before = rod;
  }
  b.Pin(kGround, before, points[5], axes[2], classes[2]);
  return b.Take(29);
}

// A platform on two folding legs in perpendicular planes: it moves straight up and down.
RedundantMechanism Sarrus() {
  Builder b("sarrus", kGravityAlongZ);
  const int platform = b.AddBox({0.6, 0.6, 0.1}, {0, 0, 0.8}, 2);
  for (const auto& [out, axis] : {std::pair{kX, kY}, std::pair{kY, kX}}) {
    const double knee_out = 0.3 + std::sqrt(1 - 0.4 * 0.4);
    const Vector3 foot = 0.3 * out, knee = knee_out * out + 0.4 * kZ, top = 0.3 * out + 0.8 * kZ;
    const int lower = b.AddRod(foot, knee), upper = b.AddRod(knee, top);
    b.Pin(kGround, lower, foot, axis, "UUUUUN");
    b.Pin(lower, upper, knee, axis, "UUUUUN");
    b.Pin(upper, platform, top, axis, "UUUUUN");
  }
  return b.Take(29);
}

// A door on hinges at these heights; the last joint may be a ball.
RedundantMechanism Door(const std::string& name, const std::vector<double>& heights,
                        const std::vector<std::string>& classes,
                        JointType last = JointType::kRevolute) {
  Builder b(name, kGravityAlongZ);
  const int door = b.AddBox({0.8, 0.04, 2}, {0.4, 0, 1}, 20);
  for (std::size_t i = 0; i < heights.size(); ++i) {
    b.Join(i + 1 == heights.size() ? last : JointType::kRevolute, kGround, door, {0, 0, heights[i]},
           kZ, classes[i]);
  }
  return b.Take(5);
}

RedundantMechanism Drawer() {
  Builder b("drawer", kGravityAlongZ);
  const int drawer = b.AddBox({0.4, 0.5, 0.15}, {0.2, 0.03, 0}, 5);
  for (double y : {0.25, -0.25})
    b.Join(JointType::kPrismatic, kGround, drawer, {0.1, y, 0}, kX, "UNDDNN");
  return b.Take(5);
}

RedundantMechanism Table() {
  Builder b("table4", kGravityAlongZ);
  const int table = b.AddBox({1.4, 0.8, 0.05}, {0.1, 0.05, 0.7}, 12);
  for (const Vector3& leg : std::initializer_list<Vector3>{
           {0.6, 0.3, 0}, {-0.6, 0.3, 0}, {-0.6, -0.3, 0}, {0.6, -0.3, 0}}) {
    b.Join(JointType::kBall, kGround, table, leg, kZ, "NNNUUU");
  }
  return b.Take(6);
}

// A regular hexagon with the ground as its sixth side.
RedundantMechanism Hexagon() {
  Builder b("ring6", kGravityAlongY);
  const auto corner = [](int i) {
    return Vector3{std::cos(Radians(60 * i)), std::sin(Radians(60 * i)), 0};
  };
  for (int i = 0; i < 5; ++i) {
    const int rod = b.AddRod(corner(i), corner(i + 1));
    b.Pin(i - 1, rod, corner(i), kZ, i % 3 == 0 ? "UUDNDU" : "UUDDDU");
  }
  b.Pin(kGround, 4, corner(5), kZ, "UUDDDU");
  return b.Take(27);
}

// Three legs: an arm, and a forearm of two rods between two bars that keeps the lower bar parallel.
RedundantMechanism Delta(double arm_angle, double wrist_radius) {
  Builder b("delta", kGravityAlongZ);
  constexpr double kShoulder = 0.3, kArm = 0.25, kForearm = 0.6, kHalfBar = 0.05;
  const double elbow_out = kShoulder + kArm * std::cos(arm_angle),
               elbow_down = kArm * std::sin(arm_angle);
  const double wrist_down =
      elbow_down + std::sqrt(kForearm * kForearm - std::pow(elbow_out - wrist_radius, 2));
  const int platform = b.AddBox({0.16, 0.16, 0.02}, {0, 0, -wrist_down}, 1);
  for (int leg = 0; leg < 3; ++leg) {
    const double angle = Radians(120 * leg);
    const Vector3 out{std::cos(angle), std::sin(angle), 0}, tangent{-out.y, out.x, 0};
    const Vector3 shoulder = kShoulder * out, elbow = elbow_out * out - elbow_down * kZ,
                  wrist = wrist_radius * out - wrist_down * kZ, side = kHalfBar * tangent;
    const Vector3 across = Unit(Cross(wrist - elbow, tangent));
    const std::string axis_classes = leg == 0 ? "UUUDUD" : "UUUDDD",
                      parallelogram = leg == 0 ? "DUDDDD" : "DDDDDD";
    const int arm = b.AddRod(shoulder, elbow, 0.5);
    const int upper = b.AddRod(elbow - side, elbow + side, 0.1);
    const int left = b.AddRod(elbow - side, wrist - side, 0.15);
    const int right = b.AddRod(elbow + side, wrist + side, 0.15);
    const int lower = b.AddRod(wrist - side, wrist + side, 0.1);
    b.Pin(kGround, arm, shoulder, tangent, axis_classes);
    b.Pin(arm, upper, elbow, tangent, axis_classes);
    b.Pin(upper, left, elbow - side, across, parallelogram);
    b.Pin(upper, right, elbow + side, across, parallelogram);
    b.Pin(left, lower, wrist - side, across, parallelogram);
    b.Pin(right, lower, wrist + side, across, parallelogram);
    b.Pin(lower, platform, wrist, tangent, axis_classes);
  }
  RedundantMechanism m = b.Take(93);
  m.length = 0.6;
  return m;
}

// The catalogue's quarter car without its tyre, and a second rod that never changes its length: from a
// point of the lower arm's axis on the chassis to the lower ball on the knuckle.
RedundantMechanism BracedWishbone() {
  enum { kChassis, kLowerArm, kUpperArm, kKnuckle };
  RedundantMechanism m;
  m.name = "wishbone-extra";
  const Problem wishbone = MakeProblem("wishbone");
  m.system = wishbone.system;
  m.system.forces.Of<GroundSpring>().clear();
  const Vector3 on_chassis{-0.3, 0.19, -0.26};
  Joint rod;
  rod.name = "extra_rod";
  rod.type = JointType::kDistance;
  rod.parent = kChassis;
  rod.child = kKnuckle;
  rod.parent_frame.position = on_chassis;
  const auto is_lower_ball = [](const Joint& j) { return j.name == "lower_ball"; };
  rod.child_frame.position =
      std::find_if(m.system.joints.begin(), m.system.joints.end(), is_lower_ball)
          ->child_frame.position;
  m.state.joints = wishbone.initial.joints;
  m.state.bodies = ForwardKinematics(m.system, m.state.joints);
  rod.length = Norm(m.state.bodies[kKnuckle].position + rod.child_frame.position - on_chassis);
  m.system.loop_joints.push_back(rod);
  m.rows = 28;
  m.rank = 27;
  m.classes = {"UUUUUU", "DDUUUD", "UUUUUU", "DDUUUU", "UUUUUU", "UUUUUU", "UUUUUU", "DDUUUU"};
  return m;
}

std::vector<RedundantMechanism> With(RedundantMechanism four_pins, RedundantMechanism bennett,
                                     RedundantMechanism delta) {
  const std::string hinge = "DDNDDU";
  return {ThreeCranks(),
          TwoWindows(30, "UUDDDU", 29),
          TwoWindows(90, "NUDNDU", 27),  // flat, where two more rows depend on others
          std::move(four_pins),
          std::move(bennett),
          Bricard(),
          Sarrus(),
          Door("door2", {0.3, 1.7}, {hinge, hinge}),
          Door("door3", {0.3, 1, 1.7}, {hinge, "NNNDDU", hinge}),
          Door("door2-ball", {0.3, 1.7}, {hinge, "DDNUUU"}, JointType::kBall),
          Drawer(),
          Table(),
          Hexagon(),
          std::move(delta),
          BracedWishbone()};
}

}  // namespace

std::vector<RedundantMechanism> RedundantMechanisms() {
  return With(FourPins(Radians(70)), Bennett(Radians(40), Radians(65)), Delta(Radians(20), 0.08));
}

std::vector<RedundantMechanism> ExactMechanisms() {
  const auto angle = [](double half_tangent) { return 2 * std::atan(half_tangent); };
  return With(FourPins(angle(7. / 10)), Bennett(angle(4. / 11), angle(7. / 11)),
              Delta(angle(3. / 17), 0.3 + 35. / 149 - 0.6 * 629 / 829));
}

RedundantMechanism Turned(RedundantMechanism m, const Quaternion& turn) {
  m.system = Turned(std::move(m.system), turn);
  m.state.bodies = ForwardKinematics(m.system, m.state.joints);
  return m;
}

RedundantMechanism InUnits(RedundantMechanism m, double length, double mass) {
  m.system = InUnits(std::move(m.system), {length, mass});
  m.length *= length;
  m.state.bodies =
      ForwardKinematics(m.system, m.state.joints);  // no coordinate is a displacement but 0
  return m;
}

}  // namespace mbsbench
