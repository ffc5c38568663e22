// x = (displacement, small rotation) and w = (velocity, angular velocity) of all bodies, changes from the steady motion, in
// axes that turn at Omega, where components have constant coefficients:
//
//   x' = w + W x,                        W = -Omega x  of a displacement,  (omega_b - Omega) x  of a rotation   (1)
//   M (w' + Omega x w) + C w + K x + G' nu = 0                                                                   (2)
//   G x = 0                                                                                                      (3)
//
// K: derivative of inertia forces, applied forces and G' lambda by x, at fixed accelerations and multipliers lambda;
// C: derivative of inertia and applied forces by w; nu: change of lambda. A driver is a row of G. With x = Z s, G Z = 0:
//
//   Z'M Z s'' + Z'(M (Omega x - W) + C) Z s' + Z'(K - (M Omega x + C) W) Z s = 0                                 (4)
//
// (1) to (3) have 12 n + m unknowns for m rows, and as many infinite eigenvalues as 3 m: three for each row at position level.
#include "harness/linearise/routes.h"

#include <Eigen/QR>
#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "problems/model/eigen.h"
#include "reference/maximal_coordinates/forces.h"

namespace mbsbench {

using namespace extended;

namespace {

using Eigen::Index;
using Dense = Eigen::MatrixXd;

constexpr double kDifference = 1e-10;  // of central differences in 113 bits [L, rad, L/T, 1/T]

struct AbsoluteEquations {
  Dense mass, damping, stiffness, closure;  // M, C, K, G
  Dense spin, turn;                         // W, Omega x
};

class Linearised {
 public:
  explicit Linearised(const SteadyMotion& steady)
      : steady_(steady),
        system_(*steady.system),
        motion_(steady.motion),
        rotations_(RotationsOf(motion_)) {
    const auto n = static_cast<Index>(6 * motion_.size());
    for (Dense* m : {&out_.mass, &out_.damping, &out_.stiffness, &out_.spin, &out_.turn})
      m->setZero(n, n);
    for (std::size_t b = 0; b < motion_.size(); ++b) Inertia(b);
    for (std::size_t b = 0; b < motion_.size(); ++b) Forces(b);
    for (std::size_t j = 0; j < system_.joints.size(); ++j) {
      const std::size_t count = RowsOf(system_.joints[j], motion_, rotations_).count;
      std::vector<std::size_t> all;
      for (std::size_t i = 0; i < count; ++i) all.push_back(i);
      Add(system_.joints[j], steady.dynamics.multipliers[j], all);
    }
    for (std::size_t j = 0; j < system_.loop_joints.size(); ++j) {
      std::vector<std::size_t> kept;
      for (const LoopRow& row : steady.loop_rows) {
        if (row.joint == j) kept.push_back(row.row);
      }
      Add(system_.loop_joints[j], steady.dynamics.loop_multipliers[j], kept);
    }
    out_.closure.setZero(static_cast<Index>(closure_.size()), n);
    for (std::size_t i = 0; i < closure_.size(); ++i) {
      for (const auto& [column, value] : closure_[i])
        out_.closure(static_cast<Index>(i), column) += value;
    }
  }
  const AbsoluteEquations& equations() const { return out_; }

 private:
  // Calls use(+-) with the body moved by +-h along component k of x (k < 6) or of w, and returns use(+) - use(-) over 2 h.
  template <class Use>
  Eigen::VectorXd Derivative(std::size_t b, std::size_t k, const Use& use) {
    const BodyMotion held = motion_[b];
    const Mat3 rotation = rotations_[b];
    const Real h = Real(kDifference) * (k % 6 < 3 ? steady_.scales.length : Real(1));
    const auto at = [&](Real change) {
      BodyMotion& body = motion_[b];
      Vec3 e;
      (k % 3 == 0 ? e.x : k % 3 == 1 ? e.y : e.z) = change;
      switch (k / 3) {
        case 0: body.position = held.position + e; break;
        case 1:
          body.orientation = Normalised(Quat{1, e.x / 2, e.y / 2, e.z / 2} * held.orientation);
          break;
        case 2: body.velocity = held.velocity + e; break;
        default: body.angular_velocity = held.angular_velocity + e;
      }
      rotations_[b] = RotationOf(body.orientation);
      auto result = use();
      motion_[b] = held, rotations_[b] = rotation;
      return result;
    };
    const auto plus = at(h), minus = at(-h);
    Eigen::VectorXd derivative(static_cast<Index>(plus.size()));
    for (std::size_t i = 0; i < plus.size(); ++i)
      derivative[static_cast<Index>(i)] = static_cast<double>((plus[i] - minus[i]) / (2 * h));
    return derivative;
  }
  // The matrix and the column to which component k of a body belongs.
  Dense& MatrixOf(std::size_t k) { return k < 6 ? out_.stiffness : out_.damping; }
  static Index Row(std::size_t b, std::size_t k) { return static_cast<Index>(6 * b + k % 6); }

