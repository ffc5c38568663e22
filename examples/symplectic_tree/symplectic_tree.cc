// A formulation with its own time stepper: an explicit symplectic scheme of second order for trees of
// balls and revolutes. The example of docs/add_a_method.md.
//
// Source: Tao, "Explicit symplectic approximation of nonseparable Hamiltonians: Algorithm and long time
// performance", Phys. Rev. E 94, 043303 (2016). H(q, p) = 1/2 pi' M(q)^-1 pi + V(q) is not separable, so
// there are two copies of phase space, (q, p) and (x, y), and a spring of rate w that couples them:
//   H(q, y) + H(x, p) + w (|q - x|^2 / 2 + |p - y|^2 / 2).
// Each of the three terms has a flow in closed form (p and y divided by a momentum sigma):
//   A(h)   p -= h dH/dq(q, y),  x += h dH/dp(q, y)
//   B(h)   y -= h dH/dq(x, p),  q += h dH/dp(x, p)
//   C(h)   q + x, p + y are constant;   (q - x, p - y) rotate by the angle 2 w h
// and a step is A(h/2) B(h/2) C(h) B(h/2) A(h/2). The motion is the mean of the copies.
//
// q are the joint coordinates, of a ball its quaternion with the momentum P in R^4: with its rates u and
// their momenta pi in the child's axes, q' = 1/2 q (0, u), pi = 1/2 vec(conj(q) P), P = 2 q (0, pi).
#include <Eigen/Cholesky>
#include <cmath>

#include "methods/interface/fixed_steps.h"
#include "methods/interface/plugin.h"
#include "problems/model/kinematics.h"
#include "problems/model/topology.h"

namespace mbsbench {

namespace {

using Vector = Eigen::VectorXd;

const NumericOption kBinding{
    "binding", "rate of the spring that binds both copies", "1/s", 30, 1e-3, 1e6};

std::size_t U(int i) { return static_cast<std::size_t>(i); }
Eigen::Index I(std::size_t i) { return static_cast<Eigen::Index>(i); }
Quaternion At(const Vector& v, int i) { return {v[i], v[i + 1], v[i + 2], v[i + 3]}; }
Eigen::Vector4d ToEigen(const Quaternion& q) { return {q.w, q.x, q.y, q.z}; }

class SymplecticTree : public TimeStepperFormulation {
 public:
  SymplecticTree(const System& system, double binding)
      : system_(system), topology_(TopologyOf(system)), at_(OffsetsOf(system)), binding_(binding) {}

  // The copies (q, p) and (x, y).
  std::size_t state_size() const override { return 4 * U(at_.q.back()); }

  Status Initialise(double, const SystemState& state, std::span<double> y) override {
    const Vector q = Eigen::Map<const Vector>(state.joints.q.data(), at_.q.back());
    const Vector u = Eigen::Map<const Vector>(state.joints.u.data(), at_.u.back());
    if (Status s = Configure(q); !s.ok()) return s;
    const Vector pi = mass_.selfadjointView<Eigen::Lower>() * u;
    Vector p(q.size());
    ForEachJoint([&](bool ball, int iq, int iu) {
      if (!ball) return void(p[iq] = pi[iu]);
      p.segment<4>(iq) =
          ToEigen(At(q, iq) * Quaternion{0, 2 * pi[iu], 2 * pi[iu + 1], 2 * pi[iu + 2]});
    });
    Eigen::Map<Vector>(y.data(), 4 * q.size()) << q, p, q, p;
    return {};
  }

