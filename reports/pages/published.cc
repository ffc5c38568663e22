// Printed values of sources, compared with the reference.
#include "reports/format/columns.h"
#include "reports/format/format.h"
#include "reports/pages/sections.h"

namespace mbsbench::reports {

namespace {

// A value at an event has no fixed time: the event happens at another time in every run.
TableCell AtCell(const PrintedValueRecord& value) {
  return value.event.empty() ? DigitsCell(value.time, 6, " s") : TableCell{value.event};
}

MaybeNumber OverUncertainty(const PrintedValueRecord& value) {
  return value.difference && value.last_digit && *value.last_digit > 0
             ? MaybeNumber(*value.difference / *value.last_digit)
             : std::nullopt;
}

}  // namespace

std::string OriginOf(const std::string& kind) { return kind == "published" ? "printed" : kind; }

void AddPublishedValues(const ProblemResults& problem, Section& section, Document& document) {
  const std::vector<PrintedValueRecord>& published = problem.record.published;
  if (published.empty()) return;
  Table table = TableOf<PrintedValueRecord>(
      "Values of other sources, and ours",
      {{{"quantity"}, &PrintedValueRecord::quantity},
       {{"at"}, AtCell},
       {DigitsColumn("ours (reference)", 12), &PrintedValueRecord::ours},
       {DigitsColumn("theirs", 12, "published"), &PrintedValueRecord::published},
       {ErrorColumn("difference"), &PrintedValueRecord::difference},
       {FileColumn("uncertainty"), &PrintedValueRecord::last_digit},
       {DigitsColumn("difference / uncertainty of theirs", 2), OverUncertainty},
       {{"theirs is", false, "kind"}, [](auto& value) { return OriginOf(value.kind); }},
       {{"source"}, &PrintedValueRecord::source},
       {{"why"},
        [](auto& value) {
          return value.why.empty() && !value.ours ? "no reference held" : value.why;
        }}},
      published);
  section.blocks.push_back(Paragraph{
      "Values of other sources. `printed`: in the paper of the problem; `computed`: by an "
      "independent program, which the source names; `exact`: from an analytic solution. A "
      "difference is ours minus theirs, of angles modulo 2 pi. The uncertainty of theirs is the "
      "error that its source states, else one unit of its last digit. Where the difference is at "
      "most this uncertainty (a quotient from -1 to 1), the two values agree. A multiplier is "
      "compared as a reaction, which the last column names. Units are m, rad, m/s, rad/s and N."});
  AddTable(std::move(table), "published." + problem.stem + ".csv", section, document);
}

}  // namespace mbsbench::reports
