#include "methods/coordinates/step_matrix.h"

#include <algorithm>
#include <utility>

namespace mbsbench::absolute {

StepMatrix::StepMatrix(const BodyDynamics& dynamics, bool keeps_velocities)
    : dynamics_(dynamics), keeps_velocities_(keeps_velocities) {
  for (const Body& body : dynamics.system().bodies) mass_.push_back(body.mass);
  std::vector<MatrixEntry> entries;
  const auto note = [&entries](int row, int column, double) { entries.push_back({row, column}); };
  for (std::size_t b = 0; b < mass_.size(); ++b)
    PutBody(b, 1, Matrix3d::Zero(), Matrix3d::Zero(), note);
  const AbsoluteForces& elements = dynamics.force_elements();
  for (std::size_t k = 0; k < elements.size(); ++k) {
    PutPair(elements.parent(k), elements.child(k), 0, PairMatrix::Zero(), note);
    PutPair(elements.parent(k), elements.child(k), kPose, PairMatrix::Zero(), note);
  }
  const AbsoluteConstraints& joints = dynamics.constraints();
  left_out_.resize(joints.size());
  int n = kPerBody * static_cast<int>(mass_.size());
  const ConstraintJacobian none = ConstraintJacobian::Zero();
  for (std::size_t k = 0; k < joints.size(); ++k) {
    rows_at_.push_back(n);
    sizes_.push_back(joints[k].size());
    PutPair(joints[k].parent(), joints[k].child(), kPose, PairMatrix::Zero(), note);
    PutJoint(k, none, none, none, note);
    n += (keeps_velocities_ ? 2 : 1) * joints[k].size();
  }
  matrix_ = Compress(n, entries);
  values_.resize(matrix_.pattern.row.size());
  x_.resize(At(n));
  lu_ = std::make_unique<SparseLu>(matrix_.pattern.column_start, matrix_.pattern.row);
}

void StepMatrix::Start() {
  left_out_.assign(dynamics_.left_out().begin(), dynamics_.left_out().end());
  pivots_ = Pivots::kNewOrder;
}

void StepMatrix::Begin() {
  std::fill(values_.begin(), values_.end(), 0.0);
  entry_ = 0;
}

void StepMatrix::AddBody(std::size_t b, double m, const Matrix3d& by_spin, const Matrix3d& turn) {
  PutBody(b, m, by_spin, turn, Entries());
}

void StepMatrix::AddElements(double k, double s) {
  const AbsoluteForces& elements = dynamics_.force_elements();
  ForceDerivatives by;
  for (std::size_t i = 0; i < elements.size(); ++i) {
    elements.Differentiate(dynamics_.time(), i, dynamics_.bodies(), by);
    PutPair(elements.parent(i), elements.child(i), 0, -k * by.by_rates, Entries());
    PutPair(elements.parent(i), elements.child(i), kPose, -s * by.by_positions, Entries());
  }
}

void StepMatrix::AddJoint(std::size_t k, const PairMatrix& by_pose, const ConstraintJacobian& rows,
                          const ConstraintJacobian& velocity, const ConstraintJacobian& back) {
  const JointConstraints& joint = dynamics_.constraints()[k];
  PutPair(joint.parent(), joint.child(), kPose, by_pose, Entries());
  PutJoint(k, rows, velocity, back, Entries());
}

Status StepMatrix::Factorise(WorkCounters& counters) {
  ++counters.factorisations;
  const int column = lu_->Factorise(values_, std::exchange(pivots_, Pivots::kKept));
  return column < 0 ? Status{} : SingularAt(column, rows_at_, kPerBody);
}

template <class Put>
void StepMatrix::PutBody(std::size_t b, double m, const Matrix3d& by_spin, const Matrix3d& turn,
                         Put put) const {
  const int at = kPerBody * static_cast<int>(b);
  for (int i = 0; i < 3; ++i) {
    put(at + i, at + i, m * mass_[b]);
    put(at + kPose + i, at + i, -1);
  }
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      put(at + 3 + i, at + 3 + j, by_spin(i, j));
      put(at + kPose + 3 + i, at + 3 + j, -turn(i, j));
    }
  }
  for (int i = 0; i < kRates; ++i) put(at + kPose + i, at + kPose + i, 1);
}

// By V' or by x of both bodies.
template <class Put>
void StepMatrix::PutPair(int parent, int child, int column, const PairMatrix& block,
                         Put put) const {
  for (const auto& [a, row_at] : {std::pair{parent, 0}, std::pair{child, kRates}}) {
    for (const auto& [b, column_at] : {std::pair{parent, 0}, std::pair{child, kRates}}) {
      if (a == kGround || b == kGround) continue;
      for (int i = 0; i < kRates; ++i)
        for (int j = 0; j < kRates; ++j)
          put(kPerBody * a + i, kPerBody * b + column + j, block(row_at + i, column_at + j));
    }
  }
}

template <class Put>
void StepMatrix::PutJoint(std::size_t k, const ConstraintJacobian& rows,
                          const ConstraintJacobian& velocity, const ConstraintJacobian& back,
                          Put put) const {
  const JointConstraints& joint = dynamics_.constraints()[k];
  const int size = joint.size(), at = rows_at_[k];
  const RowSet left_out = left_out_[k];
  for (const auto& [body, first] :
       {std::pair{joint.parent(), 0}, std::pair{joint.child(), kRates}}) {
    if (body == kGround) continue;
    const int rates = kPerBody * body, pose = rates + kPose;
    for (int i = 0; i < size; ++i) {
      const double kept = Holds(left_out, i) ? 0 : 1;
      for (int j = 0; j < kRates; ++j) {
        put(rates + j, at + i, -rows(i, first + j));
        put(at + i, pose + j, kept * rows(i, first + j));
        if (!keeps_velocities_) continue;
        put(pose + j, at + size + i, back(i, first + j));
        put(at + size + i, rates + j, kept * rows(i, first + j));
        put(at + size + i, pose + j, kept * velocity(i, first + j));
      }
    }
  }
  for (int i = 0; i < (keeps_velocities_ ? 2 : 1) * size; ++i)
    put(at + i, at + i, Holds(left_out, i % size) ? 1 : 0);
}

}  // namespace mbsbench::absolute
