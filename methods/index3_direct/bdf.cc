#include "methods/index3_direct/bdf.h"

#include <algorithm>
#include <cmath>

#include "methods/index3_direct/bdf_weights.h"

namespace mbsbench::direct {

namespace {

// These multiply the estimated errors when order and step are chosen, as in Gear's program.
constexpr double kLower = 1.3, kSame = 1.2, kHigher = 1.4;
// These are assumed.
constexpr double kShortest = 0.2, kLongest = 2, kWorthIt = 1.1;

BodyVector RatesOf(const BodyMotion& body) {
  BodyVector V;
  V << body.velocity, body.angular_velocity;
  return V;
}

}  // namespace

Bdf::Bdf(const System& system, bool keeps_velocities, int order)
    : DirectStepper(system, keeps_velocities),
      given_(order),
      times_(kPoints + 1),
      increments_(kPoints + 1, std::vector<BodyVector>(reach_.size(), BodyVector::Zero())),
      velocities_(increments_),
      from_poses_(reach_.size()),
      from_rates_(reach_.size()),
      work_(reach_.size()) {}

// visit(entry of y, multiplier)
template <class Visit>
void Bdf::VisitMultipliers(Visit visit) {
  std::size_t at = motion_size();
  for (std::vector<ConstraintVector>* all : {&lambda_, &second_}) {
    if (all == &second_ && !keeps_velocities_) continue;
    for (std::size_t k = 0; k < joints().size(); ++k)
      for (int i = 0; i < joints()[k].size(); ++i) visit(at++, (*all)[k][i]);
  }
}

Status Bdf::Initialise(double t, const SystemState& state, std::span<double> y) {
  std::fill(y.begin(), y.end(), 0);
  if (const Status status = AbsoluteStepper::Initialise(t, state, y); !status.ok()) return status;
  lambda_ = dynamics_.lambda();
  for (ConstraintVector& mu : second_) mu.setZero();
  VisitMultipliers([y](std::size_t at, double value) { y[at] = value; });
  return {};
}

// The motion at `begin_` moves among the past ones.
void Bdf::PushPast(std::span<double> y, double t) {
  for (std::size_t j = kPoints - 1; j > 0; --j) {
    std::ranges::copy(PastMotion(y, j - 1), PastMotion(y, j).begin());
    PastTime(y, j) = PastTime(y, j - 1);
  }
  std::copy_n(y.begin(), motion_size(), PastMotion(y, 0).begin());
  PastTime(y, 0) = t;
  points_ = std::min(points_ + 1, kPoints);
}

void Bdf::Store(std::span<double> y) {
  PushPast(y, time_);
  dynamics_.Store(y);
  VisitMultipliers([y](std::size_t at, double value) { y[at] = value; });
}

// With error control from order 1 on. Points before the begin follow from the accelerations there, which suffices up to order 2.
Status Bdf::Begin(double h) {
  lambda_ = dynamics_.lambda();
  for (ConstraintVector& mu : second_) mu.setZero();
  highest_ = given_ > 0 ? given_ : is_adaptive() ? kHighest : kOfFixedSteps;
  order_ = is_adaptive() ? 1 : highest_;
  steps_at_order_ = 0;
  VisitMultipliers([this](std::size_t at, double value) { y_[at] = value; });
  if (order_ > 2) return BeginByShortSteps(h);
  begin_bodies_ = dynamics_.bodies();
  for (points_ = 0; points_ < U(order_); ++points_) {
    const double back = h * static_cast<double>(points_ + 1);
    for (std::size_t b = 0; b < reach_.size(); ++b) {
      const BodyMotion& from = begin_bodies_[b];
      BodyVector V = RatesOf(from), A;
      A << from.acceleration, from.angular_acceleration;
      Place(b, -back * V + 0.5 * back * back * A);
      V -= back * A;
      dynamics_.bodies()[b].velocity = V.head<3>();
      dynamics_.bodies()[b].angular_velocity = V.tail<3>();
    }
    dynamics_.Store(PastMotion(y_, points_));
    PastTime(y_, points_) = time_ - back;
  }
  dynamics_.Load(time_, y_);
  return {};
}

// The points before the start on the motion backwards, by the classical Runge-Kutta method with steps of a part of h.
Status Bdf::BeginByShortSteps(double h) {
  constexpr int kParts = 8;
  const double d = -h / kParts;
  const std::size_t n = reach_.size();
  std::vector<BodyVector> rates[4], accelerations[4];
  const double part[] = {0, 0.5, 0.5, 1};
  for (std::size_t point = 0; point < U(highest_); ++point) {
    for (int k = 0; k < kParts; ++k) {
      const double t = time_ - h * static_cast<double>(point) + d * k;
      begin_bodies_ = dynamics_.bodies();
      std::vector<BodyVector> D(n, BodyVector::Zero());
      for (int stage = 0; stage < 5; ++stage) {
        for (std::size_t b = 0; b < n; ++b) {
          BodyVector V = RatesOf(begin_bodies_[b]);
          D[b].setZero();
          if (stage == 4) {
            D[b] = d / 6 * (rates[0][b] + 2 * rates[1][b] + 2 * rates[2][b] + rates[3][b]);
            V += d / 6 *
                 (accelerations[0][b] + 2 * accelerations[1][b] + 2 * accelerations[2][b] +
                  accelerations[3][b]);
          } else if (stage > 0) {
            D[b] = part[stage] * d * rates[stage - 1][b];
            V += part[stage] * d * accelerations[stage - 1][b];
          }
          Place(b, D[b]);
          dynamics_.bodies()[b].velocity = V.head<3>();
          dynamics_.bodies()[b].angular_velocity = V.tail<3>();
        }
        dynamics_.SetTime(t + (stage == 4 ? d : part[stage] * d));
        if (stage == 4) break;
        if (const Status status = dynamics_.Accelerate(); !status.ok()) return status;
        ++counters_.evaluations;
        ++counters_.factorisations;
        rates[stage].resize(n);
        accelerations[stage].resize(n);
        for (std::size_t b = 0; b < n; ++b) {
          const BodyMotion& body = dynamics_.bodies()[b];
          rates[stage][b] << body.velocity,
              RotationIncrement<>(D[b].tail<3>()).InverseTangent(body.angular_velocity);
          accelerations[stage][b] << body.acceleration, body.angular_acceleration;
        }
      }
    }
    dynamics_.Store(PastMotion(y_, point));
    PastTime(y_, point) = time_ - h * static_cast<double>(point + 1);
  }
  points_ = U(highest_);
  dynamics_.Load(time_, y_);
  return {};
}

void Bdf::ReadPoints(std::span<double> y, double begin) {
  times_[0] = begin;
  for (std::size_t j = 0; j < points_; ++j) {
    times_[j + 1] = PastTime(y, j);
    const std::span<double> past = PastMotion(y, j);
    for (std::size_t b = 0; b < reach_.size(); ++b) {
      BodyMotion body;
      ReadMotion(past.data() + kMotionSize * b, body);
      const Vector4d &q = begin_bodies_[b].quaternion, &p = body.quaternion;
      // q^-1 p, then its rotation vector.
      const Vector3d u = q.tail<3>(), w = p.tail<3>();
      double cosine = q[0] * p[0] + u.dot(w);
      Vector3d sine = q[0] * w - p[0] * u - u.cross(w);
      if (cosine < 0) cosine = -cosine, sine = -sine;
      const double size = sine.norm();
      BodyVector& D = increments_[j + 1][b];
      D.head<3>() = body.position - begin_bodies_[b].position;
      D.tail<3>() = (size > 0 ? 2 * std::atan2(size, cosine) / size : 2) * sine;
      velocities_[j + 1][b] = RatesOf(body);
    }
  }
  for (std::size_t b = 0; b < reach_.size(); ++b) velocities_[0][b] = RatesOf(begin_bodies_[b]);
}

Status Bdf::MoveOn(double end) {
  dynamics_.Load(time_, y_);
  VisitMultipliers([this](std::size_t at, double& value) { value = y_[at]; });
  begin_bodies_ = dynamics_.bodies();
  ReadPoints(y_, time_);
  end_ = end;
  const std::span<const double> points(times_.data(), U(order_)),
      predicting(times_.data(), U(order_) + 1);
  c_ = Leading(end, points);
  for (std::size_t b = 0; b < reach_.size(); ++b) {
    from_poses_[b].setZero();
    from_rates_[b].setZero();
    moved_[b].setZero();
    past_[b].setZero();
  }
  for (std::size_t j = 0; j < predicting.size(); ++j) {
    const double d = j < points.size() ? Derivative(end, points, j) : 0,
                 p = Extrapolation(end, predicting, j);
    for (std::size_t b = 0; b < reach_.size(); ++b) {
      from_poses_[b] += d * increments_[j][b];
      from_rates_[b] += d * velocities_[j][b];
      moved_[b] += p * increments_[j][b];
    }
  }
  dynamics_.SetTime(end);
  if (const Status status = Solve({.m = 1, .k = 1 / c_, .s = 1 / (c_ * c_)}); !status.ok())
    return status;
  error() = ErrorAt(order_);
  return {};
}

double Bdf::ErrorAt(int order) {
  if (order < 1 || points_ < U(order)) return INFINITY;
  const std::span<const double> points(times_.data(), U(order)),
      predicting(times_.data(), U(order) + 1);
  const auto off = [&](const std::vector<std::vector<BodyVector>>& past) {
    for (std::size_t j = 0; j < predicting.size(); ++j) {
      const double p = Extrapolation(end_, predicting, j);
      for (std::size_t b = 0; b < work_.size(); ++b) work_[b] -= p * past[j][b];
    }
    return Size(work_) / (1 + Leading(end_, points) * (end_ - predicting.back()));
  };
  work_ = moved_;
  double error = off(increments_);
  if (keeps_velocities_) {
    for (std::size_t b = 0; b < work_.size(); ++b) work_[b] = RatesOf(dynamics_.bodies()[b]);
    error = std::max(error, time_scale_ * off(velocities_));
  }
  return error;
}

// (11) to (13), the rates of (14), and T of the matrix: V' = c (c D + ...), where a change x of the pose at the end changes Omega by
// c (1 + [Omega]/(2 c)) x, but for parts of the second order of the turn.
Status Bdf::Displace() {
  for (std::size_t b = 0; b < reach_.size(); ++b) {
    if (const Status status = MayTurn(moved_[b].tail<3>(), b); !status.ok()) return status;
    Place(b, moved_[b]);
    BodyVector V = c_ * moved_[b] + from_poses_[b];
    V.tail<3>() = RotationIncrement<>(moved_[b].tail<3>()).Tangent() * V.tail<3>();
    turns_[b] = (Matrix3d::Identity() + Cross(V.tail<3>()) / (2 * c_)).inverse();
    work_[b] = V;
  }
  for (std::size_t k = 0; keeps_velocities_ && k < joints().size(); ++k) {
    back_[k] = joints()[k].Jacobian(dynamics_.Motion(joints()[k].parent()),
                                    dynamics_.Motion(joints()[k].child()));
    ForBodies(k, [&](int body, int at) {
      back_[k].middleCols<3>(at + 3) /= reach_[U(body)] * reach_[U(body)];
      work_[U(body)] += back_[k].middleCols<kRates>(at).transpose() * second_[k];
    });
  }
  for (std::size_t b = 0; b < reach_.size(); ++b) {
    dynamics_.bodies()[b].velocity = work_[b].head<3>();
    dynamics_.bodies()[b].angular_velocity = work_[b].tail<3>();
    rates_[b] = c_ * work_[b] + from_rates_[b];
  }
  return {};
}

void Bdf::TakeChange() {
  for (std::size_t b = 0; b < reach_.size(); ++b) {
    const BodyVector x = matrix_.Pose(b) / (c_ * c_);
    moved_[b].head<3>() += x.head<3>();
    moved_[b].tail<3>() += RotationIncrement<>(moved_[b].tail<3>()).InverseTangent(x.tail<3>());
  }
  for (std::size_t k = 0; k < joints().size(); ++k) {
    for (int i = 0; i < joints()[k].size(); ++i) {
      lambda_[k][i] += matrix_.Lambda(k, i);
      if (keeps_velocities_) second_[k][i] += matrix_.Second(k, i) / c_;
    }
  }
}

// The order is tried anew after k + 1 steps of the order k, and after a step that was too long.
double Bdf::NextLength(double error, bool accepted) {
  const auto factor = [&](double of, double bias, int order) {
    return std::pow(bias * of, -1. / (order + 1));
  };
  ++steps_at_order_;
  if (accepted && steps_at_order_ <= order_) return 1;
  int next = order_;
  double best = factor(error, kSame, order_);
  const auto weigh = [&](int order, double bias) {
    const double of = factor(ErrorAt(order) / tolerance(), bias, order);
    if (of > best) best = of, next = order;
  };
  if (order_ > 1) weigh(order_ - 1, kLower);
  if (accepted && order_ < highest_) weigh(order_ + 1, kHigher);
  best = std::clamp(best, kShortest, kLongest);
  if (accepted && best < kWorthIt && best >= 1) return 1;
  order_ = next;
  steps_at_order_ = 0;
  return accepted ? best : std::min(best, 0.9);
}

Status Bdf::Interpolate(double t, std::span<double> y) {
  if (const Status status = AbsoluteStepper::Interpolate(t, y); !status.ok() || order_ < 4)
    return status;
  // The points from the end of the last step on, where the next one begins.
  dynamics_.Load(time_, y_);
  begin_bodies_ = dynamics_.bodies();
  ReadPoints(y_, time_);
  const std::span<const double> points(times_.data(), std::min(U(order_), points_) + 1);
  for (std::size_t b = 0; b < reach_.size(); ++b) {
    BodyVector D = BodyVector::Zero(), V = BodyVector::Zero();
    for (std::size_t j = 0; j < points.size(); ++j) {
      const double p = Extrapolation(t, points, j);
      D += p * increments_[j][b];
      V += p * velocities_[j][b];
    }
    Place(b, D);
    dynamics_.bodies()[b].velocity = V.head<3>();
    dynamics_.bodies()[b].angular_velocity = V.tail<3>();
  }
  dynamics_.Store(y);
  dynamics_.Load(time_, y_);
  return {};
}

}  // namespace mbsbench::direct
