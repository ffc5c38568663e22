#include "methods/natural_coordinates/natural_matrix.h"

#include <array>

namespace mbsbench::natural {

namespace {

using OfBody = std::array<int, kOfBody>;

// Multipliers have no diagonal, so that pivots leave it: on a chain the order by degrees then costs O(n^3) to be tried. It has fewer
// entries on some small systems, hence it is tried up to so many unknowns.
constexpr int kMostInBothOrders = 250;

// The unknowns of the columns of a body.
OfBody UnknownsOf(const NaturalModel& model, int body) {
  OfBody unknowns;
  unknowns.fill(-1);
  if (body == kGround) return unknowns;
  const Basis& basis = model.basis(At(body));
  for (std::size_t a = 0; a < kColumns; ++a)
    for (std::size_t i = 0; i < 3; ++i)
      if (basis.unknown[a] >= 0) unknowns[3 * a + i] = 3 * basis.unknown[a] + static_cast<int>(i);
  return unknowns;
}

}  // namespace

NaturalMatrix::Pairs NaturalMatrix::PairsOf(const absolute::AbsoluteForces& elements) {
  Pairs pairs;
  for (std::size_t k = 0; k < elements.size(); ++k)
    pairs.emplace_back(elements.parent(k), elements.child(k));
  return pairs;
}

NaturalMatrix::NaturalMatrix(const NaturalModel& model, const Pairs& pairs, const Forms& forms,
                             bool has_multipliers)
    : model_(model),
      has_multipliers_(has_multipliers),
      pairs_at_(model.bodies()),
      forms_at_(pairs_at_ + pairs.size()),
      rows_at_(forms_at_ + forms.size()) {
  std::vector<char> is_loaded(model.bodies(), 0);
  for (const auto& [parent, child] : pairs) {
    for (const int body : {parent, child})
      if (body != kGround) is_loaded[At(body)] = 1;
  }
  std::vector<char> along_axes(kOfBody * kOfBody, 0);
  for (std::size_t i = 0; i < along_axes.size(); ++i)
    along_axes[i] = i % kOfBody % 3 == i / kOfBody % 3;
  for (std::size_t b = 0; b < model.bodies(); ++b) {
    std::span<const char> present;
    if (is_loaded[b] == 0) present = along_axes;
    sum_.AddPart(UnknownsOf(model, static_cast<int>(b)), kOfBody, present);
  }
  for (const auto& [parent, child] : pairs) {
    const OfBody on_parent = UnknownsOf(model, parent), on_child = UnknownsOf(model, child);
    std::vector<int> unknowns(on_parent.begin(), on_parent.end());
    unknowns.insert(unknowns.end(), on_child.begin(), on_child.end());
    sum_.AddPart(unknowns, kOfPair);
  }
  const auto add = [this](std::span<const int> points, int multiplier) {
    std::vector<int> unknowns;
    for (const int point : points)
      for (int i = 0; i < 3; ++i) unknowns.push_back(3 * point + i);
    if (multiplier >= 0) unknowns.push_back(multiplier);
    sum_.AddPart(unknowns, static_cast<int>(unknowns.size()));
  };
  for (const std::vector<int>& form : forms) add(form, -1);
  int size = 3 * static_cast<int>(model.unknowns().size());
  for (const NaturalRow& row : model.rows()) add(row.unknowns(), has_multipliers ? size++ : -1);
  pattern_ = sum_.MakePattern(size);
  values_.resize(pattern_.row.size());
  if (size == 0) return;
  const bool by_columns = has_multipliers_ && size > kMostInBothOrders;
  lu_ = std::make_unique<SparseLu>(pattern_.column_start, pattern_.row,
                                   by_columns ? Orders::kByColumns : Orders::kBoth);
}

void NaturalMatrix::AddMass(double factor) {
  BodyBlock block;
  for (std::size_t b = 0; b < model_.bodies(); ++b) {
    block.setZero();
    for (Eigen::Index i = 0; i < kOfBody; ++i)
      for (Eigen::Index j = i % 3; j < kOfBody; j += 3)
        block(i, j) = factor * model_.basis(b).mass(i / 3, j / 3);
    AddBody(b, block);
  }
}

void NaturalMatrix::AddBody(std::size_t body, const BodyBlock& block) {
  sum_.Add(body, block.data(), values_);
}

void NaturalMatrix::AddPair(std::size_t pair, const PairBlock& block) {
  sum_.Add(pairs_at_ + pair, block.data(), values_);
}

void NaturalMatrix::AddForm(std::size_t form, const RowBlock& block) {
  sum_.Add(forms_at_ + form, block.data(), values_);
}

void NaturalMatrix::AddRow(std::size_t row, double weight, double bend,
                           const RowValues<double>& column, const RowValues<double>* line) {
  const std::size_t points = column.gradient.size();
  const auto last = AsIndex(3 * points), size = last + (has_multipliers_ ? 1 : 0);
  RowBlock block = RowBlock::Zero(size, size);
  for (std::size_t i = 0; i < points; ++i) {
    const auto a = AsIndex(3 * i);
    for (std::size_t j = 0; j < points; ++j) {
      auto part = block.block<3, 3>(a, AsIndex(3 * j));
      if (weight != 0) part = weight * column.gradient[i] * column.gradient[j].transpose();
      if (bend != 0) part.diagonal().array() += bend * model_.rows()[row].Bend(i, j);
    }
    if (!has_multipliers_) continue;
    block.block<3, 1>(a, last) = column.gradient[i];
    if (line != nullptr) block.block<1, 3>(last, a) = line->gradient[i].transpose();
  }
  if (has_multipliers_ && line == nullptr) block(last, last) = 1;
  sum_.Add(rows_at_ + row, block.data(), values_);
}

Eigen::Map<const Eigen::SparseMatrix<double>> NaturalMatrix::Values() const {
  const auto size = AsIndex(pattern_.column_start.size()) - 1;
  return {size,
          size,
          AsIndex(values_.size()),
          pattern_.column_start.data(),
          pattern_.row.data(),
          values_.data()};
}

int NaturalMatrix::Factorise(Pivots pivots) { return lu_ ? lu_->Factorise(values_, pivots) : -1; }

void NaturalMatrix::Solve(Column<double>& right) {
  if (lu_) lu_->Solve({right.data(), static_cast<std::size_t>(right.size())});
}

}  // namespace mbsbench::natural
