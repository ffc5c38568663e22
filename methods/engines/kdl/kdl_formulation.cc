#include "methods/engines/kdl/kdl_formulation.h"

#include <fmt/format.h>

#include <Eigen/Cholesky>
#include <algorithm>
#include <array>
#include <kdl/chainfdsolver_recursive_newton_euler.hpp>
#include <kdl/treeidsolver_recursive_newton_euler.hpp>
#include <optional>
#include <string>

#include "methods/engines/joint_engine.h"

namespace mbsbench {

namespace {

const char kRefused[] = "KDL's solver reported an error";
const char kSingular[] = "the joint-space inertia is not positive definite";
const char kRoot[] = "ground";

std::size_t U(int i) { return static_cast<std::size_t>(i); }

KDL::Vector ToKdl(const Vector3& v) { return {v.x, v.y, v.z}; }
KDL::Rotation ToKdl(const Quaternion& q) {
  const Matrix3 m = DirectionCosineMatrix(q);
  return {m(0, 0), m(0, 1), m(0, 2), m(1, 0), m(1, 1), m(1, 2), m(2, 0), m(2, 1), m(2, 2)};
}
KDL::Frame ToKdl(const Frame& f) { return {ToKdl(f.orientation), ToKdl(f.position)}; }

KDL::RigidBodyInertia InertiaOf(const Body& body) {
  const SymmetricMatrix3& i = body.inertia;
  return KDL::RigidBodyInertia(
      body.mass, KDL::Vector::Zero(),
      KDL::RotationalInertia(i(0, 0), i(1, 1), i(2, 2), i(0, 1), i(0, 2), i(1, 2)));
}

class KdlFormulation : public JointEngine {
 public:
  explicit KdlFormulation(const System& system)
      : JointEngine(system), tree_(kRoot), places_(joints_.rate_count()) {
    is_chain_ = topology_.roots.size() <= 1;
    for (std::size_t b = 0; b < system_.bodies.size(); ++b)
      is_chain_ = is_chain_ && topology_.children[b].size() <= 1;
    for (int body : topology_.order) AddBody(body);
    const KDL::Vector gravity = ToKdl(system_.gravity);
    const auto rates = static_cast<unsigned>(places_.size());
    for (KDL::JntArray* array : {&q_, &u_, &rate_, &efforts_, &torques_}) array->resize(rates);
    if (is_chain_) {
      // It has the segments of the tree, one after another.
      tree_.getChain(kRoot, NameOf(topology_.order.back()), chain_);
      chain_wrenches_.resize(chain_.getNrOfSegments());
      for (unsigned i = 0; i < chain_.getNrOfSegments(); ++i)
        segments_[chain_.getSegment(i).getName()] = i;
      forward_.emplace(chain_, gravity);
    } else {
      inertial_.emplace(tree_, KDL::Vector::Zero());
      inverse_.emplace(tree_, gravity);
      inertia_.resize(rates, rates);
    }
  }

 private:
  static std::string NameOf(int body) { return fmt::format("b{}", body); }
  static std::string TurnOf(std::size_t joint) { return fmt::format("turn{}", joint); }

  // The segments of the joint of a body; KDL's joints get the numbers of the rates in this order.
  void AddBody(int index) {
    const auto j = U(topology_.joint[U(index)]);
    const Joint& joint = system_.joints[j];
    std::string hook = joint.parent == kGround ? kRoot : NameOf(joint.parent);
    const KDL::Frame before = ToKdl(joint.parent_frame), after = ToKdl(joint.child_frame).Inverse();
    const auto add = [&](const std::string& name, const KDL::Joint& kdl, const KDL::Frame& to_tip) {
      const bool is_body = name == NameOf(index);
      tree_.addSegment(KDL::Segment(name, kdl, to_tip,
                                    is_body ? InertiaOf(system_.bodies[U(index)])
                                            : KDL::RigidBodyInertia::Zero()),
                       hook);
      hook = name;
    };
    const auto name_of_part = [&](int k) { return fmt::format("b{}.{}", index, k); };
    if (joint.type == JointType::kFixed) {
      add(NameOf(index), KDL::Joint(KDL::Joint::Fixed), before * after);
    } else if (!TurnsFreely(joint.type)) {  // revolute or prismatic: others arrive as single axes
      const KDL::Vector axis = before.M.UnitZ();
      add(NameOf(index),
          KDL::Joint(
              NameOf(index), before.p, axis,
              joint.type == JointType::kRevolute ? KDL::Joint::RotAxis : KDL::Joint::TransAxis),
          before * after);
    } else {
      if (joint.type == JointType::kFree) {
        add(name_of_part(0), KDL::Joint(KDL::Joint::Fixed), before);
        add(name_of_part(1), KDL::Joint(KDL::Joint::TransX), KDL::Frame::Identity());
        add(name_of_part(2), KDL::Joint(KDL::Joint::TransY), KDL::Frame::Identity());
        add(name_of_part(3), KDL::Joint(KDL::Joint::TransZ), KDL::Frame::Identity());
      }
      add(TurnOf(j), KDL::Joint(KDL::Joint::Fixed),
          joint.type == JointType::kFree ? KDL::Frame::Identity() : before);
      add(name_of_part(4), KDL::Joint(KDL::Joint::RotX), KDL::Frame::Identity());
      add(name_of_part(5), KDL::Joint(KDL::Joint::RotY), KDL::Frame::Identity());
      add(NameOf(index), KDL::Joint(KDL::Joint::RotZ), after);
    }
    for (int k = 0; k < RateCount(joint.type); ++k) places_[U(at_.u[j] + k)] = next_++;
  }

