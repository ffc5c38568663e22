// Newton's method compared with the conventional way to a steady state: a driven, damped motion that settles.
#include <fmt/format.h>

#include "reports/analysis/time_at_target.h"
#include "reports/format/columns.h"
#include "reports/format/format.h"
#include "reports/pages/sections.h"
#include "reports/pages/steady.h"

namespace mbsbench::reports {

namespace {

constexpr int kDigits = 10;

std::string StateText(const SettlingRun& run, std::size_t place) {
  const SteadyState& state = run.states[place];
  std::string text;
  for (std::size_t i = 0; i < state.q.size(); ++i)
    text += fmt::format("{}{} = {}", i > 0 ? ", " : "", run.joints[i],
                        FormatDigits(state.q[i], kDigits));
  return text + " (" + state.stability + ")";
}

TableCell LandsOn(const SettlingRun& run) {
  if (run.on) return StateText(run, *run.on);
  return {run.states.empty() ? "not known: no steady state with all of its joints was found"
                             : "none: it still moves",
          nullptr, "weak"};
}

Table SettlingTable(const std::vector<SettlingRun>& rows) {
  return TableOf<SettlingRun>(
      "Newton and motions of the same problems: the cheapest run of each method that settles, "
      "else its finest. CPU times are those of the whole motion, to its end time, and of Newton's "
      "method; ratios are those of paired rounds, each with its set-up",
      {{{"problem"}, [](auto& r) { return r.problem->name; }},
       {{"method"}, [](auto& r) { return r.cell->method; }},
       {{"integrator"}, [](auto& r) { return r.cell->integrator; }},
       {{"setting"}, [](auto& r) { return r.cell->Setting(); }},
       {SecondsColumn("CPU time", "cpu_s"), [](auto& r) { return r.cell->CpuMinimum(); }},
       {SecondsColumn("Newton", "newton_cpu_s"), [](auto& r) { return r.newton->CpuMinimum(); }},
       {{"motion over Newton", true, "ratio"},
        [](auto& r) {
          const auto ratio = r.Ratio();
          if (!ratio) return TableCell{"-"};
          return NumberCell(
              fmt::format("{} ({})", FormatDigits(ratio->value, 3), SpreadInWords(ratio->spread)),
              ratio->value);
        }},
       {{"lands on"}, LandsOn},
       {ErrorColumn("distance at the end", "distance"), &SettlingRun::distance},
       {DigitsColumn("within 1e-6 after", 4, "within_1e-6_s", " s"), &SettlingRun::settled}},
      rows);
}

}  // namespace

Section SettlingSection(const Comparison& comparison, Document& document) {
  Section section{"settling", "Newton and settling", {}};
  std::vector<SettlingRun> rows;
  for (const ProblemResults& problem : comparison.problems)
    for (SettlingRun& run : RunsOf(problem)) rows.push_back(std::move(run));
  if (!rows.empty()) {
    section.blocks.push_back(Paragraph{
        "The conventional way to a steady state is to add a damper and to integrate the driven "
        "motion until it rests. Here it is integrated to its end time, and CPU times and ratios "
        "are those of this whole motion, even if it settled earlier. Distances are from the "
        "steady states found above, in rad and in characteristic lengths. `within 1e-6 after` is "
        "the time of the first sample after which the motion stays that near. A motion that "
        "nothing damps keeps swinging."});
    AddTable(SettlingTable(rows), "settling.csv", section, document);
  }
  return section;
}

}  // namespace mbsbench::reports
