#include "reference/redundancy.h"

#include <Eigen/SVD>
#include <algorithm>
#include <cmath>
#include <utility>

#include "problems/model/validation.h"
#include "reference/numerics/elimination.h"
#include "reference/system/constraints.h"
#include "reference/system/independent_rows.h"
#include "reference/system/initial_motion.h"

namespace mbsbench {

namespace extended {

namespace {

constexpr int kMostDenseRows = 400;
// A smaller pivot, of the largest one, and a smaller change of a component, of the largest one by the same multipliers, come from the
// rounding of the data.
constexpr double kRedundantPivot = 1e-9;
// The least joint wrenches in N and N m and those in N and N mm differ by less where they are the same.
constexpr double kSameInBothUnits = 1e-8;
constexpr double kLeastOfGram = 1e-25;
constexpr double kMillimetres = 1e3;
// A smaller multiplier, of the largest one, is the round-off of reactions.
constexpr double kNoMultiplier = 1e-10;

// "force x"; empty for the row of a driver, which is no reaction.
std::string NameOfRow(const JointData& joint, const JointRows& rows, std::size_t i) {
  const std::size_t reacting = rows.count - (rows.driven ? 1 : 0);
  if (i >= reacting) return "";
  if (joint.type == JointType::kDistance) return "force along its rod";
  std::size_t lengths = 0;
  while (lengths < reacting && IsLength(rows, lengths)) ++lengths;
  const auto axis = [](const char* of, char name) {
    return std::string(of) + name + " of its frame";
  };
  if (i < lengths) {
    if (lengths == 3) return std::string("force ") + "xyz"[i];
    return axis("force along ", lengths == 2 ? "xy"[i] : 'z');
  }
  // An axis of the child is perpendicular to one of the parent: z to x, z to y, x to y.
  return reacting - lengths == 1 ? "moment across its axes"
                                 : axis("moment about ", "yxz"[i - lengths]);
}

// 'U' where no free wrench has the component, 'D' where a change of units changes it, else 'N'.
std::string LettersOf(const std::vector<Vec6>& free, const std::vector<Vec6>& changes,
                      double no_change) {
  const auto has = [](const std::vector<Vec6>& wrenches, std::size_t k, double more_than) {
    return std::ranges::any_of(wrenches, [&](const Vec6& w) { return Abs(w[k]) > more_than; });
  };
  std::string letters;
  for (std::size_t k = 0; k < 6; ++k)
    letters += !has(free, k, no_change) ? 'U' : has(changes, k, kSameInBothUnits) ? 'D' : 'N';
  return letters;
}

// Wrenches have moments divided by the length of the longest arm.
class DenseRows {
 public:
  explicit DenseRows(const System& system) : data_(system) {
    for (const auto* list : {&data_.joints, &data_.loop_joints}) {
      for (const JointData& joint : *list) {
        length_ = Max(length_, Norm(joint.on_child.position));
        if (joint.parent != kGround) length_ = Max(length_, Norm(joint.on_parent.position));
        joints_.push_back(&joint);
      }
    }
    if (IsZero(length_)) length_ = 1;
    no_change_ = std::max(kRedundantPivot, RoundingOf(data_));
  }
  DenseRows(const System& system, const JointState& joints) : DenseRows(system) {
    MoveTo(MotionOf(data_, Extend(joints)));
  }

  void MoveTo(Motion motion) {
    motion_ = std::move(motion);
    rotations_ = RotationsOf(motion_);
    rows_.clear();
  }

  RankOnPath Rank(double time) {
    const Matrix transposed = Transposed();
    const auto index = [](std::size_t i) { return static_cast<Eigen::Index>(i); };
    Eigen::MatrixXd rounded(index(transposed.rows()), index(transposed.columns()));
    for (std::size_t i = 0; i < transposed.rows(); ++i) {
      for (std::size_t j = 0; j < transposed.columns(); ++j)
        rounded(index(i), index(j)) = static_cast<double>(transposed(i, j));
    }
    const Eigen::VectorXd sizes = Eigen::BDCSVD<Eigen::MatrixXd>(rounded).singularValues();
    RankOnPath at{.time = time};
    while (at.rank < sizes.size() && sizes[at.rank] > no_change_ * sizes[0]) ++at.rank;
    if (at.rank == 0) return at;
    at.least = sizes[at.rank - 1] / sizes[0];
    at.gap = at.rank < sizes.size() ? sizes[at.rank - 1] / sizes[at.rank] : INFINITY;
    return at;
  }

