#include "reference/sensitivity.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <random>

#include "problems/model/error.h"
#include "reference/data_parameters.h"
#include "reference/joint_coordinates/joint_coordinates.h"
#include "reference/numerics/elimination.h"
#include "reference/system/initial_motion.h"

namespace mbsbench::extended {

namespace {

constexpr double kChange = 0x1p-40;  // 9e-13: of scaled coordinates and rates, of data relative
constexpr int kDirections = 10;
constexpr ExtrapolationSettings kSteps{.columns = 5, .tolerance = 1e-9};
constexpr std::size_t kMostDenseRates = 0;  // the recursion is faster for this number of solutions

// One entry of x: a coordinate, or after all of them a rate.
struct Entry {
  std::size_t rate;        // index of the joint rate
  std::size_t coordinate;  // of a quaternion its first
  int axis;                // of the rotation vector; -1: no quaternion
  double length;           // L or 1
};

std::vector<Entry> EntriesOf(const Problem& problem, const std::vector<std::size_t>& rates) {
  const System& system = problem.system;
  const JointOffsets at = OffsetsOf(system);
  std::vector<Entry> entries;
  for (std::size_t j = 0; j < system.joints.size(); ++j) {
    const JointType type = system.joints[j].type;
    const auto single = static_cast<int>(AxesOf(type).size());
    for (int k = 0; k < RateCount(type); ++k) {
      const auto rate = static_cast<std::size_t>(at.u[j] + k);
      if (std::find(rates.begin(), rates.end(), rate) == rates.end()) continue;
      const bool turns_freely = k >= single;
      entries.push_back({rate, static_cast<std::size_t>(at.q[j] + (turns_freely ? single : k)),
                         turns_freely ? k - single : -1, IsLength(type, k) ? problem.length : 1});
    }
  }
  return entries;
}

// The rates of joints that are neither driven nor dependent.
std::vector<std::size_t> NamedIndependent(const Problem& problem) {
  const JointOffsets at = OffsetsOf(problem.system);
  const std::vector<bool> driven = DrivenJoints(problem.system);
  const std::vector<int>& dependent = problem.initial.dependent_joints;
  std::vector<std::size_t> named;
  for (std::size_t j = 0; j < driven.size(); ++j) {
    if (driven[j] ||
        std::find(dependent.begin(), dependent.end(), static_cast<int>(j)) != dependent.end())
      continue;
    for (int k = at.u[j]; k < at.u[j + 1]; ++k) named.push_back(static_cast<std::size_t>(k));
  }
  return named;
}

// One of the solutions: its own data, its own choice of dependent rates, the steps of all.
struct Companion {
  explicit Companion(const Problem& problem)
      : equations(problem.system, kMostDenseRates, ScalesOf(problem)),
        start(equations.Start(problem.initial)) {}
  JointCoordinates equations;
  std::vector<Real> start;
};

class Bundle {
 public:
  explicit Bundle(const Problem& problem) : problem_(problem) {
    Add(problem_);
    const std::vector<std::size_t>& independent = companions_[0]->equations.independent_rates();
    const std::vector<std::size_t> named = NamedIndependent(problem_);
    moved_ = EntriesOf(problem_, independent);
    // If their number differs from that of the degrees of freedom, those that pivoting finds are used, and loops of
    // changed data are closed by all joints.
    if (named.size() == independent.size()) {
      entries_ = EntriesOf(problem_, named);
      return;
    }
    entries_ = moved_;
    problem_.initial.dependent_joints.clear();
    const std::vector<bool> driven = DrivenJoints(problem_.system);
    for (std::size_t j = 0; j < driven.size(); ++j) {
      if (!driven[j]) problem_.initial.dependent_joints.push_back(static_cast<int>(j));
    }
  }

  // The problem from which companions with changed data are derived.
  const Problem& problem() const { return problem_; }
  std::size_t freedoms() const { return entries_.size(); }
  void Add(const Problem& problem) { companions_.push_back(std::make_unique<Companion>(problem)); }
  // Adds a companion with its start moved along the coordinates, then the rates, of the degrees of freedom that pivoting
  // finds; in units of x.
  void AddMoved(const std::vector<double>& changes) {
    Add(problem_);
    const std::size_t f = moved_.size();
    std::vector<Real> displacement(f), rate(f);
    for (std::size_t i = 0; i < f; ++i) {
      displacement[i] = Real(changes[i]) * moved_[i].length;
      rate[i] = Real(changes[f + i]) * moved_[i].length / problem_.time;
    }
    companions_.back()->equations.Displace(displacement, rate, companions_.back()->start);
  }
  void KeepFirst(std::size_t count) { companions_.resize(count); }