  Status Observe(double, std::span<const double> y, Detail detail, Observation& out) override {
    out = {};
    if (Status s = Configure(Mean(y, 0)); !s.ok()) return s;
    Move(Mean(y, 0), Mean(y, 1));
    out.bodies = bodies_;
    if (detail == Detail::kMotion) return {};
    // Accelerations at u' = 0; then M u' balances the difference between gravity and these.
    std::vector<BodyAcceleration>& a = out.accelerations;
    a.resize(bodies_.size());
    Vector force = Vector::Zero(at_.u.back());
    for (int b : topology_.order) {
      const int p = topology_.parent[U(b)];
      const BodyState& body = bodies_[U(b)];
      const BodyState parent = Parent(b);
      const BodyAcceleration of_parent = p < 0 ? BodyAcceleration{} : a[U(p)];
      const Vector3 arm = Point(b) - parent.position, c = body.position - Point(b);
      const Vector3 &w = body.angular_velocity, &wp = parent.angular_velocity;
      const Vector3 alpha = of_parent.angular_acceleration + Cross(wp, w - wp);
      a[U(b)] = {of_parent.acceleration + Cross(of_parent.angular_acceleration, arm) +
                     Cross(wp, Cross(wp, arm)) + Cross(alpha, c) + Cross(w, Cross(w, c)),
                 alpha};
      const Vector3 f = system_.bodies[U(b)].mass * (system_.gravity - a[U(b)].acceleration);
      const Vector3 n = -Turned(b, body, alpha) - Cross(w, Turned(b, body, w));
      for (std::size_t j = 0; j < unit_.size(); ++j) {
        const BodyState& moved = unit_[j][U(b)];
        force[I(j)] += Dot(moved.velocity, f) + Dot(moved.angular_velocity, n);
      }
    }
    const Vector change = solver_.solve(force);
    for (std::size_t j = 0; j < unit_.size(); ++j) {
      for (std::size_t b = 0; b < a.size(); ++b) {
        a[b].acceleration = a[b].acceleration + change[I(j)] * unit_[j][b].velocity;
        a[b].angular_acceleration =
            a[b].angular_acceleration + change[I(j)] * unit_[j][b].angular_velocity;
      }
    }
    return {};
  }

  Status Start(double t, const SystemState& state, const StepControl& control) override {
    counters_ = {};
    grid_.Start(t, control.step);
    time_ = before_ = t;
    y_.resize(state_size());
    if (Status s = Initialise(t, state, y_); !s.ok()) return s;
    sigma_ = binding_ * mass_.diagonal().mean();
    return {};
  }

  StepReport Step(double limit) override {
    const double end = grid_.Next(limit), h = end - time_;
    Vector q = Part(y_, 0), p = Part(y_, 1), x = Part(y_, 2), y = Part(y_, 3), dq, dp;
    const auto flow = [&](const Vector& at, const Vector& momenta, Vector& other, Vector& own) {
      const Status s = Rates(at, momenta, dq, dp);
      if (s.ok()) other += h / 2 * dq, own += h / 2 * dp;
      return s;
    };
    if (Status s = flow(q, y, x, p); !s.ok()) return {s};
    if (Status s = flow(x, p, q, y); !s.ok()) return {s};
    const double c = std::cos(2 * binding_ * h), s = std::sin(2 * binding_ * h);
    const Vector apart = q - x, momenta = (p - y) / sigma_, sum = q + x, all = p + y;
    const Vector turned = c * apart + s * momenta;
    const Vector moved = sigma_ * (c * momenta - s * apart);
    q = (sum + turned) / 2, x = (sum - turned) / 2, p = (all + moved) / 2, y = (all - moved) / 2;
    if (Status f = flow(x, p, q, y); !f.ok()) return {f};
    if (Status f = flow(q, y, x, p); !f.ok()) return {f};
    begin_ = y_;
    Eigen::Map<Vector>(y_.data(), 4 * q.size()) << q, p, x, y;
    before_ = time_, time_ = end;
    grid_.Advance();
    ++counters_.steps, counters_.evaluations += 4;
    return {};
  }

  double time() const override { return time_; }
  std::span<const double> y() const override { return y_; }
  WorkCounters counters() const override { return counters_; }

  // Cubic Hermite of the mean, whose derivative is that of H.
  Status Interpolate(double t, std::span<double> y) override {
    const double h = time_ - before_, s = (t - before_) / h;
    Vector dq0, dp0, dq1, dp1;
    if (Status f = Rates(Mean(begin_, 0), Mean(begin_, 1), dq0, dp0); !f.ok()) return f;
    if (Status f = Rates(Mean(y_, 0), Mean(y_, 1), dq1, dp1); !f.ok()) return f;
    const auto cubic = [&](int part, const Vector& rate0, const Vector& rate1) -> Vector {
      return (1 + 2 * s) * (1 - s) * (1 - s) * Mean(begin_, part) +
             s * s * (3 - 2 * s) * Mean(y_, part) + h * s * (1 - s) * ((1 - s) * rate0 - s * rate1);
    };
    const Vector q = cubic(0, dq0, dq1), p = cubic(1, dp0, dp1);
    Eigen::Map<Vector>(y.data(), 4 * q.size()) << q, p, q, p;
    return {};
  }

