// Engines and our methods. A ratio is formed within one run only.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "reports/engine_times.h"
#include "reports/format.h"
#include "reports/sections.h"
#include "reports/statistics.h"

namespace mbsbench::reports {

namespace {

// Which ratio the store cannot give; empty where it gives both.
std::string MissingBuild(const std::vector<EngineRow>& rows) {
  const bool debian = Holds(rows, EngineBuild::kDebian), native = Holds(rows, EngineBuild::kNative);
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

std::vector<EngineBuildNames> BuildsIn(const std::vector<EngineRow>& rows) {
  std::vector<EngineBuildNames> builds;
  std::copy_if(std::begin(kEngineBuilds), std::end(kEngineBuilds), std::back_inserter(builds),
               [&rows](const EngineBuildNames& names) { return Holds(rows, names.build); });
  return builds;
}

std::optional<double> RatioIn(const EngineRow& row, EngineBuild build) {
  const auto found = row.times.find(build);
  return found == row.times.end() ? std::nullopt : found->second.ratio();
}

// Of the median over problems.
std::string IntervalOf(const std::vector<double>& ratios) {
  if (ratios.size() < 2) return "-";
  const auto [low, high] = BootstrapMedian(ratios);
  return fmt::format("{} to {}", FormatDigits(low, 3), FormatDigits(high, 3));
}

// What a reader asks first: how many times longer, over all problems.
Table SummaryTable(const std::vector<EngineRow>& rows, const std::set<std::string>& engines,
                   const std::vector<EngineBuildNames>& builds, const std::string& ours) {
  Table table{fmt::format("Time of an engine over that of {}, over all problems{}", ours,
                          Holds(rows, EngineBuild::kDebian)
                              ? ""
                              : "; not to be quoted, because no build has the engines' flags"),
              {{"engine"},
               {"ours built for"},
               {"problems", true},
               {"least", true},
               {"median", true},
               {"its 95 % interval over problems", false, "interval_of_median"},
               {"most", true},
               {"without a time"}}};
  for (const std::string& engine : engines) {
    for (const EngineBuildNames& names : builds) {
      std::vector<double> ratios;
      std::map<std::string, int> without;  // by outcome
      for (const EngineRow& row : rows) {
        if (row.engine != engine || !row.times.contains(names.build)) continue;
        if (const auto ratio = RatioIn(row, names.build)) {
          ratios.push_back(*ratio);
        } else {
          ++without[row.times.at(names.build).outcome];
        }
      }
      if (ratios.empty() && without.empty()) continue;
      std::sort(ratios.begin(), ratios.end());
      const auto at = [&ratios](double share) {
        return ratios.empty() ? std::nullopt : std::optional(Quantile(ratios, share));
      };
      std::vector<std::string> causes;
      for (const auto& [outcome, count] : without)
        causes.push_back(fmt::format("{} {}", count, outcome));
      const auto count = static_cast<double>(ratios.size());
      table.rows.push_back(
          {{engine},
           {std::string(names.label) +
                (names.build == EngineBuild::kDebian ? ": the ratio to quote" : ": do not quote"),
            names.label},
           NumberCell(std::to_string(ratios.size()), count),
           Digits(at(0)),
           Digits(at(0.5)),
           {IntervalOf(ratios)},
           Digits(at(1)),
           {fmt::format("{}", fmt::join(causes, ", "))}});
    }
  }
  return table;
}

// One curve per engine and family of problems; problems without a family are points.
Figure RatioFigure(const Comparison& comparison, const std::vector<EngineRow>& rows,
                   const EngineBuildNames& build, const std::string& ours, Document& document) {
  Figure figure;
  figure.kind = "scaling";
  figure.title = fmt::format("Time of one evaluation, engine / {} ({})", ours, build.label);
  figure.summary =
      "Ratio against bodies, both logarithmic. One curve per engine and family of problems; "
      "problems of a single size are points. Above 1 the engine takes longer. Evaluations that did "
      "not end are in the table below.";
  figure.command = LatestCommand(comparison);
  figure.table = {"Engine / " + ours,
                  {{"engine"}, {"family"}, {"problem"}, {"bodies", true}, {"ratio", true}}};
  std::map<std::string, std::vector<double>> sizes;  // bodies, by engine and family
  for (const EngineRow& row : rows) sizes[row.engine + " " + row.family()].push_back(row.bodies);
  std::vector<std::string> families;
  Json series = Json::array();
  std::map<std::string, std::size_t> place;  // in `series`, by name
  for (const EngineRow& row : rows) {
    const auto ratio = RatioIn(row, build.build);
    if (!ratio) continue;
    const std::vector<double>& members = sizes[row.engine + " " + row.family()];  // ascending
    const bool is_single = members.size() < 2;
    // loops differ, too, where several have as many bodies
    const bool is_curve =
        !is_single && std::adjacent_find(members.begin(), members.end()) == members.end();
    const std::string family = is_single ? "single problems" : row.family();
    const std::string name = row.engine + ", " + family;
    if (!place.contains(name)) {
      auto known = std::find(families.begin(), families.end(), family);
      if (known == families.end()) known = families.insert(families.end(), family);
      Json one = CurveStyle(comparison, row.engine, "");
      // Curves of one engine differ by their markers.
      if (known != families.begin()) one["symbol"] = known - families.begin();
      one["name"] = name;
      one["points"] = Json::array();
      one["unjoined"] = !is_curve;
      place[name] = series.size();
      series.push_back(std::move(one));
    }
    const EngineTime& time = row.times.at(build.build);
    series[place[name]]["points"].push_back(
        {row.bodies, *ratio,
         fmt::format("{}: {} times ({} ns per body, ours {})", row.problem, FormatDigits(*ratio, 3),
                     FormatDigits(*time.nanoseconds, 3), FormatDigits(*time.ours, 3))});
    figure.table.rows.push_back(
        {{row.engine}, {family}, {row.problem}, CountCell(row.bodies), Digits(ratio)});
  }
  figure.data = {{"series", series}, {"x", "bodies"}, {"y", "engine / " + ours}, {"unit", ""}};
  figure.csv = AddFile(document, AsCsv("engine_ratios_by_problem.csv", figure.table));
  return figure;
}

Table TimeTable(const std::vector<EngineRow>& rows, const std::vector<EngineBuildNames>& builds) {
  Table table{
      "Nanoseconds per body and evaluation",
      {{"engine"}, {"problem"}, {"bodies", true}, {"engine [ns]", true, "engine_ns_per_body"}}};
  for (const EngineBuildNames& names : builds) {
    table.columns.push_back({fmt::format("ours, {} [ns]", names.label), true,
                             fmt::format("ours_{}_ns_per_body", names.csv)});
    table.columns.push_back(
        {fmt::format("engine / ours, {}", names.label), true, fmt::format("ratio_{}", names.csv)});
  }
  for (const EngineRow& row : rows) {
    const EngineTime& shown = row.times.begin()->second;
    TableCell engine = Digits(shown.nanoseconds);
    if (!shown.nanoseconds) engine.text = shown.outcome;
    std::vector<TableCell> cells{{row.engine}, {row.problem}, CountCell(row.bodies), engine};
    for (const EngineBuildNames& names : builds) {
      const auto found = row.times.find(names.build);
      const EngineTime time = found == row.times.end() ? EngineTime{} : found->second;
      cells.push_back(Digits(time.ours));
      cells.push_back(Digits(time.ratio()));
    }
    table.rows.push_back(std::move(cells));
  }
  return table;
}

}  // namespace

Section EnginesSection(const Comparison& comparison, Document& document) {
  Section section{"engines", "Engines", {}};
  const std::set<std::string> engines = Engines(*comparison.results);
  std::set<std::string> unlabelled;
  const std::vector<EngineRow> rows = EngineRows(*comparison.results, engines, unlabelled);
  if (!unlabelled.empty()) {
    section.blocks.push_back(Paragraph{fmt::format(
        "Runs of builds that are not optimised are not shown: {}.", fmt::join(unlabelled, ", "))});
  }
  if (rows.empty()) return section;
  const std::string ours = GeneralMethod(*comparison.results, engines);
  section.blocks.push_back(
      Paragraph{fmt::format("Time of one evaluation of all accelerations by each engine in its own "
                            "best mode, over that by {} in the same run: the method of ours that "
                            "evaluates the most problems of this store. Debian compiles the "
                            "engines for every x86-64 processor, with SSE2 only, so the ratio to "
                            "quote is that of our build with Debian's flags (preset `debian`). "
                            "Above 1 the engine takes longer.",
                            Code(ours))});
  if (const std::string missing = MissingBuild(rows); !missing.empty())
    section.blocks.push_back(Paragraph{missing});
  const std::vector<EngineBuildNames> builds = BuildsIn(rows);
  Table summary = SummaryTable(rows, engines, builds, ours);
  summary.csv = AddFile(document, AsCsv("engine_ratios.csv", summary));
  const auto ended = [](const auto& row) { return row.back().text.empty(); };
  if (std::all_of(summary.rows.begin(), summary.rows.end(), ended)) {
    for (auto& row : summary.rows) row.pop_back();
    summary.columns.pop_back();
  }
  section.blocks.push_back(std::move(summary));
  section.blocks.push_back(RatioFigure(comparison, rows, builds.front(), ours, document));
  AddTable(TimeTable(rows, builds), "engines.csv", section, document);
  List list;
  for (const std::string& engine : engines) {
    const Json* const method = comparison.MethodDocument(engine);
    if (method == nullptr) continue;
    std::string item =
        fmt::format("`{}`: {}. {}", engine, Text(*method, "title"), Text(*method, "description"));
    const std::string own = Text(*method, "own_integrator");
    if (!own.empty()) item += fmt::format(" Its own integrator: {}.", own);
    list.items.push_back(std::move(item));
  }
  section.blocks.push_back(std::move(list));
  return section;
}

}  // namespace mbsbench::reports