  // Calls use(k, changes) at sample k: for each further companion its x less that of the first.
  template <class Use>
  void Solve(const Progress& progress, const Use& use) {
    const std::size_t size = companions_[0]->start.size();
    const std::size_t coordinates = companions_[0]->equations.coordinates();
    std::vector<Real> all, y, rate;
    std::vector<double> scale;
    const double length = std::min(1.0, problem_.length);
    for (const auto& companion : companions_) {
      all.insert(all.end(), companion->start.begin(), companion->start.end());
      scale.resize(scale.size() + coordinates, length);
      scale.resize(all.size(), length / problem_.time);
    }
    const auto part = [&](const std::vector<Real>& from, std::size_t c) {
      y.assign(from.begin() + static_cast<std::ptrdiff_t>(c * size),
               from.begin() + static_cast<std::ptrdiff_t>((c + 1) * size));
    };
    const SampleGrid grid(problem_);
    ExtrapolationSettings settings = kSteps;
    settings.first_step = kFirstStep * problem_.time;
    Extrapolate(
        [&](Real t, const std::vector<Real>& from, std::vector<Real>& to) {
          to.resize(from.size());
          for (std::size_t c = 0; c < companions_.size(); ++c) {
            part(from, c);
            companions_[c]->equations.SetTime(t);
            companions_[c]->equations.Evaluate(y, rate);
            std::copy(rate.begin(), rate.end(), to.begin() + static_cast<std::ptrdiff_t>(c * size));
          }
        },
        grid.times, all, scale, settings,
        [&](Real t, std::vector<Real>& to) {
          for (std::size_t c = 0; c < companions_.size(); ++c) {
            part(to, c);
            companions_[c]->equations.SetTime(t);
            companions_[c]->equations.Correct(y);
            std::copy(y.begin(), y.end(), to.begin() + static_cast<std::ptrdiff_t>(c * size));
          }
        },
        [&](std::size_t k, const std::vector<Real>& from) {
          if (!grid.IsSample(k)) return;
          JointCoordinates::State first;
          std::vector<std::vector<double>> changes;
          for (std::size_t c = 0; c < companions_.size(); ++c) {
            part(from, c);
            companions_[c]->equations.SetTime(grid.times[k]);
            JointCoordinates::State state = companions_[c]->equations.StateAt(y);
            if (c == 0)
              first = std::move(state);
            else
              changes.push_back(Change(first, state));
          }
          use(changes);
          grid.Report(progress, k);
        });
  }

 private:
  std::vector<double> Change(const JointCoordinates::State& from,
                             const JointCoordinates::State& to) const {
    std::vector<double> x;
    for (const Entry& e : entries_) {
      Real change = to.q[e.coordinate] - from.q[e.coordinate];
      if (e.axis >= 0) {
        const auto quat = [&e](const std::vector<Real>& q) {
          const std::size_t i = e.coordinate;
          return Quat{q[i], q[i + 1], q[i + 2], q[i + 3]};
        };
        const Quat turn = Conjugate(quat(from.q)) * quat(to.q);
        change = 2 * (e.axis == 0 ? turn.x : e.axis == 1 ? turn.y : turn.z) / turn.w;
      }
      x.push_back(static_cast<double>(change / e.length));
    }
    for (const Entry& e : entries_) {
      x.push_back(
          static_cast<double>((to.u[e.rate] - from.u[e.rate]) * Real(problem_.time) / e.length));
    }
    return x;
  }

  Problem problem_;
  std::vector<std::unique_ptr<Companion>> companions_;
  std::vector<Entry> entries_;  // of x
  std::vector<Entry> moved_;
};

double NormOf(const std::vector<double>& x) {
  double sum = 0;
  for (double v : x) sum += v * v;
  return std::sqrt(sum);
}

// The changes at a sample by those at the start, one row per direction: X' = X_0' Phi', of which `start` is X_0'.
std::vector<std::vector<double>> PerStart(const Elimination& start,
                                          const std::vector<std::vector<double>>& now) {
  const std::size_t n = now.size();
  std::vector<std::vector<double>> flow(n, std::vector<double>(n));
  for (std::size_t j = 0; j < n; ++j) {
    std::vector<Real> right(n);
    for (std::size_t i = 0; i < n; ++i) right[i] = now[i][j];
    const std::vector<Real> column = start.Solve(right);
    for (std::size_t i = 0; i < n; ++i) flow[i][j] = static_cast<double>(column[i]);
  }
  return flow;
}

Matrix AsMatrix(const std::vector<std::vector<double>>& rows) {
  Matrix a(rows.size(), rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (std::size_t j = 0; j < rows.size(); ++j) a(i, j) = rows[i][j];
  }
  return a;
}

// Adds companions with changed data; returns the change of ln p in each. Throws ModelError if the loops do
// not close with such data.
std::vector<double> AddData(std::vector<std::string>& names, Bundle& bundle) {
  const Problem& problem = bundle.problem();
  std::vector<double> changes;
  System unchanged = problem.system;
  const std::vector<DataParameter> parameters = DataParametersOf(unchanged, problem.planar);
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    Problem changed = problem;
    const DataParameter parameter = DataParametersOf(changed.system, problem.planar)[i];
    const double before = *parameter.places[0];
    for (double* place : parameter.places) *place *= 1 + kChange;
    bundle.Add(changed);
    names.push_back(parameter.name);
    changes.push_back((*parameter.places[0] - before) / before);
  }
  return changes;
}

}  // namespace

