// What readers come to ask, answered in words with the numbers of this store: which method for a large
// tree, which for a loop over a long time, how far to trust them, what it cost, which claims hold.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "reports/digit_loss.h"
#include "reports/equal_error.h"
#include "reports/format.h"
#include "reports/long_loop.h"
#include "reports/paper_claims.h"
#include "reports/sections.h"
#include "reports/targets.h"

namespace mbsbench::reports {

namespace {

constexpr double kAsked = 500;  // bodies
constexpr double kSmallest = 100, kLargest = 2500;
constexpr double kAlike = 1.1;  // factors below it are no difference between two methods

std::string Code(const std::string& text) { return "`" + text + "`"; }

std::string NotHere(const std::string& arguments) {
  return "Not measured in this store: run `mbsbench run " + arguments + "`, or the default run.";
}

// Ends in one full stop, also after "et al.".
std::string Sentence(std::string text) {
  if (!text.ends_with('.')) text += '.';
  return text;
}

std::string EndTime(const ProblemResults& problem) {
  return FormatDigits(Number(problem.document, "end_time").value_or(0), 4) + " s";
}

bool IsReached(const Comparison& comparison, const ProblemResults& problem) {
  return std::any_of(std::begin(kErrorLevels), std::end(kErrorLevels), [&](double error) {
    return Fastest(BestOfEachMethod(comparison, problem, "", error)) != nullptr;
  });
}

// The tree whose size is nearest to the one asked for, among those on which accuracy was judged.
const ProblemResults* LargeTree(const Comparison& comparison) {
  const ProblemResults* nearest = nullptr;
  double least = INFINITY;
  for (const ProblemResults& problem : comparison.problems) {
    const double bodies = Number(problem.document, "bodies").value_or(0);
    if (bodies < kSmallest || bodies > kLargest || !IsJudged(problem)) continue;
    if (Number(problem.document, "loops").value_or(1) > 0) continue;
    if (Text(problem.document, "family") == "rocket") continue;
    const double distance = std::abs(std::log(bodies / kAsked));
    if (distance < least && IsReached(comparison, problem)) least = distance, nearest = &problem;
  }
  return nearest;
}

// "at error 1e-6 `A` with rk4 in 12 ms (`B` as fast, `C` x 2.8)"
std::string RankingAt(const Comparison& comparison, const ProblemResults& problem, double error) {
  constexpr std::size_t kMostNamed = 3;
  std::vector<BestTime> times = BestOfEachMethod(comparison, problem, "", error);
  std::erase_if(times, [](const BestTime& time) { return !time.time.known(); });
  if (times.empty()) return fmt::format("at error {} none that was run", FormatError(error));
  std::stable_sort(times.begin(), times.end(), [](const BestTime& a, const BestTime& b) {
    return a.time.seconds < b.time.seconds;
  });
  std::string text =
      fmt::format("at error {} {} with {} in {}", FormatError(error), Code(times[0].method),
                  times[0].integrator, FormatTime(times[0].time));
  std::string others;
  for (std::size_t i = 1; i < std::min(times.size(), kMostNamed + 1); ++i) {
    const double ratio = times[i].time.seconds / times[0].time.seconds;
    others += fmt::format("{}{} {}", others.empty() ? "" : ", ", Code(times[i].method),
                          ratio < kAlike ? "alike" : "× " + FormatRatio(ratio));
  }
  return text + (others.empty() ? "" : " (" + others + ")");
}

// How exact the finest cells of a problem are, and how exact they can be.
std::string Trust(const ProblemResults& problem) {
  const Cell* best = nullptr;
  for (const Cell& cell : problem.cells) {
    if (cell.finished() && cell.error && (!best || *cell.error < *best->error)) best = &cell;
  }
  if (!best) return "";
  std::string text =
      fmt::format("Trust: {} with {}, {}, is the most exact there: error {}", Code(best->method),
                  best->integrator, best->Setting(), FormatError(best->error));
  if (best->energy_drift) text += fmt::format(", energy drift {}", FormatError(best->energy_drift));
  if (best->position_drift && *best->position_drift > 0)
    text += fmt::format(", position drift {}", FormatError(best->position_drift));
  const Json& reference = Field(problem.document, "reference");
  if (const auto estimate = Number(reference, "error_estimate"))
    text +=
        fmt::format("; the reference it is judged by errs by {} at most", FormatError(estimate));
  if (const auto digits = Number(reference, "digits_allowed"))
    text += fmt::format("; the problem allows {:.1f} digits", *digits);
  return text + ".";
}

Answer TreeAnswer(const Comparison& comparison) {
  Answer answer{"Which method for a tree of 500 bodies?", {}, {}};
  const ProblemResults* tree = LargeTree(comparison);
  if (!tree) {
    answer.sentences.push_back(NotHere("--problem branchN:bodies=500"));
    return answer;
  }
  std::string ranking;
  for (const double error : kErrorLevels)
    ranking += (ranking.empty() ? "" : "; ") + RankingAt(comparison, *tree, error);
  answer.sentences.push_back(fmt::format(
      "On {} ({} bodies, {} of motion), CPU time by the best integrator of each method: {}.",
      Code(tree->name),
      FormatCount(static_cast<long long>(Number(tree->document, "bodies").value_or(0))),
      EndTime(*tree), ranking));
  if (const std::string trust = Trust(*tree); !trust.empty()) answer.sentences.push_back(trust);
  answer.links = {{tree->name, ProblemRoute(tree->name)},
                  {"how cost grows with bodies", "scaling"},
                  {"other kinds of mechanisms", "overview", "choice"}};
  return answer;
}

std::string DescribeLongCell(const Cell& cell) {
  return fmt::format("{} with {}, {}", Code(cell.method), cell.integrator, cell.Setting());
}

Answer LoopAnswer(const Comparison& comparison) {
  Answer answer{"Which method for a four-bar loop over 1,000 s?", {}, {}};
  const LongLoop loop = FindLongLoop(comparison);
  if (!loop.problem) {
    answer.sentences.push_back(NotHere(fmt::format("--problem {}", kLongFourBar)));
    if (const ProblemResults* shorter = FindProblem(comparison, "fourbar")) {
      answer.sentences.push_back(fmt::format("Over {} only: {}.", EndTime(*shorter),
                                             RankingAt(comparison, *shorter, 1e-6)));
      answer.links = {{shorter->name, ProblemRoute(shorter->name)}};
    }
    return answer;
  }
  if (const Cell* best = loop.recommended) {
    answer.sentences.push_back(fmt::format(
        "{}: the cheapest that stays usable, {} of CPU time. Usable means an error below {} "
        "and a loop that opens by less than {} L over the whole time.",
        DescribeLongCell(*best), FormatSeconds(best->cpu->minimum), FormatError(kUsableError),
        FormatError(kOffTheLoop)));
    answer.sentences.push_back(fmt::format(
        "Trust: its error is {}, its position drift {}, its energy drift {}. The error is one of "
        "phase and grows with time, whatever the method.",
        FormatError(best->error), FormatError(best->position_drift),
        FormatError(best->energy_drift)));
  } else {
    answer.sentences.push_back(fmt::format(
        "None of this store: no cell keeps its error below {} and its loop closed to {} L.",
        FormatError(kUsableError), FormatError(kOffTheLoop)));
  }
  std::string kinds;
  for (const LongLoop::Best& best : loop.best) {
    const Cell& cell = *best.cell;
    kinds += fmt::format("{}{} {}, position drift {} ({}, {})", kinds.empty() ? "" : "; ",
                         best.stabilisation, FormatError(cell.error),
                         FormatError(cell.position_drift), DescribeLongCell(cell),
                         cell.cpu ? FormatSeconds(cell.cpu->minimum) : "not timed");
  }
  if (!kinds.empty())
    answer.sentences.push_back("Least error by kind of stabilisation: " + kinds + ".");
  const auto stopped = std::count_if(
      loop.problem->cells.begin(), loop.problem->cells.end(),
      [](const Cell& cell) { return cell.outcome == "timeout" || cell.outcome == "skipped"; });
  if (stopped > 0) {
    answer.sentences.push_back(
        fmt::format("Of its {} {} did not finish within the time limit of this run; a longer one "
                    "(`--time-limit`) lets them answer, too.",
                    Plural(static_cast<long long>(loop.problem->cells.size()), "cell"), stopped));
  }
  answer.links = {{"the long loop in full", "validation", "long-loop"},
                  {loop.problem->name, ProblemRoute(loop.problem->name)}};
  return answer;
}

Answer TrustAnswer(const Comparison& comparison) {
  constexpr double kApart = 1e-6;  // what the harness calls a disagreement
  Answer answer{"How far can each be trusted?", {}, {}};
  std::size_t references = 0, agree = 0, compared = 0, tried = 0, ok = 0, inaccurate = 0;
  std::optional<double> estimate;
  struct Worst {
    double error;
    std::string problem;
  };
  std::map<std::string, Worst> worst;  // error of one evaluation, by method
  std::set<std::string> apart;         // methods whose accelerations were not those of the others
  for (const ProblemResults& problem : comparison.problems) {
    const auto own = Number(Field(problem.document, "reference"), "error_estimate");
    if (own) {
      ++references;
      estimate = std::max(estimate.value_or(0), *own);
    }
    for (const Cell& cell : problem.cells) {
      const bool not_tried = cell.outcome == "unsupported" || cell.outcome == "skipped";
      tried += !not_tried;
      ok += cell.outcome == "ok";
      inaccurate += cell.outcome == "inaccurate";
    }
    if (!problem.agreement || problem.agreement->outcome == "no_reference") continue;
    ++compared;
    agree += problem.agreement->outcome == "ok";
    for (const Json& method : Field(problem.agreement->record, "methods")) {
      if (Number(method, "difference").value_or(0) > kApart)
        apart.insert(Code(Text(method, "method")));
      const auto error = Number(method, "error");
      if (!error) continue;
      auto [it, is_new] = worst.try_emplace(Text(method, "method"), Worst{*error, problem.name});
      if (!is_new && *error > it->second.error) it->second = {*error, problem.name};
    }
  }
  answer.sentences.push_back(fmt::format(
      "Of {} that were tried {} ended ok, {} finished with an error that is too large for their "
      "tolerance, {} failed. {} of {} have a certified reference{}.",
      Plural(static_cast<long long>(tried), "cell"), FormatCount(static_cast<long long>(ok)),
      FormatCount(static_cast<long long>(inaccurate)),
      FormatCount(static_cast<long long>(tried - ok - inaccurate)), references,
      Plural(static_cast<long long>(comparison.problems.size()), "problem"),
      estimate ? ", whose own error is at most " + FormatError(estimate) : ""));
  if (compared > 0) {
    answer.sentences.push_back(fmt::format(
        "Before timing, all methods gave the same accelerations on {} of {}{}.", agree,
        Plural(static_cast<long long>(compared), "problem"),
        apart.empty() ? "" : fmt::format("; on the others all but {}", fmt::join(apart, ", "))));
  }
  std::vector<std::pair<std::string, Worst>> sorted(worst.begin(), worst.end());
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const auto& a, const auto& b) { return a.second.error < b.second.error; });
  // Methods of like error together; where it tells apart, the problem.
  std::string each;
  double bound = 0;
  for (const auto& [method, one] : sorted) {
    if (one.error >= kAllLost) {
      each += fmt::format("; all digits lost: {} ({})", Code(method), one.problem);
      continue;
    }
    if (one.error >= bound) {
      bound = 1e-14;
      while (one.error >= bound) bound *= 100;
      each += fmt::format("{}below {}: ", each.empty() ? "" : "; ", FormatError(bound));
    } else {
      each += ", ";
    }
    each += Code(method);
  }
  if (!each.empty()) {
    answer.sentences.push_back(
        "Worst relative error of one evaluation against 113 bits over all problems, by method: " +
        each + ".");
  }
  answer.links = {{"outcome of every cell", "outcomes"},
                  {"references and agreement", "validation", "truth"},
                  {"each method, where it fails", "methods"}};
  return answer;
}

