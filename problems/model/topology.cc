#include "problems/model/topology.h"

#include <numeric>
#include <string>

#include "problems/model/error.h"

namespace mbsbench {

namespace {

using Subject = ModelError::Subject;

// "'a', 'b' and 'c'": the cycle that `body` hangs on, followed through the parents; long ones cut.
std::string CycleThrough(const System& system, const std::vector<int>& parent, int body) {
  const auto up = [&parent](int b) { return parent[static_cast<std::size_t>(b)]; };
  for (std::size_t k = 0; k < parent.size(); ++k) body = up(body);  // now surely on the cycle
  constexpr int kMost = 8;
  std::string text;
  int count = 0;
  for (int b = body; count == 0 || b != body; b = up(b)) {
    if (++count > kMost) return text + " and others";
    const bool last = up(b) == body;
    text += count == 1 ? "'" : last ? " and '" : ", '";
    text += system.bodies[static_cast<std::size_t>(b)].name + "'";
  }
  return text;
}

}  // namespace

void Topology::Children::Assign(const System& system) {
  first_.assign(system.bodies.size() + 1, 0);
  const auto count = [this](int parent) -> std::size_t& {
    return first_[static_cast<std::size_t>(parent) + 1];
  };
  for (const Joint& joint : system.joints) {
    if (joint.parent != kGround) ++count(joint.parent);
  }
  std::partial_sum(first_.begin(), first_.end(), first_.begin());
  all_.resize(first_.back());
  std::vector<std::size_t> next(first_.begin(), first_.end() - 1);
  for (const Joint& joint : system.joints) {
    if (joint.parent != kGround) all_[next[static_cast<std::size_t>(joint.parent)]++] = joint.child;
  }
}

Topology TopologyOf(const System& system) {
  const std::size_t n = system.bodies.size();
  const auto in_range = [n](int body) { return body >= 0 && static_cast<std::size_t>(body) < n; };
  Topology tree;
  tree.parent.assign(n, kGround);
  tree.joint.assign(n, -1);
  for (std::size_t j = 0; j < system.joints.size(); ++j) {
    const Joint& joint = system.joints[j];
    if (!in_range(joint.child)) {
      throw ModelError("joint '" + joint.name + "' names a child body that does not exist.",
                       Subject::kJoint, joint.name);
    }
    if (joint.parent != kGround && !in_range(joint.parent)) {
      throw ModelError("joint '" + joint.name + "' names a parent body that does not exist.",
                       Subject::kJoint, joint.name);
    }
    if (joint.parent == joint.child) {
      throw ModelError("joint '" + joint.name + "' joins body '" +
                           system.bodies[static_cast<std::size_t>(joint.child)].name +
                           "' to itself: the cycle never reaches the ground.",
                       Subject::kJoint, joint.name);
    }
    const auto child = static_cast<std::size_t>(joint.child);
    if (tree.joint[child] >= 0) {
      throw ModelError("body '" + system.bodies[child].name + "' has two parents, by joints '" +
                           system.joints[static_cast<std::size_t>(tree.joint[child])].name +
                           "' and '" + joint.name + "': make one of them a loop joint.",
                       Subject::kJoint, joint.name);
    }
    tree.joint[child] = static_cast<int>(j);
    tree.parent[child] = joint.parent;
    if (joint.parent == kGround) tree.roots.push_back(joint.child);
  }
  tree.children.Assign(system);
  for (std::size_t b = 0; b < n; ++b) {
    if (tree.joint[b] < 0) {
      throw ModelError(
          "body '" + system.bodies[b].name +
              "' has no joint: give it a parent, the ground by a free joint if it floats.",
          Subject::kBody, system.bodies[b].name);
    }
  }
  // Breadth first from the ground; a body that is not reached is on a cycle.
  tree.order.reserve(n);
  tree.order = tree.roots;
  for (std::size_t k = 0; k < tree.order.size(); ++k) {
    const auto& children = tree.children[static_cast<std::size_t>(tree.order[k])];
    tree.order.insert(tree.order.end(), children.begin(), children.end());
  }
  if (tree.order.size() != n) {
    std::vector<char> reached(n, 0);
    for (int b : tree.order) reached[static_cast<std::size_t>(b)] = 1;
    for (std::size_t b = 0; b < n; ++b) {
      if (!reached[b]) {
        throw ModelError(
            "body '" + system.bodies[b].name +
                "' hangs on a cycle of joints that never reaches the ground, through " +
                CycleThrough(system, tree.parent, static_cast<int>(b)) +
                ": join one of them to the ground's tree and close the cycle by a loop joint.",
            Subject::kBody, system.bodies[b].name);
      }
    }
  }
  return tree;
}

}  // namespace mbsbench
