// The promises of methods that own their step. They have no equations that the harness could evaluate, and what they
// observe may come from other code than their steps. So the steps themselves are tried: with three fixed lengths, each half
// the one before.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include "harness/conform/tried_systems.h"
#include "harness/metrics/acceleration_error.h"
#include "harness/runner/cells/random_states.h"
#include "harness/runner/trials/checked_observe.h"
#include "methods/kinematics/hermite.h"
#include "problems/catalog/catalog.h"
#include "problems/model/error.h"
#include "problems/model/worse.h"

namespace mbsbench {

namespace {

constexpr std::size_t kLadder = 3;      // steps
constexpr double kShortfall = 0.3;      // tolerated, of an order
constexpr double kOnlyRoundOff = 1e-9;  // an error below it need not fall

// What is added to a problem of the catalogue: on its first joint, or on its last body.
void AddMotor(System& system) {
  const DriverMotion torque = {
      .kind = MotionKind::kHarmonic, .amplitude = 5, .angular_frequency = 6};  // [N m], [rad/s]
  system.forces.Of<Motor>() = {{"motor", 0, true, {torque}}};
}
void AddBushing(System& system) {
  Bushing bushing;
  bushing.name = "bushing";
  bushing.body_b = static_cast<int>(system.bodies.size()) - 1;
  bushing.frame_a = {{0.3, -0.5, 0}, Normalised({1, 0, 0, 0.4})};
  bushing.frame_b = {{0.2, 0.1, 0}, Normalised({1, 0, 0, -0.2})};
  bushing.stiffness = {60, 30, 20};
  bushing.damping = {2, 1, 3};
  bushing.turn_stiffness = {8, 9, 10};
  bushing.turn_damping = {0.5, 0.6, 0.7};
  system.forces.Of<Bushing>() = {bushing};
}
void AddForce(System& system) {  // turns with the body
  const int last = static_cast<int>(system.bodies.size()) - 1;
  system.forces.Of<AppliedForce>() = {
      {"force", last, {0.3, 0.1, 0}, {20, -10, 0}, {0, 0, 3}, true}};
}

// A motion with a reference. Its end and the coarsest step of a scheme of order 2 [s]: there the error of a sound scheme
// is below 1e-2, and a term that is wrong by 1 % shows.
struct SteppedMotion {
  const char* problem;
  double end, coarsest;
  void (*add)(System&) = nullptr;  // null: nothing is added
  const char* with = "";           // what is added, for the name

  std::string Name() const { return std::string(problem) + with; }
};
constexpr SteppedMotion kSteppedMotions[] = {{"heavytop", 0.2, 1e-3},
                                             {"dzhanibekov", 4, 0.02},
                                             {"chainN3d:bodies=4", 0.6, 0.002},
                                             {"fourbar", 1, 2e-3},
                                             {"bricard", 0.5, 5e-3},
                                             {"dpend18", 2, 5e-3},
                                             {"pendulum", 2, 0.01},
                                             {"pendulum", 1, 0.01, AddMotor, "-with-motor"},
                                             {"dpend18", 0.5, 2.5e-3, AddBushing, "-with-bushing"},
                                             {"dpend18", 0.5, 5e-3, AddForce, "-with-force"},
                                             {"branchN:bodies=24", 0.02, 5e-4},
                                             {"swing:damped", 1, 5e-3},
                                             {"kapitza", 0.5, 1e-3}};

// Samples every 0.1 s lie at a third of a step, or at two, of every step of the ladder.
constexpr SteppedMotion kSampledWithinSteps = {"pendulum", 1.8, 0.3 / 22};
constexpr int kOrderWithinSteps = 2;  // at least

double CoarsestStep(double of_order_2, int order) {
  return order == 1 ? of_order_2 / 8 : order == 2 ? of_order_2 : 2 * of_order_2;
}

Problem ProblemOf(const SteppedMotion& stepped) {
  Problem problem = MakeProblem(stepped.problem);
  problem.name = stepped.Name();
  problem.end_time = stepped.end;
  std::erase_if(problem.sample_times, [&](double t) { return t > stepped.end * (1 + 1e-12); });
  if (stepped.add == nullptr) return problem;
  stepped.add(problem.system);
  problem.conservative = false;
  return problem;
}

// The method's own scheme; empty: it has none with fixed steps of a stated order.
std::optional<IntegratorEntry> OwnScheme(const MethodChoice& method) {
  const std::optional<IntegratorEntry> mine = IntegratorFor(method, *FindIntegrator("own"));
  return mine && mine->fixed_step && mine->order > 0 ? mine : std::nullopt;
}
Finding WithoutOwnScheme() {
  return NotApplicable("the method has no scheme of its own with fixed steps of a stated order");
}

// The errors of one quantity over the ladder of steps.
struct Falling {
  const char* quantity;
  std::array<double, kLadder> errors{};

