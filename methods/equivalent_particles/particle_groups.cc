#include "methods/equivalent_particles/particle_groups.h"

#include "problems/model/eigen.h"

namespace mbsbench::equivalent_particles {

RigidGroups GroupsOf(const System& system) {
  RigidGroups rigid = MakeRigidGroups(system);
  std::vector<int> descendants(rigid.groups.size(), 1);
  for (std::size_t g = rigid.groups.size(); g-- > 1;)
    descendants[At(rigid.groups[g].parent)] += descendants[g];
  rigid.Reorder(rigid.DepthFirst(descendants));
  return rigid;
}

JointFrame AxesOf(const Frame& frame) {
  return {ToEigen(frame.position), ToEigen(DirectionCosineMatrix(Normalised(frame.orientation)))};
}

}  // namespace mbsbench::equivalent_particles
