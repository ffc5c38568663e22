// The systems in which the hinges of eqs 10 to 13 exist.
#include <Eigen/SVD>
#include <algorithm>
#include <cmath>
#include <string>

#include "methods/riccati_mstmm/paper_sweep.h"
#include "methods/thresholds/thresholds.h"

namespace mbsbench {

namespace {

// Ball hinges throughout, or revolutes throughout.
Verdict JointTypes(const System& system, const TransferTree<double>& tree, bool& planar) {
  if (tree.groups.size() < 2) return Verdict::No("no body moves: the paper's hinges are missing");
  const SweepGroup<double>& first = tree.groups[1];
  planar = HasOneAxis(first.type);
  for (std::size_t k = 1; k < tree.groups.size(); ++k) {
    const SweepGroup<double>& group = tree.groups[k];
    if (HasOneAxis(group.type) != planar) {
      return Verdict::No(QuotedJoint(system, group) + " is " + std::string(Name(group.type)) +
                         " and " + QuotedJoint(system, first) +
                         " is not: the paper's hinges are all ball hinges, or all "
                         "revolutes about parallel axes");
    }
  }
  return {};
}

bool Regular(const Eigen::Matrix3d& m, double scale, bool planar) {
  if (planar) return std::abs(m(2, 2)) > kThresholds.no_hinge_matrix * scale;
  return Eigen::JacobiSVD<Eigen::Matrix3d>(m).singularValues()[2] >
         kThresholds.no_hinge_matrix * scale;
}

// u_32 = J_I + m r_IO~ r_IC~ of every body beyond a hinge, and the inertia about the output end of
// every tip: both are fixed in the body.
Verdict RegularBodies(const System& system, const TransferTree<double>& tree, bool planar) {
  for (std::size_t k = 1; k < tree.groups.size(); ++k) {
    const BodyConstants<double> body(tree.groups[k]);
    if (tree.IsTip(k)) {
      if (!Regular(body.J_O, body.J_O.trace(), planar) || !(body.J_O.trace() > 0)) {
        return Verdict::No(QuotedBody(system, tree.groups[k]) +
                           " is a tip without inertia about an axis through its joint: S of eq. 39 "
                           "then leaves its angular acceleration undetermined");
      }
      continue;
    }
    const Eigen::Vector3d r_IO =
        -AsEigen(tree.groups[static_cast<std::size_t>(tree.first_input[k])].arm);
    const Eigen::Vector3d r_IC = r_IO + body.centre;
    const Eigen::Matrix3d u_32 =
        body.InertiaAbout(r_IC) + body.mass * TildeBeforeForce(r_IO) * TildeBeforeForce(r_IC);
    const double scale = body.J_C.trace() + body.mass * (r_IC.squaredNorm() + r_IO.squaredNorm());
    if (!Regular(u_32, scale, planar) || !(scale > 0)) {
      return Verdict::No(
          QuotedBody(system, tree.groups[k]) +
          " has a singular u_32 (its output end is the centre of percussion of its input end, or "
          "it "
          "has no inertia), so that the hinge of eq. 10 before it does not exist");
    }
  }
  return {};
}

// After the first hinge of a chain the moment rows of S vanish (by eq. 10), so at the next one T21
// S + T22 has -u_32^-1 r_IO~ S_q,alpha in its block for alpha. In space r_IO~ has rank two: the
// block is singular whatever the configuration. Names the first such body.
Verdict OneHingePerChain(const System& system, const TransferTree<double>& tree) {
  std::vector<int> hinges(tree.groups.size(),
                          0);  // passed since the chain's tip or multi-input body
  for (std::size_t k = tree.groups.size() - 1; k > 0; --k) {
    if (hinges[k] > 1) {
      return Verdict::No(QuotedBody(system, tree.groups[k]) +
                         " comes after the second ball hinge of a chain in space, where T21 S + "
                         "T22 is always singular "
                         "(r_IO~ has rank two)");
    }
    const auto parent = static_cast<std::size_t>(tree.groups[k].parent);
    if (parent != 0 && tree.HasOneInput(parent)) hinges[parent] = hinges[k] + 1;
  }
  return {};
}

}  // namespace

Verdict PaperVariantSupports(const System& system, bool& planar) {
  const TransferTree<double> tree(system);
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
