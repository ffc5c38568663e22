#include "methods/natural_coordinates/natural_row.h"

namespace mbsbench::natural {

void AffineForm::Add(double factor, const AffineForm& other) {
  constant += factor * other.constant;
  for (const auto& [i, by] : other.terms) {
    const auto same = std::ranges::find(terms, i, [](const auto& term) { return term.first; });
    if (same == terms.end()) {
      terms.emplace_back(i, factor * by);
      continue;
    }
    constexpr double kRoundOff = 1e-15;
    const double sum = same->second + factor * by;
    if (std::abs(sum) > kRoundOff * std::abs(factor * by))
      same->second = sum;
    else
      terms.erase(same);
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

void NaturalRow::SetFactor(std::size_t product, double factor, double rate, double acceleration) {
  Product& p = products_[product];
  p.factor = factor, p.rate = rate, p.acceleration = acceleration;
}

}  // namespace mbsbench::natural
