// Newton's method compared with the conventional way to a steady state: a driven, damped motion that settles.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

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
  double least = INFINITY, most = -INFINITY;
  for (std::size_t k = 0; k < run.q.size(); ++k) {
    if (run.times[k] < run.LastPartFrom()) continue;
    least = std::min(least, run.q[k][0]);
    most = std::max(most, run.q[k][0]);
  }
  if (!(least <= most))
    return {"none: the last part of its motion is not recorded", nullptr, "weak"};
  return {fmt::format("none: {} still swings from {} to {}", run.joints[0], FormatDigits(least, 4),
                      FormatDigits(most, 4)),
          nullptr, "weak"};
}

TableCell NearestToStart(const SettlingRun& run) {
  if (run.on && run.on == run.near) return "yes";
  if (!run.on || !run.near) return {"no", nullptr, "weak"};
  return {"no, that is " + StateText(run, *run.near), nullptr, "weak"};
}

Table SettlingTable(const std::vector<SettlingRun>& rows) {
  return TableOf<SettlingRun>(
      "Newton and motions of the same problems: the cheapest run of each method that settles, "
      "else its finest. CPU times are those of the whole motion, to its end time, and of Newton's "
      "method; ratios are those of paired rounds, each with its set-up",
      {{{"problem"}, [](auto& r) { return r.problem->name; }},
       {{"method"}, [](auto& r) { return r.cell->method; }},
       {{"integrator"}, [](auto& r) { return r.cell->integrator; }},
       {OnPage({"setting, CPU time"}),
        [](auto& r) { return WithLine({r.cell->Setting()}, FormatSeconds(r.cell->CpuMinimum())); }},
       {FileColumn("setting"), [](auto& r) { return r.cell->Setting(); }},
       {FileColumn("cpu_s"), [](auto& r) { return r.cell->CpuMinimum(); }},
       {OnPage({"Newton", true}),
        [](auto& r) {
          const auto count = r.newton->counters.newton_iterations;
          return WithLine({FormatSeconds(r.newton->CpuMinimum())},
                          count ? Plural(*count, "iteration") : "");
        }},
       {FileColumn("newton_cpu_s"), [](auto& r) { return r.newton->CpuMinimum(); }},
       {{"motion over Newton", true, "ratio"},
        [](auto& r) {
          const auto ratio = r.Ratio();
          if (!ratio) return TableCell{"-"};
          return NumberCell(
              fmt::format("{} ({})", FormatDigits(ratio->value, 3), SpreadInWords(ratio->spread)),
              ratio->value);
        }},
       {{"lands on"}, LandsOn},
       {{"nearest stable one", false, "the stable one nearest to its start"}, NearestToStart},
       {ErrorColumn("distance at the end", "distance"), &SettlingRun::distance},
       {OnPage({"within 1e-3, 1e-6 after", true}),
        [](auto& r) {
          return WithLine(DigitsCell(r.coarse, 4, " s"), DigitsCell(r.settled, 4, " s").text);
        }},
       {FileColumn("within_1e-3_s"), &SettlingRun::coarse},
       {FileColumn("within_1e-6_s"), &SettlingRun::settled},
       {FileColumn("newton_iterations"),
        [](auto& r) { return r.newton->counters.newton_iterations; }}},
      rows);
}

}  // namespace

Section SettlingSection(const Comparison& comparison, Document& document) {
  Section section{"settling", "Newton and settling", {}};
  std::vector<std::string> without_states;
  std::vector<SettlingRun> rows;
  for (const ProblemResults& problem : comparison.problems) {
    for (SettlingRun& run : RunsOf(problem)) {
      if (run.states.empty()) {
        without_states.push_back(fmt::format("`{}` by {}", problem.name, run.cell->Curve()));
      } else {
        rows.push_back(std::move(run));
      }
    }
  }
  if (!without_states.empty()) {
    section.blocks.push_back(Paragraph{
        fmt::format("The end states of these are not known, because no steady state with all of "
                    "their joints was found: {}.",
                    fmt::join(without_states, ", "))});
  }
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