  // J alpha + omega x J omega about the mass centre.
  Vec3 Moment(std::size_t b, const Vec3& alpha) const {
    const Mat3& r = rotations_[b];
    const Vec3 omega = TransposeTimes(r, motion_[b].angular_velocity);
    const Mat3& inertia = system_.bodies[b].inertia;
    return r * (inertia * TransposeTimes(r, alpha) + Cross(omega, inertia * omega));
  }

  void Inertia(std::size_t b) {
    const Vec6& a = steady_.dynamics.accelerations[b];
    const Vec3 alpha{a[3], a[4], a[5]}, omega = motion_[b].angular_velocity;
    for (std::size_t k = 3; k < 12; ++k) {
      MatrixOf(k).block<3, 1>(Row(b, 3), Row(b, k)) += Derivative(b, k, [&] {
        const Vec3 m = Moment(b, alpha);
        return std::array{m.x, m.y, m.z};
      });
    }
    const auto put = [&](Dense& to, std::size_t first, std::size_t column, const Vec3& v) {
      to.block<3, 1>(Row(b, first), Row(b, column)) = ToEigen(Round(v));
    };
    const Mat3& r = rotations_[b];
    constexpr Vec3 kAxes[] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (std::size_t k = 0; k < 3; ++k) {
      const Vec3& e = kAxes[k];
      put(out_.mass, 0, k, system_.bodies[b].mass * e);
      put(out_.mass, 3, 3 + k, r * (system_.bodies[b].inertia * TransposeTimes(r, e)));
      put(out_.turn, 0, k, Cross(steady_.turn, e));
      put(out_.turn, 3, 3 + k, Cross(steady_.turn, e));
      put(out_.spin, 0, k, -Cross(steady_.turn, e));
      put(out_.spin, 3, 3 + k, Cross(omega - steady_.turn, e));
    }
  }

  void Forces(std::size_t b) {
    for (std::size_t k = 0; k < 12; ++k) {
      MatrixOf(k).col(Row(b, k)) -= Derivative(b, k, [&] {
        std::vector<Real> all;
        for (const Wrench& w : ForcesOn(system_, motion_, rotations_, steady_.spring_angles))
          all.insert(all.end(),
                     {w.force.x, w.force.y, w.force.z, w.moment.x, w.moment.y, w.moment.z});
        return all;
      });
    }
  }

  // Kept rows of a joint: their part of G, and of K the derivative of G' lambda.
  void Add(const JointData& joint, const Vec6& lambda, const std::vector<std::size_t>& kept) {
    const JointRows rows = RowsOf(joint, motion_, rotations_);
    for (std::size_t i : kept) {
      auto& row = closure_.emplace_back();
      for (std::size_t k = 0; k < 6; ++k) {
        row.emplace_back(Row(static_cast<std::size_t>(joint.child), k),
                         static_cast<double>(rows.on_child[i][k]));
        if (joint.parent != kGround)
          row.emplace_back(Row(static_cast<std::size_t>(joint.parent), k),
                           static_cast<double>(rows.on_parent[i][k]));
      }
    }
    for (int moved : {joint.child, joint.parent}) {
      if (moved == kGround) continue;
      const auto b = static_cast<std::size_t>(moved);
      for (std::size_t k = 0; k < 6; ++k) {
        const Eigen::VectorXd d = Derivative(b, k, [&] {
          const JointRows at = RowsOf(joint, motion_, rotations_);
          std::array<Real, 12> force{};  // G' lambda on child and parent
          for (std::size_t i : kept) {
            for (std::size_t c = 0; c < 6; ++c) {
              force[c] += at.on_child[i][c] * lambda[i];
              force[6 + c] += at.on_parent[i][c] * lambda[i];
            }
          }
          return force;
        });
        auto column = out_.stiffness.col(Row(b, k));
        column.segment<6>(6 * joint.child) += d.head<6>();
        if (joint.parent != kGround) column.segment<6>(6 * joint.parent) += d.tail<6>();
      }
    }
  }