 private:
  template <typename Do>
  void ForEachJoint(Do&& act) const {  // whether it is a ball, and the offsets of its q and u
    for (std::size_t j = 0; j < system_.joints.size(); ++j)
      act(system_.joints[j].type == JointType::kBall, at_.q[j], at_.u[j]);
  }
  // q, p, x or y of all, and the mean of two of them.
  Vector Part(std::span<const double> y, int i) const {
    return Eigen::Map<const Vector>(y.data() + i * at_.q.back(), at_.q.back());
  }
  Vector Mean(std::span<const double> y, int i) const { return (Part(y, i) + Part(y, i + 2)) / 2; }
  BodyState Parent(int b) const {
    return topology_.parent[U(b)] < 0 ? BodyState{} : bodies_[U(topology_.parent[U(b)])];
  }
  // Origin of the joint that carries a body.
  Vector3 Point(int b) const {
    const Joint& joint = system_.joints[U(topology_.joint[U(b)])];
    return bodies_[U(b)].position + Rotate(bodies_[U(b)].orientation, joint.child_frame.position);
  }
  // Inertia in inertial axes times v.
  Vector3 Turned(int b, const BodyState& at, const Vector3& v) const {
    return Rotate(at.orientation,
                  system_.bodies[U(b)].inertia * Rotate(Conjugate(at.orientation), v));
  }

  // The motion of all bodies for each rate alone, and M from them.
  Status Configure(const Vector& q) {
    joints_.q.assign(q.data(), q.data() + q.size());
    ForEachJoint([&](bool ball, int iq, int) {
      if (!ball) return;
      for (int k = iq; k < iq + 4; ++k) joints_.q[U(k)] /= q.segment<4>(iq).norm();
    });
    unit_.resize(U(at_.u.back()));
    mass_.setZero(at_.u.back(), at_.u.back());
    for (std::size_t i = 0; i < unit_.size(); ++i) {
      joints_.u.assign(unit_.size(), 0);
      joints_.u[i] = 1;
      unit_[i] = ForwardKinematics(system_, joints_);
      for (int b : topology_.order) {
        const BodyState& at = unit_[i][U(b)];
        const Vector3 momentum = system_.bodies[U(b)].mass * at.velocity;
        const Vector3 spin = Turned(b, at, at.angular_velocity);
        for (std::size_t j = 0; j <= i; ++j) {
          mass_(I(i), I(j)) +=
              Dot(unit_[j][U(b)].velocity, momentum) + Dot(unit_[j][U(b)].angular_velocity, spin);
        }
      }
    }
    solver_.compute(mass_.selfadjointView<Eigen::Lower>());
    if (solver_.info() != Eigen::Success)
      return {Status::Code::kSingular, -1, -1, "the inertia about the joints' axes is singular"};
    for (std::size_t j = 0; j < system_.joints.size(); ++j) {
      for (int i = at_.u[j]; i < at_.u[j + 1]; ++i) {
        const double root = solver_.matrixLLT()(i, i);
        if (!(root * root > 1e-14 * LargestInertia(i, system_.joints[j].child)))
          return {Status::Code::kSingular, static_cast<int>(j), -1,
                  "the bodies have no inertia about an axis of the joint"};
      }
    }
    return {};
  }

  // The trace of the inertia, about the joint's origin, of the bodies that a rate of this body's joint moves. A pivot is
  // compared with it, because a diagonal entry of M may be round-off itself.
  double LargestInertia(int rate, int carried) const {
    const std::vector<BodyState>& moved = unit_[U(rate)];
    const Joint& joint = system_.joints[U(topology_.joint[U(carried)])];
    const Vector3 origin = moved[U(carried)].position +
                           Rotate(moved[U(carried)].orientation, joint.child_frame.position);
    double trace = 0;
    for (int b : topology_.order) {
      if (Norm(moved[U(b)].angular_velocity) == 0) continue;  // not beyond this joint
      const Body& body = system_.bodies[U(b)];
      const Vector3 arm = moved[U(b)].position - origin;
      trace += body.inertia(0, 0) + body.inertia(1, 1) + body.inertia(2, 2) +
               2 * body.mass * Dot(arm, arm);
    }
    return trace;
  }

