#include "harness/runner/plan/quick_cells.h"

#include <algorithm>
#include <vector>

namespace mbsbench {

namespace {

using Names = std::vector<std::string_view>;

// Every problem by every method with every integrator; "*": each method whose key the list does not name.
struct QuickCells {
  Names problems, methods, integrators;
};

// Names of variants that are listed more than once.
constexpr std::string_view kRiccati = "riccati-mstmm:general", kArticulated = "articulated-body",
                           kClassical = "classical-mstmm:general", kKane = "kane-huston:general",
                           kParticles = "equivalent-particles:index1",
                           kComposite = "composite-body:delassus", kGgl = "cartesian-dae:ggl",
                           kIndex1 = "cartesian-dae:index1", kSteady = "steady-state-newton";

const std::vector<QuickCells>& List() {
  const Names small_trees{"pendulum", "dpend18", "branch4", "branchN:bodies=6"};
  static const std::vector<QuickCells> list{
      {small_trees,
       {kRiccati, kClassical, kArticulated, kKane, kParticles, kComposite, "riccati-mstmm:paper",
        "classical-mstmm:paper", "kane-huston:paper"},
       {"dopri5", "fehlberg8", "rk4"}},
      {small_trees, {kGgl, "cartesian-dae:baumgarte"}, {"ida"}},
      {small_trees, {kSteady}, {"kinsol"}},
      {small_trees, {"*"}, {"dopri5", "fehlberg8", "rk4", "own", "ida", "kinsol"}},
      {{"pendulum"}, {"cartesian-dae:index3"}, {"ida"}},
      {{"pendulum"},
       {"variational", "lie-generalised-alpha:index2", "lie-generalised-alpha:index3",
        "half-explicit:order=2", "half-explicit:order=3", "half-explicit:order=4",
        "index3-direct:hht", "index3-direct:i3", "index3-direct:si2", "natural-coordinates:ali3p",
        "natural-coordinates:energy-momentum", "natural-coordinates:null-space"},
       {"own"}},
      {{"heavytop", "fourbar", "slidercrank3d"},
       {kRiccati, kClassical, kArticulated, kKane, kIndex1, kParticles, kComposite,
        "riccati-mstmm:paper", "classical-mstmm:paper", "kane-huston:paper", "*"},
       {"dopri5"}},
      {{"fourbar", "slidercrank3d"},
       {"riccati-mstmm:general,baumgarte", "riccati-mstmm:general,none",
        "classical-mstmm:general,baumgarte", "classical-mstmm:general,none",
        "articulated-body:baumgarte", "articulated-body:none", "composite-body:delassus,baumgarte",
        "composite-body:delassus,none"},
       {"dopri5"}},
      {{"fourbar"},
       {"cartesian-dae:baumgarte", "equivalent-particles:ggl", "equivalent-particles:index1-dae"},
       {"ida"}},
      {{"swing", "swing:damped", "caraxis", "caraxis:loop"}, {kRiccati, kArticulated}, {"dopri5"}},
      {{"kapitza"}, {kArticulated, kParticles}, {"dopri5"}},
      {{"fourbar", "slidercrank3d", "swing", "swing:damped", "caraxis", "caraxis:loop", "kapitza"},
       {kGgl},
       {"ida"}},
      {{"rocket:links=4"}, {kArticulated}, {"dopri5"}},
      {{"flyball"}, {kArticulated}, {"cvode-bdf"}},  // stiff
      {{"flyball"}, {kRiccati}, {"dopri5"}},
      {{"flyball"}, {kGgl, "equivalent-particles:ggl"}, {"ida"}},
      {{"swing", "swing:damped", "governor", "governor:damped", "governor-rods",
        "governor-rods:damped", "spunchainN:bodies=10", "spunchainN:bodies=100"},
       {kSteady},
       {"kinsol"}},
  };
  return list;
}

bool Contains(const Names& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

bool NamesKey(std::string_view method) {
  const std::string_view key = method.substr(0, method.find(':'));
  return std::ranges::any_of(List(), [key](const QuickCells& cells) {
    return std::ranges::any_of(cells.methods, [key](std::string_view listed) {
      return listed.substr(0, listed.find(':')) == key;
    });
  });
}

}  // namespace

bool IsQuick(std::string_view problem, std::string_view method, std::string_view integrator) {
  const bool is_other = !NamesKey(method);
  return std::ranges::any_of(List(), [&](const QuickCells& cells) {
    return Contains(cells.problems, problem) && Contains(cells.integrators, integrator) &&
           Contains(cells.methods, is_other ? "*" : method);
  });
}

bool IsQuick(std::string_view problem) {
  return std::ranges::any_of(
      List(), [&](const QuickCells& cells) { return Contains(cells.problems, problem); });
}

}  // namespace mbsbench
