// Machine, build and command of the runs shown.
#include <functional>

#include "reports/analysis/benches.h"
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
       [](auto& r) {
         const MaybeNumber bytes = r.machine.memory_bytes;
         return bytes ? FormatDigits(*bytes / 1e9, 3) + " GB" : "";
       }},
      {"load average before the run",
       [](auto& r) {
         return r.machine.load_average ? FormatDigits(*r.machine.load_average, 3) : "";
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

}  // namespace

Section MachineSection(const Comparison& comparison, Document& document) {
  Section section{"machine", "Machine and settings", {}};
  AddTable(RunTable(comparison), "runs.csv", section, document);
  return section;
}

}  // namespace mbsbench::reports
