// On what it was run, how, and how to read what came of it.
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <set>

#include "reports/benches.h"
#include "reports/format.h"
#include "reports/sections.h"

namespace mbsbench::reports {

namespace {

std::string Libraries(const Json& build) {
  std::string text;
  const Json& libraries = Field(build, "libraries");
  if (!libraries.is_object()) return text;
  for (const auto& [name, version] : libraries.items()) {
    text += (text.empty() ? "" : ", ") + name + " " + Text(libraries, name.c_str());
  }
  return text;
}

std::string System(const Json& machine) {
  const std::string os = Text(machine, "os"), kernel = Text(machine, "kernel");
  return os + (os.empty() || kernel.empty() ? "" : ", ") + kernel;
}

Table RunTable(const Comparison& comparison) {
  Table table{"Machine, build and command of each run shown", {{"what"}}, {}, ""};
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
      {"executable", {}},
      {"libraries", {}}};
  for (const Run* run : comparison.runs) {
    table.columns.push_back({"run " + run->id.substr(0, 8)});
    const auto memory = Number(run->machine, "memory_bytes"),
               gigaflops = Number(run->machine, "gigaflops_scalar");
    const std::string values[] = {
        run->command,
        run->started,
        run->finished.empty() ? "not finished: under way, or interrupted" : run->finished,
        std::to_string(run->seed),
        HostsOf(*run),
        Text(run->machine, "cpu"),
        Text(run->machine, "cores"),
        memory ? FormatBytes(memory) : "",
        gigaflops ? FormatDigits(*gigaflops, 3) + " GF/s" : "",
        System(run->machine),
        Text(run->build, "version"),
        Text(run->build, "commit"),
        Text(run->build, "compiler"),
        Text(run->build, "flags"),
        Text(run->build, "preset"),
        Text(run->build, "binary_hash"),
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
      "Tolerances and steps that were asked for",
      {{"integrator"}, {"tolerances"}, {"fixed steps [s]"}, {"timed rounds"}, {"cells", true}},
      {},
      ""};
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
    const auto listed = [](const auto& values, const auto& format) {
      std::string text;
      for (const double value : values) text += (text.empty() ? "" : ", ") + format(value);
      return text.empty() ? "-" : text;
    };
    table.rows.push_back({{integrator.empty() ? "none" : integrator},
                          {listed(tolerances, [](double value) { return FormatError(value); })},
                          {listed(steps, [](double value) { return FormatDigits(value, 4); })},
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
       "Every cell that was asked for is in the outcome matrix; none is left out.",
       "The CPU time of a cell is the minimum over its rounds, of the integration alone; error "
       "bars reach from this minimum to the upper quartile of the rounds. Accuracy is measured in "
       "a run of its own.",
       "Time at equal error is read off the lower envelope of a method's points, straight in "
       "log-log between the two that bracket the error. `not reached`: no cell was as accurate. "
       "`≤`: already the cheapest cell is more accurate, so its time is an upper bound, and the "
       "order of two such bounds is open. Nothing is extrapolated.",
       "Times of two machines or two builds are never compared: each problem is shown from one of "
       "each."}};
  return list;
}

}  // namespace

Section MachineSection(const Comparison& comparison, Document& document) {
  Section section{"machine", "Machine, build and command", {}};
  Table runs = RunTable(comparison);
  runs.csv = AddFile(document, AsCsv("runs.csv", runs));
  section.blocks.push_back(std::move(runs));
  Table settings = SettingsTable(comparison);
  if (!settings.rows.empty()) {
    settings.csv = AddFile(document, AsCsv("settings.csv", settings));
    section.blocks.push_back(std::move(settings));
  }
  return section;
}

Section ReadingSection(const Comparison& comparison, Document&) {
  Section section{"reading", "How to read it", {HowToRead()}};
  section.sections.push_back(Terms(comparison));
  return section;
}

}  // namespace mbsbench::reports
