#include "reports/pages/paper.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <ranges>
#include <set>
#include <string_view>

#include "reports/analysis/engine_times.h"
#include "reports/analysis/mechanism_map.h"
#include "reports/analysis/scaling.h"
#include "reports/analysis/targets.h"
#include "reports/format/assets.h"
#include "reports/format/columns.h"
#include "reports/format/format.h"
#include "reports/format/report_error.h"
#include "reports/pages/overview.h"
#include "reports/pages/sections.h"

namespace mbsbench::reports {

namespace {

using Problems = std::vector<const ProblemResults*>;

// The keys of the entries whose notes name a method, as in "note = {KEY; PROBLEM, PROBLEM}".
std::vector<std::string> CitationsOf(const std::string& method, std::string_view bibliography) {
  const auto is_part = [&](std::size_t i) {
    return i < bibliography.size() &&
           (std::isalnum(static_cast<unsigned char>(bibliography[i])) || bibliography[i] == '-');
  };
  std::vector<std::string> keys;
  std::size_t entry = bibliography.find("\n@");
  while (entry != std::string_view::npos) {
    const std::size_t next = bibliography.find("\n@", entry + 1);
    const std::size_t note = bibliography.find("note ", entry);
    for (std::size_t at = note; at < next; ++at) {
      at = bibliography.find(method, at);
      if (at >= next) break;
      if (is_part(at - 1) || is_part(at + method.size())) continue;
      const std::size_t key = bibliography.find('{', entry) + 1;
      keys.emplace_back(bibliography.substr(key, bibliography.find(',', key) - key));
      break;
    }
    entry = next;
  }
  return keys;
}

// BibTeX counts braces, also escaped ones.
std::string EscapeBibtex(std::string text) {
  std::erase_if(text, [](char c) { return c == '{' || c == '}'; });
  return EscapeLatex(text);
}

// BibTeX and \cite allow neither braces nor commas in a key.
std::string CitationKey(const std::string& method) {
  std::string key;
  for (const char c : method)
    key += std::isalnum(static_cast<unsigned char>(c)) || c == '-' ? c : '-';
  return key;
}

// "a, b and c"
std::string Joined(const std::vector<std::string>& names) { return Listed(names, names.size()); }

// "Measured on A, build B (mbsbench 0.1.0)"
std::string BenchesOf(const Problems& problems) {
  std::set<std::string> benches;
  for (const ProblemResults* problem : problems) {
    if (!problem->bench.run) continue;
    benches.insert(
        fmt::format("{} (mbsbench {})", problem->bench.name, problem->bench.run->build.version));
  }
  return fmt::format("Measured on {}", fmt::join(benches, "; "));
}

// Also the rounds: "; each time is the least of 3 to 8 rounds."
std::string MeasuredOn(const Problems& problems) {
  int least = 0, most = 0;
  for (const ProblemResults* problem : problems) {
    for (const Cell& cell : problem->cells) {
      if (!cell.cpu) continue;
      least = most == 0 ? cell.cpu->rounds : std::min(least, cell.cpu->rounds);
      most = std::max(most, cell.cpu->rounds);
    }
  }
  const std::string text = BenchesOf(problems);
  if (most == 0) return text + ".";
  return text + (most == 1
                     ? "; each time is of one round."
                     : fmt::format("; each time is the least of {}.",
                                   least == most ? Plural(most, "round")
                                                 : fmt::format("{} to {} rounds", least, most)));
}

// The problems of a measure that a family took.
Problems ProblemsOf(const MapMeasure& measure) {
  Problems problems;
  for (const auto& of_kind : measure.fields) {
    for (const MapField& field : of_kind) {
      for (const MapEntry& entry : field.entries) {
        if (entry.IsTaken()) AddOnce(problems, entry.problem);
      }
    }
  }
  return problems;
}

class PaperMaker {
 public:
  PaperMaker(const Comparison& comparison, const PaperOptions& options, Document& document)
      : comparison_(comparison),
        options_(options),
        document_(document),
        targets_(Targets(comparison)),
        map_(MakeMechanismMap(comparison, targets_)) {}

  Paper Make() {
    AddMap();
    AddProfile();
    AddMethodsTable();
    AddCostsTable();
    AddDiagrams();
    AddScaling();
    AddEngines();
    return std::move(paper_);
  }

 private:
  void Add(const std::string& name, const char* kind, Figure figure, const std::string& caption,
           bool is_wide = false) {
    Json drawn = {{"name", name}, {"kind", kind}, {"data", std::move(figure.data)}};
    paper_.figures.push_back({name, EscapeLatex(caption), std::move(drawn), is_wide});
  }

