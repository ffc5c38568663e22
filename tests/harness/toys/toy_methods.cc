#include "tests/harness/toys/toy_methods.h"

#include <unistd.h>

#include <cmath>
#include <csignal>
#include <cstring>
#include <functional>
#include <stdexcept>

#include "problems/model/kinematics.h"
#include "tests/support/everything.h"

#ifdef __SANITIZE_ADDRESS__
// Otherwise the sanitizer turns a segmentation fault into an exit code, and the signal is lost.
extern "C" const char* __asan_default_options() { return "handle_segv=0"; }
#endif

namespace mbsbench {

namespace {

#ifdef TOYS_ARE_WORSE
constexpr bool kIsWorse = true;
#else
constexpr bool kIsWorse = false;
#endif

Verdict OneBody(const System& system, const MethodOptions&) {
  return system.bodies.size() == 1 ? Verdict{} : Verdict::No("a toy takes one body only.");
}

using Fault = std::function<Status(double t, std::span<double> ydot)>;

// J theta'' = axis . (arm x m g) about the pivot. The component of the arm across the axis turns with theta. An evaluation
// allocates nothing, so that its instructions do not depend on the state of the heap.
class ToyPendulum : public OdeFormulation {
 public:
  ToyPendulum(const System& system, double sign, Fault fault)
      : system_(system), fault_(std::move(fault)) {
    const Body& body = system_.bodies[0];
    const Vector3 at_zero = BodyAt(0, 0).position - system_.joints[0].parent_frame.position,
                  arm = at_zero - Dot(Axis(), at_zero) * Axis();
    const Vector3 in_body = Rotate(system_.joints[0].child_frame.orientation, {0, 0, 1});
    const double inertia = body.mass * Dot(arm, arm) + Dot(in_body, body.inertia * in_body);
    const Vector3 weight = (sign * body.mass / inertia) * system_.gravity;
    by_cosine_ = Dot(Axis(), Cross(arm, weight));
    by_sine_ = Dot(Axis(), Cross(Cross(Axis(), arm), weight));
  }

  std::size_t state_size() const override { return 2; }
  Status Initialise(double, const SystemState& state, std::span<double> y) override {
    y[0] = state.joints.q[0];
    y[1] = state.joints.u[0];
    return {};
  }
  Status Evaluate(double t, std::span<const double> y, std::span<double> ydot) override {
    ydot[0] = y[1];
    ydot[1] = AngularAcceleration(y);
    return fault_ ? fault_(t, ydot) : Status{};
  }
  Status Observe(double, std::span<const double> y, Detail detail,
                 Observation& observation) override {
    observation.bodies = {BodyAt(y[0], y[1])};
    if (detail == Detail::kMotion) return {};
    const BodyState& body = observation.bodies[0];
    const Vector3 alpha = AngularAcceleration(y) * Axis();
    const Vector3 arm = body.position - system_.joints[0].parent_frame.position;
    const Vector3 a =
        Cross(alpha, arm) + Cross(body.angular_velocity, Cross(body.angular_velocity, arm));
    observation.accelerations = {{a, alpha}};
    observation.reactions = {{system_.bodies[0].mass * (a - system_.gravity), {}}};
    return {};
  }

 private:
  BodyState BodyAt(double angle, double rate) const {
    return ForwardKinematics(system_, {{angle}, {rate}})[0];
  }
  Vector3 Axis() const { return Rotate(system_.joints[0].parent_frame.orientation, {0, 0, 1}); }
  double AngularAcceleration(std::span<const double> y) const {
    return by_cosine_ * std::cos(y[0]) + by_sine_ * std::sin(y[0]);
  }

  System system_;
  Fault fault_;
  double by_cosine_ = 0, by_sine_ = 0;  // parts of the angular acceleration [1/s^2]
};

// Finds the acceleration by an iteration that leaves a thousandth of the error each time.
class IteratingPendulum : public ToyPendulum {
 public:
  explicit IteratingPendulum(const System& system) : ToyPendulum(system, 1, {}) {}
  Status Evaluate(double t, std::span<const double> y, std::span<double> ydot) override {
    if (const Status status = ToyPendulum::Evaluate(t, y, ydot); !status.ok()) return status;
    const double sought = ydot[1];
    ydot[1] = 0;
    for (int i = 0; i < kToyIterations; ++i) ydot[1] += 0.999 * (sought - ydot[1]);
    iterations_ += kToyIterations;
    return {};
  }
  std::int64_t inner_iterations() const override { return iterations_; }

