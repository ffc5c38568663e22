// What each formulation keeps of what a mechanism keeps, and by which order errors fall with fixed steps.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "harness/records/classical_order.h"
#include "reports/analysis/paper_claims.h"
#include "reports/format/columns.h"
#include "reports/format/format.h"
#include "reports/pages/sections.h"

namespace mbsbench::reports {

namespace {

struct KeptQuantity {
  const char* name;
  MaybeNumber Cell::*drift;
  bool (*is_kept)(const ProblemRecord& problem);
};

bool HasConstraints(const ProblemRecord& problem) {
  return problem.bodies && problem.degrees_of_freedom &&
         *problem.degrees_of_freedom < 6 * *problem.bodies;
}
// A momentum has a drift only where it is kept.
bool HasDrift(const ProblemRecord&) { return true; }

constexpr KeptQuantity kQuantities[] = {
    {"positions", &Cell::position_drift, HasConstraints},
    {"velocities", &Cell::velocity_drift, HasConstraints},
    {"accelerations", &Cell::acceleration_drift, HasConstraints},
    {"energy", &Cell::energy_drift, [](auto& problem) { return problem.conservative == true; }},
    {"linear momentum", &Cell::linear_momentum_drift, HasDrift},
    {"angular momentum", &Cell::angular_momentum_drift, HasDrift}};

const KeptRow* ClaimOf(const std::string& method, const char* quantity) {
  const auto& kept = AllClaimData().kept;
  const auto found = std::ranges::find_if(kept, [&](const KeptRow& row) {
    return Matches(row.methods, method) && Matches(row.quantities, quantity);
  });
  return found == kept.end() ? nullptr : &*found;
}

// "positions, velocities within 1e-9 (Author 2008)"
std::string ClaimsInWords(const std::string& method) {
  Groups<const KeptRow*, std::string> claims;
  for (const KeptQuantity& quantity : kQuantities)
    if (const KeptRow* claim = ClaimOf(method, quantity.name))
      GroupOf(claim, claims).push_back(quantity.name);
  std::vector<std::string> texts;
  for (const auto& [claim, names] : claims)
    texts.push_back(fmt::format("{} within {} ({})", fmt::join(names, ", "),
                                FormatError(claim->within), claim->source));
  return fmt::format("{}", fmt::join(texts, "; "));
}

// The median and the worst over the problems that keep the quantity; "-" where there is none.
TableCell DriftCell(const Comparison& comparison, const std::string& method,
                    const KeptQuantity& quantity) {
  std::vector<double> drifts;
  for (const ProblemResults& problem : comparison.problems) {
    const Cell* cell = CellThatHolds(problem, method, comparison.MainTarget());
    if (cell && cell->*quantity.drift && quantity.is_kept(problem.record))
      drifts.push_back(*(cell->*quantity.drift));
  }
  if (drifts.empty()) return {"-"};
  const double worst = *std::ranges::max_element(drifts);
  const KeptRow* claim = ClaimOf(method, quantity.name);
  return {fmt::format("{}\n{}", FormatError(Median(drifts)), FormatError(worst)), worst,
          !claim                   ? ""
          : worst <= claim->within ? "best"
                                   : "bad"};
}

Table DriftTable(const Comparison& comparison) {
  Table table{"Drift: median and worst over the problems that keep the quantity",
              {{"method"}, {"claims to keep"}}};
  for (const KeptQuantity& quantity : kQuantities) table.columns.push_back({quantity.name, true});
  for (const std::string& method : comparison.methods) {
    std::vector<TableCell> row = {MethodCell(comparison, method), ClaimsInWords(method)};
    for (const KeptQuantity& quantity : kQuantities)
      row.push_back(DriftCell(comparison, method, quantity));
    const auto is_known = [](const TableCell& cell) { return !cell.value.is_null(); };
    if (std::any_of(row.begin() + 2, row.end(), is_known)) table.rows.push_back(std::move(row));
  }
  return table;
}

constexpr double kHalvings = 4, kWithin = 0.1, kStepRoundOff = 1e-9;

// How the error at the end falls with the fixed steps of a method by an integrator.
struct ObservedOrder {
  std::string method, integrator;
  const ProblemResults* problem;
  int order;
  const Cell *fine, *coarse, *half_as_fine, *quarter_as_fine;
  bool longer_fail;  // steps longer than those of `coarse`