  void AddMap() {
    if (map_.kinds.empty()) {
      paper_.missing.push_back("No map: the store holds no motion and no evaluation.");
      return;
    }
    const MapMeasure& measure = map_.measures[map_.first];
    const Problems problems = ProblemsOf(measure);
    Add("map", "map", MapFigure(comparison_, map_, document_),
        fmt::format("{}, by family of methods and kind of mechanism: the median over the problems "
                    "of a kind, and on how many of the problems that the family takes it has a "
                    "value. {}. {} {}",
                    measure.title, Plural(problems.size(), "problem"),
                    std::string(kMarksInWords) + ".", MeasuredOn(problems)),
        true);
  }

  void AddProfile() {
    Figure figure;
    if (!targets_.empty()) figure = ProfileFigure(targets_, map_, document_);
    if (targets_.empty() || figure.data["series"].empty()) {
      paper_.missing.push_back(
          "No profile: no motion in the store reached a target in a known time.");
      return;
    }
    Problems problems;
    for (const Target& target : targets_) AddOnce(problems, target.problem);
    const double open = figure.data["open"]["share"].get<double>();
    profile_ = figure.table;
    Add("profile", "profile", std::move(figure),
        fmt::format("Share of {} (pairs of a problem and an error, of {}) that a family of methods "
                    "reaches within a CPU time per body and characteristic time T of the problem. "
                    "A curve ends at its last target.{} {}",
                    Plural(targets_.size(), "target"), Plural(problems.size(), "problem"),
                    open > 0 ? fmt::format(" Grey: the {:.0f} % that no method has reached and "
                                           "whose cells were not run or timed yet.",
                                           100 * open)
                             : "",
                    MeasuredOn(problems)));
  }

  // The problems that are named; else of the preferred ones and then of the others the first that have a diagram.
  void AddDiagrams() {
    if (options_.problems.size() > kMostDiagrams) {
      throw ReportError(fmt::format(
          "--problem is given {} times: a paper has at most {} work-precision diagrams.",
          options_.problems.size(), kMostDiagrams));
    }
    for (const std::string& name : options_.problems) {
      const ProblemResults* problem = comparison_.Find(name);
      if (!problem) {
        throw ReportError(fmt::format(
            "--problem: the store holds no results of '{}'; the page Problems of its report lists "
            "what it holds.",
            name));
      }
      if (!AddDiagram(*problem)) {
        paper_.missing.push_back(fmt::format(
            "No work-precision diagram of {}: it has no cell with an error and a time or a count "
            "of evaluations.",
            name));
      }
    }
    if (options_.problems.empty()) {
      Problems candidates;
      for (const std::string& name : options_.preferred) {
        if (const ProblemResults* problem = comparison_.Find(name)) candidates.push_back(problem);
      }
      for (const ProblemResults& problem : comparison_.problems) AddOnce(candidates, &problem);
      for (const ProblemResults* problem : candidates) {
        if (diagrams_.size() < kMostDiagrams) AddDiagram(*problem);
      }
      if (diagrams_.empty()) {
        paper_.missing.push_back(
            "No work-precision diagram: no problem of the store has a cell with an error and a "
            "time or a count of evaluations.");
      }
    }
    AddProblemsTable();
  }

