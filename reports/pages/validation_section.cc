// The references that judge the cells, with their error estimates, and the check that all methods solve the same problem.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <utility>

#include "reports/analysis/disagreements.h"
#include "reports/analysis/outcomes.h"
#include "reports/analysis/stalled.h"
#include "reports/format/columns.h"
#include "reports/format/format.h"
#include "reports/pages/sections.h"

namespace mbsbench::reports {

namespace {

// The judgement of a problem without a reference of its motion.
std::string WithoutReference(const ProblemResults& problem) {
  const bool is_steady_judged = std::ranges::any_of(problem.cells, [](const Cell& cell) {
    return cell.integrator == kSteadySolver && cell.error;
  });
  return is_steady_judged
             ? "none of a motion; the steady state is judged against closed equations solved in "
               "113 bits"
             : "none held: accuracy is not judged";
}

Table ReferenceTable(const Comparison& comparison) {
  const auto of = [](const ProblemResults& problem) -> const CertificateRecord& {
    return OrNone(problem.record.reference);
  };
  return TableOf<ProblemResults>(
      "References",
      {{{"problem"}, &ProblemResults::name},
       {ErrorColumn("error estimate"), [=](auto& p) { return of(p).error_estimate; }},
       {{"sensitivity to state", true, "sensitivity"}, [=](auto& p) { return of(p).sensitivity; }},
       {{"to data", true}, [=](auto& p) { return of(p).data_sensitivity; }},
       {DecimalsColumn("digits allowed", 1), [=](auto& p) { return of(p).digits_allowed; }},
       {{"solved by", false, "how"},
        [=](auto& p) {
          return p.record.reference ? TableCell(of(p).how)
                                    : TableCell(WithoutReference(p), nullptr, "weak");
        }},
       {{"certified by"}, [=](auto& p) { return of(p).certified_by; }},
       {{"bodies compared"},
        [=](auto& p) { return fmt::format("{}", fmt::join(of(p).bodies, ", ")); }}},
      comparison.problems);
}

constexpr std::size_t kOutcomeOfAgreement = 1;  // column

// "ok", "ok, digits lost"
std::string OutcomeInWords(const ProblemResults& problem, const Disagreements& found) {
  return problem.agreement->outcome +
         (found.problems_of_losses.contains(problem.name) ? ", digits lost" : "");
}

Table AgreementTable(const Comparison& comparison, const Disagreements& found) {
  Table table{"Largest relative difference of accelerations between methods, before any timing",
              {{"problem"},
               {"outcome"},
               {"methods compared, not", true},
               {"largest difference, by method"},
               {"largest error against 113 bits, by method"},
               {"remarks"}}};
  for (const ProblemResults& problem : comparison.problems) {
    if (!problem.agreement) continue;
    const Trial& trial = *problem.agreement;
    const AgreementRecord& record = OrNone(trial.record.agreement);
    if (record.states == 0) continue;  // no method run there gives accelerations
    const WorstAgreement& worst = OrNone(record.worst);
    int compared = 0, absent = 0, partly = 0;
    std::optional<double> error;
    std::string of_method, remarks = trial.reason;
    for (const MethodAgreementRecord& method : record.methods) {
      if (method.error && (!error || *method.error > *error)) {
        error = method.error;
        of_method = method.method;
      }
      ++(method.difference ? compared : absent);
      partly += method.difference && !method.reason.empty();
    }
    if (partly > 0)
      remarks +=
          (remarks.empty() ? "" : "; ") + Plural(partly, "method") + " not compared at every state";
    const std::string group = FindOutcome(trial.outcome).group,
                      outcome = OutcomeInWords(problem, found);
    table.rows.push_back(
        {{problem.name},
         {outcome, nullptr,
          outcome != trial.outcome && group == "good" ? "outcome-doubtful" : "outcome-" + group},
         NumberCell(fmt::format("{}, {}", compared, absent), compared),
         WithLine(ErrorCell(worst.difference), worst.method),
         WithLine(ErrorCell(error), of_method),
         {remarks}});
  }
  return table;
}

CsvFile AgreementFile(const Comparison& comparison, const Disagreements& found) {
  CsvFile file{"agreement.csv",
               {"problem", "states", "method", "difference", "error_against_113_bits", "reason",
                "outcome_of_problem"}};
  for (const ProblemResults& problem : comparison.problems) {
    if (!problem.agreement) continue;
    const AgreementRecord& record = OrNone(problem.agreement->record.agreement);
    for (const MethodAgreementRecord& method : record.methods) {
      file.rows.push_back({problem.name, OptionalNumber(record.states), method.method,
                           OptionalNumber(method.difference), OptionalNumber(method.error),
                           method.reason, OutcomeInWords(problem, found)});
    }
  }
  return file;
}

// Wrong methods, lost digits, and curves whose error stops falling.
void AddWhatIsWrong(const Comparison& comparison, const Disagreements& found, Section& section) {
  List remarks;
  for (const std::string& one : found.wrong) remarks.items.push_back(one);
  for (const DigitLoss& loss : found.losses) remarks.items.push_back(loss.description);
  for (const auto& [problem, curve] : AllStalledCurves(comparison))
    remarks.items.push_back(curve.Sentence(problem));
  if (remarks.items.empty()) return;
  section.blocks.push_back(Paragraph{
      "Methods whose accelerations are wrong, digits that a problem loses, and curves whose error "
      "stops falling:"});
  section.blocks.push_back(std::move(remarks));
}

void AddAgreement(const Comparison& comparison, const Disagreements& found, Section& section,
                  Document& document) {
  Table agreement = AgreementTable(comparison, found);
  if (agreement.rows.empty()) {
    section.blocks.push_back(
        Paragraph{"The store holds no comparison of accelerations between methods."});
    return;
  }
  section.blocks.push_back(Paragraph{
      "Before timing, the accelerations of all methods are compared, at the initial state and at "
      "random consistent states. The error is the largest difference from the reference "
      "formulation in 113 bits at the random states. It decides the outcome: up to 1e-9 is ok, and "
      "a larger one if round-off explains it (up to 1,000 times the change when the state is "
      "rounded differently in the last place). Agreement is no evidence for code that methods "
      "share; `mbsbench list METHOD` names it. `csv/agreement.csv` lists why a method was not "
      "compared."});
  std::map<std::string, int> outcomes;
  for (const auto& row : agreement.rows) ++outcomes[row[kOutcomeOfAgreement].text];
  std::vector<std::string> counts;
  for (const auto& [outcome, count] : outcomes)
    counts.push_back(fmt::format("{} {}", count, outcome));
  section.blocks.push_back(Paragraph{fmt::format(
      "{} compared: {}.", Plural(agreement.rows.size(), "problem"), fmt::join(counts, "; "))});
  agreement.csv = AddFile(document, AgreementFile(comparison, found));
  AddFolded({"agreement", "Largest difference on every problem", {std::move(agreement)}}, section);
}

}  // namespace

Section ValidationSection(const Comparison& comparison, Document& document) {
  Section section{"validation", "Validation", {}};
  const Disagreements found = ReadDisagreements(comparison);
  AddWhatIsWrong(comparison, found, section);
  AddAgreement(comparison, found, section, document);
  Section references{"references", "References"};
  references.blocks.push_back(Paragraph{
      "A reference shares no code with the methods. Its error estimate rests on the difference "
      "from a second solution, which the column `certified by` names. Errors of cells below this "
      "estimate mean nothing; the diagrams mark it. A sensitivity is the factor by which a small "
      "change grows: a change of the initial state, or a relative one of the data (0: not "
      "computed). A problem allows -log10(1.1e-16 x their sum) digits in double precision, "
      "whatever the method."});
  AddTable(ReferenceTable(comparison), "references.csv", references, document);
  AddFolded(std::move(references), section);
  return section;
}

}  // namespace mbsbench::reports