  std::vector<std::vector<std::string>> Dropped(const std::vector<ReferenceReaction>& reactions) {
    const std::vector<std::vector<Real>> free = Elimination(Transposed(), no_change_).NullSpace();
    const std::vector<Real> multipliers = MultipliersOf(reactions);
    Real largest = 0;
    for (const Real x : multipliers) largest = Max(largest, Abs(x));
    std::vector<std::vector<std::string>> names(joints_.size());
    std::size_t dropped = 0;
    for (std::size_t r = 0; r < rows_.size(); ++r) {
      const bool is_free = std::ranges::any_of(
          free, [&](const std::vector<Real>& vector) { return Abs(vector[r]) > no_change_; });
      if (!is_free || rows_[r].name.empty() || Abs(multipliers[r]) > kNoMultiplier * largest)
        continue;
      names[rows_[r].joint].push_back(rows_[r].name);
      ++dropped;
    }
    if (dropped != free.size()) names.clear();
    return names;
  }

  Redundancy Test() {
    const Elimination elimination(Transposed(), no_change_);
    for (const std::vector<Real>& multipliers : elimination.NullSpace()) AddFree(multipliers);
    Redundancy result{.rows = static_cast<int>(rows_.size()),
                      .rank = static_cast<int>(elimination.rank()),
                      .gap = elimination.Gap(),
                      .joints = {}};
    shares_ = LeastShares(length_);
    const std::vector<std::vector<Real>> other = LeastShares(kMillimetres * length_);
    for (std::size_t r = 0; r < shares_.size(); ++r) {
      for (std::size_t a = 0; a < free_.size(); ++a) shares_[r][a] -= other[r][a];
    }
    for (std::size_t j = 0; j < joints_.size(); ++j) result.joints.push_back(OfJoint(j));
    return result;
  }

 private:
  struct Row {
    std::size_t joint;
    std::string name;
    Vec6 wrench;  // by its unit multiplier
  };

  // J' with columns of unit length, a row for each rate (v, L omega) of each body.
  Matrix Transposed() {
    std::vector<std::pair<const JointRows*, std::size_t>> at;
    std::vector<JointRows> of_joints;
    for (const JointData* joint : joints_) of_joints.push_back(RowsOf(*joint, motion_, rotations_));
    for (std::size_t j = 0; j < joints_.size(); ++j) {
      for (std::size_t i = 0; i < of_joints[j].count; ++i) {
        at.emplace_back(&of_joints[j], i);
        rows_.push_back({j, NameOfRow(*joints_[j], of_joints[j], i), {}});
      }
    }
    Matrix transposed(6 * data_.bodies.size(), rows_.size());
    for (std::size_t r = 0; r < rows_.size(); ++r) {
      const JointRows& own = *at[r].first;
      const std::size_t i = at[r].second;
      const JointData& joint = *joints_[rows_[r].joint];
      Real square = 0;
      const auto visit = [&](const auto& entry) {
        for (const auto& [body, g] :
             {std::pair{joint.parent, &own.on_parent[i]}, {joint.child, &own.on_child[i]}}) {
          for (std::size_t k = 0; k < 6 && body != kGround; ++k) {
            entry(transposed(6 * static_cast<std::size_t>(body) + k, r),
                  k < 3 ? (*g)[k] : (*g)[k] / length_);
          }
        }
      };
      visit([&](Real&, Real x) { square += x * x; });
      const Real size = Sqrt(square);
      visit([&](Real& entry, Real x) { entry = x / size; });
      Vec6 multipliers{};
      multipliers[i] = 1 / size;
      rows_[r].wrench = WrenchOnChild(joint, own, motion_, rotations_, multipliers);
      for (std::size_t k = 3; k < 6; ++k) rows_[r].wrench[k] = rows_[r].wrench[k] / length_;
    }
    return transposed;
  }

