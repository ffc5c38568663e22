#include "methods/classical_mstmm/paper_hinges.h"

#include <Eigen/SVD>
#include <string>

#include "methods/thresholds/thresholds.h"

namespace mbsbench {

namespace {

// Body k in its own axes, at rest: everything that decides on N is fixed in it. (A sliding hinge
// moves I_1, on which its N does not depend.)
BodyInstant<3> BodyAtRest(const SweepGroup<double>& group, const Vec<double>& r_OI) {
  const BodyConstants<double> constants(group);
  BodyInstant<3> body;
  body.mass = constants.mass;
  body.r_IC = constants.centre - AsEigen(r_OI);
  body.r_IO = -AsEigen(r_OI);
  body.J_I = constants.InertiaAbout(body.r_IC);
  body.Omega.setZero();
  body.f_C.setZero();
  body.m_C.setZero();
  return body;
}

// Free axes in the axes of a body, z being the joint's axis there.
FreeAxes<3> FreeAxesInBody(JointType type, const Vec<double>& z, const Mat<double>& axes) {
  FreeAxes<3> joint;
  joint.H.setZero(6, RateCount(type));
  joint.Q.setZero(6, 6 - RateCount(type));
  if (type == JointType::kBall) joint.H.bottomRows<3>() = AsEigen(axes);
  if (type == JointType::kRevolute) joint.H.bottomRows<3>() = AsEigen(z);
  if (type == JointType::kPrismatic) joint.H.topRows<3>() = AsEigen(z);
  return joint;
}

const Mat<double> kOwnAxes = Identity<double>();

HingeSelection SelectionOf(const TransferTree<double>& tree, std::size_t k, int dimension,
                           bool hinges_as_matrices) {
  const SweepGroup<double>&group = tree.groups[k],
        &input = tree.groups[static_cast<std::size_t>(tree.first_input[k])];
  const int conditions = FreeAxisCount(group, dimension);
  const int wanted = hinges_as_matrices && !tree.IsTip(k) ? FreeAxisCount(input, dimension) : 0;
  HingeSelection s;
  const SmallMatrix all = SmallMatrix::Identity(conditions, conditions);
  if (wanted == 0 || wanted >= conditions) {
    const int used = wanted == 0 ? 0 : conditions;
    s.selected = all.topRows(used);
    s.rest = all.bottomRows(conditions - used);
    return s;
  }
  // A sliding hinge along l before a ball hinge: m along r_OC x l. H_O of a ball hinge are the
  // body's axes.
  const Vec<double> l = Column<2>(input.turn);
  Eigen::Vector3d direction = AsEigen(Cross(group.moment, l));
  direction = direction.norm() > 0 ? Eigen::Vector3d(direction.normalized())
                                   : AsEigen(l).unitOrthogonal().eval();
  const Eigen::Vector3d second = direction.unitOrthogonal();
  s.selected = direction.transpose();
  s.rest.resize(2, 3);
  s.rest.row(0) = second.transpose();
  s.rest.row(1) = direction.cross(second).transpose();
  return s;
}

}  // namespace

std::vector<HingeSelection> SelectConditions(const TransferTree<double>& tree, int dimension,
                                             bool hinges_as_matrices) {
  std::vector<HingeSelection> selections(1);
  for (std::size_t k = 1; k < tree.groups.size(); ++k)
    selections.push_back(SelectionOf(tree, k, dimension, hinges_as_matrices));
  return selections;
}

Verdict PaperHingesExist(const System& system, const TransferTree<double>& tree, bool planar) {
  const JointType turning = planar ? JointType::kRevolute : JointType::kBall;
  for (std::size_t k = 1; k < tree.groups.size(); ++k) {
    const SweepGroup<double>& group = tree.groups[k];
    if (group.type != turning && group.type != JointType::kPrismatic) {
      return Verdict::No(QuotedJoint(system, group) + " is " + std::string(Name(group.type)) +
                         ": the papers' hinges are ball hinges and sliding hinges, or all of a "
                         "plane, revolutes about its normal and sliding hinges in it");
    }
  }
  const std::vector<HingeSelection> selections = SelectConditions(tree, planar ? 2 : 3, true);
  for (std::size_t k = 1; k < tree.groups.size(); ++k) {
    if (tree.IsTip(k)) continue;
    const SweepGroup<double>&group = tree.groups[k],
          &input = tree.groups[static_cast<std::size_t>(tree.first_input[k])];
    if (FreeAxisCount(input, planar ? 2 : 3) > FreeAxisCount(group, planar ? 2 : 3)) {
      return Verdict::No(QuotedBody(system, group) + " has a ball hinge in its input end and " +
                         QuotedJoint(system, group) +
                         ", which slides, in its output end: no transfer matrix determines three "
                         "accelerations from one vanishing force");
    }
    const BodyInstant<3> body = BodyAtRest(group, input.arm);
    const auto U = BodyTransfer(body);
    const FreeAxes<3> hinge = FreeAxesInBody(input.type, Column<2>(input.turn), kOwnAxes),
                      output = FreeAxesInBody(group.type, {0, 0, 1}, kOwnAxes);
    const Eigen::Matrix<double, 6, 6> U_b = WrenchRows<3>(U.block<6, 6>(6, 0));
    const SmallMatrix N = selections[k].selected * output.H.transpose() * U_b * hinge.H;
    const double least = Eigen::MatrixXd(N).jacobiSvd().singularValues().tail<1>()[0];
    // what N is made of: m, m r or m r^2 + J
    const double r = body.r_IC.norm() + body.r_IO.norm();
    double scale = group.mass;
    if (input.type == turning) scale *= r;
    if (group.type == turning) scale *= r;
    if (input.type == turning && group.type == turning) scale += Trace(group.inertia);
    if (!(scale > 0) || !(least > kThresholds.no_hinge_matrix * scale)) {
      return Verdict::No(
          QuotedBody(system, group) +
          (input.type == turning && group.type == turning
               ? " has a singular u_32 (its output end is the centre of percussion of its input "
                 "end, or it has no inertia), so that the hinge of eq. 10 before it does not exist"
               : " transmits nothing to the free directions of its output end when accelerated "
                 "along those of its input end, so that the hinge before it has no transfer "
                 "matrix"));
    }
  }
  return {};
}

}  // namespace mbsbench
