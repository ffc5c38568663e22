#include "harness/runner/plan/durations.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>

#include "harness/store/embedded_file.h"

MBSBENCH_EMBED(durations, MBSBENCH_DURATIONS);

namespace mbsbench {

namespace {

// Digits have two decimals, as in the table.
std::string Key(std::string_view kind, std::string_view problem, std::string_view method,
                std::string_view integrator, double digits) {
  return fmt::format("{}\t{}\t{}\t{}\t{:.2f}", kind, problem, method, integrator, digits);
}

}  // namespace

Durations::Durations(std::string_view table) {
  const auto take = [](std::string_view& text, char separator) {
    const std::size_t end = std::min(text.find(separator), text.size());
    const std::string_view part = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    return part;
  };
  take(table, '\n');  // names of the columns
  while (!table.empty()) {
    std::string_view line = take(table, '\n');
    std::array<std::string_view, 7> field;
    for (std::string_view& one : field) one = take(line, '\t');
    const double digits = std::atof(std::string(field[4]).c_str());
    by_trial_[Key(field[0], field[1], field[2], field[3], digits)] = {
        std::atof(std::string(field[5]).c_str()), field[6] == "1"};
  }
}

std::optional<RecordedDuration> Durations::Find(std::string_view kind, const std::string& problem,
                                                const std::string& method,
                                                const std::string& integrator,
                                                double digits) const {
  const auto found = by_trial_.find(Key(kind, problem, method, integrator, digits));
  if (found == by_trial_.end()) return std::nullopt;
  return found->second;
}

const Durations& RecordedDurations() {
  static const Durations durations(MBSBENCH_EMBEDDED(durations));
  return durations;
}

}  // namespace mbsbench