  // Those of all rows; 0 for drivers.
  std::vector<Real> MultipliersOf(const std::vector<ReferenceReaction>& reactions) const {
    std::vector<Real> multipliers(rows_.size());
    for (std::size_t first = 0, end = 0; first < rows_.size(); first = end) {
      const std::size_t joint = rows_[first].joint;
      while (end < rows_.size() && rows_[end].joint == joint) ++end;
      const Vector3 &f = reactions[joint].force, &m = reactions[joint].torque;
      const Vec6 wrench{f.x, f.y, f.z, m.x / length_, m.y / length_, m.z / length_};
      const auto product = [](const Vec6& a, const Vec6& b) {
        Real sum = 0;
        for (std::size_t k = 0; k < 6; ++k) sum += a[k] * b[k];
        return sum;
      };
      Matrix gram(end - first, end - first);
      std::vector<Real> right;
      for (std::size_t i = first; i < end; ++i) {
        for (std::size_t j = first; j < end; ++j)
          gram(i - first, j - first) = product(rows_[i].wrench, rows_[j].wrench);
        right.push_back(product(rows_[i].wrench, wrench));
      }
      std::ranges::copy(PivotedCholesky(std::move(gram), kLeastOfGram, 0).Solve(right),
                        multipliers.begin() + static_cast<std::ptrdiff_t>(first));
    }
    return multipliers;
  }

  // The wrenches of all joints by multipliers that move nothing, the largest component 1.
  void AddFree(const std::vector<Real>& multipliers) {
    std::vector<Vec6> wrenches(joints_.size());
    Real largest = 0;
    for (std::size_t r = 0; r < rows_.size(); ++r) {
      for (std::size_t k = 0; k < 6; ++k)
        wrenches[rows_[r].joint][k] += multipliers[r] * rows_[r].wrench[k];
    }
    for (const Vec6& w : wrenches) {
      for (const Real x : w) largest = Max(largest, Abs(x));
    }
    if (IsZero(largest)) return;  // of drivers alone
    for (Vec6& w : wrenches) {
      for (Real& x : w) x = x / largest;
    }
    free_.push_back(std::move(wrenches));
  }

  // For the wrench u of each row, (F' F)^-1 F' u: what the choice of the least joint wrenches subtracts of each free one, moments
  // multiplied by `arm`.
  std::vector<std::vector<Real>> LeastShares(Real arm) const {
    const auto product = [&](const Vec6& a, const Vec6& b) {
      return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] +
             arm * arm * (a[3] * b[3] + a[4] * b[4] + a[5] * b[5]);
    };
    Matrix gram(free_.size(), free_.size());
    for (std::size_t a = 0; a < free_.size(); ++a) {
      for (std::size_t b = 0; b < free_.size(); ++b) {
        for (std::size_t j = 0; j < joints_.size(); ++j)
          gram(a, b) += product(free_[a][j], free_[b][j]);
      }
    }
    const PivotedCholesky factor(std::move(gram), kLeastOfGram, 0);
    std::vector<std::vector<Real>> shares;
    for (const Row& row : rows_) {
      std::vector<Real> right;
      for (const auto& wrenches : free_) right.push_back(product(wrenches[row.joint], row.wrench));
      shares.push_back(factor.Solve(right));
    }
    return shares;
  }

  JointRedundancy OfJoint(std::size_t j) const {
    const JointData& joint = *joints_[j];
    std::vector<Vec6> free, changes;
    for (const auto& wrenches : free_) free.push_back(wrenches[j]);
    for (const std::vector<Real>& share : shares_) {
      Vec6& change = changes.emplace_back();
      for (std::size_t a = 0; a < free.size(); ++a) {
        for (std::size_t k = 0; k < 6; ++k) change[k] += share[a] * free[a][k];
      }
    }
    JointRedundancy result{.classes = LettersOf(free, changes, no_change_),
                           .in_joint_axes = "",
                           .undetermined = Dimension(free)};
    const auto turn = [&](std::vector<Vec6>& wrenches) {
      const auto axis = [&](const Vec3& of_frame) {
        return Direction(of_frame, joint.child, rotations_);
      };
      const FrameData& frame = joint.on_child;
      const Vec3 x = axis(frame.x), y = axis(frame.y), z = axis(frame.z);
      for (Vec6& w : wrenches) {
        const Vec3 force{w[0], w[1], w[2]}, moment{w[3], w[4], w[5]};
        w = {Dot(x, force),  Dot(y, force),  Dot(z, force),
             Dot(x, moment), Dot(y, moment), Dot(z, moment)};
      }
    };
    turn(free);
    turn(changes);
    result.in_joint_axes = LettersOf(free, changes, no_change_);
    return result;
  }

