#pragma once

#include <memory>
#include <string>

#include "methods/cartesian_dae/cartesian_dae.h"

namespace mbsbench {

inline std::unique_ptr<DaeFormulation> CartesianDae(const System& system,
                                                    const std::string& variant = "ggl") {
  std::unique_ptr<Formulation> f = CartesianDaeEntry().prepare(system, {variant});
  return std::unique_ptr<DaeFormulation>(static_cast<DaeFormulation*>(f.release()));
}

}  // namespace mbsbench