 private:
  std::int64_t iterations_ = 0;
};

MethodEntry Entry(const std::string& key, double sign, Fault fault) {
  MethodEntry entry;
  entry.key = key;
  entry.title = key;
  entry.source = "test";
  entry.capabilities = Everything();
  entry.capabilities.tree_joints = {{JointType::kRevolute}};
  entry.capabilities.loop_joints = {};
  entry.supports = OneBody;
  entry.prepare = [sign, fault](const System& system, const MethodOptions&) {
    return std::make_unique<ToyPendulum>(system, sign, fault);
  };
  entry.count_operations = [](const System& system, const MethodOptions&, const JointState&) {
    const auto bodies = static_cast<std::int64_t>(system.bodies.size());
    return OperationCount{4 * bodies, 3 * bodies, 2 * bodies, 1 * bodies};
  };
  return entry;
}

MethodEntry IteratingEntry() {
  MethodEntry entry = Entry("toy-iterates", 1, {});
  entry.prepare = [](const System& system, const MethodOptions&) {
    return std::make_unique<IteratingPendulum>(system);
  };
  return entry;
}

Status Eat(double, std::span<double>) {
  for (;;) {
    constexpr std::size_t kPiece = 8 << 20;
    char* const piece = new char[kPiece];
    std::memset(piece, 1, kPiece);
    static std::vector<char*> kept;
    kept.push_back(piece);
  }
}

}  // namespace

std::vector<MethodEntry> ToyMethods() {
  const Fault singular = [](double t, std::span<double>) {
    return t > 0.5 ? Status{Status::Code::kSingular, 0, -1, "no inertia about the hinge"}
                   : Status{};
  };
  const Fault nan = [](double t, std::span<double> ydot) {
    if (t > 0.5) ydot[1] = NAN;
    return Status{};
  };
  const Fault crash = [](double, std::span<double>) {
    std::raise(SIGSEGV);
    return Status{};
  };
  const Fault hang = [](double, std::span<double>) {
    std::signal(SIGTERM, SIG_IGN);
    for (volatile bool forever = true; forever;) {
    }
    return Status{};
  };
  const Fault thrown = [](double, std::span<double>) -> Status {
    throw std::runtime_error("thrown in an evaluation");
  };
  // A fixed amount of arithmetic; the worse build does `extra` per mille more of it.
  const auto work = [](int extra) -> Fault {
    const int count = 5000 + (kIsWorse ? 5 * extra : 0);
    return [count](double, std::span<double> ydot) {
      double x = ydot[1];
      for (int i = 0; i < count; ++i) x = 0.999 * x + 1e-3;
      ydot[1] += 1e-300 * x;
      return Status{};
    };
  };
  // Six digits remain, by the same instructions in both builds.
  const double factor = kIsWorse ? 1 + 1e-6 : 1;
  const Fault lossy = [factor](double, std::span<double> ydot) {
    ydot[1] *= factor;
    return Status{};
  };
  const Fault fragile = kIsWorse ? crash : Fault{};
  const Fault silent = [](double, std::span<double>) -> Status { _exit(0); };
  return {Entry("toy-pendulum", 1, {}),
          Entry("toy-twin", 1, {}),
          Entry("toy-liar", -1, {}),
          Entry("toy-singular", 1, singular),
          Entry("toy-nan", 1, nan),
          Entry("toy-crash", 1, crash),
          Entry("toy-hang", 1, hang),
          Entry("toy-memory", 1, Eat),
          Entry("toy-throw", 1, thrown),
          Entry("toy-silent", 1, silent),
          Entry("toy-lossy", 1, lossy),
          Entry("toy-work", 1, work(20)),
          Entry("toy-more-work", 1, work(60)),
          Entry("toy-fragile", 1, fragile),
          IteratingEntry(),
          Entry("toy-astray", 1, [](double, std::span<double> ydot) {
            ydot[1] *= 1 + 1e-5;
            return Status{};
          })};
}

}  // namespace mbsbench
