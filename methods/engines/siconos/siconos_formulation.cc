#include "methods/engines/siconos/siconos_formulation.h"

#include <NumericsMatrix.h>

#include <BlockVector.hpp>
#include <CylindricalJointR.hpp>
#include <EqualityConditionNSL.hpp>
#include <FixedJointR.hpp>
#include <Interaction.hpp>
#include <KneeJointR.hpp>
#include <NewtonEulerDS.hpp>
#include <NonSmoothDynamicalSystem.hpp>
#include <PivotJointR.hpp>
#include <PrismaticJointR.hpp>
#include <SiconosVector.hpp>
#include <SimpleMatrix.hpp>

#include <fmt/format.h>

#include <Eigen/Cholesky>
#include <algorithm>
#include <array>
#include <cstdlib>
#include <memory>
#include <utility>

#include "methods/engines/absolute_engine.h"
#include "methods/engines/siconos/moreau_jean.h"
#include "methods/interface/fixed_steps.h"
#include "problems/model/eigen.h"

namespace mbsbench {

namespace {

const char kThrew[] = "Siconos threw an exception at this state";
const char kOutOfRange[] = "the state or a force is so large that Siconos would abort";
const char kSingular[] = "Siconos' sparse solver found no solution for the multipliers";
const char kNoConvergence[] = "Newton's iteration of Siconos did not converge";

// Debian compiles Siconos with its assertions, which abort the process if a force is not a number.
constexpr double kLargest = 1e60;

// A slower rate of a quaternion is as good as this one: the difference is exact.
constexpr double kSlowest = 1e-30;  // [1/s]

// Weights of a polynomial's values at these places, which give its derivative at 0 up to degree four.
constexpr std::array<std::pair<double, double>, 4> kDifference{
    {{-2, 1. / 12}, {-1, -8. / 12}, {1, 8. / 12}, {2, -1. / 12}}};

std::size_t U(int i) { return static_cast<std::size_t>(i); }

SP::SiconosVector ToSiconos(const Vector3& v) {
  return std::make_shared<SiconosVector>(std::vector<double>{v.x, v.y, v.z});
}
Eigen::Map<Eigen::VectorXd> Entries(SiconosVector& v) { return {v.getArray(), v.size()}; }
Eigen::Map<const Eigen::MatrixXd> Entries(const SiconosMatrix& m) {
  return {m.getArray(), m.size(0), m.size(1)};
}
Vector3 FromEntries(const double* v) { return {v[0], v[1], v[2]}; }

struct FreeMatrix {
  void operator()(NumericsMatrix* matrix) const { NM_free(matrix); }
};

using Matrix6 = Eigen::Matrix<double, 6, 6>;

struct MovingBody {
  SP::NewtonEulerDS dynamics;
  SP::SiconosVector force, moment;  // inertial axes; body axes
  Eigen::LLT<Matrix6> mass;
  Eigen::VectorXd acceleration;  // of the mass centre, inertial axes; angular, body axes
};

struct Constraint {
  std::size_t joint;
  std::vector<std::size_t> bodies;  // the child, and the parent unless that is the ground
  SP::NewtonEulerJointR relation;
  SP::Interaction interaction;
  SP::BlockVector moved;  // coordinates at which the Jacobian is taken for a difference
  Eigen::Index row;
  Eigen::MatrixXd g;               // columns: six per body
  Eigen::MatrixXd inverse_mass_g;  // M^-1 G'
};

SP::NewtonEulerJointR JointOf(JointType type) {
  switch (type) {
    case JointType::kBall: return std::make_shared<KneeJointR>();
    case JointType::kRevolute: return std::make_shared<PivotJointR>();
    case JointType::kPrismatic: return std::make_shared<PrismaticJointR>();
    case JointType::kCylindrical: return std::make_shared<CylindricalJointR>();
    case JointType::kFixed: return std::make_shared<FixedJointR>();
    case JointType::kFree:
    case JointType::kDistance:
    case JointType::kUniversal:
    case JointType::kPlanar: break;  // no constraint; refused
  }
  return {};
}

// From the axes of each body in Siconos to its own: those of the frame of its joint, since Siconos takes other axes of joints for
// few directions only.
std::vector<Quaternion> AxesOf(const System& system) {
  std::vector<Quaternion> axes(system.bodies.size());
  for (const Joint& joint : system.joints) axes[U(joint.child)] = joint.child_frame.orientation;
  return axes;
}

// Without the last bits of a difference of two times, so that one simulation serves all steps of a grid.
double RoundedStep(double h) { return std::strtod(fmt::format("{:.9e}", h).c_str(), nullptr); }

class SiconosFormulation : public AbsoluteEngine, public FixedStepper {
 public:
  explicit SiconosFormulation(const System& system)
      : AbsoluteEngine(system),
        FixedStepper(static_cast<Formulation&>(*this)),
        axes_(AxesOf(system_)),
        zero_(bodies_) {
    MakeModel(1);
  }
  ~SiconosFormulation() override { Release(); }