  bool AddDiagram(const ProblemResults& problem) {
    Document own;
    Figure figure = WorkPrecisionFigure(comparison_, problem, own);
    const Json& data = figure.data;
    std::vector<std::size_t> shown = data["best"].get<std::vector<std::size_t>>();
    if (shown.empty()) {
      for (std::size_t i = 0; i < data["series"].size(); ++i) shown.push_back(i);
    }
    // The least error of each curve.
    std::vector<std::pair<std::string, double>> least;
    std::set<std::string> families;
    for (const std::size_t i : shown) {
      const Json& one = data["series"][i];
      double error = INFINITY;
      for (const Json& point : one["points"]) {
        if (point[1].is_number() && (point[0].is_number() || point[9].is_number()))
          error = std::min(error, point[1].get<double>());
      }
      if (!std::isfinite(error)) continue;
      least.emplace_back(one["name"].get<std::string>(), error);
      families.insert(MethodKey(one["method"].get<std::string>()));
    }
    if (least.empty()) return false;
    // The axis of errors begins with the decade of the least one.
    const double decade = std::floor(std::log10(std::ranges::min(least | std::views::values)));
    const bool shows_floor =
        !data["floor"].is_null() && data["floor"].get<double>() > std::pow(10, decade);
    std::vector<std::string> missed, absent;
    for (const double level : data["levels"]) {
      std::vector<std::string> names;
      for (const auto& [name, error] : least) {
        if (error > level) names.push_back(name);
      }
      if (!names.empty() && names.size() < least.size())
        missed.push_back(fmt::format("{} not by {}", FormatError(level), Joined(names)));
      if (names.size() == least.size())
        missed.push_back(fmt::format("{} by none", FormatError(level)));
    }
    for (const Cell& cell : problem.cells) {
      const std::string family = MethodKey(cell.method);
      if (!families.contains(family) && cell.outcome != "unsupported") AddOnce(absent, family);
    }
    document_.files.insert(document_.files.end(), own.files.begin(), own.files.end());
    figure.data["swap"] = options_.swap;
    diagrams_.push_back(&problem);
    Add(fmt::format("work-precision-{}", diagrams_.size()), "work-precision", std::move(figure),
        fmt::format(
            "Work and precision on {}{}. Of each family of methods the curve that is the fastest "
            "at the finest target that it reaches; hollow points are less accurate than their "
            "tolerance allows; bars reach to the upper quartile of the rounds. Dotted: the "
            "targets{}.{}{} {}",
            problem.name,
            problem.record.title.empty() ? "" : fmt::format(" ({})", problem.record.title),
            missed.empty() ? "" : fmt::format(" ({})", fmt::join(missed, "; ")),
            shows_floor ? fmt::format(" Grey: {}.", data["below_floor"].get<std::string>()) : "",
            absent.empty() ? "" : fmt::format(" Without a point: {}.", Joined(absent)),
            MeasuredOn({&problem})));
    return true;
  }

  void AddScaling() {
    std::optional<Figure> figure = CostPerBodyFigure(comparison_);
    if (!figure) {
      paper_.missing.push_back(fmt::format(
          "No diagram of scaling: no method was evaluated on sizes of a family of problems that "
          "differ by a factor of {:.0f}.",
          kLeastRange));
      return;
    }
    FileFigure("scaling.csv", *figure, document_);
    const std::string title = figure->title;
    Add("scaling", "costs", std::move(*figure),
        fmt::format("{}: one evaluation of all accelerations that has a right digit, of each "
                    "family of methods the variant with the widest range of sizes, of equal ones "
                    "the cheapest. A horizontal line is linear cost. {}",
                    title, MeasuredInOneProcess()));
  }

  std::string MeasuredInOneProcess() const {
    Problems evaluated;
    for (const ProblemResults& problem : comparison_.problems) {
      if (!problem.evaluations.empty()) evaluated.push_back(&problem);
    }
    return BenchesOf(evaluated) + "; each time is of one process.";
  }

  void AddEngines() {
    const EngineComparison all = CompareEngines(*comparison_.results);
    if (all.rows.empty() || all.ours.empty()) {
      paper_.missing.push_back(
          "No diagram of engines: the store holds no evaluation of an engine beside one of ours.");
      return;
    }
    Figure figure = EngineFigure(comparison_, all, document_);
    if (figure.data["series"].empty()) {
      paper_.missing.push_back("No diagram of engines: no evaluation of an engine finished.");
      return;
    }
    const std::string measured = MeasuredInOneProcess();
    Table table = EnginesTable(comparison_, all, document_);
    paper_.tables.push_back(
        AsLatex("engines", EscapeLatex(fmt::format("{}. {}", table.caption, measured)), table));
    const std::string title = figure.title;
    const auto problems =
        std::ranges::max(all.engines | std::views::transform([&all](const std::string& engine) {
                           return std::ranges::count(all.rows, engine, &EngineRow::engine);
                         }));
    Add("engines", "costs", std::move(figure),
        fmt::format("{}, on {}. Above 1 the engine takes longer. Lines join the sizes of a family "
                    "of problems. {}",
                    title, Plural(problems, "problem"), measured));
    paper_.figures.back().drawn["one"] = true;
  }

  void AddProblemsTable() {
    if (diagrams_.empty()) return;
    const Table table = TableOf<const ProblemResults*>(
        "",
        {{{"problem"}, [](auto* p) { return p->name; }},
         {{"title"}, [](auto* p) { return p->record.title; }},
         {{"bodies", true}, [](auto* p) { return p->record.bodies; }},
         {{"degrees of freedom", true}, [](auto* p) { return p->record.degrees_of_freedom; }},
         {{"loops", true}, [](auto* p) { return p->record.loops; }},
         {{"end [s]", true}, [](auto* p) { return p->record.end_time; }}},
        diagrams_);
    const std::string caption =
        fmt::format("The {} of the work-precision diagrams.", Plural(diagrams_.size(), "problem"));
    paper_.tables.push_back(AsLatex("problems", EscapeLatex(caption), table));
  }

