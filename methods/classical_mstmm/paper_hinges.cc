#include "methods/classical_mstmm/paper_hinges.h"

#include <Eigen/SVD>
#include <string>

namespace mbsbench {

namespace {

constexpr double kSingular = 1e-10;  // least singular value of N, of the terms it is made of

// Body k in its own axes, at rest: everything that decides on N is fixed in it. (A sliding hinge
// moves I_1, on which its N does not depend.)
BodyInstant<3> BodyAtRest(const TreeElement& e, const Vec<double>& r_OI) {
  BodyInstant<3> body;
  const Eigen::Vector3d r_OC = AsEigen(e.r_OC);
  body.mass = e.mass;
  body.r_IC = r_OC - AsEigen(r_OI);
  body.r_IO = -AsEigen(r_OI);
  const Eigen::Matrix3d J_C =
      AsEigen(e.J_O) + e.mass * TildeBeforeForce(r_OC) * TildeBeforeForce(r_OC);
  body.J_I = J_C - e.mass * TildeBeforeForce(body.r_IC) * TildeBeforeForce(body.r_IC);
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

int ElementOf(const JointTree& tree, const TreeElement& e) {
  return static_cast<int>(&e - tree.elements.data());
}

HingeSelection SelectionOf(const JointTree& tree, const TreeElement& e, int dimension,
                           bool hinges_as_matrices) {
  const int conditions = FreeAxisCount(e, dimension);
  const int wanted =
      hinges_as_matrices && e.children > 0
          ? FreeAxisCount(tree.elements[static_cast<std::size_t>(ElementOf(tree, e)) + 1],
                          dimension)
          : 0;
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
  const Vec<double> l =
      Column<2>(tree.elements[static_cast<std::size_t>(ElementOf(tree, e)) + 1].root_axes);
  Eigen::Vector3d direction = AsEigen(Cross(e.r_OC, l));
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

std::vector<HingeSelection> SelectConditions(const JointTree& tree, int dimension,
                                             bool hinges_as_matrices) {
  std::vector<HingeSelection> selections;
  for (const TreeElement& e : tree.elements) {
    selections.push_back(SelectionOf(tree, e, dimension, hinges_as_matrices));
  }
  return selections;
}

Verdict PaperHingesExist(const System& system, const JointTree& tree, bool planar) {
  const auto body_name = [&](const TreeElement& e) {
    return "body '" + system.bodies[static_cast<std::size_t>(e.body)].name + "'";
  };
  const auto joint_name = [&](const TreeElement& e) {
    return "joint '" + system.joints[static_cast<std::size_t>(e.joint)].name + "'";
  };
  const JointType turning = planar ? JointType::kRevolute : JointType::kBall;
  for (const TreeElement& e : tree.elements) {
    if (e.type != turning && e.type != JointType::kPrismatic) {
      return Verdict::No(joint_name(e) + " is " + std::string(Name(e.type)) +
                         ": the papers' hinges are ball hinges and sliding hinges, or all of a "
                         "plane, revolutes about its normal and sliding hinges in it");
    }
  }
  const std::vector<HingeSelection> selections = SelectConditions(tree, planar ? 2 : 3, true);
  for (std::size_t k = 0; k < tree.elements.size(); ++k) {
    const TreeElement& e = tree.elements[k];
    if (e.children == 0) continue;
    const TreeElement& input = tree.elements[k + 1];
    if (FreeAxisCount(input, planar ? 2 : 3) > FreeAxisCount(e, planar ? 2 : 3)) {
      return Verdict::No(body_name(e) + " has a ball hinge in its input end and " + joint_name(e) +
                         ", which slides, in its output end: no transfer matrix takes three "
                         "accelerations from one vanishing force");
    }
    const BodyInstant<3> body = BodyAtRest(e, input.arm);
    const auto U = BodyTransfer(body);
    const FreeAxes<3> hinge = FreeAxesInBody(input.type, Column<2>(input.root_axes), kOwnAxes),
                      output = FreeAxesInBody(e.type, {0, 0, 1}, kOwnAxes);
    const Eigen::Matrix<double, 6, 6> U_b = WrenchRows<3>(U.block<6, 6>(6, 0));
    const SmallMatrix N = selections[k].selected * output.H.transpose() * U_b * hinge.H;
    const double least = Eigen::MatrixXd(N).jacobiSvd().singularValues().tail<1>()[0];
    // what N is made of: m, m r or m r^2 + J
    const double r = body.r_IC.norm() + body.r_IO.norm();
    double scale = e.mass;
    if (input.type == turning) scale *= r;
    if (e.type == turning) scale *= r;
    if (input.type == turning && e.type == turning) scale += Trace(e.J_O);
    if (!(scale > 0) || !(least > kSingular * scale)) {
      return Verdict::No(
          body_name(e) +
          (input.type == turning && e.type == turning
               ? " has a singular u_32 (its output end is the centre of percussion of its input "
                 "end, or it has no inertia), so that the hinge before it after eq. 10 does not "
                 "exist"
               : " transmits nothing to the free directions of its output end when accelerated "
                 "along those of its input end, so that the hinge before it has no transfer "
                 "matrix"));
    }
  }
  return {};
}

}  // namespace mbsbench
