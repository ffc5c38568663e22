#include "methods/natural_coordinates/natural_matrix.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace mbsbench::natural {

NaturalMatrix::NaturalMatrix(const NaturalModel& model, const Forces& forces)
    : model_(model), rows_at_(model.bodies() + forces.size()) {
  SetOrder();
  // Parts of M and of rows have entries along each axis, and those of the multiplier.
  const auto add = [this](std::span<const int> unknowns, bool is_full, int row = -1) {
    std::vector<int> places;
    for (const int unknown : unknowns)
      for (int i = 0; i < 3; ++i)
        places.push_back(unknown < 0 ? -1 : order_.indices()[3 * unknown + i]);
    const std::size_t of_unknowns = places.size();
    if (row >= 0) places.push_back(order_.indices()[row]);
    std::vector<char> present;
    for (std::size_t j = 0; j < places.size(); ++j)
      for (std::size_t i = 0; i < places.size(); ++i)
        present.push_back(is_full || i % 3 == j % 3 || i == of_unknowns || j == of_unknowns);
    sum_.AddPart(places, static_cast<int>(places.size()), present);
  };
  for (std::size_t b = 0; b < model.bodies(); ++b) add(model.basis(b).unknown, false);
  for (const std::vector<int>& unknowns : forces) add(unknowns, true);
  int next = 3 * static_cast<int>(model.unknowns().size());
  for (const NaturalRow& row : model.rows()) add(row.unknowns(), false, next++);
  std::vector<int> blocks = std::move(pattern_.blocks);
  pattern_ = sum_.MakePattern(next);
  pattern_.blocks = std::move(blocks);
  mass_.resize(pattern_.row.size());
  for (std::size_t b = 0; b < model.bodies(); ++b) {
    Block block = Block::Zero(kOfBody, kOfBody);
    for (Eigen::Index i = 0; i < kOfBody; ++i)
      for (Eigen::Index j = i % 3; j < kOfBody; j += 3)
        block(i, j) = model.basis(b).mass(i / 3, j / 3) / model.mean_mass();
    sum_.Add(b, block.data(), mass_);
  }
}

// From the tips to the root, then loops; in a block unknowns come before rows.
void NaturalMatrix::SetOrder() {
  std::vector<int> first(model_.bodies(), -1);  // unknown of each body
  std::vector<int> block_of;                    // of each unknown and row
  for (int k = 0; const Unknown& unknown : model_.unknowns()) {
    int& number = first[At(unknown.body)];
    if (number < 0) number = k;
    block_of.insert(block_of.end(), 3, -number);
    ++k;
  }
  for (const NaturalRow& row : model_.rows())
    block_of.push_back(row.body >= 0 ? -first[At(row.body)] : 1 + row.joint);
  std::vector<int> sorted(block_of.size());
  std::iota(sorted.begin(), sorted.end(), 0);
  std::ranges::stable_sort(sorted, {}, [&](int i) { return block_of[At(i)]; });
  order_.resize(AsIndex(sorted.size()));
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    order_.indices()[sorted[i]] = static_cast<int>(i);
    if (i == 0 || block_of[At(sorted[i])] != block_of[At(sorted[i - 1])])
      pattern_.blocks.push_back(static_cast<int>(i));
  }
}

Block StiffnessOf(const NaturalRow& row, const RowValues<double>& at, double weight, double bend) {
  const std::size_t points = at.gradient.size();
  Block block(AsIndex(3 * points), AsIndex(3 * points));
  for (std::size_t i = 0; i < points; ++i) {
    for (std::size_t j = 0; j < points; ++j) {
      auto part = block.block<3, 3>(AsIndex(3 * i), AsIndex(3 * j));
      part = weight * at.gradient[i] * at.gradient[j].transpose();
      part.diagonal().array() += bend * row.Bend(i, j);
    }
  }
  return block;
}

void NaturalMatrix::AddRow(std::size_t row, double bend, double slack,
                           const RowValues<double>& column, const RowValues<double>& line) {
  const std::size_t points = column.gradient.size();
  const auto last = AsIndex(3 * points);
  Block block = Block::Zero(last + 1, last + 1);
  if (bend != 0) block.topLeftCorner(last, last) = StiffnessOf(model_.rows()[row], column, 0, bend);
  for (std::size_t i = 0; i < points; ++i) {
    block.block<3, 1>(AsIndex(3 * i), last) = column.gradient[i];
    block.block<1, 3>(last, AsIndex(3 * i)) = line.gradient[i].transpose();
  }
  block(last, last) = -slack;
  Add(rows_at_ + row, block);
}

void NaturalMatrix::LeaveOut(std::size_t row) {
  const auto last = AsIndex(3 * model_.rows()[row].unknowns().size());
  Block block = Block::Zero(last + 1, last + 1);
  block(last, last) = 1;
  Add(rows_at_ + row, block);
}

Eigen::Map<const Eigen::SparseMatrix<double>> NaturalMatrix::InOrder() const {
  return {order_.size(),       order_.size(), AsIndex(values_.size()), pattern_.column_start.data(),
          pattern_.row.data(), values_.data()};
}

Eigen::MatrixXd NaturalMatrix::OfUnknowns() const {
  const Eigen::MatrixXd all = order_.transpose() * Eigen::MatrixXd(InOrder()) * order_;
  const auto unknowns = AsIndex(3 * model_.unknowns().size());
  return all.topLeftCorner(unknowns, unknowns);
}

int NaturalMatrix::Factorise() {
  if (pattern_.blocks.empty()) return -1;
  Pivots pivots = std::exchange(pivots_, Pivots::kKept);
  if (pivots == Pivots::kNewOrder) blocks_ = BlockLu::Make(pattern_);
  by_blocks_ = blocks_ && blocks_->Factorise(values_);
  if (by_blocks_) return -1;
  if (!lu_) {
    lu_ = std::make_unique<SparseLu>(pattern_.column_start, pattern_.row);
    pivots = Pivots::kNewOrder;
  }
  const int column = lu_->Factorise(values_, pivots);
  if (column < 0) return -1;
  const int* const places = order_.indices().data();
  return static_cast<int>(std::find(places, places + order_.size(), column) - places);
}

void NaturalMatrix::Solve(Column<double>& right) {
  if (pattern_.blocks.empty()) return;
  const auto solve = [this](Column<double>& b) {
    const std::span<double> numbers(b.data(), static_cast<std::size_t>(b.size()));
    by_blocks_ ? blocks_->Solve(numbers) : lu_->Solve(numbers);
  };
  right = order_ * right;
  Column<double> left = right;
  solve(right);
  if (by_blocks_) {  // whose pivots were chosen for other values
    left -= InOrder() * right;
    solve(left);
    right += left;
  }
  right = order_.transpose() * right;
}

OperationCount NaturalMatrix::CountOperations() {
  if (!by_blocks_) return lu_ ? lu_->CountOperations() : OperationCount{};
  const auto entries = static_cast<std::int64_t>(values_.size());
  return blocks_->CountOperations(2) + OperationCount{entries, entries, 0, 0};
}

}  // namespace mbsbench::natural