  TimeStepper* time_stepper() override { return this; }

 private:
  // Bodies and joints where all coordinates are zero. Siconos' objects serve one simulation, and that has one length of step.
  void MakeModel(double h) {
    Release();
    rows_ = 0;
    at_body_.assign(system_.bodies.size(), {});
    model_ = std::make_shared<NonSmoothDynamicalSystem>(0., 2 * h);
    for (std::size_t b = 0; b < system_.bodies.size(); ++b) {
      const Body& body = system_.bodies[b];
      const Vector3& r = zero_[b].position;
      const Quaternion q = zero_[b].orientation * axes_[b];
      const Eigen::Matrix3d turn = ToEigen(axes_[b]).toRotationMatrix();
      const Eigen::Matrix3d turned = turn.transpose() * ToEigen(body.inertia) * turn;
      const auto inertia = std::make_shared<SimpleMatrix>(3u, 3u);
      for (unsigned i = 0; i < 3; ++i)
        for (unsigned j = 0; j < 3; ++j) inertia->setValue(i, j, turned(i, j));
      MovingBody made;
      made.dynamics = std::make_shared<NewtonEulerDS>(
          std::make_shared<SiconosVector>(std::vector{r.x, r.y, r.z, q.w, q.x, q.y, q.z}),
          std::make_shared<SiconosVector>(std::vector<double>(6)), body.mass, inertia);
      made.force = ToSiconos({}), made.moment = ToSiconos({});
      made.dynamics->setFExtPtr(made.force);
      made.dynamics->setMExtPtr(made.moment);
      made.mass.compute(Matrix6(Entries(*made.dynamics->mass())));
      model_->insertDynamicalSystem(made.dynamics);
      made_.push_back(std::move(made));
    }
    for (std::size_t j = 0; j < system_.joints.size(); ++j) AddJoint(j);
  }

  // Siconos' objects own one another in circles.
  void Release() {
    steps_.reset();
    if (model_) model_->clear();
    constraints_.clear();
    made_.clear();
  }

  void AddJoint(std::size_t index) {
    const Joint& joint = system_.joints[index];
    const SP::NewtonEulerJointR relation = JointOf(joint.type);
    if (!relation) return;
    Constraint made{.joint = index,
                    .bodies = {U(joint.child)},
                    .relation = relation,
                    .interaction = {},
                    .moved = {},
                    .row = rows_,
                    .g = {},
                    .inverse_mass_g = {}};
    if (joint.parent != kGround) made.bodies.push_back(U(joint.parent));
    const SP::NewtonEulerDS child = made_[U(joint.child)].dynamics;
    const SP::NewtonEulerDS parent =
        joint.parent == kGround ? nullptr : made_[U(joint.parent)].dynamics;
    relation->setAbsolute(false);
    if (!relation->points().empty())
      relation->setPoint(
          0, ToSiconos(Rotate(Conjugate(axes_[U(joint.child)]), joint.child_frame.position)));
    if (!relation->axes().empty()) relation->setAxis(0, ToSiconos({0, 0, 1}));
    relation->setBasePositions(child->q(), parent ? parent->q() : SP::SiconosVector());
    made.interaction = std::make_shared<Interaction>(
        std::make_shared<EqualityConditionNSL>(relation->numberOfConstraints()), relation);
    model_->link(made.interaction, child, parent);
    const auto sides = static_cast<unsigned>(made.bodies.size());
    made.moved = std::make_shared<BlockVector>(sides);
    for (unsigned k = 0; k < sides; ++k) {
      made.moved->setVectorPtr(k, std::make_shared<SiconosVector>(7u));
      at_body_[made.bodies[k]].push_back({constraints_.size(), Column(k)});
    }
    rows_ += relation->numberOfConstraints();
    constraints_.push_back(std::move(made));
  }

