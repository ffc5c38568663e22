#include "reference/system/independent_rows.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <string>

#include "problems/model/error.h"
#include "problems/model/kinematics.h"
#include "problems/model/sparse_loop_rows.h"
#include "reference/numerics/dense.h"

namespace mbsbench::extended {

namespace {

// Error of an entry: last places of a double, accumulated over frames.
constexpr double kKnownTo = 8 * 1.1e-16;
double KnownToOf(const SystemData& system) { return std::max(kKnownTo, RoundingOf(system)); }
// A held row is preferred to one with a remainder up to this many times as large.
constexpr double kHeld = 10;
// In units of (2): above this no other row needs to be examined.
constexpr double kPlainlyIndependent = 1e6;
// For an estimate in double precision: a smaller singular value may be round-off, and only a tenth of a larger one is
// certain.
constexpr double kLeastSingularValue = 1e-6, kSure = 0.1;

// The motion of a tree joint's subtree by one rate.
struct RateMotion {
  std::size_t body;  // the joint's child
  bool turns;
  Vec3 axis, point;
};

std::vector<RateMotion> FreeRates(const SystemData& system, const Motion& motion,
                                  const std::vector<Mat3>& rotations) {
  std::vector<RateMotion> rates;
  for (const JointData& joint : system.joints) {
    if (joint.driven) continue;
    const auto child = static_cast<std::size_t>(joint.child);
    const Vec3 point =
        MotionOfPoint(joint.on_child.position, joint.child, motion, rotations).position;
    const auto add = [&](bool turns, const Vec3& axis) {
      rates.push_back({child, turns, axis, point});
    };
    const auto along = [](const FrameData& frame, int axis) {
      return axis == 0 ? frame.x : axis == 1 ? frame.y : frame.z;
    };
    bool has_turned = false;
    for (const JointAxis& one : AxesOf(joint.type)) {
      // The first turn is about an axis of the parent, a second one about an axis of the child.
      add(one.turns, has_turned
                         ? Direction(along(joint.on_child, one.axis), joint.child, rotations)
                         : Direction(along(joint.on_parent, one.axis), joint.parent, rotations));
      has_turned = has_turned || one.turns;
    }
    if (TurnsFreely(joint.type)) {
      for (int axis = 0; axis < 3; ++axis)
        add(true, Direction(along(joint.on_child, axis), joint.child, rotations));
    }
  }
  return rates;
}

// Per body, the bodies between it and the ground, itself among them.
std::vector<std::vector<bool>> PathsOf(const SystemData& system) {
  const std::size_t n = system.bodies.size();
  std::vector<std::vector<bool>> paths(n, std::vector<bool>(n));
  for (int body : system.tree.order) {
    const auto b = static_cast<std::size_t>(body);
    const int parent = system.joints[static_cast<std::size_t>(system.tree.joint[b])].parent;
    if (parent != kGround) paths[b] = paths[static_cast<std::size_t>(parent)];
    paths[b][b] = true;
  }
  return paths;
}

// Calls use(joint) for all tree joints around the loop that a loop joint closes.
template <class Use>
void ForJointsAround(const SystemData& system, const std::vector<std::vector<bool>>& paths,
                     const JointData& loop, const Use& use) {
  for (const JointData& joint : system.joints) {
    const auto child = static_cast<std::size_t>(joint.child);
    const auto is_on = [&](int body) {
      return body != kGround && paths[static_cast<std::size_t>(body)][child];
    };
    if (is_on(loop.child) != is_on(loop.parent)) use(joint);
  }
}

// Sum of all arms around the loop that a loop joint closes.
Real LengthAround(const SystemData& system, const std::vector<std::vector<bool>>& paths,
                  const JointData& loop) {
  Real length = Norm(loop.on_parent.position) + Norm(loop.on_child.position) + loop.length;
  ForJointsAround(system, paths, loop, [&](const JointData& joint) {
    length += Norm(joint.on_parent.position) + Norm(joint.on_child.position);
  });
  return length;
}

// The arms of a distance joint's row are as long as the loop, which limits the accuracy of its direction.
Real Magnified(const JointData& joint, Real length_around) {
  return joint.type == JointType::kDistance ? 1 + length_around / joint.length : 1;
}

struct Row {
  LoopRow at;
  std::vector<Real> entries, known_to;
  Real size;                // of a row of the joint [m; rad] that is one unit of `entries`
  std::vector<Real> left;   // rho
  std::vector<Real> along;  // its components along the orthonormal rows kept
};

Real Product(const std::vector<Real>& a, const std::vector<Real>& b) {
  Real sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (!IsZero(a[i]) && !IsZero(b[i])) sum += a[i] * b[i];
  }
  return sum;
}

std::vector<Row> RowsOverRates(const SystemData& system, const Motion& motion,
                               const std::vector<Mat3>& rotations,
                               const std::vector<JointRows>& loop_rows) {
  const std::vector<RateMotion> rates = FreeRates(system, motion, rotations);
  const std::vector<std::vector<bool>> paths = PathsOf(system);
  std::vector<Real> lengths;
  Real longest = 0;
  for (const JointData& loop : system.loop_joints) {
    lengths.push_back(LengthAround(system, paths, loop));
    longest = Max(longest, lengths.back());
  }
  const double known_to = KnownToOf(system);
  std::vector<Row> rows;
  for (std::size_t j = 0; j < loop_rows.size(); ++j) {
    const JointData& joint = system.loop_joints[j];
    for (std::size_t i = 0; i < loop_rows[j].count; ++i) {
      Row row{{j, i}, std::vector<Real>(rates.size()), std::vector<Real>(rates.size()), 0, {}, {}};
      const Vec6& g = loop_rows[j].on_child[i];
      const bool is_length = IsLength(loop_rows[j], i);
      const Real magnified = Magnified(joint, lengths[j]);
      const Real unit = is_length && !IsZero(lengths[j]) ? lengths[j] : Real(1);
      for (std::size_t k = 0; k < rates.size(); ++k) {
        const RateMotion& rate = rates[k];
        const auto moves = [&](int body) {
          return body != kGround && paths[static_cast<std::size_t>(body)][rate.body];
        };
        if (moves(joint.child) == moves(joint.parent)) continue;
        const bool on_child = moves(joint.child);
        const auto b = static_cast<std::size_t>(on_child ? joint.child : joint.parent);
        const Vec6& row_of_body = on_child ? g : loop_rows[j].on_parent[i];
        const Vec3 force{row_of_body[0], row_of_body[1], row_of_body[2]};
        const Vec3 moment{row_of_body[3], row_of_body[4], row_of_body[5]};
        const Vec3 velocity =
            rate.turns ? Cross(rate.axis, motion[b].position - rate.point) : rate.axis;
        Real entry = Dot(force, velocity);
        if (rate.turns) entry += Dot(moment, rate.axis);
        Real scale = 1 / unit;
        if (!rate.turns) scale *= IsZero(longest) ? Real(1) : longest;
        row.entries[k] = scale * entry;
        if (is_length || rate.turns)
          row.known_to[k] = known_to * magnified * (rate.turns ? Real(1) : scale);
      }
      const Real norm = Sqrt(Product(row.entries, row.entries));
      row.size = norm * unit;
      if (!IsZero(norm)) {
        for (Real& entry : row.entries) entry = entry / norm;
        for (Real& error : row.known_to) error = error / norm;
      }
      row.left = row.entries;
      rows.push_back(std::move(row));
    }
  }
  return rows;
}

// 0: driven.
std::vector<double> UnitsOfRates(const SystemData& system, double longest) {
  std::vector<double> units;
  for (const JointData& joint : system.joints) {
    for (int k = 0; k < RateCount(joint.type); ++k)
      units.push_back(joint.driven ? 0 : IsLength(joint.type, k) && longest > 0 ? longest : 1);
  }
  return units;
}

}  // namespace

