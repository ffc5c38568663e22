// By what the cells are judged: the references with their error estimates, and the proof that all
// methods solve the same problem.
#include <fmt/format.h>

#include "reports/format.h"
#include "reports/outcomes.h"
#include "reports/sections.h"

namespace mbsbench::reports {

namespace {

std::string Join(const Json& list) {
  std::string text;
  if (!list.is_array()) return text;
  for (const Json& item : list)
    text += (text.empty() ? "" : ", ") + (item.is_string() ? item.get<std::string>() : item.dump());
  return text;
}

Table ReferenceTable(const Comparison& comparison) {
  Table table{"References",
              {{"problem"}, {"error estimate", true}, {"how"}, {"certified by"}, {"bodies judged"}},
              {},
              ""};
  for (const ProblemResults& problem : comparison.problems) {
    const Json& reference = Field(problem.document, "reference");
    if (!reference.is_object()) {
      table.rows.push_back({{problem.name},
                            {"-"},
                            {"none held: accuracy is not judged", nullptr, "weak"},
                            {""},
                            {""}});
      continue;
    }
    const auto estimate = Number(reference, "error_estimate");
    table.rows.push_back({{problem.name},
                          NumberCell(FormatError(estimate), estimate),
                          {Text(reference, "how")},
                          {Text(reference, "certified_by")},
                          {Join(Field(reference, "bodies"))}});
  }
  return table;
}

Table AgreementTable(const Comparison& comparison) {
  Table table{"Largest relative difference of accelerations between methods, before any timing",
              {{"problem"},
               {"states", true},
               {"methods compared", true},
               {"worst method"},
               {"its difference", true},
               {"outcome"},
               {"remarks"}},
              {},
              ""};
  for (const ProblemResults& problem : comparison.problems) {
    if (!problem.agreement) continue;
    const Trial& trial = *problem.agreement;
    const auto states = Number(trial.record, "states");
    int compared = 0;
    std::string remarks = trial.reason;
    for (const Json& method : Field(trial.record, "methods")) {
      if (Number(method, "difference")) {
        ++compared;
        continue;
      }
      remarks +=
          fmt::format("{}{} not compared{}{}", remarks.empty() ? "" : "; ", Text(method, "method"),
                      Text(method, "reason").empty() ? "" : ": ", Text(method, "reason"));
    }
    const Json& worst = Field(trial.record, "worst");
    const auto difference = Number(worst, "difference");
    table.rows.push_back(
        {{problem.name},
         NumberCell(states ? FormatCount(static_cast<long long>(*states)) : "-", states),
         NumberCell(std::to_string(compared), compared),
         {Text(worst, "method")},
         NumberCell(FormatError(difference), difference),
         {trial.outcome, nullptr, "outcome-" + FindOutcome(trial.outcome).group},
         {remarks}});
  }
  return table;
}

CsvFile AgreementFile(const Comparison& comparison) {
  CsvFile file{"agreement.csv",
               {"problem", "states", "method", "difference", "reason", "outcome_of_problem"},
               {}};
  for (const ProblemResults& problem : comparison.problems) {
    if (!problem.agreement) continue;
    const Trial& trial = *problem.agreement;
    for (const Json& method : Field(trial.record, "methods")) {
      file.rows.push_back({problem.name, Field(trial.record, "states"), Text(method, "method"),
                           OptionalNumber(Number(method, "difference")), Text(method, "reason"),
                           trial.outcome});
    }
  }
  return file;
}

}  // namespace

Section TruthSection(const Comparison& comparison, Document& document) {
  Section section{"truth", "References and agreement", {}};
  section.blocks.push_back(Paragraph{
      "A reference shares no code with the methods. Its error estimate comes from a second "
      "solution of it; errors of cells below it mean nothing, and the diagrams mark it."});
  Table references = ReferenceTable(comparison);
  if (!references.rows.empty()) {
    references.csv = AddFile(document, AsCsv("references.csv", references));
    section.blocks.push_back(std::move(references));
  }
  Table agreement = AgreementTable(comparison);
  if (agreement.rows.empty()) {
    section.blocks.push_back(
        Paragraph{"The store holds no comparison of accelerations between methods."});
    return section;
  }
  section.blocks.push_back(Paragraph{
      "Before timing, every method gives its accelerations at the initial state and at random "
      "consistent states; they must agree, else the methods do not solve the same problem."});
  agreement.csv = AddFile(document, AgreementFile(comparison));
  section.blocks.push_back(std::move(agreement));
  return section;
}

}  // namespace mbsbench::reports
