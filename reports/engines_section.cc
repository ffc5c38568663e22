// Engines beside our methods: the time of one evaluation, ours as often as the store holds builds of it.
// Debian compiles the engines for any x86-64 processor: ours with the same flags gives the ratio to
// quote, ours built for this machine the one that its users see. A ratio is formed within one run only.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <tuple>

#include "reports/format.h"
#include "reports/sections.h"

namespace mbsbench::reports {

namespace {

enum class Build { kDebian, kPortable, kNative };

struct BuildNames {
  Build build;
  const char *label, *csv, *preset;
};
constexpr BuildNames kBuilds[] = {{Build::kDebian, "Debian's flags", "debian", "debian"},
                                  {Build::kPortable, "x86-64-v3", "portable", "portable"},
                                  {Build::kNative, "native", "native", "release"}};

// Nothing for a build that no engine can be held beside, as one to debug. Presets of one's own are told
// by the processor that they compile for.
std::optional<Build> BuildOf(const Run& run) {
  const std::string preset = Text(run.build, "preset"), flags = Text(run.build, "flags");
  for (const BuildNames& names : kBuilds) {
    if (preset == names.preset) return names.build;
  }
  if (flags.find("-march=native") != std::string::npos) return Build::kNative;
  if (flags.find("-march=x86-64-v") != std::string::npos) return Build::kPortable;
  if (flags.find("-march=x86-64") != std::string::npos) return Build::kDebian;
  return std::nullopt;
}

// Of the methods that are no engines, the quickest one.
struct Quickest {
  double nanoseconds = INFINITY;
  std::string method;
};

// One engine on one problem in one build of ours.
struct Rival {
  std::optional<double> nanoseconds;  // per body
  std::string outcome;
  Quickest ours;
  std::optional<double> ratio() const {
    if (!nanoseconds || !std::isfinite(ours.nanoseconds)) return std::nullopt;
    return *nanoseconds / ours.nanoseconds;
  }
};

struct Row {
  std::string engine, problem;
  double bodies = 0;
  std::map<Build, Rival> rivals;  // the latest run of each build
};

std::set<std::string> Engines(const Results& results) {
  std::set<std::string> engines;
  for (const NamedDocument& method : results.methods) {
    if (!Text(method.document, "own_integrator").empty()) engines.insert(method.name);
  }
  return engines;
}

// `unlabelled` gets the builds of runs that are left out.
std::vector<Row> Rows(const Results& results, const std::set<std::string>& engines,
                      std::set<std::string>& unlabelled) {
  std::map<std::string, std::map<std::string, Quickest>> ours;  // by run and problem
  std::vector<const Trial*> trials;
  for (const Run& run : results.runs) {  // oldest first
    for (const Trial& trial : results.trials) {
      if (trial.run == run.id && trial.kind == "evaluation" &&
          Text(trial.record, "what") == "accelerations")
        trials.push_back(&trial);
    }
  }
  for (const Trial* trial : trials) {
    const auto time = Number(trial->record, "nanoseconds_per_body");
    if (engines.contains(trial->method) || trial->outcome != "ok" || !time) continue;
    Quickest& best = ours[trial->run][trial->problem];
    if (*time < best.nanoseconds) best = {*time, trial->method};
  }
  std::map<std::string, const Run*> run_of;
  for (const Run& run : results.runs) run_of[run.id] = &run;
  std::map<std::string, double> bodies;
  for (const NamedDocument& problem : results.problems)
    bodies[problem.name] = Number(problem.document, "bodies").value_or(0);
  std::vector<Row> rows;
  for (const Trial* trial : trials) {
    if (!engines.contains(trial->method)) continue;
    const auto build = BuildOf(*run_of.at(trial->run));
    if (!build) {
      const std::string preset = Text(run_of.at(trial->run)->build, "preset");
      unlabelled.insert(preset.empty() ? "without a preset" : "of preset " + Code(preset));
      continue;
    }
    auto row = std::find_if(rows.begin(), rows.end(), [&](const Row& r) {
      return r.engine == trial->method && r.problem == trial->problem;
    });
    if (row == rows.end()) {
      row = rows.insert(rows.end(), {trial->method, trial->problem, bodies[trial->problem], {}});
    }
    Rival& rival = row->rivals[*build];
    rival = {Number(trial->record, "nanoseconds_per_body"), trial->outcome,
             ours[trial->run][trial->problem]};
    if (trial->outcome != "ok") rival.nanoseconds.reset();
  }
  const auto family = [](const Row& row) { return row.problem.substr(0, row.problem.find(':')); };
  std::stable_sort(rows.begin(), rows.end(), [&](const Row& a, const Row& b) {
    return std::tuple(a.engine, family(a), a.bodies) < std::tuple(b.engine, family(b), b.bodies);
  });
  return rows;
}

bool Holds(const std::vector<Row>& rows, Build build) {
  return std::any_of(rows.begin(), rows.end(),
                     [build](const Row& row) { return row.rivals.contains(build); });
}

// Which ratio the store cannot give; empty where it gives both.
std::string MissingBuild(const std::vector<Row>& rows) {
  const bool debian = Holds(rows, Build::kDebian), native = Holds(rows, Build::kNative);
  if (debian && native) return "";
  return fmt::format(
      "This store holds no run of a build {}; `make engines` measures both builds into a store and "
      "a report of their own.",
      debian   ? "for this machine (preset `release`)"
      : native ? "with Debian's flags (preset `debian`)"
               : "with Debian's flags (preset `debian`) or for this machine (preset `release`)");
}

TableCell Digits(std::optional<double> value) {
  if (!value) return NumberCell("-", value);
  return NumberCell(*value < 1000 ? FormatDigits(*value, 3) : FormatCount(std::llround(*value)),
                    value);
}

}  // namespace

Section EnginesSection(const Comparison& comparison, Document& document) {
  Section section{"engines", "Engines", {}};
  const std::set<std::string> engines = Engines(*comparison.results);
  std::set<std::string> unlabelled;
  const std::vector<Row> rows = Rows(*comparison.results, engines, unlabelled);
  if (!unlabelled.empty()) {
    section.blocks.push_back(
        Paragraph{fmt::format("Not shown are runs of builds that are not made to be fast: {}.",
                              fmt::join(unlabelled, ", "))});
  }
  if (rows.empty()) return section;
  section.blocks.push_back(Paragraph{
      "One evaluation of all accelerations, from unit quaternions or joint coordinates and their "
      "rates, by engines that people use, each in its own best mode, beside the quickest of our "
      "methods in the same run on the same machine. Debian compiles the engines for every x86-64 "
      "processor, that is with SSE2 only. Ours is shown for each build that this store holds: with "
      "Debian's flags (preset `debian`: -O2 for any x86-64), which is the ratio to quote; for "
      "x86-64-v3 (preset `portable`), where AVX2 and FMA are some of the ratio; for this machine "
      "(preset `release`). A ratio above 1 says how many times longer the engine takes."});
  if (const std::string missing = MissingBuild(rows); !missing.empty())
    section.blocks.push_back(Paragraph{missing});
  Table table{
      "Nanoseconds per body and evaluation",
      {{"engine"}, {"problem"}, {"bodies", true}, {"engine [ns]", true, "engine_ns_per_body"}},
      {},
      ""};
  std::vector<BuildNames> builds;
  for (const BuildNames& names : kBuilds) {
    if (!Holds(rows, names.build)) continue;
    builds.push_back(names);
    table.columns.push_back({fmt::format("ours, {} [ns]", names.label), true,
                             fmt::format("ours_{}_ns_per_body", names.csv)});
    table.columns.push_back({"by", false, fmt::format("ours_{}_method", names.csv)});
    table.columns.push_back(
        {fmt::format("engine / ours, {}", names.label), true, fmt::format("ratio_{}", names.csv)});
  }
  for (const Row& row : rows) {
    const Rival& shown = row.rivals.begin()->second;
    TableCell engine = Digits(shown.nanoseconds);
    if (!shown.nanoseconds) engine.text = shown.outcome;
    std::vector<TableCell> cells{
        {row.engine},
        {row.problem},
        NumberCell(FormatCount(static_cast<long long>(row.bodies)), row.bodies),
        engine};
    for (const BuildNames& names : builds) {
      const auto found = row.rivals.find(names.build);
      const Rival rival = found == row.rivals.end() ? Rival{} : found->second;
      const double ours = rival.ours.nanoseconds;
      cells.push_back(Digits(std::isfinite(ours) ? std::optional(ours) : std::nullopt));
      cells.push_back({rival.ours.method});
      cells.push_back(Digits(rival.ratio()));
    }
    table.rows.push_back(std::move(cells));
  }
  table.csv = AddFile(document, AsCsv("engines.csv", table));
  section.blocks.push_back(std::move(table));
  List list;
  for (const std::string& engine : engines) {
    const Json* const method = comparison.MethodDocument(engine);
    if (method == nullptr) continue;
    list.items.push_back(fmt::format("`{}`: {}. {} Its own integrator: {}.", engine,
                                     Text(*method, "title"), Text(*method, "description"),
                                     Text(*method, "own_integrator")));
  }
  section.blocks.push_back(std::move(list));
  return section;
}

}  // namespace mbsbench::reports
