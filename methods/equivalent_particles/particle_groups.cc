#include "methods/equivalent_particles/particle_groups.h"

#include <algorithm>

#include "problems/model/eigen.h"

namespace mbsbench::equivalent_particles {

RigidGroups GroupsOf(const System& system) {
  RigidGroups rigid = MakeRigidGroups(system);
  std::vector<int> descendants(rigid.groups.size(), 1);
  for (std::size_t g = rigid.groups.size(); g-- > 1;)
    descendants[At(rigid.groups[g].parent)] += descendants[g];
  std::vector<int> order, waiting{0};
  while (!waiting.empty()) {
    const int g = waiting.back();
    waiting.pop_back();
    order.push_back(g);
    std::vector<int> children = rigid.groups[At(g)].children;
    std::stable_sort(children.begin(), children.end(),
                     [&](int a, int b) { return descendants[At(a)] > descendants[At(b)]; });
    waiting.insert(waiting.end(), children.rbegin(), children.rend());
  }
  rigid.Reorder(order);
  return rigid;
}

JointFrame AxesOf(const Frame& frame) {
  return {ToEigen(frame.position), ToEigen(DirectionCosineMatrix(Normalised(frame.orientation)))};
}

}  // namespace mbsbench::equivalent_particles
