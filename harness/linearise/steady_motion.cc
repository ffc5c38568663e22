#include "harness/linearise/steady_motion.h"

#include <fmt/format.h>
#include <Eigen/QR>
#include <algorithm>
#include <ranges>

#include "problems/model/eigen.h"
#include "problems/model/error.h"
#include "reference/numerics/extrapolation.h"
#include "reference/system/initial_motion.h"

namespace mbsbench {

using namespace extended;

namespace {

using Eigen::Index;
using Reals = std::vector<Real>;

constexpr double kStep = 1e-10;     // of central differences in 113 bits [L, rad, 1/T]
constexpr double kSteady = 1e-9;    // of the largest acceleration
constexpr double kConstant = 1e-8;  // of the largest coefficient
constexpr int kNewtonSteps = 60, kHalvings = 30, kLimitedHalvings = 6;
constexpr double kLargestStep = 0.5;              // [L, rad]
constexpr double kSolved = 1e-22;                 // change of a coordinate [L, rad]
constexpr int kStepsPerRadian = 8, kColumns = 5;  // of extrapolation

double Double(Real x) { return static_cast<double>(x); }
Eigen::Vector3d InEigen(const Vec3& v) { return ToEigen(Round(v)); }
Eigen::Matrix3d Tilde(const Eigen::Vector3d& v) {
  Eigen::Matrix3d m;
  m << 0, -v.z(), v.y(), v.z(), 0, -v.x(), -v.y(), v.x(), 0;
  return m;
}
Eigen::Matrix3d InEigen(const Mat3& r) {
  Eigen::Matrix3d m;
  for (int i = 0; i < 3; ++i)
    for (int k = 0; k < 3; ++k) m(i, k) = Double(r(i, k));
  return m;
}

// u' of the independent rates.
Reals RatesOfRates(JointCoordinates& joints, const Reals& y) {
  Reals ydot;
  joints.Evaluate(y, ydot);
  return {ydot.begin() + static_cast<std::ptrdiff_t>(joints.coordinates()), ydot.end()};
}

// d u' / d s, or d u' / d sigma, of the independent rates, by central differences.
Eigen::MatrixXd Differences(JointCoordinates& joints, const Reals& y, bool of_rates,
                            double unit_of_lengths, const std::vector<bool>& is_length) {
  const std::size_t f = joints.independent_rates().size();
  Eigen::MatrixXd d(static_cast<Index>(f), static_cast<Index>(f));
  for (std::size_t i = 0; i < f; ++i) {
    const Real h = Real(kStep) * (is_length[i] ? unit_of_lengths : 1);
    const auto at = [&](Real change) {
      Reals along(f), rates(f), moved = y;
      (of_rates ? rates : along)[i] = change;
      joints.Displace(along, rates, moved);
      return RatesOfRates(joints, moved);
    };
    const Reals plus = at(h), minus = at(-h);
    for (std::size_t k = 0; k < f; ++k)
      d(static_cast<Index>(k), static_cast<Index>(i)) = Double((plus[k] - minus[k]) / (2 * h));
  }
  return d;
}

// The joint of a rate of the tree, and its place among those of the joint.
struct RatePlace {
  std::size_t joint;
  int k;
};
std::vector<RatePlace> PlacesOf(const SteadyMotion& steady) {
  const JointOffsets at = OffsetsOf(steady.system->model);
  std::vector<RatePlace> places;
  for (std::size_t rate : steady.joints->independent_rates()) {
    const auto next = std::ranges::upper_bound(at.u, static_cast<int>(rate));
    const auto joint = static_cast<std::size_t>(next - at.u.begin()) - 1;
    places.push_back({joint, static_cast<int>(rate) - at.u[joint]});
  }
  return places;
}
std::vector<bool> AreLengths(const SteadyMotion& steady) {
  std::vector<bool> are;
  for (const RatePlace& p : PlacesOf(steady))
    are.push_back(IsLength(steady.system->joints[p.joint].type, p.k));
  return are;
}

// Newton's iteration for u' = 0, free rates 0; it halves steps along which u' does not fall. If `limited`, no step is longer than
// kLargestStep, and after kLimitedHalvings one along u' is taken, which lowers the potential. Returns whether u' vanishes.
bool Solve(SteadyMotion& steady, bool limited) {
  JointCoordinates& joints = *steady.joints;
  std::fill(steady.y.begin() + static_cast<std::ptrdiff_t>(joints.coordinates()), steady.y.end(),
            Real(0));
  const std::vector<bool> lengths = AreLengths(steady);
  const Real length = steady.scales.length,
             solved = Real(kSteady) / (steady.scales.time * steady.scales.time);
  const auto size = [&](const Reals& r) {
    Real largest = 0;
    for (std::size_t i = 0; i < r.size(); ++i)
      largest = Max(largest, Abs(r[i]) / (lengths[i] ? length : Real(1)));
    return largest;
  };
  const auto times = [](Real factor, Reals r) {
    for (Real& x : r) x = factor * x;
    return r;
  };
  const auto moved = [&](const Reals& along) {
    Reals y = steady.y;
    joints.Displace(along, Reals(along.size()), y);
    return y;
  };
  for (int step = 0; step < kNewtonSteps; ++step) {
    joints.Correct(steady.y);
    const Reals residual = RatesOfRates(joints, steady.y);
    const Real before = size(residual);
    if (IsZero(before)) return true;
    Eigen::VectorXd right(static_cast<Index>(residual.size()));
    for (Index i = 0; i < right.size(); ++i)
      right[i] = -Double(residual[static_cast<std::size_t>(i)] / before);
    const Eigen::VectorXd change = Differences(joints, steady.y, false, Double(length), lengths)
                                       .completeOrthogonalDecomposition()
                                       .solve(right);
    Reals along(change.begin(), change.end());
    const Real limit = Real(kLargestStep) / Max(size(along), Real(kSolved));
    along = times(limited ? std::min(before, limit) : before, along);
    bool falls = false;
    for (int halving = 0; halving < (limited ? kLimitedHalvings : kHalvings) && !falls;
         ++halving, along = times(Real(0.5), along)) {
      if (size(along) < Real(kSolved) && before < solved) return true;
      try {
        const Reals y = moved(along);
        falls = size(RatesOfRates(joints, y)) < before;
        if (falls) steady.y = y;
      } catch (const ModelError&) {  // the loops do not close that far away
      }
    }
    if (!falls && (before < solved || !limited)) return before < solved;
    if (!falls) steady.y = moved(times(Real(kLargestStep) / (2 * before), residual));
  }
  return false;
}

// (1) as A Omega = b, with velocities divided by L: six rows per body; and its largest rate [1/s].
struct TurnEquations {
  Eigen::MatrixXd a;
  Eigen::VectorXd b;
  double fastest = 0;
};
TurnEquations EquationsOf(const Motion& motion, const Dynamics& dynamics, double length) {
  const auto n = static_cast<Index>(motion.size());
  TurnEquations q{Eigen::MatrixXd(6 * n, 3), Eigen::VectorXd(6 * n)};
  for (Index b = 0; b < n; ++b) {
    const BodyMotion& body = motion[static_cast<std::size_t>(b)];
    const Vec6& d = dynamics.accelerations[static_cast<std::size_t>(b)];
    const Eigen::Vector3d v = InEigen(body.velocity) / length,
                          omega = InEigen(body.angular_velocity);
    q.a.middleRows<3>(6 * b) = -Tilde(v);
    q.a.middleRows<3>(6 * b + 3) = -Tilde(omega);
    q.b.segment<3>(6 * b) = InEigen(Vec3{d[0], d[1], d[2]}) / length;
    q.b.segment<3>(6 * b + 3) = InEigen(Vec3{d[3], d[4], d[5]});
    q.fastest = std::max({q.fastest, v.norm(), omega.norm()});
  }
  return q;
}

// Throws ModelError unless (1) holds.
void RequireTurn(const SteadyMotion& s, const Motion& motion, const Dynamics& dynamics) {
  const double length = Double(s.scales.length), time = Double(s.scales.time);
  const TurnEquations q = EquationsOf(motion, dynamics, length);
  const Eigen::VectorXd misfit = q.b - q.a * InEigen(s.turn);
  const double scale = std::max(
      {Double(Norm(s.system->gravity)) / length, q.fastest * q.fastest, 1 / (time * time)});
  std::size_t worst = 0;
  double largest = 0;
  for (std::size_t b = 0; b < motion.size(); ++b) {
    const double one = misfit.segment<6>(static_cast<Index>(6 * b)).norm();
    if (!(one <= largest)) largest = one, worst = b;
  }
  if (largest <= kSteady * scale) return;
  const Vec6& a = dynamics.accelerations[worst];
  throw ModelError(
      fmt::format("not a steady motion: the acceleration of body '{}' is ({:.3g}, {:.3g}, {:.3g}) "
                  "m/s^2 and ({:.3g}, {:.3g}, {:.3g}) "
                  "rad/s^2, which no constant turn of the whole explains; start in a steady "
                  "motion, or at rest near an equilibrium.",
                  s.system->model.bodies[worst].name, Double(a[0]), Double(a[1]), Double(a[2]),
                  Double(a[3]), Double(a[4]), Double(a[5])));
}

// Three independent coordinates of a free rotation, about axes of C, or of a free translation, along axes of P.
struct Triple {
  std::size_t first;
  bool turns;
  Mat3 frame;        // those axes -> inertial
  Vec3 relative, w;  // the joint's angular velocity w_r; Omega - w_p, where the parent turns at w_p
};
std::vector<Triple> TriplesOf(const SteadyMotion& steady, const Motion& motion) {
  const auto omega = [&](int body) {
    return body == kGround ? Vec3{} : motion[static_cast<std::size_t>(body)].angular_velocity;
  };
  const auto attitude = [&](int body) {
    return body == kGround ? Quat{} : motion[static_cast<std::size_t>(body)].orientation;
  };
  const std::vector<RatePlace> places = PlacesOf(steady);
  std::vector<Triple> triples;
  for (std::size_t i = 0; i < places.size(); ++i) {
    const RatePlace& p = places[i];
    const JointData& joint = steady.system->joints[p.joint];
    if (!TurnsFreely(joint.type)) continue;
    const bool turns = !IsLength(joint.type, p.k);
    const Quat frame = turns ? attitude(joint.child) * joint.on_child.orientation
                             : attitude(joint.parent) * joint.on_parent.orientation;
    const Triple triple{i, turns, RotationOf(frame), omega(joint.child) - omega(joint.parent),
                        steady.turn - omega(joint.parent)};
    if (p.k % 3 == 0 && i + 2 < places.size() && places[i + 2].joint == p.joint &&
        places[i + 2].k == p.k + 2) {
      triples.push_back(triple);
      i += 2;
    } else if (Double(Norm(triple.relative) + Norm(triple.w)) > kSteady * steady.rate) {
      throw ModelError("joint '" + steady.system->model.joints[p.joint].name +
                       "' turns freely while loops make some of its rates dependent: no axes are "
                       "known in which its small "
                       "motions are steady.");
    }
  }
  return triples;
}

// The state after `seconds` if the motion is steady: other rates stay, those of a triple turn in its axes.
Reals Follow(const SteadyMotion& steady, Real seconds) {
  JointCoordinates& joints = *steady.joints;
  const std::vector<Triple> triples = TriplesOf(steady, steady.motion);
  const RightHandSide rates = [&](Real t, const Reals& y, Reals& ydot) {
    joints.SetTime(t);
    joints.Evaluate(y, ydot);
    std::fill(ydot.begin() + static_cast<std::ptrdiff_t>(joints.coordinates()), ydot.end(),
              Real(0));
    for (const Triple& triple : triples) {
      const std::size_t at = joints.coordinates() + triple.first;
      const Vec3 turn =
          TransposeTimes(triple.frame, triple.turns ? triple.w - triple.relative : triple.w);
      const Vec3 rate = Cross(turn, {y[at], y[at + 1], y[at + 2]});
      ydot[at] = rate.x, ydot[at + 1] = rate.y, ydot[at + 2] = rate.z;
    }
  };
  Reals y = steady.y;
  const Real h = seconds / kStepsPerRadian;
  for (int i = 0; i < kStepsPerRadian; ++i) {
    y = Step(rates, Real(i) * h, y, h, kColumns).y;
    joints.SetTime(Real(i + 1) * h);
    joints.Correct(y);
  }
  return y;
}

void RequireTaken(const Problem& problem, std::optional<double> speed) {
  const System& system = problem.system;
  if (system.rope_flight)
    throw ModelError("'" + problem.name + "' grows while it moves: no motion of it is steady.");
  if (!system.forces.Of<Motor>().empty()) {
    throw ModelError(
        "motor '" + system.forces.Of<Motor>().front().name +
        "': its effort is a function of time, and the coefficients of small motions would be too.");
  }
  for (const Driver& d : system.drivers) {
    if (d.motion.kind != MotionKind::kConstantRate)
      throw ModelError("driver '" + d.name +
                       "': a steady motion needs constant rates, not another motion.");
  }
  if (speed && system.drivers.empty())
    throw ModelError("--speed is the speed of a driver, and nothing is driven in '" + problem.name +
                     "': leave it out.");
}

}  // namespace

Eigen::MatrixXd ReducedMatrix(const SteadyMotion& steady, const Reals& y, const Mat3& axes) {
  JointCoordinates& joints = *steady.joints;
  const std::vector<bool> lengths = AreLengths(steady);
  const double unit = Double(steady.scales.length);
  const Eigen::MatrixXd of_s = Differences(joints, y, false, unit, lengths),
                        of_rates = Differences(joints, y, true, unit, lengths);
  // With x = T s in the turning axes, of a triple:
  //   s' = sigma - w_r x s,   T' = (w_r - w) x T       free rotation
  //   s' = sigma,             T' = -w x T              free translation
  const Index f = of_s.rows();
  Eigen::MatrixXd T = Eigen::MatrixXd::Identity(f, f), top = Eigen::MatrixXd::Zero(f, f),
                  bottom = top;
  const auto in_axes = [&](const Vec3& v) { return InEigen(TransposeTimes(axes, v)); };
  for (const Triple& triple : TriplesOf(steady, joints.MotionAt(y))) {
    const auto i = static_cast<Index>(triple.first);
    T.block<3, 3>(i, i) = InEigen(axes).transpose() * InEigen(triple.frame);
    top.block<3, 3>(i, i) = -Tilde(in_axes(triple.w));
    bottom.block<3, 3>(i, i) =
        Tilde(in_axes(triple.turns ? triple.relative - triple.w : -triple.w));
  }
  Eigen::MatrixXd a(2 * f, 2 * f);
  a << top, Eigen::MatrixXd::Identity(f, f), T * of_s * T.transpose(),
      bottom + T * of_rates * T.transpose();
  return a;
}

std::vector<IndependentCoordinate> IndependentCoordinates(const SteadyMotion& steady) {
  const JointOffsets at = OffsetsOf(steady.system->model);
  const JointState state = steady.joints->CoordinatesAt(steady.y);
  std::vector<IndependentCoordinate> coordinates;
  for (const RatePlace& p : PlacesOf(steady)) {
    const Joint& joint = steady.system->model.joints[p.joint];
    const int plain = static_cast<int>(AxesOf(joint.type).size());
    IndependentCoordinate one{joint.name, {}};
    if (p.k < plain) one.value = state.q[static_cast<std::size_t>(at.q[p.joint] + p.k)];
    if (RateCount(joint.type) > 1) {
      const int axis =
          p.k < plain ? AxesOf(joint.type)[static_cast<std::size_t>(p.k)].axis : p.k - plain;
      one.name += (IsLength(joint.type, p.k) ? " shift " : " turn ") + std::string(1, "xyz"[axis]);
    }
    coordinates.push_back(std::move(one));
  }
  return coordinates;
}

SteadyMotion FindSteadyMotion(const Problem& problem, std::optional<double> speed) {
  RequireTaken(problem, speed);
  System model = problem.system;
  if (speed) {
    const double first = model.drivers.front().motion.rate;
    for (Driver& d : model.drivers)
      d.motion.rate = first == 0 ? *speed : *speed * (d.motion.rate / first);
  }
  SteadyMotion s;
  s.scales = ScalesOf(problem);
  s.joints = std::make_unique<JointCoordinates>(model, JointCoordinates::kMostDenseRates, s.scales);
  s.system = std::make_unique<SystemData>(model);
  s.y = s.joints->Start(problem.initial);
  if (s.joints->independent_rates().empty())
    throw ModelError("no motion of '" + problem.name + "' is left free.");
  if (!model.drivers.empty()) s.speed = model.drivers.front().motion.rate;
  const auto rates = std::ranges::subrange(
      s.y.begin() + static_cast<std::ptrdiff_t>(s.joints->coordinates()), s.y.end());
  if (s.speed || std::ranges::all_of(rates, [](Real u) { return IsZero(u); })) {
    const Reals start = s.y;
    const auto solves = [&](bool limited) {
      s.y = start;
      try {
        return Solve(s, limited);
      } catch (const ModelError&) {  // a loop does not close on the way
        return false;
      }
    };
    if (!(s.speed && solves(false)) && !solves(true)) {
      throw ModelError("no steady motion is found from the initial state of '" + problem.name +
                       "': start nearer to one" + (s.speed ? ", or give another --speed." : "."));
    }
  }
  s.motion = s.joints->MotionAt(s.y);
  MaximalCoordinates absolute(model);
  absolute.StartSpringsAt(s.joints->CoordinatesAt(s.y));
  absolute.FollowSprings(s.motion);
  s.spring_angles = absolute.spring_angles();
  if (!model.loop_joints.empty()) {
    const std::vector<Mat3> rotations = RotationsOf(s.motion);
    std::vector<JointRows> rows;
    for (const JointData& joint : s.system->loop_joints)
      rows.push_back(RowsOf(joint, s.motion, rotations));
    s.loop_rows = SelectIndependentRows(*s.system, s.motion, rotations, rows).rows;
    absolute.KeepLoopRows(s.loop_rows);
  }
  s.dynamics = absolute.Accelerate(s.motion);
  s.rate = Double(UnitOfRates(s.motion, s.scales));

  const TurnEquations q = EquationsOf(s.motion, s.dynamics, problem.length);
  if (q.fastest > kSteady / problem.time) {
    Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> least(q.a.rows(), 3);
    least.setThreshold(kSteady);
    const Eigen::Vector3d omega = least.compute(q.a).solve(q.b);
    s.turn = {omega.x(), omega.y(), omega.z()};
  }
  RequireTurn(s, s.motion, s.dynamics);
  const auto moves = [](const BodyMotion& b) {
    return !IsZero(Norm(b.velocity)) || !IsZero(Norm(b.angular_velocity));
  };
  s.moves = std::ranges::any_of(s.motion, moves);
  if (!s.moves) return s;

  // A steady motion has equal coefficients after the fastest body has turned by a radian.
  const Real seconds = 1 / Real(s.rate);
  const Eigen::MatrixXd now = ReducedMatrix(s, s.y);
  const Reals after = Follow(s, seconds);
  const Motion then = s.joints->MotionAt(after);
  RequireTurn(s, then, absolute.Accelerate(then));
  const Real angle = Norm(s.turn) * seconds;
  const Mat3 axes =
      IsZero(angle) ? Mat3{} : RotationOf(AxisAngle((1 / Norm(s.turn)) * s.turn, angle));
  const double change = (ReducedMatrix(s, after, axes) - now).cwiseAbs().maxCoeff();
  s.joints->SetTime(0);
  if (!(change <= kConstant * now.cwiseAbs().maxCoeff())) {
    throw ModelError(fmt::format(
        "not a steady motion: the coefficients of small motions change by {:.2g} of the largest "
        "while the fastest body turns by a "
        "radian; a body that turns in the mechanism has to be symmetric about its axis.",
        change / now.cwiseAbs().maxCoeff()));
  }
  return s;
}

}  // namespace mbsbench
