// The round-off error of one evaluation, in two parts: that of the formulation, its accelerations less those of the
// printed equations in 113 bits at the same state; and that of rounding the state to double, independent of the formulation,
// by the same equations at the state and at states that round to it.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>

#include "harness/runner/cells/method_choice.h"
#include "methods/all_methods.h"
#include "methods/articulated_body/featherstone_equations.h"
#include "methods/cartesian_dae/cartesian_equations.h"
#include "methods/classical_mstmm/overall_equations.h"
#include "methods/composite_body/composite_body_equations.h"
#include "methods/equivalent_particles/attia_equations.h"
#include "methods/kane_huston/printed_equations.h"
#include "methods/riccati_mstmm/riccati_equations.h"
#include "problems/model/eigen.h"
#include "tests/support/readable_form.h"

namespace mbsbench {
namespace {

using State = std::vector<Quad>;

// Rates of y in 113 bits.
using Equations = std::function<State(const System&, const State& y)>;

State ByFeatherstone(const System& system, const State& y) {
  State ydot(y.size());
  articulated_body::FeatherstoneEquations<Quad>(MakeGroupTree<Quad>(system), system.gravity)
      .Evaluate(y.data(), ydot.data());
  return ydot;
}
State ByRiccati(const System& system, const State& y) {
  State ydot(y.size());
  RiccatiEquations<Quad>(MakeGroupTree<Quad>(system), system.gravity)
      .Evaluate(y.data(), ydot.data());
  return ydot;
}
State ByCompositeBodies(const System& system, const State& y) {
  State ydot(y.size());
  composite_body::CompositeBodyEquations<Quad>(MakeGroupTree<Quad>(system), system.gravity)
      .Evaluate(y.data(), ydot.data());
  return ydot;
}
State ByKane(const System& system, const State& y) {
  const kane_huston::ReducedTree<Quad> tree(system);
  const auto udot =
      kane_huston::PrintedEquations<Quad>(tree, system.gravity).Accelerations(y.data());
  State ydot(y.size());
  for (std::size_t b = 1; b < tree.nodes.size(); ++b) {
    for (int i = 0; i < tree.nodes[b].dofs; ++i)
      ydot[static_cast<std::size_t>(tree.groups[b].u + i)] = udot[tree.nodes[b].dof + i];
  }
  return ydot;
}
State ByAttia(const System& system, const State& y) {
  const auto tree = equivalent_particles::MakeParticleTree(system);
  State ydot(y.size());
  EXPECT_TRUE(equivalent_particles::AttiaEquations<Quad>(tree, ToEigen(system.gravity))
                  .Evaluate(y.data(), ydot.data()));
  return ydot;
}
State ByAbsoluteCoordinates(const System& system, const State& y) {
  State ydot(y.size());
  cartesian::CartesianEquations<Quad>(system).Evaluate(y.data(), ydot.data(),
                                                       [](auto& e) { e.SolveFull(); });
  return ydot;
}
State ByOverallTransfer(const System& system, const State& y) {
  State ydot(y.size());
  OverallEquations<3, Quad>(system, {})
      .Evaluate(y.data(), ydot.data(), [](const auto& K, const auto& right) {
        return K.partialPivLu().solve(right).eval();
      });
  return ydot;
}

// Positions of the accelerations in y'.
bool InSecondHalf(std::size_t i, std::size_t size, std::size_t) { return 2 * i >= size; }
bool AfterCoordinates(std::size_t i, std::size_t, std::size_t count) { return i >= count; }
bool OfBodies(std::size_t i, std::size_t, std::size_t) { return i % 13 >= 7; }

struct PrintedForm {
  const char* method;
  Equations equations;
  bool (*is_acceleration)(std::size_t i, std::size_t size, std::size_t coordinates);
  double most;  // error of the formulation allowed, in units of that of rounding the state
  bool prepares_in_double = true;
};
struct RoundOff {
  double of_formulation = 0, of_state = 0;  // relative to the largest acceleration
};

RoundOff RoundOffOf(const RandomTree& tree, const PrintedForm& form) {
  const MethodChoice choice = ChooseMethod(form.method, AllMethods());
  const auto formulation = choice.entry->prepare(tree.system, choice.options);
  auto& ode = static_cast<OdeFormulation&>(*formulation);
  std::vector<double> y(ode.state_size()), ydot(y.size());
  EXPECT_TRUE(ode.Initialise(0, tree.state, y).ok());
  EXPECT_TRUE(ode.Evaluate(0, y, ydot).ok());
  const State here(y.begin(), y.end()), exact = form.equations(tree.system, here);
  // For forms in joint coordinates the rounding of constants prepared in double is part of their
  // error.
  const State truth =
      form.is_acceleration == AfterCoordinates ? ByFeatherstone(tree.system, here) : exact;
  const auto is_acceleration = [&](std::size_t i) {
    return form.is_acceleration(i, y.size(), tree.state.joints.q.size());
  };
  double largest = 0;
  RoundOff found;
  for (std::size_t i = 0; i < y.size(); ++i) {
    if (!is_acceleration(i)) continue;
    largest = std::max(largest, std::abs(ydot[i]));
    Raise(found.of_formulation, std::abs(static_cast<double>(ydot[i] - truth[i])));
  }
  RandomNumbers random(1);
  for (int draw = 0; draw < 3; ++draw) {
    State before_rounding = here;  // to half a unit in the last place
    for (Quad& x : before_rounding) x *= 1 + Quad(random.Between(-0x1p-54, 0x1p-54));
    const State there = form.equations(tree.system, before_rounding);
    for (std::size_t i = 0; i < y.size(); ++i) {
      if (is_acceleration(i))
        Raise(found.of_state, std::abs(static_cast<double>(there[i] - exact[i])));
    }
  }
  return {found.of_formulation / largest, found.of_state / largest};
}

const std::vector<PrintedForm>& PrintedForms() {
  static const std::vector<PrintedForm> forms{
      {"articulated-body", ByFeatherstone, AfterCoordinates, 100, false},
      {"riccati-mstmm", ByRiccati, AfterCoordinates, 100, false},
      {"composite-body", ByCompositeBodies, AfterCoordinates, 2e4, false},
      {"kane-huston", ByKane, AfterCoordinates, 2e4, false},
      {"equivalent-particles:index1", ByAttia, InSecondHalf, 30},
      {"cartesian-dae:index1", ByAbsoluteCoordinates, OfBodies, 50},
      {"classical-mstmm", ByOverallTransfer, AfterCoordinates, 1e4, false},
  };
  return forms;
}
RandomTree Chain() {
  return MakeRandomTree(5, {.bodies = 20,
                            .types = {JointType::kBall},
                            .force_elements = false,
                            .chain_likelihood = 1,
                            .ground_likelihood = 0});
}

TEST(RoundOff, OfAnEvaluationIsLargeOnlyForMassMatricesAndTransferMatrixProducts) {
  const RandomTree chain = Chain();
  std::map<std::string, RoundOff> found;
  for (const PrintedForm& form : PrintedForms()) {
    const RoundOff& one = found[form.method] = RoundOffOf(chain, form);
    std::printf("  %-28s formulation %.1e, state %.1e\n", form.method, one.of_formulation,
                one.of_state);
    EXPECT_GT(one.of_formulation, 0) << form.method << ": two precisions must differ";
    EXPECT_GT(one.of_state, 1e-17) << form.method;
    EXPECT_LT(one.of_state, 1e-15) << form.method;
    EXPECT_LT(one.of_formulation, form.most * one.of_state) << form.method;
  }
  // The condition of a mass matrix and products of transfer matrices grow along a chain. The recursions
  // have neither.
  const double of_recursion = found["articulated-body"].of_formulation;
  for (const char* method : {"composite-body", "kane-huston", "classical-mstmm"})
    EXPECT_GT(found[method].of_formulation, 10 * of_recursion) << method;
}

// In 113 bits: to round-off of these, or of the constants that a form prepares in double.
TEST(RoundOff, IsTheOnlyDifferenceBetweenReadableFormsInJointCoordinates) {
  const RandomTree chain = Chain();
  const std::size_t coordinates = chain.state.joints.q.size();
  State y(chain.state.joints.q.begin(), chain.state.joints.q.end());
  y.insert(y.end(), chain.state.joints.u.begin(), chain.state.joints.u.end());
  const State truth = ByFeatherstone(chain.system, y);
  for (const PrintedForm& form : PrintedForms()) {
    if (form.is_acceleration != AfterCoordinates) continue;
    const State other = form.equations(chain.system, y);
    double worst = 0, largest = 0;
    for (std::size_t i = coordinates; i < y.size(); ++i) {
      largest = std::max(largest, std::abs(static_cast<double>(truth[i])));
      Raise(worst, std::abs(static_cast<double>(other[i] - truth[i])));
    }
    EXPECT_LT(worst / largest, form.prepares_in_double ? 1e-13 : 1e-28) << form.method;
  }
}

}  // namespace
}  // namespace mbsbench