  double Order() const { return std::log2(errors.front() / errors.back()) / (kLadder - 1); }
  double Shortfall(int order) const {
    return errors.back() <= kOnlyRoundOff ? 0 : Worse(0, order - Order());
  }
};

const Falling& WorstOf(const std::vector<Falling>& all, int order) {
  const Falling* worst = &all.front();
  for (const Falling& one : all) {
    const double shortfall = one.Shortfall(order);
    if (!(shortfall <= worst->Shortfall(order))) worst = &one;
  }
  return *worst;
}

std::string DescriptionOf(const Falling& falling, int order, double coarsest) {
  return fmt::format(
      "the error of {} falls by the order {:.2f} and not {}: {:.2g} at steps of {:g} s, their half "
      "and quarter",
      falling.quantity, falling.Order(), order, fmt::join(falling.errors, ", "), coarsest);
}

// Throws ModelError where a motion fails.
std::array<Accuracy, kLadder> JudgedSteps(const Problem& problem, const Reference* reference,
                                          const SystemState& start, const MethodChoice& method,
                                          double coarsest) {
  std::array<Accuracy, kLadder> all;
  for (std::size_t k = 0; k < kLadder; ++k) {
    const double step = coarsest / static_cast<double>(1 << k);
    JudgedMotion motion =
        JudgeMotion(problem, reference, start, method, {.integrator = "own", .step = step});
    if (!motion.report.ok())
      throw ModelError(
          fmt::format("it fails with steps of {:g} s: {}", step, motion.report.reason));
    if (!motion.accuracy.finite)
      throw ModelError(fmt::format("with steps of {:g} s it is not finite", step));
    all[k] = std::move(motion.accuracy);
  }
  return all;
}

std::vector<Falling> ErrorsOf(const std::array<Accuracy, kLadder>& motions) {
  Falling positions{"positions"}, velocities{"velocities"}, energy{"energy"}, momentum{"momentum"};
  for (std::size_t k = 0; k < kLadder; ++k) {
    const Accuracy& a = motions[k];
    positions.errors[k] = a.error ? a.error->max : NAN;
    velocities.errors[k] = a.error ? a.error->velocity_max : NAN;
    energy.errors[k] = a.energy_drift_max;
    momentum.errors[k] =
        std::max(a.linear_momentum_drift_max.value_or(0), a.angular_momentum_drift_max.value_or(0));
  }
  return {positions, velocities, energy, momentum};
}

// The finding on what falls the least. `where` begins its sentence.
void Judge(const Falling& worst, int order, double coarsest, const std::string& where,
           Finding& finding) {
  finding.bound = kShortfall;
  finding.figure = worst.Shortfall(order);
  finding.standing = finding.figure <= finding.bound ? Standing::kHeld : Standing::kBroken;
  if (finding.standing == Standing::kBroken)
    finding.reason = where + DescriptionOf(worst, order, coarsest);
}

// The finding on a motion that the method does not complete.
void Break(const std::string& problem, const ModelError& error, Finding& finding) {
  finding.bound = kShortfall;
  finding.figure = INFINITY;
  finding.standing = Standing::kBroken;
  finding.reason = fmt::format("on '{}' {}", problem, error.what());
}

// Within steps positions and velocities alone are judged.
enum class SamplesAt { kSteps, kWithinSteps };

Finding TryStepped(const SteppedMotion& stepped, SamplesAt samples, const MethodChoice& method) {
  const std::optional<IntegratorEntry> scheme = OwnScheme(method);
  if (!scheme) return WithoutOwnScheme();
  Problem problem = ProblemOf(stepped);
  Finding finding;
  if (!Counts(Supports(method, problem.system, "own"), finding)) return finding;
  std::string why_not;
  // None is stored for a problem of the catalogue to which something is added; it is solved in 113 bits.
  const std::optional<Reference> reference =
      stepped.add != nullptr ? SolveUncertified(problem) : FindReference(problem, &why_not);
  if (!reference) return NotApplicable(why_not);
  const double coarsest = CoarsestStep(stepped.coarsest, scheme->order);
  std::erase_if(problem.sample_times, [&](double t) {
    const bool is_on_all_grids = std::abs(t / coarsest - std::round(t / coarsest)) < 1e-9;
    return samples == SamplesAt::kSteps && !is_on_all_grids;
  });
  const int order =
      samples == SamplesAt::kSteps ? scheme->order : std::min(scheme->order, kOrderWithinSteps);
  try {
    std::vector<Falling> all =
        ErrorsOf(JudgedSteps(problem, &*reference, InitialState(problem), method, coarsest));
    if (samples == SamplesAt::kWithinSteps) all.erase(all.begin() + 2, all.end());
    Judge(WorstOf(all, order), order, coarsest, fmt::format("on '{}' ", stepped.Name()), finding);
  } catch (const ModelError& error) {
    Break(stepped.Name(), error, finding);
  }
  return finding;
}

// ---- random systems without dampers

// The errors of all systems together, because that of one may pass through zero as the step becomes shorter.
Finding TryEnergyOfTrees(const MethodChoice& method) {
  constexpr double kEnd = 0.1, kStep = 1. / 400;  // [s]
  const std::optional<IntegratorEntry> scheme = OwnScheme(method);
  if (!scheme) return WithoutOwnScheme();
  Finding finding;
  Falling energy{"energy"};
  for (const TriedSystem& tried : TreesWithoutDampers()) {
    if (!Counts(Supports(method, tried.system, "own"), finding)) continue;
    Problem problem = ProblemOf(tried);
    problem.end_time = kEnd;
    problem.energy_reference =
        std::max(1., EnergyOf(tried.system, tried.state.bodies, tried.state.joints).kinetic);
    problem.sample_times.clear();
    for (int k = 0; k <= 4; ++k) problem.sample_times.push_back(kEnd * k / 4);
    try {
      const std::array<Accuracy, kLadder> motions =
          JudgedSteps(problem, nullptr, tried.state, method, CoarsestStep(kStep, scheme->order));
      for (std::size_t k = 0; k < kLadder; ++k) energy.errors[k] += motions[k].energy_drift_max;
    } catch (const ModelError& error) {
      Break(tried.name, error, finding);
      finding.model = problem;
      return finding;
    }
  }
  if (finding.tried == 0) return finding;
  Judge(energy, scheme->order, CoarsestStep(kStep, scheme->order), "", finding);
  return finding;
}

// ---- a second start

Finding TrySecondStart(const MethodChoice& method) {
  constexpr int kSteps = 5;
  constexpr double kStep = 1e-3;  // [s]
  if (!OwnScheme(method)) return WithoutOwnScheme();
  Finding finding;
  for (const char* name : {"pendulum", "dpend18", "heavytop", "fourbar", "bricard", "kapitza"}) {
    const Problem problem = MakeProblem(name);
    if (!Counts(Supports(method, problem.system, "own"), finding)) continue;
    NowTrying(name);
    const SystemState start = InitialState(problem);
    const std::unique_ptr<Formulation> formulation = Prepare(method, problem);
    TimeStepper& stepper = *formulation->time_stepper();
    const std::string fails = fmt::format("it fails on '{}'", name);
    const StepControl control{.step = kStep,
                              .end_time = problem.end_time,
                              .length = problem.length,
                              .time = problem.time};
    const auto states = [&] {
      Require(stepper.Start(0, start, control), problem.system, fails);
      std::vector<double> all(stepper.y().begin(), stepper.y().end());
      for (int k = 0; k < kSteps; ++k) {
        Require(stepper.Step(problem.end_time).status, problem.system, fails);
        all.insert(all.end(), stepper.y().begin(), stepper.y().end());
      }
      return all;
    };
    const std::vector<double> first = states();
    if (first == states()) continue;
    finding.standing = Standing::kBroken;
    finding.reason =
        fmt::format("on '{}' it steps to other states when it starts a second time", name);
    return finding;
  }
  return finding;
}

// ---- the first step

// Bodies as observed after one step of length h.
std::vector<BodyState> AfterOneStep(const MethodChoice& method, const TriedSystem& tried,
                                    double h) {
  const std::unique_ptr<Formulation> formulation = Prepare(method, Given(tried));
  TimeStepper* const stepper = formulation->time_stepper();
  if (stepper == nullptr) throw ModelError("it has no time stepper of its own");
  const System& system = tried.system;
  Require(stepper->Start(0, tried.state,
                         {.step = h, .end_time = h, .length = tried.length, .time = tried.time}),
          system);
  Require(stepper->Step(h).status, system);
  if (std::abs(stepper->time() - h) > 1e-12 * h)
    throw ModelError(fmt::format("a step of {:g} s ends at {:.17g} s", h, stepper->time()));
  Observation there;
  Require(CheckedObserve(*formulation, system, h, stepper->y(), Detail::kMotion, there), system);
  return there.bodies;
}

// The difference quotients of positions over one step, then those of velocities: six numbers per body each, as AccelerationNumbers.
std::vector<double> QuotientsOver(const MethodChoice& method, const TriedSystem& tried, double h) {
  const std::vector<BodyState>& before = tried.state.bodies;
  const std::vector<BodyState> after = AfterOneStep(method, tried, h);
  std::vector<BodyAcceleration> moved, changed;
  for (std::size_t b = 0; b < before.size(); ++b) {
    const BodyState &from = before[b], &to = after[b];
    moved.push_back({(1 / h) * (to.position - from.position),
                     (1 / h) * RotationVectorOf(to.orientation * Conjugate(from.orientation))});
    changed.push_back({(1 / h) * (to.velocity - from.velocity),
                       (1 / h) * (to.angular_velocity - from.angular_velocity)});
  }
  std::vector<double> all = AccelerationNumbers(tried.system, moved);
  const std::vector<double> of_velocities = AccelerationNumbers(tried.system, changed);
  all.insert(all.end(), of_velocities.begin(), of_velocities.end());
  return all;
}

Deviation FirstStepError(const MethodChoice& method, const TriedSystem& tried) {
  constexpr double kStep = 1e-3;  // [s]
  const std::vector<double> whole = QuotientsOver(method, tried, kStep),
                            half = QuotientsOver(method, tried, kStep / 2),
                            quarter = QuotientsOver(method, tried, kStep / 4);
  // Richardson's extrapolation, for any scheme whose step is smooth in h.
  std::vector<double> limit;
  for (std::size_t i = 0; i < whole.size(); ++i)
    limit.push_back((whole[i] - 6 * half[i] + 8 * quarter[i]) / 3);
  const std::span<const double> all(limit);
  std::vector<BodyAcceleration> given;
  for (const BodyState& body : tried.state.bodies)
    given.push_back({body.velocity, body.angular_velocity});
  constexpr double kNaturalVelocity = 1;  // [m/s]; of bodies at rest
  const double velocity =
      AccelerationError(all.first(all.size() / 2), AccelerationNumbers(tried.system, given),
                        {tried.length, kNaturalVelocity});
  const double acceleration =
      AccelerationError(all.subspan(all.size() / 2),
                        AccelerationNumbers(tried.system, BodyAccelerationsOf(tried.Truth())),
                        AccelerationScaleOf(ProblemOf(tried), tried.state.bodies));
  return {.acceleration = Worse(velocity, acceleration),
          .what = acceleration <= velocity
                      ? "the change of positions over a step differs from the velocities by"
                      : "the change of velocities over a step differs from the accelerations by"};
}

// Systems of up to a dozen bodies from all those on which accelerations are tried, and two large ones.
const TriedSystems& SystemsToStep() {
  static const TriedSystems all = [] {
    constexpr std::size_t kMostBodies = 12;
    TriedSystems some;
    const auto add = [&some](const TriedSystems& systems) {
      for (const TriedSystem& tried : systems) {
        if (tried.system.bodies.size() <= kMostBodies) some.push_back(tried);
      }
    };
    for (JointType type : AllTreeJointTypes()) add(TreesWith(type));
    for (const TriedSystems* systems :
         {&Trees(), &TreesWithoutDampers(), &LightAndFarTrees(), &PlanarTrees(),
          &TreesAtRightAngles(), &Loops(), &RedundantOnes(), &WoundWheels(), &DrivenTrees(),
          &DrivenLoops(), &FreeTrees()})
      add(*systems);
    for (const TriedSystems* systems : {&Trees(), &Loops()}) some.push_back(systems->back());
    return some;
  }();
  return all;
}

}  // namespace

std::vector<Promise> OwnStepPromises() {
  std::vector<Promise> all;
  constexpr char kFalls[] = " with three fixed steps by the order that it states, or to round-off";
  for (const SteppedMotion& stepped : kSteppedMotions) {
    const std::string problem = stepped.Name();
    all.push_back(
        {"order-own-" + problem,
         "reduces the errors of positions, velocities, energy and momentum on " + problem + kFalls,
         "shortfall of the order", [&stepped](const MethodChoice& method) {
           return TryStepped(stepped, SamplesAt::kSteps, method);
         }});
  }
  all.push_back({"samples-own",
                 "interpolates positions and velocities within its steps by the order two, or one "
                 "where it states one",
                 "shortfall of the order", [](const MethodChoice& method) {
                   return TryStepped(kSampledWithinSteps, SamplesAt::kWithinSteps, method);
                 }});
  all.push_back(
      {"energy-own-trees",
       std::string("reduces the error of energy on random trees without dampers") + kFalls,
       "shortfall of the order", TryEnergyOfTrees});
  all.push_back({"second-start",
                 "steps to the same states to the last bit when it starts again after some steps",
                 "", TrySecondStart});
  all.push_back({"first-steps",
                 "changes positions by the velocities that it observes, and velocities by the "
                 "accelerations in 113 bits, in short steps",
                 "difference from the rates", [](const MethodChoice& method) {
                   if (!OwnScheme(method)) return WithoutOwnScheme();
                   return TryOnSystems(method, SystemsToStep(), 1e-4, FirstStepError);
                 }});
  return all;
}

}  // namespace mbsbench
