// Which family is the fastest on a large mechanism, on a long loop, and on what is driven: answers of one line.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "harness/store/run_commands.h"
#include "reports/equal_error.h"
#include "reports/format.h"
#include "reports/mechanism_map.h"
#include "reports/overview.h"

namespace mbsbench::reports {

namespace {

struct Question {
  const char* text;
  // Of a problem that may answer it: how well, more is better.
  std::optional<double> (*fitness)(const ProblemResults& problem);
};

constexpr double kPreferred = 1e-6, kCoarser = 1e-3;  // errors at which answers are given
constexpr double kAskedBodies = 500, kFewestBodies = 100, kMostBodies = 2500;

// A tree where one was measured.
std::optional<double> LargeMechanism(const ProblemResults& problem) {
  constexpr double kNoTree = 100;
  const double bodies = problem.record.bodies.value_or(0);
  if (bodies < kFewestBodies || bodies > kMostBodies) return std::nullopt;
  const bool is_tree = KindOf(problem).find("trees") == 0;
  return -std::abs(std::log(bodies / kAskedBodies)) - (is_tree ? 0 : kNoTree);
}
std::optional<double> LongLoop(const ProblemResults& problem) {
  if (problem.record.loops.value_or(0) <= 0) return std::nullopt;
  const auto end = problem.record.end_time, time = problem.record.time;
  return end && time && *time > 0 ? std::optional(*end / *time) : std::nullopt;
}
// Of these the one on which most families ended.
std::optional<double> Driven(const ProblemResults& problem) {
  if (KindOf(problem).find("driven") != 0) return std::nullopt;
  std::set<std::string> families;
  for (const Cell& cell : problem.cells) {
    if (cell.finished() && cell.cpu && cell.error) families.insert(MethodKey(cell.method));
  }
  return static_cast<double>(families.size());
}

constexpr Question kQuestions[] = {{"Large mechanism", LargeMechanism},
                                   {"Loop, long motion", LongLoop},
                                   {"Stiff, driven or damped", Driven}};

const Target* TargetOf(const std::vector<Target>& targets, const ProblemResults& problem,
                       double error) {
  for (const Target& target : targets) {
    if (target.problem == &problem && target.error == error && target.Fastest()) return &target;
  }
  return nullptr;
}

// The fastest families at a target, and all others that are not known to be slower. `verdict_of_all` is that of all of them, where
// they have the same, in words.
Json Ranking(const Target& target, const std::vector<std::string>& families, std::string& text,
             std::string& verdict_of_all) {
  constexpr std::size_t kMostNamed = 3;
  std::vector<const Attempt*> ranked;
  for (const std::string& family : families) {
    if (const Attempt* best = BestOfFamily(target, family)) ranked.push_back(best);
  }
  std::stable_sort(ranked.begin(), ranked.end(), [](const Attempt* a, const Attempt* b) {
    return a->time.seconds < b->time.seconds;
  });
  std::vector<TimeAtError> all;
  for (const Attempt* one : ranked) all.push_back(one->time);
  for (std::size_t i = ranked.size(); i-- > kMostNamed;) {
    if (VerdictAmong(ranked[i]->time, all) == NameOf(Verdict::kSlower))
      ranked.erase(ranked.begin() + static_cast<std::ptrdiff_t>(i));
  }
  verdict_of_all = VerdictAmong(ranked[0]->time, all);
  for (const Attempt* one : ranked) {
    if (VerdictAmong(one->time, all) != verdict_of_all) verdict_of_all.clear();
  }
  Json places = Json::array();
  for (std::size_t i = 0; i < ranked.size(); ++i) {
    const TimeAtError& time = ranked[i]->time;
    const bool has_ratio = i > 0 && RatioOf(time, ranked[0]->time);
    const std::string verdict = VerdictAmong(time, all);
    const std::string curve = BestTime{ranked[i]->method, ranked[i]->integrator, time}.Curve();
    const std::string how =
        fmt::format("{}{}{}", IsBound(time) ? "bound: " : "",
                    has_ratio ? "× " + RatioCell(time, ranked[0]->time, "").text : FormatTime(time),
                    verdict_of_all.empty() ? ", " + VerdictInWords(time, all) : "");
    const std::string more = fmt::format("{}: {}", curve, FormatTime(time));
    places.push_back({{"family", MethodKey(ranked[i]->method)},
                      {"name", curve},
                      {"how", how},
                      {"more", more},
                      {"leads", verdict != NameOf(Verdict::kSlower)}});
    text += fmt::format("{}{} ({})", i == 0 ? "" : "; ", curve, how);
  }
  if (ranked.size() < 2) verdict_of_all.clear();
  if (verdict_of_all == NameOf(Verdict::kUndecided)) verdict_of_all += " which is the fastest";
  if (!verdict_of_all.empty()) text += ": " + verdict_of_all;
  return places;
}

// With the command that goes on, where a run is unfinished.
std::string NotMeasured(const Comparison& comparison) {
  for (const Run* run : comparison.runs) {
    if (run->finished.empty())
      return fmt::format("not measured yet; {} goes on", Code(CommandToResume(run->command)));
  }
  return "not measured in this store";
}

}  // namespace

Figure AnswersFigure(const Comparison& comparison, const std::vector<Target>& targets,
                     const MechanismMap& map) {
  Figure figure;
  figure.kind = "answers";
  figure.title = "Which family is the fastest";
  figure.summary =
      std::string(
          "CPU time at equal error, each family with its best variant and integrator, which stand "
          "beside it. Ratios are to the first. Bold: not known to be slower than another. A bound "
          "is the time of a coarsest cell that is more accurate than asked for. ") +
      kVerdictRule + ".";
  figure.table = {"Which family is the fastest", {{"for"}, {"on"}, {"answer"}}};
  Json items = Json::array();
  for (const Question& question : kQuestions) {
    const ProblemResults* chosen = nullptr;
    const Target* target = nullptr;
    double best = 0;
    for (const ProblemResults& problem : comparison.problems) {
      const auto fitness = IsJudged(problem) ? question.fitness(problem) : std::nullopt;
      if (!fitness || (chosen && *fitness <= best)) continue;
      const Target* reached = nullptr;
      for (const double error : {kPreferred, kCoarser}) {
        if (!reached) reached = TargetOf(targets, problem, error);
      }
      if (reached) chosen = &problem, target = reached, best = *fitness;
    }
    std::string text;
    Json item = {
        {"question", question.text}, {"problem", ""}, {"route", ""}, {"places", Json::array()}};
    if (chosen) {
      item["problem"] = fmt::format("{} at {}{}", chosen->name, FormatError(target->error),
                                    target->error == kPreferred
                                        ? ""
                                        : fmt::format("; {} not reached", FormatError(kPreferred)));
      item["route"] = ProblemRoute(*chosen);
      std::string verdict;
      item["places"] = Ranking(*target, map.families, text, verdict);
      item["verdict"] = verdict;
    } else {
      text = NotMeasured(comparison);
      item["absent"] = text;
    }
    figure.table.rows.push_back({{question.text}, {item["problem"].get<std::string>()}, {text}});
    items.push_back(std::move(item));
  }
  figure.data = {{"items", std::move(items)}};
  return figure;
}

}  // namespace mbsbench::reports
