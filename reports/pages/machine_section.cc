// Machine, build and settings of the runs shown, and how quiet the machine was.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <set>

#include "reports/analysis/benches.h"
#include "reports/analysis/noise.h"
#include "reports/format/format.h"
#include "reports/pages/sections.h"

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

// A row for each property, a column for each run.
Table RunTable(const Comparison& comparison) {
  const auto build = [](std::string BuildRecord::*field) {
    return [field](const Run& run) { return run.build.*field; };
  };
  const std::vector<std::pair<const char*, std::function<std::string(const Run&)>>> lines = {
      {"command", [](auto& r) { return CommandOf(r); }},
      {"started (UTC)", &Run::started},
      {"finished (UTC)",
       [](auto& r) { return r.finished.empty() ? "no: under way, or interrupted" : r.finished; }},
      {"seed of the order of rounds", [](auto& r) { return std::to_string(r.seed); }},
      {"hosts", HostsOf},
      {"processor", [](auto& r) { return r.machine.cpu; }},
      {"cores", [](auto& r) { return CoresOf(r.machine); }},
      {"memory",
       [](const Run& run) {
         const MaybeNumber memory = run.machine.memory_bytes;
         return memory ? FormatBytes(memory) : "";
       }},
      {"scalar multiply-add",
       [](const Run& run) {
         const MaybeNumber peak = run.machine.gigaflops_scalar;
         return peak ? FormatDigits(*peak, 3) + " GFlop/s" : "";
       }},
      {"load average before the run",
       [](auto& r) {
         const MaybeNumber load = r.machine.load_average;
         return load ? FormatDigits(*load, 3) : "";
       }},
      {"system", [](auto& r) { return System(r.machine); }},
      {"version", build(&BuildRecord::version)},
      {"commit", build(&BuildRecord::commit)},
      {"compiler", build(&BuildRecord::compiler)},
      {"flags", build(&BuildRecord::flags)},
      {"preset", build(&BuildRecord::preset)},
      {"hash of the executable", build(&BuildRecord::binary_hash)},
      {"libraries", [](auto& r) { return Libraries(r.build); }}};
  Table table{"Machine, build and command of each run shown", {{"what"}}};
  for (const Run* run : comparison.runs) table.columns.push_back({"run " + run->id.substr(0, 8)});
  for (const auto& [label, value_of] : lines) {
    table.rows.push_back({label});
    // As code, so that two hyphens of an option do not become a dash; the file has the plain text.
    const bool is_code = label == std::string("command") || label == std::string("flags");
    for (const Run* run : comparison.runs) {
      const std::string value = value_of(*run);
      table.rows.back().push_back(value.empty() ? TableCell{"not recorded"}
                                  : is_code     ? TableCell{Code(value), value}
                                                : TableCell{value});
    }
  }
  return table;
}

// Tolerances and steps of each integrator. The cell of a steady state has neither.
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
    // The file lists all values; the page shows the range of many.
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

// The commands of the shards of a plan, to be copied.
Section ShardsSection(const Run& run) {
  List commands;
  for (const auto& [number, command] : run.shards) commands.items.push_back(Code(command));
  return {"shards-" + run.id.substr(0, 8),
          fmt::format("Commands of {}", ShardsOf(run)),
          {std::move(commands)}};
}

}  // namespace

Section MachineSection(const Comparison& comparison, Document& document) {
  Section section{"machine", "Machine and settings", {}};
  AddTable(RunTable(comparison), "runs.csv", section, document);
  AddTable(SettingsTable(comparison), "settings.csv", section, document);
  Section noisy{"noisy-ratios", "Noisy ratios of the map"};
  AddTable(NoisyRatiosTable(MakeMechanismMap(comparison, Targets(comparison))), "noisy_ratios.csv",
           noisy, document);
  AddFolded(std::move(noisy), section);
  for (const Run* run : comparison.runs) {
    if (!ShardsOf(*run).empty()) AddFolded(ShardsSection(*run), section);
  }
  return section;
}

}  // namespace mbsbench::reports
