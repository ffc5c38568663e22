#include "methods/equivalent_particles/particle_tree.h"

#include <cmath>

#include "methods/thresholds/thresholds.h"
#include "problems/model/eigen.h"

namespace mbsbench::equivalent_particles {

namespace {

// Weights that equal a particle of the parent up to round-off are that particle.
int SharedSlot(Weights& weights) {
  for (std::size_t i = 0; i < weights.size(); ++i) {
    Weights unit{};
    unit[i] = 1;
    double off = 0;
    for (std::size_t l = 0; l < weights.size(); ++l) off += std::abs(weights[l] - unit[l]);
    if (off > kThresholds.same_place) continue;
    weights = unit;
    return static_cast<int>(i);
  }
  return -1;
}

void TakeFromParent(const ParticleTree& tree, const RigidGroup& group, const Joint& joint,
                    const ParticleChoice& choice, Node& node) {
  const AffineFrame& parent = tree.frames[At(group.parent)];
  const JointFrame f = AxesOf(tree.groups.FrameOnParent(joint));
  switch (group.type) {
    case JointType::kBall:
    case JointType::kRevolute:
      node.given = std::min(node.count, group.type == JointType::kBall ? 1 : 2);
      node.from_parent[0] = ToWeights(parent.OfPoint(f.origin));
      if (node.given == 2) {
        node.from_parent[1] = ToWeights(parent.OfPoint(f.origin + choice.axis_length * f.z()));
      }
      for (int i = 0; i < node.given; ++i) {
        node.shared[At(i)] = SharedSlot(node.from_parent[At(i)]);
      }
      node.own = node.count - node.given;
      break;
    case JointType::kPrismatic: {
      node.slides = true;
      const Matrix3d turn = f.axes * AxesOf(joint.child_frame).axes.transpose();
      for (int i = 1; i < node.count; ++i) {
        const Vector3d d = choice.points[At(i)] - choice.points[0];
        node.from_parent[At(i)] = ToWeights(parent.OfDirection(turn * d));
      }
      node.rail_point = ToWeights(parent.OfPoint(f.origin));
      node.rail_axis = ToWeights(parent.OfDirection(f.z()));
      node.rail_across = {ToWeights(parent.OfDirection(f.x())),
                          ToWeights(parent.OfDirection(f.y()))};
      node.own = 1;
      break;
    }
    case JointType::kFree: node.own = node.count; break;
    case JointType::kFixed:
    case JointType::kDistance:
    case JointType::kUniversal:
    case JointType::kCylindrical:
    case JointType::kPlanar: break;  // merged, of loops only, or on single axes
  }
}

void AddMasses(const Matrix4d& b, std::array<Weights, kMostParticles>& second_moments,
               Weights& masses) {
  for (int i = 0; i < kMostParticles; ++i) {
    for (int j = 0; j < kMostParticles; ++j) second_moments[At(i)][At(j)] += b(i, j);
    masses[At(i)] += b.row(i).sum();
  }
}

}  // namespace

ParticleTree MakeParticleTree(const System& system) {
  ParticleTree tree;
  tree.groups = GroupsOf(system);
  tree.choices = ChooseParticles(system, tree.groups);
  tree.nodes.resize(tree.groups.groups.size());
  for (std::size_t g = 0; g < tree.nodes.size(); ++g) {
    const RigidGroup& group = tree.groups.groups[g];
    const ParticleChoice& choice = tree.choices[g];
    Node& node = tree.nodes[g];
    tree.frames.emplace_back(
        choice.points, g == 0 ? "ground" : system.bodies[At(tree.groups.bodies[g].front())].name);
    node.joint = group.joint;
    node.parent = group.parent;
    node.count = static_cast<int>(choice.points.size());
    node.size = choice.size;
    node.first_slot = tree.slots;
    tree.slots += node.count;
    if (g > 0) TakeFromParent(tree, group, system.joints[At(group.joint)], choice, node);
    node.first_particle = tree.particles;
    tree.particles += node.own;
    for (int i = 0; i < node.count; ++i) {
      for (int j = 0; j < node.count; ++j) {
        node.distance[i][j] = (choice.points[At(i)] - choice.points[At(j)]).norm();
      }
    }
  }
  for (std::size_t b = 0; b < system.bodies.size(); ++b) {
    const int group = tree.groups.placements[b].group;
    const auto [centre, axes] = AxesOf(tree.groups.FrameOf(static_cast<int>(b)));
    const AffineFrame& frame = tree.frames[At(group)];
    const Matrix4d moments = SecondMoments(frame, system.bodies[b], centre, axes);
    BodySeat placed;
    placed.node = group;
    placed.centre = ToWeights(frame.OfPoint(centre));
    placed.axes = axes;
    AddMasses(moments, placed.second_moments, placed.masses);
    tree.placements.push_back(placed);
    Node& node = tree.nodes[At(group)];
    AddMasses(moments, node.second_moments, node.masses);
  }
  std::vector<double> inertia(tree.nodes.size(), 0);
  for (std::size_t g = tree.nodes.size(); g-- > 1;) {
    Node& node = tree.nodes[g];
    for (const Weights& row : node.second_moments) {
      for (double b : row) inertia[g] += std::abs(b);
    }
    node.subtree_inertia = inertia[g] > 0 ? inertia[g] : 1;
    inertia[At(node.parent)] += inertia[g];
  }
  return tree;
}

template void SpreadOverSlots(const ParticleTree&, const double*, Vector3d*);

}  // namespace mbsbench::equivalent_particles