double SpectralNorm(const std::vector<std::vector<double>>& a) {
  constexpr int kSquarings = 12;  // n^(1/2^14) is 1 + 3e-4 for n = 100
  const std::size_t n = a.size();
  using Square = std::vector<std::vector<double>>;
  const auto product = [n](const Square& x, const Square& y) {  // x' y
    Square z(n, std::vector<double>(n));
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) {
        for (std::size_t k = 0; k < n; ++k) z[i][j] += x[k][i] * y[k][j];
      }
    }
    return z;
  };
  Square power = product(a, a);  // a' a, its squares, each by its Frobenius norm
  double logarithm = 0, weight = 0.5;
  for (int s = 0;; ++s) {
    double sum = 0;
    for (const auto& row : power) sum += NormOf(row) * NormOf(row);
    const double size = std::sqrt(sum);
    if (size == 0) return 0;
    logarithm += weight * std::log(size);
    if (s == kSquarings) return std::exp(logarithm);
    for (auto& row : power) {
      for (double& x : row) x /= size;
    }
    power = product(power, power);
    weight /= 2;
  }
}

Sensitivity SensitivityOf(const Problem& problem, const Progress& progress) {
  Sensitivity s;
  Bundle bundle(problem);
  const std::size_t f = bundle.freedoms();
  const bool all = f <= kMostFreedomsInAllDirections;
  std::mt19937_64 generator(1);
  std::normal_distribution<double> normal;
  const std::size_t directions = all ? 2 * f : kDirections;
  for (std::size_t d = 0; d < directions; ++d) {
    std::vector<double> changes(2 * f);
    for (std::size_t i = 0; i < 2 * f; ++i)
      changes[i] = kChange * (all ? (i == d ? 1.0 : 0.0) : normal(generator));
    bundle.AddMoved(changes);
  }
  std::vector<double> data_changes;
  System counted = problem.system;
  const std::size_t parameters = DataParametersOf(counted, problem.planar).size();
  if (parameters > kMostDataParameters) {
    s.data_left_out = fmt::format("{} parameters, more than {}", parameters, kMostDataParameters);
  } else {
    try {
      data_changes = AddData(s.parameters, bundle);
    } catch (const ModelError&) {
      bundle.KeepFirst(1 + directions);
      s.data_left_out = "the loops do not close where one of the data changes alone";
    }
  }
  std::optional<Elimination> start;
  std::vector<std::vector<double>> data_start;
  bundle.Solve(progress, [&](const std::vector<std::vector<double>>& changes) {
    const auto middle = changes.begin() + static_cast<std::ptrdiff_t>(directions);
    const std::vector<std::vector<double>> of_state(changes.begin(), middle);
    std::vector<std::vector<double>> of_data(middle, changes.end());
    if (s.of_state.empty()) {
      if (all) start.emplace(AsMatrix(of_state), 0);
      data_start = of_data;
    }
    if (all) {
      const std::vector<std::vector<double>> flow = PerStart(*start, of_state);
      s.of_state.push_back(SpectralNorm(flow));
      // If loops are closed by all joints, data also change x(0): the effect of that change is
      // subtracted.
      for (std::size_t p = 0; p < of_data.size(); ++p) {
        for (std::size_t i = 0; i < directions; ++i) {
          for (std::size_t j = 0; j < directions; ++j)
            of_data[p][j] -= data_start[p][i] * flow[i][j];
        }
      }
    } else {
      double sum = 0;
      for (const auto& x : of_state) sum += NormOf(x) * NormOf(x);
      s.of_state.push_back(std::sqrt(sum / kDirections) / kChange);
    }
    if (!s.data_left_out.empty()) return;
    double sum = 0;
    for (std::size_t p = 0; p < of_data.size(); ++p) {
      for (double& v : of_data[p]) v /= data_changes[p];
      sum += NormOf(of_data[p]);
    }
    s.of_data.push_back(sum);
    s.per_parameter.push_back(std::move(of_data));
  });
  const double spread = std::sqrt(2. / kDirections);  // of the mean square, at most
  s.how = all ? fmt::format("2-norm of the tangent flow, all {} directions", directions)
              : fmt::format(
                    "Frobenius norm of the tangent flow, a bound of its 2-norm, from {} "
                    "random directions: {:.2f} to {:.2f} times as large by one standard "
                    "deviation",
                    kDirections, std::sqrt(1 - spread), std::sqrt(1 + spread));
  return s;
}

}  // namespace mbsbench::extended