  Status Advance(double t, std::span<const double> y, double h, std::span<double> out) override {
    ++counters_.evaluations;
    if (const Status status = Read(y); !status.ok()) return status;
    try {
      if (const double step = RoundedStep(h); !steps_ || step != step_) {
        MakeModel(step);
        steps_ = std::make_unique<MoreauJeanSteps>(model_, step_ = step);
      }
      if (const Status status = Place(t); !status.ok()) return status;
      for (const MovingBody& body : made_) body.dynamics->swapInMemory();
      if (!steps_->Step()) return {Status::Code::kStepFailed, -1, -1, kNoConvergence};
    } catch (const std::exception&) {
      steps_.reset();
      return {Status::Code::kStepFailed, -1, -1, kThrew};
    }
    for (std::size_t b = 0; b < made_.size(); ++b) {
      double* const to = out.data() + kSize * b;
      const double* const r = made_[b].dynamics->q()->getArray();
      const double* const v = made_[b].dynamics->twist()->getArray();
      const Quaternion turned{r[3], r[4], r[5], r[6]};
      const Quaternion q = turned * Conjugate(axes_[b]);
      const Vector3 w = Rotate(turned, FromEntries(v + 3));
      std::copy_n(r, 3, to);
      to[3] = q.w, to[4] = q.x, to[5] = q.y, to[6] = q.z;
      std::copy_n(v, 3, to + 7);
      to[10] = w.x, to[11] = w.y, to[12] = w.z;
    }
    return {};
  }

  Status Accelerate(double t) override {
    try {
      if (const Status status = Place(t); !status.ok()) return status;
      for (MovingBody& body : made_)
        body.acceleration = body.mass.solve(Entries(*body.dynamics->forces()));
      multipliers_.resize(rows_);
      for (Constraint& c : constraints_) CalcRows(t, c);
      if (rows_ > 0 && !SolveForMultipliers()) return {Status::Code::kSingular, -1, -1, kSingular};
    } catch (const std::exception&) {
      return {Status::Code::kStepFailed, -1, -1, kThrew};
    }
    for (const Constraint& c : constraints_) {
      const Eigen::VectorXd change = c.inverse_mass_g * multipliers_.segment(c.row, c.g.rows());
      for (std::size_t k = 0; k < c.bodies.size(); ++k)
        made_[c.bodies[k]].acceleration += change.segment<6>(Column(k));
    }
    for (std::size_t b = 0; b < made_.size(); ++b) {
      const double* const a = made_[b].acceleration.data();
      accelerations_[b] = {FromEntries(a), Rotate(Turned(b), FromEntries(a + 3))};
    }
    return {};
  }

  Wrench OnChild(std::size_t joint) const override {
    const Constraint& c = *std::ranges::find(constraints_, joint, &Constraint::joint);
    const Eigen::VectorXd on =
        c.g.leftCols<6>().transpose() * multipliers_.segment(c.row, c.g.rows());
    return {FromEntries(on.data()), Rotate(Turned(c.bodies.front()), FromEntries(on.data() + 3))};
  }

  // Siconos' bodies to bodies_, with their forces.
  Status Place(double t) {
    const std::span<const Wrench> wrenches = WrenchesAt(t);
    for (std::size_t b = 0; b < made_.size(); ++b) {
      const auto& [r, unturned, v, w] = bodies_[b];
      const Quaternion q = Turned(b), to_body = Conjugate(q);
      const Vector3 spin = Rotate(to_body, w);
      const Wrench on = wrenches.empty() ? Wrench{} : wrenches[b];
      const Vector3 force = on.force + system_.bodies[b].mass * system_.gravity;
      const Vector3 moment = Rotate(to_body, on.moment);
      NewtonEulerDS& body = *made_[b].dynamics;
      Entries(*body.q()) << r.x, r.y, r.z, q.w, q.x, q.y, q.z;
      Entries(*body.twist()) << v.x, v.y, v.z, spin.x, spin.y, spin.z;
      Entries(*made_[b].force) = ToEigen(force);
      Entries(*made_[b].moment) = ToEigen(moment);
      if (!(Norm(r) + Norm(v) + Norm(w) + Norm(force) + Norm(moment) < kLargest))
        return {Status::Code::kNotFinite, -1, -1, kOutOfRange};
      body.computeT();
      Entries(*body.dotq()) = Entries(*body.T()) * Entries(*body.twist());
      body.computeForces(t);
    }
    return {};
  }

