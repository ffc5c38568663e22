#include "harness/runner/trial_record.h"

#include <fmt/format.h>

#include <cstring>

namespace mbsbench {

namespace {

// FNV-1a, 64 bits, over the bytes of the state: equal only where every bit is.
std::string HashOf(const std::vector<double>& state) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (double value : state) {
    unsigned char bytes[sizeof value];
    std::memcpy(bytes, &value, sizeof value);
    for (unsigned char byte : bytes) hash = (hash ^ byte) * 0x100000001b3;
  }
  return fmt::format("{:016x}", hash);
}

Json ToJson(const WorkCounters& c) {
  return {{"steps", c.steps},
          {"rejected_steps", c.rejected_steps},
          {"evaluations", c.evaluations},
          {"jacobians", c.jacobians},
          {"newton_iterations", c.newton_iterations},
          {"factorisations", c.factorisations},
          {"error_test_failures", c.error_test_failures},
          {"convergence_failures", c.convergence_failures},
          {"projections", c.projections},
          {"restarts", c.restarts},
          {"events", c.events}};
}

// The ledger: one row per event. Systems without events have none.
void AddEvents(const Accuracy& accuracy, Json& record) {
  if (accuracy.events.empty()) return;
  Json& ledger = record["events"] = Json::array();
  const auto numbers = [](const Vector3& v) { return Json{v.x, v.y, v.z}; };
  for (const EventRecord& e : accuracy.events) {
    ledger.push_back({{"name", e.name},
                      {"time", e.time},
                      {"bodies", e.bodies},
                      {"mass", e.mass},
                      {"momentum_before", numbers(e.momentum_before)},
                      {"momentum", numbers(e.momentum)},
                      {"angular_momentum_before", numbers(e.angular_momentum_before)},
                      {"angular_momentum", numbers(e.angular_momentum)},
                      {"energy_before", e.energy_before},
                      {"energy", e.energy},
                      {"energy_lost", e.energy_lost},
                      {"position", numbers(e.position)},
                      {"speed", e.speed}});
  }
  record["event_error"] = nullptr;
  if (accuracy.event_errors) {
    record["event_error"] = {{"time", accuracy.event_errors->time},
                             {"position", accuracy.event_errors->position}};
  }
}

}  // namespace

Json ToJson(const MaybeNumber& number) { return number ? Json(*number) : Json(nullptr); }

Json CommonRecord(const Cell& cell, const IntegrationReport& report) {
  Json changed = Json::array();
  for (const ChangedSetting& setting : report.changed_settings)
    changed.push_back({{"name", setting.name}, {"value", setting.value}, {"time", setting.time}});
  Json record = {{"counters", ToJson(report.counters)},
                 {"changed_settings", std::move(changed)},
                 {"time_reached", report.time_reached},
                 {"end_state_hash", HashOf(report.end_state)},
                 {"command", SolveCommand(cell)}};
  if (report.largest_error_estimate)
    record["largest_error_estimate"] = *report.largest_error_estimate;
  if (!report.break_points_inside_steps.empty())
    record["break_points_inside_steps"] = report.break_points_inside_steps;
  return record;
}

void AddAccuracy(const Accuracy& accuracy, const System& system, Json& record) {
  record["error"] = nullptr;
  if (accuracy.error) {
    record["error"] = {{"max", accuracy.error->max},
                       {"end", ToJson(accuracy.error->end)},
                       {"rms", accuracy.error->rms},
                       {"velocity_max", accuracy.error->velocity_max},
                       {"reactions_max", ToJson(accuracy.error->reactions_max)}};
  }
  record["times"] = accuracy.times;
  Json& series = record["error_series"] = Json::array();
  for (const MaybeNumber& error : accuracy.error_series) series.push_back(ToJson(error));
  record["position_drift"] = accuracy.position_drift;
  record["velocity_drift"] = accuracy.velocity_drift;
  record["energy_drift"] = accuracy.energy_drift;
  record["position_drift_max"] = accuracy.position_drift_max;
  record["velocity_drift_max"] = accuracy.velocity_drift_max;
  record["energy_drift_max"] = accuracy.energy_drift_max;
  record["momentum_drift_max"] = ToJson(accuracy.momentum_drift_max);
  Json& published = record["published"] = Json::array();
  for (const PublishedComparison& p : accuracy.published) {
    published.push_back({{"quantity", p.quantity},
                         {"time", p.time},
                         {"event", p.event.empty() ? Json(nullptr) : Json(p.event)},
                         {"source", p.source},
                         {"published", p.published},
                         {"ours", p.ours},
                         {"difference", p.difference}});
  }
  AddEvents(accuracy, record);
  Json& measures = record["library_measures"] = Json::array();
  for (const LibraryResult& m : accuracy.library_measures)
    measures.push_back({{"name", m.name}, {"value", ToJson(m.value)}});
  Json bodies = Json::array();
  for (int b : accuracy.trajectory.bodies)
    bodies.push_back(system.bodies[static_cast<std::size_t>(b)].name);
  record["trajectory"] = {{"times", accuracy.trajectory.times},
                          {"bodies", std::move(bodies)},
                          {"poses", accuracy.trajectory.poses}};
}

}  // namespace mbsbench