bool ArePlainlyIndependent(const SystemData& system, const Motion& motion, double least_kept) {
  const JointState joints = JointStateOf(system.model, Round(motion));
  auto rows = std::make_unique<SparseLoopRows>(system.model, joints, UnitsOfRates(system, 1));
  const double longest = *std::max_element(rows->sizes().begin(), rows->sizes().end());
  if (std::ranges::any_of(rows->rows(), [](const auto& row) { return row.slides > 0; }))
    rows = std::make_unique<SparseLoopRows>(system.model, joints, UnitsOfRates(system, longest));
  std::vector<double> units;
  double square = 0;  // sum |e_k|^2
  for (const SparseLoopRows::Row& row : rows->rows()) {
    if (!(row.length > 0)) return false;
    units.push_back(1 / row.length);
    const JointData& joint = system.loop_joints[row.joint];
    const double size = rows->sizes()[row.joint];
    const double magnified =
        joint.type == JointType::kDistance ? 1 + size / static_cast<double>(joint.length) : 1;
    const double turn = row.is_length ? size : 1, slide = row.is_length ? longest : 0;
    const double error = KnownToOf(system) * magnified * units.back();
    square += error * error * (row.turns * turn * turn + row.slides * slide * slide);
  }
  if (!rows->Factorise(units)) return false;
  const double sigma = kSure * rows->LeastSingularValue();
  return sigma > kLeastSingularValue && sigma > least_kept * std::sqrt(square);
}

