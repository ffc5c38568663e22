#include "tests/every_method/exact/exact_statics.h"

#include <flint/fmpq_mat.h>
#include <flint/fmpz_mat.h>

#include <stdexcept>
#include <utility>

namespace mbsbench::exact {

namespace {

using Matrix = std::vector<std::vector<Number>>;  // row by row

constexpr std::size_t kForce = 0, kMoment = 3;

std::vector<Point> All() {
  std::vector<Point> units(3);
  for (std::size_t i = 0; i < 3; ++i) units[i][i] = Q(1);
  return units;
}

// Two directions across `axis`.
std::vector<Point> Across(const Point& axis) {
  const std::size_t along = !axis[0].is_zero() ? 0 : !axis[1].is_zero() ? 1 : 2;
  std::vector<Point> across = All();
  across.erase(across.begin() + static_cast<std::ptrdiff_t>(along));
  for (Point& p : across) p = Cross(axis, p);
  return across;
}

struct Wrench {
  Point force{}, moment{};  // the moment about the child's joint point
};

// A basis of what the joint can exert.
std::vector<Wrench> WrenchesOf(JointType type, const Point& axis) {
  std::vector<Point> forces, moments;
  switch (type) {
    case JointType::kRevolute: forces = All(), moments = Across(axis); break;
    case JointType::kPrismatic: forces = Across(axis), moments = All(); break;
    case JointType::kBall: forces = All(); break;
    case JointType::kDistance: forces = {axis}; break;
    case JointType::kFixed:
    case JointType::kFree:
    case JointType::kUniversal:
    case JointType::kCylindrical:
    case JointType::kPlanar: throw std::invalid_argument("no exact statics of this joint");
  }
  std::vector<Wrench> wrenches;
  for (const Point& f : forces) wrenches.push_back({f, {}});
  for (const Point& m : moments) wrenches.push_back({{}, m});
  return wrenches;
}

void Put(const Point& p, std::size_t row, std::size_t column, Matrix& matrix) {
  for (std::size_t i = 0; i < 3; ++i) matrix[row + i][column] = p[i];
}

// The rows of blocks, each multiplied so that its entries are integers: null spaces and ranks stay.
class Integers {
 public:
  Integers(const Matrix& matrix, const Rational& d) {
    const std::size_t size = d == 0 ? 1 : 2;
    const auto n = [size](std::size_t count) { return static_cast<slong>(size * count); };
    fmpq_mat_t rational;
    fmpq_mat_init(rational, n(matrix.size()), n(matrix.front().size()));
    fmpz_mat_init(entries_, fmpq_mat_nrows(rational), fmpq_mat_ncols(rational));
    const auto put = [&](std::size_t row, std::size_t column, const Rational& x) {
      fmpq_set_str(fmpq_mat_entry(rational, static_cast<slong>(row), static_cast<slong>(column)),
                   x.str().c_str(), 10);
    };
    for (std::size_t i = 0; i < matrix.size(); ++i) {
      for (std::size_t j = 0; j < matrix[i].size(); ++j) {
        const Number& x = matrix[i][j];
        put(size * i, size * j, x.a);
        if (size == 1) continue;
        put(size * i, size * j + 1, x.b * d);
        put(size * i + 1, size * j, x.b);
        put(size * i + 1, size * j + 1, x.a);
      }
    }
    fmpq_mat_get_fmpz_mat_rowwise(entries_, nullptr, rational);
    fmpq_mat_clear(rational);
  }
  Integers(slong rows, slong columns) { fmpz_mat_init(entries_, rows, columns); }
  ~Integers() { fmpz_mat_clear(entries_); }
  Integers(const Integers&) = delete;
  Integers& operator=(const Integers&) = delete;

  slong rank() const { return fmpz_mat_rank(entries_); }
  slong rows() const { return fmpz_mat_nrows(entries_); }
  slong columns() const { return fmpz_mat_ncols(entries_); }
  slong RankOfRows(slong first, slong end) const {
    fmpz_mat_t some;
    fmpz_mat_window_init(some, entries_, first, 0, end, columns());
    const slong rank = fmpz_mat_rank(some);
    fmpz_mat_window_clear(some);
    return rank;
  }
  bool IsZero(slong row) const {
    for (slong j = 0; j < columns(); ++j) {
      if (!fmpz_is_zero(fmpz_mat_entry(entries_, row, j))) return false;
    }
    return true;
  }
  fmpz_mat_struct* get() { return entries_; }

 private:
  fmpz_mat_t entries_;
};

}  // namespace

ExactStatics StaticsOf(const System& system, const std::vector<JointPlace>& places) {
  std::vector<Joint> joints = system.joints;
  joints.insert(joints.end(), system.loop_joints.begin(), system.loop_joints.end());
  std::vector<std::pair<std::size_t, Wrench>> columns;
  for (std::size_t j = 0; j < joints.size(); ++j) {
    for (Wrench& w : WrenchesOf(joints[j].type, places[j].axis))
      columns.emplace_back(j, std::move(w));
  }
  const auto zeros = [&columns](std::size_t rows) {
    return Matrix(rows, std::vector<Number>(columns.size()));
  };
  // Multipliers to the wrenches of the joints, and to those on the bodies about the inertial origin.
  Matrix on_joints = zeros(6 * joints.size()), on_bodies = zeros(6 * system.bodies.size());
  ExactStatics statics;
  for (std::size_t c = 0; c < columns.size(); ++c) {
    const auto& [j, w] = columns[c];
    Put(w.force, 6 * j + kForce, c, on_joints);
    Put(w.moment, 6 * j + kMoment, c, on_joints);
    const Point moment = w.moment + Cross(places[j].point, w.force);
    for (const auto& [body, sign] : {std::pair{joints[j].child, 1}, {joints[j].parent, -1}}) {
      if (body == kGround) continue;
      const std::size_t row = 6 * static_cast<std::size_t>(body);
      Put(Q(sign) * w.force, row + kForce, c, on_bodies);
      Put(Q(sign) * moment, row + kMoment, c, on_bodies);
    }
    for (const Point& p : {w.force, moment}) {
      for (const Number& x : p) {
        if (x.b != 0) statics.d = x.d;
      }
    }
  }
  const int size = statics.d == 0 ? 1 : 2;
  Integers equilibrium(on_bodies, statics.d), wrenches(on_joints, statics.d);
  statics.rows = static_cast<int>(columns.size());
  statics.rank = static_cast<int>(equilibrium.rank()) / size;
  Integers null_space(equilibrium.columns(), equilibrium.columns());
  fmpz_mat_nullspace(null_space.get(), equilibrium.get());
  Integers free(wrenches.rows(), null_space.columns());
  fmpz_mat_mul(free.get(), wrenches.get(), null_space.get());
  statics.unique.resize(joints.size());
  for (slong row = 0; row < free.rows(); row += 6 * size)
    statics.undetermined.push_back(static_cast<int>(free.RankOfRows(row, row + 6 * size)) / size);
  for (slong row = 0; row < free.rows(); ++row) {
    const auto component = static_cast<std::size_t>(row / size);
    if (!free.IsZero(row)) statics.unique[component / 6][component % 6] = false;
  }
  return statics;
}

}  // namespace mbsbench::exact
