// The time of one evaluation by engines in common use, and by one fixed general method of ours in the same run. Debian
// compiles the engines for any x86-64 processor. Our build with the same flags gives the ratio to quote; our build for this
// machine gives the ratio that its users see.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "reports/analysis/results.h"

namespace mbsbench::reports {

enum class EngineBuild { kDebian, kX86_64V3, kNative };

struct EngineBuildNames {
  EngineBuild build;
  const char *label, *csv, *preset, *march;
};
inline constexpr EngineBuildNames kEngineBuilds[] = {
    {EngineBuild::kDebian, "Debian's flags", "debian", "debian", "x86-64"},
    {EngineBuild::kX86_64V3, "x86-64-v3", "x86_64_v3", "portable", "x86-64-v3"},
    {EngineBuild::kNative, "native", "native", "release", "native"}};

// One engine on one problem in one build of ours.
struct EngineTime {
  std::optional<double> nanoseconds;  // per body
  std::string outcome;
  std::optional<double> ours;  // of EngineComparison::ours
  std::optional<double> ratio() const {
    if (!nanoseconds || !ours) return std::nullopt;
    return *nanoseconds / *ours;
  }
};

struct EngineRow {
  std::string engine, problem;
  double bodies = 0;
  std::map<EngineBuild, EngineTime> times;  // of the latest run of each build
  EngineTime In(EngineBuild build) const;   // without a value where it was not timed
  std::string family() const { return problem.substr(0, problem.find(':')); }
};

// The methods that are engines.
std::set<std::string> Engines(const Results& results);

struct EngineComparison {
  std::set<std::string> engines;
  // The method of ours that evaluated the most problems, so that no engine is compared with a special case; of several the one
  // with the least median time. Empty without one.
  std::string ours;
  std::vector<EngineRow> rows;           // by engine, family, bodies and time
  std::vector<EngineBuildNames> builds;  // of the rows
  std::set<std::string> other_builds;    // of runs that are left out

  bool Has(EngineBuild build) const;
};
EngineComparison CompareEngines(const Results& results);

}  // namespace mbsbench::reports
