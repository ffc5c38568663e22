#include "methods/natural_coordinates/natural_row.h"

namespace mbsbench::natural {

void AffineForm::Add(double factor, const AffineForm& other) {
  constant += factor * other.constant;
  for (const auto& [i, by] : other.terms) {
    constexpr double kRoundOff = 1e-15;
    auto same = std::ranges::find(terms, i, [](const auto& term) { return term.first; });
    if (same == terms.end()) same = terms.insert(same, {i, 0.0});
    same->second += factor * by;
    if (std::abs(same->second) <= kRoundOff * std::abs(factor * by)) terms.erase(same);
  }
}

void NaturalRow::AddProduct(const AffineForm& left, const AffineForm& right) {
  products_.push_back({left, right, {}, {}});
  for (const AffineForm* form : {&left, &right}) {
    for (const auto& [i, factor] : form->terms)
      if (std::ranges::find(unknowns_, i) == unknowns_.end()) unknowns_.push_back(i);
  }
  const auto factors_of = [this](const AffineForm& form) {
    std::vector<double> factors(unknowns_.size(), 0.0);
    for (const auto& [i, factor] : form.terms)
      factors[static_cast<std::size_t>(std::ranges::find(unknowns_, i) - unknowns_.begin())] =
          factor;
    return factors;
  };
  for (Product& p : products_) p.on_left = factors_of(p.left), p.on_right = factors_of(p.right);
}

}  // namespace mbsbench::natural
