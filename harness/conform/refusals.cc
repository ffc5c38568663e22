// The promises about what a method supports and refuses.
#include <fmt/format.h>

#include <algorithm>

#include "harness/conform/tried_systems.h"
#include "harness/runner/cells/random_states.h"
#include "harness/runner/trials/judged_evaluation.h"
#include "harness/support/support.h"
#include "problems/catalog/catalog.h"
#include "problems/model/worse.h"
#include "problems/test_systems/random_loops.h"

namespace mbsbench {

namespace {

// Beyond the first size, products along a path lose digits. Beyond the second, 113 bits and the measurement of the
// condition take too long.
constexpr std::size_t kFewBodies = 12, kMostBodies = 40;
constexpr double kRightInitialState = 1e-8;

// A type that the model may get in the future.
constexpr auto kLaterType = static_cast<JointType>(57);

bool Quotes(const std::string& sentence, const std::string& name) {
  return sentence.find("'" + name + "'") != std::string::npos;
}

template <class Elements>
bool NamesOne(const std::string& sentence, const Elements& elements) {
  return std::ranges::any_of(elements, [&](const auto& e) { return Quotes(sentence, e.name); });
}

bool NamesWhatItRefuses(const std::string& sentence, const System& s) {
  bool names_element = false;
  s.forces.ForEachList([&](const auto& list) { names_element |= NamesOne(sentence, list); });
  return names_element || NamesOne(sentence, s.bodies) || NamesOne(sentence, s.joints) ||
         NamesOne(sentence, s.loop_joints) || NamesOne(sentence, s.drivers) ||
         (s.rope_flight && Quotes(sentence, s.rope_flight->name));
}

// Systems that some methods refuse: every kind of component of the model, one at a time.
TriedSystems Probes() {
  TriedSystems all;
  const auto last = [&all](TriedSystems systems) { all.push_back(std::move(systems.back())); };
  for (JointType type : AllTreeJointTypes()) last(TreesWith(type));
  for (JointType type : RandomLoopOptions{}.loop_types) last(LoopsWith(type));
  ForceElements::ForEachLaw(
      [&]<class Law>(std::type_identity<Law>) { last(TreesWith(Law::kKind)); });
  all.push_back(DrivenTrees().at(9));
  for (const auto& [mass, inertia] : {std::pair{1., 0.}, {0., 1.}, {0., 0.}}) {
    TriedSystem unusual = TreesWith(JointType::kRevolute).at(3);
    unusual.system.bodies[1].mass = mass;
    unusual.system.bodies[1].inertia = Diagonal(inertia, inertia, inertia);
    all.push_back(unusual);
  }
  return all;
}

// Systems that no method supports yet, unless it leaves joints to shared code.
TriedSystems LaterProbes() {
  TriedSystem tree = TreesWith(JointType::kRevolute).at(1);
  tree.system.joints[0].type = kLaterType;
  TriedSystem loop = TreesWith(JointType::kRevolute).at(2);
  Joint cut;
  cut.name = "later_cut";
  cut.type = kLaterType;
  cut.child = 1;
  loop.system.loop_joints = {cut};
  return {tree, loop};
}

Finding TryRefusals(const MethodChoice& method) {
  Finding finding{.standing = Standing::kHeld, .figure = 0, .bound = 0};
  const auto judge = [&](const TriedSystem& probe, bool must_refuse) {
    ++finding.tried;
    NowTrying(probe.name);
    const Verdict verdict = VerdictOf(*method.entry, probe.system, method.options);
    std::string fault;
    if (verdict.supported) {
      if (must_refuse) fault = "it takes a joint of a type that it does not list";
    } else {
      ++finding.refused;
      const bool names_option = std::ranges::any_of(method.options, [&](const std::string& option) {
        return Quotes(verdict.reason, option);
      });
      if (!names_option && !NamesWhatItRefuses(verdict.reason, probe.system))
        fault = "its refusal names no body, joint, element or option: " + verdict.reason;
    }
    if (!fault.empty()) ++finding.figure;
    if (fault.empty() || finding.standing == Standing::kBroken) return;
    finding.standing = Standing::kBroken;
    finding.reason = fmt::format("'{}': {}", probe.name, fault);
    if (!must_refuse) finding.model = ProblemOf(probe);
  };
  for (const TriedSystem& probe : Probes()) judge(probe, false);
  const TriedSystems later = LaterProbes();
  if (!CapabilitiesOf(*method.entry, method.options).tree_joints.all) judge(later[0], true);
  judge(later[1], true);
  return finding;
}

// The problems of more than `least` and up to `most` bodies: each is refused, evaluated correctly, or found singular.
Finding TryCatalogue(const MethodChoice& method, std::size_t least, std::size_t most) {
  if (const std::optional<Finding> none = WithoutMotion(method)) return *none;
  Finding finding{.figure = 0, .bound = kRightInitialState};
  int singular = 0;
  const auto broken = [&](const Problem& problem, double error, const std::string& why) {
    finding.standing = Standing::kBroken;
    finding.figure = Worse(finding.figure, error);
    if (finding.model && finding.model->system.bodies.size() <= problem.system.bodies.size())
      return;
    finding.reason = fmt::format("on '{}': {}", problem.name, why);
    finding.model = problem;
  };
  for (const std::string& instance : AllInstances()) {
    const Problem problem = MakeProblem(instance);
    if (problem.system.bodies.size() <= least || problem.system.bodies.size() > most) continue;
    NowTrying(problem.name);
    if (!Counts(VerdictOf(*method.entry, problem.system, method.options), finding)) continue;
    try {
      const JudgedEvaluation judged =
          JudgeInitialState({{}, problem, InitialState(problem), method}, Detail::kReactions);
      const bool ill_conditioned = judged.ending.outcome == Outcome::kIllConditioned;
      if (judged.ending.outcome != Outcome::kOk && !ill_conditioned)
        broken(problem, INFINITY, judged.ending.reason);
      else if (ill_conditioned || (judged.error && !(*judged.error <= kRightInitialState)))
        broken(problem, judged.error.value_or(INFINITY),
               fmt::format("accelerations are off by {:.2g} of their size{}",
                           judged.error.value_or(NAN),
                           ill_conditioned ? ", found ill-conditioned" : ""));
      else if (!judged.forces.falsely_not_unique.empty())
        broken(problem, INFINITY, FalselyNotUnique(judged.forces.falsely_not_unique));
      else if (judged.error)
        finding.figure = Worse(finding.figure, *judged.error);
    } catch (const EvaluationFailed& failed) {
      if (failed.ending.outcome == Outcome::kSingular)
        ++singular;
      else
        broken(problem, INFINITY, failed.what());
    }
  }
  if (finding.standing == Standing::kHeld && singular > 0)
    finding.reason = fmt::format("{} singular", singular);
  return finding;
}

}  // namespace

std::vector<Promise> RefusalPromises() {
  return {
      {"refusals",
       "refuses what it does not list by a sentence that names a body, joint or element",
       "systems that are not", TryRefusals},
      {"catalogue",
       "evaluates the initial state of every problem of the catalogue that it takes, of up to 12 "
       "bodies, to eight digits and well-conditioned, or finds it singular",
       "error of accelerations",
       [](const MethodChoice& method) { return TryCatalogue(method, 0, kFewBodies); }},
      {"catalogue-large", "does the same with those of 13 to 40 bodies", "error of accelerations",
       [](const MethodChoice& method) { return TryCatalogue(method, kFewBodies, kMostBodies); }}};
}

}  // namespace mbsbench
