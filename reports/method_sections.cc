// One section per method: what it is, which problems it solves and which it refuses, where it is the
// fastest and where it fails, and how its cost grows.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>

#include "reports/digit_loss.h"
#include "reports/equal_error.h"
#include "reports/format.h"
#include "reports/outcomes.h"
#include "reports/scaling.h"
#include "reports/sections.h"
#include "reports/statistics.h"

namespace mbsbench::reports {

namespace {

constexpr double kComparedError = 1e-6;

struct MethodVerdict {
  int ok = 0, other = 0, refused = 0, skipped = 0;
  const Cell* best = nullptr;     // the most accurate
  const Cell* trouble = nullptr;  // the first that was tried and did not end ok
  const Cell* refusal = nullptr;  // the first that was not tried
};

MethodVerdict Judge(const ProblemResults& problem, const std::string& method) {
  MethodVerdict verdict;
  for (const Cell& cell : problem.cells) {
    if (cell.method != method) continue;
    if (cell.outcome == "ok") {
      ++verdict.ok;
    } else if (cell.outcome == "unsupported" || cell.outcome == "skipped") {
      ++(cell.outcome == "skipped" ? verdict.skipped : verdict.refused);
      if (!verdict.refusal) verdict.refusal = &cell;
    } else {
      ++verdict.other;
      if (!verdict.trouble) verdict.trouble = &cell;
    }
  }
  verdict.best =
      MostAccurate(problem, [&method](const Cell& cell) { return cell.method == method; });
  return verdict;
}

bool WasTried(const MethodVerdict& verdict) { return verdict.ok + verdict.other > 0; }

std::string Remark(const MethodVerdict& verdict) {
  const Cell* cell = verdict.trouble ? verdict.trouble : verdict.ok > 0 ? nullptr : verdict.refusal;
  if (!cell) return "";
  return cell->outcome + (cell->reason.empty() ? "" : ": " + cell->reason);
}

Table ProblemTable(const Comparison& comparison, const std::string& method) {
  Table table{"Problem by problem",
              {{"problem"},
               {"cells ok", true},
               {"not ok", true},
               {"not tried", true},
               {"least error", true},
               {"with"},
               {"its energy drift", true},
               {"time at 1e-6", true},
               {"ratio to fastest", true},
               {"verdict"},
               {"first that did not end ok"}}};
  for (const ProblemResults& problem : comparison.problems) {
    const MethodVerdict verdict = Judge(problem, method);
    if (!WasTried(verdict)) continue;
    const auto times = BestOfEachMethod(comparison, problem, "", kComparedError);
    const BestTime* fastest = Fastest(times);
    const auto own = std::find_if(times.begin(), times.end(), [&method](const BestTime& time) {
      return time.method == method;
    });
    const bool reached = own != times.end() && own->time.known();
    const std::string standing = reached ? VerdictAmong(own->time, TimesOf(times)) : "";
    const Cell* best = verdict.best;
    table.rows.push_back(
        {ProblemCell(problem),
         CountCell(verdict.ok),
         CountCell(verdict.other),
         CountCell(verdict.refused + verdict.skipped),
         NumberCell(best ? FormatError(best->error) : "-", best ? best->error : std::nullopt),
         {best ? best->integrator + ", " + best->Setting() : ""},
         NumberCell(best ? FormatError(best->energy_drift) : "-",
                    best ? best->energy_drift : std::nullopt),
         reached ? NumberCell(FormatTime(own->time), own->time.seconds)
                 : TableCell{own == times.end() ? "-" : FormatTime(own->time), nullptr, "weak"},
         reached ? RatioCell(own->time, fastest->time, standing == "fastest" ? "best" : "")
                 : TableCell{"-", nullptr, "weak"},
         {standing, nullptr, "weak"},
         {Remark(verdict)}});
  }
  return table;
}

// The problems of which no cell was tried, by the reason.
Table RefusalTable(const Comparison& comparison, const std::string& method) {
  Table table{"Not tried", {{"why"}, {"problems", true}, {"which"}}};
  std::vector<std::pair<std::string, std::vector<std::string>>> refusals;
  for (const ProblemResults& problem : comparison.problems) {
    const MethodVerdict verdict = Judge(problem, method);
    if (WasTried(verdict) || !verdict.refusal) continue;
    const std::string why = Remark(verdict);
    auto refusal = std::find_if(refusals.begin(), refusals.end(),
                                [&why](const auto& one) { return one.first == why; });
    if (refusal == refusals.end()) refusal = refusals.insert(refusals.end(), {why, {}});
    refusal->second.push_back(problem.name);
  }
  for (const auto& [why, problems] : refusals) {
    const auto count = static_cast<double>(problems.size());
    table.rows.push_back({{why},
                          NumberCell(std::to_string(problems.size()), count),
                          {fmt::format("{}", fmt::join(problems, ", "))}});
  }
  return table;
}

// "name, name and 3 more"
std::string Named(const std::vector<std::string>& names) {
  constexpr std::size_t kMost = 4;
  std::string text;
  for (std::size_t i = 0; i < std::min(names.size(), kMost); ++i)
    text += (i == 0 ? "" : ", ") + names[i];
  if (names.size() > kMost) text += fmt::format(" and {} more", names.size() - kMost);
  return text;
}

List Highlights(const Comparison& comparison, const std::string& method) {
  List list;
  for (const double error : kErrorLevels) {
    std::vector<std::string> fastest, undecided;
    std::vector<std::pair<double, std::string>> bounds;  // over the least bound
    for (const ProblemResults& problem : comparison.problems) {
      const auto times = BestOfEachMethod(comparison, problem, "", error);
      const std::vector<const BestTime*> leaders = Leaders(times);
      const BestTime* least = Fastest(times);
      const auto own = std::find_if(times.begin(), times.end(), [&method](const BestTime& time) {
        return time.method == method && IsBound(time.time);
      });
      if (least && IsBound(least->time) && own != times.end() && times.size() > 1) {
        bounds.emplace_back(own->time.seconds / least->time.seconds, problem.name);
        continue;
      }
      for (const BestTime* leader : leaders) {
        if (leader->method == method)
          (leaders.size() == 1 ? fastest : undecided).push_back(problem.name);
      }
    }
    if (!fastest.empty())
      list.items.push_back(
          fmt::format("Fastest at error {}: {}.", FormatError(error), Named(fastest)));
    if (!undecided.empty()) {
      list.items.push_back(
          fmt::format("Undecided at error {} (not known to be slower than any other, because "
                      "intervals overlap or a time is a bound): {}.",
                      FormatError(error), Named(undecided)));
    }
    if (!bounds.empty()) {
      std::stable_sort(bounds.begin(), bounds.end());
      std::vector<double> ratios;
      for (const auto& [ratio, name] : bounds) ratios.push_back(ratio);
      list.items.push_back(fmt::format(
          "Not ranked at error {} on {}: its time and the least time there are upper "
          "bounds. Its bound over the least bound: {}.",
          FormatError(error), Plural(static_cast<long long>(bounds.size()), "problem"),
          bounds.size() == 1 ? fmt::format("{} ({})", FormatRatio(ratios[0]), bounds[0].second)
                             : fmt::format("{} ({}) to {} ({}), median {}", FormatRatio(ratios[0]),
                                           bounds.front().second, FormatRatio(ratios.back()),
                                           bounds.back().second, FormatRatio(Median(ratios)))));
    }
  }
  std::map<std::string, std::vector<std::string>> troubles;  // problems by outcome
  for (const ProblemResults& problem : comparison.problems) {
    std::vector<std::string> seen;
    for (const Cell& cell : problem.cells) {
      const std::string& outcome = cell.outcome;
      if (cell.method != method || outcome == "ok" || !IsTried(outcome)) continue;
      if (std::find(seen.begin(), seen.end(), outcome) != seen.end()) continue;
      seen.push_back(outcome);
      troubles[outcome].push_back(problem.name);
    }
  }
  for (const auto& [outcome, problems] : troubles)
    list.items.push_back(fmt::format("Cells that ended `{}`: {}.", outcome, Named(problems)));
  return list;
}

std::optional<Figure> GrowthFigure(const Comparison& comparison, const std::string& method,
                                   Document& document) {
  Figure figure;
  figure.kind = "scaling";
  figure.title = "Cost of one evaluation per body by " + method;
  figure.summary =
      "CPU time of one evaluation divided by bodies, against bodies, one curve per family of "
      "problems. A horizontal line is linear cost.";
  figure.command = LatestCommand(comparison);
  figure.table = {"Nanoseconds per body and evaluation",
                  {{"family"}, {"what"}, {"problem"}, {"bodies", true}, {"ns per body", true}}};
  Json series = Json::array();
  for (const FamilyScaling& family : Scaling(comparison)) {
    for (const EvaluationCurve& curve : family.evaluations) {
      if (curve.method != method) continue;
      // one method only: colour and marker tell the curves apart
      const std::size_t place = series.size();
      Json one = {{"name", family.family + ", " + curve.what},
                  {"color", place},
                  {"symbol", place},
                  {"points", Json::array()}};
      for (const EvaluationPoint& point : curve.points) {
        const std::string cost = FormatDigits(point.nanoseconds_per_body, 3);
        one["points"].push_back({point.bodies, point.nanoseconds_per_body,
                                 fmt::format("{}: {} ns per body", point.problem->name, cost)});
        figure.table.rows.push_back({{family.family},
                                     {curve.what},
                                     ProblemCell(*point.problem),
                                     CountCell(point.bodies),
                                     NumberCell(cost, point.nanoseconds_per_body)});
      }
      series.push_back(std::move(one));
    }
  }
  if (series.empty()) return std::nullopt;
  figure.data = {
      {"series", series}, {"x", "bodies"}, {"y", "ns per body and evaluation"}, {"unit", "ns"}};
  figure.csv = AddFile(
      document, AsCsv("method_scaling." + comparison.MethodStem(method) + ".csv", figure.table));
  return figure;
}

// Where the records of evaluations count operations: per body, of what the method evaluates.
Table OperationTable(const Comparison& comparison, const std::string& method) {
  Table table;
  for (const ProblemResults& problem : comparison.problems) {
    const auto bodies = Number(problem.document, "bodies");
    if (!bodies || *bodies <= 0) continue;
    for (const Trial* trial : problem.evaluations) {
      const std::optional<OperationsRecord>& operations =
          OrNone(trial->record.evaluation).operations;
      if (trial->method != method || !operations) continue;
      const std::string of = OrNone(trial->record.evaluation).operations_of;
      table.caption = "Operations per body of one " + (of.empty() ? "evaluation" : of);
      table.rows.push_back({ProblemCell(problem), CountCell(bodies)});
      for (const std::int64_t kind : {operations->multiplications, operations->additions,
                                      operations->divisions, operations->square_roots}) {
        const double count = static_cast<double>(kind) / *bodies;
        table.rows.back().push_back(NumberCell(fmt::format("{:.1f}", count), count));
      }
    }
  }
  table.columns = {{"problem"}, {"bodies", true}};
  for (const char* kind : kOperations) {
    std::string label = kind;
    std::replace(label.begin(), label.end(), '_', ' ');
    table.columns.push_back({label, true});
  }
  return table;
}

std::string About(const Json& document) {
  std::string text = Text(document, "title");
  if (!text.empty()) text += ". ";
  text += Text(document, "description");
  if (const std::string form = Text(document, "form"); !form.empty())
    text += (text.empty() || text.back() == ' ' ? "" : " ") + std::string("Form: ") + form + ".";
  if (const std::string source = Text(document, "source"); !source.empty())
    text += " Source: " + source + ".";
  return text;
}

// What the method does not keep of the promises that all methods are held to.
Table LimitTable(const Json& document) {
  Table table{"Declared limits", {{"promises"}, {"kept to", true, "bound"}, {"why"}}};
  for (const Json& limit : Field(document, "limits")) {
    std::string promises;
    for (const Json& promise : Field(limit, "promises")) {
      if (promise.is_string())
        promises += (promises.empty() ? "" : ", ") + promise.get<std::string>();
    }
    const auto bound = Number(limit, "bound");
    table.rows.push_back({{promises},
                          NumberCell(bound ? FormatError(bound) : "not kept", bound),
                          {Text(limit, "reason")}});
  }
  return table;
}

Section MethodSection(const Comparison& comparison, const std::string& method, Document& document) {
  Section section{
      "method-" + comparison.MethodStem(method), method, {}, {}, MethodRoute(comparison, method)};
  static const Json none = Json::object();
  const Json* known = comparison.MethodDocument(method);
  if (const std::string about = About(known ? *known : none); !about.empty())
    section.blocks.push_back(Paragraph{about});
  AddTable(LimitTable(known ? *known : none), "limits." + comparison.MethodStem(method) + ".csv",
           section, document);
  if (List highlights = Highlights(comparison, method); !highlights.items.empty())
    section.blocks.push_back(std::move(highlights));
  AddTable(ProblemTable(comparison, method), "method." + comparison.MethodStem(method) + ".csv",
           section, document);
  AddTable(RefusalTable(comparison, method), "refusals." + comparison.MethodStem(method) + ".csv",
           section, document);
  AddIfAny(GrowthFigure(comparison, method, document), section);
  AddTable(OperationTable(comparison, method),
           "operations." + comparison.MethodStem(method) + ".csv", section, document);
  if (section.blocks.empty())
    section.blocks.push_back(Paragraph{"The store holds no cell of this method."});
  return section;
}

// "Kane's equations in Huston's form (ode)"
std::string TitleAndForm(const Json& document) {
  const std::string form = Text(document, "form");
  return Text(document, "title") + (form.empty() ? "" : " (" + form + ")");
}

Table MethodTable(const Comparison& comparison) {
  Table table{"Methods",
              {{"method"},
               {"what it is"},
               {"problems solved", true},
               {"problems refused", true},
               {"cells ok", true},
               {"cells not ok", true},
               {"worst error of one evaluation", true, "worst_evaluation_error"},
               {"on"}}};
  for (const std::string& method : comparison.methods) {
    int ok = 0, other = 0, solved = 0, refused = 0;
    std::optional<double> worst;  // against 113 bits
    const ProblemResults* worst_on = nullptr;
    for (const ProblemResults& problem : comparison.problems) {
      if (problem.agreement) {
        for (const MethodAgreementRecord& one :
             OrNone(problem.agreement->record.agreement).methods) {
          if (one.method == method && one.error && (!worst || *one.error > *worst))
            worst = one.error, worst_on = &problem;
        }
      }
      const MethodVerdict verdict = Judge(problem, method);
      ok += verdict.ok;
      other += verdict.other;
      solved += verdict.ok > 0;
      refused += verdict.ok + verdict.other == 0 && verdict.refused > 0;
    }
    const Json* document = comparison.MethodDocument(method);
    table.rows.push_back(
        {MethodCell(comparison, method),
         {document ? TitleAndForm(*document) : ""},
         CountCell(solved),
         CountCell(refused),
         CountCell(ok),
         CountCell(other),
         NumberCell(worst && *worst >= kAllLost ? "all digits lost" : FormatError(worst), worst),
         {worst_on ? worst_on->name : "", nullptr, "", worst_on ? ProblemRoute(*worst_on) : ""}});
  }
  return table;
}

// What the numbers of methods in this report are.
Paragraph MethodCounts(const Comparison& comparison) {
  std::set<std::string> families;
  std::vector<std::string> without;  // neither tried nor evaluated
  long long tried = 0, evaluated = 0, compared = 0;
  for (const std::string& method : comparison.methods) {
    families.insert(MethodKey(method));
    bool is_tried = false, is_evaluated = false, is_compared = false;
    for (const ProblemResults& problem : comparison.problems) {
      is_tried |= WasTried(Judge(problem, method));
      is_evaluated |= std::any_of(problem.evaluations.begin(), problem.evaluations.end(),
                                  [&](const Trial* trial) { return trial->method == method; });
      if (!problem.agreement) continue;
      for (const MethodAgreementRecord& one : OrNone(problem.agreement->record.agreement).methods)
        is_compared |= one.method == method && (one.error || one.difference);
    }
    tried += is_tried;
    evaluated += is_evaluated;
    compared += is_compared;
    if (!is_tried && !is_evaluated && !is_compared) without.push_back(method);
  }
  std::string text = fmt::format(
      "This store holds {} of {}, variants counted. The accelerations of {} were compared "
      "before timing, {} were timed on single evaluations, {} ran cells.",
      Plural(static_cast<long long>(comparison.methods.size()), "method"),
      families.size() == 1 ? "1 family" : fmt::format("{} families", families.size()), compared,
      evaluated, tried);
  if (!without.empty()) text += fmt::format(" Not run: {}.", fmt::join(without, ", "));
  return {text};
}

}  // namespace

Section MethodSections(const Comparison& comparison, Document& document) {
  Section section{"methods", "Methods", {}};
  if (comparison.methods.empty()) {
    section.blocks.push_back(Paragraph{"The store holds no method."});
    return section;
  }
  section.blocks.push_back(MethodCounts(comparison));
  section.blocks.push_back(Paragraph{
      "Solved: at least one cell (one integrator at one tolerance or step) ended ok. Refused: the "
      "method does not support the problem. A method without either was only evaluated, or has no "
      "cell yet. The error of one evaluation is that of the accelerations at random states against "
      "113 bits (34 digits), in units of the largest acceleration; the worst is shown with its "
      "problem. From "
      "0.1 on all digits are lost. In brackets: the form of the equations (ode, dae, time stepper; "
      "algebraic: Newton's method solves for a steady state)."});
  AddTable(MethodTable(comparison), "methods.csv", section, document);
  for (const std::string& method : comparison.methods)
    section.sections.push_back(MethodSection(comparison, method, document));
  return section;
}

}  // namespace mbsbench::reports