double RoundingOf(const SystemData& system) {
  return kDependentPerPrecision * system.model.loop_precision;
}

double LeastKnown(const SystemData& system) {
  return system.model.loop_precision > 0 ? kIndependentPerPrecision / kDependentPerPrecision : 1e4;
}

void RequireKnownRank(const SystemData& system, const IndependentRows& independent) {
  if (independent.least_kept < LeastKnown(system)) {
    const std::string rows = "constraints of the loops are so nearly dependent that ";
    throw ModelError(
        rows +
        (RoundingOf(system) > 0
             ? "the stated precision of the loops does not decide whether they count: give their "
               "frames with more digits, and the precision that these have."
             : "the last places of the data decide whether they count: the accelerations are not "
               "known. If their frames are rounded, state their precision (loop_precision, or "
               "loops= of a robot file)."));
  }
}

std::vector<LoopAccuracy> AccuracyOfLoops(const SystemData& system, const Motion& motion,
                                          const std::vector<Mat3>& rotations) {
  const std::vector<std::vector<bool>> paths = PathsOf(system);
  const auto slide = [&](const JointData& joint) {
    return Norm(MotionOfPoint(joint.on_child.position, joint.child, motion, rotations).position -
                MotionOfPoint(joint.on_parent.position, joint.parent, motion, rotations).position);
  };
  std::vector<LoopAccuracy> accuracy;
  for (const JointData& loop : system.loop_joints) {
    const Real arms = LengthAround(system, paths, loop);
    Real length = arms;
    int joints = 1;
    if (loop.type == JointType::kPrismatic) length += slide(loop);
    ForJointsAround(system, paths, loop, [&](const JointData& joint) {
      length += slide(joint);
      ++joints;
    });
    const Real angle = std::max(joints * kKnownTo, RoundingOf(system)) * Magnified(loop, arms);
    accuracy.push_back({angle * length, angle});
  }
  return accuracy;
}

