#include "methods/numerics/block_elimination.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <tuple>
#include <type_traits>

#include "methods/thresholds/thresholds.h"

namespace mbsbench::absolute {

namespace {

// Least remaining fraction of the compliance that bodies gave a joint's row, when the order is chosen; at any state it is
// Thresholds::compliance_left. For a joint of the tree, which no other row can imply, it decreases with the number of bodies that move
// as one with its child.
constexpr double kEnough = 0.2, kEnoughOfTree = 1e-3;
// Below this a solution is refined.
constexpr double kKnownWell = 0.05;
// Once all bodies are eliminated no row can wait: a plan with less than this left is given up, and KLU is used.
constexpr double kPlannedAtLeast = 1e-3;
// Couplings per node beyond which a general factorisation is as good.
constexpr std::size_t kMostCouplings = 8;

std::size_t At(int i) { return static_cast<std::size_t>(i); }

using Block = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, kRates, kRates>;

// A node while the order is chosen.
struct Waiting {
  int size = 0;
  bool is_joint = false, is_done = false;
  double enough = 0;
  Block diagonal;
  Eigen::Matrix<double, kRates, 1> given = Eigen::Matrix<double, kRates, 1>::Zero();
  std::vector<std::pair<int, Block>> coupled;

  Block& With(int node, int columns) {
    for (auto& [other, block] : coupled) {
      if (other == node) return block;
    }
    coupled.emplace_back(node, Block::Zero(size, columns));
    return coupled.back().second;
  }
};

// U of `diagonal` times `sign`, and the smallest pivot relative to `given`; 0 if it is not
// definite.
double Cholesky(const Waiting& node, double sign, Block& u) {
  u = sign * node.diagonal;
  double least = std::numeric_limits<double>::infinity();
  for (int k = 0; k < node.size; ++k) {
    if (!(u(k, k) > 0)) return 0;
    if (node.is_joint) least = std::min(least, u(k, k) / node.given[k]);
    u.row(k).tail(node.size - k) /= std::sqrt(u(k, k));
    for (int i = k + 1; i < node.size; ++i) {
      u.row(i).tail(node.size - i) -= u(k, i) * u.row(k).tail(node.size - i);
      u(i, k) = 0;
    }
  }
  return least;
}

// The factors of one node, in registers: rows of L' right of the diagonal, and the inverse pivots.
template <int size>
struct Factor {
  std::array<Eight, size> l;
  std::array<double, size> inverse;
};

constexpr int kInverse = 7;  // column of a pivot's row that holds its inverse

template <int size>
[[gnu::always_inline]] inline Factor<size> Load(const Eight* u) {
  Factor<size> f;
  for (int k = 0; k < size; ++k) {
    f.l[At(k)] = u[k];
    f.inverse[At(k)] = u[k].data()[kInverse];
  }
  return f;
}

// Calls f(k) for k = from, ..., to - 1 as constants.
template <int from, int to, class F>
[[gnu::always_inline]] inline void ForEach(F&& f) {
  if constexpr (from < to) {
    f(std::integral_constant<int, from>{});
    ForEach<from + 1, to>(f);
  }
}

// f(size) with the size of a node, from 1 to 6, as a constant.
template <class F>
[[gnu::always_inline]] inline auto OfSize(int size, F&& f) {
  switch (size) {
    case 1: return f(std::integral_constant<int, 1>{});
    case 2: return f(std::integral_constant<int, 2>{});
    case 3: return f(std::integral_constant<int, 3>{});
    case 4: return f(std::integral_constant<int, 4>{});
    case 5: return f(std::integral_constant<int, 5>{});
    default: return f(std::integral_constant<int, 6>{});
  }
}

// A pivot block becomes its L' and inverse pivots. `given`: the compliance that bodies gave the rows of a joint, null for a body.
// Returns the least ratio of a pivot to it; for a body 1, or -1 if it is not definite.
template <int size>
double FactorisePivot(Eight* u, const double* given) {
  std::array<Eight, size> row;
  for (int k = 0; k < size; ++k) row[At(k)] = u[k];
  double least = 1;
  ForEach<0, size>([&](auto at) {
    constexpr int k = at;
    const double pivot = Number<k>(row[k]), inverse = 1 / pivot;
    least = given == nullptr ? (pivot > 0 ? least : -1)
                             : std::min(least, std::max(-pivot / given[k], -1.));
    const Eight l = inverse * row[k];
    ForEach<k + 1, size>([&](auto i) { row[i] = row[i] - Splat<i>(l) * row[k]; });
    u[k] = RightOf<k>(l);
    u[k].data()[kInverse] = inverse;
    if (!(pivot < 0 || pivot > 0)) least = -1;
  });
  return least;
}

// L^-1 times the rows of a coupling.
template <int size>
[[gnu::always_inline]] inline void SolveRows(const Factor<size>& f, Eight* w) {
  std::array<Eight, size> row;
  for (int k = 0; k < size; ++k) row[At(k)] = w[k];
  ForEach<0, size>([&](auto k) {
    ForEach<k + 1, size>([&](auto i) { row[i] = row[i] - Splat<i>(f.l[k]) * row[k]; });
  });
  for (int k = 0; k < size; ++k) w[k] = row[At(k)];
}

}  // namespace

// One step with a node of this size; false if a pivot is too small.
template <int size>
bool BlockElimination::Eliminate(const Step& step) {
  Row* const rows = rows_.data();
  const bool is_joint = step.node >= bodies_;
  const double* const given = is_joint ? compliance_[At(step.node - bodies_)].data() : nullptr;
  const double least = FactorisePivot<size>(rows + step.pivot, given);
  if (!(least > (is_joint ? kThresholds.compliance_left : 0))) return false;
  least_ = std::min(least_, least);
  const Factor<size> f = Load<size>(rows + step.pivot);
  for (int c = step.first_coupling; c < step.last_coupling; ++c)
    SolveRows<size>(f, rows + couplings_[At(c)].rows);
  const int* target = targets_.data() + step.first_target;
  for (int i = step.first_coupling; i < step.last_coupling; ++i) {
    const Coupling& one = couplings_[At(i)];
    std::array<Row, size> scaled;  // D^-1 W_i
    Row sum;
    for (int p = 0; p < size; ++p) {
      const Row& w = rows[one.rows + p];
      scaled[At(p)] = f.inverse[At(p)] * w;
      sum = sum + scaled[At(p)] * w;
    }
    if (!is_joint && one.node >= bodies_) {
      Row& of_joint = compliance_[At(one.node - bodies_)];
      of_joint = of_joint + sum;
    }
    for (int j = i; j < step.last_coupling; ++j) {
      const Row* const w = rows + couplings_[At(j)].rows;
      Row* const a = rows + *target++;
      std::array<Row, size> w_j;
      for (int p = 0; p < size; ++p) w_j[At(p)] = w[p];
      for (int r = 0; r < one.size; ++r) {
        Row left = a[r];
        for (int p = 0; p < size; ++p) left = left - scaled[At(p)].data()[r] * w_j[At(p)];
        a[r] = left;
      }
    }
  }
  return true;
}

template <int size>
void BlockElimination::Forward(const Step& step) {
  const Row* const rows = rows_.data();
  const Factor<size> f = Load<size>(rows + step.pivot);
  Row x = b_[At(step.node)];
  ForEach<0, size>([&](auto k) { x = x - Splat<k>(x) * f.l[k]; });
  std::array<double, size> scaled;
  Row all;
  ForEach<0, size>([&](auto k) {
    scaled[k] = f.inverse[k] * Number<k>(x);
    all = InPlace(k, scaled[k], all);
  });
  b_[At(step.node)] = all;
  for (int c = step.first_coupling; c < step.last_coupling; ++c) {
    const Row* const w = rows + couplings_[At(c)].rows;
    Row& other = b_[At(couplings_[At(c)].node)];
    Row left = other;
    for (int k = 0; k < size; ++k) left = left - scaled[At(k)] * w[k];
    other = left;
  }
}

template <int size>
void BlockElimination::Backward(const Step& step) {
  const Row* const rows = rows_.data();
  std::array<Row, size> sum;
  for (int c = step.first_coupling; c < step.last_coupling; ++c) {
    const Row* const w = rows + couplings_[At(c)].rows;
    const Row& other = b_[At(couplings_[At(c)].node)];
    for (int k = 0; k < size; ++k) sum[At(k)] = sum[At(k)] + w[k] * other;
  }
  Row& x = b_[At(step.node)];
  for (int k = size - 1; k >= 0; --k) {
    const Row& u = rows[step.pivot + k];
    double y = x.data()[k] - u.data()[kInverse] * Sum(sum[At(k)]);
    for (int i = size - 1; i > k; --i) y -= u.data()[i] * x.data()[i];
    x.data()[k] = y;
  }
}

BlockElimination::BlockElimination(const AbsoluteConstraints& constraints,
                                   std::span<const BodyBlock> mass)
    : mass_(mass.begin(), mass.end()), bodies_(static_cast<int>(mass.size())) {
  depth_.assign(mass.size(), 0);
  std::vector<int> parent(mass.size(), kGround);
  for (std::size_t k = 0; k < constraints.size(); ++k) {
    joints_.push_back({constraints[k].size(),
                       {constraints[k].parent(), constraints[k].child()},
                       constraints.IsLoop(k)});
    if (!constraints.IsLoop(k)) parent[At(constraints[k].child())] = constraints[k].parent();
  }
  for (int body = 0; body < bodies_; ++body) {
    std::vector<int> path;
    int b = body;
    for (; b != kGround && depth_[At(b)] == 0; b = parent[At(b)]) path.push_back(b);
    int depth = b == kGround ? 0 : depth_[At(b)];
    for (auto at = path.rbegin(); at != path.rend(); ++at) depth_[At(*at)] = ++depth;
  }
  for (const Joint& joint : joints_) {
    int deepest = 0;
    for (int b : joint.bodies) deepest = std::max(deepest, b == kGround ? 0 : depth_[At(b)]);
    depth_.push_back(deepest);
  }
}

bool BlockElimination::Plan(std::span<const ConstraintJacobian> rows) {
  has_plan_ = false;
  const std::size_t nodes = depth_.size();
  std::vector<Waiting> all(nodes);
  std::size_t present = 0;
  for (int b = 0; b < bodies_; ++b) {
    all[At(b)].size = kRates;
    all[At(b)].diagonal = mass_[At(b)];
    ++present;
  }
  for (std::size_t k = 0; k < joints_.size(); ++k) {
    const int node = bodies_ + static_cast<int>(k), size = joints_[k].size;
    Waiting& joint = all[At(node)];
    joint.size = size;
    joint.is_joint = true;
    joint.enough = joints_[k].is_loop ? kEnough : kEnoughOfTree;
    joint.is_done = size == 0;
    joint.diagonal = Block::Zero(size, size);
    if (size == 0) continue;
    ++present;
    for (int side : {0, 1}) {
      const int body = joints_[k].bodies[At(side)];
      if (body == kGround) continue;
      const Block g = rows[k].block(0, kRates * side, size, kRates);
      joint.With(body, kRates) = g;
      all[At(body)].With(node, size) = g.transpose();
    }
  }

  const auto key_of = [&](int node) {
    int degree = 0;
    for (const auto& [other, block] : all[At(node)].coupled) degree += all[At(other)].size;
    return std::tuple(degree, -depth_[At(node)], node);
  };
  std::set<std::tuple<int, int, int>> next;
  std::vector<std::tuple<int, int, int>> keys(nodes);
  std::vector<char> is_listed(nodes, 0);
  const auto unlist = [&](int node) {
    if (is_listed[At(node)]) next.erase(keys[At(node)]);
    is_listed[At(node)] = 0;
  };
  const auto list = [&](int node) {
    unlist(node);
    keys[At(node)] = key_of(node);
    next.insert(keys[At(node)]);
    is_listed[At(node)] = 1;
  };
  for (int b = 0; b < bodies_; ++b) list(b);

  std::vector<int> order;
  std::vector<std::vector<int>> coupled(nodes);
  std::size_t couplings = 0;
  Block u;
  while (order.size() < present) {
    int node = -1;
    while (node < 0 && !next.empty()) {
      const int candidate = std::get<2>(*next.begin());
      const Waiting& waiting = all[At(candidate)];
      if (!waiting.is_joint || Cholesky(waiting, -1, u) >= waiting.enough)
        node = candidate;
      else
        unlist(candidate);  // until another body leaves
    }
    if (node < 0) {  // all bodies are eliminated: the joint with the best pivot
      double best = kPlannedAtLeast;
      for (std::size_t k = At(bodies_); k < nodes; ++k) {
        if (all[k].is_done) continue;
        const double least = Cholesky(all[k], -1, u);
        if (!(least > best)) continue;
        best = least;
        node = static_cast<int>(k);
      }
      if (node < 0) return false;
    }
    unlist(node);
    Waiting& pivot = all[At(node)];
    const double sign = pivot.is_joint ? -1 : 1;
    if (!(Cholesky(pivot, sign, u) > 0)) return false;
    pivot.is_done = true;
    order.push_back(node);
    couplings += pivot.coupled.size();
    if (couplings > kMostCouplings * nodes) return false;
    for (auto& [other, block] : pivot.coupled) {
      block = u.triangularView<Eigen::Upper>().transpose().solve(block).eval();
      coupled[At(node)].push_back(other);
    }
    for (auto& [i, w_i] : pivot.coupled) {
      Waiting& one = all[At(i)];
      std::erase_if(one.coupled, [node](const auto& c) { return c.first == node; });
      for (auto& [j, w_j] : pivot.coupled) {
        if (i == j) {
          one.diagonal -= sign * (w_i.transpose() * w_i);
          if (one.is_joint && !pivot.is_joint)
            one.given.head(one.size) += w_i.colwise().squaredNorm().transpose();
        } else {
          one.With(j, all[At(j)].size) -= sign * (w_i.transpose() * w_j);
        }
      }
    }
    for (const int other : coupled[At(node)]) list(other);
    pivot.coupled.clear();
  }
  ReserveStorage(order, coupled);
  has_plan_ = true;
  return true;
}

// Reserves the storage for the order.
void BlockElimination::ReserveStorage(std::span<const int> order,
                                      std::span<const std::vector<int>> coupled) {
  steps_.clear();
  couplings_.clear();
  targets_.clear();
  pivot_rows_.assign(depth_.size(), -1);
  places_.assign(joints_.size(), {});
  std::vector<int> when(depth_.size(), 0);
  for (std::size_t s = 0; s < order.size(); ++s) when[At(order[s])] = static_cast<int>(s);
  const auto size_of = [this](int node) {
    return node < bodies_ ? kRates : joints_[At(node - bodies_)].size;
  };
  int rows = 0;
  for (const int node : order) {
    const int first = static_cast<int>(couplings_.size());
    pivot_rows_[At(node)] = rows;
    steps_.push_back({node, size_of(node), rows, first, first, 0});
    rows += size_of(node);
    for (const int other : coupled[At(node)]) {
      couplings_.push_back({other, size_of(other), rows});
      rows += size_of(node);
    }
    steps_.back().last_coupling = static_cast<int>(couplings_.size());
    std::sort(
        couplings_.begin() + first, couplings_.end(),
        [&](const Coupling& a, const Coupling& b) { return when[At(a.node)] < when[At(b.node)]; });
  }
  std::vector<int> step_of(depth_.size(), -1);
  for (std::size_t s = 0; s < steps_.size(); ++s) step_of[At(steps_[s].node)] = static_cast<int>(s);
  const auto rows_of = [&](int first, int second) {
    if (first == second) return pivot_rows_[At(first)];
    const Step& step = steps_[At(step_of[At(first)])];
    for (int c = step.first_coupling; c < step.last_coupling; ++c) {
      if (couplings_[At(c)].node == second) return couplings_[At(c)].rows;
    }
    return -1;
  };
  for (Step& step : steps_) {
    step.first_target = static_cast<int>(targets_.size());
    for (int i = step.first_coupling; i < step.last_coupling; ++i) {
      for (int j = i; j < step.last_coupling; ++j)
        targets_.push_back(rows_of(couplings_[At(i)].node, couplings_[At(j)].node));
    }
  }
  for (std::size_t k = 0; k < joints_.size(); ++k) {
    const int node = bodies_ + static_cast<int>(k);
    for (int side : {0, 1}) {
      const int body = joints_[k].bodies[At(side)];
      if (body == kGround || joints_[k].size == 0) continue;
      const bool is_body_first = when[At(body)] < when[At(node)];
      places_[k][At(side)] = {is_body_first ? rows_of(body, node) : rows_of(node, body),
                              is_body_first};
    }
  }
  rows_.assign(At(rows), {});
  compliance_.assign(joints_.size(), {});
  b_.assign(depth_.size(), {});
}

bool BlockElimination::Factorise(std::span<const ConstraintJacobian> rows) {
  given_ = rows;
  least_ = 1;
  std::fill(rows_.begin(), rows_.end(), Row{});
  std::fill(compliance_.begin(), compliance_.end(), Row{});
  for (int b = 0; b < bodies_; ++b) {
    Row* const at = rows_.data() + pivot_rows_[At(b)];
    for (int i = 0; i < kRates; ++i) {
      for (int j = 0; j < kRates; ++j) at[i].data()[j] = mass_[At(b)](i, j);
    }
  }
  for (std::size_t k = 0; k < joints_.size(); ++k) {
    for (int side : {0, 1}) {
      const Place place = places_[k][At(side)];
      if (place.rows < 0) continue;
      Row* const at = rows_.data() + place.rows;
      for (int i = 0; i < joints_[k].size; ++i) {
        for (int j = 0; j < kRates; ++j) {
          const double value = rows[k](i, kRates * side + j);
          (place.is_body_first ? at[j].data()[i] : at[i].data()[j]) = value;
        }
      }
    }
  }
  for (const Step& step : steps_) {
    if (!OfSize(step.size, [&](auto size) { return Eliminate<size>(step); })) return false;
  }
  return true;
}

void BlockElimination::Solve(std::span<double> b) {
  if (least_ >= kKnownWell) return SolveOnce(b);
  left_.assign(b.begin(), b.end());
  SolveOnce(b);
  TakeProduct(b, left_);
  SolveOnce(left_);
  for (std::size_t i = 0; i < b.size(); ++i) b[i] += left_[i];
}

void BlockElimination::TakeProduct(std::span<const double> x, std::span<double> b) const {
  using Rates = Eigen::Matrix<double, kRates, 1>;
  for (int body = 0; body < bodies_; ++body) {
    Eigen::Map<Rates>(b.data() + kRates * body) -=
        mass_[At(body)] * Eigen::Map<const Rates>(x.data() + kRates * body);
  }
  std::ptrdiff_t at = kRates * bodies_;
  for (std::size_t k = 0; k < joints_.size(); ++k) {
    const Joint& joint = joints_[k];
    for (int side : {0, 1}) {
      if (joint.bodies[At(side)] == kGround) continue;
      const auto of_body = kRates * joint.bodies[At(side)];
      for (int i = 0; i < joint.size; ++i) {
        const auto row = given_[k].row(i).segment<kRates>(kRates * side);
        b[static_cast<std::size_t>(at + i)] -= row.dot(Eigen::Map<const Rates>(x.data() + of_body));
        Eigen::Map<Rates>(b.data() + of_body) -=
            x[static_cast<std::size_t>(at + i)] * row.transpose();
      }
    }
    at += joint.size;
  }
}

void BlockElimination::SolveOnce(std::span<double> b) {
  const double* from = b.data();
  for (std::size_t node = 0; node < b_.size(); ++node) {
    const int size = static_cast<int>(node) < bodies_ ? kRates : joints_[node - At(bodies_)].size;
    b_[node] = {};
    for (int i = 0; i < size; ++i) b_[node].data()[i] = from[i];
    from += size;
  }
  for (const Step& step : steps_) OfSize(step.size, [&](auto size) { Forward<size>(step); });
  for (auto step = steps_.rbegin(); step != steps_.rend(); ++step)
    OfSize(step->size, [&](auto size) { Backward<size>(*step); });
  double* to = b.data();
  for (std::size_t node = 0; node < b_.size(); ++node) {
    const int size = static_cast<int>(node) < bodies_ ? kRates : joints_[node - At(bodies_)].size;
    to = std::copy_n(b_[node].data(), size, to);
  }
}

OperationCount BlockElimination::CountOperations() const {
  OperationCount count;
  const auto add = [&count](std::int64_t multiply_adds) {
    count.multiplications += multiply_adds;
    count.additions += multiply_adds;
  };
  for (const Step& step : steps_) {
    const std::int64_t n = step.size;
    add((n * n * n - n) / 6);                  // of L
    count.multiplications += n * (n - 1) / 2;  // its rows by their pivots
    count.divisions += n;
    add(n * (n - 1));  // of both ways of a solution
    count.multiplications += n;
    if (step.first_coupling < step.last_coupling) count.multiplications += n;
    for (int i = step.first_coupling; i < step.last_coupling; ++i) {
      const std::int64_t m = couplings_[At(i)].size;
      add(m * n * (n - 1) / 2);  // of W
      count.multiplications += m * n;
      add(2 * m * n);  // of a solution
      for (int j = i; j < step.last_coupling; ++j)
        add(n * (i == j ? m * (m + 1) / 2 : m * couplings_[At(j)].size));
    }
  }
  return count;
}

}  // namespace mbsbench::absolute