  KDL::Segment& SegmentNamed(const std::string& name) {
    if (is_chain_) return chain_.getSegment(segments_.at(name));
    // A tree shows its segments as constants only, although their frames may be set.
    return const_cast<KDL::Segment&>(GetTreeElementSegment(tree_.getSegment(name)->second));
  }

  void SetState(std::span<const double> y, const Loads& loads) {
    for (std::size_t j = 0; j < system_.joints.size(); ++j) {
      const Joint& joint = system_.joints[j];
      const double* const q = y.data() + at_.q[j];
      const double* const u = y.data() + joints_.count() + U(at_.u[j]);
      for (int k = 0; k < RateCount(joint.type); ++k) {
        const unsigned place = places_[U(at_.u[j] + k)];
        const bool is_turn_of_ball = TurnsFreely(joint.type) && !IsLength(joint.type, k);
        q_(place) = is_turn_of_ball ? 0 : q[k];
        u_(place) = u[k];
        efforts_(place) = loads.efforts[U(at_.u[j] + k)];
      }
      if (!TurnsFreely(joint.type)) continue;
      const double* const turn = q + (joint.type == JointType::kFree ? 3 : 0);
      const KDL::Frame rotation(ToKdl(Normalised({turn[0], turn[1], turn[2], turn[3]})));
      SegmentNamed(TurnOf(j)).setFrameToTip(
          joint.type == JointType::kFree ? rotation : ToKdl(joint.parent_frame) * rotation);
    }
    for (std::size_t b = 0; b < loads.wrenches.size(); ++b) {
      const Quaternion to_body = Conjugate(loads.bodies[b].orientation);
      const KDL::Wrench wrench(ToKdl(Rotate(to_body, loads.wrenches[b].force)),
                               ToKdl(Rotate(to_body, loads.wrenches[b].moment)));
      const std::string name = NameOf(static_cast<int>(b));
      (is_chain_ ? chain_wrenches_[segments_.at(name)] : tree_wrenches_[name]) = wrench;
    }
  }

  Status Accelerate(std::span<const double> y, const Loads& loads,
                    std::span<double> accelerations) override {
    SetState(y, loads);
    if (is_chain_) {
      if (forward_->CartToJnt(q_, u_, efforts_, chain_wrenches_, rate_) < 0)
        return {Status::Code::kSingular, -1, -1, kRefused};
    } else if (const Status status = SolveTree(); !status.ok()) {
      return status;
    }
    for (std::size_t i = 0; i < places_.size(); ++i) accelerations[i] = rate_(places_[i]);
    // From the accelerations of three revolutes at zero angles to those of the angular velocity.
    for (std::size_t j = 0; j < system_.joints.size(); ++j) {
      if (!TurnsFreely(system_.joints[j].type)) continue;
      const double* const w = y.data() + joints_.count() + U(at_.u[j + 1] - 3);
      double* const a = accelerations.data() + at_.u[j + 1] - 3;
      a[0] += w[1] * w[2], a[1] -= w[0] * w[2], a[2] += w[0] * w[1];
    }
    return {};
  }

  Status SolveTree() {
    KDL::SetToZero(rate_);
    if (inverse_->CartToJnt(q_, u_, rate_, tree_wrenches_, torques_) < 0)
      return {Status::Code::kSingular, -1, -1, kRefused};
    const Eigen::VectorXd forces = efforts_.data - torques_.data;
    const KDL::JntArray at_rest(static_cast<unsigned>(places_.size()));
    for (unsigned k = 0; k < places_.size(); ++k) {
      rate_(k) = 1;
      if (inertial_->CartToJnt(q_, at_rest, rate_, {}, torques_) < 0)
        return {Status::Code::kSingular, -1, -1, kRefused};
      inertia_.col(k) = torques_.data;
      rate_(k) = 0;
    }
    const Eigen::LDLT<Eigen::MatrixXd> factors(inertia_);
    // Eigen passes over a pivot that is zero or not a number.
    if (!(factors.vectorD().array() > 0).all()) return {Status::Code::kSingular, -1, -1, kSingular};
    rate_.data = factors.solve(forces);
    return {};
  }

  bool is_chain_ = true;
  KDL::Tree tree_;
  unsigned next_ = 0;             // number of the next joint of KDL
  std::vector<unsigned> places_;  // per rate: its joint of KDL
  KDL::JntArray q_, u_, rate_, efforts_, torques_;
  // KDL's algorithm for chains needs these.
  KDL::Chain chain_;
  std::map<std::string, unsigned> segments_;
  KDL::Wrenches chain_wrenches_;
  std::optional<KDL::ChainFdSolver_RNE> forward_;
  // Its algorithm for trees needs these.
  KDL::WrenchMap tree_wrenches_;
  std::optional<KDL::TreeIdSolver_RNE> inertial_, inverse_;
  Eigen::MatrixXd inertia_;
};

}  // namespace

std::unique_ptr<OdeFormulation> MakeKdlFormulation(const System& system) {
  return std::make_unique<KdlFormulation>(system);
}

}  // namespace mbsbench
