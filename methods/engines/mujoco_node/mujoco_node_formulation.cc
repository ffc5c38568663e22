#include "methods/engines/mujoco_node/mujoco_node_formulation.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <utility>

#include "methods/engines/mujoco/mjcf.h"
#include "methods/engines/mujoco/mujoco_coordinates.h"
#include "methods/engines/mujoco_node/node_process.h"
#include "methods/interface/fixed_steps.h"
#include "methods/kinematics/force_elements.h"
#include "problems/model/error.h"
#include "problems/model/kinematics.h"

namespace mbsbench {

namespace {

using Request = NodeProcess::Request;
using Reply = NodeProcess::Reply;

const char kEnded[] = "the Node process of MuJoCo has ended";
const char kThrew[] = "MuJoCo reported an error at this state";
const char kSingular[] = "MuJoCo found its inertia matrix singular or its accelerations not finite";

// Node takes a fifth of a second to start: a process whose formulation has ended serves the next one.
class LentProcess {
 public:
  explicit LentProcess(const std::filesystem::path& script)
      : process_(idle_ && idle_->is_sound() ? std::move(idle_)
                                            : std::make_unique<NodeProcess>(script)) {}
  ~LentProcess() {
    if (process_->is_sound()) idle_ = std::move(process_);
  }
  LentProcess(const LentProcess&) = delete;
  LentProcess& operator=(const LentProcess&) = delete;
  NodeProcess& operator*() { return *process_; }
  NodeProcess* operator->() { return process_.get(); }

 private:
  static inline std::unique_ptr<NodeProcess> idle_;
  std::unique_ptr<NodeProcess> process_;
};

std::vector<MujocoPlace> Compile(const System& system, NodeProcess& process) {
  std::string text;
  for (const MjcfFile& file : MjcfOf(system)) {
    if (!text.empty()) text += '\0';
    text += file.name + '\0' + file.text;
  }
  const Reply reply = process.Ask(Request::kModel, text);
  if (reply == Reply::kSentence)
    throw ModelError("MuJoCo does not take this system: " + process.text());
  if (reply != Reply::kNumbers)
    throw ModelError(std::string(kEnded) + ": call 'make packages-all' again.");
  std::vector<MujocoPlace> places;
  for (auto from = process.numbers(); !from.empty(); from = from.subspan(3))
    places.push_back(
        {static_cast<int>(from[0]), static_cast<int>(from[1]), static_cast<int>(from[2])});
  return places;
}

class MujocoNodeFormulation : public OdeFormulation,
                              public FixedStepper,
                              public Projects,
                              public HasPower {
 public:
  MujocoNodeFormulation(const System& system, const std::filesystem::path& script)
      : FixedStepper(static_cast<Formulation&>(*this)),
        system_(system),
        process_(script),
        coordinates_(system_, Compile(system_, *process_)),
        step_(2 + coordinates_.size()) {
    // The compiler replaces a negative length by that of the initial position.
    std::vector<double> lengths;
    for (const SpringDamper& e : system.forces.Of<SpringDamper>()) lengths.push_back(e.free_length);
    if (process_->Ask(Request::kFreeLengths, lengths) != Reply::kNumbers) throw ModelError(kEnded);
  }

  std::size_t state_size() const override { return coordinates_.size(); }
  std::vector<Dimension> Dimensions() const override { return coordinates_.Dimensions(); }

  Status Initialise(double, const SystemState& state, std::span<double> y) override {
    coordinates_.Put(state, y);
    return {};
  }

  Status Evaluate(double, std::span<const double> y, std::span<double> ydot) override {
    if (Status s = Ask(Request::kAccelerations, y, coordinates_.nv()); !s.ok()) {
      std::ranges::fill(ydot, NAN);
      return s;
    }
    coordinates_.PutRates(y, process_->numbers().data(), ydot);
    return {};
  }

  Status Observe(double, std::span<const double> y, Detail detail,
                 Observation& observation) override {
    observation.accelerations.clear();
    observation.reactions.clear();
    observation.bodies.clear();
    if (Status s = Ask(Request::kObservation, y, kPerBody * system_.bodies.size()); !s.ok())
      return s;
    for (auto from = process_->numbers(); !from.empty(); from = from.subspan(kPerBody)) {
      const auto vector = [&from](std::size_t i) {
        return Vector3{from[i], from[i + 1], from[i + 2]};
      };
      observation.bodies.push_back(
          {vector(0), {from[3], from[4], from[5], from[6]}, vector(10), vector(7)});
      if (detail != Detail::kMotion) observation.accelerations.push_back({vector(16), vector(13)});
    }
    return {};
  }

  Projects* projection() override { return this; }
  Status Project(double, std::span<double> y) override {
    coordinates_.NormaliseQuaternions(y);
    return {};
  }

  HasPower* power() override { return HasNonConservativeForces(system_) ? this : nullptr; }
  double Power(double t, std::span<const double> y) override {
    if (!Observe(t, y, Detail::kMotion, of_power_).ok()) return NAN;
    const JointState joints = JointStateOf(system_, of_power_.bodies);
    return NonConservativePower(system_, t, of_power_.bodies, &joints);
  }

  TimeStepper* time_stepper() override { return this; }
  Status Advance(double t, std::span<const double> y, double h, std::span<double> out) override {
    counters_.evaluations += 4;
    step_[0] = t, step_[1] = h;
    std::ranges::copy(y, step_.begin() + 2);
    const Status status = Ask(Request::kStep, step_, y.size());
    if (status.ok()) std::ranges::copy(process_->numbers(), out.begin());
    return status;
  }

 private:
  static constexpr std::size_t kPerBody = 19;  // numbers of an observation

  // Ok: the reply is as many finite numbers.
  Status Ask(Request request, std::span<const double> with, std::size_t count) {
    const auto failed = [](Status::Code code, const char* what) {
      return Status{code, -1, -1, what};
    };
    switch (process_->Ask(request, with)) {
      case Reply::kNumbers: break;
      case Reply::kSentence: return failed(Status::Code::kSingular, kThrew);
      case Reply::kSingular: return failed(Status::Code::kSingular, kSingular);
      case Reply::kText:
      case Reply::kNone: return failed(Status::Code::kStepFailed, kEnded);
    }
    double sum = 0;
    for (const double value : process_->numbers()) sum += value;
    if (process_->numbers().size() == count && std::isfinite(sum)) return {};
    return failed(Status::Code::kSingular, kSingular);
  }

  const System system_;
  LentProcess process_;
  const MujocoCoordinates coordinates_;
  std::vector<double> step_;  // time, length and state of a step
  Observation of_power_;
};

}  // namespace

std::unique_ptr<OdeFormulation> MakeMujocoNodeFormulation(const System& system,
                                                          const std::filesystem::path& script) {
  return std::make_unique<MujocoNodeFormulation>(system, script);
}

}  // namespace mbsbench
