// What readers come to ask, answered in words with the numbers of this store: which method for a large
// tree, which for a loop over a long time, how far to trust them, what it cost, which claims hold.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "reports/answers.h"
#include "reports/digit_loss.h"
#include "reports/format.h"
#include "reports/paper_claims.h"
#include "reports/sections.h"

namespace mbsbench::reports {

namespace {

// Ends in one full stop, also after "et al.".
std::string Sentence(std::string text) {
  if (!text.ends_with('.')) text += '.';
  return text;
}

Answer TrustAnswer(const Comparison& comparison) {
  constexpr double kApart = 1e-6;  // what the harness calls a disagreement
  Answer answer{"How far can each be trusted?", {}, {}};
  std::size_t references = 0, agree = 0, compared = 0, tried = 0, ok = 0, inaccurate = 0,
              unjudged = 0, in_motion = 0;
  std::optional<double> estimate;
  struct Worst {
    double error;
    std::string problem;
    std::size_t problems;  // on which it was judged
  };
  std::map<std::string, Worst> worst;  // error of one evaluation, by method
  std::set<std::string> apart;         // methods whose accelerations were not those of the others
  for (const ProblemResults& problem : comparison.problems) {
    in_motion += !problem.cells.empty();
    const auto own = Number(Field(problem.document, "reference"), "error_estimate");
    if (own && !problem.cells.empty()) {
      ++references;
      estimate = std::max(estimate.value_or(0), *own);
    }
    for (const Cell& cell : problem.cells) {
      const bool not_tried = cell.outcome == "unsupported" || cell.outcome == "skipped";
      tried += !not_tried;
      ok += cell.outcome == "ok";
      inaccurate += cell.outcome == "inaccurate";
      unjudged += cell.outcome == "no_reference";
    }
    if (!problem.agreement || problem.agreement->outcome == "no_reference") continue;
    ++compared;
    agree += problem.agreement->outcome == "ok";
    for (const Json& method : Field(problem.agreement->record, "methods")) {
      if (Number(method, "difference").value_or(0) > kApart)
        apart.insert(Code(Text(method, "method")));
      const auto error = Number(method, "error");
      if (!error) continue;
      Worst& own_worst = worst.try_emplace(Text(method, "method"), Worst{-1, "", 0}).first->second;
      ++own_worst.problems;
      if (*error > own_worst.error) own_worst.error = *error, own_worst.problem = problem.name;
    }
  }
  answer.sentences.push_back(fmt::format(
      "Of {} that were tried {} ended ok, {} finished with an error that is too large for their "
      "tolerance, {} finished where no reference is held to judge them by, {} failed. {} of the {} "
      "that they solve have a certified reference{}.",
      Plural(static_cast<long long>(tried), "cell"), FormatCount(static_cast<long long>(ok)),
      FormatCount(static_cast<long long>(inaccurate)),
      FormatCount(static_cast<long long>(unjudged)),
      FormatCount(static_cast<long long>(tried - ok - inaccurate - unjudged)), references,
      Plural(static_cast<long long>(in_motion), "problem"),
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
  if (!each.empty()) {
    answer.sentences.push_back(
        "Worst relative error of one evaluation against 113 bits, by method; in brackets on how "
        "many problems, for a method that was asked about few and easy ones only looks better "
        "than it is: " +
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
  return section;
}

}  // namespace mbsbench::reports
