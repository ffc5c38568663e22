// The tree of rigid groups and its motion, which most methods in joint coordinates use, compared with the kinematics of the model,
// which shares no code with them.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "methods/tree_motion/tree_motion.h"
#include "problems/model/kinematics.h"
#include "problems/test_systems/random_trees.h"

namespace mbsbench {
namespace {

Vector3 Plain3(const Vec<double>& v) { return {v.x, v.y, v.z}; }
Vec<double> AsVec(const Vector3& v) { return {v.x, v.y, v.z}; }
double Difference(const Vec<double>& a, const Vector3& b) { return Norm(Plain3(a) - b); }

struct Moved {
  const RandomTree tree;
  const GroupTree<double> groups;
  TreeMotion<double> motion;
  std::vector<double> y, ydot;
  std::vector<Vec<double>> origins;

  Moved(std::uint64_t seed, const RandomTreeOptions& options)
      : tree(MakeRandomTree(seed, options)),
        groups(MakeGroupTree<double>(tree.system)),
        motion(groups),
        y(tree.state.joints.q) {
    y.insert(y.end(), tree.state.joints.u.begin(), tree.state.joints.u.end());
    ydot.resize(y.size());
    motion.PassMotion(y.data(), ydot.data());
    origins.resize(groups.groups.size());
    for (std::size_t g = 1; g < groups.groups.size(); ++g) {
      origins[g] = origins[static_cast<std::size_t>(groups.groups[g].parent)] +
                   motion.motion(static_cast<int>(g)).r;
    }
  }
  Vec<double> CentreOf(std::size_t body) const {
    const BodyInGroup<double>& placement = groups.placements[body];
    return motion.motion(placement.group).R * placement.centre;
  }
};

template <class Check>
void OnRandomTrees(Check check) {
  int held = 0;
  std::vector<std::vector<JointType>> mixes{SimpleJointTypes()};
  for (JointType type : SimpleJointTypes()) mixes.push_back({type, JointType::kFixed});
  for (const std::vector<JointType>& types : mixes) {
    for (std::uint64_t seed = 1; seed <= 6; ++seed) {
      const Moved moved(seed, {.bodies = 12, .types = types, .force_elements = false});
      held += static_cast<int>(moved.groups.groups.size()) > 1;
      check(moved);
    }
  }
  EXPECT_EQ(held, 30) << "all but those of fixed joints alone";
}

TEST(GroupTree, PlacesEveryBodyWhereTheModelDoes) {
  OnRandomTrees([](const Moved& moved) {
    const auto bodies = ForwardKinematics(moved.tree.system, moved.tree.state.joints);
    for (std::size_t b = 0; b < bodies.size(); ++b) {
      const BodyInGroup<double>& placement = moved.groups.placements[b];
      const GroupMotion<double>& group = moved.motion.motion(placement.group);
      const Vec<double> position =
          moved.origins[static_cast<std::size_t>(placement.group)] + moved.CentreOf(b);
      EXPECT_LT(Difference(position, bodies[b].position), 1e-12);
      EXPECT_LT(Difference(group.omega, bodies[b].angular_velocity), 1e-12);
      const Mat<double> turn = group.R * placement.turn;
      for (const Vector3& axis : {Vector3{1, 0, 0}, Vector3{0, 1, 0}, Vector3{0, 0, 1}})
        EXPECT_LT(Difference(turn * AsVec(axis), Rotate(bodies[b].orientation, axis)), 1e-12);
    }
  });
}

TEST(GroupTree, HasTheMassFirstMomentAndInertiaOfItsBodies) {
  OnRandomTrees([](const Moved& moved) {
    const auto bodies = ForwardKinematics(moved.tree.system, moved.tree.state.joints);
    RandomNumbers random(3);
    for (std::size_t g = 1; g < moved.groups.groups.size(); ++g) {
      const SweepGroup<double>& group = moved.groups.groups[g];
      const Mat<double>& R = moved.motion.motion(static_cast<int>(g)).R;
      const Vector3 spin = random.Vector(1), origin = Plain3(moved.origins[g]);
      double mass = 0;
      Vector3 moment{},
          momentum{};  // angular momentum about the origin when the group spins about it
      for (std::size_t b = 0; b < bodies.size(); ++b) {
        if (moved.groups.placements[b].group != static_cast<int>(g)) continue;
        const Body& body = moved.tree.system.bodies[b];
        const Vector3 arm = bodies[b].position - origin;
        mass += body.mass;
        moment = moment + body.mass * arm;
        const Vector3 own = Rotate(Conjugate(bodies[b].orientation), spin);
        momentum = momentum + body.mass * Cross(arm, Cross(spin, arm)) +
                   Rotate(bodies[b].orientation, body.inertia * own);
      }
      EXPECT_NEAR(group.mass, mass, 1e-12);
      EXPECT_LT(Difference(R * group.moment, moment), 1e-12);
      EXPECT_LT(Difference(R * (group.inertia * TransposeTimes(R, AsVec(spin))), momentum), 1e-12);
    }
  });
}

// At constant joint rates, gamma and omega_p x omega give accelerations from group to group. They are compared with the
// derivative of the model's velocities along q'.
TEST(GroupTree, AccelerationsUnderConstantRatesAgreeWithTheModel) {
  constexpr double kStep = 1e-5;
  OnRandomTrees([](const Moved& moved) {
    std::vector<Vec<double>> a(moved.origins.size()), alpha(moved.origins.size());
    for (std::size_t g = 1; g < moved.origins.size(); ++g) {
      const auto p = static_cast<std::size_t>(moved.groups.groups[g].parent);
      const GroupMotion<double>&m = moved.motion.motion(static_cast<int>(g)),
            &parent = moved.motion.motion(static_cast<int>(p));
      alpha[g] = alpha[p] + Cross(parent.omega, m.omega);
      a[g] = a[p] + Cross(alpha[p], m.r) + m.gamma;
    }
    const auto at = [&moved](double step) {
      JointState joints = moved.tree.state.joints;
      for (std::size_t i = 0; i < joints.q.size(); ++i) joints.q[i] += step * moved.ydot[i];
      return ForwardKinematics(moved.tree.system, joints);
    };
    const auto after = at(kStep), before = at(-kStep);
    for (std::size_t b = 0; b < after.size(); ++b) {
      const auto g = static_cast<std::size_t>(moved.groups.placements[b].group);
      const Vec<double>& omega = moved.motion.motion(static_cast<int>(g)).omega;
      const Vec<double> c = moved.CentreOf(b);
      const Vec<double> of_centre = a[g] + Cross(alpha[g], c) + Cross(omega, Cross(omega, c));
      const double per_step = 1 / (2 * kStep);
      const Vector3 acceleration = per_step * (after[b].velocity - before[b].velocity),
                    turning = per_step * (after[b].angular_velocity - before[b].angular_velocity);
      EXPECT_LT(Difference(of_centre, acceleration), 1e-6 * (1 + Norm(acceleration)));
      EXPECT_LT(Difference(alpha[g], turning), 1e-6 * (1 + Norm(turning)));
    }
  });
}

}  // namespace
}  // namespace mbsbench
