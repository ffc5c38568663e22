// mbsbench steady: the steady states of a driven problem, their stability, and how they change with the driving
// speed.
#include <fmt/format.h>

#include <cmath>
#include <memory>

#include "commands/options.h"
#include "commands/text.h"
#include "harness/runner/trials/steady_search.h"
#include "problems/io/model_file.h"
#include "problems/model/error.h"

namespace mbsbench {

namespace {

constexpr char kMethod[] = "steady-state-newton";
constexpr int kStarts = 200;
constexpr std::size_t kMostShown = 6;  // coordinates of a state in a line

struct SteadyOptions {
  std::string problem, speeds;
  int starts = kStarts;
  std::uint64_t seed = kSteadySeed;
  bool json = false;
};

std::pair<double, double> Interval(const std::string& text) {
  const std::size_t colon = text.find(':');
  const MaybeNumber from = FiniteNumber(text.substr(0, colon)),
                    to = FiniteNumber(colon == std::string::npos ? "" : text.substr(colon + 1));
  if (!from || !to || *from == *to) {
    throw ModelError("--speeds is '" + text +
                     "': two different speeds A:B are needed, such as 5:25.");
  }
  return {std::min(*from, *to), std::max(*from, *to)};
}

Json ToJson(const Stability& s) {
  if (!s.known) return {{"known", false}, {"reason", s.why_not}};
  Json eigenvalues = Json::array();
  for (const auto& e : s.eigenvalues) eigenvalues.push_back({e.real(), e.imag()});
  return {{"known", true},
          {"stable", s.stable},
          {"neutral", s.neutral},
          {"growth", s.growth},
          {"frequencies", s.frequencies},
          {"eigenvalues", std::move(eigenvalues)},
          {"freedoms", s.freedoms},
          {"redundant_closures", s.redundant}};
}

Json Named(const std::vector<AlgebraicFormulation::Quantity>& names,
           const std::vector<double>& values) {
  Json object = Json::object();
  for (std::size_t i = 0; i < names.size() && i < values.size(); ++i)
    object[names[i].name] = values[i];
  return object;
}

Json ToJson(const SteadySearch& search, const AlgebraicFormulation& formulation,
            const System& system) {
  Json found = Json::array();
  for (const FoundState& state : search.found) {
    Json sample = SampleDocument(NAN, system, state.bodies);
    sample["unknowns"] = Named(formulation.unknowns(), state.z);
    sample["residuals"] = Named(formulation.residuals(), state.residual);
    sample["reached_by"] = state.reached_by;
    sample["from_the_problems_guess"] = state.from_problem;
    sample["stability"] = ToJson(state.stability);
    found.push_back(std::move(sample));
  }
  return {{"speed", search.speed},
          {"starts", search.starts},
          {"failed", search.failed},
          {"claims_completeness", false},
          {"samples", std::move(found)}};
}

Json ToJson(const Branch& branch, const AlgebraicFormulation& formulation) {
  const auto names = formulation.unknowns();
  Json points = Json::array(), turning = Json::array();
  for (const BranchPoint& p : branch.points) {
    points.push_back({{"speed", p.speed},
                      {"unknowns", Named(names, p.z)},
                      {"stable", p.stability.known ? Json(p.stability.stable) : Json(nullptr)},
                      {"neutral", p.stability.known ? Json(p.stability.neutral) : Json(nullptr)},
                      {"growth", NumberOrNull(p.stability.known ? MaybeNumber(p.stability.growth)
                                                                : std::nullopt)},
                      {"frequencies", p.stability.frequencies}});
  }
  for (const auto& t : branch.turning_points)
    turning.push_back({{"speed", t.speed}, {"unknowns", Named(names, t.z)}, {"after", t.after}});
  return {{"points", std::move(points)},
          {"turning_points", std::move(turning)},
          {"begins", branch.begins},
          {"ends", branch.ends}};
}

// Small motions decay, do neither, or grow.
std::string Word(const Stability& s) {
  if (!s.known) return "stability not known";
  return s.neutral ? "neutral" : s.stable ? "stable" : "unstable";
}

std::string Text(const Stability& s) {
  if (!s.known) return "stability not known: " + s.why_not;
  std::string text = Word(s);
  if (!s.stable) text += fmt::format(", grows by {:.4g}/s", s.growth);
  if (!s.frequencies.empty()) {
    text += "; swings at";
    for (std::size_t i = 0; i < s.frequencies.size() && i < kMostShown; ++i)
      text += fmt::format("{} {:.10g}", i > 0 ? "," : "", s.frequencies[i]);
    if (s.frequencies.size() > kMostShown) text += ", ...";
    text += " rad/s";
  }
  if (s.redundant > 0) text += fmt::format("; {} closures are redundant here", s.redundant);
  return text;
}

std::string Coordinates(const AlgebraicFormulation& formulation, const std::vector<double>& z,
                        int digits) {
  const auto names = formulation.unknowns();
  const std::size_t n = formulation.coordinate_count();
  std::string text;
  for (std::size_t i = 0; i < n && i < kMostShown; ++i)
    text += fmt::format("{}{} = {:.{}g} {}", i > 0 ? ", " : "", names[i].name, z[i], digits,
                        names[i].unit);
  if (n > kMostShown) text += fmt::format(", ... ({} coordinates)", n);
  return text;
}

void PrintSearch(const SteadySearch& search, const AlgebraicFormulation& formulation) {
  Print("at {:g}: {} steady states from {} starts (others may exist)\n", search.speed,
        search.found.size(), search.starts);
  for (const FoundState& state : search.found) {
    Print("  {}\n    {}; reached by {} of {}{}\n", Coordinates(formulation, state.z, 13),
          Text(state.stability), state.reached_by, search.starts,
          state.from_problem ? ", the problem's own guess among them" : "");
  }
  for (const auto& [outcome, count] : search.failed)
    Print("  {} starts ended {}\n", count, outcome);
}

void PrintBranch(const Branch& branch, std::size_t number,
                 const AlgebraicFormulation& formulation) {
  Print("branch {}: {} points\n", number, branch.points.size());
  const auto stretch = [&](std::size_t first, std::size_t last) {
    const BranchPoint &a = branch.points[first], &b = branch.points[last];
    Print("  {:.6g} to {:.6g}: {}\n    from {}\n    to   {}\n", a.speed, b.speed, Word(a.stability),
          Coordinates(formulation, a.z, 8), Coordinates(formulation, b.z, 8));
  };
  std::size_t first = 0;
  for (std::size_t i = 1; i < branch.points.size(); ++i) {
    if (Word(branch.points[i].stability) == Word(branch.points[first].stability)) continue;
    stretch(first, i - 1);
    first = i;
  }
  stretch(first, branch.points.size() - 1);
  for (const auto& t : branch.turning_points)
    Print("  turning point at {:.10g}: {}\n", t.speed, Coordinates(formulation, t.z, 8));
  Print("  one side: {}; other side: {}\n", branch.begins, branch.ends);
}

int Steady(const SteadyOptions& options, const std::vector<MethodEntry>& methods) {
  const Problem problem = LoadProblem(options.problem);
  PrintWarnings(problem.warnings, stderr);
  const MethodChoice method = ChooseMethod(kMethod, methods);
  const PreparedCell prepared =
      PrepareCell(CompleteCell(problem, method, {}, ModelFileOf(options.problem)), methods);
  const std::unique_ptr<Formulation> formulation = prepared.MakeFormulation();
  auto& equations = static_cast<AlgebraicFormulation&>(*formulation);
  BranchSurvey survey;
  if (options.speeds.empty()) {
    survey.searches.push_back(
        SearchSteadyStates(prepared, equations, equations.speed(), options.starts, options.seed));
  } else {
    const auto [from, to] = Interval(options.speeds);
    survey = SurveyBranches(prepared, equations, from, to, options.starts, options.seed);
  }
  if (options.json) {
    Json searches = Json::array(), branches = Json::array();
    for (const SteadySearch& s : survey.searches)
      searches.push_back(ToJson(s, equations, problem.system));
    for (const Branch& b : survey.branches) branches.push_back(ToJson(b, equations));
    PrintJson({{"problem", problem.name},
               {"method", method.spec},
               {"seed", options.seed},
               {"searches", std::move(searches)},
               {"branches", std::move(branches)}});
  } else {
    for (const SteadySearch& s : survey.searches) PrintSearch(s, equations);
    for (std::size_t i = 0; i < survey.branches.size(); ++i)
      PrintBranch(survey.branches[i], i + 1, equations);
  }
  bool any = false;
  for (const SteadySearch& s : survey.searches) any |= !s.found.empty();
  return any ? kExitOk : kExitCellFailed;
}

}  // namespace

void AddSteadyCommand(CLI::App& app, CommandContext& context) {
  CLI::App* command = AddCommand(
      app, "steady",
      "Find the steady states of a driven problem from many "
      "guesses, and follow them over the speed",
      R"(Newton starts from the problem's own guess and from random ones (angles within a turn on
either side, displacements within the characteristic length of the guess). Each steady state is
listed with the number of starts that reached it and with its stability, from the eigenvalues of the
linearised motion; there may be others. With --speeds the search is made at both ends of the
interval and at the problem's own speed, and every branch is followed in between, around its turning
points.

Examples:
  mbsbench steady governor
  mbsbench steady swing --speeds 0:60 --starts 400
  mbsbench steady governor --speeds 6:22 --json

Exit codes: 0 ok; 2 bad usage or input; 3 no steady state was found; 4 internal error.)");
  const auto options = std::make_shared<SteadyOptions>();
  AddProblem(*command, options->problem);
  AddOption(*command, "--speeds", options->speeds, "A:B",
            "Interval of the first driver's speed [rad/s or m/s]; other drivers run in "
            "proportion");
  AddNumber(*command, "--starts", options->starts, "N", WholeNumber(1, 1'000'000),
            "Guesses per speed");
  AddNumber(*command, "--seed", options->seed, "N", WholeNumber(0, UINT64_MAX),
            "Seed of the random guesses");
  command->add_flag("--json", options->json, "Everything as one JSON document on standard output");
  command->callback([&context, options] { context.exit_code = Steady(*options, context.methods); });
}

}  // namespace mbsbench