  // G of a joint, and the right side -(J' q' + J T' v) - G M^-1 f of its rows.
  void CalcRows(double t, Constraint& c) {
    NewtonEulerR& relation = *c.relation;
    const auto size = static_cast<Eigen::Index>(7 * c.bodies.size());
    Eigen::VectorXd rates(size), turned(size), free(Column(c.bodies.size()));
    double fastest = kSlowest;
    for (std::size_t k = 0; k < c.bodies.size(); ++k) {
      const MovingBody& body = made_[c.bodies[k]];
      const auto at = static_cast<Eigen::Index>(7 * k);
      rates.segment<7>(at) = Entries(*body.dynamics->dotq());
      fastest = std::max(fastest, rates.segment<4>(at + 3).norm());
      ::computeT(body.dynamics->dotq(), rate_of_t_);
      turned.segment<7>(at) = Entries(*rate_of_t_) * Entries(*body.dynamics->twist());
      free.segment<6>(Column(k)) = body.acceleration;
    }
    // Steps after which unit quaternions have moved by about their length.
    Eigen::VectorXd second = Eigen::VectorXd::Zero(c.relation->numberOfConstraints());
    for (const auto& [steps, weight] : kDifference) {
      for (std::size_t k = 0; k < c.bodies.size(); ++k)
        Entries(*c.moved->vector(static_cast<unsigned>(k))) =
            Entries(*made_[c.bodies[k]].dynamics->q()) +
            steps / fastest * rates.segment<7>(static_cast<Eigen::Index>(7 * k));
      relation.computeJachq(t, *c.interaction, c.moved);
      second += weight * fastest * (Entries(*relation.jachq()) * rates);
    }
    relation.computeJach(t, *c.interaction);
    c.g = Entries(*relation.jachqT());
    c.inverse_mass_g.resize(c.g.cols(), c.g.rows());
    for (std::size_t k = 0; k < c.bodies.size(); ++k)
      c.inverse_mass_g.middleRows<6>(Column(k)) =
          made_[c.bodies[k]].mass.solve(c.g.middleCols<6>(Column(k)).transpose());
    multipliers_.segment(c.row, c.g.rows()) =
        -second - Entries(*relation.jachq()) * turned - c.g * free;
  }

  // From their right side.
  bool SolveForMultipliers() {
    const auto size = static_cast<int>(rows_);
    const std::unique_ptr<NumericsMatrix, FreeMatrix> matrix(NM_create(NM_SPARSE, size, size));
    NM_setSparseSolver(matrix.get(), NSM_CSPARSE);  // MUMPS else
    NM_triplet_alloc(matrix.get(), 25 * size);
    const auto add = [&](const Eigen::MatrixXd& block, Eigen::Index row, Eigen::Index column) {
      for (Eigen::Index j = 0; j < block.cols(); ++j)
        for (Eigen::Index i = 0; i < block.rows(); ++i)
          NM_entry(matrix.get(), static_cast<int>(row + i), static_cast<int>(column + j),
                   block(i, j));
    };
    for (const Constraint& c : constraints_) add(c.g * c.inverse_mass_g, c.row, c.row);
    for (const std::vector<Side>& sides :
         at_body_) {  // two joints of a tree share one body at most
      for (const Side& one : sides) {
        for (const Side& other : sides) {
          if (one.constraint == other.constraint) continue;
          const Constraint &a = constraints_[one.constraint], &b = constraints_[other.constraint];
          add(a.g.middleCols<6>(one.column) * b.inverse_mass_g.middleRows<6>(other.column), a.row,
              b.row);
        }
      }
    }
    return NM_LU_solve(matrix.get(), multipliers_.data(), 1) == 0;
  }

  Quaternion Turned(std::size_t b) const { return bodies_[b].orientation * axes_[b]; }

  static Eigen::Index Column(std::size_t side) { return static_cast<Eigen::Index>(6 * side); }

  struct Side {
    std::size_t constraint;
    Eigen::Index column;  // in its G
  };

  const std::vector<Quaternion> axes_;
  const std::vector<BodyState> zero_;
  SP::NonSmoothDynamicalSystem model_;
  std::vector<MovingBody> made_;  // per body
  std::vector<Constraint> constraints_;
  std::vector<std::vector<Side>> at_body_;
  Eigen::Index rows_ = 0;  // of all constraints
  Eigen::VectorXd multipliers_;
  const SP::SimpleMatrix rate_of_t_ = std::make_shared<SimpleMatrix>(7u, 6u);  // T'
  std::unique_ptr<MoreauJeanSteps> steps_;
  double step_ = 0;  // the length of steps_
};

}  // namespace

std::unique_ptr<OdeFormulation> MakeSiconosFormulation(const System& system) {
  return std::make_unique<SiconosFormulation>(system);
}

}  // namespace mbsbench