IndependentRows SelectIndependentRows(const SystemData& system, const Motion& motion,
                                      const std::vector<Mat3>& rotations,
                                      const std::vector<JointRows>& loop_rows,
                                      const std::vector<LoopRow>* held) {
  std::vector<Row> rows = RowsOverRates(system, motion, rotations, loop_rows);
  std::vector<Row> kept;
  IndependentRows result{{}, {}, std::numeric_limits<double>::infinity(), 0};
  // w of (1).
  const auto combination = [&](const Row& row) {
    std::vector<Real> w = row.along;
    for (std::size_t k = kept.size(); k-- > 0;) {
      for (std::size_t i = k + 1; i < kept.size(); ++i) w[k] -= kept[i].along[k] * w[i];
      w[k] = w[k] / kept[k].along[k];
    }
    return w;
  };
  // What is left in units of (2).
  const auto significance = [&](const Row& row) {
    const std::vector<Real> w = combination(row);
    Real square = 0;
    for (std::size_t c = 0; c < row.known_to.size(); ++c) {
      Real sum = row.known_to[c];
      for (std::size_t k = 0; k < kept.size(); ++k) sum += Abs(w[k]) * kept[k].known_to[c];
      square += sum * sum;
    }
    return static_cast<double>(Sqrt(Product(row.left, row.left) / square));
  };
  const auto preference = [&](const Row& row) {
    return held != nullptr && std::any_of(held->begin(), held->end(),
                                          [&](const LoopRow& at) { return at == row.at; })
               ? kHeld
               : 1.;
  };
  const std::vector<LoopAccuracy> accuracy = AccuracyOfLoops(system, motion, rotations);
  const auto known_to = [&](const LoopRow& at) {
    return IsLength(loop_rows[at.joint], at.row) ? accuracy[at.joint].length
                                                 : accuracy[at.joint].angle;
  };
  for (const Row& row : rows) {
    if (IsZero(row.size)) result.dropped.push_back({row.at, known_to(row.at)});
  }
  std::erase_if(rows, [](const Row& row) { return IsZero(row.size); });
  while (!rows.empty() && !(held != nullptr && kept.size() == held->size())) {
    // At first by its own errors alone: rows with large remainders give good w.
    auto best = rows.begin();
    Real most = 0;
    for (auto row = rows.begin(); row != rows.end(); ++row) {
      const Real preferred = preference(*row);
      const Real left = preferred * preferred * Product(row->left, row->left) /
                        Product(row->known_to, row->known_to);
      if (left > most) most = left, best = row;
    }
    double units = significance(*best);
    for (auto row = rows.begin(); !(units > kPlainlyIndependent) && row != rows.end(); ++row) {
      const double other = significance(*row);
      if (preference(*row) * other > preference(*best) * units) units = other, best = row;
    }
    if (!(held != nullptr ? most > 0 : units > 1)) {
      result.most_dropped = units;
      break;
    }
    result.least_kept = std::min(result.least_kept, units);
    Row next = std::move(*best);
    rows.erase(best);
    const Real norm = Sqrt(Product(next.left, next.left));
    for (Real& x : next.left) x = x / norm;
    next.along.push_back(norm);
    for (Row& row : rows) {
      Real along = 0;
      for (int pass = 0; pass < 2; ++pass) {  // twice is enough (Kahan)
        const Real more = Product(row.left, next.left);
        along += more;
        for (std::size_t c = 0; c < row.left.size(); ++c) row.left[c] -= more * next.left[c];
      }
      row.along.push_back(along);
    }
    result.rows.push_back(next.at);
    kept.push_back(std::move(next));
  }
  if (held != nullptr && kept.size() < held->size())
    throw ModelError("the loops change their rank: the mechanism passes a singular position.");
  for (const Row& row : rows) {
    const std::vector<Real> w = combination(row);
    Real may_open = known_to(row.at);
    for (std::size_t k = 0; k < kept.size(); ++k)
      may_open += Abs(w[k]) * row.size / kept[k].size * known_to(kept[k].at);
    result.dropped.push_back({row.at, may_open});
  }
  std::sort(result.rows.begin(), result.rows.end(), [](const LoopRow& a, const LoopRow& b) {
    return a.joint != b.joint ? a.joint < b.joint : a.row < b.row;
  });
  return result;
}

}  // namespace mbsbench::extended