// Time between two moments as the store writes them, "2026-11-21T17:24:33Z"; nothing where one is
// missing.
std::optional<double> SecondsBetween(const std::string& from, const std::string& to) {
  const auto seconds = [](const std::string& text) -> std::optional<double> {
    std::tm time = {};
    if (strptime(text.c_str(), "%Y-%m-%dT%H:%M:%S", &time) == nullptr) return std::nullopt;
    return static_cast<double>(timegm(&time));
  };
  const auto a = seconds(from), b = seconds(to);
  return a && b && *b >= *a ? std::optional(*b - *a) : std::nullopt;
}

std::string Duration(double seconds) {
  const auto minutes = static_cast<long long>(std::lround(seconds / 60));
  if (seconds < 90) return fmt::format("{:.0f} s", seconds);
  if (minutes < 90) return fmt::format("{} min", minutes);
  return fmt::format("{} h {} min", minutes / 60, minutes % 60);
}

Answer CostAnswer(const Comparison& comparison) {
  Answer answer{"What did it cost, and on which machine?", {}, {}};
  for (const Run* run : comparison.runs) {
    const auto memory = Number(run->machine, "memory_bytes");
    const auto length = SecondsBetween(run->started, run->finished);
    double processes = 0;
    for (const Trial& trial : comparison.results->trials) {
      if (trial.run == run->id) processes += Number(trial.record, "process_seconds").value_or(0);
    }
    answer.sentences.push_back(fmt::format(
        "{} on {}, {} cores{}: {}, {} summed over its processes. Built by {} with {}.",
        Code(run->command), Text(run->machine, "cpu"), Text(run->machine, "cores"),
        memory ? ", " + FormatBytes(memory) : "",
        length ? Duration(*length) + " from start to end" : "not finished", Duration(processes),
        Text(run->build, "compiler"), Code(Text(run->build, "flags"))));
  }
  answer.sentences.push_back(
      "Times are those of this machine and this build; ratios of methods travel better than times, "
      "orders of growth best.");
  answer.links = {{"machine, versions and settings", "machine"},
                  {"time of every cell", "outcomes"},
                  {"how to read the numbers", "machine", "reading"}};
  return answer;
}

