#include "problems/catalog/three_branches.h"

#include <cmath>

#include "problems/catalog/rods.h"

namespace mbsbench {

namespace {

constexpr double kAxialInertiaShare = 0.01;  // J_ax = 0.01 m [m^2], assumed
constexpr int kLabels[] = {1, 2, 3, 4, 9, 10, 11, 12, 17, 18, 21, 23};

struct Link {
  int child, parent;    // labels
  const char* hinge;    // on the child's output
  double on_parent_m;   // along the parent's x axis from its centre
  double attitude_rad;  // of the child's x axis from +x, absolute
  double parents_attitude_rad;
};

// Outputs: the upper end of upright rods, the centre of crossbars.
constexpr double kUp = M_PI / 2;
constexpr Link kLinks[] = {
    {1, 9, "hinge_5", -0.5, kUp, kUp},
    {2, 10, "hinge_6", -0.5, 2 * M_PI / 3, kUp},  // from (0, -2 - sqrt(3)/2) up to (-0.5, -2)
    {3, 11, "hinge_7", -0.5, M_PI / 3, kUp},
    {4, 12, "hinge_8", -0.5, kUp, kUp},
    {9, 17, "hinge_13", -0.5, kUp, 0},
    {10, 17, "hinge_14", 0.5, kUp, 0},
    {11, 18, "hinge_15", -0.5, kUp, 0},
    {12, 18, "hinge_16", 0.5, kUp, 0},
    {17, 21, "hinge_19", -1, 0, 0},
    {18, 21, "hinge_20", 1, 0, 0},
    {21, 23, "hinge_22", -0.5, 0, kUp},
};

bool IsCrossbar(int label) { return label == 17 || label == 18 || label == 21; }

}  // namespace

int BodyOfThreeBranches(int label) {
  for (int i = 0; i < 12; ++i) {
    if (kLabels[i] == label) return i;
  }
  return -1;
}

Problem ThreeBranches(int trunk, bool joins_tips) {
  Problem p;
  System& s = p.system;
  const auto rod = [](int label) {
    const double size = label == 21 ? 2 : 1;  // [m] and [kg]
    return Rod(std::to_string(label), size, size, kAxialInertiaShare * size);
  };
  for (int label : kLabels) s.bodies.push_back(rod(label));
  for (const Link& link : kLinks) {
    const Vector3 output{IsCrossbar(link.child) ? 0 : 0.5, 0, 0};
    s.joints.push_back(Ball(link.hinge, BodyOfThreeBranches(link.parent), {link.on_parent_m, 0, 0},
                            BodyOfThreeBranches(link.child), output));
    AppendBallAtRest(AxisAngle({0, 0, 1}, link.attitude_rad - link.parents_attitude_rad),
                     p.initial.joints);
  }
  // 23 and the trunk: upright rods, each hanging from the lower end of the next.
  const int top = BodyOfThreeBranches(23) + trunk;
  const Vector3 whole_turns{0.3, 0.5, 0.2};  // [rad/s], inertial axes
  for (int b = BodyOfThreeBranches(23); b <= top; ++b) {
    const int label = 2 * (b - BodyOfThreeBranches(23)) + 23;
    if (label > 23) s.bodies.push_back(rod(label));
    const bool last = b == top;
    s.joints.push_back(
        last ? Ball("ceiling", kGround, {0, static_cast<double>(trunk), 0}, b, {0.5, 0, 0})
             : Ball("trunk_" + std::to_string(label), b + 1, {-0.5, 0, 0}, b, {0.5, 0, 0}));
    AppendBallAtRest(last ? kQuarterTurn : Quaternion{}, p.initial.joints);
    if (label == 23) {
      const Vector3 rate = Rotate(Conjugate(kQuarterTurn), whole_turns);
      const std::size_t at = p.initial.joints.u.size() - 3;
      p.initial.joints.u[at] = rate.x;
      p.initial.joints.u[at + 1] = rate.y;
      p.initial.joints.u[at + 2] = rate.z;
    }
  }
  if (joins_tips) {
    const Vector3 tip{-0.5, 0, 0};
    s.loop_joints = {Ball("hinge_24", BodyOfThreeBranches(2), tip, BodyOfThreeBranches(3), tip)};
    p.initial.dependent_joints = {1, 2};  // hinges 6 and 7
  }

  p.energy_reference = 20;  // scale of the bottom group, not the potential of the trunk
  using Kind = Observable::Kind;
  for (int label : {1, 2, 21}) {
    const std::string name = "_" + std::to_string(label);
    const int body = BodyOfThreeBranches(label);
    p.observables.push_back({"x" + name, Kind::kPositionX, body});
    p.observables.push_back({"y" + name, Kind::kPositionY, body});
    p.observables.push_back({"z" + name, Kind::kPositionZ, body});
  }
  p.papers_step = 0.001;
  return p;
}

}  // namespace mbsbench
