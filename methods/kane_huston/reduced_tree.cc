#include "methods/kane_huston/reduced_tree.h"

#include <algorithm>

#include "problems/model/topology.h"

namespace mbsbench::kane_huston {

namespace {

std::size_t At(int i) { return static_cast<std::size_t>(i); }

}  // namespace

std::vector<int> HungriestFirst(const RigidGroups& rigid) {
  std::vector<int> need(rigid.groups.size(), 1);  // work rows of a subtree
  for (std::size_t g = rigid.groups.size(); g-- > 0;) {
    std::vector<int> children(rigid.children[g].begin(), rigid.children[g].end());
    std::ranges::sort(children, [&](int x, int y) { return need[At(x)] > need[At(y)]; });
    for (std::size_t i = 0; i < children.size(); ++i)
      need[g] = std::max(need[g], need[At(children[i])] + (i > 0 ? 1 : 0));
  }
  return rigid.DepthFirst(need);
}

double PathBytes(const System& system) {
  const Topology topology = TopologyOf(system);
  std::vector<double> path(system.bodies.size());
  double entries = 0, inertia = 0;
  for (int b : topology.order) {
    const int parent = topology.parent[At(b)];
    const double dofs = RateCount(system.joints[At(topology.joint[At(b)])].type);
    path[At(b)] = (parent == kGround ? 0 : path[At(parent)]) + dofs;
    if (dofs == 0) continue;
    entries += path[At(b)];
    inertia += dofs * path[At(b)];
  }
  // Six numbers of a partial velocity and its derivative per body and degree of freedom on its
  // path, and the generalised inertia.
  return sizeof(double) * (6 * entries + inertia);
}

}  // namespace mbsbench::kane_huston
