// mbsbench steady: the steady states of a driven problem and their stability.
#include <fmt/format.h>

#include <cmath>
#include <memory>

#include "commands/options.h"
#include "commands/text.h"
#include "harness/runner/trials/steady_trial.h"
#include "problems/io/model_file.h"

namespace mbsbench {

namespace {

constexpr char kMethod[] = "steady-state-newton";
constexpr int kStarts = 200;
constexpr std::size_t kMostShown = 6;  // coordinates of a state in a line

struct SteadyOptions {
  std::string problem;
  int starts = kStarts;
  std::uint64_t seed = kSteadySeed;
  bool json = false;
};

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

std::string Coordinates(const AlgebraicFormulation& formulation, const std::vector<double>& z) {
  const auto names = formulation.unknowns();
  const std::size_t n = formulation.coordinate_count();
  std::string text;
  for (std::size_t i = 0; i < n && i < kMostShown; ++i)
    text += fmt::format("{}{} = {:.13g} {}", i > 0 ? ", " : "", names[i].name, z[i], names[i].unit);
  if (n > kMostShown) text += fmt::format(", ... ({} coordinates)", n);
  return text;
}

void PrintSearch(const SteadySearch& search, const AlgebraicFormulation& formulation) {
  Print("at {:g}: {} steady states from {} starts (others may exist)\n", search.speed,
        search.found.size(), search.starts);
  for (const FoundState& state : search.found) {
    Print("  {}\n    {}; reached by {} of {}{}\n", Coordinates(formulation, state.z),
          Text(state.stability), state.reached_by, search.starts,
          state.from_problem ? ", the problem's own guess among them" : "");
  }
  for (const auto& [outcome, count] : search.failed)
    Print("  {} starts ended {}\n", count, outcome);
}

int Steady(const SteadyOptions& options, const std::vector<MethodEntry>& methods) {
  const Problem problem = LoadProblem(options.problem);
  PrintWarnings(problem.warnings, stderr);
  const MethodChoice method = ChooseMethod(kMethod, methods);
  const PreparedCell prepared =
      PrepareCell(CompleteCell(problem, method, {}, ModelFileOf(options.problem)), methods);
  const std::unique_ptr<Formulation> formulation = prepared.MakeFormulation();
  auto& equations = static_cast<AlgebraicFormulation&>(*formulation);
  const SteadySearch search =
      SearchSteadyStates(prepared, equations, equations.speed(), options.starts, options.seed);
  if (options.json) {
    Json document = ToJson(search, equations, problem.system);
    document.update({{"problem", problem.name}, {"method", method.spec}, {"seed", options.seed}});
    PrintJson(document);
  } else {
    PrintSearch(search, equations);
  }
  return search.found.empty() ? kExitCellFailed : kExitOk;
}

}  // namespace

void AddSteadyCommand(CLI::App& app, CommandContext& context) {
  CLI::App* command = AddCommand(
      app, "steady", "Find the steady states of a driven problem from many guesses",
      R"(Newton starts from the problem's own guess and from random ones (angles within a turn on
either side, displacements within the characteristic length of the guess). Each steady state is
listed with the number of starts that reached it and with its stability, from the eigenvalues of the
linearised motion; there may be others.

Examples:
  mbsbench steady governor
  mbsbench steady swing:speed=40 --starts 400 --json

Exit codes: 0 ok; 2 bad usage or input; 3 no steady state was found; 4 internal error.)");
  const auto options = std::make_shared<SteadyOptions>();
  AddProblem(*command, options->problem);
  AddNumber(*command, "--starts", options->starts, "N", WholeNumber(1, 1'000'000), "Guesses");
  AddNumber(*command, "--seed", options->seed, "N", WholeNumber(0, UINT64_MAX),
            "Seed of the random guesses");
  command->add_flag("--json", options->json, "Everything as one JSON document on standard output");
  command->callback([&context, options] { context.exit_code = Steady(*options, context.methods); });
}

}  // namespace mbsbench
