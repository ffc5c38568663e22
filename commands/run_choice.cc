#include "commands/run_choice.h"

#include <fmt/format.h>

namespace mbsbench {

namespace {

constexpr std::size_t kShownRuns = 5, kShortId = 8;

// "1a2b3c4d (2024-05-01T12:00:00Z), ...", latest first.
std::string Known(const std::vector<RunRow>& runs) {
  std::string text;
  for (std::size_t i = 0; i < std::min(runs.size(), kShownRuns); ++i) {
    const RunRow& run = runs[runs.size() - 1 - i];
    text += fmt::format("{}{} ({})", i == 0 ? "" : ", ", run.id.substr(0, kShortId), run.started);
  }
  if (runs.size() > kShownRuns) text += fmt::format(" and {} older", runs.size() - kShownRuns);
  return text;
}

RunRow FindRun(const std::filesystem::path& file, const std::string& id) {
  std::vector<std::string> damaged;  // named by those who read the results
  const std::vector<RunRow> runs = Store::OpenToRead(file, &damaged).Runs();
  if (runs.empty()) {
    throw StoreError("the store '" + file.string() +
                     "' holds no run yet. 'mbsbench run --store FILE' creates one.");
  }
  if (id.empty()) return runs.back();
  const RunRow* found = nullptr;
  for (const RunRow& run : runs) {
    if (run.id.rfind(id, 0) != 0) continue;
    if (found != nullptr) {
      throw StoreError(
          fmt::format("two runs of the store '{}' begin with '{}': {}. Give more of it.",
                      file.string(), id, Known(runs)));
    }
    found = &run;
  }
  if (found == nullptr) {
    throw StoreError(fmt::format("the store '{}' holds no run '{}'. It holds {}.", file.string(),
                                 id, Known(runs)));
  }
  return *found;
}

}  // namespace

ChosenRun ChooseRun(const std::string& argument, const std::string& store) {
  std::error_code ignored;
  if (argument.empty()) throw StoreError("no run is given: give FILE, FILE:RUN_ID or RUN_ID.");
  // File names may contain colons, so a file of the whole name comes first.
  if (std::filesystem::exists(argument, ignored)) return {argument, FindRun(argument, "")};
  const std::size_t colon = argument.rfind(':');
  if (colon != std::string::npos && std::filesystem::exists(argument.substr(0, colon), ignored)) {
    const std::string file = argument.substr(0, colon), id = argument.substr(colon + 1);
    if (id.empty())
      throw StoreError("'" + argument +
                       "' has no run id after the colon: give FILE or FILE:RUN_ID.");
    return {file, FindRun(file, id)};
  }
  if (store.empty()) {
    throw StoreError("there is no store '" + argument +
                     "'. Give FILE or FILE:RUN_ID, or a run's id with --store FILE.");
  }
  return {store, FindRun(store, argument)};
}

}  // namespace mbsbench