  static double Between(const Cell& fine, const Cell& coarse) {
    return std::log(*coarse.error_end / *fine.error_end) / std::log(*coarse.step / *fine.step);
  }
  double Observed() const { return Between(*fine, *coarse); }
  double Last() const { return Between(*fine, *half_as_fine); }
  // Whether the last halving comes nearer to the order than the one before.
  bool IsNearing() const {
    constexpr double kMuch = 0.9;
    return half_as_fine != quarter_as_fine &&
           std::abs(Last() - order) <
               kMuch * std::abs(Between(*half_as_fine, *quarter_as_fine) - order);
  }
  double Halvings() const { return std::log2(*coarse->step / *fine->step); }
  TableCell ObservedCell() const {
    const bool agrees = std::abs(Observed() - order) <= kWithin;
    return {fmt::format("{:.2f}", Observed()), Observed(), agrees ? "best" : "weak"};
  }
  std::string Why() const {
    if (std::abs(Observed() - order) <= kWithin) return "";
    if (Halvings() < kHalvings - kStepRoundOff)
      return longer_fail ? "longer steps fail" : "too few steps to tell";
    return std::abs(Last() - order) <= kWithin ? "the longest steps are too long for the order"
           : Last() > order                    ? "the leading term of the error is small"
           : IsNearing()                       ? "nearer to the order the shorter the steps"
                                               : "falls more slowly";
  }
};

// 0: not known.
int OrderOf(const Comparison& comparison, const Cell& cell) {
  const int known = ClassicalOrder(cell.integrator);
  return known > 0 ? known : comparison.MethodRecordOf(cell.method).own_order.value_or(0);
}

// From the finest step whose error is above round-off and that of the reference to the one four halvings coarser, else the
// coarsest with a small error.
std::vector<ObservedOrder> ObservedOrders(const Comparison& comparison) {
  constexpr double kLeast = 1e-11, kMost = 0.1, kAboveKnown = 100;
  std::vector<ObservedOrder> all;
  for (const ProblemResults& problem : comparison.problems) {
    const double least = std::max(kLeast, kAboveKnown * problem.record.KnownError());
    for (const Curve& curve : Ladders(problem)) {
      const int order = OrderOf(comparison, *curve.cells.front());
      std::vector<const Cell*> cells;  // fine to coarse
      for (const Cell* cell : curve.cells) {
        const double error = cell->error_end.value_or(0);
        if (order > 0 && cell->step && cell->finished() && error > least && error < kMost)
          cells.insert(cells.begin(), cell);
      }
      if (cells.size() < 2) continue;
      const auto coarser = [&](double times) {
        const auto found = std::ranges::find_if(cells, [&](const Cell* cell) {
          return *cell->step >= times * *cells.front()->step * (1 - kStepRoundOff);
        });
        return found == cells.end() ? cells.back() : *found;
      };
      const Cell* const coarse = coarser(std::exp2(kHalvings));
      const bool longer_fail = std::ranges::any_of(curve.cells, [&](const Cell* cell) {
        return cell->step && *cell->step > *coarse->step &&
               !(cell->finished() && cell->error_end.value_or(INFINITY) < kMost);
      });
      all.push_back({curve.method, curve.integrator, &problem, order, cells.front(), coarse,
                     coarser(2), coarser(4), longer_fail});
    }
  }
  std::ranges::stable_sort(all, {}, [&](const ObservedOrder& one) {
    return std::ranges::find(comparison.methods, one.method) - comparison.methods.begin();
  });
  return all;
}

Table OrderTable(const Comparison& comparison) {
  return TableOf<ObservedOrder>(
      "Observed order of the error at the end, over four halvings of the step where so many ran",
      {{{"method"}, &ObservedOrder::method},
       {{"integrator"}, &ObservedOrder::integrator},
       {{"problem"}, [](auto& o) { return ProblemCell(*o.problem); }},
       {CountColumn("order"), &ObservedOrder::order},
       {{"observed", true}, &ObservedOrder::ObservedCell},
       {DecimalsColumn("halvings", 1), &ObservedOrder::Halvings},
       {DecimalsColumn("last halving", 2), &ObservedOrder::Last},
       {ErrorColumn("error at the finest"), [](auto& o) { return o.fine->error_end; }},
       {{"why it differs"}, &ObservedOrder::Why}},
      ObservedOrders(comparison));
}

}  // namespace

Section KeptSection(const Comparison& comparison, Document& document) {
  Section section{"kept", "What each formulation keeps"};
  AddTable(DriftTable(comparison), "kept.csv", section, document);
  if (section.blocks.empty()) return section;
  section.blocks.insert(
      section.blocks.begin(),
      Paragraph{fmt::format(
          "Only cells that ended ok count. Each drift is that of the coarsest with an error of at "
          "most {}, or of the method's most accurate one. Positions, velocities and accelerations "
          "are those of the constraints "
          "of joints, over L, L/T and L/T^2; accelerations are the observed ones. A momentum "
          "counts where no joint on the ground, no force from there and no gravity changes it. "
          "Green: kept to the size that the method claims; red: not kept.",
          FormatError(comparison.MainTarget()))});
  AddTable(OrderTable(comparison), "orders.csv", section, document);
  return section;
}

}  // namespace mbsbench::reports
