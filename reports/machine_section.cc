// On what it was run, how, and how to read what came of it.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <set>

#include "reports/benches.h"
#include "reports/format.h"
#include "reports/sections.h"

namespace mbsbench::reports {

namespace {

std::string Libraries(const BuildRecord& build) {
  std::string text;
  for (const auto& [name, version] : build.libraries.ByName())
    text += (text.empty() ? "" : ", ") + name + " " + version;
  return text;
}

std::string System(const MachineRecord& machine) {
  const std::string os = machine.os, kernel = machine.kernel;
  return os + (os.empty() || kernel.empty() ? "" : ", ") + kernel;
}

Table RunTable(const Comparison& comparison) {
  Table table{"Machine, build and command of each run shown", {{"what"}}};
  std::vector<std::pair<std::string, std::vector<std::string>>> lines = {
      {"command", {}},
      {"started (UTC)", {}},
      {"finished (UTC)", {}},
      {"seed of the order of rounds", {}},
      {"hosts", {}},
      {"processor", {}},
      {"cores", {}},
      {"memory", {}},
      {"scalar multiply-add", {}},
      {"system", {}},
      {"version", {}},
      {"commit", {}},
      {"compiler", {}},
      {"flags", {}},
      {"preset", {}},
      {"hash of the executable", {}},
      {"libraries", {}}};
  for (const Run* run : comparison.runs) {
    table.columns.push_back({"run " + run->id.substr(0, 8)});
    const MaybeNumber memory = run->machine.memory_bytes, gigaflops = run->machine.gigaflops_scalar;
    const std::string values[] = {
        run->command,
        run->started,
        run->finished.empty() ? "no: under way, or interrupted" : run->finished,
        std::to_string(run->seed),
        HostsOf(*run),
        run->machine.cpu,
        CoresOf(run->machine),
        memory ? FormatBytes(memory) : "",
        gigaflops ? FormatDigits(*gigaflops, 3) + " GF/s" : "",
        System(run->machine),
        run->build.version,
        run->build.commit,
        run->build.compiler,
        run->build.flags,
        run->build.preset,
        run->build.binary_hash,
        Libraries(run->build)};
    for (std::size_t i = 0; i < lines.size(); ++i) lines[i].second.push_back(values[i]);
  }
  for (const auto& [label, values] : lines) {
    table.rows.push_back({{label}});
    // Two hyphens of an option are no dash; the file has them as they were typed.
    const bool is_code = label == "command" || label == "flags";
    for (const std::string& value : values) {
      table.rows.back().push_back(value.empty() ? TableCell{"not recorded"}
                                  : is_code     ? TableCell{Code(value), value}
                                                : TableCell{value});
    }
  }
  return table;
}

// What each integrator was asked for. A cell that is no motion has neither tolerance nor step.
Table SettingsTable(const Comparison& comparison) {
  Table table{
      "Tolerances and steps of the cells",
      {{"integrator"}, {"tolerances"}, {"fixed steps [s]"}, {"timed rounds"}, {"cells", true}}};
  for (const std::string& integrator : comparison.integrators) {
    std::set<double, std::greater<>> tolerances, steps;
    int least = std::numeric_limits<int>::max(), most = 0;
    double cells = 0;
    for (const ProblemResults& problem : comparison.problems) {
      for (const Cell& cell : problem.cells) {
        if (cell.integrator != integrator) continue;
        ++cells;
        if (cell.tolerance) tolerances.insert(*cell.tolerance);
        if (cell.step) steps.insert(*cell.step);
        if (!cell.cpu) continue;
        least = std::min(least, cell.cpu->rounds);
        most = std::max(most, cell.cpu->rounds);
      }
    }
    // All in the file; of many the page has the range.
    const auto listed = [](const auto& values, const auto& format) -> TableCell {
      std::vector<std::string> texts;  // the largest first
      for (const double value : values) {
        if (const std::string text = format(value); texts.empty() || texts.back() != text)
          texts.push_back(text);
      }
      if (texts.empty()) return {"-"};
      constexpr std::size_t kMostListed = 6;
      const std::string all = fmt::format("{}", fmt::join(texts, ", "));
      if (texts.size() <= kMostListed) return {all};
      return {fmt::format("{} values from {} to {}", texts.size(), texts.front(), texts.back()),
              all};
    };
    table.rows.push_back({{integrator.empty() ? "none" : integrator},
                          listed(tolerances, [](double value) { return FormatError(value); }),
                          listed(steps, [](double value) { return FormatDigits(value, 4); }),
                          {most == 0      ? "-"
                           : least < most ? fmt::format("{} to {}", least, most)
                                          : std::to_string(most)},
                          CountCell(cells)});
  }
  return table;
}

List HowToRead() {
  List list{
      {"A cell is one problem solved by one method with one integrator at one tolerance or step. "
       "The outcome matrix holds every cell of the plan.",
       "The CPU time of a cell is that of the integration alone, the minimum over its rounds. "
       "Error bars reach from this minimum to the upper quartile of the rounds. Accuracy is "
       "measured in a separate run.",
       "Time at equal error is interpolated on the lower envelope of a method's points, linearly "
       "in log-log. Nothing is extrapolated. `not reached`: no cell was as accurate. `≤` is an "
       "upper bound: even the coarsest cell is more accurate. The order of two upper bounds is "
       "undecided.",
       "Times of two machines or two builds are never compared. Each problem is shown from one "
       "machine and one build."}};
  return list;
}

}  // namespace

Section MachineSection(const Comparison& comparison, Document& document) {
  Section section{"machine", "Machine, build and command", {}};
  AddTable(RunTable(comparison), "runs.csv", section, document);
  AddTable(SettingsTable(comparison), "settings.csv", section, document);
  return section;
}

Section ReadingSection(const Comparison& comparison, Document&) {
  Section section{"reading", "How to read it", {HowToRead()}};
  section.sections.push_back(Terms(comparison));
  return section;
}

}  // namespace mbsbench::reports
