// Which components of reactions redundant constraints leave undetermined, from the rows J of all joints and drivers over the rates
// of all bodies (Wojtyra's test).
//
// Multipliers lambda with J' lambda = 0 move nothing. N is a basis of these, B gives the wrenches of the joints on their children
// about the children's joint points. A component of a joint's wrench is unique exactly where its row of B N vanishes.
#pragma once

#include <string>
#include <vector>

#include "problems/model/state.h"
#include "problems/model/system.h"
#include "reference/reference.h"

namespace mbsbench {

// A letter for each component, force x y z, then moment x y z:
//   U  unique
//   N  not unique; the choice of the least joint wrenches does not depend on the unit of length
//   D  not unique, and that choice changes when moments are counted in N mm instead of N m
struct JointRedundancy {
  std::string classes;  // in inertial axes
  std::string
      in_joint_axes;  // in the axes of the child's joint frame, which do not depend on how a model is turned
  int undetermined = 0;  // dimension of what is free in the wrench
};

struct Redundancy {
  int rows = 0, rank = 0;  // of J
  // The least pivot that counts over the largest that does not, which rounded data leave; infinite if nothing is left.
  double gap = 0;
  std::vector<JointRedundancy> joints;  // tree joints, then loop joints
};

// Whether there are loops, and so few rows that dense algebra in 113 bits takes a second at most.
bool IsTestedForRedundancy(const System& system);

Redundancy RedundancyOf(const System& system, const JointState& joints);

// Per joint, tree joints before loop joints, the rows that a choice of reactions leaves out, whose multipliers are 0 in `reactions`
// although they are not unique:
//   "force x"                        points coincide, along inertial axes
//   "force along x of its frame"     otherwise; of the joint's frame on the parent, as all following ones
//   "force along its rod"            a distance
//   "moment about x of its frame"
//   "moment across its axes"         of a universal joint
// Empty unless they are as many as the redundant ones: then no rows were left out, or more multipliers are 0 by chance.
std::vector<std::vector<std::string>> DroppedRows(const System& system, const JointState& joints,
                                                  const std::vector<ReferenceReaction>& reactions);

// With a force in a general direction on every body that has mass, and a moment if it has inertia about all axes. Loads give the
// multipliers of independent rows every value, so that none of these vanishes; weights alone leave further ones 0 in mechanisms that
// are plane or symmetric.
System GenerallyLoaded(System system);

// J at one position of a motion, by the singular values of its scaled rows and columns: those above 1e-9 of the largest count.
struct RankOnPath {
  double time = 0;  // [s]
  int rank = 0;
  double least =
      0;  // the least that counts over the largest; it falls to 0 towards a position where the rank falls
  double gap = 0;  // the least that counts over the largest that does not; infinite if all count
};
RankOnPath RankAt(const System& system, const JointState& joints);
// At all samples of a reference; empty unless it holds all bodies.
std::vector<RankOnPath> RanksAlong(const System& system, const Reference& reference);

}  // namespace mbsbench
