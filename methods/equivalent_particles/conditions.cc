#include "methods/equivalent_particles/conditions.h"

#include <algorithm>
#include <map>

namespace mbsbench::equivalent_particles {

namespace {

void Accumulate(const ParticleWeights& from, double factor, std::map<int, double>& sum) {
  if (factor == 0) return;
  for (const ParticleWeight& p : from) sum[p.particle] += factor * p.weight;
}

ParticleWeights Listed(const std::map<int, double>& sum) {
  ParticleWeights list;
  for (const auto& [particle, weight] : sum) {
    if (weight != 0) list.push_back({particle, weight});
  }
  return list;
}

// `bases`: the parts of u; only u itself, unless it moves.
Condition Make(const ParticleTree& tree, const std::vector<ParticleWeights>& slots,
               const CutRow& row, const std::array<LinearVector, 2>& bases) {
  std::map<int, Condition::Term> terms;
  const auto add = [&](const LinearVector& vector, const auto& put) {
    for (int k = 0; k < vector.count; ++k) {
      const LinearVector::Part& part = vector.parts[At(k)];
      for (const ParticleWeight& p : Expand(tree, slots, part.node, part.weights)) {
        Condition::Term& term =
            terms.try_emplace(p.particle, Condition::Term{p.particle, 0, 0}).first->second;
        put(term, p.weight);
      }
    }
  };
  for (std::size_t b = 0; b < bases.size(); ++b) {
    add(bases[b], [b](Condition::Term& term, double weight) { term.basis[b] += weight; });
  }
  add(row.w, [](Condition::Term& term, double weight) { term.w += weight; });
  Condition condition{row, {}};
  for (auto& [particle, term] : terms) {
    term.u = term.basis[0];
    condition.terms.push_back(term);
  }
  return condition;
}

LinearVector Between(int node, int to, int from, double factor) {
  LinearVector vector;
  vector.count = 1;
  vector.parts[0].node = node;
  vector.parts[0].weights[At(to)] = factor;
  vector.parts[0].weights[At(from)] = -factor;
  return vector;
}

}  // namespace

std::vector<ParticleWeights> WeightsOfSlots(const ParticleTree& tree) {
  std::vector<ParticleWeights> slots(At(tree.slots));
  for (std::size_t n = 1; n < tree.nodes.size(); ++n) {
    const Node& node = tree.nodes[n];
    const Node& parent = tree.nodes[At(node.parent)];
    for (int i = 0; i < node.count; ++i) {
      std::map<int, double> sum;
      if (i < node.given || node.slides) {
        for (int l = 0; l < parent.count; ++l) {
          Accumulate(slots[At(parent.first_slot + l)], node.from_parent[At(i)][At(l)], sum);
        }
      }
      if (node.slides) sum[node.first_particle] += 1;
      if (!node.slides && i >= node.given) sum[node.first_particle + i - node.given] += 1;
      slots[At(node.first_slot + i)] = Listed(sum);
    }
  }
  return slots;
}

ParticleWeights Expand(const ParticleTree& tree, const std::vector<ParticleWeights>& slots, int n,
                       const Weights& weights) {
  const Node& node = tree.nodes[At(n)];
  std::map<int, double> sum;
  for (int i = 0; i < node.count; ++i) {
    Accumulate(slots[At(node.first_slot + i)], weights[At(i)], sum);
  }
  return Listed(sum);
}

std::vector<Condition> ConditionsOf(const ParticleTree& tree,
                                    const std::vector<ParticleWeights>& slots, int n) {
  const Node& node = tree.nodes[At(n)];
  std::vector<Condition> conditions;
  if (node.slides) {
    for (const Weights& across : node.rail_across) {
      CutRow row;
      row.u.count = 2;
      row.u.parts[0] = {n, {1, 0, 0, 0}, 1};
      Weights rail = node.rail_point;
      for (double& w : rail) w = -w;
      row.u.parts[1] = {node.parent, rail, -1};
      row.w.count = 1;
      row.w.parts[0] = {node.parent, across, 0};
      conditions.push_back(Make(tree, slots, row, {row.u}));
    }
    return conditions;
  }
  for (int j = std::max(node.given, 1); j < node.count; ++j) {
    for (int i = 0; i < j; ++i) {
      const double d = node.distance[i][j];
      const LinearVector edge = Between(n, j, i, 1);
      conditions.push_back(Make(tree, slots, {edge, Between(n, j, i, 1 / (2 * d)), d / 2}, {edge}));
    }
  }
  return conditions;
}

std::vector<Condition> ConditionsOf(const ParticleTree& tree,
                                    const std::vector<ParticleWeights>& slots,
                                    const CutJoints& cuts) {
  std::vector<Condition> conditions;
  for (const CutRow& row : cuts.rows()) {
    if (!row.moves) conditions.push_back(Make(tree, slots, row, {row.u}));
  }
  for (const DriverRow& d : cuts.drivers())  // their rows are the last
    conditions.push_back(Make(tree, slots, cuts.rows()[At(d.row)], d.basis));
  SetDrivers(cuts, conditions);
  return conditions;
}

void SetDrivers(const CutJoints& cuts, std::vector<Condition>& conditions) {
  for (const DriverRow& d : cuts.drivers()) {
    Condition& condition = conditions[At(d.row)];
    condition.row = cuts.rows()[At(d.row)];
    for (Condition::Term& t : condition.terms) {
      const auto mixed = [&t](const std::array<double, 2>& factors) {
        return factors[0] * t.basis[0] + factors[1] * t.basis[1];
      };
      t.u = mixed(d.factors);
      t.u_rate = mixed(d.factor_rates);
      t.u_acceleration = mixed(d.factor_accelerations);
    }
  }
}

}  // namespace mbsbench::equivalent_particles