Answer ClaimsAnswer(const Comparison& comparison) {
  Answer answer{"Which claims of the five papers hold?", {}, {}};
  std::vector<std::string> papers;
  std::map<std::string, std::map<Standing, std::vector<std::string>>> claims;
  for (const PaperClaim& claim : AllPaperClaims(comparison)) {
    if (std::find(papers.begin(), papers.end(), claim.source) == papers.end())
      papers.push_back(claim.source);
    claims[claim.source][claim.standing].push_back(claim.claim);
  }
  const auto listed = [](const std::vector<std::string>& list) {
    return fmt::format("{}", fmt::join(list, "; "));
  };
  for (const std::string& paper : papers) {
    std::string text;
    const auto add = [&](Standing standing, const char* what) {
      const auto& list = claims[paper][standing];
      if (list.empty()) return;
      text += fmt::format("{}{}: {}", text.empty() ? "" : " ", what, Sentence(listed(list)));
    };
    add(Standing::kHolds, "Holds");
    add(Standing::kPartly, "In part");
    add(Standing::kFails, "Does not hold");
    if (const auto& list = claims[paper][Standing::kNotMeasured]; !list.empty()) {
      text += fmt::format("{}{} not measured in this store.", text.empty() ? "" : " ",
                          Plural(static_cast<long long>(list.size()), "claim"));
    }
    answer.sentences.push_back(fmt::format("{}. {}", paper, text));
  }
  answer.links = {{"every claim with its evidence", "validation"},
                  {"what was published, problem by problem", "problems"}};
  return answer;
}

}  // namespace

Section AnswersSection(const Comparison& comparison, Document&) {
  Section section{"answers", "In short", {}};
  if (comparison.CellCount() == 0) return section;
  section.blocks.push_back(
      Answers{{TreeAnswer(comparison), LoopAnswer(comparison), TrustAnswer(comparison),
               CostAnswer(comparison), ClaimsAnswer(comparison)}});
  return section;
}

}  // namespace mbsbench::reports