  const SteadyMotion& steady_;
  const SystemData& system_;
  Motion motion_;
  std::vector<Mat3> rotations_;
  std::vector<std::vector<std::pair<Index, double>>> closure_;
  AbsoluteEquations out_;
};

// s'' = ... as E (s, s')' = A (s, s').
Spectrum Quadratic(const Dense& mass, const Dense& damping, const Dense& stiffness, double rate) {
  const Index f = mass.rows();
  Dense e = Dense::Identity(2 * f, 2 * f), a = Dense::Zero(2 * f, 2 * f);
  e.bottomRightCorner(f, f) = mass;
  a.topRightCorner(f, f).setIdentity();
  a.bottomLeftCorner(f, f) = -stiffness, a.bottomRightCorner(f, f) = -damping;
  return SpectrumOf(std::move(e), std::move(a), rate);
}

RouteResult ByCoordinates(const SteadyMotion& steady) {
  Dense a = ReducedMatrix(steady, steady.y), e = Dense::Identity(a.rows(), a.cols());
  return {Route::kReduced, static_cast<int>(a.rows()), 0,
          SpectrumOf(std::move(e), std::move(a), steady.rate)};
}

RouteResult ByNullSpace(const AbsoluteEquations& q, double rate) {
  const Index n = q.mass.rows(), m = q.closure.rows();
  Dense z = Dense::Identity(n, n);
  if (m > 0)
    z = Eigen::HouseholderQR<Dense>(q.closure.transpose()).householderQ() * z;  // [range of G', Z]
  const Dense Z = z.rightCols(n - m);
  const auto on = [&](const Dense& full) { return Dense(Z.transpose() * (full * Z)); };
  const Dense velocity = q.mass * q.turn + q.damping;
  return {Route::kNullSpace, static_cast<int>(2 * (n - m)), 0,
          Quadratic(on(q.mass), on(velocity - q.mass * q.spin), on(q.stiffness - velocity * q.spin),
                    rate)};
}

RouteResult ByPencil(const AbsoluteEquations& q, double rate) {
  const Index n = q.mass.rows(), m = q.closure.rows(), size = 2 * n + m;
  Dense e = Dense::Zero(size, size), a = e;
  e.topLeftCorner(n, n).setIdentity();
  e.block(n, n, n, n) = q.mass;
  a.topLeftCorner(n, n) = q.spin;
  a.block(0, n, n, n).setIdentity();
  a.block(n, 0, n, n) = -q.stiffness;
  a.block(n, n, n, n) = -(q.mass * q.turn + q.damping);
  a.block(n, 2 * n, n, m) = -q.closure.transpose();
  a.bottomLeftCorner(m, n) = q.closure;
  return {Route::kPencil, static_cast<int>(size), static_cast<int>(3 * m),
          SpectrumOf(std::move(e), std::move(a), rate)};
}

}  // namespace

std::string_view Name(Route route) {
  constexpr std::string_view kNames[] = {"reduced", "null-space", "pencil"};
  return kNames[static_cast<std::size_t>(route)];
}

std::vector<RouteResult> EigenvaluesBy(const std::vector<Route>& routes,
                                       const SteadyMotion& steady) {
  std::optional<Linearised> absolute;  // of two routes
  std::vector<RouteResult> results;
  for (const Route route : routes) {
    if (route == Route::kReduced) {
      results.push_back(ByCoordinates(steady));
      continue;
    }
    if (!absolute) absolute.emplace(steady);
    const auto by = route == Route::kNullSpace ? ByNullSpace : ByPencil;
    results.push_back(by(absolute->equations(), steady.rate));
  }
  return results;
}

double LargestDifference(const std::vector<RouteResult>& results) {
  double worst = 0;
  for (const RouteResult& one : results)
    worst = std::max(worst, Difference(results.front().spectrum, one.spectrum));
  return worst;
}

bool AreComplete(const std::vector<RouteResult>& results) {
  return std::ranges::all_of(
      results, [](const RouteResult& one) { return one.spectrum.infinite == one.infinite; });
}

}  // namespace mbsbench
