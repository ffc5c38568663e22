#include "methods/equivalent_particles/particle_passages.h"

#include "methods/loops/passage_in_eigen.h"

namespace mbsbench::equivalent_particles {

namespace {

using Slots = std::array<Vector3d, kMostParticles>;
using Matrix6d = Eigen::Matrix<double, 6, 6>;

Vec<double> VecOf(const Vector3d& v) { return FromEigenVector(v); }

// Computes alpha from the accelerations alpha x r_i of the slots relative to the first: with the reciprocals
// e_i of r_i, sum e_i x (alpha x r_i) = 2 alpha - (the projection of alpha onto the span of the r_i).
class Rotation {
 public:
  Rotation(const Vector3d* x, int count) : count_(count) {
    const auto r = [x](int i) -> Vector3d { return x[i] - x[0]; };
    if (count == 4) {
      const Vector3d a = r(2).cross(r(3)), b = r(3).cross(r(1)), c = r(1).cross(r(2));
      const double scale = 0.5 / r(1).dot(a);
      reciprocal_ = {scale * a, scale * b, scale * c};
    } else if (count == 3) {
      normal_ = r(1).cross(r(2));
      const double scale = 1 / normal_.squaredNorm();
      reciprocal_ = {scale * r(2).cross(normal_), scale * normal_.cross(r(1)), Vector3d::Zero()};
      normal_.normalize();
    } else if (count == 2) {
      reciprocal_[0] = r(1) / r(1).squaredNorm();
    }
  }
  Vector3d Of(const Slots& a) const {
    Vector3d alpha = Vector3d::Zero();
    for (int i = 1; i < count_; ++i) alpha += reciprocal_[At(i - 1)].cross(a[At(i)] - a[0]);
    if (count_ == 3) alpha -= 0.5 * normal_.dot(alpha) * normal_;
    return alpha;
  }
  // The projection onto the undetermined directions, times `compliance`.
  Matrix3d Unknown(double compliance) const {
    if (count_ == 1) return compliance * Matrix3d::Identity();
    if (count_ != 2) return Matrix3d::Zero();
    const Vector3d axis = reciprocal_[0].normalized();
    return compliance * axis * axis.transpose();
  }

 private:
  int count_;
  std::array<Vector3d, 3> reciprocal_{Vector3d::Zero(), Vector3d::Zero(), Vector3d::Zero()};
  Vector3d normal_ = Vector3d::Zero();
};

Load Unit(int i) {
  Load load;
  (i < 3 ? load.moment : load.force)[i % 3] = 1;
  return load;
}

}  // namespace

void SetPassage(const ParticleTree& tree, const MomentSums& sums, int n,
                LoopElimination::Passage& passage) {
  const Node& node = tree.nodes[At(n)];
  const Node& parent = tree.nodes[At(node.parent)];
  const Vector3d* const x = sums.positions() + node.first_slot;
  passage.r = VecOf(x[0] - sums.positions()[parent.first_slot]);
  Slots a;
  a.fill(Vector3d::Zero());
  const double compliance = 1 / (node.subtree_inertia * node.size * node.size);
  switch (tree.groups.groups[At(n)].type) {
    case JointType::kBall: {
      const Rotation rotation(x, node.count);
      Matrix3d inverse, K;
      for (int i = 0; i < 3; ++i) {
        K.row(i) = -sums.Answer(n, Unit(i), a.data()).force.transpose();
        inverse.col(i) = rotation.Of(a);
      }
      inverse += rotation.Unknown(compliance);
      passage.SetK(FromEigenMatrix(K));
      passage.J = FactorsOf(inverse.ldlt().solve(Matrix3d::Identity()));
      break;
    }
    case JointType::kRevolute: {
      const Vector3d s = node.count > 1 ? Vector3d((x[1] - x[0]).normalized()) : Vector3d::UnitZ();
      const Load passed = sums.Answer(n, {Vector3d::Zero(), s}, a.data());
      passage.s = VecOf(s);
      passage.inverse_D = s.dot(Rotation(x, node.count).Of(a));
      passage.V_n = VecOf(s - passed.moment), passage.V_f = VecOf(-passed.force);
      break;
    }
    case JointType::kPrismatic: {
      const Vector3d s =
          Combine(node.rail_axis, sums.positions() + parent.first_slot, parent.count).normalized();
      const Load passed = sums.Answer(n, {s, Vector3d::Zero()}, a.data());
      passage.s = VecOf(s);
      passage.inverse_D = s.dot(a[0]);
      passage.V_n = VecOf(-passed.moment), passage.V_f = VecOf(s - passed.force);
      break;
    }
    case JointType::kFree: {
      const Rotation rotation(x, node.count);
      Matrix6d inverse;
      for (int i = 0; i < 6; ++i) {
        sums.Answer(n, Unit(i), a.data());
        inverse.col(i).head<3>() = rotation.Of(a);
        inverse.col(i).tail<3>() = a[0];
      }
      inverse.topLeftCorner<3, 3>() += rotation.Unknown(compliance);
      SetFreePassage(inverse.ldlt().solve(Matrix6d::Identity()), passage);
      break;
    }
    case JointType::kFixed:
    case JointType::kDistance:
    case JointType::kUniversal:
    case JointType::kCylindrical:
    case JointType::kPlanar: break;  // merged, of loops only, or on single axes
  }
}

}  // namespace mbsbench::equivalent_particles
