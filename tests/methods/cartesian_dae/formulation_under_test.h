#pragma once

#include <memory>
#include <string>

#include "methods/cartesian_dae/cartesian_dae.h"

namespace mbsbench {

// The rate of Baumgarte's terms: 10/T of rods of 1 m (T = 0.3 s), in 1/s.
inline constexpr char kRate[] = "rate=33.333333333333336";

inline std::unique_ptr<DaeFormulation> CartesianDae(const System& system,
                                                    const std::string& variant = "ggl") {
  std::unique_ptr<Formulation> f = CartesianDaeEntry().prepare(system, {variant, kRate});
  return std::unique_ptr<DaeFormulation>(static_cast<DaeFormulation*>(f.release()));
}

}  // namespace mbsbench