  int Dimension(const std::vector<Vec6>& free) const {
    Matrix components(6, free.size());
    for (std::size_t a = 0; a < free.size(); ++a) {
      for (std::size_t k = 0; k < 6; ++k) {
        if (Abs(free[a][k]) > no_change_) components(k, a) = free[a][k];
      }
    }
    return static_cast<int>(Elimination(std::move(components), no_change_).rank());
  }

  SystemData data_;
  Motion motion_;
  std::vector<Mat3> rotations_;
  std::vector<const JointData*> joints_;  // tree joints, then loop joints
  Real length_ = 0;
  double no_change_ = 0;
  std::vector<Row> rows_;
  std::vector<std::vector<Vec6>> free_;    // F: wrenches of the joints, per vector of N
  std::vector<std::vector<Real>> shares_;  // per row; the difference between both units
};

}  // namespace

}  // namespace extended

bool IsTestedForRedundancy(const System& system) {
  if (system.loop_joints.empty()) return false;
  auto rows = static_cast<int>(system.drivers.size());
  for (const auto* joints : {&system.joints, &system.loop_joints}) {
    for (const Joint& joint : *joints) rows += ConstraintCount(joint.type);
  }
  return rows <= extended::kMostDenseRows;
}

Redundancy RedundancyOf(const System& system, const JointState& joints) {
  Validate(system, joints);
  return extended::DenseRows(system, joints).Test();
}

std::vector<std::vector<std::string>> DroppedRows(const System& system, const JointState& joints,
                                                  const std::vector<ReferenceReaction>& reactions) {
  Validate(system, joints);
  return extended::DenseRows(system, joints).Dropped(reactions);
}

namespace {

bool HasInertiaAboutAllAxes(const Body& body) {
  const auto& [xx, xy, xz, yy, yz, zz] = body.inertia.entries;
  const double size = (xx + yy + zz) / 3,
               determinant =
                   xx * (yy * zz - yz * yz) - xy * (xy * zz - yz * xz) + xz * (xy * yz - yy * xz);
  return !body.is_point && determinant > 1e-9 * size * size * size;
}

}  // namespace

System GenerallyLoaded(System system) {
  double weight = 0;  // of the heaviest body [N]
  for (const Body& body : system.bodies) weight = std::max(weight, 9.81 * body.mass);
  double phase = 0;
  const auto general = [&phase](double size) {
    const auto component = [&] { return size * std::sin(++phase); };
    const double x = component(), y = component(), z = component();
    return Vector3{x, y, z};
  };
  for (std::size_t b = 0; b < system.bodies.size(); ++b) {
    const Body& body = system.bodies[b];
    if (body.mass == 0) continue;
    system.forces.Of<AppliedForce>().push_back(
        {.name = "general load " + std::to_string(b),
         .body = static_cast<int>(b),
         .point = {},
         .force = general(weight),
         .moment = general(HasInertiaAboutAllAxes(body) ? weight : 0),
         .in_body_axes = false});
  }
  return system;
}

RankOnPath RankAt(const System& system, const JointState& joints) {
  Validate(system, joints);
  return extended::DenseRows(system, joints).Rank(0);
}

std::vector<RankOnPath> RanksAlong(const System& system, const Reference& reference) {
  std::vector<RankOnPath> ranks;
  if (reference.bodies.size() != system.bodies.size()) return ranks;
  extended::DenseRows rows(system);
  for (const ReferenceSample& sample : reference.samples) {
    extended::Motion motion(system.bodies.size());
    for (std::size_t i = 0; i < sample.bodies.size(); ++i) {
      extended::BodyMotion& body = motion[static_cast<std::size_t>(reference.bodies[i])];
      body.position = extended::Extend(sample.bodies[i].position);
      body.orientation = extended::Extend(sample.bodies[i].orientation);
    }
    rows.MoveTo(std::move(motion));
    ranks.push_back(rows.Rank(sample.time));
  }
  return ranks;
}

}  // namespace mbsbench
