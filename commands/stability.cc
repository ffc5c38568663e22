// mbsbench stability: the eigenvalues of small motions about a steady motion, by three routes.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "commands/options.h"
#include "commands/text.h"
#include "harness/linearise/routes.h"
#include "problems/io/model_file.h"
#include "problems/model/error.h"

namespace mbsbench {

namespace {

constexpr std::size_t kMostCoordinatesShown = 12;

struct StabilityOptions {
  std::string problem, speed, route;
  RobotOptions robot;
  bool json = false;
};

std::vector<Route> RoutesOf(const std::string& name) {
  std::vector<Route> routes;
  for (const Route route : {Route::kReduced, Route::kNullSpace, Route::kPencil}) {
    if (name.empty() || name == Name(route)) routes.push_back(route);
  }
  if (routes.empty())
    throw ModelError("there is no route '" + name + "': give reduced, null-space or pencil.");
  return routes;
}

std::optional<double> SpeedOf(const std::string& text) {
  if (text.empty()) return std::nullopt;
  const MaybeNumber speed = FiniteNumber(text);
  if (!speed) throw ModelError("--speed is '" + text + "': a finite number is needed.");
  return speed;
}

Json ToJson(const RouteResult& result) {
  Json eigenvalues = Json::array();
  for (const Eigenvalue& one : result.spectrum.eigenvalues) {
    eigenvalues.push_back({{"real", one.value.real()},
                           {"imaginary", one.value.imag()},
                           {"condition", NumberOrNull(one.condition)}});
  }
  return {{"route", Name(result.route)},
          {"unknowns", result.unknowns},
          {"eigenvalues", std::move(eigenvalues)},
          {"zero", result.spectrum.zero},
          {"unstable", result.spectrum.unstable},
          {"infinite_predicted", result.infinite},
          {"infinite_found", result.spectrum.infinite}};
}

// Without round-off of zeros.
double Shown(double value) { return std::abs(value) < 1e-12 ? 0 : value; }

std::string InWords(const SteadyMotion& steady) {
  const Vector3 turn = extended::Round(steady.turn);
  if (Norm(turn) > 0) {
    return fmt::format("turns at {:.10g} rad/s about ({:.6g}, {:.6g}, {:.6g})", Norm(turn),
                       Shown(turn.x / Norm(turn)), Shown(turn.y / Norm(turn)),
                       Shown(turn.z / Norm(turn)));
  }
  return steady.moves ? "turns in place" : "is at rest";
}

void PrintRoute(const RouteResult& result) {
  const Spectrum& s = result.spectrum;
  Print("{}: {} unknowns, {} eigenvalues 0, {} unstable; infinite: {} predicted, {} found\n",
        Name(result.route), result.unknowns, s.zero, s.unstable, result.infinite, s.infinite);
  Print("  {:>24} {:>24} {:>10}\n", "real [1/s]", "imaginary [rad/s]", "condition");
  for (const Eigenvalue& one : s.eigenvalues) {
    if (one.value.imag() < 0) continue;
    Print("  {:>24.16g} {:>24} {:>10.3g}\n", one.value.real(),
          one.value.imag() > 0 ? fmt::format("+-{:.16g}", one.value.imag()) : "0", one.condition);
  }
}

int StabilityByRoutes(const StabilityOptions& o) {
  const std::vector<Route> routes = RoutesOf(o.route);
  const Problem problem = LoadProblem(o.problem);
  const SteadyMotion steady = FindSteadyMotion(problem, SpeedOf(o.speed));
  const std::vector<RouteResult> results = EigenvaluesBy(routes, steady);
  const MaybeNumber difference =
      results.size() > 1 ? MaybeNumber(LargestDifference(results)) : std::nullopt;
  const bool agree = AreComplete(results) && !(difference > kRoutesAgree);
  if (o.json) {
    Json found = Json::array();
    for (const RouteResult& result : results) found.push_back(ToJson(result));
    Json coordinates = Json::array();
    for (const IndependentCoordinate& one : IndependentCoordinates(steady))
      coordinates.push_back({{"name", one.name}, {"value", NumberOrNull(one.value)}});
    const Vector3 turn = extended::Round(steady.turn);
    PrintJson({{"problem", problem.name},
               {"speed", NumberOrNull(steady.speed)},
               {"turn", {turn.x, turn.y, turn.z}},
               {"independent_coordinates", std::move(coordinates)},
               {"routes", std::move(found)},
               {"largest_difference", NumberOrNull(difference)},
               {"agree", agree}});
  } else {
    PrintWarnings(problem.warnings, stderr);
    Print("{}: the steady motion {}\n", problem.name, InWords(steady));
    const std::vector<IndependentCoordinate> coordinates = IndependentCoordinates(steady);
    std::string text;
    for (std::size_t i = 0; i < coordinates.size() && i < kMostCoordinatesShown; ++i) {
      text += (i > 0 ? ", " : "") + coordinates[i].name;
      if (coordinates[i].value) text += fmt::format("={:.10g}", Shown(*coordinates[i].value));
    }
    if (coordinates.size() > kMostCoordinatesShown)
      text += fmt::format(", ... ({} coordinates)", coordinates.size());
    PrintWrapped("independent coordinates: ", text);
    for (const RouteResult& result : results) PrintRoute(result);
    if (difference) {
      Print("the routes {}: largest difference {:.2g} of the largest eigenvalue\n",
            agree ? "agree" : "DISAGREE", *difference);
    }
  }
  return agree ? kExitOk : kExitCellFailed;
}

}  // namespace

void AddStabilityCommand(CLI::App& app, CommandContext& context) {
  CLI::App* command = AddCommand(
      app, "stability", "Eigenvalues of small motions about a steady motion, by three routes",
      R"(A steady motion is an equilibrium, a mechanism that turns as one body at a constant rate, or a top
or rotor that spins about its axis of symmetry. Where something is driven, or everything is at rest,
it is found from the initial state by Newton's method; any other has to be the initial state. Its
small motions are linearised in independent coordinates, in absolute coordinates on the null space
of the constraints, and with the multipliers kept. These routes have to agree to 1e-10 of the
largest eigenvalue. Each eigenvalue is printed with its condition number, and pairs once.

Examples:
  mbsbench stability governor
  mbsbench stability swing --speed 40 --json
  mbsbench stability my_model.json --route pencil

Exit codes: 0 ok; 2 bad usage or input, or no steady motion; 3 the routes disagree; 4 internal
error.)");
  const auto options = std::make_shared<StabilityOptions>();
  AddProblem(*command, options->problem);
  AddOption(*command, "--speed", options->speed, "V",
            "Speed of the first driver [rad/s or m/s]; other drivers run in proportion");
  AddOption(*command, "--route", options->route, "ROUTE",
            "Only this: reduced, null-space or pencil");
  command->add_flag("--json", options->json, "As one JSON document");
  AddRobotOptions(*command, options->robot);
  command->callback([&context, options] {
    options->problem = RobotOrProblem(options->problem, options->robot);
    context.exit_code = StabilityByRoutes(*options);
  });
}

}  // namespace mbsbench
