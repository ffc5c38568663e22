// What readers come to ask, answered in words with the numbers of this store: which method for a large
// tree, which for a loop over a long time, how far to trust them, what it cost, which claims hold.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "reports/agreement.h"
#include "reports/answers.h"
#include "reports/digit_loss.h"
#include "reports/format.h"
#include "reports/outcomes.h"
#include "reports/paper_claims.h"
#include "reports/sections.h"

namespace mbsbench::reports {

namespace {

// Ends in one full stop, also after "et al.".
std::string Sentence(std::string text) {
  if (!text.ends_with('.')) text += '.';
  return text;
}

// How the cells ended, and by what they are judged.
struct Endings {
  long long tried = 0, ok = 0, inaccurate = 0, unjudged = 0;
  long long with_tolerance = 0, above_it = 0;  // of the ok ones
};

void Count(const Cell& cell, Endings& endings) {
  endings.tried += IsTried(cell.outcome);
  endings.ok += cell.outcome == "ok";
  endings.inaccurate += cell.outcome == "inaccurate";
  endings.unjudged += cell.outcome == "no_reference";
  // a steady state has a tolerance of its residuals
  if (cell.outcome != "ok" || !cell.tolerance || !cell.error || cell.integrator == kSteadySolver)
    return;
  ++endings.with_tolerance;
  endings.above_it += *cell.error > *cell.tolerance;
}

std::string DescribeEndings(const Comparison& comparison) {
  Endings endings;
  for (const ProblemResults& problem : comparison.problems) {
    for (const Cell& cell : problem.cells) Count(cell, endings);
  }
  std::string text = fmt::format(
      "Of {} that were tried {} ended ok, {} finished with an error that is too large, {} finished "
      "where no reference is held to judge them by, {} failed. Too large is an error above {}.",
      Plural(endings.tried, "cell"), FormatCount(endings.ok), FormatCount(endings.inaccurate),
      FormatCount(endings.unjudged),
      FormatCount(endings.tried - endings.ok - endings.inaccurate - endings.unjudged), kErrorLimit);
  if (endings.above_it > 0) {
    text += fmt::format(
        " Of {} with a tolerance that ended ok the error is above the tolerance itself in {}.",
        Plural(endings.with_tolerance, "cell"), FormatCount(endings.above_it));
  }
  return text;
}

std::string DescribeReferences(const Comparison& comparison) {
  long long references = 0, in_motion = 0;
  std::optional<double> estimate;
  for (const ProblemResults& problem : comparison.problems) {
    if (problem.cells.empty()) continue;
    ++in_motion;
    const auto own = Number(Field(problem.document, "reference"), "error_estimate");
    if (!own) continue;
    ++references;
    estimate = std::max(estimate.value_or(0), *own);
  }
  const std::string held =
      in_motion == 1
          ? fmt::format("The problem that they solve has {} certified reference",
                        references == 1 ? "a" : "no")
          : fmt::format("{} of the {} that they solve {} a certified reference", references,
                        Plural(in_motion, "problem"), references == 1 ? "has" : "have");
  return fmt::format("{}{}.", held,
                     estimate ? ", whose own error is at most " + FormatError(estimate) : "");
}

// Of how many problems something is so, by method.
using CellsOfMethods = std::map<std::string, std::size_t>;

// "`a` (12), `b` (1)", the most first
std::string Listed(const CellsOfMethods& tally) {
  std::vector<std::pair<std::string, std::size_t>> sorted(tally.begin(), tally.end());
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  std::string text;
  for (const auto& [method, count] : sorted)
    text += fmt::format("{}{} ({})", text.empty() ? "" : ", ", Code(method), count);
  return text;
}

// Whether the methods solve the same problems; empty where none were compared.
std::string DescribeAgreement(const Comparison& comparison) {
  long long compared = 0, agree = 0;
  CellsOfMethods apart, unable, stopped;
  for (const ProblemResults& problem : comparison.problems) {
    if (!problem.agreement || problem.agreement->outcome == "no_reference") continue;
    ++compared;
    agree += problem.agreement->outcome == "ok";
    const MethodAgreement agreement = ReadAgreement(*problem.agreement);
    for (const ComparedMethod& one : agreement.apart) ++apart[one.method];
    for (const std::string& method : agreement.unable) ++unable[method];
    for (const std::string& method : agreement.stopped) ++stopped[method];
  }
  if (compared == 0) return "";
  std::string text = fmt::format(
      "Before timing, all methods that gave accelerations agreed on them to {} on {} of {}",
      FormatError(kAgreed), FormatCount(agree), Plural(compared, "problem"));
  if (!apart.empty()) text += "; apart from most others stood " + Listed(apart);
  if (!unable.empty()) text += "; not every state could be evaluated by " + Listed(unable);
  if (!stopped.empty()) text += "; the evaluations of " + Listed(stopped) + " did not end";
  const bool any = !apart.empty() || !unable.empty() || !stopped.empty();
  return text + (any ? " (in brackets: on how many problems)." : ".");
}

// Of a method's evaluations on all problems.
struct Worst {
  double error;
  std::string problem;
  std::size_t problems;  // on which it was judged
};

std::map<std::string, Worst> WorstEvaluations(const Comparison& comparison) {
  std::map<std::string, Worst> worst;
  for (const ProblemResults& problem : comparison.problems) {
    if (!problem.agreement || problem.agreement->outcome == "no_reference") continue;
    for (const Json& method : Field(problem.agreement->record, "methods")) {
      const auto error = Number(method, "error");
      if (!error) continue;
      Worst& own = worst.try_emplace(Text(method, "method"), Worst{-1, "", 0}).first->second;
      ++own.problems;
      if (*error > own.error) own.error = *error, own.problem = problem.name;
    }
  }
  return worst;
}

// Methods of like error together; where it tells apart, the problem. Empty where nothing is known.
std::string DescribeEvaluations(const Comparison& comparison) {
  const auto worst = WorstEvaluations(comparison);
  std::vector<std::pair<std::string, Worst>> sorted(worst.begin(), worst.end());
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const auto& a, const auto& b) { return a.second.error < b.second.error; });
  std::string each;
  double bound = 0;
  for (const auto& [method, one] : sorted) {
    if (one.error >= kAllLost) {
      each += fmt::format("{}all digits lost: {} ({}, on {})", each.empty() ? "" : "; ",
                          Code(method), one.problems, one.problem);
      continue;
    }
    if (one.error >= bound) {
      bound = 1e-14;
      while (one.error >= bound) bound *= 100;
      each += fmt::format("{}below {}: ", each.empty() ? "" : "; ", FormatError(bound));
    } else {
      each += ", ";
    }
    each += fmt::format("{} ({})", Code(method), one.problems);
  }
  if (each.empty()) return "";
  return "Worst relative error of one evaluation against 113 bits, by method; in brackets on how "
         "many problems, for a method that was asked about few and easy ones only looks better "
         "than it is: " +
         each + ".";
}

Answer TrustAnswer(const Comparison& comparison) {
  Answer answer{"How far can each be trusted?", {}, {}};
  answer.sentences.push_back(DescribeEndings(comparison) + " " + DescribeReferences(comparison));
  for (const std::string& text : {DescribeAgreement(comparison), DescribeEvaluations(comparison)}) {
    if (!text.empty()) answer.sentences.push_back(text);
  }
  answer.links = {{"outcome of every cell", "outcomes"},
                  {"references and agreement", "validation", "truth"},
                  {"each method, where it fails", "methods"},
                  {"what the words mean", "overview", "terms"}};
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
    answer.sentences.push_back(
        fmt::format("{} on {}, {} cores{}: {} summed over its processes, {}. Built by {} with {}.",
                    Code(run->command), Text(run->machine, "cpu"), Text(run->machine, "cores"),
                    memory ? ", " + FormatBytes(memory) : "", Duration(processes),
                    // a run that was resumed waited in between
                    length ? Duration(*length) + " from first start to last end" : "not finished",
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
  section.sections.push_back(Terms(comparison));
  return section;
}

}  // namespace mbsbench::reports