  void AddMethodsTable() {
    if (map_.kinds.empty()) return;
    LatexTable table{"methods",
                     EscapeLatex(fmt::format("The {} of methods that are compared, by mbsbench",
                                             Plural(map_.families.size(), "family"))) +
                         "~\\cite{mbsbench}.",
                     "lllr",
                     {"family", "title", "source", "variants"}};
    for (const std::string& family : map_.families) {
      const auto is_member = [&family](const std::string& spec) {
        return MethodKey(spec) == family;
      };
      const auto spec = std::ranges::find_if(comparison_.methods, is_member);
      if (spec == comparison_.methods.end()) continue;
      const MethodRecord& record = comparison_.MethodRecordOf(*spec);
      std::vector<std::string> keys = CitationsOf(family, BibliographyAsset());
      if (keys.empty() && !record.source.empty()) keys.push_back(CitationKey(family));
      table.rows.push_back({EscapeLatex(family), EscapeLatex(record.title),
                            keys.empty() ? "-" : fmt::format("\\cite{{{}}}", fmt::join(keys, ",")),
                            std::to_string(std::ranges::count_if(comparison_.methods, is_member))});
    }
    paper_.tables.push_back(std::move(table));
  }

  void AddCostsTable() {
    std::vector<const MapMeasure*> ratios;
    for (const MapMeasure& measure : map_.measures) {
      const auto families = std::views::iota(std::size_t{0}, map_.families.size());
      if (measure.unit == "x" && std::ranges::any_of(families, [&](std::size_t f) {
            return measure.Overall(f).Reached() > 0;
          }))
        ratios.push_back(&measure);
    }
    if (ratios.empty() || map_.families.empty()) return;
    Problems problems;
    for (const MapMeasure* measure : ratios) {
      for (const ProblemResults* problem : ProblemsOf(*measure)) AddOnce(problems, problem);
    }
    Table table{"", {{"family"}}};
    for (const MapMeasure* measure : ratios) table.columns.push_back({measure->label, true});
    if (!profile_.rows.empty()) {
      for (const char* label : {"targets reached", "not run or timed yet"})
        table.columns.push_back({label, true});
    }
    for (std::size_t f = 0; f < map_.families.size(); ++f) {
      std::vector<TableCell> row = {map_.families[f]};
      for (const MapMeasure* measure : ratios) {
        const MapField field = measure->Overall(f);
        row.push_back(
            fmt::format("{} ({}/{})", measure->InWords(field), field.Reached(), field.Taken()));
      }
      if (!profile_.rows.empty()) {
        const auto own = std::ranges::find_if(
            profile_.rows, [&](const auto& cells) { return cells[0].text == map_.families[f]; });
        for (const std::size_t column : {1u, 2u})
          row.push_back(own == profile_.rows.end() ? "-" : (*own)[column].text);
      }
      table.rows.push_back(std::move(row));
    }
    const std::string caption = fmt::format(
        "Cost over that of the fastest family, of one evaluation and at each error that a method "
        "reached: the median over all problems (of {}), and on how many of the problems that the "
        "family takes it has a value. {}. {}",
        Plural(problems.size(), "problem"), kMarksInWords, MeasuredOn(problems));
    paper_.tables.push_back(AsLatex("costs", EscapeLatex(caption), table));
  }

  const Comparison& comparison_;
  const PaperOptions& options_;
  Document& document_;
  const std::vector<Target> targets_;
  const MechanismMap map_;
  Problems diagrams_ = {};
  Table profile_ = {};
  Paper paper_ = {};
};

}  // namespace

Paper MakePaper(const Comparison& comparison, const PaperOptions& options, Document& document) {
  return PaperMaker(comparison, options, document).Make();
}

std::string Sources(const Results& results) {
  std::string sources(BibliographyAsset());
  std::set<std::string> added;
  for (const MethodRow& method : results.methods) {
    const MethodRecord& m = method.record;
    if (m.source.empty() || m.key.empty() || !CitationsOf(m.key, BibliographyAsset()).empty())
      continue;
    if (!added.insert(m.key).second) continue;
    sources += fmt::format(
        "\n% as the method states its source\n@misc{{{0},\n  key   = {{{3}}},\n"
        "  title = {{{{{1}}}}},\n  howpublished = {{{2}}},\n  note  = {{{3}}}\n}}\n",
        CitationKey(m.key), EscapeBibtex(m.title), EscapeBibtex(m.source), EscapeBibtex(m.key));
  }
  return sources;
}

}  // namespace mbsbench::reports
