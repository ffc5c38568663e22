#include "harness/runner/documents.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "harness/metrics/attainable.h"
#include "harness/records/json_codec.h"
#include "harness/runner/cell.h"
#include "harness/runner/random_states.h"
#include "problems/io/check.h"
#include "reference/reference.h"

namespace mbsbench {

namespace {

std::string_view Name(PublishedValue::Kind kind) {
  switch (kind) {
    case PublishedValue::Kind::kExact: return "exact";
    case PublishedValue::Kind::kPublished: return "published";
    case PublishedValue::Kind::kComputed: return "computed";
  }
  return "";
}

std::string_view Name(Shape::Kind kind) {
  switch (kind) {
    case Shape::Kind::kNone: return "none";
    case Shape::Kind::kRod: return "rod";
    case Shape::Kind::kBox: return "box";
    case Shape::Kind::kSphere: return "sphere";
  }
  return "";
}

// What the difference between a printed value and our reference means.
std::string Why(const PublishedValue& value, double difference, const Reference& reference) {
  const double size = std::abs(difference);
  if (size <= value.last_digit) return "agrees to the last digit printed";
  if (size <= reference.error_estimate) return "within the error estimate of our reference";
  return fmt::format("{:.2g} units of the last digit printed; our reference is certified to {:.1g}",
                     size / value.last_digit, reference.error_estimate);
}

}  // namespace

int DegreesOfFreedom(const Problem& problem) {
  const FreedomCount count = CountFreedoms(problem, InitialState(problem));
  return count.by_rank.value_or(count.counted);
}

Json ProblemDocument(const Problem& p) {
  const std::optional<Reference> reference = FindReference(p);
  Json certificate = nullptr;
  if (reference) {
    Json bodies = Json::array();
    for (int b : reference->bodies)
      bodies.push_back(p.system.bodies[static_cast<std::size_t>(b)].name);
    const std::optional<LargestSensitivity> largest = LargestSensitivityOf(*reference);
    certificate = {{"how", reference->how},
                   {"certified_by", reference->certified_by},
                   {"error_estimate", reference->error_estimate},
                   {"sensitivity", NumberOrNull(largest ? largest->of_state : MaybeNumber())},
                   {"data_sensitivity", NumberOrNull(largest ? largest->of_data : MaybeNumber())},
                   {"sensitivity_how", reference->sensitivity_how},
                   {"data_left_out", reference->data_left_out},
                   {"attainable_error", NumberOrNull(AttainableError(*reference))},
                   {"digits_allowed", NumberOrNull(DigitsAllowed(*reference))},
                   {"bodies", std::move(bodies)}};
  }
  Json published = Json::array();
  for (const PublishedValue& value : p.published) {
    const Observable& observable = p.observables[static_cast<std::size_t>(value.observable)];
    std::optional<double> ours;
    if (reference) ours = ValueIn(*reference, observable, value);
    const double difference = ours ? Difference(observable, *ours, value.value) : NAN;
    published.push_back({{"quantity", observable.name},
                         {"time", value.time},
                         {"event", value.event.empty() ? Json(nullptr) : Json(value.event)},
                         {"published", value.value},
                         {"last_digit", value.last_digit},
                         {"kind", Name(value.kind)},
                         {"source", value.source},
                         {"ours", NumberOrNull(ours)},
                         {"difference", NumberOrNull(difference)},
                         {"why", ours        ? Why(value, difference, *reference)
                                 : reference ? "our reference does not hold this value"
                                             : "no reference is held"}});
  }
  Json shapes = Json::array(), joints = Json::array();
  // Of the bodies whose motion is recorded.
  std::vector<int> drawn = p.reference_bodies;
  if (drawn.empty()) {
    for (std::size_t b = 0; b < p.system.bodies.size(); ++b) drawn.push_back(static_cast<int>(b));
  }
  for (int b : drawn) {
    const Body& body = p.system.bodies[static_cast<std::size_t>(b)];
    shapes.push_back({{"name", body.name},
                      {"kind", Name(body.shape.kind)},
                      {"a", ToJson(body.shape.a)},
                      {"b", ToJson(body.shape.b)},
                      {"radius", body.shape.radius},
                      {"mass", body.mass}});
  }
  // Joints that can be drawn: those whose both sides are recorded, or the ground.
  const auto is_drawn = [&drawn](int body) {
    return body == kGround || std::find(drawn.begin(), drawn.end(), body) != drawn.end();
  };
  const auto name_of = [&p](int body) {
    return body == kGround ? Json(nullptr)
                           : Json(p.system.bodies[static_cast<std::size_t>(body)].name);
  };
  for (const auto* list : {&p.system.joints, &p.system.loop_joints}) {
    for (const Joint& joint : *list) {
      if (!is_drawn(joint.parent) || !is_drawn(joint.child)) continue;
      joints.push_back({{"name", joint.name},
                        {"kind", Name(joint.type)},
                        {"parent", name_of(joint.parent)},
                        {"child", name_of(joint.child)},
                        {"on_parent", ToJson(joint.parent_frame.position)},
                        {"on_child", ToJson(joint.child_frame.position)},
                        {"closes_loop", list == &p.system.loop_joints}});
    }
  }
  Json springs = Json::array();
  for (const SpringDamper& e : p.system.spring_dampers) {
    if (!is_drawn(e.body_a) || !is_drawn(e.body_b)) continue;
    springs.push_back({{"name", e.name},
                       {"a", name_of(e.body_a)},
                       {"b", name_of(e.body_b)},
                       {"on_a", ToJson(e.point_a)},
                       {"on_b", ToJson(e.point_b)},
                       {"pulls", e.stiffness != 0},
                       {"damps", e.damping != 0}});
  }
  return {{"name", p.name},
          {"family", p.name.substr(0, p.name.find(':'))},
          {"title", p.title},
          {"description", p.description},
          {"source", p.source},
          {"bodies", p.system.bodies.size()},
          {"degrees_of_freedom", DegreesOfFreedom(p)},
          {"loops", p.system.loop_joints.size()},
          {"planar", p.planar},
          {"conservative", p.conservative},
          {"end_time", p.end_time},
          {"length", p.length},
          {"time", p.time},
          {"energy_reference", p.energy_reference},
          {"reference", std::move(certificate)},
          {"published", std::move(published)},
          {"shapes", std::move(shapes)},
          {"joints", std::move(joints)},
          {"springs", std::move(springs)},
          {"gravity", ToJson(p.system.gravity)}};
}

Json ToJson(const std::vector<DeclaredLimit>& limits) {
  Json list = Json::array();
  for (const DeclaredLimit& limit : limits) {
    list.push_back({{"promises", limit.promises},
                    {"bound", NumberOrNull(limit.bound)},
                    {"reason", limit.reason},
                    {"with", limit.with}});
  }
  return list;
}

Json MethodDocument(const MethodChoice& method) {
  const MethodEntry& entry = *method.entry;
  return {{"spec", method.spec},
          {"key", entry.key},
          {"options", method.options},
          {"title", entry.title},
          {"source", entry.source},
          {"description", entry.description},
          {"form", Name(method.form())},
          {"cost_exponent", entry.cost_exponent},
          {"origin", Name(entry.origin)},
          {"shared_parts", SharedPartsOf(entry, method.options)},
          {"limits", ToJson(LimitsOf(method))},
          {"own_integrator",
           entry.own_integration ? Json(entry.own_integration->title) : Json(nullptr)}};
}

}  // namespace mbsbench
