// The recorded motions of a problem's mechanism, for the player.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "harness/records/json_codec.h"
#include "reports/format/compressed.h"
#include "reports/format/files.h"
#include "reports/format/format.h"
#include "reports/format/render.h"
#include "reports/format/report_error.h"
#include "reports/pages/motion_figure.h"
#include "reports/pages/sections.h"

namespace mbsbench::reports {

namespace {

constexpr std::size_t kMostBytes = 6'000'000;     // of all motions in one report
constexpr std::size_t kLeastPerProblem = 60'000;  // room for a few cells of every problem
constexpr double kFull = 32767;                   // largest 16-bit integer

struct Candidate {
  const Cell* cell;
  std::string curve;
  int turn;  // 0: finest of its curve, 1: coarsest, 2: others
};

std::vector<Candidate> Candidates(const ProblemResults& problem) {
  std::vector<Candidate> candidates;
  for (const Curve& curve : Ladders(problem)) {
    std::vector<const Cell*> solved;
    for (const Cell* cell : curve.cells) {
      if (cell->finished() && cell->accuracy) solved.push_back(cell);
    }
    for (const Cell* cell : solved) {
      const int turn = cell == solved.back() ? 0 : cell == solved.front() ? 1 : 2;
      candidates.push_back({cell, curve.name, turn});
    }
  }
  // the page shows the first, so the most accurate comes first
  std::stable_sort(candidates.begin(), candidates.end(), [](const auto& a, const auto& b) {
    if (a.turn != b.turn) return a.turn < b.turn;
    return a.cell->error.value_or(INFINITY) < b.cell->error.value_or(INFINITY);
  });
  return candidates;
}

// 7 numbers of each body at each time. Empty when it cannot be drawn.
Trajectory MotionOf(const TrialRecord& record) {
  const Trajectory& motion = OrNone(record.accuracy).trajectory;
  const auto are_finite = [](const std::vector<double>& values) {
    return std::ranges::all_of(values, [](double value) { return std::isfinite(value); });
  };
  const bool is_whole = motion.poses.size() == motion.times.size() && are_finite(motion.times) &&
                        std::ranges::all_of(motion.poses, [&](const std::vector<double>& pose) {
                          return pose.size() == 7 * motion.bodies.size() && are_finite(pose);
                        });
  return is_whole ? motion : Trajectory{};
}

Trajectory MotionOf(const Comparison& comparison, const Cell& cell) {
  const std::int64_t row = cell.accuracy->number;
  return MotionOf(ReadFullRecords(comparison.results->path, {row})[row]);
}

// Positions in units of the largest extent, attitudes as they are, both as 16-bit integers: finer
// than a screen, and a seventh of the bytes.
Json Packed(const Trajectory& motion) {
  double extent = 0;
  for (const std::vector<double>& pose : motion.poses) {
    for (std::size_t i = 0; i < pose.size(); ++i) {
      if (i % 7 < 3) extent = std::max(extent, std::abs(pose[i]));
    }
  }
  if (extent == 0) extent = 1;
  std::string packed;  // little-endian
  for (const std::vector<double>& pose : motion.poses) {
    for (std::size_t i = 0; i < pose.size(); ++i) {
      const double unit = i % 7 < 3 ? pose[i] / extent : pose[i];
      const auto number = static_cast<int>(std::lround(std::clamp(unit, -1., 1.) * kFull));
      packed += {static_cast<char>(number & 0xFF), static_cast<char>(number >> 8 & 0xFF)};
    }
  }
  return {{"extent", extent}, {"poses", Base64(packed)}};
}

// The data that all drawings of a problem's mechanism need.
Json MotionData(const ProblemResults& problem, const Trajectory& motion, Json cells) {
  return {{"times", motion.times},
          {"bodies", motion.bodies},
          {"cells", std::move(cells)},
          {"characteristic_time", OptionalNumber(problem.record.time)},
          {"shapes", ToJson(problem.record.shapes)},
          {"joints", ToJson(problem.record.joints)},
          {"springs", ToJson(problem.record.springs)},
          {"gravity", ToJson(problem.record.gravity)},
          {"planar", problem.record.planar == true}};
}

}  // namespace

std::string SteadyPicture(const Comparison& comparison, const ProblemResults& problem,
                          const Cell& cell, Document& document) {
  if (!cell.finished() || !cell.accuracy) return "";
  const Trajectory state = MotionOf(comparison, cell);
  if (state.poses.empty()) return "";
  const std::string id = "steady-" + problem.stem;
  document.motions.push_back({id, MotionData(problem, state, Json::array({Packed(state)}))});
  return id;
}

void WriteMotionPage(const ProblemRecord& problem, const TrialRecord& record,
                     const std::string& how, const std::string& command,
                     const std::filesystem::path& file) {
  const Trajectory motion = MotionOf(record);
  if (motion.times.size() < 2)
    throw ReportError("the motion of '" + problem.name + "' has no two poses to show.");
  ProblemResults results;
  results.name = problem.name;
  results.record = problem;
  Json cell = Packed(motion);
  cell["name"] = how;
  cell["method"] = cell["integrator"] = "";
  cell["error"] = FormatError(record.LargestError());
  Document document;
  document.title = problem.title;
  document.subtitle = fmt::format("{}, {} s, by {}", results.name, motion.times.back(), how);
  document.motions.push_back({"shown", MotionData(results, motion, Json::array({cell}))});
  Figure figure;
  figure.kind = "player";
  figure.title = "The mechanism in motion: " + results.name;
  figure.summary = fmt::format("Integrated by {}; {} samples. Drag to turn, scroll to zoom.", how,
                               motion.times.size());
  figure.table = {
      "What is shown", {{"integrated by"}, {"command"}}, {{{how}, {Code(command)}}}, ""};
  figure.command = command;
  figure.data = {{"motions", "motions-shown"}};
  Section section{"motion", "In motion", {std::move(figure)}, {}, "motion"};
  document.pages.push_back({"motion", "In motion"});
  document.sections.push_back(std::move(section));
  WritePage(file, RenderHtml(document), OnLink::kFollow);
}

std::optional<Figure> MotionFigure(const Comparison& comparison, const ProblemResults& problem,
                                   Document& document) {
  const std::vector<Candidate> candidates = Candidates(problem);
  if (candidates.empty()) return std::nullopt;
  const std::size_t room =
      std::max(kLeastPerProblem, kMostBytes / std::max<std::size_t>(1, comparison.problems.size()));
  Figure figure;
  figure.kind = "player";
  figure.title = "The mechanism in motion: " + problem.name;
  figure.table = {"Cells that can be played",
                  {{"method"}, {"integrator"}, {"setting"}, {"error", true}, {"command"}}};
  Json cells = Json::array();
  Trajectory first;
  std::size_t bytes = 0, left_out = 0;
  for (const Candidate& candidate : candidates) {
    if (bytes >= room) {
      ++left_out;
      continue;
    }
    const Cell& cell = *candidate.cell;
    const Trajectory motion = MotionOf(comparison, cell);
    if (motion.times.size() < 2) continue;
    if (cells.empty()) {
      first = motion;
      figure.command = cell.command;
    }
    Json one = Packed(motion);
    bytes += one["poses"].get_ref<const std::string&>().size();
    one["name"] = candidate.curve + ", " + cell.Setting();
    one["method"] = cell.method;
    one["integrator"] = cell.integrator;
    one["error"] = ErrorInWords(problem, cell);
    one["key"] = CellKey(cell);
    // most cells share these; an event may end a motion earlier or change its bodies
    if (motion.times != first.times) one["times"] = motion.times;
    if (motion.bodies != first.bodies) one["bodies"] = motion.bodies;
    cells.push_back(std::move(one));
    figure.table.rows.push_back({{cell.method},
                                 {cell.integrator},
                                 {cell.Setting()},
                                 NumberCell(ErrorInWords(problem, cell), cell.error),
                                 {cell.command.empty() ? "" : Code(cell.command)}});
  }
  if (cells.empty()) return std::nullopt;
  const std::string& id = problem.stem;
  document.motions.push_back({id, MotionData(problem, first, std::move(cells))});
  figure.data = {{"motions", "motions-" + id}};
  const std::int64_t all = problem.record.bodies.value_or(0);
  figure.summary = fmt::format(
      "{} with {} recorded samples each; {}. Between samples bodies are interpolated, unless they "
      "turn too far. A second cell can be drawn over the first, in outline. Drag to turn, scroll "
      "to zoom. `mbsbench solve` gives the trajectory of any cell with all digits.",
      Plural(static_cast<long long>(figure.table.rows.size()), "cell"), first.times.size(),
      all > static_cast<long long>(first.bodies.size())
          ? fmt::format("of {} bodies {} are recorded", FormatCount(all), first.bodies.size())
          : "all bodies are shown");
  if (left_out > 0) {
    figure.notes.push_back(fmt::format(
        "{} more are left out to keep the page small; the finest and the coarsest of each curve "
        "are kept.",
        Plural(static_cast<long long>(left_out), "solved cell")));
  }
  return figure;
}

}  // namespace mbsbench::reports
