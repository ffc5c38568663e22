// Where the hinges of eqs 10 to 13 exist.
#include <Eigen/SVD>
#include <algorithm>
#include <cmath>
#include <string>

#include "methods/riccati_mstmm/paper_sweep.h"

namespace mbsbench {

namespace {

constexpr double kSingular = 1e-10;  // least to largest singular value

std::string BodyName(const System& system, const TreeElement& e) {
  return "body '" + system.bodies[static_cast<std::size_t>(e.body)].name + "'";
}
std::string JointName(const System& system, const TreeElement& e) {
  return "joint '" + system.joints[static_cast<std::size_t>(e.joint)].name + "'";
}

// Ball hinges throughout, or revolutes throughout.
Verdict JointTypes(const System& system, const JointTree& tree, bool& planar) {
  planar = HasOneAxis(tree.elements[0].type);
  for (const TreeElement& e : tree.elements) {
    if (HasOneAxis(e.type) != planar) {
      return Verdict::No(JointName(system, e) + " is " + std::string(Name(e.type)) + " and " +
                         JointName(system, tree.elements[0]) +
                         " is not: the paper's hinges are all ball hinges, or all "
                         "revolutes about parallel axes");
    }
  }
  return {};
}

bool Regular(const Eigen::Matrix3d& m, double scale, bool planar) {
  if (planar) return std::abs(m(2, 2)) > kSingular * scale;
  return Eigen::JacobiSVD<Eigen::Matrix3d>(m).singularValues()[2] > kSingular * scale;
}

// u_32 = J_I + m r_IO~ r_IC~ of every body beyond a hinge, and the inertia about the output end of
// every tip: both are fixed in the body.
Verdict RegularBodies(const System& system, const JointTree& tree, bool planar) {
  std::vector<const TreeElement*> first_input(tree.elements.size(), nullptr);
  for (std::size_t k = tree.elements.size(); k-- > 0;) {
    const TreeElement& e = tree.elements[k];
    if (e.parent > 0) first_input[static_cast<std::size_t>(e.parent - 1)] = &e;
  }
  const auto tilde = [](const Eigen::Vector3d& v) { return TildeBeforeForce<double>(v); };
  for (std::size_t k = 0; k < tree.elements.size(); ++k) {
    const TreeElement& e = tree.elements[k];
    const Eigen::Vector3d r_OC(e.r_OC.x, e.r_OC.y, e.r_OC.z);
    Eigen::Matrix3d J_O;
    J_O << e.J_O.xx, e.J_O.xy, e.J_O.xz, e.J_O.xy, e.J_O.yy, e.J_O.yz, e.J_O.xz, e.J_O.yz, e.J_O.zz;
    if (first_input[k] == nullptr) {
      if (!Regular(J_O, J_O.trace(), planar) || !(J_O.trace() > 0)) {
        return Verdict::No(BodyName(system, e) +
                           " is a tip without inertia about an axis through its joint: S of eq. 39 "
                           "then leaves its "
                           "angular acceleration open");
      }
      continue;
    }
    const Vec<double>& arm = first_input[k]->arm;
    const Eigen::Vector3d r_IO(-arm.x, -arm.y, -arm.z), r_IC = r_IO + r_OC;
    const Eigen::Matrix3d J_C = J_O + e.mass * tilde(r_OC) * tilde(r_OC);
    const Eigen::Matrix3d u_32 =
        J_C - e.mass * tilde(r_IC) * tilde(r_IC) + e.mass * tilde(r_IO) * tilde(r_IC);
    const double scale = J_C.trace() + e.mass * (r_IC.squaredNorm() + r_IO.squaredNorm());
    if (!Regular(u_32, scale, planar) || !(scale > 0)) {
      return Verdict::No(
          BodyName(system, e) +
          " has a singular u_32 (its output end is the centre of percussion of its input end, or "
          "it "
          "has no inertia), so that the hinge before it after eq. 10 does not exist");
    }
  }
  return {};
}

// Behind the first hinge of a chain the moment rows of S vanish (eq. 10 sees to it), so that at the
// next one T21 S + T22 has -u_32^-1 r_IO~ S_q,alpha in its block for alpha. In space r_IO~ has rank
// two: the block is singular whatever the configuration. Names the first such body.
Verdict OneHingePerChain(const System& system, const JointTree& tree) {
  std::vector<int> hinges(tree.elements.size(),
                          0);  // passed since the chain's tip or multi-input body
  for (std::size_t k = tree.elements.size(); k-- > 0;) {
    const TreeElement& e = tree.elements[k];
    if (hinges[k] > 1) {
      return Verdict::No(BodyName(system, e) +
                         " comes behind the second ball hinge of a chain in space, where T21 S + "
                         "T22 is always singular "
                         "(r_IO~ has rank two)");
    }
    if (e.parent > 0 && tree.elements[static_cast<std::size_t>(e.parent - 1)].children == 1) {
      hinges[static_cast<std::size_t>(e.parent - 1)] = hinges[k] + 1;
    }
  }
  return {};
}

}  // namespace

Verdict PaperVariantSupports(const System& system, bool& planar) {
  const JointTree tree = MakeJointTree(system);
  Plane plane;
  Verdict verdict = JointTypes(system, tree, planar);
  if (!verdict.supported) return verdict;
  if (planar) {
    verdict = FindPlane(system, tree, plane);
  } else if (verdict = OneHingePerChain(system, tree); !verdict.supported) {
    // Ball hinges of a system that can move in a plane are pins of that plane.
    if (const Verdict in_plane = FindPlane(system, tree, plane); !in_plane.supported) {
      return Verdict::No(verdict.reason + "; and in the plane: " + in_plane.reason);
    }
    verdict = {};
    planar = true;
  }
  if (verdict.supported) verdict = RegularBodies(system, tree, planar);
  return verdict;
}

}  // namespace mbsbench
