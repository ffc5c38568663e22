#include "harness/runner/documents.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "harness/metrics/attainable.h"
#include "harness/runner/cells/cell.h"
#include "harness/runner/cells/random_states.h"
#include "harness/store/sha1.h"
#include "problems/io/check.h"
#include "problems/io/model_file.h"
#include "problems/io/vocabulary.h"
#include "problems/model/turns.h"
#include "reference/printed_multipliers.h"
#include "reference/reference.h"

namespace mbsbench {

namespace {

// Explains the difference between a printed value and our reference.
std::string Why(const PublishedValue& value, double difference, const Reference& reference) {
  const double size = std::abs(difference);
  if (size <= value.last_digit) return "agrees within its uncertainty";
  if (size <= reference.error_estimate) return "within the error estimate of our reference";
  if (value.last_digit <= 0) return "its uncertainty is not stated";
  return fmt::format("{:.2g} times its uncertainty; our reference is certified to {:.1g}",
                     size / value.last_digit, reference.error_estimate);
}

// All that a model file states decides a verdict or what is recorded, except the words about the problem and the
// ladder of steps, whose cells are identified by their own step.
std::string HashOfStatement(Problem problem) {
  problem.title = problem.description = problem.source = "";
  for (BranchCondition& c : problem.branch) c.otherwise = "";
  problem.fixed_steps.clear();
  return Sha1(WriteModel(problem)).substr(0, 16);
}

}  // namespace

std::string HashOf(const Problem& problem) {
  return fmt::format("{} {:.17g} {:.17g} {}", ParameterHash(problem), problem.time,
                     problem.energy_reference, HashOfStatement(problem));
}

ProblemRecord RecordOf(const Problem& p) {
  const std::vector<Body>& bodies = p.system.bodies;
  const auto name_of = [&bodies](int body) {
    return body == kGround ? std::string() : bodies[static_cast<std::size_t>(body)].name;
  };
  // Of the tree less the independent constraints of the joints that close loops.
  const FreedomCount freedoms = CountFreedoms(p, InitialState(p));
  ProblemRecord record{.name = p.name,
                       .family = p.name.substr(0, p.name.find(':')),
                       .title = p.title,
                       .description = p.description,
                       .source = p.source,
                       .bodies = static_cast<int>(bodies.size()),
                       .degrees_of_freedom = freedoms.by_rank.value_or(freedoms.counted),
                       .loops = static_cast<int>(p.system.loop_joints.size()),
                       .planar = p.planar,
                       .conservative = p.conservative,
                       .end_time = p.end_time,
                       .length = p.length,
                       .time = p.time,
                       .energy_reference = p.energy_reference,
                       .gravity = p.system.gravity,
                       .problem_hash = HashOf(p),
                       .warnings = p.warnings};
  for (const BranchCondition& c : p.branch)
    record.branch.push_back(
        fmt::format("{} is {:.3g} within {:.3g}", c.observable.name, c.value, c.bound));
  const std::optional<Reference> reference = FindReference(p);
  if (reference) {
    const std::optional<LargestSensitivity> largest = LargestSensitivityOf(*reference);
    record.reference = {.how = reference->how,
                        .certified_by = reference->certified_by,
                        .error_estimate = reference->error_estimate,
                        .velocity_error_estimate = reference->velocity_error_estimate,
                        .sensitivity = largest ? largest->of_state : MaybeNumber(),
                        .data_sensitivity = largest ? largest->of_data : MaybeNumber(),
                        .sensitivity_how = reference->sensitivity_how,
                        .data_left_out = reference->data_left_out,
                        .attainable_error = AttainableError(*reference),
                        .digits_allowed = DigitsAllowed(*reference)};
    for (int b : reference->bodies) record.reference->bodies.push_back(name_of(b));
  }
  const auto add = [&](const std::string& quantity, const PublishedValue& value,
                       std::optional<double> ours, double difference) {
    record.published.push_back({.quantity = quantity,
                                .time = value.time,
                                .event = value.event,
                                .published = value.value,
                                .last_digit = value.last_digit,
                                .kind = std::string(NameOf(kPublishedKinds, value.kind)),
                                .source = value.source,
                                .ours = ours,
                                .difference = IfFinite(difference),
                                .why = ours        ? Why(value, difference, *reference)
                                       : reference ? "our reference lacks this value"
                                                   : "there is no reference"});
  };
  for (const PublishedValue& value : p.published) {
    const Observable& observable = p.observables[static_cast<std::size_t>(value.observable)];
    std::optional<double> ours;
    if (reference) ours = ValueIn(*reference, observable, value);
    const double difference = ours ? Difference(observable, *ours, value.value) : NAN;
    if (ours && observable.kind == Observable::Kind::kPlaneAngle)  // with the turns of theirs
      ours = NearestTurn(*ours, value.value);
    add(observable.name, value, ours, difference);
  }
  const PrintedMultipliers multipliers = PrintedMultipliersOf(p);
  for (const PublishedValue& value : multipliers.values) {
    const Multiplier& one = multipliers.quantities[static_cast<std::size_t>(value.observable)];
    std::optional<double> ours;
    if (reference) ours = ValueIn(*reference, one, value.time);
    add(one.name, value, ours, ours ? *ours - value.value : NAN);
    record.published.back().why = one.Meaning() + "; " + record.published.back().why;
  }
  const std::vector<int> drawn = RecordedBodies(p);
  for (int b : drawn) {
    const Body& body = bodies[static_cast<std::size_t>(b)];
    record.shapes.push_back({.name = body.name,
                             .kind = std::string(NameOf(kShapeKinds, body.shape->kind)),
                             .a = body.shape->a,
                             .b = body.shape->b,
                             .radius = body.shape->radius,
                             .mass = body.mass});
  }
  const auto is_drawn = [&drawn](int body) {
    return body == kGround || std::find(drawn.begin(), drawn.end(), body) != drawn.end();
  };
  for (const auto* list : {&p.system.joints, &p.system.loop_joints}) {
    for (const Joint& joint : *list) {
      if (!is_drawn(joint.parent) || !is_drawn(joint.child)) continue;
      record.joints.push_back({.name = joint.name,
                               .kind = std::string(Name(joint.type)),
                               .parent = name_of(joint.parent),
                               .child = name_of(joint.child),
                               .on_parent = joint.parent_frame.position,
                               .on_child = joint.child_frame.position,
                               .closes_loop = list == &p.system.loop_joints});
    }
  }
  for (const SpringDamper& e : p.system.forces.Of<SpringDamper>()) {
    if (!is_drawn(e.body_a) || !is_drawn(e.body_b)) continue;
    record.springs.push_back({.name = e.name,
                              .a = name_of(e.body_a),
                              .b = name_of(e.body_b),
                              .on_a = e.point_a,
                              .on_b = e.point_b,
                              .pulls = e.stiffness != 0,
                              .damps = e.damping != 0});
  }
  return record;
}

std::vector<LimitRecord> RecordsOf(const std::vector<DeclaredLimit>& limits) {
  std::vector<LimitRecord> records;
  for (const DeclaredLimit& limit : limits) {
    records.push_back({limit.promises, IfFinite(limit.bound), limit.reason, limit.with, {}});
    if (limit.seconds > 0) records.back().seconds = limit.seconds;
  }
  return records;
}

MethodRecord RecordOf(const MethodChoice& method) {
  const MethodEntry& entry = *method.entry;
  const OwnIntegration* const own = method.own_integration();
  return {.spec = method.spec,
          .key = entry.key,
          .options = method.options,
          .title = entry.title,
          .source = entry.source,
          .description = entry.description,
          .form = std::string(Name(method.form())),
          .cost_exponent = method.cost_exponent(),
          .origin = std::string(Name(entry.origin)),
          .limits = RecordsOf(LimitsOf(method)),
          .own_integrator = own != nullptr ? own->title : "",
          .own_order = own != nullptr ? std::optional(own->order) : std::nullopt,
          .reaction_choice = entry.reaction_choice};
}

}  // namespace mbsbench
