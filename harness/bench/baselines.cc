#include "harness/bench/baselines.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <fstream>

#include "harness/records/json_codec.h"
#include "harness/store/files.h"
#include "problems/model/error.h"

namespace mbsbench {

namespace {

namespace fs = std::filesystem;

constexpr char kInstructionFile[] = "instructions.json", kCellFile[] = "cells.json";
// Factors of errors and drifts, see CellGate.
constexpr double kSameKeyFactor = 3, kOtherKeyFactor = 10;

// One entry a line, so that a change of one entry is a change of one line.
std::string Lines(const std::vector<std::string>& entries) {
  return fmt::format("\n  {}\n", fmt::join(entries, ",\n  "));
}

void WriteDocument(const fs::path& file, const std::string& text) {
  MakeFolder(file.parent_path(), "--baselines");
  WriteFile(file, text, "--baselines");
}

// Calls read(document) if there is the file.
template <typename Read>
void ReadDocument(const fs::path& file, Read&& read) {
  std::error_code ignored;
  if (!fs::exists(file, ignored)) return;
  try {
    std::ifstream in(file);
    read(Json::parse(in));
  } catch (const Json::exception& error) {
    throw ModelError(fmt::format(
        "the baseline '{}' is damaged ({}): restore it from the repository, or create it anew by "
        "'mbsbench bench --move-baselines'.",
        file.string(), error.what()));
  }
}

// Without unknown and empty values.
Json Trimmed(const Json& all) {
  if (!all.is_structured()) return all;
  Json kept = all.is_array() ? Json::array() : Json::object();
  for (const auto& [name, value] : all.items()) {
    if (all.is_array())
      kept.push_back(Trimmed(value));
    else if (!value.empty() && value != "")
      kept[name] = Trimmed(value);
  }
  return kept;
}

// Only the fields that comparisons use.
TrialRecord Kept(const TrialRecord& record) {
  TrialRecord kept;
  if (record.accuracy) {
    const AccuracyRecord& a = *record.accuracy;
    kept.accuracy = {.error = a.error,
                     .position_drift_max = a.position_drift_max,
                     .velocity_drift_max = a.velocity_drift_max,
                     .energy_drift_max = a.energy_drift_max,
                     .linear_momentum_drift_max = a.linear_momentum_drift_max,
                     .angular_momentum_drift_max = a.angular_momentum_drift_max};
  }
  if (record.integration)
    kept.integration = {.counters = record.integration->counters, .time_reached = NAN};
  kept.limits = record.limits;
  if (!record.agreement) return kept;
  std::vector<MethodAgreementRecord>& methods = kept.agreement.emplace().methods;
  for (const MethodAgreementRecord& m : record.agreement->methods)
    methods.push_back({.method = m.method, .difference = m.difference, .error = m.error});
  return kept;
}
ProblemRecord Kept(const std::string& name, const ProblemRecord& problem) {
  ProblemRecord kept{.name = name, .bodies = problem.bodies};
  if (const auto& reference = problem.reference) {
    kept.reference = {.error_estimate = reference->error_estimate,
                      .attainable_error = reference->attainable_error};
  }
  return kept;
}

}  // namespace

Json CellKey(const BuildRecord& build, const MachineRecord& machine) {
  return {{"compiler", build.compiler},
          {"flags", build.flags},
          {"libraries", ToJson(build.libraries)},
          {"cpu", machine.cpu}};
}

InstructionBaselines ReadInstructionBaselines(const fs::path& folder) {
  InstructionBaselines baselines;
  ReadDocument(folder / kInstructionFile, [&](const Json& document) {
    for (const Json& build : document.at("builds")) {
      baselines.builds[build.at("key").dump()] = {
          build.at("instructions").get<std::map<std::string, double>>(),
          build.value("moved", Json(nullptr))};
    }
  });
  return baselines;
}

void Write(const InstructionBaselines& baselines, const fs::path& folder) {
  std::vector<std::string> builds;
  for (const auto& [key, build] : baselines.builds) {
    std::vector<std::string> counts;
    for (const auto& [name, count] : build.instructions)
      counts.push_back(Json(name).dump() + ": " + Json(count).dump());
    builds.push_back(fmt::format("{{\"key\": {},\n \"moved\": {},\n \"instructions\": {{{}}}}}",
                                 key, build.moved.dump(), Lines(counts)));
  }
  WriteDocument(folder / kInstructionFile,
                fmt::format("{{\"builds\": [\n{}\n]}}\n", fmt::join(builds, ",\n")));
}

CellBaselines ReadCellBaselines(const fs::path& folder) {
  CellBaselines baselines;
  ReadDocument(folder / kCellFile, [&](const Json& document) {
    baselines.key = document.at("key");
    baselines.moved = document.value("moved", Json(nullptr));
    for (const Json& problem : document.at("problems"))
      Read(problem, baselines.content.problems[problem.at("name").get<std::string>()]);
    for (const Json& c : document.at("cells")) {
      CellName name;
      Read(c, name);
      baselines.content.cells[name] = {.outcome = c.at("outcome").get<std::string>(),
                                       .record = TrialRecordFrom(c.at("record")),
                                       .judged = true};
    }
  });
  return baselines;
}

void CheckHoldBaselines(const fs::path& folder) {
  constexpr const char* kRemedy =
      "give another folder by --baselines, or make them anew by 'mbsbench bench --move-baselines'.";
  const InstructionBaselines instructions = ReadInstructionBaselines(folder);
  const CellBaselines cells = ReadCellBaselines(folder);
  if (instructions.builds.empty() && cells.content.cells.empty()) {
    throw ModelError(fmt::format("the folder '{}' holds no baselines, neither in {} nor in {}: {}",
                                 folder.string(), kInstructionFile, kCellFile, kRemedy));
  }
  for (const auto& [key, build] : instructions.builds) {
    if (!build.instructions.empty()) continue;
    throw ModelError(fmt::format("'{}' holds a build without any count of instructions: {}",
                                 (folder / kInstructionFile).string(), kRemedy));
  }
  if (cells.content.cells.empty() && !cells.key.is_null()) {
    throw ModelError(
        fmt::format("'{}' holds no cells: {}", (folder / kCellFile).string(), kRemedy));
  }
}

void Write(const CellBaselines& baselines, const fs::path& folder) {
  std::vector<std::string> problems, cells;
  for (const auto& [name, problem] : baselines.content.problems)
    problems.push_back(Trimmed(ToJson(Kept(name, problem))).dump());
  for (const auto& [name, held] : baselines.content.cells) {
    if (held.outcome == "unsupported" || held.outcome == "skipped") continue;
    Json cell = ToJson(name);
    cell["outcome"] = held.outcome;
    cell["record"] = Trimmed(ToJson(Kept(held.record)));
    cells.push_back(cell.dump());
  }
  WriteDocument(
      folder / kCellFile,
      fmt::format("{{\"key\": {},\n\"moved\": {},\n\"problems\": [{}],\n\"cells\": [{}]}}\n",
                  baselines.key.dump(), baselines.moved.dump(), Lines(problems), Lines(cells)));
}

CellGate CompareCells(const CellBaselines& baseline, const Json& key, const RunContent& now) {
  CellGate gate;
  const auto without_processor = [](Json k) {
    k.erase("cpu");
    return k;
  };
  if (baseline.key == key)
    gate.match = KeyMatch::kSame;
  else if (without_processor(baseline.key) == without_processor(key))
    gate.match = KeyMatch::kOtherProcessor;
  const bool same_key = gate.match == KeyMatch::kSame;
  RunContent before = baseline.content, after = now;
  if (!same_key) {
    for (RunContent* content : {&before, &after}) {
      for (auto& [name, held] : content->cells) {
        if (held.record.integration) held.record.integration->counters = {};
      }
    }
  }
  // Both are trimmed in the same way, so that only stored fields are compared.
  for (auto& [name, problem] : after.problems) problem = Kept(name, problem);
  std::erase_if(after.cells, [](const auto& cell) { return !cell.second.judged; });
  gate.comparison = CompareContents(before, after, same_key ? kSameKeyFactor : kOtherKeyFactor);
  return gate;
}

}  // namespace mbsbench
