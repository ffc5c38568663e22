// What other sources print of the problems, and how many of their digits are right by our references.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "reports/format/columns.h"
#include "reports/format/format.h"
#include "reports/pages/sections.h"

namespace mbsbench::reports {

namespace {

// The values that one source prints of a problem.
struct PrintedSource {
  const ProblemResults* problem;
  std::string kind, source;
  int values = 0, compared = 0, agreeing = 0;
  // The value with the fewest right digits.
  const PrintedValueRecord* worst = nullptr;
  double digits = INFINITY;  // of it

  // By the measure of the IVP test set; within its uncertainty a value has the digits that the uncertainty leaves.
  static double DigitsOf(const PrintedValueRecord& value) {
    constexpr double kRoundOff = 1e-16;
    const double error = std::max({std::abs(*value.difference), value.last_digit.value_or(0),
                                   kRoundOff * (1 + std::abs(*value.published))});
    return -std::log10(error / (1 + std::abs(*value.published)));
  }
  void Add(const PrintedValueRecord& value) {
    ++values;
    if (!value.difference || !value.published) return;
    ++compared;
    agreeing += std::abs(*value.difference) <= value.last_digit.value_or(0);
    if (const double own = DigitsOf(value); own < digits) {
      digits = own;
      worst = &value;
    }
  }
  TableCell WorstCell() const {
    return worst->event.empty()
               ? fmt::format("{}, {} s", worst->quantity, FormatDigits(worst->time.value_or(0), 6))
               : worst->quantity + ", " + worst->event;
  }
};

// Those with a reference of ours, from the fewest right digits to the most.
std::vector<PrintedSource> PrintedSources(const Comparison& comparison) {
  std::vector<PrintedSource> all;
  for (const ProblemResults& problem : comparison.problems) {
    if (!WasRun(problem)) continue;
    for (const PrintedValueRecord& value : problem.record.published) {
      const auto is_alike = [&](const PrintedSource& one) {
        return one.problem == &problem && one.kind == value.kind && one.source == value.source;
      };
      FindOrAdd(all, is_alike, {&problem, value.kind, value.source}).Add(value);
    }
  }
  std::erase_if(all, [](const PrintedSource& one) { return one.compared == 0; });
  std::ranges::stable_sort(all, {}, &PrintedSource::digits);
  return all;
}

}  // namespace

Section FieldReferencesSection(const Comparison& comparison, Document& document) {
  Section section{"field-references", "References of the field"};
  const std::vector<PrintedSource> sources = PrintedSources(comparison);
  if (sources.empty()) return section;
  section.blocks.push_back(Paragraph{
      "What other sources print of the problems, against our certified references. The right "
      "digits are -log10 of |difference| / (1 + |theirs|), the measure of the IVP test set, of the "
      "value that has the fewest; a value that agrees within its uncertainty has the digits that "
      "the uncertainty leaves. `printed`: by the source of the problem; `computed`: by an "
      "independent program; `exact`: from an analytic solution. The page of a problem has every "
      "value."});
  AddTable(TableOf<PrintedSource>(
               "Values of other sources, from the fewest right digits to the most",
               {{{"problem"}, [](auto& one) { return ProblemCell(*one.problem); }},
                {{"source"}, &PrintedSource::source},
                {{"theirs is", false, "kind"}, [](auto& one) { return OriginOf(one.kind); }},
                {FileColumn("values"), &PrintedSource::values},
                {FileColumn("compared"), &PrintedSource::compared},
                {FileColumn("agreeing"), &PrintedSource::agreeing},
                {OnPage({"agree"}),
                 [](auto& one) { return fmt::format("{} of {}", one.agreeing, one.compared); }},
                {{"fewest right digits of"}, &PrintedSource::WorstCell},
                {DigitsColumn("theirs", 15, "published"),
                 [](auto& one) { return one.worst->published; }},
                {DigitsColumn("ours", 15), [](auto& one) { return one.worst->ours; }},
                {ErrorColumn("difference"), [](auto& one) { return one.worst->difference; }},
                {DecimalsColumn("right digits", 1), &PrintedSource::digits},
                {FileColumn("error_of_our_reference"),
                 [](auto& one) { return OrNone(one.problem->record.reference).error_estimate; }}},
               sources),
           "field_references.csv", section, document);
  return section;
}

}  // namespace mbsbench::reports