  // After Configure(q): the rates for the momenta p, and the motion.
  void Move(const Vector& q, const Vector& p) {
    Vector pi(at_.u.back());
    ForEachJoint([&](bool ball, int iq, int iu) {
      if (!ball) return void(pi[iu] = p[iq]);
      const Quaternion twice = Conjugate(At(q, iq)) * At(p, iq);
      pi.segment<3>(iu) << twice.x / 2, twice.y / 2, twice.z / 2;
    });
    rates_ = solver_.solve(pi);
    joints_.u.assign(rates_.data(), rates_.data() + rates_.size());
    bodies_ = ForwardKinematics(system_, joints_);
  }

  // dq = dH/dp, dp = -dH/dq.
  Status Rates(const Vector& q, const Vector& p, Vector& dq, Vector& dp) {
    if (Status s = Configure(q); !s.ok()) return s;
    Move(q, p);
    // d(T - V)/dtheta at constant rates: the subtree of a joint rotates as one body about its axis
    // s.
    Vector force = Vector::Zero(at_.u.back());
    for (int joint_of : topology_.order) {
      const int first = at_.u[U(topology_.joint[U(joint_of)])];
      const int end = at_.u[U(topology_.joint[U(joint_of)] + 1)];
      const BodyState parent = Parent(joint_of);
      const Vector3& w = parent.angular_velocity;
      const Vector3 origin = Point(joint_of);
      const Vector3 v = parent.velocity + Cross(w, origin - parent.position);
      for (int j = first; j < end; ++j) {
        const Vector3 s = unit_[U(j)][U(joint_of)].angular_velocity, ws = Cross(w, s);
        for (int b : topology_.order) {
          const BodyState &body = bodies_[U(b)], &moved = unit_[U(j)][U(b)];
          if (Norm(moved.angular_velocity) == 0) continue;  // not beyond this joint
          force[j] += system_.bodies[U(b)].mass *
                          (Dot(moved.velocity, system_.gravity) +
                           Dot(body.velocity, Cross(v, s) + Cross(ws, body.position - origin))) +
                      Dot(Turned(b, body, body.angular_velocity), ws);
        }
      }
    }
    dq.resize(q.size());
    dp.resize(q.size());
    ForEachJoint([&](bool ball, int iq, int iu) {
      if (!ball) return void((dq[iq] = rates_[iu], dp[iq] = force[iu]));
      const Quaternion half{0, rates_[iu] / 2, rates_[iu + 1] / 2, rates_[iu + 2] / 2};
      const double size = q.segment<4>(iq).squaredNorm();
      const Quaternion turn{0, 2 * force[iu] / size, 2 * force[iu + 1] / size,
                            2 * force[iu + 2] / size};
      dq.segment<4>(iq) = ToEigen(At(q, iq) * half);
      dp.segment<4>(iq) = ToEigen(At(p, iq) * half) + ToEigen(At(q, iq) * turn);
    });
    return {};
  }

  System system_;
  Topology topology_;
  JointOffsets at_;
  StepGrid grid_;
  WorkCounters counters_;
  double binding_, sigma_ = 1, time_ = 0, before_ = 0;
  std::vector<double> y_, begin_;  // current state, and that at the begin of the last step
  // At the last evaluated state.
  JointState joints_;
  std::vector<std::vector<BodyState>> unit_;  // per rate
  Eigen::MatrixXd mass_;
  Eigen::LLT<Eigen::MatrixXd> solver_;
  Vector rates_;
  std::vector<BodyState> bodies_;
};

MethodEntry SymplecticTreeEntry() {
  MethodEntry entry;
  entry.key = "symplectic-tree";
  entry.title = "Explicit symplectic scheme in doubled phase space";
  entry.source = "Tao 2016, Phys. Rev. E 94, 043303";
  entry.description =
      "Joint coordinates and momenta, two copies bound by a spring, Strang splitting.";
  entry.form = Form::kTimeStepper;
  entry.cost_exponent = 3;  // dense, a whole motion per rate
  entry.numbers = {kBinding};
  entry.own_integration = OwnIntegration{"Strang splitting of three exact flows", true, false, 2};
  entry.capabilities = {.tree_joints = {{JointType::kBall, JointType::kRevolute}},
                        .bodies = {{UnusualBody::kPoint}},
                        .motion_in_space = true};
  entry.prepare = [](const System& system, const MethodOptions& options) {
    return std::make_unique<SymplecticTree>(system, Number(options, kBinding));
  };
  return entry;
}

}  // namespace
}  // namespace mbsbench

MBSBENCH_PLUGIN("symplectic tree", mbsbench::SymplecticTreeEntry());
